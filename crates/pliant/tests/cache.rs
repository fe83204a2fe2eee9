//! The cache as its users meet it: links come back as they were, and damage is never trusted.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use pliant::link::{CachedLink, LinkFailure, reduce};
use pliant_machine::links;
use pliant_pipeline::PipelineFile;
use pliant_store::Cache;
use tempfile::TempDir;

const BEAM: &str = "beam = { length = 1.2, section = { tube = { od = 0.06, t = 0.003 } }, material = 'steel', elements = 4, \
                    tip_offset = [0, 0, 0.1] }\nmodes = { count = 3 }\ndamping = { ratio = 0.01 }\n";

/// Two CBARs; the second deck file supplies the property.
const DECK: &str = "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nGRID,3,,2.,0.,0.\nCBAR,1,1,1,2,0.,1.,0.\nCBAR,2,1,2,3,0.,1.,0.\n\
                    MAT1,1,2.1+11,,.3,7850.\nINCLUDE 'section.bdf'\n";
const SECTION: &str = "PBAR,1,1,4.-4,2.-8,3.-8,4.-8\n";

struct Bench {
    folder: TempDir,
}

impl Bench {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("arm.bdf"), DECK).unwrap();
        fs::write(folder.path().join("section.bdf"), SECTION).unwrap();
        Self { folder }
    }

    fn cache(&self) -> Cache {
        Cache::at(self.folder.path().join("cache"))
    }

    fn file(&self, links: &str) -> PipelineFile {
        let path = self.folder.path().join("pipeline.toml");
        fs::write(&path, links).unwrap();
        let file = pliant_pipeline::read(&path);
        assert!(file.diagnostics.is_empty(), "{:?}", file.diagnostics);
        file.output
    }

    /// The link `a` of a file with the cache.
    fn try_link(&self, table: &str) -> Result<CachedLink, Box<LinkFailure>> {
        let file = self.file(&format!("[links.a]\n{table}"));
        reduce(&links(&file).output.requests[0], Some(&self.cache()))
    }

    fn link(&self, table: &str) -> CachedLink {
        self.try_link(table).unwrap()
    }

    fn entry(&self) -> PathBuf {
        let entries = self.cache().entries().unwrap();
        assert_eq!(entries.len(), 1);
        entries[0].path.clone()
    }
}

const ARM: &str = "deck = 'arm.bdf'\ninboard = 1\ninterfaces = { tip = 3 }\nmodes = { count = 2 }\n";

fn assert_same(a: &CachedLink, b: &CachedLink) {
    assert_eq!(a.link, b.link);
    assert_eq!(a.shapes, b.shapes);
    assert_eq!(a.drawing, b.drawing);
    assert_eq!(a.diagnostics, b.diagnostics);
    // Everything, the time it took included.
    assert_eq!(format!("{:?}", a.health), format!("{:?}", b.health));
}

#[test]
fn a_link_comes_back_as_it_was() {
    for table in [BEAM, ARM] {
        let bench = Bench::new();
        let (made, loaded) = (bench.link(table), bench.link(table));
        assert!(!made.from_cache && loaded.from_cache);
        assert!(made.cache_warnings.is_empty(), "{:?}", made.cache_warnings);
        assert_same(&made, &loaded);
        assert!(!made.shapes.columns.is_empty() && !made.drawing.cell_types.is_empty());
        assert!(made.mesh.is_some());
        let entries = bench.cache().entries().unwrap();
        assert_eq!(entries[0].link.as_deref(), Some("a"));
    }
}

#[test]
fn a_link_from_the_cache_warns_as_a_fresh_one_does() {
    let bench = Bench::new();
    let deck = DECK.replace("CBAR,2,1", "CBAR,2,2") + "PBAR,2,2,4.-4,2.-8,3.-8,4.-8\nMAT1,2,2.1+11,,.3\n";
    fs::write(bench.folder.path().join("arm.bdf"), deck).unwrap();
    let (made, loaded) = (bench.link(ARM), bench.link(ARM));
    assert!(loaded.from_cache);
    let warning = loaded.diagnostics.iter().find(|d| d.message.contains("zero density")).unwrap();
    let span = warning.span.unwrap();
    assert_eq!(
        loaded.sources.line_column(span).line,
        9,
        "its location is found in the deck as it was read now"
    );
    assert_same(&made, &loaded);
    fs::write(bench.folder.path().join("arm.bdf"), DECK.replace(",7850.", "")).unwrap();
    let failure = bench.try_link(ARM).unwrap_err();
    let problem = failure.deck.iter().find(|d| d.message.contains("no mass")).unwrap();
    assert!(problem.span.is_some(), "{problem:?}");
}

#[test]
fn the_same_content_serves_another_name() {
    let bench = Bench::new();
    let file = bench.file(&format!("[links.left]\n{ARM}[links.right]\n{ARM}"));
    let links = links(&file).output;
    let [left, right] =
        ["left", "right"].map(|name| reduce(links.get(name).unwrap(), Some(&bench.cache())).unwrap());
    assert!(right.from_cache);
    assert_eq!((left.link.name.as_str(), right.link.name.as_str()), ("left", "right"));
}

#[test]
fn a_changed_include_or_override_is_another_link() {
    let bench = Bench::new();
    let mass = |link: CachedLink| (link.from_cache, link.health.mass);
    let (_, first) = mass(bench.link(ARM));
    // m = ρ A L with L = 2 m.
    assert!((first - 7850.0 * 4e-4 * 2.0).abs() < 1e-9 * first);
    let (cached, thicker) = mass(bench.link(&format!("{ARM}override = {{ 'PBAR.1.A' = 8e-4 }}")));
    assert!(!cached && (thicker - 2.0 * first).abs() < 1e-9 * first, "{thicker}");
    fs::write(bench.folder.path().join("section.bdf"), SECTION.replace("4.-4", "6.-4")).unwrap();
    let (cached, included) = mass(bench.link(ARM));
    assert!(!cached && (included - 1.5 * first).abs() < 1e-9 * first, "{included}");
    assert_eq!(bench.cache().entries().unwrap().len(), 3);
}

#[test]
fn a_damaged_entry_is_made_again() {
    let bench = Bench::new();
    let made = bench.link(ARM);
    let path = bench.entry();
    let complete = fs::read(&path).unwrap();
    // One bit in the seal, in HDF5's superblock, in its metadata, in the numbers; then cut off at several
    // lengths.
    let offsets = [20, 40, 512, 520, 700, complete.len() / 3, complete.len() / 2, complete.len() - 1];
    let flipped = offsets.map(|offset| {
        let mut bytes = complete.clone();
        bytes[offset] ^= 0x10;
        bytes
    });
    let cut = [0, 100, 512, 600, complete.len() / 2, complete.len() - 1].map(|end| complete[..end].to_vec());
    let longer = [complete.clone(), vec![0]].concat();
    for (i, bytes) in flipped.into_iter().chain(cut).chain([longer]).enumerate() {
        fs::write(&path, &bytes).unwrap();
        let again = bench.link(ARM);
        assert!(!again.from_cache, "damage {i} was trusted");
        assert_eq!(again.cache_warnings.len(), 1, "{:?}", again.cache_warnings);
        assert_eq!(made.link, again.link);
        assert!(bench.link(ARM).from_cache, "damage {i} was not mended");
    }
}

#[test]
fn an_entry_under_another_name_is_not_trusted() {
    let bench = Bench::new();
    bench.link(ARM);
    let first = bench.entry();
    let copy = fs::read(&first).unwrap();
    fs::remove_file(&first).unwrap();
    bench.link(&format!("{ARM}override = {{ 'PBAR.1.A' = 8e-4 }}"));
    let second = bench.entry();
    fs::write(second, copy).unwrap();
    let again = bench.link(&format!("{ARM}override = {{ 'PBAR.1.A' = 8e-4 }}"));
    assert!(!again.from_cache && again.cache_warnings.len() == 1);
}

#[test]
fn without_a_usable_folder_the_link_is_made_and_a_warning_given() {
    let bench = Bench::new();
    // A file where the folder should be: nobody can write there, root neither.
    fs::write(bench.folder.path().join("cache"), "").unwrap();
    for _ in 0..2 {
        let made = bench.link(ARM);
        assert!(!made.from_cache);
        let warnings: Vec<_> = made.cache_warnings.iter().map(|d| d.message.clone()).collect();
        assert!(warnings.iter().any(|w| w.contains("it cannot be kept in")), "{warnings:?}");
    }
}

#[test]
fn every_problem_is_reported_and_nothing_is_kept() {
    let bench = Bench::new();
    let table =
        format!("{ARM}override = {{ 'PBAR.7.A' = 1, 'PBAR.1.ZZZ' = 1 }}\naccept = ['inertai', 'mass']");
    fs::write(bench.folder.path().join("section.bdf"), "PBAR,1,1,4.-4,2.-8,3.-8,x\n").unwrap();
    // What is wrong with the request itself is reported when the table becomes one, the rest when the deck is
    // read.
    let asked = links(&bench.file(&format!("[links.a]\n{table}"))).diagnostics;
    let failure = bench.try_link(&table).unwrap_err();
    let all = asked.iter().chain(failure.request.iter());
    let text: Vec<_> = all.map(|d| (d.span.is_some(), d.message.as_str())).collect();
    assert_eq!(text.len(), 3, "{text:?}");
    assert!(text.iter().all(|(located, _)| *located));
    assert!(text[0].1.contains("`inertai` is not a health check"), "{text:?}");
    assert_eq!(asked.iter().next().unwrap().hints, ["did you mean `inertia`?"]);
    let problem = failure.deck.iter().find(|d| d.severity == pliant_diag::Severity::Error).unwrap();
    assert!(failure.sources.file(problem.span.unwrap().file).path().ends_with("section.bdf"));
    assert!(bench.cache().entries().unwrap().is_empty());
}

#[test]
fn interfaces_that_are_not_there_are_reported_at_their_line_in_the_pipeline_file() {
    let bench = Bench::new();
    let failure = bench.try_link(&ARM.replace("tip = 3", "tip = 33")).unwrap_err();
    assert!(failure.deck.is_empty());
    let problem = failure.request.iter().next().unwrap();
    assert!(problem.message.contains("the deck has no GRID 33"), "{problem:?}");
    assert!(problem.span.is_some());
}

#[test]
fn a_rigid_link_takes_the_same_way() {
    let bench = Bench::new();
    let made = bench.link("rigid = { mass = 3, inertia = [1, 1, 1], interfaces = { tip = [1, 0, 0] } }");
    assert_eq!((made.link.coordinate_count(), made.health.mass), (0, 3.0));
    assert_eq!(made.refused, []);
    assert!(bench.try_link("rigid = { mass = 3, inertia = [1, 1, 9] }").is_err());
}

/// A supplier's rod along x, 2 m: EA/L and GJ/L between its ends, EI of a cantilever, half of its mass at
/// each end.
fn rod_matrices() -> String {
    let (axial, torsion, bending, length) = (3e7, 2e4, 5e4, 2.0_f64);
    let mut K = [[0.0; 12]; 12];
    let mut add = |terms: &[(usize, f64)], stiffness: f64| {
        for (i, a) in terms {
            for (j, b) in terms {
                K[*i][*j] += stiffness * a * b;
            }
        }
    };
    add(&[(0, -1.0), (6, 1.0)], axial);
    add(&[(3, -1.0), (9, 1.0)], torsion);
    // Bending as two deformations of the Euler beam: symmetric (EI/L) and antisymmetric (3EI/L) end
    // rotations.
    for (v, r, sign) in [(1, 5, 1.0), (2, 4, -1.0)] {
        add(&[(r, -1.0), (r + 6, 1.0)], bending / length);
        let slope = 2.0 * sign / length;
        add(&[(r, 1.0), (r + 6, 1.0), (v, slope), (v + 6, -slope)], 3.0 * bending / length);
    }
    let mut deck = "GRID,1,,0.,0.,0.\nGRID,2,,2.,0.,0.\nDMIG,KAAX,0,6,2\nDMIG,MAAX,0,6,2\n".to_owned();
    let entry = |k: usize| format!("{},{}", k / 6 + 1, k % 6 + 1);
    for (i, row) in K.iter().enumerate() {
        for (j, value) in row.iter().enumerate().take(i + 1).filter(|(_, value)| **value != 0.0) {
            deck.push_str(&format!("DMIG,KAAX,{},,{},{value:?}\n", entry(j), entry(i)));
        }
        if i % 6 < 3 {
            deck.push_str(&format!("DMIG,MAAX,{0},,{0},5.0\n", entry(i)));
        }
    }
    deck
}

#[test]
fn imported_matrices_take_the_same_way() {
    let bench = Bench::new();
    fs::write(bench.folder.path().join("supplier.bdf"), rod_matrices()).unwrap();
    let table = "imported = { deck = 'supplier.bdf' }\ninboard = 1\ninterfaces = { tip = 2 }\n";
    let (made, loaded) = (bench.link(table), bench.link(table));
    assert!(!made.from_cache && loaded.from_cache);
    assert_same(&made, &loaded);
    assert_eq!(made.refused, []);
    assert_eq!(made.health.mass, 10.0);
    // The cantilever's tip: EA/L, 12 EI/L³, 6 EI/L², 4 EI/L.
    let K = &made.link.K;
    let expected = [(0, 0, 3e7), (1, 1, 12.0 * 5e4 / 8.0), (1, 5, -6.0 * 5e4 / 4.0), (5, 5, 4.0 * 5e4 / 2.0)];
    for (i, j, value) in expected {
        assert!((K[(i, j)] / value - 1.0).abs() < 1e-12, "K[{i},{j}] = {}, not {value}", K[(i, j)]);
    }
    let other = rod_matrices().replace("MAAX,2,1,,2,1,5.0", "MAAX,2,1,,2,1,6.0");
    fs::write(bench.folder.path().join("supplier.bdf"), other).unwrap();
    assert!(!bench.link(table).from_cache, "other matrices are another link");
    let failure =
        bench.try_link(&table.replace("supplier.bdf' }", "supplier.bdf', mass = 'MXX' }")).unwrap_err();
    let problem = failure.request.iter().next().unwrap();
    assert!(problem.message.contains("no DMIG MXX") && problem.span.is_some(), "{problem:?}");
}

#[test]
fn pruning_keeps_what_is_young_and_removes_the_rest() {
    let bench = Bench::new();
    bench.link(ARM);
    bench.link(BEAM);
    let cache = bench.cache();
    let stranger = cache.folder().join("notes.txt");
    fs::write(&stranger, "mine").unwrap();
    assert_eq!(cache.prune(Duration::from_secs(3600)).unwrap().entries, 0);
    let old = std::time::SystemTime::now() - Duration::from_secs(10 * 86_400);
    let entry = cache.entries().unwrap().into_iter().next().unwrap();
    fs::File::options().append(true).open(&entry.path).unwrap().set_modified(old).unwrap();
    let pruned = cache.prune(Duration::from_secs(9 * 86_400)).unwrap();
    assert_eq!((pruned.entries, pruned.bytes), (1, entry.size));
    assert_eq!(cache.prune(Duration::ZERO).unwrap().entries, 1);
    assert!(stranger.exists(), "what is not ours stays");
    assert_eq!(fs::read_dir(cache.folder()).unwrap().count(), 1);
}

#[test]
fn anyone_can_read_an_entry() {
    let bench = Bench::new();
    bench.link(ARM);
    let file = hdf5::File::open(bench.entry()).unwrap();
    assert_eq!(
        file.attr("schema_version").unwrap().read_scalar::<u32>().unwrap(),
        pliant_store::SCHEMA_VERSION
    );
    let mut seen = 0;
    check_group(&file, &mut seen);
    assert!(seen > 25, "{seen} datasets");
}

/// Every dataset says what it is.
fn check_group(group: &hdf5::Group, seen: &mut usize) {
    for dataset in group.datasets().unwrap() {
        *seen += 1;
        for name in ["units", "description"] {
            let text = dataset.attr(name).unwrap().read_scalar::<hdf5::types::VarLenUnicode>().unwrap();
            assert!(!text.is_empty(), "{} of {}", name, dataset.name());
        }
    }
    for inner in group.groups().unwrap() {
        check_group(&inner, seen);
    }
}
