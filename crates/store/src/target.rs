//! Whether a file may be written: never one that the command reads, never one that Pliant did not write.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use crate::results::seal;

/// Bytes at the beginning of a file in which its mark is looked for.
const HEAD: u64 = 1 << 16;

/// First lines of what the program writes as text, and the header of its MAT-files.
const FIRST_LINES: [(&str, FileKind); 13] = [
    ("# Channels written by pliant", FileKind::Channels),
    ("analysis,quantity,component,units,time,value", FileKind::Csv),
    ("MATLAB 5.0 MAT-file, written by pliant", FileKind::Mat),
    ("$ Deformed shape at t = ", FileKind::Bulk),
    ("$ Written by pliant: link ", FileKind::Link),
    ("$ Written by pliant", FileKind::Bulk),
    ("<!doctype html>\n", FileKind::Report),
    ("*HEADING\nWritten by pliant", FileKind::Mesh),
    ("/COM,ANSYS: WRITTEN BY PLIANT", FileKind::Mesh),
    ("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Comments\nWritten by pliant", FileKind::Mesh),
    ("    -1\n   151\nWritten by pliant", FileKind::Mesh),
    ("<?xml version=\"1.0\"?>\n<!-- Written by pliant -->", FileKind::Mesh),
    ("<?xml version=\"1.0\"?>\n<!-- Written by pliant: the machine", FileKind::Robot),
];
/// Stand near the beginning of links for other codes: a comment of texts, the first array of an archive, the
/// first matrix of an OP4 file.
const LINK_MARKS: [&str; 3] =
    [":No. nodes, No. modes: written by pliant", "written_by_pliant.npy", "PLIANT  "];
const LINK_TEXT: &str = "** Written by pliant: MBDyn";
/// Stands in the head of every report.
const REPORT: &str = "<meta name=\"generator\" content=\"pliant";
/// The first record of an RPC III file, and what those of the program have in their head.
const RPC: [u8; 7] = *b"FORMAT\0";
const RPC_MARK: &str = "written by pliant";
const HDF5: [u8; 8] = [0x89, b'H', b'D', b'F', 0x0d, 0x0a, 0x1a, 0x0a];
/// An attribute of every HDF5 file of the program, those without a seal included.
const HDF5_MARK: &str = "program_version";
/// An attribute of results alone.
const RESULTS_MARK: &str = "schema_version";
/// An attribute of responses alone.
pub(crate) const RESPONSE_MARK: &str = "response_format";

/// What the program writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// Numbers over time as CSV.
    Csv,
    /// The same as a MAT-file.
    Mat,
    /// Channels for fatigue programs.
    Channels,
    /// Bulk data.
    Bulk,
    /// A mesh in the format of another preprocessor.
    Mesh,
    /// A reduced link for another code.
    Link,
    /// A robot description.
    Robot,
    /// An HTML page.
    Report,
    /// Results of a run.
    Results,
    /// Shapes without results: of modes, of buckling, or taken out of results.
    Shapes,
    /// Modes and responses at poses.
    Response,
}

/// A file that is to be written.
#[derive(Clone, Copy, Debug)]
pub struct Output<'a> {
    /// Its name.
    pub path: &'a Path,
    /// What it will be.
    pub kind: FileKind,
    /// Whether a file of another kind that Pliant wrote is replaced.
    pub force: bool,
}

/// Fails unless `output` is free or holds a file that Pliant wrote and this command does not read; one of
/// another kind is replaced only by force. Files are compared by device and inode, so that neither a symbolic
/// nor a hard link hides one.
///
/// # Errors
/// Why it may not be written, in words.
pub fn may_write<'a>(output: Output<'_>, inputs: impl IntoIterator<Item = &'a Path>) -> io::Result<()> {
    let refused = |why: &str| Err(io::Error::new(io::ErrorKind::AlreadyExists, why));
    let facts = match fs::metadata(output.path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        facts => facts?,
    };
    if facts.is_dir() {
        return refused("it is a folder");
    }
    if !facts.is_file() {
        return refused("it is not a regular file");
    }
    for input in inputs {
        if fs::metadata(input).is_ok_and(|input| same(&facts, &input)) {
            return refused("it is a file that this command reads; choose another name");
        }
    }
    if facts.len() == 0 {
        // One without a byte is nobody's loss.
        return Ok(());
    }
    match kind_of(output.path)? {
        Some(kind) if kind == output.kind || output.force => Ok(()),
        Some(kind) => {
            let why =
                format!("it exists and holds {}; --force replaces it, or choose another name", kind.words());
            refused(&why)
        }
        None => refused("it exists and was not written by Pliant; remove it or choose another name"),
    }
}

impl FileKind {
    fn words(self) -> &'static str {
        match self {
            Self::Csv => "results exported as CSV",
            Self::Mat => "results exported as a MAT-file",
            Self::Channels => "channels of results",
            Self::Bulk => "bulk data written by Pliant",
            Self::Mesh => "a mesh written by Pliant",
            Self::Link => "a link for another code written by Pliant",
            Self::Robot => "a robot description written by Pliant",
            Self::Report => "a Pliant report",
            Self::Results => "the results of a run",
            Self::Shapes => "shapes written by Pliant",
            Self::Response => "modes and responses of a machine",
        }
    }
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

/// What the program wrote into a file, by its first bytes; none when it did not write it.
pub(crate) fn kind_of(path: &Path) -> io::Result<Option<FileKind>> {
    let mut file = File::open(path)?;
    let sealed = seal::is_marked(&mut file)?;
    file.seek(SeekFrom::Start(0))?;
    let mut head = Vec::new();
    file.take(HEAD).read_to_end(&mut head)?;
    let holds = |text: &str| head.windows(text.len()).any(|window| window == text.as_bytes());
    let begins =
        |text: &str| head.get(..text.len()).is_some_and(|start| start.eq_ignore_ascii_case(text.as_bytes()));
    if sealed || head.starts_with(&HDF5) {
        let ours = sealed || holds(HDF5_MARK);
        let kind = match () {
            () if holds(RESPONSE_MARK) => FileKind::Response,
            () if holds(RESULTS_MARK) => FileKind::Results,
            () => FileKind::Shapes,
        };
        return Ok(ours.then_some(kind));
    }
    if head.starts_with(&RPC) {
        return Ok(holds(RPC_MARK).then_some(FileKind::Channels));
    }
    let start = String::from_utf8_lossy(&head[..head.len().min(120)]).into_owned();
    if LINK_MARKS.iter().any(|mark| start.contains(mark)) || begins(LINK_TEXT) {
        return Ok(Some(FileKind::Link));
    }
    let known = FIRST_LINES.iter().find(|(text, _)| begins(text)).map(|(_, kind)| *kind);
    Ok(known.filter(|kind| *kind != FileKind::Report || holds(REPORT)))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn inputs_and_files_of_others_are_refused_through_every_link() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let refused = |path: &Path, inputs: &[&Path]| {
            let output = Output { path, kind: FileKind::Csv, force: false };
            may_write(output, inputs.iter().copied()).err().map(|error| error.to_string())
        };
        assert_eq!(refused(&at("new"), &[]), None);
        fs::write(at("deck.bdf"), "CEND\n").unwrap();
        assert!(refused(&at("deck.bdf"), &[]).unwrap().contains("not written by Pliant"));
        // One of ours that is read.
        fs::write(at("r.csv"), "analysis,quantity,component,units,time,value\n").unwrap();
        assert_eq!(refused(&at("r.csv"), &[&at("deck.bdf")]), None);
        fs::hard_link(at("r.csv"), at("hard.csv")).unwrap();
        std::os::unix::fs::symlink(at("r.csv"), at("soft.csv")).unwrap();
        for name in ["r.csv", "hard.csv", "soft.csv"] {
            assert!(refused(&at(name), &[&at("r.csv")]).unwrap().contains("reads"), "{name}");
            assert!(refused(&at("r.csv"), &[&at(name)]).unwrap().contains("reads"), "{name}");
        }
        // One of ours of another kind is replaced by force alone, one of others not even then.
        let report = |name: &str, force| {
            let output = Output { path: &at(name), kind: FileKind::Report, force };
            may_write(output, []).err().map(|error| error.to_string())
        };
        assert!(report("r.csv", false).unwrap().contains("as CSV; --force"));
        assert_eq!(report("r.csv", true), None);
        assert!(report("deck.bdf", true).unwrap().contains("not written by Pliant"));
        assert!(refused(folder.path(), &[]).unwrap().contains("folder"));
        assert!(refused(Path::new("/dev/null"), &[]).unwrap().contains("regular"));
    }
}
