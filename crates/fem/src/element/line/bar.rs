//! CBAR and CBEAM.
//!
//! Stiffness: [`flexible_line`](super::flexible_line). Mass: [`bar_mass`](super::bar_mass). A CBAR has one
//! section on the line between its offset ends; K1 and K2 are left out when I12 ≠ 0, as Nastran does for PBAR
//! and PBARL. A CBEAM runs along its shear centres, with the sections of PBEAM or PBEAML varying along it, or
//! that of a PBAR. Pin flags release components in element axes by static condensation; they change K, the
//! consistent mass and PLOAD1, not Nastran's lumped and coupled masses. Warping (CW, SA, SB) and shear relief
//! (S1, S2) are left out: [`warnings`] says where.

#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]

use nalgebra::{DMatrix, DVector, SVector, Vector3, Vector6};
use pliant_diag::Diagnostic;
use pliant_mesh::element::{Bar, BarKind, BarOrientation, ElementRef};
use pliant_mesh::property::{BarProperty, BeamProperty, Property, PropertyKind};
use pliant_mesh::{BarLoad, BarLoadScale, LinkMesh, Material, MaterialIndex, MaterialLaw, NodeIndex};

use super::bar_mass::{self, Spin};
use super::flexible_line::FlexibleLine;
use super::frame::{LineFrame, Matrix12, node_dofs, turned};
use super::geometric::rigid_arm;
use super::pins::release;
use super::section::{LineSection, LineStation};
use crate::element::{
    Element, ElementContext, ElementDof, ElementStress, LineForces, MassKind, element_error, in_element,
};

/// A CBAR or CBEAM.
#[derive(Debug)]
struct BarElement {
    dofs: Vec<ElementDof>,
    spin: Spin,
    frame: LineFrame,
    line: FlexibleLine,
    /// Thermal expansion coefficient and reference temperature.
    expansion: (f64, f64),
    /// K in E, pins released.
    K_E: Matrix12,
    /// End displacements in E from grid displacements in the basic frame.
    ends_from_grids: Matrix12,
    /// The same with released components following the rest of the beam.
    released_ends_from_grids: Matrix12,
}

/// Builds a CBAR or CBEAM.
///
/// # Errors
/// Ends that coincide, an orientation vector along the axis, a material that is not MAT1, an impossible
/// section.
pub(in crate::element) fn build(
    context: ElementContext<'_>,
    which: ElementRef,
) -> Result<Box<dyn Element>, Box<Diagnostic>> {
    let ElementRef::Bar(row) = which else { unreachable!("invariant: the registry sends bars here") };
    let mesh = context.mesh;
    let bar = &mesh.bars[row as usize];
    if let BarKind::Linear(integration) = bar.kind {
        return super::timoshenko::build(context, which, bar, integration);
    }
    let error = |message: String| element_error(mesh, which, message);
    let located = |problem| in_element(mesh, which, problem);

    let grids = bar.nodes.map(|n| mesh.node(n).position);
    let plane_1 = match bar.orientation {
        BarOrientation::Vector(v) => v,
        BarOrientation::Node(node) => mesh.node(node).position - grids[0],
    };
    let frame = LineFrame::new(grids, bar.offsets, plane_1).map_err(|e| {
        let mut diagnostic = error(e.message().into());
        diagnostic.hints.push(e.hint().into());
        diagnostic
    })?;
    let property = &mesh.properties[bar.property.index()];
    let (section, expansion) = match &property.kind {
        PropertyKind::Bar(material, p) => {
            let (moduli, expansion) = isotropic(mesh, *material).map_err(located)?;
            (bar_section(bar.kind, moduli, p, context.extra_nsm), expansion)
        }
        PropertyKind::Beam(material, p) if bar.kind == BarKind::Beam => {
            let (moduli, expansion) = isotropic(mesh, *material).map_err(located)?;
            (beam_section(moduli, p, context.extra_nsm).map_err(located)?, expansion)
        }
        _ => {
            return Err(error(format!(
                "property {} is of another kind than this element needs",
                property.id
            )));
        }
    };
    section.check().map_err(|e| {
        let mut diagnostic = error(format!("property {}: {}", property.id, e.0));
        if let Some(span) = property.source.0 {
            diagnostic.related.push((span, "the property is here".into()));
        }
        diagnostic
    })?;

    let line = FlexibleLine::new(frame.length, section);
    let mut K_E = line.stiffness();
    let released: Vec<usize> =
        (0..2).flat_map(|end| bar.pins[end].iter().map(move |component| 6 * end + component.row())).collect();
    let ends_from_grids = frame.transform();
    let released_ends_from_grids = release(&mut K_E, &released) * ends_from_grids;
    Ok(Box::new(BarElement {
        dofs: node_dofs(&bar.nodes, 6),
        spin: if bar.kind == BarKind::Beam { Spin::Torsional } else { Spin::None },
        frame,
        line,
        expansion,
        K_E,
        ends_from_grids,
        released_ends_from_grids,
    }))
}

impl Element for BarElement {
    fn dofs(&self) -> &[ElementDof] {
        &self.dofs
    }

    fn stiffness(&self) -> Option<DMatrix<f64>> {
        Some(turned(&self.K_E, &self.ends_from_grids))
    }

    fn mass(&self, kind: MassKind) -> Option<DMatrix<f64>> {
        Some(match kind {
            MassKind::Lumped => turned(&bar_mass::lumped(&self.line, self.spin), &self.ends_from_grids),
            MassKind::Coupled => turned(&bar_mass::coupled(&self.line, self.spin), &self.ends_from_grids),
            MassKind::Consistent => turned(&bar_mass::consistent(&self.line), &self.released_ends_from_grids),
        })
    }

    /// ∫Nᵀp with the shape functions of the unloaded beam: minus the exact fixed-end forces. The load acts on
    /// the reference axis (a CBEAM's shear centres); `None` too when it lies outside the element.
    fn bar_load(&self, load: &BarLoad) -> Option<DVector<f64>> {
        let length = self.frame.length;
        let to_fraction = match load.scale {
            BarLoadScale::Length | BarLoadScale::LengthProjected => 1.0 / length,
            BarLoadScale::Fraction | BarLoadScale::FractionProjected => 1.0,
        };
        let (from, to) = (load.x1 * to_fraction, load.x2 * to_fraction);
        // Positions come from eight-column fields.
        if !(-1e-6..=1.0 + 1e-6).contains(&from) || !(from..=1.0 + 1e-6).contains(&to) {
            return None;
        }
        let unit = Vector3::from_fn(|i, _| if i == load.load_type.axis { 1.0 } else { 0.0 });
        let projected = matches!(load.scale, BarLoadScale::LengthProjected | BarLoadScale::FractionProjected);
        let (direction, factor) = if load.load_type.element_axes {
            (unit, 1.0)
        } else {
            let along = self.frame.axes.column(0).dot(&unit);
            let across = (1.0 - along * along).max(0.0).sqrt();
            (self.frame.axes.transpose() * unit, if projected { across } else { 1.0 })
        };
        let first = if load.load_type.moment { 3 } else { 0 };
        let at = |xi: f64, value: f64| -> SVector<f64, 12> {
            let shape = self.line.shape(xi);
            shape.fixed_rows::<3>(first).transpose() * direction * value
        };
        let f_E = if to == from {
            at(from, load.p1)
        } else {
            self.line.section().points(from, to).iter().fold(SVector::zeros(), |sum, &(xi, weight)| {
                let value = load.p1 + (load.p2 - load.p1) * (xi - from) / (to - from);
                sum + at(xi, value * factor) * (weight * length)
            })
        };
        Some(vector(self.released_ends_from_grids.transpose() * f_E))
    }

    /// Grid temperatures vary linearly along the beam and are uniform over each section.
    fn thermal_load(&self, temperature: &dyn Fn(NodeIndex) -> f64) -> Option<DVector<f64>> {
        let (alpha, reference) = self.expansion;
        let [a, b] = [self.dofs[0].node, self.dofs[6].node].map(|n| alpha * (temperature(n) - reference));
        let f_E = self.line.initial_strain_load(|xi| [a + xi * (b - a), 0.0, 0.0]);
        Some(vector(self.released_ends_from_grids.transpose() * f_E))
    }

    /// T′₁y + T′₂z about the neutral axis, linear along the beam. A fibre's strain is ε − yκ1 − zκ2, so free
    /// curvatures are −αT′.
    fn temperature_gradient_load(&self, [a, b]: [[f64; 2]; 2]) -> Option<DVector<f64>> {
        let (alpha, _) = self.expansion;
        let curvature = |plane: usize, xi: f64| -alpha * (a[plane] + xi * (b[plane] - a[plane]));
        let f_E = self.line.initial_strain_load(|xi| [0.0, curvature(0, xi), curvature(1, xi)]);
        Some(vector(self.released_ends_from_grids.transpose() * f_E))
    }

    fn stress(&self, u: &DMatrix<f64>) -> Option<Vec<ElementStress>> {
        let forces = |natural: &Vector6<f64>| {
            let sections = [0.0, 1.0].map(|xi| (xi, self.line.forces_at(xi, natural)));
            ElementStress::Line(LineForces { axes: self.frame.axes, sections: sections.to_vec() })
        };
        Some(self.natural_forces(u).iter().map(forces).collect())
    }

    /// That of [`geometric`](super::geometric), and the second order of the rigid arms of its offsets.
    fn geometric_stiffness(&self, u: &DMatrix<f64>) -> Option<Vec<DMatrix<f64>>> {
        let natural = self.natural_forces(u);
        let all = self.line.geometric_stiffness(&natural);
        let finish = |(K_g, natural): (&Matrix12, &Vector6<f64>)| {
            let mut K_g = turned(K_g, &self.released_ends_from_grids);
            let forces = self.line.end_forces(natural);
            for (end, offset) in self.frame.offsets.iter().enumerate() {
                let force = self.frame.axes * forces.fixed_rows::<3>(6 * end);
                let mut block = K_g.fixed_view_mut::<3, 3>(6 * end + 3, 6 * end + 3);
                block += rigid_arm(&force, offset);
            }
            K_g
        };
        Some(all.iter().zip(&natural).map(finish).collect())
    }

    fn measure(&self) -> f64 {
        self.frame.length
    }
}

impl BarElement {
    /// Natural forces of each column of grid displacements.
    fn natural_forces(&self, u: &DMatrix<f64>) -> Vec<Vector6<f64>> {
        u.column_iter()
            .map(|u| self.line.natural_forces(&(self.released_ends_from_grids * u.fixed_rows::<12>(0))))
            .collect()
    }
}

/// What the beams of a mesh have that is left out of the analysis.
pub fn warnings(mesh: &LinkMesh) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (row, bar) in mesh.bars.iter().enumerate() {
        if bar.warping_points.iter().any(Option::is_some) {
            found.push(warping_points_warning(mesh, row, bar));
        }
    }
    found.extend(mesh.properties.iter().flat_map(property_warnings));
    found
}

/// What a PBAR or PBEAM asks for that is left out.
fn property_warnings(property: &Property) -> Vec<Diagnostic> {
    let warn = |card: &str, message: &str| {
        Diagnostic::warning(message).card(format!("{card} {}", property.id)).at(property.source.0)
    };
    let mut found = Vec::new();
    match &property.kind {
        PropertyKind::Bar(_, bar)
            if bar.i12 != 0.0 && [bar.k1, bar.k2].into_iter().any(|k| given(k).is_some()) =>
        {
            found.push(
                warn("PBAR", "K1 and K2 are left out of CBARs because I12 is not zero, as in Nastran")
                    .hint("a CBEAM takes both into account"),
            );
        }
        PropertyKind::Beam(_, beam) => {
            if beam.warping.iter().any(|cw| *cw != 0.0) {
                found.push(
                    warn("PBEAM", "the warping coefficients CW are left out: torsion is that of St Venant")
                        .hint("thin open sections are stiffer in torsion than this near a clamped end"),
                );
            }
            if beam.shear_relief.iter().any(|s| *s != 0.0) {
                found.push(warn("PBEAM", "the shear relief of the taper, S1 and S2, is left out"));
            }
        }
        _ => {}
    }
    found
}

fn warping_points_warning(mesh: &LinkMesh, row: usize, bar: &Bar) -> Diagnostic {
    let row = u32::try_from(row).expect("invariant: a mesh has fewer than 2³² parts of a kind");
    let (card, source) = crate::element::card_of(mesh, ElementRef::Bar(row));
    let points: Vec<String> =
        bar.warping_points.iter().flatten().map(|p| mesh.node(*p).id.to_string()).collect();
    Diagnostic::warning(format!(
        "the warping freedoms at scalar points {} are left out: torsion is that of St Venant",
        points.join(" and ")
    ))
    .card(card)
    .at(source.0)
}

/// E, G and ρ, and the thermal expansion with its reference temperature.
type Isotropic = ([f64; 3], (f64, f64));

/// The numbers of a MAT1.
pub(super) fn isotropic(mesh: &LinkMesh, material: MaterialIndex) -> Result<Isotropic, Box<Diagnostic>> {
    let Material { id, density, reference_temperature, law, .. } = &mesh.materials[material.index()];
    let MaterialLaw::Isotropic { youngs_modulus, shear_modulus, thermal_expansion, .. } = *law else {
        return Err(Diagnostic::boxed(format!(
            "material {id} is not isotropic; a line element needs a MAT1"
        )));
    };
    Ok(([youngs_modulus, shear_modulus, *density], (thermal_expansion, *reference_temperature)))
}

fn bar_section(kind: BarKind, moduli: [f64; 3], p: &BarProperty, extra_nsm: f64) -> LineSection {
    let station = LineStation {
        xi: 0.0,
        area: p.area,
        i1: p.i1,
        i2: p.i2,
        i12: p.i12,
        torsion_constant: p.torsion_constant,
        nsm: p.nsm + extra_nsm,
    };
    // MSC quick reference guide, PBAR: K1 and K2 are ignored if I12 is not zero.
    let rigid_in_shear = kind == BarKind::Bar && p.i12 != 0.0;
    let shear_factors = if rigid_in_shear { [None; 2] } else { [p.k1, p.k2] };
    LineSection::uniform(moduli, shear_factors.map(given), station)
}

/// A zero factor means no shear flexibility.
fn given(factor: Option<f64>) -> Option<f64> {
    factor.filter(|k| *k != 0.0)
}

fn beam_section(moduli: [f64; 3], p: &BeamProperty, extra_nsm: f64) -> Result<LineSection, Box<Diagnostic>> {
    let stations: Vec<LineStation> = p
        .stations
        .iter()
        .map(|s| LineStation {
            xi: s.position,
            area: s.area,
            i1: s.i1,
            i2: s.i2,
            i12: s.i12,
            torsion_constant: s.torsion_constant,
            nsm: s.nsm + extra_nsm,
        })
        .collect();
    let ordered = stations.windows(2).all(|pair| pair[0].xi < pair[1].xi);
    let (Some(first), Some(last)) = (stations.first(), stations.last()) else {
        return Err(Diagnostic::boxed("the beam property needs stations, found none"));
    };
    if !ordered || first.xi != 0.0 || last.xi != 1.0 {
        return Err(Diagnostic::boxed(
            "the stations of the beam property do not run from 0 to 1 in ascending order",
        ));
    }
    Ok(LineSection {
        neutral_axis: p.neutral_axis,
        nsm_centre: p.nsm_offset,
        nsi: p.nsi,
        stations: stations.clone(),
        ..LineSection::uniform(moduli, [p.k1, p.k2].map(given), *first)
    })
}

fn vector(v: SVector<f64, 12>) -> DVector<f64> {
    DVector::from_column_slice(v.as_slice())
}
