//! What the forces of closures reach: the columns of `L⁻¹Gᵀ`, body by body, and the order in which closures
//! are eliminated.
//!
//! With the factor `S = L Lᵀ` of the tree's Newton matrix a unit of one multiplier leaves entries at the
//! bodies from its frames to the ground alone. Compliances are products of such columns, `G S⁻¹Gᵀ = (L⁻¹Gᵀ)ᵀ
//! L⁻¹Gᵀ`, so that two closures are coupled when they reach a common body that has coordinates.

use std::collections::BTreeSet;
use std::ops::Range;

use pliant_link::dot;
use pliant_mechanism::{BodyIndex, FrameRef, JointRef, LoopIndex, Model};

use crate::closures::blocks::BlockLu;
use crate::kinematics::workspace::BodyWork;

/// A closure: a loop joint, constraint, coupling, force element or grip.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) rows: Range<usize>,
    /// Bodies that it reaches, tips first.
    pub(crate) path: Vec<ReachedBody>,
}

/// A body that a block reaches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReachedBody {
    pub(crate) body: BodyIndex,
    /// Column of the block's first row among the columns of the body.
    pub(crate) first_column: usize,
}

/// A block that reaches a body.
#[derive(Clone, Copy, Debug)]
struct ReachingBlock {
    block: usize,
    /// Column of its first row among the columns of the body.
    first_column: usize,
}

/// Columns of `L⁻¹Gᵀ` at one body: its elastic coordinates, and its hinge.
#[derive(Clone, Debug)]
struct BodyColumns {
    /// Blocks that reach it, in order.
    blocks: Vec<ReachingBlock>,
    y: Vec<f64>,
    u: Vec<f64>,
}

/// Closures in the order of elimination, with what they reach.
#[derive(Clone, Debug)]
pub(crate) struct Reach {
    pub(crate) blocks: Vec<Block>,
    bodies: Vec<BodyColumns>,
}

/// A closure before its turn is known.
struct Closure {
    rows: Range<usize>,
    unknowns: usize,
    bodies: BTreeSet<BodyIndex>,
    /// Loop joints on whose coordinates it acts: their turn comes before. Among the closures they are the
    /// first, in their order.
    after: Vec<LoopIndex>,
}

impl Reach {
    /// Finds the structure, and makes room for the factor. `frames` are those of each row, `loop_unknowns`
    /// the number of unknown coordinates of each loop joint, `grips` the first row and the body of each grip.
    pub(crate) fn new(
        model: &Model,
        frames: &[(FrameRef, FrameRef)],
        loop_unknowns: &[usize],
        grips: &[(Range<usize>, BodyIndex)],
    ) -> (Self, BlockLu) {
        let closures = closures(model, frames, loop_unknowns, grips);
        let mut coupled: Vec<BTreeSet<usize>> =
            closures.iter().map(|closure| closure.after.iter().map(|joint| joint.0).collect()).collect();
        for (body, own) in model.indexed_bodies() {
            let moves = own.elastic_velocities().end > own.hinge_velocities().start;
            let there = Vec::from_iter((0..closures.len()).filter(|c| closures[*c].bodies.contains(&body)));
            for &c in there.iter().filter(|_| moves) {
                coupled[c].extend(&there);
            }
        }
        let order = elimination_order(coupled.clone(), &closures);
        let mut turn = vec![0; order.len()];
        for (k, c) in order.iter().enumerate() {
            turn[*c] = k;
        }
        let mut bodies: Vec<BodyColumns> = Vec::new();
        let mut columns = vec![0; model.bodies().len()];
        let blocks = Vec::from_iter(order.iter().map(|c| {
            let closure = &closures[*c];
            let path = closure.bodies.iter().rev().map(|&body| {
                let first_column = columns[body];
                columns[body] += closure.rows.len();
                ReachedBody { body, first_column }
            });
            Block { rows: closure.rows.clone(), path: path.collect() }
        }));
        for ((b, body), count) in model.indexed_bodies().zip(&columns) {
            let reaching = |(block, of): (usize, &Block)| {
                let there = of.path.iter().find(|reached| reached.body == b)?;
                Some(ReachingBlock { block, first_column: there.first_column })
            };
            bodies.push(BodyColumns {
                blocks: blocks.iter().enumerate().filter_map(reaching).collect(),
                y: vec![0.0; count * body.link.coordinate_count()],
                u: vec![0.0; count * body.hinge.velocity_count()],
            });
        }
        let sizes = Vec::from_iter(order.iter().map(|c| closures[*c].rows.len() + closures[*c].unknowns));
        let pattern = order.iter().map(|c| coupled[*c].iter().map(|other| turn[*other]).collect());
        let lu = BlockLu::new(&sizes, &Vec::from_iter(pattern));
        (Self { blocks, bodies }, lu)
    }

    /// Keeps what the body's half of a solve has left as its column `column`.
    pub(crate) fn keep(&mut self, body: BodyIndex, column: usize, w: &BodyWork) {
        let (n, m) = (w.y.len(), w.free.len());
        self.bodies[body].y[column * n..(column + 1) * n].copy_from_slice(&w.y);
        self.bodies[body].u[column * m..(column + 1) * m].copy_from_slice(&w.u[..m]);
    }

    /// Writes all compliances `G S⁻¹Gᵀ` into the matrix, whose blocks have their rows first.
    pub(crate) fn write_compliances(&self, bodies: &[BodyWork], lu: &mut BlockLu) {
        lu.clear();
        for (columns, w) in self.bodies.iter().zip(bodies) {
            let (n, m) = (w.y.len(), w.free.len());
            if n + m == 0 {
                continue;
            }
            for (k, &ReachingBlock { block: b, first_column: first }) in columns.blocks.iter().enumerate() {
                for &ReachingBlock { block: c, first_column: other } in &columns.blocks[..=k] {
                    let (rows, others) = (self.blocks[b].rows.len(), self.blocks[c].rows.len());
                    let mut products = [[0.0; 6]; 6];
                    for (j, products) in products[..others].iter_mut().enumerate() {
                        let (y, u) = columns.column(other + j, n, m);
                        for (i, product) in products[..rows].iter_mut().enumerate() {
                            let (own_y, own_u) = columns.column(first + i, n, m);
                            *product = dot(own_y, y) + dot(own_u, u);
                        }
                    }
                    let (size, part) = lu.part(b, c);
                    for (j, products) in products[..others].iter().enumerate() {
                        for (entry, product) in part[j * size..].iter_mut().zip(&products[..rows]) {
                            *entry += product;
                        }
                    }
                    if b != c {
                        let (size, part) = lu.part(c, b);
                        for (j, products) in products[..others].iter().enumerate() {
                            for (i, product) in products[..rows].iter().enumerate() {
                                part[i * size + j] += product;
                            }
                        }
                    }
                }
            }
        }
    }

    /// Calls `answer` with each row and how the tree answers there, as far as each body adds to it, to the
    /// half solve under way.
    pub(crate) fn for_each_answer(&self, bodies: &[BodyWork], mut answer: impl FnMut(usize, f64)) {
        for (columns, w) in self.bodies.iter().zip(bodies) {
            let (n, m) = (w.y.len(), w.free.len());
            for &ReachingBlock { block, first_column } in &columns.blocks {
                for (i, row) in self.blocks[block].rows.clone().enumerate() {
                    let (y, u) = columns.column(first_column + i, n, m);
                    answer(row, dot(y, &w.y) + dot(u, &w.u[..m]));
                }
            }
        }
    }

    /// Adds columns times `multiplier` of their rows to the half solve.
    pub(crate) fn spread(&self, multiplier: impl Fn(usize) -> f64, bodies: &mut [BodyWork]) {
        for (columns, w) in self.bodies.iter().zip(bodies) {
            let (n, m) = (w.y.len(), w.free.len());
            for &ReachingBlock { block, first_column } in &columns.blocks {
                for (i, row) in self.blocks[block].rows.clone().enumerate() {
                    let ((y, u), x) = (columns.column(first_column + i, n, m), multiplier(row));
                    for (sum, y) in w.y.iter_mut().chain(&mut w.u[..m]).zip(y.iter().chain(u)) {
                        *sum += y * x;
                    }
                }
            }
        }
    }
}

impl BodyColumns {
    fn column(&self, k: usize, n: usize, m: usize) -> (&[f64], &[f64]) {
        (&self.y[k * n..(k + 1) * n], &self.u[k * m..(k + 1) * m])
    }
}

/// All closures in the order of their rows.
fn closures(
    model: &Model,
    frames: &[(FrameRef, FrameRef)],
    loop_unknowns: &[usize],
    grips: &[(Range<usize>, BodyIndex)],
) -> Vec<Closure> {
    let all = model.closures();
    let mut out = Vec::new();
    let mut next = 0;
    let mut push = |count: usize, unknowns: usize, bodies: &[BodyIndex], after: Vec<LoopIndex>| {
        let rows = next..next + count;
        next = rows.end;
        let ends = rows.clone().flat_map(|row| [frames[row].0, frames[row].1]);
        let ends = ends.filter_map(|frame| match frame {
            FrameRef::Ground => None,
            FrameRef::Link(body) => Some(body),
            FrameRef::Interface(at) => Some(at.body),
        });
        let mut reached = BTreeSet::new();
        for end in ends.chain(bodies.iter().copied()) {
            let mut body = Some(end);
            while let Some(b) = body.filter(|b| reached.insert(*b)) {
                body = model.bodies()[b].parent.map(|parent| parent.body);
            }
        }
        out.push(Closure { rows, unknowns, bodies: reached, after });
    };
    for unknowns in loop_unknowns {
        push(6, *unknowns, &[], Vec::new());
    }
    for pair in &all.constraints {
        push(pair.kind.row_count(), 0, &[], Vec::new());
    }
    for coupling in &all.couplings {
        let (mut bodies, mut after) = (Vec::new(), Vec::new());
        for (coordinate, _) in &coupling.terms {
            match coordinate.joint {
                JointRef::Carrying(body) => bodies.push(body),
                JointRef::Closing(joint) => after.push(joint),
            }
        }
        push(1, 0, &bodies, after);
    }
    for force in &all.forces {
        push(force.kind.row_count(), 0, &[], Vec::new());
    }
    for (rows, body) in grips {
        push(rows.len(), 0, &[*body], Vec::new());
    }
    out
}

/// The closure with the fewest couplings is next, as long as those it must wait for have had their turn.
fn elimination_order(mut coupled: Vec<BTreeSet<usize>>, closures: &[Closure]) -> Vec<usize> {
    for c in 0..coupled.len() {
        for other in coupled[c].clone() {
            coupled[other].insert(c);
        }
        coupled[c].insert(c);
    }
    let mut left = BTreeSet::from_iter(0..coupled.len());
    let mut order = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let may = |c: &&usize| closures[**c].after.iter().all(|joint| !left.contains(&joint.0));
        let next = left.iter().filter(may).min_by_key(|c| coupled[**c].len());
        let next = *next.expect("invariant: loop joints wait for nothing");
        left.remove(&next);
        order.push(next);
        let neighbours = std::mem::take(&mut coupled[next]);
        for c in neighbours.iter().filter(|c| left.contains(c)) {
            coupled[*c].extend(neighbours.iter().filter(|d| left.contains(d)));
            coupled[*c].remove(&next);
        }
    }
    order
}
