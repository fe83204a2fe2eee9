//! From a request to a reduced link, from the cache where it can be.

mod key;
mod step;

use std::borrow::Cow;
use std::path::PathBuf;
use std::time::Instant;

use pliant_bulk::{CardFile, Deck, read_cards_of};
use pliant_diag::{Diagnostic, Diagnostics, LARGEST_INPUT, Severity, SourceMap, Warned, read_input};
use pliant_link::ReducedLink;
use pliant_mesh::LinkMesh;
use pliant_reduce::import::{reduce_imported, reduce_sid};
use pliant_reduce::recovery::{Recovered, RecoveryRequest, link_recovery};
use pliant_reduce::request::{DeckSource, Matrices, RigidSource};
use pliant_reduce::{
    FailedCheck, Health, LinkRequest, LinkSource, Need, NodalShapes, ReduceError, Reduction,
    reduce_mesh_announced, source,
};
use pliant_store::{Cache, CacheError, Drawing, Key, StoredLink};

use key::link_key;
use step::Step;

/// A reduced link with what its report, its drawing and its recovery need.
#[derive(Debug)]
pub struct CachedLink {
    /// What the dynamics need.
    pub link: ReducedLink,
    /// The shapes of its coordinates at every grid; none for a rigid link.
    pub shapes: NodalShapes,
    /// The cells to draw.
    pub drawing: Drawing,
    /// What an engineer looks at.
    pub health: Health,
    /// Checks that fail and that the request does not accept. A link with any must not be used.
    pub refused: Vec<FailedCheck>,
    /// Checks that fail and that the request accepts.
    pub accepted: Vec<FailedCheck>,
    /// The mesh with its spiders, when the link was not taken from the cache; none for a rigid link.
    pub mesh: Option<Box<LinkMesh>>,
    /// The deck's files.
    pub sources: SourceMap,
    /// Notes and warnings, with locations in `sources`.
    pub diagnostics: Diagnostics,
    /// Problems of the cache, without locations: the link is good, but had to be reduced, or could not be
    /// kept.
    pub cache_warnings: Diagnostics,
    /// True when it was not reduced now.
    pub from_cache: bool,
    /// Time from the files to the link.
    pub seconds: f64,
}

/// Why there is no link.
#[derive(Debug, Default)]
pub struct LinkFailure {
    /// The deck's files.
    pub sources: SourceMap,
    /// Problems with locations in `sources`.
    pub deck: Diagnostics,
    /// Problems with locations in the pipeline file.
    pub request: Diagnostics,
    /// A numerical failure.
    pub reason: Option<ReduceError>,
}

impl LinkFailure {
    /// An error of the deck without a location (a file that cannot be read) is reported where the link is
    /// asked for.
    fn locate(&mut self, link: &LinkRequest) {
        let deck = std::mem::take(&mut self.deck);
        for mut problem in deck {
            if problem.severity == Severity::Error && problem.span.is_none() {
                problem.message = format!("link `{}`: {}", link.name, problem.message);
                self.request.push(problem.at(link.origin.0));
            } else {
                self.deck.push(problem);
            }
        }
    }
}

/// Reduces a link. With a cache, what was reduced before is loaded, and what was not is stored. A cache that
/// cannot be read or written costs time and a warning, never the link.
///
/// # Errors
/// All problems of the deck and the request, or the numerical failure that stopped the reduction.
pub fn reduce(request: &LinkRequest, cache: Option<&Cache>) -> Result<CachedLink, Box<LinkFailure>> {
    reduce_announced(request, cache, &|_| {})
}

/// As [`reduce`]; what a reduction will take is handed to `announce` before it is begun. A link from the
/// cache takes nothing.
///
/// # Errors
/// As [`reduce`].
pub(crate) fn reduce_announced(
    request: &LinkRequest,
    cache: Option<&Cache>,
    announce: &dyn Fn(Need),
) -> Result<CachedLink, Box<LinkFailure>> {
    let start = Instant::now();
    let mut made = Input { announce, ..Input::read(request) }.link(cache)?;
    let accepted = |check: &FailedCheck| request.accept.iter().any(|name| name == check.name);
    (made.accepted, made.refused) = made.health.failed().into_iter().partition(accepted);
    made.seconds = start.elapsed().as_secs_f64();
    Ok(made)
}

/// Decks with all that they include. One that cannot be read is among them.
pub fn deck_files(decks: &[PathBuf]) -> Vec<PathBuf> {
    let cards = read_cards_of(decks);
    let included = cards.output.sources.inputs().map(|(_, file)| file.path().to_owned());
    let mut files: Vec<_> = decks.iter().cloned().chain(included).collect();
    files.sort();
    files.dedup();
    files
}

/// Stress and strain of a link that [`reduce`] has made: its mesh is read again, for none is kept in the
/// cache.
///
/// # Errors
/// All problems of the deck and the request. A link without a mesh (rigid, imported) has none of stress.
pub fn recover(
    link: &LinkRequest,
    made: &CachedLink,
    request: &RecoveryRequest<'_>,
) -> Result<Recovered, Box<LinkFailure>> {
    let (mut sources, mut about_deck) = (SourceMap::new(), Diagnostics::new());
    let mut problems = Diagnostics::new();
    let (asked, mut link) = (link, Cow::Borrowed(link));
    let meshed = match &asked.source {
        LinkSource::Deck { deck, segment } => match Input::read(asked).deck_cards(deck) {
            Ok((cards, resolved, _)) => {
                link = resolved;
                let read = overridden(cards, deck, &link, &mut problems);
                let Deck { mesh, sources: files, .. } = read.output;
                (sources, about_deck) = (files, read.diagnostics);
                source::deck_segment(mesh, &link, segment.as_ref())
            }
            Err(problems) => Err(ReduceError::Request(problems)),
        },
        LinkSource::Beam(beam) => source::beam_mesh(beam).map_err(|problem| refusal(*problem)),
        LinkSource::Imported(_) | LinkSource::Rigid(_) => {
            let message = "a link without elements has no stress (rigid, or imported matrices)";
            Err(refusal(Diagnostic::error(message).at(asked.origin.0)))
        }
    };
    let recovered =
        meshed.and_then(|meshed| link_recovery(&link, meshed, &made.drawing.grids, &made.shapes, request));
    recovered.map_err(|error| failure(error, sources, about_deck, problems).into())
}

fn refusal(problem: Diagnostic) -> ReduceError {
    ReduceError::Request([problem].into_iter().collect())
}

/// What is promised of [`Input::cards`].
const READ: &str = "invariant: a link that is made of a deck has its cards";

/// A request with its files read, as far as the key needs them.
struct Input<'a> {
    request: &'a LinkRequest,
    announce: &'a dyn Fn(Need),
    /// The cards of a deck; none of a beam, a rigid body or a STEP file.
    cards: Option<Warned<CardFile>>,
    /// The deck, where it is a STEP file.
    step: Option<Step<'a>>,
}

impl<'a> Input<'a> {
    fn read(request: &'a LinkRequest) -> Self {
        let deck = match &request.source {
            LinkSource::Deck { deck, .. } => Some(deck),
            LinkSource::Imported(imported) => Some(&imported.deck),
            LinkSource::Beam(_) | LinkSource::Rigid(_) => None,
        };
        let step = deck.and_then(Step::of);
        let deck = deck.filter(|_| step.is_none());
        Self { request, announce: &|_| {}, cards: deck.map(|deck| read_cards_of(&deck.files)), step }
    }

    /// The cards of the deck, the request with the features of a STEP file as sets, and what there is to say
    /// about its mesh.
    fn deck_cards(
        self,
        deck: &DeckSource,
    ) -> Result<(Warned<CardFile>, Cow<'a, LinkRequest>, Diagnostics), Diagnostics> {
        let at = self.request.origin.0;
        match (self.step, self.cards) {
            (Some(step), _) => {
                let made = step.cards(self.request, deck)?;
                Ok((made.cards, Cow::Owned(made.request), made.diagnostics))
            }
            (None, _) if deck.mesh.is_some() => {
                let message = "`mesh` is for STEP files, and the deck is none";
                Err([Diagnostic::error(message).at(at)].into_iter().collect())
            }
            (None, cards) => Ok((cards.expect(READ), Cow::Borrowed(self.request), Diagnostics::new())),
        }
    }

    /// `None` when a file of matrices cannot be read now: a link must not be kept under the key of another
    /// content.
    fn key(&self) -> Option<Key> {
        let matrices = match &self.request.source {
            LinkSource::Imported(imported) => match &imported.matrices {
                Matrices::Op4 { file, .. } => Some(read_input(file, LARGEST_INPUT).ok()?),
                Matrices::Dmig | Matrices::Sid => None,
            },
            LinkSource::Deck { .. } | LinkSource::Beam(_) | LinkSource::Rigid(_) => None,
        };
        let decks = self.cards.iter().flat_map(contents);
        let step = match &self.step {
            Some(step) => Some(step.identity()?),
            None => None,
        };
        let files = decks.chain(matrices.as_deref()).chain(step.into_iter().flatten());
        Some(link_key(self.request, files))
    }

    fn link(self, cache: Option<&Cache>) -> Result<CachedLink, Box<LinkFailure>> {
        // A rigid link is made faster than it is found.
        let cache = cache.filter(|_| self.request.is_flexible());
        let Some((cache, key)) = cache.and_then(|cache| Some((cache, self.key()?))) else {
            return self.reduce();
        };
        let mut warnings = Diagnostics::new();
        if let Some(stored) = look_up(cache, &key, &mut warnings) {
            return Ok(self.loaded(stored, warnings));
        }
        // Whoever waited for the lock finds what the other has made.
        let lock = cache.lock(&key);
        if lock.is_some()
            && let Some(stored) = look_up(cache, &key, &mut Diagnostics::new())
        {
            return Ok(self.loaded(stored, warnings));
        }
        let mut made = self.reduce()?;
        let stored = StoredLink {
            link: made.link,
            shapes: made.shapes,
            drawing: made.drawing,
            health: made.health,
            diagnostics: made.diagnostics,
        };
        if let Err(error) = cache.save(&key, &stored) {
            let message = format!("it cannot be kept in {}: {error}", cache.folder().display());
            let hint = "the run continues without it; PLIANT_CACHE names another folder";
            warnings.push(Diagnostic::warning(message).hint(hint));
        }
        drop(lock);
        (made.link, made.shapes, made.drawing) = (stored.link, stored.shapes, stored.drawing);
        (made.health, made.diagnostics) = (stored.health, stored.diagnostics);
        made.cache_warnings = warnings;
        Ok(made)
    }

    /// A link from the cache under the name it has here.
    fn loaded(self, stored: StoredLink, cache_warnings: Diagnostics) -> CachedLink {
        let StoredLink { mut link, shapes, drawing, health, diagnostics } = stored;
        self.request.name.clone_into(&mut link.name);
        let mut made = CachedLink::new(link, shapes, drawing, health);
        made.sources = match (self.cards, self.step) {
            (Some(cards), _) => cards.output.sources,
            (None, step) => step.map_or_else(SourceMap::new, |step| step.sources()),
        };
        (made.diagnostics, made.cache_warnings) = (diagnostics, cache_warnings);
        made.from_cache = true;
        made
    }

    /// Reduces the link now. All problems of the request and the deck are reported together.
    fn reduce(self) -> Result<CachedLink, Box<LinkFailure>> {
        let (link, announce) = (self.request, self.announce);
        let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
        let mut problems = Diagnostics::new();
        let part = self.step.as_ref().map(Step::sources);
        let reduction = match &link.source {
            LinkSource::Rigid(rigid) => return rigid_link(&link.name, rigid),
            LinkSource::Beam(beam) => source::beam_mesh(beam)
                .map_err(|problem| refusal(*problem))
                .and_then(|meshed| reduce_mesh_announced(link, meshed, announce)),
            LinkSource::Deck { deck, segment } => match self.deck_cards(deck) {
                Ok((cards, link, about_part)) => {
                    let read = overridden(cards, deck, &link, &mut problems);
                    let Deck { mesh, sources: files, .. } = read.output;
                    (sources, diagnostics) = (files, read.diagnostics);
                    diagnostics.extend(about_part);
                    if problems.has_errors() || diagnostics.has_errors() {
                        Err(ReduceError::Request(Diagnostics::new()))
                    } else {
                        source::deck_segment(mesh, &link, segment.as_ref())
                            .and_then(|meshed| reduce_mesh_announced(&link, meshed, announce))
                    }
                }
                Err(about_part) => Err(ReduceError::Request(about_part)),
            },
            LinkSource::Imported(imported) => {
                let read = overridden(self.cards.expect(READ), &imported.deck, link, &mut problems);
                let Deck { mesh, sources: files, .. } = read.output;
                (sources, diagnostics) = (files, read.diagnostics);
                if problems.has_errors() || diagnostics.has_errors() {
                    Err(ReduceError::Request(Diagnostics::new()))
                } else if imported.matrices == Matrices::Sid {
                    reduce_sid(link, mesh, imported)
                } else {
                    let matrices = source::imported_matrices(&mesh, imported);
                    matrices
                        .map_err(|problem| refusal(*problem))
                        .and_then(|matrices| reduce_imported(link, mesh, &matrices))
                }
            }
        };
        match reduction {
            Ok(Reduction { link, shapes, mesh, health, diagnostics: more, .. }) => {
                diagnostics.extend(more);
                if let Some(part) = part {
                    // The mesh of a STEP file is nowhere on the disk: what is said of it has no location.
                    sources = part;
                    diagnostics = diagnostics.into_iter().map(without_locations).collect();
                }
                let drawing = Drawing::of(&mesh, &shapes);
                let mut made = CachedLink::new(link, shapes, drawing, health);
                (made.sources, made.diagnostics) = (sources, diagnostics);
                made.mesh = Some(Box::new(mesh));
                Ok(made)
            }
            Err(error) => {
                let mut failure = failure(error, sources, diagnostics, problems);
                failure.locate(link);
                Err(failure.into())
            }
        }
    }
}

fn without_locations(problem: Diagnostic) -> Diagnostic {
    Diagnostic { span: None, related: Vec::new(), ..problem }
}

fn contents(cards: &Warned<CardFile>) -> impl Iterator<Item = &[u8]> {
    cards.output.sources.inputs().map(|(_, file)| file.bytes())
}

/// The mesh of cards with the overrides of a deck.
pub(crate) fn overridden(
    mut cards: Warned<CardFile>,
    deck: &DeckSource,
    link: &LinkRequest,
    problems: &mut Diagnostics,
) -> Warned<Deck> {
    problems.extend(source::override_cards(&mut cards.output, deck));
    source::deck_mesh(cards, deck, link.units)
}

fn failure(
    error: ReduceError,
    sources: SourceMap,
    mut deck: Diagnostics,
    mut request: Diagnostics,
) -> LinkFailure {
    let mut reason = None;
    match error {
        ReduceError::Input(problems) => deck.extend(problems),
        ReduceError::Request(problems) => request.extend(problems),
        other => reason = Some(other),
    }
    LinkFailure { sources, deck, request, reason }
}

fn look_up(cache: &Cache, key: &Key, warnings: &mut Diagnostics) -> Option<StoredLink> {
    match cache.load(key) {
        Ok(found) => {
            if found.is_some() {
                cache.touch(key);
            }
            found
        }
        Err(error) => {
            let path = cache.path(key);
            let message = match error {
                CacheError::Io(error) => format!("{} cannot be read: {error}", path.display()),
                damaged => format!("{} is damaged: {damaged}", path.display()),
            };
            warnings.push(Diagnostic::warning(message).hint("the link is reduced again"));
            None
        }
    }
}

fn rigid_link(name: &str, body: &RigidSource) -> Result<CachedLink, Box<LinkFailure>> {
    let link = source::rigid_link(name, body).map_err(|problem| {
        let request = [*problem].into_iter().collect();
        LinkFailure { request, ..LinkFailure::default() }
    })?;
    let health = Health { mass: link.invariants.mass(), ..Health::default() };
    let shapes = NodalShapes { nodes: Vec::new(), positions: Vec::new(), columns: Vec::new() };
    Ok(CachedLink::new(link, shapes, Drawing::default(), health))
}

impl CachedLink {
    fn new(link: ReducedLink, shapes: NodalShapes, drawing: Drawing, health: Health) -> Self {
        Self {
            link,
            shapes,
            drawing,
            health,
            refused: Vec::new(),
            accepted: Vec::new(),
            mesh: None,
            sources: SourceMap::new(),
            diagnostics: Diagnostics::new(),
            cache_warnings: Diagnostics::new(),
            from_cache: false,
            seconds: 0.0,
        }
    }
}
