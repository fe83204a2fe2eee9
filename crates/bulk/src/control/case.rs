//! Case control: titles, subcases and the sets they choose.

use pliant_diag::{Diagnostic, Diagnostics, Origin, SourceMap};
use pliant_mesh::{NamedSet, SetId, Subcase};

use super::statement::{Statement, statements};
use super::{Control, set};
use crate::scan::LinePlace;

/// Most members a SET is expanded to. A larger one is only ever an output request.
const MOST_MEMBERS: u64 = 1_000_000;

pub(super) fn parse(
    sources: &SourceMap,
    lines: &[LinePlace],
    control: &mut Control,
    diagnostics: &mut Diagnostics,
) {
    let statements = statements(sources, lines);
    let mut above = Subcase { id: 1, ..Subcase::default() };
    let mut subcases: Vec<Subcase> = Vec::new();
    for statement in &statements {
        if statement.is("OUTPUT") && !statement.describers.is_empty() {
            // Plot packages have a language of their own, up to BEGIN BULK.
            control.others.push((statement.name.clone(), statement.span));
            break;
        }
        if statement.is("SUBCASE") {
            if let Some(id) = number(statement, diagnostics) {
                subcases.push(Subcase { id, source: Origin(Some(statement.span)), ..above.clone() });
            }
            continue;
        }
        if matches!(statement.name.as_str(), "SUBCOM" | "SYM" | "SYMCOM" | "REPCASE" | "SUBSEQ") {
            let message = "combined subcases are not made; the subcases above stand alone";
            diagnostics.push(Diagnostic::warning(message).at(statement.span).card(&*statement.name));
        }
        let case = subcases.last_mut().unwrap_or(&mut above);
        if !choose(statement, case, diagnostics) {
            other(statement, control, diagnostics);
        }
    }
    if subcases.is_empty() && !lines.is_empty() {
        subcases.push(above);
    }
    control.case.subcases = subcases;
}

/// What a subcase chooses; false when the statement is something else.
fn choose(statement: &Statement, case: &mut Subcase, diagnostics: &mut Diagnostics) -> bool {
    let set = |diagnostics| number(statement, diagnostics).map(SetId);
    let chosen = match statement.name.as_str() {
        "SPC" => &mut case.spc,
        "MPC" => &mut case.mpc,
        "LOAD" => &mut case.load,
        "NSM" => &mut case.nsm,
        _ if statement.is("METHOD") && statement.describers != "FLUID" => &mut case.method,
        _ if statement.is("TEMPERATURE") && matches!(statement.describers.as_str(), "" | "LOAD" | "BOTH") => {
            &mut case.temperature
        }
        "STATSUB" if matches!(statement.describers.as_str(), "" | "BUCKLING" | "BUCKLE") => {
            case.static_subcase = number(statement, diagnostics).or(case.static_subcase);
            return true;
        }
        _ if statement.is("LABEL") => {
            case.label.clone_from(&statement.value);
            return true;
        }
        _ if statement.is("SUBTITLE") => {
            if case.label.is_empty() {
                case.label.clone_from(&statement.value);
            }
            return true;
        }
        _ => return false,
    };
    if let Some(id) = set(diagnostics) {
        *chosen = Some(id);
    }
    true
}

fn other(statement: &Statement, control: &mut Control, diagnostics: &mut Diagnostics) {
    if statement.is("TITLE") {
        control.case.title.clone_from(&statement.value);
        return;
    }
    if statement.name == "SET"
        && let Some((id, list)) = set::parse(&statement.value)
        && let Some(mut members) = list.expand(MOST_MEMBERS)
    {
        members.sort_unstable();
        members.dedup();
        control.sets.push(NamedSet { id: SetId(id), members, source: Origin(Some(statement.span)) });
        return;
    }
    if statement.name == "SOL" {
        diagnostics.push(
            Diagnostic::warning("SOL stands below CEND and is not read").at(statement.span).card("SOL"),
        );
    }
    control.others.push((statement.name.clone(), statement.span));
}

/// The number a statement must have.
fn number(statement: &Statement, diagnostics: &mut Diagnostics) -> Option<u32> {
    let number = statement.value.parse().ok();
    if number.is_none() {
        let found =
            if statement.value.is_empty() { "nothing".to_owned() } else { format!("`{}`", statement.value) };
        let problem = Diagnostic::error(format!("expected a number, found {found}"));
        diagnostics.push(problem.at(statement.span).card(&*statement.name));
    }
    number
}
