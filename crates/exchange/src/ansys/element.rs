//! Elements by their type: shape, and the shapes that come out when nodes coincide.

use std::collections::BTreeMap;

use pliant_diag::{Diagnostic, Span};
use pliant_mesh::element::SolidShape;

use super::{Model, RawElement};
use crate::draft::Detail;
use crate::shape::{Order, Shape, bulk_slots};
use crate::sheet::{Field, fields};

/// What an element is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Solid,
    Shell,
    Beam,
    /// LINK180.
    Rod,
    /// MASS21.
    Mass,
    /// MPC184.
    Rigid,
    /// Without stiffness and mass: MESH200, SURF154.
    Nothing,
}

fn kind(element: u32) -> Result<Kind, &'static str> {
    Ok(match element {
        45 | 92 | 95 | 185 | 186 | 187 => Kind::Solid,
        63 | 93 | 181 | 281 => Kind::Shell,
        188 => Kind::Beam,
        180 => Kind::Rod,
        21 => Kind::Mass,
        184 => Kind::Rigid,
        154 | 200 => Kind::Nothing,
        169..=179 => {
            return Err(
                "contact is not translated: a link is linear; merge the nodes of parts that stay in contact",
            );
        }
        14 | 39 | 40 | 7 => return Err("put springs, dampers and joints into the pipeline file"),
        189 => return Err("bulk data has no line of three nodes: mesh it with BEAM188"),
        182 | 183 | 42 | 82 => return Err("a link is three-dimensional: plane elements cannot be used"),
        _ => return Err("it has no counterpart"),
    })
}

/// The shape of a solid or a shell whose nodes may coincide, and its nodes in the order of [`Order::Rings`]
/// (Element Reference, "Degenerated Shape Elements").
fn shape(kind: Kind, tetrahedron: bool, nodes: &[u32]) -> Option<(Shape, Vec<u32>)> {
    let n = |k: usize| nodes.get(k).copied().unwrap_or(0);
    let pick = |slots: &[usize]| slots.iter().map(|k| n(*k)).collect::<Vec<u32>>();
    let quadratic;
    let (shape, slots): (Shape, Vec<usize>) = match kind {
        Kind::Solid if tetrahedron => {
            quadratic = true;
            (Shape::Solid(SolidShape::Tetra10), (0..10).collect())
        }
        Kind::Solid => {
            quadratic = nodes.len() > 8;
            let top = n(4) == n(5) && n(5) == n(6) && n(6) == n(7);
            if n(2) == n(3) && top {
                (Shape::Solid(SolidShape::Tetra10), vec![0, 1, 2, 4, 8, 9, 11, 16, 17, 18])
            } else if top {
                (Shape::Solid(SolidShape::Pyramid13), vec![0, 1, 2, 3, 4, 8, 9, 10, 11, 16, 17, 18, 19])
            } else if n(2) == n(3) && n(6) == n(7) {
                let slots = vec![0, 1, 2, 4, 5, 6, 8, 9, 11, 12, 13, 15, 16, 17, 18];
                (Shape::Solid(SolidShape::Penta15), slots)
            } else {
                (Shape::Solid(SolidShape::Hexa20), (0..20).collect())
            }
        }
        Kind::Shell => {
            quadratic = nodes.len() > 4;
            if nodes.len() == 3 || n(2) == n(3) {
                (Shape::Tria6, vec![0, 1, 2, 4, 5, 7])
            } else {
                (Shape::Quad8, (0..8).collect())
            }
        }
        _ => return None,
    };
    let all = pick(&slots);
    let corners = shape.corner_count();
    // An element whose mid-side nodes are all left out is linear.
    let linear = !quadratic || all[corners..].iter().all(|node| *node == 0);
    let shape = if linear { shape.linear() } else { shape };
    let all = all[..shape.node_count()].to_vec();
    all[..corners].iter().all(|node| *node > 0).then_some((shape, all))
}

impl Model {
    pub(super) fn write_elements(&mut self) {
        let elements = std::mem::take(&mut self.elements);
        let mut refused: BTreeMap<u32, (usize, Span, &'static str)> = BTreeMap::new();
        let mut left_out: BTreeMap<u32, (usize, Span)> = BTreeMap::new();
        if self.types.values().any(|(number, _)| *number == 188) {
            self.positions = self.draft.nodes.iter().map(|node| (node.id, node.position)).collect();
        }
        let mut rigid = Vec::new();
        let mut properties: BTreeMap<(u32, u32, u32, u32, u32), Option<u32>> = BTreeMap::new();
        for element in &elements {
            let Some((number, _)) = self.types.get(&element.kind).copied() else {
                refused.entry(0).or_insert((0, element.at, "its type has no ET command")).0 += 1;
                continue;
            };
            let kind = match kind(number) {
                Ok(kind) => kind,
                Err(why) => {
                    refused.entry(number).or_insert((0, element.at, why)).0 += 1;
                    continue;
                }
            };
            match kind {
                Kind::Nothing => left_out.entry(number).or_insert((0, element.at)).0 += 1,
                Kind::Mass => self.mass(element),
                Kind::Rigid => match (self.key_options.get(&(element.kind, 1)), &element.nodes[..]) {
                    (Some(1), [a, b, ..]) => rigid.push((element.id, [*a, *b], element.at)),
                    _ => {
                        let why = "of MPC184 only the rigid beam, KEYOPT(1) = 1, is translated";
                        refused.entry(number).or_insert((0, element.at, why)).0 += 1;
                    }
                },
                _ => {
                    let key = (number, element.material, element.kind, element.real, element.section);
                    let property = match properties.get(&key) {
                        Some(property) => *property,
                        None => {
                            let id = properties.len() as u32 + 1;
                            let made = match self.property(id, kind, number, element) {
                                Ok(()) => Some(id),
                                Err(problem) => {
                                    self.draft.report(*problem);
                                    None
                                }
                            };
                            properties.insert(key, made);
                            made
                        }
                    };
                    // What is wrong with the property was reported; its elements would only repeat it.
                    if let Some(property) = property {
                        self.one_element(element, kind, number, property);
                    }
                }
            }
        }
        self.rigid_beams(&rigid);
        for (number, (count, at, why)) in refused {
            let message = match number {
                0 => format!("{count} elements cannot be used: {why}"),
                _ => format!("{count} elements of type {number} cannot be used: {why}"),
            };
            self.draft.error(at, message);
        }
        for (number, (count, at)) in left_out {
            let message =
                format!("{count} elements of type {number} have neither stiffness nor mass and are left out");
            self.draft.report(Diagnostic::note(message).at(at));
        }
        for (name, at, members) in std::mem::take(&mut self.element_components) {
            let members: std::collections::HashSet<u32> = members.into_iter().collect();
            let nodes = elements.iter().filter(|element| members.contains(&element.id));
            let nodes: Vec<u32> =
                nodes.flat_map(|e| e.nodes.iter().copied()).filter(|node| *node > 0).collect();
            self.draft.add_to_set(&name, at, nodes);
        }
    }

    fn one_element(&mut self, element: &RawElement, kind: Kind, number: u32, property: u32) {
        let (shape, nodes) = match kind {
            Kind::Beam | Kind::Rod => (Shape::Line2, element.nodes.get(..2).unwrap_or_default().to_vec()),
            _ => {
                let tetrahedron = matches!(number, 92 | 187);
                match shape(kind, tetrahedron, &element.nodes) {
                    Some(found) => found,
                    None => return self.draft.error(element.at, "the element has too few nodes"),
                }
            }
        };
        if nodes.len() != shape.node_count() {
            return self.draft.error(element.at, "the element has too few nodes");
        }
        let mut ordered = nodes.clone();
        for (node, slot) in nodes.iter().zip(bulk_slots(shape, Order::Rings)) {
            ordered[slot] = *node;
        }
        let detail = match kind {
            Kind::Rod => Detail::Rod,
            Kind::Beam => self.beam_direction(element).map_or(Detail::None, Detail::Towards),
            Kind::Shell => self.shell_offset(element).map_or(Detail::None, Detail::Offset),
            _ => Detail::None,
        };
        self.draft.element(element.id, shape, ordered, property, element.at);
        if let Some(last) = self.draft.elements.last_mut() {
            last.detail = detail;
        }
    }

    fn position(&self, node: u32) -> Option<nalgebra::Vector3<f64>> {
        self.positions.get(&node).map(|position| (*position).into())
    }

    /// y of a beam. With an orientation node K, z lies in the plane of I, J and K on the side of K, so that y
    /// is (K − I) × x; without one, y is parallel to the global x–y plane, or to Y where the beam runs along
    /// Z within a slope of 0.0001 (Element Reference, BEAM188).
    fn beam_direction(&self, element: &RawElement) -> Option<[f64; 3]> {
        let (i, j) = (self.position(*element.nodes.first()?)?, self.position(*element.nodes.get(1)?)?);
        let x = j - i;
        let y = match element.nodes.get(2).filter(|node| **node > 0) {
            Some(node) => (self.position(*node)? - i).cross(&x),
            None if x.x.hypot(x.y) <= 1e-4 * x.z.abs() => nalgebra::Vector3::y(),
            None => nalgebra::Vector3::z().cross(&x),
        };
        Some(y.into())
    }

    /// MASS21: with KEYOPT(3) = 0 masses and inertias about three axes, with 2 one mass.
    fn mass(&mut self, element: &RawElement) {
        let option = self.key_options.get(&(element.kind, 3)).copied().unwrap_or(0);
        let values = self.reals.get(&element.real).cloned().unwrap_or_default();
        let of = |k: usize| values.get(k).copied().unwrap_or(0.0);
        let Some(node) = element.nodes.first().copied().filter(|_| !values.is_empty()) else {
            return self.draft.error(element.at, "a mass has no real constants");
        };
        match option {
            2 => self.card(element.at, "CONM2", fields![element.id, node, Field::Blank, of(0)].to_vec()),
            0 if of(0) == of(1) && of(0) == of(2) => {
                let mut row = fields![element.id, node, Field::Blank, of(0)].to_vec();
                row.resize(8, Field::Blank);
                row.extend([of(3), 0.0, of(4), 0.0, 0.0, of(5)].map(Field::Real));
                self.card(element.at, "CONM2", row);
            }
            0 => self.draft.error(element.at, "a mass that differs between directions is not translated"),
            _ => self.draft.error(element.at, "a plane mass is not translated"),
        }
    }
}
