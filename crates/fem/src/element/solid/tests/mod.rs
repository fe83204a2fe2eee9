//! Tests of the solids: the contract, patch tests, and published problems.

mod block;
mod contract;
mod patch;
