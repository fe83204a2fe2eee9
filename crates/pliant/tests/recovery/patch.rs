//! Fields of displacement whose strain is known.

use super::*;

/// Distorted solids of an orthotropic material in axes of its own and shells of one that is turned.
const PATCH: &str = "BEGIN BULK
CORD2R,6,,0.,0.,0.,0.,1.,1.
,1.,.2,0.
GRID,1,,.1,.2,.3
GRID,11,,0.,0.,0.
GRID,12,,1.1,.1,0.
GRID,13,,1.,.9,.1
GRID,14,,-.1,1.,0.
GRID,15,,.1,0.,1.
GRID,16,,1.,0.,1.1
GRID,17,,1.1,1.1,.9
GRID,18,,0.,.9,1.
GRID,21,,3.,0.,0.
GRID,22,,4.,.1,.1
GRID,23,,3.2,1.,0.
GRID,24,,3.1,.2,1.2
GRID,31,,0.,3.,0.
GRID,32,,1.,3.1,0.
GRID,33,,.9,4.,0.
GRID,34,,.1,3.8,0.
GRID,41,,2.,3.,0.
GRID,42,,3.,3.2,0.
GRID,43,,2.3,4.,0.
CHEXA,1,1,11,12,13,14,15,16
,17,18
CTETRA,2,1,21,22,23,24
CQUAD4,3,2,31,32,33,34,30.
CTRIA3,4,2,41,42,43,-20.
PSOLID,1,1,6
PSHELL,2,2,.02,2,,2
MAT9,1,1.+11,3.+10,2.+10,,,,5.+10
,1.+10,,,,4.+10,,,
,2.+10,,,1.5+10,,1.+10
MAT8,2,1.4+11,1.+10,.3,5.+9,5.+9,5.+9,1600.
RBE2,99,1,123456,11,31
ENDDATA
";

/// A displacement that is linear in position has its own strain everywhere, and one that bends a plate the
/// strain zκ at its faces.
#[test]
fn a_patch_of_constant_strain_has_it_everywhere() {
    let bench = Bench::of(PATCH, "inboard = { grid = 1, axes = [[1.0, 2.0, 2.0], [2.0, 1.0, -2.0]] }\n");
    let mesh = bench.mesh();
    let nodes: Vec<_> = (0..mesh.nodes.len()).map(pliant_mesh::NodeIndex::from).collect();
    // Axes of the link, and of the solids' material.
    let A = Matrix3::new(1.0, 2.0, -2.0, 2.0, 1.0, 2.0, 2.0, -2.0, -1.0) / 3.0;
    let R = mesh.coordinates.iter().find(|frame| frame.id.0 == 6).unwrap().axes;
    let G = Matrix3::new(3e-4, -2e-4, 5e-4, 7e-4, -1e-4, 4e-4, 1e-4, -6e-4, 2e-4);
    // Shells in the plane of x and y stay upright on it, and turn in it by half of the curl.
    let spin = Vector3::new(G[(2, 1)], -G[(2, 0)], 0.5 * (G[(1, 0)] - G[(0, 1)]));
    // Curvatures of the second field: w = −½(kx x² + ky y² + kxy x y), so that ε = zκ.
    let (kx, ky, kxy) = (0.03, -0.02, 0.05);
    let mut columns = vec![Vec::new(), Vec::new()];
    for node in &nodes {
        let x = mesh.node(*node).position;
        let w = -0.5 * (kx * x.x * x.x + ky * x.y * x.y + kxy * x.x * x.y);
        let slope = [-kx * x.x - 0.5 * kxy * x.y, -ky * x.y - 0.5 * kxy * x.x];
        let turn = [spin, Vector3::new(slope[1], -slope[0], 0.0)];
        for (column, (u, turn)) in columns.iter_mut().zip([G * x, Vector3::z() * w].into_iter().zip(turn)) {
            column.extend((A.transpose() * u).iter().chain((A.transpose() * turn).iter()));
        }
    }
    let ids: Vec<u32> = nodes.iter().map(|node| mesh.node(*node).id.0).collect();
    let shapes = NodalShapes { positions: vec![Vector3::zeros(); nodes.len()], nodes, columns };
    // On the top of the CQUAD4 and on a face of the CHEXA.
    let direction = Vector3::new(1.0, 0.4, 0.0);
    // The third on the edge between two faces, one of which its direction stands upright on.
    let gauges = [
        Vector3::new(0.5, 3.5, 0.01),
        Vector3::new(0.5, 0.5, 1.0),
        Vector3::new(1.05, 0.05, 0.55),
        Vector3::new(0.5, 7.0, 0.0),
    ]
    .map(|position| Gauge { position, direction, top: true });
    let request = RecoveryRequest { wanted: &|_, _, _| true, gauges: &gauges };
    let ([stress, strain], read) =
        link_recovery(&bench.request, bench.meshed(bench.mesh()), &ids, &shapes, &request).unwrap();
    let near = |found: &[f64], expected: &[f64]| {
        assert_eq!(found.len(), expected.len());
        // Rounding of numbers near 1e-3.
        for (a, b) in found.iter().zip(expected) {
            assert!((a - b).abs() < 1e-14, "{found:?} {expected:?}");
        }
    };
    let of = |modes: &ElementModes, id: u32, coordinate: usize| -> Vec<f64> {
        let element = modes.elements.iter().find(|element| element.id == id).unwrap();
        let count = element.kind.rows(modes.quantity);
        modes.S.column(coordinate).rows(element.first, count).iter().copied().collect()
    };
    // Solids: at centroid and corners, in link axes.
    let e = A.transpose() * (G + G.transpose()) * A * 0.5;
    let voigt = [e[(0, 0)], e[(1, 1)], e[(2, 2)], 2.0 * e[(0, 1)], 2.0 * e[(1, 2)], 2.0 * e[(2, 0)]];
    for (id, points) in [(1, 9), (2, 5)] {
        near(&of(&strain, id, 0), &voigt.repeat(points));
    }
    // The material is that of axes 6: σ = D ε there, so the energy σ·ε is that of ε in them.
    let m = R.transpose() * (G + G.transpose()) * R * 0.5;
    let m = [m[(0, 0)], m[(1, 1)], m[(2, 2)], 2.0 * m[(0, 1)], 2.0 * m[(1, 2)], 2.0 * m[(2, 0)]];
    let energy = 1e11 * m[0] * m[0]
        + 5e10 * m[1] * m[1]
        + 4e10 * m[2] * m[2]
        + 2.0 * (3e10 * m[0] * m[1] + 2e10 * m[0] * m[2] + 1e10 * m[1] * m[2])
        + 2e10 * m[3] * m[3]
        + 1.5e10 * m[4] * m[4]
        + 1e10 * m[5] * m[5];
    for id in [1, 2] {
        let pairs = of(&stress, id, 0).into_iter().zip(of(&strain, id, 0)).collect::<Vec<_>>();
        for point in pairs.chunks_exact(6) {
            let found: f64 = point.iter().map(|(s, e)| s * e).sum();
            assert!((found / energy - 1.0).abs() < 1e-12, "{found} {energy}");
        }
    }
    // Shells: at both faces, x midway between the diagonals of the CQUAD4 and along the side G1–G2 of the
    // CTRIA3, from which the material's angle counts in both.
    let material = plane_compliance(1.4e11, 1e10, 0.3, 5e9);
    let angle_of = |x: f64, y: f64| y.atan2(x);
    let between = 0.5 * (angle_of(0.9, 1.0) + angle_of(0.9, -0.7));
    let [quadrilateral, triangle] = [angle_of(1.0, 0.1), angle_of(1.0, 0.2)];
    for (id, x, angle) in
        [(3, between, quadrilateral - between + 30.0_f64.to_radians()), (4, triangle, -20.0_f64.to_radians())]
    {
        let turned = |e: [f64; 3], c: f64, s: f64| {
            [
                e[0] * c * c + e[1] * s * s + e[2] * c * s,
                e[0] * s * s + e[1] * c * c - e[2] * c * s,
                2.0 * (e[1] - e[0]) * c * s + e[2] * (c * c - s * s),
            ]
        };
        let (c, s) = (x.cos(), x.sin());
        let even = turned([G[(0, 0)], G[(1, 1)], G[(0, 1)] + G[(1, 0)]], c, s);
        // The centre, and the corners of the CQUAD4.
        let points = if id == 3 { 5 } else { 1 };
        near(&of(&strain, id, 0), &even.repeat(2 * points));
        let bent = turned([kx * 0.01, ky * 0.01, kxy * 0.01], c, s);
        near(&of(&strain, id, 1), &[bent.map(|e| -e), bent].concat().repeat(points));
        for coordinate in [0, 1] {
            let (stress, strain) = (of(&stress, id, coordinate), of(&strain, id, coordinate));
            for (stress, strain) in stress.chunks_exact(3).zip(strain.chunks_exact(3)) {
                let (c, s) = (angle.cos(), angle.sin());
                let along = turned([strain[0], strain[1], strain[2]], c, s);
                // τ turns as γ/2 does.
                let of = turned([stress[0], stress[1], 2.0 * stress[2]], c, s);
                let expected = material * Vector3::new(of[0], of[1], 0.5 * of[2]);
                near(&along, expected.as_slice());
            }
        }
    }
    // Gauges read d·ε d of both, and with bending the top of the shell.
    let d = direction.normalize();
    let along = (d.transpose() * G * d)[0];
    near(&[read[0].as_ref().unwrap()[0]], &[along]);
    // The face of the CHEXA is not flat: along its own tangent plane.
    assert!((read[1].as_ref().unwrap()[0] - along).abs() < 0.2 * along.abs());
    assert!(read[2].is_ok(), "{:?}", read[2]);
    assert_eq!(read[3], Err(GaugeError::Away));
    // A bilinear interpolation of the slopes is exact for a constant curvature on a parallelogram; this is
    // nearly one.
    let bent = 0.01 * (kx * d.x * d.x + ky * d.y * d.y + kxy * d.x * d.y);
    assert!((read[0].as_ref().unwrap()[1] / bent - 1.0).abs() < 0.05, "{:?} {bent}", read[0]);
}

/// Stress at the fibre distances Z1 and Z2 of a property, with the bending stiffness of a sandwich: σ =
/// Eκz/(1 − ν) of the material in a spherical curvature, whatever 12I/T³ makes of the moment (M z/I).
#[test]
fn fibre_distances_and_bending_ratio_give_the_stress_of_the_material() {
    let deck = "BEGIN BULK
GRID,1,,0.,0.,0.
GRID,2,,1.,.1,0.
GRID,3,,.9,1.,0.
GRID,4,,.1,.8,0.
CQUAD4,3,2,1,2,3,4,,.004
PSHELL,2,1,.02,1,2.5,1
,-.03,.015
MAT1,1,2.+11,,.3,7850.
ENDDATA
";
    let bench = Bench::of(deck, "inboard = 1\n");
    let mesh = bench.mesh();
    let nodes: Vec<_> = (0..mesh.nodes.len()).map(pliant_mesh::NodeIndex::from).collect();
    let kappa = 1e-3;
    let column = nodes.iter().flat_map(|node| {
        let x = mesh.node(*node).position;
        // βx = θy = κx, βy = −θx = κy; the grids lie 4 mm below the middle of the plate.
        let h = 0.004 * kappa;
        [-h * x.x, -h * x.y, -0.5 * kappa * (x.x * x.x + x.y * x.y), -kappa * x.y, kappa * x.x, 0.0]
    });
    let shapes = NodalShapes {
        positions: vec![Vector3::zeros(); nodes.len()],
        columns: vec![column.collect()],
        nodes: nodes.clone(),
    };
    let ids: Vec<u32> = nodes.iter().map(|node| mesh.node(*node).id.0).collect();
    let request = RecoveryRequest { wanted: &|_, _, _| true, gauges: &[] };
    let ([stress, strain], _) =
        link_recovery(&bench.request, bench.meshed(bench.mesh()), &ids, &shapes, &request).unwrap();
    assert_eq!(stress.S.nrows(), 30);
    for (modes, unit) in [(&stress, 2e11 * kappa / 0.7), (&strain, kappa)] {
        for (rows, z) in modes.S.as_slice().chunks_exact(3).zip([-0.03, 0.015].into_iter().cycle()) {
            let off = [rows[0] - unit * z, rows[1] - unit * z, rows[2]];
            assert!(off.iter().all(|off| off.abs() < 1e-12 * unit), "{rows:?} {z}");
        }
    }
}

/// A gauge on the top of a plate with one corner thickness given and three of the property, 10 and 3 × 20 mm:
/// half of their mean, 8.75 mm, from the middle.
#[test]
fn a_gauge_stands_on_the_mean_thickness_of_the_corners() {
    let deck = "BEGIN BULK
GRID,1,,0.,0.,0.
GRID,2,,1.,0.,0.
GRID,3,,1.,1.,0.
GRID,4,,0.,1.,0.
CQUAD4,3,2,1,2,3,4
,,,.01
PSHELL,2,1,.02,1,,1
MAT1,1,2.+11,,.3,7850.
ENDDATA
";
    let bench = Bench::of(deck, "inboard = 1\n");
    let mesh = bench.mesh();
    let nodes: Vec<_> = (0..mesh.nodes.len()).map(pliant_mesh::NodeIndex::from).collect();
    // Bent along x: θy = x.
    let column = nodes.iter().flat_map(|node| {
        let x = mesh.node(*node).position.x;
        [0.0, 0.0, -0.5 * x * x, 0.0, x, 0.0]
    });
    let columns = vec![column.collect()];
    let ids: Vec<u32> = nodes.iter().map(|node| mesh.node(*node).id.0).collect();
    let shapes = NodalShapes { positions: vec![Vector3::zeros(); nodes.len()], nodes, columns };
    let gauge = Gauge { position: Vector3::new(0.4, 0.6, 0.0), direction: Vector3::x(), top: true };
    let request = RecoveryRequest { wanted: &|_, _, _| false, gauges: &[gauge] };
    let (_, read) =
        link_recovery(&bench.request, bench.meshed(bench.mesh()), &ids, &shapes, &request).unwrap();
    let strain = read[0].as_ref().unwrap()[0];
    assert!((strain - 0.00875).abs() < 1e-15, "{strain}");
}
