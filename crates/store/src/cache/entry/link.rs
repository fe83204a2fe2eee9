//! `/link`: the reduced link.

use hdf5::{Group, Result};
use nalgebra::{DMatrix, Matrix3, Matrix3xX, Matrix4, Matrix6, Matrix6xX, Vector3};
use pliant_link::{Chord, Coordinate, Interface, Invariants, Rail, ReducedLink, SecondOrderMass};
use pliant_spatial::Transform;

use crate::dataset::{Meaning, matrix, meaning, put, put_matrix, put_scalar, put_text, scalar, text, values};

/// Of the quadratic forms over the coordinates.
const COORDINATES: &str = "interface coordinates are m (1-3) and rad (4-6), modal ones kg^0.5 m";

pub(super) fn write(group: &Group, link: &ReducedLink) -> Result<()> {
    // Taken apart without `..`, so that a new field cannot be forgotten here.
    let ReducedLink { name, interfaces, coordinates, K, D, invariants, size, rail } = link;
    put_text(group, "name", name)?;
    put_text(group, "coordinates", COORDINATES)?;
    put_matrix(group, "K", K, meaning("J per coordinate squared", "stiffness V^T K V"))?;
    put_matrix(group, "D", D, meaning("J s per coordinate squared", "damping V^T D V"))?;
    put_scalar(group, "size", *size, meaning("m", "largest distance of a node from the link frame"))?;
    write_coordinates(group, coordinates)?;
    write_invariants(&group.create_group("invariants")?, invariants)?;
    for (i, interface) in interfaces.iter().enumerate() {
        write_interface(&group.create_group(&format!("interface_{i}"))?, interface)?;
    }
    match rail {
        Some(rail) => write_rail(&group.create_group("rail")?, rail),
        None => Ok(()),
    }
}

pub(super) fn read(group: &Group) -> Result<ReducedLink> {
    let count = (0..).take_while(|i| group.link_exists(&format!("interface_{i}"))).count();
    let interface = |i: usize| read_interface(&group.group(&format!("interface_{i}"))?);
    Ok(ReducedLink {
        name: text(group, "name")?,
        interfaces: (0..count).map(interface).collect::<Result<_>>()?,
        coordinates: read_coordinates(group)?,
        K: matrix(group, "K")?,
        D: matrix(group, "D")?,
        invariants: read_invariants(&group.group("invariants")?)?,
        size: scalar(group, "size")?,
        rail: match group.link_exists("rail") {
            true => Some(read_rail(&group.group("rail")?)?),
            false => None,
        },
    })
}

fn write_rail(group: &Group, rail: &Rail) -> Result<()> {
    let Rail { foot, direction, stations, range, V, F } = rail;
    put_matrix(group, "foot", foot, meaning("m", "point of the rail nearest to the link frame"))?;
    put_matrix(group, "direction", direction, meaning("1", "unit vector along the rail, outwards"))?;
    let what = meaning("m", "stations along the rail, from the foot");
    put(group, "stations", &[stations.len()], stations, what)?;
    let what = meaning("m", "between these a grip may be");
    put(group, "range", &[2], &[range.0, range.1], what)?;
    let what =
        meaning("m, rad per coordinate", "displacement of each station for unit coordinates, six rows each");
    let n = V.first().map_or(0, |V| V.ncols());
    put_matrix(group, "V", &DMatrix::from_fn(6 * V.len(), n, |i, j| V[i / 6][(i % 6, j)]), what)?;
    let what = meaning("m, rad per N, N m", "flexibility that the coordinates leave out, six rows each");
    put_matrix(group, "F", F, what)
}

fn read_rail(group: &Group) -> Result<Rail> {
    let vector = |name: &str| match values::<f64>(group, name)?[..] {
        [x, y, z] => Ok(Vector3::new(x, y, z)),
        _ => Err(hdf5::Error::Internal(format!("{name} of a rail is not a vector"))),
    };
    let [from, to] = values::<f64>(group, "range")?[..] else {
        return Err(hdf5::Error::Internal("range of a rail is not two numbers".to_owned()));
    };
    let V = matrix(group, "V")?;
    let rows = |k: usize| Matrix6xX::from_fn(V.ncols(), |i, j| V[(6 * k + i, j)]);
    Ok(Rail {
        foot: vector("foot")?,
        direction: vector("direction")?,
        stations: values(group, "stations")?,
        range: (from, to),
        V: (0..V.nrows() / 6).map(rows).collect(),
        F: matrix(group, "F")?,
    })
}

fn write_coordinates(group: &Group, coordinates: &[Coordinate]) -> Result<()> {
    let (mut interfaces, mut components, mut frequencies) = (Vec::new(), Vec::new(), Vec::new());
    for coordinate in coordinates {
        let (interface, component, freq_hz) = match *coordinate {
            Coordinate::Interface { interface, component } => (interface as i64, component, f64::NAN),
            Coordinate::Mode { freq_hz } => (-1, 0, freq_hz),
        };
        interfaces.push(interface);
        components.push(component);
        frequencies.push(freq_hz);
    }
    let shape = [coordinates.len()];
    let what = meaning("1", "interface that each coordinate moves, -1 for a mode");
    put(group, "coordinate_interface", &shape, &interfaces, what)?;
    let what = meaning("1", "component (1 to 6, link axes) of that interface, 0 for a mode");
    put(group, "coordinate_component", &shape, &components, what)?;
    let what = meaning("Hz", "frequency of a mode under the conditions of the basis; NaN for interfaces");
    put(group, "coordinate_frequency", &shape, &frequencies, what)
}

fn read_coordinates(group: &Group) -> Result<Vec<Coordinate>> {
    let interfaces: Vec<i64> = values(group, "coordinate_interface")?;
    let components: Vec<u8> = values(group, "coordinate_component")?;
    let frequencies: Vec<f64> = values(group, "coordinate_frequency")?;
    let each = interfaces.into_iter().zip(components).zip(frequencies);
    let coordinates = each.map(|((interface, component), freq_hz)| match usize::try_from(interface) {
        Ok(interface) => Coordinate::Interface { interface, component },
        Err(_) => Coordinate::Mode { freq_hz },
    });
    Ok(coordinates.collect())
}

fn write_interface(group: &Group, interface: &Interface) -> Result<()> {
    let Interface { name, X_LT, V, G } = interface;
    put_text(group, "name", name)?;
    let mut X = Matrix4::identity();
    X.fixed_view_mut::<3, 3>(0, 0).copy_from(&X_LT.R);
    X.fixed_view_mut::<3, 1>(0, 3).copy_from(&X_LT.p);
    put_matrix(group, "X_LT", &X, meaning("1, m", "triad of the interface in the link frame, undeformed"))?;
    let what =
        meaning("m, rad per coordinate", "displacement of the interface for unit coordinates, link axes");
    put_matrix(group, "V", V, what)?;
    for (c, G) in G.iter().flat_map(|G| G.iter()).enumerate() {
        put_matrix(group, &second_order(c), G, SECOND_ORDER)?;
    }
    Ok(())
}

const SECOND_ORDER: Meaning =
    meaning("m, rad per coordinate squared", "G of the second-order displacement d = V q - 1/2 q^T G q");

fn second_order(component: usize) -> String {
    format!("G_{}", component + 1)
}

fn read_interface(group: &Group) -> Result<Interface> {
    let X = fixed::<4>(matrix(group, "X_LT")?, "X_LT", |X| Matrix4::from_iterator(X.iter().copied()))?;
    let V = matrix(group, "V")?;
    if V.nrows() != 6 {
        return Err(hdf5::Error::Internal("V of an interface has six rows".to_owned()));
    }
    let R: Matrix3<f64> = X.fixed_view::<3, 3>(0, 0).into_owned();
    let p: Vector3<f64> = X.fixed_view::<3, 1>(0, 3).into_owned();
    let V = Matrix6xX::from_iterator(V.ncols(), V.iter().copied());
    Ok(Interface { name: text(group, "name")?, X_LT: Transform::new(R, p), V, G: second_orders(group)? })
}

/// The matrices of second order of a group, where it has them.
fn second_orders<const N: usize>(group: &Group) -> Result<Option<Box<[DMatrix<f64>; N]>>> {
    if !group.link_exists(&second_order(0)) {
        return Ok(None);
    }
    let all: Vec<_> = (0..N).map(|c| matrix(group, &second_order(c))).collect::<Result<_>>()?;
    Ok(all.try_into().ok().map(Box::new))
}

/// A square matrix of known size.
fn fixed<const N: usize>(
    read: DMatrix<f64>,
    name: &str,
    convert: impl Fn(&DMatrix<f64>) -> nalgebra::SMatrix<f64, N, N>,
) -> Result<nalgebra::SMatrix<f64, N, N>> {
    if read.shape() == (N, N) {
        Ok(convert(&read))
    } else {
        Err(hdf5::Error::Internal(format!("{name} is not {N} by {N}")))
    }
}

/// Name, meaning; the shapes are those of [`Invariants`].
const BLOCKS: [(&str, Meaning); 5] = [
    ("C0", meaning("kg m, kg m^2 per coordinate", "D0^T M V, 6 by n")),
    ("A", meaning("kg m, kg m^2 per coordinate", "D0^T M W_j, each 6 by 3 column by column, 18 by n")),
    ("C", meaning("kg m^2 per coordinate squared", "W_j^T M V, each 3 by n column by column, 3n by n")),
    ("B", meaning("kg m^2 per coordinate squared", "xx yy zz xy xz yz of W_j^T M W_k, symmetric, 6n by n")),
    ("M_EE", meaning("kg m^2 per coordinate squared", "mass V^T M V, n by n")),
];

/// Group of the second-order displacement of the mass.
const SECOND_ORDER_MASS: &str = "second_order";

/// Matrix of the turns of the chord.
const CHORD: &str = "chord_turns";

/// Name, meaning; the shapes are those of [`SecondOrderMass`].
const AFFINE_BLOCKS: [(&str, Meaning); 5] = [
    ("H", meaning("kg^0.5, kg^0.5 m", "Z^T M D0, m by 6, Z the affine fields")),
    ("N", meaning("kg^0.5 m per coordinate", "Z^T M V, m by n")),
    ("E", meaning("kg^0.5 m per coordinate", "Z^T M W_j, each m by 3 column by column, 3m by n")),
    (
        "curvature",
        meaning("kg^0.5 m per coordinate squared", "second derivatives of s in u2 = Z s(q), mn by n"),
    ),
    ("S", meaning("1", "Z^T M Z, its diagonal, m by 1")),
];

fn write_invariants(group: &Group, invariants: &Invariants) -> Result<()> {
    let Invariants { M0, C0, A, C, B, M_EE, second_order, chord } = invariants;
    put_matrix(group, "M0", M0, meaning("kg, kg m, kg m^2", "inertia of the undeformed link at its frame"))?;
    for ((name, what), block) in BLOCKS.into_iter().zip([C0, A, C, B, M_EE]) {
        put_matrix(group, name, block, what)?;
    }
    if let Some(mass) = second_order {
        let SecondOrderMass { H, N, E, curvature, S } = mass.as_ref();
        let group = group.create_group(SECOND_ORDER_MASS)?;
        for ((name, what), block) in AFFINE_BLOCKS.into_iter().zip([H, N, E, curvature, S]) {
            put_matrix(&group, name, block, what)?;
        }
    }
    if let Some(chord) = chord {
        let what = "rotation of the frame of the chord, in which the link is linear, 3 by n";
        put_matrix(group, CHORD, &chord.turns, meaning("rad per coordinate", what))?;
    }
    Ok(())
}

fn read_invariants(group: &Group) -> Result<Invariants> {
    Ok(Invariants {
        M0: fixed::<6>(matrix(group, "M0")?, "M0", |M| Matrix6::from_iterator(M.iter().copied()))?,
        C0: matrix(group, "C0")?,
        A: matrix(group, "A")?,
        C: matrix(group, "C")?,
        B: matrix(group, "B")?,
        M_EE: matrix(group, "M_EE")?,
        second_order: read_second_order(group)?,
        chord: read_chord(group)?,
    })
}

fn read_chord(group: &Group) -> Result<Option<Box<Chord>>> {
    if !group.link_exists(CHORD) {
        return Ok(None);
    }
    let turns = matrix(group, CHORD)?;
    if turns.nrows() != 3 {
        return Err(hdf5::Error::Internal("the rotations of a chord need three rows".to_owned()));
    }
    let turns = Matrix3xX::from_iterator(turns.ncols(), turns.iter().copied());
    Ok(Some(Box::new(Chord { turns })))
}

fn read_second_order(group: &Group) -> Result<Option<Box<SecondOrderMass>>> {
    if !group.link_exists(SECOND_ORDER_MASS) {
        return Ok(None);
    }
    let group = group.group(SECOND_ORDER_MASS)?;
    let [H, N, E, curvature, S] = AFFINE_BLOCKS.map(|(name, _)| matrix(&group, name));
    Ok(Some(Box::new(SecondOrderMass { H: H?, N: N?, E: E?, curvature: curvature?, S: S? })))
}
