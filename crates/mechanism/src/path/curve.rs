//! Curves in space by their length: lines, arcs, and lines with rounded corners.

use nalgebra::Vector3;

use super::error::CurveError;

/// One piece of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Piece {
    /// From a point along a unit direction.
    Line { from: Vector3<f64>, direction: Vector3<f64> },
    /// `centre + r(cos φ·radial + sin φ·tangent)`, φ = s/r.
    Arc { centre: Vector3<f64>, radial: Vector3<f64>, tangent: Vector3<f64>, radius: f64 },
}

impl Piece {
    /// Point and its first and second derivatives by length.
    fn at(&self, s: f64) -> [Vector3<f64>; 3] {
        match self {
            Self::Line { from, direction } => [from + direction * s, *direction, Vector3::zeros()],
            Self::Arc { centre, radial, tangent, radius } => {
                let (sin, cos) = (s / radius).sin_cos();
                let outward = radial * cos + tangent * sin;
                [centre + outward * *radius, tangent * cos - radial * sin, outward / -*radius]
            }
        }
    }
}

/// A curve whose tangent does not jump.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    /// Pieces and the length at which each ends.
    pieces: Vec<(Piece, f64)>,
}

impl Curve {
    /// A straight line; of no length when the points are the same.
    pub fn line(from: Vector3<f64>, to: Vector3<f64>) -> Self {
        let length = (to - from).norm();
        if length == 0.0 {
            return Self::default();
        }
        Self { pieces: vec![(Piece::Line { from, direction: (to - from) / length }, length)] }
    }

    /// The circular arc from a point through another to a third; `None` when they lie on a line.
    pub fn arc(from: Vector3<f64>, via: Vector3<f64>, to: Vector3<f64>) -> Option<Self> {
        let (a, b) = (via - from, to - from);
        let normal = a.cross(&b);
        let n2 = normal.norm_squared();
        if n2 <= 1e-18 * a.norm_squared() * b.norm_squared() {
            return None;
        }
        // Centre of the circle through three points.
        let offset =
            (b.cross(&normal) * -a.norm_squared() + a.cross(&normal) * b.norm_squared()) / (-2.0 * n2);
        let centre = from + offset;
        let radius = offset.norm();
        let radial = (from - centre) / radius;
        let tangent = normal.normalize().cross(&radial);
        let end = to - centre;
        let angle = end.dot(&tangent).atan2(end.dot(&radial)).rem_euclid(std::f64::consts::TAU);
        Some(Self { pieces: vec![(Piece::Arc { centre, radial, tangent, radius }, radius * angle)] })
    }

    /// Straight lines through points, with corners rounded by arcs that leave and reach the lines `blend`
    /// metres from the corner.
    ///
    /// # Errors
    /// A corner without room for its arc, or without an arc; says which.
    pub fn through(points: &[Vector3<f64>], blend: f64) -> Result<Self, CurveError> {
        let mut curve = Self::default();
        let mut from = points[0];
        for (i, corner) in points.iter().enumerate().skip(1) {
            let Some(next) = points.get(i + 1) else {
                curve.join(Self::line(from, *corner));
                break;
            };
            let (arriving, leaving) = (corner - points[i - 1], next - corner);
            if arriving.norm() == 0.0 || leaving.norm() == 0.0 {
                return Err(CurveError::Coincident { point: i });
            }
            let (d, e) = (arriving.normalize(), leaving.normalize());
            // sin and cos of half the angle by which the direction changes.
            let (sin, cos) = ((e - d).norm() / 2.0, (e + d).norm() / 2.0);
            if sin < 1e-9 {
                continue;
            }
            if blend <= 0.0 {
                return Err(CurveError::Corner { point: i });
            }
            if cos < 1e-6 {
                return Err(CurveError::Reversal { point: i });
            }
            let last = i + 2 == points.len();
            let room = (corner - from).norm().min(if last { leaving.norm() } else { leaving.norm() / 2.0 });
            if blend > room * (1.0 + 1e-12) {
                return Err(CurveError::BlendTooLarge { point: i, blend, room });
            }
            let (enter, leave) = (corner - d * blend, corner + e * blend);
            curve.join(Self::line(from, enter));
            let radius = blend * cos / sin;
            let tangent = d;
            let inward = ((e - d * d.dot(&e)).normalize()) * radius;
            let arc = Piece::Arc { centre: enter + inward, radial: -inward / radius, tangent, radius };
            curve.add(arc, radius * 2.0 * sin.atan2(cos));
            from = leave;
        }
        Ok(curve)
    }

    fn add(&mut self, piece: Piece, length: f64) {
        let end = self.length() + length;
        self.pieces.push((piece, end));
    }

    fn join(&mut self, other: Self) {
        let mut before = 0.0;
        for (piece, end) in other.pieces {
            self.add(piece, end - before);
            before = end;
        }
    }

    /// Its length (m).
    pub fn length(&self) -> f64 {
        self.pieces.last().map_or(0.0, |(_, end)| *end)
    }

    /// Lengths at which the curvature jumps.
    pub fn joints(&self) -> impl Iterator<Item = f64> {
        self.pieces.iter().rev().skip(1).rev().map(|(_, end)| *end)
    }

    /// Point and its first and second derivatives by length; `None` for a curve of no length.
    pub fn at(&self, s: f64) -> Option<[Vector3<f64>; 3]> {
        let index =
            self.pieces.iter().position(|(_, end)| s <= *end).unwrap_or(self.pieces.len().checked_sub(1)?);
        let begin = if index == 0 { 0.0 } else { self.pieces[index - 1].1 };
        Some(self.pieces[index].0.at(s - begin))
    }
}
