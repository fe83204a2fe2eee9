//! Tests of the solids: the contract, patch tests, and published problems.

mod block;
mod contract;
mod convergence;
mod incompressible;
mod macneal_harder;
mod nafems;
mod patch;
mod pressure;
mod projected;
mod solve;
mod thermal;
