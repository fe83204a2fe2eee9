//! `pliant --version`: what was built from what.

/// Version, commit with its date, and version of libhdf5. The commit is that of the build script; a build for
/// development has none, so that a commit builds nothing anew.
pub(crate) fn text() -> String {
    let commit = option_env!("PLIANT_COMMIT").unwrap_or("none (a build for development)");
    let (major, minor, patch) = pliant_store::hdf5_version();
    let linked = if cfg!(feature = "static") { "inside the program" } else { "of the system" };
    format!(
        "pliant {}\ncommit  {commit}\nlibhdf5 {major}.{minor}.{patch}, {linked}",
        env!("CARGO_PKG_VERSION")
    )
}
