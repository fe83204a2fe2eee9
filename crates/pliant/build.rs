//! Hashes all code that a reduced link depends on: the sources of every stage from a deck to an entry of the
//! cache, the versions of all dependencies, the compiler and the target. The hash is part of each cache key,
//! so an entry made by other code is never found: nobody has to remember to raise a version.
//!
//! Not in the hash: instruction sets of the processor. Kernels are chosen when the program runs, and a link
//! from a machine with other vector lengths differs in rounding; a cache that several machines share is meant
//! to be shared.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

include!("stages.rs");

fn main() -> io::Result<()> {
    let variable = |name: &str| env::var(name).map_err(io::Error::other);
    let here = PathBuf::from(variable("CARGO_MANIFEST_DIR")?);
    let crates = here.join("..");
    let mut files = Vec::new();
    let mut watched = vec![here.join("src/link"), here.join("stages.rs"), crates.join("../Cargo.toml")];
    for stage in STAGES {
        watched.extend([crates.join(stage).join("src"), crates.join(stage).join("Cargo.toml")]);
    }
    for path in &watched {
        println!("cargo::rerun-if-changed={}", path.display());
        collect(path, &mut files)?;
    }
    files.sort();
    let mut hash = Fnv::default();
    for file in files {
        let name = file.strip_prefix(&crates).unwrap_or(&file);
        hash.add(name.to_string_lossy().as_bytes());
        hash.add(&fs::read(&file)?);
    }
    let lock = crates.join("../Cargo.lock");
    println!("cargo::rerun-if-changed={}", lock.display());
    for package in external_packages(&fs::read_to_string(lock)?) {
        hash.add(package.as_bytes());
    }
    hash.add(&Command::new(variable("RUSTC")?).arg("-vV").output()?.stdout);
    hash.add(variable("TARGET")?.as_bytes());
    println!("cargo::rustc-env=PLIANT_REDUCTION_CODE={:016x}", hash.0);
    Ok(())
}

/// Packages of a lock file that come from elsewhere, each with its version and checksum.
fn external_packages(lock: &str) -> impl Iterator<Item = &str> {
    let packages = lock.split("[[package]]").skip(1);
    let external = packages.filter(|package| package.contains("\nsource = "));
    external.map(|package| package.split("\ndependencies").next().unwrap_or(package))
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        collect(&entry?.path(), files)?;
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
