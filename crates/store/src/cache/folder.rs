//! What is in the cache, and getting rid of it.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use super::{Cache, Key, seal};

/// An attempt this old was abandoned: its process died. No entry takes that long to write.
const ABANDONED: Duration = Duration::from_secs(3600);

/// One entry as it lies in the folder. Nothing of it has been verified.
#[derive(Clone, Debug)]
pub struct CacheEntry {
    /// Its key.
    pub key: Key,
    /// Its file.
    pub path: PathBuf,
    /// Size in bytes.
    pub size: u64,
    /// When it was written or last used.
    pub used: SystemTime,
    /// The link it was made for, if the file says so.
    pub link: Option<String>,
}

/// What [`Cache::prune`] removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Entries.
    pub entries: usize,
    /// Bytes, those of abandoned attempts included.
    pub bytes: u64,
}

impl Cache {
    /// All entries, the latest used first. An absent folder has none.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn entries(&self) -> io::Result<Vec<CacheEntry>> {
        let mut entries = Vec::new();
        for file in self.files()? {
            let name = file.path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if name.ends_with(".h5")
                && let Some(key) = Key::of_file_name(name)
            {
                let link = seal::link_name(&file.path);
                entries.push(CacheEntry { key, path: file.path, size: file.size, used: file.changed, link });
            }
        }
        entries.sort_by_key(|entry| std::cmp::Reverse(entry.used));
        Ok(entries)
    }

    /// Removes the entries that were last used longer ago than `age`, with their locks, and every abandoned
    /// attempt. A run that is reading an entry finishes undisturbed, or reduces the link again.
    ///
    /// # Errors
    /// A file that cannot be removed.
    pub fn prune(&self, age: Duration) -> io::Result<Pruned> {
        let now = SystemTime::now();
        let mut pruned = Pruned::default();
        for file in self.files()? {
            let name = file.path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if Key::of_file_name(name).is_none() {
                continue;
            }
            // A file from the future (another machine's clock) counts as new.
            let idle = now.duration_since(file.changed).unwrap_or_default();
            let limit = if name.ends_with(".part") { ABANDONED } else { age };
            let ours = [".h5", ".part", ".lock"].iter().any(|end| name.ends_with(end));
            if !ours || idle < limit {
                continue;
            }
            match fs::remove_file(&file.path) {
                Ok(()) => {
                    pruned.entries += usize::from(name.ends_with(".h5"));
                    pruned.bytes += file.size;
                }
                // Another prune was faster.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => {
                    let message = format!("{} cannot be removed: {error}", file.path.display());
                    return Err(io::Error::new(error.kind(), message));
                }
            }
        }
        Ok(pruned)
    }

    /// Notes that an entry was used, so that `prune` keeps it. A read-only cache cannot, which does not
    /// matter.
    pub fn touch(&self, key: &Key) {
        let file = fs::File::options().append(true).open(self.path(key));
        let _ = file.and_then(|file| file.set_modified(SystemTime::now()));
    }

    fn files(&self) -> io::Result<Vec<FileFacts>> {
        let listing = match fs::read_dir(self.folder()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            listing => listing?,
        };
        let mut files = Vec::new();
        for file in listing {
            let file = file?;
            // One that vanishes between the two calls was renamed or removed by somebody else.
            let Ok(facts) = file.metadata() else { continue };
            if facts.is_file() {
                files.push(FileFacts { path: file.path(), size: facts.len(), changed: facts.modified()? });
            }
        }
        Ok(files)
    }
}

struct FileFacts {
    path: PathBuf,
    size: u64,
    changed: SystemTime,
}
