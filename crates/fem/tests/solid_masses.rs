//! Lumped mass of quadratic solids, and gravity on it, against what MSC Nastran 2024.2 prints for unit cubes
//! of one CHEXA, two CPENTA or five CTETRA with mid-side grids (E = 210.123 GPa, ν = 0, ρ = 7800, gravity
//! (10, −14.81, 10), held on the faces x = 0, y = 1 and z = 0; OLOAD and DISPLACEMENT of nas_s30_gravity in
//! MystranSolver/MYSTRAN_Validation). The decks are written here.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;

use pliant_fem::{AssemblyOptions, assemble, load_case, statics};
use pliant_mesh::{GridId, LinkMesh, Units};

const GRAVITY: [f64; 3] = [10.0, -14.81, 10.0];
const MASS: f64 = 7800.0;

/// Corners of the cube, named by the bits of x, y, z: grid 1 + x + 2y + 4z of the half-lattice below.
type Corner = [usize; 3];

const A: Corner = [0, 0, 0];
const B: Corner = [2, 0, 0];
const C: Corner = [2, 2, 0];
const D: Corner = [0, 2, 0];
const E: Corner = [0, 0, 2];
const F: Corner = [2, 0, 2];
const G: Corner = [2, 2, 2];
const H: Corner = [0, 2, 2];

/// Grid of a point of the lattice of half edges.
fn grid([x, y, z]: Corner) -> usize {
    1 + x + 3 * y + 9 * z
}

/// Edges of each card's mid-side grids.
const TETRA: &[[usize; 2]] = &[[0, 1], [1, 2], [2, 0], [0, 3], [1, 3], [2, 3]];
const PENTA: &[[usize; 2]] = &[[0, 1], [1, 2], [2, 0], [0, 3], [1, 4], [2, 5], [3, 4], [4, 5], [5, 3]];
const HEXA: &[[usize; 2]] =
    &[[0, 1], [1, 2], [2, 3], [3, 0], [0, 4], [1, 5], [2, 6], [3, 7], [4, 5], [5, 6], [6, 7], [7, 4]];

/// The cube cut into elements, with what replaces gravity if anything.
fn cube(card: &str, edges: &[[usize; 2]], elements: &[&[Corner]], loads: Option<&str>) -> LinkMesh {
    let middle = |a: Corner, b: Corner| [0, 1, 2].map(|k| (a[k] + b[k]) / 2);
    let mut bulk = String::new();
    let mut used = Vec::new();
    for (id, corners) in (1..).zip(elements) {
        let mids = edges.iter().map(|[i, j]| middle(corners[*i], corners[*j]));
        let points: Vec<Corner> = corners.iter().copied().chain(mids).collect();
        let mut fields = vec![card.to_owned(), id.to_string(), "1".to_owned()];
        fields.extend(points.iter().map(|p| grid(*p).to_string()));
        let (first, rest) = fields.split_at(9);
        writeln!(bulk, "{}", first.join(",")).unwrap();
        rest.chunks(8).for_each(|line| writeln!(bulk, ",{}", line.join(",")).unwrap());
        used.extend(points);
    }
    used.sort_unstable();
    used.dedup();
    for p in used {
        let [x, y, z] = p.map(|c| c as f64 / 2.0);
        writeln!(bulk, "GRID,{},,{x:.1},{y:.1},{z:.1}", grid(p)).unwrap();
        for (k, held) in [p[0] == 0, p[1] == 2, p[2] == 0].into_iter().enumerate() {
            if held {
                writeln!(bulk, "SPC1,1,{},{}", k + 1, grid(p)).unwrap();
            }
        }
    }
    let [gx, gy, gz] = GRAVITY;
    let gravity = format!("GRAV,1,,1.,{gx:.2},{gy:.2},{gz:.2}\n");
    bulk.push_str(loads.unwrap_or(&gravity));
    bulk.push_str("MAT1,1,2.10123+11,1.050615+11,0.,7800.\nPSOLID,1,1,,3,,FULL\n");
    let folder = std::env::temp_dir().join(format!("pliant-cube-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(format!("{card}-{}.bdf", loads.is_some()));
    std::fs::write(&path, format!("SOL 101\nCEND\nSPC = 1\nLOAD = 1\nBEGIN BULK\n{bulk}ENDDATA\n")).unwrap();
    let read = pliant_bulk::read(&path, Units::SI);
    assert!(!read.diagnostics.has_errors(), "{:?}", read.diagnostics);
    read.output.mesh
}

fn hexa() -> LinkMesh {
    cube("CHEXA", HEXA, &[&[A, B, C, D, E, F, G, H]], None)
}

fn tetra() -> LinkMesh {
    let cut: [&[Corner]; 5] = [&[F, G, C, H], &[A, F, H, E], &[A, C, D, H], &[A, F, C, H], &[A, B, C, F]];
    cube("CTETRA", TETRA, &cut, None)
}

/// The cut through x = z.
fn penta(loads: Option<&str>) -> LinkMesh {
    cube("CPENTA", PENTA, &[&[G, H, D, F, E, A], &[D, C, G, A, B, F]], loads)
}

/// Gravity's load along x over gravity, as parts of the cube's mass.
fn shares(mesh: &LinkMesh) -> Vec<(Corner, f64)> {
    let system = assemble(mesh, AssemblyOptions::of_deck(mesh)).unwrap();
    let load = load_case(mesh, system.masses(), &mesh.case_control.subcases[0]).unwrap();
    let lattice = (0..27).map(|k| [k % 3, k / 3 % 3, k / 9]);
    let of = |p: Corner| {
        let node = mesh.node_by_id(GridId(grid(p) as u32))?;
        Some((p, load.f[system.dofs.rows_of(node).start] / (GRAVITY[0] * MASS)))
    };
    lattice.filter_map(of).collect()
}

/// The largest difference of displacements from printed ones, over the largest of them.
fn worst(mesh: &LinkMesh, printed: &[(Corner, [f64; 3])]) -> f64 {
    let answer = statics(mesh).unwrap().output;
    let largest = printed.iter().flat_map(|(_, u)| u).fold(0.0_f64, |a, b| a.max(b.abs()));
    let mut worst = 0.0_f64;
    for (point, wanted) in printed {
        let node = mesh.node_by_id(GridId(grid(*point) as u32)).unwrap();
        let first = answer.dofs.rows_of(node).start;
        for (found, wanted) in answer.subcases[0].u[first..].iter().zip(wanted) {
            worst = worst.max((found - wanted).abs() / largest);
        }
    }
    worst
}

fn is_corner(p: Corner) -> bool {
    p.iter().all(|c| c % 2 == 0)
}

/// Nothing at corners; m/12 at each mid-side grid of a CHEXA; of a CTETRA of any shape m/6, which the
/// elements at an edge add up: the middle one of the five has a third of the mass, the others a sixth.
/// Displacements agree to the seven digits printed.
#[test]
fn gravity_on_chexa_and_ctetra_is_that_of_msc() {
    let (hexa, tetra) = (hexa(), tetra());
    for (p, share) in shares(&hexa) {
        let printed = if is_corner(p) { 0.0 } else { 6500.0 / 78000.0 };
        assert!((share - printed).abs() < 1e-12, "CHEXA, {p:?}: {share} for {printed}");
    }
    for (p, share) in shares(&tetra) {
        // An edge of the cube has one element, a diagonal of a face three.
        let on_edge = p.iter().filter(|c| **c == 1).count() == 1;
        let printed = match (is_corner(p), on_edge) {
            (true, _) => 0.0,
            (false, true) => 2166.667 / 78000.0,
            (false, false) => 8666.667 / 78000.0,
        };
        assert!((share - printed).abs() < 1e-8, "CTETRA, {p:?}: {share} for {printed}");
    }
    let of_hexa = [
        (A, [0.0, -4.144235e-7, 0.0]),
        (B, [2.286350e-7, -4.058348e-7, 0.0]),
        (C, [3.116205e-7, 0.0, 0.0]),
        (F, [1.917248e-7, -3.972462e-7, 1.917248e-7]),
        (G, [2.747103e-7, 0.0, 2.747103e-7]),
        ([1, 0, 0], [1.391033e-7, -3.119144e-7, 0.0]),
        ([2, 1, 2], [1.908005e-7, -2.493359e-7, 1.908005e-7]),
    ];
    let of_tetra = [
        (A, [0.0, -3.659285e-7, 0.0]),
        (B, [1.823463e-7, -2.758363e-7, 0.0]),
        (C, [2.520052e-7, 0.0, 0.0]),
        (F, [2.146479e-7, -3.529198e-7, 2.146479e-7]),
        (G, [1.903850e-7, 0.0, 1.903850e-7]),
        ([1, 0, 1], [1.343852e-7, -2.746045e-7, 1.343852e-7]),
        ([2, 1, 1], [1.881778e-7, -2.070688e-7, 1.391678e-7]),
    ];
    for (name, mesh, printed) in [("CHEXA", &hexa, of_hexa), ("CTETRA", &tetra, of_tetra)] {
        let worst = worst(mesh, &printed);
        println!("{name}: displacements {worst:.1e} off");
        assert!(worst < 1e-6, "{name}: {worst:e}");
    }
}

/// MSC's CPENTA: mid-side grids alone too, but not as its shape functions are: its sides G1–G2 and G2–G3 have
/// .0845 of the mass each, G3–G1 .1170, the edge of G2 .1644 and those of G1 and G3 .1319 on the mean, where
/// the diagonal of the consistent mass has .0952 and .1429. With MSC's loads as forces our displacements are
/// MSC's, so it is the mass alone that differs; in this one cell under gravity they are 10 % apart.
#[test]
fn gravity_on_cpenta_differs_from_msc_by_its_shares_alone() {
    let printed = [
        (C, [2.409805e-7, 0.0, 0.0]),
        (G, [3.093066e-7, 0.0, 3.093066e-7]),
        (A, [0.0, -4.678832e-7, 0.0]),
        (B, [1.679399e-7, -3.608022e-7, 0.0]),
        (F, [2.068394e-7, -4.594306e-7, 2.068394e-7]),
        ([1, 0, 1], [1.273636e-7, -2.595746e-7, 1.273636e-7]),
    ];
    let ours = penta(None);
    let mut forces = String::new();
    for (p, share) in shares(&ours) {
        let on_cut = p[0] == p[2];
        let (along_y, msc) = match (p[1] == 1, on_cut) {
            _ if is_corner(p) => (false, 0.0),
            (true, true) => (true, 10287.26),
            (true, false) => (true, 6411.924),
            (false, true) => (false, 9124.661),
            (false, false) => (false, 3294.038),
        };
        let elements = if on_cut { 2.0 } else { 1.0 };
        let own = if is_corner(p) { 0.0 } else { elements * if along_y { 1.0 / 14.0 } else { 1.0 / 21.0 } };
        assert!((share - own).abs() < 1e-12, "{p:?}: {share} for {own}");
        assert!((share - msc / 78000.0).abs() < 0.5 * elements * 0.024, "{p:?}: {share}, MSC {msc}");
        for (k, g) in GRAVITY.iter().enumerate().filter(|_| msc > 0.0) {
            let mut direction = ["0."; 3];
            direction[k] = "1.";
            writeln!(forces, "FORCE,1,{},,{:.6},{}", grid(p), msc * g / 10.0, direction.join(",")).unwrap();
        }
    }
    let [loaded, heavy] = [penta(Some(&forces)), ours].map(|mesh| worst(&mesh, &printed));
    println!("CPENTA: {loaded:.1e} off with MSC's loads, {heavy:.1e} with ours");
    assert!(loaded < 1e-6, "{loaded:e}");
    assert!(heavy < 0.1, "{heavy}");
}
