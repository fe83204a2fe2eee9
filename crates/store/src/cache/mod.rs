//! The cache of reduced links: one sealed HDF5 file for each, named by the content that made it.
//!
//! An entry is written under a temporary name, sealed with the hash of all its bytes, synced and renamed, so a reader finds
//! either nothing or a whole entry whatever else runs or dies. The seal is proven before libhdf5 sees the file; what does
//! not hold is made again.

mod entry;
mod folder;
mod key;
mod lock;
mod seal;

use std::fs;
use std::hash::{BuildHasher, Hasher};
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

pub use entry::{SCHEMA_VERSION, StoredLink};
pub use folder::{CacheEntry, Pruned};
pub use key::{Key, link_key};

/// A folder with entries.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
}

/// Why an entry cannot be read or written.
#[derive(Debug, Error)]
pub(crate) enum CacheError {
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("{0}")]
    Hdf5(#[from] hdf5::Error),
    #[error("{0}")]
    Damaged(String),
}

impl Cache {
    /// A cache in a folder, which is made when it is first needed.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// The cache of this user: `$PLIANT_CACHE`, else `$XDG_CACHE_HOME/pliant`, else `~/.cache/pliant`. `None` when none of the
    /// three is set.
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

    /// The entry of a key: `None` when there is none, an error when there is one that does not hold.
    pub(crate) fn load(&self, key: &Key) -> Result<Option<StoredLink>, CacheError> {
        let path = self.path(key);
        match seal::verify(&path, key) {
            Err(CacheError::Io(error)) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
            Ok(()) => entry::read(&path).map(Some),
        }
    }

    /// Stores an entry: temporary name, seal, sync, rename.
    pub(crate) fn save(&self, key: &Key, stored: &StoredLink) -> Result<(), CacheError> {
        fs::create_dir_all(&self.folder)?;
        let temporary = self.folder.join(temporary_name(key));
        let written = entry::write(&temporary, key, stored)
            .and_then(|()| seal::close(&temporary, &stored.link.name, key))
            .and_then(|()| Ok(fs::rename(&temporary, self.path(key))?));
        if written.is_err() {
            // What is left of a failed attempt helps nobody; if it cannot be removed either, `prune` will try again.
            let _ = fs::remove_file(&temporary);
            return written;
        }
        // The rename survives a crash of the machine only when the folder is synced too; some file systems refuse, and then
        // at worst the link is reduced again.
        let _ = fs::File::open(&self.folder).and_then(|folder| folder.sync_all());
        Ok(())
    }
}

/// Unique among processes and machines that share the folder.
fn temporary_name(key: &Key) -> String {
    // The standard library's hash seed is random in each process and differs from call to call.
    let random = std::collections::hash_map::RandomState::new().build_hasher().finish();
    format!("{key}.{}-{random:016x}.part", std::process::id())
}
