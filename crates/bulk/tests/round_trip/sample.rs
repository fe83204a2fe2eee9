//! A mesh with at least one of everything the writer can write, its numbers drawn from a pool.

use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};
use pliant_bulk::section::{SECTIONS, SectionNumbers};
use pliant_mesh::element::*;
use pliant_mesh::property::*;
use pliant_mesh::*;

/// Numbers handed out in turn, from the start again when they run out.
pub(crate) struct Pool {
    reals: Vec<f64>,
    bits: Vec<bool>,
    next: usize,
}

impl Pool {
    pub(crate) fn new(reals: Vec<f64>, bits: Vec<bool>) -> Self {
        Self { reals, bits, next: 0 }
    }

    pub(crate) fn real(&mut self) -> f64 {
        self.next += 1;
        self.reals[self.next % self.reals.len()]
    }

    /// Above 0.
    fn positive(&mut self) -> f64 {
        let value = self.real().abs();
        if value == 0.0 { 1.25 } else { value }
    }

    fn bit(&mut self) -> bool {
        self.next += 1;
        self.bits[self.next % self.bits.len()]
    }

    fn maybe(&mut self) -> Option<f64> {
        let value = self.real();
        self.bit().then_some(value)
    }

    fn vector(&mut self) -> Vector3<f64> {
        Vector3::new(self.real(), self.real(), self.real())
    }

    fn points(&mut self) -> [[f64; 2]; 4] {
        [(); 4].map(|()| [self.real(), self.real()])
    }
}

/// Corners and mid-sides of a unit CHEXA in the order of its card.
const HEXA20: [[f64; 3]; 20] = [
    [0., 0., 0.],
    [1., 0., 0.],
    [1., 1., 0.],
    [0., 1., 0.],
    [0., 0., 1.],
    [1., 0., 1.],
    [1., 1., 1.],
    [0., 1., 1.],
    [0.5, 0., 0.],
    [1., 0.5, 0.],
    [0.5, 1., 0.],
    [0., 0.5, 0.],
    [0., 0., 0.5],
    [1., 0., 0.5],
    [1., 1., 0.5],
    [0., 1., 0.5],
    [0.5, 0., 1.],
    [1., 0.5, 1.],
    [0.5, 1., 1.],
    [0., 0.5, 1.],
];

/// A mesh of one grid.
pub(crate) fn one_grid(position: [f64; 3]) -> LinkMesh {
    let node = Node {
        id: GridId(7),
        kind: NodeKind::Grid,
        position: position.into(),
        displacement_frame: CoordIndex::BASIC,
        permanent_spc: Components::NONE,
        source: Default::default(),
    };
    LinkMesh { units: Units::MM_T_S, nodes: vec![node], ..LinkMesh::default() }
}

/// The mesh. All ids are moved up by `offset`, so that they take one to seven digits.
pub(crate) fn mesh(p: &mut Pool, offset: u32) -> LinkMesh {
    let mut sample =
        Sample { p, offset, mesh: LinkMesh { units: Units::MM_T_S, ..LinkMesh::default() }, ids: 0 };
    sample.control();
    sample.points();
    sample.materials();
    sample.properties();
    sample.line_elements();
    sample.surfaces_and_solids();
    sample.scalar_elements();
    sample.rigids();
    sample.constraints();
    sample.loads();
    sample.mesh
}

struct Sample<'a> {
    p: &'a mut Pool,
    offset: u32,
    mesh: LinkMesh,
    ids: u32,
}

fn components(digits: &str) -> Components {
    digits.chars().filter_map(|c| c.to_digit(10).and_then(Component::from_digit)).collect()
}

fn n(row: usize) -> NodeIndex {
    NodeIndex::from(row)
}

/// Row of the scalar points among the nodes.
const SCALAR: [usize; 2] = [20, 21];

impl Sample<'_> {
    fn id(&mut self) -> u32 {
        self.ids += 1;
        self.offset + self.ids
    }

    fn control(&mut self) {
        self.mesh.case_control = CaseControl {
            solution: Some(105),
            title: "round trip".to_owned(),
            subcases: vec![Subcase {
                id: 3,
                label: "the only one".to_owned(),
                spc: Some(SetId(1)),
                mpc: Some(SetId(2)),
                load: Some(SetId(3)),
                method: Some(SetId(4)),
                nsm: Some(SetId(5)),
                temperature: Some(SetId(6)),
                static_subcase: Some(3),
                unavailable: vec![UnavailableSelection {
                    command: "DEFORM".to_owned(),
                    set: SetId(7),
                    source: Default::default(),
                }],
                source: Default::default(),
            }],
            combinations: vec![SubcaseCombination {
                id: 4,
                label: "twice".to_owned(),
                terms: vec![(3, 2.0)],
                source: Default::default(),
            }],
            direct: DirectSelection {
                stiffness: vec![(1.25, "KAAX".to_owned())],
                mass: vec![(0.5, "KAAX".to_owned()), (-2.0, "KAAX".to_owned())],
                ..DirectSelection::default()
            },
        };
        let values = [
            ("WTMASS", ParameterValue::Real(self.p.positive())),
            ("COUPMASS", ParameterValue::Integer(1)),
            ("AUTOSPC", ParameterValue::Text("YES".to_owned())),
            ("CB2", ParameterValue::Complex(self.p.real(), self.p.real())),
        ];
        for (name, value) in values {
            let parameter = Parameter { name: name.to_owned(), value, source: Default::default() };
            self.mesh.parameters.insert(name.to_owned(), parameter);
        }
    }

    fn points(&mut self) {
        let turns = [
            Matrix3::new(0., 1., 0., 0., 0., 1., 1., 0., 0.),
            Matrix3::new(0., 0., 1., 1., 0., 0., 0., 1., 0.),
            Matrix3::new(0., -1., 0., 1., 0., 0., 0., 0., 1.),
        ];
        let kinds = [CoordinateKind::Rectangular, CoordinateKind::Cylindrical, CoordinateKind::Spherical];
        for (k, axes) in turns.into_iter().enumerate() {
            let id = CoordId(self.id());
            let origin = Vector3::new(12.5, -3.25, 0.125 * (k as f64 + 1.0));
            self.mesh.coordinates.push(CoordinateSystem {
                id,
                kind: kinds[k],
                origin,
                axes,
                source: Default::default(),
            });
        }
        let size = self.p.positive();
        for (k, x) in HEXA20.into_iter().enumerate() {
            let fixed = self.p.bit();
            let id = GridId(self.id());
            self.mesh.nodes.push(Node {
                id,
                kind: NodeKind::Grid,
                position: Vector3::from(x) * size,
                displacement_frame: CoordIndex(k as u32 % 4),
                permanent_spc: if fixed { components("246") } else { Components::NONE },
                source: Default::default(),
            });
        }
        for _ in SCALAR {
            let id = GridId(self.id());
            self.mesh.nodes.push(Node {
                id,
                kind: NodeKind::Scalar,
                position: Vector3::zeros(),
                displacement_frame: CoordIndex::BASIC,
                permanent_spc: Components::NONE,
                source: Default::default(),
            });
        }
    }

    fn material(&mut self, law: MaterialLaw) {
        let is_plain = matches!(law, MaterialLaw::Isotropic { .. } | MaterialLaw::Anisotropic2d { .. });
        let allowables = [self.p.maybe(), self.p.maybe(), self.p.maybe()];
        let material = Material {
            id: MaterialId(self.id()),
            density: self.p.real(),
            reference_temperature: self.p.real(),
            structural_damping: self.p.real(),
            allowables: if is_plain { allowables } else { [None; 3] },
            stress_frame: is_plain.then_some(CoordIndex(1)),
            law,
            source: Default::default(),
        };
        self.mesh.materials.push(material);
    }

    fn materials(&mut self) {
        let law = MaterialLaw::Isotropic {
            youngs_modulus: self.p.positive(),
            shear_modulus: self.p.positive(),
            poisson_ratio: 0.3,
            thermal_expansion: self.p.real(),
        };
        self.material(law);
        let g = [(); 6].map(|()| self.p.real());
        let stiffness = Matrix3::new(g[0], g[1], g[2], g[1], g[3], g[4], g[2], g[4], g[5]);
        let thermal_expansion = self.p.vector();
        self.material(MaterialLaw::Anisotropic2d { stiffness, thermal_expansion });
        let (xt, yt) = (self.p.real(), self.p.real());
        let law = MaterialLaw::Orthotropic2d {
            e1: self.p.real(),
            e2: self.p.real(),
            nu12: self.p.real(),
            g12: self.p.real(),
            g1z: Some(self.p.positive()),
            g2z: None,
            thermal_expansion: [self.p.real(), self.p.real()],
            strengths: [Some(xt), Some(self.p.real()), Some(yt), Some(self.p.real()), None],
        };
        self.material(law);
        let mut stiffness = Matrix6::zeros();
        for i in 0..6 {
            for j in 0..=i {
                stiffness[(i, j)] = self.p.real();
                stiffness[(j, i)] = stiffness[(i, j)];
            }
        }
        let thermal_expansion = Vector6::from_fn(|_, _| self.p.real());
        self.material(MaterialLaw::Anisotropic3d { stiffness: Box::new(stiffness), thermal_expansion });
    }

    fn property(&mut self, kind: PropertyKind) -> PropertyIndex {
        let id = PropertyId(self.id());
        self.mesh.properties.push(Property { id, kind, source: Default::default() });
        PropertyIndex::from(self.mesh.properties.len() - 1)
    }

    /// The first property of a kind.
    fn find(&self, fits: fn(&PropertyKind) -> bool) -> PropertyIndex {
        self.mesh
            .properties
            .iter()
            .position(|p| fits(&p.kind))
            .map(PropertyIndex::from)
            .expect("one was made")
    }

    fn properties(&mut self) {
        let (iso, ortho, solid) = (MaterialIndex(0), MaterialIndex(2), MaterialIndex(3));
        let rod = self.rod_numbers();
        self.property(PropertyKind::Rod(iso, rod));
        let tube = TubeProperty { outer_diameter: [2.5, 2.25], thickness: 0.375, nsm: self.p.real() };
        self.property(PropertyKind::Tube(iso, tube));
        self.bar_properties(iso);
        self.beam_properties(iso);
        let shell = ShellProperty {
            membrane: Some(iso),
            thickness: Some(self.p.positive()),
            bending: Some(iso),
            plane_strain: false,
            bending_ratio: self.p.real(),
            shear: Some(iso),
            shear_ratio: self.p.real(),
            nsm: self.p.real(),
            fibre_distances: [self.p.maybe(), self.p.maybe()],
            coupling: Some(MaterialIndex(1)),
        };
        self.property(PropertyKind::Shell(Box::new(shell.clone())));
        let strain =
            ShellProperty { bending: None, plane_strain: true, shear: None, coupling: None, ..shell.clone() };
        self.property(PropertyKind::Shell(Box::new(strain)));
        let thin = ShellProperty { bending: None, shear: None, coupling: None, thickness: None, ..shell };
        self.property(PropertyKind::Shell(Box::new(thin)));
        self.laminates(iso, ortho);
        let shear = ShearProperty {
            thickness: self.p.positive(),
            nsm: self.p.real(),
            f1: self.p.real(),
            f2: self.p.real(),
        };
        self.property(PropertyKind::Shear(iso, shear));
        for (frame, points, scheme, integration) in [
            (Some(CoordIndex::BASIC), "", "", SolidIntegration::Default),
            (None, "2", "FULL", SolidIntegration::Full),
            (Some(CoordIndex(2)), "THREE", "", SolidIntegration::Reduced),
        ] {
            let card_fields = [points, "", scheme, "SMECH"].map(str::to_owned);
            let property = SolidProperty { material_frame: frame, integration, card_fields };
            self.property(PropertyKind::Solid(solid, property));
        }
        let spring = SpringProperty {
            stiffness: self.p.real(),
            structural_damping: self.p.real(),
            stress_coefficient: self.p.real(),
        };
        self.property(PropertyKind::Spring(spring));
        let bush = BushProperty {
            stiffness: [(); 6].map(|()| self.p.real()),
            damping: [(); 6].map(|()| self.p.real()),
            structural_damping: [(); 6].map(|()| self.p.real()),
            stress_coefficients: [(); 4].map(|()| self.p.real()),
            mass: self.p.real(),
        };
        self.property(PropertyKind::Bush(Box::new(bush)));
        let mass = MassProperty { mass: self.p.real() };
        self.property(PropertyKind::Mass(mass));
        let damper = DamperProperty { damping: self.p.real() };
        self.property(PropertyKind::Damper(damper));
        let viscous = ViscousProperty { axial: self.p.real(), torsional: self.p.real() };
        self.property(PropertyKind::Viscous(viscous));
    }

    fn rod_numbers(&mut self) -> RodProperty {
        RodProperty {
            area: self.p.real(),
            torsion_constant: self.p.real(),
            stress_coefficient: self.p.real(),
            nsm: self.p.real(),
        }
    }

    fn bar_properties(&mut self, iso: MaterialIndex) {
        let bar = BarProperty {
            area: self.p.real(),
            i1: self.p.positive(),
            i2: self.p.positive(),
            i12: 0.0,
            torsion_constant: self.p.real(),
            nsm: self.p.real(),
            k1: Some(self.p.positive()),
            k2: None,
            stress_points: self.p.points(),
            section: None,
        };
        self.property(PropertyKind::Bar(iso, Box::new(bar.clone())));
        let skew = BarProperty { i1: 2.5, i2: 1.5, i12: -0.75, k1: None, ..bar };
        self.property(PropertyKind::Bar(iso, Box::new(skew)));
        for section in SECTIONS.iter().filter(|s| !s.beam_only) {
            let dimensions = dimensions(section.name, 1.0);
            let numbers = section.numbers(&dimensions).expect("a section");
            let bar = BarProperty {
                area: numbers.area,
                i1: numbers.i1,
                i2: numbers.i2,
                i12: numbers.i12,
                torsion_constant: numbers.torsion_constant,
                nsm: self.p.real(),
                k1: Some(numbers.k1),
                k2: Some(numbers.k2),
                stress_points: numbers.stress_points,
                section: Some(Section { name: section.name.to_owned(), dimensions }),
            };
            self.property(PropertyKind::Bar(iso, Box::new(bar)));
        }
    }

    fn beam_properties(&mut self, iso: MaterialIndex) {
        let points = self.p.points();
        let mut station = |position: f64, output: bool| BeamStation {
            position,
            stress_output: output,
            area: self.p.positive(),
            i1: self.p.positive(),
            i2: self.p.positive(),
            i12: self.p.real(),
            torsion_constant: self.p.real(),
            nsm: self.p.real(),
            stress_points: if output { self.p.points() } else { points },
            dimensions: Vec::new(),
        };
        let mut stations =
            vec![station(0.0, true), station(0.375, false), station(0.5, true), station(1.0, true)];
        stations[0].stress_points = points;
        let beam = BeamProperty {
            stations,
            k1: Some(self.p.positive()),
            k2: None,
            shear_relief: [self.p.real(), self.p.real()],
            nsi: [self.p.real(), self.p.real()],
            warping: [self.p.real(), self.p.real()],
            nsm_offset: [[self.p.real(), self.p.real()], [self.p.real(), self.p.real()]],
            neutral_axis: [[self.p.real(), self.p.real()], [self.p.real(), self.p.real()]],
            section: None,
        };
        self.property(PropertyKind::Beam(iso, Box::new(beam)));
        for section in SECTIONS {
            let at = |position: f64| dimensions(section.name, 1.0 + position);
            let numbers = |position: f64| section.numbers(&at(position)).expect("a section");
            let mut station = |position: f64, output: bool| {
                library_station(position, output, &numbers(position), self.p.real(), at(position))
            };
            let stations = vec![station(0.0, true), station(0.5, false), station(1.0, true)];
            let (a, b) = (numbers(0.0), numbers(1.0));
            let beam = BeamProperty {
                stations,
                k1: Some(a.k1),
                k2: Some(a.k2),
                shear_relief: [0.0; 2],
                nsi: [0.0; 2],
                warping: [0.0; 2],
                nsm_offset: [[0.0; 2]; 2],
                neutral_axis: [a.neutral_axis, b.neutral_axis],
                section: Some(Section { name: section.name.to_owned(), dimensions: at(0.0) }),
            };
            self.property(PropertyKind::Beam(iso, Box::new(beam)));
        }
    }

    fn laminates(&mut self, iso: MaterialIndex, ortho: MaterialIndex) {
        for (global_plies, kind) in [(false, LaminateKind::Symmetric), (true, LaminateKind::General)] {
            let plies = [iso, ortho, ortho].into_iter().enumerate().map(|(k, material)| Ply {
                id: global_plies.then_some(11 + k as u32),
                material,
                thickness: self.p.positive(),
                angle: self.p.real(),
                stress_output: self.p.bit(),
            });
            let plies = plies.collect();
            let laminate = LaminateProperty {
                global_plies,
                bottom: self.p.maybe(),
                nsm: self.p.real(),
                shear_allowable: self.p.maybe(),
                failure_theory: "HILL".to_owned(),
                reference_temperature: self.p.real(),
                structural_damping: self.p.real(),
                kind,
                plies,
            };
            self.property(PropertyKind::Laminate(Box::new(laminate)));
        }
    }

    fn line_elements(&mut self) {
        let nodes = [n(0), n(6)];
        for property in [
            self.find(|k| matches!(k, PropertyKind::Rod(..))),
            self.find(|k| matches!(k, PropertyKind::Tube(..))),
        ] {
            let id = ElementId(self.id());
            let section = RodSection::Property(property);
            self.mesh.rods.push(Rod { id, nodes, section, source: Default::default() });
        }
        let section = RodSection::Own(MaterialIndex(0), self.rod_numbers());
        let id = ElementId(self.id());
        self.mesh.rods.push(Rod { id, nodes, section, source: Default::default() });
        let bar = self.find(|k| matches!(k, PropertyKind::Bar(..)));
        let beam = self.find(|k| matches!(k, PropertyKind::Beam(..)));
        for (kind, property, start) in
            [(BarKind::Bar, bar, 0), (BarKind::Bar, bar, 1), (BarKind::Beam, beam, 4)]
        {
            let vector = Vector3::new(0.25, 1.5, -3.0);
            let orientation =
                if start == 0 { BarOrientation::Node(n(3)) } else { BarOrientation::Vector(vector) };
            let bar = Bar {
                id: ElementId(self.id()),
                kind,
                property,
                nodes: [n(start), n(5)],
                orientation,
                pins: [components("45"), Components::NONE],
                // Upward, as the bar is: another sign might cancel its length.
                offsets: [Vector3::zeros(), Vector3::new(0.0, 0.0, self.p.positive())],
                warping_points: if kind == BarKind::Beam { [Some(n(SCALAR[0])), None] } else { [None; 2] },
                source: Default::default(),
            };
            self.mesh.bars.push(bar);
        }
        let property = self.find(|k| matches!(k, PropertyKind::Bush(_)));
        let point = BushLocation::Point(self.p.vector());
        let fraction = BushLocation::Fraction(0.25);
        for (end, orientation, location) in [
            (None, BushOrientation::Frame(CoordIndex::BASIC), fraction.clone()),
            (Some(n(6)), BushOrientation::Frame(CoordIndex(2)), point),
            (Some(n(6)), BushOrientation::Vector(Vector3::new(0.0, 2.0, 1.0)), fraction.clone()),
            (Some(n(6)), BushOrientation::Node(n(1)), fraction.clone()),
            (Some(n(6)), BushOrientation::Axial, fraction),
        ] {
            let id = ElementId(self.id());
            let bush =
                Bush { id, property, nodes: (n(0), end), orientation, location, source: Default::default() };
            self.mesh.bushes.push(bush);
        }
        let id = ElementId(self.id());
        let property = self.find(|k| matches!(k, PropertyKind::Viscous(_)));
        self.mesh.viscous_rods.push(ViscousRod { id, property, nodes, source: Default::default() });
        let id = ElementId(self.id());
        self.mesh.plot_elements.push(PlotElement { id, nodes, source: Default::default() });
    }

    fn surfaces_and_solids(&mut self) {
        let shell = self.find(|k| matches!(k, PropertyKind::Shell(_)));
        let laminate = self.find(|k| matches!(k, PropertyKind::Laminate(_)));
        let directions = [
            MaterialDirection::Angle(0.0),
            MaterialDirection::Angle(30.5),
            MaterialDirection::Frame(CoordIndex(1)),
        ];
        let shapes: [(ShellShape, &[usize]); 7] = [
            (ShellShape::Quad4, &[0, 1, 2, 3]),
            (ShellShape::QuadR, &[4, 5, 6, 7]),
            (ShellShape::Tria3, &[0, 1, 2]),
            (ShellShape::TriaR, &[4, 5, 6]),
            (ShellShape::Quad8, &[0, 1, 2, 3, 8, 9, 10, 11]),
            (ShellShape::Tria6, &[0, 1, 2, 8, 9, 99]),
            (ShellShape::Quad4, &[0, 1, 5, 4]),
        ];
        for (k, (shape, rows)) in shapes.into_iter().enumerate() {
            let mut thickness = [None; 4];
            for t in thickness.iter_mut().take(shape.corner_count()) {
                *t = self.p.maybe().map(f64::abs);
            }
            let shell = Shell {
                id: ElementId(self.id()),
                shape,
                property: if k == 6 { laminate } else { shell },
                first_node: self.mesh.shell_nodes.len() as u32,
                material_direction: directions[k % 3],
                offset: self.p.maybe(),
                corner_thickness: if k == 6 { [None; 4] } else { thickness },
                source: Default::default(),
            };
            self.mesh.shells.push(shell);
            self.mesh
                .shell_nodes
                .extend(rows.iter().map(|row| if *row == 99 { NodeIndex::NONE } else { n(*row) }));
        }
        let property = self.find(|k| matches!(k, PropertyKind::Shear(..)));
        let id = ElementId(self.id());
        let nodes = [n(0), n(1), n(2), n(3)];
        self.mesh.shear_panels.push(ShearPanel { id, property, nodes, source: Default::default() });
        let property = self.find(|k| matches!(k, PropertyKind::Solid(..)));
        let shapes: [(SolidShape, &[usize]); 8] = [
            (SolidShape::Tetra4, &[0, 1, 3, 4]),
            (SolidShape::Tetra10, &[0, 1, 3, 4, 8, 99, 11, 12, 9, 99]),
            (SolidShape::Pyramid5, &[0, 1, 2, 3, 4]),
            (SolidShape::Pyramid13, &[0, 1, 2, 3, 4, 8, 9, 10, 11, 12, 99, 99, 13]),
            (SolidShape::Penta6, &[0, 1, 3, 4, 5, 7]),
            (SolidShape::Penta15, &[0, 1, 3, 4, 5, 7, 8, 9, 11, 12, 13, 15, 16, 17, 19]),
            (SolidShape::Hexa8, &[0, 1, 2, 3, 4, 5, 6, 7]),
            (SolidShape::Hexa20, &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 99, 11, 12, 13, 14, 15, 16, 17, 18, 99]),
        ];
        for (shape, rows) in shapes {
            let first_node = self.mesh.solid_nodes.len() as u32;
            let id = ElementId(self.id());
            self.mesh.solids.push(Solid { id, shape, property, first_node, source: Default::default() });
            self.mesh
                .solid_nodes
                .extend(rows.iter().map(|row| if *row == 99 { NodeIndex::NONE } else { n(*row) }));
        }
    }

    fn scalar_elements(&mut self) {
        let dof = |row: usize, digit: u32| {
            ScalarConnection::Dof(n(row), Component::from_digit(digit).expect("a component"))
        };
        let ends = [[dof(0, 3), dof(1, 6)], [dof(SCALAR[0], 1), ScalarConnection::Ground]];
        for between in ends {
            for own in [false, true] {
                let value = |property| {
                    if own { ScalarValue::Own(2.5) } else { ScalarValue::Property(property) }
                };
                let grids = between == ends[0];
                let spring = ScalarSpring {
                    id: ElementId(self.id()),
                    stiffness: value(self.find(|k| matches!(k, PropertyKind::Spring(_)))),
                    structural_damping: if own && grids { self.p.real() } else { 0.0 },
                    stress_coefficient: if own && grids { self.p.real() } else { 0.0 },
                    ends: between,
                    source: Default::default(),
                };
                self.mesh.springs.push(spring);
                let mass = value(self.find(|k| matches!(k, PropertyKind::Mass(_))));
                let id = ElementId(self.id());
                self.mesh.scalar_masses.push(ScalarMass {
                    id,
                    mass,
                    ends: between,
                    source: Default::default(),
                });
                let damping = value(self.find(|k| matches!(k, PropertyKind::Damper(_))));
                let id = ElementId(self.id());
                self.mesh.dampers.push(ScalarDamper {
                    id,
                    damping,
                    ends: between,
                    source: Default::default(),
                });
            }
        }
        let i = [(); 6].map(|()| self.p.real());
        let inertia = Matrix3::new(i[0], i[1], i[2], i[1], i[3], i[4], i[2], i[4], i[5]);
        let body = PointMassKind::Body { mass: self.p.real(), offset: self.p.vector(), inertia };
        let mut matrix = Matrix6::zeros();
        for i in 0..6 {
            for j in 0..=i {
                matrix[(i, j)] = self.p.real();
                matrix[(j, i)] = matrix[(i, j)];
            }
        }
        for kind in [body, PointMassKind::Matrix(Box::new(matrix))] {
            let id = ElementId(self.id());
            self.mesh.point_masses.push(PointMass { id, node: n(2), kind, source: Default::default() });
        }
    }

    fn rigids(&mut self) {
        let all = Components::ALL;
        let group = |weight, rows: std::ops::Range<usize>| WeightGroup {
            weight,
            components: components("123"),
            nodes: rows.map(n).collect(),
        };
        let groups = vec![group(self.p.real(), 1..6), group(self.p.real(), 6..8)];
        let pairs =
            |rows: std::ops::Range<usize>| rows.map(|row| (n(row), components("1"))).collect::<Vec<_>>();
        let kinds = [
            RigidKind::Rbe2 { independent: n(0), components: all, dependents: (1..15).map(n).collect() },
            RigidKind::Rbe1 { independents: pairs(0..6), dependents: pairs(6..13) },
            RigidKind::Rbe3 {
                reference: n(0),
                components: all,
                groups: groups.clone(),
                dependents: Vec::new(),
            },
            RigidKind::Rbe3 { reference: n(0), components: all, groups, dependents: pairs(1..8) },
            RigidKind::Rbar {
                nodes: [n(0), n(1)],
                independents: [components("123"), components("456")],
                dependents: [components("456"), Components::NONE],
            },
            RigidKind::Rrod { nodes: [n(0), n(1)], dependents: [components("2"), Components::NONE] },
        ];
        for kind in kinds {
            let id = ElementId(self.id());
            self.mesh.rigids.push(Rigid { id, kind, source: Default::default() });
        }
    }

    fn constraints(&mut self) {
        for (row, digits) in [(0, "123"), (3, "6"), (SCALAR[1], "1")] {
            let spc = Spc {
                set: SetId(1),
                node: n(row),
                components: components(digits),
                value: self.p.real(),
                source: Default::default(),
            };
            self.mesh.spcs.push(spc);
        }
        let terms = (0..5).map(|row| MpcTerm {
            node: n(row),
            component: Component::from_row(row),
            coefficient: self.p.positive(),
        });
        self.mesh.mpcs.push(Mpc { set: SetId(2), terms: terms.collect(), source: Default::default() });
        let combination = |set: u32, count: u32| SetCombination {
            set: SetId(set),
            members: (1..=count).map(SetId).collect(),
            source: Default::default(),
        };
        self.mesh.spc_combinations.push(combination(31, 3));
        self.mesh.mpc_combinations.push(combination(32, 12));
        self.mesh.nsm_combinations.push(combination(33, 2));
        let pairs = |first: usize| vec![(n(first), components("135")), (n(first + 1), components("2"))];
        self.mesh.dof_sets = DofSets {
            a: pairs(0),
            b: pairs(1),
            c: pairs(2),
            q: vec![(n(SCALAR[0]), components("1"))],
            omit: pairs(4),
            support: pairs(5),
            external: [pairs(6), vec![(n(SCALAR[0]), components("1"))], pairs(3)].concat(),
        };
        let elements =
            vec![ElementRef::Rod(0), ElementRef::Bar(1), ElementRef::Shell(0), ElementRef::ShearPanel(0)];
        for distributed in [true, false] {
            let mass = NonStructuralMass {
                set: SetId(5),
                distributed,
                value: self.p.real(),
                elements: elements.clone(),
                source: Default::default(),
            };
            self.mesh.nonstructural_masses.push(mass);
        }
        for (method, normalisation) in [("", Normalisation::Mass), ("LAN", Normalisation::Max)] {
            let method = EigenMethod {
                set: SetId(if method.is_empty() { 4 } else { 44 }),
                above_hz: self.p.maybe(),
                below_hz: self.p.maybe(),
                count: Some(12),
                normalisation,
                method: method.to_owned(),
                source: Default::default(),
            };
            self.mesh.eigen_methods.push(method);
        }
        let members = vec![1, 5, 6, 1000];
        self.mesh.sets.push(NamedSet { id: SetId(8), members, source: Default::default() });
        self.matrices();
    }

    fn matrices(&mut self) {
        for (name, form) in [("KAAX", DirectMatrixForm::Symmetric), ("PAX", DirectMatrixForm::Rectangular)] {
            let rectangular = form == DirectMatrixForm::Rectangular;
            let mut terms = Vec::new();
            for column in 0..3 {
                for row in column..4 {
                    let grid = self.mesh.nodes[column].id;
                    let plain = (GridId(column as u32 + 1), Component::from_row(0));
                    terms.push(DirectMatrixTerm {
                        column: if rectangular { plain } else { (grid, Component::from_row(column)) },
                        row: (self.mesh.nodes[row].id, Component::from_row(row)),
                        value: self.p.real(),
                    });
                }
            }
            let columns = rectangular.then_some(3);
            let matrix =
                DirectMatrix { name: name.to_owned(), form, columns, terms, source: Default::default() };
            self.mesh.direct_matrices.push(matrix);
        }
    }

    fn loads(&mut self) {
        let pressures = [(); 4].map(|()| self.p.real());
        let hexa = ElementRef::Solid(6);
        let pressure = |element, face, direction| LoadKind::Pressure { element, pressures, face, direction };
        let along_y = Some(Vector3::y());
        let kinds = vec![
            LoadKind::Force { node: n(1), force: self.p.vector() },
            LoadKind::Moment { node: n(2), moment: self.p.vector() },
            LoadKind::Scalar { node: n(SCALAR[0]), force: self.p.real() },
            LoadKind::Bar(BarLoad {
                element: ElementRef::Bar(0),
                load_type: BarLoadType { moment: true, axis: 1, element_axes: true },
                scale: BarLoadScale::FractionProjected,
                x1: 0.25,
                p1: self.p.real(),
                x2: 0.75,
                p2: self.p.real(),
            }),
            pressure(ElementRef::Shell(0), PressureFace::Shell, None),
            pressure(hexa, PressureFace::Diagonal(n(0), n(2)), along_y),
            pressure(ElementRef::Solid(0), PressureFace::Corner(n(0), Some(n(4))), None),
            pressure(ElementRef::Solid(4), PressureFace::Corner(n(0), None), None),
            LoadKind::PressureOnGrids { pressure: self.p.real(), nodes: [n(0), n(1), n(2), NodeIndex::NONE] },
            LoadKind::Gravity { acceleration: self.p.vector() },
            LoadKind::EnforcedDisplacement { node: n(0), components: components("12"), value: self.p.real() },
            LoadKind::Temperature { node: n(3), value: self.p.real() },
            LoadKind::DefaultTemperature { value: self.p.real() },
            LoadKind::BarTemperature(BarTemperature {
                element: ElementRef::Bar(0),
                mean: [(); 2].map(|()| self.p.real()),
                gradients: [[(); 2]; 2].map(|end| end.map(|()| self.p.real())),
            }),
        ];
        for kind in kinds {
            self.mesh.loads.push(Load { set: SetId(3), kind, source: Default::default() });
        }
        let terms = (1..=5).map(|set| (self.p.real(), SetId(set))).collect();
        let scale = self.p.real();
        let source = Default::default();
        self.mesh.load_combinations.push(LoadCombination { set: SetId(34), scale, terms, source });
    }
}

fn library_station(
    position: f64,
    stress_output: bool,
    numbers: &SectionNumbers,
    nsm: f64,
    dimensions: Vec<f64>,
) -> BeamStation {
    BeamStation {
        position,
        stress_output,
        area: numbers.area,
        i1: numbers.i1,
        i2: numbers.i2,
        i12: numbers.i12,
        torsion_constant: numbers.torsion_constant,
        nsm,
        stress_points: numbers.beam_stress_points(),
        dimensions,
    }
}

/// Dimensions that make a section of a type, scaled.
fn dimensions(name: &str, scale: f64) -> Vec<f64> {
    let dimensions: &[f64] = match name {
        "ROD" => &[1.5],
        "TUBE" => &[1.5, 1.0],
        "TUBE2" => &[1.5, 0.25],
        "BAR" => &[0.75, 2.0],
        "HEXA" => &[0.5, 2.0, 1.5],
        "I" => &[3.0, 2.0, 1.5, 0.25, 0.375, 0.25],
        "I1" => &[1.5, 0.25, 2.5, 3.0],
        "H" => &[1.5, 0.5, 2.0, 0.25],
        "T" | "T2" => &[2.0, 2.5, 0.25, 0.375],
        "T1" => &[2.0, 1.75, 0.25, 0.375],
        "CROSS" => &[1.5, 0.25, 2.25, 0.375],
        "Z" => &[1.0, 0.25, 1.5, 2.0],
        "L" => &[1.5, 2.25, 0.25, 0.375],
        "CHAN" => &[1.25, 2.5, 0.25, 0.375],
        "CHAN1" => &[1.0, 0.25, 2.0, 2.5],
        "CHAN2" => &[0.25, 0.375, 1.25, 2.0],
        "HAT" => &[1.25, 0.125, 1.5, 0.5],
        "BOX" => &[2.0, 1.5, 0.25, 0.375],
        "BOX1" => &[2.0, 1.5, 0.25, 0.375, 0.125, 0.5],
        "HAT1" => &[2.5, 1.25, 1.25, 0.125, 0.25],
        "DBOX" => &[3.0, 1.5, 1.25, 0.25, 0.375, 0.25, 0.125, 0.25, 0.375, 0.125],
        _ => panic!("a section without example: {name}"),
    };
    dimensions.iter().map(|d| d * scale).collect()
}
