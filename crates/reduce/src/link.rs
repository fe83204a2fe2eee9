//! From a mesh and a request to a reduced link.

use std::time::Instant;

use faer::Mat;
use nalgebra_sparse::CscMatrix;
use pliant_diag::{Diagnostic, Diagnostics, Origin, Warned};
use pliant_fem::dof::rigid_row;
use pliant_fem::element::MassKind;
use pliant_fem::{assemble_stiffness, implausible, load_case, massless_structure};
use pliant_link::ReducedLink;
use pliant_mesh::{Components, LinkMesh, NodeIndex, SetId, Subcase};
use pliant_sparse::{EigenError, release_memory};

use crate::ReduceError;
use crate::basis::{
    Basis, Column, FixedInterface, ModeChoice, ModeCounter, Need, Partitions, add_residuals, cantilever,
    fixed_interface, free_free,
};
use crate::choice::cut_cluster;
use crate::completeness::{Proof, element_entries};
use crate::frequencies::FullLink;
use crate::health::{Health, MassCheck, grounding};
use crate::interface::{MeshInterface, about_spiders, make_interface, same_grid};
use crate::leftovers::about_leftovers;
use crate::rail::RailSource;
use crate::reduced::Ingredients;
use crate::request::{
    BasisKind, Interfaces, LinkRequest, Located, Modes, ResidualLoad, SecondOrderKind, unknown_load,
};
use crate::second_order::{SecondOrder, UnitResponses};
use crate::shapes::{LinkFrame, NodalShapes, no_shapes};
use crate::substructure::{Substructure, link_constraints, substructure};

/// A mesh with the interfaces that make a link of it.
#[derive(Clone, Debug)]
pub struct MeshedLink {
    /// The mesh.
    pub mesh: LinkMesh,
    /// Its interfaces.
    pub interfaces: Interfaces,
}

/// A reduced link with what its report and its recovery need.
#[derive(Debug)]
pub struct Reduction {
    /// What the dynamics need.
    pub link: ReducedLink,
    /// The shapes of its coordinates at every grid.
    pub shapes: NodalShapes,
    /// The mesh with the spiders that were made.
    pub mesh: LinkMesh,
    /// The inboard interface, then the outboard ones.
    pub interfaces: Vec<MeshInterface>,
    /// What an engineer looks at.
    pub health: Health,
    /// Notes and warnings on the way.
    pub diagnostics: Diagnostics,
}

/// Reduces a mesh as it is asked for.
///
/// # Errors
/// Bad interfaces or elements with their locations; a mesh that is not held; modes that do not converge.
pub fn reduce_mesh(request: &LinkRequest, meshed: MeshedLink) -> Result<Reduction, ReduceError> {
    reduce_mesh_announced(request, meshed, &|_| {})
}

/// As [`reduce_mesh`]; what it will take is handed to `announce` before it is begun.
///
/// # Errors
/// As [`reduce_mesh`].
pub fn reduce_mesh_announced(
    request: &LinkRequest,
    meshed: MeshedLink,
    announce: &dyn Fn(Need),
) -> Result<Reduction, ReduceError> {
    let start = Instant::now();
    let MeshedLink { mut mesh, interfaces: requested } = meshed;
    mesh.units = request.units;
    let mut interfaces = interfaces(&mut mesh, &requested, request.origin).map_err(ReduceError::Request)?;
    let about_spiders = about_spiders(&mesh, &requested, &interfaces);
    let outboard = interfaces.split_off(1);
    let inboard = interfaces.pop().expect("invariant: the inboard interface comes first");
    let frame = LinkFrame::new(&mesh, &inboard);
    let mass = request.mass;
    let ends = (&inboard, &outboard[..]);
    let search = Search { mesh: &mesh, request, frame, inboard: ends.0, outboard: ends.1, mass, announce };
    let mut chosen = search.chosen(needs_stiffness(request))?;
    if !chosen.count_late(&mesh)? {
        // Some were missed: once more with the stiffness at hand, which a second search needs.
        chosen = search.chosen(true)?;
    }
    let Chosen { part, fixed, basis, frequencies_hz, effective_mass, responses, .. } = chosen;
    let (proof, grounding, about_leftovers) = (chosen.proof, chosen.grounding, chosen.about_leftovers);
    let modes_hz = modes_hz(&basis, &frame);
    let about_modes = cut_cluster(&basis, &modes_hz);
    let completeness = proof.outcome(&basis, |lambda| hertz(lambda, &frame));
    let source = Ingredients { mesh: &mesh, request, frame: &frame, part: &part, outboard: &outboard };
    let (mut link, mut shapes) = source.link(&basis)?;
    let mut about_rail = None;
    if let (Some(request), Some(fixed)) = (&request.rail, &fixed) {
        let outboard = outboard.iter().map(|interface| interface.node).collect();
        let (mesh, frame, part, inboard) = (&mesh, &frame, &part, inboard.node);
        let rail = RailSource { mesh, frame, part, fixed, request, inboard, outboard };
        link.rail = Some(rail.add_to(&mut link, &basis, &mut shapes)?);
        about_rail = rail.about_walls();
    }
    drop((basis, fixed));
    release_memory();
    source.add_second_order(&shapes, responses, &mut link)?;
    let Warned { output: (mass_error, inertia_error), diagnostics: about_mass } =
        MassCheck { mesh: &mesh, frame: &frame, part: &part, kind: mass }.errors(&link.invariants);
    let health = Health {
        mesh_dofs: part.free_count(),
        coordinates: link.coordinate_count(),
        mass: link.invariants.mass(),
        mass_error,
        inertia_error,
        grounding,
        frequencies_hz,
        effective_mass,
        completeness,
        modes_hz,
        elapsed: start.elapsed(),
    };
    let mut diagnostics = part.diagnostics;
    diagnostics.extend(about_spiders);
    diagnostics.extend(about_leftovers);
    diagnostics.extend(about_mass);
    diagnostics.extend(about_rail);
    diagnostics.extend(about_modes);
    diagnostics.extend(implausible(&mesh));
    let interfaces = [inboard].into_iter().chain(outboard).collect();
    Ok(Reduction { link, shapes, mesh, interfaces, health, diagnostics })
}

/// The inboard interface, then the outboard ones in file order. All problems are reported together.
pub(crate) fn interfaces(
    mesh: &mut LinkMesh,
    requested: &Interfaces,
    origin: Origin,
) -> Result<Vec<MeshInterface>, Diagnostics> {
    let (found, problems) = made_interfaces(mesh, requested, origin);
    if problems.has_errors() { Err(problems) } else { Ok(found) }
}

/// The interfaces that could be made, and what is wrong with the others.
pub(crate) fn made_interfaces(
    mesh: &mut LinkMesh,
    requested: &Interfaces,
    origin: Origin,
) -> (Vec<MeshInterface>, Diagnostics) {
    let mut found = Vec::new();
    let mut problems = Diagnostics::new();
    let inboard = requested.inboard.iter().map(|spec| ("inboard", spec));
    let outboard = requested.outboard.iter().map(|(name, spec)| (name.as_str(), spec));
    for (name, spec) in inboard.chain(outboard) {
        match make_interface(mesh, name, &spec.value, spec.span()) {
            Ok(interface) => {
                problems.extend(same_grid(mesh, &found, &interface).map(|problem| problem.at(spec.span())));
                found.push(interface);
            }
            Err(problem) => problems.push(*problem),
        }
    }
    if requested.inboard.is_none() {
        problems.push(Diagnostic::error("the link needs `inboard`").at(origin.0));
    }
    (found, problems)
}

/// Whether anything but the factor of K_ii and what it solves asks for K.
fn needs_stiffness(request: &LinkRequest) -> bool {
    let counted = matches!(request.modes, None | Some(Modes::Count(_)));
    !counted || request.residuals.is_some() || request.basis == BasisKind::Cantilever
}

/// All six components of every outboard interface.
fn boundary(outboard: &[MeshInterface]) -> Vec<(NodeIndex, Components)> {
    outboard.iter().map(|interface| (interface.node, Components::ALL)).collect()
}

/// What is to be reduced.
#[derive(Clone, Copy)]
struct Search<'a> {
    mesh: &'a LinkMesh,
    request: &'a LinkRequest,
    frame: LinkFrame,
    inboard: &'a MeshInterface,
    outboard: &'a [MeshInterface],
    mass: MassKind,
    announce: &'a dyn Fn(Need),
}

/// A substructure with the modes that its link keeps.
struct Chosen {
    part: Substructure,
    /// Where a rail needs it still.
    fixed: Option<FixedInterface>,
    basis: Basis,
    frequencies_hz: Vec<(f64, f64)>,
    effective_mass: Vec<f64>,
    responses: Option<UnitResponses>,
    grounding: f64,
    proof: Proof,
    /// What of the deck the link does not use, found while the stiffness was there.
    about_leftovers: Diagnostics,
    /// Counts the modes when the factor has been given back.
    counter: Option<ModeCounter>,
}

impl Search<'_> {
    /// Finds the modes. The stiffness of the mesh is the largest of its matrices and is given back before it
    /// is factored, unless it is to be kept: then the modes are counted as soon as they are found.
    fn chosen(self, keeps_stiffness: bool) -> Result<Chosen, ReduceError> {
        let Self { mesh, request, frame, inboard, outboard, mass, announce } = self;
        let boundary = boundary(outboard);
        let (part, K) = substructure(mesh, mass, &link_constraints(mesh, Some(inboard.node)), &boundary)?;
        if part.is_massless() {
            return Err(ReduceError::Input([massless_structure(mesh)].into_iter().collect()));
        }
        let grounding = grounding(mesh, &frame, &part, &K);
        let about_leftovers = about_leftovers(mesh, &part, &K, inboard.node);
        let parts = Partitions::new(&part, &K);
        let entries = if keeps_stiffness { 0 } else { element_entries(mesh) };
        let proof = Proof::planned(request, entries, parts.cost(), boundary.len());
        let kept = keeps_stiffness.then_some(K);
        // Free-free modes are counted with a factor of their own.
        let counts_late =
            !keeps_stiffness && proof == Proof::SturmCount && request.basis != BasisKind::FreeFree;
        let counter = counts_late.then(|| parts.counter());
        announce(parts.need());
        let fixed = fixed_interface(&part, parts)?;
        let counts = proof == Proof::SturmCount && keeps_stiffness;
        let reducer = Reducer { mesh, request, frame, part, K: kept, fixed, inboard, outboard, mass, counts };
        let (basis, frequencies_hz) = reducer.choose_modes()?;
        let effective_mass = reducer.effective_mass(&basis);
        let responses = reducer.unit_responses()?;
        let Reducer { part, fixed, .. } = reducer;
        // The factor is by far the largest of all, and a rail alone needs it still.
        let fixed = request.rail.is_some().then_some(fixed);
        release_memory();
        Ok(Chosen {
            part,
            fixed,
            basis,
            frequencies_hz,
            effective_mass,
            responses,
            grounding,
            proof,
            about_leftovers,
            counter,
        })
    }
}

impl Chosen {
    /// Counts the modes now that the factor has made room for the stiffness, which is assembled again. False:
    /// some were missed.
    fn count_late(&mut self, mesh: &LinkMesh) -> Result<bool, ReduceError> {
        let (Some(counter), Some(expected)) = (self.counter.take(), self.basis.info.found) else {
            return Ok(true);
        };
        let nsm = mesh.case_control.subcases.first().and_then(|subcase| subcase.nsm);
        let K = assemble_stiffness(mesh, nsm)?;
        let counted = counter.count_below(&self.part, K, expected.shift)?;
        release_memory();
        if counted.count < expected.count {
            let (found, shift) = (expected.count, expected.shift);
            return Err(EigenError::Inconsistent { found, counted: counted.count, shift }.into());
        }
        self.basis.info.sturm = Some(counted);
        Ok(counted.count == expected.count)
    }
}

/// Everything a choice of modes needs.
pub(crate) struct Reducer<'a> {
    mesh: &'a LinkMesh,
    pub(crate) request: &'a LinkRequest,
    pub(crate) frame: LinkFrame,
    pub(crate) part: Substructure,
    /// The stiffness of all components, where [`needs_stiffness`] or a second search keeps it.
    K: Option<CscMatrix<f64>>,
    fixed: FixedInterface,
    inboard: &'a MeshInterface,
    outboard: &'a [MeshInterface],
    mass: MassKind,
    /// Modes are counted as soon as they are found: the stiffness is at hand.
    counts: bool,
}

/// A basis and its free-free frequencies (Hz): reduced, and on the full mesh.
pub(crate) type Made = (Basis, Vec<(f64, f64)>);

impl Reducer<'_> {
    /// The stiffness of all components, for those whom [`needs_stiffness`] names.
    fn stiffness(&self) -> &CscMatrix<f64> {
        self.K.as_ref().expect("invariant: the stiffness is kept for whoever asks for it")
    }

    /// A basis with its frequencies, compared up to `compared_hz` at least.
    pub(crate) fn make(&self, basis: Basis, compared_hz: f64) -> Result<Made, ReduceError> {
        let full = FullLink::new(self.mesh, &self.frame, &self.part, &self.fixed);
        let frequencies = full.frequencies(&basis, compared_hz)?;
        Ok((basis, frequencies))
    }

    /// What second order needs of the factor.
    fn unit_responses(&self) -> Result<Option<UnitResponses>, ReduceError> {
        if self.request.second_order != SecondOrderKind::Full {
            return Ok(None);
        }
        let Self { mesh, frame, part, fixed, outboard, .. } = self;
        let (mesh, outboard) = (*mesh, *outboard);
        let shapes = &no_shapes(mesh, frame);
        SecondOrder { mesh, frame, part, outboard, shapes }.responses(fixed).map(Some)
    }

    /// What `basis` misses of the interior's quasi-static motion under inertia loads, as Ritz vectors with ω²
    /// below `limit`.
    pub(crate) fn with_inertia_responses(&self, basis: &Basis, limit: f64) -> Result<Basis, ReduceError> {
        let mut basis = basis.clone();
        let responses = self.fixed.inertia_responses(self.mesh, &self.part, self.frame.origin);
        add_residuals(&self.part, self.stiffness(), &mut basis, responses, limit)?;
        Ok(basis)
    }

    pub(crate) fn basis(&self, choice: ModeChoice) -> Result<Basis, ReduceError> {
        let modes = || {
            let Self { fixed, part, .. } = self;
            match choice {
                ModeChoice::Below(lambda) => fixed.modes_below(part, self.stiffness(), lambda),
                ModeChoice::Count(count) => match fixed.modes(part, count)? {
                    Some(found) if self.counts => fixed.proven(part, self.stiffness(), found).map(Some),
                    found => Ok(found),
                },
            }
        };
        let mut basis = match self.request.basis {
            BasisKind::CraigBampton => self.fixed.basis(true, modes()?.as_ref()),
            BasisKind::ClampedClamped => self.fixed.basis(false, modes()?.as_ref()),
            BasisKind::Guyan => self.fixed.basis(true, None),
            BasisKind::Cantilever => cantilever(&self.part, self.stiffness(), choice, self.counts)?,
            BasisKind::FreeFree => {
                let constraints = link_constraints(self.mesh, None);
                let (free, K) = substructure(self.mesh, self.mass, &constraints, &boundary(self.outboard))?;
                free_free(self.mesh, (&free, &K), &self.part, self.inboard.node, choice)?
            }
        };
        if let Some(residuals) = &self.request.residuals {
            let loads = self.residual_loads(residuals)?;
            let responses = self.fixed.solve(loads)?;
            add_residuals(&self.part, self.stiffness(), &mut basis, responses, f64::INFINITY)?;
        }
        Ok(basis)
    }

    /// Loads on the free components.
    fn residual_loads(&self, requested: &[Located<ResidualLoad>]) -> Result<Mat<f64>, ReduceError> {
        let mut loads = Mat::zeros(self.part.free_count(), requested.len());
        let mut problems = Diagnostics::new();
        for (k, requested) in requested.iter().enumerate() {
            let load = match &requested.value {
                ResidualLoad::Deck(set) => self.deck_load(*set),
                ResidualLoad::Gravity(axis) => Ok(self.gravity_load(*axis)),
                ResidualLoad::Interface { interface, axis } => {
                    match self.outboard.iter().position(|other| other.name == *interface) {
                        Some(interface) => Ok(self.interface_load(interface, *axis)),
                        None => {
                            let known: Vec<_> =
                                self.outboard.iter().map(|interface| interface.name.as_str()).collect();
                            let problem = unknown_load(&requested.value.to_string(), &known);
                            Err([problem.at(requested.span())].into_iter().collect())
                        }
                    }
                }
            };
            match load {
                Ok(load) => load.into_iter().enumerate().for_each(|(i, value)| loads[(i, k)] = value),
                Err(found) => problems.extend(found),
            }
        }
        if problems.has_errors() { Err(ReduceError::Request(problems)) } else { Ok(loads) }
    }

    /// A set of loads of the deck on the free components.
    fn deck_load(&self, set: SetId) -> Result<Vec<f64>, Diagnostics> {
        let subcase = Subcase { load: Some(set), ..Subcase::default() };
        let case = load_case(self.mesh, self.part.masses(), &subcase)?;
        Ok(self.part.constraints.reduce(&case.f))
    }

    fn interface_load(&self, interface: usize, axis: usize) -> Vec<f64> {
        let mut load = vec![0.0; self.part.free_count()];
        let node = self.outboard[interface].node;
        let triad =
            pliant_fem::dof::displacement_triad(self.mesh, node).unwrap_or_else(nalgebra::Matrix3::identity);
        let direction = triad.tr_mul(&self.frame.axes.column(axis % 3));
        for k in 0..3 {
            load[self.part.boundary[6 * interface + axis / 3 * 3 + k]] = direction[k];
        }
        load
    }

    fn gravity_load(&self, axis: usize) -> Vec<f64> {
        let dofs = &self.part.dofs;
        let acceleration: Vec<f64> = (0..dofs.count())
            .map(|row| {
                let (node, component) = dofs.node_and_component(row);
                let rigid = rigid_row(self.mesh, node, component, self.frame.origin);
                (0..3).map(|k| rigid[k] * self.frame.axes[(k, axis)]).sum()
            })
            .collect();
        let force = pliant_fem::assembly::symmetric_product(&self.part.M, &acceleration);
        self.part.constraints.reduce(&force)
    }

    /// Σ (φᵀ M R)² of the modes over R_fᵀ M R_f of the free components, along x, y, z of the link.
    fn effective_mass(&self, basis: &Basis) -> Vec<f64> {
        let modes: Vec<usize> =
            (0..basis.columns.len()).filter(|j| matches!(basis.columns[*j], Column::Mode(_))).collect();
        if modes.is_empty() {
            return Vec::new();
        }
        let dofs = &self.part.dofs;
        let R = Mat::from_fn(self.part.free_count(), 3, |i, axis| {
            let (node, component) = dofs.node_and_component(self.part.constraints.free[i]);
            let rigid = rigid_row(self.mesh, node, component, self.frame.origin);
            (0..3).map(|k| rigid[k] * self.frame.axes[(k, axis)]).sum()
        });
        let MR = self.part.mass_product(R.as_ref());
        let kept = |axis: usize| {
            let pairs = |j: usize| basis.column(j).iter().zip(MR.col(axis).iter());
            let of_mode = |j: &usize| pairs(*j).map(|(v, m)| v * m).sum::<f64>().powi(2);
            let all: f64 = (0..R.nrows()).map(|i| R[(i, axis)] * MR[(i, axis)]).sum();
            if all > 0.0 { modes.iter().map(of_mode).sum::<f64>() / all } else { 0.0 }
        };
        (0..3).map(kept).collect()
    }
}

/// Frequencies (Hz) of the modes of a basis under its own conditions.
fn modes_hz(basis: &Basis, frame: &LinkFrame) -> Vec<f64> {
    basis.modes().iter().map(|lambda| hertz(*lambda, frame)).collect()
}

/// ω² in deck units as Hz.
fn hertz(lambda: f64, frame: &LinkFrame) -> f64 {
    lambda.max(0.0).sqrt() / (std::f64::consts::TAU * frame.units.time)
}
