//! What `[output]` keeps of a run.

use pliant_pipeline::PipelineFile;
use pliant_pipeline::output::KeepWord;
use pliant_store::results::Keep;

/// What the results file of a pipeline file keeps.
pub fn keep(file: &PipelineFile) -> Keep {
    let output = file.table.as_ref().and_then(|table| table.output.as_ref());
    let Some(output) = output else { return Keep::default() };
    let (compress, frames) = (output.compress, output.frames as usize);
    let Some(words) = &output.keep else { return Keep { compress, frames, ..Keep::default() } };
    let has = |word: KeepWord| words.contains(&word);
    Keep {
        joints: has(KeepWord::Joints),
        links: has(KeepWord::Links),
        rates: has(KeepWord::Rates),
        loads: has(KeepWord::Loads),
        tip: has(KeepWord::Tip),
        energy: has(KeepWord::Energy),
        solver: has(KeepWord::Solver),
        frames,
        compress,
    }
}
