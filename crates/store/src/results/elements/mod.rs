//! Stress and strain of elements: what is recovered of them while the machine moves.

mod envelope;
mod form;
mod intensity;
mod layout;
mod search;

use std::sync::{Arc, OnceLock};

use pliant_reduce::recovery::{ElementModes, Quantity};

pub use envelope::{ElementEnvelope, ElementPeak, StressMargin};
pub(super) use form::POINT_ROWS;
pub(super) use intensity::Intensities;

/// What is recovered of a link.
#[derive(Clone, Debug)]
pub struct LinkElements {
    /// Name of the link.
    pub name: String,
    /// Stress and strain, whatever is asked for.
    pub fields: Vec<Arc<ElementField>>,
    /// Gauges by name, with their strain for unit coordinates.
    pub gauges: Vec<(String, Vec<f64>)>,
}

/// A quantity of the elements of a link.
#[derive(Clone, Debug)]
pub struct ElementField {
    /// For unit coordinates.
    pub modes: ElementModes,
    /// Numbers of the elements whose components are kept over time.
    pub history: Vec<u32>,
    /// Of each element the von Mises stress that is allowed (Pa), where one is known.
    pub allowables: Vec<Option<f64>>,
    /// What stands for each element, for frames; built where it is needed first.
    intensities: OnceLock<Intensities>,
}

impl ElementField {
    /// Of the elements of `modes`; the components of those in `history` are kept over time.
    pub fn new(modes: ElementModes, history: Vec<u32>, allowables: Vec<Option<f64>>) -> Self {
        Self { modes, history, allowables, intensities: OnceLock::new() }
    }

    /// Von Mises stress (Pa) or principal strain of each element at some coordinates; of a bar the size of
    /// the axial one.
    pub fn values(&self, q: &[f64]) -> Vec<f64> {
        let mut p = vec![[0.0; 8]; self.intensities().coordinates()];
        self.intensities().turn(q, &mut p, 0);
        self.intensities().frames(&p).into_iter().map(|eight| eight[0]).collect()
    }

    /// What stands for each element, in eight frames.
    pub(super) fn intensities(&self) -> &Intensities {
        self.intensities.get_or_init(|| Intensities::plain(&self.modes))
    }
}

impl LinkElements {
    /// The field of a quantity.
    pub(super) fn field(&self, quantity: Quantity) -> Option<&Arc<ElementField>> {
        self.fields.iter().find(|field| field.modes.quantity == quantity)
    }
}
