//! Nodes, elements and sets of the model, of a part, or of an instance of a part.

use std::collections::HashMap;

use pliant_diag::Span;

use super::element_type::Kind;

/// A node or an element: the space it is in (`None`: the one that names it) and its number there.
pub(super) type Member = (Option<usize>, u32);

/// An element with its nodes in the order of bulk data.
#[derive(Clone, Debug)]
pub(super) struct Element {
    pub(super) id: u32,
    pub(super) kind: Kind,
    pub(super) nodes: Vec<u32>,
    pub(super) at: Span,
    /// Row of the section among the blocks.
    pub(super) section: Option<usize>,
    /// Row of the *ELEMENT.
    pub(super) given: usize,
}

/// What has its own numbers of nodes and elements.
#[derive(Clone, Debug, Default)]
pub(super) struct Space {
    /// In capitals; empty for the model itself, which is the assembly too.
    pub(super) name: String,
    pub(super) nodes: Vec<crate::draft::Node>,
    pub(super) elements: Vec<Element>,
    pub(super) element_rows: HashMap<u32, usize>,
    pub(super) node_sets: HashMap<String, (Span, Vec<Member>)>,
    pub(super) element_sets: HashMap<String, Vec<Member>>,
    /// Nodes of surfaces.
    pub(super) surfaces: HashMap<String, (Span, Vec<Member>)>,
    /// Rows of blocks that are read once all spaces are known.
    pub(super) later: Vec<usize>,
    /// What is added to its numbers.
    pub(super) shift: u32,
}

impl Space {
    pub(super) fn element(&self, id: u32) -> Option<&Element> {
        self.element_rows.get(&id).map(|row| &self.elements[*row])
    }
}

/// A rigid motion: a rotation, then a translation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Motion {
    rotation: nalgebra::Rotation3<f64>,
    about: nalgebra::Vector3<f64>,
    translation: nalgebra::Vector3<f64>,
}

impl Motion {
    /// Of the data lines of *INSTANCE: a translation, then two points of an axis and an angle in degrees. The
    /// translation comes first (Abaqus Keywords Guide, *INSTANCE).
    pub(super) fn of(rows: &[Vec<f64>]) -> Option<Self> {
        let vector = |values: &[f64]| nalgebra::Vector3::new(values[0], values[1], values[2]);
        let mut motion = Self {
            rotation: nalgebra::Rotation3::identity(),
            about: nalgebra::Vector3::zeros(),
            translation: nalgebra::Vector3::zeros(),
        };
        if let Some(row) = rows.first() {
            motion.translation = vector(row.get(..3)?);
        }
        if let Some(row) = rows.get(1) {
            let (a, b) = (vector(row.get(..3)?), vector(row.get(3..6)?));
            let axis = nalgebra::Unit::try_new(b - a, 1e-300)?;
            motion.rotation = nalgebra::Rotation3::from_axis_angle(&axis, row.get(6)?.to_radians());
            motion.about = a;
        }
        Some(motion)
    }

    pub(super) fn apply(&self, position: [f64; 3]) -> [f64; 3] {
        let moved = nalgebra::Vector3::from(position) + self.translation;
        (self.rotation * (moved - self.about) + self.about).into()
    }
}
