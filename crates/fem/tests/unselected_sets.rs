//! No card of an unselected set changes the structure: random SPC, MPC and load cards of sets that no subcase
//! selects are added to every deck of ../shared/nastran and to decks of our own, and K, M, D and the
//! constraints of every subcase are compared bit for bit.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use nalgebra_sparse::{CscMatrix, CsrMatrix};
use pliant_bulk::{Options, deck_from_cards, read_cards_from};
use pliant_fem::{AssemblyOptions, ConstraintOptions, System, assemble, constrain};
use pliant_mesh::{LinkMesh, NodeKind};

/// The first of the sets that are added; nobody numbers sets so.
const FIRST_SET: u32 = 90_001;
/// Cards of each kind.
const CARDS: usize = 12;

/// Numbers from a linear congruential generator (Knuth's MMIX): the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % end
    }

    fn real(&mut self) -> f64 {
        self.below(2001) as f64 / 1000.0 - 1.0
    }
}

/// Cards on random grids, none of which any subcase selects.
fn unselected_cards(mesh: &LinkMesh, random: &mut Random) -> String {
    let grids: Vec<u32> = mesh.nodes.iter().filter(|n| n.kind == NodeKind::Grid).map(|n| n.id.0).collect();
    let mut cards = String::new();
    let [spc, mpc, load] = [0, 1, 2].map(|k| FIRST_SET + k);
    for _ in 0..CARDS {
        let mut grid = || grids[random.below(grids.len())];
        let (a, b) = (grid(), grid());
        let (c, d) = (1 + random.below(6), 1 + random.below(6));
        let (x, y, z) = (random.real(), random.real(), random.real() + 2.0);
        writeln!(cards, "SPC1,{spc},{c},{a}").unwrap();
        writeln!(cards, "SPC,{spc},{b},{d},{x:.3}").unwrap();
        if (a, c) != (b, d) {
            writeln!(cards, "MPC,{mpc},{a},{c},{z:.3},{b},{d},{y:.3}").unwrap();
        }
        writeln!(cards, "FORCE,{load},{a},,{z:.3},{x:.3},{y:.3},{z:.3}").unwrap();
        writeln!(cards, "MOMENT,{load},{b},,{z:.3},{x:.3},{y:.3},{z:.3}").unwrap();
        writeln!(cards, "TEMP,{},{a},{z:.3}", load + 1).unwrap();
    }
    writeln!(cards, "SPCADD,{},{spc}\nMPCADD,{},{mpc}", spc + 10, mpc + 10).unwrap();
    writeln!(cards, "GRAV,{},,9.81,0.,0.,-1.\nLOAD,{},1.,1.,{load},2.,{}", load + 2, load + 3, load + 2)
        .unwrap();
    cards
}

/// The mesh of a deck with cards put after its BEGIN BULK, or its errors.
fn read(path: &Path, added: &str) -> Result<LinkMesh, String> {
    let bytes = std::fs::read(path).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    let begin = text.lines().position(|line| {
        let mut words = line.split_whitespace().map(str::to_ascii_uppercase);
        words.next().as_deref() == Some("BEGIN") && words.next().is_none_or(|word| word.starts_with("BULK"))
    });
    let begin = begin.ok_or("no BEGIN BULK of its own")?;
    let lines: Vec<&str> = text.lines().collect();
    let (head, bulk) = lines.split_at(begin + 1);
    let deck = format!("{}\n{added}{}\n", head.join("\n"), bulk.join("\n"));
    let mut load = |path: &Path| std::fs::read(path);
    let read = deck_from_cards(read_cards_from(path, deck.into_bytes(), &mut load), &Options::default());
    let problem = read.diagnostics.iter().find(|d| d.severity == pliant_diag::Severity::Error);
    match problem {
        Some(problem) => Err(problem.headline()),
        None => Ok(read.output.mesh),
    }
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

fn same(a: &CscMatrix<f64>, b: &CscMatrix<f64>) -> bool {
    a.pattern() == b.pattern() && bits(a.values()) == bits(b.values())
}

fn same_rows(a: &CsrMatrix<f64>, b: &CsrMatrix<f64>) -> bool {
    a.pattern() == b.pattern() && bits(a.values()) == bits(b.values())
}

/// What of a deck changes with the cards; `Err` for a deck that is refused without them too.
fn changed(path: &Path, random: &mut Random) -> Result<Vec<String>, String> {
    let before = read(path, "")?;
    let cards = unselected_cards(&before, random);
    let after = read(path, &cards).unwrap_or_else(|problem| panic!("{}: {problem}\n{cards}", path.display()));
    let system = |mesh: &LinkMesh| -> Result<System, String> {
        assemble(mesh, AssemblyOptions::of_deck(mesh)).map_err(|d| format!("{:?}", d.iter().next()))
    };
    let (old, new) = (system(&before)?, system(&after)?);
    let mut found = Vec::new();
    for (name, a, b) in [("K", &old.K, &new.K), ("M", &old.M, &new.M), ("D", &old.D, &new.D)] {
        if !same(a, b) {
            found.push(name.to_owned());
        }
    }
    for (a, b) in before.case_control.subcases.iter().zip(&after.case_control.subcases) {
        let of = |mesh: &LinkMesh, system: &System, subcase| {
            constrain(mesh, &system.dofs, &system.K, &ConstraintOptions::of_subcase(subcase))
        };
        match (of(&before, &old, a), of(&after, &new, b)) {
            (Ok(a), Ok(b))
                if same_rows(&a.output.T, &b.output.T) && same_rows(&a.output.T_s, &b.output.T_s) => {}
            (Err(_), Err(_)) => {}
            _ => found.push(format!("constraints of subcase {}", a.id)),
        }
    }
    Ok(found)
}

/// Decks below a folder.
fn decks(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(decks(&path));
        } else if path
            .extension()
            .and_then(|e| e.to_str())
            .is_some_and(|e| ["bdf", "dat", "inp", "nas"].contains(&e.to_ascii_lowercase().as_str()))
        {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// All decks of a folder; at least `least` of them can be compared.
fn check(folder: &Path, least: usize) {
    let mut random = Random(19);
    let (mut compared, mut bad) = (0, Vec::new());
    for deck in decks(folder) {
        let name = deck.strip_prefix(folder).unwrap().display().to_string();
        match changed(&deck, &mut random) {
            Err(reason) => println!("{name}: not compared, {reason}"),
            Ok(found) => {
                compared += 1;
                if !found.is_empty() {
                    println!("{name}: {} changed", found.join(", "));
                    bad.push(name);
                }
            }
        }
    }
    println!("{compared} decks compared");
    assert!(compared >= least, "only {compared} decks were compared");
    assert!(bad.is_empty(), "cards of unselected sets change {bad:#?}");
}

#[test]
fn unselected_cards_change_nothing_in_reference_decks() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/nastran"));
    if !folder.is_dir() {
        println!("SKIPPED: {} is not there", folder.display());
        return;
    }
    check(folder, 40);
}

#[test]
fn unselected_cards_change_nothing_in_our_decks() {
    check(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../inputs")), 8);
}

/// Strips of plates in their plane, where the rotation about the normal is nearest to mattering, with folds.
#[test]
fn unselected_cards_change_nothing_in_strips() {
    let folder = std::env::temp_dir().join(format!("pliant-unselected-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for (name, trias) in [("quads.bdf", false), ("trias.bdf", true)] {
        let mut deck = String::from(
            "SOL 103\nCEND\nMETHOD = 1\nSPC = 1\nBEGIN BULK\nEIGRL,1,,,4\nSPC1,1,123456,1,2,3\n",
        );
        for i in 0..=8_u32 {
            for j in 0..3_u32 {
                let fold = 0.05 * f64::from(j.saturating_sub(1));
                let (x, y) = (0.1 * f64::from(i), 0.05 * f64::from(j.min(1)));
                writeln!(deck, "GRID,{},,{x:.3},{y:.3},{fold:.3}", 3 * i + j + 1).unwrap();
            }
        }
        let mut id = 0;
        for i in 0..8 {
            for j in 0..2 {
                let [a, b, c, d] = [3 * i + j + 1, 3 * i + j + 4, 3 * i + j + 5, 3 * i + j + 2];
                if trias {
                    writeln!(deck, "CTRIA3,{},1,{a},{b},{c}\nCTRIA3,{},1,{a},{c},{d}", id + 1, id + 2)
                        .unwrap();
                } else {
                    writeln!(deck, "CQUAD4,{},1,{a},{b},{c},{d}", id + 1).unwrap();
                }
                id += 2;
            }
        }
        deck.push_str("PSHELL,1,1,.002,1\nMAT1,1,2.+11,,.3,7800.\nENDDATA\n");
        std::fs::write(folder.join(name), deck).unwrap();
    }
    check(&folder, 2);
    std::fs::remove_dir_all(&folder).unwrap();
}
