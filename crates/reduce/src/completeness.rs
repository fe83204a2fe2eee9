//! Whether the modes of a link are all that there are up to the last of them.
//!
//! Lanczos' method finds modes; it does not know of those it did not find. A Sturm count does: the inertia of
//! K − σM is the number of modes below σ. It takes one more elimination, which is worth while as long as that
//! is a small part of the reduction.

use pliant_mesh::LinkMesh;
use pliant_sparse::SymbolicInfo;

use crate::basis::Basis;
use crate::choice::DEFAULT_MODES;
use crate::request::{BasisKind, LinkRequest, Modes};

/// A Sturm count may cost this part of a reduction.
const ALLOWED: f64 = 0.1;

/// What a reduction takes for each component of the mesh and each coordinate of the link (s), and how fast a
/// factor is eliminated (1/s), on the machine of docs/performance/reduction.md: 1.2 to 1.7 µs on its ten
/// meshes of 23 thousand to a million components, 22 to 34 GF/s. The quotient says what a count costs beside
/// the rest, on that machine and on others like it; a measured time would say it better, but differently in
/// each run.
const SECONDS_PER_COORDINATE: f64 = 1.4e-6;
/// What even the smallest link takes (s): 9 ms were measured of a beam of eight elements.
const SMALLEST_REDUCTION: f64 = 5e-3;
const OPERATIONS_PER_SECOND: f64 = 25e9;
/// What partitioning K and building K_ii − σM_ii takes for each row (s), and what assembling K again takes
/// for each entry of an element matrix (s), on that machine: with them the rule has the 0.18 and 0.16 that a
/// count was measured to take of the lower arm and the knuckle (docs/performance/reduction.md).
const SECONDS_PER_ROW: f64 = 1e-6;
const SECONDS_PER_ENTRY: f64 = 1.7e-8;

/// Entries of all element matrices of a mesh; springs and masses have next to none.
pub(crate) fn element_entries(mesh: &LinkMesh) -> usize {
    let solids = mesh.solids.iter().map(|solid| 3 * solid.shape.node_count());
    let shells = mesh.shells.iter().map(|shell| 6 * shell.shape.node_count());
    let bars = mesh.bars.iter().map(|_| 12);
    solids.chain(shells).chain(bars).map(|size| size * size).sum()
}

/// The part of a reduction with so many coordinates that a Sturm count would take.
fn part_of_reduction(entries: usize, cost: &SymbolicInfo, coordinates: usize) -> f64 {
    let rows = cost.rows as f64;
    let assembly = SECONDS_PER_ENTRY * entries as f64;
    let count = cost.flops / OPERATIONS_PER_SECOND + SECONDS_PER_ROW * rows + assembly;
    count / (SMALLEST_REDUCTION + SECONDS_PER_COORDINATE * rows * coordinates.max(1) as f64)
}

/// Whether the modes that a link keeps are known to be all that there are.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Completeness {
    /// There are no modes.
    #[default]
    NoModes,
    /// This many modes lie below a frequency by a Sturm count, and all were found.
    Proven {
        /// Where they were counted (Hz).
        below_hz: f64,
        /// How many.
        modes: usize,
    },
    /// All modes that the mesh has were found.
    AllModes,
    /// They were not counted, for this reason.
    NotProven {
        /// In words.
        reason: String,
    },
}

impl Completeness {
    /// Whether none can be missing.
    pub fn is_proven(&self) -> bool {
        !matches!(self, Self::NotProven { .. })
    }

    /// Of an imported link.
    pub(crate) fn of_supplier() -> Self {
        Self::NotProven { reason: "the modes are the supplier's".to_owned() }
    }
}

impl std::fmt::Display for Completeness {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoModes => write!(f, "no modes"),
            Self::Proven { below_hz, modes } => {
                write!(f, "proven: {modes} modes below {below_hz:.1} Hz, all found")
            }
            Self::AllModes => write!(f, "proven: all modes of the mesh were found"),
            Self::NotProven { reason } => write!(f, "not proven: {reason}"),
        }
    }
}

/// How the completeness of the modes is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Proof {
    /// By a count of the modes below the last one, or below the limit asked for.
    SturmCount,
    /// Not at all: a count would take this part of the reduction.
    TooCostly(f64),
    /// Not at all: the modes are chosen by what they do to frequencies that are compared with the full mesh.
    ByAccuracy,
}

impl Proof {
    /// What the choice of modes allows; `entries` of element matrices are to be assembled for a count, `cost`
    /// is that of the factor, `interfaces` are the outboard ones.
    pub(crate) fn planned(
        request: &LinkRequest,
        entries: usize,
        cost: &SymbolicInfo,
        interfaces: usize,
    ) -> Self {
        let modes = request.modes.unwrap_or(Modes::Count(DEFAULT_MODES));
        // Modes below a limit are counted before they are searched for; free-free modes have a factor of
        // their own to count with.
        let count = match modes {
            Modes::Below(_) => return Self::SturmCount,
            _ if request.basis == BasisKind::FreeFree => return Self::SturmCount,
            Modes::Accurate { .. } => return Self::ByAccuracy,
            Modes::Count(count) => count,
        };
        let part = part_of_reduction(entries, cost, count + 6 * interfaces);
        if part <= ALLOWED { Self::SturmCount } else { Self::TooCostly(part) }
    }

    /// What came of it, for the modes of a basis; `hertz` takes ω² in deck units.
    pub(crate) fn outcome(self, basis: &Basis, hertz: impl Fn(f64) -> f64) -> Completeness {
        if basis.modes().is_empty() {
            return Completeness::NoModes;
        }
        if let Some(counted) = basis.info.sturm {
            return Completeness::Proven { below_hz: hertz(counted.shift), modes: counted.count };
        }
        // Without a shift they were found by a dense solver, all at once.
        if basis.info.exhausted || basis.info.shift.is_none() {
            return Completeness::AllModes;
        }
        let reason = match self {
            Self::SturmCount => "the modes were not counted".to_owned(),
            Self::TooCostly(part) => {
                format!("a Sturm count would take about {:.0} % of the reduction", 100.0 * part)
            }
            Self::ByAccuracy => {
                "modes are chosen by accuracy, against frequencies of the full mesh".to_owned()
            }
        };
        Completeness::NotProven { reason }
    }
}
