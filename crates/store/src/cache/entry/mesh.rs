//! `/mesh`: the cells to draw.

use hdf5::{Group, Result};

use crate::Drawing;
use crate::dataset::{meaning, put, values};

pub(super) fn write(group: &Group, drawing: &Drawing) -> Result<()> {
    let Drawing { grids, cell_types, offsets, connectivity, elements, properties } = drawing;
    put(group, "grids", &[grids.len()], grids, meaning("1", "GRID number of each row of the shapes"))?;
    put(group, "cell_types", &[cell_types.len()], cell_types, meaning("1", "VTK cell type"))?;
    let what = meaning("1", "where each cell begins in connectivity, and where the last one ends");
    put(group, "offsets", &[offsets.len()], offsets, what)?;
    let what = meaning("1", "rows of the shapes, in VTK's order of nodes");
    put(group, "connectivity", &[connectivity.len()], connectivity, what)?;
    put(group, "elements", &[elements.len()], elements, meaning("1", "element number of each cell"))?;
    let what = meaning("1", "property number of each cell, 0 for none");
    put(group, "properties", &[properties.len()], properties, what)
}

pub(super) fn read(group: &Group) -> Result<Drawing> {
    Ok(Drawing {
        grids: values(group, "grids")?,
        cell_types: values(group, "cell_types")?,
        offsets: values(group, "offsets")?,
        connectivity: values(group, "connectivity")?,
        elements: values(group, "elements")?,
        properties: values(group, "properties")?,
    })
}
