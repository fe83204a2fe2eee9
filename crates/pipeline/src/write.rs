//! A tree of values as TOML text, laid out as the files of this project are: plain values first, then a
//! section for each table of the root, and one for each table in those; what lies deeper stands in one line.

use std::fmt::Write;

use crate::document::quoted;
use crate::{Document, Key, Value, ValueKind};

impl Document {
    /// The tree as TOML text. Read again, it is the same tree with other locations.
    pub fn to_toml(&self) -> String {
        let mut text = String::new();
        let ValueKind::Table(entries) = &self.root.kind else { return text };
        lines(&mut text, entries);
        for (name, value) in tables(entries) {
            let inner = tables(value).count();
            // A section that only holds sections needs no line of its own, an empty one does.
            if value.len() > inner || inner == 0 {
                section(&mut text, &[name]);
                lines(&mut text, value);
            }
            for (second, value) in tables(value) {
                section(&mut text, &[name, second]);
                value.iter().for_each(|entry| line(&mut text, entry));
            }
        }
        text
    }
}

/// The tables among the entries of a table.
fn tables(entries: &[(Key, Value)]) -> impl Iterator<Item = (&str, &[(Key, Value)])> {
    entries.iter().filter_map(|(key, value)| match &value.kind {
        ValueKind::Table(entries) => Some((key.name.as_str(), entries.as_slice())),
        _ => None,
    })
}

fn section(text: &mut String, names: &[&str]) {
    let names: Vec<_> = names.iter().map(|name| written(name)).collect();
    let gap = if text.is_empty() { "" } else { "\n" };
    // Writing into a string does not fail.
    let _ = writeln!(text, "{gap}[{}]", names.join("."));
}

/// The entries that are no tables.
fn lines(text: &mut String, entries: &[(Key, Value)]) {
    let plain = entries.iter().filter(|(_, value)| !matches!(value.kind, ValueKind::Table(_)));
    plain.for_each(|entry| line(text, entry));
}

fn line(text: &mut String, (key, value): &(Key, Value)) {
    let _ = writeln!(text, "{} = {}", written(&key.name), inline(value));
}

/// A value in one line.
fn inline(value: &Value) -> String {
    match &value.kind {
        ValueKind::Table(entries) if entries.is_empty() => "{}".to_owned(),
        ValueKind::Table(entries) => {
            let entry = |(key, value): &(Key, Value)| format!("{} = {}", written(&key.name), inline(value));
            format!("{{ {} }}", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
        ValueKind::Array(items) => format!("[{}]", items.iter().map(inline).collect::<Vec<_>>().join(", ")),
        plain => plain.to_string(),
    }
}

/// A key as TOML writes it: in quotes where it is not made of letters, digits, `_` and `-`.
fn written(key: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !key.is_empty() && key.chars().all(bare) { key.to_owned() } else { quoted(key) }
}

#[cfg(test)]
mod tests {
    use pliant_diag::{Diagnostics, FileId};

    use super::*;

    fn parsed(text: &str) -> Document {
        let mut diagnostics = Diagnostics::new();
        let document = Document::parse(text, FileId(0), &mut diagnostics);
        assert!(diagnostics.is_empty(), "{text}\n{diagnostics:?}");
        document
    }

    /// Without locations and without the order of keys, which says nothing where tables and values are mixed.
    fn bare(value: &Value) -> String {
        match &value.kind {
            ValueKind::Table(entries) => {
                let mut all: Vec<_> =
                    entries.iter().map(|(k, v)| format!("{:?}:{}", k.name, bare(v))).collect();
                all.sort();
                format!("{{{}}}", all.join(","))
            }
            ValueKind::Array(items) => format!("{:?}", items.iter().map(bare).collect::<Vec<_>>()),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn what_is_written_is_read_as_the_same_tree() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../pipelines");
        let mut texts: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap())
            .collect();
        assert!(texts.len() > 20);
        texts.push(
            "a = nan\nb = [inf, -inf, 1e300, 5e-324]\n[empty]\n[t.'a.b']\n'' = 'q\"\\\n'\n[t.e]\n"
                .replace("'q\"\\\n'", "\"q\\\"\\\\\\n\\u0001é\""),
        );
        for text in texts {
            let first = parsed(&text);
            let again = parsed(&first.to_toml());
            assert_eq!(bare(&first.root), bare(&again.root), "{}", first.to_toml());
            assert_eq!(first.to_toml(), again.to_toml());
        }
    }

    #[test]
    fn sections_stand_as_people_write_them() {
        let text = "[links.a]\nrigid = { mass = 1 }\n[payload]\nat = 'a.b'\n[study]\npareto = ['x', 'y']\n[study.grid]\n'payload.mass' = [0, 5.0]\n";
        let expected = "[links.a]\nrigid = { mass = 1 }\n\n[payload]\nat = \"a.b\"\n\n[study]\npareto = [\"x\", \"y\"]\n\n[study.grid]\n\"payload.mass\" = [0, 5.0]\n";
        assert_eq!(parsed(text).to_toml(), expected);
    }
}
