//! NX Nastran's own OP4 file against the same matrices as CSV.

use std::path::Path;

use pliant_reduce::import::read_op4;

#[test]
fn nx_nastran_op4_equals_its_csv() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/nastran/yeti_inboard_cb");
    let Ok(bytes) = std::fs::read(folder.join("ref_inboard.op4")) else {
        println!("SKIPPED: no {}", folder.display());
        return;
    };
    let matrices = read_op4(&bytes).unwrap();
    for name in ["KXX", "MXX"] {
        let matrix = matrices.iter().find(|m| m.name == name).unwrap();
        let csv = folder.join(format!("ref_inboard_{}.csv", name.to_lowercase()));
        let text = std::fs::read_to_string(csv).unwrap();
        let rows: Vec<Vec<f64>> =
            text.lines().map(|line| line.split(',').map(|x| x.parse().unwrap()).collect()).collect();
        let values = matrix.values();
        assert_eq!(values.shape(), (rows.len(), rows[0].len()));
        let scale = values.amax();
        for (i, row) in rows.iter().enumerate() {
            for (j, expected) in row.iter().enumerate() {
                // The CSV holds 16 digits.
                assert!((values[(i, j)] - expected).abs() <= 1e-15 * scale, "{name} {i} {j}");
            }
        }
    }
}
