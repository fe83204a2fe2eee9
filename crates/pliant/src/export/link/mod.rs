//! A reduced link in the files of other multibody codes.
//!
//! Each kind writes its files and reads them again: [`Exported::difference`] is the largest relative
//! difference between what they say and the link, so that a file which lost something cannot pass unseen.

#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]

mod exudyn;
mod matrices;
mod mbdyn;
mod npz;
mod sid;
mod simscape;
mod support;

use std::fmt;

use pliant_diag::{Diagnostic, Diagnostics};
use pliant_link::ReducedLink;

use support::Support;

/// The code that a link is written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkKind {
    /// Standard input data (SID_FEM).
    Sid,
    /// What Exudyn's `ObjectFFRFreducedOrderInterface` loads.
    Exudyn,
    /// What Simscape's block Reduced Order Flexible Solid takes.
    Simscape,
    /// What MBDyn's joint `modal` reads.
    Mbdyn,
    /// Bulk data with DMIG.
    Dmig,
    /// Matrices in OUTPUT4, with their rows in bulk data.
    Op4,
}

impl LinkKind {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Sid, Self::Exudyn, Self::Simscape, Self::Mbdyn, Self::Dmig, Self::Op4];

    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Self::Sid => "sid",
            Self::Exudyn => "exudyn",
            Self::Simscape => "simscape",
            Self::Mbdyn => "mbdyn",
            Self::Dmig => "dmig",
            Self::Op4 => "op4",
        }
    }
}

impl fmt::Display for LinkKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// The files of a link.
#[derive(Debug)]
pub struct Exported {
    /// Endings and contents.
    pub files: Vec<(&'static str, Vec<u8>)>,
    /// Largest difference between what was read back and the link, relative to the largest number of its
    /// kind.
    pub difference: f64,
    /// What the format cannot hold.
    pub notes: Diagnostics,
}

/// Beyond this a file has lost something: the texts have ten to twelve digits.
pub(crate) const TOLERANCE: f64 = 1e-8;

/// Writes a link for another code and reads what was written.
///
/// # Errors
/// What the code cannot take, or a file that does not say what the link is.
pub fn link(link: &ReducedLink, kind: LinkKind) -> Result<Exported, Box<Diagnostic>> {
    let refused = |what: &str, hint: &str| {
        let message = format!("link `{}` cannot be written as {kind}: {what}", link.name);
        Err(Box::new(Diagnostic::error(message).hint(hint)))
    };
    if link.coordinate_count() == 0 {
        return refused("it is rigid", "a rigid link has its mass, centre and inertia in the pipeline file");
    }
    if link.invariants.chord.is_some() {
        return refused("it is linear in the frame of its chord", "leave second_order = \"chord\" out");
    }
    let mut notes = Diagnostics::new();
    let mut note =
        |what: &str| notes.push(Diagnostic::note(format!("link `{}` as {kind}: {what}", link.name)));
    if link.invariants.second_order.is_some() || link.interfaces.iter().any(|i| i.G.is_some()) {
        note("the format is linear: shortening by bending and the stiffening that goes with it stay behind");
    }
    if link.rail.is_some() {
        note("its rail is left out");
    }
    let support = || {
        Support::new(link).map_err(|why| {
            let message = format!("link `{}` cannot be written as {kind}: {why}", link.name);
            let hint = "basis = \"craig-bampton\" and \"guyan\" have them";
            Box::new(Diagnostic::error(message).hint(hint))
        })
    };
    let (files, read) = match kind {
        LinkKind::Sid => sid::write(link),
        LinkKind::Exudyn => exudyn::write(link),
        LinkKind::Mbdyn => mbdyn::write(link),
        LinkKind::Simscape => simscape::write(&support()?),
        LinkKind::Dmig => matrices::write_dmig(&support()?),
        LinkKind::Op4 => matrices::write_op4(&support()?),
    };
    let difference = match read {
        Ok(difference) => difference,
        Err(why) => {
            let message = format!("link `{}`, written as {kind}, cannot be read again: {why}", link.name);
            return Err(Box::new(Diagnostic::error(message).hint("this is a defect of Pliant")));
        }
    };
    if difference.is_nan() || difference > TOLERANCE {
        let message = format!(
            "link `{}` as {kind}: its inertia under rotation differs by {difference:.1e} from that of the link",
            link.name
        );
        let hint = "the mass of beams and of masses beside their grids couples shifting with turning, which the format lacks; that of solids does not";
        notes.push(Diagnostic::warning(message).hint(hint));
    }
    Ok(Exported { files, difference, notes })
}

/// Files with their endings, and what reading them again showed.
type Written = (Vec<(&'static str, Vec<u8>)>, Result<f64, String>);

/// Largest difference of two lists of numbers relative to the largest of the first; infinite where they
/// cannot be compared.
fn apart<'a>(expected: impl IntoIterator<Item = &'a f64>, found: impl IntoIterator<Item = &'a f64>) -> f64 {
    let (expected, found): (Vec<f64>, Vec<f64>) =
        (expected.into_iter().copied().collect(), found.into_iter().copied().collect());
    if expected.len() != found.len() {
        return f64::INFINITY;
    }
    let largest = expected.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    let difference = expected.iter().zip(&found).fold(0.0, |most: f64, (a, b)| {
        let d = (a - b).abs();
        if d.is_nan() { f64::INFINITY } else { most.max(d) }
    });
    if difference == 0.0 { 0.0 } else { difference / largest }
}

/// The largest of differences.
fn largest(differences: impl IntoIterator<Item = f64>) -> f64 {
    differences.into_iter().fold(0.0, f64::max)
}
