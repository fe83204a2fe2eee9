//! The reduced link.

use nalgebra::{DMatrix, Matrix6xX};
use pliant_spatial::Transform;
use thiserror::Error;

use crate::{Invariants, Rail};

/// What an elastic coordinate stands for.
#[derive(Clone, Debug, PartialEq)]
pub enum Coordinate {
    /// A component (1 to 6, Nastran's order, in link axes) of the displacement of an outboard interface.
    Interface {
        /// Index into [`ReducedLink::interfaces`].
        interface: usize,
        /// 1 to 6.
        component: u8,
    },
    /// A mode with its frequency under the boundary conditions of the basis (Hz).
    Mode {
        /// Frequency (Hz).
        freq_hz: f64,
    },
}

/// An outboard interface: the frame to which a child link, a payload or a load attaches.
#[derive(Clone, Debug, PartialEq)]
pub struct Interface {
    /// Name by which joints refer to it.
    pub name: String,
    /// The triad of the undeformed link in L.
    pub X_LT: Transform,
    /// Rows of V at the interface node, 6×n, translation first, in link axes; of a link that is linear in its
    /// chord, in the frame of the chord.
    pub V: Matrix6xX<f64>,
    /// Second-order displacement: for each of the 6 components in link axes the symmetric n×n matrix G_c of
    /// `d_c(q) = (Vq)_c − ½ qᵀ G_c q`. `None`: first order.
    pub G: Option<Box<[DMatrix<f64>; 6]>>,
}

/// A link reduced to interface coordinates and modes: `u = V q`, zero at the inboard interface, which carries
/// the link frame L. All matrices in link axes and SI.
#[derive(Clone, Debug, PartialEq)]
pub struct ReducedLink {
    /// Name.
    pub name: String,
    /// Outboard interfaces.
    pub interfaces: Vec<Interface>,
    /// What each elastic coordinate is, n of them.
    pub coordinates: Vec<Coordinate>,
    /// `VᵀKV`, n×n, symmetric positive semidefinite.
    pub K: DMatrix<f64>,
    /// Damping in reduced coordinates, n×n, symmetric.
    pub D: DMatrix<f64>,
    /// Inertia.
    pub invariants: Invariants,
    /// A length that tells large deformation from small: the largest distance of a node from L (m).
    pub size: f64,
    /// The line along which a sliding joint can grip it.
    pub rail: Option<Rail>,
}

/// Why a reduced link cannot be used.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum LinkError {
    /// A matrix has the wrong shape.
    #[error("link `{link}`: {what} is {found:?}, expected {expected:?}")]
    Shape {
        /// Link.
        link: String,
        /// Which matrix.
        what: String,
        /// Rows and columns found.
        found: (usize, usize),
        /// Rows and columns expected.
        expected: (usize, usize),
    },
    /// A number is not finite, or an invariant block has the wrong shape.
    #[error("link `{link}`: {what} is malformed or not finite")]
    Malformed {
        /// Link.
        link: String,
        /// Which matrix.
        what: String,
    },
    /// A matrix that must be symmetric is not.
    #[error("link `{link}`: {what} is not symmetric: relative difference {difference:.3e}")]
    Unsymmetric {
        /// Link.
        link: String,
        /// Which matrix.
        what: String,
        /// Largest |a_ij − a_ji| over the largest |a_ij|.
        difference: f64,
    },
    /// Two interfaces share a name.
    #[error("link `{link}`: two interfaces are called `{name}`")]
    DuplicateInterface {
        /// Link.
        link: String,
        /// The name.
        name: String,
    },
}

impl ReducedLink {
    /// Number of elastic coordinates.
    pub fn coordinate_count(&self) -> usize {
        self.coordinates.len()
    }

    /// The interface of that name.
    pub fn interface(&self, name: &str) -> Option<usize> {
        self.interfaces.iter().position(|i| i.name == name)
    }

    /// The same link without elasticity: its inertia and interfaces at the undeformed shape.
    #[must_use]
    pub fn rigidified(&self) -> Self {
        let interfaces = self.interfaces.iter().map(|i| Interface {
            name: i.name.clone(),
            X_LT: i.X_LT,
            V: Matrix6xX::zeros(0),
            G: None,
        });
        Self {
            name: self.name.clone(),
            interfaces: interfaces.collect(),
            coordinates: Vec::new(),
            K: DMatrix::zeros(0, 0),
            D: DMatrix::zeros(0, 0),
            invariants: Invariants::rigid(self.invariants.M0),
            size: self.size,
            rail: None,
        }
    }

    /// Checks shapes, finite numbers and symmetry. Every writer of a link calls it, and so does the
    /// mechanism.
    ///
    /// # Errors
    /// The first violation found.
    pub fn validate(&self) -> Result<(), LinkError> {
        let n = self.coordinate_count();
        let link = || self.name.clone();
        if self.invariants.coordinates() != n || !self.invariants.well_formed() {
            return Err(LinkError::Malformed { link: link(), what: "invariants".into() });
        }
        if !(self.size.is_finite() && self.size >= 0.0) {
            return Err(LinkError::Malformed { link: link(), what: "size".into() });
        }
        let square = |what: &str, m: &DMatrix<f64>| {
            if m.shape() != (n, n) {
                let (found, expected) = (m.shape(), (n, n));
                return Err(LinkError::Shape { link: link(), what: what.into(), found, expected });
            }
            if m.iter().any(|x| !x.is_finite()) {
                return Err(LinkError::Malformed { link: link(), what: what.into() });
            }
            let largest = m.amax();
            let difference = (m - m.transpose()).amax();
            // Writers symmetrise; 1e-9 leaves room for a matrix that went through a text file.
            if difference > 1e-9 * largest {
                let difference = difference / largest;
                return Err(LinkError::Unsymmetric { link: link(), what: what.into(), difference });
            }
            Ok(())
        };
        square("K", &self.K)?;
        square("D", &self.D)?;
        square("VᵀMV", &self.invariants.M_EE)?;
        for (i, interface) in self.interfaces.iter().enumerate() {
            if self.interfaces[..i].iter().any(|other| other.name == interface.name) {
                return Err(LinkError::DuplicateInterface { link: link(), name: interface.name.clone() });
            }
            if interface.V.ncols() != n {
                let what = format!("V of interface `{}`", interface.name);
                let (found, expected) = (interface.V.shape(), (6, n));
                return Err(LinkError::Shape { link: link(), what, found, expected });
            }
            let triad = interface.X_LT.R.iter().chain(interface.X_LT.p.iter());
            if triad.chain(interface.V.iter()).any(|x| !x.is_finite()) {
                let what = format!("interface `{}`", interface.name);
                return Err(LinkError::Malformed { link: link(), what });
            }
            for (c, G) in interface.G.iter().flat_map(|g| g.iter()).enumerate() {
                square(&format!("G_{} of interface `{}`", c + 1, interface.name), G)?;
            }
        }
        if self.rail.as_ref().is_some_and(|rail| !rail.is_well_formed(n)) {
            return Err(LinkError::Malformed { link: link(), what: "rail".into() });
        }
        Ok(())
    }
}
