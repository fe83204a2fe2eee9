//! Field overrides: another text in one field of one card, as a study of `PSHELL.3.T` asks for.

use pliant_diag::{Diagnostic, Diagnostics};
use pliant_mesh::Names;

use crate::card::Lines;
use crate::deck::{Options, deck_from_cards};
use crate::field::{FieldBuffer, Fields};
use crate::number::parse_integer;
use crate::read::{CardFile, read_cards_from};

/// Another text for one field of the cards with a name and an id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldOverride {
    /// Name of the card, in any case.
    pub card: String,
    /// Its id: the number in slot 0.
    pub id: u32,
    /// Which field; slot 0 is field 2 of the quick reference guide.
    pub slot: usize,
    /// What shall stand there.
    pub text: String,
}

impl FieldOverride {
    /// Reads `PSHELL.3.T` or `PSHELL.Upper skin.T`: card, id or name of the property or material, and a field
    /// by its name or its number in the quick reference guide.
    ///
    /// # Errors
    /// What is wrong with the name, and what would be right.
    pub fn parse(name: &str, text: &str, names: &Names) -> Result<Self, Box<Diagnostic>> {
        // A name may hold points itself.
        let parts = name.split_once('.').and_then(|(card, rest)| Some((card, rest.rsplit_once('.')?)));
        let Some((card, (id, field))) = parts else {
            let message = format!("expected a field of a card, found `{name}`");
            return Err(Box::new(Diagnostic::error(message).hint("write CARD.ID.FIELD, such as PSHELL.3.T")));
        };
        let known = match card.as_bytes().first() {
            Some(b'M' | b'm') => &names.materials,
            _ => &names.properties,
        };
        let id = id.parse().ok().or_else(|| Names::number_of(known, id)).ok_or_else(|| {
            let problem = Diagnostic::error(format!("expected the id of a card in `{name}`, found `{id}`"));
            Box::new(match known.values().take(20).map(String::as_str).collect::<Vec<_>>().join(", ") {
                list if list.is_empty() => problem,
                list => problem.hint(format!("the names that the deck gives are {list}")),
            })
        })?;
        let slot = slot_of(card, field).ok_or_else(|| {
            let known = field_names(card);
            let names: Vec<_> = known.iter().map(|(_, name)| name.as_str()).collect();
            let problem = Diagnostic::error(format!("{card} has no field `{field}`"));
            Box::new(if names.is_empty() {
                problem.hint("the fields of this card have no names: write the number of the field")
            } else {
                problem.hint(format!("its fields are {}", names.join(", ")))
            })
        })?;
        Ok(Self { card: card.to_ascii_uppercase(), id, slot, text: text.to_owned() })
    }
}

/// The slot of a field by its name or its number.
fn slot_of(card: &str, field: &str) -> Option<usize> {
    if let Ok(number) = field.parse::<usize>() {
        // Field 1 and 10 of a line are the name and the continuation.
        return (2..=9).contains(&(number % 10)).then(|| number / 10 * 8 + number % 10 - 2);
    }
    let names = field_names(card);
    names.iter().find(|(_, name)| name.eq_ignore_ascii_case(field)).map(|(slot, _)| *slot)
}

/// The names of a card's fields, learnt from its own complaints about a card with nothing readable in it: the
/// readers are the only ones that know them.
fn field_names(card: &str) -> Vec<(usize, String)> {
    const FIELDS: usize = 48;
    if !card.bytes().all(|b| b.is_ascii_alphanumeric()) {
        return Vec::new();
    }
    let probe = format!("{card},1{}\n", ",?".repeat(FIELDS));
    let cards =
        read_cards_from("probe", probe.into_bytes(), &mut |_| Err(std::io::ErrorKind::NotFound.into()));
    let deck = deck_from_cards(cards, &Options::default());
    let mut names: Vec<(usize, String)> = Vec::new();
    for field in deck.diagnostics.iter().filter_map(|d| d.field.as_ref()) {
        let number = field.number as usize;
        let slot = number / 10 * 8 + (number % 10).saturating_sub(2);
        if names.iter().all(|(known, _)| *known != slot) {
            names.push((slot, field.name.clone()));
        }
    }
    names
}

impl CardFile {
    /// Changes fields. An override that fits no card is an error: it would silently study nothing.
    pub fn override_fields(&mut self, overrides: &[FieldOverride]) -> Diagnostics {
        let mut used = vec![false; overrides.len()];
        for index in 0..self.cards.len() {
            let wanted = |o: &FieldOverride| o.card.eq_ignore_ascii_case(self.cards[index].name());
            if overrides.iter().any(wanted) {
                self.override_card(index, overrides, &mut used);
            }
        }
        let unused = overrides.iter().zip(&used).filter(|(_, used)| !**used);
        let complain = |o: &FieldOverride| {
            let ids = self.cards.iter().filter(|card| card.name().eq_ignore_ascii_case(&o.card));
            let hint = match ids.count() {
                0 => format!("the deck has no {}", o.card),
                1 => format!("the deck has one {}, with another id", o.card),
                count => format!("the deck has {count} {}, with other ids", o.card),
            };
            let message = format!(
                "there is no {} {}, whose field {} should become {}",
                o.card,
                o.id,
                Fields::number(o.slot),
                o.text
            );
            Diagnostic::error(message).hint(hint)
        };
        unused.map(|(o, _)| complain(o)).collect()
    }

    fn override_card(&mut self, index: usize, overrides: &[FieldOverride], used: &mut [bool]) {
        let card = self.cards[index];
        let mut buffer = FieldBuffer::new();
        let fields = self.fields(&card, &mut buffer);
        let id = parse_integer(fields.get(0).text);
        let mut texts: Vec<_> = fields.iter().map(|f| (f.text.to_vec(), f.span)).collect();
        let mut changed = false;
        for (o, used) in overrides.iter().zip(used) {
            if o.card.eq_ignore_ascii_case(card.name()) && id == Some(i64::from(o.id)) {
                if texts.len() <= o.slot {
                    texts.resize(o.slot + 1, (Vec::new(), card.span()));
                }
                texts[o.slot].0 = o.text.trim().as_bytes().to_vec();
                *used = true;
                changed = true;
            }
        }
        if changed {
            self.cards[index].lines = Lines::Generated(self.generated.push(&texts));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_cards_from;

    fn set(card: &str, id: u32, slot: usize, text: &str) -> FieldOverride {
        FieldOverride { card: card.to_owned(), id, slot, text: text.to_owned() }
    }

    #[test]
    fn a_field_gets_another_text_and_the_rest_stays() {
        let deck = b"PSHELL,3,1,2.5,1\nPSHELL,4,1,2.5,1\n".to_vec();
        let mut file = read_cards_from("t.bdf", deck, &mut |_| unreachable!()).output;
        let problems = file.override_fields(&[set("pshell", 3, 2, "4.0"), set("PSHELL", 4, 5, "1.2")]);
        assert!(problems.is_empty());
        let mut buffer = FieldBuffer::new();
        let texts = |fields: Fields<'_>| {
            fields.iter().map(|f| String::from_utf8_lossy(f.text).into_owned()).collect::<Vec<_>>()
        };
        assert_eq!(texts(file.fields(&file.cards[0], &mut buffer)), ["3", "1", "4.0", "1"]);
        assert_eq!(texts(file.fields(&file.cards[1], &mut buffer)), ["4", "1", "2.5", "1", "", "1.2"]);
    }

    #[test]
    fn an_override_of_nothing_is_an_error() {
        let mut file = read_cards_from("t.bdf", b"PSHELL,3,1,2.5\n".to_vec(), &mut |_| unreachable!()).output;
        let problems = file.override_fields(&[set("PSHELL", 5, 2, "4.0")]);
        let headlines: Vec<_> = problems.iter().map(|d| d.headline()).collect();
        let hints: Vec<_> = problems.iter().flat_map(|d| &d.hints).collect();
        assert_eq!(hints, ["the deck has one PSHELL, with another id"]);
        assert_eq!(headlines, ["there is no PSHELL 5, whose field 4 should become 4.0"]);
    }

    #[test]
    fn fields_are_found_by_the_names_their_readers_use() {
        let mut names = Names::default();
        names.properties.insert(3, "Upper skin v1.2".to_owned());
        let slot = |name: &str| FieldOverride::parse(name, "1.", &names).map(|o| o.slot);
        assert_eq!(slot("PSHELL.3.T"), Ok(2));
        assert_eq!(slot("pshell.3.nsm"), Ok(7));
        assert_eq!(FieldOverride::parse("PSHELL.upper skin v1.2.T", "1.", &names).map(|o| o.id), Ok(3));
        assert!(slot("PSHELL.skin.T").unwrap_err().hints[0].contains("Upper skin"));
        assert_eq!(slot("MAT1.1.E"), Ok(1));
        assert_eq!(slot("MAT1.1.RHO"), Ok(4));
        assert_eq!(slot("PBAR.1.A"), Ok(2));
        assert_eq!(slot("CONM2.7.M"), Ok(3));
        assert_eq!(slot("PBUSH.7.4"), Ok(2));
        let problem = slot("PSHELL.3.THICK").unwrap_err();
        assert_eq!(problem.message, "PSHELL has no field `THICK`");
        assert!(problem.hints[0].starts_with("its fields are MID1, T,"), "{problem:?}");
        assert!(slot("PSHELL.3").unwrap_err().hints[0].contains("CARD.ID.FIELD"));
    }
}
