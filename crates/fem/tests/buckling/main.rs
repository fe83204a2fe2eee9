//! Buckling loads against closed forms: columns, frames, lateral buckling, plates; beams, shells and solids.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod columns;
mod deck;
mod lateral;
mod plates;
