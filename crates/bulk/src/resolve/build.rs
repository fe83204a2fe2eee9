//! The stages from cards to mesh.

use std::collections::BTreeMap;

use pliant_diag::{Diagnostic, Diagnostics, Severity};
use pliant_mesh::LinkMesh;

use super::property::Outlines;
use super::{Builder, Superelements, outline};
use crate::card::{Card, CardName};
use crate::cards::{self, CardType, Class, Contact, Registry, Stage, UnusedCard};
use crate::deck::{CardCount, CardStatus, Options};
use crate::field::FieldBuffer;
use crate::number::parse_integer;
use crate::read::CardFile;
use crate::typed::Reader;

/// Beyond this many diagnostics only their number is kept: a binary file read by mistake must not fill the
/// memory.
pub(super) const MOST_DIAGNOSTICS: usize = 100_000;

/// What is to be done with cards of a name.
#[derive(Clone, Copy)]
enum Kind {
    Used(&'static CardType),
    Unused(&'static UnusedCard),
    Contact(Contact),
    Unknown,
}

/// The kinds that occur in a deck, and for each card which it is.
struct Sorted {
    kinds: Vec<(CardName, Kind, usize)>,
    of_card: Vec<u16>,
}

/// Builds the mesh from cards.
pub(crate) fn build(
    file: &CardFile,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> (LinkMesh, BTreeMap<String, CardCount>) {
    let sorted = sort(file);
    let mut builder =
        Builder { default_properties: options.default_properties.clone(), ..Builder::default() };
    builder.expansion.set(100_000 + 32 * file.cards.len());
    builder.mesh.units = options.units;
    builder.mesh.case_control = file.control.case.clone();
    builder.mesh.sets = file.control.sets.clone();
    builder.mesh.names = file.names.clone();
    builder.selected_supports.clone_from(&file.control.supports);
    builder.superelements = Superelements::of(file);
    merge_parts(file, diagnostics);
    let mut run = Run {
        file,
        builder,
        diagnostics,
        left_out: 0,
        outlines: Vec::new(),
        outline_counts: BTreeMap::new(),
    };
    run.parameters();
    run.unread(&sorted);
    run.implicit_points(&sorted);
    for stage in Stage::ALL {
        run.reserve(stage, &sorted);
        run.stage(stage, &sorted);
    }
    let Run { mut builder, diagnostics, left_out, outline_counts, .. } = run;
    builder.take_autospc(&file.control);
    builder.report_parameters(diagnostics);
    builder.check_direct_selection(diagnostics);
    builder.turn_solids(diagnostics);
    builder.drop_idle_material_axes(diagnostics);
    builder.check_geometry(diagnostics);
    // When cards are in error, their grids only look unused.
    if !diagnostics.has_errors() {
        builder.check_superelements(file, diagnostics);
        builder.report_unused_grids(diagnostics);
    }
    if left_out > 0 {
        diagnostics.push(Diagnostic::error(format!("{left_out} more problems are not shown")));
    }
    (builder.mesh, summary(&sorted, &outline_counts))
}

/// Which parts of the deck are put together: the main bulk data and superelements.
fn merge_parts(file: &CardFile, diagnostics: &mut Diagnostics) {
    for part in file.parts.iter().skip(1) {
        let problem = if part.kind == "SUPER" {
            Diagnostic::note(format!(
                "superelement {} becomes one link with the rest of the deck, joined where grids coincide and where SECONCT joins them",
                part.id
            ))
        } else {
            Diagnostic::warning(format!("BEGIN {} is not part of the link and is left out", part.kind))
        };
        diagnostics.push(problem.at(part.span));
    }
}

fn sort(file: &CardFile) -> Sorted {
    let registry = Registry::new();
    let mut kinds: Vec<(CardName, Kind, usize)> = Vec::new();
    let mut rows = std::collections::HashMap::new();
    let mut of_card = Vec::with_capacity(file.cards.len());
    let mut last: Option<(CardName, u16)> = None;
    for card in &file.cards {
        let row = match last {
            Some((name, row)) if name == card.name => row,
            _ => *rows.entry(card.name).or_insert_with(|| {
                let kind = match registry.get(card.name) {
                    Some(card) => Kind::Used(card),
                    None => unread_kind(card.name.as_str()),
                };
                kinds.push((card.name, kind, 0));
                // A deck with more names than this is no deck; the last kind stands for the rest.
                (kinds.len() - 1).min(usize::from(u16::MAX)) as u16
            }),
        };
        last = Some((card.name, row));
        kinds[usize::from(row)].2 += 1;
        of_card.push(row);
    }
    Sorted { kinds, of_card }
}

fn unread_kind(name: &str) -> Kind {
    match cards::contact(name) {
        Some(contact) => Kind::Contact(contact),
        None => cards::unused(name).map_or(Kind::Unknown, Kind::Unused),
    }
}

fn summary(sorted: &Sorted, outlines: &BTreeMap<String, usize>) -> BTreeMap<String, CardCount> {
    let count = |(name, kind, count): &(CardName, Kind, usize)| {
        let status = match kind {
            Kind::Used(card) if card.is_used => CardStatus::Used,
            Kind::Used(_) | Kind::Unused(_) | Kind::Contact(_) => CardStatus::Unused,
            Kind::Unknown => CardStatus::Unknown,
        };
        let name = name.to_string();
        let left_out = outlines.get(&name).copied().unwrap_or(0);
        (name, CardCount { count: *count, status, left_out })
    };
    sorted.kinds.iter().map(count).collect()
}

struct Run<'a> {
    file: &'a CardFile,
    builder: Builder,
    diagnostics: &'a mut Diagnostics,
    left_out: usize,
    /// Cards that may only draw edges and faces of solids.
    outlines: Vec<(&'a Card, &'static CardType)>,
    /// How many of those were left out, by name.
    outline_counts: BTreeMap<String, usize>,
}

impl<'a> Run<'a> {
    /// PARAM cards above BEGIN BULK.
    fn parameters(&mut self) {
        let registry = Registry::new();
        let mut buffer = FieldBuffer::new();
        let file = self.file;
        for card in &file.control.parameters {
            if let Some(kind) = registry.get(card.name) {
                self.read(card, kind, &mut buffer);
            }
        }
    }

    /// Scalar points that are given only by the elements on them.
    fn implicit_points(&mut self, sorted: &Sorted) {
        let is_scalar: Vec<bool> =
            sorted.kinds.iter().map(|(name, ..)| cards::defines_scalar_points(name.as_str())).collect();
        if !is_scalar.contains(&true) {
            return;
        }
        let mut buffer = FieldBuffer::new();
        for (card, row) in self.file.cards.iter().zip(&sorted.of_card) {
            if is_scalar[usize::from(*row)] && self.in_link(card) {
                self.builder.part = card.part();
                cards::implicit_points(&self.file.fields(card, &mut buffer), &mut self.builder);
            }
        }
    }

    /// Makes room for what a stage will bring, so that the large arrays do not grow by doubling.
    fn reserve(&mut self, stage: Stage, sorted: &Sorted) {
        let count = |name: &str| {
            sorted.kinds.iter().filter(|(n, ..)| n.as_str() == name).map(|(.., count)| *count).sum::<usize>()
        };
        match stage {
            Stage::Points => self.builder.reserve_grids(count("GRID")),
            Stage::Elements => {
                let solids = ["CTETRA", "CPYRAM", "CPENTA", "CHEXA"].map(count);
                let mesh = &mut self.builder.mesh;
                mesh.solids.reserve_exact(solids.iter().sum());
                mesh.solid_nodes.reserve_exact(4 * solids[0] + 5 * solids[1] + 6 * solids[2] + 8 * solids[3]);
                let shells = ["CTRIA3", "CTRIAR", "CQUAD4", "CQUADR"].map(count);
                mesh.shells.reserve_exact(shells.iter().sum());
                mesh.shell_nodes.reserve_exact(3 * (shells[0] + shells[1]) + 4 * (shells[2] + shells[3]));
            }
            _ => {}
        }
    }

    fn stage(&mut self, stage: Stage, sorted: &Sorted) {
        let wanted: Vec<Option<&'static CardType>> = sorted
            .kinds
            .iter()
            .map(|(_, kind, _)| match kind {
                Kind::Used(card) if card.stage == stage => Some(*card),
                _ => None,
            })
            .collect();
        let has_solids = sorted.kinds.iter().any(|(name, ..)| outline::is_solid(name.as_str()));
        if stage == Stage::Elements && has_solids {
            self.builder.outlines = Outlines::Possible;
        }
        if wanted.iter().any(Option::is_some) {
            let file = self.file;
            let mut buffer = FieldBuffer::new();
            for (card, row) in file.cards.iter().zip(&sorted.of_card) {
                if let Some(kind) = wanted[usize::from(*row)]
                    && self.in_link(card)
                {
                    self.read(card, kind, &mut buffer);
                }
            }
        }
        self.settle_outlines();
        let diagnostics = &mut *self.diagnostics;
        match stage {
            Stage::Points => self.builder.finish_points(diagnostics),
            Stage::Materials => self.builder.finish_materials(diagnostics),
            Stage::Properties => self.builder.finish_properties(diagnostics),
            Stage::Elements => {
                self.builder.report_absent_properties(diagnostics);
                self.builder.finish_elements(diagnostics);
            }
            Stage::Defaults | Stage::Coordinates | Stage::Rest => {}
        }
    }

    /// Leaves out the cards that only draw edges and faces of solids and reads the others after all.
    fn settle_outlines(&mut self) {
        self.builder.outlines = Outlines::Unlikely;
        let doubtful = std::mem::take(&mut self.outlines);
        if doubtful.is_empty() {
            return;
        }
        let cards: Vec<&Card> = doubtful.iter().map(|(card, _)| *card).collect();
        let drawn = outline::on_solids(self.file, &cards);
        let mut buffer = FieldBuffer::new();
        for ((card, kind), _) in doubtful.iter().zip(&drawn).filter(|(_, drawn)| !**drawn) {
            self.read(card, kind, &mut buffer);
        }
        let left_out: Vec<&Card> =
            cards.iter().zip(&drawn).filter(|(_, drawn)| **drawn).map(|(card, _)| *card).collect();
        if let Some((note, counts)) = outline::note(&left_out) {
            self.diagnostics.push(note);
            self.outline_counts = counts;
        }
    }

    /// True for cards of the main bulk data and of superelements.
    fn in_link(&self, card: &Card) -> bool {
        let part = card.part();
        part == 0 || self.file.parts.get(part).is_none_or(|p| p.kind == "SUPER")
    }

    #[inline]
    fn read(&mut self, card: &'a Card, kind: &'static CardType, buffer: &mut FieldBuffer<'a>) {
        self.builder.part = card.part();
        let before = self.diagnostics.len();
        let fields = self.file.fields(card, buffer);
        let mut reader = Reader::new(fields, self.diagnostics);
        let is_read = (kind.read)(&mut reader, &mut self.builder).is_some();
        if self.builder.outlines == Outlines::Found {
            self.builder.outlines = Outlines::Possible;
            self.diagnostics.truncate(before);
            self.outlines.push((card, kind));
            return;
        }
        if !is_read && kind.class != Class::Other {
            let id = parse_integer(fields.get(0).text).and_then(|id| u32::try_from(id).ok());
            if let Some(id) = id {
                self.builder.mark_broken(kind.class, id);
            }
        }
        if before >= MOST_DIAGNOSTICS && self.diagnostics.len() > before {
            self.left_out += self.diagnostics.len() - before;
            self.diagnostics.truncate(before);
        }
    }

    /// Cards that are not read into the mesh. Elements, rigid elements and connections among them are errors,
    /// because a part of the structure would vanish; properties and materials only where something refers to
    /// them; the rest is listed by name.
    fn unread(&mut self, sorted: &Sorted) {
        let mut reported = vec![false; sorted.kinds.len()];
        let mut buffer = FieldBuffer::new();
        let mut contacts = 0;
        for (card, row) in self.file.cards.iter().zip(&sorted.of_card) {
            let row = usize::from(*row);
            let (name, kind, count) = &sorted.kinds[row];
            let name = name.as_str();
            // `merge_parts` has reported on parts.
            let is_used = matches!(kind, Kind::Used(card) if card.is_used);
            if is_used || name == "BEGIN" || !self.in_link(card) {
                continue;
            }
            let fields = self.file.fields(card, &mut buffer);
            let class = match name {
                _ if name.starts_with("MAT") => Some(Class::Material),
                _ if name.starts_with('P') => Some(Class::Property),
                _ => None,
            };
            let id = parse_integer(fields.get(0).text).and_then(|id| u32::try_from(id).ok());
            if let (Some(class), Some(id)) = (class, id)
                && !name.starts_with("MATT")
            {
                self.builder.mark_foreign(class, id, name, card.span());
            }
            let problem = match kind {
                Kind::Contact(contact) => match cards::about_contact(*contact, &fields, &self.file.control) {
                    Some(problem) => {
                        contacts += usize::from(problem.severity == Severity::Error);
                        problem
                    }
                    None if reported[row] => continue,
                    None => Diagnostic::note(format!("{name}{} a part of contact or glue", times(*count))),
                },
                Kind::Unused(unused) if unused.structural => {
                    Diagnostic::error(format!("{name} is not supported: {}", unused.meaning))
                        .hint("the link would be a different structure without it; replace it or remove it")
                }
                Kind::Unused(_)
                    if name.starts_with("MATT") && self.file.control.material_temperature.is_some() =>
                {
                    self.temperature_dependent(name)
                }
                Kind::Unused(_) if name == "BOLT" && cards::cuts_the_bolt(&fields) => {
                    let message =
                        "BOLT is not supported: it joins the two halves of a bolt that is cut in the mesh";
                    Diagnostic::error(message).hint("join the halves in the mesh and remove the card")
                }
                Kind::Unknown if name.starts_with('C') => {
                    Diagnostic::error(format!("unknown card {name}; by its name it is an element"))
                        .hint("a part of the structure would be missing; correct the name or remove the card")
                }
                Kind::Unknown if name.starts_with('R') => {
                    Diagnostic::error(format!("unknown card {name}; by its name it is a rigid element"))
                        .hint("a connection would be missing; correct the name or remove the card")
                }
                _ if reported[row] => continue,
                Kind::Used(_) => Diagnostic::note(format!(
                    "{name}{} not available: a case that selects such a load is refused",
                    times(*count)
                )),
                Kind::Unused(unused) => Diagnostic::note(format!(
                    "{name}{} without effect on the link: {}",
                    times(*count),
                    unused.meaning
                )),
                Kind::Unknown => {
                    Diagnostic::warning(format!("unknown card {name}{} left out", times(*count)))
                }
            };
            reported[row] = true;
            if self.diagnostics.len() >= MOST_DIAGNOSTICS && problem.severity == Severity::Error {
                self.left_out += 1;
                continue;
            }
            self.diagnostics.push(problem.at(card.span()).card(fields.label()));
        }
        self.contacts_without_cards(contacts);
    }

    /// A material that changes with a temperature which the case selects.
    fn temperature_dependent(&self, name: &str) -> Diagnostic {
        let message = format!(
            "{name} is not supported: the material would depend on the temperature that the case selects"
        );
        let hint = "write the values at that temperature on the MAT card and remove the command";
        let problem = Diagnostic::error(message).hint(hint);
        match self.file.control.material_temperature {
            Some(span) => problem.related(span, "selected here"),
            None => problem,
        }
    }

    /// Commands that select contact or glue of which no card was refused: BCONTACT = ALLBODY needs no table.
    fn contacts_without_cards(&mut self, refused: usize) {
        if refused == 0
            && let Some((name, span)) = self.file.control.contacts.first()
        {
            let message = "selects contact or glue, which is not supported";
            let problem = Diagnostic::error(message).at(*span).card(name.as_str());
            self.diagnostics.push(problem.hint(
                "without it nothing connects the parts that it joins; remove the command if that is intended",
            ));
        }
    }
}

fn times(count: usize) -> String {
    if count == 1 { " is".to_owned() } else { format!(" ({count} cards) are") }
}
