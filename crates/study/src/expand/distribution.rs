//! From a point between 0 and 1 to a value of a distribution.

use pliant_pipeline::study::DistributionTable;
use pliant_pipeline::{Value, ValueKind};
use pliant_sampling::{normal_quantile, triangular_quantile};

/// The value whose share of smaller ones is `u`, 0 < u < 1.
pub(super) fn value(table: &DistributionTable, u: f64) -> Value {
    let span = table.source.0;
    if let Some(choices) = &table.choice {
        let at = ((u * choices.len() as f64) as usize).min(choices.len() - 1);
        return choices[at].clone();
    }
    let x = if let Some([low, high]) = table.uniform {
        low + (high - low) * u
    } else if let Some([mean, deviation]) = table.normal {
        mean + deviation * normal_quantile(u)
    } else if let Some([median, deviation]) = table.lognormal {
        median * (deviation * normal_quantile(u)).exp()
    } else {
        triangular_quantile(table.triangular.expect("invariant: the table has one distribution"), u)
    };
    let kind = if table.whole { ValueKind::Integer(x.round() as i64) } else { ValueKind::Float(x) };
    Value { kind, span }
}
