//! K2GG, M2GG, B2GG, P2G: names of DMIG matrices, with factors or as a SET of names.

use std::collections::HashMap;

use pliant_diag::{Diagnostic, Diagnostics, Origin};
use pliant_mesh::DirectSelection;

use super::statement::Statement;
use crate::parse_real;

/// SET n = name, name, …
#[derive(Debug, Default)]
pub(super) struct NameSets(HashMap<u32, String>);

impl NameSets {
    /// Takes `5 = K1, K2` in. Sets of anything else than names do no harm: nothing that asks for names finds
    /// them.
    pub(super) fn add(&mut self, value: &str) {
        if let Some((id, names)) = value.split_once('=')
            && let Ok(id) = id.trim().parse()
        {
            self.0.insert(id, names.to_owned());
        }
    }
}

/// Reads a selection. As in Nastran it counts above the subcases or in the first one (`first`).
pub(super) fn select(
    statement: &Statement,
    first: bool,
    sets: &NameSets,
    selection: &mut DirectSelection,
    diagnostics: &mut Diagnostics,
) {
    let report = |problem: Diagnostic| problem.at(statement.span).card(&*statement.name);
    if !first {
        let message = "has no effect in the second and later subcases: one run has one structure";
        diagnostics.push(report(Diagnostic::warning(message).hint("put it above the first subcase")));
        return;
    }
    let value = statement.value.as_str();
    let value = value.parse().ok().and_then(|id: u32| sets.0.get(&id)).map_or(value, String::as_str);
    match terms(value) {
        Ok(terms) => {
            let chosen = match statement.name.as_str() {
                "K2GG" => &mut selection.stiffness,
                "M2GG" => &mut selection.mass,
                "B2GG" => &mut selection.damping,
                _ => &mut selection.loads,
            };
            *chosen = terms;
            selection.source = Origin(selection.source.0.or(Some(statement.span)));
        }
        Err(problem) => diagnostics.push(report(*problem)),
    }
}

/// `KA`, `KA, KB`, `1.25*KA, 0.5*KB`.
fn terms(text: &str) -> Result<Vec<(f64, String)>, Box<Diagnostic>> {
    let joined = text.replace(" *", "*").replace("* ", "*");
    let words = joined.split([',', ' ', '\t']).filter(|word| !word.is_empty());
    let terms: Result<Vec<_>, Box<Diagnostic>> = words
        .map(|word| {
            let (factor, name) = word.rsplit_once('*').unwrap_or(("1.", word));
            let factor = parse_real(factor.as_bytes()).or_else(|| factor.parse().ok());
            let factor = factor.ok_or_else(|| {
                Diagnostic::boxed(format!("expected a real factor and a name, found `{word}`"))
            })?;
            let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic());
            if is_name {
                Ok((factor, name.to_ascii_uppercase()))
            } else {
                Err(Diagnostic::boxed(format!(
                    "`{name}` is not the name of a matrix: it must begin with a letter"
                )))
            }
        })
        .collect();
    terms.and_then(|terms| {
        if terms.is_empty() {
            Err(Diagnostic::boxed("expected the name of a DMIG matrix, found nothing"))
        } else {
            Ok(terms)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_and_without_factors() {
        let of = |text: &str| terms(text).unwrap();
        assert_eq!(of("kaa"), [(1.0, "KAA".to_owned())]);
        assert_eq!(of("K1, K2 K3").len(), 3);
        assert_eq!(of("1.25*K1, 1. * K2"), [(1.25, "K1".to_owned()), (1.0, "K2".to_owned())]);
        assert!(terms("(1.,2.)*K1").is_err() && terms("").is_err() && terms("5").is_err());
    }
}
