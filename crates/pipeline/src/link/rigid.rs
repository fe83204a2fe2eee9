//! `rigid`: a body without elasticity.

use crate::schema::Named;
use crate::table;

table! {
    /// A rigid body in SI. Its frame is that of its inboard interface.
    ///
    /// ```toml
    /// [links.hip]
    /// rigid = { mass = 12, centre = [0, 0, 0.2], inertia = [0.3, 0.3, 0.1], interfaces = { shoulder = [0, 0, 0.5] } }
    /// ```
    pub struct RigidTable {
        /// Mass (kg).
        mass: f64;
        /// Centre of mass in the link frame (m).
        centre: [f64; 3] = [0.0; 3], "[0, 0, 0]";
        /// Ixx, Iyy, Izz about the centre of mass (kg·m²).
        inertia: [f64; 3] = [0.0; 3], "[0, 0, 0]";
        /// Ixy, Iyz, Izx of the inertia tensor about the centre of mass (kg·m²): −∫xy dm and so on.
        products: [f64; 3] = [0.0; 3], "[0, 0, 0]";
        /// Outboard interfaces by name: their positions in the link frame (m).
        interfaces: Named<[f64; 3]>;
    }
}
