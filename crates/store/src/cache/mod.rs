//! The cache of reduced links: one sealed HDF5 file for each, named by the content that made it.
//!
//! An entry is built in memory, sealed with the hash of all its bytes, written under a temporary name,
//! synced, read back and renamed, so a reader finds either nothing or a complete entry whatever else runs,
//! fails or dies. The seal is verified before libhdf5 sees the file; an entry that does not hold is computed
//! again.

mod entry;
mod folder;
mod key;
mod lock;
mod seal;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::dataset::short;
use crate::new_file::NewFile;

pub use entry::{SCHEMA_VERSION, StoredLink};
pub use folder::{CacheEntry, Pruned};
pub use key::Key;
pub use lock::Lock;

/// A folder with entries.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
}

/// Why an entry cannot be read or written.
#[derive(Debug, Error)]
pub enum CacheError {
    /// The file system refuses.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// libhdf5 refuses.
    #[error("{}", short(.0))]
    Hdf5(#[from] hdf5::Error),
    /// It does not hold what it should.
    #[error("{0}")]
    Damaged(String),
}

impl Cache {
    /// A cache in a folder, which is made when it is first needed.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// The cache of this user: `$PLIANT_CACHE`, else `$XDG_CACHE_HOME/pliant`, else `~/.cache/pliant`. `None`
    /// when none of the three is set.
    pub fn of_user() -> Option<Self> {
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let folder = set("PLIANT_CACHE")
            .or_else(|| set("XDG_CACHE_HOME").map(|folder| folder.join("pliant")))
            .or_else(|| set("HOME").map(|folder| folder.join(".cache/pliant")));
        folder.map(Self::at)
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The file of an entry.
    pub fn path(&self, key: &Key) -> PathBuf {
        self.folder.join(format!("{key}.h5"))
    }

    /// The entry of a key: `None` when there is none.
    ///
    /// # Errors
    /// An entry that cannot be read, or whose seal does not hold.
    pub fn load(&self, key: &Key) -> Result<Option<StoredLink>, CacheError> {
        let path = self.path(key);
        match seal::verify(&path, key) {
            Err(CacheError::Io(error)) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
            Ok(()) => entry::read(&path).map(Some),
        }
    }

    /// Stores an entry: built in memory, sealed, written under a temporary name, synced, read back and
    /// compared, renamed.
    ///
    /// # Errors
    /// It cannot be written, or reads back differently.
    pub fn save(&self, key: &Key, stored: &StoredLink) -> Result<(), CacheError> {
        let bytes = entry::bytes(key, stored)?;
        let seal = seal::of(&bytes, &stored.link.name, key);
        fs::create_dir_all(&self.folder)?;
        let mut file = NewFile::create(&self.path(key))?;
        file.write_all(&seal)?;
        file.write_all(&bytes)?;
        file.sync()?;
        let found = seal::verify(file.temporary(), key).and_then(|()| entry::read(file.temporary()))?;
        if found.link != stored.link || found.shapes != stored.shapes || found.drawing != stored.drawing {
            return Err(CacheError::Damaged("it reads back differently".to_owned()));
        }
        Ok(file.finish()?)
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::{DMatrix, Matrix3, Matrix3xX, Matrix6, Matrix6xX, Vector3};
    use pliant_diag::Diagnostics;
    use pliant_link::{Chord, Coordinate, Interface, Invariants, Rail, ReducedLink, SecondOrderMass};
    use pliant_mesh::NodeIndex;
    use pliant_reduce::{Health, NodalShapes};
    use pliant_spatial::Transform;

    use super::*;
    use crate::Drawing;

    /// A link with all that a link may have, no two numbers of it the same.
    fn full_link() -> StoredLink {
        let mut count = 0.0;
        let mut next = || {
            count += 1.0;
            1.0 / count
        };
        let mut any = |rows, columns| DMatrix::from_fn(rows, columns, |_, _| next());
        let mut symmetric = |n| {
            let A = any(n, n);
            &A + A.transpose()
        };
        let (K, D, M_EE) = (symmetric(3), symmetric(3), symmetric(3));
        let G_interface: [DMatrix<f64>; 6] = std::array::from_fn(|_| symmetric(3));
        let M0 = Matrix6::from_iterator(symmetric(6).iter().copied());
        let invariants = Invariants {
            M0,
            C0: any(6, 3),
            A: any(18, 3),
            C: any(9, 3),
            B: any(18, 3),
            M_EE,
            second_order: Some(Box::new(SecondOrderMass {
                H: any(6, 6),
                N: any(6, 3),
                E: any(18, 3),
                curvature: any(18, 3),
                S: any(6, 1),
            })),
            chord: Some(Box::new(Chord { turns: Matrix3xX::from_iterator(3, any(3, 3).iter().copied()) })),
        };
        let R = Matrix3::new(0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0);
        let interface = |name: &str, V: DMatrix<f64>, G| Interface {
            name: name.to_owned(),
            X_LT: Transform::new(R, Vector3::new(1.0, 2.0, 3.0)),
            V: Matrix6xX::from_iterator(3, V.iter().copied()),
            G,
        };
        let interfaces = vec![
            interface("élan", any(6, 3), Some(Box::new(G_interface))),
            interface("tip", any(6, 3), None),
        ];
        let rail = Rail {
            foot: Vector3::new(0.5, -0.0, 2.0),
            direction: Vector3::x(),
            stations: vec![0.1, 0.25],
            range: (0.1, 0.2),
            V: [any(6, 3), any(6, 3)].map(|V| Matrix6xX::from_iterator(3, V.iter().copied())).to_vec(),
            F: any(12, 12),
        };
        let coordinates = vec![
            Coordinate::Interface { interface: 1, component: 6 },
            Coordinate::Mode { freq_hz: 0.0 },
            Coordinate::Mode { freq_hz: 12.5 },
        ];
        // The second of the two grids turns, the first does not.
        let column = |k: f64| vec![k, 2.0, 3.0, 0.0, 0.0, 0.0, 7.0, 8.0, 9.0, 0.0, k, -0.0];
        StoredLink {
            link: ReducedLink {
                name: "a\nb".to_owned(),
                interfaces,
                coordinates,
                K,
                D,
                invariants,
                size: 3.7,
                rail: Some(rail),
            },
            shapes: NodalShapes {
                nodes: vec![NodeIndex(4), NodeIndex(9)],
                positions: vec![Vector3::new(1.0, 2.0, 3.0), Vector3::new(4.0, 5.0, 6.0)],
                columns: vec![column(1.5), column(2.5), column(3.5)],
            },
            drawing: Drawing {
                grids: vec![7, 70],
                cell_types: vec![3],
                offsets: vec![0, 2],
                connectivity: vec![1, 0],
                elements: vec![5],
                properties: vec![8],
            },
            health: Health { mass: 3.5, modes_hz: vec![0.0, 12.5], ..Health::default() },
            diagnostics: Diagnostics::new(),
        }
    }

    #[test]
    fn nothing_of_a_link_is_lost() {
        let folder = tempfile::TempDir::new().unwrap();
        let cache = Cache::at(folder.path().join("deep/inside"));
        let stored = full_link();
        assert_eq!(stored.link.validate(), Ok(()));
        let key = Key::of_file_name(&"5e".repeat(32)).unwrap();
        assert!(cache.load(&key).unwrap().is_none());
        cache.save(&key, &stored).unwrap();
        let loaded = cache.load(&key).unwrap().unwrap();
        assert_eq!(loaded.link, stored.link);
        assert_eq!(loaded.shapes, stored.shapes);
        assert_eq!(loaded.drawing, stored.drawing);
        assert_eq!(format!("{:?}", loaded.health), format!("{:?}", stored.health));
        assert_eq!(cache.entries().unwrap()[0].link.as_deref(), Some("a b"));
    }

    /// Promise 8: an entry of this version that an earlier build wrote is read, number by number.
    #[test]
    fn the_golden_entry_is_read() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden");
        let cache = Cache::at(root.join(format!("cache-{SCHEMA_VERSION}")));
        let entries = cache.entries().unwrap();
        assert_eq!(entries.len(), 1, "{SCHEMA_VERSION} has no golden entry: scripts/golden writes it");
        let link = cache.load(&entries[0].key).unwrap().unwrap().link;
        assert_eq!((link.name.as_str(), link.interfaces.len()), ("rod", 1));
        // Mass of a steel rod of 40 mm and 1 m: ρπr²L.
        let mass = 7850.0 * std::f64::consts::PI * 0.02 * 0.02;
        assert!((link.invariants.mass() / mass - 1.0).abs() < 1e-12, "{}", link.invariants.mass());
        // Entries of other versions are no errors: they have other keys and are computed again.
    }
}
