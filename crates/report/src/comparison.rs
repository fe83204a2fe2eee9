//! The page of a comparison of results.

use serde::Serialize;

use crate::array::Arrays;
use crate::machine::{Machine, MachineData};
use crate::page::{About, Section, escape, messages, page, table};
use crate::quantity::{quantity_text, significant};
use crate::run::plots::{PlotData, markup, overlaid};
use crate::run::stage;

/// Results beside each other; the first file is the reference.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// Where it comes from.
    pub about: About,
    /// The files.
    pub files: Vec<String>,
    /// Largest relative difference that is accepted; none is judged without.
    pub tolerance: Option<f64>,
    /// Metrics.
    pub metrics: Vec<ComparedMetric>,
    /// Curves that are drawn over each other.
    pub overlays: Vec<Overlay>,
    /// Curves that differ and are not drawn.
    pub left_out: usize,
    /// What some files do not have.
    pub missing: Vec<String>,
    /// The machines of the files in one picture, each a group of it.
    pub machine: Option<Machine>,
}

/// A metric of several files.
#[derive(Clone, Debug, Default)]
pub struct ComparedMetric {
    /// Its name.
    pub name: String,
    /// Units.
    pub units: String,
    /// What it is.
    pub description: String,
    /// Of each file.
    pub values: Vec<Option<f64>>,
    /// Largest relative difference from the first.
    pub difference: f64,
    /// It is more than the tolerance.
    pub beyond: bool,
}

/// The same curve of several files.
#[derive(Clone, Debug, Default)]
pub struct Overlay {
    /// Above the plot.
    pub title: String,
    /// What it shows.
    pub quantity: String,
    /// Of the values, in SI.
    pub units: String,
    /// Largest difference as a part of the largest value of the first file.
    pub difference: f64,
    /// Times (s) and values of each file.
    pub lines: Vec<(Vec<f64>, Vec<f64>)>,
}

/// Plots and machine are those of a run.
#[derive(Serialize)]
struct ComparisonData {
    kind: &'static str,
    plots: Vec<PlotData>,
    machine: Option<MachineData>,
}

impl Comparison {
    /// The page.
    pub fn into_html(self) -> String {
        let mut arrays = Arrays::default();
        let names = short_names(&self.files);
        let overlay = |(k, overlay): (usize, &Overlay)| overlaid(k, overlay, &names, &mut arrays);
        let plots: Vec<PlotData> = self.overlays.iter().enumerate().filter_map(overlay).collect();
        let mut sections = vec![
            Section { id: "metrics", heading: "Metrics", markup: self.table(&names) },
            Section { id: "curves", heading: "Curves", markup: self.legend(&names) + &markup(&plots) },
        ];
        let machine = self.machine.filter(Machine::is_drawable);
        if machine.is_some() {
            let markup = stage::MARKUP.to_owned();
            sections.insert(0, Section { id: "machine", heading: "Machines", markup });
        }
        if !self.missing.is_empty() {
            let lines: Vec<String> = self
                .missing
                .iter()
                .map(|name| format!("{name}: missing in a file, or of another shape"))
                .collect();
            sections.push(Section { id: "missing", heading: "Not compared", markup: messages(&lines) });
        }
        let groups = |machine: Machine| Machine { groups: names.clone(), ..machine };
        let machine = machine.map(|machine| groups(machine).into_data(&mut arrays));
        page(&self.about, &sections, &ComparisonData { kind: "run", plots, machine }, arrays)
    }

    fn table(&self, names: &[String]) -> String {
        let names: Vec<String> = names.iter().map(|name| escape(name)).collect();
        let mut heads = vec!["metric"];
        heads.extend(names.iter().map(String::as_str));
        heads.push("difference");
        let row = |metric: &ComparedMetric| {
            let title = escape(&metric.description);
            let mut cells = vec![format!("<span title=\"{title}\">{}</span>", escape(&metric.name))];
            cells.extend(metric.values.iter().map(|value| match value {
                Some(value) => escape(&quantity_text(*value, &metric.units)),
                None => "–".to_owned(),
            }));
            let difference = percent(metric.difference);
            cells.push(match metric.beyond {
                true => format!("<strong class=\"bad\">{difference}</strong>"),
                false => difference,
            });
            cells
        };
        let rows: Vec<Vec<String>> = self.metrics.iter().map(row).collect();
        table("Metrics of the files", &heads, &rows)
    }

    fn legend(&self, names: &[String]) -> String {
        let shortened = names.iter().zip(&self.files).filter(|(name, path)| name != path);
        let mut lines: Vec<String> = shortened.map(|(name, path)| format!("{name}: {path}")).collect();
        if let Some(tolerance) = self.tolerance {
            lines.push(format!("Differences above {} are marked.", percent(tolerance)));
        }
        if self.left_out > 0 {
            lines.push(format!("{} more curves differ by less than those drawn.", self.left_out));
        }
        let lines: String =
            lines.iter().map(|line| format!("<p class=\"note\">{}</p>\n", escape(line))).collect();
        lines
    }
}

/// A relative difference in percent.
pub(crate) fn percent(difference: f64) -> String {
    match difference {
        0.0 => "0".to_owned(),
        d if d.is_finite() => format!("{} %", significant(100.0 * d, 3)),
        _ => "only in some".to_owned(),
    }
}

/// Names of files without the folders that they share.
fn short_names(files: &[String]) -> Vec<String> {
    let parts: Vec<Vec<&str>> = files.iter().map(|file| file.split(['/', '\\']).collect()).collect();
    let shared = |k: usize| parts.iter().all(|own| own.len() > k + 1 && own[k] == parts[0][k]);
    let common = (0..).take_while(|k| shared(*k)).count();
    let names: Vec<String> = parts.iter().map(|own| own[common..].join("/")).collect();
    // The same file twice is told apart by its number.
    let again = |k: usize| names[..k].contains(&names[k]);
    (0..names.len())
        .map(|k| if again(k) { format!("{} ({})", names[k], k + 1) } else { names[k].clone() })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_by_what_tells_them_apart() {
        let names =
            |files: &[&str]| short_names(&files.iter().map(|&file| file.to_owned()).collect::<Vec<_>>());
        assert_eq!(names(&["/a/b/x.vtkhdf", "/a/c/x.vtkhdf"]), ["b/x.vtkhdf", "c/x.vtkhdf"]);
        assert_eq!(names(&["x.vtkhdf", "y.vtkhdf"]), ["x.vtkhdf", "y.vtkhdf"]);
        assert_eq!(names(&["x", "x"]), ["x", "x (2)"]);
        assert_eq!(percent(0.0), "0");
        assert_eq!(percent(0.0123), "1.23 %");
    }

    #[test]
    fn a_comparison_becomes_a_page() {
        let line = |scale: f64| (vec![0.0, 1.0, 2.0], vec![0.0, scale, 0.5 * scale]);
        let comparison = Comparison {
            files: vec!["a".to_owned(), "<i7>".to_owned()],
            tolerance: Some(1e-3),
            metrics: vec![ComparedMetric {
                name: "tip_peak_error".to_owned(),
                units: "m".to_owned(),
                values: vec![Some(1e-3), None],
                difference: f64::INFINITY,
                beyond: true,
                ..ComparedMetric::default()
            }],
            overlays: vec![Overlay {
                title: "tip error, x".to_owned(),
                quantity: "error".to_owned(),
                units: "m".to_owned(),
                difference: 0.1,
                lines: vec![line(1e-3), line(1.1e-3)],
            }],
            missing: vec!["links/arm/coordinates".to_owned()],
            ..Comparison::default()
        };
        let html = comparison.into_html();
        for part in ["tip_peak_error", "&lt;i7&gt;", "only in some", "Not compared", "plot-compared-0"] {
            assert!(html.contains(part), "{part}");
        }
        assert!(!html.contains("<i7>"), "names of files are text");
    }
}
