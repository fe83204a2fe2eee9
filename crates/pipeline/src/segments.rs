//! `segments = n`: one beam of the file becomes n beams in a row before anything else is read.
//!
//! Beam `arm` in three segments is the links `arm`, `arm#2` and `arm#3` with fixed joints of the latter names. `arm.tip` means the tip of the last
//! one wherever it stands in the file.

use pliant_diag::{Diagnostic, Diagnostics};

use crate::document::Key;
use crate::{Value, ValueKind};

/// Elements of a beam when the file does not say, as in its table.
const DEFAULT_ELEMENTS: i64 = 10;

/// A beam to be cut.
struct Cut {
    name: String,
    count: i64,
}

/// The tree with segments in place of the beams that ask for them.
pub(crate) fn expanded(root: &Value, diagnostics: &mut Diagnostics) -> Value {
    let mut root = root.clone();
    let mut cuts = Vec::new();
    if let Some(ValueKind::Table(links)) = entry(&mut root, "links").map(|links| &mut links.kind) {
        *links = std::mem::take(links)
            .into_iter()
            .flat_map(|(key, link)| match cut(&key, &link, diagnostics) {
                Some(cut) => {
                    let pieces = pieces(&key, &link, &cut);
                    cuts.push(cut);
                    pieces
                }
                None => vec![(key, link)],
            })
            .collect();
    }
    if cuts.is_empty() {
        return root;
    }
    if let ValueKind::Table(entries) = &mut root.kind {
        for (_, value) in entries.iter_mut().filter(|(key, _)| key.name != "links") {
            rename(value, &cuts);
        }
        if !entries.iter().any(|(key, _)| key.name == "joints") {
            entries.push((unplaced("joints"), table(Vec::new())));
        }
    }
    if let Some(ValueKind::Table(joints)) = entry(&mut root, "joints").map(|joints| &mut joints.kind) {
        for cut in &cuts {
            for k in 2..=cut.count {
                let text = |text: String| Value { kind: ValueKind::String(text), span: None };
                let joint = vec![
                    (unplaced("parent"), text(format!("{}.tip", segment(&cut.name, k - 1)))),
                    (unplaced("child"), text(segment(&cut.name, k))),
                    (unplaced("type"), text("fixed".to_owned())),
                ];
                joints.push((unplaced(&segment(&cut.name, k)), table(joint)));
            }
        }
    }
    root
}

/// Name of a segment, counted from 1.
fn segment(name: &str, k: i64) -> String {
    if k == 1 { name.to_owned() } else { format!("{name}#{k}") }
}

/// What is asked of a link. Anything odd is left for its table to complain about.
fn cut(key: &Key, link: &Value, diagnostics: &mut Diagnostics) -> Option<Cut> {
    let ValueKind::Integer(count) = get(link, "segments")?.kind else { return None };
    let beam = get(link, "beam")?;
    if count < 2 || count > i64::from(u32::MAX) {
        return None;
    }
    let length = get(beam, "length").and_then(number);
    if length.is_none() || get(beam, "path").is_some() {
        diagnostics.push(
            Diagnostic::error(format!("`links.{}.segments` cuts a straight beam", key.name))
                .at(get(link, "segments").and_then(|value| value.span))
                .hint("give its `length` instead of a `path`, or write the pieces as links of their own"),
        );
        return None;
    }
    Some(Cut { name: key.name.clone(), count })
}

/// The links of a beam in segments.
fn pieces(key: &Key, link: &Value, cut: &Cut) -> Vec<(Key, Value)> {
    let piece = |k: i64| {
        let mut piece = link.clone();
        remove(&mut piece, "segments");
        if let Some(beam) = entry(&mut piece, "beam") {
            let elements = match get(beam, "elements").map(|value| &value.kind) {
                Some(ValueKind::Integer(elements)) => *elements,
                _ => DEFAULT_ELEMENTS,
            };
            let length = get(beam, "length").and_then(number).unwrap_or(0.0) / cut.count as f64;
            set(beam, "length", ValueKind::Float(length));
            set(beam, "elements", ValueKind::Integer((elements + cut.count - 1) / cut.count));
            if k < cut.count {
                remove(beam, "tip_offset");
            }
        }
        (Key { name: segment(&key.name, k), span: key.span }, piece)
    };
    (1..=cut.count).map(piece).collect()
}

/// Every string that names the tip of a cut beam names that of its last segment.
fn rename(value: &mut Value, cuts: &[Cut]) {
    match &mut value.kind {
        ValueKind::String(text) => {
            let named = |cut: &&Cut| text.strip_suffix(".tip") == Some(cut.name.as_str());
            if let Some(cut) = cuts.iter().find(named) {
                *text = format!("{}.tip", segment(&cut.name, cut.count));
            }
        }
        ValueKind::Array(values) => values.iter_mut().for_each(|value| rename(value, cuts)),
        ValueKind::Table(entries) => entries.iter_mut().for_each(|(_, value)| rename(value, cuts)),
        _ => {}
    }
}

fn unplaced(name: &str) -> Key {
    Key { name: name.to_owned(), span: None }
}

fn table(entries: Vec<(Key, Value)>) -> Value {
    Value { kind: ValueKind::Table(entries), span: None }
}

fn get<'a>(value: &'a Value, key: &str) -> Option<&'a Value> {
    let ValueKind::Table(entries) = &value.kind else { return None };
    entries.iter().find(|(k, _)| k.name == key).map(|(_, value)| value)
}

fn entry<'a>(value: &'a mut Value, key: &str) -> Option<&'a mut Value> {
    let ValueKind::Table(entries) = &mut value.kind else { return None };
    entries.iter_mut().find(|(k, _)| k.name == key).map(|(_, value)| value)
}

fn set(value: &mut Value, key: &str, kind: ValueKind) {
    match entry(value, key) {
        Some(found) => found.kind = kind,
        None => {
            if let ValueKind::Table(entries) = &mut value.kind {
                entries.push((unplaced(key), Value { kind, span: None }));
            }
        }
    }
}

fn remove(value: &mut Value, key: &str) {
    if let ValueKind::Table(entries) = &mut value.kind {
        entries.retain(|(k, _)| k.name != key);
    }
}

fn number(value: &Value) -> Option<f64> {
    match value.kind {
        ValueKind::Integer(number) => Some(number as f64),
        ValueKind::Float(number) => Some(number),
        _ => None,
    }
}
