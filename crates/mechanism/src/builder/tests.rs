//! Good machines are sorted, bad ones are refused with all their problems.

use nalgebra::{Matrix3, Vector3};
use pliant_spatial::Transform;

use super::*;
use crate::joint::{Revolute, Spherical};
use crate::motion::Hold;
use crate::{Bearing, Drive};

fn link(name: &str) -> (String, Arc<ReducedLink>) {
    let tip = ("tip".to_owned(), Transform::translation(Vector3::x()));
    let rigid = ReducedLink::rigid(name, 1.0, Vector3::x() * 0.5, Matrix3::identity() * 0.1, [tip]);
    (name.to_owned(), Arc::new(rigid))
}

fn joint(name: &str, parent: Attachment, child: &str) -> JointSpec {
    JointSpec {
        name: name.into(),
        parent,
        child: child.into(),
        child_interface: None,
        closes_loop: false,
        joint: Box::new(Revolute::new(Vector3::z()).unwrap()),
        placement: Placement::Triad,
        coordinates: Vec::new(),
        bearing: Bearing::default(),
        grip: None,
    }
}

#[test]
fn bodies_are_sorted_parents_first_whatever_the_order_given() {
    let builder = ModelBuilder {
        links: vec![link("hand"), link("arm"), link("base")],
        joints: vec![
            joint("wrist", Attachment::interface("arm", "tip"), "hand"),
            joint("shoulder", Attachment::interface("base", "tip"), "arm"),
            joint("hip", Attachment::Ground, "base"),
        ],
        ..Default::default()
    };
    let model = builder.build().unwrap();
    let names: Vec<_> = model.bodies().iter().map(|b| b.name.as_str()).collect();
    assert_eq!(names, ["base", "arm", "hand"]);
    assert_eq!(model.bodies()[2].parent, Some(crate::BodyIndex(1).interface(0)));
    assert_eq!((model.position_count(), model.velocity_count()), (3, 3));
    assert_eq!(model.rigid().velocity_count(), 3);
}

#[test]
fn every_problem_is_reported_with_its_key() {
    let mut bad = joint("elbow", Attachment::interface("arm", "tipp"), "hand");
    bad.coordinates = vec![CoordinateSpec {
        friction: crate::Friction { viscous: -1.0, ..Default::default() },
        ..Default::default()
    }];
    let mut ball = joint("ball", Attachment::Ground, "arm");
    ball.joint = Box::new(Spherical);
    ball.coordinates = vec![CoordinateSpec {
        drive: Drive::Prescribed(Arc::new(Hold { value: 0.0 })),
        ..Default::default()
    }];
    ball.bearing.components[2] = Some((0.0, 0.0));
    let builder = ModelBuilder {
        links: vec![link("hand"), link("arm"), link("lost")],
        joints: vec![bad, ball, joint("second", Attachment::interface("arm", "tip"), "arm")],
        payloads: vec![PayloadSpec {
            name: "box".into(),
            at: Attachment::Ground,
            mass: -1.0,
            centre: Vector3::zeros(),
            inertia: Matrix3::zeros(),
        }],
        gravity: Vector3::new(0.0, 0.0, f64::NAN),
        ..Default::default()
    };
    let problems = builder.build().unwrap_err();
    let keys: Vec<_> = problems.iter().map(|p| p.key.as_str()).collect();
    for key in [
        "joints.elbow.angle.friction.viscous",
        "joints.ball.rotation_x",
        "joints.ball.bearing.3",
        "joints.elbow.parent",
        "joints.second",
        "links.lost",
        "payloads.box",
        "payloads.box.at",
        "gravity",
    ] {
        assert!(keys.contains(&key), "{key} not among {keys:?}");
    }
    let parent = problems.iter().find(|p| p.key == "joints.elbow.parent").unwrap();
    assert!(parent.message.contains("tipp") && parent.message.contains("its interfaces: tip"), "{parent}");
}

#[test]
fn a_ring_of_parents_is_refused() {
    let builder = ModelBuilder {
        links: vec![link("a"), link("b")],
        joints: vec![
            joint("one", Attachment::interface("b", "tip"), "a"),
            joint("two", Attachment::interface("a", "tip"), "b"),
        ],
        ..Default::default()
    };
    let problems = builder.build().unwrap_err();
    let expected = |joint: &str, parent: &str| {
        format!(
            "joint `{joint}` holds it on link `{parent}`, which no chain of joints connects to the ground"
        )
    };
    let messages: Vec<_> = problems.iter().map(|p| p.message.clone()).collect();
    assert_eq!(messages, [expected("one", "b"), expected("two", "a")]);
}

#[test]
fn a_link_that_nothing_carries_names_the_joint_that_has_it_as_parent() {
    let builder = ModelBuilder {
        links: vec![link("a"), link("b")],
        joints: vec![
            joint("one", Attachment::Ground, "a"),
            joint("two", Attachment::interface("b", "tip"), "a"),
        ],
        ..Default::default()
    };
    let problems = builder.build().unwrap_err();
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert_eq!(problems[0].key, "links.b");
    assert!(problems[0].message.contains("joint `two` has it as its parent"), "{problems:?}");
}

#[test]
fn the_tree_is_chosen_from_the_ground_and_can_be_given() {
    let build = |first_closes: bool| {
        let mut first = joint("first", Attachment::Ground, "a");
        first.closes_loop = first_closes;
        let mut pin = joint("pin", Attachment::interface("a", "tip"), "b");
        pin.child_interface = Some("tip".into());
        let builder = ModelBuilder {
            links: vec![link("a"), link("b")],
            // The pin comes first, but it does not hold a link frame, so it cannot carry.
            joints: vec![
                pin,
                first,
                joint("b", Attachment::Ground, "b"),
                joint("other", Attachment::Ground, "a"),
            ],
            ..Default::default()
        };
        let model = builder.build().unwrap();
        let tree: Vec<_> = model.bodies().iter().map(|b| b.joint_name.clone()).collect();
        let closing: Vec<_> = model.closures().joints.iter().map(|j| j.name.clone()).collect();
        assert_eq!((model.position_count(), model.closures().row_count()), (4, 12));
        (tree, closing)
    };
    let names = |names: [&str; 2]| names.map(str::to_owned).to_vec();
    assert_eq!(build(false), (names(["first", "b"]), names(["pin", "other"])));
    assert_eq!(build(true), (names(["other", "b"]), names(["pin", "first"])));
}
