//! An entry as HDF5: groups `/link`, `/shapes`, `/mesh`, `/health` and the diagnostics as an attribute.

mod diagnostics;
mod health;
mod link;
mod mesh;
mod shapes;

use std::path::Path;

use pliant_diag::Diagnostics;
use pliant_link::ReducedLink;
use pliant_reduce::{Health, NodalShapes};

use super::{CacheError, Key};
use crate::Drawing;
use crate::dataset::{put_text, text};
use crate::image::image;

/// Raised when the layout of an entry changes; entries of other layouts are not found.
pub const SCHEMA_VERSION: u32 = 6;

/// All that is kept of a reduction.
#[derive(Clone, Debug)]
pub struct StoredLink {
    /// What the dynamics need.
    pub link: ReducedLink,
    /// The shapes of its coordinates at every grid.
    pub shapes: NodalShapes,
    /// The cells to draw.
    pub drawing: Drawing,
    /// What an engineer looks at.
    pub health: Health,
    /// Notes and warnings about the deck and its reduction; locations are in the deck's files, in the order
    /// they were read.
    pub diagnostics: Diagnostics,
}

/// An entry as the bytes of an HDF5 file. It still has to be sealed.
pub(super) fn bytes(key: &Key, stored: &StoredLink) -> Result<Vec<u8>, CacheError> {
    let fill = |file: &hdf5::File| {
        file.new_attr::<u32>().create("schema_version")?.write_scalar(&SCHEMA_VERSION)?;
        put_text(file, "title", "Pliant reduced link")?;
        put_text(file, "key", &key.to_string())?;
        put_text(file, "program_version", env!("CARGO_PKG_VERSION"))?;
        put_text(file, "diagnostics", &diagnostics::to_json(&stored.diagnostics))?;
        link::write(&file.create_group("link")?, &stored.link)?;
        shapes::write(&file.create_group("shapes")?, &stored.shapes)?;
        mesh::write(&file.create_group("mesh")?, &stored.drawing)?;
        health::write(&file.create_group("health")?, &stored.health)
    };
    Ok(image(fill)?)
}

/// Reads an entry whose seal holds.
pub(super) fn read(path: &Path) -> Result<StoredLink, CacheError> {
    let file = hdf5::File::open(path)?;
    let version: u32 = file.attr("schema_version")?.read_scalar()?;
    if version != SCHEMA_VERSION {
        let what = format!("its layout has version {version}, this program reads version {SCHEMA_VERSION}");
        return Err(CacheError::Damaged(what));
    }
    let stored = StoredLink {
        link: link::read(&file.group("link")?)?,
        shapes: shapes::read(&file.group("shapes")?)?,
        drawing: mesh::read(&file.group("mesh")?)?,
        health: health::read(&file.group("health")?)?,
        diagnostics: diagnostics::from_json(&text(&file, "diagnostics")?)
            .ok_or_else(|| CacheError::Damaged("its diagnostics cannot be read".to_owned()))?,
    };
    check(&stored)?;
    Ok(stored)
}

/// The parts fit together.
fn check(stored: &StoredLink) -> Result<(), CacheError> {
    stored.link.validate().map_err(|error| CacheError::Damaged(error.to_string()))?;
    let (rows, shapes) = (stored.shapes.nodes.len(), &stored.shapes);
    let consistent = shapes.positions.len() == rows
        && shapes.columns.len() == stored.link.coordinate_count()
        && shapes.columns.iter().all(|column| column.len() == 6 * rows)
        && stored.drawing.is_sound(rows);
    if consistent {
        Ok(())
    } else {
        Err(CacheError::Damaged("the sizes of its datasets do not agree".to_owned()))
    }
}
