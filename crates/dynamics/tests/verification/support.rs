//! Machines for the verification cases: a Timoshenko beam reduced by Craig and Bampton's method with dense
//! matrices, written here independently of the deck pipeline.

use std::path::PathBuf;
use std::sync::Arc;

use nalgebra::{DMatrix, DMatrixViewMut, Matrix3, Matrix6xX, Vector3};
use pliant_dynamics::{NewtonSettings, Scheme, Settings, Simulation, State, Workspace};
use pliant_link::{
    AffineField, Chord, Coordinate, Interface, Invariants, NodalMass, ReducedLink, SecondOrderMass,
};
use pliant_mechanism::joint::Revolute;
use pliant_mechanism::{
    Attachment, Bearing, CoordinateSpec, Drive, JointSpec, Model, Motion, PayloadSpec, Placement,
};
use pliant_spatial::Transform;

/// A straight beam along x with the same bending stiffness both ways.
#[derive(Clone, Copy)]
pub(crate) struct Beam {
    pub(crate) length: f64,
    pub(crate) A: f64,
    pub(crate) I: f64,
    pub(crate) J: f64,
    pub(crate) E: f64,
    pub(crate) nu: f64,
    pub(crate) rho: f64,
    pub(crate) shear: f64,
    pub(crate) elements: usize,
    pub(crate) modes: usize,
    /// Stiffness-proportional damping.
    pub(crate) rayleigh_beta: f64,
    /// Second-order kinematics: shortening by bending, at the tip and in the inertia.
    pub(crate) second_order: bool,
    /// Linear in the frame of the chord.
    pub(crate) chord: bool,
}

/// The tube of the 3R benchmark.
pub(crate) const TUBE: Beam = Beam {
    length: 1.0,
    A: 915e-6,
    I: 1.08e-6,
    J: 2.16e-6,
    E: 2.07e11,
    nu: 0.3,
    rho: 7850.0,
    shear: 0.5306,
    elements: 20,
    modes: 8,
    rayleigh_beta: 0.0,
    second_order: false,
    chord: false,
};

/// The rod of the 2R benchmark.
pub(crate) const ROD: Beam =
    Beam { A: 350e-6, I: 1e-8, J: 2e-8, E: 7e10, nu: 0.33, rho: 2700.0, shear: 0.8864, ..TUBE };

impl Beam {
    /// 12×12 stiffness and consistent mass of one element: Hermitian with condensed shear, shape functions of
    /// Friedman and Kosmatka (1993), rotary inertia included.
    fn element(&self) -> (DMatrix<f64>, DMatrix<f64>) {
        let L = self.length / self.elements as f64;
        let (E, G) = (self.E, self.E / (2.0 * (1.0 + self.nu)));
        let phi = 12.0 * E * self.I / (self.shear * G * self.A * L * L);
        let (mut K, mut M) = (DMatrix::zeros(12, 12), DMatrix::zeros(12, 12));
        for (dof, stiffness, inertia) in
            [(0, E * self.A, self.rho * self.A), (3, G * self.J, self.rho * 2.0 * self.I)]
        {
            for (i, j, k, m) in [(0, 0, 1.0, 2.0), (0, 1, -1.0, 1.0), (1, 0, -1.0, 1.0), (1, 1, 1.0, 2.0)] {
                K[(dof + 6 * i, dof + 6 * j)] += k * stiffness / L;
                M[(dof + 6 * i, dof + 6 * j)] += m * inertia * L / 6.0;
            }
        }
        let c = E * self.I / (L * L * L * (1.0 + phi));
        let bending = [
            [12.0, 6.0 * L, -12.0, 6.0 * L],
            [6.0 * L, (4.0 + phi) * L * L, -6.0 * L, (2.0 - phi) * L * L],
            [-12.0, -6.0 * L, 12.0, -6.0 * L],
            [6.0 * L, (2.0 - phi) * L * L, -6.0 * L, (4.0 + phi) * L * L],
        ];
        // Gauss points of order 4 on 0..1: exact to degree 7, the products have degree 6.
        let (a, b) = (0.339_981_043_584_856_26, 0.861_136_311_594_052_6);
        let (wa, wb) = (0.652_145_154_862_546_1, 0.347_854_845_137_453_85);
        let mut bending_mass = [[0.0; 4]; 4];
        for (x, w) in [(-b, wb), (-a, wa), (a, wa), (b, wb)] {
            let s = 0.5 * (1.0 + x);
            let f = 1.0 / (1.0 + phi);
            let N = [
                f * (2.0 * s * s * s - 3.0 * s * s - phi * s + 1.0 + phi),
                f * L * (s * s * s - (2.0 + phi / 2.0) * s * s + (1.0 + phi / 2.0) * s),
                f * (-2.0 * s * s * s + 3.0 * s * s + phi * s),
                f * L * (s * s * s - (1.0 - phi / 2.0) * s * s - phi / 2.0 * s),
            ];
            let R = [
                f * 6.0 / L * (s * s - s),
                f * (3.0 * s * s - (4.0 + phi) * s + 1.0 + phi),
                -f * 6.0 / L * (s * s - s),
                f * (3.0 * s * s - (2.0 - phi) * s),
            ];
            for i in 0..4 {
                for j in 0..4 {
                    let density = self.rho * (self.A * N[i] * N[j] + self.I * R[i] * R[j]);
                    bending_mass[i][j] += 0.5 * L * w * density;
                }
            }
        }
        // In the x–z plane the rotation about y is minus the slope.
        for (dofs, sign) in [([1, 5, 7, 11], 1.0), ([2, 4, 8, 10], -1.0)] {
            for i in 0..4 {
                for j in 0..4 {
                    let s = if (i + j) % 2 == 1 { sign } else { 1.0 };
                    K[(dofs[i], dofs[j])] += s * c * bending[i][j];
                    M[(dofs[i], dofs[j])] += s * bending_mass[i][j];
                }
            }
        }
        (K, M)
    }

    /// Geometric stiffness `∫N(x)(v'² + w'²)dx` of the axial force N, in the beam's own axes.
    fn geometric(&self, N: impl Fn(f64) -> f64) -> DMatrix<f64> {
        let L = self.length / self.elements as f64;
        let size = 6 * (self.elements + 1);
        let mut K = DMatrix::zeros(size, size);
        let (a, b) = (0.339_981_043_584_856_26, 0.861_136_311_594_052_6);
        let (wa, wb) = (0.652_145_154_862_546_1, 0.347_854_845_137_453_85);
        for e in 0..self.elements {
            for (x, weight) in [(-b, wb), (-a, wa), (a, wa), (b, wb)] {
                let s = 0.5 * (1.0 + x);
                // Slopes of the Hermitian shape functions; shear is negligible for the slender beams used.
                let slope = [
                    6.0 * (s * s - s) / L,
                    3.0 * s * s - 4.0 * s + 1.0,
                    -6.0 * (s * s - s) / L,
                    3.0 * s * s - 2.0 * s,
                ];
                let force = N((e as f64 + s) * L) * 0.5 * L * weight;
                for (dofs, sign) in [([1, 5, 7, 11], 1.0), ([2, 4, 8, 10], -1.0)] {
                    for i in 0..4 {
                        for j in 0..4 {
                            let turn = if (i + j) % 2 == 1 { sign } else { 1.0 };
                            K[(6 * e + dofs[i], 6 * e + dofs[j])] += turn * force * slope[i] * slope[j];
                        }
                    }
                }
            }
        }
        K
    }

    /// `VᵀK_gV` of a unit axial force at the tip, and of the inertia loads along x of each field; loads
    /// across the beam stress it by bending alone.
    fn second_order_parts(
        &self,
        V: &DMatrix<f64>,
        fields: &[AffineField],
    ) -> ([DMatrix<f64>; 6], Vec<DMatrix<f64>>) {
        let n = V.ncols();
        let (rho_A, L) = (self.rho * self.A, self.length);
        let project = |K: DMatrix<f64>| V.transpose() * K * V;
        let zero = || DMatrix::zeros(n, n);
        let interface = [project(self.geometric(|_| 1.0)), zero(), zero(), zero(), zero(), zero()];
        let along = |field: &AffineField| {
            let (constant, slope) = (field.constant, field.gradient.x);
            project(self.geometric(|x| rho_A * (constant * (L - x) + 0.5 * slope * (L * L - x * x))))
        };
        (interface, fields.iter().flat_map(|field| [along(field), zero(), zero()]).collect())
    }

    fn assemble(&self) -> (DMatrix<f64>, DMatrix<f64>) {
        let n = 6 * (self.elements + 1);
        let (mut K, mut M) = (DMatrix::zeros(n, n), DMatrix::zeros(n, n));
        let (k, m) = self.element();
        for e in 0..self.elements {
            let mut block = K.view_mut((6 * e, 6 * e), (12, 12));
            block += &k;
            let mut block = M.view_mut((6 * e, 6 * e), (12, 12));
            block += &m;
        }
        (K, M)
    }

    /// The link with its interface `tip` at the far end, Craig–Bampton coordinates: 6 of the tip, then modes.
    pub(crate) fn link(&self, name: &str) -> ReducedLink {
        self.link_in_axes(name, &Matrix3::identity())
    }

    /// The same beam described in link axes turned by `R`: it lies along `R x`. Its coordinates mean the
    /// same.
    pub(crate) fn link_in_axes(&self, name: &str, R: &Matrix3<f64>) -> ReducedLink {
        let nodes = self.elements + 1;
        let (K, M) = self.assemble();
        let inner: Vec<usize> = (6..6 * nodes - 6).collect();
        let tip: Vec<usize> = (6 * nodes - 6..6 * nodes).collect();
        let K_ii = K.select_rows(&inner).select_columns(&inner);
        let Psi = -K_ii.cholesky().unwrap().solve(&K.select_rows(&inner).select_columns(&tip));
        let mut V = DMatrix::zeros(6 * nodes, 6 + self.modes);
        V.view_mut((6, 0), (inner.len(), 6)).copy_from(&Psi);
        V.view_mut((6 * nodes - 6, 0), (6, 6)).fill_with_identity();
        let mut coordinates: Vec<_> =
            (1..=6).map(|component| Coordinate::Interface { interface: 0, component }).collect();
        coordinates.extend(modes_on(&K, &M, &inner, V.columns_mut(6, self.modes)));
        self.reduce(name, &K, &M, &V, coordinates, R)
    }

    /// The beam with bending modes in the x–y plane alone, clamped at L, and at the tip free or clamped.
    pub(crate) fn planar_link(&self, name: &str, tip_clamped: bool) -> ReducedLink {
        let (K, M) = self.assemble();
        let last = if tip_clamped { self.elements - 1 } else { self.elements };
        let bending: Vec<usize> = (1..=last).flat_map(|node| [6 * node + 1, 6 * node + 5]).collect();
        let mut V = DMatrix::zeros(K.nrows(), self.modes);
        let coordinates = modes_on(&K, &M, &bending, V.columns_mut(0, self.modes));
        self.reduce(name, &K, &M, &V, coordinates, &Matrix3::identity())
    }

    /// Projects on the basis and turns the axes.
    fn reduce(
        &self,
        name: &str,
        K: &DMatrix<f64>,
        M: &DMatrix<f64>,
        V: &DMatrix<f64>,
        coordinates: Vec<Coordinate>,
        R: &Matrix3<f64>,
    ) -> ReducedLink {
        let nodes = self.elements + 1;
        let K_r = V.transpose() * K * V;
        let K_r = (&K_r + K_r.transpose()) * 0.5;
        let V_own = V;
        assert!(!self.second_order || *R == Matrix3::identity(), "second order in the beam's own axes only");
        let mut turn = DMatrix::zeros(6 * nodes, 6 * nodes);
        for block in 0..2 * nodes {
            turn.view_mut((3 * block, 3 * block), (3, 3)).copy_from(R);
        }
        let (V, M) = (&turn * V, &turn * M * turn.transpose());
        let position = |i: usize| R * Vector3::x() * (self.length * i as f64 / self.elements as f64);
        let positions: Vec<_> = (0..nodes).map(position).collect();
        let columns: Vec<&[f64]> = V.as_slice().chunks_exact(6 * nodes).collect();
        let mass =
            NodalMass { positions: &positions, basis: &columns, product: &|X| &M * X, isotropic: false };
        let mut invariants = Invariants::from_nodes(&mass);
        let G = self.second_order.then(|| {
            let fields = AffineField::of_mass(&mass);
            let (interface, inertia) = self.second_order_parts(V_own, &fields);
            invariants.second_order = Some(Box::new(SecondOrderMass::new(&mass, &fields, &inertia)));
            Box::new(interface)
        });
        let rows = V.rows(6 * nodes - 6, 6).into_owned();
        let mut tip = Interface {
            name: "tip".into(),
            X_LT: Transform::new(*R, R * Vector3::x() * self.length),
            V: Matrix6xX::from_column_slice(rows.as_slice()),
            G,
        };
        if self.chord {
            let chord = Chord::new(std::slice::from_ref(&tip)).unwrap();
            chord.carry_interface(&mut tip);
            invariants = chord.invariants(&mass);
        }
        ReducedLink {
            name: name.into(),
            interfaces: vec![tip],
            coordinates,
            D: &K_r * self.rayleigh_beta,
            K: K_r,
            invariants,
            size: self.length,
            rail: None,
        }
    }
}

/// The lowest modes with everything but the given components held, one per column of `V`, of unit modal mass.
fn modes_on(
    K: &DMatrix<f64>,
    M: &DMatrix<f64>,
    free: &[usize],
    mut V: DMatrixViewMut<'_, f64>,
) -> Vec<Coordinate> {
    let part = |A: &DMatrix<f64>| A.select_rows(free).select_columns(free);
    let L = part(M).cholesky().unwrap().l();
    let half = L.solve_lower_triangular(&part(K)).unwrap();
    let C = L.solve_lower_triangular(&half.transpose()).unwrap();
    let eigen = ((&C + C.transpose()) * 0.5).symmetric_eigen();
    let mut order: Vec<usize> = (0..free.len()).collect();
    order.sort_by(|a, b| eigen.eigenvalues[*a].total_cmp(&eigen.eigenvalues[*b]));
    let columns = order.into_iter().zip(V.column_iter_mut());
    columns
        .map(|(m, mut column)| {
            let vector = eigen.eigenvectors.column(m).into_owned();
            let shape = L.transpose().solve_upper_triangular(&vector).unwrap();
            for (dof, x) in free.iter().zip(shape.iter()) {
                column[*dof] = *x;
            }
            Coordinate::Mode { freq_hz: eigen.eigenvalues[m].sqrt() / std::f64::consts::TAU }
        })
        .collect()
}

/// A rigid link with the interface `tip`.
pub(crate) fn rigid(name: &str, m: f64, c: Vector3<f64>, I_c: Matrix3<f64>, tip: Transform) -> ReducedLink {
    ReducedLink::rigid(name, m, c, I_c, [("tip".to_owned(), tip)])
}

pub(crate) fn named(link: ReducedLink) -> (String, Arc<ReducedLink>) {
    (link.name.clone(), Arc::new(link))
}

/// A revolute joint on the triad of the parent's `tip` (or the ground when the name is empty).
pub(crate) fn revolute(name: &str, parent: &str, child: &str, axis: Vector3<f64>) -> JointSpec {
    let parent = if parent.is_empty() { Attachment::Ground } else { Attachment::interface(parent, "tip") };
    JointSpec {
        name: name.into(),
        parent,
        child: child.into(),
        child_interface: None,
        closes_loop: false,
        joint: Box::new(Revolute::new(axis).unwrap()),
        placement: Placement::Triad,
        coordinates: vec![CoordinateSpec::default()],
        bearing: Bearing::default(),
        grip: None,
    }
}

pub(crate) fn driven(mut joint: JointSpec, motion: impl Motion + 'static) -> JointSpec {
    joint.coordinates[0].drive = Drive::Prescribed(Arc::new(motion));
    joint
}

pub(crate) fn point_payload(link: &str, mass: f64) -> PayloadSpec {
    PayloadSpec {
        name: "payload".into(),
        at: Attachment::interface(link, "tip"),
        mass,
        centre: Vector3::zeros(),
        inertia: Matrix3::zeros(),
    }
}

/// Rows of a reference CSV without its header, or `None` with a visible line when it is not there.
pub(crate) fn reference(path: &str) -> Option<Vec<Vec<f64>>> {
    let full = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")).join(path);
    let Ok(text) = std::fs::read_to_string(&full) else {
        println!("SKIPPED: {} is not here", full.display());
        return None;
    };
    let row = |line: &str| line.split(',').map(|x| x.parse().unwrap()).collect();
    Some(text.lines().skip(1).map(row).collect())
}

/// Every scheme the program offers, damped ones with typical parameters.
pub(crate) const SCHEMES: [Scheme; 3] =
    [Scheme::Newmark, Scheme::Hht { alpha: 0.05 }, Scheme::GeneralizedAlpha { rho_inf: 0.8 }];

/// Iterates until rounding, so that what is left is the scheme's error.
pub(crate) fn tight() -> NewtonSettings {
    NewtonSettings { energy_tolerance: 1e-20, force_tolerance: 1e-12, ..NewtonSettings::default() }
}

/// Integrates from the undeformed start to `end` with fixed steps; tight tolerances, so that the error is the
/// scheme's alone.
pub(crate) fn run_to(model: &Model, scheme: Scheme, end: f64, h: f64) -> (State, Workspace) {
    let settings = Settings { scheme, newton: tight(), ..Settings::default() };
    let mut simulation = Simulation::new(model, &settings).unwrap();
    let steps = (end / h).round() as usize;
    for n in 1..=steps {
        let target = end * (n as f64 / steps as f64);
        simulation.advance(target - simulation.state().t).unwrap();
    }
    (simulation.state().clone(), simulation.work().clone())
}
