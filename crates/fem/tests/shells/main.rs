//! Verification of the shells on problems with published answers. Run with `--nocapture` to see the tables.

mod cantilevers;
mod convergence;
mod corner_forces;
mod macneal_harder;
mod mixed;
mod nafems;
mod plates;
mod strips;
mod thermal;
mod torsion;
