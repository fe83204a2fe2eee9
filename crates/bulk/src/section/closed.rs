//! Closed shapes: BOX, BOX1, HAT1, DBOX. Torsion by Bredt's formula.

use super::open::thin_torsion;
use super::round::corner_points;
use super::{Outline, Refusal, Shape};

/// BOX: DIM1 width, DIM2 height, DIM3 top and bottom, DIM4 sides.
///
/// J = 2 t₁ t₂ (b−t₂)² (h−t₁)² / (b t₂ + h t₁ − t₁² − t₂²) (NX Nastran Element Library, BOX).
pub(super) fn box_(d: &[f64]) -> Result<Shape, Refusal> {
    let (b, h, t1, t2) = (d[0], d[1], d[2], d[3]);
    if b <= 2.0 * t2 {
        return Err("the sides DIM4 fill the width DIM1");
    }
    if h <= 2.0 * t1 {
        return Err("top and bottom DIM3 fill the height DIM2");
    }
    let (y, z) = (0.5 * h, 0.5 * b);
    let outline = Outline::new().rectangle([-y, y], [-z, z]).hole([t1 - y, y - t1], [t2 - z, z - t2]);
    let torsion = 2.0 * t1 * t2 * ((b - t2) * (h - t1)).powi(2) / (b * t2 + h * t1 - t1 * t1 - t2 * t2);
    let shear_areas = [2.0 * t2 * (h - 2.0 * t1), 2.0 * t1 * (b - 2.0 * t2)];
    Ok(Shape::symmetric(outline, torsion, shear_areas, corner_points(b, h)))
}

/// BOX1: DIM1 width, DIM2 height, DIM3 top, DIM4 bottom, DIM5 right, DIM6 left.
pub(super) fn box1(d: &[f64]) -> Result<Shape, Refusal> {
    let (b, h, top, bottom, right, left) = (d[0], d[1], d[2], d[3], d[4], d[5]);
    if b <= left + right {
        return Err("the sides DIM5 and DIM6 fill the width DIM1");
    }
    if h <= top + bottom {
        return Err("top DIM3 and bottom DIM4 fill the height DIM2");
    }
    let outline = Outline::new().rectangle([0.0, h], [0.0, b]).hole([bottom, h - top], [left, b - right]);
    let (width, height) = (b - 0.5 * (left + right), h - 0.5 * (top + bottom));
    let flexibility = height * (1.0 / left + 1.0 / right) + width * (1.0 / top + 1.0 / bottom);
    let torsion = 4.0 * (width * height).powi(2) / flexibility;
    let shear_areas = [(left + right) * (h - top - bottom), (top + bottom) * (b - left - right)];
    let points = [[h, b], [0.0, b], [0.0, 0.0], [h, 0.0]];
    let shape = Shape::symmetric(outline, torsion, shear_areas, points);
    Ok(if left == right && top == bottom { shape } else { shape.without_shear_centre() })
}

/// HAT1: a hat on a plate. DIM1 width of the plate, DIM2 height, DIM3 width of the crown, DIM4 wall of the
/// hat, DIM5 plate.
pub(super) fn hat1(d: &[f64]) -> Result<Shape, Refusal> {
    let (width, height, crown, t, plate) = (d[0], d[1], d[2], d[3], d[4]);
    if height <= plate + 2.0 * t {
        return Err("plate DIM5 and twice the wall DIM4 fill the height DIM2");
    }
    if crown <= 2.0 * t || crown > width {
        return Err(
            "the crown DIM3 must be wider than twice the wall DIM4 and not wider than the plate DIM1",
        );
    }
    let (z, e) = (0.5 * crown, 0.5 * width);
    let outline = Outline::new()
        .rectangle([0.0, plate], [-e, e])
        .rectangle([plate, plate + t], [-e, -z])
        .rectangle([plate, plate + t], [z, e])
        .rectangle([plate, height - t], [-z, t - z])
        .rectangle([plate, height - t], [z - t, z])
        .rectangle([height - t, height], [-z, z]);
    let (cell_width, cell_height) = (crown - t, height - 0.5 * (plate + t));
    let flexibility = 2.0 * cell_height / t + cell_width / t + cell_width / plate;
    let brims = thin_torsion(&[(width - crown, t + plate)]);
    let torsion = 4.0 * (cell_width * cell_height).powi(2) / flexibility + brims;
    let shear_areas = [2.0 * t * (height - plate - t), width * plate + crown * t + (width - crown) * t];
    let points = [[height, z], [0.0, e], [0.0, -e], [height, -z]];
    Ok(Shape::symmetric(outline, torsion, shear_areas, points).without_shear_centre())
}

/// DBOX: two cells side by side. DIM1 width, DIM2 height, DIM3 from the left face to the middle of the inner
/// wall, DIM4 left wall, DIM5 inner wall, DIM6 right wall, DIM7 and DIM8 top and bottom of the left cell,
/// DIM9 and DIM10 of the right one.
///
/// Torsion of two cells: with the cell areas A_i and ∮ds/t of each, δ_ij q_j = 2 A_i, J = 2 Σ A_i q_i (Bredt,
/// unit Gθ′).
pub(super) fn dbox(d: &[f64]) -> Result<Shape, Refusal> {
    let (b, h, middle, left, inner, right) = (d[0], d[1], d[2], d[3], d[4], d[5]);
    let (top, bottom) = ([d[6], d[8]], [d[7], d[9]]);
    let cells = [[left, middle - 0.5 * inner], [middle + 0.5 * inner, b - right]];
    if cells.iter().any(|z| z[1] <= z[0]) {
        return Err("the walls DIM4, DIM5 and DIM6 leave no room for two cells");
    }
    if (0..2).any(|k| h <= top[k] + bottom[k]) {
        return Err("top and bottom of a cell fill the height DIM2");
    }
    let outline = Outline::new()
        .rectangle([0.0, h], [0.0, b])
        .hole([bottom[0], h - top[0]], cells[0])
        .hole([bottom[1], h - top[1]], cells[1]);
    let heights = [0, 1].map(|k| h - 0.5 * (top[k] + bottom[k]));
    let widths = [middle - 0.5 * left, b - middle - 0.5 * right];
    let areas = [0, 1].map(|k| widths[k] * heights[k]);
    let shared = 0.5 * (heights[0] + heights[1]) / inner;
    let outer = [heights[0] / left, heights[1] / right];
    let around = [0, 1].map(|k| outer[k] + shared + widths[k] / top[k] + widths[k] / bottom[k]);
    let determinant = around[0] * around[1] - shared * shared;
    let flows = [
        2.0 * (areas[0] * around[1] + areas[1] * shared) / determinant,
        2.0 * (areas[1] * around[0] + areas[0] * shared) / determinant,
    ];
    let torsion = 2.0 * (areas[0] * flows[0] + areas[1] * flows[1]);
    let clear = [0, 1].map(|k| h - top[k] - bottom[k]);
    let uprights = left * clear[0] + inner * 0.5 * (clear[0] + clear[1]) + right * clear[1];
    let flanges: f64 = (0..2).map(|k| (top[k] + bottom[k]) * (cells[k][1] - cells[k][0])).sum();
    let points = [[h, b], [0.0, b], [0.0, 0.0], [h, 0.0]];
    Ok(Shape::symmetric(outline, torsion, [uprights, flanges], points).without_shear_centre())
}
