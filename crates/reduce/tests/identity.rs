//! The identity of a request: whatever changes what is asked for changes it, and nothing else does.
//!
//! Every structure is taken apart without `..`, so that a field that is added does not compile before it is
//! changed here.

use pliant_diag::{FileId, Located, Origin, Span};
use pliant_mesh::{SetId, Units};
use pliant_reduce::LinkRequest;
use pliant_reduce::interface::{Region, RegionShape};
use pliant_reduce::request::{
    BasisKind, BeamElement, BeamPath, BeamSource, Damping, DampingRatio, DeckSegment, DeckSource, Grids,
    GroupProperty, IdentityOf, ImportedSource, InterfaceRequest, Interfaces, IsotropicMaterial, LinkSource,
    MassKind, Matrices, Modes, OverrideValue, PartMesh, RailRequest, RailStations, Rayleigh, ResidualLoad,
    RigidSource, SecondOrderKind, Section, Spider,
};

const STEEL: IsotropicMaterial = IsotropicMaterial { e: 210e9, nu: 0.3, rho: 7850.0 };

fn here() -> Origin {
    Origin(Some(Span::new(FileId(3), 17, 20)))
}

fn at<T>(value: T) -> Located<T> {
    Located { value, source: here() }
}

fn grid(id: u32) -> InterfaceRequest {
    InterfaceRequest::new(Grids::One(id))
}

fn deck() -> DeckSource {
    DeckSource {
        files: vec!["arm.bdf".into()],
        mesh: None,
        overrides: vec![(at("PSHELL.3.T".to_owned()), OverrideValue::Number(4.0))],
        material: Some(STEEL),
        thickness: Some(2.0),
        groups: Vec::new(),
    }
}

fn part_mesh(size: f64, order: u32, refine: &[(&str, f64)]) -> Option<PartMesh> {
    let refine = refine.iter().map(|(name, size)| (at((*name).to_owned()), *size)).collect();
    Some(PartMesh { size, order, refine })
}

fn group(name: &str, thickness: Option<f64>) -> Vec<(Located<String>, GroupProperty)> {
    vec![(at(name.to_owned()), GroupProperty { material: STEEL, thickness })]
}

fn beam() -> BeamSource {
    BeamSource {
        origin: Origin::default(),
        path: BeamPath::Straight(1.0),
        tip_offset: [0.0; 3],
        section: at(Section::Rod { diameter: 0.02 }),
        orientation: [0.0, 1.0, 0.0],
        material: STEEL,
        elements: 10,
        element: BeamElement::Hermite,
    }
}

fn rigid() -> RigidSource {
    RigidSource {
        origin: Origin::default(),
        mass: 1.0,
        centre: [0.0; 3],
        inertia: [0.1; 3],
        products: [0.0; 3],
        interfaces: vec![("tip".to_owned(), [1.0, 0.0, 0.0])],
    }
}

fn imported() -> ImportedSource {
    ImportedSource {
        origin: Origin::default(),
        deck: deck(),
        stiffness: "KAAX".to_owned(),
        mass: "MAAX".to_owned(),
        matrices: Matrices::Dmig,
    }
}

fn request() -> LinkRequest {
    let source = LinkSource::Deck { deck: deck(), segment: None };
    let mut request = LinkRequest::new("arm", source);
    request.interfaces =
        Interfaces { inboard: Some(at(grid(1))), outboard: vec![("tip".to_owned(), at(grid(2)))] };
    request
}

/// All that differ from [`request`] in one value of one field.
fn changed() -> Vec<(String, LinkRequest)> {
    let base = request();
    // A new field has to be named here, and changed below.
    let LinkRequest {
        name: _,
        origin: _,
        source: _,
        units: _,
        interfaces: _,
        rail: _,
        basis: _,
        modes: _,
        residuals: _,
        damping: _,
        mass: _,
        second_order: _,
        accept: _,
    } = base;
    let mut all: Vec<(String, LinkRequest)> = Vec::new();
    let mut add = |what: &str, request: LinkRequest| all.push((format!("{what} {}", all.len()), request));
    let other = |change: &dyn Fn(&mut LinkRequest)| {
        let mut request = base.clone();
        change(&mut request);
        request
    };
    for source in sources() {
        add("source", other(&|request| request.source = source.clone()));
    }
    for units in [Units::MM_T_S, Units { time: 2.0, ..Units::SI }, Units { mass: 2.0, ..Units::SI }] {
        add("units", other(&|request| request.units = units));
    }
    for interfaces in interfaces() {
        add("interfaces", other(&|request| request.interfaces = interfaces.clone()));
    }
    for rail in rails() {
        add("rail", other(&|request| request.rail = Some(rail.clone())));
    }
    for basis in [BasisKind::Cantilever, BasisKind::ClampedClamped, BasisKind::Guyan, BasisKind::FreeFree] {
        add("basis", other(&|request| request.basis = basis));
    }
    let accurate = |error, up_to_hz| Modes::Accurate { error, up_to_hz };
    for modes in [Modes::Count(3), Modes::Count(4), Modes::Below(3.0), accurate(3.0, 1.0), accurate(1.0, 3.0)]
    {
        add("modes", other(&|request| request.modes = Some(modes)));
    }
    let load = |interface: &str, axis| ResidualLoad::Interface { interface: interface.to_owned(), axis };
    let loads = [
        vec![],
        vec![load("tip", 0)],
        vec![load("tip", 1)],
        vec![load("a", 0)],
        vec![ResidualLoad::Gravity(0)],
        vec![ResidualLoad::Deck(SetId(0))],
        vec![ResidualLoad::Gravity(0), ResidualLoad::Deck(SetId(0))],
    ];
    for loads in loads {
        let loads: Vec<_> = loads.into_iter().map(at).collect();
        add("residuals", other(&|request| request.residuals = Some(loads.clone())));
    }
    let Damping { ratio: _, rayleigh: _ } = Damping::default();
    let ratios = [
        DampingRatio::Constant(0.01),
        DampingRatio::PerMode(vec![0.01]),
        DampingRatio::PerMode(vec![0.01, 0.02]),
        DampingRatio::Table(vec![[0.01, 0.02]]),
    ];
    add("damping", other(&|request| request.damping = Some(Damping::default())));
    for ratio in ratios {
        let damping = Damping { ratio: Some(ratio), rayleigh: None };
        add("damping", other(&|request| request.damping = Some(damping.clone())));
    }
    for rayleigh in [Rayleigh { alpha: 1.0, beta: 0.0 }, Rayleigh { alpha: 0.0, beta: 1.0 }] {
        let damping = Damping { ratio: None, rayleigh: Some(rayleigh) };
        add("damping", other(&|request| request.damping = Some(damping.clone())));
    }
    for mass in [MassKind::Coupled, MassKind::Lumped] {
        add("mass", other(&|request| request.mass = mass));
    }
    for second_order in [SecondOrderKind::Off, SecondOrderKind::Chord] {
        add("second_order", other(&|request| request.second_order = second_order));
    }
    all
}

fn sources() -> Vec<LinkSource> {
    let mut all = Vec::new();
    let DeckSource { files: _, mesh: _, overrides: _, material: _, thickness: _, groups: _ } = deck();
    let field = |name: &str, value| vec![(at(name.to_owned()), value)];
    let decks = [
        DeckSource { overrides: vec![], ..deck() },
        DeckSource { overrides: field("PSHELL.4.T", OverrideValue::Number(4.0)), ..deck() },
        DeckSource { overrides: field("PSHELL.3.T", OverrideValue::Number(4.000_000_000_000_001)), ..deck() },
        DeckSource { overrides: field("PSHELL.3.T", OverrideValue::Text("4.0".to_owned())), ..deck() },
        DeckSource { material: None, ..deck() },
        DeckSource { material: Some(IsotropicMaterial { e: 1.0, ..STEEL }), ..deck() },
        DeckSource { material: Some(IsotropicMaterial { nu: 0.2, ..STEEL }), ..deck() },
        DeckSource { material: Some(IsotropicMaterial { rho: 1.0, ..STEEL }), ..deck() },
        DeckSource { groups: group("rib", None), ..deck() },
        DeckSource { groups: group("rib", Some(2.0)), ..deck() },
        DeckSource { groups: group("web", None), ..deck() },
        DeckSource { thickness: None, ..deck() },
        DeckSource { thickness: Some(3.0), ..deck() },
        DeckSource { mesh: part_mesh(8.0, 2, &[]), ..deck() },
        DeckSource { mesh: part_mesh(9.0, 2, &[]), ..deck() },
        DeckSource { mesh: part_mesh(8.0, 1, &[]), ..deck() },
        DeckSource { mesh: part_mesh(8.0, 2, &[("holes", 3.0)]), ..deck() },
        DeckSource { mesh: part_mesh(8.0, 2, &[("H1", 3.0)]), ..deck() },
        DeckSource { mesh: part_mesh(8.0, 2, &[("H1", 2.0)]), ..deck() },
    ];
    all.extend(decks.into_iter().map(|deck| LinkSource::Deck { deck, segment: None }));
    let DeckSegment { cuts: _, number: _ } = DeckSegment { cuts: vec![], number: 1 };
    for (cuts, number) in [(vec![3], 1), (vec![3], 2), (vec![4], 1), (vec![3, 4], 1)] {
        let cuts = cuts.into_iter().map(|id| at(grid(id))).collect();
        all.push(LinkSource::Deck { deck: deck(), segment: Some(DeckSegment { cuts, number }) });
    }
    let BeamSource {
        origin: _,
        path: _,
        tip_offset: _,
        section: _,
        orientation: _,
        material: _,
        elements: _,
        element: _,
    } = beam();
    let values = |area, i1, i2, j, k| Section::Values { area, i1, i2, j, k };
    let sections = [
        Section::Rod { diameter: 0.03 },
        Section::Tube { od: 0.02, t: 0.01 },
        Section::Tube { od: 0.01, t: 0.02 },
        Section::Bar { width: 0.01, height: 0.02 },
        Section::Bar { width: 0.02, height: 0.01 },
        Section::Box { width: 0.1, height: 0.2, t: 0.01 },
        Section::Box { width: 0.2, height: 0.1, t: 0.01 },
        Section::Box { width: 0.2, height: 0.1, t: 0.02 },
        values(1.0, 2.0, 3.0, 4.0, None),
        values(9.0, 2.0, 3.0, 4.0, None),
        values(1.0, 9.0, 3.0, 4.0, None),
        values(1.0, 2.0, 9.0, 4.0, None),
        values(1.0, 2.0, 3.0, 9.0, None),
        values(1.0, 2.0, 3.0, 4.0, Some([0.0, 1.0])),
        values(1.0, 2.0, 3.0, 4.0, Some([1.0, 0.0])),
    ];
    let mut beams = vec![
        beam(),
        BeamSource { path: BeamPath::Straight(2.0), ..beam() },
        BeamSource { path: BeamPath::Kinked(vec![[0.0; 3], [1.0, 0.0, 0.0]]), ..beam() },
        BeamSource { path: BeamPath::Kinked(vec![[0.0; 3], [0.0, 1.0, 0.0]]), ..beam() },
        BeamSource { tip_offset: [0.0, 0.0, 0.1], ..beam() },
        BeamSource { orientation: [0.0, 0.0, 1.0], ..beam() },
        BeamSource { material: IsotropicMaterial { e: 1.0, ..STEEL }, ..beam() },
        BeamSource { elements: 11, ..beam() },
        BeamSource { element: BeamElement::LinearFull, ..beam() },
        BeamSource { element: BeamElement::LinearReduced, ..beam() },
    ];
    beams.extend(sections.map(|section| BeamSource { section: at(section), ..beam() }));
    all.extend(beams.into_iter().map(LinkSource::Beam));
    let RigidSource { origin: _, mass: _, centre: _, inertia: _, products: _, interfaces: _ } = rigid();
    let bodies = [
        rigid(),
        RigidSource { mass: 2.0, ..rigid() },
        RigidSource { centre: [0.1, 0.0, 0.0], ..rigid() },
        RigidSource { inertia: [0.2, 0.1, 0.1], ..rigid() },
        RigidSource { products: [0.01, 0.0, 0.0], ..rigid() },
        RigidSource { interfaces: vec![("end".to_owned(), [1.0, 0.0, 0.0])], ..rigid() },
        RigidSource { interfaces: vec![("tip".to_owned(), [2.0, 0.0, 0.0])], ..rigid() },
    ];
    all.extend(bodies.map(LinkSource::Rigid));
    let ImportedSource { origin: _, deck: _, stiffness: _, mass: _, matrices: _ } = imported();
    let op4 = |rows| Matrices::Op4 { file: "k.op4".into(), rows };
    let imports = [
        imported(),
        ImportedSource { deck: DeckSource { thickness: None, ..deck() }, ..imported() },
        ImportedSource { stiffness: "K".to_owned(), ..imported() },
        ImportedSource { mass: "M".to_owned(), ..imported() },
        ImportedSource { matrices: op4(None), ..imported() },
        ImportedSource { matrices: op4(Some(vec![[1, 1]])), ..imported() },
        ImportedSource { matrices: op4(Some(vec![[1, 2]])), ..imported() },
    ];
    all.extend(imports.map(LinkSource::Imported));
    all
}

fn interfaces() -> Vec<Interfaces> {
    let Interfaces { inboard: _, outboard: _ } = Interfaces::default();
    let InterfaceRequest { grids: _, spider: _, centre: _, axes: _ } = grid(1);
    let of = |request: InterfaceRequest| Interfaces { inboard: Some(at(request)), outboard: vec![] };
    let vector = |x: f64, y: f64, z: f64| nalgebra::Vector3::new(x, y, z);
    let cylinder = |axis, through, radius, along| RegionShape::Cylinder { axis, through, radius, along };
    let plane = |normal, through, radius| RegionShape::Plane { normal, through, radius };
    let sphere = |centre, radius, surface| RegionShape::Sphere { centre, radius, surface };
    let (x, z, o) = (vector(1.0, 0.0, 0.0), vector(0.0, 0.0, 1.0), vector(0.0, 0.0, 0.0));
    let shapes = [
        cylinder(x, o, 1.0, None),
        cylinder(z, o, 1.0, None),
        cylinder(x, z, 1.0, None),
        cylinder(x, o, 1.0, Some([0.0, 1.0])),
        cylinder(x, o, 1.0, Some([0.0, 2.0])),
        plane(x, o, None),
        plane(z, o, None),
        plane(x, z, None),
        plane(x, o, Some(1.0)),
        RegionShape::Box { from: o, to: x + z },
        RegionShape::Box { from: -x, to: z },
        sphere(o, 1.0, false),
        sphere(x, 1.0, false),
        sphere(o, 1.0, true),
    ];
    let mut all = vec![
        Interfaces::default(),
        of(grid(1)),
        of(grid(2)),
        of(InterfaceRequest::new(Grids::Several(vec![1]))),
        of(InterfaceRequest::new(Grids::Several(vec![1, 2]))),
        of(InterfaceRequest::new(Grids::Several(vec![2, 1]))),
        of(InterfaceRequest::new(Grids::Set(1))),
        of(InterfaceRequest::new(Grids::NamedSet("H1".to_owned()))),
        of(InterfaceRequest::new(Grids::Hole("H1".to_owned()))),
        of(InterfaceRequest::new(Grids::Hole("H2".to_owned()))),
        of(InterfaceRequest { spider: Spider::Average, ..grid(1) }),
        of(InterfaceRequest { centre: Some([0.0; 3]), ..grid(1) }),
        of(InterfaceRequest { axes: Some([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]), ..grid(1) }),
    ];
    // The tolerance is a value of its own: the size of a shape enters only where none is given.
    for tolerance in [0.5, 0.25] {
        let region = |shape: &RegionShape| Grids::On(Region::new(shape.clone(), Some(tolerance)));
        all.extend(shapes.iter().map(|shape| of(InterfaceRequest::new(region(shape)))));
    }
    for names in [vec!["tip"], vec!["end"], vec!["tip", "end"], vec!["end", "tip"]] {
        // One grid fewer than the base has, so that no list is that of the base.
        let outboard = names.into_iter().map(|name| (name.to_owned(), at(grid(7)))).collect();
        all.push(Interfaces { inboard: Some(at(grid(1))), outboard });
    }
    all
}

fn rails() -> Vec<RailRequest> {
    let base =
        RailRequest { origin: here(), stations: RailStations::Beam, radius: None, from: None, to: None };
    let RailRequest { origin: _, stations: _, radius: _, from: _, to: _ } = base.clone();
    let line = |x: f64, count| RailStations::Line { ends: [[0.0; 3], [x, 0.0, 0.0]], count };
    let stations = [
        RailStations::Grids(vec![1, 2, 3, 4]),
        RailStations::Grids(vec![1, 2, 3, 5]),
        line(1.0, 4),
        line(2.0, 4),
        line(1.0, 5),
    ];
    let mut all: Vec<_> =
        stations.into_iter().map(|stations| RailRequest { stations, ..base.clone() }).collect();
    all.extend([
        base.clone(),
        RailRequest { radius: Some(1.0), ..base.clone() },
        RailRequest { from: Some(1.0), ..base.clone() },
        RailRequest { to: Some(1.0), ..base.clone() },
    ]);
    all
}

#[test]
fn whatever_is_asked_for_is_in_the_identity() {
    for of in [IdentityOf::ReducedLink, IdentityOf::Request] {
        let mut seen = vec![("the base".to_owned(), request().identity(of))];
        for (what, request) in changed() {
            let identity = request.identity(of);
            let same = seen.iter().find(|(_, other)| *other == identity);
            assert!(same.is_none(), "{of:?}: {what} and {} are the same: {request:#?}", same.unwrap().0);
            seen.push((what, identity));
        }
        assert!(seen.len() > 120, "{}", seen.len());
    }
}

/// Names, locations, paths and accepted checks do not change a link; the last two change what a caller gets.
#[test]
fn nothing_else_is_in_it() {
    let base = request();
    let files = |paths: &[&str]| {
        let deck = DeckSource { files: paths.iter().map(|path| (*path).into()).collect(), ..deck() };
        LinkRequest { source: LinkSource::Deck { deck, segment: None }, ..request() }
    };
    let named = LinkRequest { name: "forearm".to_owned(), origin: here(), ..request() };
    let moved = files(&["elsewhere/arm.bdf"]);
    let accepting = LinkRequest { accept: vec!["mass".to_owned()], ..request() };
    for other in [&named, &moved, &accepting] {
        assert_eq!(other.identity(IdentityOf::ReducedLink), base.identity(IdentityOf::ReducedLink));
    }
    assert_eq!(named.identity(IdentityOf::Request), base.identity(IdentityOf::Request));
    for other in [&moved, &accepting, &files(&["arm.bdf", "more.bdf"])] {
        assert_ne!(other.identity(IdentityOf::Request), base.identity(IdentityOf::Request));
    }
    let mut located = request();
    located.interfaces.inboard.as_mut().unwrap().source = Origin::default();
    assert_eq!(located.identity(IdentityOf::Request), base.identity(IdentityOf::Request));
}

/// The bytes themselves: a change of the encoding has to raise `REQUEST_VERSION`, or old entries are found
/// under new requests.
#[test]
fn the_encoding_is_what_its_version_says() {
    let body = RigidSource { interfaces: vec![], ..rigid() };
    let identity = LinkRequest::new("a", LinkSource::Rigid(body)).identity(IdentityOf::Request);
    let text = |text: &str| [&b"s"[..], &(text.len() as u64).to_le_bytes(), text.as_bytes()].concat();
    let mut expected = [&b"u"[..], &2_u64.to_le_bytes()].concat();
    expected.extend([text("source"), b"e".to_vec(), text("Rigid"), text("rigid"), text("mass")].concat());
    expected.extend([&b"f"[..], &1.0_f64.to_le_bytes()].concat());
    expected.extend([&text("centre")[..], b"l", &3_u64.to_le_bytes()].concat());
    assert_eq!(identity[..expected.len()], expected);
    assert_eq!(pliant_reduce::request::REQUEST_VERSION, 2);
}
