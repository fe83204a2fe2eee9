//! One case as a pipeline file.

use std::collections::HashMap;
use std::sync::Mutex;

use pliant::Case;
use pliant_diag::{Diagnostics, Warned};
use pliant_expression::Node;
use pliant_pipeline::{Document, PipelineFile, Value};

use crate::manifest::Study;
use crate::metric::{Data, number as evaluate, quoted};
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
) -> Result<f64, String> {
    let look = |name: &str| {
        let place = parameters.iter().position(|parameter| parameter.name == name)?;
        parameter_number(&parameters[place], values[place].as_ref(), document).map(Data::Number)
    };
    // A name that is known but is no number is reported as such.
    for (name, _) in node.names() {
        if parameters.iter().any(|parameter| parameter.name == name) && look(name).is_none() {
            return Err(format!("`{name}` is not a number"));
        }
    }
    let x = evaluate(node, &look)?;
    if x.is_finite() { Ok(x) } else { Err(format!("the result is {x}")) }
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
    pub(crate) fn file(&self, values: &[Option<Value>]) -> Result<PipelineFile, CaseProblems> {
        let read = self.read(values)?;
        if read.diagnostics.has_errors() {
            return Err(CaseProblems::Diagnostics(read.diagnostics));
        }
        Ok(read.output)
    }

    fn read(&self, values: &[Option<Value>]) -> Result<Warned<PipelineFile>, CaseProblems> {
        let document = self.document(values).map_err(CaseProblems::Message)?;
        Ok(self.file.case(document))
    }

    /// A case, checked.
    ///
    /// # Errors
    /// Everything that is wrong with its values.
    pub(crate) fn case(&self, values: &[Option<Value>]) -> Result<Case, CaseProblems> {
        match Case::new(self.read(values)?) {
            Ok(case) => Ok(case.output),
            Err(failure) => Err(CaseProblems::Diagnostics(failure.diagnostics)),
        }
    }

    fn document(&self, values: &[Option<Value>]) -> Result<Document, String> {
        let mut document = self.file.document.clone();
        for (parameter, given) in self.parameters.iter().zip(values) {
            for (target, given) in parameter.targets.iter().zip(given.iter().cycle()) {
                target.set(&mut document, given)?;
            }
        }
        for computed in self.computed {
            let x = number_of(&computed.expression, self.parameters, values, &self.file.document)
                .map_err(|error| format!("{}: {error}", quoted(&computed.text)))?;
            computed.target.set(&mut document, &Value::from(x))?;
        }
        Ok(document)
    }
}

/// What is wrong with the values of a case.
pub(crate) enum CaseProblems {
    Message(String),
    Diagnostics(Diagnostics),
}

impl CaseProblems {
    /// In one line.
    pub(crate) fn reason(&self) -> String {
        match self {
            Self::Message(message) => message.clone(),
            Self::Diagnostics(problems) => one_line(problems),
        }
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

/// Cases that are held between the preparation of a run and their turn. Beyond these a case is read again at
/// its turn, so that a study of a million cases does not hold a million machines.
const HELD: usize = 4096;

/// The cases of a run, each read once.
pub(crate) struct ParsedCases<'a> {
    study: &'a Study,
    held: Mutex<HashMap<usize, Result<Case, String>>>,
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
    /// Everything that is wrong with its values, in one line.
    pub(crate) fn take(&self, index: usize) -> Result<Case, String> {
        let held = self.held.lock().expect("invariant: nobody panics with the map").remove(&index);
        held.unwrap_or_else(|| self.read(index))
    }

    fn read(&self, index: usize) -> Result<Case, String> {
        let case = self.study.maker().case(&self.study.cases[index]);
        let case = case.map_err(|problems| format!("bad parameters: {}", problems.reason()))?;
        Ok(case.from_provenance(provenance(self.study, index)))
    }
}
