//! The evidence of docs/theory/stiffening.md: Kane's spin-up and rotating beams, with and without second
//! order, one body and segments.
//!
//! `cargo run --release -p pliant-cli --example stiffening` writes docs/theory/stiffening/*.svg and prints
//! the tables.
#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]
#![expect(clippy::unwrap_used, reason = "an example may stop")]

mod four_bar;
mod machine;
mod plot;
mod rotating;

use std::path::Path;

use four_bar::{Coupler, deflections, peak};
use machine::{ROOT, spin_up};
use plot::{Curve, Plot};

/// Name, pipeline, changes of its text.
type Case = (&'static str, &'static str, Vec<(&'static str, &'static str)>);

fn kane() {
    let one = "modes = { count = 6 }";
    let cases: [Case; 7] = [
        ("one beam, second order", "kane.toml", vec![]),
        (
            "one beam, first order",
            "kane.toml",
            vec![("\n[analysis]\n", "\n[analysis]\nsecond_order = false\n")],
        ),
        ("four segments, second order", "kane.toml", vec![(one, "modes = { count = 2 }\nsegments = 4")]),
        (
            "eight segments, first order",
            "kane.toml",
            vec![(one, "modes = { count = 2 }\nsegments = 8\nsecond_order = false")],
        ),
        ("shells, second order", "kane-shells.toml", vec![]),
        ("shells in four segments, second order", "kane-segments.toml", vec![]),
        ("solids, second order", "kane-shells.toml", vec![("strip.bdf", "solid.bdf")]),
    ];
    println!(
        "| Kane's spin-up | largest lag (m) | at (s) | after 15 s (mm) | stretch (mm) |\n|---|---|---|---|---|"
    );
    println!("| published | 0.574 | 6.76 | below 5 | 0.514 |");
    let mut curves = Vec::new();
    for (what, name, changes) in cases {
        let (tip, ended) = spin_up(name, &changes);
        match ended {
            Some(_) => {
                let last = tip.rows[tip.rows.len() - 1];
                println!("| {what} | diverges: {:.1} m | {:.2} | | |", -last[2], last[0]);
            }
            None => {
                let (lag, residual, stretch) = (tip.lag(), tip.residual(), tip.stretch());
                println!(
                    "| {what} | {:.4} | {:.2} | {:.2} | {:.4} |",
                    lag.1,
                    lag.0,
                    1e3 * residual,
                    1e3 * stretch
                );
            }
        }
        let points = tip.rows.iter().filter(|r| r[2].abs() < 2.0).map(|r| (r[0], r[2])).collect();
        curves.push(Curve { name: what.to_owned(), points, dots: false });
    }
    let plot = Plot {
        title: "Kane's spin-up: tip across the spinning axis".to_owned(),
        x: "t (s)".to_owned(),
        y: "m".to_owned(),
        curves,
    };
    plot.write(&Path::new(ROOT).join("docs/theory/stiffening/kane.svg"));
}

fn four_bar_table() {
    println!("| four-bar, mid-coupler | 170 rpm (mm) | 340 rpm (mm) |\n|---|---|---|");
    println!("| geometrically exact beams (Exudyn) | −0.6583 | |");
    let cases = [(1, true), (1, false), (4, true), (8, true), (8, false)];
    let mut curves = Vec::new();
    for (segments, second_order) in cases {
        let coupler = Coupler { segments, second_order };
        let reported = [(170.0, 1.0), (340.0, 0.7)].map(|(rpm, end)| {
            let (rows, ended) = deflections(rpm, coupler, 1e-4, end);
            let text = match &ended {
                Some(_) => format!("diverges at {:.2} s", rows.last().map_or(0.0, |r| r.0)),
                None => format!("{:.4}", 1e3 * peak(&rows)),
            };
            (text, rows)
        });
        let order = if second_order { "second order" } else { "first order" };
        let name = format!("{segments} {}, {order}", if segments == 1 { "body" } else { "segments" });
        println!("| {name} | {} | {} |", reported[0].0, reported[1].0);
        let points = reported[0].1.iter().map(|r| (r.0, 1e3 * r.1)).collect();
        curves.push(Curve { name, points, dots: false });
    }
    let plot = Plot {
        title: "Four-bar at 170 rpm: middle of the coupler from its chord".to_owned(),
        x: "t (s)".to_owned(),
        y: "mm".to_owned(),
        curves,
    };
    plot.write(&Path::new(ROOT).join("docs/theory/stiffening/four-bar.svg"));
}

fn main() {
    std::fs::create_dir_all(Path::new(ROOT).join("docs/theory/stiffening")).unwrap();
    kane();
    println!();
    rotating::rotating();
    println!();
    four_bar_table();
}
