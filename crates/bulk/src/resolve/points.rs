//! Grids and scalar points: from rows as they were read to nodes in the basic frame, ascending by number.

use nalgebra::Vector3;
use pliant_diag::{Diagnostic, Diagnostics, Span};
use pliant_mesh::{Components, CoordIndex, GridId, Node, NodeKind};

use super::Builder;
use super::table::IdTable;
use crate::cards::Class;

/// GRDSET: what a GRID takes where its own field is blank.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct GridDefaults {
    pub(crate) position_frame: u32,
    pub(crate) displacement_frame: u32,
    pub(crate) permanent_spc: Components,
}

/// A GRID or SPOINT as given.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewGrid {
    pub(crate) id: u32,
    pub(crate) kind: NodeKind,
    pub(crate) coordinates: [f64; 3],
    pub(crate) position_frame: u32,
    pub(crate) displacement_frame: u32,
    pub(crate) permanent_spc: Components,
    pub(crate) span: Span,
}

impl NewGrid {
    /// A scalar point.
    pub(crate) fn scalar(id: u32, span: Span) -> Self {
        Self {
            id,
            kind: NodeKind::Scalar,
            coordinates: [0.0; 3],
            position_frame: 0,
            displacement_frame: 0,
            permanent_spc: Components::NONE,
            span,
        }
    }
}

/// A [`NewGrid`] with the part of the deck it stands in.
pub(super) struct GridRow {
    pub(super) grid: NewGrid,
    part: u16,
}

impl Builder {
    /// Takes a grid or scalar point in.
    #[inline]
    pub(crate) fn add_grid(&mut self, grid: NewGrid) {
        self.grids.push(GridRow { grid, part: self.part as u16 });
    }

    /// Takes a scalar point in that an element names; it counts where no card gives it.
    pub(crate) fn add_implicit_point(&mut self, id: u32, span: Span) {
        self.implicit_points.push((id, span, self.part as u16));
    }

    /// Scalar points that only elements name, in the order of numbers.
    fn take_implicit_points(&mut self, diagnostics: &mut Diagnostics) {
        let mut implicit = std::mem::take(&mut self.implicit_points);
        implicit.sort_by_key(|(id, span, _)| (*id, span.file, span.start));
        implicit.dedup_by_key(|(id, ..)| *id);
        implicit.retain(|(id, ..)| self.grids.binary_search_by_key(id, |row| row.grid.id).is_err());
        let Some((first, span, _)) = implicit.first().copied() else { return };
        let message = match implicit.len() {
            1 => format!("{first} is a scalar point by the element that names it; no SPOINT gives it"),
            count => format!(
                "{count} scalar points ({first}, …) are given by the elements that name them, not by SPOINT"
            ),
        };
        diagnostics.push(Diagnostic::note(message).at(span));
        for (id, span, part) in implicit {
            let grid = NewGrid::scalar(id, span);
            self.grids.push(GridRow { grid, part });
        }
        self.grids.sort_by_key(|row| row.grid.id);
    }

    /// Makes room for grids that are about to come.
    pub(crate) fn reserve_grids(&mut self, count: usize) {
        self.grids.reserve_exact(count);
    }

    /// All grids and coordinate systems are read: resolves the systems, moves the grids to the basic frame
    /// and sorts them.
    pub(super) fn finish_points(&mut self, diagnostics: &mut Diagnostics) {
        if !self.grids.is_sorted_by_key(|row| row.grid.id) {
            self.grids.sort_by_key(|row| row.grid.id);
        }
        self.drop_duplicate_grids(diagnostics);
        self.take_implicit_points(diagnostics);
        self.nodes = IdTable::new(self.grids.iter().map(|row| row.grid.id));
        self.resolve_coordinates(diagnostics);
        let grids = std::mem::take(&mut self.grids);
        let mut nodes = Vec::with_capacity(grids.len());
        for GridRow { grid, .. } in &grids {
            let position = match grid.position_frame {
                0 => Vector3::from(grid.coordinates),
                frame => match self.grid_frame(grid, frame, "CP", 3, diagnostics) {
                    Some(frame) => {
                        self.mesh.coordinates[frame.index()].point_to_basic(grid.coordinates.into())
                    }
                    None => Vector3::zeros(),
                },
            };
            let displacement_frame = match grid.displacement_frame {
                0 => CoordIndex::BASIC,
                frame => self.grid_frame(grid, frame, "CD", 7, diagnostics).unwrap_or(CoordIndex::BASIC),
            };
            nodes.push(Node {
                id: GridId(grid.id),
                kind: grid.kind,
                position,
                displacement_frame,
                permanent_spc: grid.permanent_spc,
                source: grid.span.into(),
            });
        }
        let parts = grids.iter().map(|row| row.part).collect();
        self.join_superelements(&mut nodes, parts, diagnostics);
        self.has_scalar_points = nodes.iter().any(|node| node.kind == NodeKind::Scalar);
        self.mesh.nodes = nodes;
    }

    fn grid_frame(
        &self,
        grid: &NewGrid,
        frame: u32,
        name: &str,
        field: u32,
        diagnostics: &mut Diagnostics,
    ) -> Option<CoordIndex> {
        let found = self.coordinates.get(&frame).copied();
        if found.is_none() && !self.broken.contains(&(Class::Coordinate, frame)) {
            diagnostics.push(
                Diagnostic::error(format!("coordinate system {frame} does not exist"))
                    .at(grid.span)
                    .card(format!("GRID {}", grid.id))
                    .field(field, name),
            );
        }
        found
    }

    /// Keeps one of each number. In one part of the deck, identical twins are a note and different ones an
    /// error; between parts (superelements) a grid given again at the same position is the same grid.
    fn drop_duplicate_grids(&mut self, diagnostics: &mut Diagnostics) {
        let superelements = &mut self.superelements;
        self.grids.dedup_by(|next, kept| {
            if next.grid.id != kept.grid.id {
                return false;
            }
            let (a, b) = (&next.grid, &kept.grid);
            let same_position = a.coordinates == b.coordinates
                && a.position_frame == b.position_frame
                && a.displacement_frame == b.displacement_frame
                && a.kind == b.kind;
            let card = match a.kind {
                NodeKind::Grid => format!("GRID {}", a.id),
                NodeKind::Scalar => format!("SPOINT {}", a.id),
            };
            let related =
                |problem: Diagnostic| problem.at(a.span).card(&card).related(b.span, "first given here");
            if same_position && next.part != kept.part && superelements.shares(a.id, [kept.part, next.part]) {
                superelements.repeated.push((a.id, next.part));
                kept.grid.permanent_spc = a.permanent_spc.union(b.permanent_spc);
            } else if same_position && next.part != kept.part {
                diagnostics.push(related(
                    Diagnostic::error(
                        "given in two superelements that SEBULK joins by hand, and no SECONCT names it",
                    )
                    .hint("name it in a SECONCT, or let SEBULK say AUTO"),
                ));
            } else if next.part != kept.part {
                diagnostics.push(related(
                    Diagnostic::error(
                        "this number is already taken in another superelement, with other content",
                    )
                    .hint("all parts of the deck become one link here: number them apart"),
                ));
            } else if same_position && a.permanent_spc == b.permanent_spc {
                if a.kind == NodeKind::Grid {
                    diagnostics.push(related(Diagnostic::note("given twice, with the same content")));
                }
            } else {
                diagnostics.push(related(
                    Diagnostic::error("this number is already taken, with other content")
                        .hint("give one of the two another number or delete it"),
                ));
            }
            true
        });
    }

    /// Where a grid is, before the nodes exist: its coordinates and the number of their system.
    pub(super) fn given_position(&self, id: u32) -> Option<(u32, Vector3<f64>)> {
        let row = self.nodes.get(id)?;
        let grid = &self.grids[row as usize].grid;
        (grid.kind == NodeKind::Grid).then(|| (grid.position_frame, grid.coordinates.into()))
    }
}
