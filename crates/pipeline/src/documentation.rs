//! The reference page and the JSON schema of the entire file, as committed in `docs/`.

use crate::PipelineTable;
use crate::schema::{json_schema, reference_page};

const INTRODUCTION: &str = "\
One TOML file describes a machine completely: its links, the joints between them, what drives them, what is computed and what is kept. \
`pliant new` writes one that runs, and [pipelines/](../pipelines/) has more of them. Every problem of a file is reported in one pass, with its line \
and, for a misspelt word, the closest known one.

- Everything is SI (m, kg, s, N, rad) except what a Nastran deck gives in its own `units`; keys that end in `_deg` or `_hz` are degrees and Hz.
- Paths are relative to the file.
- A link hangs on its `inboard` interface, where its frame sits, and carries others on its outboard `interfaces`, written `link.interface`.
- An editor that knows JSON schemas completes and checks the file with [pipeline.schema.json](pipeline.schema.json).

This page is made by `pliant schema --page` from the same definitions that read the file; a table is named by its type.";

/// The reference page of the pipeline file in Markdown.
pub fn file_reference() -> String {
    reference_page::<PipelineTable>("The pipeline file", INTRODUCTION)
}

/// The JSON schema of the pipeline file.
pub fn file_schema() -> String {
    format!("{:#}\n", json_schema::<PipelineTable>("Pliant pipeline"))
}
