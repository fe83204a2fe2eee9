//! Rotations, 4×4 transforms, twists, wrenches and spatial inertia.
//!
//! One notation for the entire program: `X_AB` is the pose of frame B in frame A and takes coordinates from B
//! to A, so adjacent letters cancel: `X_WT = X_WL * X_LT`. Spatial vectors put translation first and rotation
//! second (Nastran components 1 to 6). A twist `V_AB` is the velocity of the frame B relative to A, measured
//! at the origin of B in the axes of B ("body twist"); its wrench is taken at the same point in the same
//! axes.
#![expect(non_snake_case, reason = "frames and matrices keep the letters of the equations")]

mod displacement;
mod inertia;
mod rotation;
mod transform;
mod twist;

pub use displacement::Displacement;
pub use inertia::{point_mass, spatial_inertia};
pub use rotation::{
    RotationMotion, left_jacobian, left_jacobian_inverse, left_jacobian_rate, quaternion_exp, rotation_exp,
    rotation_log, rotation_motion, skew,
};
pub use transform::Transform;
pub use twist::{Twist, Wrench, cross_motion, cross_wrench, twist, wrench};
