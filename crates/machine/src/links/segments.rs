//! `segments = n`: one beam of the file becomes n beams in a row; `cuts`: a deck becomes its segments.
//!
//! Beam `arm` in three segments is the links `arm`, `arm#2` and `arm#3` with fixed joints of the latter
//! names. `arm.tip` stands for the tip of the last one, and an interface of a deck for that of the segment it
//! belongs to.

use pliant_mechanism::joint::Fixed;
use pliant_mechanism::{Attachment, Bearing, JointSpec, Placement};
use pliant_pipeline::link::{DampingTable, InterfaceSpec, LinkTable};
use pliant_reduce::request::{BeamPath, BeamSource, DeckSegment, LinkRequest, LinkSource, ResidualLoad};

/// A link that was cut into segments.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    /// Its segments by name, the inboard one first, which has the name of the link; each is fixed to the one
    /// before by a joint of its own name.
    pub links: Vec<String>,
    /// The interface that leads from a segment to the next.
    pub onward: &'static str,
    /// Damping of the undivided link; its segments have none of their own.
    pub damping: Option<DampingTable>,
    /// The interfaces of the undivided link, and the segment each belongs to, from 0.
    interfaces: Vec<(String, usize)>,
}

impl Chain {
    /// Name of the undivided link.
    pub fn name(&self) -> &str {
        self.links.first().map_or("", String::as_str)
    }

    /// The segment that has an interface of the undivided link.
    pub(crate) fn owner(&self, interface: &str) -> Option<&str> {
        let (_, segment) = self.interfaces.iter().find(|(name, _)| name == interface)?;
        self.links.get(*segment).map(String::as_str)
    }

    /// The joints that hold the segments together.
    pub(crate) fn joints(&self) -> impl Iterator<Item = JointSpec> {
        self.links.windows(2).map(|pair| JointSpec {
            name: pair[1].clone(),
            parent: Attachment::interface(&pair[0], self.onward),
            child: pair[1].clone(),
            child_interface: None,
            closes_loop: false,
            joint: Box::new(Fixed),
            placement: Placement::Triad,
            coordinates: Vec::new(),
            bearing: Bearing::default(),
            grip: None,
        })
    }

    fn new(name: &str, count: usize, onward: &'static str, damping: Option<DampingTable>) -> Self {
        let segment = |k: usize| if k == 1 { name.to_owned() } else { format!("{name}#{k}") };
        Self { links: (1..=count).map(segment).collect(), onward, damping, interfaces: Vec::new() }
    }
}

/// The segments of a link and how they belong together; the link itself when it is not divided.
pub(super) fn divided(link: LinkRequest, table: &LinkTable) -> (Vec<LinkRequest>, Option<Chain>) {
    match (&link.source, &table.cuts) {
        (LinkSource::Beam(beam), _) if table.segments > 1 => of_beam(&link, beam, table),
        // A file may ask for a single segment, which is a link of its own.
        (LinkSource::Deck { segment: None, .. }, Some(cuts)) if !cuts.is_empty() => of_deck(&link, table),
        _ => (vec![link], None),
    }
}

fn of_beam(link: &LinkRequest, beam: &BeamSource, table: &LinkTable) -> (Vec<LinkRequest>, Option<Chain>) {
    let BeamPath::Straight(length) = beam.path else { return (vec![link.clone()], None) };
    let count = table.segments;
    let mut chain = Chain::new(&link.name, count as usize, BeamSource::TIP, table.damping.clone());
    chain.interfaces = vec![(BeamSource::TIP.to_owned(), count as usize - 1)];
    let segment = |(k, name): (usize, &String)| {
        let is_last = k + 1 == chain.links.len();
        let piece = BeamSource {
            path: BeamPath::Straight(length / f64::from(count)),
            elements: beam.elements.div_ceil(count),
            tip_offset: if is_last { beam.tip_offset } else { [0.0; 3] },
            ..beam.clone()
        };
        LinkRequest { name: name.clone(), source: LinkSource::Beam(piece), damping: None, ..link.clone() }
    };
    let requests = chain.links.iter().enumerate().map(segment).collect();
    (requests, Some(chain))
}

/// The mesh is cut when it is read; here each segment gets the interfaces that belong to it and the residual
/// vectors of those.
fn of_deck(link: &LinkRequest, table: &LinkTable) -> (Vec<LinkRequest>, Option<Chain>) {
    let LinkSource::Deck { deck, .. } = &link.source else { return (vec![link.clone()], None) };
    let Some(cuts) = super::request::cuts(table) else { return (vec![link.clone()], None) };
    let count = cuts.len() + 1;
    let mut chain = Chain::new(&link.name, count, DeckSegment::CUT, table.damping.clone());
    // The last segment when the file says none, or one that there is not: reading the mesh then reports where
    // it lies.
    let segment = |spec: &InterfaceSpec| match spec {
        InterfaceSpec::Table(interface) => {
            interface.segment.map(|k| k as usize).filter(|k| (1..=count).contains(k)).unwrap_or(count)
        }
        InterfaceSpec::Grid(_) | InterfaceSpec::Grids(_) => count,
    };
    let of_interface = |(name, spec): (&str, &pliant_diag::Located<InterfaceSpec>)| {
        (name.to_owned(), segment(&spec.value) - 1)
    };
    chain.interfaces = table.interfaces.iter().map(of_interface).collect();
    let piece = |(k, name): (usize, &String)| {
        let elsewhere = |interface: &str| {
            chain.interfaces.iter().any(|(name, segment)| name == interface && *segment != k)
        };
        let mut piece = LinkRequest { name: name.clone(), damping: None, ..link.clone() };
        let segment = DeckSegment { cuts: cuts.clone(), number: k as u32 + 1 };
        piece.source = LinkSource::Deck { deck: deck.clone(), segment: Some(segment) };
        piece.interfaces.outboard.retain(|(name, _)| !elsewhere(name));
        if let Some(residuals) = &mut piece.residuals {
            residuals.retain(|load| match &load.value {
                ResidualLoad::Interface { interface, .. } => !elsewhere(interface),
                ResidualLoad::Gravity(_) | ResidualLoad::Deck(_) => true,
            });
        }
        piece
    };
    let requests = chain.links.iter().enumerate().map(piece).collect();
    (requests, Some(chain))
}
