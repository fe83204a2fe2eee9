//! Stress and strain recovered from a reduced link against the full static solution and against theory.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]

mod cantilever;
mod laminate;
mod notch;
mod patch;
mod plate;
mod tube;

use std::f64::consts::{PI, TAU};
use std::fmt::Write as _;
use std::fs;

use nalgebra::{DVector, Matrix3, Vector3};
use pliant::link::{CachedLink, recover, reduce};
use pliant_durability::{
    Assessment, Below, Block, Criterion, Factors, Material, MeanStress, PlaneDamage, Points, Residue, Search,
};
use pliant_mesh::{GridId, LinkMesh, NodeKind, Units};
use pliant_reduce::recovery::{
    ElementModes, Gauge, GaugeError, Quantity, Recovered, RecoveredElement, RecoveryRequest, RowKind,
    link_recovery,
};
use pliant_reduce::{LinkRequest, MeshedLink, NodalShapes};

struct Bench {
    folder: tempfile::TempDir,
    request: LinkRequest,
}

impl Bench {
    /// A link `a` of a deck that has SOL 101 with its load, clamped at grid 1 by SPC 1.
    fn new(deck: &str, table: &str) -> Self {
        Self::of(deck, &format!("inboard = 1\n{table}"))
    }

    /// A link `a` of a deck.
    fn of(deck: &str, table: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.bdf"), deck).unwrap();
        let path = folder.path().join("a.toml");
        fs::write(&path, format!("[links.a]\ndeck = 'a.bdf'\n{table}")).unwrap();
        let file = pliant_pipeline::read(&path);
        assert!(file.diagnostics.is_empty(), "{:?}", file.diagnostics);
        let request = pliant_machine::links(&file.output).output.requests.remove(0);
        Self { folder, request }
    }

    fn meshed(&self, mesh: LinkMesh) -> MeshedLink {
        MeshedLink { mesh, interfaces: self.request.interfaces.clone() }
    }

    fn mesh(&self) -> LinkMesh {
        let deck = pliant_bulk::read(self.folder.path().join("a.bdf"), Units::SI);
        assert!(!deck.diagnostics.has_errors(), "{:?}", deck.diagnostics);
        deck.output.mesh
    }

    fn link(&self) -> CachedLink {
        reduce(&self.request, None).unwrap()
    }

    /// From the reduced link: modes times the coordinates K⁻¹Vᵀf of the deck's load, which the link's own
    /// grid 1 does not move.
    fn reduced(&self, gauges: &[Gauge]) -> Found {
        let made = self.link();
        let (mesh, statics) = (self.mesh(), pliant_fem::statics(&self.mesh()).unwrap().output);
        let case = &statics.subcases[0];
        let load: Vec<f64> = made
            .drawing
            .grids
            .iter()
            .flat_map(|id| {
                let node = mesh.node_by_id(GridId(*id)).unwrap();
                case.applied[statics.dofs.rows_of(node)].to_vec()
            })
            .collect();
        let f = made.shapes.columns.iter().map(|v| v.iter().zip(&load).map(|(v, f)| v * f).sum::<f64>());
        let f = DVector::from_iterator(made.shapes.columns.len(), f);
        let q = made.link.K.clone().cholesky().unwrap().solve(&f);
        let request = RecoveryRequest { wanted: &|_, _, _| true, gauges };
        let (modes, strains) = recover(&self.request, &made, &request).unwrap();
        let strains =
            strains.iter().map(|row| row.as_ref().unwrap().iter().zip(q.iter()).map(|(g, q)| g * q).sum());
        let [stress, strain] = modes.each_ref().map(|modes| &modes.S * &q);
        Found { modes, stress, strain, gauges: strains.collect() }
    }

    /// From the full mesh: stress and strain of its own static solution.
    fn full(&self) -> Recovered {
        let (mesh, statics) = (self.mesh(), pliant_fem::statics(&self.mesh()).unwrap().output);
        let grids: Vec<_> =
            (0..mesh.nodes.len()).filter(|row| mesh.nodes[*row].kind == NodeKind::Grid).collect();
        let nodes: Vec<_> = grids.iter().map(|row| pliant_mesh::NodeIndex::from(*row)).collect();
        let u = nodes
            .iter()
            .flat_map(|node| statics.subcases[0].u[statics.dofs.rows_of(*node)].to_vec())
            .collect();
        let ids: Vec<u32> = nodes.iter().map(|node| mesh.node(*node).id.0).collect();
        let shapes = NodalShapes { positions: vec![Vector3::zeros(); nodes.len()], nodes, columns: vec![u] };
        let request = RecoveryRequest { wanted: &|_, _, _| true, gauges: &[] };
        link_recovery(&self.request, self.meshed(mesh), &ids, &shapes, &request).unwrap()
    }

    /// Of the reduced link, after both were found to agree to 1e-6 of the largest, as the issue asks.
    fn compared(&self, gauges: &[Gauge]) -> Found {
        let found = self.reduced(gauges);
        let (full, _) = self.full();
        for ((modes, full), ours) in found.modes.iter().zip(&full).zip([&found.stress, &found.strain]) {
            assert_eq!(full.elements, modes.elements);
            // Forces and stress, or curvatures and strain, each beside the largest of its own.
            let largest = |labels: &dyn Fn(&str) -> bool| {
                let each = full.elements.iter().flat_map(|e| e.kind.labels(full.quantity));
                let of = each.zip(full.S.iter()).filter(|(label, _)| labels(label));
                of.fold(0.0, |a: f64, (_, x)| a.max(x.abs()))
            };
            let scales = [largest(&is_of_section), largest(&|label| !is_of_section(label))];
            let labels = modes.elements.iter().flat_map(|e| e.kind.labels(modes.quantity));
            for ((ours, theirs), label) in ours.iter().zip(full.S.iter()).zip(labels) {
                let scale = scales[usize::from(!is_of_section(&label))];
                assert!((ours - theirs).abs() < 1e-6 * scale, "{label}: {ours} {theirs} {scale}");
            }
        }
        found
    }
}

/// Numbers of a bar's section, in units of their own.
fn is_of_section(label: &str) -> bool {
    let end = label.rsplit('.').next().unwrap();
    ["N", "V1", "V2", "T", "M1", "M2", "twist", "curvature1", "curvature2"].contains(&end)
}

/// What was recovered of a link.
struct Found {
    modes: [ElementModes; 2],
    stress: DVector<f64>,
    strain: DVector<f64>,
    gauges: Vec<f64>,
}

impl Found {
    fn elements(&self) -> &[RecoveredElement] {
        &self.modes[0].elements
    }

    /// The amplitude at R = −1 (Pa) that lives as long as the worst point of the elements that are asked for,
    /// of AISI 4340, when the load times `factor` comes and goes: the equivalent of Goodman, worked back from
    /// the life.
    fn pulsating(&self, factor: f64, wanted: &dyn Fn(&RecoveredElement) -> bool) -> f64 {
        let steel = Material::find("AISI 4340").unwrap();
        let assessment = Assessment {
            curve: steel.curve(None, Below::Same).unwrap(),
            mean: MeanStress::Goodman { ultimate: steel.ultimate },
            factors: Factors { stress: factor, ..Factors::default() },
            residue: Residue::Repeated,
            criterion: Criterion::Normal,
        };
        let blocks = [Block { samples: 0..2, repeats: 1.0 }];
        let search = Search::new();
        let mut damage = 0.0_f64;
        for element in self.elements().iter().filter(|element| wanted(element)) {
            let rows = &self.stress.as_slice()[element.first..][..element.kind.rows(Quantity::Stress)];
            let found = match element.kind {
                RowKind::Solid { .. } => rows
                    .as_chunks::<6>()
                    .0
                    .iter()
                    .map(|s| assessment.worst(Points::Solid(&[[0.0; 6], *s]), &blocks, &search, 0.0))
                    .fold(0.0, worse),
                _ => rows
                    .as_chunks::<3>()
                    .0
                    .iter()
                    .map(|s| assessment.worst(Points::Surface(&[[0.0; 3], *s]), &blocks, &search, 0.0))
                    .fold(0.0, worse),
            };
            damage = damage.max(found);
        }
        // S = A N^B.
        1643e6 * (1.0 / damage).powf(-0.0977)
    }

    /// The strain of each point is `compliance` times its stress, to rounding of the largest.
    fn agrees_with<const N: usize>(&self, compliance: &nalgebra::SMatrix<f64, N, N>) {
        assert!(self.strain.amax() > 0.0 && self.strain.len() == self.stress.len());
        for (e, s) in self.strain.as_slice().chunks_exact(N).zip(self.stress.as_slice().chunks_exact(N)) {
            let expected = compliance * nalgebra::SVector::<f64, N>::from_column_slice(s);
            let off = (nalgebra::SVector::<f64, N>::from_column_slice(e) - expected).amax();
            assert!(off < 1e-12 * self.strain.amax(), "{e:?} {s:?} {expected:?}");
        }
    }
}

fn worse(damage: f64, found: Option<PlaneDamage>) -> f64 {
    damage.max(found.map_or(0.0, |found| found.damage))
}

/// Goodman's amplitude at R = −1 of a stress that comes and goes, AISI 4340 (tensile strength 1172 MPa).
fn goodman(stress: f64) -> f64 {
    0.5 * stress / (1.0 - 0.5 * stress / 1172e6)
}

/// ε1, ε2, γ12 for σ1, σ2, τ12 in plane stress.
fn plane_compliance(e1: f64, e2: f64, nu: f64, g: f64) -> Matrix3<f64> {
    Matrix3::new(1.0 / e1, -nu / e1, 0.0, -nu / e1, 1.0 / e2, 0.0, 0.0, 0.0, 1.0 / g)
}

const HEAD: &str = "SOL 101\nCEND\nSPC = 1\nLOAD = 7\nBEGIN BULK\nSPC1,1,123456,1\n";
