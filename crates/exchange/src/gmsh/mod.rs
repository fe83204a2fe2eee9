//! Gmsh `.msh`, versions 2.x, 4.0 and 4.1, text and binary (Gmsh reference manual, "File formats").
//!
//! Physical groups become named node sets, and those of the bodies the properties of their elements. A mesh
//! has no material: it is given beside it. Meshes of edges and faces that lie on bodies only give sets.

mod element_type;
mod group;
mod source;

use std::path::Path;

use pliant_diag::{Diagnostic, FileId, Span};

use crate::Translation;
use crate::draft::{Draft, Node};
use crate::input::{id, text};
use crate::shape::{Order, bulk_slots};
use element_type::{ElementType, element_type};
use group::{Groups, Raw};
use source::{Result, Source};

pub(crate) fn translate(path: &Path, bytes: Vec<u8>, file: FileId) -> Translation {
    let mut reader = Reader {
        source: Source { bytes: &bytes, position: 0, file, binary: false, header: Span::new(file, 0, 0) },
        draft: Draft::default(),
        groups: Groups::default(),
        version: Version::Two,
        refused: Vec::new(),
        has_nodes: false,
    };
    if let Err(problem) = reader.sections() {
        reader.draft.report(*problem);
    }
    let Reader { mut draft, groups, source, refused, has_nodes, .. } = reader;
    for (kind, count, at) in refused {
        draft.report(
            Diagnostic::error(format!("{count} elements of type {kind} cannot be used"))
                .at(at)
                .hint("Gmsh writes elements without nodes on faces and in bodies with Mesh.SecondOrderIncomplete = 1, and of at most second order with Mesh.ElementOrder = 2"),
        );
    }
    if !has_nodes && !draft.diagnostics.has_errors() {
        draft.error(source.header, "the file has no $Nodes");
    }
    groups.settle(&mut draft, source.header);
    draft.finish(vec![(path.to_owned(), bytes)])
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Version {
    Two,
    Four0,
    Four1,
}

struct Reader<'a> {
    source: Source<'a>,
    draft: Draft,
    groups: Groups,
    version: Version,
    /// Types of elements that cannot be used: name, how many, and the first.
    refused: Vec<(String, usize, Span)>,
    has_nodes: bool,
}

impl Reader<'_> {
    fn sections(&mut self) -> Result<()> {
        let mut has_format = false;
        while let Some((line, at)) = self.source.line() {
            let Some(name) = line.strip_prefix(b"$") else { continue };
            if !has_format && !matches!(name, b"MeshFormat" | b"Comments") {
                return Err(Box::new(
                    Diagnostic::error(format!("expected $MeshFormat, found `{}`", text(line)))
                        .at(at)
                        .hint("Gmsh writes versions 2 and 4 with Mesh.MshFileVersion = 2.2 or 4.1"),
                ));
            }
            match name {
                b"MeshFormat" => {
                    has_format = true;
                    self.format()?;
                }
                b"PhysicalNames" => self.physical_names()?,
                b"Entities" if self.version != Version::Two => self.entities()?,
                b"Nodes" => {
                    self.has_nodes = true;
                    match self.version {
                        Version::Two => self.nodes_2()?,
                        _ => self.nodes_4()?,
                    }
                }
                b"Elements" => match self.version {
                    Version::Two => self.elements_2()?,
                    _ => self.elements_4()?,
                },
                b"PartitionedEntities" => {
                    return Err(Box::new(
                        Diagnostic::error("a partitioned mesh cannot be used")
                            .at(at)
                            .hint("write the mesh without partitions: Mesh.NbPartitions = 0"),
                    ));
                }
                b"Periodic" => {
                    self.draft.report(Diagnostic::note("$Periodic is not used").at(at));
                }
                _ => {}
            }
            self.skip(name);
        }
        if has_format {
            Ok(())
        } else {
            Err(Box::new(
                Diagnostic::error("this is no mesh of Gmsh: there is no $MeshFormat")
                    .at(Span::new(self.source.file, 0, 0))
                    .hint("meshes of Fluent have the same ending; they cannot be read"),
            ))
        }
    }

    /// Goes behind the end of a section.
    fn skip(&mut self, name: &[u8]) {
        let mut end = b"$End".to_vec();
        end.extend_from_slice(name);
        let from = self.source.position.saturating_sub(1).min(self.source.bytes.len());
        if let Some(found) = memchr::memmem::find(&self.source.bytes[from..], &end) {
            self.source.position = from + found;
            self.source.line();
        }
    }

    fn format(&mut self) -> Result<()> {
        let Some((line, at)) = self.source.line() else { return Ok(()) };
        self.source.header = at;
        let words: Vec<&[u8]> = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
        let refuse = |message: String| {
            let hint = "versions 2 and 4 are read: Mesh.MshFileVersion = 2.2 or 4.1 in Gmsh";
            Err(Box::new(Diagnostic::error(message).at(at).hint(hint)))
        };
        let (Some(version), Some(kind)) = (words.first(), words.get(1)) else {
            return refuse(format!("expected a version and a kind of file, found `{}`", text(line)));
        };
        self.version = match *version {
            [b'2'] | [b'2', b'.', ..] => Version::Two,
            b"4" | b"4.0" => Version::Four0,
            b"4.1" => Version::Four1,
            other => return refuse(format!("version {} of the format is not read", text(other))),
        };
        self.source.binary = *kind == b"1";
        if self.source.binary {
            if words.get(2).is_some_and(|size| *size != b"8") {
                return refuse("the numbers of a binary file must have 8 bytes".to_owned());
            }
            let one = self.source.int()?;
            if one != 1 {
                return refuse("the bytes of the numbers are in big-endian order".to_owned());
            }
        }
        Ok(())
    }

    fn physical_names(&mut self) -> Result<()> {
        let Some((line, at)) = self.source.line() else { return Ok(()) };
        let Some(count) = crate::input::integer(line) else {
            return Err(Box::new(Diagnostic::error("expected a number of names").at(at)));
        };
        for _ in 0..count {
            let Some((line, at)) = self.source.line() else { break };
            if line.starts_with(b"$") {
                break;
            }
            let mut words = line.splitn(3, |b| *b == b' ');
            let (dimension, tag) = (words.next().and_then(crate::input::integer), words.next().and_then(id));
            let name = words.next().map(|name| text(name).trim_matches('"').to_owned());
            match (dimension, tag, name) {
                (Some(dimension @ 0..=3), Some(tag), Some(name)) if !name.is_empty() => {
                    self.groups.name(dimension as usize, tag, at, name);
                }
                _ => self.draft.error(at, "expected dimension, number and name of a physical group"),
            }
        }
        Ok(())
    }

    fn nodes_2(&mut self) -> Result<()> {
        let count = self.text_count()?;
        for _ in 0..count {
            let start = self.source.mark();
            let id = self.source.id(false)?;
            let position = [self.source.real()?, self.source.real()?, self.source.real()?];
            self.draft.nodes.push(Node { id, position, at: self.source.here(start) });
        }
        Ok(())
    }

    /// A count that stands on a line of its own, also in binary files.
    fn text_count(&mut self) -> Result<usize> {
        let (line, at) = self.source.line().unwrap_or((b"", self.source.header));
        let count = crate::input::integer(line).and_then(|count| usize::try_from(count).ok());
        count.filter(|count| *count <= self.source.bytes.len()).ok_or_else(|| {
            let found = text(&line[..line.len().min(40)]);
            Box::new(Diagnostic::error(format!("expected a count, found `{found}`")).at(at))
        })
    }

    fn elements_2(&mut self) -> Result<()> {
        let count = self.text_count()?;
        let mut read = 0;
        while read < count {
            let start = self.source.mark();
            // In text every element has the head that in binary files a block has.
            let first = if self.source.binary { None } else { Some(self.source.id(false)?) };
            let kind = self.kind(start)?;
            let block = if self.source.binary { self.source.count(false)?.max(1) } else { 1 };
            let tag_count = self.source.count(false)?;
            for row in 0..block {
                let start = if row == 0 { start } else { self.source.mark() };
                let id = match first {
                    Some(id) => id,
                    None => self.source.id(false)?,
                };
                let mut tags = [0_i64; 2];
                for k in 0..tag_count {
                    let tag = self.source.int()?;
                    if let Some(slot) = tags.get_mut(k) {
                        *slot = tag;
                    }
                }
                let physical = u32::try_from(tags[0]).ok().filter(|tag| *tag > 0);
                let entity = tags[1].unsigned_abs() as u32;
                self.one_element(id, &kind, false, start, Raw { entity, physical })?;
                read += 1;
            }
        }
        Ok(())
    }

    fn kind(&mut self, start: usize) -> Result<ElementType> {
        let number = self.source.int()?;
        element_type(number).ok_or_else(|| {
            let message = format!("type {number} of an element is not known");
            Box::new(Diagnostic::error(message).at(self.source.here(start)))
        })
    }

    fn one_element(&mut self, id: u32, kind: &ElementType, wide: bool, start: usize, raw: Raw) -> Result<()> {
        let mut nodes = [0_u32; 20];
        for k in 0..kind.node_count {
            let node = self.source.id(wide)?;
            if let Some(slot) = nodes.get_mut(k) {
                *slot = node;
            }
        }
        let at = self.source.here(start);
        let Some(shape) = kind.shape else {
            match self.refused.iter_mut().find(|(name, ..)| *name == kind.name) {
                Some((_, count, _)) => *count += 1,
                None => self.refused.push((kind.name.to_owned(), 1, at)),
            }
            return Ok(());
        };
        let mut ordered = [0_u32; 20];
        for (node, slot) in nodes.iter().zip(bulk_slots(shape, Order::Gmsh)) {
            ordered[slot] = *node;
        }
        self.draft.element(id, shape, ordered[..shape.node_count()].iter().copied(), 0, at);
        self.groups.of_elements.push(raw);
        Ok(())
    }

    /// Physical groups of points, curves, surfaces and volumes.
    fn entities(&mut self) -> Result<()> {
        let mut counts = [0; 4];
        for count in &mut counts {
            *count = self.source.count(true)?;
        }
        for (dimension, count) in counts.into_iter().enumerate() {
            for _ in 0..count {
                let tag = self.source.int()?;
                let numbers = if dimension == 0 && self.version == Version::Four1 { 3 } else { 6 };
                for _ in 0..numbers {
                    // Boxes of empty entities are infinite in some versions.
                    if self.source.binary {
                        self.source.size()?;
                    } else {
                        self.skip_word()?;
                    }
                }
                for _ in 0..self.source.count(true)? {
                    let physical = self.source.int()?.unsigned_abs() as u32;
                    self.groups.entity(dimension, tag.unsigned_abs() as u32, physical);
                }
                if dimension > 0 {
                    for _ in 0..self.source.count(true)? {
                        self.source.int()?;
                    }
                }
            }
        }
        Ok(())
    }

    fn skip_word(&mut self) -> Result<()> {
        let start = self.source.mark();
        let rest = self.source.bytes.get(start..).unwrap_or_default();
        self.source.position = start + rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        Ok(())
    }

    fn nodes_4(&mut self) -> Result<()> {
        let new = self.version == Version::Four1;
        let blocks = self.source.count(true)?;
        self.source.count(true)?;
        if new {
            self.source.size()?;
            self.source.size()?;
        }
        for _ in 0..blocks {
            let (first, second) = (self.source.int()?, self.source.int()?);
            let dimension = if new { first } else { second };
            let parametric = self.source.int()? != 0;
            let extra = if parametric { dimension.clamp(0, 3) as usize } else { 0 };
            let count = self.source.count(true)?;
            let mut ids = Vec::new();
            if new {
                for _ in 0..count {
                    ids.push(self.source.id(true)?);
                }
            }
            for row in 0..count {
                let start = self.source.mark();
                let id = match ids.get(row) {
                    Some(id) => *id,
                    None => self.source.id(false)?,
                };
                let position = [self.source.real()?, self.source.real()?, self.source.real()?];
                for _ in 0..extra {
                    self.source.real()?;
                }
                self.draft.nodes.push(Node { id, position, at: self.source.here(start) });
            }
        }
        Ok(())
    }

    fn elements_4(&mut self) -> Result<()> {
        let new = self.version == Version::Four1;
        let blocks = self.source.count(true)?;
        self.source.count(true)?;
        if new {
            self.source.size()?;
            self.source.size()?;
        }
        for _ in 0..blocks {
            let start = self.source.mark();
            let (first, second) = (self.source.int()?, self.source.int()?);
            let entity = if new { second } else { first }.unsigned_abs() as u32;
            let kind = self.kind(start)?;
            for _ in 0..self.source.count(true)? {
                let start = self.source.mark();
                let id = self.source.id(new)?;
                self.one_element(id, &kind, new, start, Raw { entity, physical: None })?;
            }
        }
        Ok(())
    }
}
