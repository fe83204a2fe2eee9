//! The page of a static answer: two load cases of a strip, the second twice the first.

use pliant_report::{About, Cells, ForceRow, HotSpot, Part, Shape, ShapeKind, Shapes};

use super::{chromium, drive, keep, no_troubles, number};

/// A strip of quadrilaterals, bent.
fn strip() -> Shapes {
    let columns = 12_u32;
    let mut cells = Cells { offsets: vec![0], ..Cells::default() };
    let mut positions = Vec::new();
    for i in 0..=columns {
        positions.extend([0.0, 0.2].map(|y| [i as f32 / columns as f32, y, 0.0]));
    }
    for i in 0..columns {
        cells.connectivity.extend([2 * i, 2 * i + 2, 2 * i + 3, 2 * i + 1]);
        cells.offsets.push(cells.connectivity.len() as u32);
        cells.types.push(9);
        cells.rigid.push(false);
    }
    let grids = (1..=positions.len() as u32).collect();
    let case = |number: f64| Shape {
        value: number,
        displacement: positions.iter().flat_map(|p| [0.0, 0.0, number as f32 * 1e-3 * p[0] * p[0]]).collect(),
        fields: vec![(
            "von Mises stress".into(),
            "Pa".into(),
            positions.iter().map(|p| number as f32 * 60e6 * (1.0 - p[0])).collect(),
        )],
    };
    let spot = |stress: f64| vec![HotSpot { element: 1, property: 1, stress }];
    let force = |origin: &str, z: f64| ForceRow {
        subcase: 1,
        grid: 25,
        origin: origin.into(),
        components: [0.0, 0.0, z, 0.0, 0.0, 0.0],
    };
    Shapes {
        about: About { title: "Strip".into(), ..About::default() },
        kind: ShapeKind::Static,
        shapes: vec![case(1.0), case(2.0)],
        hot_spots: vec![spot(60e6), spot(120e6)],
        forces: vec![force("applied", 10.0), force("CQUAD4 12", -10.0)],
        forces_in_file: 2,
        mesh: Part { name: "strip".into(), positions, grids, cells, ..Part::default() },
    }
}

#[test]
fn static_load_cases_are_chosen_coloured_and_played() {
    let Some(browser) = chromium::browser() else { return };
    let html = strip().into_html();
    keep(&browser, "static", &html);
    for size in [(1360, 900), (420, 900)] {
        let seen = drive(&browser, &html, include_str!("shapes.js"), size);
        println!("{seen:#}");
        no_troubles(&seen);
        for what in ["colour_differs", "played"] {
            assert!(number(&seen[what]) > 1e-3, "{what}: {seen:#}");
        }
        // Values are stored in steps of the largest over 65,534.
        for (what, stress) in [("first_stress", 60e6), ("second_stress", 120e6), ("stress_without_load", 0.0)]
        {
            assert!((number(&seen[what]) - stress).abs() < 2e3, "{what}: {seen:#}");
        }
        assert!(seen["status"].as_str().unwrap().contains("load case 2"), "{seen:#}");
        assert_eq!(seen["wider_than_window"], false);
        assert_eq!(seen["unnamed"], serde_json::json!([]), "controls without a name");
    }
}
