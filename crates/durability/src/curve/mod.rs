//! S–N curves.

mod survival;

pub use survival::survival_factor;

/// What a curve does below its last point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Below {
    /// Smaller amplitudes do no damage: an endurance limit, or a cut-off. Miner's original rule.
    Limit,
    /// The slope before the last point goes on: the elementary rule.
    Same,
    /// The slope k before the last point goes on with 2k − 1: the modified rule of Haibach, for wrought
    /// metals without welds.
    Haibach,
    /// Another slope.
    Slope(f64),
}

/// A curve that is not one.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CurveError {
    /// No points.
    #[error("an S–N curve needs a point")]
    Empty,
    /// A number that is not positive.
    #[error("cycles and stress of an S–N curve must be positive and finite, found {0} cycles at {1} Pa")]
    NotPositive(f64, f64),
    /// Points that do not fall.
    #[error(
        "cycles must rise and stress must fall along an S–N curve, found {} Pa at {} cycles after {} Pa at {} cycles",
        .next.1, .next.0, .point.1, .point.0
    )]
    NotFalling {
        /// Cycles and stress of a point.
        point: (f64, f64),
        /// Those of the next.
        next: (f64, f64),
    },
    /// A slope that is not positive.
    #[error("the slope of an S–N curve must be positive and finite, found {0}")]
    Slope(f64),
    /// One point and no slope.
    #[error("an S–N curve of one point needs a slope")]
    NoSlope,
    /// A ratio of stress at which nothing can be tested.
    #[error("the stress ratio R of an S–N curve must be finite and below 1, found {0}")]
    Ratio(f64),
}

/// Cycles to failure N at an amplitude S of constant ratio R = S_min/S_max: straight lines in log N over
/// log S, N = N_i (S_i/S)^k_i, through its points (Basquin's law between each two of them).
#[derive(Clone, Debug, PartialEq)]
pub struct SnCurve {
    /// Cycles and amplitude (Pa), cycles rising and amplitude falling.
    points: Vec<(f64, f64)>,
    /// Slope above the first point, between each two, and below the last (infinite: no damage).
    slopes: Vec<f64>,
    ratio: f64,
}

impl SnCurve {
    /// A curve through points of cycles and amplitude (Pa), at a stress ratio. `slope` is that of amplitudes
    /// above the first point: that of the first two points when left out.
    ///
    /// # Errors
    /// Points or slopes that make no curve.
    pub fn new(
        points: Vec<(f64, f64)>,
        slope: Option<f64>,
        below: Below,
        ratio: f64,
    ) -> Result<Self, CurveError> {
        let positive = |x: f64| x > 0.0 && x.is_finite();
        if let Some((n, s)) = points.iter().find(|(n, s)| !positive(*n) || !positive(*s)) {
            return Err(CurveError::NotPositive(*n, *s));
        }
        if !(ratio < 1.0 && ratio.is_finite()) {
            return Err(CurveError::Ratio(ratio));
        }
        for pair in points.windows(2) {
            if !(pair[1].0 > pair[0].0 && pair[1].1 < pair[0].1) {
                return Err(CurveError::NotFalling { point: pair[0], next: pair[1] });
            }
        }
        let between =
            points.windows(2).map(|pair| (pair[1].0 / pair[0].0).ln() / (pair[0].1 / pair[1].1).ln());
        let mut slopes: Vec<f64> = between.collect();
        let first = slope.or_else(|| slopes.first().copied());
        let first = first.ok_or(if points.is_empty() { CurveError::Empty } else { CurveError::NoSlope })?;
        if points.is_empty() {
            return Err(CurveError::Empty);
        }
        slopes.insert(0, first);
        let last = slopes[slopes.len() - 1];
        slopes.push(match below {
            Below::Limit => f64::INFINITY,
            Below::Same => last,
            Below::Haibach => 2.0 * last - 1.0,
            Below::Slope(slope) => slope,
        });
        let finite = if below == Below::Limit { &slopes[..slopes.len() - 1] } else { &slopes[..] };
        match finite.iter().find(|slope| !positive(**slope)) {
            Some(slope) => Err(CurveError::Slope(*slope)),
            None => Ok(Self { points, slopes, ratio }),
        }
    }

    /// The stress ratio R that the curve was found at.
    pub fn ratio(&self) -> f64 {
        self.ratio
    }

    /// The amplitude below which there is no damage (Pa); none where every amplitude does some.
    pub fn limit(&self) -> Option<f64> {
        let last = self.points[self.points.len() - 1];
        self.slopes[self.slopes.len() - 1].is_infinite().then_some(last.1)
    }

    /// The curve with all amplitudes times a factor.
    #[must_use]
    pub fn scaled(mut self, factor: f64) -> Self {
        self.points.iter_mut().for_each(|point| point.1 *= factor);
        self
    }

    /// Cycles to failure at an amplitude (Pa): infinite where it does no damage, 0 where it is infinite.
    pub fn cycles(&self, amplitude: f64) -> f64 {
        if amplitude <= 0.0 {
            return f64::INFINITY;
        }
        // A point itself belongs to the line above it: the last one is not below the limit.
        let above = self.points.partition_point(|point| point.1 > amplitude);
        let (slope, (cycles, stress)) = (self.slopes[above], self.points[above.saturating_sub(1)]);
        if slope.is_infinite() { f64::INFINITY } else { cycles * (stress / amplitude).powf(slope) }
    }
}
