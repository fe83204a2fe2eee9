//! Nastran bulk data: text → cards → typed deck → `LinkMesh`.
//!
//! The lower half reads bytes into [`Card`]s without taking them apart ([`read_cards`]), takes a card apart
//! on demand ([`CardFile::fields`]) and reads fields as numbers and words ([`Reader`]). Every problem becomes
//! a [`Diagnostic`](pliant_diag::Diagnostic) with its location; nothing stops at the first.

mod begin;
mod card;
mod cards;
mod continuation;
mod control;
mod deck;
mod field;
mod include;
mod line;
mod list;
mod names;
mod number;
mod overrides;
mod read;
mod replicate;
mod resolve;
mod scan;
pub mod section;
mod typed;
mod write;

pub use card::{Card, CardName};
pub use control::Control;
pub use deck::{
    CardCount, CardStatus, Deck, DefaultGroup, DefaultProperties, Options, deck_from_cards, read, read_with,
};
pub use field::{Field, FieldBuffer, Fields};
pub use list::{IdList, IdRange};
pub use number::{parse_integer, parse_real};
pub use overrides::FieldOverride;
pub use read::{CardFile, Part, read_cards, read_cards_from, read_cards_of};
pub use typed::Reader;
pub use write::{inexpressible, write};
