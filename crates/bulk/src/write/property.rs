//! PROD to PVISC.

use pliant_mesh::property::{
    BarProperty, BeamProperty, LaminateKind, LaminateProperty, PropertyKind, ShellProperty,
};

use super::Output;
use super::card::{Value, fields};

impl Output<'_> {
    pub(super) fn properties(&mut self) {
        for property in &self.mesh.properties {
            let id = property.id.0;
            match &property.kind {
                PropertyKind::Rod(material, rod) => {
                    let material = self.material(*material);
                    let row = fields![
                        id,
                        material,
                        rod.area,
                        rod.torsion_constant,
                        rod.stress_coefficient,
                        rod.nsm
                    ];
                    self.text.card("PROD", &row);
                }
                PropertyKind::Tube(material, tube) => {
                    let [a, b] = tube.outer_diameter;
                    let row = fields![id, self.material(*material), a, tube.thickness, tube.nsm, b];
                    self.text.card("PTUBE", &row);
                }
                PropertyKind::Bar(material, bar) => self.bar_property(id, self.material(*material), bar),
                PropertyKind::Beam(material, beam) => self.beam_property(id, self.material(*material), beam),
                PropertyKind::Shell(shell) => self.shell_property(id, shell),
                PropertyKind::Laminate(laminate) => self.laminate(id, laminate),
                PropertyKind::Shear(material, shear) => {
                    let row =
                        fields![id, self.material(*material), shear.thickness, shear.nsm, shear.f1, shear.f2];
                    self.text.card("PSHEAR", &row);
                }
                PropertyKind::Solid(material, solid) => {
                    let frame = match solid.material_frame {
                        Some(frame) => Value::from(self.frame(frame)),
                        None => Value::Integer(-1),
                    };
                    let [points, stress, scheme, function] = &solid.card_fields;
                    let mut row = fields![id, self.material(*material)].to_vec();
                    row.push(frame);
                    row.extend(fields![points.as_str(), stress.as_str(), scheme.as_str(), function.as_str()]);
                    self.text.card("PSOLID", &row);
                }
                PropertyKind::Spring(spring) => {
                    let row =
                        fields![id, spring.stiffness, spring.structural_damping, spring.stress_coefficient];
                    self.text.card("PELAS", &row);
                }
                PropertyKind::Bush(bush) => {
                    let mut row = fields![id, "K"].to_vec();
                    row.extend(bush.stiffness.map(Value::Real));
                    for (name, values) in [("B", &bush.damping), ("GE", &bush.structural_damping)] {
                        row.extend(fields![Value::Blank, name]);
                        row.extend(values.map(Value::Real));
                    }
                    row.extend(fields![Value::Blank, "RCV"]);
                    row.extend(bush.stress_coefficients.map(Value::Real));
                    row.extend(fields![Value::Blank, Value::Blank, Value::Blank, "M", bush.mass]);
                    self.text.card("PBUSH", &row);
                }
                PropertyKind::Mass(mass) => self.text.card("PMASS", &fields![id, mass.mass]),
                PropertyKind::Damper(damper) => self.text.card("PDAMP", &fields![id, damper.damping]),
                PropertyKind::Viscous(viscous) => {
                    self.text.card("PVISC", &fields![id, viscous.axial, viscous.torsional]);
                }
            }
        }
    }

    fn bar_property(&mut self, id: u32, material: u32, bar: &BarProperty) {
        if let Some(section) = &bar.section {
            let mut row = fields![id, material, Value::Blank, section.name.as_str()].to_vec();
            row.resize(8, Value::Blank);
            row.extend(section.dimensions.iter().map(|d| Value::Real(*d)));
            row.push(bar.nsm.into());
            self.text.card("PBARL", &row);
            return;
        }
        let mut row =
            fields![id, material, bar.area, bar.i1, bar.i2, bar.torsion_constant, bar.nsm, Value::Blank]
                .to_vec();
        row.extend(bar.stress_points.iter().flatten().map(|x| Value::Real(*x)));
        row.extend(fields![bar.k1, bar.k2, bar.i12]);
        self.text.card("PBAR", &row);
    }

    fn beam_property(&mut self, id: u32, material: u32, beam: &BeamProperty) {
        if let Some(section) = &beam.section {
            let mut row = fields![id, material, Value::Blank, section.name.as_str()].to_vec();
            row.resize(8, Value::Blank);
            for (k, station) in beam.stations.iter().enumerate() {
                if k > 0 {
                    row.extend(fields![if station.stress_output { "YES" } else { "NO" }, station.position]);
                }
                row.extend(station.dimensions.iter().map(|d| Value::Real(*d)));
                row.push(station.nsm.into());
            }
            self.text.card("PBEAML", &row);
            return;
        }
        let mut row = fields![id, material].to_vec();
        for (k, s) in beam.stations.iter().enumerate() {
            if k > 0 {
                row.extend(fields![if s.stress_output { "YES" } else { "NO" }, s.position]);
            }
            row.extend(fields![s.area, s.i1, s.i2, s.i12, s.torsion_constant, s.nsm]);
            if k == 0 || s.stress_output {
                row.extend(s.stress_points.iter().flatten().map(|x| Value::Real(*x)));
            }
        }
        let [s1, s2] = beam.shear_relief;
        row.extend(fields![beam.k1.unwrap_or(0.0), beam.k2.unwrap_or(0.0), s1, s2]);
        row.extend(beam.nsi.iter().chain(&beam.warping).map(|x| Value::Real(*x)));
        row.extend(beam.nsm_offset.iter().chain(&beam.neutral_axis).flatten().map(|x| Value::Real(*x)));
        self.text.card("PBEAM", &row);
    }

    fn shell_property(&mut self, id: u32, shell: &ShellProperty) {
        let of = |material: Option<pliant_mesh::MaterialIndex>| material.map(|m| self.material(m));
        let bending = match of(shell.bending) {
            None if shell.plane_strain => Value::Integer(-1),
            bending => bending.into(),
        };
        let mut row = fields![id, of(shell.membrane), shell.thickness].to_vec();
        row.push(bending);
        row.extend(fields![shell.bending_ratio, of(shell.shear), shell.shear_ratio, shell.nsm]);
        row.extend(fields![shell.fibre_distances[0], shell.fibre_distances[1], of(shell.coupling)]);
        self.text.card("PSHELL", &row);
    }

    fn laminate(&mut self, id: u32, laminate: &LaminateProperty) {
        let kind = match laminate.kind {
            LaminateKind::General => "",
            LaminateKind::Symmetric => "SYM",
            LaminateKind::Membrane => "MEM",
            LaminateKind::Bending => "BEND",
            LaminateKind::Smeared => "SMEAR",
            LaminateKind::SmearedCore => "SMCORE",
        };
        let mut row = fields![
            id,
            laminate.bottom,
            laminate.nsm,
            laminate.shear_allowable,
            laminate.failure_theory.as_str(),
            laminate.reference_temperature,
            laminate.structural_damping,
            kind,
        ]
        .to_vec();
        for ply in &laminate.plies {
            if laminate.global_plies {
                row.push(ply.id.into());
            }
            let output = if ply.stress_output { "YES" } else { "NO" };
            row.extend(fields![self.material(ply.material), ply.thickness, ply.angle, output]);
            if laminate.global_plies {
                row.resize(row.len().next_multiple_of(8), Value::Blank);
            }
        }
        self.text.card(if laminate.global_plies { "PCOMPG" } else { "PCOMP" }, &row);
    }
}
