//! Indices of the parts of a model, each a type of its own: a body cannot stand where an interface is meant.

use std::fmt;
use std::ops::{Index, IndexMut};

/// Defines an index and lets it index lists that hold one entry for each such part.
macro_rules! index_type {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub usize);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl<T> Index<$name> for [T] {
            type Output = T;

            #[inline]
            fn index(&self, index: $name) -> &T {
                &self[index.0]
            }
        }

        impl<T> IndexMut<$name> for [T] {
            #[inline]
            fn index_mut(&mut self, index: $name) -> &mut T {
                &mut self[index.0]
            }
        }

        impl<T> Index<$name> for Vec<T> {
            type Output = T;

            #[inline]
            fn index(&self, index: $name) -> &T {
                &self[index.0]
            }
        }

        impl<T> IndexMut<$name> for Vec<T> {
            #[inline]
            fn index_mut(&mut self, index: $name) -> &mut T {
                &mut self[index.0]
            }
        }
    };
}

index_type! {
    /// A body, in [`Model::bodies`](crate::Model::bodies) and in every list with one entry for each body.
    BodyIndex
}

index_type! {
    /// An outboard interface among those of its link.
    InterfaceIndex
}

index_type! {
    /// A joint that closes a loop, in [`Closures::joints`](crate::Closures::joints).
    LoopIndex
}

impl BodyIndex {
    /// An interface of the body's link.
    #[inline]
    pub const fn interface(self, interface: usize) -> InterfaceRef {
        InterfaceRef { body: self, interface: InterfaceIndex(interface) }
    }

    /// A coordinate of the joint that carries the body.
    #[inline]
    pub const fn coordinate(self, coordinate: usize) -> CoordinateRef {
        CoordinateRef { joint: JointRef::Carrying(self), coordinate }
    }
}

impl LoopIndex {
    /// A coordinate of the joint.
    #[inline]
    pub const fn coordinate(self, coordinate: usize) -> CoordinateRef {
        CoordinateRef { joint: JointRef::Closing(self), coordinate }
    }
}

/// An outboard interface of a body's link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InterfaceRef {
    /// Body.
    pub body: BodyIndex,
    /// Interface of its link.
    pub interface: InterfaceIndex,
}

/// A joint: the one that carries a body, or one that closes a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum JointRef {
    /// Carries this body.
    Carrying(BodyIndex),
    /// Closes a loop.
    Closing(LoopIndex),
}

/// A coordinate of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CoordinateRef {
    /// The joint.
    pub joint: JointRef,
    /// Its coordinate, from zero.
    pub coordinate: usize,
}

/// Where a joint coordinate stands in a state. Positions have more entries than velocities where a joint has
/// a quaternion, so that the two differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateEntry {
    /// Among the positions.
    pub position: usize,
    /// Among the velocities and accelerations.
    pub velocity: usize,
}
