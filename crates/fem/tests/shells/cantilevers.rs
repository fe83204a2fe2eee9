//! The shells of FEDEM's element cantilevers (1.0 × 0.2 × 0.1 m of steel, RBE2 at both ends) on the very
//! meshes: the linear elements against their quadratic cousins, tip deflection under gravity and the first
//! three frequencies, clamped at one end and at both. The table also shows the free structure and lumped
//! mass, where Nastran's lumping of a few large elements decides.

use nalgebra::Vector3;
use pliant_fem::assembly::AssemblyOptions;
use pliant_fem::constraint::ConstraintOptions;
use pliant_fem::element::MassKind;
use pliant_fem::solve::Reduction;
use pliant_fem::{ModesOptions, modes, statics};
use pliant_mesh::element::ShellShape;
use pliant_mesh::{Components, LinkMesh, Load, LoadKind, NodeIndex, SetId, Subcase, Units};

use crate::plates::{Model, Plate};

/// A deck with the interface grids that its ASET card names; `None` when the shared data is not there.
fn deck(name: &str) -> Option<(LinkMesh, [NodeIndex; 2])> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/fedem/element-cantilevers");
    let path = std::path::Path::new(folder).join(name);
    if !path.exists() {
        println!("SKIPPED: {} is not there", path.display());
        return None;
    }
    let read = pliant_bulk::read(path, Units::SI);
    assert!(!read.diagnostics.has_errors(), "{name} cannot be read");
    let mesh = read.output.mesh;
    let ends = [mesh.dof_sets.a[0].0, mesh.dof_sets.a[1].0];
    Some((mesh, ends))
}

/// Deflection of the free end under 9.81 m/s² along y.
fn tip_deflection(mesh: &LinkMesh, ends: [NodeIndex; 2]) -> f64 {
    let mut mesh = mesh.clone();
    mesh.nodes[ends[0].index()].permanent_spc = Components::ALL;
    mesh.loads.push(Load {
        set: SetId(1),
        kind: LoadKind::Gravity { acceleration: Vector3::new(0.0, 9.81, 0.0) },
        source: Default::default(),
    });
    mesh.case_control.subcases = vec![Subcase { id: 1, load: Some(SetId(1)), ..Subcase::default() }];
    mesh.dof_sets = Default::default();
    let answer = statics(&mesh).expect("the deck can be solved").output;
    answer.subcases[0].u[answer.dofs.rows_of(ends[1]).start + 1]
}

/// The first three elastic frequencies with some grids clamped.
fn first_three(mesh: &LinkMesh, clamped: &[NodeIndex], mass: MassKind) -> Vec<f64> {
    let options = ModesOptions {
        constraints: ConstraintOptions {
            clamped: clamped.iter().map(|n| (*n, Components::ALL)).collect(),
            ..ConstraintOptions::default()
        },
        assembly: AssemblyOptions { mass, nsm: None },
        count: Some(9),
        above_hz: None,
        below_hz: None,
        normalisation: Default::default(),
        reduction: Reduction::None,
    };
    let found = modes(mesh, &options).expect("the deck has modes").output;
    // What is left of rigid motion is millihertz.
    let elastic = found.frequencies_hz.into_iter().filter(|f| *f > 1.0);
    elastic.take(3).collect()
}

/// The first three elastic frequencies of the same bar in 8 × 4 CQUAD8, with both ends held or free.
fn refined(held: bool) -> Vec<f64> {
    let steel = Plate { youngs_modulus: 2.068e11, poisson_ratio: 0.29, density: 7820.0, thickness: 0.1 };
    let mut model = Model::new(ShellShape::Quad8, steel, (8, 4), |xi, eta| Vector3::new(xi, 0.2 * eta, 0.0));
    let last = model.last().0;
    if held {
        model.fix_where("123456", |i, _| i == 0 || i == last);
    }
    let rigid = if held { 0 } else { 6 };
    model.frequencies(MassKind::Consistent, 100.0, rigid + 3).split_off(rigid)
}

/// Against the quadratic decks, as issue 3 asks. With both ends held or free the third mode is torsion, in
/// which the four CQUAD8 of that deck are themselves 5 and 6 % too high, because shear that is linear across
/// the width makes the torsion constant of a strip twice as wide as thick 12 % too large. There a finer mesh
/// of them is the measure; its free torsion, 1187.7 Hz, is that of Saint-Venant's constant, √(GJ/ρI_p)/2L =
/// 1187 Hz.
#[test]
fn linear_shells_agree_with_quadratic_ones() {
    let fine = [refined(true), refined(false)];
    for (linear, quadratic) in [("CQUAD04_.nas", "CQUAD08_.nas"), ("CTRIA03_.nas", "CTRIA06_.nas")] {
        let (Some((a, a_ends)), Some((b, b_ends))) = (deck(linear), deck(quadratic)) else { return };
        let (found, wanted) = (tip_deflection(&a, a_ends), tip_deflection(&b, b_ends));
        println!("{linear} tip {found:.5e}, {quadratic} {wanted:.5e}: {:.4}", found / wanted);
        // 3 %: what issue 3 asks for.
        assert!((found / wanted - 1.0).abs() < 0.03, "{linear}: tip {found:e} for {wanted:e}");
        for (held, name) in [(1, "cantilever"), (2, "both ends held"), (0, "free")] {
            for mass in [MassKind::Consistent, MassKind::Lumped] {
                // CTRIA3 of constant strain bend too little in their plane: 38 % in frequency with two cells
                // across, so that modes change order after the first, which bends out of it.
                let in_plane_is_stiff = linear.starts_with("CTRIA");
                let found = first_three(&a, &a_ends[..held], mass);
                let cousin = first_three(&b, &b_ends[..held], mass);
                let fine = [&fine[1], &cousin, &fine[0]][held];
                print!("{linear} {name:<15} {:<11}", format!("{mass:?}"));
                for ((f, c), r) in found.iter().zip(&cousin).zip(fine) {
                    print!(" {f:8.2} = {:.4} of the cousin's, {:.4} of the refined", f / c, f / r);
                    let error = (f / c - 1.0).abs().min((f / r - 1.0).abs());
                    let excused = mass == MassKind::Lumped || in_plane_is_stiff && f != &found[0];
                    assert!(error < 0.03 || excused, "{linear} {name}: {found:?}");
                }
                println!();
            }
        }
    }
}
