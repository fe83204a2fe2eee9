//! Executive control: SOL counts; the rest tells Nastran where its files are.

use pliant_diag::{Diagnostic, Diagnostics, SourceMap};

use super::Control;
use super::statement::{Statement, statements};
use crate::begin::begins_with_word;
use crate::scan::SourceLine;

/// Words that begin a statement of file management or executive control.
const WORDS: [&str; 23] = [
    "SOL",
    "ID",
    "APP",
    "TIME",
    "DIAG",
    "NASTRAN",
    "ASSIGN",
    "INIT",
    "ALTER",
    "COMPILE",
    "ENDALTER",
    "ECHOON",
    "ECHOOFF",
    "GEOMCHECK",
    "RESTART",
    "ACQUIRE",
    "CONNECT",
    "DBLOCATE",
    "EXPAND",
    "MALTER",
    "MODEL_CHECK",
    "LINK",
    "UMF",
];

/// Solution sequences by name, with the structured solution they are.
const SOLUTIONS: [(&str, u32); 26] = [
    ("SESTATIC", 101),
    ("SESTATICS", 101),
    ("STATIC", 101),
    ("STATICS", 101),
    ("LINSTATIC", 101),
    ("SEMODES", 103),
    ("MODES", 103),
    ("MODAL", 103),
    ("SEBUCKL", 105),
    ("BUCKLING", 105),
    ("SENLSTAT", 106),
    ("NLSTATIC", 106),
    ("SEDCEIG", 107),
    ("SEDFREQ", 108),
    ("SEDTRAN", 109),
    ("SEMCEIG", 110),
    ("SEMFREQ", 111),
    ("SEMTRAN", 112),
    ("NLTRAN", 129),
    ("SEAERO", 144),
    ("AESTAT", 144),
    ("SEFLUTTR", 145),
    ("SEAEFR", 146),
    ("DESOPT", 200),
    ("NONLIN", 400),
    ("NLSTEP", 402),
];

/// Solutions numbered as the rigid formats were, and as MYSTRAN still does.
const RIGID_FORMATS: [(u32, u32); 3] = [(1, 101), (3, 103), (5, 105)];

/// Solutions in which stiffness depends on displacement.
const NONLINEAR: [u32; 7] = [106, 129, 400, 401, 402, 600, 700];

/// True for a line of executive control.
pub(super) fn is_statement(text: &[u8]) -> bool {
    WORDS.iter().any(|word| begins_with_word(text, word.as_bytes()))
}

pub(super) fn parse(
    sources: &SourceMap,
    lines: &[SourceLine],
    control: &mut Control,
    diagnostics: &mut Diagnostics,
) {
    let mut altered = false;
    for statement in statements(sources, lines) {
        match statement.name.as_str() {
            "SOL" => {
                control.case.solution = solution(&statement, diagnostics);
                if control.case.solution.is_some_and(|number| NONLINEAR.contains(&number)) {
                    let message =
                        "this is a nonlinear solution; the link, its modes and its statics are linear";
                    diagnostics.push(Diagnostic::warning(message).at(statement.span).card("SOL"));
                }
            }
            "ALTER" | "COMPILE" | "MALTER" if !altered => {
                altered = true;
                let message = "changes of the solution sequence (DMAP) are not read and have no effect";
                diagnostics.push(Diagnostic::warning(message).at(statement.span).card(&*statement.name));
            }
            _ => {}
        }
    }
}

/// `103`, `SEMODES`, `1,0`.
fn solution(statement: &Statement, diagnostics: &mut Diagnostics) -> Option<u32> {
    let word = statement.value.split([' ', ',']).next().unwrap_or_default().to_ascii_uppercase();
    if let Ok(number) = word.parse::<u32>() {
        let modern = RIGID_FORMATS.iter().find(|(old, _)| *old == number);
        return Some(modern.map_or(number, |(_, new)| *new));
    }
    let known = SOLUTIONS.iter().find(|(name, _)| *name == word).map(|(_, number)| *number);
    if known.is_none() {
        let message = format!("the solution `{}` is not known", statement.value);
        diagnostics.push(Diagnostic::warning(message).at(statement.span).card("SOL"));
    }
    known
}
