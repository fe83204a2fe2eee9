//! Exact integrals over outlines made of polygons and circles.

/// A piece of an outline.
#[derive(Clone, Debug)]
enum Piece {
    /// Corners (y, z), either way round.
    Polygon(Vec<[f64; 2]>),
    /// Centre at the origin.
    Circle { radius: f64 },
}

/// An area as a sum of pieces with signs: −1 cuts a hole.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    pieces: Vec<(f64, Piece)>,
}

/// A closed line of a section.
#[derive(Clone, Debug, PartialEq)]
pub struct SectionLoop {
    /// Corners (y, z).
    pub corners: Vec<[f64; 2]>,
    /// True when it bounds a hole.
    pub is_hole: bool,
}

/// Corners that a circle is drawn with.
const ROUND: u32 = 24;

/// Area, centroid and central second moments of an [`Outline`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct OutlineIntegral {
    /// ∫ dA.
    pub area: f64,
    /// (y, z) of the centroid.
    pub centroid: [f64; 2],
    /// ∫ y² dA about the centroid.
    pub i1: f64,
    /// ∫ z² dA about the centroid.
    pub i2: f64,
    /// ∫ y z dA about the centroid.
    pub i12: f64,
}

impl Outline {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// With a rectangle between two heights y and two widths z.
    #[must_use]
    pub fn rectangle(self, y: [f64; 2], z: [f64; 2]) -> Self {
        self.polygon(vec![[y[0], z[0]], [y[1], z[0]], [y[1], z[1]], [y[0], z[1]]])
    }

    /// Without a rectangle.
    #[must_use]
    pub fn hole(mut self, y: [f64; 2], z: [f64; 2]) -> Self {
        self = self.rectangle(y, z);
        if let Some(last) = self.pieces.last_mut() {
            last.0 = -1.0;
        }
        self
    }

    /// With a polygon.
    #[must_use]
    pub fn polygon(mut self, corners: Vec<[f64; 2]>) -> Self {
        self.pieces.push((1.0, Piece::Polygon(corners)));
        self
    }

    /// With a circle about the origin, or without it.
    #[must_use]
    pub fn circle(mut self, radius: f64, sign: f64) -> Self {
        self.pieces.push((sign, Piece::Circle { radius }));
        self
    }

    /// Its lines, about a point.
    pub(crate) fn loops(&self, about: [f64; 2]) -> Vec<SectionLoop> {
        let corners = |piece: &Piece| match piece {
            Piece::Polygon(corners) => corners.clone(),
            Piece::Circle { radius } => {
                let angle = |k: u32| std::f64::consts::TAU * f64::from(k) / f64::from(ROUND);
                (0..ROUND).map(|k| [radius * angle(k).cos(), radius * angle(k).sin()]).collect()
            }
        };
        let shifted = |[y, z]: [f64; 2]| [y - about[0], z - about[1]];
        let line = |(sign, piece): &(f64, Piece)| SectionLoop {
            corners: corners(piece).into_iter().map(shifted).collect(),
            is_hole: *sign < 0.0,
        };
        self.pieces.iter().map(line).collect()
    }

    /// Area, centroid and central second moments.
    ///
    /// For a polygon by Green's theorem with c_k = y_k z_{k+1} − y_{k+1} z_k:
    /// A = ½ Σ c_k, ∫y = ⅙ Σ c_k (y_k + y_{k+1}), ∫y² = 1/12 Σ c_k (y_k² + y_k y_{k+1} + y_{k+1}²),
    /// ∫yz = 1/24 Σ c_k (y_k z_{k+1} + 2 y_k z_k + 2 y_{k+1} z_{k+1} + y_{k+1} z_k).
    pub(crate) fn integrate(&self) -> OutlineIntegral {
        let mut sum = [0.0; 6];
        for (sign, piece) in &self.pieces {
            let moments = match piece {
                Piece::Polygon(corners) => polygon_moments(corners),
                Piece::Circle { radius } => {
                    let area = std::f64::consts::PI * radius * radius;
                    let i = 0.25 * area * radius * radius;
                    [area, 0.0, 0.0, i, i, 0.0]
                }
            };
            for (s, m) in sum.iter_mut().zip(moments) {
                *s += sign * m;
            }
        }
        let [area, y, z, yy, zz, yz] = sum;
        let centroid = [y / area, z / area];
        OutlineIntegral {
            area,
            centroid,
            i1: yy - area * centroid[0] * centroid[0],
            i2: zz - area * centroid[1] * centroid[1],
            i12: yz - area * centroid[0] * centroid[1],
        }
    }

    /// True when (y, z) lies in the area; used to check the integrals by sampling.
    pub fn contains(&self, y: f64, z: f64) -> bool {
        let inside = |piece: &Piece| match piece {
            Piece::Circle { radius } => y * y + z * z < radius * radius,
            Piece::Polygon(corners) => {
                let mut odd = false;
                for (k, a) in corners.iter().enumerate() {
                    let b = corners[(k + 1) % corners.len()];
                    if (a[0] > y) != (b[0] > y) && z < a[1] + (y - a[0]) / (b[0] - a[0]) * (b[1] - a[1]) {
                        odd = !odd;
                    }
                }
                odd
            }
        };
        self.pieces.iter().filter(|(_, p)| inside(p)).map(|(sign, _)| sign).sum::<f64>() > 0.5
    }
}

/// A, ∫y, ∫z, ∫y², ∫z², ∫yz of a polygon, with its area positive whichever way round it runs.
fn polygon_moments(corners: &[[f64; 2]]) -> [f64; 6] {
    let mut m = [0.0; 6];
    for (k, &[y0, z0]) in corners.iter().enumerate() {
        let [y1, z1] = corners[(k + 1) % corners.len()];
        let c = y0 * z1 - y1 * z0;
        m[0] += c / 2.0;
        m[1] += c * (y0 + y1) / 6.0;
        m[2] += c * (z0 + z1) / 6.0;
        m[3] += c * (y0 * y0 + y0 * y1 + y1 * y1) / 12.0;
        m[4] += c * (z0 * z0 + z0 * z1 + z1 * z1) / 12.0;
        m[5] += c * (y0 * z1 + 2.0 * y0 * z0 + 2.0 * y1 * z1 + y1 * z0) / 24.0;
    }
    let sign = m[0].signum();
    m.map(|x| sign * x)
}
