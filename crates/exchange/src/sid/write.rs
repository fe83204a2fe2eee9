//! The text of a body, in the columns that other programs write.

use std::fmt::{self, Write};

use super::{Sid, Taylor};

/// Column of the equals sign.
const EQUALS: usize = 48;

/// Twelve digits with the exponent of Fortran, and a column for the sign.
fn number(value: f64) -> String {
    let text = format!("{value:.11E}");
    let (mantissa, exponent) = text.split_once('E').unwrap_or((&text, "0"));
    let (sign, digits) = exponent.strip_prefix('-').map_or(('+', exponent), |digits| ('-', digits));
    let lead = if mantissa.starts_with('-') { "" } else { " " };
    format!("{lead}{mantissa}D{sign}{digits:0>2}")
}

fn line(out: &mut String, indent: usize, name: &str, value: &str) -> fmt::Result {
    let width = EQUALS - indent;
    writeln!(out, "{:indent$}{name:<width$}={value}", "")
}

fn block(out: &mut String, indent: usize, name: &str, block: &Taylor) -> fmt::Result {
    writeln!(out, "{:indent$}{name}", "")?;
    let inner = 26;
    let numbers = [
        ("order", block.order),
        ("nrow", block.rows),
        ("ncol", block.columns),
        ("nq", block.q),
        ("nqn", block.qn),
        ("structure", block.structure),
    ];
    for (name, number) in numbers {
        line(out, inner, name, &format!("{number:>5}"))?;
    }
    // Blanks of a fixed number behind the indices, as the samples of the format have them.
    for ([i, j], value) in &block.m0 {
        writeln!(out, "{:inner$}m0( {i}, {j}){:13}={}", "", "", number(*value))?;
    }
    for ([i, k, j], value) in &block.m1 {
        writeln!(out, "{:inner$}m1( {i}, {k}, {j}){:10}={}", "", "", number(*value))?;
    }
    writeln!(out, "{:indent$}end {name}", "")
}

impl Sid {
    /// The file.
    pub fn text(&self) -> String {
        let mut out = String::new();
        self.write(&mut out).expect("invariant: a string takes all that is written");
        out
    }

    fn write(&self, out: &mut String) -> fmt::Result {
        writeln!(out, "{:>5}{:>4}    :{}", self.nodes.len(), self.modes.len(), self.title)?;
        writeln!(out, " part ")?;
        line(out, 6, "new modal", "")?;
        writeln!(out, "{:11}refmod ", "")?;
        line(out, 16, "mass", &number(self.mass))?;
        line(out, 16, "nelastq", &format!("{:>6}", self.modes.len()))?;
        for (k, mode) in self.modes.iter().enumerate() {
            line(out, 16, &format!("ielastq ({:>4})", k + 1), mode)?;
        }
        writeln!(out, "{:11}end refmod ", "")?;
        writeln!(out, "{:11}frame ", "")?;
        for node in &self.nodes {
            line(out, 16, "new node", &format!("    {}", node.id))?;
            line(out, 21, "rframe", &node.frame)?;
            for (name, matrix) in &node.blocks {
                block(out, 21, name, matrix)?;
            }
            writeln!(out, "{:16}end node", "")?;
        }
        writeln!(out, "{:11}end frame ", "")?;
        for (name, matrix) in &self.blocks {
            block(out, 11, name, matrix)?;
        }
        writeln!(out, "{:6}end modal ", "")?;
        writeln!(out, " end part ")
    }
}
