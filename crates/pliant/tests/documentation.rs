//! The committed page about metrics is that of the program; links of the documentation lead somewhere, and
//! its summary is complete.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

#[test]
fn the_page_about_metrics_is_current() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/metrics.md");
    let text = pliant::metrics::metrics_page();
    if std::env::var_os("PLIANT_WRITE_DOCS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    assert!(
        std::fs::read_to_string(&path).unwrap_or_default() == text,
        "docs/metrics.md is not that of the program; write it with\n  PLIANT_WRITE_DOCS=1 cargo test --workspace --test documentation"
    );
}

/// Pages of the documentation and of the root, by their paths from the root.
fn pages() -> BTreeMap<PathBuf, String> {
    let root = Path::new(ROOT);
    let mut found = BTreeMap::new();
    let mut waiting = vec![PathBuf::from("docs")];
    let named = |entry: std::io::Result<std::fs::DirEntry>| PathBuf::from(entry.unwrap().file_name());
    waiting.extend(std::fs::read_dir(root).unwrap().map(named).filter(|name| is_page(name)));
    while let Some(path) = waiting.pop() {
        let full = root.join(&path);
        if full.is_dir() {
            waiting.extend(std::fs::read_dir(full).unwrap().map(|entry| path.join(named(entry))));
        } else if is_page(&path) {
            found.insert(path, std::fs::read_to_string(full).unwrap());
        }
    }
    found
}

fn is_page(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "md")
}

/// The text outside of blocks, equations and words in backticks.
fn prose(page: &str) -> String {
    let mut in_block = false;
    let mut text = String::new();
    for line in page.lines() {
        in_block ^= line.starts_with("```");
        // Equations are indented.
        if !in_block && !line.starts_with("    ") {
            text.extend(line.split('`').step_by(2));
            text.push('\n');
        }
    }
    text
}

/// Anchors of the headings of a page, as GitHub and mdBook make them.
fn anchors(page: &str) -> BTreeSet<String> {
    let mut in_block = false;
    let mut found = BTreeSet::new();
    for line in page.lines() {
        in_block ^= line.starts_with("```");
        let Some(heading) = line.strip_prefix('#').filter(|_| !in_block) else { continue };
        let heading = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        found.insert(kept.map(|c| if c == ' ' { '-' } else { c }).collect());
    }
    found
}

/// Links between pages, to pictures and to other files of the repository lead somewhere.
#[test]
fn no_link_is_dead() {
    let pages = pages();
    let (mut count, mut dead) = (0, Vec::new());
    for (path, text) in &pages {
        for target in prose(text).split("](").skip(1).filter_map(|rest| rest.split_once(')')) {
            let (target, anchor) = target.0.split_once('#').unwrap_or((target.0, ""));
            if target.contains("://") {
                continue;
            }
            count += 1;
            let mut named = path.clone();
            if !target.is_empty() {
                named.pop();
                for part in target.split('/') {
                    if part == ".." {
                        assert!(named.pop(), "{}: {target}", path.display())
                    } else {
                        named.push(part)
                    }
                }
            }
            let leads = match pages.get(&named) {
                Some(page) => anchor.is_empty() || anchors(page).contains(anchor),
                // A folder has no page of its own in the site.
                None => anchor.is_empty() && Path::new(ROOT).join(&named).is_file(),
            };
            if !leads {
                dead.push(format!("{}: {target}#{anchor}", path.display()));
            }
        }
    }
    assert!(dead.is_empty() && count > 150, "of {count} links are dead:\n{}", dead.join("\n"));
}

/// The site has every page of docs/, each once.
#[test]
fn the_summary_lists_every_page() {
    let pages = pages();
    let summary = &pages[Path::new("docs/SUMMARY.md")];
    let listed: Vec<_> =
        summary.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0)).collect();
    let once: BTreeSet<_> = listed.iter().collect();
    assert_eq!(once.len(), listed.len(), "a page is listed twice");
    for path in pages.keys().filter_map(|path| path.strip_prefix("docs").ok()) {
        let name = path.to_string_lossy();
        assert!(name == "SUMMARY.md" || listed.contains(&name.as_ref()), "docs/SUMMARY.md has no {name}");
    }
}
