//! The reference page and the JSON schema of the entire file, as committed in `docs/`.

use crate::schema::{json_schema, reference_page};
use crate::{PIPELINE_FORMAT, PipelineTable};

const INTRODUCTION: &str = "\
One TOML file describes a machine completely: its links, the joints between them, what drives them, what is computed and what is kept. \
`pliant new` writes one that runs, and [the gallery](gallery.md) has more of them. Every problem of a file is reported in one pass, with its line \
and, for a misspelt word, the closest known one.

- Everything is SI (m, kg, s, N, rad) except what a Nastran deck gives in its own `units`; keys that end in `_deg` or `_hz` are degrees and Hz.
- Paths are relative to the file.
- A link hangs on its `inboard` interface, where its frame sits, and carries others on its outboard `interfaces`, written `link.interface`.
- An editor that knows JSON schemas completes and checks the file with [pipeline.schema.json](pipeline.schema.json): `#:schema pipeline.schema.json` in the first \
line, as `pliant new` writes it, names it for the language servers Tombi and Taplo.

This page is made by `pliant schema --page` from the same definitions that read the file; a table is named by its type. Each example is a fragment \
of a file, with its tables written from the top; a test reads all of them.";

/// The reference page of the pipeline file in Markdown.
pub fn file_reference() -> String {
    reference_page::<PipelineTable>("The pipeline file", INTRODUCTION)
}

/// The JSON schema of the pipeline file.
pub fn file_schema() -> String {
    let id = format!("urn:pliant:pipeline-file:{PIPELINE_FORMAT}");
    format!("{:#}\n", json_schema::<PipelineTable>(&id, "Pliant pipeline"))
}
