//! Gives a release build its commit: the first eight digits and the day of the commit, so that two builds of
//! one commit have the same bytes. `PLIANT_COMMIT` says it where there is no git, as in an unpacked archive.
//! Nothing that determines a number reads it: the cache of links is keyed by the sources of the reduction.

use std::env;
use std::process::Command;

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && !text.trim().is_empty()).then(|| text.trim().to_owned())
}

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=PLIANT_COMMIT");
    // The environment of a build reaches the program by itself.
    if env::var_os("PLIANT_COMMIT").is_some() || env::var("PROFILE").as_deref() != Ok("release") {
        return;
    }
    // The log of HEAD changes with every commit and checkout.
    if let Some(log) = git(&["rev-parse", "--path-format=absolute", "--git-path", "logs/HEAD"]) {
        println!("cargo:rerun-if-changed={log}");
    }
    if let Some(commit) = git(&["log", "-1", "--abbrev=8", "--format=%h %cs"]) {
        println!("cargo:rustc-env=PLIANT_COMMIT={commit}");
    }
}
