//! SOL, case control, PARAM.

use pliant_mesh::{ParameterValue, SubcaseCombination};

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
        let direct = &case.direct;
        let matrices = [
            ("K2GG", &direct.stiffness),
            ("M2GG", &direct.mass),
            ("B2GG", &direct.damping),
            ("P2G", &direct.loads),
        ];
        for (name, terms) in matrices.iter().filter(|(_, terms)| !terms.is_empty()) {
            let terms: Vec<String> =
                terms.iter().map(|(factor, name)| format!("{factor:?}*{name}")).collect();
            self.text.line(&format!("{name} = {}", terms.join(", ")));
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
            for selection in &subcase.unavailable {
                self.text.line(&format!("  {} = {}", selection.command, selection.set));
            }
        }
        for combination in &case.combinations {
            self.combination(combination);
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

    /// A SUBCOM behind all subcases, so that its factors count back from the last.
    fn combination(&mut self, combination: &SubcaseCombination) {
        self.text.line(&format!("SUBCOM {}", combination.id));
        if !combination.label.is_empty() {
            self.text.line(&format!("  LABEL = {}", combination.label));
        }
        let factor = |id: u32| {
            let term = combination.terms.iter().find(|(subcase, _)| *subcase == id);
            format!("{:?}", term.map_or(0.0, |(_, factor)| *factor))
        };
        let factors: Vec<String> = self.mesh.case_control.subcases.iter().map(|s| factor(s.id)).collect();
        self.text.line(&format!("  SUBSEQ = {}", factors.join(", ")));
    }
}
