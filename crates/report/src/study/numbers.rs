//! Headline numbers and tables of a study.

use std::collections::BTreeMap;

use super::{ColumnValues, Role, Study};
use crate::page::{Tone, card, escape, table};
use crate::quantity::{count, significant};

/// Elements that `assets/study.js` fills.
pub(super) const EXPLORE: &str = "<div class=\"choices\" id=\"choices\"></div>\n<figure class=\"plot\" id=\"plot-explore\"></figure>\n\
<h3 class=\"above\">Which parameter matters for the metric above</h3>\n<div id=\"sensitivity\"></div>\n\
<p class=\"muted\">Each parameter against the metric. Rank correlation: 1 rises always, −1 falls always, 0 neither.</p>\n\
<div class=\"plots\" id=\"influences\"></div>\n";

/// Elements that `assets/relations.js` fills.
pub(super) const PARETO: &str = "<div class=\"choices\" id=\"pareto-choices\"></div>\n<figure class=\"plot\" id=\"plot-pareto\"></figure>\n";
pub(super) const MANY: &str = "<h3 class=\"above\">Scatter matrix</h3>\n<div id=\"matrix\"></div>\n\
<h3 class=\"above\">Parallel coordinates</h3>\n<p class=\"muted\">Coloured by the metric above. Drag along an axis to keep the cases between two values.</p>\n<div id=\"parallel\"></div>\n";
pub(super) const HEAT: &str = "<h3 class=\"above\">Two parameters</h3>\n<div class=\"choices\" id=\"heat-choices\"></div>\n<figure class=\"plot\" id=\"plot-heat\"></figure>\n";

/// Case numbers listed for a reason at most.
const LISTED: usize = 40;

/// Cards, and the range of each metric.
pub(super) fn summary(study: &Study) -> String {
    let number = |value: usize| (count(value as u64), String::new());
    let (all, failed) = (study.cases.len(), study.failures.len());
    let mut cards = card("Cases", number(all + study.missing), "in the study", Tone::Plain);
    cards.push_str(&card("Done", number(all - failed.min(all)), "with all metrics", Tone::Good));
    let tone = if failed > 0 { Tone::Bad } else { Tone::Good };
    cards.push_str(&card("Failed", number(failed), if failed > 0 { "listed below" } else { "none" }, tone));
    for column in study.columns.iter().filter(|column| column.role == Role::Constraint) {
        let ColumnValues::Numbers(values) = &column.values else { continue };
        let passed = values.iter().filter(|value| **value == 1.0).count();
        let judged = values.iter().filter(|value| value.is_finite()).count();
        let tone = if passed == 0 { Tone::Bad } else { Tone::Good };
        let note = format!("of {} cases pass", count(judged as u64));
        cards.push_str(&card(&format!("Constraint {}", column.name), number(passed), &note, tone));
    }
    if study.missing > 0 {
        cards.push_str(&card("Missing", number(study.missing), "not run yet", Tone::Warn));
    }
    format!("<div class=\"cards\">\n{cards}</div>\n{}", metrics(study))
}

fn metrics(study: &Study) -> String {
    let mut rows = Vec::new();
    for column in study.columns.iter().filter(|column| column.role == Role::Metric) {
        let ColumnValues::Numbers(values) = &column.values else { continue };
        let mut order: Vec<usize> = (0..values.len()).filter(|k| values[*k].is_finite()).collect();
        order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
        let scale = column.scale();
        let text =
            |k: usize| format!("{} {}", significant(values[k] * scale.factor, 4), escape(&scale.units));
        let (Some(least), Some(greatest)) = (order.first(), order.last()) else {
            rows.push(vec![
                escape(&column.name),
                "–".into(),
                "–".into(),
                "–".into(),
                "–".into(),
                "–".into(),
                "0".into(),
            ]);
            continue;
        };
        let case = |k: usize| study.cases.get(k).map_or("–".to_owned(), ToString::to_string);
        rows.push(vec![
            escape(&column.name),
            text(*least),
            case(*least),
            text(order[order.len() / 2]),
            text(*greatest),
            case(*greatest),
            count(order.len() as u64),
        ]);
    }
    if rows.is_empty() {
        return String::new();
    }
    table("Metrics", &["metric", "least", "case", "median", "greatest", "case", "values"], &rows)
}

/// Reasons, the most frequent first, with the cases that have them.
pub(super) fn failures(study: &Study) -> String {
    let mut by_reason: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for (index, reason) in &study.failures {
        by_reason.entry(reason).or_default().extend(study.cases.get(*index));
    }
    let mut reasons: Vec<(&str, Vec<u32>)> = by_reason.into_iter().collect();
    reasons.sort_by_key(|(_, cases)| std::cmp::Reverse(cases.len()));
    let item = |(reason, cases): &(&str, Vec<u32>)| {
        let listed: Vec<String> = cases.iter().take(LISTED).map(ToString::to_string).collect();
        let more =
            if cases.len() > LISTED { format!(" and {} more", cases.len() - LISTED) } else { String::new() };
        let what = if cases.len() == 1 { "case" } else { "cases" };
        format!(
            "<li class=\"bad\"><strong>{} {what}:</strong> {}<br><span class=\"muted\">{}{more}</span></li>\n",
            count(cases.len() as u64),
            escape(reason),
            listed.join(", ")
        )
    };
    format!("<ul class=\"messages\">\n{}</ul>\n", reasons.iter().map(item).collect::<String>())
}
