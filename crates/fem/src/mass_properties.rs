//! Mass, centre and inertia of a link from the consistent mass of its elements.

use std::collections::BTreeMap;

use nalgebra::{DMatrix, Matrix3, Matrix6, Vector3};
use pliant_diag::{Diagnostic, Diagnostics, Warned};
use pliant_mesh::element::ElementRef;
use pliant_mesh::{Component, LinkMesh, NodeIndex, NodeKind, PropertyId};
use rayon::prelude::*;

use crate::assembly::{NodalTerm, direct_mass_terms};
use crate::dof::rigid_row;
use crate::element::{DofAxes, Element, ElementContext, MassKind, build, solid_masses};
use crate::nsm::extra_nsm;

/// Mass properties in deck units (WTMASS applied) and the deck's basic frame.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct MassProperties {
    /// Mass: the largest of the three directions, which differ only when scalar masses act on some
    /// components.
    pub mass: f64,
    /// Mass that a translation along x, y, z moves.
    pub mass_by_direction: Vector3<f64>,
    /// Centre of mass; the origin when there is no mass.
    pub centre: Vector3<f64>,
    /// Inertia tensor about the centre, basic axes.
    pub inertia: Matrix3<f64>,
    /// RᵀMR about the origin of the basic frame: translations first, then rotations.
    pub rigid: Matrix6<f64>,
    /// Mass of scalar masses at scalar points, which has no position and is in none of the above.
    pub at_scalar_points: f64,
    /// Mass (x direction) by property; elements without a property come by card name.
    pub by_property: Vec<PropertyMass>,
}

/// Share of the mass.
#[derive(Clone, Debug, PartialEq)]
pub struct PropertyMass {
    /// The property; `None` for CONROD, CONM2 and other elements that carry their own.
    pub property: Option<PropertyId>,
    /// Name of the element card, such as `CQUAD4`.
    pub card: String,
    /// How many elements.
    pub count: usize,
    /// Mass, WTMASS applied.
    pub mass: f64,
}

/// RᵀMR of an element, and the mass it puts on scalar points.
type Part = (Matrix6<f64>, f64);

/// Solids that are summed by one thread at a time. Fixed, so that the sum has the same bits for any number of
/// threads.
const CHUNK: usize = 4096;

/// Mass properties of a mesh: Σ RₑᵀMₑRₑ with the consistent mass of each element and rigid-body vectors Rₑ,
/// so offsets, products of inertia and rotary inertia count; the first subcase's NSM set and WTMASS are
/// included.
///
/// The diagnostics hold an error for each element that cannot be built (the output then lacks it).
pub fn mass_properties(mesh: &LinkMesh) -> Warned<MassProperties> {
    let mut diagnostics = Diagnostics::new();
    let nsm = match extra_nsm(mesh, mesh.case_control.subcases.first().and_then(|s| s.nsm)) {
        Ok(nsm) => nsm,
        Err(problems) => {
            diagnostics.extend(problems);
            Default::default()
        }
    };
    let solids = mesh.solids.len();
    let chunks: Vec<_> = (0..solids.div_ceil(CHUNK))
        .into_par_iter()
        .map(|chunk| solid_masses(mesh, chunk * CHUNK..solids.min((chunk + 1) * CHUNK)))
        .collect();
    let doubtful = chunks.iter().flat_map(|(_, rows)| rows).map(|row| ElementRef::Solid(*row as u32));
    let others = mesh.elements().filter(|which| !matches!(which, ElementRef::Solid(_)));
    let elements: Vec<ElementRef> = others.chain(doubtful).collect();
    // Collected in order, so that the sum below has the same bits for any number of threads.
    let parts: Vec<Result<Part, Box<Diagnostic>>> = elements
        .par_iter()
        .map(|which| {
            let extra_nsm = nsm.get(which).copied().unwrap_or(0.0);
            build(ElementContext { mesh, extra_nsm }, *which).map(|e| rigid_mass(mesh, e.as_ref()))
        })
        .collect();
    let mut sum = Sum { wtmass: mesh.wtmass(), ..Sum::default() };
    for share in chunks.iter().flat_map(|(shares, _)| shares) {
        let property = mesh.properties[share.property.index()].id;
        sum.add((Some(property), share.card), share.count, &(share.rigid, 0.0));
    }
    for (which, part) in elements.iter().zip(parts) {
        match part {
            Ok(part) => sum.add((property_of(mesh, *which), mesh.element_facts(*which).card), 1, &part),
            Err(problem) => diagnostics.push(*problem),
        }
    }
    let Sum { mut output, shares, .. } = sum;
    match direct_mass_terms(mesh) {
        Ok(terms) => add_direct_mass(mesh, &terms, &mut output),
        Err(problems) => diagnostics.extend(problems),
    }
    output.by_property = shares
        .into_iter()
        .filter(|(_, (_, mass))| *mass != 0.0)
        .map(|((property, card), (count, mass))| PropertyMass {
            property,
            card: card.to_owned(),
            count,
            mass,
        })
        .collect();
    finish(&mut output, &mut diagnostics);
    Warned { output, diagnostics }
}

/// RᵀMR of the DMIG matrices that M2GG selects.
fn add_direct_mass(mesh: &LinkMesh, terms: &[NodalTerm], output: &mut MassProperties) {
    for ([a, b], value) in terms {
        if [a, b].iter().any(|(node, _)| mesh.node(*node).kind == NodeKind::Scalar) {
            output.at_scalar_points += if a == b { *value } else { 0.0 };
            continue;
        }
        let [a, b] = [a, b].map(|(node, component)| rigid_row(mesh, *node, *component, Vector3::zeros()));
        output.rigid += Matrix6::from_fn(|i, j| a[i] * value * b[j]);
    }
}

/// The mass so far.
#[derive(Default)]
struct Sum {
    wtmass: f64,
    output: MassProperties,
    /// Count and mass along x by property and card.
    shares: BTreeMap<(Option<PropertyId>, &'static str), (usize, f64)>,
}

impl Sum {
    fn add(&mut self, of: (Option<PropertyId>, &'static str), count: usize, (rigid, scalar): &Part) {
        self.output.rigid += self.wtmass * rigid;
        self.output.at_scalar_points += self.wtmass * scalar;
        let share = self.shares.entry(of).or_default();
        share.0 += count;
        share.1 += self.wtmass * rigid[(0, 0)];
    }
}

/// Centre and inertia from the 6×6 about the origin.
fn finish(output: &mut MassProperties, diagnostics: &mut Diagnostics) {
    let rigid = output.rigid;
    let m = Vector3::new(rigid[(0, 0)], rigid[(1, 1)], rigid[(2, 2)]);
    output.mass_by_direction = m;
    output.mass = m.max();
    if output.mass <= 0.0 {
        return;
    }
    if m.min() < (1.0 - 1e-9) * m.max() {
        diagnostics.push(Diagnostic::warning(format!(
            "the mass differs by direction: {:.6e} along x, {:.6e} along y, {:.6e} along z",
            m.x, m.y, m.z
        )));
    }
    // The coupling block is −m[c]×; each coordinate of the centre appears in two rows of different
    // directions.
    let coupling = rigid.fixed_view::<3, 3>(0, 3);
    let mean = |a: (usize, usize, f64), b: (usize, usize, f64)| {
        let terms = [a, b].map(|(i, j, sign)| (sign * coupling[(i, j)], m[i]));
        let mass: f64 = terms.iter().map(|t| t.1).sum();
        if mass > 0.0 { terms.iter().map(|t| t.0).sum::<f64>() / mass } else { 0.0 }
    };
    output.centre = Vector3::new(
        mean((1, 2, 1.0), (2, 1, -1.0)),
        mean((2, 0, 1.0), (0, 2, -1.0)),
        mean((0, 1, 1.0), (1, 0, -1.0)),
    );
    let c = output.centre.cross_matrix();
    // J_c = J_o − [c]× A − Aᵀ[c]×ᵀ + [c]× m [c]×ᵀ with A the coupling block (translation, rotation), general
    // in m.
    let A = coupling.into_owned();
    let shift = c * A;
    output.inertia = rigid.fixed_view::<3, 3>(3, 3) - shift - shift.transpose()
        + c * Matrix3::from_diagonal(&m) * c.transpose();
    output.inertia = 0.5 * (output.inertia + output.inertia.transpose());
}

fn rigid_mass(mesh: &LinkMesh, element: &dyn Element) -> Part {
    let Some(M) = element.mass(MassKind::Consistent) else { return (Matrix6::zeros(), 0.0) };
    let dofs = element.dofs();
    let mut R = DMatrix::zeros(dofs.len(), 6);
    let mut scalar = 0.0;
    for (i, dof) in dofs.iter().enumerate() {
        let node = mesh.node(dof.node);
        if node.kind == NodeKind::Scalar {
            scalar += M[(i, i)];
            continue;
        }
        let row = match element.axes() {
            DofAxes::Displacement => rigid_row(mesh, dof.node, dof.component, Vector3::zeros()),
            DofAxes::Basic => basic_rigid_row(mesh, dof.node, dof.component),
        };
        for (k, value) in row.into_iter().enumerate() {
            R[(i, k)] = value;
        }
    }
    let rigid = R.transpose() * M * R;
    (Matrix6::from_fn(|i, j| rigid[(i, j)]), scalar)
}

fn basic_rigid_row(mesh: &LinkMesh, node: NodeIndex, component: Component) -> [f64; 6] {
    let mut row = [0.0; 6];
    row[component.row()] = 1.0;
    if component.row() < 3 {
        let cross = mesh.node(node).position.cross_matrix();
        for k in 0..3 {
            row[3 + k] = -cross[(component.row(), k)];
        }
    }
    row
}

/// The property of an element, where it has one.
fn property_of(mesh: &LinkMesh, which: ElementRef) -> Option<PropertyId> {
    mesh.element_property(which).map(|p| mesh.properties[p.index()].id)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use pliant_bulk::{Deck, Options, deck_from_cards, read_cards_from};
    use pliant_mesh::element::SolidShape;

    use super::*;

    /// Σ RᵀMR of elements that are built one by one, with their NSM and WTMASS.
    fn built(mesh: &LinkMesh) -> Matrix6<f64> {
        let nsm = extra_nsm(mesh, mesh.case_control.subcases.first().and_then(|s| s.nsm)).unwrap();
        let rigid = mesh.elements().map(|which| {
            let extra_nsm = nsm.get(&which).copied().unwrap_or(0.0);
            rigid_mass(mesh, build(ElementContext { mesh, extra_nsm }, which).unwrap().as_ref()).0
        });
        mesh.wtmass() * rigid.sum::<Matrix6<f64>>()
    }

    fn read(text: String) -> LinkMesh {
        let cards = read_cards_from("t.bdf", text.into_bytes(), &mut |_| unreachable!("no INCLUDE"));
        let read: Warned<Deck> = deck_from_cards(cards, &Options::default());
        assert!(!read.diagnostics.has_errors(), "{:?}", read.diagnostics);
        read.output.mesh
    }

    /// Sums of a few thousand products of numbers of one size: rounding grows at most with their number.
    fn assert_same(found: &Matrix6<f64>, expected: &Matrix6<f64>, what: &str) {
        let error = (found - expected).amax() / expected.amax();
        assert!(error < 1e-12, "{what}: {error:.1e}");
    }

    fn corners(shape: SolidShape) -> &'static [[f64; 3]] {
        match shape {
            SolidShape::Tetra4 | SolidShape::Tetra10 => {
                &[[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]]
            }
            SolidShape::Pyramid5 | SolidShape::Pyramid13 => {
                &[[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.], [0.5, 0.5, 1.]]
            }
            SolidShape::Penta6 | SolidShape::Penta15 => {
                &[[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.], [1., 0., 1.], [0., 1., 1.]]
            }
            SolidShape::Hexa8 | SolidShape::Hexa20 => &[
                [0., 0., 0.],
                [1., 0., 0.],
                [1., 1., 0.],
                [0., 1., 0.],
                [0., 0., 1.],
                [1., 0., 1.],
                [1., 1., 1.],
                [0., 1., 1.],
            ],
        }
    }

    /// Distorted solids of every shape, quadratic ones with all, some and none of their mid-side nodes, five
    /// of each: more than the lanes of a batch. Two materials of different density take turns, and the second
    /// element of each kind has none.
    #[test]
    fn moments_of_solids_are_those_of_their_mass_matrices() {
        let shapes = [
            ("CTETRA", SolidShape::Tetra10),
            ("CPYRAM", SolidShape::Pyramid13),
            ("CPENTA", SolidShape::Penta15),
            ("CHEXA", SolidShape::Hexa20),
        ];
        let mut text = String::from("PARAM,WTMASS,2.5\nMAT1,1,2.+11,,.3,7850.\nMAT1,2,7.+10,,.3,2700.\n");
        text.push_str("MAT1,3,7.+10,,.3\nPSOLID,1,1\nPSOLID,2,2\nPSOLID,3,3\n");
        let mut noise = 0.37_f64;
        let mut shake = |x: f64, size: f64| {
            noise = (noise * 997.0 + 0.123).fract();
            x + size * (noise - 0.5)
        };
        let (mut grid, mut element) = (0, 0);
        for (card, shape) in shapes {
            for mids in [0, 0b1011_0101_1010, (1 << shape.edges().len()) - 1] {
                for which in 0..5 {
                    element += 1;
                    let property = [1, 3, 2, 1, 2][which];
                    let mut line = format!("{card},{element},{property}");
                    let corners: Vec<[f64; 3]> = corners(shape)
                        .iter()
                        .map(|x| x.map(|x| shake(x + 2.0 * f64::from(element), 0.2)))
                        .collect();
                    let mut points: Vec<Option<[f64; 3]>> = corners.iter().copied().map(Some).collect();
                    for (edge, [a, b]) in shape.edges().iter().enumerate() {
                        let mid = [0, 1, 2].map(|k| shake(0.5 * (corners[*a][k] + corners[*b][k]), 0.04));
                        points.push((mids & (1 << edge) != 0).then_some(mid));
                    }
                    while points.last() == Some(&None) {
                        points.pop();
                    }
                    for (k, point) in points.iter().enumerate() {
                        if k % 8 == 6 {
                            line.push_str(",\n");
                        }
                        line.push(',');
                        if let Some([x, y, z]) = point {
                            grid += 1;
                            text.push_str(&format!("GRID,{grid},,{x:.6},{y:.6},{z:.6}\n"));
                            line.push_str(&grid.to_string());
                        }
                    }
                    text.push_str(&line);
                    text.push('\n');
                }
            }
        }
        let mesh = read(text);
        assert_eq!(mesh.solids.len(), 60);
        let found = mass_properties(&mesh);
        assert!(!found.diagnostics.has_errors(), "{:?}", found.diagnostics);
        assert_same(&found.output.rigid, &built(&mesh), "all shapes");
        let counts: Vec<usize> = found.output.by_property.iter().map(|share| share.count).collect();
        assert_eq!(
            counts.iter().sum::<usize>(),
            48,
            "those with a density, by property and card: {counts:?}"
        );
    }

    /// Offsets, NSM of property and set, CONM2 with an offset, a tapered shell, a laminate and WTMASS beside
    /// solids.
    #[test]
    fn everything_else_counts_as_its_elements_do() {
        let text = "SOL 103\nCEND\nNSM = 9\nBEGIN BULK\nPARAM,WTMASS,.00259\nMAT1,1,3.+7,,.3,.283\nMAT8,2,2.+7,1.+6,.3,5.+5,,,.06\n\
                    PSHELL,1,1,.1,1,,1,,.02\nPCOMP,2,,.01\n,2,.01,0.,YES,2,.03,90.,YES\nPBAR,3,1,.4,.1,.2,.05,.03\nPSOLID,4,1\n\
                    NSML1,9,PSHELL,5.,1\nGRID,1,,0.,0.,0.\nGRID,2,,2.,0.,0.\nGRID,3,,2.3,1.1,.1\nGRID,4,,0.,1.,0.\n\
                    GRID,5,,0.,0.,3.\nGRID,6,,2.,0.,3.\nGRID,7,,2.,1.,3.\nGRID,8,,0.,1.,3.\n\
                    CQUAD4,1,1,1,2,3,4,,.07,\n,,,.1,.2,.15,.05\nCTRIA3,2,2,1,2,6\nCTRIA6,3,1,5,6,7\nCQUAD4,4,2,5,6,7,8,30.,-.2\n\
                    CBAR,5,3,1,5,1.,0.,0.,,\n,,,.1,.2,0.,.3,.1,0.\nCHEXA,6,4,1,2,3,4,5,6,\n,7,8\nCONM2,7,8,,4.,.1,.2,.3,\n,1.,,2.,,,2.5\n";
        let mesh = read(text.to_owned());
        let found = mass_properties(&mesh);
        assert!(!found.diagnostics.has_errors(), "{:?}", found.diagnostics);
        assert_same(&found.output.rigid, &built(&mesh), "all families");
        assert!(found.output.by_property.len() >= 6, "{:?}", found.output.by_property);
    }

    #[test]
    fn reference_decks_weigh_what_their_elements_do() {
        let shared = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/nastran"));
        let Ok(folders) = std::fs::read_dir(shared) else {
            eprintln!("SKIPPED: no reference decks at {}", shared.display());
            return;
        };
        let mut compared = 0;
        for file in
            folders.flatten().filter_map(|folder| std::fs::read_dir(folder.path()).ok()).flatten().flatten()
        {
            let path = file.path();
            let is_deck = path.extension().is_some_and(|e| {
                ["bdf", "dat", "nas"].contains(&e.to_string_lossy().to_lowercase().as_str())
            });
            if !is_deck || file.metadata().is_ok_and(|data| data.len() > 2_000_000) {
                continue;
            }
            let read = pliant_bulk::read(&path, Default::default());
            let mesh = read.output.mesh;
            if read.diagnostics.has_errors()
                || mesh.solids.is_empty()
                || mass_properties(&mesh).diagnostics.has_errors()
            {
                continue;
            }
            let expected = built(&mesh);
            if expected.amax() > 0.0 {
                assert_same(&mass_properties(&mesh).output.rigid, &expected, &path.display().to_string());
                compared += 1;
            }
        }
        println!("{compared} decks with solids compared");
        assert!(compared >= 4, "only {compared} decks with solids");
    }
}
