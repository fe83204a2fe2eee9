//! Public meshes of each format, where `PLIANT_PUBLIC_MESHES` names a folder of them: every file is read or
//! refused with a reason, and nothing panics. tests/peers/meshes.py brings them and compares with meshio.

use std::path::Path;

use super::read_file;

#[test]
fn public_meshes_are_read_or_refused() {
    let Some(folder) = std::env::var_os("PLIANT_PUBLIC_MESHES") else {
        eprintln!("SKIPPED: PLIANT_PUBLIC_MESHES names no folder of meshes");
        return;
    };
    let mut waiting = vec![Path::new(&folder).to_owned()];
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(
                std::fs::read_dir(&path).expect("a folder").map(|entry| entry.expect("an entry").path()),
            );
            continue;
        }
        let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
        if !["msh", "inp", "cdb", "unv"].contains(&ending) {
            continue;
        }
        let read = read_file(&path);
        let mesh = &read.output.mesh;
        println!(
            "{}\t{}\t{}\t{}\t{}\t{}",
            path.display(),
            mesh.nodes.len(),
            mesh.solids.len(),
            mesh.shells.len(),
            mesh.bars.len() + mesh.rods.len(),
            read.diagnostics.has_errors()
        );
        for problem in &read.diagnostics {
            println!(
                "    {} {:?}: {}",
                problem.severity.as_str(),
                problem.span.map(|span| read.output.sources.line_column(span).line),
                problem.headline()
            );
        }
        assert!(
            read.diagnostics.has_errors() || !mesh.nodes.is_empty(),
            "{}: nothing was read",
            path.display()
        );
    }
}
