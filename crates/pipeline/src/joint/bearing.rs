//! `bearing`: compliance of a joint.

use crate::schema::Context;
use crate::table;

table! {
    /// Compliance of a bearing in the axes of the joint frame on the parent's side. A direction that is left
    /// out is rigid.
    ///
    /// ```toml
    /// [joints.shoulder]
    /// parent  = "ground"
    /// child   = "upper"
    /// type    = "revolute"
    /// bearing = { x = { stiffness = 2e8 }, y = { stiffness = 2e8 }, rx = { stiffness = 5e5 } }
    /// ```
    pub struct BearingTable {
        /// Along x.
        x: Option<SpringDamperTable>;
        /// Along y.
        y: Option<SpringDamperTable>;
        /// Along z.
        z: Option<SpringDamperTable>;
        /// About x.
        rx: Option<SpringDamperTable>;
        /// About y.
        ry: Option<SpringDamperTable>;
        /// About z.
        rz: Option<SpringDamperTable>;
    }
}

impl BearingTable {
    /// The six directions in order.
    pub fn directions(&self) -> [Option<&SpringDamperTable>; 6] {
        [&self.x, &self.y, &self.z, &self.rx, &self.ry, &self.rz].map(Option::as_ref)
    }
}

table! {
    /// A spring and a damper side by side.
    ///
    /// ```toml
    /// [joints.shoulder]
    /// parent  = "ground"
    /// child   = "upper"
    /// type    = "revolute"
    /// bearing = { z = { stiffness = 1e8, damping = 2e3 } }
    /// ```
    pub struct SpringDamperTable {
        /// Stiffness (N/m, N·m/rad), positive.
        stiffness: f64;
        /// Damping (N·s/m, N·m·s/rad).
        damping: f64 = 0.0, "0";
    } check SpringDamperTable::check
}

impl SpringDamperTable {
    fn check(&self, context: &mut Context<'_>) {
        if self.stiffness <= 0.0 {
            let message = format_args!("`stiffness` must be positive, found {}", self.stiffness);
            let hint = "a direction that is left out is rigid".to_owned();
            context.error_with_hint(context.key("stiffness"), message, Some(hint));
        }
        context.not_negative(&[("damping", Some(self.damping))]);
    }
}
