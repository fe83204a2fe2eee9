//! The complete file.

use std::path::{Path, PathBuf};

use pliant_diag::{Diagnostic, Diagnostics, SourceMap, Warned};

use crate::analysis::AnalysisTable;
use crate::constraint::{ConstraintTable, CouplingTable};
use crate::damping::MachineDampingTable;
use crate::durability::DurabilityTable;
use crate::force::ForceTable;
use crate::joint::JointTable;
use crate::link::LinkTable;
use crate::load::LoadTable;
use crate::output::OutputTable;
use crate::path::PathTable;
use crate::payload::PayloadTable;
use crate::response::ResponseTable;
use crate::schema::{Context, FromValue, Named};
use crate::study::StudyTable;
use crate::{Document, PIPELINE_FORMAT, ValueKind, table};

table! {
    /// The top of a pipeline file.
    ///
    /// ```toml
    /// format  = 1
    /// title   = "One link on a motor"
    /// gravity = [0, 0, -9.81]
    ///
    /// [links.arm]
    /// beam = { length = 0.5, section = { rod = 0.02 }, material = "steel" }
    ///
    /// [joints.motor]
    /// parent = "ground"
    /// child  = "arm"
    /// type   = "revolute"
    /// axis   = "y"
    /// drive  = { motion = { profile = "cycloidal", to_deg = 30, time = 0.5 } }
    ///
    /// [analysis]
    /// end  = 1.0
    /// step = 1e-3
    /// ```
    pub struct PipelineTable {
        /// Version of the pipeline file's format; 1 when left out. `pliant migrate` brings a file to the
        /// present version.
        format: u32 = PIPELINE_FORMAT, "1";
        /// A title for reports.
        title: String = String::new(), "\"\"";
        /// Gravity in world axes (m/s²).
        gravity: [f64; 3] = [0.0; 3], "[0, 0, 0]";
        /// The links by name.
        links: Named<LinkTable>;
        /// The joints by name.
        joints: Named<JointTable>;
        /// A path of the tip, followed by the joints whose motion has `profile = "path"`.
        path: Option<PathTable>;
        /// The payload, when there is one.
        payload: Option<PayloadTable>;
        /// Further payloads by name.
        payloads: Named<PayloadTable>;
        /// Loads by name.
        loads: Named<LoadTable>;
        /// Distances and guides by name.
        constraints: Named<ConstraintTable>;
        /// Gears and other relations among joint coordinates, by name.
        couplings: Named<CouplingTable>;
        /// Force elements by name.
        forces: Named<ForceTable>;
        /// Damping of the assembled machine, instead of `damping` of its links.
        damping: Option<MachineDampingTable>;
        /// What is computed.
        analysis: Option<AnalysisTable>;
        /// What is kept.
        output: Option<OutputTable>;
        /// Damage and life of elements.
        durability: Option<DurabilityTable>;
        /// The machine in the frequency domain: what `pliant response` computes.
        response: Option<ResponseTable>;
        /// Many cases of this machine.
        study: Option<StudyTable>;
    }
}

/// A pipeline file as read, with what is needed to show its problems.
#[derive(Debug)]
pub struct PipelineFile {
    /// Where it is.
    pub path: PathBuf,
    /// The tree, for studies that change values.
    pub document: Document,
    /// The typed tables; `None` when something could not be read.
    pub table: Option<PipelineTable>,
    /// The text, for diagnostics.
    pub sources: SourceMap,
}

impl PipelineFile {
    /// A path of the file, relative to the file.
    pub fn resolve(&self, path: &Path) -> PathBuf {
        self.path.parent().unwrap_or(Path::new("")).join(path)
    }
}

/// Usual extensions of Nastran decks.
const DECKS: [&str; 5] = ["bdf", "dat", "nas", "fem", "blk"];

/// Reads and validates a pipeline file. Every problem is reported with its location.
pub fn read(path: &Path) -> Warned<PipelineFile> {
    let unreadable = |problem: Diagnostic| {
        let mut empty = from_text(path, String::new());
        empty.output.table = None;
        empty.diagnostics = [problem].into_iter().collect();
        empty
    };
    match pliant_diag::read_text(path, pliant_diag::LARGEST_TABLE) {
        Err(error) => unreadable(Diagnostic::error(format!("cannot read {}: {error}", path.display()))),
        Ok(text) => {
            let read = from_text(path, text);
            let is_deck =
                path.extension().is_some_and(|extension| DECKS.iter().any(|deck| extension == *deck));
            if !(is_deck && read.diagnostics.has_errors()) {
                return read;
            }
            let message = format!("expected a pipeline file (TOML), found the deck {}", path.display());
            let hint = "`pliant check` reads decks; `pliant new` creates a pipeline file";
            unreadable(Diagnostic::error(message).hint(hint))
        }
    }
}

/// Validates the text of a pipeline file that stands, or once stood, at `path`.
pub fn from_text(path: &Path, text: String) -> Warned<PipelineFile> {
    let mut diagnostics = Diagnostics::new();
    let mut sources = SourceMap::new();
    let file = sources.add(path, text.clone().into_bytes());
    let file = file.expect("invariant: a pipeline file is below 4 GiB");
    let document = Document::parse(&text, file, &mut diagnostics);
    let start = |problem: &Diagnostic| problem.span.map(|span| span.start);
    let unreadable: Vec<_> = diagnostics.iter().map(start).collect();
    let mut problems = Diagnostics::new();
    let table = match refused_format(&document) {
        // What else a file of another format holds may mean anything.
        Some(problem) => {
            problems.push(problem);
            None
        }
        None => PipelineTable::from_value(&document.root, &mut Context::new(&mut problems)),
    };
    // A value that is no TOML has been reported; what stands in its place in the tree is not the user's.
    diagnostics.extend(problems.into_iter().filter(|problem| !unreadable.contains(&start(problem))));
    diagnostics.sort_by_location();
    let output = PipelineFile { path: path.to_owned(), document, table, sources };
    Warned { output, diagnostics }
}

/// Why a file of this format is not read. What is no integer is reported by the reader of the table.
fn refused_format(document: &Document) -> Option<Diagnostic> {
    let value = document.root.get(&["format"])?;
    let ValueKind::Integer(found) = value.kind else { return None };
    if found == i64::from(PIPELINE_FORMAT) {
        return None;
    }
    let hint = if found > i64::from(PIPELINE_FORMAT) {
        "the file was written for a newer Pliant, which can read it"
    } else {
        "the first format is 1"
    };
    let message = format!("`format` must be {PIPELINE_FORMAT}, found {found}");
    Some(Diagnostic::error(message).at(value.span).hint(hint))
}

impl PipelineFile {
    /// A file at the same path with other values: a case of a study. Its problems have the locations of its
    /// values.
    pub fn case(&self, document: Document) -> Warned<Self> {
        let mut diagnostics = Diagnostics::new();
        let table = PipelineTable::from_value(&document.root, &mut Context::new(&mut diagnostics));
        let output = Self { path: self.path.clone(), document, table, sources: SourceMap::new() };
        Warned { output, diagnostics }
    }
}

#[cfg(test)]
mod tests {
    use pliant_diag::FileId;

    use super::*;
    use crate::link::{BasisWord, InterfaceSpec};
    use crate::schema::{json_schema, reference_page};

    fn read_text(text: &str) -> (Option<PipelineTable>, Vec<(u32, String)>) {
        let mut diagnostics = Diagnostics::new();
        let document = Document::parse(text, FileId(0), &mut diagnostics);
        let table = PipelineTable::from_value(&document.root, &mut Context::new(&mut diagnostics));
        let shown = diagnostics.iter().map(|d| {
            let hint = d.hints.first().map(|h| format!(" ({h})")).unwrap_or_default();
            (
                d.span.map_or(0, |s| text[..s.start as usize].matches('\n').count() as u32 + 1),
                format!("{}{hint}", d.message),
            )
        });
        (table, shown.collect())
    }

    #[test]
    fn the_links_of_the_design_are_read() {
        let (table, problems) = read_text(
            r#"
            gravity = [0, 0, -9.81]
            [links.upper]
            deck       = "upper.bdf"
            units      = "mm-t-s"
            inboard    = 1001
            interfaces = { elbow = 2001, side = { cylinder = { axis = "z", radius = 30 } } }
            modes      = { below_hz = 500 }
            damping    = { ratio = 0.01 }
            override   = { "PSHELL.3.T" = 4.0 }
            [links.forearm]
            beam = { length = 0.8, section = { tube = { od = 0.06, t = 0.003 } }, material = "steel", elements = 12 }
            "#,
        );
        assert_eq!(problems, []);
        let table = table.unwrap();
        let upper = table.links.get("upper").unwrap();
        assert_eq!(upper.basis, BasisWord::CraigBampton);
        assert_eq!(upper.interfaces.get("elbow").unwrap().value, InterfaceSpec::Grid(2001));
        assert_eq!(upper.modes.as_ref().unwrap().below_hz, Some(500.0));
        assert_eq!(table.links.get("forearm").unwrap().beam.as_ref().unwrap().elements, 12);
    }

    #[test]
    fn a_problem_of_a_divided_link_is_reported_once() {
        let (_, problems) = read_text(
            "[links.a]\nbeam = { length = 1, section = { rod = 0.1 }, material = 'steel' }\nsegments = 5\nmodes = { count = -3 }\nbassis = 1\n",
        );
        let text: Vec<_> = problems.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(text.len(), 2, "{text:?}");
        assert!(text.iter().all(|text| text.contains("`links.a")), "{text:?}");
    }

    #[test]
    fn what_does_not_fit_cuts_is_reported_at_its_line() {
        let (_, problems) = read_text(
            "[links.a]\nrigid = { mass = 1 }\ncuts = [3]\n[links.b]\ndeck = 'b.bdf'\ninboard = 1\nsegment = 2\n[links.c]\ndeck = 'c.bdf'\ninboard = 1\ncuts = [4]\nsegment = 3\n[links.d]\ndeck = 'd.bdf'\ninboard = 1\ncuts = [4]\ninterfaces = { cut = 5 }\nresidual = ['load.7']\n",
        );
        let text: Vec<_> = problems.iter().map(|(_, text)| text.as_str()).collect();
        for reported in [
            "`links.a`: `cuts` needs a `deck` (`segments` divides a beam)",
            "`links.b`: `segment` needs `cuts`, and this link has none",
            "`links.c`: `segment` must lie between 1 and 2, found 3",
            "`cut` is the name of the interface at a cut",
            "`load.7`: a deck with `cuts` cannot use its loads",
        ] {
            assert!(text.iter().any(|text| text.contains(reported)), "{reported}: {text:?}");
        }
    }

    #[test]
    fn another_format_is_the_only_problem_that_is_reported() {
        let reported = |text: &str| {
            let read = from_text(Path::new("a.toml"), text.to_owned());
            let reported = read.diagnostics.iter().map(|d| d.message.clone()).collect::<Vec<_>>();
            (read.output.table.is_some(), reported)
        };
        assert_eq!(reported("format = 1\n"), (true, vec![]));
        assert_eq!(
            reported("format = 2\nnew_key = 1\n"),
            (false, vec!["`format` must be 1, found 2".to_owned()])
        );
        assert_eq!(reported("format = 0\n").1, ["`format` must be 1, found 0"]);
        assert_eq!(reported("format = \"1\"\n").1, ["`format`: expected an integer, found a string"]);
    }

    #[test]
    fn only_straight_beams_have_segments() {
        let (_, problems) = read_text(
            "[links.a]\nrigid = { mass = 1 }\nsegments = 2\n[links.b]\nbeam = { path = [[0,0,0],[1,0,0],[1,1,0]], section = { rod = 0.1 }, material = 'steel' }\nsegments = 2\n[links.c]\nbeam = { length = 1, section = { rod = 0.1 }, material = 'steel' }\nsegments = 0\n",
        );
        let text: Vec<_> = problems.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(text.len(), 3, "{text:?}");
        for reported in
            ["`links.a`: `segments` needs a `beam`", "a straight beam", "`segments` must be 1 or more"]
        {
            assert!(text.iter().any(|text| text.contains(reported)), "{reported}: {text:?}");
        }
    }

    #[test]
    fn every_problem_has_its_line_and_a_way_out() {
        let (_, problems) = read_text(
            "titel = 'x'\n[links.a]\ndeck = 'a.bdf'\nunits = 'mm'\ninboard = 1\nmodes = { count = -3 }\n[links.b]\n[links.c]\nrigid = { mass = 'heavy' }\nbassis = 1\n",
        );
        let expected = [
            (1, "unknown key `titel` (did you mean `title`?)"),
            (4, "`links.a.units`: `mm` is not one of the choices (did you mean `mm-t-s`?)"),
            (6, "`links.a.modes.count`: expected an integer from 0 to 4294967295, found -3"),
            (
                7,
                "`links.b`: exactly one of `deck`, `beam`, `rigid`, `imported` and `sid` is needed, found none of them",
            ),
            (10, "`links.c`: unknown key `bassis` (did you mean `basis`?)"),
            (9, "`links.c.rigid.mass`: expected a number, found a string"),
        ];
        let expected: Vec<_> = expected.iter().map(|(line, text)| (*line, (*text).to_owned())).collect();
        assert_eq!(problems, expected);
        let (_, problems) = read_text(
            "[links.b]\n[links.d]\ndeck = 'd.bdf'\nbeam = { length = 0, section = { rod = 0.1 }, material = 'steel' }\n",
        );
        let text: Vec<_> = problems.iter().map(|(_, text)| text.as_str()).collect();
        assert!(text[0].contains("found none of them"), "{text:?}");
        assert!(text[2].contains("found `deck` and `beam`"), "{text:?}");
        assert!(text[1].contains("`length` must lie between"), "{text:?}");
    }

    #[test]
    fn a_problem_stands_at_the_key_that_it_names() {
        let problems = |text: &str| read_text(text).1;
        let payload = problems("[payload]\nat = 'a.tip'\nmass = -2\n");
        assert_eq!(payload, [(3, "`payload`: `mass` must not be negative, found -2".to_owned())]);
        let both = "exactly one of `distance`, `line` and `plane` is needed, found `distance` and `plane`";
        let rod = problems("[constraints.rod]\nfrom = 'a'\nto = 'b'\ndistance = 1\nplane = 'x'\n");
        assert_eq!(rod, [(5, format!("`constraints.rod`: {both}"))]);
        let tube = "[links.a]\n[links.a.beam]\nlength = 1\nmaterial = 'steel'\nsection = { tube = { od = 1, t = T } }\n";
        let tube = |t: &str| problems(&tube.replace('T', t));
        let wall = "`links.a.beam.section`: `t` must be less than half of `od`, found 0.5 and 1";
        assert_eq!((tube("0.5"), tube("0.4")), (vec![(5, wall.to_owned())], Vec::new()));
    }

    #[test]
    fn a_value_that_is_no_toml_is_reported_once() {
        for wrong in ["mass = .5", "mass = 2.0 kg"] {
            let text = format!("[payload]\nat = 'a.tip'\n{wrong}\n");
            let file = from_text(Path::new("a.toml"), text);
            assert_eq!(file.diagnostics.len(), 1, "{:?}", file.diagnostics);
        }
        assert_eq!(from_text(Path::new("a.toml"), "[payload]\nmass = .5\n".to_owned()).diagnostics.len(), 2);
    }

    #[test]
    fn reference_page_and_schema_know_every_key() {
        let page = reference_page::<PipelineTable>("The pipeline file", "");
        for key in ["`gravity`", "`links`", "`below_hz`", "`override`", "`cylinder`", "## SectionTable"] {
            assert!(page.contains(key), "{key} is missing:\n{page}");
        }
        let schema = json_schema::<PipelineTable>("urn:test", "Pliant pipeline");
        assert_eq!(schema["$ref"], "#/$defs/PipelineTable");
        assert_eq!(schema["$defs"]["LinkTable"]["properties"]["basis"]["enum"][0], "craig-bampton");
    }
}
