//! CHAN, CHAN1, CHAN2 and HAT: open shapes whose shear centre lies outside.

use super::open::thin_torsion;
use super::{Outline, Refusal, Shape};

/// From the middle line of the web to the shear centre of a channel, away from the flanges:
/// e = 3 t_f b² / (6 b t_f + h t_w) with middle-line lengths b and h (Timoshenko, Strength of Materials).
fn shear_centre_offset(b: f64, h: f64, flange: f64, web: f64) -> f64 {
    3.0 * flange * b * b / (6.0 * b * flange + h * web)
}

/// CHAN: web at the left. DIM1 width, DIM2 height, DIM3 web, DIM4 flanges.
pub(super) fn chan(d: &[f64]) -> Result<Shape, Refusal> {
    let (width, height, web, flange) = (d[0], d[1], d[2], d[3]);
    if height <= 2.0 * flange {
        return Err("the flanges DIM4 fill the height DIM2");
    }
    if width <= web {
        return Err("the web DIM3 fills the width DIM1");
    }
    let y = 0.5 * height;
    let outline =
        Outline::new().rectangle([-y, y], [0.0, width]).hole([flange - y, y - flange], [web, width]);
    let (b, h) = (width - 0.5 * web, height - flange);
    let torsion = thin_torsion(&[(2.0 * b, flange), (h, web)]);
    let shear_areas = [(height - 2.0 * flange) * web, 2.0 * (width - web) * flange];
    let points = [[y, width], [-y, width], [-y, 0.0], [y, 0.0]];
    Ok(Shape::symmetric(outline, torsion, shear_areas, points)
        .with_shear_centre(0.0, 0.5 * web - shear_centre_offset(b, h, flange, web)))
}

/// CHAN1: as CHAN. DIM1 width of the flanges beyond the web, DIM2 web, DIM3 height between the flanges, DIM4
/// height.
pub(super) fn chan1(d: &[f64]) -> Result<Shape, Refusal> {
    if d[3] <= d[2] {
        return Err("the height DIM4 must be larger than the height between the flanges DIM3");
    }
    chan(&[d[0] + d[1], d[3], d[1], 0.5 * (d[3] - d[2])])
}

/// CHAN2: web below, legs up. DIM1 legs, DIM2 web, DIM3 height, DIM4 width.
pub(super) fn chan2(d: &[f64]) -> Result<Shape, Refusal> {
    let (leg, web, height, width) = (d[0], d[1], d[2], d[3]);
    if width <= 2.0 * leg {
        return Err("the legs DIM1 fill the width DIM4");
    }
    if height <= web {
        return Err("the web DIM2 fills the height DIM3");
    }
    let z = 0.5 * width;
    let outline = Outline::new().rectangle([0.0, height], [-z, z]).hole([web, height], [leg - z, z - leg]);
    let (b, h) = (height - 0.5 * web, width - leg);
    let torsion = thin_torsion(&[(2.0 * b, leg), (h, web)]);
    let shear_areas = [2.0 * (height - web) * leg, (width - 2.0 * leg) * web];
    let points = [[height, z], [0.0, z], [0.0, -z], [height, -z]];
    Ok(Shape::symmetric(outline, torsion, shear_areas, points)
        .with_shear_centre(0.5 * web - shear_centre_offset(b, h, leg, web), 0.0))
}

/// HAT: crown on top, brims out. DIM1 height, DIM2 wall, DIM3 width of the crown, DIM4 width of a brim.
pub(super) fn hat(d: &[f64]) -> Result<Shape, Refusal> {
    let (height, t, crown, brim) = (d[0], d[1], d[2], d[3]);
    if crown <= 2.0 * t {
        return Err("the width of the crown DIM3 must be larger than twice the wall DIM2");
    }
    if height <= 2.0 * t {
        return Err("the height DIM1 must be larger than twice the wall DIM2");
    }
    let z = 0.5 * crown;
    let outline = Outline::new()
        .rectangle([height - t, height], [-z, z])
        .rectangle([0.0, height - t], [-z, t - z])
        .rectangle([0.0, height - t], [z - t, z])
        .rectangle([0.0, t], [-z - brim, -z])
        .rectangle([0.0, t], [z, z + brim]);
    // Middle lines of the right half, from the plane of symmetry outwards.
    let (half, side, foot) = (z - 0.5 * t, height - t, brim + 0.5 * t);
    let torsion = thin_torsion(&[(2.0 * (half + side + foot), t)]);
    let shear_areas = [2.0 * (height - 2.0 * t) * t, (crown + 2.0 * brim) * t];
    let points = [[height, z], [0.0, z + brim], [0.0, -z - brim], [height, -z]];
    let below = hat_shear_centre(half, side, foot);
    Ok(Shape::symmetric(outline, torsion, shear_areas, points)
        .with_shear_centre(height - 0.5 * t - below, 0.0))
}

/// From the crown's middle line down to the shear centre of a hat of constant wall; negative: above the
/// crown.
///
/// With the pole P where the crown meets the plane of symmetry, the sectorial area of the right half is ω = 0
/// on the crown, a·s down the side and a·side − side·s out along the foot (a = half the crown), and the shear
/// centre lies ∫zω dA / ∫z² dA below P (Vlasov, Thin-walled elastic beams, ch. I).
fn hat_shear_centre(a: f64, side: f64, foot: f64) -> f64 {
    // Foot: z = a + s, ω = a·side − side·s, s from 0 to foot.
    let on_side = a * a * side * side / 2.0;
    let on_foot = side * (a * a * foot - foot.powi(3) / 3.0);
    let second_moment = a.powi(3) / 3.0 + a * a * side + ((a + foot).powi(3) - a.powi(3)) / 3.0;
    -(on_side + on_foot) / second_moment
}
