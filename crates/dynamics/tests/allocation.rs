//! No step allocates: an allocator that counts.
#![expect(non_snake_case, dead_code, reason = "shares the machines of the verification tests")]
#![expect(clippy::unwrap_used, reason = "helpers of tests are tests")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

use nalgebra::Vector3;
use pliant_dynamics::{Settings, Simulation, Structure};
use pliant_mechanism::motion::Cycloidal;
use pliant_mechanism::{Model, ModelBuilder, Placement};
use pliant_spatial::Transform;

#[path = "verification/support.rs"]
mod support;

use support::{Beam, ROD, driven, named, point_payload, revolute};

struct Counting;

static COUNT: AtomicU64 = AtomicU64::new(0);

// SAFETY: hands every call on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Two rods, one driven and linear in its chord, one free on a soft bearing.
fn arm() -> Model {
    let slew = Cycloidal { from: 0.0, to: 1.0, start: 0.0, duration: 0.1 };
    let mut free = revolute("second", "one", "two", Vector3::z());
    free.bearing.components[3] = Some((1e4, 0.1));
    ModelBuilder {
        gravity: Vector3::y() * -9.81,
        links: vec![named(Beam { chord: true, ..ROD }.link("one")), named(ROD.link("two"))],
        joints: vec![driven(revolute("first", "", "one", Vector3::z()), slew), free],
        payloads: vec![point_payload("two", 0.5)],
        ..ModelBuilder::default()
    }
    .build()
    .unwrap()
}

/// Three rods and the ground in a loop.
fn four_bar() -> Model {
    let slew = Cycloidal { from: 0.0, to: 0.3, start: 0.0, duration: 0.1 };
    let mut last = revolute("last", "", "three", Vector3::z());
    let X_TP = Transform::translation(Vector3::x() * 1.2);
    last.placement = Placement::Frames { X_TP, X_LC: Transform::identity() };
    let mut pin = revolute("pin", "two", "three", Vector3::z());
    pin.child_interface = Some("tip".into());
    let mut second = revolute("second", "one", "two", Vector3::z());
    (second.coordinates[0].initial, last.coordinates[0].initial) = (1.3, 2.0);
    ModelBuilder {
        links: ["one", "two", "three"].map(|name| named(ROD.link(name))).to_vec(),
        joints: vec![driven(revolute("first", "", "one", Vector3::z()), slew), second, last, pin],
        ..ModelBuilder::default()
    }
    .build()
    .unwrap()
}

#[test]
fn a_step_does_not_allocate() {
    let mut damped = arm();
    let structure = Structure::new(&damped, 0.0).unwrap();
    damped.add_damping(structure.modal_damping(|_, _| 0.02));
    for model in [arm(), four_bar(), damped] {
        let mut simulation = Simulation::new(&model, &Settings::default()).unwrap();
        let before = COUNT.load(Ordering::Relaxed);
        for _ in 0..200 {
            simulation.advance(1e-4).unwrap();
            simulation.energy();
        }
        let after = COUNT.load(Ordering::Relaxed);
        // The test harness may print from another thread; two hundred steps would allocate hundreds of times.
        assert!(after - before < 20, "{} allocations in 200 steps", after - before);
    }
}
