//! Links as files of other codes: what is written says what the link is, and standard input data becomes the
//! link that it was.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]

use std::fs;
use std::path::Path;

use nalgebra::{DMatrix, Matrix6};
use pliant::export::{LinkKind, link as export};
use pliant::link::{CachedLink, reduce};
use pliant_link::ReducedLink;

/// A tapered, twisted column of four bricks along x, so that no two of its frequencies are the same.
fn bricks() -> String {
    let mut deck = "BEGIN BULK\nMAT1,1,2.1e11,,.3,7850.\nPSOLID,1,1\n".to_owned();
    for k in 0..5u32 {
        let (x, h, w) = (0.25 * f64::from(k), 0.06 - 0.005 * f64::from(k), 0.1 + 0.004 * f64::from(k));
        for (i, (y, z)) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].into_iter().enumerate() {
            let shift = 0.01 * f64::from(k * k);
            deck += &format!(
                "GRID,{},,{x:?},{:?},{:?}\n",
                4 * k + i as u32 + 1,
                y * w / 2.0 + shift,
                z * h / 2.0
            );
        }
    }
    for k in 0..4u32 {
        let grids: Vec<String> = (1..=8).map(|i| (4 * k + i).to_string()).collect();
        deck += &format!(
            "CHEXA,{},1,{},{},{},{},{},{}\n,{},{}\n",
            k + 1,
            grids[0],
            grids[1],
            grids[2],
            grids[3],
            grids[4],
            grids[5],
            grids[6],
            grids[7]
        );
    }
    deck + "ENDDATA\n"
}

/// The link of these lines of a table, in a folder with the bricks.
fn link(folder: &Path, lines: &str) -> CachedLink {
    fs::write(folder.join("bricks.bdf"), bricks()).unwrap();
    let text = format!(
        "[links.l]\n{lines}\n[joints.j]\nparent = 'ground'\nchild = 'l'\ntype = 'fixed'\n[analysis]\nend = 1\nstep = 1e-3\n"
    );
    fs::write(folder.join("m.toml"), text).unwrap();
    let case =
        pliant::load(&folder.join("m.toml")).unwrap_or_else(|failed| panic!("{:?}", failed.diagnostics));
    let request = &case.output.links().requests[0];
    reduce(request, None).unwrap_or_else(|failed| panic!("{failed:?}"))
}

const FORWARD: &str = "deck = 'bricks.bdf'\ninboard = [1, 2, 3, 4]\ninterfaces = { tip = [17, 18, 19, 20] }\nmodes = { count = 6 }\ndamping = { ratio = 0.02 }";
const BACKWARD: &str = "deck = 'bricks.bdf'\ninboard = [17, 18, 19, 20]\ninterfaces = { root = [1, 2, 3, 4] }\nmodes = { count = 6 }";

#[test]
fn every_format_says_what_the_link_is() {
    let folder = tempfile::tempdir().unwrap();
    let made = link(folder.path(), FORWARD);
    for kind in LinkKind::ALL {
        let exported = export(&made.link, kind).unwrap();
        // Texts with twelve digits, numbers of bulk data with ten at least; binary files keep all their bits.
        assert!(exported.difference < 1e-9, "{kind}: {:e}", exported.difference);
        assert!(exported.files.iter().all(|(_, bytes)| !bytes.is_empty()));
        // The formats are linear, and say so.
        assert!(exported.notes.iter().any(|note| note.message.contains("linear")), "{kind}");
    }
    // Without the components of its interfaces there are no absolute coordinates.
    let cantilever = link(folder.path(), &format!("{FORWARD}\nbasis = 'cantilever'"));
    assert!(export(&cantilever.link, LinkKind::Simscape).unwrap_err().message.contains("six components"));
    assert!(export(&cantilever.link, LinkKind::Sid).unwrap().difference < 1e-9);
}

fn close(a: &DMatrix<f64>, b: &DMatrix<f64>, what: &str) {
    let error = (a - b).amax() / b.amax();
    // Twelve digits of the file, through differences of larger numbers.
    assert!(error < 1e-8, "{what}: {error:e}");
}

fn dynamic(A: &Matrix6<f64>) -> DMatrix<f64> {
    DMatrix::from_column_slice(6, 6, A.as_slice())
}

/// Every block of `found` beside that of `expected` in coordinates q' = L q.
fn same(found: &ReducedLink, expected: &ReducedLink, L: &DMatrix<f64>) {
    let (a, b, n) = (&found.invariants, &expected.invariants, found.coordinate_count());
    close(&dynamic(&a.M0), &dynamic(&b.M0), "M0");
    close(&a.C0, &(&b.C0 * L), "C0");
    close(&a.M_EE, &(L.transpose() * &b.M_EE * L), "M_EE");
    close(&found.K, &(L.transpose() * &expected.K * L), "K");
    close(&a.A, &(&b.A * L), "A");
    // Blocks of rows by one coordinate, columns by the other.
    let both = |A: &DMatrix<f64>, rows: usize| {
        let across = A * L;
        DMatrix::from_fn(rows * n, n, |row, k| {
            (0..n).map(|j| across[(rows * j + row % rows, k)] * L[(j, row / rows)]).sum()
        })
    };
    close(&a.B, &both(&b.B, 6), "B");
    close(&a.C, &both(&b.C, 3), "C");
}

/// The file of a link, clamped at its other end, is the link that the mesh gives from that end: the space of
/// Craig and Bampton is the same from both.
#[test]
fn standard_input_data_is_the_link_from_either_end() {
    let folder = tempfile::tempdir().unwrap();
    let forward = link(folder.path(), FORWARD);
    let exported = export(&forward.link, LinkKind::Sid).unwrap();
    fs::write(folder.path().join("l.SID_FEM"), &exported.files[0].1).unwrap();
    // Known by its content, whatever its name.
    fs::write(folder.path().join("l.dat"), &exported.files[0].1).unwrap();
    let again = link(folder.path(), "deck = 'l.dat'\ninboard = 1\ninterfaces = { tip = 2 }");
    let n = again.link.coordinate_count();
    same(&again.link, &forward.link, &DMatrix::identity(n, n));
    close(&again.link.D, &forward.link.D, "D");

    let turned = link(folder.path(), "sid = 'l.SID_FEM'\ninboard = 2\ninterfaces = { root = 1 }");
    let direct = link(folder.path(), BACKWARD);
    // Of the direct link, the first six coordinates are the components of the root; its modes are those of
    // the file but for their signs.
    let mut L = DMatrix::zeros(n, n);
    let V = &turned.link.interfaces[0].V;
    L.view_mut((0, 0), (6, n)).copy_from(V);
    for j in 6..n {
        let (a, b) = (turned.link.invariants.C0.column(j), direct.link.invariants.C0.column(j));
        L[(j, j)] = a.dot(&b).signum();
    }
    same(&turned.link, &direct.link, &L);
    let (a, b) = (&turned.link.interfaces[0].X_LT, &direct.link.interfaces[0].X_LT);
    assert!((a.p - b.p).norm() < 1e-10);
}

#[test]
fn what_is_wrong_with_standard_input_data_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let forward = link(folder.path(), FORWARD);
    let text = String::from_utf8(export(&forward.link, LinkKind::Sid).unwrap().files[0].1.clone()).unwrap();
    let refused = |text: &str, lines: &str| {
        fs::write(folder.path().join("l.SID_FEM"), text).unwrap();
        let table = format!(
            "[links.l]\nsid = 'l.SID_FEM'\n{lines}\n[joints.j]\nparent = 'ground'\nchild = 'l'\ntype = 'fixed'\n[analysis]\nend = 1\nstep = 1e-3\n"
        );
        fs::write(folder.path().join("m.toml"), table).unwrap();
        let case = pliant::load(&folder.path().join("m.toml")).unwrap();
        let failed = reduce(&case.output.links().requests[0], None).unwrap_err();
        failed
            .request
            .iter()
            .chain(failed.deck.iter())
            .map(|p| p.message.clone())
            .collect::<Vec<_>>()
            .join("; ")
    };
    let good = "inboard = 1\ninterfaces = { tip = 2 }";
    assert!(refused(&text, "inboard = 1\ninterfaces = { tip = 3 }").contains("no GRID 3"));
    assert!(refused(&text, "inboard = [1, 2]\ninterfaces = { tip = 2 }").contains("not a node"));
    assert!(refused(&text, &format!("units = 'mm-t-s'\n{good}")).contains("is in SI"));
    assert!(
        refused(&text.replace(" Ke\n", " Kx\n").replace("end Ke", "end Kx"), good).contains("no matrix `Ke`")
    );
    let cut = refused(&text[..text.len() / 2], good);
    assert!(cut.contains("l.SID_FEM") || cut.contains("ends before") || cut.contains("expected"), "{cut}");
}

/// `Beam_3m` of EMBS_ModelicaLib (V. Waurich, MIT): its own model shows 9.089 and 27.028 Hz.
#[test]
#[ignore = "PLIANT_SID_SAMPLES names a folder with Beam_3m.SID_FEM"]
fn the_frequencies_of_beam_3m() {
    let folder = tempfile::tempdir().unwrap();
    let samples = std::env::var("PLIANT_SID_SAMPLES").unwrap();
    let made = link(
        folder.path(),
        &format!("deck = '{samples}/Beam_3m.SID_FEM'\ninboard = 179\ninterfaces = {{ tip = 4 }}"),
    );
    let hz = &made.health.modes_hz;
    assert!((hz[0] - 9.089).abs() < 6e-4 && (hz[1] - 27.028).abs() < 6e-4, "{hz:?}");
    assert!((made.health.mass - 706.5).abs() < 1e-9);
}
