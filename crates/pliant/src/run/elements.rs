//! The largest stress, strain and loads of an analysis.

use std::collections::BTreeMap;
use std::sync::Arc;

use pliant_dynamics::Frame;
use pliant_mechanism::Model;
use pliant_reduce::recovery::Quantity;
use pliant_store::results::{ElementEnvelope, JointLoad, LinkElements, joint_loads};
use serde::Serialize;

/// The largest stress or strain of a link.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PeakSummary {
    /// Von Mises stress (Pa) or principal strain; of a bar the size of the axial one.
    pub value: f64,
    /// When (s).
    pub time: f64,
    /// Number of the element.
    pub element: u32,
    /// Number of its property; 0 for none.
    pub property: u32,
    /// The largest component at the point of the element that has it, as `corner 2.xx`.
    pub component: String,
    /// Its value.
    pub component_value: f64,
}

/// How far the stress of a link stays below what is allowed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MarginSummary {
    /// Allowed/largest − 1, the smallest of all elements.
    pub margin: f64,
    /// Number of the element.
    pub element: u32,
    /// What is allowed of it (Pa).
    pub allowable: f64,
    /// Its largest stress (Pa).
    pub value: f64,
    /// When (s).
    pub time: f64,
}

/// What is recovered of a link.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LinkStress {
    /// Von Mises stress.
    pub stress: Option<PeakSummary>,
    /// The smallest margin; none where nothing is known of what is allowed.
    pub margin: Option<MarginSummary>,
    /// Principal strain.
    pub strain: Option<PeakSummary>,
    #[serde(skip)]
    pub(crate) has: LinkHas,
}

/// What will be known of a link, before the run and after it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct LinkHas {
    pub(crate) stress: bool,
    pub(crate) margin: bool,
    pub(crate) strain: bool,
}

/// A number over time by its largest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Extreme {
    /// Largest size.
    pub peak: f64,
    /// When (s).
    pub time: f64,
}

/// What a joint carries: sizes of the force (N) and of the moment about its origin (N m).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct LoadSummary {
    /// Force.
    pub force: Extreme,
    /// Moment; where the joint can turn, the torque of its drive is part of it.
    pub moment: Extreme,
}

impl Extreme {
    fn take(&mut self, t: f64, size: f64) {
        if size > self.peak {
            *self = Self { peak: size, time: t };
        }
    }
}

/// A gauge: where the coordinates of its link are in the state, and its strain for a unit of each.
type GaugeRow = (std::ops::Range<usize>, Vec<f64>);

/// Watches stress, strain, gauges and the loads of joints.
pub(super) struct Loads {
    pub(super) envelopes: Vec<ElementEnvelope>,
    gauges: Vec<(String, GaugeRow, Extreme)>,
    joints: Vec<(String, JointLoad, LoadSummary)>,
}

impl Loads {
    pub(super) fn new(model: &Model, elements: &[Arc<LinkElements>]) -> Self {
        let gauges = elements.iter().filter_map(|link| {
            let positions = model.bodies()[model.body(&link.name)?].elastic_positions();
            let one = move |(name, row): &(String, Vec<f64>)| {
                (name.clone(), (positions.clone(), row.clone()), Extreme::default())
            };
            Some(link.gauges.iter().map(one).collect::<Vec<_>>())
        });
        let joints = joint_loads(model).into_iter();
        Self {
            envelopes: ElementEnvelope::all(elements, model),
            gauges: gauges.flatten().collect(),
            joints: joints.map(|(name, load)| (name, load, LoadSummary::default())).collect(),
        }
    }

    pub(super) fn frame(&mut self, frame: &Frame<'_>) {
        let t = frame.state.t;
        self.envelopes.iter_mut().for_each(|envelope| envelope.frame(frame));
        for (_, (positions, row), extreme) in &mut self.gauges {
            let strain: f64 = row.iter().zip(&frame.state.q[positions.clone()]).map(|(g, q)| g * q).sum();
            extreme.take(t, strain.abs());
        }
        for (_, wrench, load) in &mut self.joints {
            let wrench = wrench(frame);
            let size = |part: &[f64]| part.iter().map(|x| x * x).sum::<f64>().sqrt();
            load.force.take(t, size(&wrench[..3]));
            load.moment.take(t, size(&wrench[3..]));
        }
    }

    /// By link.
    pub(super) fn stress(&self) -> BTreeMap<String, LinkStress> {
        let mut all = BTreeMap::<String, LinkStress>::new();
        for envelope in &self.envelopes {
            let link = all.entry(envelope.link.clone()).or_default();
            let peak = envelope.peak().map(|peak| PeakSummary {
                value: peak.value,
                time: peak.time,
                element: peak.element,
                property: peak.property,
                component: peak.component,
                component_value: peak.component_value,
            });
            match envelope.quantity() {
                Quantity::Stress => {
                    (link.has.stress, link.has.margin) = (true, envelope.has_limits());
                    link.stress = peak;
                    link.margin = envelope.margin().map(|margin| MarginSummary {
                        margin: margin.margin,
                        element: margin.element,
                        allowable: margin.allowable,
                        value: margin.value,
                        time: margin.time,
                    });
                }
                Quantity::Strain => {
                    link.has.strain = true;
                    link.strain = peak;
                }
            }
        }
        all
    }

    /// By name of the gauge.
    pub(super) fn gauges(&self) -> BTreeMap<String, Extreme> {
        self.gauges.iter().map(|(name, _, extreme)| (name.clone(), *extreme)).collect()
    }

    /// By joint.
    pub(super) fn joints(&self) -> BTreeMap<String, LoadSummary> {
        self.joints.iter().map(|(name, _, load)| (name.clone(), *load)).collect()
    }
}
