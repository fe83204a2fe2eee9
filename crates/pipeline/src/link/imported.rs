//! `imported`: a supplier's reduced matrices.

use std::path::PathBuf;

use crate::table;

table! {
    /// Reduced matrices without their mesh: DMIG in a bulk data file, or OP4 matrices with an interface map.
    /// The file also holds the GRIDs of the interfaces; SPOINTs carry the modal coordinates.
    ///
    /// ```toml
    /// [links.gearbox]
    /// imported   = { deck = "gearbox.pch", stiffness = "KAAX", mass = "MAAX" }
    /// inboard    = 1
    /// interfaces = { output = 2 }
    /// ```
    pub struct ImportedTable {
        /// Bulk data with the interface GRIDs, SPOINTs and, unless `op4` is given, the DMIG matrices.
        deck: PathBuf;
        /// Name of the stiffness matrix.
        stiffness: String = "KAAX".to_owned(), "KAAX";
        /// Name of the mass matrix.
        mass: String = "MAAX".to_owned(), "MAAX";
        /// OP4 file with the two matrices, text or binary.
        op4: Option<PathBuf>;
        /// With `op4`: the order of its rows, as a list of `[grid, component]` pairs; what EXTRN of the deck
        /// says when left out.
        rows: Option<Vec<[u32; 2]>>;
    }
}
