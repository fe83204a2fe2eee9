//! Loops compiled for the widest registers that the processor has, with the same bits on every machine.
//!
//! Only the order of sums that is written decides the bits; `mul_add` is one instruction on every processor
//! of the last ten years, and a slow function with the same bits on older ones.
//!
//! | for | use |
//! |---|---|
//! | loops that the compiler vectorises | a [`Kernel`] in [`with_wide_registers`] |
//! | sums whose order is written in eights | [`Lanes`] and [`widest!`] |

mod dispatch;
mod lanes;

pub use dispatch::{Kernel, with_wide_registers};
pub use lanes::{Eights, Lanes, fused, fused_times, load, store, total};
