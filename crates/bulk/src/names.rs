//! Names in comments: what preprocessors call their properties, materials and sets.
//!
//! ```text
//! $HMNAME PROP                   3"Upper skin" 4        HyperMesh; MAT likewise, and
//! $HMSET        7        1 "bolts"                      sets of grids (type 1)
//! $ Femap with NX Nastran Property 3 : Upper skin       Femap; Material likewise
//! $ Elements and Element Properties for region : skin   Patran: of the property card that follows
//! ```

use pliant_mesh::Names;

use crate::card::Card;
use crate::field::FieldBuffer;
use crate::number::parse_integer;
use crate::read::CardFile;

/// What a comment names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NameComment {
    Property(u32, String),
    Material(u32, String),
    Set(u32, String),
    /// The property whose card comes next.
    NextProperty(String),
}

/// Reads a comment line.
#[inline]
pub(crate) fn parse(line: &[u8]) -> Option<NameComment> {
    let rest = line.trim_ascii().strip_prefix(b"$")?.trim_ascii_start();
    // Nearly all comments end here.
    if !matches!(rest.first(), Some(b'H' | b'F' | b'E')) {
        return None;
    }
    named(std::str::from_utf8(rest).ok()?)
}

fn named(text: &str) -> Option<NameComment> {
    if let Some(rest) = text.strip_prefix("HMNAME ") {
        let (kind, rest) = rest.trim_start().split_once(char::is_whitespace)?;
        let (number, name) = rest.split_once('"')?;
        let (number, name) = (number.trim().parse().ok()?, name.split('"').next()?.trim().to_owned());
        return match kind {
            _ if name.is_empty() => None,
            "PROP" => Some(NameComment::Property(number, name)),
            "MAT" => Some(NameComment::Material(number, name)),
            _ => None,
        };
    }
    if let Some(rest) = text.strip_prefix("HMSET ") {
        let (numbers, name) = rest.split_once('"')?;
        let mut numbers = numbers.split_whitespace();
        let number = numbers.next()?.parse().ok()?;
        // Type 1: nodes.
        (numbers.next()? == "1").then_some(())?;
        let name = name.split('"').next()?.trim().to_owned();
        return (!name.is_empty()).then_some(NameComment::Set(number, name));
    }
    if let Some(name) = text.strip_prefix("Elements and Element Properties for region") {
        let name = name.trim_start().strip_prefix(':')?.trim().to_owned();
        return (!name.is_empty()).then_some(NameComment::NextProperty(name));
    }
    let rest = text.strip_prefix("Femap ")?;
    let (head, name) = rest.split_once(':')?;
    let mut words = head.split_whitespace().rev();
    let number = words.next()?.parse().ok()?;
    let name = name.trim().to_owned();
    match words.next()? {
        _ if name.is_empty() => None,
        "Property" => Some(NameComment::Property(number, name)),
        "Material" => Some(NameComment::Material(number, name)),
        _ => None,
    }
}

/// The names of a deck. `comments` come with the number of cards above each.
pub(crate) fn collect(file: &CardFile, comments: Vec<(NameComment, usize)>) -> Names {
    let mut names = Names::default();
    let mut buffer = FieldBuffer::new();
    for (comment, cards_above) in comments {
        match comment {
            NameComment::Property(number, name) => names.properties.insert(number, name),
            NameComment::Material(number, name) => names.materials.insert(number, name),
            NameComment::Set(number, name) => names.sets.insert(number, name),
            NameComment::NextProperty(name) => {
                let next: Option<&Card> = file.cards.get(cards_above).filter(|c| c.name().starts_with('P'));
                let number = next.and_then(|card| parse_integer(file.fields(card, &mut buffer).get(0).text));
                number.and_then(|number| names.properties.insert(u32::try_from(number).ok()?, name))
            }
        };
    }
    names
}

#[cfg(test)]
mod tests {
    use crate::read_cards_from;

    #[test]
    fn names_of_three_preprocessors() {
        let deck = concat!(
            "$HMNAME MAT                    1\"Steel\" \"MAT1\"\n$HMNAME PROP                   3\"Upper skin\" 4\n",
            "$HMNAME COMP                   9\"part\"\n$HMSET        7        1 \"bolts\" 18\n$HMSET 8 2 \"cells\"\n",
            "$ Femap with NX Nastran Property 213 : L_250X125\n$ Femap Material 2 : Alu: 6061\n",
            "$ Elements and Element Properties for region : Shear Panels\n$ Pset: \"x\"\nPSHELL,11,1,2.\n",
            "$ Elements and Element Properties for region : nothing\nGRID,1\n$HMNAME PROP 5 no quotes\n",
        );
        let file = read_cards_from("t.bdf", deck.as_bytes().to_vec(), &mut |_| unreachable!()).output;
        let shown = |names: &std::collections::BTreeMap<u32, String>| {
            names.iter().map(|(number, name)| format!("{number} {name}")).collect::<Vec<_>>().join(", ")
        };
        assert_eq!(shown(&file.names.properties), "3 Upper skin, 11 Shear Panels, 213 L_250X125");
        assert_eq!(shown(&file.names.materials), "1 Steel, 2 Alu: 6061");
        assert_eq!(shown(&file.names.sets), "7 bolts");
    }
}
