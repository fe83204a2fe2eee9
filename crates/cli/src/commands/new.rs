//! `pliant new NAME`: a starting folder that runs as it is, from one of some templates.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use pliant_pipeline::file_schema;
use pliant_store::write_file;
use serde_json::json;

use super::Outcome;
use crate::Common;
use crate::terminal::{complain, output};

/// Arguments of `pliant new`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The folder to create; it must not exist yet
    #[arg(value_name = "NAME", required_unless_present = "list")]
    name: Option<PathBuf>,
    /// What the folder is to hold; --list shows all
    #[arg(long, value_name = "TEMPLATE", default_value = TEMPLATES[0].name,
          value_parser = clap::builder::PossibleValuesParser::new(TEMPLATES.iter().map(|template| template.name)))]
    template: String,
    /// List the templates
    #[arg(long, conflicts_with = "name")]
    list: bool,
}

/// The pipeline file of every template.
const PIPELINE: &str = "machine.toml";

/// The schema that the first line of the pipeline file names, for editors.
const SCHEMA: &str = "pipeline.schema.json";

/// A folder to start from.
struct Template {
    name: &'static str,
    text: &'static str,
    /// Names and contents, the pipeline file first.
    files: &'static [(&'static str, &'static str)],
}

/// All templates; the first is that of `pliant new NAME`.
const TEMPLATES: [Template; 4] = [
    Template {
        name: "arm",
        text: "a two-link arm, one link from a Nastran deck, one a beam",
        files: &[
            (PIPELINE, include_str!("../../templates/arm/machine.toml")),
            ("upper.bdf", include_str!("../../templates/arm/upper.bdf")),
        ],
    },
    Template {
        name: "bare-mesh",
        text: "a lever from a mesh without material and joints, as Gmsh writes it",
        files: &[
            (PIPELINE, include_str!("../../templates/bare-mesh/machine.toml")),
            ("lever.bdf", include_str!("../../../../inputs/bare-mesh/lever.bdf")),
        ],
    },
    Template {
        name: "four-bar",
        text: "a closed loop with a flexible coupler",
        files: &[(PIPELINE, include_str!("../../templates/four-bar/machine.toml"))],
    },
    Template {
        name: "study",
        text: "24 cases of a two-link arm: payload, wall thickness, time of the motion",
        files: &[(PIPELINE, include_str!("../../templates/study/machine.toml"))],
    },
];

/// Makes the folder, or lists the templates. Nothing that is there is touched.
pub(crate) fn run(arguments: &Arguments, common: &Common) -> io::Result<Outcome> {
    let Some(folder) = &arguments.name else { return list(common) };
    let template = TEMPLATES.iter().find(|template| template.name == arguments.template);
    let template = template.expect("invariant: the parser of arguments knows the templates");
    let shown = folder.display();
    if let Some(parent) = folder.parent() {
        fs::create_dir_all(parent).map_err(|error| about(parent, &error))?;
    }
    if let Err(error) = fs::create_dir(folder) {
        if error.kind() == io::ErrorKind::AlreadyExists {
            complain(format_args!("error: {shown} exists already\n   = hint: choose another name"));
            return Ok(Outcome::Bad);
        }
        return Err(about(folder, &error));
    }
    let schema = file_schema();
    let files: Vec<_> = template.files.iter().copied().chain([(SCHEMA, schema.as_str())]).collect();
    for (name, text) in &files {
        let path = folder.join(name);
        if let Err(error) = write_file(&path, text.as_bytes()) {
            // The folder was made by this command.
            let _ = fs::remove_dir_all(folder);
            complain(format_args!("error: {}", about(&path, &error)));
            return Ok(Outcome::Bad);
        }
    }
    let pipeline = folder.join(PIPELINE);
    let (mut out, _) = output();
    if common.json {
        let files: Vec<_> = files.iter().map(|(name, _)| *name).collect();
        let (folder, pipeline) = (shown.to_string(), pipeline.display().to_string());
        writeln!(out, "{}", json!({ "folder": folder, "pipeline": pipeline, "files": files }))?;
    } else if !common.quiet {
        writeln!(out, "{shown}: {}", template.text)?;
        writeln!(out, "run it with: pliant run {}", pipeline.display())?;
    }
    out.flush()?;
    Ok(Outcome::Good)
}

/// Prints name and content of each template.
fn list(common: &Common) -> io::Result<Outcome> {
    let (mut out, _) = output();
    if common.json {
        let templates = TEMPLATES.iter().map(|t| json!({ "name": t.name, "description": t.text }));
        writeln!(out, "{}", json!({ "templates": templates.collect::<Vec<_>>() }))?;
    } else {
        for template in &TEMPLATES {
            writeln!(out, "{:10} {}", template.name, template.text)?;
        }
    }
    out.flush()?;
    Ok(Outcome::Good)
}

/// The error with the path it is about.
fn about(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
