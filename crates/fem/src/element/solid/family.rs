//! What the four solid families have in common: one description, from which nodes, faces, shape functions and
//! tables follow.

use super::quadrature::Rule;

/// A shape function at a reference point: its value and its gradient in reference coordinates.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ShapeValue {
    /// N.
    pub(super) value: f64,
    /// ∂N/∂(ξ, η, ζ).
    pub(super) gradient: [f64; 3],
}

/// One family of solids. Corner functions are the linear ones; a mid-side node on edge (i, j) brings a
/// function that is 1 there and 0 at every other node, and takes half of it from those of its two corners:
///
/// N_mid,   N_corner = N_linear − ½ Σ N_mid of the edges that have a mid-side node.
///
/// With all mid-side nodes this is the serendipity element; with some left out it is the variable-node
/// element (Bathe, *Finite Element Procedures*, §5.3), linear along the edges without one.
pub(super) struct Family {
    /// Which family it is.
    pub(super) kind: FamilyKind,
    /// Reference coordinates of the corners.
    pub(super) corners: &'static [[f64; 3]],
    /// Corners at the ends of the edge of each mid-side node, in the order of the card.
    pub(super) edges: &'static [[usize; 2]],
    /// Corners of each face, turning about the outward normal by the right-hand rule.
    pub(super) faces: &'static [&'static [usize]],
    /// Linear function of a corner.
    pub(super) linear: fn(usize, [f64; 3]) -> ShapeValue,
    /// Function of the mid-side node of an edge.
    pub(super) edge: fn(usize, [f64; 3]) -> ShapeValue,
    /// Reference gradients of the internal displacement modes at a point (before their mean is taken off).
    pub(super) internal: fn([f64; 3]) -> Vec<[f64; 3]>,
    /// How many of them, the last ones, act along the normal of the ζ surfaces only.
    pub(super) axial_modes: usize,
    /// Part of its strain energy that the last of them takes: 1 for an ordinary mode.
    pub(super) last_mode_relief: f64,
    /// Internal volumetric strains at a point; each has a zero mean over the reference shape.
    pub(super) volumetric: fn([f64; 3]) -> Vec<f64>,
    /// Full integration of K, linear shape.
    pub(super) linear_rule: fn() -> Rule,
    /// Full integration of K, quadratic shape.
    pub(super) quadratic_rule: fn() -> Rule,
    /// Reduced integration of K, quadratic shape.
    pub(super) reduced_rule: fn() -> Rule,
    /// Integration of M, linear shape: exact for straight edges.
    pub(super) linear_mass_rule: fn() -> Rule,
    /// Integration of M, quadratic shape.
    pub(super) quadratic_mass_rule: fn() -> Rule,
}

impl Family {
    /// All functions at a point: corners, then mid-side nodes. Those of absent nodes are zero.
    pub(super) fn shape(&self, mids: MidNodes, point: [f64; 3]) -> Vec<ShapeValue> {
        let mut values: Vec<ShapeValue> =
            (0..self.corners.len()).map(|corner| (self.linear)(corner, point)).collect();
        if mids.is_empty() {
            return values;
        }
        for (edge, ends) in self.edges.iter().enumerate() {
            if !mids.has(edge) {
                values.push(ShapeValue::default());
                continue;
            }
            let mid = (self.edge)(edge, point);
            for end in ends {
                values[*end].value -= 0.5 * mid.value;
                for k in 0..3 {
                    values[*end].gradient[k] -= 0.5 * mid.gradient[k];
                }
            }
            values.push(mid);
        }
        values
    }

    /// Reference coordinates of a node: a corner, or the middle of its edge.
    pub(super) fn reference_position(&self, slot: usize) -> [f64; 3] {
        match self.corners.get(slot) {
            Some(corner) => *corner,
            None => {
                let [i, j] = self.edges[slot - self.corners.len()];
                std::array::from_fn(|k| 0.5 * (self.corners[i][k] + self.corners[j][k]))
            }
        }
    }

    /// Centroid of the reference shape.
    pub(super) fn centre(&self) -> [f64; 3] {
        let rule = (self.linear_rule)();
        let volume: f64 = rule.iter().map(|p| p.weight).sum();
        std::array::from_fn(|k| rule.iter().map(|p| p.weight * p.position[k]).sum::<f64>() / volume)
    }
}

/// The four families.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FamilyKind {
    /// CTETRA.
    Tetra,
    /// CHEXA.
    Hexa,
    /// CPENTA.
    Penta,
    /// CPYRAM.
    Pyramid,
}

/// Which mid-side nodes an element has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct MidNodes(pub(super) u16);

impl MidNodes {
    /// True for a linear element.
    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// True when the edge has one.
    pub(super) fn has(self, edge: usize) -> bool {
        self.0 & (1 << edge) != 0
    }

    /// All of them.
    pub(super) fn all(count: usize) -> Self {
        Self(((1u32 << count) - 1) as u16)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Kronecker delta, partition of unity, linear completeness and gradients of a family, with all, none and
    /// some of its mid-side nodes.
    pub(in crate::element::solid) fn check_shape(family: &Family, interior: &[[f64; 3]]) {
        let all = MidNodes::all(family.edges.len());
        for mids in [MidNodes(0), all, MidNodes(all.0 & 0b1011_0101_1010), MidNodes(1)] {
            let present: Vec<usize> = (0..family.corners.len())
                .chain((0..family.edges.len()).filter(|e| mids.has(*e)).map(|e| e + family.corners.len()))
                .collect();
            for at in &present {
                let values = family.shape(mids, family.reference_position(*at));
                for of in &present {
                    let wanted = f64::from(u8::from(at == of));
                    assert!((values[*of].value - wanted).abs() < 1e-14, "N_{of} at node {at}: {mids:?}");
                }
            }
            for point in interior {
                let values = family.shape(mids, *point);
                let sum: f64 = values.iter().map(|v| v.value).sum();
                assert!((sum - 1.0).abs() < 1e-14, "partition of unity: {sum}");
                for k in 0..3 {
                    let field: f64 =
                        present.iter().map(|p| values[*p].value * family.reference_position(*p)[k]).sum();
                    assert!((field - point[k]).abs() < 1e-14, "linear field {k}: {field} at {point:?}");
                    // Central differences: truncation h², rounding eps/h.
                    let h = 1e-5;
                    let step = |sign: f64| {
                        let mut moved = *point;
                        moved[k] += sign * h;
                        family.shape(mids, moved)
                    };
                    let (plus, minus) = (step(1.0), step(-1.0));
                    for slot in &present {
                        let difference = (plus[*slot].value - minus[*slot].value) / (2.0 * h);
                        let error = (difference - values[*slot].gradient[k]).abs();
                        assert!(error < 1e-8, "gradient of N_{slot} along {k}: off by {error:e}");
                    }
                }
            }
        }
    }

    /// Every face turns outward and every edge of every face is an edge of the family.
    pub(in crate::element::solid) fn check_faces(family: &Family) {
        let centre = family.centre();
        for face in family.faces {
            let p: Vec<nalgebra::Vector3<f64>> = face.iter().map(|c| family.corners[*c].into()).collect();
            let normal = (p[1] - p[0]).cross(&(p[2] - p[0]));
            assert!(normal.dot(&(p[0] - nalgebra::Vector3::from(centre))) > 0.0, "{face:?} turns inward");
            for (k, corner) in face.iter().enumerate() {
                let next = face[(k + 1) % face.len()];
                let is_edge = family.edges.iter().any(|e| *e == [*corner, next] || *e == [next, *corner]);
                assert!(is_edge, "{corner}-{next} is not an edge");
            }
        }
    }
}
