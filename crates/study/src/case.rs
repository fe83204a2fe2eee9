//! One case as a pipeline file.

use std::collections::HashMap;
use std::sync::Mutex;

use pliant::Case;
use pliant_diag::{Diagnostic, Diagnostics, Warned};
use pliant_expression::Node;
use pliant_pipeline::{Document, KeyError, PipelineFile, Value};

use crate::manifest::Study;
use crate::metric::{Data, EvaluateError, number as evaluate};
use crate::parameter::{Computed, Parameter};
use crate::series::provenance;

/// How cases are made of a file.
pub(crate) struct Cases<'a> {
    pub(crate) file: &'a PipelineFile,
    pub(crate) parameters: &'a [Parameter],
    pub(crate) computed: &'a [Computed],
}

/// An expression of parameters as a number.
pub(crate) fn number_of(
    node: &Node,
    parameters: &[Parameter],
    values: &[Option<Value>],
    document: &Document,
) -> Result<f64, EvaluateError> {
    let look = |name: &str| {
        let index = parameters.iter().position(|parameter| parameter.name == name)?;
        parameter_number(&parameters[index], values[index].as_ref(), document).map(Data::Number)
    };
    // A name that is known but is no number is reported as such.
    for (name, _) in node.names() {
        if parameters.iter().any(|parameter| parameter.name == name) && look(name).is_none() {
            return Err(EvaluateError::NotANumber(name.to_owned()));
        }
    }
    let x = evaluate(node, &look)?;
    if x.is_finite() { Ok(x) } else { Err(EvaluateError::NotFinite(x)) }
}

/// A parameter as a number: its value, or what the file has where it would stand.
pub(crate) fn parameter_number(
    parameter: &Parameter,
    given: Option<&Value>,
    document: &Document,
) -> Option<f64> {
    match given {
        Some(value) => value.number(),
        None => parameter.targets.first()?.number(document),
    }
}

impl Cases<'_> {
    /// The file of a case.
    ///
    /// # Errors
    /// Everything that is wrong with its values.
    pub(crate) fn file(&self, values: &[Option<Value>]) -> Result<PipelineFile, Diagnostics> {
        let read = self.read(values)?;
        if read.diagnostics.has_errors() {
            return Err(read.diagnostics);
        }
        Ok(read.output)
    }

    fn read(&self, values: &[Option<Value>]) -> Result<Warned<PipelineFile>, Diagnostics> {
        let document = self.document(values).map_err(|problem| Diagnostics::from_iter([*problem]))?;
        Ok(self.file.case(document))
    }

    /// A case, checked.
    ///
    /// # Errors
    /// Everything that is wrong with its values.
    pub(crate) fn case(&self, values: &[Option<Value>]) -> Result<Case, Diagnostics> {
        match Case::new(self.read(values)?) {
            Ok(case) => Ok(case.output),
            Err(failure) => Err(failure.diagnostics),
        }
    }

    fn document(&self, values: &[Option<Value>]) -> Result<Document, Box<Diagnostic>> {
        let mut document = self.file.document.clone();
        let wrong_key = |error: KeyError| Diagnostic::boxed(error.to_string());
        for (parameter, given) in self.parameters.iter().zip(values) {
            for (target, given) in parameter.targets.iter().zip(given.iter().cycle()) {
                target.set(&mut document, given).map_err(|error| wrong_key(error).at(given.span))?;
            }
        }
        for computed in self.computed {
            let x = number_of(&computed.expression, self.parameters, values, &self.file.document)
                .map_err(|error| Diagnostic::boxed(format!("expression \"{}\": {error}", computed.text)))?;
            computed.target.set(&mut document, &Value::from(x)).map_err(wrong_key)?;
        }
        Ok(document)
    }
}

/// All errors in one line.
pub(crate) fn one_line(problems: &Diagnostics) -> String {
    let errors = problems.iter().filter(|d| d.severity == pliant_diag::Severity::Error);
    let reported = errors.map(|d| match d.hints.first() {
        Some(hint) => format!("{} ({hint})", d.headline()),
        None => d.headline(),
    });
    reported.collect::<Vec<_>>().join("; ")
}

/// Cases that are held between their first reading, when a study is planned or a run prepared, and their
/// turn. Beyond these a case is read again at its turn, so that a study of a million cases does not hold a
/// million machines.
pub(crate) const HELD: usize = 4096;

/// Cases that were read, or what is wrong with them, by number.
pub(crate) type HeldCases = HashMap<usize, Result<Case, Diagnostics>>;

/// The cases of a run, each read once.
pub(crate) struct ParsedCases<'a> {
    study: &'a Study,
    held: Mutex<HeldCases>,
}

impl<'a> ParsedCases<'a> {
    pub(crate) fn new(study: &'a Study) -> Self {
        Self { study, held: Mutex::default() }
    }

    /// Reads a case and holds it until its turn, where there is room; `look` sees it unless it is bad.
    pub(crate) fn prepare<T>(&self, index: usize, look: impl FnOnce(&Case) -> T) -> Option<T> {
        let case = self.read(index);
        let seen = case.as_ref().ok().map(look);
        let mut held = self.held.lock().expect("invariant: nobody panics with the map");
        if held.len() < HELD {
            held.insert(index, case);
        }
        seen
    }

    /// Looks at a case that was prepared; none when it is bad.
    pub(crate) fn look<T>(&self, index: usize, look: impl FnOnce(&Case) -> T) -> Option<T> {
        let held = self.held.lock().expect("invariant: nobody panics with the map");
        match held.get(&index) {
            Some(case) => case.as_ref().ok().map(look),
            None => {
                drop(held);
                self.read(index).ok().as_ref().map(look)
            }
        }
    }

    /// The case, given away.
    ///
    /// # Errors
    /// Everything that is wrong with its values.
    pub(crate) fn take(&self, index: usize) -> Result<Case, Diagnostics> {
        let held = self.held.lock().expect("invariant: nobody panics with the map").remove(&index);
        held.unwrap_or_else(|| self.read(index))
    }

    fn read(&self, index: usize) -> Result<Case, Diagnostics> {
        let held = self.study.held.lock().expect("invariant: nobody panics with the map").remove(&index);
        let case = held.unwrap_or_else(|| self.study.maker().case(&self.study.cases[index]))?;
        Ok(case.from_provenance(provenance(self.study, index)))
    }
}
