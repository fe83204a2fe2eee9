// The crates whose code determines the bytes of a reduced link in the cache: included by `build.rs`, which
// hashes them, and by `tests/cache_key.rs`, which compares the list with what cargo knows of the
// dependencies.
const STAGES: [&str; 12] =
    ["bulk", "cad", "diag", "exchange", "fem", "link", "mesh", "reduce", "simd", "sparse", "spatial", "store"];
