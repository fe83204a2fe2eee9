//! Second-order matrices of reduced links: closed forms of beams, and shells and solids against beams;
//! frequencies of rotating beams.
#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use nalgebra::{DMatrix, Vector3};
use pliant_link::{LinkSlopes, ReducedLink};
use pliant_mesh::Units;
use pliant_reduce::{reduce_mesh, source};
use pliant_spatial::Twist;
use support::{beam_of, between, request};

fn beam(text: &str) -> ReducedLink {
    let request = request("link", text);
    reduce_mesh(&request, source::beam_mesh(beam_of(&request)).unwrap()).unwrap().link
}

const ROD: &str = "beam = { length = 2.0, section = { values = { area = 4e-4, i1 = 2e-8, i2 = 5e-8, j = 3e-8 } }, \
                   material = { e = 2e11, nu = 0.3, rho = 7800 }, elements = 40 }\n";

fn close(what: &str, found: f64, exact: f64, tolerance: f64) {
    println!("{what}: {found:.6e}, exact {exact:.6e}");
    assert!((found - exact).abs() <= tolerance * exact.abs(), "{what}: {found} for {exact}");
}

/// Tip moved by v = 3ξ² − 2ξ³ without rotation, or turned with v = L(ξ³ − ξ²): ∫v′² = 6/5L, ∫v′² = 2L/15,
/// mixed −1/10; that is the shortening of the tip. Under its own centrifugal force N = ½ρAω²(L² − x²): ∫Nv′²
/// = 3/7 ρAL ω².
#[test]
fn a_beam_shortens_as_it_bends() {
    let link = beam(&format!("{ROD} modes = {{ count = 6 }}"));
    let G = link.interfaces[0].G.as_ref().unwrap();
    let L = 2.0;
    close("tip moved", G[0][(1, 1)], 1.2 / L, 1e-6);
    close("tip moved along z", G[0][(2, 2)], 1.2 / L, 1e-6);
    close("tip turned", G[0][(5, 5)], 2.0 * L / 15.0, 1e-6);
    close("both", G[0][(1, 5)], -0.1, 1e-6);
    // With θ about y, w = −L(ξ³ − ξ²).
    close("both along z", G[0][(2, 4)], 0.1, 1e-6);
    let mass = 7800.0 * 4e-4 * L;
    let plain = beam(&format!("{ROD} modes = {{ count = 6 }}\nsecond_order = false"));
    assert!(plain.interfaces[0].G.is_none() && plain.invariants.second_order.is_none());
    let spin = |link: &ReducedLink, w: [f64; 3], j: usize| {
        // ∂h_E,j/∂q_j at angular velocity w.
        let mut slopes = LinkSlopes::new(&link.invariants);
        let V = Twist::new(0.0, 0.0, 0.0, w[0], w[1], w[2]);
        slopes.evaluate(&link.invariants, &V, &Twist::zeros(), &Vector3::zeros());
        slopes.by_q[j * link.coordinate_count() + j]
    };
    // Mean forces of elements leave (h/L)² of it.
    for w in [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0]] {
        let added = spin(&link, w, 2) - spin(&plain, w, 2);
        close("centrifugal", added, 3.0 / 7.0 * mass, 1e-3);
    }
    // Spinning about its own axis does not pull.
    assert!((spin(&link, [1.0, 0.0, 0.0], 2) - spin(&plain, [1.0, 0.0, 0.0], 2)).abs() < 1e-6 * mass);
    // Accelerated along itself: N = −ρA(L − x), ∫(1 − ξ)v′² = 3/5.
    close("acceleration", first_moment_stiffness(&link, 0)[(1, 1)], 0.6 * mass / L, 1e-3);
}

/// A boom with a rail may move in its frame as a rigid body. Turned by θ about an axis across it, every point
/// x comes nearer by ½θ²x, measured from the inner end: G of the tip's displacement is L, that of the first
/// moment ∫ρAx dx = mL/2, and translations across shorten nothing.
#[test]
fn a_boom_that_turns_as_a_rigid_body_shortens() {
    let link = beam(&format!("{ROD} modes = {{ count = 6 }}\nrail = {{ from = 0.2, to = 1.8 }}"));
    let (n, L) = (link.coordinate_count(), 2.0);
    let mass = link.invariants.second_order.as_ref().unwrap();
    assert_eq!((n, mass.N.ncols(), mass.count()), (6 + 6 + 5, n, 6));
    let tip = &link.interfaces[0].G.as_ref().unwrap()[0];
    let inertia = first_moment_stiffness(&link, 0);
    let weight = 7800.0 * 4e-4 * L;
    for turn in [n - 2, n - 1] {
        close("tip of a turned boom", tip[(turn, turn)], L, 1e-9);
        close("its mass", inertia[(turn, turn)], 0.5 * weight * L, 1e-9);
    }
    for translation in [n - 5, n - 4] {
        assert!(tip.column(translation).amax() < 1e-9 * L);
        assert!(inertia.column(translation).amax() < 1e-9 * weight * L);
    }
    // Their mass is affine and in the square alone; what is left of the others is positive.
    let left = link.invariants.constant_elastic_mass();
    assert!(left.columns(n - 5, 2).amax() < 1e-9 * weight, "{left}");
    assert!(left.symmetric_eigenvalues().min() > -1e-9 * weight);
}

/// G of an acceleration along an axis: the first moment of second order is −½ qᵀGq.
fn first_moment_stiffness(link: &ReducedLink, axis: usize) -> DMatrix<f64> {
    let mass = link.invariants.second_order.as_ref().unwrap();
    let n = link.coordinate_count();
    (0..mass.count()).fold(DMatrix::zeros(n, n), |G, a| G - mass.curvature_of(a) * mass.H[(a, axis)])
}

/// Frequencies of a rotating uniform cantilever, ω√(ρAL⁴/EI), at η = Ω√(ρAL⁴/EI): flap from A. D. Wright, C.
/// E. Smith, R. W. Thresher and J. L. C. Wang, "Vibration modes of centrifugally stiffened beams", Journal of
/// Applied Mechanics 49 (1982) 197–202 (checked with their power series); lag² = flap² − η².
const WRIGHT: [(f64, [f64; 2]); 7] = [
    (0.0, [3.5160, 22.0345]),
    (2.0, [4.1373, 22.6149]),
    (4.0, [5.5850, 24.2733]),
    (6.0, [7.3604, 26.8091]),
    (8.0, [9.2568, 29.9954]),
    (10.0, [11.2023, 33.6404]),
    (12.0, [13.1702, 37.6031]),
];

/// Natural frequencies of a link whose frame turns at `rate` about z: q̈ M + q̇ C + q K from the equations of
/// the floating frame, Coriolis forces included.
fn rotating_frequencies(link: &ReducedLink, rate: f64) -> Vec<f64> {
    let n = link.coordinate_count();
    let V = Twist::new(0.0, 0.0, 0.0, 0.0, 0.0, rate);
    let mut slopes = LinkSlopes::new(&link.invariants);
    slopes.evaluate(&link.invariants, &V, &Twist::zeros(), &Vector3::zeros());
    let mut A = DMatrix::zeros(2 * n, 2 * n);
    let inverse = link.invariants.M_EE.clone().try_inverse().unwrap();
    let K = &link.K + DMatrix::from_column_slice(n, n, &slopes.by_q);
    let C = DMatrix::from_column_slice(n, n, &slopes.by_rate);
    A.view_mut((0, n), (n, n)).fill_with_identity();
    A.view_mut((n, 0), (n, n)).copy_from(&(-&inverse * K));
    A.view_mut((n, n), (n, n)).copy_from(&(-&inverse * C));
    let mut found: Vec<f64> = A.complex_eigenvalues().iter().map(|s| s.im).filter(|w| *w > 1e-6).collect();
    found.sort_by(f64::total_cmp);
    found
}

#[test]
fn rotating_cantilevers_have_the_published_frequencies() {
    // Flap plane 25 % softer than lag, so that the frequencies do not mix; slender, so that stretch and shear
    // do not matter.
    let text = "beam = { length = 1.0, section = { values = { area = 1e-2, i1 = 1.5625e-8, i2 = 1e-8, j = 1e-6 } }, \
                material = { e = 1e11, nu = 0.3, rho = 1000 }, elements = 40 }\nmodes = { count = 16 }";
    let link = beam(text);
    // i1 = ∫y² bends in the plane of rotation (lag), i2 = ∫z² out of it (flap).
    let unit = |i: f64| (1e11 * i / (1000.0 * 1e-2)).sqrt();
    let (lag_unit, flap_unit) = (unit(1.5625e-8), unit(1e-8));
    for (eta, flap) in WRIGHT {
        let found = rotating_frequencies(&link, eta * flap_unit);
        for (k, wanted) in flap.iter().enumerate() {
            let nearest =
                |wanted: f64| found.iter().map(|w| (w / wanted - 1.0).abs()).fold(f64::INFINITY, f64::min);
            println!("flap {} at η = {eta}: off by {:.4} %", k + 1, 100.0 * nearest(wanted * flap_unit));
            assert!(nearest(wanted * flap_unit) < 5e-3, "flap {} at η = {eta}: {found:?}", k + 1);
        }
        let found = rotating_frequencies(&link, eta * lag_unit);
        for (k, wanted) in flap.iter().enumerate() {
            let wanted = (wanted * wanted - eta * eta).sqrt() * lag_unit;
            let error = found.iter().map(|w| (w / wanted - 1.0).abs()).fold(f64::INFINITY, f64::min);
            println!("lag {} at η = {eta}: off by {:.4} %", k + 1, 100.0 * error);
            assert!(error < 5e-3, "lag {} at η = {eta}: {found:?}, wanted {wanted}", k + 1);
        }
    }
}

/// A cantilevered strip under its own weight, across its high side, tips sideways at qL = 12.85 √(EI GJ)/L²
/// (S. P. Timoshenko and J. M. Gere, Theory of Elastic Stability, 2nd ed., chapter 6: uniform load on the
/// centre line). The weight works through the second-order first moment, which couples bending sideways with
/// twist.
#[test]
fn a_strip_buckles_sideways_under_its_own_weight() {
    let (E, soft, J, L) = (2e11_f64, 2e-10, 8e-10, 1.0);
    let link = beam(
        "beam = { length = 1.0, section = { values = { area = 1e-4, i1 = 1e-6, i2 = 2e-10, j = 8e-10 } }, \
         material = { e = 2e11, nu = 0.3, rho = 7800 }, elements = 40 }\nmodes = { count = 16 }",
    );
    let weight = 7800.0 * 1e-4 * L;
    let critical = |axis: usize| {
        let lower = link.K.clone().cholesky().unwrap().l().try_inverse().unwrap();
        let scaled = &lower * first_moment_stiffness(&link, axis) * lower.transpose();
        weight / scaled.symmetric_eigenvalues().amax()
    };
    let published = 12.85 * (E * soft * E / 2.6 * J).sqrt() / (L * L);
    // Four digits are published; elements carry mean moments, an error of (h/L)².
    close("sideways under its weight", critical(1), published, 5e-3);
    // Standing upright or hanging it buckles as a column: qL = 7.837 EI/L².
    close("as a column", critical(0), 7.837 * E * soft / (L * L), 5e-3);
}

/// The 3R arm's tube of solids with RBE2 spiders against the same tube as a beam: every component of load,
/// forces and moments, on the six coordinates of the tip. The tube is stretched two and four times.
///
/// For forces and moments across, solids have the G of a beam that does not shear. One that does differs by
/// what the strain measure makes of a strain times a strain: with twist φ and shear γ of a section, Green's
/// strain of a fibre at y has φ′yγ, the strain of a plane section has not, and ∫Mφ′γ is ½Φ/(1 + Φ) of a unit
/// force for a unit deflection and a unit twist of the tip, Φ = 12EI/kGAL². Beside the stiffness it is
/// nothing, by stress/E.
#[test]
fn a_tube_of_solids_shortens_like_a_beam() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/exudyn/link_tube_hex8.bdf");
    if !std::path::Path::new(path).exists() {
        println!("SKIPPED: {path} is not there");
        return;
    }
    let read = pliant_bulk::read(path, Units::SI);
    let errors = [1.0, 2.0, 4.0].map(|stretch| {
        let mut mesh = read.output.mesh.clone();
        mesh.nodes.iter_mut().for_each(|node| node.position.x *= stretch);
        let solid = {
            let request = request("link", "deck = 'x'\ninboard = 1\nmodes = { count = 4 }");
            between(&request, mesh, [9697, 9698]).link
        };
        let beam = |shear: &str| {
            beam(&format!(
                "beam = {{ length = {stretch}, section = {{ values = {{ area = 915e-6, i1 = 1.08e-6, i2 = 1.08e-6, j = 2.16e-6{shear} }} }}, \
                 material = {{ e = 2.07e11, nu = 0.3, rho = 7850 }}, elements = 40 }}\nmodes = {{ count = 4 }}"
            ))
        };
        let sheared = beam(", k = [0.5306, 0.5306]");
        let Phi = 12.0 * 2.6 * 1.08e-6 / (0.5306 * 915e-6 * stretch * stretch);
        let coupling = sheared.interfaces[0].G.as_ref().unwrap()[1][(3, 2)];
        close("twist times shear", coupling, 0.5 * Phi / (1.0 + Phi), 1e-3);
        let (own, stiff) = (compare(&solid, &sheared), compare(&solid, &beam("")));
        std::array::from_fn::<f64, 7, _>(|k| if [1, 2, 4, 5].contains(&k) { stiff[k] } else { own[k] })
    });
    let loads = ["force x", "force y", "force z", "moment x", "moment y", "moment z", "acceleration along x"];
    for (k, name) in loads.into_iter().enumerate() {
        let [short, double, long] = errors.map(|e| e[k]);
        println!("{name}: G off by {:.3} %, {:.3} %, {:.3} %", 100.0 * short, 100.0 * double, 100.0 * long);
        // What is left are facets, rigid ends and, along the tube, meshes that are stretched with it.
        assert!(short.max(double).max(long) < 0.02, "{name}: {short} {double} {long}");
    }
}

/// G of all tip loads and of acceleration along the link on the coordinates of the tip, relative to the
/// largest entry of each. Stretching along x is left out: the Green strain of solids has ½u_x′², of the order
/// of the strain itself, where beams have none.
fn compare(link: &ReducedLink, reference: &ReducedLink) -> [f64; 7] {
    let all = |link: &ReducedLink| {
        let mut all = link.interfaces[0].G.clone().unwrap().to_vec();
        all.push(first_moment_stiffness(link, 0));
        all
    };
    let (found, wanted) = (all(link), all(reference));
    std::array::from_fn(|k| {
        let block = |G: &DMatrix<f64>| G.view((1, 1), (5, 5)).into_owned();
        let (a, b) = (block(&found[k]), block(&wanted[k]));
        (&a - &b).amax() / b.amax()
    })
}
