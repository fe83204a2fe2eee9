//! Functions of time.

use std::sync::Arc;

use pliant_mechanism::{Constant, Expression, TimeFunction};
use pliant_pipeline::function::FunctionSpec;
use pliant_pipeline::schema::{Located, closest};

use crate::curve::curve_of_time;
use crate::problems::Problems;

/// A constant, a table or an expression.
pub(crate) fn function(
    spec: &Located<FunctionSpec>,
    problems: &mut Problems<'_>,
) -> Option<Arc<dyn TimeFunction>> {
    let span = spec.span();
    match &spec.value {
        FunctionSpec::Constant(value) => Some(Arc::new(Constant(*value))),
        FunctionSpec::Table(table) => {
            curve_of_time(table, 1.0, problems).map(|table| Arc::new(table) as Arc<dyn TimeFunction>)
        }
        FunctionSpec::Expression(text) => match Expression::parse(text) {
            Ok(expression) => Some(Arc::new(expression)),
            Err(error) => problems.error_with_hint(
                span,
                format!("expression \"{}\": {error}", beginning(text)),
                hint(text),
            ),
        },
    }
}

/// The beginning of a text for a message.
fn beginning(text: &str) -> String {
    const MOST: usize = 120;
    if text.len() <= MOST {
        text.to_owned()
    } else {
        format!("{}…", &text[..text.floor_char_boundary(MOST)])
    }
}

/// The function that was probably meant, or what may stand here at all.
fn hint(text: &str) -> String {
    let known = Expression::functions();
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    let mut slips = words.filter(|word| word.len() > 1 && *word != "pi" && !known.contains(word));
    match slips.find_map(|word| closest(word, known.iter().copied())) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!(
            "an expression has the variable t (s), `pi` and the functions {}; the path of a table ends in .csv",
            known.join(", ")
        ),
    }
}
