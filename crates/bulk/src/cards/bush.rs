//! CBUSH, PBUSH.

use nalgebra::Vector3;
use pliant_diag::Severity;
use pliant_mesh::ElementId;
use pliant_mesh::element::{Bush, BushLocation, BushOrientation};
use pliant_mesh::property::{BushProperty, PropertyKind};

use super::{CardType, element, property};
use crate::resolve::{Builder, Family};
use crate::typed::Reader;

pub(super) const CARDS: &[CardType] = &[element("CBUSH", cbush), property("PBUSH", pbush)];

/// ```text
/// | CBUSH | EID | PID  | GA | GB | GO/X1 | X2 | X3 | CID |
/// |       | S   | OCID | S1 | S2 | S3    |
/// ```
/// CID (also 0) gives the axes and wins over GO and X. Otherwise x runs from GA to GB and plane 1 holds X (in
/// the displacement frame of GA) or GO. S blank is 0.5; OCID ≥ 0 puts the element at the point S1 S2 S3 of
/// that system.
fn cbush(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let id = r.id(0, "EID");
    let property = b.property(r, 1, id, &[Family::Bush]);
    let ga = b.grid(r, 2, "GA");
    let gb = if r.fields().get(3).text == b"0" { Some(None) } else { b.optional_grid(r, 3, "GB") };
    let ga = ga?;
    let orientation = if !r.is_blank(7) {
        b.frame(r, 7, "CID").map(BushOrientation::Frame)
    } else if (4..7).all(|slot| r.is_blank(slot)) {
        Some(BushOrientation::Axial)
    } else if r.is_integer(4) {
        b.grid(r, 4, "GO").map(BushOrientation::Node)
    } else {
        let [x1, x2, x3] = [r.real_or(4, "X1", 0.0), r.real_or(5, "X2", 0.0), r.real_or(6, "X3", 0.0)];
        let vector = Vector3::new(x1?, x2?, x3?);
        Some(BushOrientation::Vector(b.turned_from_node(ga, vector)))
    };
    let fraction = r.real_or(8, "S", 0.5);
    let location = match r.integer_or(9, "OCID", -1) {
        Some(-1) => fraction.map(BushLocation::Fraction),
        Some(frame) => {
            let frame = b.frame_with_id(r, 9, "OCID", frame);
            let [s1, s2, s3] = [r.real_or(10, "S1", 0.0), r.real_or(11, "S2", 0.0), r.real_or(12, "S3", 0.0)];
            let point = Vector3::new(s1?, s2?, s3?);
            Some(BushLocation::Point(b.mesh.coordinates[frame?.index()].point_to_basic(point)))
        }
        None => None,
    };
    let gb = gb?;
    let orientation = orientation?;
    let needs_length =
        matches!(orientation, BushOrientation::Vector(_) | BushOrientation::Node(_) | BushOrientation::Axial);
    let apart = gb.is_some_and(|gb| (b.position(gb) - b.position(ga)).norm() > 0.0);
    if needs_length && !apart {
        let problem = r
            .problem(
                Severity::Error,
                7,
                "CID",
                "the ends coincide (or GB is the ground), so CID must give the axes",
            )
            .hint("write 0 for the basic frame");
        r.report(problem);
        return None;
    }
    b.mesh.bushes.push(Bush {
        id: ElementId(id?),
        property: property?,
        nodes: (ga, gb),
        orientation,
        location: location?,
        source: r.span().into(),
    });
    Some(())
}

/// ```text
/// | PBUSH | PID | K   | K1  | K2  | K3  | K4  | K5  | K6  |
/// |       |     | B   | B1  | B2  | B3  | B4  | B5  | B6  |
/// |       |     | GE  | GE1 | GE2 | GE3 | GE4 | GE5 | GE6 |
/// |       |     | RCV | SA  | ST  | EA  | ET  |
/// |       |     | M   | M   |
/// ```
/// The lines may come in any order. GE2 to GE6 blank are GE1 when only that is given.
fn pbush(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let id = r.id(0, "PID");
    let mut bush = BushProperty { stress_coefficients: [1.0; 4], ..BushProperty::default() };
    let mut good = true;
    for line in 0..r.len().div_ceil(8) {
        let slot = 8 * line + 1;
        if r.is_blank(slot) {
            continue;
        }
        let Some(flag) = r.word(slot, "flag") else {
            good = false;
            continue;
        };
        let mut read = |values: &mut [f64], name: &str| {
            for (k, value) in values.iter_mut().enumerate() {
                match r.real_or(slot + 1 + k, &format!("{name}{}", k + 1), *value) {
                    Some(given) => *value = given,
                    None => good = false,
                }
            }
        };
        match flag.as_str() {
            "K" => read(&mut bush.stiffness, "K"),
            "B" => read(&mut bush.damping, "B"),
            "GE" => {
                read(&mut bush.structural_damping, "GE");
                if (slot + 2..slot + 7).all(|slot| r.is_blank(slot)) {
                    bush.structural_damping = [bush.structural_damping[0]; 6];
                }
            }
            "RCV" => read(&mut bush.stress_coefficients, "S"),
            "M" => read(std::slice::from_mut(&mut bush.mass), "M"),
            _ => {
                r.error(slot, "flag", format!("`{flag}` is not K, B, GE, RCV or M"));
                good = false;
            }
        }
    }
    if !good {
        return None;
    }
    b.add_property(r, id?, PropertyKind::Bush(Box::new(bush)));
    Some(())
}
