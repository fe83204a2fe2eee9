//! `rail`: where a sliding joint can grip a link.

use crate::schema::Context;
use crate::table;

table! {
    /// A straight line of the link along which a `sliding` joint grips it. Positions are measured along the line, from the point of it
    /// that is nearest to the link frame, outwards.
    pub struct RailTable {
        /// GRIDs of a deck on the rail, from the inner end to the outer one, four or more; each needs its rotations. Interfaces may be the first
        /// and the last of them. A `beam` takes all of its own.
        grids: Option<Vec<u32>>;
        /// Where the grip is when the boom is all the way out (m); the first grid that is no interface when left out.
        from: Option<f64>;
        /// Where it is when the boom is all the way in (m); the last grid that is no interface when left out.
        to: Option<f64>;
    } check RailTable::check
}

impl RailTable {
    fn check(&self, context: &mut Context<'_>) {
        if let (Some(from), Some(to)) = (self.from, self.to)
            && from >= to
        {
            context.error(self.source.0, "`from` must lie before `to`");
        }
    }
}
