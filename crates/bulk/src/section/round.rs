//! Compact shapes: ROD, TUBE, TUBE2, BAR, HEXA.

use std::f64::consts::PI;

use super::{Outline, Refusal, Shape};

/// Stress points of a circle: top, right, bottom, left.
fn circle_points(r: f64) -> [[f64; 2]; 4] {
    [[r, 0.0], [0.0, r], [-r, 0.0], [0.0, -r]]
}

/// Corners of a rectangle b wide and h high about the origin: C upper right, then clockwise.
pub(super) fn corner_points(b: f64, h: f64) -> [[f64; 2]; 4] {
    let (y, z) = (0.5 * h, 0.5 * b);
    [[y, z], [-y, z], [-y, -z], [y, -z]]
}

/// J of a rectangle: a b³ (1/3 − 0.21 b/a (1 − b⁴/12a⁴)) with a ≥ b (NX Nastran Element Library, BAR; Roark).
pub(super) fn rectangle_torsion(width: f64, height: f64) -> f64 {
    let (a, b) = if width > height { (width, height) } else { (height, width) };
    let ratio = b / a;
    a * b.powi(3) * (1.0 / 3.0 - 0.21 * ratio * (1.0 - ratio.powi(4) / 12.0))
}

/// ROD: DIM1 radius.
pub(super) fn rod(d: &[f64]) -> Result<Shape, Refusal> {
    let r = d[0];
    let area = PI * r * r;
    let outline = Outline::new().circle(r, 1.0);
    Ok(Shape::symmetric(outline, 0.5 * area * r * r, [0.9 * area; 2], circle_points(r)))
}

/// TUBE: DIM1 outer radius, DIM2 inner radius.
pub(super) fn tube(d: &[f64]) -> Result<Shape, Refusal> {
    let (outer, inner) = (d[0], d[1]);
    if inner >= outer {
        return Err("the inner radius DIM2 must be smaller than the outer radius DIM1");
    }
    if inner == 0.0 {
        return rod(&d[..1]);
    }
    let area = PI * (outer * outer - inner * inner);
    let outline = Outline::new().circle(outer, 1.0).circle(inner, -1.0);
    let torsion = 0.5 * PI * (outer.powi(4) - inner.powi(4));
    Ok(Shape::symmetric(outline, torsion, [0.5 * area; 2], circle_points(outer)))
}

/// TUBE2: DIM1 outer radius, DIM2 wall thickness.
pub(super) fn tube2(d: &[f64]) -> Result<Shape, Refusal> {
    if d[1] > d[0] {
        return Err("the wall DIM2 must not be thicker than the radius DIM1");
    }
    tube(&[d[0], d[0] - d[1]])
}

/// BAR: DIM1 width (z), DIM2 height (y).
pub(super) fn bar(d: &[f64]) -> Result<Shape, Refusal> {
    let (b, h) = (d[0], d[1]);
    let outline = Outline::new().rectangle([-0.5 * h, 0.5 * h], [-0.5 * b, 0.5 * b]);
    Ok(Shape::symmetric(outline, rectangle_torsion(b, h), [b * h * 5.0 / 6.0; 2], corner_points(b, h)))
}

/// HEXA: a rectangle with pointed sides. DIM1 depth of a point, DIM2 width over the points, DIM3 height.
pub(super) fn hexa(d: &[f64]) -> Result<Shape, Refusal> {
    let (point, width, height) = (d[0], d[1], d[2]);
    if width < 2.0 * point {
        return Err("the width DIM2 must be at least twice DIM1");
    }
    let (flat, y, z) = (0.5 * width - point, 0.5 * height, 0.5 * width);
    let corners = vec![[y, -flat], [y, flat], [0.0, z], [-y, flat], [-y, -flat], [0.0, -z]];
    let area = (width - point) * height;
    // As a rectangle of the same area and height.
    let torsion = rectangle_torsion(width - point, height);
    let points = [[y, 0.0], [0.0, z], [-y, 0.0], [0.0, -z]];
    Ok(Shape::symmetric(Outline::new().polygon(corners), torsion, [area * 5.0 / 6.0; 2], points))
}
