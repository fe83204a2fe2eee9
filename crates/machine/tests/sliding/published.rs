//! A published solution: the rod of Koutsogiannakis, Papathanasiou and Dal Corso in its sleeve.
//!
//! P. Koutsogiannakis, T. K. Papathanasiou, F. Dal Corso, *A simple yet effective ALE-FE method for the
//! nonlinear planar dynamics of variable-length flexible rods*, Applied Mathematical Modelling (2025) 115863.
//! The figures are those of the code the authors published with it, run by `tests/peers/ale_sleeve.py` and
//! extrapolated to no element length and no step, in which it is of second order: good to some 1e-4 of the
//! largest deflection. Their rod is inextensible and bends as far as it likes; EI = 2.8 N·m², 0.312 kg/m, 2 m
//! long, 1 m of it outside.

use pliant_dynamics::AnalysisKind;
use pliant_mechanism::BodyIndex;

use crate::support::{run_as, sliding};

/// What is outside of the grip at displacement zero (m).
const REST: f64 = 0.05;

/// A slide of theirs.
struct Case {
    name: &'static str,
    /// Gravity along the sleeve (m/s²).
    gravity: f64,
    /// The tip is pushed across by this times sin 4πt (N).
    force: f64,
    /// Length of the rod (m). Where the slide is prescribed what is inside does not matter to them, for their
    /// sleeve holds it; ours is held at a point, and pushing a long piece through it would buckle what is
    /// inside.
    length: f64,
    /// Lines of the joint.
    joint: &'static str,
    step: f64,
    /// Time between the rows (s), and the tip in each: along and across the sleeve (m).
    every: f64,
    tip: &'static [[f64; 2]],
    /// How far the tip may be off along the sleeve (m), and across it in parts of the largest deflection.
    limits: [f64; 2],
}

const CASES: &[Case] = &[
    Case {
        name: "their own example, until its tip turns by 0.2 rad",
        gravity: -9.8,
        force: 8.0,
        length: 2.0,
        joint: "start = { value = 0.95 }",
        step: 2.5e-4,
        every: 0.01,
        tip: &[
            [0.999_508_3, 7.918_21e-4],
            [0.998_003_2, 4.461_94e-3],
            [0.995_368_2, 1.223_66e-2],
            [0.991_372_1, 2.487_57e-2],
            [0.985_606_0, 4.349_55e-2],
            [0.977_904_7, 6.704_94e-2],
        ],
        limits: [1e-4, 6e-3],
    },
    Case {
        name: "the same at a hundredth of the load, falling in from 1 m to 0.4 m",
        gravity: -9.8,
        force: 0.08,
        length: 2.0,
        joint: "start = { value = 0.95 }",
        step: 2.5e-4,
        every: 0.05,
        tip: &[
            [0.987_749_8, 4.363_44e-4],
            [0.950_997_3, 2.128_99e-3],
            [0.889_731_2, 5.717_78e-3],
            [0.803_946_3, 9.613_46e-3],
            [0.693_707_6, 9.433_56e-3],
            [0.559_061_7, -1.365_81e-3],
            [0.399_826_4, -6.551_25e-3],
        ],
        limits: [1e-5, 3e-3],
    },
    Case {
        name: "pushed out by its own bending, until its tip turns by 0.2 rad",
        gravity: 0.0,
        force: 0.4,
        length: 2.0,
        joint: "start = { value = 0.95 }",
        step: 5e-4,
        every: 0.1,
        tip: &[
            [0.999_931_5, 1.066_73e-2],
            [0.998_881_4, 4.851_05e-2],
            [0.998_935_6, 6.075_63e-2],
            [1.002_163_4, -1.175_56e-2],
            [0.998_425_2, -1.103_81e-1],
            [1.004_628_6, -1.001_27e-1],
            [1.016_134_9, 4.473_76e-2],
        ],
        limits: [1e-4, 1.5e-2],
    },
    Case {
        name: "out and in once, 0.4 m to 1 m",
        gravity: 0.0,
        force: 0.08,
        length: 1.1,
        joint: "drive = { motion = { profile = 'harmonic', mean = 0.65, amplitude = 0.3, freq_hz = 1, phase_deg = -90 } }",
        step: 2.5e-4,
        every: 0.1,
        tip: &[
            [0.457_293_9, 8.893_10e-4],
            [0.607_292_1, 1.677_72e-3],
            [0.792_704_9, -4.417_57e-4],
            [0.942_670_7, -7.338_27e-3],
            [0.999_917_3, -1.195_66e-2],
            [0.942_700_7, -2.717_97e-3],
            [0.792_462_2, 1.819_42e-2],
            [0.607_292_7, -1.530_67e-3],
            [0.457_169_6, 9.954_39e-3],
            [0.399_937_4, 6.564_11e-3],
        ],
        limits: [1e-5, 3e-3],
    },
    Case {
        name: "in and out once at five times the speed",
        gravity: 0.0,
        force: 0.08,
        length: 1.1,
        joint: "drive = { motion = { profile = 'harmonic', mean = 0.65, amplitude = 0.3, freq_hz = 5, phase_deg = 90 } }",
        step: 1e-4,
        every: 0.02,
        tip: &[
            [0.942_705_1, 4.319_47e-5],
            [0.792_705_0, 2.376_82e-4],
            [0.607_294_6, 6.060_61e-4],
            [0.457_291_7, 1.549_46e-3],
            [0.399_993_3, 2.129_61e-3],
            [0.457_293_1, 1.200_77e-3],
            [0.607_294_7, 4.029_35e-4],
            [0.792_705_0, 2.581_61e-4],
            [0.942_704_6, 6.340_80e-4],
            [0.999_999_2, 1.027_74e-3],
        ],
        limits: [1e-5, 3e-3],
    },
];

fn machine(case: &Case) -> String {
    let &Case { gravity, force, length, joint, step, every, tip, .. } = case;
    format!(
        "gravity = [{gravity}, 0, 0]\n[links.boom]\nbeam = {{ length = {length}, elements = 120, \
         section = {{ values = {{ area = 1e-3, i1 = 1e-10 }} }}, material = {{ e = 2.8e10, nu = 0.3, rho = 312 }} }}\n\
         modes = {{ count = 40 }}\nrail = {{ from = 0.05, to = {} }}\n{}\
         [loads.tip]\nat = 'boom.tip'\nforce = [0, '{force}*sin(4*pi*t)', 0]\n\
         [analysis]\nend = {}\nstep = {step}\n[output]\nevery = {every}\n",
        length - REST,
        sliding(joint),
        every * tip.len() as f64
    )
}

#[test]
fn a_rod_in_a_sleeve_moves_as_published() {
    for case in CASES {
        let mut found = Vec::new();
        run_as(&machine(case), AnalysisKind::Nonlinear, |frame| {
            found.push(frame.work.X_WT(BodyIndex(0).interface(0)).p)
        })
        .unwrap();
        assert_eq!(found.len(), case.tip.len() + 1, "{}", case.name);
        let largest = case.tip.iter().fold(0.0f64, |most, [_, across]| most.max(across.abs()));
        let mut worst = [0.0f64; 2];
        for (found, [along, across]) in found[1..].iter().zip(case.tip) {
            worst[0] = worst[0].max((found.x - along).abs());
            worst[1] = worst[1].max((found.y - across).abs() / largest);
        }
        println!(
            "{}: along {:.1e} m, across {:.1e} of {:.2} mm",
            case.name,
            worst[0],
            worst[1],
            largest * 1e3
        );
        assert!(worst[0] < case.limits[0] && worst[1] < case.limits[1], "{}: {worst:?}", case.name);
    }
}
