//! `[analysis]` and `[output]` as settings of a run.

use pliant_dynamics::{AnalysisKind, NewtonSettings, NominalKind, Scheme, Settings, Start, StepControl};
use pliant_pipeline::analysis::{AnalysisTable, IntegratorWord, KindWord, NominalWord, StartWord, StepSpec};
use pliant_pipeline::output::OutputTable;

/// Outputs of a run with steps of its own choice, when the file does not say.
const OUTPUTS: f64 = 1000.0;

pub(crate) fn kinds(table: &AnalysisTable) -> Vec<AnalysisKind> {
    let kind = |word: &KindWord| match word {
        KindWord::Nonlinear => AnalysisKind::Nonlinear,
        KindWord::Linear => AnalysisKind::Linear,
        KindWord::QuasiStatic => AnalysisKind::QuasiStatic,
        KindWord::Rigid => AnalysisKind::Rigid,
        KindWord::Static => AnalysisKind::Static,
    };
    table.kind.0.iter().map(kind).collect()
}

pub(crate) fn settings(table: &AnalysisTable, output: Option<&OutputTable>) -> Settings {
    let scheme = match table.integrator {
        IntegratorWord::Newmark => Scheme::Newmark,
        IntegratorWord::Hht => Scheme::Hht { alpha: table.alpha.unwrap_or(0.05) },
        IntegratorWord::GeneralizedAlpha => {
            Scheme::GeneralizedAlpha { rho_inf: table.rho_inf.unwrap_or(0.9) }
        }
    };
    let newton = table.newton.as_ref().map_or_else(NewtonSettings::default, |n| NewtonSettings {
        max_iterations: n.max_iterations as usize,
        energy_tolerance: n.energy_tolerance,
        force_tolerance: n.force_tolerance,
        max_cuts: n.max_cuts,
    });
    let (step, usual) = match &table.step {
        StepSpec::Fixed(step) => (StepControl::Fixed { step: *step }, *step),
        StepSpec::Controlled(step) => {
            let (tolerance, min_step, max_step) = (step.tolerance, step.min, step.max);
            (StepControl::ErrorControlled { tolerance, min_step, max_step }, table.end / OUTPUTS)
        }
    };
    let start = match table.start {
        StartWord::Undeformed => Start::Undeformed,
        StartWord::Equilibrium => Start::StaticEquilibrium,
        StartWord::Steady => Start::Steady,
    };
    let nominal = match table.nominal {
        NominalWord::Rigid => NominalKind::Rigid,
        NominalWord::Path => NominalKind::Path,
        NominalWord::None => NominalKind::None,
    };
    let output_interval = output.and_then(|output| output.every).unwrap_or(usual);
    Settings { scheme, newton, start, nominal, t_start: 0.0, t_end: table.end, step, output_interval }
}
