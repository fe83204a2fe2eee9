//! A rigid link.

use nalgebra::{Matrix3, Matrix6, Matrix6xX, Vector3};
use pliant_diag::Diagnostic;
use pliant_link::{Interface, Invariants, ReducedLink};
use pliant_mesh::inertia_problem;
use pliant_spatial::Transform;

use crate::request::RigidSource;

/// A reduced link without elastic coordinates.
///
/// # Errors
/// A mass that is not positive, or an inertia that no body can have.
pub fn rigid_link(name: &str, body: &RigidSource) -> Result<ReducedLink, Box<Diagnostic>> {
    let error = |message: &str| Box::new(Diagnostic::error(message).at(body.origin.0));
    let ([xx, yy, zz], [xy, yz, zx]) = (body.inertia, body.products);
    let inertia = Matrix3::new(xx, xy, zx, xy, yy, yz, zx, yz, zz);
    if body.mass <= 0.0 {
        return Err(error("the mass of a rigid link must be positive"));
    }
    if let Some(problem) = inertia_problem(&inertia) {
        return Err(error(&problem.to_string()));
    }
    let centre = Vector3::from(body.centre);
    let cross = centre.cross_matrix() * body.mass;
    let mut M0 = Matrix6::zeros();
    M0.fixed_view_mut::<3, 3>(0, 0).copy_from(&(Matrix3::identity() * body.mass));
    M0.fixed_view_mut::<3, 3>(0, 3).copy_from(&-cross);
    M0.fixed_view_mut::<3, 3>(3, 0).copy_from(&cross);
    M0.fixed_view_mut::<3, 3>(3, 3).copy_from(&(inertia - centre.cross_matrix() * cross));
    let interfaces = body.interfaces.iter().map(|(name, position)| Interface {
        name: name.clone(),
        X_LT: Transform::translation(Vector3::from(*position)),
        V: Matrix6xX::zeros(0),
        G: None,
    });
    let size = body.interfaces.iter().map(|(_, p)| Vector3::from(*p).norm()).fold(centre.norm(), f64::max);
    Ok(ReducedLink {
        name: name.to_owned(),
        interfaces: interfaces.collect(),
        coordinates: Vec::new(),
        K: nalgebra::DMatrix::zeros(0, 0),
        D: nalgebra::DMatrix::zeros(0, 0),
        invariants: Invariants::rigid(M0),
        size,
        rail: None,
    })
}
