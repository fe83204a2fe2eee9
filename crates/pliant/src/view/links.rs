//! The links of a file as they are drawn: meshes of decks, beams, rigid bodies.

use std::path::PathBuf;
use std::sync::Arc;

use pliant_bulk::{Deck, read_cards_of};
use pliant_diag::{Diagnostic, Diagnostics, Severity, SourceMap};
use pliant_link::ReducedLink;
use pliant_mesh::LinkMesh;
use pliant_reduce::request::{DeckSegment, DeckSource, RigidSource};
use pliant_reduce::{
    LinkRequest, LinkSource, MeshedLink, NodalShapes, ReduceError, UndeformedLink, source, undeformed,
};
use pliant_report::{BarSection, Profile};
use pliant_store::Drawing;
use pliant_store::results::LinkShape;

use super::profiles;
use crate::link::overridden;

/// A link that is drawn.
pub(super) struct ViewedLink {
    pub(super) request: LinkRequest,
    /// A rigid body with its interfaces.
    pub(super) stand_in: Arc<ReducedLink>,
    /// Points in its frame, and cells over them.
    pub(super) shape: LinkShape,
    /// The points of its interfaces.
    pub(super) interfaces: Vec<u32>,
    pub(super) profiles: Vec<Profile>,
    pub(super) sections: Vec<BarSection>,
    /// Numbers of grids and elements of its mesh.
    pub(super) counts: Option<(usize, usize)>,
    /// The files of its deck.
    pub(super) sources: SourceMap,
    /// Problems with locations in `sources`.
    pub(super) deck: Diagnostics,
    /// Problems with locations in the pipeline file.
    pub(super) problems: Diagnostics,
}

impl ViewedLink {
    /// Reads what a link is made of.
    pub(super) fn of(request: &LinkRequest) -> Self {
        match &request.source {
            LinkSource::Rigid(rigid) => match source::rigid_link(&request.name, rigid) {
                Ok(link) => Self::rigid(request, link),
                Err(problem) => {
                    let mut link = Self::rigid(request, bare(request));
                    link.problems.push(*problem);
                    link
                }
            },
            LinkSource::Beam(beam) => match source::beam_mesh(beam) {
                Ok(meshed) => {
                    let mut link = Self::meshed(request, undeformed(request, meshed));
                    link.profiles = profiles::of_section(&beam.section.value).into_iter().collect();
                    link.sections.iter_mut().for_each(|bar| bar.profile = 0);
                    link
                }
                Err(problem) => {
                    let mut link = Self::rigid(request, bare(request));
                    link.problems.push(*problem);
                    link
                }
            },
            LinkSource::Deck { deck, segment } => Self::of_deck(request, deck, segment.as_ref()),
            LinkSource::Imported(imported) => Self::of_deck(request, &imported.deck, None),
        }
    }

    fn of_deck(request: &LinkRequest, deck: &DeckSource, segment: Option<&DeckSegment>) -> Self {
        let mut problems = Diagnostics::new();
        let read = overridden(read_cards_of(&deck.files), deck, request, &mut problems);
        let Deck { mesh, sources, .. } = read.output;
        let mut about_deck = read.diagnostics;
        let whole = |mesh: LinkMesh| MeshedLink { mesh, interfaces: request.interfaces.clone() };
        let meshed = match segment {
            None => whole(mesh),
            Some(_) => source::deck_segment(mesh.clone(), request, segment).unwrap_or_else(|error| {
                match error {
                    ReduceError::Input(wrong) => about_deck.extend(wrong),
                    ReduceError::Request(wrong) => problems.extend(wrong),
                    other => problems.push(Diagnostic::error(other.to_string()).at(request.origin.0)),
                }
                whole(mesh)
            }),
        };
        // A deck that cannot be read has no interfaces either, and that is no news.
        let unread = sources.files().next().is_none();
        let mut link = Self::meshed(request, undeformed(request, meshed));
        if unread {
            link.problems = Diagnostics::new();
            link.stand_in = Arc::new(bare(request));
        }
        for problem in about_deck {
            if problem.severity == Severity::Error && problem.span.is_none() {
                problems.push(Diagnostic {
                    message: format!("link `{}`: {}", request.name, problem.message),
                    span: request.origin.0,
                    ..problem
                });
            } else {
                link.deck.push(problem);
            }
        }
        problems.extend(std::mem::take(&mut link.problems));
        Self { sources, problems, ..link }
    }

    fn meshed(request: &LinkRequest, link: UndeformedLink) -> Self {
        let UndeformedLink { mesh, frame, shapes, interfaces, stand_in, problems } = link;
        let drawing = Drawing::of(&mesh, &shapes);
        let row = |node| shapes.nodes.binary_search(&node).ok().map(|row| row as u32);
        let interfaces = interfaces.iter().filter_map(|interface| row(interface.node)).collect();
        let (profiles, sections) = profiles::of_mesh(&mesh, &frame);
        let counts = Some((mesh.nodes.len(), mesh.elements().count()));
        Self {
            request: request.clone(),
            shape: LinkShape::new(&request.name, &stand_in, &shapes, &drawing),
            stand_in: Arc::new(stand_in),
            interfaces,
            profiles,
            sections,
            counts,
            sources: SourceMap::new(),
            deck: Diagnostics::new(),
            problems,
        }
    }

    fn rigid(request: &LinkRequest, link: ReducedLink) -> Self {
        let none = NodalShapes { nodes: Vec::new(), positions: Vec::new(), columns: Vec::new() };
        let shape = LinkShape::new(&request.name, &link, &none, &Drawing::default());
        Self {
            request: request.clone(),
            interfaces: (0..shape.positions.len() as u32).collect(),
            shape,
            stand_in: Arc::new(link),
            profiles: Vec::new(),
            sections: Vec::new(),
            counts: None,
            sources: SourceMap::new(),
            deck: Diagnostics::new(),
            problems: Diagnostics::new(),
        }
    }

    /// The files it is made of, those that cannot be read included.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        let (decks, matrices) = self.request.source.files();
        let read = self.sources.inputs().map(|(_, file)| file.path().to_owned());
        decks.into_iter().chain(matrices).chain(read).collect()
    }
}

/// A link of which nothing is known but the names of its interfaces: all of them on its frame.
fn bare(request: &LinkRequest) -> ReducedLink {
    let interfaces = request.outboard_names().into_iter().map(|name| (name.to_owned(), [0.0; 3])).collect();
    let (origin, centre, products) = (request.origin, [0.0; 3], [0.0; 3]);
    let body = RigidSource { origin, mass: 1.0, centre, inertia: [1.0; 3], products, interfaces };
    source::rigid_link(&request.name, &body).expect("invariant: 1 kg is the mass of a body")
}
