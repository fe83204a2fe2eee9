//! The report of a study.

mod numbers;

use serde::Serialize;

use crate::array::{Arrays, Reference};
use crate::page::{About, Section, messages, page};
use crate::quantity::Scale;

/// A study: a row for each case. Columns have one entry for each of `cases`.
#[derive(Clone, Debug, Default)]
pub struct Study {
    /// Where it comes from.
    pub about: About,
    /// Number of each case.
    pub cases: Vec<u32>,
    /// Parameters and metrics.
    pub columns: Vec<Column>,
    /// Which parameter matters for which metric.
    pub effects: Vec<Effect>,
    /// Why a case failed: index in `cases` and reason.
    pub failures: Vec<(usize, String)>,
    /// Cases of the study that have no row yet.
    pub missing: usize,
    /// Warnings, in words.
    pub warnings: Vec<String>,
    /// Results of cases that were kept: index in `cases`, and the file.
    pub files: Vec<(usize, CaseFile)>,
    /// The folder of the study, as whoever asks names it.
    pub folder: String,
    /// Base points of Saltelli's design, where the cases were drawn for Sobol's indices.
    pub sobol_base: Option<usize>,
    /// The two metrics of the front that is asked for, and whether more of each is better.
    pub front: Option<[(String, bool); 2]>,
}

/// The results of a case.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CaseFile {
    /// Its results file in the folder of the study.
    pub path: String,
    /// Its report, where there is one.
    pub page: Option<String>,
}

/// A parameter or a metric.
#[derive(Clone, Debug)]
pub struct Column {
    /// Name.
    pub name: String,
    /// Units; empty where it has none.
    pub units: String,
    /// Which it is.
    pub role: Role,
    /// Its values.
    pub values: ColumnValues,
}

/// How much a parameter matters for a metric.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// Name of the parameter's column.
    pub parameter: String,
    /// Name of the metric's column.
    pub metric: String,
    /// Spearman's; NaN where there is none.
    pub rank_correlation: f64,
    /// Share of the metric's variance between levels of the parameter; NaN where there is none.
    pub variance_share: f64,
}

/// What a column is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Given.
    Parameter,
    /// Found.
    Metric,
    /// 1 where a case passes it, 0 where it fails.
    Constraint,
    /// Shown in the table and offered as a colour: the time a case took.
    Other,
}

/// Values of a column.
#[derive(Clone, Debug)]
pub enum ColumnValues {
    /// Numbers; NaN where a case has none.
    Numbers(Vec<f64>),
    /// Words, as of a parameter that names a deck.
    Words(Vec<String>),
}

#[derive(Serialize)]
struct StudyData {
    kind: &'static str,
    numbers: Reference,
    columns: Vec<ColumnData>,
    /// Index of the case and its reason.
    reasons: Vec<(usize, String)>,
    effects: Vec<EffectData>,
    missing: usize,
    files: Vec<(usize, CaseFile)>,
    folder: String,
    sobol_base: Option<usize>,
    front: Option<[(String, bool); 2]>,
}

/// The list of a metric begins with the parameter that matters most.
#[derive(Serialize)]
struct EffectData {
    parameter: usize,
    metric: usize,
    rank_correlation: Option<f64>,
    variance_share: Option<f64>,
}

#[derive(Serialize)]
struct ColumnData {
    id: usize,
    name: String,
    units: String,
    role: Role,
    /// Distinct words, when values are indices in them.
    words: Option<Vec<String>>,
    values: Reference,
}

impl Study {
    /// The page.
    pub fn into_html(self) -> String {
        let mut arrays = Arrays::default();
        let mut sections =
            vec![Section { id: "summary", heading: "Summary", markup: numbers::summary(&self) }];
        let has = |role| self.columns.iter().any(|column| column.role == role);
        if has(Role::Parameter) && has(Role::Metric) {
            sections.push(Section {
                id: "explore",
                heading: "Parameters and metrics",
                markup: numbers::EXPLORE.to_owned(),
            });
            let several = |role| self.columns.iter().filter(|column| column.role == role).count() > 1;
            if several(Role::Metric) {
                let markup = numbers::PARETO.to_owned();
                sections.push(Section { id: "pareto", heading: "Pareto front", markup });
            }
            let heat = if several(Role::Parameter) { numbers::HEAT } else { "" };
            let markup = [numbers::MANY, heat].concat();
            sections.push(Section { id: "many", heading: "Many columns", markup });
        }
        sections.push(Section {
            id: "cases",
            heading: "Cases",
            markup: "<div id=\"case-table\"></div>\n<div id=\"case-detail\"></div>\n".to_owned(),
        });
        if !self.failures.is_empty() {
            sections.push(Section {
                id: "failed",
                heading: "Failed cases",
                markup: numbers::failures(&self),
            });
        }
        if !self.warnings.is_empty() {
            sections.push(Section { id: "warnings", heading: "Warnings", markup: messages(&self.warnings) });
        }
        let effects = self.effects();
        let columns =
            self.columns.iter().enumerate().map(|(id, column)| column.data(id, &mut arrays)).collect();
        let data = StudyData {
            kind: "study",
            numbers: arrays.u32(&self.cases),
            columns,
            reasons: self.failures,
            effects,
            missing: self.missing,
            files: self.files,
            folder: self.folder,
            sobol_base: self.sobol_base,
            front: self.front,
        };
        page(&self.about, &sections, &data, arrays)
    }

    /// Every pair of parameter and metric, those that matter most first.
    fn effects(&self) -> Vec<EffectData> {
        let of = |role| self.columns.iter().enumerate().filter(move |(_, column)| column.role == role);
        let mut all = Vec::new();
        for (metric, y) in of(Role::Metric) {
            let mut list: Vec<EffectData> = of(Role::Parameter)
                .map(|(parameter, x)| {
                    let same = |effect: &&Effect| effect.parameter == x.name && effect.metric == y.name;
                    let found = self.effects.iter().find(same);
                    let finite = |pick: fn(&Effect) -> f64| found.map(pick).filter(|x| x.is_finite());
                    let (rank_correlation, variance_share) =
                        (finite(|e| e.rank_correlation), finite(|e| e.variance_share));
                    EffectData { parameter, metric, rank_correlation, variance_share }
                })
                .collect();
            let strength =
                |e: &EffectData| e.variance_share.or(e.rank_correlation.map(|rho| rho * rho)).unwrap_or(-1.0);
            list.sort_by(|a, b| strength(b).total_cmp(&strength(a)));
            all.extend(list);
        }
        all
    }
}

impl Column {
    /// The unit in which it is shown: metrics in a prefix that reads well, parameters as they were given.
    fn scale(&self) -> Scale {
        match (&self.values, self.role) {
            (ColumnValues::Numbers(values), Role::Metric) => {
                Scale::of(crate::quantity::largest(values.iter().filter(|x| x.is_finite())), &self.units)
            }
            _ => Scale { factor: 1.0, units: self.units.clone() },
        }
    }

    fn data(&self, id: usize, arrays: &mut Arrays) -> ColumnData {
        let scale = self.scale();
        let (words, values) = match &self.values {
            ColumnValues::Numbers(values) => (None, arrays.f64(&scale.apply(values))),
            ColumnValues::Words(values) => {
                let mut words = values.clone();
                words.sort();
                words.dedup();
                let index = |word: &String| words.binary_search(word).unwrap_or(0) as u32;
                let indices: Vec<u32> = values.iter().map(index).collect();
                (Some(words), arrays.u32(&indices))
            }
        };
        ColumnData { id, name: self.name.clone(), units: scale.units, role: self.role, words, values }
    }
}
