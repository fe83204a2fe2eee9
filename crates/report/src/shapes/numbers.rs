//! Headline numbers and tables, readable without a script.

use super::{ForceRow, HotSpot, Shape, ShapeKind, Shapes};
use crate::page::{Tone, card, escape, table};
use crate::quantity::{count, quantity, quantity_text, significant};

/// A shape in a few words.
pub(super) fn label(shapes: &Shapes, k: usize) -> String {
    let value = shapes.shapes[k].value;
    match shapes.kind {
        ShapeKind::Vibration => format!("{}: {} Hz", k + 1, significant(value, 5)),
        ShapeKind::Buckling => format!("{}: load factor {}", k + 1, significant(value, 5)),
        ShapeKind::Static => format!("{}", value as u64),
    }
}

/// Size of the largest displacement (m), and the number of its grid where it is known.
fn largest(shapes: &Shapes, shape: &Shape) -> (f64, Option<u32>) {
    let sizes = shape.displacement.chunks_exact(3);
    let sizes = sizes.map(|u| u.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt());
    let found = sizes.enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
    found.map_or((0.0, None), |(at, size)| (size, shapes.mesh.grids.get(at).copied()))
}

/// The worst of all elements and the index of its shape.
fn worst(shapes: &Shapes) -> Option<(usize, &HotSpot)> {
    let first = shapes.hot_spots.iter().enumerate().filter_map(|(k, spots)| Some((k, spots.first()?)));
    first.max_by(|a, b| a.1.stress.total_cmp(&b.1.stress))
}

pub(super) fn summary(shapes: &Shapes) -> String {
    let mut cards = String::new();
    let mut add = |label: &str, value: (String, String), note: &str| {
        cards.push_str(&card(label, value, note, Tone::Plain));
    };
    let values = || shapes.shapes.iter().map(|shape| shape.value);
    match shapes.kind {
        ShapeKind::Vibration => {
            if let Some(lowest) = values().find(|hz| *hz > 0.0) {
                add("Lowest frequency", quantity(lowest, "Hz"), "of the modes that are not rigid");
            }
        }
        ShapeKind::Buckling => {
            if let Some(factor) = values().min_by(|a, b| a.abs().total_cmp(&b.abs())) {
                let note = if factor < 0.0 { "of the reversed loads" } else { "on the loads of the deck" };
                add("Smallest load factor", (significant(factor, 5), String::new()), note);
            }
        }
        ShapeKind::Static => {
            let all = shapes.shapes.iter().map(|shape| (shape, largest(shapes, shape)));
            if let Some((shape, (size, grid))) = all.max_by(|a, b| a.1.0.total_cmp(&b.1.0)) {
                let grid = grid.map_or(String::new(), |grid| format!("grid {grid}, "));
                add("Largest displacement", quantity(size, "m"), &format!("{grid}load case {}", shape.value));
            }
        }
    }
    if let Some((k, spot)) = worst(shapes) {
        let of = match shapes.kind {
            ShapeKind::Static => format!("load case {}", shapes.shapes[k].value),
            ShapeKind::Vibration | ShapeKind::Buckling => "under the loads of the deck".to_owned(),
        };
        let note = format!("element {}, {of}", spot.element);
        add("Largest von Mises stress", quantity(spot.stress, "Pa"), &note);
    }
    let name = match shapes.kind {
        ShapeKind::Vibration | ShapeKind::Buckling => "Modes",
        ShapeKind::Static => "Load cases",
    };
    add(name, (count(shapes.shapes.len() as u64), String::new()), "");
    format!("<div class=\"cards\">\n{cards}</div>\n")
}

/// Each shape with what belongs to it.
pub(super) fn values(shapes: &Shapes) -> String {
    let row = |(k, shape): (usize, &Shape)| {
        let number = (k + 1).to_string();
        let value = significant(shape.value, 6);
        match shapes.kind {
            ShapeKind::Vibration | ShapeKind::Buckling => vec![number, value],
            ShapeKind::Static => {
                let (size, grid) = largest(shapes, shape);
                let grid = grid.map_or("–".to_owned(), |grid| grid.to_string());
                let spot = shapes.hot_spots.get(k).and_then(|spots| spots.first());
                let stress = spot.map_or("–".to_owned(), |spot| quantity_text(spot.stress, "Pa"));
                let element = spot.map_or("–".to_owned(), |spot| spot.element.to_string());
                vec![value, quantity_text(size, "m"), grid, stress, element]
            }
        }
    };
    let rows: Vec<Vec<String>> = shapes.shapes.iter().enumerate().map(row).collect();
    match shapes.kind {
        ShapeKind::Vibration => table("Modes", &["mode", "Hz"], &rows),
        ShapeKind::Buckling => table("Modes", &["mode", "load factor"], &rows),
        ShapeKind::Static => {
            let heads = ["load case", "largest displacement", "grid", "largest von Mises stress", "element"];
            table("Load cases", &heads, &rows)
        }
    }
}

/// Elements of largest stress: of each static load case, or under the loads that buckle.
pub(super) fn hot_spots(shapes: &Shapes) -> String {
    let one = |spot: &HotSpot| {
        let property = if spot.property == 0 { "–".to_owned() } else { spot.property.to_string() };
        vec![spot.element.to_string(), property, quantity_text(spot.stress, "Pa")]
    };
    let part = |title: &str, spots: &Vec<HotSpot>| {
        let rows: Vec<Vec<String>> = spots.iter().map(one).collect();
        let table = table(title, &["element", "property", "von Mises stress"], &rows);
        format!("<h3 class=\"above\">{}</h3>\n{table}", escape(title))
    };
    let all = shapes.hot_spots.iter().enumerate().filter(|(_, spots)| !spots.is_empty());
    match shapes.kind {
        ShapeKind::Static => {
            all.map(|(k, spots)| part(&format!("load case {}", shapes.shapes[k].value), spots)).collect()
        }
        // Modes of the same loads follow each other.
        ShapeKind::Vibration | ShapeKind::Buckling => {
            let new = all.filter(|(k, spots)| *k == 0 || shapes.hot_spots[k - 1] != **spots);
            new.map(|(k, spots)| part(&format!("Under the loads of mode {}", k + 1), spots)).collect()
        }
    }
}

/// What acts on grids.
pub(super) fn forces(shapes: &Shapes) -> String {
    // Rounding beside the largest of its kind is shown as zero.
    let largest = |kind: usize| {
        let own = shapes.forces.iter().flat_map(|row| &row.components[3 * kind..3 * kind + 3]);
        own.fold(0.0_f64, |largest, x| largest.max(x.abs()))
    };
    let least = [0, 1].map(|kind| 1e-10 * largest(kind));
    let clean = |(k, x): (usize, &f64)| if x.abs() < least[k / 3] { 0.0 } else { *x };
    let row = |row: &ForceRow| {
        let mut cells = vec![format!("{}, grid {}", row.subcase, row.grid), escape(&row.origin)];
        cells.extend(row.components.iter().enumerate().map(clean).map(|x| significant(x, 5)));
        cells
    };
    let rows: Vec<Vec<String>> = shapes.forces.iter().map(row).collect();
    let heads = ["load case", "from", "x (N)", "y (N)", "z (N)", "x (N m)", "y (N m)", "z (N m)"];
    let left = shapes.forces_in_file.saturating_sub(shapes.forces.len());
    let more = match left {
        0 => String::new(),
        _ => format!(
            "<p class=\"muted\">{} more rows are in the file (<code>/grid_forces</code>).</p>\n",
            count(left as u64)
        ),
    };
    let note = "<p class=\"muted\">In the basic frame. The forces on a grid add up to zero.</p>\n";
    format!("{note}{}{more}", table("Forces on grids", &heads, &rows))
}
