//! The identity of a request: bytes that are equal exactly when two requests ask for the same link.
//!
//! The encoding is written out here, field by field with names, so that it depends on no formatting of the
//! language or of a library. Every structure is taken apart without `..`: a new field does not compile before
//! it has its line. Locations and the name of the link are no part of what is asked for.
//!
//! ```text
//! number   'f' 8 bytes of IEEE 754, little endian          text     's' length as u64, little endian, UTF-8
//! count    'u' u64, little endian                           option   '0', or '1' and the value
//! list     'l' length as u64, the values                    variant  'e' its name as text, its fields
//! fields   each its name as text, its value                 end of a structure or variant  '.'
//! ```

use std::path::{Path, PathBuf};

use pliant_mesh::{SetId, Units};

use super::*;
use crate::interface::{Region, RegionShape};

/// Raised when this encoding changes.
pub const REQUEST_VERSION: u32 = 2;

/// What an identity is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdentityOf {
    /// All that determines the reduced link but the contents of its files, which have to be added: neither
    /// their paths nor the checks that may fail matter.
    ReducedLink,
    /// All that determines what a caller gets as long as no file changes: paths and accepted checks as well.
    Request,
}

impl LinkRequest {
    /// The identity of this request, see [`IdentityOf`].
    pub fn identity(&self, of: IdentityOf) -> Vec<u8> {
        let mut encoder = Encoder { bytes: Vec::new(), of };
        encoder.count(u64::from(REQUEST_VERSION));
        self.encode(&mut encoder);
        encoder.bytes
    }
}

struct Encoder {
    bytes: Vec<u8>,
    of: IdentityOf,
}

impl Encoder {
    fn count(&mut self, count: u64) {
        self.bytes.push(b'u');
        self.bytes.extend(count.to_le_bytes());
    }

    fn text(&mut self, text: &[u8]) {
        self.bytes.push(b's');
        self.bytes.extend((text.len() as u64).to_le_bytes());
        self.bytes.extend(text);
    }

    fn variant(&mut self, name: &str) {
        self.bytes.push(b'e');
        self.text(name.as_bytes());
    }

    fn end(&mut self) {
        self.bytes.push(b'.');
    }
}

trait Encode {
    fn encode(&self, to: &mut Encoder);
}

/// Fields by name.
macro_rules! fields {
    ($to:ident: $($field:ident),*) => {
        $(
            $to.text(stringify!($field).as_bytes());
            Encode::encode($field, $to);
        )*
        $to.end();
    };
}

/// A structure of encoded fields, all of them but those after `without`.
macro_rules! structure {
    ($type:ty { $($field:ident),+ } $(without $($left_out:ident),+)?) => {
        impl Encode for $type {
            fn encode(&self, encoder: &mut Encoder) {
                let Self { $($field,)+ $($($left_out: _,)+)? } = self;
                fields!(encoder: $($field),+);
            }
        }
    };
}

/// An enumeration whose variants hold values: one by position, or several by name.
macro_rules! variants {
    ($type:ty { $($variant:ident $(($one:ident))? $({ $($field:ident),+ })?),+ }) => {
        impl Encode for $type {
            fn encode(&self, encoder: &mut Encoder) {
                match self {
                    $(Self::$variant $(($one))? $({ $($field),+ })? => {
                        encoder.variant(stringify!($variant));
                        fields!(encoder: $($one)? $($($field),+)?);
                    })+
                }
            }
        }
    };
}

impl Encode for f64 {
    fn encode(&self, to: &mut Encoder) {
        to.bytes.push(b'f');
        to.bytes.extend(self.to_bits().to_le_bytes());
    }
}

impl Encode for u32 {
    fn encode(&self, to: &mut Encoder) {
        to.count(u64::from(*self));
    }
}

impl Encode for usize {
    fn encode(&self, to: &mut Encoder) {
        to.count(*self as u64);
    }
}

impl Encode for bool {
    fn encode(&self, to: &mut Encoder) {
        to.count(u64::from(*self));
    }
}

impl Encode for String {
    fn encode(&self, to: &mut Encoder) {
        to.text(self.as_bytes());
    }
}

impl Encode for PathBuf {
    fn encode(&self, to: &mut Encoder) {
        match to.of {
            IdentityOf::ReducedLink => to.text(b""),
            IdentityOf::Request => to.text(Path::as_os_str(self).as_encoded_bytes()),
        }
    }
}

impl<T: Encode> Encode for Option<T> {
    fn encode(&self, to: &mut Encoder) {
        match self {
            None => to.bytes.push(b'0'),
            Some(value) => {
                to.bytes.push(b'1');
                value.encode(to);
            }
        }
    }
}

impl<T: Encode> Encode for [T] {
    fn encode(&self, to: &mut Encoder) {
        to.bytes.push(b'l');
        to.bytes.extend((self.len() as u64).to_le_bytes());
        self.iter().for_each(|value| value.encode(to));
    }
}

impl<T: Encode> Encode for Vec<T> {
    fn encode(&self, to: &mut Encoder) {
        self.as_slice().encode(to);
    }
}

impl<T: Encode, const N: usize> Encode for [T; N] {
    fn encode(&self, to: &mut Encoder) {
        self.as_slice().encode(to);
    }
}

impl<A: Encode, B: Encode> Encode for (A, B) {
    fn encode(&self, to: &mut Encoder) {
        self.0.encode(to);
        self.1.encode(to);
    }
}

impl<T: Encode> Encode for Located<T> {
    fn encode(&self, to: &mut Encoder) {
        let Self { value, source: _ } = self;
        value.encode(to);
    }
}

impl Encode for nalgebra::Vector3<f64> {
    fn encode(&self, to: &mut Encoder) {
        [self.x, self.y, self.z].encode(to);
    }
}

impl Encode for SetId {
    fn encode(&self, to: &mut Encoder) {
        self.0.encode(to);
    }
}

impl Encode for LinkRequest {
    fn encode(&self, to: &mut Encoder) {
        let Self {
            name: _,
            origin: _,
            source,
            units,
            interfaces,
            rail,
            basis,
            modes,
            residuals,
            damping,
            mass,
            second_order,
            accept,
        } = self;
        let none = Vec::new();
        let accept = if to.of == IdentityOf::Request { accept } else { &none };
        fields!(to: source, units, interfaces, rail, basis, modes, residuals, damping, mass, second_order, accept);
    }
}

impl Encode for DeckSource {
    fn encode(&self, to: &mut Encoder) {
        let Self { files, mesh, overrides, material, thickness, groups } = self;
        // Decks that are read as one are known by their contents, in the order they are read.
        let none = Vec::new();
        let files = if to.of == IdentityOf::Request { files } else { &none };
        fields!(to: files, overrides, material, thickness, groups);
        // A deck without it has the bytes that it had before there were STEP files.
        if let Some(mesh) = mesh {
            mesh.encode(to);
        }
    }
}

structure!(PartMesh { size, order, refine });

structure!(DeckSegment { cuts, number });
structure!(IsotropicMaterial { e, nu, rho });
structure!(GroupProperty { material, thickness });
structure!(BeamSource { path, tip_offset, section, orientation, material, elements, element } without origin);
structure!(RigidSource { mass, centre, inertia, products, interfaces } without origin);
structure!(ImportedSource { deck, stiffness, mass, matrices } without origin);
structure!(Interfaces { inboard, outboard });
structure!(InterfaceRequest { grids, spider, centre, axes });
structure!(RailRequest { stations, radius, from, to } without origin);
structure!(Damping { ratio, rayleigh });
structure!(Rayleigh { alpha, beta });
structure!(Units { length, mass, time });
structure!(Region { shape, tolerance });
variants!(BasisKind { CraigBampton, Cantilever, ClampedClamped, Guyan, FreeFree });
variants!(SecondOrderKind { Off, Full, Chord });
variants!(MassKind { Consistent, Coupled, Lumped });
variants!(Spider { Rigid, Average });
variants!(BeamElement { Hermite, LinearReduced, LinearFull });
variants!(LinkSource { Deck { deck, segment }, Beam(beam), Rigid(rigid), Imported(imported) });
variants!(OverrideValue { Number(number), Text(text) });
variants!(BeamPath { Straight(length), Kinked(points) });
variants!(Section {
    Tube { od, t },
    Rod { diameter },
    Box { width, height, t },
    Bar { width, height },
    Values { area, i1, i2, j, k }
});
variants!(Matrices { Dmig, Op4 { file, rows }, Sid });
variants!(Grids { One(grid), Several(grids), Set(set), NamedSet(name), Hole(name), On(region) });
variants!(RegionShape {
    Cylinder { axis, through, radius, along },
    Plane { normal, through, radius },
    Box { from, to },
    Sphere { centre, radius, surface }
});
variants!(RailStations { Grids(grids), Line { ends, count }, Beam });
variants!(Modes { Count(count), Below(hz), Accurate { error, up_to_hz } });
variants!(ResidualLoad { Interface { interface, axis }, Gravity(axis), Deck(set) });
variants!(DampingRatio { Constant(ratio), PerMode(ratios), Table(pairs) });
