//! Damage and life where they are known in closed form.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::f64::consts::{PI, TAU};

use pliant_durability::{
    Assessment, AssessmentError, Below, Block, Criterion, CurveError, Cycle, Factors, Material, MeanStress,
    Notch, Points, Rainflow, Residue, Search, SnCurve,
};

fn cycles(history: &[f64], residue: Residue) -> Vec<Cycle> {
    let mut found = Vec::new();
    Rainflow::default().count(history, residue, |cycle| found.push(cycle));
    found
}

/// Basquin: a million cycles at 100 MPa, slope 5.
fn basquin(below: Below) -> SnCurve {
    SnCurve::new(vec![(1e6, 100e6)], Some(5.0), below, -1.0).unwrap()
}

fn assessment(curve: SnCurve) -> Assessment {
    Assessment {
        curve,
        mean: MeanStress::None,
        factors: Factors::default(),
        residue: Residue::Repeated,
        criterion: Criterion::Normal,
    }
}

fn all(samples: usize) -> [Block; 1] {
    [Block { samples: 0..samples, repeats: 1.0 }]
}

/// ASTM E1049-85, figure 6: reversals A … I and, in its table, one cycle of range 4, halves of 3, 4, 6, 9
/// and two of 8.
#[test]
fn the_example_of_astm() {
    let history = [-2.0, 1.0, -3.0, 5.0, -1.0, 3.0, -4.0, 4.0, -2.0];
    let found: Vec<_> = cycles(&history, Residue::HalfCycles)
        .iter()
        .map(|cycle| (2.0 * cycle.amplitude(), cycle.mean(), cycle.count))
        .collect();
    let expected = [
        (3.0, -0.5, 0.5), // A–B
        (4.0, -1.0, 0.5), // B–C
        (4.0, 1.0, 1.0),  // E–F
        (8.0, 1.0, 0.5),  // C–D
        (9.0, 0.5, 0.5),  // D–G
        (8.0, 0.0, 0.5),  // G–H
        (6.0, 1.0, 0.5),  // H–I
    ];
    assert_eq!(found, expected);
}

/// Figure 7 of the same: the history D, E, F, G, H, A, B, C, D, which follows itself, has ranges 3, 4, 7 and
/// 9 once each.
#[test]
fn the_repeating_example_of_astm() {
    // Begun somewhere else: A … H, with −2 at A, as the history of figure 6 without its last reversal.
    for turned in 0..8 {
        let mut history = [-2.0, 1.0, -3.0, 5.0, -1.0, 3.0, -4.0, 4.0];
        history.rotate_left(turned);
        let mut ranges: Vec<f64> =
            cycles(&history, Residue::Repeated).iter().map(|cycle| 2.0 * cycle.amplitude()).collect();
        ranges.sort_by(f64::total_cmp);
        assert_eq!(ranges, [3.0, 4.0, 7.0, 9.0], "turned by {turned}");
    }
}

#[test]
fn short_and_constant_histories_have_no_cycles() {
    for residue in [Residue::Repeated, Residue::HalfCycles] {
        for history in [&[][..], &[3.0], &[2.0, 2.0], &[1.0; 5]] {
            assert_eq!(cycles(history, residue), []);
        }
    }
    assert_eq!(cycles(&[0.0, 2.0], Residue::HalfCycles).len(), 1);
    // There and back again.
    let back = cycles(&[0.0, 2.0], Residue::Repeated);
    assert_eq!((back.len(), back[0].count, back[0].amplitude()), (1, 1.0, 1.0));
}

/// A round bar that turns under a bending moment: σ = 32M/(πd³) at its surface, once up and down per turn,
/// so its life is N(σ) turns, whatever the sample at which the history begins.
#[test]
fn life_of_a_rotating_bar() {
    let (moment, diameter) = (120.0, 0.02);
    let stress = 32.0 * moment / (PI * diameter * diameter * diameter);
    let material = Material::find("AISI 4340").unwrap();
    let curve = material.curve(None, Below::Same).unwrap();
    // Dowling: S_a = 1643 MPa N^−0.0977.
    let life = (stress / 1643e6).powf(-1.0 / 0.0977);
    for turns in [1.0, 7.0] {
        // 64 samples a turn hit the largest and smallest stress exactly.
        let samples = (64.0 * turns) as usize;
        let history: Vec<f64> =
            (0..samples).map(|k| stress * (TAU * k as f64 / 64.0 + PI / 8.0).cos()).collect();
        let found =
            assessment(curve.clone()).worst(Points::Axial(&history), &all(samples), &Search::new(), 0.0);
        let damage = found.unwrap().damage;
        // The cosine rounds to 1e-16 of the stress, which the power makes ten times as much.
        assert!((damage * life / turns - 1.0).abs() < 1e-12, "{damage} for {}", turns / life);
    }
}

/// Amplitude ratios r of uniaxial tension: the plane across it, or 45° and less for Findley.
#[test]
fn planes_of_tension_and_torsion_are_found() {
    let (search, samples, curve) = (Search::new(), 40, basquin(Below::Same));
    let wave: Vec<f64> = (0..samples).map(|k| 80e6 * (TAU * k as f64 / 20.0).sin()).collect();
    let amplitude = wave.iter().copied().fold(0.0, f64::max);
    // Across an axis that fits no plane of the grid.
    let axis = [0.36, 0.48, 0.8];
    let tension: Vec<[f64; 6]> = wave
        .iter()
        .map(|s| [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)].map(|(i, j)| s * axis[i] * axis[j]))
        .collect();
    let torsion: Vec<[f64; 6]> = wave.iter().map(|s| [0.0, 0.0, 0.0, 0.0, *s, 0.0]).collect();
    let flat = |all: &[[f64; 6]]| all.iter().map(|s| [s[0], s[1], s[3] + s[4]]).collect::<Vec<[f64; 3]>>();
    let (k, expected) = (0.3, 2.0 * (amplitude / 100e6).powi(5) / 1e6);
    let f = |s: f64| s * (1.0f64 + k * k).sqrt() * 2.0 / (k + (1.0f64 + k * k).sqrt());
    let findley = Assessment { criterion: Criterion::Findley { k }, ..assessment(curve.clone()) };
    let normal = assessment(curve);
    let torsion_ratio = (f(1.0)).powi(5);
    let cases: [(&Assessment, Points<'_>, f64); 6] = [
        (&normal, Points::Solid(&tension), 1.0),
        (&normal, Points::Solid(&torsion), 1.0),
        (&normal, Points::Surface(&flat(&torsion)), 1.0),
        (&findley, Points::Axial(&wave), 1.0),
        (&findley, Points::Solid(&tension), 1.0),
        (&findley, Points::Solid(&torsion), torsion_ratio),
    ];
    for (which, (assessment, points, ratio)) in cases.into_iter().enumerate() {
        let found = assessment.worst(points, &all(samples), &search, 0.0).unwrap();
        let damage = found.damage / (expected * ratio);
        // Half a degree to all sides: sin² of 0.66°, twice of it for λ₃ = −λ₁, to the power of 5: 1.4e-3;
        // Findley's parameter is as flat about its maximum.
        assert!(damage < 1.0 + 1e-12 && damage > 1.0 - 1.4e-3, "case {which}: {damage}");
        if which == 0 {
            let cosine: f64 = (0..3).map(|i| found.normal[i] * axis[i]).sum();
            assert!(cosine.abs().acos().to_degrees() < 1.0, "{:?}", found.normal);
        }
    }
}

/// A mean shear does not change Findley's parameter, a mean tension does, by σ_n,max.
#[test]
fn findley_knows_mean_tension() {
    let (search, k, mean) = (Search::new(), 0.25, 60e6);
    let wave: Vec<f64> = (0..40).map(|k| mean + 80e6 * (TAU * f64::from(k) / 20.0).cos()).collect();
    let findley = Assessment { criterion: Criterion::Findley { k }, ..assessment(basquin(Below::Same)) };
    // max over θ of a/2 sin 2θ + k(a + m)/2 (1 + cos 2θ): half of √(a² + (k(a + m))²) + k(a + m).
    let (a, most) = (80e6f64, k * (80e6 + mean));
    let equivalent = (a.hypot(most) + most) / (k + (1.0 + k * k).sqrt());
    let expected = 2.0 * (equivalent / 100e6).powi(5) / 1e6;
    let found = findley.worst(Points::Axial(&wave), &all(40), &search, 0.0).unwrap().damage;
    assert!((found / expected - 1.0).abs() < 1e-3, "{found} for {expected}");
}

/// A stress whose axes turn with the wave, σ₁ = S along cos ωt, sin ωt: each plane across the surface sees
/// S cos², and all have the same damage: two cycles from 0 to S a turn.
#[test]
fn turning_axes_damage_all_planes_alike() {
    let (size, samples) = (150e6, 144);
    let history: Vec<[f64; 3]> = (0..samples)
        .map(|k| {
            let (s, c) = (TAU * k as f64 / samples as f64).sin_cos();
            [size * c * c, size * s * s, size * s * c]
        })
        .collect();
    let goodman =
        Assessment { mean: MeanStress::Goodman { ultimate: 500e6 }, ..assessment(basquin(Below::Same)) };
    let equivalent = 0.5 * size / (1.0 - 0.5 * size / 500e6);
    let expected = 2.0 * (equivalent / 100e6).powi(5) / 1e6;
    let found = goodman.worst(Points::Surface(&history), &all(samples), &Search::new(), 0.0).unwrap().damage;
    // Planes of the grid (5°) meet samples (2.5°) exactly.
    assert!((found / expected - 1.0).abs() < 1e-12, "{found} for {expected}");
}

/// Blocks: each its own cycles, times its repeats; the damage is that of one plane in all of them.
#[test]
fn blocks_add_up_on_one_plane() {
    let wave = |size: f64| (0..20).map(move |k| size * (TAU * f64::from(k) / 20.0).cos());
    let history: Vec<[f64; 3]> =
        wave(120e6).map(|s| [s, 0.0, 0.0]).chain(wave(100e6).map(|s| [0.0, s, 0.0])).collect();
    let blocks = [Block { samples: 0..20, repeats: 10.0 }, Block { samples: 20..40, repeats: 40.0 }];
    let one = assessment(basquin(Below::Same));
    let found = one.worst(Points::Surface(&history), &blocks, &Search::new(), 0.0).unwrap();
    // Damages across: 10·1.2⁵ against 40·1, in between they only fall.
    assert!((found.damage / 40e-6 - 1.0).abs() < 1e-9, "{}", found.damage);
    assert!(found.normal[1].abs() > 0.999);
}

/// Miner's rules at half the amplitude of the knee: none, 2⁵ and 2⁹ times the cycles.
#[test]
fn rules_below_the_knee() {
    assert_eq!(basquin(Below::Limit).cycles(50e6), f64::INFINITY);
    assert_eq!(basquin(Below::Limit).cycles(100e6), 1e6);
    assert_eq!(basquin(Below::Limit).limit(), Some(100e6));
    assert!((basquin(Below::Same).cycles(50e6) / 32e6 - 1.0).abs() < 1e-14);
    assert!((basquin(Below::Haibach).cycles(50e6) / 512e6 - 1.0).abs() < 1e-14);
    assert!((basquin(Below::Slope(22.0)).cycles(50e6) / (1e6 * 4_194_304.0) - 1.0).abs() < 1e-14);
    assert_eq!(basquin(Below::Limit).cycles(0.0), f64::INFINITY);
    assert_eq!(basquin(Below::Same).cycles(f64::INFINITY), 0.0);
}

/// Points of a table are met, and between them the line in log–log.
#[test]
fn tables_are_lines_in_logarithms() {
    let points = vec![(1e4, 400e6), (1e5, 300e6), (2e6, 180e6)];
    let curve = SnCurve::new(points.clone(), None, Below::Limit, -1.0).unwrap();
    for (cycles, stress) in points {
        assert!((curve.cycles(stress) / cycles - 1.0).abs() < 1e-12);
    }
    let middle = (300e6f64 * 180e6).sqrt();
    assert!((curve.cycles(middle) / (1e5f64 * 2e6).sqrt() - 1.0).abs() < 1e-12);
    // The first line goes on: 400/300 is a factor of 10.
    assert!((curve.cycles(400e6 * 400.0 / 300.0) / 1e3 - 1.0).abs() < 1e-12);
}

/// What is equivalent at the ratio of the curve is equivalent to itself there, with every law.
#[test]
fn curves_at_another_ratio() {
    let laws = [
        MeanStress::Goodman { ultimate: 900e6 },
        MeanStress::Gerber { ultimate: 900e6 },
        MeanStress::Soderberg { yield_stress: 700e6 },
        MeanStress::Morrow { fracture: 1500e6 },
        MeanStress::Walker { gamma: 0.6 },
        MeanStress::SmithWatsonTopper,
        MeanStress::Fkm { sensitivity: 0.25 },
    ];
    for law in laws {
        for ratio in [-0.5, 0.0, 0.1, 0.5] {
            let (s, rho) = (120e6, (1.0 + ratio) / (1.0 - ratio));
            let back = law.equivalent(s, rho * s, ratio);
            assert!((back / s - 1.0).abs() < 1e-12, "{law:?} at {ratio}: {back}");
        }
        // Powers round.
        assert!((law.equivalent(120e6, 0.0, -1.0) / 120e6 - 1.0).abs() < 1e-15, "{law:?}");
    }
    // S = 100 about 300 at R_m = 900: 150, 112.5.
    assert!((laws[0].equivalent(100e6, 300e6, -1.0) - 150e6).abs() < 1.0);
    assert!((laws[1].equivalent(100e6, 300e6, -1.0) - 112.5e6).abs() < 1.0);
    assert_eq!(laws[0].equivalent(100e6, 900e6, -1.0), f64::INFINITY);
    assert_eq!(laws[5].equivalent(100e6, -100e6, -1.0), 0.0);
}

/// The design factor of FKM, K_f + 1/K_R − 1, and K_f of both laws: K_t = 3, a = r halves K_t − 1.
#[test]
fn notches_and_surfaces() {
    let wave: Vec<f64> = (0..20).map(|k| 50e6 * (TAU * f64::from(k) / 20.0).cos()).collect();
    let damage = |factors: Factors| {
        let one = Assessment { factors, ..assessment(basquin(Below::Same)) };
        one.worst(Points::Axial(&wave), &all(20), &Search::new(), 0.0).unwrap().damage
    };
    let plain = damage(Factors::default());
    let rough = damage(Factors { notch: Notch::Given(2.0), surface: 0.8, stress: 1.0 });
    assert!((rough / plain / (2.0f64 + 1.0 / 0.8 - 1.0).powi(5) - 1.0).abs() < 1e-12);
    let (theoretical, radius) = (3.0, 1e-3);
    for (notch, factor) in [
        (Notch::Peterson { theoretical, radius, length: 1e-3 }, 2.0f64),
        (Notch::Neuber { theoretical, radius, length: 4e-3 }, 1.0 + 2.0 / 3.0),
    ] {
        let found = damage(Factors { notch, surface: 1.0, stress: 1.1 }) / plain;
        assert!((found / (1.1 * factor).powi(5) - 1.0).abs() < 1e-12, "{found}");
    }
}

/// The bound without a search never calls an element harmless that has damage, and does call some.
#[test]
fn harmless_elements_have_no_damage() {
    let search = Search::new();
    let mut state = 1u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / f64::from(1u32 << 31) * 2.0 - 1.0
    };
    let (mut skipped, mut damaged) = (0, 0);
    for trial in 0..60 {
        let (size, samples) = (20e6 + 2e6 * f64::from(trial), 30);
        let steady: [f64; 6] = std::array::from_fn(|_| 40e6 * random());
        let history: Vec<[f64; 6]> =
            (0..samples).map(|_| std::array::from_fn(|i| steady[i] + size * random())).collect();
        // Frobenius bounds the spectral norm.
        let norm = |s: &[f64; 6]| {
            let (normal, shear) = s.split_at(3);
            (normal.iter().map(|x| x * x).sum::<f64>() + 2.0 * shear.iter().map(|x| x * x).sum::<f64>())
                .sqrt()
        };
        let radius =
            history.iter().map(|s| norm(&std::array::from_fn(|i| s[i] - steady[i]))).fold(0.0, f64::max);
        let largest = history.iter().map(norm).fold(0.0, f64::max);
        for one in [
            Assessment { mean: MeanStress::Goodman { ultimate: 600e6 }, ..assessment(basquin(Below::Limit)) },
            Assessment { criterion: Criterion::Findley { k: 0.2 }, ..assessment(basquin(Below::Limit)) },
        ] {
            let damage = one.worst(Points::Solid(&history), &all(samples), &search, 0.0);
            if one.is_harmless(radius, largest) {
                skipped += 1;
                assert_eq!(damage, None, "trial {trial}");
            }
            damaged += usize::from(damage.is_some());
        }
    }
    assert!(skipped > 5 && damaged > 5, "{skipped} skipped, {damaged} damaged");
}

#[test]
fn curves_and_numbers_are_checked() {
    let curve =
        |points: &[(f64, f64)], slope| SnCurve::new(points.to_vec(), slope, Below::Limit, -1.0).map(|_| ());
    assert_eq!(curve(&[], Some(5.0)), Err(CurveError::Empty));
    assert_eq!(curve(&[(1e6, 1e8)], None), Err(CurveError::NoSlope));
    assert_eq!(curve(&[(1e6, 1e8)], Some(f64::INFINITY)), Err(CurveError::Slope(f64::INFINITY)));
    assert_eq!(curve(&[(1e6, -1.0)], Some(5.0)), Err(CurveError::NotPositive(1e6, -1.0)));
    let rising = curve(&[(1e5, 1e8), (1e6, 2e8)], None).unwrap_err();
    assert_eq!(
        rising.to_string(),
        "cycles must rise and stress must fall along an S–N curve, found 200000000 Pa at 1000000 cycles after \
         100000000 Pa at 100000 cycles"
    );
    assert!(matches!(SnCurve::new(vec![(1e6, 1e8)], Some(5.0), Below::Same, 1.0), Err(CurveError::Ratio(_))));
    let good = assessment(basquin(Below::Limit));
    assert_eq!(good.check(), Ok(()));
    let twice = Assessment {
        criterion: Criterion::Findley { k: 0.3 },
        mean: MeanStress::SmithWatsonTopper,
        ..good.clone()
    };
    assert_eq!(twice.check(), Err(AssessmentError::Twice));
    let gamma = Assessment { mean: MeanStress::Walker { gamma: 0.0 }, ..good.clone() };
    assert_eq!(
        gamma.check().unwrap_err().to_string(),
        "Walker's exponent must be above 0 and at most 1, found 0"
    );
    let rough = Assessment { factors: Factors { surface: 1.2, ..Factors::default() }, ..good };
    assert!(rough.check().is_err());
}

/// A table of Dowling: 4340 steel at 10⁶ cycles, 1643 · 10⁶^−0.0977 = 426 MPa.
#[test]
fn materials_of_the_library() {
    let curve = Material::find("AISI 4340").unwrap().curve(Some(1e6), Below::Limit).unwrap();
    assert!((curve.limit().unwrap() / 426.0e6 - 1.0).abs() < 1e-3, "{:?}", curve.limit());
    for material in pliant_durability::MATERIALS {
        let half = material.curve(None, Below::Same).unwrap();
        assert!((half.cycles(0.4 * material.ultimate)).log10() > 3.0, "{}", material.name);
        assert!(material.yield_stress < material.ultimate && material.ultimate < material.fracture);
    }
}
