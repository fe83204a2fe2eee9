//! The readers as functions of bytes.

use std::path::Path;

use pliant_bulk::{CardFile, FieldBuffer, Options, Reader, deck_from_cards, read_cards_from};
use pliant_diag::{Diagnostics, Warned};

use crate::{foreign, op4, seeds, stored};

/// From an input to another.
pub type Rewrite = fn(&[u8]) -> Vec<u8>;

/// A reader, what it is fed with, and how.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name, that of its `cargo fuzz` target too.
    pub name: &'static str,
    /// Reads any bytes. A panic, a hang or much memory is a defect; an error of the reader is not.
    pub read: fn(&[u8]),
    /// Intact inputs.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Words of the format.
    pub dictionary: &'static [&'static [u8]],
    /// Part of all executions, in thousandths: readers that take microseconds get more than those that write
    /// files.
    pub share: usize,
    /// For formats that repeat: the same input with all repetitions written out. A short input stands for
    /// that file, and may take the memory that that file takes.
    pub written_out: Option<Rewrite>,
}

const DECK_WORDS: &[&[u8]] = &[
    b"\n",
    b"\r",
    b"\t",
    b",",
    b"$",
    b"*",
    b"+",
    b"=",
    b"==",
    b"=(99999999999)",
    b"=(3)\n",
    b"*(1)",
    b"/",
    b"'",
    b"\0",
    b"\xff",
    b"THRU",
    b"2000000000",
    b"BY",
    b"EXCEPT",
    b"INCLUDE 'a.inc'\n",
    b"BEGIN SUPER=4\n",
    b"ENDDATA\n",
    b"1.0-3",
    b"GRID",
    b"        ",
    b"1.e999",
    b"+ABC    ",
    b"BEGIN BULK\n",
    b"SPC = 1\n",
    b"SUBCASE 2\n",
    b"CORD2R",
];
const TOML_WORDS: &[&[u8]] = &[
    b"\n",
    b"=",
    b"[",
    b"]",
    b"{",
    b"}",
    b"\"",
    b"'",
    b"#",
    b".",
    b",",
    b"[study]\n",
    b"segments = 1000000000\n",
    b"count = 4000000000",
    b"[[[[[[[[",
    b"{a={a={a={a={",
    b"\0",
    b"\x1b[2J",
    b"\"\"\"",
    b"_deg",
    b"rigid = { mass = 1 }\n",
    b"kind = \"modes\"\n",
    b"below_hz = 1e300",
    b"step = 1e-300\n",
    b"end = 1e30\n",
    b"elements = 1000000000",
    b"time_limit = 1e300\n",
    b"commit = 1e20\n",
    b"frames = 4000000000\n",
    b"\"links.a.beam.length\" = [1, 2]",
];
const EXPRESSION_WORDS: &[&[u8]] = &[
    b"(",
    b")",
    b"+",
    b"-",
    b"*",
    b"/",
    b"^",
    b"**",
    b",",
    b"<",
    b">=",
    b"==",
    b"and",
    b"or",
    b"not",
    b"max(",
    b"abs(",
    b"after(",
    b"sin(",
    b"tip.error",
    b"1e400",
    b".",
    b"e",
    b"pi",
    b"((((((((((((((((",
    b"----------------",
];
const CSV_WORDS: &[&[u8]] = &[
    b",",
    b";",
    b"\n",
    b"\r\n",
    b"\"",
    b"\"\"",
    b"#",
    b" ",
    b"\t",
    b"nan",
    b"inf",
    b"[1, 2]",
    b"{ a = 1 }",
    b"='x'",
];
const OP4_WORDS: &[&[u8]] = &[
    b"       3",
    b"  196610\n",
    b"\n",
    b"1P,3E23.16",
    b"1P,3E0.0",
    b"E",
    b"       0",
    b"      -1",
    b"99999999",
    b" ",
];
const JSON_WORDS: &[&[u8]] = &[
    b"{",
    b"}",
    b"[",
    b"]",
    b"\"",
    b":",
    b",",
    b"null",
    b"true",
    b"\\u0000",
    b"[[[[[[[[",
    b"\n",
    b"\"cases\":",
];

/// All readers.
pub const TARGETS: [Target; 16] = [
    Target {
        name: "deck",
        read: deck,
        seeds: seeds::decks,
        dictionary: DECK_WORDS,
        share: 120,
        written_out: Some(written_out),
    },
    Target {
        name: "pipeline",
        read: pipeline,
        seeds: seeds::pipelines,
        dictionary: TOML_WORDS,
        share: 50,
        written_out: None,
    },
    Target {
        name: "study",
        read: study,
        seeds: seeds::studies,
        dictionary: TOML_WORDS,
        share: 20,
        written_out: None,
    },
    Target {
        name: "expression",
        read: expression,
        seeds: seeds::expressions,
        dictionary: EXPRESSION_WORDS,
        share: 210,
        written_out: None,
    },
    Target {
        name: "op4",
        read: matrices,
        seeds: op4::seeds,
        dictionary: OP4_WORDS,
        share: 170,
        written_out: None,
    },
    Target {
        name: "table",
        read: table,
        seeds: seeds::tables,
        dictionary: CSV_WORDS,
        share: 140,
        written_out: None,
    },
    Target {
        name: "list",
        read: list,
        seeds: seeds::lists,
        dictionary: CSV_WORDS,
        share: 100,
        written_out: None,
    },
    Target {
        name: "gmsh",
        read: foreign::gmsh,
        seeds: foreign::gmsh_files,
        dictionary: foreign::GMSH_WORDS,
        share: 25,
        written_out: None,
    },
    Target {
        name: "abaqus",
        read: foreign::abaqus,
        seeds: foreign::abaqus_files,
        dictionary: foreign::ABAQUS_WORDS,
        share: 25,
        written_out: None,
    },
    Target {
        name: "ansys",
        read: foreign::ansys,
        seeds: foreign::ansys_files,
        dictionary: foreign::ANSYS_WORDS,
        share: 25,
        written_out: None,
    },
    Target {
        name: "universal",
        read: foreign::universal,
        seeds: foreign::universal_files,
        dictionary: foreign::UNIVERSAL_WORDS,
        share: 20,
        written_out: None,
    },
    Target {
        name: "sid",
        read: foreign::sid,
        seeds: foreign::sid_files,
        dictionary: foreign::SID_WORDS,
        share: 5,
        written_out: None,
    },
    Target {
        name: "manifest",
        read: stored::manifest,
        seeds: stored::manifests,
        dictionary: JSON_WORDS,
        share: 15,
        written_out: None,
    },
    Target {
        name: "segment",
        read: stored::segment,
        seeds: stored::segments,
        dictionary: JSON_WORDS,
        share: 70,
        written_out: None,
    },
    Target {
        name: "results",
        read: stored::results,
        seeds: stored::results_files,
        dictionary: &[b"\0"],
        share: 4,
        written_out: None,
    },
    Target {
        name: "cache",
        read: stored::cache,
        seeds: stored::cache_entries,
        dictionary: &[b"\0"],
        share: 1,
        written_out: None,
    },
];

/// The cards of a deck. The first INCLUDEs bring the same bytes again: cycles and depth belong to the test.
/// Bytes under any name without end have a test of their own (crates/bulk/tests/hostile.rs).
fn cards(bytes: &[u8]) -> Warned<CardFile> {
    let mut left = 4;
    let mut load = |_: &Path| {
        left -= 1;
        if left >= 0 { Ok(bytes.to_vec()) } else { Err(std::io::ErrorKind::NotFound.into()) }
    };
    read_cards_from("deck.bdf", bytes.to_vec(), &mut load)
}

/// The deck with INCLUDEs in their place and the cards that replication (`=(n)`) stands for, in free fields,
/// eight to a line.
fn written_out(bytes: &[u8]) -> Vec<u8> {
    let read = cards(bytes).output;
    let (mut buffer, mut text) = (FieldBuffer::new(), b"BEGIN BULK\n".to_vec());
    for card in &read.cards {
        text.extend_from_slice(card.name().as_bytes());
        for (slot, field) in read.fields(card, &mut buffer).iter().enumerate() {
            text.extend_from_slice(if slot > 0 && slot % 8 == 0 { b"\n+," } else { b"," });
            text.extend_from_slice(field.text);
        }
        text.push(b'\n');
    }
    text
}

fn deck(bytes: &[u8]) {
    let read = cards(bytes);
    let mut buffer = FieldBuffer::new();
    for card in &read.output.cards {
        let mut diagnostics = Diagnostics::new();
        let mut reader = Reader::new(read.output.fields(card, &mut buffer), &mut diagnostics);
        for slot in 0..reader.len().min(16) {
            reader.id(slot, "ID");
            reader.real(slot, "X");
            reader.real_or(slot, "X", 0.0);
            reader.components(slot, "C");
            reader.optional_word(slot, "W");
        }
        reader.id_list(1, "ID");
    }
    let deck = deck_from_cards(read, &Options::default());
    for span in deck.diagnostics.iter().filter_map(|diagnostic| diagnostic.span) {
        let span = deck.output.sources.shown(span);
        let at = deck.output.sources.line_column(span);
        deck.output.sources.file(span.file).line_text(at.line);
    }
}

/// A pipeline file whose relative paths lead nowhere.
fn pipeline_file(bytes: &[u8]) -> Option<pliant_pipeline::PipelineFile> {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let read = pliant_pipeline::from_text(Path::new("/nonexistent/machine.toml"), text);
    (!read.diagnostics.has_errors()).then_some(read.output)
}

fn pipeline(bytes: &[u8]) {
    if let Some(file) = pipeline_file(bytes) {
        pliant_machine::Plan::new(&file);
    }
}

fn study(bytes: &[u8]) {
    // Five digits may ask for cases in number, which take their time and are refused by the limits that have
    // tests of their own.
    let long = bytes.split(|byte| !byte.is_ascii_digit()).any(|digits| digits.len() > 4);
    if let Some(file) = pipeline_file(bytes).filter(|_| !long) {
        pliant_study::plan::Plan::new(file);
    }
}

fn expression(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes)
        && let Ok(tree) = pliant_expression::parse(text, &["max", "abs", "after"])
    {
        tree.names();
    }
}

fn matrices(bytes: &[u8]) {
    // What is not read is an error, not a defect.
    let _ = pliant_reduce::import::read_op4(bytes);
}

fn table(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = pliant_machine::columns_of(text, 2);
    }
}

fn list(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = pliant_study::list_of(text);
    }
}
