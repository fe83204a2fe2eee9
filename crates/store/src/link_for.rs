//! From a `[links.<name>]` table to a reduced link, from the cache where it can be.

use std::path::PathBuf;
use std::time::Instant;

use pliant_bulk::{CardFile, Deck, read_cards_of};
use pliant_diag::{Diagnostic, Diagnostics, Origin, Severity, SourceMap, Warned};
use pliant_link::ReducedLink;
use pliant_mesh::{GridId, LinkMesh};
use pliant_pipeline::PipelineFile;
use pliant_pipeline::link::{BeamTable, ImportedTable, InterfaceSpec, LinkTable, RigidTable};
use pliant_pipeline::schema::{Located, Named, closest};
use pliant_reduce::import::reduce_imported;
use pliant_reduce::recovery::{Recovered, RecoveryRequest, link_recovery};
use pliant_reduce::{CHECKS, FailedCheck, Health, NodalShapes, ReduceError, Reduction, reduce_mesh, source};

use crate::cache::{Cache, CacheError, Key, StoredLink, link_key};
use crate::drawing::Drawing;

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
    /// Checks that fail and that the table does not accept. A link with any must not be used.
    pub refused: Vec<FailedCheck>,
    /// Checks that fail and that the table accepts.
    pub accepted: Vec<FailedCheck>,
    /// The mesh with its spiders, when the link was not taken from the cache; none for a rigid link.
    pub mesh: Option<Box<LinkMesh>>,
    /// The deck's files.
    pub sources: SourceMap,
    /// Notes and warnings, with places in `sources`.
    pub diagnostics: Diagnostics,
    /// Troubles with the cache, without places: the link is good, but had to be made, or could not be kept.
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
    /// Problems with places in `sources`.
    pub deck: Diagnostics,
    /// Problems with places in the pipeline file.
    pub request: Diagnostics,
    /// A numerical failure.
    pub reason: Option<ReduceError>,
}

impl LinkFailure {
    /// An error of the deck without a place (a file that cannot be read) is told where the pipeline file names the link.
    fn place_in_table(&mut self, name: &str, table: &LinkTable) {
        let deck = std::mem::take(&mut self.deck);
        for mut problem in deck {
            if problem.severity == Severity::Error && problem.span.is_none() {
                problem.message = format!("link `{name}`: {}", problem.message);
                self.request.push(problem.at(table.source.0));
            } else {
                self.deck.push(problem);
            }
        }
    }
}

/// The reduced link of a table: a deck, a beam, imported matrices or a rigid body. With a cache, what was reduced before is
/// loaded, and what was not is stored. A cache that cannot be read or written costs time and a warning, never the link.
///
/// # Errors
/// All problems of the deck and the table, or the numerical failure that stopped the reduction.
pub fn link_for(
    name: &str,
    table: &LinkTable,
    file: &PipelineFile,
    cache: Option<&Cache>,
) -> Result<CachedLink, Box<LinkFailure>> {
    let start = Instant::now();
    let request = unknown_checks(table);
    let mut made = Source::read(table, file).link(name, table, cache, request)?;
    let accepted = |check: &FailedCheck| table.accept.iter().flatten().any(|name| name.value == check.name);
    (made.accepted, made.refused) = made.health.failed().into_iter().partition(accepted);
    made.seconds = start.elapsed().as_secs_f64();
    Ok(made)
}

/// Decks with all that they include. One that cannot be read is among them.
pub fn deck_files(decks: &[PathBuf]) -> Vec<PathBuf> {
    let cards = read_cards_of(decks);
    let included = cards.output.sources.files().map(|(_, file)| file.path().to_owned());
    let mut files: Vec<_> = decks.iter().cloned().chain(included).collect();
    files.sort();
    files.dedup();
    files
}

/// Stress and strain of a link that [`link_for`] has made: its mesh is read again, for none is kept in the cache.
///
/// # Errors
/// All problems of the deck and the table. A link without a mesh (rigid, imported) has none of stress.
pub fn elements_for(
    table: &LinkTable,
    file: &PipelineFile,
    made: &CachedLink,
    request: &RecoveryRequest<'_>,
) -> Result<Recovered, Box<LinkFailure>> {
    let mut deck = Warned { output: Deck::default(), diagnostics: Diagnostics::new() };
    let mut problems = Diagnostics::new();
    let recover = |mesh: LinkMesh, table: &LinkTable| {
        link_recovery(mesh, table, &made.drawing.grids, &made.shapes, request)
    };
    let recovered = match Source::read(table, file) {
        Source::Deck(cards) => {
            deck = overridden(cards, table, &mut problems);
            let segment = source::deck_segment(std::mem::take(&mut deck.output.mesh), table);
            segment.and_then(|(mesh, table)| recover(mesh, &table))
        }
        Source::Beam(beam) => match source::beam_mesh(beam) {
            Ok((mesh, ends)) => recover(mesh, &between(table, ends)),
            Err(problem) => Err(ReduceError::Request([*problem].into_iter().collect())),
        },
        Source::Imported { .. } | Source::Rigid(_) => {
            let message = "there is no stress in a link without elements (rigid, or imported matrices)";
            Err(ReduceError::Request([Diagnostic::error(message).at(table.source.0)].into_iter().collect()))
        }
    };
    recovered.map_err(|error| failure(error, deck.output.sources, deck.diagnostics, problems).into())
}

/// Names in `accept` that are no check.
fn unknown_checks(table: &LinkTable) -> Diagnostics {
    let unknown = table.accept.iter().flatten().filter(|name| !CHECKS.contains(&name.value.as_str()));
    let complain = |name: &Located<String>| {
        let hint = match closest(&name.value, CHECKS) {
            Some(check) => format!("did you mean `{check}`?"),
            None => format!("the checks are {}", CHECKS.join(", ")),
        };
        Diagnostic::error(format!("`{}` is no health check", name.value)).at(name.span()).hint(hint)
    };
    unknown.map(complain).collect()
}

/// What a link is made of, as far as the key needs it.
enum Source<'a> {
    Deck(Warned<CardFile>),
    Imported { table: &'a ImportedTable, cards: Warned<CardFile>, op4: Option<PathBuf> },
    Beam(&'a BeamTable),
    Rigid(&'a RigidTable),
}

impl<'a> Source<'a> {
    fn read(table: &'a LinkTable, file: &PipelineFile) -> Self {
        if let Some(rigid) = &table.rigid {
            return Self::Rigid(rigid);
        }
        if let Some(beam) = &table.beam {
            return Self::Beam(beam);
        }
        if let Some(imported) = &table.imported {
            let cards = read_cards_of(&[file.resolve(&imported.deck)]);
            let op4 = imported.op4.as_ref().map(|path| file.resolve(path));
            return Self::Imported { table: imported, cards, op4 };
        }
        let paths: Vec<_> =
            table.deck.iter().flat_map(|deck| &deck.0).map(|path| file.resolve(path)).collect();
        Self::Deck(read_cards_of(&paths))
    }

    /// `None` when a file of matrices cannot be read now: a link must not be kept under the key of another content.
    fn key(&self, table: &LinkTable) -> Option<Key> {
        Some(match self {
            Self::Deck(cards) => link_key(table, contents(cards)),
            Self::Imported { cards, op4, .. } => {
                let read = |path: &PathBuf| pliant_diag::read_input(path, pliant_diag::LARGEST_INPUT);
                let matrices = op4.as_ref().map(read).transpose().ok()?;
                link_key(table, contents(cards).chain(matrices.as_deref()))
            }
            Self::Beam(_) | Self::Rigid(_) => link_key(table, []),
        })
    }

    fn link(
        self,
        name: &str,
        table: &LinkTable,
        cache: Option<&Cache>,
        request: Diagnostics,
    ) -> Result<CachedLink, Box<LinkFailure>> {
        // A rigid link is made faster than it is found.
        let cache = cache.filter(|_| !matches!(self, Self::Rigid(_)));
        let Some((cache, key)) = cache.and_then(|cache| Some((cache, self.key(table)?))) else {
            return self.reduce(name, table, request);
        };
        let mut warnings = Diagnostics::new();
        if !request.has_errors()
            && let Some(stored) = look_up(cache, &key, &mut warnings)
        {
            return Ok(self.loaded(name, stored, warnings));
        }
        // Whoever waited for the lock finds what the other has made.
        let lock = cache.lock(&key);
        if lock.is_some()
            && !request.has_errors()
            && let Some(stored) = look_up(cache, &key, &mut Diagnostics::new())
        {
            return Ok(self.loaded(name, stored, warnings));
        }
        let mut made = self.reduce(name, table, request)?;
        let stored = StoredLink {
            link: made.link,
            shapes: made.shapes,
            drawing: made.drawing,
            health: made.health,
            diagnostics: made.diagnostics,
        };
        if let Err(error) = cache.save(&key, &stored) {
            let message = format!("it cannot be kept in {}: {error}", cache.folder().display());
            let hint = "the run goes on without; PLIANT_CACHE names another folder";
            warnings.push(Diagnostic::warning(message).hint(hint));
        }
        drop(lock);
        (made.link, made.shapes, made.drawing) = (stored.link, stored.shapes, stored.drawing);
        (made.health, made.diagnostics) = (stored.health, stored.diagnostics);
        made.cache_warnings = warnings;
        Ok(made)
    }

    /// A link from the cache under the name it has here.
    fn loaded(self, name: &str, stored: StoredLink, cache_warnings: Diagnostics) -> CachedLink {
        let StoredLink { mut link, shapes, drawing, health, diagnostics } = stored;
        name.clone_into(&mut link.name);
        let sources = match self {
            Self::Deck(cards) | Self::Imported { cards, .. } => cards.output.sources,
            Self::Beam(_) | Self::Rigid(_) => SourceMap::new(),
        };
        let mut made = CachedLink::new(link, shapes, drawing, health);
        (made.sources, made.diagnostics, made.cache_warnings) = (sources, diagnostics, cache_warnings);
        made.from_cache = true;
        made
    }

    /// Reduces the link now. All problems of the table and the deck are told together.
    fn reduce(
        self,
        name: &str,
        table: &LinkTable,
        mut request: Diagnostics,
    ) -> Result<CachedLink, Box<LinkFailure>> {
        let mut deck = Warned { output: Deck::default(), diagnostics: Diagnostics::new() };
        let reduction = match self {
            Self::Rigid(rigid) => return rigid_link(name, rigid, request),
            Self::Beam(beam) => match source::beam_mesh(beam) {
                Ok((mesh, ends)) if !request.has_errors() => reduce_mesh(name, mesh, &between(table, ends)),
                Ok(_) => Err(ReduceError::Request(Diagnostics::new())),
                Err(problem) => Err(ReduceError::Request([*problem].into_iter().collect())),
            },
            Self::Deck(cards) => {
                deck = overridden(cards, table, &mut request);
                if request.has_errors() || deck.diagnostics.has_errors() {
                    Err(ReduceError::Request(Diagnostics::new()))
                } else {
                    let segment = source::deck_segment(std::mem::take(&mut deck.output.mesh), table);
                    segment.and_then(|(mesh, table)| reduce_mesh(name, mesh, &table))
                }
            }
            Self::Imported { table: imported, cards, op4 } => {
                deck = overridden(cards, table, &mut request);
                match source::imported_matrices(&deck.output.mesh, imported, op4.as_deref()) {
                    Ok(matrices) if !request.has_errors() && !deck.diagnostics.has_errors() => {
                        reduce_imported(name, std::mem::take(&mut deck.output.mesh), &matrices, table)
                    }
                    Ok(_) => Err(ReduceError::Request(Diagnostics::new())),
                    Err(problem) => Err(ReduceError::Request([*problem].into_iter().collect())),
                }
            }
        };
        let (sources, mut diagnostics) = (deck.output.sources, deck.diagnostics);
        match reduction {
            Ok(Reduction { link, shapes, mesh, health, diagnostics: more, .. }) => {
                diagnostics.extend(more);
                let drawing = Drawing::of(&mesh, &shapes);
                let mut made = CachedLink::new(link, shapes, drawing, health);
                (made.sources, made.diagnostics) = (sources, diagnostics);
                made.mesh = Some(Box::new(mesh));
                Ok(made)
            }
            Err(error) => {
                let mut failure = failure(error, sources, diagnostics, request);
                failure.place_in_table(name, table);
                Err(failure.into())
            }
        }
    }
}

fn contents(cards: &Warned<CardFile>) -> impl Iterator<Item = &[u8]> {
    cards.output.sources.files().map(|(_, file)| file.bytes())
}

/// The mesh of cards with the overrides of the table.
fn overridden(mut cards: Warned<CardFile>, table: &LinkTable, request: &mut Diagnostics) -> Warned<Deck> {
    request.extend(source::override_cards(&mut cards.output, table));
    source::deck_mesh(cards, table)
}

/// The table of a beam with its two ends as interfaces.
fn between(table: &LinkTable, [inboard, tip]: [GridId; 2]) -> LinkTable {
    let mut table = table.clone();
    let grid = |id: GridId| Located { value: InterfaceSpec::Grid(id.0), source: Origin::default() };
    let name = Located { value: "tip".to_owned(), source: Origin::default() };
    table.inboard = Some(grid(inboard));
    table.interfaces = Named { entries: vec![(name, grid(tip))] };
    table
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

fn rigid_link(
    name: &str,
    table: &RigidTable,
    mut request: Diagnostics,
) -> Result<CachedLink, Box<LinkFailure>> {
    let link = source::rigid_link(name, table).map_err(|problem| request.push(*problem)).ok();
    match link {
        Some(link) if !request.has_errors() => {
            let health = Health { mass: link.invariants.mass(), ..Health::default() };
            let shapes = NodalShapes { nodes: Vec::new(), positions: Vec::new(), columns: Vec::new() };
            Ok(CachedLink::new(link, shapes, Drawing::default(), health))
        }
        _ => Err(LinkFailure { request, ..LinkFailure::default() }.into()),
    }
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
