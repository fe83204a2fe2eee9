//! Universal files: datasets 2411 and 781 (nodes), 2412 (elements), 2467 and its kin (groups), as I-deas,
//! Gmsh, Salome and HyperMesh write them (Universal File Datasets Summary, SDRC).
//!
//! They name no material; properties are numbered by the file, and given beside the mesh.

mod element_type;

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use pliant_diag::{Diagnostic, FileId, Span};

use crate::Translation;
use crate::draft::{Draft, Node};
use crate::input::{Line, Lines, id, integer, real, text};
use crate::shape::{Order, Shape, bulk_slots};
use element_type::{Kind, kind};

pub(crate) fn translate(path: &Path, bytes: Vec<u8>, file: FileId) -> Translation {
    let mut reader = Reader {
        draft: Draft::default(),
        unused: BTreeMap::new(),
        groups: Vec::new(),
        of_element: HashMap::new(),
    };
    let mut lines = Lines::new(&bytes, file);
    reader.datasets(&mut lines);
    if reader.draft.nodes.is_empty() && !reader.draft.diagnostics.has_errors() {
        let at = Span::new(file, 0, 0);
        reader.draft.error(at, "there is no node: dataset 2411 is missing");
    }
    reader.settle(Span::new(file, 0, 0));
    reader.draft.finish(vec![(path.to_owned(), bytes)])
}

struct Reader {
    draft: Draft,
    unused: BTreeMap<i64, Span>,
    /// Name, location, nodes, elements.
    groups: Vec<(String, Span, Vec<u32>, Vec<u32>)>,
    of_element: HashMap<u32, Vec<u32>>,
}

fn is_mark(line: &Line<'_>) -> bool {
    line.text.trim_ascii() == b"-1"
}

impl Reader {
    fn datasets(&mut self, lines: &mut Lines<'_>) {
        while let Some(line) = lines.next() {
            if !is_mark(&line) {
                continue;
            }
            let Some(head) = lines.next() else { break };
            let number = head.words().next().and_then(integer);
            match number {
                Some(2411 | 781) => self.nodes(lines),
                Some(2412) => self.elements(lines),
                Some(2429 | 2430 | 2432 | 2435 | 2452 | 2467 | 2477) => self.groups(lines),
                Some(15 | 780) => {
                    let message =
                        format!("dataset {} is of an old version of the format", number.unwrap_or(0));
                    let hint = "write nodes as dataset 2411 and elements as 2412";
                    self.draft.report(Diagnostic::error(message).at(head.span()).hint(hint));
                }
                Some(number) => {
                    self.unused.insert(number, head.span());
                }
                None => self.draft.error(head.span(), "expected the number of a dataset"),
            }
            for line in lines.by_ref() {
                if is_mark(&line) {
                    break;
                }
            }
        }
    }

    /// Number, two coordinate systems and a colour; below them three coordinates.
    fn nodes(&mut self, lines: &mut Lines<'_>) {
        while let Some(head) = lines.peek().filter(|line| !is_mark(line)) {
            lines.next();
            let Some(row) = lines.peek().filter(|line| !is_mark(line)) else {
                return self.draft.error(head.span(), "expected the coordinates of the node");
            };
            lines.next();
            let number = head.words().next().and_then(id);
            let values: Vec<f64> = row.words().map_while(real).collect();
            match (number, &values[..]) {
                (Some(number), [x, y, z]) => {
                    self.draft.nodes.push(Node { id: number, position: [*x, *y, *z], at: head.span() });
                }
                _ => {
                    return self
                        .draft
                        .error(head.span(), "expected the number of a node, and below it three coordinates");
                }
            }
        }
    }

    /// Number, type, numbers of physical and material property, colour, count of nodes; beams have a row of
    /// three numbers more; then the nodes.
    fn elements(&mut self, lines: &mut Lines<'_>) {
        let mut refused: BTreeMap<i64, (usize, Span)> = BTreeMap::new();
        while let Some(head) = lines.peek().filter(|line| !is_mark(line)) {
            lines.next();
            let numbers: Vec<i64> = head.words().map_while(integer).collect();
            let [number, kind_number, physical, material, _, count] = numbers[..] else {
                return self.draft.error(head.span(), "expected six numbers of an element");
            };
            let (Ok(number), Ok(count @ 1..=40)) = (u32::try_from(number), usize::try_from(count)) else {
                return self.draft.error(head.span(), "expected six numbers of an element");
            };
            let is_beam = matches!(kind_number, 11 | 21 | 22 | 23 | 24);
            if is_beam {
                lines.next();
            }
            let mut nodes: Vec<u32> = Vec::new();
            while nodes.len() < count {
                let Some(row) = lines.peek().filter(|line| !is_mark(line)) else { break };
                lines.next();
                let before = nodes.len();
                nodes.extend(row.words().map_while(id));
                if nodes.len() == before {
                    break;
                }
            }
            if nodes.len() != count {
                return self.draft.error(head.span(), format!("expected {count} nodes of element {number}"));
            }
            self.of_element.insert(number, nodes.clone());
            let shape = match kind(kind_number, count) {
                Kind::Shape(shape) => shape,
                Kind::Unusable => {
                    refused.entry(kind_number).or_insert((0, head.span())).0 += 1;
                    continue;
                }
            };
            let mut ordered = nodes.clone();
            for (node, slot) in nodes.iter().zip(bulk_slots(shape, Order::Around)) {
                ordered[slot] = *node;
            }
            let property =
                [physical, material].into_iter().find_map(|n| u32::try_from(n).ok().filter(|n| *n > 0));
            self.draft.element(number, shape, ordered, property.unwrap_or(1), head.span());
        }
        for (number, (count, at)) in refused {
            self.draft.error(
                at,
                format!("{count} elements of type {number} cannot be used: they have no counterpart"),
            );
        }
    }

    /// Number, six numbers, count; the name; then entities as type, tag, and two numbers more, two to a row.
    fn groups(&mut self, lines: &mut Lines<'_>) {
        while let Some(head) = lines.peek().filter(|line| !is_mark(line)) {
            lines.next();
            let count = head.words().nth(7).and_then(integer).and_then(|count| usize::try_from(count).ok());
            let name = lines.next();
            let (Some(count), Some(name)) = (count, name.filter(|line| !is_mark(line))) else {
                return self
                    .draft
                    .error(head.span(), "expected eight numbers of a group, and its name below them");
            };
            let mut entities: Vec<[i64; 2]> = Vec::new();
            while entities.len() < count {
                let Some(row) = lines.peek().filter(|line| !is_mark(line)) else { break };
                lines.next();
                let values: Vec<i64> = row.words().map_while(integer).collect();
                entities.extend(values.chunks_exact(4).map(|entity| [entity[0], entity[1]]));
                if values.len() < 4 {
                    break;
                }
            }
            if entities.len() != count {
                return self.draft.error(head.span(), format!("expected {count} members of the group"));
            }
            let of = |kind: i64| {
                let tags = entities.iter().filter(move |entity| entity[0] == kind);
                tags.filter_map(|entity| u32::try_from(entity[1]).ok()).collect::<Vec<_>>()
            };
            self.groups.push((text(name.text), name.span(), of(7), of(8)));
        }
    }

    fn settle(&mut self, start: Span) {
        for (name, at, nodes, elements) in std::mem::take(&mut self.groups) {
            let of_elements: Vec<u32> =
                elements.iter().filter_map(|id| self.of_element.get(id)).flatten().copied().collect();
            self.draft.add_to_set(&name, at, nodes.into_iter().chain(of_elements));
        }
        let on_others = self.draft.on_others();
        let drawn = on_others.iter().filter(|on| **on).count();
        if drawn > 0 {
            let message =
                format!("{drawn} elements lie on points, edges or faces of others: they only make sets");
            self.draft.report(Diagnostic::note(message).at(start));
        }
        let mut flags = on_others.iter();
        self.draft.elements.retain(|_| !*flags.next().unwrap_or(&false));
        if let Some(line) = self.draft.elements.iter().find(|element| element.shape == Shape::Line3) {
            let at = line.at;
            self.draft.error(at, "a line of 3 nodes cannot be a bar");
        }
        let known: Vec<String> =
            self.unused.keys().filter(|number| !matches!(number, 151 | 164)).map(i64::to_string).collect();
        if let (false, Some(at)) = (known.is_empty(), self.unused.values().next()) {
            let message = format!("datasets that are not used: {}", known.join(", "));
            self.draft.report(Diagnostic::note(message).at(*at));
        }
    }
}
