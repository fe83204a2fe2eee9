//! A car suspension of FEDEM's: three links from decks, six ball joints of which three close loops, spring, damper and road force.
//! Nothing of that data is in the repository.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pliant_dynamics::{Frame, simulate};
use pliant_machine::Plan;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/fedem/suspension");

fn pipeline(folder: &Path, step: &str) -> PathBuf {
    let road = std::fs::read_to_string(Path::new(FOLDER).join("FZ.asc")).unwrap();
    let rows: Vec<String> = road
        .lines()
        .filter_map(|line| {
            let mut fields = line.split_whitespace();
            let (t, f): (f64, f64) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
            Some(format!("{t}, {}", -f))
        })
        .collect();
    std::fs::write(folder.join("road.csv"), rows.join("\n")).unwrap();
    let ball = |name: &str, parent: &str, child: &str, origin: &str| {
        let origin = if origin.is_empty() { String::new() } else { format!("origin = {origin}\n") };
        format!("[joints.{name}]\nparent = '{parent}'\nchild = '{child}'\ntype = 'spherical'\n{origin}")
    };
    let link = |name: &str, file: &str, rest: &str| {
        format!("[links.{name}]\ndeck = '{FOLDER}/{file}'\nmodes = {{ count = 12 }}\n{rest}\n")
    };
    let text = [
        "gravity = [0, 0, -9.81]\n".to_owned(),
        link("lca", "lca.bdf", "inboard = 11911\ninterfaces = { rear = 11912, ball = 11910, seat = 11909 }"),
        link("knuckle", "knuckle.nas", "inboard = 3\ninterfaces = { upper = 4, tie = 2, wheel = 1 }"),
        link("uca", "uca.nas", "inboard = 2158\ninterfaces = { rear = 2159, ball = 2160 }"),
        ball("lower_front", "ground", "lca", "[-0.05811678, 0.03882856, 0.07981566]"),
        ball("lower_rear", "ground", "lca.rear", "[0.17168449, 0.03882856, 0.07981566]"),
        ball("lower_ball", "lca.ball", "knuckle", ""),
        ball("upper_front", "ground", "uca", "[-0.08312982, -0.02, 0.3160429]"),
        ball("upper_rear", "ground", "uca.rear", "[0.0842875, -0.02, 0.28652272]"),
        ball("upper_ball", "uca.ball", "knuckle.upper", ""),
        "[forces.spring]\nfrom = 'ground'\nfrom_at = [0, 0, 0.3]\nto = 'lca.seat'\n\
         spring = { stiffness = 7.5e5, free_length = 0.2316434524 }\n\
         [forces.damper]\nfrom = 'ground'\nfrom_at = [0, 0, 0.3]\nto = 'lca.seat'\ndamper = { damping = 3000 }\n\
         [forces.tie_rod]\nfrom = 'ground'\nfrom_at = [0.08525102, -0.201314, 0.1854661]\nto = 'knuckle.tie'\n\
         bushing = { stiffness = [1e10, 0, 0, 0, 0, 0] }\n\
         [loads.road]\nat = 'knuckle.wheel'\nforce = [0, 0, 'road.csv']\n"
            .to_owned(),
        format!("[analysis]\nend = 2.5\n{step}\n[output]\nevery = 5e-3\n"),
    ];
    let path = folder.join("suspension.toml");
    std::fs::write(&path, text.concat()).unwrap();
    path
}

#[test]
#[ignore = "the lower arm's 44,208 tetrahedra take half a minute; run with --ignored"]
fn spring_damper_and_ball_joint_agree_with_fedem() {
    let Ok(bytes) = std::fs::read(Path::new(FOLDER).join("exported_curves.asc")) else {
        println!("SKIPPED: {FOLDER} is not here");
        return;
    };
    let text = String::from_utf8_lossy(&bytes);
    let rows: Vec<Vec<f64>> = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split_whitespace().filter_map(|x| x.parse().ok()).collect())
        .collect();
    // FEDEM's own step with its usual numerical damping, and a step that is converged.
    for step in ["step = 5e-3\nintegrator = 'hht'\nalpha = 0.1", "step = 2.5e-4"] {
        let folder = tempfile::tempdir().unwrap();
        let file = pliant_pipeline::read(&pipeline(folder.path(), step));
        assert!(!file.diagnostics.has_errors(), "{:#?}", file.diagnostics);
        let file = file.output;
        let cache = std::env::temp_dir().join("pliant-suspension-test");
        let cache = Some(pliant_store::Cache::at(cache));
        let links = file.table.as_ref().unwrap().links.iter().map(|(name, table)| {
            let made = pliant_store::link_for(name, table, &file, cache.as_ref()).unwrap();
            (name.to_owned(), Arc::new(made.link.clone()))
        });
        let links: Vec<_> = links.collect();
        let plan = Plan::new(&file).output.unwrap();
        let (kind, settings) = (plan.kind, plan.settings);
        let model = plan.model(links, &file.document).unwrap();
        let first = model.closures().constraint_count();
        let upper = model.interface("uca", "ball").unwrap();
        let knuckle = model.interface("knuckle", "upper").unwrap();
        let mut ours: Vec<[f64; 3]> = Vec::new();
        simulate(&model, kind, &settings, &mut |frame: &Frame<'_>| {
            let push = frame.work.multipliers();
            let turn =
                frame.work.X_WT(knuckle.0, knuckle.1).R.transpose() * frame.work.X_WT(upper.0, upper.1).R;
            let angle = nalgebra::Rotation3::from_matrix_unchecked(turn).scaled_axis().x;
            ours.push([-push[first], -push[first + 1], angle]);
        })
        .unwrap();
        for (k, (name, column)) in [("spring", 3), ("damper", 4), ("ball joint 4", 9)].into_iter().enumerate()
        {
            let peak = rows.iter().map(|row| row[column].abs()).fold(0.0, f64::max);
            let square: f64 =
                rows.iter().zip(&ours).map(|(row, o)| (o[k].abs() - row[column].abs()).powi(2)).sum();
            let own = ours.iter().map(|o| o[k].abs()).fold(0.0, f64::max);
            let rms = (square / rows.len() as f64).sqrt() / peak;
            println!(
                "{}: {name}: peak {own:.4} against {peak:.4}, rms of the difference {:.2} % of the peak",
                step.replace('\n', ", "),
                100.0 * rms
            );
        }
    }
}
