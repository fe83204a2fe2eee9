//! Diagnostics: problems as values.

use crate::Span;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; nothing is wrong.
    Note,
    /// Probably not what was meant; the answer is still defined.
    Warning,
    /// The input cannot be used as it stands.
    Error,
}

impl Severity {
    /// `note`, `warning` or `error`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// A field of a card, numbered as the quick reference guide does: 1 is the name, 2 to 9 the data of the
/// first line, 12 to 19 those of the first continuation, and so on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldRef {
    /// Number as in the quick reference guide.
    pub number: u32,
    /// Name as in the quick reference guide, such as `G3`.
    pub name: String,
}

/// One problem, with all that helps to find and correct it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, one sentence without a full stop. Does not repeat card and field.
    pub message: String,
    /// Where.
    pub span: Option<Span>,
    /// The card, such as `CTETRA 1207`.
    pub card: Option<String>,
    /// The field of that card.
    pub field: Option<FieldRef>,
    /// How to correct it.
    pub hints: Vec<String>,
    /// Other locations that matter, each with what it is.
    pub related: Vec<(Span, String)>,
}

impl Diagnostic {
    /// A diagnostic of the given severity with nothing but a message.
    pub fn new(severity: Severity, message: impl Into<String>) -> Self {
        Self {
            severity,
            message: message.into(),
            span: None,
            card: None,
            field: None,
            hints: Vec::new(),
            related: Vec::new(),
        }
    }

    /// An error.
    pub fn error(message: impl Into<String>) -> Self {
        Self::new(Severity::Error, message)
    }

    /// An error in a box: what a function returns that fails with one problem, as a diagnostic is large.
    pub fn boxed(message: impl Into<String>) -> Box<Self> {
        Box::new(Self::error(message))
    }

    /// A warning.
    pub fn warning(message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, message)
    }

    /// A note.
    pub fn note(message: impl Into<String>) -> Self {
        Self::new(Severity::Note, message)
    }

    /// Says where.
    #[must_use]
    pub fn at(mut self, span: impl Into<Option<Span>>) -> Self {
        self.span = span.into();
        self
    }

    /// Says where, unless a narrower location is known already.
    #[must_use]
    pub fn or_at(mut self, span: impl Into<Option<Span>>) -> Self {
        self.span = self.span.or(span.into());
        self
    }

    /// Says in which card, such as `CTETRA 1207`.
    #[must_use]
    pub fn card(mut self, card: impl Into<String>) -> Self {
        self.card = Some(card.into());
        self
    }

    /// Says in which field of the card.
    #[must_use]
    pub fn field(mut self, number: u32, name: impl Into<String>) -> Self {
        self.field = Some(FieldRef { number, name: name.into() });
        self
    }

    /// Adds a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// Adds another location that matters.
    #[must_use]
    pub fn related(mut self, span: Span, what: impl Into<String>) -> Self {
        self.related.push((span, what.into()));
        self
    }

    /// Card, field and message in one line: `CTETRA 1207, field 5 (G2): expected an integer`.
    pub fn headline(&self) -> String {
        let mut line = String::new();
        if let Some(card) = &self.card {
            line.push_str(card);
        }
        if let Some(field) = &self.field {
            if !line.is_empty() {
                line.push_str(", ");
            }
            line.push_str(&format!("field {} ({})", field.number, field.name));
        }
        if !line.is_empty() {
            line.push_str(": ");
        }
        line.push_str(&self.message);
        line
    }
}

/// Diagnostics collected on the way, in the order they were found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnostics(Vec<Diagnostic>);

impl Diagnostics {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.0.push(diagnostic);
    }

    /// Forgets all but the first `count`.
    pub fn truncate(&mut self, count: usize) {
        self.0.truncate(count);
    }

    /// Adds those of another stage.
    pub fn extend(&mut self, more: impl IntoIterator<Item = Diagnostic>) {
        self.0.extend(more);
    }

    /// True when at least one is an error.
    pub fn has_errors(&self) -> bool {
        self.0.iter().any(|d| d.severity == Severity::Error)
    }

    /// How many there are of a severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.0.iter().filter(|d| d.severity == severity).count()
    }

    /// All of them.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.0.iter()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True when there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Puts them in file order (file, offset); those without a location come first, in the order found.
    pub fn sort_by_location(&mut self) {
        self.0.sort_by_key(|d| d.span.map(|s| (s.file, s.start)));
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl FromIterator<Diagnostic> for Diagnostics {
    fn from_iter<I: IntoIterator<Item = Diagnostic>>(iter: I) -> Self {
        Self(iter.into_iter().collect())
    }
}

/// What a stage made, with what it has to say about it.
#[derive(Clone, Debug, Default)]
pub struct Warned<T> {
    /// The output; complete only when `diagnostics` has no error.
    pub output: T,
    /// Everything that was found.
    pub diagnostics: Diagnostics,
}
