//! Mass and moments of many solids at once, without building them.
//!
//! The consistent mass is M = ρ∫NᵀN dV along x, y and z alike. With Σ N_i = 1 and Σ N_i x_i = x a rigid
//! motion of the nodes is that of every point between them, so that RᵀMR holds no more than ten numbers,
//!
//! m = ρ∫dV,   s = ρ∫x dV,   S = ρ∫x xᵀ dV,
//!
//! which the points of M's own rule sum to the same value as M itself would give, but for rounding. Four
//! elements of a shape are integrated side by side, each in its own lane.

use std::ops::Range;

use nalgebra::{Matrix3, Matrix6, Vector3};
use pliant_mesh::element::{ElementRef, Solid, SolidShape};
use pliant_mesh::property::PropertyKind;
use pliant_mesh::{LinkMesh, PropertyIndex};
use pliant_simd::{Kernel, with_wide_registers};

use super::elasticity::solid_material;
use super::family::MidNodes;
use super::lanes::{LANES, Lanes};
use super::table::{MAX_NODES, Purpose, TablePoint, table};
use super::{family_of, node_slots, slot_count, validity};

/// m, s and S = [xx yy zz xy yz zx] about the origin of the basic frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Moments([f64; 10]);

impl Moments {
    /// RᵀMR: [m 1, −[s]×; [s]×, tr(S) 1 − S].
    fn rigid(&self) -> Matrix6<f64> {
        let [m, x, y, z, xx, yy, zz, xy, yz, zx] = self.0;
        let cross = Vector3::new(x, y, z).cross_matrix();
        let inertia = Matrix3::new(yy + zz, -xy, -zx, -xy, zz + xx, -yz, -zx, -yz, xx + yy);
        let mut rigid = Matrix6::zeros();
        rigid.fixed_view_mut::<3, 3>(0, 0).copy_from(&(Matrix3::identity() * m));
        rigid.fixed_view_mut::<3, 3>(0, 3).copy_from(&-cross);
        rigid.fixed_view_mut::<3, 3>(3, 0).copy_from(&cross);
        rigid.fixed_view_mut::<3, 3>(3, 3).copy_from(&inertia);
        rigid
    }
}

/// The solids of a property and card.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SolidShare {
    /// The property.
    pub(crate) property: PropertyIndex,
    /// The card.
    pub(crate) card: &'static str,
    /// How many there are.
    pub(crate) count: usize,
    /// Sum of their RᵀMR about the origin of the basic frame, without WTMASS.
    pub(crate) rigid: Matrix6<f64>,
}

/// Mass of a run of solids by property and card, and the rows of those that must be built to know what is
/// wrong with them.
pub(crate) fn solid_masses(mesh: &LinkMesh, rows: Range<usize>) -> (Vec<SolidShare>, Vec<usize>) {
    let mut run = Run { mesh, shares: Vec::new(), doubtful: Vec::new(), law: None, batch: Batch::default() };
    for row in rows {
        run.take(row);
    }
    run.flush();
    let shares = run.shares.into_iter().map(|(property, card, count, moments)| SolidShare {
        property,
        card,
        count,
        rigid: moments.rigid(),
    });
    (shares.collect(), run.doubtful)
}

struct Run<'a> {
    mesh: &'a LinkMesh,
    shares: Vec<(PropertyIndex, &'static str, usize, Moments)>,
    doubtful: Vec<usize>,
    /// The property met last, with its density; `None` for one that a solid cannot use.
    law: Option<(PropertyIndex, Option<f64>)>,
    batch: Batch,
}

/// Elements that are integrated together: of one shape, with the same mid-side nodes.
#[derive(Default)]
struct Batch {
    kind: Option<(SolidShape, MidNodes)>,
    count: usize,
    rows: [usize; LANES],
    density: Lanes,
    x: [[Lanes; 3]; MAX_NODES],
}

impl Run<'_> {
    fn take(&mut self, row: usize) {
        let mesh = self.mesh;
        let solid = &mesh.solids[row];
        let family = family_of(solid.shape);
        let (nodes, mids) = node_slots(mesh.nodes_of_solid(solid), family);
        let nodes = &nodes[..slot_count(family, mids)];
        let density = self.density(row).filter(|_| validity::repeated(nodes).is_none());
        let Some(density) = density else { return self.doubtful.push(row) };
        if self.batch.kind != Some((solid.shape, mids)) || self.batch.count == LANES {
            self.flush();
            self.batch.kind = Some((solid.shape, mids));
        }
        let lane = self.batch.count;
        self.batch.rows[lane] = row;
        self.batch.density[lane] = density;
        for (x, node) in self.batch.x.iter_mut().zip(nodes) {
            let position = if node.is_some() { mesh.node(*node).position } else { Vector3::zeros() };
            (0..3).for_each(|k| x[k][lane] = position[k]);
        }
        self.batch.count += 1;
    }

    /// Density of a solid whose material can be used.
    fn density(&mut self, row: usize) -> Option<f64> {
        let (mesh, property) = (self.mesh, self.mesh.solids[row].property);
        if let Some((_, density)) = self.law.filter(|(known, _)| *known == property) {
            return density;
        }
        let density = match &mesh.properties[property.index()].kind {
            PropertyKind::Solid(material, _) => {
                let material = &mesh.materials[material.index()];
                // The law is good or bad in any axes.
                solid_material(mesh, ElementRef::Solid(row as u32), material, Matrix3::identity).ok()
            }
            _ => None,
        };
        let density = density.map(|material| material.density);
        self.law = Some((property, density));
        density
    }

    /// Integrates what has been collected.
    fn flush(&mut self) {
        let count = std::mem::take(&mut self.batch.count);
        let Some((shape, mids)) = self.batch.kind.filter(|_| count > 0) else { return };
        let family = family_of(shape);
        let (mass, stiffness) = (table(family, mids, Purpose::Mass), table(family, mids, Purpose::Stiffness));
        let mut sums = Sums::default();
        with_wide_registers(Integration {
            mass: &mass.points,
            stiffness: &stiffness.points,
            edges: family.edges,
            x: &self.batch.x[..slot_count(family, mids)],
            sums: &mut sums,
        });
        for lane in 0..count {
            let row = self.batch.rows[lane];
            if sums.smallest[lane] <= validity::limit(sums.longest[lane].sqrt()) {
                self.doubtful.push(row);
                continue;
            }
            let density = self.batch.density[lane];
            let (_, _, count, moments) = self.share(&self.mesh.solids[row]);
            *count += 1;
            for (sum, own) in moments.0.iter_mut().zip(&sums.moments) {
                *sum += density * own[lane];
            }
        }
    }

    fn share(&mut self, solid: &Solid) -> &mut (PropertyIndex, &'static str, usize, Moments) {
        let (property, card) = (solid.property, solid.shape.card());
        let known = self.shares.iter().rposition(|share| (share.0, share.1) == (property, card));
        let index = known.unwrap_or_else(|| {
            self.shares.push((property, card, 0, Moments::default()));
            self.shares.len() - 1
        });
        &mut self.shares[index]
    }
}

/// What is integrated, by lane.
#[derive(Default)]
struct Sums {
    /// Volume and its moments, in the order of [`Moments`].
    moments: [Lanes; 10],
    /// Smallest Jacobian at the points of K.
    smallest: Lanes,
    /// Square of the longest edge.
    longest: Lanes,
}

struct Integration<'a> {
    mass: &'a [TablePoint],
    stiffness: &'a [TablePoint],
    edges: &'a [[usize; 2]],
    x: &'a [[Lanes; 3]],
    sums: &'a mut Sums,
}

impl Kernel for Integration<'_> {
    #[inline(always)]
    fn run(self) {
        let mut moments = [[0.0; LANES]; 10];
        for point in self.mass {
            let mut at = [[0.0; LANES]; 3];
            for (x, value) in self.x.iter().zip(&point.value) {
                add_scaled(&mut at, *value, x);
            }
            let jacobian = determinants(point, self.x);
            for s in 0..LANES {
                let volume = point.weight * jacobian[s];
                let [x, y, z] = [at[0][s], at[1][s], at[2][s]];
                let [vx, vy, vz] = [volume * x, volume * y, volume * z];
                let terms = [volume, vx, vy, vz, vx * x, vy * y, vz * z, vx * y, vy * z, vz * x];
                for (sum, term) in moments.iter_mut().zip(terms) {
                    sum[s] += term;
                }
            }
        }
        let (mut smallest, mut longest) = ([f64::INFINITY; LANES], [0.0_f64; LANES]);
        for point in self.stiffness {
            let jacobian = determinants(point, self.x);
            for s in 0..LANES {
                smallest[s] = if jacobian[s] < smallest[s] { jacobian[s] } else { smallest[s] };
            }
        }
        for [i, j] in self.edges {
            let (a, b) = (&self.x[*i], &self.x[*j]);
            for s in 0..LANES {
                let [x, y, z] = [b[0][s] - a[0][s], b[1][s] - a[1][s], b[2][s] - a[2][s]];
                let square = x * x + y * y + z * z;
                longest[s] = if square > longest[s] { square } else { longest[s] };
            }
        }
        *self.sums = Sums { moments, smallest, longest };
    }
}

#[inline(always)]
fn add_scaled(sum: &mut [Lanes; 3], factor: f64, x: &[Lanes; 3]) {
    for (sum, x) in sum.iter_mut().zip(x) {
        for s in 0..LANES {
            sum[s] += factor * x[s];
        }
    }
}

/// det J at a point, by lane.
#[inline(always)]
fn determinants(point: &TablePoint, x: &[[Lanes; 3]]) -> Lanes {
    let [mut a, mut b, mut c] = [[[0.0; LANES]; 3]; 3];
    for (i, x) in x.iter().enumerate() {
        add_scaled(&mut a, point.gradient[0][i], x);
        add_scaled(&mut b, point.gradient[1][i], x);
        add_scaled(&mut c, point.gradient[2][i], x);
    }
    let mut determinant = [0.0; LANES];
    for s in 0..LANES {
        determinant[s] = a[0][s] * (b[1][s] * c[2][s] - b[2][s] * c[1][s])
            - a[1][s] * (b[0][s] * c[2][s] - b[2][s] * c[0][s])
            + a[2][s] * (b[0][s] * c[1][s] - b[1][s] * c[0][s]);
    }
    determinant
}
