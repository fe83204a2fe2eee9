//! Verification of the shells on problems with published answers. Run with `--nocapture` to see the tables.

mod cantilevers;
mod convergence;
mod corner_forces;
mod corner_stress;
mod decks;
mod macneal_harder;
mod mixed;
mod msc;
mod nafems;
mod plates;
mod tapered;
mod thermal;
mod torsion;
mod tubes;
