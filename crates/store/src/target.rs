//! Whether a file may be written: never one that the command reads, never one that Pliant did not write.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use crate::results::seal;

/// Bytes at the beginning of a file in which its mark is looked for.
const HEAD: u64 = 1 << 16;

/// First lines of what the program writes as text, and the header of its MAT-files.
const FIRST_LINES: [&str; 5] = [
    "analysis,quantity,component,units,time,value",
    "MATLAB 5.0 MAT-file, written by pliant",
    "$ Deformed shape at t = ",
    "$ Written by pliant",
    "<!doctype html>\n",
];
/// Stands in the head of every report.
const REPORT: &str = "<meta name=\"generator\" content=\"pliant";
const HDF5: [u8; 8] = [0x89, b'H', b'D', b'F', 0x0d, 0x0a, 0x1a, 0x0a];
/// An attribute of every HDF5 file of the program, those without a seal included.
const HDF5_MARK: &str = "program_version";

/// Fails unless `path` is free or holds a file that Pliant wrote and this command does not read. Files are compared by device
/// and inode, so that neither a symbolic nor a hard link hides one.
///
/// # Errors
/// Why it may not be written, in words.
pub fn may_write<'a>(path: &Path, inputs: impl IntoIterator<Item = &'a Path>) -> io::Result<()> {
    let refused = |why: &str| Err(io::Error::new(io::ErrorKind::AlreadyExists, why));
    let facts = match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        facts => facts?,
    };
    if facts.is_dir() {
        return refused("it is a folder");
    }
    if !facts.is_file() {
        return refused("it is no regular file");
    }
    for input in inputs {
        if fs::metadata(input).is_ok_and(|input| same(&facts, &input)) {
            return refused("it is a file that this command reads; name another");
        }
    }
    if is_ours(path)? {
        return Ok(());
    }
    refused("there is a file that Pliant did not write; remove it or name another")
}

/// The files of a folder that [`may_write`] would refuse, before the first of them is written.
///
/// # Errors
/// The first that is refused, with its path.
pub fn may_write_all(paths: &[PathBuf], inputs: &[&Path]) -> io::Result<()> {
    let about =
        |path: &Path, error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    paths
        .iter()
        .try_for_each(|path| may_write(path, inputs.iter().copied()).map_err(|error| about(path, error)))
}

#[cfg(unix)]
fn same(a: &fs::Metadata, b: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

#[cfg(not(unix))]
fn same(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    false
}

/// Whether the program wrote a file, by its seal or its first bytes. One without a byte is nobody's loss.
fn is_ours(path: &Path) -> io::Result<bool> {
    let mut file = File::open(path)?;
    let length = file.seek(SeekFrom::End(0))?;
    if length == 0 || seal::is_marked(&mut file)? {
        return Ok(true);
    }
    file.seek(SeekFrom::Start(0))?;
    let mut head = Vec::new();
    file.take(HEAD).read_to_end(&mut head)?;
    let holds = |text: &str| head.windows(text.len()).any(|window| window == text.as_bytes());
    let begins =
        |text: &str| head.get(..text.len()).is_some_and(|start| start.eq_ignore_ascii_case(text.as_bytes()));
    if head.starts_with(&HDF5) {
        return Ok(holds(HDF5_MARK));
    }
    let [texts @ .., html] = FIRST_LINES;
    Ok(texts.iter().any(|text| begins(text)) || (begins(html) && holds(REPORT)))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn inputs_and_files_of_others_are_refused_through_every_link() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let refused = |path: &Path, inputs: &[&Path]| {
            may_write(path, inputs.iter().copied()).err().map(|error| error.to_string())
        };
        assert_eq!(refused(&at("new"), &[]), None);
        fs::write(at("deck.bdf"), "CEND\n").unwrap();
        assert!(refused(&at("deck.bdf"), &[]).unwrap().contains("did not write"));
        // One of ours that is read.
        fs::write(at("r.csv"), "analysis,quantity,component,units,time,value\n").unwrap();
        assert_eq!(refused(&at("r.csv"), &[&at("deck.bdf")]), None);
        fs::hard_link(at("r.csv"), at("hard.csv")).unwrap();
        std::os::unix::fs::symlink(at("r.csv"), at("soft.csv")).unwrap();
        for name in ["r.csv", "hard.csv", "soft.csv"] {
            assert!(refused(&at(name), &[&at("r.csv")]).unwrap().contains("reads"), "{name}");
            assert!(refused(&at("r.csv"), &[&at(name)]).unwrap().contains("reads"), "{name}");
        }
        assert!(refused(folder.path(), &[]).unwrap().contains("folder"));
        assert!(refused(Path::new("/dev/null"), &[]).unwrap().contains("regular"));
    }
}
