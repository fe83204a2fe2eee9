//! Spans, order, headlines and suggestions: what every message of the program is built of.

use pliant_diag::{
    Diagnostic, Diagnostics, FileId, LineColumn, Located, Origin, Severity, SourceMap, Span, closest,
    read_input,
};

fn span(file: u16, start: usize, end: usize) -> Span {
    Span::new(FileId(file), start, end)
}

#[test]
fn a_span_is_eight_bytes_and_saturates() {
    assert_eq!(size_of::<Span>(), 8, "every grid and element keeps one");
    assert_eq!(span(0, 5, 9).length, 4);
    assert_eq!(span(0, 9, 5).length, 0, "an end before the start is an empty span");
    assert_eq!(span(0, 0, 70_000).length, u16::MAX);
}

#[test]
fn a_location_is_no_part_of_a_value() {
    assert_eq!(Origin::from(span(0, 1, 2)), Origin::default());
    let (here, there) = (Located::at(Some(span(0, 1, 2)), 7), Located::at(None, 7));
    assert_eq!(here, there);
    assert_eq!((here.span(), there.span()), (Some(span(0, 1, 2)), None));
    assert_ne!(here, Located::at(Some(span(0, 1, 2)), 8));
    // Debug output is compared and hashed by tests: it must not depend on where something stood.
    assert_eq!(format!("{here:?}"), format!("{there:?}"));
}

#[test]
fn sorting_is_by_file_and_offset_and_keeps_the_rest_in_order() {
    let mut all: Diagnostics = [
        Diagnostic::error("late").at(span(1, 0, 1)),
        Diagnostic::note("second").at(span(0, 20, 21)),
        Diagnostic::warning("nowhere, found first"),
        Diagnostic::error("first").at(span(0, 3, 4)),
        Diagnostic::error("nowhere, found second"),
        Diagnostic::error("second, found later").at(span(0, 20, 25)),
    ]
    .into_iter()
    .collect();
    all.sort_by_location();
    let messages: Vec<_> = all.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(
        messages,
        ["nowhere, found first", "nowhere, found second", "first", "second", "second, found later", "late"]
    );
    assert_eq!([Severity::Error, Severity::Warning, Severity::Note].map(|s| all.count(s)), [4, 1, 1]);
}

#[test]
fn warnings_are_no_errors() {
    let mut all = Diagnostics::new();
    assert!(all.is_empty() && !all.has_errors());
    all.push(Diagnostic::note("a"));
    all.extend([Diagnostic::warning("b")]);
    assert!(!all.has_errors());
    all.push(Diagnostic::error("c"));
    assert!(all.has_errors() && all.len() == 3);
    all.truncate(2);
    assert!(!all.has_errors());
    assert!(Severity::Note < Severity::Warning && Severity::Warning < Severity::Error);
}

#[test]
fn a_headline_names_card_and_field_as_the_guide_numbers_them() {
    let plain = Diagnostic::error("expected an integer");
    assert_eq!(plain.headline(), "expected an integer");
    assert_eq!(plain.clone().card("CTETRA 1207").headline(), "CTETRA 1207: expected an integer");
    let full = plain.clone().card("CTETRA 1207").field(5, "G3");
    assert_eq!(full.headline(), "CTETRA 1207, field 5 (G3): expected an integer");
    assert_eq!(plain.field(5, "G3").headline(), "field 5 (G3): expected an integer");
}

#[test]
fn lines_end_as_in_the_file_and_columns_count_bytes() {
    let mut map = SourceMap::new();
    let first = map.add("a.toml", "a = 1\nü = 2\r\n".as_bytes().to_vec()).unwrap();
    let second = map.add("b.toml", b"bad \xff byte".to_vec()).unwrap();
    assert_eq!((first, second), (FileId(0), FileId(1)));
    // The = of line 2 is the third character and the fourth byte.
    assert_eq!(map.line_column(span(0, 9, 10)), LineColumn { line: 2, column: 4 });
    assert_eq!(map.file(first).line_text(2), "ü = 2");
    assert_eq!(map.file(second).line_text(1), "bad \u{fffd} byte");
    let paths: Vec<_> = map.files().map(|(_, file)| file.path().to_string_lossy().into_owned()).collect();
    assert_eq!(paths, ["a.toml", "b.toml"]);
}

#[test]
fn a_slip_is_suggested_and_a_stranger_is_not() {
    let keys = ["stiffness", "damping", "mass", "grids"];
    for (slip, meant) in [
        ("stifness", "stiffness"),
        ("stiffnes", "stiffness"),
        ("dampnig", "damping"),
        ("MASS", "mass"),
        ("girds", "grids"),
        ("stiff", "stiffness"),
    ] {
        assert_eq!(closest(slip, keys), Some(meant), "{slip}");
    }
    for stranger in ["", "x", "colour", "gravity"] {
        assert_eq!(closest(stranger, keys), None, "{stranger}");
    }
    // The nearest of several, and the first of equals.
    assert_eq!(closest("grid", ["grids", "grid_"]), Some("grids"));
    assert_eq!(closest("modes", ["nodes", "modes"]), Some("modes"));
}

#[test]
fn only_regular_files_are_read() {
    let file = std::env::temp_dir().join(format!("pliant-diag-{}.txt", std::process::id()));
    std::fs::write(&file, b"content").unwrap();
    assert_eq!(read_input(&file, 1 << 20).unwrap(), b"content");
    std::fs::remove_file(&file).unwrap();
    assert_eq!(read_input(&file, 1 << 20).unwrap_err().kind(), std::io::ErrorKind::NotFound);
    assert!(read_input(&std::env::temp_dir(), 1 << 20).is_err(), "a folder");
    #[cfg(unix)]
    assert_eq!(
        read_input("/dev/null".as_ref(), 1 << 20).unwrap_err().to_string(),
        "it is not a regular file"
    );
}
