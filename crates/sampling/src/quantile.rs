//! Values of distributions by their share of smaller ones.

/// Inverse of the triangular distribution between `low` and `high`.
pub fn triangular_quantile([low, mode, high]: [f64; 3], u: f64) -> f64 {
    let (width, rise) = (high - low, mode - low);
    if u * width <= rise {
        low + (u * width * rise).sqrt()
    } else {
        high - ((1.0 - u) * width * (high - mode)).sqrt()
    }
}

/// Inverse of the standard normal distribution, to about 16 digits: Wichura's PPND16 (Algorithm AS 241,
/// Applied Statistics 37 (1988) 477–484).
pub fn normal_quantile(p: f64) -> f64 {
    const A: [f64; 8] = [
        3.3871328727963665,
        133.14166789178438,
        1971.5909503065513,
        13731.69376550946,
        45921.95393154987,
        67265.7709270087,
        33430.57558358813,
        2509.0809287301227,
    ];
    const B: [f64; 8] = [
        1.0,
        42.31333070160091,
        687.1870074920579,
        5394.196021424751,
        21213.794301586597,
        39307.89580009271,
        28729.085735721943,
        5226.495278852854,
    ];
    const C: [f64; 8] = [
        1.4234371107496835,
        4.630337846156546,
        5.769497221460691,
        3.6478483247632045,
        1.2704582524523684,
        0.2417807251774506,
        0.022723844989269184,
        0.0007745450142783414,
    ];
    const D: [f64; 8] = [
        1.0,
        2.053191626637759,
        1.6763848301838038,
        0.6897673349851,
        0.14810397642748008,
        0.015198666563616457,
        0.0005475938084995345,
        1.0507500716444169e-09,
    ];
    const E: [f64; 8] = [
        6.657904643501103,
        5.463784911164114,
        1.7848265399172913,
        0.29656057182850487,
        0.026532189526576124,
        0.0012426609473880784,
        2.7115555687434876e-05,
        2.0103343992922881e-07,
    ];
    const F: [f64; 8] = [
        1.0,
        0.599832206555888,
        0.1369298809227358,
        0.014875361290850615,
        0.0007868691311456133,
        1.8463183175100548e-05,
        1.421511758316446e-07,
        2.0442631033899397e-15,
    ];
    let ratio = |top: &[f64; 8], bottom: &[f64; 8], r: f64| {
        let polynomial = |c: &[f64; 8]| c.iter().rev().fold(0.0, |sum, c| sum * r + c);
        polynomial(top) / polynomial(bottom)
    };
    let q = p - 0.5;
    if q.abs() <= 0.425 {
        return q * ratio(&A, &B, 0.180_625 - q * q);
    }
    let r = (-p.min(1.0 - p).ln()).sqrt();
    let size = if r <= 5.0 { ratio(&C, &D, r - 1.6) } else { ratio(&E, &F, r - 5.0) };
    size.copysign(q)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_the_normal_distribution() {
        // Standard tables, to 15 digits.
        let known = [
            (0.5, 0.0),
            (0.975, 1.959_963_984_540_054),
            (0.9, 1.281_551_565_544_600_4),
            (0.999, 3.090_232_306_167_813_5),
            (1e-10, -6.361_340_902_404_056),
            (1e-20, -9.262_340_089_798_408),
        ];
        for (p, z) in known {
            // Rounding of p near 1 alone moves z by some 1e-14.
            assert!((normal_quantile(p) - z).abs() < 1e-13 * (1.0_f64).max(z.abs()), "{p}");
        }
    }

    #[test]
    fn quartiles_of_a_triangle() {
        // F = (x−a)²/((b−a)(c−a)) up to the mode: for a = 0, c = 1, b = 4, F(1) = 1/4; above, 1−F =
        // (4−x)²/12.
        assert!((triangular_quantile([0.0, 1.0, 4.0], 0.25) - 1.0).abs() < 1e-15);
        assert!((triangular_quantile([0.0, 1.0, 4.0], 0.75) - (4.0 - 3.0_f64.sqrt())).abs() < 1e-15);
        assert_eq!(triangular_quantile([1.0, 1.0, 2.0], 0.0), 1.0);
    }
}
