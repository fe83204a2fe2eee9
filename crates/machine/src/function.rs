//! Functions of time.

use std::sync::Arc;

use pliant_mechanism::{Constant, Expression, Spline, TableFunction, TimeFunction};
use pliant_pipeline::function::FunctionSpec;
use pliant_pipeline::schema::Located;

use crate::csv;
use crate::problems::Problems;

/// A constant, a table or an expression.
pub(crate) fn function(
    spec: &Located<FunctionSpec>,
    problems: &mut Problems<'_>,
) -> Option<Arc<dyn TimeFunction>> {
    let span = spec.span();
    match &spec.value {
        FunctionSpec::Constant(value) => Some(Arc::new(Constant(*value))),
        FunctionSpec::Table(path) => {
            let path = problems.resolve(path);
            let spline = csv::columns(&path, 2).and_then(|(times, values)| {
                Spline::new(times, values).map_err(|error| format!("{}: {error}", path.display()))
            });
            match spline {
                Ok(spline) => Some(Arc::new(TableFunction { spline })),
                Err(message) => problems.error(span, message),
            }
        }
        FunctionSpec::Expression(text) => match Expression::parse(text) {
            Ok(expression) => Some(Arc::new(expression)),
            Err(error) => problems.error_with_hint(
                span,
                format!("`{text}`: {error}"),
                "an expression in t (s), or the path of a file that ends in .csv",
            ),
        },
    }
}
