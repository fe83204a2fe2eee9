//! The committed page about metrics is that of the program.

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
