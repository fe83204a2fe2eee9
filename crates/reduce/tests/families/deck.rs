//! Decks of one steel link about a metre long, made of each element family.

use std::fmt::Write;

use pliant_mesh::LinkMesh;
use pliant_reduce::Reduction;

use crate::solid::solid_bar;
use crate::support::{mesh_of, reduce, request};

/// A link of one family.
pub(crate) struct Family {
    pub(crate) name: &'static str,
    /// Bulk data, grids left out.
    cards: String,
    positions: Vec<[f64; 3]>,
    /// `inboard` and `interfaces` of its table.
    interfaces: &'static str,
    /// Modes with all interfaces fixed are kept up to here (Hz).
    pub(crate) cut_off_hz: f64,
}

/// Which frames the grids of a deck are given in.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Frames {
    Basic,
    /// Positions in a turned cylindrical system, displacements in a turned rectangular one.
    Turned,
}

/// Systems 5 (cylindrical, x from the axis of 7 on) and 7 (rectangular) are turned and moved.
const TURNED: &str = "CORD2C,5,,0.3,-0.2,-0.5,0.5,0.1,1.0,\n+,1.1,-0.4,-0.1\n\
                      CORD2R,7,,0.1,0.2,0.3,0.4,0.9,0.8,\n+,1.2,-0.3,0.5\n";

impl Family {
    pub(crate) fn mesh(&self, frames: Frames) -> LinkMesh {
        let mut deck = String::from("BEGIN BULK\n");
        let basic = mesh_of(&format!("BEGIN BULK\n{TURNED}GRID,1,,0.,0.,0.\nENDDATA\n"));
        let cylinder = &basic.coordinates[1];
        if frames == Frames::Turned {
            deck.push_str(TURNED);
        }
        for (row, position) in self.positions.iter().enumerate() {
            let (system, [x, y, z]) = match frames {
                Frames::Basic => ("", *position),
                Frames::Turned => ("5", cylinder.point_from_basic((*position).into()).into()),
            };
            let cd = if frames == Frames::Basic { "" } else { "7" };
            let id = row + 1;
            // Sixteen columns hold twelve digits.
            let _ = writeln!(
                deck,
                "GRID*   {id:>16}{system:>16}{x:>16.11}{y:>16.11}\n*       {z:>16.11}{cd:>16}"
            );
        }
        deck.push_str(&self.cards);
        deck.push_str("ENDDATA\n");
        mesh_of(&deck)
    }

    pub(crate) fn reduce(&self, frames: Frames, extra: &str) -> Reduction {
        let text = format!("deck = 'x'\n{}\n{extra}", self.interfaces);
        reduce(&request(&format!("{:?}", self.name), &text), self.mesh(frames)).unwrap()
    }
}

const STEEL: &str = "MAT1,1,2.1+11,,0.3,7850.\n";
/// Flanges at both ends, each a rigid spider.
const FLANGES: &str = "inboard = { plane = { normal = 'x', through = [0, 0, 0] }, centre = [0, 0.05, 0.04] }\n\
    interfaces = { tip = { plane = { normal = 'x', through = [1, 0, 0] }, centre = [1, 0.05, 0.04] } }";
const ENDS: &str = "inboard = 1\ninterfaces = { tip = 13 }";

fn card(name: &str, row: usize, nodes: &[usize]) -> String {
    let nodes: Vec<String> = nodes.iter().map(|node| (node + 1).to_string()).collect();
    // Free format, six nodes on the first line and eight on each other.
    let (first, rest) = nodes.split_at(nodes.len().min(6));
    let mut text = format!("{name},{},1,{}", row + 1, first.join(","));
    for line in rest.chunks(8) {
        text += &format!(",\n+,{}", line.join(","));
    }
    text + "\n"
}

fn solid(name: &'static str, corners: usize, quadratic: bool, cells: [u32; 3]) -> Family {
    let card_name = match corners {
        8 => "CHEXA",
        6 => "CPENTA",
        5 => "CPYRAM",
        _ => "CTETRA",
    };
    let (positions, elements) = solid_bar(corners, quadratic, cells, [1.0, 0.1, 0.08]);
    let mut cards = format!("{STEEL}PSOLID,1,1\n");
    for (row, nodes) in elements.iter().enumerate() {
        cards += &card(card_name, row, nodes);
    }
    Family { name, cards, positions, interfaces: FLANGES, cut_off_hz: 8000.0 }
}

/// A plate 1 × 0.1 m, 12 mm thick, of quadrilaterals or triangles: the lower face of a solid bar's cells.
fn shell(name: &'static str, corners: usize, quadratic: bool, cells: [u32; 2]) -> Family {
    let [nx, ny] = cells;
    let (mut positions, mut known) = (Vec::new(), std::collections::BTreeMap::new());
    let mut node = |i: u32, j: u32| {
        *known.entry((i, j)).or_insert_with(|| {
            positions.push([f64::from(i) / f64::from(2 * nx), 0.1 * f64::from(j) / f64::from(2 * ny), 0.04]);
            positions.len() - 1
        })
    };
    let mut cards = format!("{STEEL}PSHELL,1,1,0.012,1,,1\n");
    let mut count = 0;
    for i in 0..nx {
        for j in 0..ny {
            let at = [[0, 0], [2, 0], [2, 2], [0, 2]].map(|[a, b]| [2 * i + a, 2 * j + b]);
            let pieces: &[&[usize]] = if corners == 4 { &[&[0, 1, 2, 3]] } else { &[&[0, 1, 2], &[0, 2, 3]] };
            for piece in pieces {
                let points: Vec<[u32; 2]> = piece.iter().map(|corner| at[*corner]).collect();
                let mut nodes: Vec<usize> = points.iter().map(|[i, j]| node(*i, *j)).collect();
                if quadratic {
                    for k in 0..corners {
                        let ([a, b], [c, d]) = (points[k], points[(k + 1) % corners]);
                        nodes.push(node((a + c) / 2, (b + d) / 2));
                    }
                }
                let card_name = match (corners, quadratic) {
                    (4, false) => "CQUAD4",
                    (4, true) => "CQUAD8",
                    (_, false) => "CTRIA3",
                    _ => "CTRIA6",
                };
                cards += &card(card_name, count, &nodes);
                count += 1;
            }
        }
    }
    Family { name, cards, positions, interfaces: FLANGES, cut_off_hz: 1200.0 }
}

/// Twelve bars: 0.6 m along x, then 0.4 m along a slope.
fn line(name: &'static str, element: &str, property: &str) -> Family {
    let position = |k: u32| {
        let s = f64::from(k) / 12.0;
        if s <= 0.5 { [1.2 * s, 0.0, 0.0] } else { [0.6, 0.7 * (s - 0.5), 0.4 * (s - 0.5)] }
    };
    let positions: Vec<[f64; 3]> = (0..=12).map(position).collect();
    let mut cards = format!("{STEEL}{property}");
    for k in 1..=12 {
        let _ = writeln!(cards, "{element},{k},1,{k},{},0.1,0.2,1.0,BGG", k + 1);
    }
    Family { name, cards, positions, interfaces: ENDS, cut_off_hz: 2000.0 }
}

/// A space truss of CRODs on three chords; its ends are tied by rigid spiders.
fn truss() -> Family {
    let (bays, mut positions, mut cards) = (8, Vec::new(), format!("{STEEL}PROD,1,1,2.-4,1.-9\n"));
    for i in 0..=bays {
        for [y, z] in [[0.0, 0.0], [0.1, 0.0], [0.05, 0.08]] {
            positions.push([f64::from(i) / f64::from(bays), y, z]);
        }
    }
    let mut count = 0;
    let mut rod = |a: usize, b: usize| {
        count += 1;
        let _ = writeln!(cards, "CROD,{count},1,{},{}", a + 1, b + 1);
    };
    for i in 0..=bays as usize {
        for k in 0..3 {
            rod(3 * i + k, 3 * i + (k + 1) % 3);
            if i < bays as usize {
                rod(3 * i + k, 3 * i + 3 + k);
                rod(3 * i + k, 3 * i + 3 + (k + 1) % 3);
            }
        }
    }
    Family { name: "rods", cards, positions, interfaces: FLANGES, cut_off_hz: 4000.0 }
}

/// Hexahedra with a skin of shells, rods along an edge, a point mass off its grid; averaging spiders.
fn mixed() -> Family {
    let mut family = solid("mixed, averaging", 8, false, [8, 2, 2]);
    let at = |target: [f64; 3], positions: &[[f64; 3]]| {
        let near = |p: &[f64; 3]| (0..3).all(|k| (p[k] - target[k]).abs() < 1e-9);
        positions.iter().position(near).unwrap() + 1
    };
    family.cards += "PSHELL,2,1,0.004,1,,1\nPROD,3,1,1.-4\n";
    for i in 0..8 {
        let x = |i: u32| f64::from(i) / 8.0;
        let corner = |i: u32, y: f64| at([x(i), y, 0.08], &family.positions);
        let [a, b, c, d] = [corner(i, 0.0), corner(i + 1, 0.0), corner(i + 1, 0.05), corner(i, 0.05)];
        let _ = writeln!(family.cards, "CQUAD4,{},2,{a},{b},{c},{d}", 1001 + i);
        let [e, f] = [corner(i, 0.1), corner(i + 1, 0.1)];
        let _ = writeln!(family.cards, "CROD,{},3,{e},{f}", 2001 + i);
    }
    let middle = at([0.5, 0.05, 0.08], &family.positions);
    let _ = writeln!(family.cards, "CONM2,3001,{middle},,1.5,0.02,-0.03,0.1,,\n+,4.-3,,5.-3,,,6.-3");
    family.interfaces = "inboard = { plane = { normal = 'x', through = [0, 0, 0] }, centre = [0, 0.05, 0.04], spider = 'average' }\n\
        interfaces = { tip = { plane = { normal = 'x', through = [1, 0, 0] }, centre = [1, 0.05, 0.04], spider = 'average' } }";
    family
}

/// Two bars joined by a bushing and a rigid arm.
fn jointed() -> Family {
    let mut family = line("bushing, RBE2", "CBAR", "PBAR,1,1,4.-4,2.-8,5.-8,3.-8\n");
    family.cards =
        family.cards.lines().filter(|l| !l.starts_with("CBAR,7,")).map(|l| format!("{l}\n")).collect();
    let [x, y, z] = family.positions[7];
    family.positions.push([x, y, z - 0.02]);
    family.cards += "RBE2,101,8,123456,14\nCBUSH,102,9,7,14,,,,0\nPBUSH,9,K,3.+7,4.+7,2.+7,5.+5,6.+5,4.+5,\n+,,B,300.,400.,200.,5.,6.,4.\n\
        CDAMP2,103,25.,5,2,11,2\nCVISC,104,10,3,5\nPVISC,10,40.\n";
    family.cut_off_hz = 3000.0;
    family
}

/// A link of each family.
pub(crate) fn all() -> Vec<Family> {
    vec![
        line("bars", "CBAR", "PBAR,1,1,4.-4,2.-8,5.-8,3.-8,,,\n+,,,,,,,,,\n+,0.83,0.85,1.-9\n"),
        line(
            "tapered beams",
            "CBEAM",
            "PBEAM,1,1,6.-4,4.-8,7.-8,1.-9,5.-8,0.2,\n+,,,,,,,,,\n+,YES,1.0,4.-4,2.-8,5.-8,,3.-8,0.1,\n\
             +,,,,,,,,,\n+,0.8,0.8\n",
        ),
        truss(),
        shell("quad4", 4, false, [12, 2]),
        shell("tria3", 3, false, [12, 2]),
        shell("quad8", 4, true, [8, 1]),
        shell("tria6", 3, true, [8, 1]),
        solid("tetra4", 4, false, [6, 1, 1]),
        solid("tetra10", 4, true, [6, 1, 1]),
        solid("hexa8", 8, false, [8, 2, 1]),
        solid("hexa20", 8, true, [5, 1, 1]),
        solid("penta6", 6, false, [8, 1, 1]),
        solid("penta15", 6, true, [5, 1, 1]),
        solid("pyramid5", 5, false, [6, 1, 1]),
        solid("pyramid13", 5, true, [4, 1, 1]),
        mixed(),
        jointed(),
    ]
}
