//! `[loads]`: forces and moments on interfaces.

use crate::function::FunctionSpec;
use crate::schema::{Context, Located};
use crate::{table, words};

words! {
    /// Axes of a load.
    pub enum LoadFrameWord {
        /// World axes: the load keeps its direction.
        World = "world",
        /// Axes of the deformed triad: the load follows the link.
        Triad = "triad",
    }
}

table! {
    /// A force and a moment at the origin of an outboard interface.
    ///
    /// ```toml
    /// [loads.cutting]
    /// at    = "forearm.tip"
    /// frame = "triad"
    /// force = [0, "-50*step(t-0.5)", 0]
    /// ```
    pub struct LoadTable {
        /// The interface, as `"link.interface"`.
        at: Located<String>;
        /// The axes of the components.
        frame: LoadFrameWord = LoadFrameWord::World, "world";
        /// Force along x, y, z (N); zero when left out.
        force: Option<[Located<FunctionSpec>; 3]>;
        /// Moment about x, y, z (N·m); zero when left out.
        moment: Option<[Located<FunctionSpec>; 3]>;
    } check LoadTable::check
}

impl LoadTable {
    fn check(&self, context: &mut Context<'_>) {
        if self.force.is_none() && self.moment.is_none() {
            context.error(self.source.0, "a load needs `force` or `moment`, found neither");
        }
    }
}
