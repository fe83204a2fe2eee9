//! One `[links.<name>]` table as a request.

use std::path::{Path, PathBuf};

use nalgebra::Vector3;
use pliant_diag::{Diagnostic, Diagnostics, Located, suggestion};
use pliant_pipeline::link::{
    BasisWord, BeamElementWord, BeamTable, DampingTable, GroupTable, ImportedTable, InterfaceSpec,
    InterfaceTable, LinkTable, MassWord, MaterialSpec, ModesTable, PartMeshTable, RailTable, RatioSpec,
    RigidTable, SecondOrderSpec, SectionTable, SetSpec, SpiderWord,
};
use pliant_pipeline::schema::NumberOrWord;
use pliant_reduce::CHECKS;
use pliant_reduce::import::is_sid;
use pliant_reduce::interface::{Region, RegionShape};
use pliant_reduce::request::{
    BasisKind, BeamElement, BeamPath, BeamSource, Damping, DampingRatio, DeckSegment, DeckSource, Grids,
    GroupProperty, ImportedSource, InterfaceRequest, Interfaces, IsotropicMaterial, LinkRequest, LinkSource,
    MassKind, Matrices, Modes, OverrideValue, PartMesh, RailRequest, RailStations, Rayleigh, ResidualLoad,
    RigidSource, SecondOrderKind, Section, Spider, unknown_load,
};

/// The request of a table, undivided; `None` for a table whose own problems were reported when it was read.
/// `resolve` takes a path of the file to one that can be opened.
pub(super) fn request(
    name: &str,
    table: &LinkTable,
    resolve: impl Fn(&Path) -> PathBuf,
    problems: &mut Diagnostics,
) -> Option<LinkRequest> {
    let request = LinkRequest {
        name: name.to_owned(),
        origin: table.source,
        source: source(table, resolve)?,
        units: table.units.0,
        interfaces: interfaces(table)?,
        rail: table.rail.as_ref().map(rail),
        basis: basis(table.basis),
        modes: table.modes.as_ref().and_then(modes),
        residuals: None,
        damping: table.damping.as_ref().map(damping),
        mass: match table.mass {
            MassWord::Consistent => MassKind::Consistent,
            MassWord::Coupled => MassKind::Coupled,
            MassWord::Lumped => MassKind::Lumped,
        },
        second_order: match table.second_order {
            SecondOrderSpec::Off => SecondOrderKind::Off,
            SecondOrderSpec::Full => SecondOrderKind::Full,
            SecondOrderSpec::Chord => SecondOrderKind::Chord,
        },
        accept: accepted(table, problems),
    };
    let residuals = residuals(table, &request.outboard_names(), problems);
    Some(LinkRequest { residuals, ..request })
}

fn source(table: &LinkTable, resolve: impl Fn(&Path) -> PathBuf) -> Option<LinkSource> {
    let deck = |files: Vec<PathBuf>| DeckSource {
        files,
        mesh: table.mesh.as_ref().map(part_mesh),
        overrides: table
            .override_
            .entries
            .iter()
            .map(|(field, value)| (field.clone(), value_of(value)))
            .collect(),
        material: table.material.map(material),
        thickness: table.thickness,
        groups: table
            .groups
            .entries
            .iter()
            .map(|(name, group)| (name.clone(), group_property(group)))
            .collect(),
    };
    if let Some(rigid) = &table.rigid {
        return Some(LinkSource::Rigid(self::rigid(rigid)));
    }
    if let Some(beam) = &table.beam {
        return self::beam(beam).map(LinkSource::Beam);
    }
    if let Some(imported) = &table.imported {
        let deck = deck(vec![resolve(&imported.deck)]);
        return Some(LinkSource::Imported(self::imported(imported, deck, resolve)));
    }
    if let Some(sid) = &table.sid {
        return Some(LinkSource::Imported(of_sid(table, deck(vec![resolve(sid)]))));
    }
    let files: Vec<_> = table.deck.iter().flat_map(|deck| &deck.0).map(|path| resolve(path)).collect();
    if let [file] = files.as_slice()
        && is_sid(file)
    {
        return Some(LinkSource::Imported(of_sid(table, deck(files))));
    }
    let segment = match table.segment {
        Some(number) => Some(DeckSegment { cuts: cuts(table)?, number }),
        None => None,
    };
    Some(LinkSource::Deck { deck: deck(files), segment })
}

fn part_mesh(table: &PartMeshTable) -> PartMesh {
    PartMesh { size: table.size, order: table.order, refine: table.refine.entries.clone() }
}

fn value_of(value: &NumberOrWord) -> OverrideValue {
    match value {
        NumberOrWord::Number(number) => OverrideValue::Number(*number),
        NumberOrWord::Word(word) => OverrideValue::Text(word.clone()),
    }
}

/// A material of the library or of a table.
pub fn material(spec: MaterialSpec) -> IsotropicMaterial {
    IsotropicMaterial { e: spec.e, nu: spec.nu, rho: spec.rho }
}

fn group_property(group: &GroupTable) -> GroupProperty {
    GroupProperty { material: material(group.material), thickness: group.thickness }
}

fn rigid(table: &RigidTable) -> RigidSource {
    RigidSource {
        origin: table.source,
        mass: table.mass,
        centre: table.centre,
        inertia: table.inertia,
        products: table.products,
        interfaces: table.interfaces.iter().map(|(name, position)| (name.to_owned(), *position)).collect(),
    }
}

fn imported(table: &ImportedTable, deck: DeckSource, resolve: impl Fn(&Path) -> PathBuf) -> ImportedSource {
    let matrices = match &table.op4 {
        Some(path) => Matrices::Op4 { file: resolve(path), rows: table.rows.clone() },
        None => Matrices::Dmig,
    };
    ImportedSource {
        origin: table.source,
        deck,
        stiffness: table.stiffness.clone(),
        mass: table.mass.clone(),
        matrices,
    }
}

fn of_sid(table: &LinkTable, deck: DeckSource) -> ImportedSource {
    let (stiffness, mass) = ("Ke".to_owned(), "Me".to_owned());
    ImportedSource { origin: table.source, deck, stiffness, mass, matrices: Matrices::Sid }
}

fn beam(table: &BeamTable) -> Option<BeamSource> {
    Some(BeamSource {
        origin: table.source,
        path: match &table.path {
            Some(points) => BeamPath::Kinked(points.clone()),
            None => BeamPath::Straight(table.length?),
        },
        tip_offset: table.tip_offset,
        section: Located { value: section(&table.section)?, source: table.section.source },
        orientation: table.orientation,
        material: material(table.material),
        elements: table.elements,
        element: match table.element {
            BeamElementWord::Hermite => BeamElement::Hermite,
            BeamElementWord::LinearReduced => BeamElement::LinearReduced,
            BeamElementWord::LinearFull => BeamElement::LinearFull,
        },
    })
}

fn section(table: &SectionTable) -> Option<Section> {
    if let Some(tube) = &table.tube {
        return Some(Section::Tube { od: tube.od, t: tube.t });
    }
    if let Some(diameter) = table.rod {
        return Some(Section::Rod { diameter });
    }
    if let Some(tube) = &table.box_ {
        return Some(Section::Box { width: tube.width, height: tube.height, t: tube.t });
    }
    if let Some([width, height]) = table.bar {
        return Some(Section::Bar { width, height });
    }
    let values = table.values.as_ref()?;
    let (area, i1, i2) = (values.area, values.i1, values.i2.unwrap_or(values.i1));
    Some(Section::Values { area, i1, i2, j: values.j.unwrap_or(i1 + i2), k: values.k })
}

fn interfaces(table: &LinkTable) -> Option<Interfaces> {
    let outboard = table.interfaces.iter().map(|(name, spec)| Some((name.to_owned(), interface(spec)?)));
    let inboard = match &table.inboard {
        Some(spec) => Some(interface(spec)?),
        None => None,
    };
    Some(Interfaces { inboard, outboard: outboard.collect::<Option<_>>()? })
}

/// Where the deck of a table is cut.
pub(super) fn cuts(table: &LinkTable) -> Option<Vec<Located<InterfaceRequest>>> {
    table.cuts.iter().flatten().map(interface).collect()
}

fn interface(spec: &Located<InterfaceSpec>) -> Option<Located<InterfaceRequest>> {
    let value = match &spec.value {
        InterfaceSpec::Grid(id) => InterfaceRequest::new(Grids::One(*id)),
        InterfaceSpec::Grids(ids) => InterfaceRequest::new(Grids::Several(ids.clone())),
        InterfaceSpec::Table(table) => InterfaceRequest {
            grids: grids(table)?,
            spider: match table.spider {
                SpiderWord::Rigid => Spider::Rigid,
                SpiderWord::Average => Spider::Average,
            },
            centre: table.centre,
            axes: table.axes,
        },
    };
    Some(Located { value, source: spec.source })
}

fn grids(table: &InterfaceTable) -> Option<Grids> {
    if let Some(id) = table.grid {
        return Some(Grids::One(id));
    }
    if let Some(ids) = &table.grids {
        return Some(Grids::Several(ids.clone()));
    }
    if let Some(set) = &table.set {
        return Some(match set {
            SetSpec::Number(number) => Grids::Set(*number),
            SetSpec::Name(name) => Grids::NamedSet(name.clone()),
        });
    }
    if let Some(name) = &table.hole {
        return Some(Grids::Hole(name.clone()));
    }
    let vector = |direction: [f64; 3]| Vector3::from(direction);
    let shape = if let Some(c) = &table.cylinder {
        let (axis, through) = (vector(c.axis.0), vector(c.through));
        RegionShape::Cylinder { axis, through, radius: c.radius, along: c.along }
    } else if let Some(p) = &table.plane {
        RegionShape::Plane { normal: vector(p.normal.0), through: vector(p.through), radius: p.radius }
    } else if let Some(b) = &table.box_ {
        RegionShape::Box { from: vector(b.from), to: vector(b.to) }
    } else {
        let s = table.sphere.as_ref()?;
        RegionShape::Sphere { centre: vector(s.centre), radius: s.radius, surface: s.surface }
    };
    Some(Grids::On(Region::new(shape, table.tolerance)))
}

fn rail(table: &RailTable) -> RailRequest {
    RailRequest {
        origin: table.source,
        stations: match (&table.grids, table.line, table.stations) {
            (_, Some(ends), Some(count)) => RailStations::Line { ends, count },
            (Some(grids), ..) => RailStations::Grids(grids.clone()),
            (None, ..) => RailStations::Beam,
        },
        radius: table.radius,
        from: table.from,
        to: table.to,
    }
}

fn basis(word: BasisWord) -> BasisKind {
    match word {
        BasisWord::CraigBampton => BasisKind::CraigBampton,
        BasisWord::Cantilever => BasisKind::Cantilever,
        BasisWord::ClampedClamped => BasisKind::ClampedClamped,
        BasisWord::Guyan => BasisKind::Guyan,
        BasisWord::FreeFree => BasisKind::FreeFree,
    }
}

fn modes(table: &ModesTable) -> Option<Modes> {
    let accurate = || Some(Modes::Accurate { error: table.accuracy?, up_to_hz: table.accurate_to_hz? });
    let count = table.count.map(|count| Modes::Count(count as usize));
    count.or(table.below_hz.map(Modes::Below)).or_else(accurate)
}

fn damping(table: &DampingTable) -> Damping {
    Damping {
        ratio: table.ratio.as_ref().map(damping_ratio),
        rayleigh: table.rayleigh.as_ref().map(|r| Rayleigh { alpha: r.alpha, beta: r.beta }),
    }
}

/// Modal damping ratios of a table.
pub(crate) fn damping_ratio(spec: &RatioSpec) -> DampingRatio {
    match spec {
        RatioSpec::Constant(ratio) => DampingRatio::Constant(*ratio),
        RatioSpec::PerMode(ratios) => DampingRatio::PerMode(ratios.clone()),
        RatioSpec::Table(pairs) => DampingRatio::Table(pairs.clone()),
    }
}

/// The loads of residual vectors; what is no load is reported.
fn residuals(
    table: &LinkTable,
    interfaces: &[&str],
    problems: &mut Diagnostics,
) -> Option<Vec<Located<ResidualLoad>>> {
    let mut loads = Vec::new();
    for text in table.residual.as_ref()? {
        match ResidualLoad::parse(&text.value) {
            Some(load) => loads.push(Located { value: load, source: text.source }),
            None => problems.push(unknown_load(&text.value, interfaces).at(text.span())),
        }
    }
    Some(loads)
}

/// The health checks that may fail; a name that is none is reported.
fn accepted(table: &LinkTable, problems: &mut Diagnostics) -> Vec<String> {
    let is_check = |name: &&Located<String>| CHECKS.contains(&name.value.as_str());
    let (known, unknown): (Vec<_>, Vec<_>) = table.accept.iter().flatten().partition(is_check);
    for name in unknown {
        let hint = suggestion(&name.value, CHECKS, "health checks");
        let message = format!("`{}` is not a health check", name.value);
        problems.push(Diagnostic::error(message).at(name.span()).hint(hint));
    }
    known.into_iter().map(|name| name.value.clone()).collect()
}
