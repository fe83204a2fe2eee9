//! FORCE, FORCE1, FORCE2, MOMENT, MOMENT1, MOMENT2, SLOAD, GRAV, ACCEL1, RFORCE, LOAD, TEMP, TEMPD, TEMPRB.

use std::f64::consts::TAU;

use nalgebra::Vector3;
use pliant_mesh::element::ElementRef;
use pliant_mesh::{
    BarTemperature, CoordIndex, CoordinateKind, Load, LoadCombination, LoadKind, NodeIndex, SetId,
};

use super::{CardType, rest};
use crate::resolve::Builder;
use crate::typed::Reader;

pub(super) const CARDS: &[CardType] = &[
    rest("FORCE", |r, b| vector(r, b, false)),
    rest("MOMENT", |r, b| vector(r, b, true)),
    rest("FORCE1", |r, b| along(r, b, false)),
    rest("MOMENT1", |r, b| along(r, b, true)),
    rest("FORCE2", |r, b| across(r, b, false)),
    rest("MOMENT2", |r, b| across(r, b, true)),
    rest("SLOAD", sload),
    rest("GRAV", grav),
    rest("ACCEL1", accel1),
    rest("RFORCE", rforce),
    rest("LOAD", load),
    rest("TEMP", temp),
    rest("TEMPD", tempd),
    rest("TEMPRB", temprb),
];

/// Three reals from a slot on; blank ones are 0.
pub(super) fn three(r: &mut Reader<'_>, first: usize, names: [&str; 3]) -> Option<Vector3<f64>> {
    let [x, y, z] = [0, 1, 2].map(|k| r.real_or(first + k, names[k], 0.0));
    Some(Vector3::new(x?, y?, z?))
}

pub(super) fn add(r: &Reader<'_>, b: &mut Builder, set: u32, kind: LoadKind) -> Option<()> {
    b.mesh.loads.push(Load { set: SetId(set), kind, source: r.span().into() });
    Some(())
}

fn at_grid(node: NodeIndex, value: Vector3<f64>, moment: bool) -> LoadKind {
    if moment { LoadKind::Moment { node, moment: value } } else { LoadKind::Force { node, force: value } }
}

/// ```text
/// | FORCE | SID | G | CID | F | N1 | N2 | N3 |      MOMENT the same
/// ```
/// F·N in the directions of CID at the grid.
fn vector(r: &mut Reader<'_>, b: &mut Builder, moment: bool) -> Option<()> {
    let set = r.id(0, "SID");
    let node = b.grid(r, 1, "G");
    let frame = b.frame(r, 2, "CID");
    let scale = r.real_or(3, "F", 0.0);
    let n = three(r, 4, ["N1", "N2", "N3"]);
    let node = node?;
    let value = b.turned_from_frame(frame?, b.position(node), n? * scale?);
    add(r, b, set?, at_grid(node, value, moment))
}

/// ```text
/// | FORCE1 | SID | G | F | G1 | G2 |      MOMENT1 the same
/// ```
/// Along the line from G1 to G2.
fn along(r: &mut Reader<'_>, b: &mut Builder, moment: bool) -> Option<()> {
    let set = r.id(0, "SID");
    let node = b.grid(r, 1, "G");
    let scale = r.real(2, "F");
    let [g1, g2] = [b.grid(r, 3, "G1"), b.grid(r, 4, "G2")];
    let direction = (b.position(g2?) - b.position(g1?)).try_normalize(0.0);
    let Some(direction) = direction else {
        r.error(4, "G2", "G1 and G2 coincide: the load has no direction");
        return None;
    };
    add(r, b, set?, at_grid(node?, direction * scale?, moment))
}

/// ```text
/// | FORCE2 | SID | G | F | G1 | G2 | G3 | G4 |      MOMENT2 the same
/// ```
/// Along (G2−G1) × (G4−G3).
fn across(r: &mut Reader<'_>, b: &mut Builder, moment: bool) -> Option<()> {
    let set = r.id(0, "SID");
    let node = b.grid(r, 1, "G");
    let scale = r.real(2, "F");
    let grids = [b.grid(r, 3, "G1"), b.grid(r, 4, "G2"), b.grid(r, 5, "G3"), b.grid(r, 6, "G4")];
    let [g1, g2, g3, g4] = grids;
    let one = b.position(g2?) - b.position(g1?);
    let two = b.position(g4?) - b.position(g3?);
    let Some(direction) = one.cross(&two).try_normalize(0.0) else {
        r.error(4, "G2", "G1–G2 and G3–G4 are parallel: the load has no direction");
        return None;
    };
    add(r, b, set?, at_grid(node?, direction * scale?, moment))
}

/// ```text
/// | SLOAD | SID | S1 | F1 | S2 | F2 | S3 | F3 |
/// ```
fn sload(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let set = r.id(0, "SID")?;
    for slot in [1, 3, 5] {
        if slot > 1 && r.is_blank(slot) {
            continue;
        }
        let node = b.node(r, slot, "S");
        let force = r.real(slot + 1, "F");
        add(r, b, set, LoadKind::Scalar { node: node?, force: force? })?;
    }
    Some(())
}

/// The axes of a system itself, for directions without a point.
fn direction_axes(
    r: &mut Reader<'_>,
    b: &Builder,
    slot: usize,
    frame: CoordIndex,
) -> Option<nalgebra::Matrix3<f64>> {
    let system = &b.mesh.coordinates[frame.index()];
    if system.kind != CoordinateKind::Rectangular {
        r.error(
            slot,
            "CID",
            format!("system {} is not rectangular: its directions vary with position", system.id),
        );
        return None;
    }
    Some(system.axes)
}

/// ```text
/// | GRAV | SID | CID | A | N1 | N2 | N3 | MB |
/// ```
fn grav(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let set = r.id(0, "SID");
    let frame = b.frame(r, 1, "CID");
    let scale = r.real(2, "A");
    let n = three(r, 3, ["N1", "N2", "N3"]);
    let axes = direction_axes(r, b, 1, frame?)?;
    add(r, b, set?, LoadKind::Gravity { acceleration: axes * n? * scale? })
}

/// ```text
/// | ACCEL1 | SID | CID | A | N1 | N2 | N3 |
/// |        | G1  | G2  | … |      with THRU and BY
/// ```
/// A·N for the grids of the list; those inside a THRU range need not exist.
fn accel1(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let set = r.id(0, "SID");
    let frame = b.frame(r, 1, "CID");
    let scale = r.real(2, "A");
    let n = three(r, 3, ["N1", "N2", "N3"]);
    let list = r.id_list(8, "GRIDID");
    let nodes = b.nodes_of(r, 8, "GRIDID", &list?)?;
    let axes = direction_axes(r, b, 1, frame?)?;
    add(r, b, set?, LoadKind::GridAcceleration { acceleration: axes * n? * scale?, nodes })
}

/// ```text
/// | RFORCE | SID  | G  | CID  | A | R1 | R2 | R3 | METHOD |
/// |        | RACC | MB | IDRF |
/// ```
/// A revolutions per unit time about R through grid G (0: the origin of the basic frame); RACC revolutions
/// per unit time².
fn rforce(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let set = r.id(0, "SID");
    let centre = match r.fields().get(1).text {
        b"" | b"0" => Some(Vector3::zeros()),
        _ => b.grid(r, 1, "G").map(|node| b.position(node)),
    };
    let frame = b.frame(r, 2, "CID");
    let speed = r.real_or(3, "A", 0.0);
    let axis = three(r, 4, ["R1", "R2", "R3"]);
    let acceleration = r.real_or(8, "RACC", 0.0);
    let axis = direction_axes(r, b, 2, frame?)? * axis?;
    let kind = LoadKind::Rotation {
        centre: centre?,
        omega: axis * (TAU * speed?),
        alpha: axis * (TAU * acceleration?),
    };
    add(r, b, set?, kind)
}

/// ```text
/// | LOAD | SID | S | S1 | L1 | S2 | L2 | S3 | L3 |
/// |      | S4  | L4 | …
/// ```
fn load(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let set = r.id(0, "SID");
    let scale = r.real(1, "S");
    let mut terms = Vec::new();
    let mut good = true;
    for slot in (2..r.len().max(3)).step_by(2) {
        if slot > 2 && r.is_blank(slot) && r.is_blank(slot + 1) {
            continue;
        }
        match (r.real(slot, "Si"), r.id(slot + 1, "Li")) {
            (Some(factor), Some(load)) => terms.push((factor, SetId(load))),
            _ => good = false,
        }
    }
    if !good {
        return None;
    }
    let combination = LoadCombination { set: SetId(set?), scale: scale?, terms, source: r.span().into() };
    b.mesh.load_combinations.push(combination);
    Some(())
}

/// ```text
/// | TEMP | SID | G1 | T1 | G2 | T2 | G3 | T3 |
/// ```
fn temp(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let set = r.id(0, "SID")?;
    for slot in [1, 3, 5] {
        if slot > 1 && r.is_blank(slot) {
            continue;
        }
        let node = b.node(r, slot, "G");
        let value = r.real(slot + 1, "T");
        add(r, b, set, LoadKind::Temperature { node: node?, value: value? })?;
    }
    Some(())
}

/// ```text
/// | TEMPD | SID1 | T1 | SID2 | T2 | SID3 | T3 | SID4 | T4 |
/// ```
fn tempd(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    for slot in [0, 2, 4, 6] {
        if slot > 0 && r.is_blank(slot) {
            continue;
        }
        let set = r.id(slot, "SID");
        let value = r.real(slot + 1, "T");
        add(r, b, set?, LoadKind::DefaultTemperature { value: value? })?;
    }
    Some(())
}

/// ```text
/// | TEMPRB | SID  | EID1 | TA  | TB  | TP1A | TP1B | TP2A | TP2B |
/// |        | TCA  | TDA  | TEA | TFA | TCB  | TDB  | TEB  | TFB  |
/// |        | EID2 | EID3 | …   |      or EID2 THRU EIDn
/// ```
/// The temperatures of the second line are for stresses only.
fn temprb(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let set = r.id(0, "SID");
    let first = r.id(1, "EID1");
    let [ta, tb] = [r.real(2, "TA"), r.real(3, "TB")];
    let [p1a, p1b, p2a, p2b] =
        [(4, "TP1A"), (5, "TP1B"), (6, "TP2A"), (7, "TP2B")].map(|(slot, name)| r.real_or(slot, name, 0.0));
    for (k, name) in ["TCA", "TDA", "TEA", "TFA", "TCB", "TDB", "TEB", "TFB"].into_iter().enumerate() {
        r.optional_real(8 + k, name)?;
    }
    let mut elements = vec![(1, b.element_with_id(r, 1, "EID1", first?)?)];
    if r.len() > 16 {
        let list = r.id_list(16, "EID");
        elements.extend(b.elements_of(r, 16, "EID", &list?)?.into_iter().map(|element| (16, element)));
    }
    let (set, mean, gradients) = (set?, [ta?, tb?], [[p1a?, p2a?], [p1b?, p2b?]]);
    for (slot, element) in elements {
        if !matches!(element, ElementRef::Bar(_) | ElementRef::Rod(_)) {
            r.error(slot, "EID", "TEMPRB acts on CBAR, CBEAM, CROD, CONROD and CTUBE only");
            return None;
        }
        add(r, b, set, LoadKind::BarTemperature(BarTemperature { element, mean, gradients }))?;
    }
    Some(())
}
