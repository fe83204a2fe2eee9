//! SPC, MPC, their combinations, displacement sets, NSM, EIGR, EIGRL, SET1, DMIG.

use pliant_mesh::{DirectMatrix, DirectMatrixForm, Normalisation, SetCombination};

use super::Output;
use super::card::{Value, fields};

impl Output<'_> {
    pub(super) fn constraints(&mut self) {
        for spc in &self.mesh.spcs {
            let row = fields![spc.set.0, self.node(spc.node), spc.components, spc.value];
            self.text.card("SPC", &row);
        }
        for mpc in &self.mesh.mpcs {
            let mut row = fields![mpc.set.0].to_vec();
            for (k, term) in mpc.terms.iter().enumerate() {
                if k > 0 && k % 2 == 0 {
                    row.extend([Value::Blank, Value::Blank]);
                }
                row.extend(fields![self.node(term.node), term.component, term.coefficient]);
            }
            self.text.card("MPC", &row);
        }
        for (name, combinations) in [
            ("SPCADD", &self.mesh.spc_combinations),
            ("MPCADD", &self.mesh.mpc_combinations),
            ("NSMADD", &self.mesh.nsm_combinations),
        ] {
            for SetCombination { set, members, .. } in combinations {
                let mut row = fields![set.0].to_vec();
                row.extend(members.iter().map(|member| Value::from(member.0)));
                self.text.card(name, &row);
            }
        }
        let sets = &self.mesh.dof_sets;
        for (name, set) in [
            ("ASET", &sets.a),
            ("BSET", &sets.b),
            ("CSET", &sets.c),
            ("QSET", &sets.q),
            ("OMIT", &sets.omit),
            ("SUPORT", &sets.support),
        ] {
            for (node, components) in set {
                self.text.card(name, &fields![self.node(*node), *components]);
            }
        }
        let rows = sets.external.iter().flat_map(|(node, components)| fields![self.node(*node), *components]);
        let rows: Vec<Value> = rows.collect();
        if !rows.is_empty() {
            self.text.card("EXTRN", &rows);
        }
        for mass in &self.mesh.nonstructural_masses {
            let mut row = fields![mass.set.0, "ELEMENT", mass.value].to_vec();
            let ids = mass.elements.iter().map(|element| self.mesh.element_id(*element).0);
            row.extend(ids.map(Value::from));
            self.text.card(if mass.distributed { "NSM1" } else { "NSML1" }, &row);
        }
        self.methods();
        for set in &self.mesh.sets {
            let mut row = fields![set.id.0].to_vec();
            row.extend(set.members.iter().map(|member| Value::from(*member)));
            self.text.card("SET1", &row);
        }
        for matrix in &self.mesh.direct_matrices {
            self.direct_matrix(matrix);
        }
    }

    fn methods(&mut self) {
        for method in &self.mesh.eigen_methods {
            let (above, below, count) = (method.above_hz, method.below_hz, method.count);
            let norm = match method.normalisation {
                Normalisation::Mass => "MASS",
                Normalisation::Max => "MAX",
            };
            let blank = || Value::Blank;
            if method.method.is_empty() {
                let row = fields![method.set.0, above, below, count, blank(), blank(), blank(), norm];
                self.text.card("EIGRL", &row);
            } else {
                let mut row =
                    fields![method.set.0, method.method.as_str(), above, below, blank(), count].to_vec();
                row.resize(8, Value::Blank);
                row.push(norm.into());
                self.text.card("EIGR", &row);
            }
        }
    }

    fn direct_matrix(&mut self, matrix: &DirectMatrix) {
        let form = match matrix.form {
            DirectMatrixForm::Square => 1u32,
            DirectMatrixForm::Rectangular => 9,
            DirectMatrixForm::Symmetric => 6,
        };
        let name = matrix.name.as_str();
        let blank = || Value::Blank;
        let header = fields![name, 0u32, form, 2u32, 0u32, blank(), blank(), matrix.columns];
        self.text.card("DMIG", &header);
        for terms in matrix.terms.chunk_by(|a, b| a.column == b.column) {
            let (grid, component) = terms[0].column;
            let mut row = fields![name, grid.0, component, Value::Blank].to_vec();
            for term in terms {
                row.extend(fields![term.row.0.0, term.row.1, term.value, Value::Blank]);
            }
            self.text.card("DMIG", &row);
        }
    }
}
