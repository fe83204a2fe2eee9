//! The picture of the interpolations in the reference is drawn by the tables themselves.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write;
use std::path::Path;

use pliant_mechanism::{Interpolation, Outside, Table};

const ROWS: ([f64; 6], [f64; 6]) = ([1.0, 2.0, 3.0, 6.0, 7.0, 8.0], [0.5, 0.5, 2.5, 2.5, 1.0, 1.5]);
const KINDS: [(Interpolation, &str, &str); 4] = [
    (Interpolation::Linear, "linear", "#1f5fa8"),
    (Interpolation::Cubic, "cubic", "#c23b22"),
    (Interpolation::Monotone, "monotone", "#2a7f3f"),
    (Interpolation::Step, "step", "#7a4fa3"),
];

/// Four panels, one interpolation each, over the same rows with `outside = "hold"`.
fn picture() -> String {
    let mut svg = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 420\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"720\" height=\"420\" fill=\"white\"/>\n",
    );
    for (k, (kind, name, colour)) in (0u8..).zip(KINDS) {
        let table = Table::new(ROWS.0.to_vec(), ROWS.1.to_vec(), kind, Outside::Hold).unwrap();
        let (left, bottom) = (20.0 + 360.0 * f64::from(k % 2), 190.0 + 210.0 * f64::from(k / 2));
        let at = |x: f64, y: f64| format!("{:.1},{:.1}", left + 35.0 * x, bottom - 40.0 * y);
        let line = |from: f64, to: f64| -> String {
            let points = (0..=600).map(|i| from + (to - from) * f64::from(i) / 600.0);
            points.map(|x| at(x, table.at(x).value)).collect::<Vec<_>>().join(" ")
        };
        writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\">interpolation = \"{name}\"</text>",
            left + 10.0,
            bottom - 150.0
        )
        .unwrap();
        writeln!(svg, "<path d=\"M {} L {}\" stroke=\"#999\" fill=\"none\"/>", at(0.0, 0.0), at(9.0, 0.0))
            .unwrap();
        for (from, to, dash) in [(0.0, 1.0, "4 4"), (1.0, 8.0, "none"), (8.0, 9.0, "4 4")] {
            writeln!(
                svg,
                "<polyline points=\"{}\" stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dash}\" fill=\"none\"/>",
                line(from, to)
            )
            .unwrap();
        }
        for (x, y) in ROWS.0.iter().zip(ROWS.1) {
            let (x, y) = (left + 35.0 * x, bottom - 40.0 * y);
            writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"black\"/>").unwrap();
        }
    }
    svg + "</svg>\n"
}

#[test]
fn the_picture_of_the_interpolations_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/tables/interpolation.svg");
    let drawn = picture();
    if std::env::var_os("PLIANT_WRITE_DOCS").is_some() {
        std::fs::write(&path, &drawn).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == drawn,
        "docs/tables/interpolation.svg is not that of the program; write it with\n  PLIANT_WRITE_DOCS=1 cargo test --workspace --test documentation"
    );
}
