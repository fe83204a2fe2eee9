//! Case control: titles, subcases and the sets they choose.

use pliant_diag::{Diagnostic, Diagnostics, Origin, SourceMap};
use pliant_mesh::{NamedSet, SetId, Subcase, SubcaseCombination, UnavailableSelection};

use super::command::Leftovers;
use super::direct::{self, NameSets};
use super::statement::{Statement, statements};
use super::{Control, set};
use crate::scan::SourceLine;

/// Most members a SET is expanded to. A larger one is only ever an output request.
const MOST_MEMBERS: u64 = 1_000_000;

/// Commands that are used, for suggestions.
pub(super) const USED: &[&str] = &[
    "AUTOSPC",
    "B2GG",
    "BCONTACT",
    "BCSET",
    "BGSET",
    "BOLTLD",
    "CLOAD",
    "DEFORM",
    "K2GG",
    "LABEL",
    "LOAD",
    "M2GG",
    "METHOD",
    "MPC",
    "NSM",
    "P2G",
    "REPCASE",
    "SPC",
    "STATSUB",
    "SUBCASE",
    "SUBCOM",
    "SUBSEQ",
    "SYM",
    "SYMCOM",
    "SYMSEQ",
    "TEMPERATURE",
];

/// What the commands of a line are for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    /// Above the first subcase: every subcase inherits them.
    Above,
    Subcase,
    /// SUBCOM or SYMCOM: sums answers, and selects nothing itself.
    Combination,
    /// REPCASE: output of the subcase before it once more.
    Repetition,
}

/// State while statements are read.
struct Case<'c> {
    control: &'c mut Control,
    diagnostics: &'c mut Diagnostics,
    above: Subcase,
    subcases: Vec<Subcase>,
    /// True for SYM.
    is_symmetric: Vec<bool>,
    target: Target,
    /// Steps of the subcase.
    steps: usize,
    names: NameSets,
    leftovers: Leftovers,
}

pub(super) fn parse(
    sources: &SourceMap,
    lines: &[SourceLine],
    control: &mut Control,
    diagnostics: &mut Diagnostics,
) {
    let mut case = Case {
        control,
        diagnostics,
        above: Subcase { id: 1, ..Subcase::default() },
        subcases: Vec::new(),
        is_symmetric: Vec::new(),
        target: Target::Above,
        steps: 0,
        names: NameSets::default(),
        leftovers: Leftovers::default(),
    };
    let mut skipping = false;
    for statement in &statements(sources, lines) {
        if statement.is("SKIPON") || statement.is("SKIPOFF") {
            skipping = statement.is("SKIPON");
            continue;
        }
        if skipping {
            continue;
        }
        if statement.is("OUTPUT") && !statement.describers.is_empty() {
            // Plot packages have a language of their own, up to BEGIN BULK.
            break;
        }
        case.read(statement);
    }
    case.finish(!lines.is_empty());
}

impl Case<'_> {
    fn read(&mut self, statement: &Statement) {
        match statement.name.as_str() {
            "SUBCOM" | "SYMCOM" => self.begin_combination(statement),
            "SUBSEQ" | "SYMSEQ" => self.sequence(statement),
            "REPCASE" => {
                self.target = Target::Repetition;
                let message = "repeats output of the subcase before it; nothing is computed for it";
                self.diagnostics.push(Diagnostic::note(message).at(statement.span).card("REPCASE"));
            }
            "SYM" => self.begin_subcase(statement, true),
            "STEP" if self.steps == 0 => self.steps = 1,
            _ if statement.is("SUBCASE") => self.begin_subcase(statement, false),
            _ => self.command(statement),
        }
    }

    fn begin_subcase(&mut self, statement: &Statement, symmetric: bool) {
        self.target = Target::Subcase;
        self.steps = 0;
        if let Some(id) = number(statement, self.diagnostics) {
            let source = Origin(Some(statement.span));
            self.subcases.push(Subcase { id, source, ..self.above.clone() });
            self.is_symmetric.push(symmetric);
        }
    }

    fn begin_combination(&mut self, statement: &Statement) {
        self.target = Target::Combination;
        let Some(id) = number(statement, self.diagnostics) else { return };
        // SYMSEQ may be left out: every factor is then 1.
        let symmetric = statement.name == "SYMCOM";
        let terms = if symmetric { self.before(true).map(|id| (id, 1.0)).collect() } else { Vec::new() };
        let (label, source) = (self.above.label.clone(), Origin(Some(statement.span)));
        self.control.case.combinations.push(SubcaseCombination { id, label, terms, source });
    }

    /// Numbers of the subcases so far, in order; of those of symmetry only, when asked for.
    fn before(&self, symmetric: bool) -> impl Iterator<Item = u32> {
        let pairs = self.subcases.iter().zip(&self.is_symmetric);
        pairs.filter(move |(_, is_symmetric)| !symmetric || **is_symmetric).map(|(subcase, _)| subcase.id)
    }

    /// SUBSEQ, SYMSEQ: the last factor belongs to the subcase directly before, and so on backwards.
    fn sequence(&mut self, statement: &Statement) {
        let problem = |message: String| Diagnostic::error(message).at(statement.span).card(&*statement.name);
        if self.target != Target::Combination || self.control.case.combinations.is_empty() {
            self.diagnostics.push(problem("is outside of a SUBCOM or SYMCOM".to_owned()));
            return;
        }
        let words = statement.value.split([',', ' ', '\t']).filter(|word| !word.is_empty());
        let factors: Option<Vec<f64>> =
            words.map(|word| crate::parse_real(word.as_bytes()).or_else(|| word.parse().ok())).collect();
        let before: Vec<u32> = self.before(statement.name == "SYMSEQ").collect();
        let terms = match factors {
            None => Err(format!("expected factors, found `{}`", statement.value)),
            Some(factors) if factors.len() > before.len() => {
                Err(format!("has {} factors for {} subcases", factors.len(), before.len()))
            }
            Some(factors) => {
                let last = before[before.len() - factors.len()..].iter().copied();
                Ok(last.zip(factors).filter(|(_, factor)| *factor != 0.0).collect())
            }
        };
        match (terms, self.control.case.combinations.last_mut()) {
            (Ok(terms), Some(combination)) => combination.terms = terms,
            (Err(message), _) => {
                self.diagnostics.push(problem(message));
                self.control.case.combinations.pop();
            }
            (Ok(_), None) => {}
        }
    }

    fn command(&mut self, statement: &Statement) {
        let case = match self.target {
            Target::Above => &mut self.above,
            Target::Subcase => self.subcases.last_mut().unwrap_or(&mut self.above),
            Target::Combination | Target::Repetition => return self.without_subcase(statement),
        };
        let is_temperature = statement.is("TEMPERATURE");
        if is_temperature && ["", "BOTH", "MATE", "INIT"].iter().any(|d| is_describer(statement, d)) {
            self.control.material_temperature.get_or_insert(statement.span);
        }
        if choose(statement, case, self.diagnostics) || self.global(statement) {
            return;
        }
        self.leftovers.look_at(statement, self.control.case.solution, self.diagnostics);
    }

    /// A command of SUBCOM, SYMCOM or REPCASE: only its title and what is output count.
    fn without_subcase(&mut self, statement: &Statement) {
        let mut probe = Subcase::default();
        let chosen = choose(statement, &mut probe, &mut Diagnostics::new());
        let is_title = statement.is("LABEL") || statement.is("SUBTITLE");
        let is_combination = self.target == Target::Combination;
        if is_title {
            if let Some(combination) = self.control.case.combinations.last_mut().filter(|_| is_combination) {
                combination.label = probe.label;
            }
        } else if chosen && !(statement.is("TEMPERATURE") || statement.is("DEFORM")) {
            let what = if is_combination {
                "in a combination, whose loads are those of its subcases"
            } else {
                "here"
            };
            let message = format!("has no effect {what}");
            self.diagnostics.push(Diagnostic::warning(message).at(statement.span).card(&*statement.name));
        } else if !chosen && !self.global(statement) {
            self.leftovers.look_at(statement, self.control.case.solution, self.diagnostics);
        }
    }

    /// Commands that count for the deck and not for one subcase.
    fn global(&mut self, statement: &Statement) -> bool {
        let value = statement.value.as_str();
        match statement.name.as_str() {
            _ if statement.is("TITLE") => self.control.case.title = value.to_owned(),
            "SET" => self.set(statement),
            "K2GG" | "M2GG" | "B2GG" | "P2G" => {
                let first = self.subcases.len() <= 1;
                let selection = &mut self.control.case.direct;
                direct::select(statement, first, &self.names, selection, self.diagnostics);
            }
            "BCSET" | "BGSET" | "BCONTACT" => {
                if !value.eq_ignore_ascii_case("NONE") {
                    self.control.contacts.push((statement.name.clone(), statement.span));
                }
            }
            "SUPORT1" => self.control.supports.extend(number(statement, self.diagnostics)),
            _ if statement.is("AUTOSPC") => {
                self.control.autospc = Some((value.to_ascii_uppercase(), statement.span))
            }
            _ if statement.is("TEMPERATURE") && is_describer(statement, "MATE") => {}
            _ if statement.is("TEMPERATURE") => {
                let message = format!("TEMPERATURE({}) is not supported", statement.describers);
                self.diagnostics.push(Diagnostic::error(message).at(statement.span));
            }
            "SOL" => {
                let problem = Diagnostic::warning("SOL is below CEND and is not read");
                self.diagnostics.push(problem.at(statement.span).card("SOL"));
            }
            _ => return false,
        }
        true
    }

    fn set(&mut self, statement: &Statement) {
        if let Some((id, list)) = set::parse(&statement.value) {
            if let Some(mut members) = list.expand(MOST_MEMBERS) {
                members.sort_unstable();
                members.dedup();
                let source = Origin(Some(statement.span));
                self.control.sets.push(NamedSet { id: SetId(id), members, source });
            }
        } else {
            self.names.add(&statement.value);
        }
    }

    fn finish(mut self, has_lines: bool) {
        let empty = self.control.case.combinations.iter().filter(|c| c.terms.is_empty());
        for combination in empty {
            let message = format!("combination {} has no SUBSEQ and is not computed", combination.id);
            self.diagnostics.push(Diagnostic::warning(message).at(combination.source.0).card("SUBCOM"));
        }
        self.control.case.combinations.retain(|c| !c.terms.is_empty());
        if self.subcases.is_empty() && has_lines {
            self.subcases.push(self.above);
        }
        if self.control.case.solution == Some(101)
            && let Some(subcase) = self.subcases.iter().find(|s| s.static_subcase.is_some())
        {
            let message = "the stress of a static subcase (STATSUB) has no effect in SOL 101";
            self.diagnostics.push(Diagnostic::warning(message).at(subcase.source.0));
        }
        self.leftovers.finish(self.diagnostics);
        self.control.case.subcases = self.subcases;
    }
}

/// What a subcase chooses; false when the statement is something else.
fn choose(statement: &Statement, case: &mut Subcase, diagnostics: &mut Diagnostics) -> bool {
    let set = |diagnostics| number(statement, diagnostics).map(SetId);
    let describers = statement.describers.as_str();
    let chosen = match statement.name.as_str() {
        "SPC" => &mut case.spc,
        "MPC" => &mut case.mpc,
        "LOAD" => &mut case.load,
        "NSM" => &mut case.nsm,
        _ if statement.is("METHOD") && describers != "FLUID" => &mut case.method,
        _ if statement.is("TEMPERATURE") && matches!(describers, "" | "LOAD" | "BOTH") => {
            &mut case.temperature
        }
        "CLOAD" => return unavailable(statement, "CLOAD", case, diagnostics),
        "BOLTLD" => return unavailable(statement, "BOLTLD", case, diagnostics),
        _ if statement.is("DEFORM") => return unavailable(statement, "DEFORM", case, diagnostics),
        _ if statement.is("TEMPERATURE") && describers.starts_with("INIT") => {
            return unavailable(statement, "TEMPERATURE(INITIAL)", case, diagnostics);
        }
        "STATSUB" if matches!(describers, "" | "BUCKLING" | "BUCKLE" | "PRELOAD") => {
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

/// True when the describers are those of a word or begin with its abbreviation; without a word, when there
/// are none.
fn is_describer(statement: &Statement, word: &str) -> bool {
    if word.is_empty() { statement.describers.is_empty() } else { statement.describers.starts_with(word) }
}

/// A load of a kind that is not available; it is refused when the subcase is solved.
fn unavailable(
    statement: &Statement,
    command: &str,
    case: &mut Subcase,
    diagnostics: &mut Diagnostics,
) -> bool {
    if let Some(set) = number(statement, diagnostics) {
        let source = Origin(Some(statement.span));
        case.unavailable.retain(|other| other.command != command);
        case.unavailable.push(UnavailableSelection { command: command.to_owned(), set: SetId(set), source });
    }
    true
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
