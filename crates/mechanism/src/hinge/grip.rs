//! A grip that holds a flexible boom at a point which moves along its rail.
//!
//! The boom's frame sits on a prismatic joint with coordinate θ, and the boom is free to move in it, as a
//! rigid body and elastically, by its coordinates q. What holds it is the grip, at the station σ = to − θ of
//! the rail that is there just now:
//!
//! ```text
//! g(θ, q) = W(σ) q               displacement of the rail in the grip, W the rail's rows of V
//! U = ½ gᵀ C(σ)⁻¹ g              C the residual flexibility of the rail at σ
//! Λ = C⁻¹g                       load on the grip
//! ∂U/∂q = WᵀΛ,   ∂U/∂θ = −Λᵀ W′q + ½ ΛᵀC′Λ
//! ```
//!
//! C is what the coordinates leave out of the boom's flexibility, so that the boom is held *rigidly*: the
//! spring is the boom's own. W and C move along the boom with σ(t) and bring in the moving boundary with all
//! its velocity terms. Derived in `docs/theory/sliding.md`.

use nalgebra::{DMatrix, Matrix3, SMatrix, Vector3};
use pliant_link::Rail;
use thiserror::Error;

use crate::{Spline, SplineError};

/// Directions that a grip holds: y, z and the rotations about x, y, z of the joint frame, whose x is the
/// axis.
pub const GRIP_ROWS: usize = 5;

type Square = SMatrix<f64, GRIP_ROWS, GRIP_ROWS>;

/// How a rail is held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GripKind {
    /// At one point: two displacements and three rotations.
    Clamp,
    /// By two rollers this far apart (m): two displacements at each, and the mean of the two rotations about
    /// the axis.
    Rollers(f64),
}

/// Why a joint cannot grip the rail of its child.
#[derive(Clone, Debug, PartialEq, Error)]
pub(crate) enum GripError {
    /// A flexible child without a rail.
    #[error("its child has no `rail` to grip")]
    NoRail,
    /// The joint is of another kind.
    #[error("only a prismatic joint can grip a rail, found a {0} joint")]
    NotPrismatic(&'static str),
    /// The rail is not parallel to the axis.
    #[error("the rail of its child does not run along its `axis`; `axes`, `child_axes` or `axis` turn it")]
    NotAlongAxis,
    /// No station has both rollers on the rail.
    #[error("its rollers are {distance} m apart, which is too far for a rail of {length:.4} m")]
    RollersTooFarApart {
        /// Distance of the rollers (m).
        distance: f64,
        /// Length of the rail (m).
        length: f64,
    },
    /// The coordinates of the boom have taken all of its flexibility.
    #[error(
        "the rail has no flexibility left of its own at {station:.4} m: keep fewer modes, refine the mesh, or let it \
         end further from the interfaces"
    )]
    NoFlexibility {
        /// Station (m).
        station: f64,
    },
    /// The stations of the rail cannot be interpolated.
    #[error("the rail cannot be interpolated: {0}")]
    Rail(#[from] SplineError),
}

/// A grip on the rail of a boom with n elastic coordinates, ready to be evaluated at any station.
#[derive(Clone, Debug)]
pub struct Grip {
    /// The station that is in the grip at displacement zero (m).
    to: f64,
    /// Displacements between which the grip stays on the rail (m).
    range: (f64, f64),
    /// W over the station, row after row.
    W: Vec<Spline>,
    /// Lower triangle of C over the station, row after row.
    C: Vec<Spline>,
}

/// A grip at one state.
#[derive(Clone, Debug, PartialEq)]
pub struct GripState {
    /// Displacement of the rail in the grip (m, rad).
    pub g: [f64; GRIP_ROWS],
    /// Load on the grip (N, N·m).
    pub load: [f64; GRIP_ROWS],
    /// C⁻¹.
    pub stiffness: [[f64; GRIP_ROWS]; GRIP_ROWS],
    /// ∂g over θ and q, row after row, with the half of C′Λ that makes `JᵀΛ` the gradient of the energy.
    pub J: Vec<f64>,
    /// Displacement of the joint (m).
    pub displacement: f64,
}

impl GripState {
    /// Room for a boom with `n` elastic coordinates.
    pub fn new(n: usize) -> Self {
        Self {
            g: [0.0; GRIP_ROWS],
            load: [0.0; GRIP_ROWS],
            stiffness: [[0.0; GRIP_ROWS]; GRIP_ROWS],
            J: vec![0.0; GRIP_ROWS * (1 + n)],
            displacement: 0.0,
        }
    }

    /// The row of J that belongs to a direction.
    pub fn row(&self, i: usize) -> &[f64] {
        let width = self.J.len() / GRIP_ROWS;
        &self.J[i * width..(i + 1) * width]
    }

    /// Energy stored, ½gᵀΛ (J).
    pub fn energy(&self) -> f64 {
        0.5 * self.g.iter().zip(&self.load).map(|(g, load)| g * load).sum::<f64>()
    }
}

impl Grip {
    /// On the rail of a link, held as `kind` says, with `R_CL` the rotation from link axes to the joint's.
    ///
    /// # Errors
    /// Rollers that are too far apart, or a rail that is not flexible of its own somewhere.
    pub(crate) fn new(rail: &Rail, kind: GripKind, R_CL: &Matrix3<f64>) -> Result<Self, GripError> {
        let samples = match kind {
            GripKind::Clamp => clamp_samples(rail, R_CL),
            GripKind::Rollers(distance) => roller_samples(rail, distance, R_CL)?,
        };
        let stations: Vec<f64> = samples.iter().map(|sample| sample.station).collect();
        let spline = |values: Vec<f64>| Spline::new(stations.clone(), values);
        let n = samples[0].W.ncols();
        let entry = |i: usize, j: usize| spline(samples.iter().map(|s| s.W[(i, j)]).collect());
        let W = (0..GRIP_ROWS * n).map(|k| entry(k / n, k % n)).collect::<Result<_, _>>()?;
        let pairs = (0..GRIP_ROWS).flat_map(|i| (0..=i).map(move |j| (i, j)));
        let C = pairs
            .map(|(i, j)| spline(samples.iter().map(|s| s.C[(i, j)]).collect()))
            .collect::<Result<_, _>>()?;
        let (from, to) = rail.range;
        let half = match kind {
            GripKind::Clamp => 0.0,
            GripKind::Rollers(distance) => 0.5 * distance,
        };
        let (first, last) = (from + half, to - half);
        if !(last > first && samples.len() >= 4) {
            return Err(GripError::RollersTooFarApart { distance: 2.0 * half, length: to - from });
        }
        let grip = Self { to, range: (to - last, to - first), W, C };
        // Between stations as well as on them: splines may overshoot what they interpolate.
        let points = 4 * stations.len();
        for k in 0..=points {
            let station = first + (last - first) * k as f64 / points as f64;
            let C = grip.flexibility(station).0;
            let scale = Square::from_fn(|i, j| C[(i, j)] / (C[(i, i)] * C[(j, j)]).sqrt());
            let least = scale.symmetric_eigenvalues().min();
            // Rounding of the reduction is some 1e-10 of the entire flexibility, of which this is a hundredth
            // or less.
            if C.diagonal().min() <= 0.0 || least <= 1e-7 {
                return Err(GripError::NoFlexibility { station });
            }
        }
        Ok(grip)
    }

    /// Displacements between which the grip stays on the rail (m).
    pub fn range(&self) -> (f64, f64) {
        self.range
    }

    /// Evaluates at a displacement of the joint and the coordinates of the boom.
    pub fn evaluate(&self, displacement: f64, q: &[f64], out: &mut GripState) {
        let station = self.to - displacement;
        let (q_count, width) = (q.len(), 1 + q.len());
        out.displacement = displacement;
        for i in 0..GRIP_ROWS {
            let row = &mut out.J[i * width..(i + 1) * width];
            let (mut u, mut slope) = (0.0, 0.0);
            for (k, q) in q.iter().enumerate() {
                let W = self.W[i * q_count + k].at(station);
                row[1 + k] = W.value;
                u += W.value * q;
                slope += W.rate * q;
            }
            out.g[i] = u;
            row[0] = -slope;
        }
        let (C, C_slope) = self.flexibility(station);
        // An iterate beyond the end of the rail may meet a singular C; it keeps the last stiffness and is no
        // solution anyway.
        if let Some(K) = C.try_inverse() {
            out.stiffness = std::array::from_fn(|i| std::array::from_fn(|j| 0.5 * (K[(i, j)] + K[(j, i)])));
        }
        for i in 0..GRIP_ROWS {
            out.load[i] = (0..GRIP_ROWS).map(|j| out.stiffness[i][j] * out.g[j]).sum();
        }
        for i in 0..GRIP_ROWS {
            out.J[i * width] += 0.5 * (0..GRIP_ROWS).map(|j| C_slope[(i, j)] * out.load[j]).sum::<f64>();
        }
    }

    /// C and C′ at a station.
    fn flexibility(&self, station: f64) -> (Square, Square) {
        let (mut C, mut slope) = (Square::zeros(), Square::zeros());
        let mut entries = self.C.iter();
        for i in 0..GRIP_ROWS {
            for (j, spline) in (0..=i).zip(&mut entries) {
                let sample = spline.at(station);
                (C[(i, j)], C[(j, i)]) = (sample.value, sample.value);
                (slope[(i, j)], slope[(j, i)]) = (sample.rate, sample.rate);
            }
        }
        (C, slope)
    }
}

/// W and C with a station in the grip.
struct Sample {
    station: f64,
    W: DMatrix<f64>,
    C: DMatrix<f64>,
}

/// Rotates the six components of a station.
fn turn(R: &Matrix3<f64>) -> DMatrix<f64> {
    DMatrix::from_fn(6, 6, |i, j| if i / 3 == j / 3 { R[(i % 3, j % 3)] } else { 0.0 })
}

fn clamp_samples(rail: &Rail, R_CL: &Matrix3<f64>) -> Vec<Sample> {
    let held = turn(R_CL).rows(1, GRIP_ROWS).into_owned();
    let sample = |(k, station): (usize, &f64)| Sample {
        station: *station,
        W: &held * &rail.V[k],
        C: &held * rail.F.view((6 * k, 6 * k), (6, 6)) * held.transpose(),
    };
    rail.stations.iter().enumerate().map(sample).collect()
}

/// With one roller on each station in turn and the other `distance` further out.
fn roller_samples(rail: &Rail, distance: f64, R_CL: &Matrix3<f64>) -> Result<Vec<Sample>, SplineError> {
    let stations = &rail.stations;
    let last = stations[stations.len() - 1];
    let R = turn(R_CL);
    // Mean displacements and rotation about x, and the turn of the line between the rollers.
    let mut B = DMatrix::zeros(GRIP_ROWS, 12);
    for (roller, sign) in [(0, -1.0), (6, 1.0)] {
        for c in 0..3 {
            B[(c, roller + 1 + c)] = 0.5;
        }
        B[(3, roller + 2)] = -sign / distance;
        B[(4, roller + 1)] = sign / distance;
    }
    let mut both = DMatrix::zeros(12, 12);
    both.view_mut((0, 0), (6, 6)).copy_from(&R);
    both.view_mut((6, 6), (6, 6)).copy_from(&R);
    let held = B * both;
    let n = rail.V[0].ncols();
    let at = |x: &[f64], y: Vec<f64>, to: f64| Spline::new(x.to_vec(), y).map(|spline| spline.at(to).value);
    let mut samples = Vec::new();
    for (k, inner) in stations.iter().enumerate() {
        let outer = inner + distance;
        if outer > last {
            break;
        }
        let (mut V, mut F) = (DMatrix::zeros(12, n), DMatrix::zeros(12, 12));
        V.rows_mut(0, 6).copy_from(&rail.V[k]);
        F.view_mut((0, 0), (6, 6)).copy_from(&rail.F.view((6 * k, 6 * k), (6, 6)));
        for i in 0..6 {
            for j in 0..n {
                V[(6 + i, j)] = at(stations, rail.V.iter().map(|V| V[(i, j)]).collect(), outer)?;
            }
            for j in 0..6 {
                let own = (0..stations.len()).map(|m| rail.F[(6 * m + i, 6 * m + j)]).collect();
                F[(6 + i, 6 + j)] = at(stations, own, outer)?;
                // Beyond the loaded station the response is smooth; there it has a kink.
                let cross = (k..stations.len()).map(|m| rail.F[(6 * k + i, 6 * m + j)]).collect();
                F[(i, 6 + j)] = at(&stations[k..], cross, outer)?;
                F[(6 + j, i)] = F[(i, 6 + j)];
            }
        }
        samples.push(Sample {
            station: inner + 0.5 * distance,
            W: &held * V,
            C: &held * F * held.transpose(),
        });
    }
    Ok(samples)
}

/// Where a boom's frame hangs: `X_CL` with the rail's outer end in the joint frame and the rail along x.
///
/// # Errors
/// A rail that does not run along x of the joint frame.
pub(crate) fn rail_in_joint(rail: &Rail, R_CL: &Matrix3<f64>) -> Result<Vector3<f64>, GripError> {
    let along = R_CL * rail.direction;
    // Directions of a deck have seven digits.
    if (along - Vector3::x()).norm() > 1e-5 {
        return Err(GripError::NotAlongAxis);
    }
    Ok(-(R_CL * (rail.foot + rail.direction * rail.range.1)))
}
