//! The recovered stress and strain of a results file as the report shows them.

use std::collections::HashMap;
use std::ops::Range;

use pliant_reduce::recovery::{Quantity, RowKind};
use pliant_report::{ExtremeElement, Extremes, Field, History, Values};
use pliant_store::results::{ResultsError, ResultsFile, Series, ShapeFrame, ShapeMesh};

use super::run::optional;

/// Elements listed.
const LISTED: usize = 12;
/// Elements whose components over time have plots of their own.
const PLOTTED: usize = 12;
/// Numbers of all frames of a field, at most: above, the page has the largest of the run alone.
const NUMBERS: usize = 16_000_000;

/// What is drawn of the damage, and the most that is drawn: an element fails at 1, and damage may be
/// infinite.
const DAMAGE: &str = "damage, at most 10";
const MOST_DAMAGE: f64 = 10.0;

/// How a quantity is called.
struct Words {
    quantity: Quantity,
    /// Of its group and datasets.
    group: &'static str,
    /// The dataset of its largest.
    largest: &'static str,
    /// The one number that stands for it.
    what: &'static str,
    units: &'static str,
    /// That number of an element in words.
    note: &'static str,
}

const WORDS: [Words; 2] = [
    Words {
        quantity: Quantity::Stress,
        group: "stress",
        largest: "von_mises_max",
        what: "von Mises stress",
        units: "Pa",
        note: "Von Mises, at the worst point of each element; of a bar the largest axial stress.",
    },
    Words {
        quantity: Quantity::Strain,
        group: "strain",
        largest: "principal_max",
        what: "principal strain",
        units: "m/m",
        note: "The largest in size, at the worst point of each element; of a bar the largest axial strain.",
    },
];

/// A number for each element of a link.
struct Envelope {
    elements: Vec<u32>,
    properties: Vec<u32>,
    largest: Vec<f64>,
    times: Vec<f64>,
    /// Stress that is allowed; empty where nothing is known of it.
    allowables: Vec<f64>,
    /// Damage; empty where it is not computed.
    damage: Vec<f64>,
}

impl Envelope {
    fn read(file: &ResultsFile, words: &Words, link: &str) -> Result<Option<Self>, ResultsError> {
        let Words { group, largest, .. } = words;
        let at = |name: &str| optional(file, &format!("/links/{link}/{group}/{name}"));
        let times = at(&format!("{largest}_time"))?;
        let (Some(elements), Some(largest)) = (at("element")?, at(largest)?) else { return Ok(None) };
        let integers = |series: Series| series.values.iter().map(|x| *x as u32).collect::<Vec<_>>();
        Ok(Some(Self {
            properties: at("property")?.map(integers).unwrap_or_default(),
            times: times.map_or(Vec::new(), |series| series.values),
            elements: integers(elements),
            allowables: at("allowable")?.map_or(Vec::new(), |series| series.values),
            damage: at("damage")?.map_or(Vec::new(), |series| series.values),
            largest: largest.values,
        }))
    }
}

/// The elements of largest stress and of largest strain, the worst first.
pub(super) fn extremes(file: &ResultsFile) -> Result<Vec<Extremes>, ResultsError> {
    let mut all = Vec::new();
    for words in &WORDS {
        let mut elements = Vec::new();
        for link in file.names("/links") {
            let Some(found) = Envelope::read(file, words, &link)? else { continue };
            for (k, (element, value)) in found.elements.iter().zip(&found.largest).enumerate() {
                elements.push(ExtremeElement {
                    link: link.clone(),
                    element: *element,
                    property: found.properties.get(k).copied().unwrap_or(0),
                    value: *value,
                    time: found.times.get(k).copied().unwrap_or(f64::NAN),
                    allowable: found.allowables.get(k).copied().filter(|limit| limit.is_finite()),
                });
            }
        }
        elements.sort_by(|a, b| b.value.total_cmp(&a.value));
        elements.truncate(LISTED);
        if !elements.is_empty() {
            let (quantity, what, units) = (words.group.into(), words.what.into(), words.units.into());
            all.push(Extremes { quantity, what, units, elements });
        }
    }
    Ok(all)
}

/// A link's cells of which a quantity is known: where they are in the mesh, and their nodes in the link.
struct LinkCells {
    words: &'static Words,
    nodes: usize,
    cells: Vec<(usize, Vec<usize>)>,
    /// Of each node the largest of the run.
    envelope: Vec<f32>,
    /// Of each node the damage; empty where there is none.
    damage: Vec<f32>,
    frames: Vec<Vec<f32>>,
}

/// Collects stress and strain of the nodes frame by frame: of a node the largest of the elements around it,
/// so that what the legend ends at is the largest of all elements.
pub(super) struct ElementFields {
    /// Of each link.
    links: Vec<Vec<LinkCells>>,
    keeps_frames: bool,
}

impl ElementFields {
    pub(super) fn new(
        file: &ResultsFile,
        mesh: &ShapeMesh,
        ranges: &[Range<usize>],
        frames: usize,
    ) -> Result<Self, ResultsError> {
        let mut links = Vec::new();
        for (k, (name, points)) in mesh.links.iter().zip(ranges).enumerate() {
            let mut fields = Vec::new();
            for words in &WORDS {
                if let Some(envelope) = Envelope::read(file, words, name)? {
                    fields.push(LinkCells::new(words, mesh, k, points, envelope));
                }
            }
            links.push(fields);
        }
        Ok(Self { links, keeps_frames: frames.saturating_mul(mesh.grids.len()) <= NUMBERS })
    }

    /// Takes a frame in.
    pub(super) fn frame(&mut self, shape: &ShapeFrame) {
        for link in self.links.iter_mut().flatten().filter(|_| self.keeps_frames) {
            let values = match link.words.quantity {
                Quantity::Stress => &shape.von_mises,
                Quantity::Strain => &shape.principal_strain,
            };
            if !values.is_empty() {
                link.frames.push(at_nodes(link.nodes, &link.cells, |cell| values[cell]));
            }
        }
    }

    /// The fields of each link.
    pub(super) fn finish(self) -> Vec<Vec<Field>> {
        let fields = |link: LinkCells| {
            let Words { what, units, .. } = *link.words;
            let field = |name: String, values: Values| Field { name, units: units.into(), values };
            let largest = field(format!("{what}, largest of the run"), Values::Steady(link.envelope));
            let damage = (!link.damage.is_empty()).then(|| Field {
                name: DAMAGE.into(),
                units: "1".into(),
                values: Values::Steady(link.damage),
            });
            let now = (!link.frames.is_empty()).then(|| field(what.into(), Values::Frames(link.frames)));
            now.into_iter().chain([largest]).chain(damage)
        };
        self.links.into_iter().map(|link| link.into_iter().flat_map(fields).collect()).collect()
    }
}

impl LinkCells {
    /// Of link number `link` from 0.
    fn new(
        words: &'static Words,
        mesh: &ShapeMesh,
        link: usize,
        points: &Range<usize>,
        envelope: Envelope,
    ) -> Self {
        let by_element =
            |all: Vec<f64>| -> HashMap<u32, f64> { envelope.elements.iter().copied().zip(all).collect() };
        let (largest, damage) = (by_element(envelope.largest), by_element(envelope.damage));
        let is_known = |cell: &usize| {
            // A rigid element may have the number of another one; it has no property.
            mesh.cell_links[*cell] as usize == link + 1
                && mesh.properties[*cell] != 0
                && largest.contains_key(&mesh.elements[*cell])
        };
        let nodes_of = |cell: usize| {
            (cell, mesh.cell(cell).iter().map(|point| *point as usize - points.start).collect())
        };
        let cells: Vec<(usize, Vec<usize>)> =
            (0..mesh.cell_links.len()).filter(is_known).map(nodes_of).collect();
        let of = |cell: usize| largest.get(&mesh.elements[cell]).map_or(f32::NAN, |x| *x as f32);
        let envelope = at_nodes(points.len(), &cells, of);
        let damaged = damage.values().any(|damage| *damage > 0.0);
        let of =
            |cell: usize| damage.get(&mesh.elements[cell]).map_or(f32::NAN, |x| x.min(MOST_DAMAGE) as f32);
        let damage = if damaged { at_nodes(points.len(), &cells, of) } else { Vec::new() };
        Self { words, nodes: points.len(), cells, envelope, damage, frames: Vec::new() }
    }
}

/// The largest value of the cells around each node; NaN where there is none.
pub(super) fn at_nodes(nodes: usize, cells: &[(usize, Vec<usize>)], of: impl Fn(usize) -> f32) -> Vec<f32> {
    let mut values = vec![f32::NAN; nodes];
    for (cell, around) in cells {
        let value = of(*cell);
        // `max` takes the number of a number and NaN.
        around.iter().for_each(|node| values[*node] = values[*node].max(value));
    }
    values
}

/// A plot, when there is something in it.
fn history(title: String, quantity: &str, units: &str, lines: Vec<Line>, note: &str) -> Option<History> {
    let (quantity, units, note) = (quantity.to_owned(), units.to_owned(), Some(note.to_owned()));
    (!lines.is_empty()).then_some(History { title, quantity, units, lines, note })
}

/// A line of a plot.
type Line = (String, Vec<f64>);

/// Of each link the equivalent stress at the point where it was largest: |R q|.
fn peaks(file: &ResultsFile) -> Result<Option<History>, ResultsError> {
    let mut lines = Vec::new();
    for link in file.names("/links") {
        let at = |name: &str| optional(file, &format!("/links/{link}/{name}"));
        let (Some(rows), Some(q)) = (at("stress/peak_rows")?, at("coordinates")?) else { continue };
        let n = q.width();
        let size = |q: &[f64]| {
            let rows = rows.values.chunks_exact(n);
            let squares = rows.map(|row| row.iter().zip(q).map(|(r, q)| r * q).sum::<f64>().powi(2));
            squares.sum::<f64>().sqrt()
        };
        if n > 0 && rows.values.iter().any(|x| *x != 0.0) {
            lines.push((link, q.values.chunks_exact(n).map(size).collect()));
        }
    }
    let words = &WORDS[0];
    let note = "At the point of each link where it was largest over the run.";
    Ok(history(format!("Largest {} of each link", words.what), words.group, words.units, lines, note))
}

/// Stress and strain of chosen elements and strain of gauges over time.
pub(super) fn histories(file: &ResultsFile) -> Result<Vec<History>, ResultsError> {
    let mut all: Vec<History> = peaks(file)?.into_iter().collect();
    for words in &WORDS {
        let (mut worst, mut parts) = (Vec::new(), Vec::new());
        for link in file.names("/links") {
            let mut elements = file.names(&format!("/links/{link}/elements"));
            elements.sort_by_key(|element| element.parse::<u32>().unwrap_or(u32::MAX));
            for element in elements {
                let path = format!("/links/{link}/elements/{element}/{}", words.group);
                let Some(series) = optional(file, &path)? else { continue };
                let Some(kind) = RowKind::of_labels(&series.labels, words.quantity) else { continue };
                let name = format!("{link}, element {element}");
                let rows = series.values.chunks_exact(series.width());
                let sizes = rows.map(|row| kind.intensity(words.quantity, row)).collect();
                worst.push((name.clone(), sizes));
                if worst.len() <= PLOTTED {
                    parts.extend(components(&name, kind, words, &series));
                }
            }
        }
        let title = format!("Chosen elements: {}", words.what);
        all.extend(history(title, words.group, words.units, worst, words.note));
        all.extend(parts);
    }
    let mut gauges = Vec::new();
    for link in file.names("/links") {
        for gauge in file.names(&format!("/links/{link}/gauges")) {
            let series = file.series(&format!("/links/{link}/gauges/{gauge}"))?;
            gauges.push((format!("{link}, {gauge}"), series.values));
        }
    }
    let note = "Along the direction of each gauge.";
    all.extend(history("Strain gauges".to_owned(), "strain", "m/m", gauges, note));
    Ok(all)
}

/// The numbers of one element, those of a kind together.
fn components(name: &str, kind: RowKind, words: &Words, series: &Series) -> Vec<History> {
    let Words { quantity, group, units, .. } = *words;
    let lines = |wanted: &dyn Fn(&str) -> bool| -> Vec<Line> {
        let chosen = series.labels.iter().enumerate().filter(|(_, label)| wanted(label));
        chosen.map(|(k, label)| (label.clone(), series.column(k).collect())).collect()
    };
    let ending =
        |names: &[&str]| lines(&|label| label.rsplit('.').next().is_some_and(|end| names.contains(&end)));
    let one = |what: &str, quantity: &str, units: &str, lines: Vec<Line>, note: &str| {
        history(format!("{name}: {what}"), quantity, units, lines, note)
    };
    let points = || {
        let note = "At the stress points of ends A and B.";
        one(&format!("axial {group}"), group, units, ending(&["C", "D", "E", "F"]), note)
    };
    let ends = "At ends A and B.";
    let plots = match (kind, quantity) {
        (RowKind::Line, Quantity::Stress) => vec![
            one("forces", "force", "N", ending(&["N", "V1", "V2"]), ends),
            one("moments", "moment", "N m", ending(&["T", "M1", "M2"]), ends),
            points(),
        ],
        (RowKind::Line, Quantity::Strain) => vec![
            one("twist", "twist", "rad/m", ending(&["twist"]), ends),
            one("curvature", "curvature", "1/m", ending(&["curvature1", "curvature2"]), ends),
            one("strain of the axis", group, units, ending(&["axial"]), ends),
            points(),
        ],
        (RowKind::Shell { corners }, _) => {
            let note = match corners {
                0 => "At both faces, in element axes.",
                _ => "At both faces of the centre, in element axes; the file has the corners too.",
            };
            vec![one(group, group, units, lines(&|label| !label.starts_with("corner")), note)]
        }
        (RowKind::Laminate { .. }, _) => {
            let note = "Along the fibres of each ply; the file has all components.";
            vec![one(&format!("ply {group}"), group, units, ending(&["11"]), note)]
        }
        (RowKind::Solid { .. }, _) => {
            let note = "At the centroid, in link axes; the file has the corners too.";
            vec![one(group, group, units, lines(&|label| label.starts_with("centroid")), note)]
        }
    };
    plots.into_iter().flatten().collect()
}
