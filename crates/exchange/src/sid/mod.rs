//! Standard input data of flexible bodies (SID_FEM), as SIMPACK, Modelica and SIDtoFMU libraries exchange
//! them: small matrices, each a Taylor series in the elastic coordinates (O. Wallrapp, Standardization of
//! flexible body modeling in multibody system codes, Mech. Struct. Mach. 22, 1994).
//!
//! [`Sid`] keeps all that a file says in its order, so that what is written is what was read.

mod read;
mod write;

use std::path::Path;

use pliant_diag::{FileId, Span};

use crate::Translation;
use crate::draft::{Draft, Node};

/// A body.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Sid {
    /// What the first line says after the numbers of nodes and modes.
    pub title: String,
    /// Mass (kg).
    pub mass: f64,
    /// What each elastic coordinate is, such as `Eigen Mode    1 :        9.089 Hz`.
    pub modes: Vec<String>,
    /// Its nodes.
    pub nodes: Vec<SidNode>,
    /// The matrices of the body by name, in the order of the file.
    pub blocks: Vec<(String, Taylor)>,
}

/// A node with its matrices.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct SidNode {
    /// Its number.
    pub id: u32,
    /// The frame its matrices are given in: `body ref`.
    pub frame: String,
    /// `origin`, `phi`, `psi`, `AP` and others by name, in the order of the file.
    pub blocks: Vec<(String, Taylor)>,
    /// Where it is in its file.
    pub source: Option<Span>,
}

/// A matrix as a series in the elastic coordinates, `M0 + Σ q_k M1_k`.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Taylor {
    /// Highest order that is given.
    pub order: u32,
    /// Rows of the matrix.
    pub rows: u32,
    /// Columns of the matrix.
    pub columns: u32,
    /// Number of coordinates of the first order.
    pub q: u32,
    /// Number of coordinates of a higher order.
    pub qn: u32,
    /// 0 zero, 1 diagonal, 2 symmetric, 3 full, 4 the unit matrix.
    pub structure: u32,
    /// Row, column, value; indices from 1. What is not listed is zero.
    pub m0: Vec<([u32; 2], f64)>,
    /// Row, coordinate, column, value; indices from 1.
    pub m1: Vec<([u32; 3], f64)>,
}

/// Structures: one triangle of a symmetric matrix, all entries, the unit matrix.
const SYMMETRIC: u32 = 2;
const FULL: u32 = 3;
const UNIT: u32 = 4;

impl Taylor {
    /// A full matrix of its constant part and, where there is one, of its derivatives: `m1(row, k, column)`.
    pub fn new(
        [rows, columns]: [usize; 2],
        q: usize,
        m0: impl Fn(usize, usize) -> f64,
        m1: Option<&dyn Fn(usize, usize, usize) -> f64>,
    ) -> Self {
        let pairs = (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j)));
        let m0 = pairs.map(|(i, j)| ([i as u32 + 1, j as u32 + 1], m0(i, j)));
        let m0 = m0.filter(|(_, value)| *value != 0.0).collect();
        let triples = (0..columns).flat_map(|j| (0..rows).flat_map(move |i| (0..q).map(move |k| (i, k, j))));
        let m1 = triples.filter_map(|(i, k, j)| {
            let value = m1.map(|m1| m1(i, k, j))?;
            (value != 0.0).then_some(([i as u32 + 1, k as u32 + 1, j as u32 + 1], value))
        });
        let m1: Vec<_> = m1.collect();
        Self {
            order: u32::from(!m1.is_empty()),
            rows: rows as u32,
            columns: columns as u32,
            q: q as u32,
            qn: 0,
            structure: FULL,
            m0,
            m1,
        }
    }

    /// The constant part, row by row.
    pub fn constant(&self) -> Vec<f64> {
        let columns = self.columns as usize;
        let mut matrix = vec![0.0; self.rows as usize * columns];
        let mut put = |i: usize, j: usize, value: f64| {
            if let Some(entry) = matrix.get_mut(i * columns + j) {
                *entry = value;
            }
        };
        if self.structure == UNIT {
            (0..columns).for_each(|k| put(k, k, 1.0));
        }
        for ([i, j], value) in &self.m0 {
            let (i, j) = (*i as usize - 1, *j as usize - 1);
            put(i, j, *value);
            // Of a symmetric matrix one triangle is enough.
            if self.structure == SYMMETRIC {
                put(j, i, *value);
            }
        }
        matrix
    }

    /// The derivatives, one constant part after another.
    pub fn slopes(&self) -> Vec<f64> {
        let (rows, columns) = (self.rows as usize, self.columns as usize);
        let mut matrices = vec![0.0; self.q as usize * rows * columns];
        for ([i, k, j], value) in &self.m1 {
            let at = ((*k as usize - 1) * rows + *i as usize - 1) * columns + *j as usize - 1;
            if let Some(entry) = matrices.get_mut(at) {
                *entry = *value;
            }
        }
        matrices
    }
}

impl Sid {
    /// A matrix of the body.
    pub fn block(&self, name: &str) -> Option<&Taylor> {
        self.blocks.iter().find(|(known, _)| known == name).map(|(_, block)| block)
    }
}

impl SidNode {
    /// Where it is in the undeformed body (m); an origin that is left out is that of the body.
    pub fn position(&self) -> [f64; 3] {
        let origin = self.block("origin").filter(|origin| (origin.rows, origin.columns) == (3, 1));
        origin.map_or([0.0; 3], |origin| std::array::from_fn(|k| origin.constant()[k]))
    }

    /// A matrix of the node.
    pub fn block(&self, name: &str) -> Option<&Taylor> {
        self.blocks.iter().find(|(known, _)| known == name).map(|(_, block)| block)
    }
}

/// True for the beginning of a SID_FEM file: its second line is `part`, its third `new modal`.
pub(crate) fn begins(head: &[u8]) -> bool {
    let mut lines = head.split(|b| *b == b'\n').map(<[u8]>::trim_ascii).skip(1);
    let starts = |line: Option<&[u8]>, word: &[u8]| line.is_some_and(|line| line.starts_with(word));
    starts(lines.next(), b"part") && starts(lines.next(), b"new modal")
}

/// The nodes as GRIDs, in metres; its matrices are read by [`Sid::read`].
pub(crate) fn translate(path: &Path, bytes: Vec<u8>, file: FileId) -> Translation {
    let mut draft = Draft::default();
    match Sid::read(&bytes, file) {
        Ok(sid) => draft.nodes.extend(sid.nodes.iter().map(|node| Node {
            id: node.id,
            position: node.position(),
            at: node.source.unwrap_or_default(),
        })),
        Err(problem) => draft.report(*problem),
    }
    draft.finish(vec![(path.to_owned(), bytes)])
}
