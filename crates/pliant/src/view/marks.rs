//! Where in the picture a problem is.

use nalgebra::Vector3;
use pliant_diag::Severity;
use pliant_mechanism::FrameRef;
use pliant_pipeline::{PipelineFile, ValueKind};
use pliant_report::{Machine, Mark};

use super::Found;
use super::attempt::Attempt;
use super::links::ViewedLink;

/// A pin at what a problem belongs to; `None` when it belongs to nothing that is drawn.
pub(super) fn mark(
    found: &Found<'_>,
    subject: &[String],
    number: usize,
    file: &PipelineFile,
    attempt: &Attempt,
    machine: &Machine,
) -> Option<Mark> {
    let place = Place { file, attempt, machine };
    let in_deck = found.link.and_then(|link| place.element(link, found.problem.card.as_deref()?));
    let (part, point) = in_deck.or_else(|| place.of(subject))?;
    Some(Mark {
        label: number.to_string(),
        text: found.problem.headline(),
        is_error: found.problem.severity == Severity::Error,
        part,
        point,
    })
}

/// A link, or the ground, and a point of it.
type Point = (Option<usize>, [f32; 3]);

struct Place<'a> {
    file: &'a PipelineFile,
    attempt: &'a Attempt,
    machine: &'a Machine,
}

impl Place<'_> {
    /// Where that is to which these keys belong.
    fn of(&self, keys: &[String]) -> Option<Point> {
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        match keys[..] {
            ["links", link, "interfaces", interface, ..] => {
                self.interface(link, interface).or_else(|| self.link(link))
            }
            ["links", link, ..] => self.link(link),
            [
                section @ ("joints" | "constraints" | "forces" | "payloads" | "loads" | "couplings"),
                name,
                ..,
            ] => self.symbol(name).or_else(|| self.named(&[section, name])),
            ["payload", ..] => self.named(&["payload"]),
            ["path", ..] | ["output", "tip", ..] => {
                let (link, interface) = self.attempt.tip.as_ref()?;
                self.interface(link, interface)
            }
            _ => None,
        }
    }

    /// The middle of a link.
    fn link(&self, name: &str) -> Option<Point> {
        let part = self.machine.parts.iter().position(|part| part.name == name)?;
        let positions = &self.machine.parts[part].positions;
        let sum: Vector3<f32> = positions.iter().map(|p| Vector3::from(*p)).sum();
        Some((Some(part), (sum / positions.len().max(1) as f32).into()))
    }

    fn interface(&self, link: &str, interface: &str) -> Option<Point> {
        let name = format!("{link}.{interface}");
        let triad = self.machine.triads.iter().find(|triad| triad.name == name)?;
        Some((triad.part, [3, 7, 11].map(|at| triad.pose[at])))
    }

    /// A joint or what else is drawn between links; the joints of a coupling.
    fn symbol(&self, name: &str) -> Option<Point> {
        let symbol = self.machine.symbols.iter().find(|symbol| symbol.name == name);
        if let Some(symbol) = symbol {
            let end = &symbol.ends[1];
            return Some((end.part, end.point));
        }
        let load = self.attempt.model.as_ref()?.loads().iter().find(|load| load.name == name)?;
        self.frame(FrameRef::Interface(load.on))
    }

    fn frame(&self, frame: FrameRef) -> Option<Point> {
        let FrameRef::Interface(at) = frame else { return None };
        let p = self.attempt.model.as_ref()?.bodies()[at.body].link.interfaces[at.interface.0].X_LT.p;
        Some((Some(at.body.0), [p.x as f32, p.y as f32, p.z as f32]))
    }

    /// What an entry names that could not be built: the interfaces and links among its texts.
    fn named(&self, keys: &[&str]) -> Option<Point> {
        let ValueKind::Table(entries) = &self.file.document.root.get(keys)?.kind else { return None };
        let texts = entries.iter().filter_map(|(_, value)| match &value.kind {
            ValueKind::String(text) => Some(text.as_str()),
            _ => None,
        });
        let texts: Vec<&str> = texts.collect();
        let interfaces = texts.iter().filter_map(|text| text.split_once('.'));
        let mut points = interfaces.filter_map(|(link, interface)| self.interface(link, interface));
        let link = |text: &&str| self.link(text.split('.').next().unwrap_or_default());
        points.next().or_else(|| texts.iter().find_map(link))
    }

    /// A card of a deck by its name and number.
    fn element(&self, link: &ViewedLink, card: &str) -> Option<Point> {
        let (name, number) = card.rsplit_once(' ')?;
        let number: u32 = number.parse().ok()?;
        let part = self.machine.parts.iter().position(|part| part.name == link.request.name)?;
        let (drawing, positions) = (&link.shape.drawing, &link.shape.positions);
        let rows: Vec<usize> = match name {
            "GRID" => drawing.grids.iter().position(|grid| *grid == number).into_iter().collect(),
            _ => {
                let cell = drawing.elements.iter().position(|element| *element == number)?;
                let range = drawing.offsets[cell] as usize..drawing.offsets[cell + 1] as usize;
                drawing.connectivity[range].iter().map(|row| *row as usize).collect()
            }
        };
        let sum: Vector3<f64> = rows.iter().filter_map(|row| positions.get(*row)).sum();
        let p = sum / rows.len() as f64;
        (!rows.is_empty()).then(|| (Some(part), [p.x as f32, p.y as f32, p.z as f32]))
    }
}
