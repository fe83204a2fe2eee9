//! CBAR, CBEAM, BAROR, BEAMOR.

use nalgebra::Vector3;
use pliant_diag::Severity;
use pliant_mesh::element::{Bar, BarKind, BarOrientation};
use pliant_mesh::{Components, ElementId, NodeIndex};

use super::{CardType, Class, Stage, card, element};
use crate::resolve::{Builder, Family};
use crate::typed::Reader;

pub(super) const CARDS: &[CardType] = &[
    card("BAROR", Stage::Defaults, Class::Other, |r, b| {
        let defaults = defaults(r)?;
        b.bar_defaults.insert(b.part, defaults);
        Some(())
    }),
    card("BEAMOR", Stage::Defaults, Class::Other, |r, b| {
        let defaults = defaults(r)?;
        b.beam_defaults.insert(b.part, defaults);
        Some(())
    }),
    element("CBAR", |r, b| bar(r, b, BarKind::Bar)),
    element("CBEAM", |r, b| bar(r, b, BarKind::Beam)),
];

/// What a CBAR or CBEAM takes where its own field is blank.
#[derive(Clone, Debug, Default)]
pub(crate) struct BarDefaults {
    property: Option<u32>,
    orientation: Option<Given>,
    offset_frames: Option<OffsetFrames>,
}

/// Orientation as the card gives it.
#[derive(Clone, Copy, Debug)]
enum Given {
    Grid(u32),
    Vector([f64; 3]),
}

/// OFFT: in which frame v and the offsets of ends A and B are given.
#[derive(Clone, Copy, Debug)]
struct OffsetFrames {
    /// True: basic frame. False: displacement frame of GA.
    vector_in_basic: bool,
    /// True: element frame. False: displacement frame of the end's grid.
    in_element: [bool; 2],
}

const GLOBAL: OffsetFrames = OffsetFrames { vector_in_basic: false, in_element: [false, false] };

/// ```text
/// | BAROR | | PID | | | X1/G0 | X2 | X3 | OFFT |      BEAMOR the same
/// ```
fn defaults(r: &mut Reader<'_>) -> Option<BarDefaults> {
    let property = r.optional_id(1, "PID");
    let orientation = given_orientation(r);
    let offset_frames = offset_frames(r);
    Some(BarDefaults { property: property?, orientation: orientation?, offset_frames: offset_frames? })
}

/// X1, X2, X3 or G0 in slots 4 to 6. The outer `None` means that it was bad.
fn given_orientation(r: &mut Reader<'_>) -> Option<Option<Given>> {
    if (4..7).all(|slot| r.is_blank(slot)) {
        return Some(None);
    }
    if r.is_integer(4) {
        return r.id(4, "G0").map(|id| Some(Given::Grid(id)));
    }
    let x = [r.real_or(4, "X1", 0.0), r.real_or(5, "X2", 0.0), r.real_or(6, "X3", 0.0)];
    let [x1, x2, x3] = x;
    Some(Some(Given::Vector([x1?, x2?, x3?])))
}

/// OFFT in slot 7, such as `GGG`, `BGO`. Decks of the first NASTRAN have a flag there instead: 1 for a vector
/// in X1 to X3, 2 for a grid in G0, which the fields themselves show.
fn offset_frames(r: &mut Reader<'_>) -> Option<Option<OffsetFrames>> {
    if matches!(r.fields().get(7).text, b"" | b"0" | b"1" | b"2") {
        return Some(None);
    }
    let word = r.word(7, "OFFT")?;
    let frames = match word.as_bytes() {
        [v @ (b'G' | b'B'), a @ (b'G' | b'O' | b'E'), b @ (b'G' | b'O' | b'E')] => {
            OffsetFrames { vector_in_basic: *v == b'B', in_element: [*a != b'G', *b != b'G'] }
        }
        _ => {
            let problem = r
                .problem(Severity::Error, 7, "OFFT", format!("`{word}` is not an offset code"))
                .hint("use GGG, BGG, GGO, BGO, GOG, BOG, GOO or BOO");
            r.report(problem);
            return None;
        }
    };
    Some(Some(frames))
}

/// ```text
/// | CBAR  | EID | PID | GA  | GB  | X1/G0 | X2  | X3  | OFFT |
/// |       | PA  | PB  | W1A | W2A | W3A   | W1B | W2B | W3B  |
/// | CBEAM | the same, and                                     |
/// |       | SA  | SB  |
/// ```
/// PID blank: BAROR's, else EID. The vector is in the displacement frame of GA, or in the basic frame with
/// OFFT = `B..`; offsets are in the displacement frame of their grid, or in the element frame with `.O.` and
/// `..O`.
fn bar(r: &mut Reader<'_>, b: &mut Builder, kind: BarKind) -> Option<()> {
    let all = if kind == BarKind::Bar { &b.bar_defaults } else { &b.beam_defaults };
    let defaults = all.get(&b.part).cloned().unwrap_or_default();
    let families: &[Family] =
        if kind == BarKind::Bar { &[Family::Bar] } else { &[Family::Beam, Family::Bar] };
    let id = r.id(0, "EID");
    let property = b.property(r, 1, defaults.property.or(id), families);
    let ga = b.grid(r, 2, "GA");
    let gb = b.grid(r, 3, "GB");
    let given = given_orientation(r);
    let frames = offset_frames(r);
    let pins = [r.components(8, "PA"), r.components(9, "PB")];
    let mut offsets = [Some(Vector3::zeros()); 2];
    for (end, offset) in offsets.iter_mut().enumerate() {
        let first = 10 + 3 * end;
        let names = [["W1A", "W2A", "W3A"], ["W1B", "W2B", "W3B"]][end];
        let w = [0, 1, 2].map(|k| r.real_or(first + k, names[k], 0.0));
        *offset = match w {
            [Some(x), Some(y), Some(z)] => Some(Vector3::new(x, y, z)),
            _ => None,
        };
    }
    let warping = warping_points(r, b, kind);
    let frames = frames?.or(defaults.offset_frames).unwrap_or(GLOBAL);
    let nodes = [ga?, gb?];
    if nodes[0] == nodes[1] {
        r.error(3, "GB", "both ends are the same grid");
        return None;
    }
    let orientation = orientation(r, b, given?.or(defaults.orientation), frames, nodes)?;
    let [wa, wb] = offsets;
    let mut offsets = [wa?, wb?];
    for end in 0..2 {
        offsets[end] = if frames.in_element[end] {
            from_element_frame(r, b, nodes, &orientation, offsets[end])?
        } else {
            b.turned_from_node(nodes[end], offsets[end])
        };
    }
    let [pa, pb] = pins;
    let pins: [Components; 2] = [pa?, pb?];
    b.mesh.bars.push(Bar {
        id: ElementId(id?),
        kind,
        property: property?,
        nodes,
        orientation,
        pins,
        offsets,
        warping_points: warping?,
        source: r.span().into(),
    });
    Some(())
}

/// SA and SB of a CBEAM.
fn warping_points(r: &mut Reader<'_>, b: &Builder, kind: BarKind) -> Option<[Option<NodeIndex>; 2]> {
    let mut points = [None; 2];
    if kind == BarKind::Bar {
        return Some(points);
    }
    for (slot, name) in [(16, "SA"), (17, "SB")] {
        if !r.is_blank(slot) && r.fields().get(slot).text != b"0" {
            points[slot - 16] = Some(b.node(r, slot, name)?);
            r.warning(
                slot,
                name,
                "warping of the section is not modelled; the scalar point is kept free of the beam",
            );
        }
    }
    Some(points)
}

fn orientation(
    r: &mut Reader<'_>,
    b: &Builder,
    given: Option<Given>,
    frames: OffsetFrames,
    nodes: [NodeIndex; 2],
) -> Option<BarOrientation> {
    match given {
        Some(Given::Vector(v)) => {
            let v = Vector3::from(v);
            let basic = if frames.vector_in_basic { v } else { b.turned_from_node(nodes[0], v) };
            Some(BarOrientation::Vector(basic))
        }
        Some(Given::Grid(id)) => {
            let node = b.node_with_id(r, 4, "G0", id)?;
            if node == nodes[0] {
                r.error(4, "G0", "the orientation grid is end A itself");
                return None;
            }
            Some(BarOrientation::Node(node))
        }
        None => {
            let problem = r
                .problem(Severity::Error, 4, "X1", "no orientation: neither a vector nor G0 is given")
                .hint("plane 1 of the section needs a direction; give X1 X2 X3, G0 or a BAROR/BEAMOR card");
            r.report(problem);
            None
        }
    }
}

/// An offset in the element frame (x from GA to GB, plane 1 with the orientation vector) turned to the basic
/// frame.
fn from_element_frame(
    r: &mut Reader<'_>,
    b: &Builder,
    nodes: [NodeIndex; 2],
    orientation: &BarOrientation,
    offset: Vector3<f64>,
) -> Option<Vector3<f64>> {
    if offset == Vector3::zeros() {
        return Some(offset);
    }
    let start = b.position(nodes[0]);
    let v = match orientation {
        BarOrientation::Vector(v) => *v,
        BarOrientation::Node(node) => b.position(*node) - start,
    };
    let x = (b.position(nodes[1]) - start).try_normalize(0.0);
    let frame = x.and_then(|x| x.cross(&v).try_normalize(0.0).map(|z| (x, z.cross(&x), z)));
    match frame {
        Some((x, y, z)) => Some(x * offset.x + y * offset.y + z * offset.z),
        None => {
            r.error(7, "OFFT", "the element frame is not defined, so that the offset has no direction");
            None
        }
    }
}
