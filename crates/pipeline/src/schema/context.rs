//! What reading a pipeline file carries along.

use pliant_diag::{Diagnostic, Diagnostics, Span};

/// Collects problems and knows the dotted path of the value being read.
#[derive(Debug)]
pub struct Context<'a> {
    path: Vec<String>,
    diagnostics: &'a mut Diagnostics,
}

impl<'a> Context<'a> {
    /// Starts at the root.
    pub fn new(diagnostics: &'a mut Diagnostics) -> Self {
        Self { path: Vec::new(), diagnostics }
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

    /// Reports each number that is not above zero, by the name of its key.
    pub(crate) fn positive(&mut self, span: Option<Span>, numbers: &[(&str, Option<f64>)]) {
        for (key, number) in numbers {
            if let Some(number) = number.filter(|x| *x <= 0.0) {
                self.error(span, format_args!("`{key}` must be positive, found {number}"));
            }
        }
    }

    /// Reports each number below zero, by the name of its key.
    pub(crate) fn not_negative(&mut self, span: Option<Span>, numbers: &[(&str, Option<f64>)]) {
        for (key, number) in numbers {
            if let Some(number) = number.filter(|x| *x < 0.0) {
                self.error(span, format_args!("`{key}` must not be negative, found {number}"));
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
