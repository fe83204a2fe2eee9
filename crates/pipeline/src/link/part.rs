//! `mesh`: how the part of a STEP file is meshed.

use crate::schema::{Context, Named};
use crate::table;

table! {
    /// How the part of a STEP file is meshed, by the program gmsh. Lengths in deck units.
    ///
    /// ```toml
    /// [links.arm]
    /// deck     = "arm.step"
    /// units    = "mm-t-s"
    /// material = "steel"
    /// mesh     = { size = 8, order = 2, refine = { holes = 3 } }
    /// inboard  = { hole = "H1" }
    /// ```
    pub struct PartMeshTable {
        /// Length of the edges of the elements.
        size: f64;
        /// Order of the elements: 1 straight and stiff in bending, 2 with nodes in the middles of edges.
        order: u32 = 2, "2";
        /// Length of the edges at a feature by its name (`pliant inspect` lists them), or at all `holes`.
        refine: Named<f64>;
    } check PartMeshTable::check
}

impl PartMeshTable {
    fn check(&self, context: &mut Context<'_>) {
        context.positive(&[("size", Some(self.size))]);
        if !(1..=2).contains(&self.order) {
            let message = format_args!("`order` must be 1 or 2, found {}", self.order);
            context.error(context.key("order"), message);
        }
        for (name, size) in &self.refine.entries {
            if !(*size > 0.0 && *size <= self.size) {
                let (size, most) = (*size, self.size);
                let message = format_args!(
                    "the size at `{}` must lie above 0 and not above `size`, {most}; found {size}",
                    name.value
                );
                context.error(name.span(), message);
            }
        }
    }
}
