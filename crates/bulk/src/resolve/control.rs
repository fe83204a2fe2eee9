//! What case control says about the deck in general: AUTOSPC, and the DMIG matrices it selects.

use pliant_diag::{Diagnostic, Diagnostics};
use pliant_mesh::{DirectMatrixForm, Parameter, ParameterValue};

use super::Builder;
use crate::control::Control;

impl Builder {
    /// AUTOSPC of case control takes the place of PARAM,AUTOSPC.
    pub(super) fn take_autospc(&mut self, control: &Control) {
        if let Some((word, span)) = &control.autospc {
            let name = "AUTOSPC".to_owned();
            let value = ParameterValue::Text(word.clone());
            self.mesh.parameters.insert(name.clone(), Parameter { name, value, source: (*span).into() });
        }
    }

    /// Every matrix that K2GG, M2GG, B2GG or P2G selects must be there and of the form that Nastran asks for:
    /// symmetric for the structure, columns for loads. A matrix that none of them selects is reported.
    pub(super) fn check_direct_selection(&self, diagnostics: &mut Diagnostics) {
        let direct = &self.mesh.case_control.direct;
        let subcases = self.mesh.case_control.subcases.len();
        let selections = [
            ("K2GG", &direct.stiffness),
            ("M2GG", &direct.mass),
            ("B2GG", &direct.damping),
            ("P2G", &direct.loads),
        ];
        for matrix in &self.mesh.direct_matrices {
            if !selections.iter().any(|(_, terms)| terms.iter().any(|(_, name)| *name == matrix.name)) {
                let message = format!("matrix {} is selected by nothing and is left out", matrix.name);
                let command = if matrix.form == DirectMatrixForm::Rectangular { "P2G" } else { "K2GG" };
                let hint = format!(
                    "`{command} = {}` in the case control selects it (K2GG, M2GG, B2GG for stiffness, mass, damping, P2G for loads)",
                    matrix.name
                );
                diagnostics.push(Diagnostic::warning(message).at(matrix.source.0).card("DMIG").hint(hint));
            }
        }
        for (command, name) in
            selections.iter().flat_map(|(command, terms)| terms.iter().map(move |t| (*command, &t.1)))
        {
            let is_load = command == "P2G";
            let found = self.mesh.direct_matrices.iter().find(|matrix| matrix.name == *name);
            let message = match found {
                None if self.direct_headers.is_complex(name) => {
                    Some(format!("DMIG {name} is complex: the structure is real"))
                }
                None if self.direct_headers.is_refused(name) => None,
                None => Some(format!("the deck has no DMIG {name}")),
                Some(matrix) if !is_load && matrix.form != DirectMatrixForm::Symmetric => {
                    Some(format!("DMIG {name} must be symmetric (IFO = 6)"))
                }
                Some(matrix) if is_load && matrix.form != DirectMatrixForm::Rectangular => {
                    Some(format!("DMIG {name} must consist of columns (IFO = 9)"))
                }
                Some(matrix) if is_load => {
                    let last = matrix.terms.iter().map(|term| term.column.0.0 as usize).max().unwrap_or(0);
                    (last > subcases).then(|| {
                        format!("DMIG {name} has a column {last}; column i is the load of subcase i, and there are {subcases}")
                    })
                }
                Some(_) => None,
            };
            diagnostics
                .extend(message.map(|message| Diagnostic::error(message).at(direct.source.0).card(command)));
        }
    }
}
