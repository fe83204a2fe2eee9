//! FORCE to TEMPRB, LOAD.

use std::f64::consts::TAU;

use pliant_mesh::{BarLoad, BarLoadScale, BarTemperature, LoadKind, PressureFace};

use super::Output;
use super::card::{Value, fields};

impl Output<'_> {
    pub(super) fn loads(&mut self) {
        for load in &self.mesh.loads {
            self.load(load.set.0, &load.kind);
        }
        for combination in &self.mesh.load_combinations {
            let mut row = fields![combination.set.0, combination.scale].to_vec();
            for (factor, set) in &combination.terms {
                row.extend(fields![*factor, set.0]);
            }
            self.text.card("LOAD", &row);
        }
    }

    fn load(&mut self, set: u32, kind: &LoadKind) {
        match kind {
            LoadKind::Force { node, force: v } => {
                self.text.card("FORCE", &fields![set, self.node(*node), 0u32, 1.0, v.x, v.y, v.z]);
            }
            LoadKind::Moment { node, moment: v } => {
                self.text.card("MOMENT", &fields![set, self.node(*node), 0u32, 1.0, v.x, v.y, v.z]);
            }
            LoadKind::Scalar { node, force } => {
                self.text.card("SLOAD", &fields![set, self.node(*node), *force]);
            }
            LoadKind::Bar(load) => self.bar_load(set, load),
            LoadKind::Pressure { element, pressures, face, direction } => {
                let mut row = fields![set, self.mesh.element_id(*element).0].to_vec();
                row.extend(pressures.map(Value::Real));
                match face {
                    PressureFace::Shell => row.extend([Value::Blank, Value::Blank]),
                    PressureFace::Diagonal(a, b) => row.extend(fields![self.node(*a), self.node(*b)]),
                    PressureFace::Corner(a, b) => {
                        row.extend(fields![self.node(*a), b.map(|b| self.node(b))]);
                    }
                }
                if let Some(v) = direction {
                    row.extend(fields![0u32, v.x, v.y, v.z]);
                }
                self.text.card("PLOAD4", &row);
            }
            LoadKind::PressureOnGrids { pressure, nodes } => {
                let mut row = fields![set, *pressure].to_vec();
                row.extend(nodes.iter().map(|node| Value::from(self.optional_node(*node))));
                self.text.card("PLOAD", &row);
            }
            LoadKind::Gravity { acceleration: v } => {
                self.text.card("GRAV", &fields![set, 0u32, 1.0, v.x, v.y, v.z]);
            }
            LoadKind::GridAcceleration { acceleration: v, nodes } => {
                let mut row = fields![set, 0u32, 1.0, v.x, v.y, v.z, Value::Blank, Value::Blank].to_vec();
                row.extend(nodes.iter().map(|node| Value::from(self.node(*node))));
                self.text.card("ACCEL1", &row);
            }
            LoadKind::Unavailable { card } => {
                self.text.line(&format!("$ set {set}: a {card} load, which Pliant does not know"));
            }
            LoadKind::Rotation { centre, omega, alpha } => self.rotation(set, *centre, *omega, *alpha),
            LoadKind::EnforcedDisplacement { node, components, value } => {
                self.text.card("SPCD", &fields![set, self.node(*node), *components, *value]);
            }
            LoadKind::Temperature { node, value } => {
                self.text.card("TEMP", &fields![set, self.node(*node), *value]);
            }
            LoadKind::DefaultTemperature { value } => self.text.card("TEMPD", &fields![set, *value]),
            LoadKind::BarTemperature(BarTemperature { element, mean: [ta, tb], gradients: [a, b] }) => {
                let id = self.mesh.element_id(*element).0;
                self.text.card("TEMPRB", &fields![set, id, *ta, *tb, a[0], b[0], a[1], b[1]]);
            }
        }
    }

    fn bar_load(&mut self, set: u32, load: &BarLoad) {
        let mut kind = String::from(if load.load_type.moment { "M" } else { "F" });
        kind.push(['X', 'Y', 'Z'][load.load_type.axis]);
        if load.load_type.element_axes {
            kind.push('E');
        }
        let scale = match load.scale {
            BarLoadScale::Length => "LE",
            BarLoadScale::Fraction => "FR",
            BarLoadScale::LengthProjected => "LEPR",
            BarLoadScale::FractionProjected => "FRPR",
        };
        let id = self.mesh.element_id(load.element).0;
        let row = fields![set, id, kind.as_str(), scale, load.x1, load.p1, load.x2, load.p2];
        self.text.card("PLOAD1", &row);
    }

    /// RFORCE goes through a grid: through the origin, the only centre that needs none, it is written as it
    /// is; through any other, the grid at that point is named. One card has one axis: with ω and α apart
    /// there are two, which add up.
    fn rotation(
        &mut self,
        set: u32,
        centre: nalgebra::Vector3<f64>,
        omega: nalgebra::Vector3<f64>,
        alpha: nalgebra::Vector3<f64>,
    ) {
        let grid = match self.mesh.nodes.iter().find(|node| node.position == centre) {
            Some(node) if centre.norm() > 0.0 => node.id.0,
            _ => 0,
        };
        let card = |axis: nalgebra::Vector3<f64>, speed: f64, acceleration: f64| {
            let axis = axis / TAU;
            fields![set, grid, 0u32, speed, axis.x, axis.y, axis.z, Value::Blank, acceleration]
        };
        let along = omega.dot(&alpha) / omega.norm_squared();
        if omega.norm() == 0.0 {
            self.text.card("RFORCE", &card(alpha, 0.0, 1.0));
        } else if (alpha - omega * along).norm() <= 1e-12 * alpha.norm() {
            self.text.card("RFORCE", &card(omega, 1.0, along));
        } else {
            self.text.card("RFORCE", &card(omega, 1.0, 0.0));
            self.text.card("RFORCE", &card(alpha, 0.0, 1.0));
        }
    }
}
