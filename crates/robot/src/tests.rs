//! A small robot whose numbers are known, and what is refused. Robots of others: tests/peers/robots.py.

use std::path::Path;

use pliant_diag::Severity;

use crate::{pipeline, read};

fn link(name: &str, mass: f64, inertia: f64) -> String {
    format!(
        "<link name=\"{name}\">\n<inertial><origin xyz=\"0 0 0.5\"/><mass value=\"{mass}\"/>\n\
         <inertia ixx=\"{inertia}\" iyy=\"{inertia}\" izz=\"{inertia}\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>\n</link>\n"
    )
}

fn joint(name: &str, kind: &str, parent: &str, child: &str, rest: &str) -> String {
    format!(
        "<joint name=\"{name}\" type=\"{kind}\"><parent link=\"{parent}\"/><child link=\"{child}\"/>{rest}</joint>\n"
    )
}

/// Text of the pipeline file, and problems with their lines.
fn import(content: &str) -> (String, Vec<(u32, Severity, String)>) {
    let text = format!("<?xml version=\"1.0\"?>\n<robot name=\"arm\">\n{content}</robot>\n");
    let (read, sources) = read(Path::new("arm.urdf"), text);
    let written = pipeline(&read.output);
    let all = read.diagnostics.iter().chain(&written.diagnostics);
    let line = |span: Option<pliant_diag::Span>| span.map_or(0, |span| sources.line_column(span).line);
    (written.output.clone(), all.map(|d| (line(d.span), d.severity, d.message.clone())).collect())
}

#[test]
fn links_that_are_fixed_to_each_other_are_one_body() {
    let content = [
        "<link name=\"base\"/>\n".to_owned(),
        link("upper", 2.0, 0.1),
        link("cover", 2.0, 0.1),
        "<link name=\"tool.0\"/>\n".to_owned(),
        joint("shoulder", "revolute", "base", "upper", "<origin xyz=\"0 0 1\" rpy=\"0 0 1.5707963267948966\"/><axis xyz=\"0 2 0\"/><limit lower=\"-1\" upper=\"2\" effort=\"5\" velocity=\"3\"/><dynamics damping=\"0.5\" friction=\"0.1\"/>"),
        joint("glue", "fixed", "upper", "cover", "<origin xyz=\"2 0 0\"/>"),
        joint("mount", "fixed", "upper", "tool.0", "<origin xyz=\"0 0 3\"/>"),
    ]
    .concat();
    let (text, problems) = import(&content);
    assert!(problems.is_empty(), "{problems:?}");
    // Two masses of 2 kg at (0, 0, 0.5) and (2, 0, 0.5): centre (1, 0, 0.5), and 2 · 2 · 1² more about y and
    // z.
    for line in [
        "mass       = 4.0",
        "centre     = [1.0, 0.0, 0.5]",
        "inertia    = [0.2, 4.2, 4.2]",
        "interfaces = { \"tool_0\" = [0.0, 0.0, 3.0] }",
        "parent = \"ground\"",
        "origin = [0.0, 0.0, 1.0]",
        "axis   = [0.0, 1.0, 0.0]",
        "friction = { viscous = 0.5, coulomb = 0.1 }",
        "# limits: -1 to 2 rad, 5 N·m, 3 rad/s",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
}

#[test]
fn bad_robots_are_refused_at_their_lines() {
    let with = |rest: String| import(&format!("<link name=\"base\"/>\n{rest}")).1;
    let moves = |link: String| with(format!("{link}{}", joint("j", "continuous", "base", "a", "")));
    let missing = moves("<link name=\"a\"/>\n".to_owned());
    assert_eq!(missing, [(4, Severity::Error, "link `a` moves and has no inertia".to_owned())]);
    let flat = link("a", 1.0, 0.1).replace("izz=\"0.1\"", "izz=\"0.5\"");
    let impossible = &moves(flat)[0];
    assert!(impossible.0 == 6 && impossible.2.starts_with("link `a`: impossible inertia"), "{impossible:?}");
    let negative = &moves(link("a", -1.0, 0.1))[0];
    assert!(negative.0 == 5 && negative.2.contains("must be positive, found -1"), "{negative:?}");
    let planar = with(format!("{}{}", link("a", 1.0, 0.1), joint("j", "planar", "base", "a", "")));
    assert!(planar.iter().any(|p| p.2 == "joint `j`: type `planar` is not translated"), "{planar:?}");
    let twice = with(format!("{}{}", link("a", 1.0, 0.1), link("b", 1.0, 0.1)));
    assert!(twice[0].2.starts_with("expected one link without parent, found base, a, b"), "{twice:?}");
    let looped = with(format!(
        "{}{}{}{}{}",
        link("a", 1.0, 0.1),
        link("b", 1.0, 0.1),
        link("c", 1.0, 0.1),
        joint("i", "fixed", "base", "a", ""),
        [joint("j", "fixed", "b", "c", ""), joint("k", "fixed", "c", "b", "")].concat(),
    ));
    assert!(
        looped.iter().any(|p| p.2 == "link `b` hangs on itself: the joints around it form a loop"),
        "{looped:?}"
    );
    let two_parents = with(format!(
        "{}{}{}",
        link("a", 1.0, 0.1),
        link("b", 1.0, 0.1),
        [
            joint("i", "fixed", "base", "a", ""),
            joint("j", "fixed", "a", "b", ""),
            joint("k", "fixed", "b", "a", "")
        ]
        .concat(),
    ));
    assert!(two_parents.iter().any(|p| p.2 == "link `a` is the child of two joints"), "{two_parents:?}");
    let (read, _) = read(Path::new("a.urdf"), "<robot>\n<link\n".to_owned());
    assert!(read.diagnostics.has_errors());
}

#[test]
fn mimic_joints_are_couplings() {
    let content = [
        "<link name=\"base\"/>\n".to_owned(),
        link("a", 1.0, 0.1),
        link("b", 1.0, 0.1),
        joint("left", "prismatic", "base", "a", ""),
        joint("right", "prismatic", "base", "b", "<mimic joint=\"left\" multiplier=\"-1\" offset=\"0.25\"/>"),
    ]
    .concat();
    let (text, problems) = import(&content);
    assert!(problems.is_empty(), "{problems:?}");
    // right = −left + 0.25.
    assert!(
        text.contains("[couplings.\"right\"]\nterms = { \"right\" = 1, \"left\" = 1.0 }\nvalue = 0.25"),
        "{text}"
    );
}
