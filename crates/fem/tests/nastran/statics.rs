//! Displacements in the CD frames.

#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]

use std::collections::BTreeMap;

use nalgebra::Vector3;
use pliant_fem::solve::{GridForces, grid_point_forces};
use pliant_fem::statics;
use pliant_mesh::element::ElementRef;
use pliant_mesh::{GridId, LinkMesh, Load, LoadKind};

use crate::reference::{Known, Line, Run, first_few, judge, mesh, runs};

const KNOWN: &[Known] = &[
    Known {
        name: "n95_quad4_tria3_plates/t01261a.inp",
        allowed: Some(0.043),
        reason: "COSMIC is 4.2 % above Navier's series, ours 0.13 % (see cross_ply_plates_agree_with_navier)",
    },
    Known {
        name: "n95_quad4_tria3_plates/t01321a.inp",
        allowed: Some(0.029),
        reason: "COSMIC is 4.7 % below Navier's series, MSC (quoted in the deck) 6.7 %, ours 2.9 % (see \
                 cross_ply_plates_agree_with_navier)",
    },
    Known {
        name: "pyn_solid_unit_pload4/cpenta.bdf",
        allowed: Some(0.041),
        reason: "one CPENTA alone. NX ties the shear along the prism to the sides of its triangles: with γ at their middles taken over by the corners in the shares √2/3, (3 − √2)/6, (3 − √2)/6 (right angle \
                 first), internal modes 1 − ζ² and L₁L₂ + L₂L₃ + L₃L₁, all 22 subcases come out to 1.2e-7. A constant shear stress then pulls the corners of a triangle with 0.50, 0.37 and 0.13 of its force and \
                 sideways as well, so that no such element passes the patch test; ours does, with a third each. Against 128 CPENTA 15, both are 13 to 15 % short under pressure on the sides",
    },
    Known {
        name: "pyn_static_solid_shell_bar/static_solid_shell_bar_xyz.bdf rotations",
        allowed: Some(0.025),
        reason: "NX's CPENTA. Refined, with what joins the parts left as it is, the problem has rotations that OpenSees and we find \
                 alike to 0.04 %, and of every rotation out of tolerance here NX's is further from them than ours (see \
                 mixed_deck.rs and docs/evidence/mixed-deck.md). NX's displacements leave our elements in balance but for the \
                 two CPENTA. The same deck along other axes is within the tolerance",
    },
];

#[test]
fn displacements() {
    let Some(runs) = runs() else { return };
    let mut lines = Vec::new();
    for run in runs.iter().filter(|r| r.kind == "static") {
        let line = |kind: &str, result| Line {
            name: format!("{} {kind}", run.name),
            tolerance: run.tolerance,
            result,
        };
        match compare(run) {
            Ok([translation, rotation]) => {
                lines.extend(translation.map(|t| line("translations", Ok(t))));
                lines.extend(rotation.map(|r| line("rotations", Ok(r))));
            }
            Err(message) => lines.push(line("", Err(message))),
        }
    }
    judge(
        "Static displacements against MSC, NX, COSMIC and MYSTRAN, relative to the largest of their kind",
        &lines,
        KNOWN,
    );
}

/// What acts on a grid adds up to nothing, at all grids of all decks: loads, constraints and elements are
/// computed one by one, and only what MPC and rigid elements do is taken from the balance.
#[test]
fn forces_on_grids_balance() {
    let Some(runs) = runs() else { return };
    let mut balanced = 0;
    for run in runs.iter().filter(|r| r.kind == "static") {
        let Ok(mesh) = mesh(&run.deck) else { continue };
        let Ok(found) = statics(&mesh).map(|found| found.output) else { continue };
        for subcase in &found.subcases {
            let forces = grid_point_forces(&mesh, &found, subcase, &|_| true).unwrap();
            let GridForces { force_error, moment_error, .. } = forces;
            println!("{} {}: {force_error:.1e} {moment_error:.1e}", run.name, subcase.id);
            // Badly conditioned stacks of stiff solids and thin shells lose digits in K u.
            assert!(force_error < 1e-9 && moment_error < 1e-9, "{} {}", run.name, subcase.id);
            balanced += 1;
        }
    }
    assert!(balanced > 20, "{balanced}");
}

/// Displacements by subcase and grid.
pub(crate) type Table = BTreeMap<u32, BTreeMap<u32, [f64; 6]>>;

pub(crate) fn reference(run: &Run) -> Table {
    let mut table = Table::new();
    for (subcase, grids) in run.json["displacements_key"].as_object().unwrap() {
        let subcase = table.entry(subcase.parse().unwrap()).or_default();
        for (grid, values) in grids.as_object().unwrap() {
            let values = values.as_array().unwrap();
            subcase.insert(grid.parse().unwrap(), std::array::from_fn(|k| values[k].as_f64().unwrap()));
        }
    }
    let Some(file) = run.json["displacement_file"].as_str() else { return table };
    let text = std::fs::read_to_string(run.folder.join(file)).unwrap();
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let (Ok(subcase), Ok(grid)) = (fields[0].parse(), fields[1].parse()) else { continue };
        let values =
            std::array::from_fn(|k| fields.get(2 + k).and_then(|v| v.parse().ok()).unwrap_or(f64::NAN));
        table.entry(subcase).or_default().entry(grid).or_insert(values);
    }
    table
}

/// MSC's CQUAD8 and CTRIA6 have no stiffness about their normal, AUTOSPC holds that rotation and 0 is printed
/// at every grid; ours is the turn of the shell. It is left out.
fn without_autospc(mesh: &LinkMesh, mut table: Table) -> Table {
    if mesh.shells.is_empty() || mesh.shells.iter().any(|s| s.shape.node_count() == s.shape.corner_count()) {
        return table;
    }
    for grids in table.values_mut() {
        for k in 3..6 {
            if grids.values().all(|v| v[k] == 0.0) {
                grids.values_mut().for_each(|v| v[k] = f64::NAN);
            }
        }
    }
    table
}

/// The worst error of translations and of rotations, with its grid; `None` where there is nothing to
/// compare.
fn compare(run: &Run) -> Result<[Option<(f64, String)>; 2], String> {
    let mut mesh = mesh(&run.deck)?;
    if run.name.ends_with("bar_grid_point_forces.bdf") {
        as_it_was_run(&mut mesh);
    }
    if run.name.starts_with("mys_all_elem_test/") {
        pressures_as_in_mystran(&mut mesh);
    }
    let mesh = mesh;
    let wanted = without_autospc(&mesh, reference(run));
    let lines = |d: pliant_diag::Diagnostics| first_few(&d.iter().map(|d| d.headline()).collect::<Vec<_>>());
    let answer = statics(&mesh).map_err(lines)?.output;
    let length = extent(&mesh);
    let mut worst: [Option<(f64, String)>; 2] = [None, None];
    for (id, grids) in wanted {
        let subcase = answer
            .subcases
            .iter()
            .find(|s| s.id == id)
            .or_else(|| (answer.subcases.len() == 1).then(|| &answer.subcases[0]))
            .ok_or_else(|| format!("no subcase {id}"))?;
        let size = |kind: usize| {
            let all = grids.values().flat_map(|v| v[3 * kind..3 * kind + 3].iter());
            all.filter(|v| v.is_finite()).map(|v| v.abs()).fold(0.0, f64::max)
        };
        // A kind that is small beside the other is noise of the reference: it counts by a tenth of the mean
        // slope.
        let sizes = [size(0).max(0.1 * size(1) * length), size(1).max(0.1 * size(0) / length)];
        for (grid, values) in &grids {
            let node = mesh.node_by_id(GridId(*grid)).ok_or_else(|| format!("no grid {grid}"))?;
            for (k, row) in answer.dofs.rows_of(node).enumerate() {
                if !values[k].is_finite() || sizes[k / 3] == 0.0 {
                    continue;
                }
                let error = (subcase.u[row] - values[k]).abs() / sizes[k / 3];
                let largest = &mut worst[k / 3];
                if largest.as_ref().is_none_or(|(worst, _)| error > *worst || error.is_nan()) {
                    let note = format!(
                        "subcase {id} grid {grid} component {}: {:.6e} for {:.6e}",
                        k + 1,
                        subcase.u[row],
                        values[k]
                    );
                    *largest = Some((error, note));
                }
            }
        }
    }
    Ok(worst)
}

/// The printed answer of this deck belongs to rods of radius 0.3, not of the 1.0 that stands in the deck:
/// every rotation is 0.3⁻⁴ = 123.457 times that of the deck's section, and PL³-like book values agree with
/// the latter. The translations have the shear factor 6/7 with it, that of a circle without Poisson's ratio
/// (G. R. Cowper, Journal of Applied Mechanics 33 (1966) 335–340): with this one number all agree to 5e-7.
fn as_it_was_run(mesh: &mut LinkMesh) {
    use pliant_mesh::property::PropertyKind;
    let (area, bending) = (0.3_f64.powi(2), 0.3_f64.powi(4));
    for property in &mut mesh.properties {
        match &mut property.kind {
            PropertyKind::Bar(_, bar) => {
                bar.area *= area;
                (bar.i1, bar.i2) = (bar.i1 * bending, bar.i2 * bending);
                bar.torsion_constant *= bending;
                (bar.k1, bar.k2) = (Some(6.0 / 7.0), Some(6.0 / 7.0));
            }
            PropertyKind::Beam(_, beam) => {
                (beam.k1, beam.k2) = (Some(6.0 / 7.0), Some(6.0 / 7.0));
                for station in &mut beam.stations {
                    station.area *= area;
                    (station.i1, station.i2) = (station.i1 * bending, station.i2 * bending);
                    station.torsion_constant *= bending;
                }
            }
            _ => {}
        }
    }
}

/// MYSTRAN's MIN3 and MIN4 shells take the deflection of a side as quadratic, with (L/8)(θ_j − θ_i) at its
/// middle (A. Tessler and T. J. R. Hughes, Computer Methods in Applied Mechanics and Engineering 39 (1983)
/// 311–335 and 50 (1985) 71–101), so that a pressure p gives moments ±(pA/24)·(n × s) at the ends of each
/// side s besides its forces. MSC's and our shells have the forces only. This is for squares and triangles.
fn pressures_as_in_mystran(mesh: &mut LinkMesh) {
    let mut loads = Vec::new();
    for load in &mesh.loads {
        let LoadKind::Pressure { element: ElementRef::Shell(row), pressures, .. } = load.kind else {
            loads.push(load.clone());
            continue;
        };
        let nodes = mesh.nodes_of_shell(&mesh.shells[row as usize]);
        let at = |k: usize| mesh.node(nodes[k % nodes.len()]).position;
        let normal = (1..nodes.len() - 1).map(|k| (at(k) - at(0)).cross(&(at(k + 1) - at(0))) * 0.5);
        // Times area and pressure.
        let normal = normal.sum::<Vector3<f64>>() * pressures[0];
        let mut add = |kind| loads.push(Load { kind, ..load.clone() });
        for (k, node) in nodes.iter().enumerate() {
            add(LoadKind::Force { node: *node, force: normal / nodes.len() as f64 });
            let moment = normal.cross(&(at(k + 1) - at(k))) / 24.0;
            add(LoadKind::Moment { node: *node, moment: -moment });
            add(LoadKind::Moment { node: nodes[(k + 1) % nodes.len()], moment });
        }
    }
    mesh.loads = loads;
}

/// COSMIC's simply supported square [0/90/0] plates, of which the decks have a quarter, against Navier's
/// double sine series for the thin plate (S. P. Timoshenko and S. Woinowsky-Krieger, *Theory of Plates and
/// Shells*, article 85): no G1Z, so no transverse shear. Its sum is not the 1.836e-3 that the decks quote
/// from a book.
#[test]
fn cross_ply_plates_agree_with_navier() {
    let (side, pressure, ply) = (2.0_f64, 1e-4, 0.000666_f64);
    let (along, across, poisson, shear) = (20e6, 0.5e6, 0.25, 0.25e6);
    let scale = 1.0 / (1.0 - poisson * poisson * across / along);
    let inner = 2.0 / 3.0 * (0.5 * ply).powi(3);
    let outer = 26.0 * inner;
    let D11 = scale * (along * outer + across * inner);
    let D22 = scale * (across * outer + along * inner);
    let mixed = (outer + inner) * (scale * poisson * across + 2.0 * shear);
    let odd = || (0..200).map(|k| (f64::from(2 * k + 1) / side, if k % 2 == 0 { 1.0 } else { -1.0 }));
    let deflection: f64 = odd()
        .flat_map(|m| odd().map(move |n| (m, n)))
        .map(|((m, a), (n, b))| {
            let stiffness = D11 * m.powi(4) + 2.0 * mixed * (m * n).powi(2) + D22 * n.powi(4);
            a * b * 16.0 * pressure / (std::f64::consts::PI.powi(6) * side * side * m * n * stiffness)
        })
        .sum();
    let Some(runs) = runs() else { return };
    // A quarter in 4×4 CQUAD4 or twice as many CTRIA3: 0.13 % and 2.9 % off.
    for (deck, allowed) in [("t01261a.inp", 2e-3), ("t01321a.inp", 3e-2)] {
        let run = runs.iter().find(|r| r.name.ends_with(deck)).expect("the deck is among the runs");
        let mesh = mesh(&run.deck).unwrap();
        let answer = statics(&mesh).expect("the deck runs").output;
        let middle = answer.dofs.rows_of(mesh.node_by_id(GridId(25)).unwrap()).start + 2;
        let ratio = -answer.subcases[0].u[middle] / deflection;
        println!("{deck}: {ratio:.5} of Navier's {deflection:.5e}");
        assert!((ratio - 1.0).abs() < allowed, "{deck}: {ratio}");
    }
}

/// Largest side of the box around the grids.
fn extent(mesh: &LinkMesh) -> f64 {
    let all = || mesh.nodes.iter().map(|n| n.position);
    (0..3)
        .map(|k| {
            let (low, high) = all().fold((f64::MAX, f64::MIN), |(l, h), p| (l.min(p[k]), h.max(p[k])));
            high - low
        })
        .fold(0.0, f64::max)
}
