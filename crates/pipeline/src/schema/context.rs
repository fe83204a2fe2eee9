//! What reading a pipeline file carries along.

use pliant_diag::{Diagnostic, Diagnostics, Span};

use crate::{Value, ValueKind};

/// Collects problems and knows the dotted path of the value being read.
#[derive(Debug)]
pub struct Context<'a> {
    path: Vec<String>,
    /// Location of the table that is being checked.
    table: Option<Span>,
    /// Its keys, with the locations of their values.
    keys: Vec<(String, Option<Span>)>,
    diagnostics: &'a mut Diagnostics,
}

impl<'a> Context<'a> {
    /// Starts at the root.
    pub fn new(diagnostics: &'a mut Diagnostics) -> Self {
        Self { path: Vec::new(), table: None, keys: Vec::new(), diagnostics }
    }

    /// Reads something below `key`.
    pub fn within<T>(&mut self, key: &str, read: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(key.to_owned());
        let result = read(self);
        self.path.pop();
        result
    }

    /// The dotted path of the value being read.
    pub fn path(&self) -> String {
        self.path.join(".")
    }

    /// Reports an error at a location, with the path in front.
    pub fn error(&mut self, span: Option<Span>, message: impl std::fmt::Display) -> &mut Self {
        let path = self.path();
        let message = if path.is_empty() { message.to_string() } else { format!("`{path}`: {message}") };
        self.diagnostics.push(Diagnostic::error(message).at(span));
        self
    }

    /// Checks what single keys of a table cannot; problems are located by [`key`](Self::key).
    pub(crate) fn checking(&mut self, table: &Value, check: impl FnOnce(&mut Self)) {
        let entries = if let ValueKind::Table(entries) = &table.kind { entries.as_slice() } else { &[] };
        self.table = table.span;
        self.keys = entries.iter().map(|(key, value)| (key.name.clone(), value.span)).collect();
        check(self);
        self.keys.clear();
    }

    /// Location of the value of a key in the table that is being checked; of the table where it is left out.
    pub(crate) fn key(&self, name: &str) -> Option<Span> {
        self.keys.iter().find(|(key, _)| key == name).and_then(|(_, span)| *span).or(self.table)
    }

    /// Reports that of some keys, each with whether it is given, not exactly one is given.
    pub(crate) fn exactly_one(&mut self, keys: &[(&str, bool)]) {
        let quoted: Vec<_> = keys.iter().map(|(key, _)| format!("`{key}`")).collect();
        let given: Vec<_> = keys.iter().filter(|(_, given)| *given).map(|(key, _)| *key).collect();
        if given.len() == 1 {
            return;
        }
        let (last, others) = quoted.split_last().expect("invariant: there is a choice");
        let found: Vec<_> = given.iter().map(|key| format!("`{key}`")).collect();
        let found = if found.is_empty() { "none of them".to_owned() } else { found.join(" and ") };
        let span = given.get(1).map_or(self.table, |second| self.key(second));
        let message = format!("exactly one of {} and {last} is needed, found {found}", others.join(", "));
        self.error(span, message);
    }

    /// Reports each number that is not above zero, by the name of its key.
    pub(crate) fn positive(&mut self, numbers: &[(&str, Option<f64>)]) {
        for (key, number) in numbers {
            if let Some(number) = number.filter(|x| *x <= 0.0) {
                self.error(self.key(key), format_args!("`{key}` must be positive, found {number}"));
            }
        }
    }

    /// Reports each number below zero, by the name of its key.
    pub(crate) fn not_negative(&mut self, numbers: &[(&str, Option<f64>)]) {
        for (key, number) in numbers {
            if let Some(number) = number.filter(|x| *x < 0.0) {
                self.error(self.key(key), format_args!("`{key}` must not be negative, found {number}"));
            }
        }
    }

    /// Reports an error with a hint.
    pub fn error_with_hint(
        &mut self,
        span: Option<Span>,
        message: impl std::fmt::Display,
        hint: Option<String>,
    ) {
        let path = self.path();
        let message = if path.is_empty() { message.to_string() } else { format!("`{path}`: {message}") };
        let diagnostic = Diagnostic::error(message).at(span);
        self.diagnostics.push(match hint {
            Some(hint) => diagnostic.hint(hint),
            None => diagnostic,
        });
    }
}
