//! Contact and glue: cards that join surfaces or bodies without a common grid. A link without them is another
//! structure, so they are refused where they act, in words that name what they join.

use pliant_diag::Diagnostic;

use crate::control::Control;
use crate::field::Fields;
use crate::number::parse_integer;

/// What a card of contact or glue does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Contact {
    /// Joins things. The command that selects it, empty when it always acts.
    Joins { verb: &'static str, command: &'static str, what: &'static str, layout: Layout },
    /// A surface or body, or numbers for those that join: nothing is joined by it alone.
    Part,
}

/// Where the two sides stand on a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// A pair in these slots.
    Pair(usize, usize),
    /// A pair in these slots of every line.
    PairOfLines(usize, usize),
    /// Every number behind the first.
    List,
}

/// The entry of a card, when it is one of contact or glue.
pub(crate) fn contact(name: &str) -> Option<Contact> {
    use Layout::{List, Pair, PairOfLines};
    let joins = |verb, command, what, layout| Some(Contact::Joins { verb, command, what, layout });
    match name {
        // NX: sets of pairs of regions.
        "BGSET" => joins("glues", "BGSET", "region", PairOfLines(1, 2)),
        "BCTSET" => joins("lets touch", "BCSET", "region", PairOfLines(1, 2)),
        // MSC: pairs of bodies, and tables of such pairs.
        "BCONECT" => joins("joins by contact or glue", "BCONTACT", "body", Pair(3, 4)),
        "BCTABL1" => joins("joins by contact or glue the pairs of BCONECT", "BCONTACT", "", List),
        "BCTABLE" => joins("joins by contact or glue", "BCONTACT", "body", List),
        "BCONTACT" => joins("joins by contact or glue", "BCONTACT", "body", List),
        // Slide lines, and the contacts of other dialects, need no command.
        "BCONP" => joins("lets touch", "", "region", Pair(1, 2)),
        "TIE" => joins("glues", "", "set", Pair(1, 2)),
        "CONTACT" => joins("lets touch", "", "set", Pair(3, 4)),
        "BSURF" | "BSURFS" | "BCPROP" | "BCPROPS" | "BCBODY" | "BCBODY1" | "BCGRID" | "BCSEG" | "BCRGSRF"
        | "BCPATCH" | "BCBZIER" | "BCNURBS" | "BCNURB2" | "BCMATL" | "BCRIGID" | "BCTRIM" | "BCPARA"
        | "BCTPARM" | "BCTPARA" | "BGPARM" | "BCONPRG" | "BCONPRP" | "BCONCHK" | "BCHANGE" | "BCMOVE"
        | "BCSCAP" | "BCAUTOP" | "BCTADD" | "BGADD" | "BCONUDS" | "BCBMRAD" | "BFRIC" | "BLSEG"
        | "BWIDTH" | "BSQUEAL" | "CONTPRM" => Some(Contact::Part),
        _ => None,
    }
}

/// What a card of contact or glue would have joined: an error when it acts, a note when nothing selects it.
pub(crate) fn about(contact: Contact, fields: &Fields<'_>, control: &Control) -> Option<Diagnostic> {
    let Contact::Joins { verb, command, what, layout } = contact else { return None };
    let joined = joined(layout, what, fields);
    if acts(command, control) {
        return Some(Diagnostic::error(format!("{verb} {joined}: contact and glue are not supported")).hint(
            "join the parts by common grids, rigid elements or springs; otherwise nothing connects them",
        ));
    }
    let message = format!("has no effect: no {command} command selects it (it {verb} {joined})");
    Some(Diagnostic::note(message))
}

/// True when the case selects it, or when that cannot be known: no case control, or a solution with contact
/// of its own.
fn acts(command: &str, control: &Control) -> bool {
    let linear = matches!(control.case.solution, None | Some(101 | 103 | 105 | 107..=112));
    command.is_empty()
        || control.case.subcases.is_empty()
        || !linear
        || control.contacts.iter().any(|(name, _)| name == command)
}

/// `region 11 to region 12, region 13 to region 14`.
fn joined(layout: Layout, what: &str, fields: &Fields<'_>) -> String {
    let id = |slot: usize| parse_integer(fields.get(slot).text);
    let pair = |(a, b): (usize, usize)| Some(format!("{what} {} to {what} {}", id(a)?, id(b)?));
    let all: Vec<String> = match layout {
        Layout::Pair(a, b) => pair((a, b)).into_iter().collect(),
        Layout::PairOfLines(a, b) => {
            (0..fields.len()).step_by(8).filter_map(|line| pair((line + a, line + b))).collect()
        }
        Layout::List => {
            let one = |slot| Some(format!("{what} {}", id(slot)?).trim_start().to_owned());
            (1..fields.len()).filter_map(one).collect()
        }
    };
    let more = if all.len() > 4 { ", …" } else { "" };
    match all.len() {
        0 => format!("a {what} that it does not name"),
        _ => format!("{}{more}", all[..all.len().min(4)].join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use crate::{Options, deck_from_cards, read_cards_from};

    fn problems(deck: &str) -> Vec<String> {
        let cards = read_cards_from("t.bdf", deck.as_bytes().to_vec(), &mut |_| unreachable!());
        let deck = deck_from_cards(cards, &Options::default());
        deck.diagnostics.iter().map(|d| format!("{} {}", d.severity.as_str(), d.headline())).collect()
    }

    #[test]
    fn what_a_selected_glue_joins_is_said() {
        let found = problems("SOL 101\nCEND\nBGSET=1\nBEGIN BULK\nBGSET,1,11,12,.1,,,,\n,,13,14\n");
        let glue = "error BGSET 1: glues region 11 to region 12, region 13 to region 14: contact and glue are not supported";
        assert_eq!(found, [glue]);
        let found = problems("SOL 101\nCEND\nBCONTACT=5\nBEGIN BULK\nBCONECT,1,2,3,7,8\nBCTABL1,5,1\n");
        assert!(found[0].contains("BCONECT 1: joins by contact or glue body 7 to body 8"), "{found:?}");
        assert!(found[1].contains("BCTABL1 5: joins by contact or glue the pairs of BCONECT 1"), "{found:?}");
    }

    #[test]
    fn what_no_command_selects_is_a_note() {
        let found = problems("SOL 101\nCEND\nSPC=1\nBEGIN BULK\nBCTSET,1,11,12\nBSURFS,11,1,,,5\n");
        assert!(
            found[0].starts_with("note BCTSET 1: has no effect: no BCSET command selects it"),
            "{found:?}"
        );
        assert!(found.iter().all(|problem| problem.starts_with("note")), "{found:?}");
    }

    #[test]
    fn without_case_control_glue_may_act() {
        assert!(problems("BGSET,1,11,12\n")[0].starts_with("error"));
        assert!(
            problems("SOL 101\nCEND\nBCONTACT=ALLBODY\nBEGIN BULK\nBCBODY1,1,,DEFORM,5\n")[0]
                .starts_with("error")
        );
    }
}
