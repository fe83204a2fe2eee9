//! GRID, GRDSET and SPOINT.

use pliant_mesh::{Components, NodeKind};

use super::{CardType, Class, Stage, card};
use crate::resolve::{Builder, GridDefaults, NewGrid};
use crate::typed::Reader;

pub(super) const CARDS: &[CardType] = &[
    card("GRID", Stage::Points, Class::Point, grid),
    card("GRDSET", Stage::Defaults, Class::Other, grdset),
    card("SPOINT", Stage::Points, Class::Other, spoint),
];

/// ```text
/// | GRID | ID | CP | X1 | X2 | X3 | CD | PS | SEID |
/// ```
/// Blank coordinates are 0. SEID only groups grids into superelements, and a link is all of them.
fn grid(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let id = r.id(0, "ID");
    let x1 = r.real_or(2, "X1", 0.0);
    let x2 = r.real_or(3, "X2", 0.0);
    let x3 = r.real_or(4, "X3", 0.0);
    let mut grid = NewGrid {
        id: 0,
        kind: NodeKind::Grid,
        coordinates: [0.0; 3],
        position_frame: 0,
        displacement_frame: 0,
        permanent_spc: Components::NONE,
        span: r.span(),
    };
    if !b.grid_defaults.is_empty()
        && let Some(defaults) = b.grid_defaults.get(&b.part)
    {
        grid.position_frame = defaults.position_frame;
        grid.displacement_frame = defaults.displacement_frame;
        grid.permanent_spc = defaults.permanent_spc;
    }
    let cp = r.is_blank(1) || known_frame(r, b, 1, "CP").map(|cp| grid.position_frame = cp).is_some();
    let cd = r.is_blank(5) || known_frame(r, b, 5, "CD").map(|cd| grid.displacement_frame = cd).is_some();
    let ps = r.is_blank(6) || r.components(6, "PS").map(|ps| grid.permanent_spc = ps).is_some();
    if !(cp && cd && ps) {
        return None;
    }
    grid.id = id?;
    grid.coordinates = [x1?, x2?, x3?];
    b.add_grid(grid);
    Some(())
}

/// CP or CD of a GRID: the number of a system that some card gives.
fn known_frame(r: &mut Reader<'_>, b: &Builder, slot: usize, name: &str) -> Option<u32> {
    let id = if name == "CD" { displacement_frame(r) } else { frame_number(r, slot, name) }?;
    if !b.is_coordinate(id) {
        r.error(slot, name, format!("coordinate system {id} does not exist"));
        return None;
    }
    Some(id)
}

fn frame_number(r: &mut Reader<'_>, slot: usize, name: &str) -> Option<u32> {
    let id = r.integer(slot, name)?;
    if id < 0 {
        r.error(slot, name, format!("expected the number of a coordinate system, found `{id}`"));
    }
    u32::try_from(id).ok()
}

/// CD of a GRID; −1 marks a point of a fluid, which a link cannot have.
fn displacement_frame(r: &mut Reader<'_>) -> Option<u32> {
    if r.integer(5, "CD")? == -1 {
        r.error(5, "CD", "-1 marks a fluid point; fluids are not supported");
        return None;
    }
    frame_number(r, 5, "CD")
}

/// ```text
/// | GRDSET |  | CP |  |  |  | CD | PS | SEID |
/// ```
fn grdset(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let cp = if r.is_blank(1) { Some(0) } else { frame_number(r, 1, "CP") };
    let cd = if r.is_blank(5) { Some(0) } else { displacement_frame(r) };
    let ps = r.components(6, "PS");
    let defaults = GridDefaults { position_frame: cp?, displacement_frame: cd?, permanent_spc: ps? };
    b.grid_defaults.insert(b.part, defaults);
    Some(())
}

/// ```text
/// | SPOINT | ID1 | ID2 | … |      | SPOINT | ID1 | THRU | ID2 |
/// ```
fn spoint(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let list = r.id_list(0, "ID")?;
    for id in b.expanded(r, 0, "ID", &list)? {
        b.add_grid(NewGrid::scalar(id, r.span()));
    }
    Some(())
}
