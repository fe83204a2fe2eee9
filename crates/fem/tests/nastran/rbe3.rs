//! RBE3 coefficients against the GM matrices of NX Nastran 9.

use std::collections::BTreeMap;

use pliant_diag::Diagnostics;
use pliant_fem::DofMap;
use pliant_fem::constraint::{ConstraintOptions, dependencies};
use pliant_mesh::{Component, GridId};

use crate::reference::{Line, judge, mesh, runs};

#[test]
fn rbe3_coefficients() {
    let Some(runs) = runs() else { return };
    let lines: Vec<Line> = runs
        .iter()
        .filter(|r| r.kind == "gm_matrix")
        .map(|run| {
            let file = run.folder.join(run.json["gm_file"].as_str().unwrap());
            let result = mesh(&run.deck).and_then(|mesh| compare(&mesh, &file));
            Line { name: run.name.clone(), tolerance: 1e-6, result }
        })
        .collect();
    judge("RBE3 coefficients against GM of NX Nastran 9", &lines, &[]);
}

fn compare(mesh: &pliant_mesh::LinkMesh, file: &std::path::Path) -> Result<(f64, String), String> {
    let dofs = DofMap::new(mesh);
    let mut problems = Diagnostics::new();
    let equations = dependencies(mesh, &dofs, &ConstraintOptions::default(), &mut problems);
    if let Some(problem) = problems.iter().next() {
        return Err(problem.headline());
    }
    let mut ours: BTreeMap<(usize, usize), f64> = BTreeMap::new();
    for equation in equations {
        for (term, value) in equation.terms {
            ours.insert((equation.row, term), value);
        }
    }
    let row = |grid: &str, component: &str| -> usize {
        let node = mesh.node_by_id(GridId(grid.parse().unwrap())).unwrap();
        dofs.row(node, Component::from_digit(component.parse().unwrap()).unwrap()).unwrap()
    };
    let text = std::fs::read_to_string(file).unwrap();
    let mut reference: BTreeMap<(usize, usize), f64> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        reference.insert((row(fields[0], fields[1]), row(fields[2], fields[3])), fields[4].parse().unwrap());
    }
    let largest = reference.values().map(|v| v.abs()).fold(0.0, f64::max);
    let mut worst = 0.0_f64;
    for entry in ours.keys().chain(reference.keys()) {
        let difference = ours.get(entry).unwrap_or(&0.0) - reference.get(entry).unwrap_or(&0.0);
        worst = worst.max(difference.abs() / largest);
    }
    Ok((worst, format!("{} coefficients", reference.len())))
}
