//! Shell meshes made in the test, with a dense solution: independent of reader, assembly and drivers.

#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::collections::{BTreeMap, BTreeSet};

use nalgebra::{DMatrix, DVector, Vector3};
use pliant_diag::Origin;
use pliant_fem::element::{Element, ElementContext, FacePressure, MassKind, all_elements, build};
use pliant_mesh::element::{MaterialDirection, Shell, ShellShape};
use pliant_mesh::property::{Property, PropertyKind, ShellProperty};
use pliant_mesh::{
    Component, Components, CoordIndex, ElementId, GridId, LinkMesh, Material, MaterialId, MaterialIndex,
    MaterialLaw, Node, NodeIndex, NodeKind, PropertyId, PropertyIndex, SetId, Spc,
};

/// All the shells under test.
pub(crate) const SHAPES: [ShellShape; 6] = [
    ShellShape::Quad4,
    ShellShape::QuadR,
    ShellShape::Quad8,
    ShellShape::Tria3,
    ShellShape::TriaR,
    ShellShape::Tria6,
];

/// A plate model.
pub(crate) struct Model {
    pub(crate) mesh: LinkMesh,
    fixed: BTreeSet<(usize, usize)>,
    forces: BTreeMap<(usize, usize), f64>,
    /// Values of held components other than zero.
    moved: BTreeMap<(usize, usize), f64>,
    /// Node of each lattice point (columns of half cells), where there is one.
    pub(crate) lattice: BTreeMap<(usize, usize), usize>,
    cells: (usize, usize),
}

/// Isotropic material and thickness.
#[derive(Clone, Copy)]
pub(crate) struct Plate {
    pub(crate) youngs_modulus: f64,
    pub(crate) poisson_ratio: f64,
    pub(crate) density: f64,
    pub(crate) thickness: f64,
}

impl Model {
    /// `columns` × `rows` cells whose half-cell lattice points (ξ, η in 0..1) lie at `position`. Triangles
    /// cut each cell along the diagonal from its first corner.
    pub(crate) fn new(
        shape: ShellShape,
        plate: Plate,
        cells: (usize, usize),
        position: impl Fn(f64, f64) -> Vector3<f64>,
    ) -> Self {
        Self::mixed(|_, _| shape, plate, cells, position)
    }

    /// The same with a shape for each cell (column, row), all with mid-side nodes or all without.
    pub(crate) fn mixed(
        shape: impl Fn(usize, usize) -> ShellShape,
        plate: Plate,
        (columns, rows): (usize, usize),
        position: impl Fn(f64, f64) -> Vector3<f64>,
    ) -> Self {
        let mut mesh = LinkMesh::default();
        let E = plate.youngs_modulus;
        mesh.materials.push(Material {
            id: MaterialId(1),
            density: plate.density,
            reference_temperature: 0.0,
            structural_damping: 0.0,
            allowables: [None; 3],
            stress_frame: None,
            law: MaterialLaw::Isotropic {
                youngs_modulus: E,
                shear_modulus: E / (2.0 * (1.0 + plate.poisson_ratio)),
                poisson_ratio: plate.poisson_ratio,
                thermal_expansion: 0.0,
            },
            source: Origin::default(),
        });
        mesh.properties.push(Property {
            id: PropertyId(1),
            kind: PropertyKind::Shell(Box::new(ShellProperty {
                membrane: Some(MaterialIndex(0)),
                thickness: Some(plate.thickness),
                bending: Some(MaterialIndex(0)),
                plane_strain: false,
                bending_ratio: 1.0,
                shear: Some(MaterialIndex(0)),
                shear_ratio: 5.0 / 6.0,
                nsm: 0.0,
                fibre_distances: [None; 2],
                coupling: None,
            })),
            source: Origin::default(),
        });
        let mut model = Self {
            mesh,
            fixed: BTreeSet::new(),
            forces: BTreeMap::new(),
            moved: BTreeMap::new(),
            lattice: BTreeMap::new(),
            cells: (columns, rows),
        };
        let first = shape(0, 0);
        let quadratic = first.node_count() > first.corner_count();
        for j in 0..=2 * rows {
            for i in 0..=2 * columns {
                let corner = i % 2 == 0 && j % 2 == 0;
                let centre = i % 2 == 1 && j % 2 == 1;
                let used = corner || (quadratic && (!centre || first.corner_count() == 3));
                if used {
                    let p = position(i as f64 / (2 * columns) as f64, j as f64 / (2 * rows) as f64);
                    let node = model.grid(p);
                    model.lattice.insert((i, j), node);
                }
            }
        }
        for j in 0..rows {
            for i in 0..columns {
                let (x, y) = (2 * i, 2 * j);
                let shape = shape(i, j);
                let corners = [(x, y), (x + 2, y), (x + 2, y + 2), (x, y + 2)];
                let faces: Vec<Vec<(usize, usize)>> = if shape.corner_count() == 4 {
                    vec![corners.to_vec()]
                } else {
                    vec![vec![corners[0], corners[1], corners[2]], vec![corners[0], corners[2], corners[3]]]
                };
                for mut face in faces {
                    if quadratic {
                        let count = face.len();
                        for k in 0..count {
                            let (a, b) = (face[k], face[(k + 1) % count]);
                            face.push(((a.0 + b.0) / 2, (a.1 + b.1) / 2));
                        }
                    }
                    let nodes: Vec<usize> = face.iter().map(|p| model.lattice[p]).collect();
                    model.shell(shape, &nodes);
                }
            }
        }
        model
    }

    fn grid(&mut self, position: Vector3<f64>) -> usize {
        let node = self.mesh.nodes.len();
        self.mesh.nodes.push(Node {
            id: GridId(node as u32 + 1),
            kind: NodeKind::Grid,
            position,
            displacement_frame: CoordIndex::BASIC,
            permanent_spc: Components::NONE,
            source: Origin::default(),
        });
        node
    }

    fn shell(&mut self, shape: ShellShape, nodes: &[usize]) {
        let first_node = self.mesh.shell_nodes.len() as u32;
        self.mesh.shell_nodes.extend(nodes.iter().map(|n| NodeIndex::from(*n)));
        self.mesh.shells.push(Shell {
            id: ElementId(self.mesh.shells.len() as u32 + 1),
            shape,
            property: PropertyIndex(0),
            first_node,
            material_direction: MaterialDirection::Angle(0.0),
            offset: None,
            corner_thickness: [None; 4],
            source: Origin::default(),
        });
    }

    /// Holds components (digits 1 to 6) of a node.
    pub(crate) fn fix(&mut self, node: usize, digits: &str) {
        for digit in digits.chars().map(|c| c.to_digit(10).unwrap()) {
            let component = Component::from_digit(digit).unwrap();
            self.fixed.insert((node, component.row()));
            self.mesh.spcs.push(Spc {
                set: SetId(1),
                node: NodeIndex::from(node),
                components: Components::one(component),
                value: 0.0,
                source: Origin::default(),
            });
        }
    }

    /// Holds a component (row 0 to 5) of a node at a value.
    pub(crate) fn hold_at(&mut self, node: usize, row: usize, value: f64) {
        self.fix(node, &(row + 1).to_string());
        self.moved.insert((node, row), value);
    }

    /// Holds components of every node whose lattice point satisfies `on`.
    pub(crate) fn fix_where(&mut self, digits: &str, on: impl Fn(usize, usize) -> bool) {
        let nodes: Vec<usize> =
            self.lattice.iter().filter(|((i, j), _)| on(*i, *j)).map(|(_, n)| *n).collect();
        for node in nodes {
            self.fix(node, digits);
        }
    }

    /// Last lattice column and row.
    pub(crate) fn last(&self) -> (usize, usize) {
        (2 * self.cells.0, 2 * self.cells.1)
    }

    /// Adds a force or moment component (row 0 to 5).
    pub(crate) fn push(&mut self, node: usize, row: usize, value: f64) {
        *self.forces.entry((node, row)).or_default() += value;
    }

    /// Spreads a force over the lattice column `i` as a constant traction would be.
    pub(crate) fn push_column(&mut self, i: usize, row: usize, total: f64) {
        let rows = self.cells.1;
        let quadratic = self.lattice.contains_key(&(i, 1));
        for j in 0..rows {
            let shares: &[(usize, f64)] = if quadratic {
                &[(0, 1.0 / 6.0), (1, 4.0 / 6.0), (2, 1.0 / 6.0)]
            } else {
                &[(0, 0.5), (2, 0.5)]
            };
            for (k, share) in shares {
                let node = self.lattice[&(i, 2 * j + k)];
                self.push(node, row, total * share / rows as f64);
            }
        }
    }

    /// The elements.
    pub(crate) fn elements(&self) -> Vec<Box<dyn Element>> {
        all_elements(&self.mesh)
            .into_iter()
            .map(|e| build(ElementContext { mesh: &self.mesh, extra_nsm: 0.0 }, e).unwrap())
            .collect()
    }

    /// A pressure on every element, along its normal or along a direction.
    pub(crate) fn pressure(&mut self, value: f64, direction: Option<Vector3<f64>>) {
        for (shell, element) in self.mesh.shells.clone().iter().zip(self.elements()) {
            let corners = self.mesh.nodes_of_shell(shell)[..shell.shape.corner_count()].to_vec();
            let pressures = vec![value; corners.len()];
            let load = element.pressure_load(&FacePressure { corners, pressures, direction }).unwrap();
            for (dof, force) in element.dofs().iter().zip(load.iter()) {
                self.push(dof.node.index(), dof.component.row(), *force);
            }
        }
    }

    fn sum(&self, matrix: impl Fn(&dyn Element) -> DMatrix<f64>) -> DMatrix<f64> {
        let size = 6 * self.mesh.nodes.len();
        let mut total = DMatrix::zeros(size, size);
        for element in self.elements() {
            let part = matrix(element.as_ref());
            let rows: Vec<usize> =
                element.dofs().iter().map(|d| 6 * d.node.index() + d.component.row()).collect();
            for (i, row) in rows.iter().enumerate() {
                for (j, column) in rows.iter().enumerate() {
                    total[(*row, *column)] += part[(i, j)];
                }
            }
        }
        total
    }

    /// Free rows; components without stiffness are left out.
    fn free(&self, K: &DMatrix<f64>) -> Vec<usize> {
        let largest = K.diagonal().amax();
        (0..K.nrows())
            .filter(|row| !self.fixed.contains(&(row / 6, row % 6)) && K[(*row, *row)] > 1e-14 * largest)
            .collect()
    }

    /// Displacements, six per node.
    pub(crate) fn solve(&self) -> Vec<[f64; 6]> {
        let K = self.sum(|e| e.stiffness().unwrap());
        let free = self.free(&K);
        let K_ff = DMatrix::from_fn(free.len(), free.len(), |i, j| K[(free[i], free[j])]);
        let at = |values: &BTreeMap<(usize, usize), f64>| {
            DVector::from_fn(K.nrows(), |row, _| values.get(&(row / 6, row % 6)).copied().unwrap_or(0.0))
        };
        let moved = at(&self.moved);
        let right = at(&self.forces) - &K * &moved;
        let f = DVector::from_iterator(free.len(), free.iter().map(|row| right[*row]));
        let solved = K_ff.cholesky().expect("the model is held").solve(&f);
        let mut u = vec![[0.0; 6]; self.mesh.nodes.len()];
        for (row, value) in moved.iter().enumerate() {
            u[row / 6][row % 6] = *value;
        }
        for (row, value) in free.iter().zip(solved.iter()) {
            u[row / 6][row % 6] = *value;
        }
        u
    }

    /// The lowest `count` frequencies (Hz), rigid-body modes (below `shift_hz`) included as such: from
    /// (K + σM)x = (λ + σ)Mx with σ = (2π·shift)².
    pub(crate) fn frequencies(&self, kind: MassKind, shift_hz: f64, count: usize) -> Vec<f64> {
        let K = self.sum(|e| e.stiffness().unwrap());
        let M = self.sum(|e| e.mass(kind).unwrap());
        let sigma = (2.0 * std::f64::consts::PI * shift_hz).powi(2);
        let free = self.free(&K);
        let pick = |A: &DMatrix<f64>| DMatrix::from_fn(free.len(), free.len(), |i, j| A[(free[i], free[j])]);
        let (K, M) = (pick(&K), pick(&M));
        let factor = (&K + &M * sigma).cholesky().expect("K + σM is positive definite").l();
        let half = factor.solve_lower_triangular(&M).expect("a Cholesky factor is regular");
        let flexibility =
            factor.solve_lower_triangular(&half.transpose()).expect("a Cholesky factor is regular");
        let mut inverse: Vec<f64> = flexibility.symmetric_eigenvalues().iter().copied().collect();
        inverse.sort_by(|a, b| b.total_cmp(a));
        inverse
            .iter()
            .take(count)
            .map(|mu| (1.0 / mu - sigma).max(0.0).sqrt() / (2.0 * std::f64::consts::PI))
            .collect()
    }
}
