//! Ids are the user's numbers, indices are our rows. They never mix.

macro_rules! id {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $name(pub u32);

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }
    )+};
}

macro_rules! index {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $name(pub u32);

        impl $name {
            /// The row as `usize`.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl From<usize> for $name {
            fn from(row: usize) -> Self {
                Self(u32::try_from(row).expect("invariant: a mesh has fewer than 2³² parts of a kind"))
            }
        }
    )+};
}

id! {
    /// GRID or SPOINT number.
    GridId,
    /// Element number.
    ElementId,
    /// Property number.
    PropertyId,
    /// Material number.
    MaterialId,
    /// Coordinate system number; 0 is the basic frame.
    CoordId,
    /// Number of a set of loads, constraints or other cards.
    SetId,
}

index! {
    /// Row in [`LinkMesh::nodes`](crate::LinkMesh::nodes).
    NodeIndex,
    /// Row in [`LinkMesh::properties`](crate::LinkMesh::properties).
    PropertyIndex,
    /// Row in [`LinkMesh::materials`](crate::LinkMesh::materials).
    MaterialIndex,
    /// Row in [`LinkMesh::coordinates`](crate::LinkMesh::coordinates); row 0 is the basic frame.
    CoordIndex,
}

impl NodeIndex {
    /// Stands for a mid-side node that an element leaves out.
    pub const NONE: Self = Self(u32::MAX);

    /// False for a left-out mid-side node.
    pub fn is_some(self) -> bool {
        self != Self::NONE
    }
}

impl CoordIndex {
    /// The basic frame.
    pub const BASIC: Self = Self(0);
}
