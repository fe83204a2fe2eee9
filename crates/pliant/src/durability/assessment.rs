//! From the table of a link to its assessment.

use pliant_diag::{Diagnostic, Diagnostics};
use pliant_durability::{
    Assessment, Below, Criterion, Factors, MATERIALS, Material, MaterialGroup, MeanStress, Notch, Residue,
    SnCurve, roughness_factor, survival_factor,
};
use pliant_pipeline::durability::{
    BelowWord, CriterionWord, DurabilityLinkTable, DurabilityTable, GroupWord, MeanWord, NotchTable,
    NotchWord, ResidueWord, SnCurveTable,
};

/// What is given or known of a material.
struct Known {
    material: Option<&'static Material>,
    ultimate: Option<f64>,
    group: Option<MaterialGroup>,
}

/// Reads the table.
pub(super) fn of_table(
    link: &DurabilityLinkTable,
    table: &DurabilityTable,
) -> Result<Assessment, Diagnostics> {
    let wrong = |message: String| Diagnostics::from_iter([Diagnostic::error(message).at(link.source.0)]);
    let material = match &link.material {
        None => None,
        Some(name) => Some(Material::find(&name.value).ok_or_else(|| {
            let known: Vec<&str> = MATERIALS.iter().map(|material| material.name).collect();
            let message = format!("the library has no material `{}`", name.value);
            let hint = format!("it has {}; `curve` gives another one", known.join(", "));
            Diagnostics::from_iter([Diagnostic::error(message).at(name.span()).hint(hint)])
        })?),
    };
    let known = Known {
        material,
        ultimate: link.ultimate.or(material.map(|material| material.ultimate)),
        group: link.group.map(group).or(material.and_then(|material| material.group)),
    };
    let curve = curve(link, material).map_err(wrong)?;
    let found = Assessment {
        curve,
        mean: mean(link, &known).map_err(wrong)?,
        factors: Factors {
            notch: link.notch.as_ref().map_or(Notch::None, notch),
            surface: surface(link, &known).map_err(wrong)?,
            stress: link.factor,
        },
        residue: match table.residue {
            ResidueWord::Repeated => Residue::Repeated,
            ResidueWord::HalfCycles => Residue::HalfCycles,
        },
        criterion: match table.criterion {
            CriterionWord::Normal => Criterion::Normal,
            CriterionWord::Findley => Criterion::Findley { k: table.findley_k },
        },
    };
    found.check().map_err(|error| wrong(error.to_string()))?;
    Ok(found)
}

fn below(word: BelowWord) -> Below {
    match word {
        BelowWord::Limit => Below::Limit,
        BelowWord::Elementary => Below::Same,
        BelowWord::Haibach => Below::Haibach,
    }
}

fn group(word: GroupWord) -> MaterialGroup {
    match word {
        GroupWord::Steel => MaterialGroup::Steel,
        GroupWord::CastSteel => MaterialGroup::CastSteel,
        GroupWord::NodularIron => MaterialGroup::NodularIron,
        GroupWord::MalleableIron => MaterialGroup::MalleableIron,
        GroupWord::GreyIron => MaterialGroup::GreyIron,
        GroupWord::WroughtAluminium => MaterialGroup::WroughtAluminium,
        GroupWord::CastAluminium => MaterialGroup::CastAluminium,
    }
}

fn curve(link: &DurabilityLinkTable, material: Option<&Material>) -> Result<SnCurve, String> {
    let made = match (material, &link.curve) {
        (Some(material), _) => material.curve(link.knee, below(link.below)),
        (None, Some(curve)) => given(curve),
        (None, None) => return Err("exactly one of `material` and `curve` must be given".to_owned()),
    };
    let made = made.map_err(|error| error.to_string())?;
    let (Some(survival), Some(scatter)) = (link.survival, link.scatter) else { return Ok(made) };
    let factor = survival_factor(survival, scatter).ok_or_else(|| {
        format!(
            "`survival` must be from 1e-6 to 1 - 1e-6 and `scatter` at least 1, found {survival} and {scatter}"
        )
    })?;
    Ok(made.scaled(factor))
}

fn given(curve: &SnCurveTable) -> Result<SnCurve, pliant_durability::CurveError> {
    let amplitude = if curve.ranges { 0.5 } else { 1.0 };
    let points = curve.points.iter().map(|[cycles, stress]| (*cycles, amplitude * stress)).collect();
    let below = curve.slope_below.map_or(below(curve.below), Below::Slope);
    SnCurve::new(points, curve.slope, below, curve.ratio)
}

/// A strength that a law needs.
fn needed(value: Option<f64>, key: &str, word: &str) -> Result<f64, String> {
    value.ok_or_else(|| format!("`{word}` needs `{key}`, which is not given and not known from a `material`"))
}

fn mean(link: &DurabilityLinkTable, known: &Known) -> Result<MeanStress, String> {
    let own = |of: fn(&Material) -> f64| known.material.map(of);
    let law = match link.mean {
        MeanWord::None => MeanStress::None,
        MeanWord::Goodman => MeanStress::Goodman { ultimate: needed(known.ultimate, "ultimate", "goodman")? },
        MeanWord::Gerber => MeanStress::Gerber { ultimate: needed(known.ultimate, "ultimate", "gerber")? },
        MeanWord::Soderberg => {
            let yield_stress = link.yield_stress.or(own(|material| material.yield_stress));
            MeanStress::Soderberg { yield_stress: needed(yield_stress, "yield_stress", "soderberg")? }
        }
        MeanWord::Morrow => {
            let fracture = link.fracture.or(own(|material| material.fracture));
            MeanStress::Morrow { fracture: needed(fracture, "fracture", "morrow")? }
        }
        MeanWord::Walker => MeanStress::Walker { gamma: needed(link.gamma, "gamma", "walker")? },
        MeanWord::SmithWatsonTopper => MeanStress::SmithWatsonTopper,
        MeanWord::Fkm => {
            let sensitivity = match link.sensitivity {
                Some(sensitivity) => sensitivity,
                None => {
                    let group = known.group.ok_or("`fkm` needs `sensitivity`, or `group` and `ultimate`")?;
                    group.mean_sensitivity(needed(known.ultimate, "ultimate", "fkm")?)
                }
            };
            MeanStress::Fkm { sensitivity }
        }
    };
    Ok(law)
}

fn notch(table: &NotchTable) -> Notch {
    let NotchTable { kf, kt, radius, length, law, .. } = *table;
    match (kf, kt, radius, length) {
        (None, Some(theoretical), Some(radius), Some(length)) => match law {
            NotchWord::Peterson => Notch::Peterson { theoretical, radius, length },
            NotchWord::Neuber => Notch::Neuber { theoretical, radius, length },
        },
        (kf, ..) => kf.map_or(Notch::None, Notch::Given),
    }
}

fn surface(link: &DurabilityLinkTable, known: &Known) -> Result<f64, String> {
    let Some(roughness) = link.roughness else { return Ok(link.surface.unwrap_or(1.0)) };
    let group = known.group.ok_or("`roughness` needs `group`; `surface` gives K_R itself")?;
    Ok(roughness_factor(group, roughness, needed(known.ultimate, "ultimate", "roughness")?))
}
