//! Cycles, damage and factors as other codes have them: `peers.json` is written by tests/peers/durability.py
//! with PyPI's rainflow 3.2.0, fatpack 0.7.8, py_fatigue 2.1.1 and pyLife 2.3.1.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use pliant_durability::{
    Below, Cycle, MaterialGroup, MeanStress, Rainflow, Residue, SnCurve, roughness_factor,
};
use serde_json::Value;

fn peers() -> Value {
    serde_json::from_str(include_str!("peers.json")).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

fn rows(value: &Value) -> Vec<Vec<f64>> {
    value.as_array().unwrap().iter().map(numbers).collect()
}

fn cycles(history: &[f64], residue: Residue) -> Vec<Cycle> {
    let mut found = Vec::new();
    Rainflow::default().count(history, residue, |cycle| found.push(cycle));
    found
}

/// One after the other: range, mean, count and the samples of both reversals, to the last bit.
#[test]
fn cycles_are_those_of_rainflow() {
    let mut compared = 0;
    for one in peers()["histories"].as_array().unwrap() {
        let ours = cycles(&numbers(&one["history"]), Residue::HalfCycles);
        let theirs = rows(&one["astm"]);
        // Its plateaus at an end make cycles without a range.
        let theirs: Vec<_> = theirs.into_iter().filter(|row| row[0] > 0.0).collect();
        assert_eq!(ours.len(), theirs.len());
        for (cycle, row) in ours.iter().zip(&theirs) {
            let [from, to] = cycle.samples.map(|sample| sample as f64);
            assert_eq!(
                [2.0 * cycle.amplitude(), cycle.mean(), cycle.count, from, to],
                row[..],
                "range, mean, count, samples"
            );
            compared += 1;
        }
    }
    assert!(compared > 150, "{compared}");
}

/// Ranges and means of all cycles of a history that follows itself: what fatpack counts by four points in
/// three copies of it and not in two.
#[test]
fn repeated_cycles_are_those_of_fatpack() {
    let sorted = |mut all: Vec<[f64; 2]>| {
        all.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
        all
    };
    for (k, one) in peers()["histories"].as_array().unwrap().iter().enumerate() {
        let ours = cycles(&numbers(&one["history"]), Residue::Repeated);
        assert!(ours.iter().all(|cycle| cycle.count == 1.0), "history {k}: all ranges close");
        let ours = sorted(ours.iter().map(|cycle| [2.0 * cycle.amplitude(), cycle.mean()]).collect());
        let pairs = rows(&one["repeated"]).into_iter();
        let theirs = pairs.map(|pair| [(pair[1] - pair[0]).abs(), 0.5 * (pair[0] + pair[1])]);
        assert_eq!(ours, sorted(theirs.filter(|cycle| cycle[0] > 0.0).collect()), "history {k}");
    }
}

/// Cycles that close within the history are those of four-point counting, but for ranges as large as the
/// largest of all: those contain the start, and ASTM counts them by halves.
#[test]
fn closed_cycles_are_those_of_four_points() {
    for one in peers()["histories"].as_array().unwrap() {
        let history = numbers(&one["history"]);
        let extreme = |of: fn(f64, f64) -> f64| history.iter().copied().reduce(of).unwrap();
        let largest = extreme(f64::max) - extreme(f64::min);
        let sorted = |all: &mut dyn Iterator<Item = f64>| {
            let mut all: Vec<f64> = all.filter(|range| *range < largest).collect();
            all.sort_by(f64::total_cmp);
            all
        };
        let ours = cycles(&history, Residue::HalfCycles);
        let mut ours = ours.iter().filter(|cycle| cycle.count == 1.0).map(|cycle| 2.0 * cycle.amplitude());
        let pairs = rows(&one["four_point"]);
        let mut theirs = pairs.iter().map(|pair| (pair[1] - pair[0]).abs());
        assert_eq!(sorted(&mut ours), sorted(&mut theirs));
    }
}

/// The curve of py_fatigue, log₁₀N = a − m log₁₀S in each part, from its knees; ranges there, amplitudes
/// here.
fn curve(one: &Value) -> SnCurve {
    let (slopes, intercepts) = (numbers(&one["slope"]), numbers(&one["intercept"]));
    let mut points: Vec<(f64, f64)> = rows(&one["knees"]).iter().map(|knee| (knee[0], knee[1])).collect();
    let (m, a) = (*slopes.last().unwrap(), *intercepts.last().unwrap());
    let below = match one["endurance"].as_f64() {
        Some(cycles) => {
            points.push((cycles, 10f64.powf((a - cycles.log10()) / m)));
            Below::Limit
        }
        None => {
            if points.is_empty() {
                points.push((1.0, 10f64.powf(a / m)));
            }
            Below::Slope(m)
        }
    };
    let amplitudes = points.into_iter().map(|(cycles, range)| (cycles, 0.5 * range)).collect();
    SnCurve::new(amplitudes, Some(slopes[0]), below, -1.0).unwrap()
}

#[test]
fn damage_is_that_of_py_fatigue() {
    let peers = peers();
    let (ranges, counts) = (numbers(&peers["ranges"]), numbers(&peers["counts"]));
    for one in peers["damages"].as_array().unwrap() {
        let curve = curve(one);
        let ours: Vec<f64> =
            ranges.iter().zip(&counts).map(|(range, count)| count / curve.cycles(0.5 * range)).collect();
        for ((range, ours), theirs) in ranges.iter().zip(&ours).zip(numbers(&one["each"])) {
            assert!((ours - theirs).abs() <= 1e-9 * theirs, "range {range}: {ours} for {theirs}");
        }
        let (ours, theirs) = (ours.iter().sum::<f64>(), one["total"].as_f64().unwrap());
        assert!((ours / theirs - 1.0).abs() < 1e-9, "{ours} for {theirs}");
    }
}

/// The transformation of pyLife with the four fields of FKM given as a Haigh diagram, to two ratios.
#[test]
fn mean_stress_of_fkm_is_that_of_pylife() {
    let peers = peers();
    let (amplitudes, means) = (numbers(&peers["amplitudes"]), numbers(&peers["means"]));
    for (sensitivity, ratios) in peers["fkm"].as_object().unwrap() {
        let law = MeanStress::Fkm { sensitivity: sensitivity.parse().unwrap() };
        for (ratio, theirs) in ratios.as_object().unwrap() {
            let ratio = ratio.parse().unwrap();
            for ((a, m), theirs) in amplitudes.iter().zip(&means).zip(numbers(theirs)) {
                let ours = law.equivalent(*a, *m, ratio);
                assert!((ours / theirs - 1.0).abs() < 1e-12, "{a} about {m} at {ratio}: {ours} for {theirs}");
            }
        }
    }
}

#[test]
fn laws_of_the_largest_stress_are_those_of_py_fatigue() {
    let peers = peers();
    let laws = &peers["laws"];
    let (amplitudes, means) = (numbers(&laws["amplitude"]), numbers(&laws["mean"]));
    for (law, name) in
        [(MeanStress::Walker { gamma: 0.65 }, "walker"), (MeanStress::SmithWatsonTopper, "swt")]
    {
        for ((a, m), theirs) in amplitudes.iter().zip(&means).zip(numbers(&laws[name])) {
            let ours = law.equivalent(*a, *m, -1.0);
            assert!((ours / theirs - 1.0).abs() < 1e-12, "{name}: {ours} for {theirs}");
        }
    }
}

#[test]
fn constants_of_fkm_are_those_of_pylife() {
    let group = |name: &str| match name {
        "Steel" => MaterialGroup::Steel,
        "CastSteel" => MaterialGroup::CastSteel,
        "NodularIron" => MaterialGroup::NodularIron,
        "MalleableIron" => MaterialGroup::MalleableIron,
        "GreyIron" => MaterialGroup::GreyIron,
        "WroughtAluminium" => MaterialGroup::WroughtAluminium,
        "CastAluminium" => MaterialGroup::CastAluminium,
        other => panic!("{other}"),
    };
    for row in peers()["rough"].as_array().unwrap() {
        let number = |k: usize| row[k].as_f64().unwrap();
        let (group, rough, ultimate) = (group(row[0].as_str().unwrap()), number(1) * 1e-6, number(2) * 1e6);
        // A micrometre and a megapascal are rounded.
        assert!((roughness_factor(group, rough, ultimate) - number(3)).abs() < 1e-12, "{row}");
        assert!((group.mean_sensitivity(ultimate) - number(4)).abs() < 1e-12, "{row}");
    }
}
