//! `segments = n`: one beam of the file becomes n beams in a row before anything else is read; `cuts`: a deck becomes its segments.
//!
//! Beam `arm` in three segments is the links `arm`, `arm#2` and `arm#3` with fixed joints of the latter names. `arm.tip` means the tip of the last
//! one wherever it stands in the file, and an interface of a deck means that of the segment it belongs to. Where a list of links names `arm`, it names
//! them all.

use std::collections::HashSet;

use pliant_diag::{Diagnostic, Diagnostics};

use crate::document::Key;
use crate::limits::SEGMENTS;
use crate::link::{CUT, DampingTable, LinkTable};
use crate::schema::Named;
use crate::{Value, ValueKind};

/// Elements of a beam when the file does not say, as in its table.
const DEFAULT_ELEMENTS: i64 = 10;

/// A link to be cut.
struct Cut {
    name: String,
    count: i64,
    /// The interface that leads from a segment to the next.
    onward: &'static str,
    /// The others, and the segment each belongs to.
    interfaces: Vec<(String, i64)>,
}

impl Cut {
    /// The segment of an interface.
    fn segment_of(&self, interface: &str) -> Option<i64> {
        self.interfaces.iter().find(|(name, _)| name == interface).map(|(_, segment)| *segment)
    }
}

/// A link that was cut into segments.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    /// Its segments by name, the inboard one first; each is fixed to the one before by a joint of its own name.
    pub links: Vec<String>,
    /// Damping of the undivided link; its segments have none of their own.
    pub damping: Option<DampingTable>,
}

/// Takes the damping of cut links from their segments: it is that of the undivided link.
pub(crate) fn take_damping(chains: &mut [Chain], links: &mut Named<LinkTable>) {
    for chain in chains {
        for (name, link) in &mut links.entries {
            if chain.links.contains(&name.value) {
                chain.damping = link.damping.take();
            }
        }
    }
}

/// The tree with segments in place of the links that ask for them, and which these are.
pub(crate) fn expanded(root: &Value, diagnostics: &mut Diagnostics) -> (Value, Vec<Chain>) {
    let mut root = root.clone();
    let mut cuts = Vec::new();
    if let Some(ValueKind::Table(links)) = entry(&mut root, "links").map(|links| &mut links.kind) {
        *links = std::mem::take(links)
            .into_iter()
            .flat_map(|(key, link)| match cut(&key, &link, diagnostics) {
                Some(cut) => {
                    let pieces = (1..=cut.count).map(|k| piece(&key, &link, &cut, k)).collect::<Vec<_>>();
                    cuts.push(cut);
                    pieces
                }
                None => vec![(key, link)],
            })
            .collect();
    }
    if cuts.is_empty() {
        return (root, Vec::new());
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
                    (unplaced("parent"), text(format!("{}.{}", segment(&cut.name, k - 1), cut.onward))),
                    (unplaced("child"), text(segment(&cut.name, k))),
                    (unplaced("type"), text("fixed".to_owned())),
                ];
                joints.push((unplaced(&segment(&cut.name, k)), table(joint)));
            }
        }
    }
    let chain = |cut: &Cut| {
        let links = (1..=cut.count).map(|k| segment(&cut.name, k)).collect();
        Chain { links, damping: None }
    };
    (root, cuts.iter().map(chain).collect())
}

/// The problems of links without those that the further segments of a link repeat.
pub(crate) fn told_once(problems: Diagnostics) -> Diagnostics {
    // `arm#2` is told as `arm`.
    let plain = |message: &str| {
        let mut parts = message.split('#');
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |text, part| text + part.trim_start_matches(|c: char| c.is_ascii_digit()))
    };
    let mut told = HashSet::new();
    problems.into_iter().filter(|problem| told.insert((problem.span, plain(&problem.message)))).collect()
}

/// Name of a segment, counted from 1.
fn segment(name: &str, k: i64) -> String {
    if k == 1 { name.to_owned() } else { format!("{name}#{k}") }
}

/// What is asked of a link. Anything odd is left for its table to complain about.
fn cut(key: &Key, link: &Value, diagnostics: &mut Diagnostics) -> Option<Cut> {
    if let Some(cuts) = get(link, "cuts") {
        return deck_cut(key, link, cuts);
    }
    let ValueKind::Integer(count) = get(link, "segments")?.kind else { return None };
    let beam = get(link, "beam")?;
    if count < 2 || count > i64::from(u32::MAX) {
        return None;
    }
    if count > i64::from(SEGMENTS) {
        let message = format!("`links.{}.segments`: at most {SEGMENTS}, found {count}", key.name);
        diagnostics.push(Diagnostic::error(message).at(get(link, "segments").and_then(|value| value.span)));
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
    let interfaces = vec![("tip".to_owned(), count)];
    Some(Cut { name: key.name.clone(), count, onward: "tip", interfaces })
}

/// A deck is cut into one segment more than it has cuts, unless the file asks for a single one.
fn deck_cut(key: &Key, link: &Value, cuts: &Value) -> Option<Cut> {
    let ValueKind::Array(cuts) = &cuts.kind else { return None };
    get(link, "deck")?;
    if cuts.is_empty() || get(link, "segment").is_some() {
        return None;
    }
    let count = cuts.len() as i64 + 1;
    let interfaces = match get(link, "interfaces").map(|interfaces| &interfaces.kind) {
        Some(ValueKind::Table(entries)) => entries.as_slice(),
        _ => &[],
    };
    let segment = |value: &Value| match get(value, "segment").map(|segment| &segment.kind) {
        Some(ValueKind::Integer(segment)) => *segment,
        _ => count,
    };
    let interfaces = interfaces.iter().map(|(key, value)| (key.name.clone(), segment(value))).collect();
    Some(Cut { name: key.name.clone(), count, onward: CUT, interfaces })
}

/// Segment `k` of a link.
fn piece(key: &Key, link: &Value, cut: &Cut, k: i64) -> (Key, Value) {
    let mut piece = link.clone();
    remove(&mut piece, "segments");
    if let Some(beam) = entry(&mut piece, "beam") {
        beam_piece(beam, cut, k);
    } else {
        deck_piece(&mut piece, cut, k);
    }
    (Key { name: segment(&key.name, k), span: key.span }, piece)
}

fn beam_piece(beam: &mut Value, cut: &Cut, k: i64) {
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

/// The mesh is cut when it is read; here each segment gets the interfaces that belong to it and the residual vectors of those.
fn deck_piece(piece: &mut Value, cut: &Cut, k: i64) {
    set(piece, "segment", ValueKind::Integer(k));
    // One that says a segment which there is not stays with the last, where its table complains.
    let here = |interface: &str| match cut.segment_of(interface) {
        Some(segment) if (1..=cut.count).contains(&segment) => segment == k,
        _ => k == cut.count,
    };
    if let Some(ValueKind::Table(interfaces)) = entry(piece, "interfaces").map(|value| &mut value.kind) {
        interfaces.retain(|(key, _)| here(&key.name));
    }
    if let Some(ValueKind::Array(residual)) = entry(piece, "residual").map(|value| &mut value.kind) {
        residual.retain(|value| match &value.kind {
            ValueKind::String(text) => match text.split_once('.') {
                Some((interface, _)) if cut.segment_of(interface).is_some() => here(interface),
                _ => true,
            },
            _ => true,
        });
    }
}

/// Every string that names an interface of a cut link names that of its segment, and every list of links all segments.
fn rename(value: &mut Value, cuts: &[Cut]) {
    match &mut value.kind {
        ValueKind::String(text) => {
            let of = |cut: &Cut| {
                let interface = text.strip_prefix(cut.name.as_str())?.strip_prefix('.')?;
                Some(format!("{}.{interface}", segment(&cut.name, cut.segment_of(interface)?)))
            };
            if let Some(renamed) = cuts.iter().find_map(of) {
                *text = renamed;
            }
        }
        ValueKind::Array(values) => values.iter_mut().for_each(|value| rename(value, cuts)),
        ValueKind::Table(entries) => {
            for (key, value) in entries {
                match &mut value.kind {
                    ValueKind::Array(links) if key.name == "links" => {
                        *links =
                            std::mem::take(links).into_iter().flat_map(|link| all_of(link, cuts)).collect();
                    }
                    _ => rename(value, cuts),
                }
            }
        }
        _ => {}
    }
}

/// The segments of a link by its name.
fn all_of(link: Value, cuts: &[Cut]) -> Vec<Value> {
    let ValueKind::String(name) = &link.kind else { return vec![link] };
    let Some(cut) = cuts.iter().find(|cut| cut.name == *name) else { return vec![link] };
    let named = |k: i64| Value { kind: ValueKind::String(segment(name, k)), span: link.span };
    (1..=cut.count).map(named).collect()
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
