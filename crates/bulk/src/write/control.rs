//! SOL, case control, PARAM.

use pliant_mesh::ParameterValue;

use super::Output;
use super::card::{Value, fields};

impl Output<'_> {
    pub(super) fn control(&mut self) {
        let case = &self.mesh.case_control;
        if let Some(solution) = case.solution {
            self.text.line(&format!("SOL {solution}"));
        }
        if case.solution.is_some() || !case.subcases.is_empty() || !case.title.is_empty() {
            self.text.line("CEND");
        }
        if !case.title.is_empty() {
            self.text.line(&format!("TITLE = {}", case.title));
        }
        for subcase in &case.subcases {
            self.text.line(&format!("SUBCASE {}", subcase.id));
            if !subcase.label.is_empty() {
                self.text.line(&format!("  LABEL = {}", subcase.label));
            }
            let choices = [
                ("SPC", subcase.spc),
                ("MPC", subcase.mpc),
                ("LOAD", subcase.load),
                ("METHOD", subcase.method),
                ("NSM", subcase.nsm),
                ("TEMPERATURE(LOAD)", subcase.temperature),
            ];
            for (name, set) in choices {
                if let Some(set) = set {
                    self.text.line(&format!("  {name} = {set}"));
                }
            }
            if let Some(id) = subcase.static_subcase {
                self.text.line(&format!("  STATSUB = {id}"));
            }
        }
        self.text.line("BEGIN BULK");
        for (name, parameter) in &self.mesh.parameters {
            let mut row = fields![name.as_str()].to_vec();
            match &parameter.value {
                ParameterValue::Integer(value) => row.push(Value::Integer(*value)),
                ParameterValue::Real(value) => row.push(Value::Real(*value)),
                ParameterValue::Complex(re, im) => row.extend([Value::Real(*re), Value::Real(*im)]),
                ParameterValue::Text(text) => row.push(text.as_str().into()),
            }
            self.text.card("PARAM", &row);
        }
    }
}
