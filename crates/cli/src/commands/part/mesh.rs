//! `pliant mesh PART`: the mesh of a STEP file as a deck.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use pliant_bulk::{Deck, read_cards_from};
use pliant_cad::{MeshSize, Meshed};
use pliant_diag::{Diagnostic, Diagnostics, SourceMap, Warned};
use pliant_store::{FileKind, Output, may_write, write_file};

use super::super::Outcome;
use crate::Common;
use crate::argument::{ArgumentError, positive};
use crate::deck::material;
use crate::render;
use crate::terminal::{emit, json};
use crate::units::{self, NamedUnits};

/// Arguments of `pliant mesh`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// A STEP file
    #[arg(value_name = "PART")]
    part: PathBuf,
    /// Length of the edges of the elements, in the units of the deck
    #[arg(long, value_parser = size)]
    size: f64,
    /// Order of the elements: 1 or 2
    #[arg(long, default_value = "2", value_parser = clap::value_parser!(u32).range(1..=2))]
    order: u32,
    /// Length of edges at a feature, such as H1=2, or at all holes: holes=3; may be repeated
    #[arg(long, value_name = "NAME=SIZE", value_parser = refined)]
    refine: Vec<(String, f64)>,
    /// Units of the deck: mm-t-s, si, in-lbf-s
    #[arg(long, default_value = "mm-t-s", value_parser = units::parse)]
    units: NamedUnits,
    /// Material of the solids: a name such as steel, or E,nu,rho in SI
    #[arg(long, value_parser = material)]
    material: pliant_pipeline::link::MaterialSpec,
    /// The deck; the name of the part with the ending .bdf when left out
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace a file of another kind that Pliant wrote; a file of others is never replaced
    #[arg(long)]
    force: bool,
}

fn size(text: &str) -> Result<f64, ArgumentError> {
    positive(text, "a length")
}

fn refined(text: &str) -> Result<(String, f64), ArgumentError> {
    let Some((name, size)) = text.split_once('=') else {
        return Err(ArgumentError::Expected("NAME=SIZE, such as holes=3".to_owned()));
    };
    Ok((name.trim().to_owned(), positive(size.trim(), "a length")?))
}

/// Meshes the part and writes the deck.
pub(crate) fn run(arguments: &Arguments, common: &Common) -> io::Result<Outcome> {
    let target = arguments.out.clone().unwrap_or_else(|| arguments.part.with_extension("bdf"));
    let (counts, diagnostics) = match deck(arguments, &target) {
        Ok(Warned { output, diagnostics }) => (Some(output), diagnostics),
        Err(problems) => (None, problems),
    };
    let shown = target.display();
    emit(
        common,
        |out| {
            let problems = pliant::facts::diagnostics(&diagnostics, &SourceMap::new());
            let (grids, elements) = counts.unzip();
            json(
                out,
                &serde_json::json!({
                    "file": counts.map(|_| shown.to_string()), "grids": grids, "elements": elements,
                    "diagnostics": problems,
                }),
            )
        },
        |out, style| {
            render::diagnostics(out, style, &SourceMap::new(), &diagnostics, common.quiet)?;
            let Some((grids, elements)) = counts.filter(|_| !common.quiet) else { return Ok(()) };
            let (grids, elements) =
                (crate::number::counted(grids, "grid"), crate::number::counted(elements, "element"));
            writeln!(out, "{shown}: {grids}, {elements}")
        },
    )?;
    Ok(if counts.is_some() { Outcome::Good } else { Outcome::Bad })
}

fn deck(arguments: &Arguments, target: &Path) -> Result<Warned<(usize, usize)>, Diagnostics> {
    let one = |problem: Diagnostic| Diagnostics::from_iter([problem]);
    let (bytes, gmsh, unit) =
        super::opened(&arguments.part, &arguments.units).map_err(|problem| one(*problem))?;
    let output = Output { path: target, kind: FileKind::Bulk, force: arguments.force };
    let failed = |error: io::Error| one(Diagnostic::error(format!("{}: {error}", target.display())));
    may_write(output, [arguments.part.as_path()]).map_err(failed)?;
    let spec = MeshSize { size: arguments.size, order: arguments.order, refine: arguments.refine.clone() };
    let Warned { output: Meshed { msh, .. }, mut diagnostics } = gmsh.mesh(&bytes, unit, &spec, &[])?;
    let mut none = |_: &Path| Err(io::ErrorKind::NotFound.into());
    let cards = read_cards_from(arguments.part.with_added_extension("msh"), msh, &mut none);
    let material = pliant_machine::material(arguments.material);
    let options = pliant_reduce::source::deck_options(arguments.units.factors, Some(material), None);
    let Warned { output: Deck { mesh, .. }, diagnostics: more } =
        pliant_bulk::deck_from_cards(cards, &options);
    let nowhere = |problem: Diagnostic| Diagnostic { span: None, related: Vec::new(), ..problem };
    diagnostics.extend(more.into_iter().map(nowhere));
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    let units = &arguments.units.name;
    let text = format!(
        "$ Written by pliant: {} meshed by gmsh {}, units {units}\n{}",
        arguments.part.file_name().unwrap_or_default().to_string_lossy(),
        gmsh.version,
        pliant_bulk::write(&mesh)
    );
    write_file(target, text.as_bytes()).map_err(failed)?;
    Ok(Warned { output: (mesh.nodes.len(), mesh.solids.len()), diagnostics })
}
