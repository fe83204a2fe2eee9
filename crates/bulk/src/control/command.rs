//! Case control commands that select nothing for the mesh: which of them matter, and which are not known at
//! all.

use pliant_diag::{Diagnostic, Diagnostics, Span, closest};

use super::statement::Statement;

/// Output requests, plots, bookkeeping of files and superelements: no answer depends on them.
const WITHOUT_EFFECT: &[&str] = &[
    "ACCELERATION",
    "ACFPMRESULT",
    "ACINTENSITY",
    "ACPOWER",
    "ACVELOCITY",
    "ADAMSMNF",
    "ANALYSIS",
    "AEROF",
    "APRESSURE",
    "AVLEXB",
    "BCRESULTS",
    "BGRESULTS",
    "BOLTRESULTS",
    "BOUTPUT",
    "CAMPBELL",
    "CMSENRGY",
    "CMSENERGY",
    "CONTOUR",
    "CRSTRN",
    "DATAREC",
    "DBSAVE",
    "DISPLACEMENT",
    "DSAPRT",
    "ECHO",
    "ECHOOFF",
    "ECHOON",
    "EDE",
    "EKE",
    "ELAR",
    "ELDATA",
    "ELFORCE",
    "ELSDCON",
    "ELSTRAIN",
    "ELSTRESS",
    "ELSUM",
    "ELTHERMAL",
    "ENTHALPY",
    "EQUILIBRIUM",
    "ERP",
    "ESE",
    "EXPORTLD",
    "EXTSEOUT",
    "FLUX",
    "FORCE",
    "GCRSTRN",
    "GELSTRN",
    "GKRIG",
    "GPFORCE",
    "GPKE",
    "GPRSORT",
    "GPSDCON",
    "GPSTRAIN",
    "GPSTRESS",
    "GPTHERMAL",
    "GROUNDCHECK",
    "GSTRAIN",
    "GSTRESS",
    "GTHSTRN",
    "GVECTOR",
    "HARMONICS",
    "HDOT",
    "HOUTPUT",
    "INTENSITY",
    "LABEL",
    "LINE",
    "MAXLINES",
    "MAXMIN",
    "MBDEXPORT",
    "MCFRACTION",
    "MEFFMASS",
    "MODALKE",
    "MODALSE",
    "MODCON",
    "MODEL",
    "MODESELECT",
    "MONITOR",
    "MPCFORCES",
    "MPFACTOR",
    "NLSTRESS",
    "NOUTPUT",
    "NSTRAIN",
    "NSTRESS",
    "OFREQUENCY",
    "OLOAD",
    "OMODES",
    "OSTNINI",
    "OTIME",
    "OTMFORC",
    "OUTPUT",
    "OUTRCV",
    "PACCELERATION",
    "PAGE",
    "PARAM",
    "PEAKOUT",
    "PFGRID",
    "PFMODE",
    "PFPANEL",
    "PLOTID",
    "POST",
    "PRESSURE",
    "RCROSS",
    "RESVEC",
    "RIGID",
    "SACCELERATION",
    "SDISPLACEMENT",
    "SEALL",
    "SEDR",
    "SEDV",
    "SEEFMR",
    "SEFINAL",
    "SEKREDUCE",
    "SELGENERATE",
    "SELREDUCE",
    "SEMGENERATE",
    "SEMREDUCE",
    "SERESP",
    "SET",
    "SHELLTHK",
    "SKIPOFF",
    "SKIPON",
    "SPCFORCES",
    "STATVAR",
    "STRAIN",
    "STRESS",
    "STRFIELD",
    "SUBTITLE",
    "SUPER",
    "SURFACE",
    "SVECTOR",
    "SVELOCITY",
    "TDISPLACEMENT",
    "THERMAL",
    "TITLE",
    "VECTOR",
    "VELOCITY",
    "VOLUME",
    "VUGRID",
    "WEIGHTCHECK",
    "XYPEAK",
    "XYPLOT",
    "XYPRINT",
    "XYPUNCH",
];

/// Commands of solutions that are not among statics, modes and buckling.
const OTHER_SOLUTIONS: &[&str] = &[
    "ACTRIM",
    "AECONFIG",
    "AERCONFIG",
    "AESYMXY",
    "AESYMXZ",
    "AEUXREF",
    "AUXCASE",
    "AUXMODEL",
    "BC",
    "CMETHOD",
    "COSMSEL",
    "CSSCHD",
    "DESGLB",
    "DESMOD",
    "DESOBJ",
    "DESSUB",
    "DESVAR",
    "DIVERG",
    "DLOAD",
    "DRSPAN",
    "DSYM",
    "DYRELAX",
    "ELTIMTS",
    "FLSFSEL",
    "FLSPOUT",
    "FLSTCNT",
    "FMETHOD",
    "FREQUENCY",
    "FRF",
    "GUST",
    "HADAPT",
    "IC",
    "LOADSET",
    "MODTRAK",
    "MODES",
    "NLBUFF",
    "NLHARM",
    "NLIC",
    "NLOPRM",
    "NLPARM",
    "NLRESTART",
    "NLSTEP",
    "NONLINEAR",
    "NSTEP",
    "RANDOM",
    "RGYRO",
    "ROTORSE",
    "RSMETHOD",
    "SDAMPING",
    "SMETHOD",
    "STOCHASTICS",
    "TERMIN",
    "TRIM",
    "TSTEP",
    "TSTEPNL",
    "TSTRU",
    "UNBALANCE",
    "WETSENS",
];

/// Commands that would change the structure or its answer, and what is missing without them.
const MISSING: &[(&str, &str)] = &[
    ("A2GG", "the coupling of a fluid to the structure is missing"),
    ("MFLUID", "the mass of the fluid is missing"),
    ("SEEXCLUDE", "the superelements that it leaves out would be part of the link"),
    ("DEACTEL", "the elements that it leaves out would be part of the link"),
    (
        "STEP",
        "the steps of a subcase are not separated: the commands of the last one would apply to all of it",
    ),
    (
        "SUBSTEP",
        "the steps of a subcase are not separated: the commands of the last one would apply to all of it",
    ),
];

/// Matrices that Nastran adds to the p-set of dynamic solutions only.
const DYNAMIC_MATRICES: &[&str] = &["K2PP", "M2PP", "B2PP", "TFL", "K42GG"];

/// What is to be reported about the commands that `case` has no use for.
#[derive(Debug, Default)]
pub(super) struct Leftovers {
    /// Names of other solutions' commands, each once, and where the first stands.
    elsewhere: Vec<String>,
    first: Option<Span>,
}

impl Leftovers {
    /// Looks at a command. `solution` is the deck's SOL.
    pub(super) fn look_at(
        &mut self,
        statement: &Statement,
        solution: Option<u32>,
        diagnostics: &mut Diagnostics,
    ) {
        let is_one_of = |names: &[&str]| names.iter().any(|name| statement.is(name));
        let problem = |problem: Diagnostic| problem.at(statement.span).card(&*statement.name);
        if let Some((name, missing)) = MISSING.iter().find(|(name, _)| statement.is(name)) {
            diagnostics.push(problem(
                Diagnostic::error(format!("{name} is not supported: {missing}"))
                    .hint("remove it from the case control if that is intended"),
            ));
        } else if statement.is("ANALYSIS") && statement.value.to_ascii_uppercase().starts_with('H') {
            let message = format!("ANALYSIS = {} is heat transfer, which is not available", statement.value);
            diagnostics.push(problem(Diagnostic::warning(message)));
        } else if is_one_of(DYNAMIC_MATRICES) {
            diagnostics.push(problem(about_dynamic_matrix(&statement.name, solution)));
        } else if is_one_of(WITHOUT_EFFECT) {
        } else if is_one_of(OTHER_SOLUTIONS) {
            self.first = self.first.or(Some(statement.span));
            if !self.elsewhere.contains(&statement.name) {
                self.elsewhere.push(statement.name.clone());
            }
        } else {
            let known = WITHOUT_EFFECT.iter().chain(OTHER_SOLUTIONS).chain(super::case::USED).copied();
            let mut unknown = Diagnostic::warning("unknown case control command; it has no effect");
            if let Some(meant) = closest(&statement.name, known) {
                unknown = unknown.hint(format!("did you mean `{meant}`?"));
            }
            diagnostics.push(problem(unknown));
        }
    }

    /// One note about all commands of other solutions.
    pub(super) fn finish(self, diagnostics: &mut Diagnostics) {
        if self.elsewhere.is_empty() {
            return;
        }
        let (names, have) =
            (self.elsewhere.join(", "), if self.elsewhere.len() == 1 { "has" } else { "have" });
        let message = format!(
            "{names} {have} no effect: statics, modes, buckling and links do not depend on what it selects"
        );
        let message =
            if self.elsewhere.len() == 1 { message } else { message.replace("it selects", "they select") };
        diagnostics.push(Diagnostic::note(message).at(self.first));
    }
}

/// In SOL 101, 103 and 105 Nastran does not use these matrices either; elsewhere the answer would lack them.
fn about_dynamic_matrix(name: &str, solution: Option<u32>) -> Diagnostic {
    let counterpart = match name.as_bytes()[0] {
        b'M' => "M2GG",
        b'B' => "B2GG",
        _ => "K2GG",
    };
    let message = format!("{name} acts in frequency, transient and complex solutions only");
    let hint = format!("{counterpart} selects a matrix that belongs to the structure");
    if matches!(solution, Some(101 | 103 | 105)) {
        Diagnostic::warning(format!("{message}; it has no effect here, as in Nastran")).hint(hint)
    } else {
        Diagnostic::error(format!("{message}, which are not available: its matrix would be missing"))
            .hint(hint)
    }
}
