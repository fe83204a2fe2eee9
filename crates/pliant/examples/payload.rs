//! Loads a pipeline file, changes the payload, runs it and prints the tip error.
//!
//! ```text
//! cargo run --release -p pliant --example payload -- pipelines/spatial-3r.toml 0 5 10
//! ```

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use pliant::links::MachineLink;
use pliant::run::{Ending, RunOptions, run};
use pliant::{Case, load};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: payload PIPELINE MASS…")?;
    let case = load(Path::new(&path)).map_err(|failure| format!("{:?}", failure.diagnostics))?.output;
    for mass in arguments {
        let mass: f64 = mass.parse()?;
        let case = case.with(&[("payload.mass", mass.into())]);
        let case = case.map_err(|failure| format!("{:?}", failure.diagnostics))?.output;
        println!("payload {mass} kg: largest tip error {:.3} mm", 1e3 * tip_error(&case)?);
    }
    Ok(())
}

/// Largest distance of the tip from its nominal motion (m).
fn tip_error(case: &Case) -> Result<f64, Box<dyn Error>> {
    let links = pliant::links::links(&case.links().requests, None, &(), |link, made| {
        let made = made.map_err(|failure| format!("link {}: {failure:?}", link.name))?;
        Ok(Arc::new(MachineLink::bare(made)))
    });
    let links: Vec<Arc<MachineLink>> = links.into_iter().collect::<Result<_, String>>()?;
    let result = run(case, &links, &RunOptions::of(case), &mut ());
    if result.ending != Ending::Complete {
        return Err(format!("{:?}", result.diagnostics).into());
    }
    let tip = result.analyses[0].summary.tip.as_ref().ok_or("the machine has no tip")?;
    Ok(tip.peak_error)
}
