//! Channels for fatigue programs: one column for each number over time, equally spaced, as RPC III or CSV.

mod columns;
mod rpc;

use std::io::{self, BufWriter};
use std::path::Path;

use pliant_reduce::recovery::{Quantity, RowKind};
use pliant_store::NewFile;
use pliant_store::results::{ResultsError, ResultsFile, Series};

use super::csv::below;

/// A number over time.
struct Channel {
    name: String,
    units: String,
    values: Vec<f64>,
}

/// Writes the channels whose path begins with one of `only`; without, the stress of the elements over time
/// (of bars the axial one) and the strain of the gauges. A name that ends in `.rsp`, `.rpc` or `.tim` becomes
/// an RPC III file, any other a table. Returns how many there are.
///
/// # Errors
/// Results that cannot be read or have no such channel; for RPC III outputs that are not equally spaced; a
/// file that cannot be written.
pub fn channels(
    file: &ResultsFile,
    path: &Path,
    only: &[String],
    io_error: impl Fn(io::Error) -> ResultsError,
) -> Result<usize, ResultsError> {
    let unknown = |message: String| ResultsError::Unknown { path: file.path().to_owned(), message };
    let time = file.series("/time")?.values;
    let mut all = Vec::new();
    for path in file.along_time("")? {
        let name = path.trim_start_matches('/');
        let wanted = |start: &String| below(name, start.trim_matches('/'));
        match Place::of(name) {
            _ if only.iter().any(wanted) => of_series(name, &file.series(&path)?, false, &mut all),
            Some(_) if only.is_empty() => of_series(name, &file.series(&path)?, true, &mut all),
            _ => {}
        }
    }
    if all.is_empty() {
        let hint =
            "`history` of [output.stress] keeps the stress of elements over time, `gauges` their strain";
        return Err(unknown(format!("there is no such channel; {hint}")));
    }
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let is_rpc = ["rsp", "rpc", "tim"].iter().any(|known| extension.eq_ignore_ascii_case(known));
    let spacing = spacing(&time);
    if is_rpc {
        rpc::fits(spacing, &time, &all).map_err(unknown)?;
    }
    let mut out = BufWriter::new(NewFile::create(path).map_err(&io_error)?);
    let written = match spacing {
        Some(spacing) if is_rpc => rpc::write(&mut out, spacing, time.len(), &all),
        _ => columns::write(&mut out, &time, &all),
    };
    written.map_err(&io_error)?;
    let complete = out.into_inner().map_err(io::IntoInnerError::into_error);
    complete.and_then(NewFile::finish).map_err(&io_error)?;
    Ok(all.len())
}

/// What fatigue is computed from, by its path: link and element, or link and gauge.
enum Place<'a> {
    Element(&'a str, &'a str),
    Gauge(&'a str, &'a str),
}

impl<'a> Place<'a> {
    fn of(name: &'a str) -> Option<Self> {
        let parts: Vec<&str> = name.split('/').collect();
        match parts[..] {
            ["links", link, "elements", element, "stress"] => Some(Self::Element(link, element)),
            ["links", link, "gauges", gauge] => Some(Self::Gauge(link, gauge)),
            _ => None,
        }
    }
}

/// Adds the columns of a series; of a bar the axial stress alone where that is wanted.
fn of_series(name: &str, series: &Series, stress_alone: bool, all: &mut Vec<Channel>) {
    let bar = matches!(RowKind::of_labels(&series.labels, Quantity::Stress), Some(RowKind::Line));
    for k in 0..series.width() {
        let label = series.labels.get(k).map_or("", String::as_str);
        let (what, units) = match Place::of(name) {
            Some(Place::Element(link, element)) => {
                let units = if bar { units_in_bar(label) } else { "Pa" };
                (format!("{link} element {element} {label}"), units)
            }
            Some(Place::Gauge(link, gauge)) => (format!("{link} gauge {gauge}"), "strain"),
            None => (format!("{name} {label}"), series.units.as_str()),
        };
        if stress_alone && bar && units != "Pa" {
            continue;
        }
        let (units, factor) = if units == "Pa" { ("MPa", 1e-6) } else { (units, 1.0) };
        let values = series.column(k).map(|x| factor * x).collect();
        all.push(Channel { name: what.trim_end().to_owned(), units: units.to_owned(), values });
    }
}

/// Units of what is stored of the end of a bar, as `A.M1`.
fn units_in_bar(label: &str) -> &'static str {
    match label.rsplit('.').next().unwrap_or_default() {
        "N" | "V1" | "V2" => "N",
        "T" | "M1" | "M2" => "N m",
        _ => "Pa",
    }
}

/// The time between outputs, where it is always the same but for rounding.
fn spacing(time: &[f64]) -> Option<f64> {
    let (first, last) = (*time.first()?, *time.last()?);
    let spacing = (last - first) / (time.len() as f64 - 1.0);
    let at = |k: usize| first + k as f64 * spacing;
    let even = time.iter().enumerate().all(|(k, t)| (t - at(k)).abs() < 1e-6 * spacing);
    (time.len() > 1 && even).then_some(spacing)
}
