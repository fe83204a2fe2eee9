//! Deformed shapes as bulk data, for preprocessors: points and lines, which need no properties.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use nalgebra::Vector3;
use pliant_diag::Origin;
use pliant_mesh::element::PlotElement;
use pliant_mesh::{Components, CoordIndex, ElementId, GridId, LinkMesh, Node, NodeIndex, NodeKind};
use pliant_store::results::{ResultsError, ResultsFile, ShapeFrame, ShapeMesh};
use pliant_store::{FileKind, Output, may_write, write_file};

/// Corners that an edge joins, for each of VTK's cells. Mid-side points are left out: a PLOTEL is straight.
fn edges(cell_type: u8) -> &'static [[usize; 2]] {
    match cell_type {
        3 => &[[0, 1]],
        5 | 22 => &[[0, 1], [1, 2], [2, 0]],
        9 | 23 => &[[0, 1], [1, 2], [2, 3], [3, 0]],
        10 | 24 => &[[0, 1], [1, 2], [2, 0], [0, 3], [1, 3], [2, 3]],
        14 | 27 => &[[0, 1], [1, 2], [2, 3], [3, 0], [0, 4], [1, 4], [2, 4], [3, 4]],
        13 | 26 => &[[0, 1], [1, 2], [2, 0], [3, 4], [4, 5], [5, 3], [0, 3], [1, 4], [2, 5]],
        12 | 25 => {
            &[[0, 1], [1, 2], [2, 3], [3, 0], [4, 5], [5, 6], [6, 7], [7, 4], [0, 4], [1, 5], [2, 6], [3, 7]]
        }
        _ => &[],
    }
}

/// Writes `frame-0001.bdf` and so on; returns their number.
///
/// # Errors
/// Results that cannot be read, a file that cannot be written.
pub fn bulk(
    file: &ResultsFile,
    folder: &Path,
    force: bool,
    io_error: impl Fn(io::Error) -> ResultsError,
) -> Result<usize, ResultsError> {
    let Some(mesh) = file.shapes()? else {
        let message = "the run kept no deformed shapes (`frames` of `[output]`)".to_owned();
        return Err(ResultsError::Unknown { path: file.path().to_owned(), message });
    };
    fs::create_dir_all(folder).map_err(&io_error)?;
    let lines: BTreeSet<[i64; 2]> = (0..mesh.cell_types.len())
        .flat_map(|at| edges(mesh.cell_types[at]).iter().map(move |edge| (at, edge)))
        .map(|(at, [a, b])| {
            let (a, b) = (mesh.cell(at)[*a], mesh.cell(at)[*b]);
            [a.min(b), a.max(b)]
        })
        .collect();
    let paths: Vec<_> =
        (1..=mesh.times.len()).map(|number| folder.join(format!("frame-{number:04}.bdf"))).collect();
    // All of them before the first is written.
    for path in &paths {
        let about = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
        let target = Output { path, kind: FileKind::Bulk, force };
        may_write(target, [file.path()]).map_err(about).map_err(&io_error)?;
    }
    for (at, path) in paths.iter().enumerate() {
        let frame = file.shape_frame(&mesh, at)?;
        write_file(path, deck(&mesh, at, &frame, &lines).as_bytes()).map_err(&io_error)?;
    }
    Ok(mesh.times.len())
}

/// Points of all links are numbered on: links of different decks may share the numbers of their grids.
fn deck(mesh: &ShapeMesh, at: usize, frame: &ShapeFrame, lines: &BTreeSet<[i64; 2]>) -> String {
    let node = |(id, x): (u32, &[f32])| Node {
        id: GridId(id),
        kind: NodeKind::Grid,
        position: Vector3::new(exact(x[0]), exact(x[1]), exact(x[2])),
        displacement_frame: CoordIndex(0),
        permanent_spc: Components::NONE,
        source: Origin::default(),
    };
    let line = |(id, [a, b]): (u32, &[i64; 2])| PlotElement {
        id: ElementId(id),
        nodes: [NodeIndex(*a as u32), NodeIndex(*b as u32)],
        source: Origin::default(),
    };
    let drawn = LinkMesh {
        nodes: (1..).zip(frame.points.chunks_exact(3)).map(node).collect(),
        plot_elements: (1..).zip(lines).map(line).collect(),
        ..LinkMesh::default()
    };
    let (t, links) = (mesh.times[at], mesh.links.join(", "));
    format!(
        "$ Deformed shape at t = {t} s, in metres; the links in order: {links}\n{}",
        pliant_bulk::write(&drawn)
    )
}

/// The number with the digits that single precision has, and no others.
fn exact(x: f32) -> f64 {
    x.to_string().parse().unwrap_or(f64::from(x))
}
