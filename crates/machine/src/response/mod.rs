//! `[response]` as a request: poses, inputs, outputs and frequencies.

mod channels;
mod plane;
mod poses;

use pliant_diag::{Diagnostic, Diagnostics, Span};
use pliant_dynamics::Settings;
use pliant_dynamics::response::{About, Channel, Input, Output, Servos, Truncation};
use pliant_mechanism::Model;
use pliant_pipeline::response::{AboutWord, FrequenciesTable, ServosWord, SpacingWord};

use crate::machine::Machine;
use crate::problems::Problems;

use channels::{ChannelError, Named, input, output};
pub use channels::{Elastic, ElasticError, ElasticName};
pub use plane::PlanePoints;
pub use poses::FoundPoses;
use poses::PlannedPoses;

/// What `pliant response` computes, before the links are reduced.
#[derive(Clone, Debug)]
pub struct ResponsePlan {
    /// What the machine is linearised about.
    pub about: About,
    /// What servos do.
    pub servos: Servos,
    /// Poses give commands; servos without integral give way to gravity and loads.
    pub commands: bool,
    /// Number of modes that are kept.
    pub modes: usize,
    /// Modes with damping beside those without.
    pub damped: bool,
    /// Margins of the loops of servos are computed.
    pub margins: bool,
    /// Number of frequencies of open loops that are kept.
    pub loops: usize,
    /// Compliance of the tip is computed.
    pub compliance: bool,
    /// Index of the pose whose modes are drawn.
    pub shapes: Option<usize>,
    /// Where the file says so.
    pub shapes_span: Option<Span>,
    /// A, B, C, D of every pose are kept.
    pub state_space: bool,
    /// One with fewer states is kept too.
    pub truncation: Option<Truncation>,
    /// Where the file says so.
    pub truncation_span: Option<Span>,
    /// Frequencies of the responses (Hz).
    pub frequencies_hz: Vec<f64>,
    poses: PlannedPoses,
    inputs: Vec<Named>,
    outputs: Vec<Named>,
    /// Where the table stands.
    pub span: Option<Span>,
    /// Where its poses stand, or the table.
    pub poses_span: Option<Span>,
}

/// Poses and channels of a machine.
#[derive(Clone, Debug)]
pub struct ResponseRequest {
    /// Where.
    pub at: FoundPoses,
    /// What goes in.
    pub inputs: Vec<Channel<Input>>,
    /// What comes out.
    pub outputs: Vec<Channel<Output>>,
}

/// Checks the table; `Some(None)` when the file has none.
pub(crate) fn planned(
    table: &Machine<'_>,
    settings: &Settings,
    problems: &mut Problems<'_>,
) -> Option<Option<ResponsePlan>> {
    let Some(response) = &table.response else { return Some(None) };
    let inputs: Vec<_> = response.inputs.iter().map(|text| input(text, table, problems)).collect();
    let outputs: Vec<_> = response.outputs.iter().map(|text| output(text, table, problems)).collect();
    if response.compliance && table.output.as_ref().is_none_or(|output| output.tip.is_none()) {
        let hint = "write `tip = \"link.interface\"` in [output]";
        problems.error_with_hint::<()>(
            response.source.0,
            "`compliance` needs a tip, and the file has none",
            hint,
        );
    }
    let has_channels = !response.inputs.is_empty() || !response.outputs.is_empty();
    if has_channels && response.frequencies.is_none() && !response.state_space {
        let message =
            "`inputs` and `outputs` are not used: neither `frequencies` nor `state_space` asks for them";
        problems.warning(response.source.0, message);
    }
    let poses = poses::planned(response, table, settings, problems);
    let about = match response.about {
        AboutWord::Undeformed => About::Undeformed,
        AboutWord::Equilibrium => About::Equilibrium,
        AboutWord::Motion => About::Motion,
    };
    let servos = match response.servos {
        ServosWord::Closed => Servos::Closed,
        ServosWord::Open => Servos::Open,
        ServosWord::Held => Servos::Held,
    };
    Some(Some(ResponsePlan {
        about,
        servos,
        commands: response.commands,
        modes: response.modes as usize,
        damped: response.damped,
        margins: response.margins,
        loops: if response.margins { response.loops.unwrap_or(300) as usize } else { 0 },
        compliance: response.compliance,
        shapes: response.shapes.as_ref().map_or(1, |shapes| shapes.value as usize).checked_sub(1),
        shapes_span: response.shapes.as_ref().and_then(|shapes| shapes.span()),
        state_space: response.state_space,
        truncation_span: response.truncate.as_ref().and_then(|table| table.source.0),
        truncation: response.truncate.as_ref().and_then(|table| {
            let balanced = table.balanced.map(|count| Truncation::Balanced(count as usize));
            balanced.or(table.modal.map(|count| Truncation::Modal(count as usize)))
        }),
        frequencies_hz: response.frequencies.as_ref().map(frequencies).unwrap_or_default(),
        poses: poses?,
        inputs: inputs.into_iter().collect::<Option<_>>()?,
        outputs: outputs.into_iter().collect::<Option<_>>()?,
        span: response.source.0,
        poses_span: response.poses.as_ref().and_then(|poses| poses.source.0).or(response.source.0),
    }))
}

fn frequencies(table: &FrequenciesTable) -> Vec<f64> {
    if let Some(values) = &table.values {
        return values.clone();
    }
    let (from, to) = (table.from.unwrap_or(1.0), table.to.unwrap_or(1.0));
    let count = table.count.unwrap_or(400);
    let last = f64::from(count.max(2) - 1);
    let at = |k: u32| match table.spacing.unwrap_or(SpacingWord::Logarithmic) {
        SpacingWord::Logarithmic => from * (to / from).powf(f64::from(k) / last),
        SpacingWord::Linear => from + (to - from) * f64::from(k) / last,
    };
    (0..count).map(at).collect()
}

impl ResponsePlan {
    /// The request for the assembled machine.
    ///
    /// # Errors
    /// Channels that the machine does not have, at their lines; a plane that its tip does not reach.
    pub fn resolve(
        &self,
        (model, settings): (&Model, &Settings),
        elastic: &Elastic<'_>,
    ) -> Result<ResponseRequest, Diagnostics> {
        let mut diagnostics = Diagnostics::new();
        let mut report = |named: &Named, error: ChannelError| {
            diagnostics.push(Diagnostic::error(format!("`{}`: {error}", named.name)).at(named.span));
        };
        let mut inputs = Vec::new();
        for named in &self.inputs {
            match named.input(model) {
                Ok(kind) => inputs.push(Channel { name: named.name.clone(), kind }),
                Err(error) => report(named, error),
            }
        }
        let mut outputs = Vec::new();
        for named in &self.outputs {
            match named.output(model, elastic) {
                Ok(kind) => outputs.push(Channel { name: named.name.clone(), kind }),
                Err(error) => report(named, error),
            }
        }
        if diagnostics.has_errors() {
            return Err(diagnostics);
        }
        Ok(ResponseRequest { at: self.poses(model, settings)?, inputs, outputs })
    }

    /// Joints and numbers of values of a grid of poses; empty without one.
    pub fn grid(&self) -> Vec<(String, usize)> {
        self.poses.grid()
    }

    /// The poses in the assembled machine.
    ///
    /// # Errors
    /// A plane that its tip does not reach.
    pub fn poses(&self, model: &Model, settings: &Settings) -> Result<FoundPoses, Diagnostics> {
        self.poses.resolve(model, settings)
    }

    /// Number of poses, where the file says it.
    pub fn pose_count(&self) -> Option<usize> {
        self.poses.count()
    }

    /// Where an input or output stands in the file.
    pub fn span_of(&self, name: &str) -> Option<Span> {
        self.inputs.iter().chain(&self.outputs).find(|named| named.name == name).and_then(|named| named.span)
    }
}
