//! The reduced link: the contract between reduction, which writes it, and dynamics, which reads it.
//!
//! A link has its frame L on the inboard interface, where u = 0, and elastic coordinates q with u = V q.
//! Nothing of mesh size is kept here: [`ReducedLink`] holds the small matrices, the rows of V at the outboard
//! interfaces, and the [`Invariants`] from which [`InertiaTerms`] makes the inertia of the moving, deforming
//! link. The derivation is in `docs/theory/floating-frame.md`.
//!
//! | modules | what they hold |
//! |---|---|
//! | `reduced`, `rigid`, `rail` | the link; a rigid one; the rail that a sliding joint grips |
//! | `invariants`, `moments`, `second_order`, `chord` | integrals over the mesh, once for each link |
//! | `inertia`, `second_order_terms`, `quadratic`, `products` | what a time step computes from them |
//! | `slopes` | the same to first order about the undeformed link |
#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]

mod chord;
mod inertia;
mod invariants;
mod moments;
mod products;
mod quadratic;
mod rail;
mod reduced;
mod rigid;
mod second_order;
mod second_order_terms;
mod slopes;

pub use chord::{Chord, ChordMotion};
pub use inertia::{InertiaTerms, LinkMotion};
pub use invariants::{Invariants, NodalMass};
pub use products::{Panel, add_products_below, dot, multiply_rows};
pub use quadratic::QuadraticMap;
pub use rail::Rail;
pub use reduced::{Coordinate, Interface, LinkError, ReducedLink};
pub use second_order::{AffineField, SecondOrderMass};
pub use slopes::LinkSlopes;
