//! Keys of a document by their locations.

use pliant_diag::Span;
use pliant_pipeline::{Document, Value, ValueKind};

/// Tables whose keys are names.
pub(super) const NAMED: [&str; 7] =
    ["links", "joints", "payloads", "loads", "constraints", "couplings", "forces"];

/// The keys of the innermost table or value that is at a location.
pub(super) fn at(value: &Value, span: Span) -> Option<Vec<String>> {
    let ValueKind::Table(entries) = &value.kind else { return None };
    let holds = |own: Option<Span>| {
        own.is_some_and(|own| {
            let inside = own.start <= span.start && span.start < own.start + u32::from(own.length).max(1);
            own.file == span.file && inside
        })
    };
    let mut found: Option<Vec<String>> = None;
    for (key, value) in entries {
        let inner = at(value, span);
        if inner.is_some() || holds(key.span) || holds(value.span) {
            let path: Vec<String> = [key.name.clone()].into_iter().chain(inner.unwrap_or_default()).collect();
            if found.as_ref().is_none_or(|found| found.len() < path.len()) {
                found = Some(path);
            }
        }
    }
    found
}

/// Takes a key out of a document; false when it is not there.
pub(super) fn remove(document: &mut Document, path: &[String]) -> bool {
    let Some((last, tables)) = path.split_last() else { return false };
    let mut value = &mut document.root;
    for name in tables {
        let ValueKind::Table(entries) = &mut value.kind else { return false };
        let Some((_, inner)) = entries.iter_mut().find(|(key, _)| key.name == *name) else { return false };
        value = inner;
    }
    let ValueKind::Table(entries) = &mut value.kind else { return false };
    let count = entries.len();
    entries.retain(|(key, _)| key.name != *last);
    entries.len() < count
}

#[cfg(test)]
mod tests {
    use pliant_diag::{Diagnostics, FileId};

    use super::*;

    #[test]
    fn the_innermost_key_of_a_location_is_found_and_removed() {
        let text = "[joints.elbow]\nparent = 'a'\ndrive = { motion = { time = -1 } }\n[links]\n";
        let mut document = Document::parse(text, FileId(0), &mut Diagnostics::new());
        let place = |what: &str| {
            let start = text.find(what).unwrap();
            Span::new(FileId(0), start, start + what.len())
        };
        let keys = |document: &Document, what: &str| at(&document.root, place(what)).unwrap().join(".");
        assert_eq!(keys(&document, "-1"), "joints.elbow.drive.motion.time");
        assert_eq!(keys(&document, "'a'"), "joints.elbow.parent");
        assert_eq!(keys(&document, "elbow"), "joints.elbow");
        let path = at(&document.root, place("-1")).unwrap();
        assert!(remove(&mut document, &path));
        assert!(!remove(&mut document, &path));
        assert_eq!(keys(&document, "-1"), "joints.elbow.drive.motion");
    }
}
