//! Loads of a deck's own load sets. Vectors are resolved to the basic frame.

use nalgebra::Vector3;
use pliant_diag::Origin;

use crate::element::ElementRef;
use crate::{Components, NodeIndex, SetId};

/// One load entry.
#[derive(Clone, Debug, PartialEq)]
pub struct Load {
    /// The set.
    pub set: SetId,
    /// What it does.
    pub kind: LoadKind,
    /// Where it was given.
    pub source: Origin,
}

/// What a [`Load`] does.
#[derive(Clone, Debug, PartialEq)]
pub enum LoadKind {
    /// FORCE, FORCE1, FORCE2.
    Force {
        /// The grid.
        node: NodeIndex,
        /// Force in the basic frame.
        force: Vector3<f64>,
    },
    /// MOMENT, MOMENT1, MOMENT2.
    Moment {
        /// The grid.
        node: NodeIndex,
        /// Moment in the basic frame.
        moment: Vector3<f64>,
    },
    /// SLOAD: force on a scalar point.
    Scalar {
        /// The scalar point.
        node: NodeIndex,
        /// Force.
        force: f64,
    },
    /// PLOAD1 on a CBAR or CBEAM.
    Bar(BarLoad),
    /// PLOAD, PLOAD2 or PLOAD4: pressure on a shell, or on a face of a solid.
    Pressure {
        /// The element.
        element: ElementRef,
        /// Pressure at the corners of the face, in the order of its corner nodes.
        pressures: [f64; 4],
        /// Which face.
        face: PressureFace,
        /// Direction in the basic frame; `None`: along the inward normal of a solid face, the positive normal
        /// of a shell.
        direction: Option<Vector3<f64>>,
    },
    /// PLOAD: pressure on three or four grids, positive as their order turns by the right-hand rule.
    PressureOnGrids {
        /// Pressure.
        pressure: f64,
        /// Three grids, or four with the last one `NodeIndex::NONE` left out.
        nodes: [NodeIndex; 4],
    },
    /// GRAV: acceleration of the frame's gravity, in the basic frame.
    Gravity {
        /// Acceleration.
        acceleration: Vector3<f64>,
    },
    /// ACCEL1: acceleration of some grids.
    GridAcceleration {
        /// Acceleration in the basic frame.
        acceleration: Vector3<f64>,
        /// The grids.
        nodes: Vec<NodeIndex>,
    },
    /// RFORCE: rotation of the entire structure about an axis.
    Rotation {
        /// A point on the axis, basic frame.
        centre: Vector3<f64>,
        /// Angular velocity in radians per unit time, basic frame (the card gives revolutions).
        omega: Vector3<f64>,
        /// Angular acceleration in radians per unit time squared, basic frame.
        alpha: Vector3<f64>,
    },
    /// SPCD: enforced displacement of components that an SPC of the subcase holds.
    EnforcedDisplacement {
        /// The node.
        node: NodeIndex,
        /// Its components, in its displacement frame.
        components: Components,
        /// The displacement.
        value: f64,
    },
    /// TEMP: temperature of a grid.
    Temperature {
        /// The grid.
        node: NodeIndex,
        /// Temperature.
        value: f64,
    },
    /// TEMPD: temperature of every grid without one of its own.
    DefaultTemperature {
        /// Temperature.
        value: f64,
    },
    /// TEMPRB: temperatures of a bar, beam or rod, in place of those of its grids.
    BarTemperature(BarTemperature),
    /// A load that is not available. A case that selects its set is refused.
    Unavailable {
        /// The card, such as `ACCEL`.
        card: &'static str,
    },
}

/// Temperature T = T₀ + T′₁y + T′₂z over the sections of a bar, linear between its ends. The card's
/// temperatures at stress recovery points are not kept: displacements do not depend on them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BarTemperature {
    /// The bar, beam or rod.
    pub element: ElementRef,
    /// T₀ at ends A and B: TA, TB.
    pub mean: [f64; 2],
    /// [T′₁, T′₂] along the element's y and z at ends A and B: TP1A, TP2A; TP1B, TP2B.
    pub gradients: [[f64; 2]; 2],
}

/// Which face a pressure acts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PressureFace {
    /// A shell: the element itself.
    Shell,
    /// A solid's face by a corner node and the one diagonally opposite (quadrilateral faces).
    Diagonal(NodeIndex, NodeIndex),
    /// A solid's triangular face by one of its corner nodes, and for CTETRA the corner opposite the face.
    Corner(NodeIndex, Option<NodeIndex>),
}

/// What a [`BarLoad`] is: a force or a moment along which axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BarLoadType {
    /// False: force. True: moment.
    pub moment: bool,
    /// 0, 1, 2 for x, y, z.
    pub axis: usize,
    /// True: element axes (FXE…). False: basic axes (FX…).
    pub element_axes: bool,
}

/// How positions of a [`BarLoad`] are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BarLoadScale {
    /// LE: distance from end A.
    Length,
    /// FR: fraction of the length.
    Fraction,
    /// LEPR: distance, load per projected length.
    LengthProjected,
    /// FRPR: fraction, load per projected length.
    FractionProjected,
}

/// PLOAD1: linearly varying load from `x1` to `x2`, or a concentrated one when they are equal.
#[derive(Clone, Debug, PartialEq)]
pub struct BarLoad {
    /// The bar or beam.
    pub element: ElementRef,
    /// Force or moment, and its axis.
    pub load_type: BarLoadType,
    /// Meaning of `x1` and `x2`.
    pub scale: BarLoadScale,
    /// Start.
    pub x1: f64,
    /// Value at the start.
    pub p1: f64,
    /// End; equal to `x1` for a concentrated load.
    pub x2: f64,
    /// Value at the end.
    pub p2: f64,
}

/// LOAD: scale · Σ factorᵢ · setᵢ.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadCombination {
    /// The set that stands for the others.
    pub set: SetId,
    /// S.
    pub scale: f64,
    /// Si and Li.
    pub terms: Vec<(f64, SetId)>,
    /// Where it was given.
    pub source: Origin,
}
