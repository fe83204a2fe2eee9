//! Sections of bars: a bar whose section is known is drawn with it, others as round sticks.

use serde::Serialize;

/// The section of a bar.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Profile {
    /// The lines around it.
    pub loops: Vec<ProfileLoop>,
}

/// A closed line of a section.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ProfileLoop {
    /// Corners (y, z) from the axis of the bar (m).
    pub corners: Vec<[f32; 2]>,
    /// True when it bounds a hole.
    pub hole: bool,
}

/// Which section a cell has.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BarSection {
    /// The cell, a line.
    pub cell: u32,
    /// Which of the profiles.
    pub profile: u32,
    /// Direction of the section's y in link axes, across the bar.
    pub across: [f32; 3],
}

/// Corners that a circle is drawn with.
const ROUND: u32 = 24;

impl Profile {
    /// A solid circle.
    pub fn round(diameter: f64) -> Self {
        Self { loops: vec![ProfileLoop::round(diameter, false)] }
    }

    /// A round tube.
    pub fn tube(outer: f64, inner: f64) -> Self {
        Self { loops: vec![ProfileLoop::round(outer, false), ProfileLoop::round(inner, true)] }
    }

    /// A solid rectangle; its height lies along y.
    pub fn rectangle(height: f64, width: f64) -> Self {
        Self { loops: vec![ProfileLoop::rectangle(height, width, false)] }
    }

    /// A rectangular tube.
    pub fn hollow(height: f64, width: f64, wall: f64) -> Self {
        let hole = ProfileLoop::rectangle(height - 2.0 * wall, width - 2.0 * wall, true);
        Self { loops: vec![ProfileLoop::rectangle(height, width, false), hole] }
    }

    /// The rectangle of these second moments about z and y and this area; `None` where there is none.
    pub fn of_moments(area: f64, i1: f64, i2: f64) -> Option<Self> {
        // I = A h²/12 of a solid rectangle.
        let side = |i: f64| (12.0 * i / area).sqrt();
        let (height, width) = (side(i1), side(i2));
        let usable = |x: f64| x.is_finite() && x > 0.0;
        (usable(height) && usable(width)).then(|| Self::rectangle(height, width))
    }
}

impl ProfileLoop {
    fn round(diameter: f64, hole: bool) -> Self {
        let corner = |k: u32| {
            let angle = std::f64::consts::TAU * f64::from(k) / f64::from(ROUND);
            [0.5 * diameter * angle.cos(), 0.5 * diameter * angle.sin()].map(|x| x as f32)
        };
        Self { corners: (0..ROUND).map(corner).collect(), hole }
    }

    fn rectangle(height: f64, width: f64, hole: bool) -> Self {
        let signs = [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]];
        let corner = |[y, z]: [f64; 2]| [0.5 * y * height, 0.5 * z * width].map(|x| x as f32);
        Self { corners: signs.map(corner).to_vec(), hole }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_of_moments_has_them() {
        let profile =
            Profile::of_moments(0.02 * 0.06, 0.02 * 0.06_f64.powi(3) / 12.0, 0.06 * 0.02_f64.powi(3) / 12.0);
        assert_eq!(profile, Some(Profile::rectangle(0.06, 0.02)));
        assert_eq!(Profile::of_moments(0.0, 1.0, 1.0), None);
    }
}
