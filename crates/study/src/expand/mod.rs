//! From a `[study]` table to cases.

mod axis;
mod distribution;
mod list;
mod product;
mod sample;

pub use list::{Rows, list_of};

use pliant_diag::{Diagnostic, Diagnostics, Span};
use pliant_pipeline::schema::closest;
use pliant_pipeline::study::StudyTable;
use pliant_pipeline::{KeyPath, PipelineFile, Value};

use crate::cells::shortened;
use crate::metric::{bare_names, parse};
use crate::parameter::{Computed, Parameter};

/// Most cases of a study.
const MOST: usize = pliant_pipeline::limits::CASES as usize;

/// A study as cases. A value that is `None` stays as the file has it.
#[derive(Debug)]
pub(crate) struct Expansion {
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) computed: Vec<Computed>,
    pub(crate) cases: Vec<Vec<Option<Value>>>,
    /// Base points, when the cases serve Sobol's indices; then the parameters are those of the sample, in
    /// order.
    pub(crate) sobol_base: Option<usize>,
}

/// Some parameters with rows of values.
struct Block {
    parameters: Vec<(String, Option<Span>)>,
    rows: Vec<Vec<Value>>,
}

/// What reading the table carries along.
struct Reader<'a> {
    file: &'a PipelineFile,
    table: &'a StudyTable,
    diagnostics: Diagnostics,
}

/// All cases of a study.
///
/// # Errors
/// Everything that is wrong with the table, at its location.
pub(crate) fn expand(file: &PipelineFile, table: &StudyTable) -> Result<Expansion, Diagnostics> {
    let mut reader = Reader { file, table, diagnostics: Diagnostics::new() };
    let made = reader.expansion();
    let mut diagnostics = reader.diagnostics;
    diagnostics.sort_by_location();
    match made {
        Some(expansion) if !diagnostics.has_errors() => Ok(expansion),
        _ => Err(diagnostics),
    }
}

impl Reader<'_> {
    fn error(&mut self, span: Option<Span>, message: impl Into<String>) -> &mut Self {
        self.diagnostics.push(Diagnostic::error(message).at(span));
        self
    }

    fn hinted(&mut self, span: Option<Span>, message: impl Into<String>, hint: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(message).at(span).hint(hint));
    }

    fn expansion(&mut self) -> Option<Expansion> {
        let table = self.table;
        let blocks = [self.grid(), self.zip(), self.list(), self.sample()];
        let sampled = table.sample.as_ref().filter(|sample| sample.indices);
        let others = blocks[..3].iter().any(|block| matches!(block, Ok(Some(_))));
        if let Some(sample) = sampled
            && (others || table.filter.is_some())
        {
            self.error(sample.source.0, "`indices` need the sample alone: no grid, zip, list or filter");
        }
        let blocks: Vec<_> = blocks.into_iter().collect::<Result<Vec<_>, ()>>().ok()?;
        let blocks: Vec<_> = blocks.into_iter().flatten().collect();
        let parameters = self.parameters(&blocks)?;
        let computed = self.computed(&parameters)?;
        self.targets_differ(&parameters, &computed);
        let cases = product::combine(blocks, table.combine, MOST);
        let Some(cases) = cases else {
            self.error(table.source.0, format!("the study has more than {MOST} cases"));
            return None;
        };
        let cases = self.filtered(&parameters, cases)?;
        if cases.is_empty() {
            self.error(table.source.0, "no case meets the filter");
        }
        let sobol_base = sampled.map(|sample| sample.count as usize);
        Some(Expansion { parameters, computed, cases, sobol_base })
    }

    /// The parameters of all blocks with the keys they set.
    fn parameters(&mut self, blocks: &[Block]) -> Option<Vec<Parameter>> {
        let mut parameters: Vec<Parameter> = Vec::new();
        let mut good = true;
        for (name, span) in blocks.iter().flat_map(|block| &block.parameters) {
            if parameters.iter().any(|known| known.name == *name) {
                self.error(*span, format!("the parameter `{name}` is given twice"));
                good = false;
                continue;
            }
            let targets = match self.table.parameters.get(name) {
                Some(keys) => keys.value.0.iter().map(|key| (key.clone(), keys.span())).collect(),
                None => vec![(name.clone(), *span)],
            };
            let targets: Option<Vec<KeyPath>> =
                targets.into_iter().map(|(key, span)| self.target(&key, span)).collect();
            match targets {
                Some(targets) => parameters.push(Parameter { name: name.clone(), targets }),
                None => good = false,
            }
        }
        for (name, values) in &self.table.parameters.entries {
            if parameters.iter().all(|known| known.name != name.value) && good {
                let hint = "give it values in grid, zip, list or sample";
                self.hinted(values.span(), format!("the parameter `{}` has no values", name.value), hint);
            }
        }
        good.then_some(parameters)
    }

    /// A key of the file; its first part must be one that files have.
    fn target(&mut self, key: &str, span: Option<Span>) -> Option<KeyPath> {
        const TABLES: [&str; 9] =
            ["gravity", "links", "joints", "payload", "payloads", "loads", "analysis", "output", "title"];
        let target = match KeyPath::parse(key) {
            Ok(target) => target,
            Err(error) => {
                self.error(span, error.to_string());
                return None;
            }
        };
        let named: Vec<_> = self.table.parameters.iter().map(|(name, _)| name).collect();
        let known = self.file.document.root.get(&[&target.parts[0]]).is_some() && target.parts[0] != "study";
        if known || TABLES.contains(&target.parts[0].as_str()) {
            return Some(target);
        }
        let close = closest(key, named.iter().copied()).or_else(|| closest(&target.parts[0], TABLES));
        let hint = match close {
            Some(close) => format!("did you mean `{close}`?"),
            None => "a parameter is a key such as \"payload.mass\", or a name from `parameters`".to_owned(),
        };
        self.hinted(span, format!("there is no parameter or key `{key}`"), hint);
        None
    }

    fn computed(&mut self, parameters: &[Parameter]) -> Option<Vec<Computed>> {
        let mut computed = Vec::new();
        let mut good = true;
        for (key, text) in &self.table.set.entries {
            let target = self.target(&key.value, key.span());
            let known: Vec<_> = parameters.iter().map(|p| p.name.as_str()).collect();
            match (target, parse(&text.value).and_then(|node| bare_names(node, &known))) {
                (Some(target), Ok(expression)) => {
                    computed.push(Computed { target, text: text.value.clone(), expression });
                }
                (_, Err(error)) => {
                    self.error(text.span(), format!("expression \"{}\": {error}", shortened(&text.value)));
                    good = false;
                }
                (None, Ok(_)) => good = false,
            }
        }
        good.then_some(computed)
    }

    fn targets_differ(&mut self, parameters: &[Parameter], computed: &[Computed]) {
        let all: Vec<_> =
            parameters.iter().flat_map(|p| &p.targets).chain(computed.iter().map(|c| &c.target)).collect();
        for (i, target) in all.iter().enumerate() {
            if all[..i].contains(target) {
                let message = format!("the key `{}` is set by two parameters", target.parts.join("."));
                self.error(self.table.source.0, message);
            }
        }
    }

    fn filtered(
        &mut self,
        parameters: &[Parameter],
        mut cases: Vec<Vec<Option<Value>>>,
    ) -> Option<Vec<Vec<Option<Value>>>> {
        let known: Vec<_> = parameters.iter().map(|p| p.name.as_str()).collect();
        for text in self.table.filter.iter().flat_map(|filter| &filter.0) {
            let problem = match parse(&text.value).and_then(|node| bare_names(node, &known)) {
                Ok(node) => {
                    let mut problem = None;
                    cases.retain(|values| {
                        let value = crate::case::number_of(&node, parameters, values, &self.file.document);
                        value.map_err(|error| problem = Some(error.to_string())).is_ok_and(|x| x != 0.0)
                    });
                    problem
                }
                Err(error) => Some(error.to_string()),
            };
            if let Some(problem) = problem {
                self.error(text.span(), format!("expression \"{}\": {problem}", shortened(&text.value)));
                return None;
            }
        }
        Some(cases)
    }
}
