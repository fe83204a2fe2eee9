//! `[payload]` and `[payloads]`.

use pliant_mesh::inertia_problem;

use crate::schema::{Context, Located};
use crate::table;

table! {
    /// A rigid mass on an outboard interface.
    ///
    /// ```toml
    /// [payload]
    /// at      = "forearm.tip"
    /// mass    = 5.0
    /// centre  = [0.05, 0, 0]
    /// inertia = [0.01, 0.02, 0.02]
    /// ```
    pub struct PayloadTable {
        /// The interface that carries it, as `"link.interface"`.
        at: Located<String>;
        /// Mass (kg).
        mass: f64;
        /// Centre of mass in the interface's triad (m).
        centre: [f64; 3] = [0.0; 3], "[0, 0, 0]";
        /// Ixx, Iyy, Izz about the centre of mass, in triad axes (kg·m²).
        inertia: [f64; 3] = [0.0; 3], "[0, 0, 0]";
        /// Ixy, Iyz, Izx of the inertia tensor about the centre of mass (kg·m²): −∫xy dm and so on.
        products: [f64; 3] = [0.0; 3], "[0, 0, 0]";
    } check PayloadTable::check
}

impl PayloadTable {
    fn check(&self, context: &mut Context<'_>) {
        context.not_negative(&[("mass", Some(self.mass))]);
        let ([xx, yy, zz], [xy, yz, zx]) = (self.inertia, self.products);
        if let Some(problem) = inertia_problem(&[[xx, xy, zx], [xy, yy, yz], [zx, yz, zz]].into()) {
            context.error(self.source.0, problem);
        }
    }
}
