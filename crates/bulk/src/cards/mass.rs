//! CONM1, CONM2.

use nalgebra::{Matrix3, Matrix6, Vector3};
use pliant_mesh::element::{PointMass, PointMassKind};
use pliant_mesh::{CoordIndex, ElementId};

use super::{CardType, element};
use crate::resolve::Builder;
use crate::typed::Reader;

pub(super) const CARDS: &[CardType] = &[element("CONM1", conm1), element("CONM2", conm2)];

/// ```text
/// | CONM2 | EID | G   | CID | M   | X1  | X2  | X3 |
/// |       | I11 | I21 | I22 | I31 | I32 | I33 |
/// ```
/// X from the grid to the centre of mass in the directions of CID at the grid; with CID = −1, X are the
/// centre's basic coordinates. Inertia about the centre of mass in the same directions.
fn conm2(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let id = r.id(0, "EID");
    let node = b.grid(r, 1, "G");
    let absolute = r.fields().get(2).text == b"-1";
    let frame = if absolute { Some(CoordIndex::BASIC) } else { b.frame(r, 2, "CID") };
    let mass = r.real_or(3, "M", 0.0);
    let [x1, x2, x3] = [r.real_or(4, "X1", 0.0), r.real_or(5, "X2", 0.0), r.real_or(6, "X3", 0.0)];
    let mut inertia = [0.0; 6];
    let mut good = true;
    for (k, name) in ["I11", "I21", "I22", "I31", "I32", "I33"].iter().enumerate() {
        match r.real_or(8 + k, name, 0.0) {
            Some(value) => inertia[k] = value,
            None => good = false,
        }
    }
    let (node, frame) = (node?, frame?);
    let position = b.position(node);
    let axes = b.mesh.coordinates[frame.index()].triad_at(position);
    let x = Vector3::new(x1?, x2?, x3?);
    let offset = if absolute { x - position } else { axes * x };
    let [i11, i21, i22, i31, i32, i33] = inertia;
    let tensor = Matrix3::new(i11, -i21, -i31, -i21, i22, -i32, -i31, -i32, i33);
    let inertia = if frame == CoordIndex::BASIC { tensor } else { axes * tensor * axes.transpose() };
    if !good {
        return None;
    }
    b.mesh.point_masses.push(PointMass {
        id: ElementId(id?),
        node,
        kind: PointMassKind::Body { mass: mass?, offset, inertia },
        source: r.span().into(),
    });
    Some(())
}

/// ```text
/// | CONM1 | EID | G   | CID | M11 | M21 | M22 | M31 | M32 |
/// |       | M33 | M41 | M42 | M43 | M44 | M51 | M52 | M53 |
/// |       | M54 | M55 | M61 | M62 | M63 | M64 | M65 | M66 |
/// ```
fn conm1(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let id = r.id(0, "EID");
    let node = b.grid(r, 1, "G");
    let frame = b.frame(r, 2, "CID");
    let mut matrix = Matrix6::zeros();
    let mut good = true;
    let mut slot = 3;
    for row in 0..6 {
        for column in 0..=row {
            match r.real_or(slot, &format!("M{}{}", row + 1, column + 1), 0.0) {
                Some(value) => {
                    matrix[(row, column)] = value;
                    matrix[(column, row)] = value;
                }
                None => good = false,
            }
            slot += 1;
        }
    }
    let (node, frame) = (node?, frame?);
    if !good {
        return None;
    }
    if frame != CoordIndex::BASIC {
        let axes = b.mesh.coordinates[frame.index()].triad_at(b.position(node));
        let mut turn = Matrix6::zeros();
        turn.fixed_view_mut::<3, 3>(0, 0).copy_from(&axes);
        turn.fixed_view_mut::<3, 3>(3, 3).copy_from(&axes);
        matrix = turn * matrix * turn.transpose();
    }
    b.mesh.point_masses.push(PointMass {
        id: ElementId(id?),
        node,
        kind: PointMassKind::Matrix(Box::new(matrix)),
        source: r.span().into(),
    });
    Some(())
}
