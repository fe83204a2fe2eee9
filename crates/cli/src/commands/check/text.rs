//! The facts for people, on a terminal of a hundred columns.

use std::io::{self, Write};

use pliant_bulk::CardStatus;
use pliant_fem::MassProperties;
use pliant_mesh::Worst;

use super::{Facts, problem_summary};
use crate::number::{count, counted, real, real_beside};
use crate::render;
use crate::terminal::Style;

/// Columns of a line of facts.
const WIDTH: usize = 100;
/// Columns of the names of facts.
const NAME: usize = 10;

/// Problems in file order, then the facts, then the verdict.
pub(super) fn print(out: &mut impl Write, style: Style, facts: &Facts, quiet: bool) -> io::Result<()> {
    render::diagnostics(out, style, &facts.deck.sources, &facts.diagnostics, quiet)?;
    if quiet {
        return Ok(());
    }
    let is_bad = facts.diagnostics.has_errors();
    let mark = if is_bad { style.red("✗") } else { style.green("✓") };
    let name = facts.path.display().to_string();
    writeln!(out, "{mark} {}  {}", style.bold(&name), style.faint(&heading(facts)))?;
    let mut page = Page { out, style };
    page.nodes(facts)?;
    page.mass(facts)?;
    page.cards(facts)?;
    page.quality(facts)?;
    let summary = problem_summary(facts);
    page.line("problems", &if is_bad { style.red(&summary) } else { summary })
}

/// `SOL 103, 2 subcases: the title`.
fn heading(facts: &Facts) -> String {
    let case = &facts.deck.mesh.case_control;
    let mut parts = Vec::new();
    parts.extend(case.solution.map(|number| format!("SOL {number}")));
    if case.subcases.len() > 1 {
        parts.push(counted(case.subcases.len(), "subcase"));
    }
    if !case.title.is_empty() {
        let title: String = case.title.chars().take(60).collect();
        parts.push(title);
    }
    parts.join(", ")
}

struct Page<'o, W> {
    out: &'o mut W,
    style: Style,
}

impl<W: Write> Page<'_, W> {
    fn line(&mut self, name: &str, text: &str) -> io::Result<()> {
        writeln!(self.out, "  {} {text}", self.style.blue(&format!("{name:<NAME$}")))
    }

    /// Words in as many lines as they need.
    fn wrapped(&mut self, name: &str, words: &[String]) -> io::Result<()> {
        let room = WIDTH - NAME - 3;
        let mut name = name;
        let mut line = String::new();
        for word in words {
            if !line.is_empty() && line.chars().count() + 3 + word.chars().count() > room {
                self.line(name, &line)?;
                name = "";
                line.clear();
            }
            if !line.is_empty() {
                line.push_str("   ");
            }
            line.push_str(word);
        }
        if line.is_empty() { Ok(()) } else { self.line(name, &line) }
    }

    fn nodes(&mut self, facts: &Facts) -> io::Result<()> {
        let (grids, scalars) = facts.node_counts();
        let mut text = counted(grids, "grid");
        if scalars > 0 {
            text.push_str(&format!(", {}", counted(scalars, "scalar point")));
        }
        self.line("nodes", &text)?;
        let words: Vec<_> = facts.elements.iter().map(|(name, n)| format!("{} {name}", count(*n))).collect();
        self.wrapped("elements", &words)
    }

    fn mass(&mut self, facts: &Facts) -> io::Result<()> {
        let Some(mass) = &facts.mass else {
            let why = "not computed: errors above, a part of it may be missing";
            return self.line("mass", &self.style.faint(why));
        };
        let units = &facts.units;
        let mut text = format!("{} {}", real(mass.mass), units.mass);
        if !units.is_si() {
            text.push_str(&format!("  = {} kg", real(mass.mass * units.factors.mass)));
        }
        if mass.at_scalar_points > 0.0 {
            text.push_str(&format!("  (and {} at scalar points)", real(mass.at_scalar_points)));
        }
        let note = if units.is_si() { "  (units taken as SI; see --units)" } else { "" };
        self.line("mass", &format!("{}{}", text.trim_end(), self.style.faint(note)))?;
        if mass.mass > 0.0 {
            let centre = mass
                .centre
                .iter()
                .map(|x| real_beside(*x, mass.centre.amax()))
                .collect::<Vec<_>>()
                .join("  ");
            self.line("centre", format!("{centre}  {}", units.length).trim_end())?;
            self.inertia(mass)?;
        }
        Ok(())
    }

    fn inertia(&mut self, mass: &MassProperties) -> io::Result<()> {
        for row in 0..3 {
            let scale = mass.inertia.amax();
            let cell = |column| format!("{:>13}", real_beside(mass.inertia[(row, column)], scale));
            let columns: Vec<_> = (0..3).map(cell).collect();
            let note = if row == 0 { "   about the centre, deck axes" } else { "" };
            let name = if row == 0 { "inertia" } else { "" };
            self.line(name, &format!("{}{}", columns.concat(), self.style.faint(note)))?;
        }
        Ok(())
    }

    fn cards(&mut self, facts: &Facts) -> io::Result<()> {
        let names =
            [(CardStatus::Used, "cards"), (CardStatus::Unused, "not used"), (CardStatus::Unknown, "unknown")];
        for (status, name) in names {
            let cards = facts.cards(status);
            let words: Vec<_> = cards.iter().map(|(card, n)| format!("{card} {}", count(*n))).collect();
            self.wrapped(name, &words)?;
        }
        Ok(())
    }

    /// The worst element of each shape.
    fn quality(&mut self, facts: &Facts) -> io::Result<()> {
        if facts.quality.is_empty() {
            return Ok(());
        }
        let head = format!("{:<12}{:>10}{:>20}{:>20}{:>20}", "worst of", "", "aspect", "skew", "Jacobian");
        self.line("quality", &self.style.faint(&head))?;
        for shape in &facts.quality {
            let cell = |worst: Worst, digits: usize, unit: &str| {
                let value = format!("{:.digits$}{unit}", worst.value);
                format!("{:>20}", format!("{value}  in {}", worst.element))
            };
            let jacobian = cell(shape.jacobian, 3, "");
            let text = format!(
                "{:<12}{:>10}{}{}{}",
                format!("{}({})", shape.card, shape.node_count),
                count(shape.count),
                cell(shape.aspect, 1, ""),
                cell(shape.skew_deg, 1, "°"),
                if shape.jacobian.value > 0.0 { jacobian } else { self.style.red(&jacobian) },
            );
            self.line("", &text)?;
        }
        Ok(())
    }
}
