//! Decks made on the spot.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};

use pliant_fem::{BucklingOptions, buckling};
use pliant_mesh::Units;

/// Bulk data below a SOL 105 header: subcase 1 loads (LOAD 1, SPC 1), subcase 2 buckles.
#[derive(Default)]
pub(crate) struct Bulk(pub(crate) String);

impl Bulk {
    /// One free-field card.
    pub(crate) fn card(&mut self, fields: std::fmt::Arguments<'_>) {
        writeln!(self.0, "{fields}").unwrap();
    }

    pub(crate) fn grid(&mut self, id: usize, x: [f64; 3]) {
        let [x, y, z] = x;
        self.card(format_args!("GRID,{id},,{x:.9},{y:.9},{z:.9}"));
    }

    /// The load factors of smallest magnitude.
    pub(crate) fn factors(&self, count: usize) -> Vec<f64> {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let name =
            format!("pliant-buckling-{}-{}.bdf", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        let head = "SOL 105\nCEND\nSPC = 1\nSUBCASE 1\n LOAD = 1\nSUBCASE 2\n METHOD = 1\n STATSUB = 1\nBEGIN BULK\n";
        std::fs::write(&path, format!("{head}EIGRL,1,,,{count}\n{}ENDDATA\n", self.0)).unwrap();
        let read = pliant_bulk::read(&path, Units::SI);
        std::fs::remove_file(&path).unwrap();
        assert!(!read.diagnostics.has_errors(), "{:?}", read.diagnostics);
        let found = buckling(&read.output.mesh, BucklingOptions::default());
        let found = found.unwrap_or_else(|problems| panic!("{problems:?}")).output;
        assert_eq!(found.subcases.len(), 1);
        for residual in &found.subcases[0].residuals {
            assert!(*residual < 1e-8, "residual {residual:e}");
        }
        found.subcases[0].factors.clone()
    }
}

/// Prints and compares with a tolerance.
pub(crate) fn compare(what: &str, found: f64, exact: f64, tolerance: f64) {
    println!("{what}: {found:.6e}, exact {exact:.6e}, {:+.3} %", 100.0 * (found / exact - 1.0));
    assert!((found / exact - 1.0).abs() < tolerance, "{what}: {found} for {exact}");
}
