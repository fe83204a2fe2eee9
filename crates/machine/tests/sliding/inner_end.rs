//! The drive acts on the inner end of a boom, wherever its rail is.

use crate::solids::{LAYERS, SIDE, hexahedra, line, line_of_grids, link, with};
use crate::support::{run, sliding};
use pliant_mechanism::BodyIndex;

/// Drive force and position of the tip against the first one, frame by frame.
fn slide(link: &str) -> Vec<[f64; 4]> {
    let drive = "drive = { motion = { profile = 'cycloidal', from = 0.2, to = 0.7, time = 0.2 } }";
    let text = format!(
        "gravity = [0, -9.81, 3]\n{link}{}[analysis]\nend = 0.2\nstep = 5e-4\nstart = 'equilibrium'\n",
        sliding(drive)
    );
    let (mut found, mut first) = (Vec::new(), None);
    run(&text, |frame| {
        let tip = frame.work.X_WT(BodyIndex(0).interface(0)).p;
        let tip = tip - *first.get_or_insert(tip);
        found.push([frame.drive_force(BodyIndex(0).coordinate(0)), tip.x, tip.y, tip.z]);
    })
    .unwrap();
    found
}

#[test]
fn a_rail_along_an_edge_takes_the_force_of_one_along_the_axis() {
    // A section that is held at its edge is held at its centre, and the drive is where it was. When the drive
    // acted along the rail it bent what is inside, by its arm, and had the vibrations of that in it: 1 to 3 %
    // of its force.
    with(&hexahedra(), |path| {
        let centre = slide(&link(path, &line(LAYERS + 1)));
        let edge = slide(&link(path, &line_of_grids(0, 0)));
        for k in 0..4 {
            let largest = centre.iter().map(|row| row[k].abs()).fold(0.0, f64::max);
            let apart =
                centre.iter().zip(&edge).map(|(a, b)| (a[k] - b[k]).abs()).fold(0.0, f64::max) / largest;
            println!("edge against centre, {k}: {apart:.1e}");
            assert!(apart < 1e-6, "{k}: {apart:.1e}");
        }
    });
}

#[test]
fn a_drive_beside_the_axis_bends_what_is_inside() {
    // A pull P on the tip, held by the drive at the arm e: what is inside, of the length l, is a cantilever
    // with the moment Pe at its end and pulled by P. Its moment in the grip is M = Pe/cosh(l√(P/EI)), and it
    // pushes itself inwards by M²/2EI.
    let (P, e, b, E) = (1e4, 0.1, 1e-3 * SIDE, 2.1e11);
    let bending = E * b.powi(4) / 12.0;
    with(&hexahedra(), |path| {
        let beside = link(path, &line(LAYERS + 1)).replacen(
            "[0, 0, 0] } }",
            &format!("[0, 0, 0] }}, centre = [0, {}, 0] }}", 1e3 * e),
            1,
        );
        let drive = "drive = { motion = { profile = 'hold', value = 0.3 } }";
        let text = format!(
            "{beside}{}[loads.tip]\nat = 'boom.tip'\nforce = [{P}, 0, 0]\n[analysis]\nend = 1e-3\nstep = 1e-3\nstart = 'equilibrium'\n",
            sliding(drive)
        );
        run(&text, |frame| {
            let force = frame.drive_force(BodyIndex(0).coordinate(0)) + P;
            let moment = P * e / (0.6 * (P / bending).sqrt()).cosh();
            let expected = moment * moment / (2.0 * bending);
            println!("drive beside the axis: {force:.4} N for {expected:.4} N");
            assert!((force / expected - 1.0).abs() < 2e-3, "{force} for {expected} N");
        })
        .unwrap();
    });
}
