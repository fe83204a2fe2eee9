//! PBEAM, PBEAML.

use pliant_diag::Severity;
use pliant_mesh::property::{BeamProperty, BeamStation, PropertyKind, Section};

use super::bar_property::{dimensions, section_numbers, shape, stress_points};
use super::{CardType, property};
use crate::resolve::Builder;
use crate::section::SectionNumbers;
use crate::typed::Reader;

pub(super) const CARDS: &[CardType] = &[property("PBEAM", pbeam), property("PBEAML", pbeaml)];

/// A station as a PBEAM gives it: what is blank stays open until both ends are known.
struct Given {
    position: f64,
    stress_output: bool,
    /// A, I1, I2, I12, J, NSM.
    numbers: [Option<f64>; 6],
    points: Option<[[f64; 2]; 4]>,
}

const NUMBERS: [&str; 6] = ["A", "I1", "I2", "I12", "J", "NSM"];

/// ```text
/// | PBEAM | PID   | MID   | A(A)  | I1(A) | I2(A)  | I12(A) | J(A)  | NSM(A) |
/// |       | C1(A) | C2(A) | D1(A) | D2(A) | E1(A)  | E2(A)  | F1(A) | F2(A)  |
/// |       | SO    | X/XB  | A     | I1    | I2     | I12    | J     | NSM    |   for each station and end B
/// |       | C1    | C2    | D1    | D2    | E1     | E2     | F1    | F2     |   only where SO = YES
/// |       | K1    | K2    | S1    | S2    | NSI(A) | NSI(B) | CW(A) | CW(B)  |
/// |       | M1(A) | M2(A) | M1(B) | M2(B) | N1(A)  | N2(A)  | N1(B) | N2(B)  |
/// ```
/// Blank numbers of end B are those of end A, those between are interpolated. K1 and K2 are 1 when blank, and
/// 0 means no shear flexibility. Without a station the beam is uniform.
fn pbeam(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let id = r.id(0, "PID");
    let material = b.isotropic(r, 1, "MID");
    let mut numbers = [None; 6];
    let mut good = true;
    for (k, name) in NUMBERS.iter().enumerate() {
        let value = if k < 3 { r.real(2 + k, name) } else { r.real_or(2 + k, name, 0.0) };
        good &= value.is_some();
        numbers[k] = value;
    }
    // The line with the stress points of end A may be left out when a station follows.
    let is_station =
        |r: &Reader<'_>, slot: usize| ["YES", "YESA", "NO"].iter().any(|word| r.is_word(slot, word));
    let mut slot = 8;
    let mut points = Some([[0.0; 2]; 4]);
    if !is_station(r, slot) {
        points = stress_points(r, slot);
        slot += 8;
    }
    let mut stations = vec![Given { position: 0.0, stress_output: true, numbers, points }];
    good &= points.is_some();
    while is_station(r, slot) {
        match station(r, &mut slot) {
            Some(station) => stations.push(station),
            None => good = false,
        }
    }
    let tail = tail(r, slot);
    if !good {
        return None;
    }
    let stations = complete(r, stations)?;
    let Tail { k, shear_relief, nsi, warping, nsm_offset, neutral_axis } = tail?;
    let beam = BeamProperty {
        stations,
        k1: (k[0] != 0.0).then_some(k[0]),
        k2: (k[1] != 0.0).then_some(k[1]),
        shear_relief,
        nsi,
        warping,
        nsm_offset,
        neutral_axis,
        section: None,
    };
    b.add_property(r, id?, PropertyKind::Beam(material?, Box::new(beam)));
    Some(())
}

/// One station: its line, and its stress points when SO = YES.
fn station(r: &mut Reader<'_>, slot: &mut usize) -> Option<Given> {
    let first = *slot;
    let output = r.word(first, "SO");
    let position = r.real_or(first + 1, "X/XB", 1.0);
    let mut numbers = [None; 6];
    let mut good = true;
    for (k, name) in NUMBERS.iter().enumerate() {
        match r.optional_real(first + 2 + k, name) {
            Some(value) => numbers[k] = value,
            None => good = false,
        }
    }
    *slot += 8;
    let points = if output.as_deref() == Some("YES") {
        *slot += 8;
        Some(stress_points(r, first + 8)?)
    } else {
        None
    };
    let position = position?;
    if !(position > 0.0 && position <= 1.0) {
        r.error(first + 1, "X/XB", format!("stations lie between 0 and 1, found {position}"));
        return None;
    }
    good.then_some(Given { position, stress_output: output? != "NO", numbers, points })
}

/// Fills blanks and sorts the stations; end B is made when it is not given.
fn complete(r: &mut Reader<'_>, mut given: Vec<Given>) -> Option<Vec<BeamStation>> {
    given.sort_by(|a, b| a.position.total_cmp(&b.position));
    if let Some(pair) = given.windows(2).find(|pair| pair[0].position == pair[1].position) {
        let message = format!("two stations at X/XB = {}", pair[0].position);
        r.report(r.card_problem(Severity::Error, message));
        return None;
    }
    let start = given[0].numbers;
    let start_points = given[0].points.unwrap_or_default();
    if given.last().is_none_or(|last| last.position < 1.0) {
        given.push(Given { position: 1.0, stress_output: true, numbers: [None; 6], points: None });
    }
    let last = given.len() - 1;
    let end: Vec<Option<f64>> = (0..6).map(|k| given[last].numbers[k].or(start[k])).collect();
    let fill = |station: &Given, k: usize| {
        let (a, b) = (start[k].unwrap_or(0.0), end[k].unwrap_or(0.0));
        station.numbers[k].unwrap_or(a + station.position * (b - a))
    };
    let stations = given.iter().map(|station| BeamStation {
        position: station.position,
        stress_output: station.stress_output,
        area: fill(station, 0),
        i1: fill(station, 1),
        i2: fill(station, 2),
        i12: fill(station, 3),
        torsion_constant: fill(station, 4),
        nsm: fill(station, 5),
        stress_points: station.points.unwrap_or(start_points),
        dimensions: Vec::new(),
    });
    let stations: Vec<BeamStation> = stations.collect();
    if let Some(bad) = stations.iter().find(|s| s.area <= 0.0 || s.i1 < 0.0 || s.i2 < 0.0) {
        let message =
            format!("area must be positive and moments of inertia not negative at X/XB = {}", bad.position);
        r.report(r.card_problem(Severity::Error, message));
        return None;
    }
    Some(stations)
}

/// The last two lines of a PBEAM.
struct Tail {
    k: [f64; 2],
    shear_relief: [f64; 2],
    nsi: [f64; 2],
    warping: [f64; 2],
    nsm_offset: [[f64; 2]; 2],
    neutral_axis: [[f64; 2]; 2],
}

fn tail(r: &mut Reader<'_>, first: usize) -> Option<Tail> {
    let k1 = r.real_or(first, "K1", 1.0);
    let k2 = r.real_or(first + 1, "K2", 1.0);
    let s1 = r.real_or(first + 2, "S1", 0.0);
    let s2 = r.real_or(first + 3, "S2", 0.0);
    // End B is as end A where blank.
    let mut pair = |a: usize, b: usize, names: [&str; 2]| {
        let at_a = r.real_or(first + a, names[0], 0.0);
        let at_b = r.real_or(first + b, names[1], at_a.unwrap_or(0.0));
        Some([at_a?, at_b?])
    };
    let nsi = pair(4, 5, ["NSI(A)", "NSI(B)"]);
    let warping = pair(6, 7, ["CW(A)", "CW(B)"]);
    let m1 = pair(8, 10, ["M1(A)", "M1(B)"]);
    let m2 = pair(9, 11, ["M2(A)", "M2(B)"]);
    let n1 = pair(12, 14, ["N1(A)", "N1(B)"]);
    let n2 = pair(13, 15, ["N2(A)", "N2(B)"]);
    let ends = |one: [f64; 2], two: [f64; 2]| [[one[0], two[0]], [one[1], two[1]]];
    Some(Tail {
        k: [k1?, k2?],
        shear_relief: [s1?, s2?],
        nsi: nsi?,
        warping: warping?,
        nsm_offset: ends(m1?, m2?),
        neutral_axis: ends(n1?, n2?),
    })
}

/// ```text
/// | PBEAML | PID     | MID     | GROUP | TYPE    |        |       |       |         |
/// |        | DIM1(A) | DIM2(A) | …     | DIMn(A) | NSM(A) | SO(1) | X(1)  | DIM1(1) |
/// |        | …       | NSM(1)  | SO(B) | 1.0     | DIM1(B) | …    | NSM(B) |
/// ```
/// Fields run on from station to station. Blank dimensions of end B are those of end A, those between are
/// interpolated. The non-structural mass sits at the shear centre, as PBEAM's M1 and M2 do by default.
fn pbeaml(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let id = r.id(0, "PID");
    let material = b.isotropic(r, 1, "MID");
    let shape = shape(r)?;
    let count = shape.dimension_count;
    let start = dimensions(r, 8, shape, &[])?;
    let start_nsm = r.real_or(8 + count, "NSM(A)", 0.0)?;
    // (x/L, output, first slot of the dimensions)
    let mut given = Vec::new();
    let mut slot = 8 + count + 1;
    while slot < r.len() {
        let output = r.optional_word(slot, "SO")?.unwrap_or_else(|| "YES".to_owned());
        let position = r.real_or(slot + 1, "X/XB", 1.0)?;
        if !(position > 0.0 && position <= 1.0) {
            r.error(slot + 1, "X/XB", format!("stations lie between 0 and 1, found {position}"));
            return None;
        }
        given.push((position, output != "NO", slot + 2));
        slot += 2 + count + 1;
    }
    let end_slot = given.iter().find(|(position, ..)| *position == 1.0).map(|(.., slot)| *slot);
    let end = end_slot.map_or(Some(start.clone()), |slot| dimensions(r, slot, shape, &start))?;
    let end_nsm = end_slot.map_or(Some(start_nsm), |slot| r.real_or(slot + count, "NSM(B)", start_nsm))?;
    let numbers = section_numbers(r, shape, &start)?;
    let end_numbers = section_numbers(r, shape, &end)?;
    let mut stations = vec![library_station(0.0, true, &numbers, start_nsm, &start)];
    for (position, output, slot) in given.iter().filter(|(position, ..)| *position < 1.0) {
        let between: Vec<f64> = start.iter().zip(&end).map(|(a, b)| a + position * (b - a)).collect();
        let own = dimensions(r, *slot, shape, &between)?;
        let nsm = r.real_or(slot + count, "NSM", start_nsm + position * (end_nsm - start_nsm))?;
        let numbers = section_numbers(r, shape, &own)?;
        stations.push(library_station(*position, *output, &numbers, nsm, &own));
    }
    let end_output =
        given.iter().find(|(position, ..)| *position == 1.0).is_none_or(|(_, output, _)| *output);
    stations.push(library_station(1.0, end_output, &end_numbers, end_nsm, &end));
    stations.sort_by(|a, b| a.position.total_cmp(&b.position));
    if !numbers.shear_centre_known {
        let message = format!("the shear centre of section {} is taken at its centroid", shape.name);
        r.report(r.card_problem(Severity::Warning, message).hint("PBEAM can say where it is (N1, N2)"));
    }
    let beam = BeamProperty {
        stations,
        k1: Some(numbers.k1),
        k2: Some(numbers.k2),
        shear_relief: [0.0; 2],
        nsi: [0.0; 2],
        warping: [0.0; 2],
        nsm_offset: [[0.0; 2]; 2],
        neutral_axis: [numbers.neutral_axis, end_numbers.neutral_axis],
        section: Some(Section { name: shape.name.to_owned(), dimensions: start }),
    };
    b.add_property(r, id?, PropertyKind::Beam(material?, Box::new(beam)));
    Some(())
}

fn library_station(
    position: f64,
    stress_output: bool,
    numbers: &SectionNumbers,
    nsm: f64,
    dimensions: &[f64],
) -> BeamStation {
    BeamStation {
        position,
        stress_output,
        area: numbers.area,
        i1: numbers.i1,
        i2: numbers.i2,
        i12: numbers.i12,
        torsion_constant: numbers.torsion_constant,
        nsm,
        stress_points: numbers.beam_stress_points(),
        dimensions: dimensions.to_vec(),
    }
}
