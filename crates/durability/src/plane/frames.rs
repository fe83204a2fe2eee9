//! Which planes are looked at.

use std::f64::consts::{FRAC_PI_2, PI};

use super::Points;
use crate::assessment::Criterion;

/// A plane and a direction in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    pub(crate) normal: [f64; 3],
    pub(crate) direction: [f64; 3],
}

/// About which axis a frame turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Axis {
    /// z of the history: the normal of a free surface.
    Surface,
    /// Its direction.
    Direction,
    /// Across its direction, in the plane.
    Across,
    /// Its normal.
    Normal,
}

impl Frame {
    /// Turned by an angle (Rodrigues).
    pub(crate) fn turned(&self, axis: Axis, angle: f64) -> Self {
        let about = match axis {
            Axis::Surface => [0.0, 0.0, 1.0],
            Axis::Direction => self.direction,
            Axis::Across => cross(self.normal, self.direction),
            Axis::Normal => self.normal,
        };
        let (sine, cosine) = angle.sin_cos();
        let turn = |v: [f64; 3]| {
            let (along, side) = (dot(about, v), cross(about, v));
            let turned: [f64; 3] =
                std::array::from_fn(|i| cosine * v[i] + sine * side[i] + (1.0 - cosine) * along * about[i]);
            let size = dot(turned, turned).sqrt();
            turned.map(|x| x / size)
        };
        Self { normal: turn(self.normal), direction: turn(self.direction) }
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The planes of a kind of history under a criterion.
#[derive(Clone, Debug)]
pub(crate) struct Set {
    pub(crate) frames: Vec<Frame>,
    /// Angle between neighbours.
    pub(crate) step: f64,
    /// About which the best is refined.
    pub(crate) axes: &'static [Axis],
}

/// The planes that are searched: a grid first, then the neighbourhood of the best of them.
///
/// The grid has its normals 15° apart over the half sphere (those across a free surface 5° apart in one
/// circle), so that none of all normals is farther than 10.7° (2.5°) from one of them. From the best the
/// frame is turned by steps that halve down to less than ½°. For one cycle of stress the normal stress on a
/// plane at an angle ε from the principal axis of λ₁ is at least λ₁ cos²ε + λ₃ sin²ε, so the grid misses at
/// most sin²ε (1 − λ₃/λ₁) of it: 3.4 % times (1 − λ₃/λ₁) before, 0.008 % after refinement. Histories whose
/// principal axes turn may have several maxima; the refined one is that of the best plane of the grid.
#[derive(Clone, Debug)]
pub struct Search {
    axial: [Set; 2],
    surface: [Set; 2],
    solid: [Set; 2],
}

impl Search {
    /// Refinement ends below this angle.
    pub(crate) const FINEST: f64 = 0.25 * PI / 180.0;
    /// Angle between planes of the grid, in space and across a surface.
    const STEP: f64 = PI / 12.0;
    const SURFACE_STEP: f64 = PI / 36.0;

    /// The planes of all kinds of history.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "it is no neutral value but a table that is computed")]
    pub fn new() -> Self {
        let x = Frame { normal: [1.0, 0.0, 0.0], direction: [0.0, 1.0, 0.0] };
        let z = Frame { normal: [0.0, 0.0, 1.0], direction: [1.0, 0.0, 0.0] };
        // Of stress along an axis every plane that the axis lies across is like the others.
        let meridian = (0..=18).map(|k| x.turned(Axis::Surface, f64::from(k) * Self::SURFACE_STEP));
        let circle = (0..36).map(|k| x.turned(Axis::Surface, f64::from(k) * Self::SURFACE_STEP));
        let sphere = half_sphere(z, Self::STEP);
        let count = (PI / Self::STEP).round() as u32;
        let turned: Vec<Frame> = sphere
            .iter()
            .flat_map(|frame| (0..count).map(|k| frame.turned(Axis::Normal, f64::from(k) * Self::STEP)))
            .collect();
        let one = |frames: Vec<Frame>, step, axes| Set { frames, step, axes };
        let shear: &[Axis] = &[Axis::Direction, Axis::Across, Axis::Normal];
        let space = |frames: &[Frame], axes| Set { frames: frames.to_vec(), step: Self::STEP, axes };
        Self {
            axial: [one(vec![x], 0.0, &[]), one(meridian.collect(), Self::SURFACE_STEP, &[Axis::Surface])],
            // Tilting a plane out of the normal of a free surface multiplies its normal stress by cos² of
            // the tilt at all times: the planes across the surface are enough.
            surface: [one(circle.collect(), Self::SURFACE_STEP, &[Axis::Surface]), space(&turned, shear)],
            solid: [space(&sphere, &[Axis::Direction, Axis::Across]), space(&turned, shear)],
        }
    }

    /// Those of a history.
    pub(crate) fn of(&self, points: Points<'_>, criterion: Criterion) -> &Set {
        let which = match criterion {
            Criterion::Normal => 0,
            Criterion::Findley { .. } => 1,
        };
        match points {
            Points::Axial(_) => &self.axial[which],
            Points::Surface(_) => &self.surface[which],
            Points::Solid(_) => &self.solid[which],
        }
    }
}

/// Normals in rings around z, neighbours at most `step` apart along and between rings; opposite normals are
/// one plane, so half of the last ring is enough.
fn half_sphere(z: Frame, step: f64) -> Vec<Frame> {
    let rings = (FRAC_PI_2 / step).round() as u32;
    let mut frames = vec![z];
    for ring in 1..=rings {
        let tilt = f64::from(ring) * FRAC_PI_2 / f64::from(rings);
        let whole = if ring == rings { PI } else { 2.0 * PI };
        let count = (whole * tilt.sin() / step).ceil() as u32;
        let tilted = z.turned(Axis::Across, tilt);
        frames.extend(
            (0..count).map(|k| tilted.turned(Axis::Surface, f64::from(k) * whole / f64::from(count))),
        );
    }
    frames
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No direction is farther than 10.7° from a normal of the grid (half the diagonal of 15° by 15°).
    #[test]
    fn the_grid_covers_the_sphere() {
        let search = Search::new();
        let mut farthest = 0.0f64;
        // A lattice of Fibonacci on the sphere: 20,000 points are about 1.4° apart.
        for k in 0..20_000 {
            let (height, turn) =
                (1.0 - (f64::from(k) + 0.5) / 10_000.0, 2.399_963_229_728_653 * f64::from(k));
            let radius = (1.0 - height * height).sqrt();
            let at = [radius * turn.cos(), radius * turn.sin(), height];
            let near = |frame: &Frame| dot(frame.normal, at).abs().min(1.0).acos();
            let nearest = search.solid[0].frames.iter().map(near).fold(f64::INFINITY, f64::min);
            farthest = farthest.max(nearest);
        }
        assert!(farthest.to_degrees() < 10.7, "{}", farthest.to_degrees());
        assert!(search.solid[0].frames.len() < 100, "{}", search.solid[0].frames.len());
    }

    #[test]
    fn frames_stay_frames() {
        let search = Search::new();
        for set in [&search.axial[1], &search.surface[0], &search.surface[1], &search.solid[1]] {
            for frame in &set.frames {
                assert!(dot(frame.normal, frame.direction).abs() < 1e-14);
                assert!((dot(frame.normal, frame.normal) - 1.0).abs() < 1e-14);
            }
        }
    }
}
