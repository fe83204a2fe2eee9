//! The one way in which a file gets its name: complete, or not at all.
//!
//! A [`NewFile`] is written under a temporary name in the folder of its target, created with `O_EXCL` so that
//! no link that waits there is followed. [`NewFile::finish`] syncs it, compares its length with what was
//! written, renames it and syncs the folder; each of these steps may fail, and then nothing stands under the
//! final name that was not there before. What is dropped unfinished is removed.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, Hasher};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Most bytes of the target's name in that of the temporary file: file systems take 255.
const NAME: usize = 200;

/// A file that has no name yet.
#[derive(Debug)]
pub struct NewFile {
    path: PathBuf,
    temporary: PathBuf,
    file: File,
    length: u64,
    finished: bool,
}

impl NewFile {
    /// Creates the temporary file.
    ///
    /// # Errors
    /// What the system refuses; a target that is there and is not a regular file.
    pub fn create(path: &Path) -> io::Result<Self> {
        regular_or_absent(path)?;
        let temporary = temporary_for(path)?;
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(&temporary)?;
        Ok(Self { path: path.to_owned(), temporary, file, length: 0, finished: false })
    }

    /// Where it is until it has its name, for libraries that open files themselves.
    pub(crate) fn temporary(&self) -> &Path {
        &self.temporary
    }

    /// The open file, to be changed in place. [`NewFile::measure`] must follow.
    pub(crate) fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Takes over what somebody else wrote to [`NewFile::temporary`]; what is written afterwards follows it.
    ///
    /// # Errors
    /// What the system refuses.
    pub(crate) fn measure(&mut self) -> io::Result<()> {
        self.length = self.file.seek(SeekFrom::End(0))?;
        Ok(())
    }

    /// All bytes on the disk: syncs, and compares the length with what was written.
    ///
    /// # Errors
    /// What the system refuses, or a file of another length.
    pub(crate) fn sync(&mut self) -> io::Result<()> {
        self.file.sync_all()?;
        let found = self.file.metadata()?.len();
        if found != self.length {
            let message = format!("{} bytes were written and {found} are on the disk", self.length);
            return Err(io::Error::other(message));
        }
        Ok(())
    }

    /// Takes the name without being complete, for a file that others may follow while it grows.
    ///
    /// # Errors
    /// What the system refuses; somebody else has the name.
    pub(crate) fn take_name(mut self) -> io::Result<()> {
        match fs::hard_link(&self.temporary, &self.path) {
            Ok(()) => fs::remove_file(&self.temporary)?,
            // A file system without hard links.
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists && !self.path.exists() => {
                fs::rename(&self.temporary, &self.path)?;
            }
            Err(error) => return Err(error),
        }
        self.finished = true;
        Ok(())
    }

    /// Gives it its name.
    ///
    /// # Errors
    /// What the system refuses; nothing stands under the name then, unless it is the folder that cannot be
    /// synced.
    pub fn finish(mut self) -> io::Result<()> {
        self.sync()?;
        fs::rename(&self.temporary, &self.path)?;
        self.finished = true;
        sync_folder(&self.path)
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.file.write(bytes)?;
        self.length += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if !self.finished {
            // What cannot be removed is in nobody's way: its name is used once.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

/// Writes a file: complete or not at all.
///
/// # Errors
/// What the system refuses.
pub fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = NewFile::create(path)?;
    file.write_all(bytes)?;
    file.finish()
}

/// A name beside `path` that nobody uses, on any machine that shares the folder.
fn temporary_for(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "no file name"))?;
    let name = name.to_string_lossy();
    // The standard library's hash seed is random in each process and differs from call to call.
    let random = std::collections::hash_map::RandomState::new().build_hasher().finish();
    let mut temporary = OsString::from(&name[..name.floor_char_boundary(NAME)]);
    temporary.push(format!(".{}-{random:016x}.part", std::process::id()));
    Ok(path.with_file_name(temporary))
}

/// Removes the temporary files that a process has left in a folder. It must have ended.
pub fn remove_temporary_files(folder: &Path, process: u32) {
    let mark = format!(".{process}-");
    let is_left = |name: &str| {
        let random = name.strip_suffix(".part").and_then(|name| name.rsplit_once(&mark)).map(|(_, end)| end);
        random.is_some_and(|random| random.len() == 16 && random.bytes().all(|c| c.is_ascii_hexdigit()))
    };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_str().is_some_and(is_left) {
            // What cannot be removed is in nobody's way: its name is used once.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// A target that is a folder, a FIFO or a device is not replaced.
fn regular_or_absent(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(facts) if !facts.is_file() => {
            let what = if facts.is_dir() { "it is a folder" } else { "it is not a regular file" };
            Err(io::Error::new(io::ErrorKind::InvalidInput, what))
        }
        _ => Ok(()),
    }
}

/// A rename survives a crash of the machine only when its folder is synced too. Some file systems cannot sync
/// folders, and say so; that is no error.
pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported | io::ErrorKind::PermissionDenied
            ) =>
        {
            Ok(())
        }
        synced => synced,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn what_a_process_left_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let kept = ["a.csv", "a.csv.part", "a.csv.8-0123456789abcdef.part", "a.csv.7-x.part"];
        for name in kept.iter().chain(&["a.csv.7-0123456789abcdef.part"]) {
            fs::write(folder.path().join(name), b"x").unwrap();
        }
        remove_temporary_files(folder.path(), 7);
        let mut kept = kept.map(str::to_owned);
        kept.sort();
        assert_eq!(names(folder.path()), kept);
    }

    #[test]
    fn a_file_appears_complete_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        let mut file = NewFile::create(&path).unwrap();
        file.write_all(b"half").unwrap();
        assert!(!path.exists());
        drop(file);
        assert!(names(folder.path()).is_empty());
        write_file(&path, b"complete").unwrap();
        write_file(&path, b"again").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"again");
        assert_eq!(names(folder.path()), ["a.csv"]);
        assert!(write_file(&folder.path().join("no/a.csv"), b"").is_err());
        assert!(write_file(folder.path(), b"").is_err(), "a folder is not replaced");
        // The longest name that a file system takes.
        write_file(&folder.path().join("n".repeat(255)), b"x").unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_link_at_the_target_is_replaced_and_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (deck, link) = (folder.path().join("deck.bdf"), folder.path().join("out.csv"));
        fs::write(&deck, "CEND").unwrap();
        std::os::unix::fs::symlink(&deck, &link).unwrap();
        write_file(&link, b"x").unwrap();
        assert_eq!(fs::read(&deck).unwrap(), b"CEND");
        assert!(write_file(Path::new("/dev/null"), b"").is_err(), "devices are not replaced");
    }
}
