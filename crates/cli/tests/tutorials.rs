//! The commands of README.md and of the pages for beginners do what the pages say: every block of a shell is
//! run, every file that a page shows is written and used, and what a page shows as output is compared.
//!
//! A comment above a block says what is special about it:
//!
//! - `<!-- file: NAME -->`: the block is that file;
//! - `<!-- exit: 1 -->`: the last command ends with this code;
//! - `<!-- not run: REASON -->`: the block is not run;
//! - `<!-- needs: MODULE, otherwise INPUT as NAME -->`: without this module of Python, INPUT of the
//!   repository takes the place
//!   of what the block makes.
//!
//! A `text` block is the output of the block of a shell above it. A line `…` stands for any lines, and `…` in
//! a line for any text.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// A fenced block of a page.
struct Block {
    language: String,
    text: String,
    /// What the comments above it say, as key and value.
    comments: Vec<(String, String)>,
    line: usize,
}

impl Block {
    fn comment(&self, key: &str) -> Option<&str> {
        self.comments.iter().find(|(found, _)| found == key).map(|(_, value)| value.as_str())
    }
}

fn blocks(page: &str) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let mut comments = Vec::new();
    let mut open = false;
    for (k, line) in page.lines().enumerate() {
        if let Some(language) = line.strip_prefix("```") {
            open = !open;
            if open {
                let comments = std::mem::take(&mut comments);
                let language = language.trim().to_owned();
                found.push(Block { language, text: String::new(), comments, line: k + 1 });
            }
        } else if open {
            let block = found.last_mut().unwrap();
            block.text.push_str(line);
            block.text.push('\n');
        } else if let Some(comment) = line.strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->")) {
            let (key, value) = comment.split_once(": ").unwrap_or((comment, ""));
            comments.push((key.to_owned(), value.to_owned()));
        } else if !line.trim().is_empty() {
            comments.clear();
        }
    }
    assert!(!open, "a block has no end");
    found
}

/// True when the parts of a pattern occur in a line, in order, from its beginning to its end.
fn line_matches(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.trim_end().split('…');
    let Some(mut rest) = line.trim_end().strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let mut open_end = false;
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
        open_end = part.is_empty();
    }
    open_end || rest.is_empty()
}

/// Whether lines are as the patterns say.
fn matches(patterns: &[&str], lines: &[&str]) -> bool {
    match patterns {
        [] => lines.is_empty(),
        ["…", others @ ..] => (0..=lines.len()).any(|skipped| matches(others, &lines[skipped..])),
        [first, others @ ..] => {
            lines.split_first().is_some_and(|(line, rest)| line_matches(first, line) && matches(others, rest))
        }
    }
}

struct Page {
    name: String,
    folder: tempfile::TempDir,
    /// Where the next block of a shell begins.
    here: PathBuf,
    /// Output of the block before.
    output: Option<String>,
}

impl Page {
    fn run(name: &str) {
        let text = fs::read_to_string(Path::new(ROOT).join(name)).unwrap();
        let folder = tempfile::tempdir().unwrap();
        if name == "README.md" {
            // It is read in the folder of the repository.
            for inputs in ["inputs", "pipelines"] {
                let source = fs::canonicalize(Path::new(ROOT).join(inputs)).unwrap();
                std::os::unix::fs::symlink(source, folder.path().join(inputs)).unwrap();
            }
        }
        let here = folder.path().to_owned();
        let mut page = Self { name: name.to_owned(), folder, here, output: None };
        let found = blocks(&text);
        assert!(found.iter().any(|block| block.language == "sh"), "{name} has no commands");
        for block in &found {
            page.block(block);
        }
    }

    fn block(&mut self, block: &Block) {
        let at = format!("{}:{}", self.name, block.line);
        if let Some(name) = block.comment("file") {
            let path = self.folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, &block.text).unwrap();
            return;
        }
        match block.language.as_str() {
            "sh" => self.output = self.shell(block, &at),
            "text" => {
                let Some(output) = self.output.take() else { return };
                let patterns: Vec<_> = block.text.lines().collect();
                let lines: Vec<_> = output.lines().collect();
                assert!(matches(&patterns, &lines), "{at}: the page says\n{}\nfound\n{output}", block.text);
            }
            "toml" => {
                let read = pliant_pipeline::from_text(Path::new(&at), block.text.clone());
                let reported: Vec<_> = read.diagnostics.iter().map(|d| &d.message).collect();
                assert!(reported.is_empty(), "{at}: {reported:#?}");
            }
            other => panic!("{at}: nothing is known of `{other}`"),
        }
    }

    /// Runs the lines of a block; nothing when it is not run.
    fn shell(&mut self, block: &Block, at: &str) -> Option<String> {
        if block.comment("not run").is_some() {
            return None;
        }
        if let Some(needs) = block.comment("needs") {
            let (module, otherwise) = needs.split_once(", otherwise ").unwrap();
            let has = Command::new("python3").args(["-c", &format!("import {module}")]).output();
            if !has.is_ok_and(|output| output.status.success()) {
                let (input, name) = otherwise.split_once(" as ").unwrap();
                println!("SKIPPED: {at} needs {module} of Python; {input} takes its place");
                fs::copy(Path::new(ROOT).join(input), self.here.join(name)).unwrap();
                return None;
            }
        }
        let program = Path::new(env!("CARGO_BIN_EXE_pliant")).parent().unwrap();
        let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
        let where_it_ends = self.folder.path().join(".here");
        let script = format!("set -e\n{}\npwd >'{}'\n", block.text, where_it_ends.display());
        let mut command = Command::new("sh");
        command.args(["-c", &format!("exec 2>&1\n{script}")]).current_dir(&self.here);
        command.env("PATH", path).env("PLIANT_CACHE", self.folder.path().join(".cache"));
        let output = command.output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let expected = block.comment("exit").map_or(0, |code| code.parse().unwrap());
        assert_eq!(output.status.code(), Some(expected), "{at}:\n{}\n{text}", block.text);
        if let Ok(here) = fs::read_to_string(where_it_ends) {
            self.here = PathBuf::from(here.trim_end());
        }
        Some(text)
    }
}

/// A test for each page, and one that no tutorial is without its own.
macro_rules! pages {
    ($($name:ident: $path:literal;)+) => {
        $(
            #[test]
            fn $name() {
                Page::run($path);
            }
        )+

        #[test]
        fn every_tutorial_is_run() {
            for entry in fs::read_dir(Path::new(ROOT).join("docs/tutorials")).unwrap() {
                let name = entry.unwrap().file_name();
                let name = format!("docs/tutorials/{}", name.to_string_lossy());
                assert!([$($path),+].contains(&name.as_str()), "{name} is not run");
            }
        }
    };
}

pages! {
    readme: "README.md";
    install: "docs/install.md";
    start: "docs/start.md";
    own_deck: "docs/own-deck.md";
    bracket: "docs/tutorials/bracket.md";
    robot: "docs/tutorials/robot.md";
    nastran_arm: "docs/tutorials/nastran-arm.md";
    four_bar: "docs/tutorials/four-bar.md";
    excavator: "docs/tutorials/excavator.md";
    sliding_boom: "docs/tutorials/sliding-boom.md";
    study: "docs/tutorials/study.md";
}

#[test]
fn patterns_match_what_they_say() {
    let lines = ["peak 1.78228 mm at t = 1.9 s", "a", "b"];
    assert!(matches(&["peak 1.78… mm at …", "…"], &lines));
    assert!(matches(&["…", "b"], &lines));
    assert!(matches(&["…", "a", "b", "…"], &lines));
    assert!(!matches(&["peak 1.79… mm at …", "…"], &lines));
    assert!(!matches(&["…", "a"], &lines));
    assert!(!matches(&["peak 1.78… mm"], &lines[..1]));
}
