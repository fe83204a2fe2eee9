//! Damage and life of elements, from the pipeline file to the results file.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::f64::consts::PI;
use std::path::Path;
use std::sync::Arc;

use pliant::links::MachineLink;
use pliant::metrics::metrics;
use pliant::run::{CaseResult, Ending, Partial, ResultsTarget, RunOptions, run};
use pliant_durability::{
    Assessment, Below, Block, Criterion, Factors, Material, MeanStress, Points, Residue, Search,
};
use pliant_report::Values;
use pliant_store::results::{Keep, ResultsFile};

/// The rotating bar with some lines changed.
fn text(changes: &[(&str, &str)]) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../pipelines/rotating-bar.toml");
    let mut text = std::fs::read_to_string(file).unwrap();
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    text
}

/// What is wrong with it.
fn problems(changes: &[(&str, &str)]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bar.toml");
    std::fs::write(&path, text(changes)).unwrap();
    let Err(failure) = pliant::load(&path) else { return Vec::new() };
    failure.diagnostics.iter().map(|problem| problem.message.clone()).collect()
}

/// Why it does not run.
fn refused(changes: &[(&str, &str)]) -> String {
    let (result, _folder) = outcome(changes);
    assert_eq!(result.ending, Ending::Failed);
    result.diagnostics.iter().map(|problem| problem.message.clone()).collect::<Vec<_>>().join("\n")
}

/// Runs it.
fn ran(changes: &[(&str, &str)]) -> (CaseResult, ResultsFile, tempfile::TempDir) {
    let (result, folder) = outcome(changes);
    assert_eq!(result.ending, Ending::Complete, "{:#?}", result.diagnostics);
    let file = ResultsFile::open(&folder.path().join("bar.vtkhdf")).unwrap();
    (result, file, folder)
}

fn outcome(changes: &[(&str, &str)]) -> (CaseResult, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bar.toml");
    std::fs::write(&path, text(changes)).unwrap();
    let case = pliant::load(&path).unwrap_or_else(|failure| panic!("{:#?}", failure.diagnostics)).output;
    let complete = |request: &_| {
        let made = pliant::link::reduce(request, None).unwrap_or_else(|failure| panic!("{failure:?}"));
        Arc::new(MachineLink::complete(request, &case, &made).unwrap_or_else(|f| panic!("{f:?}")))
    };
    let links: Vec<_> = case.links().requests.iter().map(complete).collect();
    let target = ResultsTarget {
        path: folder.path().join("bar.vtkhdf"),
        keep: Keep { frames: 5, ..Keep::default() },
        partial: Partial::Remove,
    };
    let options = RunOptions { results: Some(target), modes: false, ..RunOptions::of(&case) };
    (run(&case, &links, &options, &mut ()), folder)
}

/// Turns until failure of 4340 steel at an amplitude: S = 1643 MPa N^−0.0977 (Dowling, table 9.1).
fn turns(stress: f64) -> f64 {
    (stress / 1643e6).powf(-1.0 / 0.0977)
}

/// σ = 32 F L/(π d³) at the clamp, at all points of the circle; the deflection of 0.5 mm changes the lever by
/// a few 1e-5 of it, the slope of 7e-3 by as much, and the power of 10.2 makes that 1e-3 of the life.
#[test]
fn a_rotating_bar_lives_as_woehler_found() {
    let (result, file, _folder) = ran(&[]);
    let stress = 32.0 * 2300.0 * 0.1 / (PI * 0.02f64.powi(3));
    let life = result.analyses[0].summary.durability["bar"];
    assert!((life.life / turns(stress) - 1.0).abs() < 1e-3, "{} for {}", life.life, turns(stress));
    assert_eq!((life.element, life.elements, life.skipped), (Some(1), 4, 0));
    // A turn is a second.
    assert!((life.hours * 3600.0 / life.life - 1.0).abs() < 1e-12);
    assert!((life.damage * life.life / 1e6 - 1.0).abs() < 1e-12, "a million repeats");
    // The elements farther out have less: the moment falls linearly, to a quarter at the last one.
    let damage = file.series("/links/bar/stress/damage").unwrap().values;
    let lives = file.series("/links/bar/stress/life").unwrap().values;
    for (k, (damage, element)) in damage.iter().zip(&lives).enumerate() {
        let expected = turns(stress * (1.0 - 0.25 * k as f64));
        assert!((element / expected - 1.0).abs() < 2e-3, "element {}: {element} for {expected}", k + 1);
        assert!((damage * element / 1e6 - 1.0).abs() < 1e-12);
    }
    // What ParaView shows: four elements in the order of their cells.
    let cells = file.series("/VTKHDF/CellData/damage").unwrap().values;
    let worst = cells.iter().copied().fold(0.0, f64::max);
    // In single precision.
    assert!((worst / life.damage - 1.0).abs() < 1e-6, "{cells:?}");
    // And the report.
    let machine = pliant::report::run(&file, None).unwrap().machine.unwrap();
    let fields = &machine.parts[0].fields;
    let drawn = fields.iter().find(|field| field.name == "damage, at most 10").unwrap();
    let Values::Steady(drawn) = &drawn.values else { panic!("damage is the same in all frames") };
    let worst = drawn.iter().copied().fold(0.0, f32::max);
    assert!((f64::from(worst) / life.damage - 1.0).abs() < 1e-6, "{drawn:?}");
    let all = metrics(&result.analyses[0].summary);
    let metric = |name: &str| all.iter().find(|metric| metric.info.name == name).unwrap().value;
    assert_eq!(metric("life_repeats"), Some(life.life));
    assert_eq!(metric("life_hours_bar"), Some(life.hours));
    assert_eq!(metric("damage_peak_bar"), Some(life.damage));
    assert_eq!(metric("damage_element_bar"), Some(1.0));
}

/// The damage of an element is that of the stress which the file keeps of it over time.
#[test]
fn damage_is_that_of_the_stress_in_the_file() {
    let changes = [
        ("\"2300*cos(2*pi*t)\"", "\"1500*cos(2*pi*t) + 900*cos(10*pi*t + 1) + 400\""),
        ("mean     = \"goodman\"", "mean = \"fkm\"\nknee = 1e6\nbelow = \"haibach\"\nroughness = 6.3e-6"),
    ];
    let (result, file, _folder) = ran(&changes);
    let stress = file.series("/links/bar/elements/1/stress").unwrap();
    let steel = Material::find("AISI 4340").unwrap();
    let group = steel.group.unwrap();
    let assessment = Assessment {
        curve: steel.curve(Some(1e6), Below::Haibach).unwrap(),
        mean: MeanStress::Fkm { sensitivity: group.mean_sensitivity(steel.ultimate) },
        factors: Factors {
            surface: pliant_durability::roughness_factor(group, 6.3e-6, steel.ultimate),
            ..Factors::default()
        },
        residue: Residue::Repeated,
        criterion: Criterion::Normal,
    };
    let width = stress.width();
    let of_point = |k: usize| {
        let history: Vec<f64> = stress.column(width - 8 + k).collect();
        let blocks = [Block { samples: 0..history.len(), repeats: 1e6 }];
        assessment.worst(Points::Axial(&history), &blocks, &Search::new(), 0.0).map_or(0.0, |d| d.damage)
    };
    let expected = (0..8).map(of_point).fold(0.0, f64::max);
    let found = result.analyses[0].summary.durability["bar"].damage;
    // S times q in the file's order and in blocks: the last digits, times the power of 19.
    assert!(expected > 0.0 && (found / expected - 1.0).abs() < 1e-9, "{found} for {expected}");
}

#[test]
fn below_the_limit_elements_are_skipped() {
    // The limit at 10⁶ cycles is 426 MPa: 293 MPa, 25 MPa more for the bound, are below.
    let (result, file, _folder) = ran(&[("mean     = \"goodman\"", "knee = 1e6")]);
    let life = result.analyses[0].summary.durability["bar"];
    assert_eq!((life.element, life.damage, life.elements, life.skipped), (None, 0.0, 4, 4));
    assert!(life.life.is_infinite() && life.hours.is_infinite());
    assert_eq!(file.series("/links/bar/stress/damage").unwrap().values, [0.0; 4]);
}

/// Two turns of different force, in blocks: D = n₁/N₁ + n₂/N₂ with life in sequences of both.
#[test]
fn blocks_have_their_own_repeats() {
    let changes = [
        ("[0, \"2300*cos(2*pi*t)\", \"2300*sin(2*pi*t)\"]", "[0, 0, \"(2300 + 600*(t > 1))*sin(2*pi*t)\"]"),
        ("end  = 1.0", "end  = 2.0"),
        ("repeat = 1e6", "blocks = [{ from = 0, to = 1, repeat = 1000 }, { from = 1, to = 2, repeat = 10 }]"),
        ("mean     = \"goodman\"", ""),
    ];
    let (result, _, _folder) = ran(&changes);
    let stress = |force: f64| 32.0 * force * 0.1 / (PI * 0.02f64.powi(3));
    let expected = 1000.0 / turns(stress(2300.0)) + 10.0 / turns(stress(2900.0));
    let life = result.analyses[0].summary.durability["bar"];
    assert!((life.damage / expected - 1.0).abs() < 2e-3, "{} for {expected}", life.damage);
    assert!((life.life * life.damage - 1.0).abs() < 1e-12);
    assert!((life.hours * 3600.0 / life.life - 1010.0).abs() < 1e-6, "1000 and 10 turns of a second");
}

/// The heavy turn as a run of its own, whose results file a block of the light run names: the same damage as
/// that of one run with both.
#[test]
fn blocks_may_be_of_other_runs() {
    let one = "[0, \"2300*cos(2*pi*t)\", \"2300*sin(2*pi*t)\"]";
    let heavy = [(one, "[0, 0, \"2900*sin(2*pi*t)\"]"), ("mean     = \"goodman\"", "")];
    let (_, _, folder) = ran(&heavy);
    let heavy = folder.path().join("bar.vtkhdf");
    let blocks = format!(
        "blocks = [{{ repeat = 1000 }}, {{ run = {:?}, repeat = 10 }}, {{ run = {:?}, from = 0.5, repeat = 4 }}]",
        heavy.display().to_string(),
        heavy.display().to_string()
    );
    let light = "[0, 0, \"2300*sin(2*pi*t)\"]";
    let changes =
        |blocks: &'static str| [(one, light), ("repeat = 1e6", blocks), ("mean     = \"goodman\"", "")];
    let blocks: &'static str = blocks.leak();
    let (result, _, _folder) = ran(&changes(blocks));
    let stress = |force: f64| 32.0 * force * 0.1 / (PI * 0.02f64.powi(3));
    let life = result.analyses[0].summary.durability["bar"];
    // Half a turn goes from 0 to one side and back: half the range.
    let all = [(1000.0, 2300.0), (10.0, 2900.0), (4.0, 0.5 * 2900.0)];
    let expected: f64 = all.iter().map(|(repeats, force)| repeats / turns(stress(*force))).sum();
    assert!((life.damage / expected - 1.0).abs() < 2e-3, "{} for {expected}", life.damage);
    assert!((life.hours * 3600.0 / life.life - 1012.0).abs() < 1e-6, "1000, 10 and 4 halves of a second");
    // The same with two turns in one run.
    let both = [
        (one, "[0, 0, \"(2300 + 600*(t > 1))*sin(2*pi*t)\"]"),
        ("end  = 1.0", "end  = 2.0"),
        (
            "repeat = 1e6",
            "blocks = [{ from = 0, to = 1, repeat = 1000 }, { from = 1, to = 2, repeat = 10 }, { from = 1.5, to = 2, repeat = 4 }]",
        ),
        ("mean     = \"goodman\"", ""),
    ];
    let (result, _, _folder) = ran(&both);
    let together = result.analyses[0].summary.durability["bar"].damage;
    // Newton's iteration ends at 1e-9 of the forces, from another start, and the power is 10.
    assert!((life.damage / together - 1.0).abs() < 1e-6, "{} and {together}", life.damage);
    // Another bar, and no run at all.
    let thicker = [changes(blocks).as_slice(), &[("rod = 0.02", "rod = 0.021")]].concat();
    let other = refused(&thicker);
    assert!(other.contains("link bar of") && other.contains("is another one"), "{other}");
    let gone = problems(&changes("blocks = [{ run = 'gone.vtkhdf', repeat = 2 }]")).join("\n");
    assert!(gone.contains("gone.vtkhdf"), "{gone}");
    let deck = problems(&changes("blocks = [{ run = 'bar.toml', repeat = 2 }]")).join("\n");
    assert!(deck.contains("not a sealed results file"), "{deck}");
}

#[test]
fn links_without_stress_are_refused() {
    let none = refused(&[("history = [1]", "elements = [99]")]);
    assert!(none.contains("link bar has no element whose stress is recovered"), "{none}");
}

/// Plies have no S–N curve of a metal: the link is refused by the number of the element, before anything
/// runs.
#[test]
fn laminates_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let deck = folder.path().join("strip.bdf");
    let cards = "BEGIN BULK\nGRID,1,,0.,0.,0.\nGRID,2,,.2,0.,0.\nGRID,11,,0.,-.05,0.\nGRID,12,,.2,-.05,0.\n\
                 GRID,13,,.2,.05,0.\nGRID,14,,0.,.05,0.\nCQUAD4,77,2,11,12,13,14\nPCOMP,2\n,1,.002,0.,,1,.002,90.\n\
                 MAT8,1,1.4+11,1.+10,.3,5.+9,5.+9,5.+9,1600.\nRBE2,91,1,123456,11,14\nRBE2,92,2,123456,12,13\nENDDATA\n";
    std::fs::write(&deck, cards).unwrap();
    let beam = "beam  = { length = 0.1, elements = 4, section = { rod = 0.02 }, material = \"steel\" }";
    let table = format!("deck = {:?}\ninboard = 1\ninterfaces = {{ tip = 2 }}", deck.display().to_string());
    let laminate = refused(&[(beam, &table), ("history = [1]", "elements = [77]")]);
    assert!(laminate.contains("element 77 is a laminate, whose plies have no S–N curve"), "{laminate}");
}

#[test]
fn bad_tables_are_refused_at_their_line() {
    let one = |from: &str, to: &str| problems(&[(from, to)]).join("\n");
    assert_eq!(
        one("stress = { history = [1] }", ""),
        "[durability] assesses the elements whose stress is recovered, and there are none"
    );
    assert_eq!(one("AISI 4340", "unobtainium"), "the library has no material `unobtainium`");
    assert!(one("[durability.links.bar]", "[durability.links.rod]").contains("there is no link `rod`"));
    assert!(one("\"goodman\"", "\"walker\"").contains("`walker` needs `gamma`"));
    assert!(one("mean     =", "roughness = 1e-6\nsurface = 0.9\nmean =").contains("both give the factor"));
    assert!(one("material = \"AISI 4340\"", "").contains("exactly one of `material` and `curve`"));
    let rising = "curve = { points = [[1e4, 3e8], [1e5, 4e8]] }\nultimate = 1e9";
    assert!(one("material = \"AISI 4340\"", rising).contains("cycles must rise and stress must fall"));
    assert!(one("repeat = 1e6", "repeat = 1e6\ncriterion = \"findley\"").contains("use no other correction"));
    let late = "blocks = [{ from = 0.5, to = 3, repeat = 2 }]";
    assert!(
        one("repeat = 1e6", late).contains("a block reaches from 0.5 to 3 s, the analysis from 0 to 1 s")
    );
}
