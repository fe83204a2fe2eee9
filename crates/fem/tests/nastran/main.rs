//! Every `modes` and `static` run of the reference decks of ../shared/nastran, its masses, and its RBE3
//! coefficients.

#![expect(clippy::unwrap_used, reason = "reference data that cannot be read fails the test")]

mod masses;
mod mixed_deck;
mod modes;
mod rbe3;
mod reference;
mod statics;
