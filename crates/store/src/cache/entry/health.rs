//! `/health`: the report of a reduction.

use std::time::Duration;

use hdf5::{Group, Result};
use pliant_reduce::{Completeness, Health};

use crate::dataset::{meaning, put, put_scalar, put_text, scalar, text, values};

pub(super) fn write(group: &Group, health: &Health) -> Result<()> {
    // Taken apart without `..`, so that a new field cannot be forgotten here.
    let Health {
        mesh_dofs,
        coordinates,
        mass,
        mass_error,
        inertia_error,
        grounding,
        frequencies_hz,
        effective_mass,
        completeness,
        modes_hz,
        elapsed,
    } = health;
    let count = meaning("1", "free components of the mesh, inboard interface clamped");
    put_scalar(group, "mesh_dofs", *mesh_dofs as u64, count)?;
    put_scalar(group, "coordinates", *coordinates as u64, meaning("1", "elastic coordinates"))?;
    put_scalar(group, "mass", *mass, meaning("kg", "mass of the link"))?;
    let what = meaning("1", "mass of the invariants against that of the elements, relative");
    put_scalar(group, "mass_error", *mass_error, what)?;
    let what = meaning("1", "inertia of the invariants against that of the elements, relative");
    put_scalar(group, "inertia_error", *inertia_error, what)?;
    let what = meaning("1", "strain energy of rigid motion over the sum of its absolute terms");
    put_scalar(group, "grounding", *grounding, what)?;
    let flat: Vec<f64> = frequencies_hz.iter().flat_map(|(reduced, full)| [*reduced, *full]).collect();
    let what = meaning("Hz", "free-free elastic frequencies: of the reduced link, of the full mesh");
    put(group, "frequencies", &[frequencies_hz.len(), 2], &flat, what)?;
    let what = meaning("1", "effective mass of the modes over what they could carry, along x, y, z");
    put(group, "effective_mass", &[effective_mass.len()], effective_mass, what)?;
    write_completeness(group, completeness)?;
    let what = meaning("Hz", "modes kept, under the conditions of the basis");
    put(group, "modes", &[modes_hz.len()], modes_hz, what)?;
    put_scalar(group, "elapsed", elapsed.as_secs_f64(), meaning("s", "time from mesh to reduced link"))
}

pub(super) fn read(group: &Group) -> Result<Health> {
    let frequencies: Vec<f64> = values(group, "frequencies")?;
    let elapsed: f64 = scalar(group, "elapsed")?;
    Ok(Health {
        mesh_dofs: scalar::<u64>(group, "mesh_dofs")? as usize,
        coordinates: scalar::<u64>(group, "coordinates")? as usize,
        mass: scalar(group, "mass")?,
        mass_error: scalar(group, "mass_error")?,
        inertia_error: scalar(group, "inertia_error")?,
        grounding: scalar(group, "grounding")?,
        frequencies_hz: frequencies.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect(),
        effective_mass: values(group, "effective_mass")?,
        completeness: read_completeness(group)?,
        modes_hz: values(group, "modes")?,
        elapsed: Duration::try_from_secs_f64(elapsed).unwrap_or_default(),
    })
}

/// Attribute with the reason, or the word for what there is none for.
const COMPLETENESS: &str = "completeness";
const NO_MODES: &str = "no modes";
const ALL_MODES: &str = "all modes of the mesh";
const STURM: &str = "Sturm count";

fn write_completeness(group: &Group, completeness: &Completeness) -> Result<()> {
    let (word, below_hz, modes) = match completeness {
        Completeness::NoModes => (NO_MODES, 0.0, 0),
        Completeness::AllModes => (ALL_MODES, 0.0, 0),
        Completeness::Proven { below_hz, modes } => (STURM, *below_hz, *modes),
        Completeness::NotProven { reason } => (reason.as_str(), 0.0, 0),
    };
    put_text(group, COMPLETENESS, word)?;
    let what = meaning("Hz", "where the modes were counted, 0 where they were not");
    put_scalar(group, "counted_below", below_hz, what)?;
    let what = meaning("1", "modes that a Sturm count has below that frequency, all of them found");
    put_scalar(group, "counted_modes", modes as u64, what)
}

fn read_completeness(group: &Group) -> Result<Completeness> {
    let word = text(group, COMPLETENESS)?;
    Ok(match word.as_str() {
        NO_MODES => Completeness::NoModes,
        ALL_MODES => Completeness::AllModes,
        STURM => Completeness::Proven {
            below_hz: scalar(group, "counted_below")?,
            modes: scalar::<u64>(group, "counted_modes")? as usize,
        },
        _ => Completeness::NotProven { reason: word },
    })
}
