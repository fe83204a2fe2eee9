//! Each deck of tests/decks/checks holds one kind of mistake and says in comments what must be reported:
//!
//! ```text
//! $ EXPECT error 22:25 CROD 1, field 4 (G1): GRID 99 does not exist
//! ```
//!
//! Nothing else may be reported, and all of it in file order.

use std::collections::BTreeSet;

use pliant_bulk::read;
use pliant_mesh::Units;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/decks/checks");

#[test]
fn every_mistake_is_told_and_nothing_else() {
    let mut decks: Vec<_> =
        std::fs::read_dir(FOLDER).expect("the folder is there").flatten().map(|e| e.path()).collect();
    decks.sort();
    assert!(decks.len() >= 7, "found only {} decks", decks.len());
    let mut failures = Vec::new();
    for path in decks {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("the deck can be read");
        let expected: BTreeSet<String> =
            text.lines().filter_map(|line| line.strip_prefix("$ EXPECT ")).map(str::to_owned).collect();
        assert!(!expected.is_empty(), "{name} expects nothing");
        let deck = read(&path, Units::SI);
        let mut places = Vec::new();
        let found: BTreeSet<String> = deck
            .diagnostics
            .iter()
            .map(|d| {
                let place = d.span.map_or("-".to_owned(), |span| {
                    let at = deck.output.sources.line_column(span);
                    places.push((at.line, at.column));
                    format!("{}:{}", at.line, at.column)
                });
                format!("{} {place} {}", d.severity.as_str(), d.headline())
            })
            .collect();
        failures.extend(expected.difference(&found).map(|p| format!("{name}: does not say: {p}")));
        failures.extend(found.difference(&expected).map(|p| format!("{name}: says unexpectedly: {p}")));
        assert!(places.is_sorted(), "{name}: not in file order");
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}
