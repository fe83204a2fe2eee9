//! The link mesh itself.

use std::collections::BTreeMap;

use pliant_diag::Origin;

use crate::element::{
    Bar, Bush, PlotElement, PointMass, Rod, ScalarDamper, ScalarMass, ScalarSpring, ShearPanel, Shell, Solid,
    ViscousRod,
};
use crate::property::Property;
use crate::{
    CaseControl, Component, CoordinateSystem, DofSets, EigenMethod, GridId, Load, LoadCombination, Material,
    Mpc, Names, Node, NodeIndex, NonStructuralMass, Parameter, ParameterValue, Rigid, SetCombination, SetId,
    Spc, Units,
};

/// A link as its deck describes it, every reference resolved, in deck units and the deck's basic frame.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkMesh {
    /// Factors to SI.
    pub units: Units,
    /// SOL, subcases.
    pub case_control: CaseControl,
    /// PARAM entries by name.
    pub parameters: BTreeMap<String, Parameter>,
    /// Coordinate systems; the first is the basic frame.
    pub coordinates: Vec<CoordinateSystem>,
    /// Grids and scalar points, ascending by id.
    pub nodes: Vec<Node>,
    /// Materials, ascending by id; one that the caller of the reader supplied comes last.
    pub materials: Vec<Material>,
    /// Properties, ascending by id (those of different families may share one); supplied ones come last.
    pub properties: Vec<Property>,
    /// CROD, CTUBE, CONROD.
    pub rods: Vec<Rod>,
    /// CBAR, CBEAM.
    pub bars: Vec<Bar>,
    /// CQUAD4, CTRIA3 and their cousins.
    pub shells: Vec<Shell>,
    /// Node slots of all shells, see [`LinkMesh::nodes_of_shell`].
    pub shell_nodes: Vec<NodeIndex>,
    /// CSHEAR.
    pub shear_panels: Vec<ShearPanel>,
    /// CTETRA, CPYRAM, CPENTA, CHEXA.
    pub solids: Vec<Solid>,
    /// Node slots of all solids, see [`LinkMesh::nodes_of_solid`].
    pub solid_nodes: Vec<NodeIndex>,
    /// CELAS1–4.
    pub springs: Vec<ScalarSpring>,
    /// CBUSH.
    pub bushes: Vec<Bush>,
    /// CMASS1–4.
    pub scalar_masses: Vec<ScalarMass>,
    /// CONM1, CONM2.
    pub point_masses: Vec<PointMass>,
    /// CDAMP1–4.
    pub dampers: Vec<ScalarDamper>,
    /// CVISC.
    pub viscous_rods: Vec<ViscousRod>,
    /// PLOTEL.
    pub plot_elements: Vec<PlotElement>,
    /// RBE1, RBE2, RBE3, RBAR, RROD.
    pub rigids: Vec<Rigid>,
    /// NSM family.
    pub nonstructural_masses: Vec<NonStructuralMass>,
    /// NSMADD.
    pub nsm_combinations: Vec<SetCombination>,
    /// SPC, SPC1.
    pub spcs: Vec<Spc>,
    /// SPCADD.
    pub spc_combinations: Vec<SetCombination>,
    /// MPC.
    pub mpcs: Vec<Mpc>,
    /// MPCADD.
    pub mpc_combinations: Vec<SetCombination>,
    /// ASET, BSET, CSET, QSET, OMIT, SUPORT.
    pub dof_sets: DofSets,
    /// FORCE to TEMPRB, and SPCD.
    pub loads: Vec<Load>,
    /// LOAD.
    pub load_combinations: Vec<LoadCombination>,
    /// EIGR, EIGRL.
    pub eigen_methods: Vec<EigenMethod>,
    /// SET1 and case control SET: numbers as given.
    pub sets: Vec<NamedSet>,
    /// DMIG.
    pub direct_matrices: Vec<DirectMatrix>,
    /// Names that a preprocessor gave.
    pub names: Names,
}

/// SET1, or SET of case control.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedSet {
    /// Its number.
    pub id: SetId,
    /// Its members, ascending.
    pub members: Vec<u32>,
    /// Where it was given.
    pub source: Origin,
}

/// IFO of a DMIG.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DirectMatrixForm {
    /// 1: square.
    Square,
    /// 2 or 9: rectangular.
    Rectangular,
    /// 6: symmetric; each pair is given once.
    Symmetric,
}

/// DMIG: a real matrix by grid and component. (Complex ones are refused by the reader.)
#[derive(Clone, Debug, PartialEq)]
pub struct DirectMatrix {
    /// Name, such as `KAAX`.
    pub name: String,
    /// Form.
    pub form: DirectMatrixForm,
    /// Number of columns of a rectangular matrix.
    pub columns: Option<u32>,
    /// Terms as given.
    pub terms: Vec<DirectMatrixTerm>,
    /// Where its header was given.
    pub source: Origin,
}

/// One term of a [`DirectMatrix`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DirectMatrixTerm {
    /// Column: grid and component. A column of a rectangular matrix is a plain number, with component 1.
    pub column: (GridId, Component),
    /// Row: grid and component.
    pub row: (GridId, Component),
    /// Value.
    pub value: f64,
}

impl Default for LinkMesh {
    fn default() -> Self {
        Self {
            units: Units::SI,
            case_control: CaseControl::default(),
            parameters: BTreeMap::new(),
            coordinates: vec![CoordinateSystem::basic()],
            nodes: Vec::new(),
            materials: Vec::new(),
            properties: Vec::new(),
            rods: Vec::new(),
            bars: Vec::new(),
            shells: Vec::new(),
            shell_nodes: Vec::new(),
            shear_panels: Vec::new(),
            solids: Vec::new(),
            solid_nodes: Vec::new(),
            springs: Vec::new(),
            bushes: Vec::new(),
            scalar_masses: Vec::new(),
            point_masses: Vec::new(),
            dampers: Vec::new(),
            viscous_rods: Vec::new(),
            plot_elements: Vec::new(),
            rigids: Vec::new(),
            nonstructural_masses: Vec::new(),
            nsm_combinations: Vec::new(),
            spcs: Vec::new(),
            spc_combinations: Vec::new(),
            mpcs: Vec::new(),
            mpc_combinations: Vec::new(),
            dof_sets: DofSets::default(),
            loads: Vec::new(),
            load_combinations: Vec::new(),
            eigen_methods: Vec::new(),
            sets: Vec::new(),
            direct_matrices: Vec::new(),
            names: Names::default(),
        }
    }
}

impl LinkMesh {
    /// The node with a number, by binary search.
    pub fn node_by_id(&self, id: GridId) -> Option<NodeIndex> {
        self.nodes.binary_search_by_key(&id, |n| n.id).ok().map(NodeIndex::from)
    }

    /// A node.
    pub fn node(&self, index: NodeIndex) -> &Node {
        &self.nodes[index.index()]
    }

    /// The nodes of a solid in the order of its card; mid-side nodes left out are [`NodeIndex::NONE`].
    pub fn nodes_of_solid(&self, solid: &Solid) -> &[NodeIndex] {
        let first = solid.first_node as usize;
        &self.solid_nodes[first..first + solid.shape.node_count()]
    }

    /// The nodes of a shell in the order of its card; mid-side nodes left out are [`NodeIndex::NONE`].
    pub fn nodes_of_shell(&self, shell: &Shell) -> &[NodeIndex] {
        let first = shell.first_node as usize;
        &self.shell_nodes[first..first + shell.shape.node_count()]
    }

    /// A real parameter; an integer counts as real.
    pub fn real_parameter(&self, name: &str) -> Option<f64> {
        match self.parameters.get(name)?.value {
            ParameterValue::Real(x) => Some(x),
            ParameterValue::Integer(i) => Some(i as f64),
            _ => None,
        }
    }

    /// An integer parameter.
    pub fn integer_parameter(&self, name: &str) -> Option<i64> {
        match self.parameters.get(name)?.value {
            ParameterValue::Integer(i) => Some(i),
            _ => None,
        }
    }

    /// PARAM,WTMASS: factor on all structural mass; 1 when not given.
    pub fn wtmass(&self) -> f64 {
        self.real_parameter("WTMASS").unwrap_or(1.0)
    }

    /// PARAM,COUPMASS > 0: consistent (coupled) mass is asked for.
    pub fn coupled_mass(&self) -> bool {
        self.integer_parameter("COUPMASS").is_some_and(|i| i > 0)
    }
}
