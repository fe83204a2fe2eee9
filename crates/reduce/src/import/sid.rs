//! A reduced link from standard input data (SID_FEM).
//!
//! The matrices of the format are those of [`Invariants`] under other names. With r = x + Σ φ_j q_j in the
//! body reference frame and a~ the matrix of a×,
//!
//! ```text
//! mass, mdCM, J   M₀ = [m, −(mc)~; (mc)~, J]            Ct, Cr        C₀ = [Ctᵀ; Crᵀ]
//! Gr_j = −2∫ρ x~φ_j~    A_j = [−(Ct_j)~; ½Gr_j]          Me, Ke, De    M_EE, K, D
//! Ge_j(i) = 2∫ρ φ_j×φ_i C_j(i) = ½Ge_j(i)
//! Oe¹(i, j) = ∫ρ φ_i·(ω~ω~φ_j), by products of ω         B_ij: xx = −Oe¹_xx, xy = −½Oe¹_xy
//! ```
//!
//! The body reference frame need not sit on a node. A link has its frame L on the inboard node, which does
//! not move in it: with T the six components of the shapes at that node, `V' = V − D₀T`, and every block
//! follows from the moments of mass that the file has. K stays, for a rigid motion strains nothing.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use nalgebra::{DMatrix, Matrix3, Matrix6, Matrix6xX, Vector3};
use pliant_diag::{Diagnostic, Diagnostics, FileId, LARGEST_INPUT, Warned, read_input};
use pliant_exchange::{Format, Sid, SidNode, Taylor, format_of};
use pliant_link::{Coordinate, Interface, Invariants, ReducedLink};
use pliant_mesh::LinkMesh;
use pliant_spatial::{Transform, skew};

use crate::interface::MeshInterface;
use crate::request::ImportedSource;
use crate::shapes::LinkFrame;

/// Pairs of axes in the order of [`Invariants::B`], and the columns of J and Oe that belong to them.
const PAIRS: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];
const OF_OE: [usize; 6] = [0, 1, 2, 3, 5, 4];

/// Bytes that are enough to know the format: the first line is a title.
const HEAD: u64 = 4096;

/// Whether a file holds standard input data, by its content; one that cannot be read does not.
pub fn is_sid(path: &Path) -> bool {
    let head = File::open(path).and_then(|file| {
        let mut head = Vec::new();
        file.take(HEAD).read_to_end(&mut head).map(|_| head)
    });
    head.is_ok_and(|head| format_of(path, &head) == Some(Format::Sid))
}

/// Reads the body of a source.
///
/// # Errors
/// A file that cannot be read, at the location where it is asked for; what is wrong in it is reported with
/// the deck.
pub(crate) fn sid_of(source: &ImportedSource) -> Result<Sid, Box<Diagnostic>> {
    let span = source.origin.0;
    let path = source.deck.files.first().expect("invariant: a SID source has one file");
    let bytes = read_input(path, LARGEST_INPUT)
        .map_err(|error| Diagnostic::error(format!("cannot read {}: {error}", path.display())).at(span))?;
    // Locations are shown from the deck, which is the same file.
    Sid::read(&bytes, FileId(0)).map_err(|problem| {
        let message = format!("{}: {}", path.display(), problem.message);
        Box::new(Diagnostic::error(message).at(span))
    })
}

/// The link of a body, clamped at its inboard interface.
///
/// # Errors
/// Matrices that are missing or of the wrong shape; a unit of length that is not the metre.
pub(crate) fn sid_link(
    name: &str,
    mesh: &LinkMesh,
    sid: &Sid,
    inboard: &MeshInterface,
    outboard: &[MeshInterface],
) -> Result<Warned<ReducedLink>, Diagnostics> {
    let frame = LinkFrame::new(mesh, inboard);
    let body = Body::new(sid)?;
    let node = |interface: &MeshInterface| {
        let id = mesh.node(interface.node).id;
        let found = sid.nodes.iter().find(|node| node.id == id.0);
        found.ok_or_else(|| {
            let message = format!("interface `{}` is not a node of the body", interface.name);
            let hint = "its shapes are known at its nodes alone: name one by its number";
            Diagnostics::from_iter([Diagnostic::error(message).hint(hint)])
        })
    };
    let origin = node(inboard)?;
    let T = body.shapes(origin)?;
    let invariants = body.seen_from(frame.origin, &T, &frame.axes);
    let n = body.n;
    let hertz =
        |j: usize| (body.K[(j, j)] / body.invariants.M_EE[(j, j)]).max(0.0).sqrt() / std::f64::consts::TAU;
    let mut interfaces = Vec::new();
    for interface in outboard {
        let x = frame.position(mesh.node(interface.node).position);
        let V = turned(&(body.shapes(node(interface)?)? - rigid(&(frame.axes * x)) * &T), &frame.axes);
        let X_LT = Transform::new(frame.axes.tr_mul(&interface.axes), x);
        interfaces.push(Interface { name: interface.name.clone(), X_LT, V, G: None });
    }
    let positions = sid.nodes.iter().map(|node| frame.position(Vector3::from(node.position())).norm());
    let link = ReducedLink {
        name: name.to_owned(),
        interfaces,
        coordinates: (0..n).map(|j| Coordinate::Mode { freq_hz: hertz(j) }).collect(),
        K: body.K.clone(),
        D: body.D.clone(),
        invariants,
        size: positions.fold(0.0, f64::max),
        rail: None,
    };
    let mut diagnostics = Diagnostics::new();
    let lost = "standard input data has no mesh: the link does not shorten as it bends, and there is no stress to recover";
    diagnostics.push(Diagnostic::note(lost));
    let stiffening = sid.block("ksigma").is_some_and(|block| block.constant().iter().any(|x| *x != 0.0));
    if stiffening {
        diagnostics.push(Diagnostic::warning("`ksigma`: the stiffness of initial stress is not used"));
    }
    Ok(Warned { output: link, diagnostics })
}

/// Inertia and stiffness of a body in its own frame, as the file has them.
///
/// # Errors
/// Matrices that are missing or of the wrong shape.
pub fn sid_invariants(sid: &Sid) -> Result<(Invariants, DMatrix<f64>), Diagnostics> {
    Body::new(sid).map(|body| (body.invariants, body.K))
}

/// The body as the file has it: in the body reference frame.
struct Body {
    n: usize,
    invariants: Invariants,
    K: DMatrix<f64>,
    D: DMatrix<f64>,
}

/// Rows of a rigid motion of the frame at a point x away from it: `[1, −x~; 0, 1]`.
fn rigid(x: &Vector3<f64>) -> Matrix6<f64> {
    let mut D0 = Matrix6::identity();
    D0.fixed_view_mut::<3, 3>(0, 3).copy_from(&-skew(x));
    D0
}

/// Six components in other axes.
fn turned(rows: &Matrix6xX<f64>, axes: &Matrix3<f64>) -> Matrix6xX<f64> {
    let mut out = rows.clone();
    for mut column in out.column_iter_mut() {
        for half in [0, 3] {
            let part = axes.tr_mul(&column.fixed_rows::<3>(half));
            column.fixed_rows_mut::<3>(half).copy_from(&part);
        }
    }
    out
}

/// A block of a given shape; what is left out is zero.
fn block<'a>(
    found: Option<&'a Taylor>,
    name: &str,
    shape: [usize; 2],
    n: usize,
) -> Result<Option<&'a Taylor>, Diagnostics> {
    let Some(block) = found else { return Ok(None) };
    let is = [block.rows as usize, block.columns as usize];
    if is != shape || (!block.m1.is_empty() && block.q as usize != n) {
        let message = format!("`{name}` has {}×{} entries, expected {}×{}", is[0], is[1], shape[0], shape[1]);
        return Err([Diagnostic::error(message)].into_iter().collect());
    }
    Ok(Some(block))
}

impl Body {
    fn new(sid: &Sid) -> Result<Self, Diagnostics> {
        let n = sid.modes.len();
        let read = |name: &str, rows: usize, columns: usize| -> Result<DMatrix<f64>, Diagnostics> {
            let found = block(sid.block(name), name, [rows, columns], n)?;
            Ok(found.map_or_else(
                || DMatrix::zeros(rows, columns),
                |block| DMatrix::from_row_slice(rows, columns, &block.constant()),
            ))
        };
        let required = |name: &str| {
            sid.block(name).map(|_| ()).ok_or_else(|| {
                Diagnostics::from_iter([Diagnostic::error(format!("the body has no matrix `{name}`"))])
            })
        };
        for name in ["mdCM", "J", "Ct", "Cr", "Me", "Gr", "Ge", "Oe", "Ke"] {
            required(name)?;
        }
        let (first, J) = (read("mdCM", 3, 1)?, read("J", 6, 1)?);
        let (Ct, Cr, Me) = (read("Ct", n, 3)?, read("Cr", n, 3)?, read("Me", n, n)?);
        let (Gr, Ge) = (read("Gr", 3, 3 * n)?, read("Ge", n, 3 * n)?);
        let Oe = block(sid.block("Oe"), "Oe", [n, 6], n)?.filter(|oe| !oe.m1.is_empty()).map(Taylor::slopes);
        let first = Vector3::from_column_slice(first.as_slice());
        let mut M0 = Matrix6::identity() * sid.mass;
        M0.fixed_view_mut::<3, 3>(0, 3).copy_from(&-skew(&first));
        M0.fixed_view_mut::<3, 3>(3, 0).copy_from(&skew(&first));
        for (k, (a, b)) in PAIRS.into_iter().enumerate() {
            (M0[(3 + a, 3 + b)], M0[(3 + b, 3 + a)]) = (J[k], J[k]);
        }
        let C0 = DMatrix::from_fn(6, n, |i, j| if i < 3 { Ct[(j, i)] } else { Cr[(j, i - 3)] });
        let mut A = DMatrix::zeros(18, n);
        for j in 0..n {
            let force = -skew(&Vector3::new(Ct[(j, 0)], Ct[(j, 1)], Ct[(j, 2)]));
            for b in 0..3 {
                for a in 0..3 {
                    A[(6 * b + a, j)] = force[(a, b)];
                    A[(6 * b + 3 + a, j)] = 0.5 * Gr[(a, 3 * j + b)];
                }
            }
        }
        let C = DMatrix::from_fn(3 * n, n, |row, j| 0.5 * Ge[(row / 3, 3 * j + row % 3)]);
        let slope = |j: usize, k: usize, column: usize| {
            Oe.as_ref().map_or(0.0, |slopes| slopes[(k * n + j) * 6 + column])
        };
        let B = DMatrix::from_fn(6 * n, n, |row, k| {
            let (j, pair) = (row / 6, row % 6);
            // Symmetric in the coordinates: a file may have rounded the two differently.
            let both = 0.5 * (slope(j, k, OF_OE[pair]) + slope(k, j, OF_OE[pair]));
            if pair < 3 { -both } else { -0.5 * both }
        });
        let symmetric = |m: DMatrix<f64>| (&m + m.transpose()) * 0.5;
        let M_EE = symmetric(Me);
        let invariants = Invariants { M0, C0, A, C, B, M_EE, second_order: None, chord: None };
        Ok(Self { n, invariants, K: symmetric(read("Ke", n, n)?), D: symmetric(read("De", n, n)?) })
    }

    /// Six components of the shapes at a node.
    fn shapes(&self, node: &SidNode) -> Result<Matrix6xX<f64>, Diagnostics> {
        let mut V = Matrix6xX::zeros(self.n);
        for (first, name) in [(0, "phi"), (3, "psi")] {
            if let Some(block) = block(node.block(name), name, [3, self.n], self.n)? {
                let rows = DMatrix::from_row_slice(3, self.n, &block.constant());
                V.rows_mut(first, 3).copy_from(&rows);
            }
        }
        Ok(V)
    }

    /// The blocks for a frame at `origin` with the columns of `axes`, in which the shapes less the rigid
    /// motions T are the basis.
    fn seen_from(&self, origin: Vector3<f64>, T: &Matrix6xX<f64>, axes: &Matrix3<f64>) -> Invariants {
        let n = self.n;
        // A twist at the new origin as one at the old: x~ with x from the old to the new.
        let X = rigid(&-origin);
        let old = &self.invariants;
        let M0 = X.tr_mul(&(old.M0 * X));
        let T_ = DMatrix::from_fn(6, n, |i, j| T[(i, j)]);
        let dynamic = |A: &Matrix6<f64>| DMatrix::from_column_slice(6, 6, A.as_slice());
        let C0 = dynamic(&X.transpose()) * &old.C0;
        let mass = Moments::new(&M0);
        let (m, S, XX) = (mass.m, mass.first, mass.second);
        let columns = |A: &DMatrix<f64>, j: usize| {
            X.transpose() * nalgebra::Matrix6x3::from_column_slice(A.column(j).as_slice())
        };
        let shape = |j: usize| {
            let torque = columns(&old.A, j).fixed_view::<3, 3>(3, 0).into_owned();
            // −∫x~φ~ = tr(N) − Nᵀ with N = ∫xφᵀ.
            let trace = 0.5 * torque.trace();
            let N = (Matrix3::identity() * trace - torque).transpose();
            let at = |row: usize| Vector3::new(T[(row, j)], T[(row + 1, j)], T[(row + 2, j)]);
            let F = Vector3::new(C0[(0, j)], C0[(1, j)], C0[(2, j)]);
            Shape { F, N, trace, t: at(0), theta: at(3) }
        };
        let shapes: Vec<Shape> = (0..n).map(shape).collect();
        let mut new = Invariants {
            M0,
            C0: &C0 - dynamic(&M0) * &T_,
            A: DMatrix::zeros(18, n),
            C: DMatrix::zeros(3 * n, n),
            B: DMatrix::zeros(6 * n, n),
            M_EE: &old.M_EE - T_.tr_mul(&C0) - C0.tr_mul(&T_) + T_.tr_mul(&(dynamic(&M0) * &T_)),
            second_order: None,
            chord: None,
        };
        for (j, s) in shapes.iter().enumerate() {
            // What ω×(t + θ×x) exerts: −(mt + θ×S)~ω, and S×(ω×t) − θ~ ∫xxᵀ ω.
            let force = -skew(&(s.t * m + s.theta.cross(&S)));
            let torque = -skew(&S) * skew(&s.t) - skew(&s.theta) * XX;
            let A = columns(&old.A, j);
            let turn = |part: Matrix3<f64>| axes.tr_mul(&part) * axes;
            let force = turn(A.fixed_view::<3, 3>(0, 0) - force);
            let torque = turn(A.fixed_view::<3, 3>(3, 0) - torque);
            for b in 0..3 {
                for a in 0..3 {
                    new.A[(6 * b + a, j)] = force[(a, b)];
                    new.A[(6 * b + 3 + a, j)] = torque[(a, b)];
                }
            }
            for (k, r) in shapes.iter().enumerate() {
                let cross = old.C.fixed_view::<3, 1>(3 * k, j) - s.cross_rigid(r)
                    + r.cross_rigid(s)
                    + (s.t.cross(&r.t) * m
                        + s.t.cross(&r.theta.cross(&S))
                        + s.theta.cross(&S).cross(&r.t)
                        + XX * s.theta.cross(&r.theta));
                new.C.fixed_view_mut::<3, 1>(3 * k, j).copy_from(&axes.tr_mul(&cross));
                // ∫φφᵀ from B = tr(P) − P, and back.
                let b = Matrix3::from_fn(|a, b| {
                    let pair = PAIRS.iter().position(|pair| *pair == (a.min(b), a.max(b)));
                    old.B[(6 * j + pair.expect("invariant: all pairs are listed"), k)]
                });
                let P = Matrix3::identity() * (0.5 * b.trace()) - b;
                let between = s.t * r.t.transpose() * m
                    + s.t * (skew(&r.theta) * S).transpose()
                    + skew(&s.theta) * S * r.t.transpose()
                    + skew(&s.theta) * XX * skew(&r.theta).transpose();
                let P = P - s.with_rigid(r) - r.with_rigid(s).transpose() + between;
                let P = turn((P + P.transpose()) * 0.5);
                let b = Matrix3::identity() * P.trace() - P;
                for (i, (a, c)) in PAIRS.into_iter().enumerate() {
                    new.B[(6 * j + i, k)] = b[(a, c)];
                }
            }
        }
        let both = |rows: &DMatrix<f64>| {
            let rows = Matrix6xX::from_fn(rows.ncols(), |i, j| rows[(i, j)]);
            let rows = turned(&rows, axes);
            DMatrix::from_fn(6, n, |i, j| rows[(i, j)])
        };
        let mut turn = Matrix6::zeros();
        turn.fixed_view_mut::<3, 3>(0, 0).copy_from(axes);
        turn.fixed_view_mut::<3, 3>(3, 3).copy_from(axes);
        Invariants { M0: turn.tr_mul(&(M0 * turn)), C0: both(&new.C0), ..new }
    }
}

/// Mass, ∫ρx and ∫ρxxᵀ of a rigid inertia.
struct Moments {
    m: f64,
    first: Vector3<f64>,
    second: Matrix3<f64>,
}

impl Moments {
    fn new(M0: &Matrix6<f64>) -> Self {
        let J = M0.fixed_view::<3, 3>(3, 3).into_owned();
        let first = Vector3::new(M0[(5, 1)], M0[(3, 2)], M0[(4, 0)]);
        Self { m: M0[(0, 0)], first, second: Matrix3::identity() * (0.5 * J.trace()) - J }
    }
}

/// One shape φ: ∫ρφ, ∫ρxφᵀ and its trace, and its rigid motion t + θ×x at the inboard node.
struct Shape {
    F: Vector3<f64>,
    N: Matrix3<f64>,
    trace: f64,
    t: Vector3<f64>,
    theta: Vector3<f64>,
}

impl Shape {
    /// ∫ρ φ × (t + θ×x) with the motion of another shape.
    fn cross_rigid(&self, other: &Self) -> Vector3<f64> {
        self.F.cross(&other.t) + other.theta * self.trace - self.N * other.theta
    }

    /// ∫ρ φ (t + θ×x)ᵀ.
    fn with_rigid(&self, other: &Self) -> Matrix3<f64> {
        self.F * other.t.transpose() + self.N.transpose() * skew(&other.theta).transpose()
    }
}
