//! Open shapes of straight walls: I, I1, H, T, T1, T2, CROSS, Z, L.

use super::{Outline, Refusal, Shape};

/// J of thin open walls: ⅓ Σ length · thickness³, lengths of the middle lines.
pub(super) fn thin_torsion(walls: &[(f64, f64)]) -> f64 {
    walls.iter().map(|(length, t)| length * t.powi(3)).sum::<f64>() / 3.0
}

/// I: DIM1 height, DIM2 and DIM3 width of the bottom and top flange, DIM4 web, DIM5 and DIM6 thickness of the
/// bottom and top flange. The shear centre lies between the flanges as their t·b³ do.
pub(super) fn i(d: &[f64]) -> Result<Shape, Refusal> {
    let (h, a, b, tw, ta, tb) = (d[0], d[1], d[2], d[3], d[4], d[5]);
    let web = h - ta - tb;
    if web <= 0.0 {
        return Err("the flanges DIM5 and DIM6 fill the height DIM1");
    }
    if tw > a || tw > b {
        return Err("the web DIM4 is wider than a flange");
    }
    let outline = Outline::new()
        .rectangle([0.0, ta], [-0.5 * a, 0.5 * a])
        .rectangle([ta, h - tb], [-0.5 * tw, 0.5 * tw])
        .rectangle([h - tb, h], [-0.5 * b, 0.5 * b]);
    let between = h - 0.5 * (ta + tb);
    let (top, bottom) = (tb * b.powi(3), ta * a.powi(3));
    let points = [[h, 0.5 * b], [0.0, 0.5 * a], [0.0, -0.5 * a], [h, -0.5 * b]];
    let torsion = thin_torsion(&[(b, tb), (a, ta), (between, tw)]);
    let shear_areas = [web * tw, (a * ta + b * tb) * 5.0 / 6.0];
    Ok(Shape::symmetric(outline, torsion, shear_areas, points)
        .with_shear_centre(0.5 * ta + between * top / (top + bottom), 0.0))
}

/// I1: DIM1 width of a flange beyond the web (both sides together), DIM2 web, DIM3 height between the
/// flanges, DIM4 height.
pub(super) fn i1(d: &[f64]) -> Result<Shape, Refusal> {
    let flange = 0.5 * (d[3] - d[2]);
    if flange <= 0.0 {
        return Err("the height DIM4 must be larger than the height between the flanges DIM3");
    }
    let width = d[0] + d[1];
    i(&[d[3], width, width, d[1], flange, flange])
}

/// H: an I on its side. DIM1 distance between the flanges, DIM2 thickness of both flanges together, DIM3
/// height of the flanges, DIM4 thickness of the web.
pub(super) fn h(d: &[f64]) -> Result<Shape, Refusal> {
    let (inner, t, height, web) = (d[0], 0.5 * d[1], d[2], d[3]);
    if web > height {
        return Err("the web DIM4 is higher than the flanges DIM3");
    }
    let (y, z, w) = (0.5 * height, 0.5 * inner, 0.5 * web);
    let outline = Outline::new()
        .rectangle([-y, y], [-z - t, -z])
        .rectangle([-w, w], [-z, z])
        .rectangle([-y, y], [z, z + t]);
    let torsion = thin_torsion(&[(2.0 * height, t), (inner + t, web)]);
    let shear_areas = [2.0 * height * t * 5.0 / 6.0, inner * web];
    Ok(Shape::symmetric(outline, torsion, shear_areas, super::round::corner_points(inner + 2.0 * t, height)))
}

/// Numbers that T, T1 and T2 share: flange `b` × `tf`, total height `height`, web `tw`. y from the outer face
/// of the flange towards the web's end.
struct Tee {
    b: f64,
    height: f64,
    tf: f64,
    tw: f64,
}

impl Tee {
    fn new(d: &[f64]) -> Result<Self, Refusal> {
        let tee = Self { b: d[0], height: d[1], tf: d[2], tw: d[3] };
        if tee.tf >= tee.height {
            return Err("the flange DIM3 fills the height DIM2");
        }
        if tee.tw > tee.b {
            return Err("the web DIM4 is wider than the flange DIM1");
        }
        Ok(tee)
    }

    fn torsion(&self) -> f64 {
        thin_torsion(&[(self.b, self.tf), (self.height - 0.5 * self.tf, self.tw)])
    }

    fn web_area(&self) -> f64 {
        (self.height - self.tf) * self.tw
    }

    fn flange_shear_area(&self) -> f64 {
        self.b * self.tf * 5.0 / 6.0
    }
}

/// T: flange on top. DIM1 width, DIM2 height, DIM3 flange, DIM4 web. Shear centre where the middle lines
/// meet.
pub(super) fn t(d: &[f64]) -> Result<Shape, Refusal> {
    let tee = Tee::new(d)?;
    let (h, z, w) = (tee.height, 0.5 * tee.b, 0.5 * tee.tw);
    let outline = Outline::new().rectangle([h - tee.tf, h], [-z, z]).rectangle([0.0, h - tee.tf], [-w, w]);
    let points = [[h, 0.0], [h, z], [0.0, 0.0], [h, -z]];
    Ok(Shape::symmetric(outline, tee.torsion(), [tee.web_area(), tee.flange_shear_area()], points)
        .with_shear_centre(h - 0.5 * tee.tf, 0.0))
}

/// T2: flange below. Dimensions as T.
pub(super) fn t2(d: &[f64]) -> Result<Shape, Refusal> {
    let tee = Tee::new(d)?;
    let (h, z, w) = (tee.height, 0.5 * tee.b, 0.5 * tee.tw);
    let outline = Outline::new().rectangle([0.0, tee.tf], [-z, z]).rectangle([tee.tf, h], [-w, w]);
    let points = [[h, w], [0.0, z], [0.0, -z], [h, -w]];
    Ok(Shape::symmetric(outline, tee.torsion(), [tee.web_area(), tee.flange_shear_area()], points)
        .with_shear_centre(0.5 * tee.tf, 0.0))
}

/// T1: flange upright at the right. DIM1 height of the flange, DIM2 length of the web, DIM3 flange, DIM4 web.
pub(super) fn t1(d: &[f64]) -> Result<Shape, Refusal> {
    let tee = Tee::new(&[d[0], d[1] + d[2], d[2], d[3]])?;
    let (web, y, w) = (d[1], 0.5 * tee.b, 0.5 * tee.tw);
    let right = web + tee.tf;
    let outline = Outline::new().rectangle([-w, w], [0.0, web]).rectangle([-y, y], [web, right]);
    let points = [[0.0, right], [-y, right], [0.0, 0.0], [y, right]];
    Ok(Shape::symmetric(outline, tee.torsion(), [tee.flange_shear_area(), tee.web_area()], points)
        .with_shear_centre(0.0, web + 0.5 * tee.tf))
}

/// CROSS: DIM1 length of both arms together, DIM2 thickness of the upright, DIM3 height, DIM4 thickness of
/// the arms.
pub(super) fn cross(d: &[f64]) -> Result<Shape, Refusal> {
    let (arms, upright, height, t) = (d[0], d[1], d[2], d[3]);
    if t > height {
        return Err("the arms DIM4 are higher than the upright DIM3");
    }
    let (y, z, w, e) = (0.5 * height, 0.5 * upright, 0.5 * t, 0.5 * (arms + upright));
    let outline =
        Outline::new().rectangle([-y, y], [-z, z]).rectangle([-w, w], [-e, -z]).rectangle([-w, w], [z, e]);
    let shear_areas = [height * upright * 5.0 / 6.0, (arms + upright) * t * 5.0 / 6.0];
    let points = [[y, 0.0], [0.0, e], [-y, 0.0], [0.0, -e]];
    Ok(Shape::symmetric(outline, thin_torsion(&[(height, upright), (arms, t)]), shear_areas, points))
}

/// Z: upper flange to the left, lower to the right. DIM1 width of a flange beyond the web, DIM2 web, DIM3
/// height between the flanges, DIM4 height.
pub(super) fn z(d: &[f64]) -> Result<Shape, Refusal> {
    let (beyond, web, inner, height) = (d[0], d[1], d[2], d[3]);
    let t = 0.5 * (height - inner);
    if t <= 0.0 {
        return Err("the height DIM4 must be larger than the height between the flanges DIM3");
    }
    let (y, w) = (0.5 * inner, 0.5 * web);
    let outline = Outline::new()
        .rectangle([-y, y], [-w, w])
        .rectangle([y, y + t], [-w - beyond, w])
        .rectangle([-y - t, -y], [-w, w + beyond]);
    let torsion = thin_torsion(&[(2.0 * beyond + web, t), (inner + t, web)]);
    let shear_areas = [inner * web, 2.0 * (beyond + web) * t * 5.0 / 6.0];
    let points = [[y + t, w], [-y - t, w + beyond], [-y - t, -w], [y + t, -w - beyond]];
    Ok(Shape::symmetric(outline, torsion, shear_areas, points))
}

/// L: foot to the right. DIM1 width, DIM2 height, DIM3 thickness of the foot, DIM4 of the upright. Shear
/// centre where the middle lines meet.
pub(super) fn l(d: &[f64]) -> Result<Shape, Refusal> {
    let (b, h, t1, t2) = (d[0], d[1], d[2], d[3]);
    if t1 >= h || t2 >= b {
        return Err("a leg is thicker than the other is long");
    }
    let outline = Outline::new().rectangle([0.0, t1], [0.0, b]).rectangle([t1, h], [0.0, t2]);
    let torsion = thin_torsion(&[(b - 0.5 * t2, t1), (h - 0.5 * t1, t2)]);
    let points = [[h, t2], [0.0, b], [0.0, 0.0], [h, 0.0]];
    Ok(Shape::symmetric(outline, torsion, [(h - t1) * t2, (b - t2) * t1], points)
        .with_shear_centre(0.5 * t1, 0.5 * t2))
}
