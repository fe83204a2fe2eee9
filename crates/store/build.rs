//! Hashes the sources of every stage that a reduced link depends on. The hash is part of each cache key, so an entry made by
//! other code is never found: nobody has to remember to raise a version.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The stages between a deck and a reduced link.
const STAGES: [&str; 8] = ["spatial", "mesh", "bulk", "fem", "sparse", "link", "pipeline", "reduce"];

fn main() -> io::Result<()> {
    let here = env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?;
    let crates = Path::new(&here).join("..");
    let mut files = Vec::new();
    for stage in STAGES {
        let folder = crates.join(stage).join("src");
        println!("cargo::rerun-if-changed={}", folder.display());
        collect(&folder, &mut files)?;
    }
    files.sort();
    let mut hash = Fnv::default();
    for file in files {
        let name = file.strip_prefix(&crates).unwrap_or(&file);
        hash.add(name.to_string_lossy().as_bytes());
        hash.add(&fs::read(&file)?);
    }
    println!("cargo::rustc-env=PLIANT_REDUCTION_SOURCES={:016x}", hash.0);
    Ok(())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

/// FNV-1a, 64 bits; each piece is closed by its length so that pieces cannot run into each other.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes.iter().chain(&(bytes.len() as u64).to_le_bytes()) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}
