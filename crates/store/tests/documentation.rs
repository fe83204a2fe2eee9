//! The page on the results file is that of the program.

#[test]
fn the_page_on_the_results_file_is_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/results-file.md");
    let page = pliant_store::results::results_page();
    if std::env::var_os("PLIANT_WRITE_DOCS").is_some() {
        std::fs::write(path, &page).expect("the page can be written");
    }
    let found = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        found == page,
        "docs/results-file.md is not that of the program; write it with\n  PLIANT_WRITE_DOCS=1 cargo test --workspace --test documentation"
    );
}
