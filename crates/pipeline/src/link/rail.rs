//! `rail`: where a sliding joint can grip a link.

use crate::schema::Context;
use crate::table;

table! {
    /// A straight line of the link along which a `sliding` joint grips it. Positions are measured along the
    /// line, from the point of it that is nearest to the link frame, outwards.
    ///
    /// ```toml
    /// [links.boom]
    /// beam = { length = 8, elements = 40, section = { box = { width = 0.2, height = 0.3, t = 0.006 } }, material = "steel" }
    /// rail = { from = 0.6, to = 7.6 }
    /// ```
    pub struct RailTable {
        /// GRIDs of a deck on the rail, from the inner end to the outer one, four or more; sixteen give an
        /// error below one per cent. Interfaces may be the first and the last of them. Where they have no
        /// rotations, as those of solids, the sections across the rail are gripped there: where they cut the
        /// edges of solids and shells, points move with the grids of the edge, and the section as their mean.
        /// A `beam` takes all of its own.
        grids: Option<Vec<u32>>;
        /// Instead of `grids`: where the rail begins and ends in a deck without grids along it, such as a
        /// hollow boom (deck units).
        line: Option<[[f64; 3]; 2]>;
        /// Of a `line`: how many sections are gripped on it, from end to end, four or more; sixteen give an
        /// error below one per cent, and one for each layer of elements is good. Each goes through the grid
        /// nearest to it.
        stations: Option<u32>;
        /// Only edges within this distance of the rail belong to sections (deck units); all of them when left
        /// out.
        radius: Option<f64>;
        /// Where the grip is when the boom is all the way out (m); the first grid that is no interface when
        /// left out.
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
            context
                .error(context.key("from"), format_args!("`from` must be below `to`, found {from} and {to}"));
        }
        if self.line.is_some() != self.stations.is_some() {
            context.error(context.key("line"), "`line` and `stations` must be given together");
        }
        if let Some(stations) = self.stations.filter(|stations| *stations < 4) {
            context.error(
                context.key("stations"),
                format_args!("`stations` must be 4 or more, found {stations}"),
            );
        }
        context.positive(&[("radius", self.radius)]);
    }
}
