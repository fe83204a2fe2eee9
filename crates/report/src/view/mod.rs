//! The page of a machine of which nothing has been computed: what the file says, drawn, with its problems
//! where they are.

mod tables;

use serde::Serialize;

use crate::array::Arrays;
use crate::machine::{Machine, MachineData};
use crate::page::{About, Section, page};
use crate::run::stage;

/// A machine as its pipeline file has it.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// Where it comes from.
    pub about: About,
    /// Where everything is; `None` when there is nothing to draw.
    pub machine: Option<Machine>,
    /// What is wrong. A mark of the machine has the number of its problem, from 1, as label.
    pub problems: Vec<Problem>,
    /// The links.
    pub links: Vec<ViewedPart>,
    /// The joints.
    pub joints: Vec<ViewedPart>,
    /// Payloads, loads, constraints, couplings, force elements.
    pub others: Vec<ViewedPart>,
    /// True when whoever serves the page says when it has changed.
    pub live: bool,
}

/// How bad a problem is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Severity {
    /// Nothing can be computed.
    #[default]
    Error,
    /// Something may not be meant so.
    Warning,
    /// Something worth knowing.
    Note,
}

/// A problem of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Problem {
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// `machine.toml:12:8`; empty where it has no location.
    pub location: String,
    /// The line, and the characters of it that are meant: first and count.
    pub excerpt: Option<(String, usize, usize)>,
    /// What may help.
    pub hints: Vec<String>,
    /// What it belongs to: `joint elbow`; empty where that is not known.
    pub subject: String,
    /// A mark in the picture has its number.
    pub is_marked: bool,
}

/// A row about a part of the machine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ViewedPart {
    /// Name.
    pub name: String,
    /// `deck`, `revolute`, `spring`, …
    pub kind: String,
    /// What it is in words.
    pub facts: Vec<String>,
}

#[derive(Serialize)]
struct ViewData {
    kind: &'static str,
    live: bool,
    machine: Option<MachineData>,
}

impl View {
    /// The page.
    pub fn into_html(self) -> String {
        let mut arrays = Arrays::default();
        let section = |id, heading, markup| Section { id, heading, markup };
        let machine = self.machine.filter(Machine::is_drawable);
        let stage = match &machine {
            Some(_) => stage::MARKUP.to_owned(),
            None => "<p class=\"muted\">Nothing of this file can be drawn.</p>\n".to_owned(),
        };
        let mut sections = vec![section("machine", "Machine", stage)];
        let heading = if self.problems.is_empty() { "No problems" } else { "Problems" };
        sections.push(section("problems", heading, tables::problems(&self.problems)));
        let tables = [
            ("links", "Links", &self.links),
            ("joints", "Joints", &self.joints),
            ("others", "Forces, constraints, payloads, loads", &self.others),
        ];
        for (id, heading, rows) in tables {
            if !rows.is_empty() {
                sections.push(section(id, heading, tables::parts(heading, rows)));
            }
        }
        let machine = machine.map(|machine| machine.into_data(&mut arrays));
        page(&self.about, &sections, &ViewData { kind: "view", live: self.live, machine }, arrays)
    }
}
