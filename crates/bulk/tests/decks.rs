//! Each deck of tests/decks/format holds one oddity of the format, and says in comments what must come of it;
//! those of tests/decks/mesh and tests/decks/checks (one kind of mistake each) are read all the way to the
//! mesh, and their problems must come in file order:
//!
//! ```text
//! $ EXPECT error 12:33 CTETRA 1207, field 5 (G2): expected an integer, found `1207.`
//! $ EXPECT warning parts/a.inc:3:1 …       a problem in an INCLUDE
//! $ EXPECT cards GRID 4                    how many there are
//! $ EXPECT card GRID,1,,0.,1.,2.           a card with exactly these fields
//! $ EXPECT control PARAM,POST,-1           a PARAM above BEGIN BULK
//! $ EXPECT subcase 1 spc=2 label=Text      a subcase and all it chooses
//! $ EXPECT combination 3 1*1 -2*2 label=Text   a SUBCOM with its factors and subcases
//! $ EXPECT set 10 1 2 5                    a SET and its members
//! $ EXPECT part SUPER 1                    a part of the bulk data
//! $ EXPECT node 1 0.5 0 2                  a grid and its position (decks/mesh only)
//! ```
//!
//! Problems that are not expected fail the test as well as expected ones that do not come.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use pliant_bulk::{Card, CardFile, FieldBuffer, read, read_cards};
use pliant_diag::{Diagnostic, Diagnostics, SourceMap};
use pliant_mesh::{LinkMesh, SetId, Subcase, SubcaseCombination, Units};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/decks");

#[test]
fn every_format_gives_what_its_deck_says() {
    let failures: Vec<String> = decks("format", 20)
        .iter()
        .flat_map(|deck| {
            let read = read_cards(deck);
            let fact = |what: &str, expected: &str| check_fact(what, expected, &read.output);
            check(deck, &read.diagnostics, &read.output.sources, fact)
        })
        .collect();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

#[test]
fn every_mesh_is_what_its_deck_says() {
    let failures: Vec<String> = decks("mesh", 2)
        .iter()
        .chain(&decks("checks", 7))
        .flat_map(|deck| {
            let read = read(deck, Units::SI);
            let locations: Vec<_> =
                read.diagnostics.iter().map(|d| d.span.map(|s| (s.file, s.start))).collect();
            assert!(locations.is_sorted(), "{}: not in file order", deck.display());
            let fact = |what: &str, expected: &str| check_mesh(what, expected, &read.output.mesh);
            check(deck, &read.diagnostics, &read.output.sources, fact)
        })
        .collect();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

fn decks(folder: &str, least: usize) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(Path::new(FOLDER).join(folder)).expect("the folder is there");
    let mut decks: Vec<_> = entries.map(|e| e.expect("the folder can be listed").path()).collect();
    decks.retain(|path| path.extension().is_some_and(|e| e == "bdf"));
    decks.sort();
    assert!(decks.len() >= least, "found only {} decks", decks.len());
    decks
}

fn check(
    deck: &Path,
    diagnostics: &Diagnostics,
    sources: &SourceMap,
    check_fact: impl Fn(&str, &str) -> Result<(), String>,
) -> Vec<String> {
    let name = deck.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let text = String::from_utf8_lossy(&std::fs::read(deck).expect("the deck can be read")).into_owned();
    let mut failures = Vec::new();
    let mut problems = BTreeSet::new();
    let mut expectations = 0;
    for expectation in text.lines().filter_map(|line| line.strip_prefix("$ EXPECT ")) {
        expectations += 1;
        let (what, rest) = expectation.split_once(' ').unwrap_or((expectation, ""));
        if matches!(what, "error" | "warning" | "note") {
            problems.insert(expectation.to_owned());
        } else if let Err(found) = check_fact(what, rest) {
            failures.push(format!("{name}: EXPECT {expectation}\n    found {found}"));
        }
    }
    assert!(expectations > 0, "{name} expects nothing");
    let found: BTreeSet<String> = diagnostics.iter().map(|d| describe(d, sources)).collect();
    failures.extend(problems.difference(&found).map(|p| format!("{name}: does not say: {p}")));
    failures.extend(found.difference(&problems).map(|p| format!("{name}: says unexpectedly: {p}")));
    failures
}

/// Severity, location and headline; the file only when it is not the deck itself.
fn describe(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    let location = diagnostic.span.map_or("-".to_owned(), |span| {
        let at = sources.line_column(span);
        let path = sources.file(span.file).path();
        let location = format!("{}:{}", at.line, at.column);
        let folder = std::fs::canonicalize(Path::new(FOLDER).join("format")).expect("the folder is there");
        match path.strip_prefix(folder) {
            Ok(path) if span.file.0 > 0 => format!("{}:{location}", path.display()),
            _ => location,
        }
    });
    format!("{} {location} {}", diagnostic.severity.as_str(), diagnostic.headline())
}

fn check_fact(what: &str, expected: &str, file: &CardFile) -> Result<(), String> {
    let all = |cards: &[Card]| cards.iter().map(|card| as_text(file, card)).collect::<Vec<_>>();
    let found = match what {
        "card" => all(&file.cards),
        "control" => all(&file.control.parameters),
        "cards" => {
            let name = expected.split(' ').next().unwrap_or_default();
            vec![format!("{name} {}", file.cards.iter().filter(|c| c.name() == name).count())]
        }
        "combination" => file.control.case.combinations.iter().map(combination_as_text).collect(),
        "subcase" => file.control.case.subcases.iter().map(subcase_as_text).collect(),
        "set" => file
            .control
            .sets
            .iter()
            .map(|set| {
                let members: Vec<_> = set.members.iter().map(u32::to_string).collect();
                format!("{} {}", set.id.0, members.join(" "))
            })
            .collect(),
        "part" => file.parts.iter().map(|part| format!("{} {}", part.kind, part.id)).collect(),
        _ => return Err("a word that means nothing here".to_owned()),
    };
    if found.iter().any(|f| f == expected) { Ok(()) } else { Err(found.join("\n          ")) }
}

fn check_mesh(what: &str, expected: &str, mesh: &LinkMesh) -> Result<(), String> {
    let nodes = mesh.nodes.iter().map(|node| {
        let p = node.position;
        format!("{} {} {} {}", node.id, p.x, p.y, p.z)
    });
    let found: Vec<String> = match what {
        "node" => nodes.collect(),
        _ => return Err("a word that means nothing here".to_owned()),
    };
    if found.iter().any(|f| f == expected) { Ok(()) } else { Err(found.join("\n          ")) }
}

fn as_text(file: &CardFile, card: &Card) -> String {
    let mut buffer = FieldBuffer::new();
    let fields = file.fields(card, &mut buffer);
    let mut text = fields.name().to_owned();
    for field in fields.iter() {
        text.push(',');
        text.push_str(&String::from_utf8_lossy(field.text));
    }
    text
}

fn combination_as_text(combination: &SubcaseCombination) -> String {
    let mut text = combination.id.to_string();
    for (id, factor) in &combination.terms {
        text.push_str(&format!(" {factor}*{id}"));
    }
    if !combination.label.is_empty() {
        text.push_str(&format!(" label={}", combination.label));
    }
    text
}

fn subcase_as_text(case: &Subcase) -> String {
    let mut text = case.id.to_string();
    let chosen: [(&str, Option<SetId>); 6] = [
        ("spc", case.spc),
        ("load", case.load),
        ("method", case.method),
        ("mpc", case.mpc),
        ("nsm", case.nsm),
        ("temperature", case.temperature),
    ];
    for (name, set) in chosen {
        if let Some(SetId(id)) = set {
            text.push_str(&format!(" {name}={id}"));
        }
    }
    if !case.label.is_empty() {
        text.push_str(&format!(" label={}", case.label));
    }
    text
}
