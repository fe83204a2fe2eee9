//! The committed page about metrics is that of the program, and the commands of README.md name files that
//! exist.

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

/// Results and new folders are written by commands above them; every other path is in the repository.
#[test]
fn the_commands_of_the_readme_name_files_that_exist() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let commands = readme.lines().filter(|line| line.starts_with("scripts/"));
    let words = commands.flat_map(str::split_whitespace).filter(|word| word.contains('/'));
    let paths: Vec<_> = words.filter(|word| !word.starts_with("results/")).collect();
    assert!(paths.len() > 15, "{paths:?}");
    let missing: Vec<_> = paths.iter().filter(|path| !root.join(path).exists()).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
