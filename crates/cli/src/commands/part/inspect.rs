//! `pliant inspect PART`: solids, holes, shafts and plane faces of a STEP file, each with its name.

use std::io::{self, Write};
use std::path::PathBuf;

use pliant_cad::{Cylinder, Part};
use pliant_diag::{Diagnostics, SourceMap, Warned};
use pliant_pipeline::link::MaterialSpec;
use serde_json::{Value, json};

use super::super::Outcome;
use crate::Common;
use crate::deck::material;
use crate::number::real_beside;
use crate::render;
use crate::terminal::{Style, emit};
use crate::units::{self, NamedUnits};

/// Arguments of `pliant inspect`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// A STEP file
    #[arg(value_name = "PART")]
    part: PathBuf,
    /// Units to print: mm-t-s, si, in-lbf-s; that of the file does not matter
    #[arg(long, default_value = "mm-t-s", value_parser = units::parse)]
    units: NamedUnits,
    /// Material for the mass: a name such as steel, or E,nu,rho in SI
    #[arg(long, value_parser = material)]
    material: Option<MaterialSpec>,
}

/// Lists what a part has.
pub(crate) fn run(arguments: &Arguments, common: &Common) -> io::Result<Outcome> {
    let found = super::opened(&arguments.part, &arguments.units)
        .map_err(|problem| Diagnostics::from_iter([*problem]))
        .and_then(|(bytes, gmsh, unit)| gmsh.inspect(&bytes, unit));
    let (part, diagnostics) = match found {
        Ok(Warned { output, diagnostics }) => (Some(output), diagnostics),
        Err(problems) => (None, problems),
    };
    // Mass in kg: of SI density, with volumes in the units of the listing.
    let density = arguments.material.map(|m| m.rho * arguments.units.factors.length.powi(3));
    emit(
        common,
        |out| {
            let problems = pliant::facts::diagnostics(&diagnostics, &SourceMap::new());
            let mut facts = part.as_ref().map_or(json!({}), |part| facts(part, density));
            facts["diagnostics"] = json!(problems);
            facts["units"] = json!(arguments.units.name);
            crate::terminal::json(out, &facts)
        },
        |out, style| {
            render::diagnostics(out, style, &SourceMap::new(), &diagnostics, common.quiet)?;
            match &part {
                Some(part) if !common.quiet => text(out, style, part, density, arguments.units.length),
                _ => Ok(()),
            }
        },
    )?;
    Ok(if part.is_some() { Outcome::Good } else { Outcome::Bad })
}

fn facts(part: &Part, density: Option<f64>) -> Value {
    let cylinder = |c: &Cylinder| json!({ "name": c.name, "axis": c.axis, "centre": c.centre, "radius": c.radius, "depth": c.depth });
    let cylinders = |holes: bool| {
        let wanted = part.cylinders.iter().filter(|c| c.is_hole == holes);
        wanted.map(cylinder).collect::<Vec<_>>()
    };
    let solids = part.solids.iter().map(|solid| {
        let mass = density.map(|density| solid.volume * density);
        json!({ "name": solid.name, "volume": solid.volume, "centre": solid.centre, "mass_kg": mass })
    });
    let planes = part
        .planes
        .iter()
        .map(|p| json!({ "name": p.name, "normal": p.normal, "centre": p.centre, "area": p.area }));
    json!({
        "solids": solids.collect::<Vec<_>>(),
        "volume": part.volume(),
        "mass_kg": density.map(|density| part.volume() * density),
        "holes": cylinders(true),
        "shafts": cylinders(false),
        "planes": planes.collect::<Vec<_>>(),
    })
}

fn text(
    out: &mut impl Write,
    style: Style,
    part: &Part,
    density: Option<f64>,
    length: &str,
) -> io::Result<()> {
    let size = part.solids.iter().map(|solid| solid.volume.cbrt()).fold(0.0, f64::max);
    let vector = |v: &[f64; 3], scale: f64| {
        let parts = v.map(|x| format!("{:>10}", short(real_beside(x, scale))));
        parts.join(" ")
    };
    writeln!(
        out,
        "{}",
        style.faint(&format!(
            "  {:6} {:>13} {:>10}   {:>32}",
            "solid",
            format!("volume {length}³"),
            "mass kg",
            format!("centre {length}")
        ))
    )?;
    for solid in &part.solids {
        let mass = density.map_or("-".to_owned(), |density| format!("{:.4}", solid.volume * density));
        let volume = format!("{:.6e}", solid.volume);
        writeln!(
            out,
            "  {:6} {volume:>13} {mass:>10}   {}",
            style.bold(&solid.name),
            vector(&solid.centre, size)
        )?;
    }
    for (title, holes) in [("hole", true), ("shaft", false)] {
        let found: Vec<_> = part.cylinders.iter().filter(|c| c.is_hole == holes).collect();
        if found.is_empty() {
            continue;
        }
        let head = format!(
            "  {title:6} {:>10} {:>10}   {:>32}   {:>32}",
            "radius",
            "depth",
            "axis",
            format!("centre {length}")
        );
        writeln!(out, "\n{}", style.faint(&head))?;
        for c in found {
            let (radius, depth) = (short(pliant_diag::real(c.radius)), short(pliant_diag::real(c.depth)));
            let (axis, centre) = (vector(&c.axis, 1.0), vector(&c.centre, size));
            writeln!(out, "  {:6} {radius:>10} {depth:>10}   {axis}   {centre}", style.bold(&c.name))?;
        }
    }
    if !part.planes.is_empty() {
        let head = format!(
            "  {:6} {:>21}   {:>32}   {:>32}",
            "plane",
            format!("area {length}²"),
            "normal",
            format!("centre {length}")
        );
        writeln!(out, "\n{}", style.faint(&head))?;
        for p in &part.planes {
            let area = short(pliant_diag::real(p.area));
            let (normal, centre) = (vector(&p.normal, 1.0), vector(&p.centre, size));
            writeln!(out, "  {:6} {area:>21}   {normal}   {centre}", style.bold(&p.name))?;
        }
    }
    let Some(hole) = part.holes().next() else { return Ok(()) };
    let hint = format!(
        "\nin a link: inboard = {{ hole = \"{}\" }}; planes and shafts: {{ set = \"P1\" }}",
        hole.name
    );
    writeln!(out, "{}", style.faint(&hint))
}

/// At most ten columns.
fn short(text: String) -> String {
    if text.len() <= 10 { text } else { text.parse::<f64>().map_or(text, |x| format!("{x:.3e}")) }
}
