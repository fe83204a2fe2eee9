//! Mass against the grid point weight generator, or pyNastran where that was not printed.

use pliant_fem::mass_properties;

use crate::reference::{Line, first_few, judge, mesh, runs};

#[test]
fn masses() {
    let Some(runs) = runs() else { return };
    let mut lines = Vec::new();
    for run in &runs {
        let printed = run.json["mass_check"]["gpwg_x_WTMASS"].as_f64();
        let second = run.json["pynastran_mass"]["mass_with_WTMASS_applied"].as_f64().filter(|m| *m != 0.0);
        let Some(reference) = printed.or(second) else { continue };
        let found = mesh(&run.deck).and_then(|mesh| {
            let found = mass_properties(&mesh);
            let errors: Vec<String> = found
                .diagnostics
                .iter()
                .filter(|d| d.severity == pliant_diag::Severity::Error)
                .map(|d| d.headline())
                .collect();
            if !errors.is_empty() {
                return Err(first_few(&errors));
            }
            let mass = found.output.mass;
            Ok(((mass / reference - 1.0).abs(), format!("{mass:.7e} for {reference:.7e}")))
        });
        // GPWG prints seven digits.
        lines.push(Line { name: run.name.clone(), tolerance: 1e-6, result: found });
    }
    judge("Mass against GPWG × WTMASS, or pyNastran", &lines, &[]);
}
