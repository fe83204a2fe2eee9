//! Amplitude spectrum of what still vibrates when the motion has ended.

use std::f64::consts::PI;

/// Amplitudes of sines by frequency.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spectrum {
    /// Frequencies (Hz), rising, without zero.
    pub frequencies_hz: Vec<f64>,
    /// Amplitudes in the units of the samples.
    pub amplitudes: Vec<f64>,
}

/// The amplitude spectrum of samples taken every `step` seconds.
///
/// Their mean is removed, a Hann window w applied, and zeros appended up to a power of two at least twice as
/// long; A(f) = 2 |Σ w_k x_k e^(−2πi f k h)| / Σ w_k is the amplitude of a sine at f.
///
/// Source: Harris, On the use of windows for harmonic analysis with the discrete Fourier transform, Proc.
/// IEEE 66 (1978) 51–83.
///
/// None for fewer than 16 samples: their peaks would be as wide as the spectrum.
pub fn spectrum(samples: &[f64], step: f64) -> Option<Spectrum> {
    let count = samples.len();
    if count < 16 || step <= 0.0 {
        return None;
    }
    let mean = samples.iter().sum::<f64>() / count as f64;
    let size = (2 * count).next_power_of_two();
    let (mut re, mut im) = (vec![0.0; size], vec![0.0; size]);
    let mut weight = 0.0;
    for (k, x) in samples.iter().enumerate() {
        let w = 0.5 - 0.5 * (2.0 * PI * k as f64 / (count - 1) as f64).cos();
        weight += w;
        re[k] = w * (x - mean);
    }
    transform(&mut re, &mut im);
    let half = size / 2;
    let frequencies_hz = (1..half).map(|k| k as f64 / (size as f64 * step)).collect();
    let amplitudes = (1..half).map(|k| 2.0 * re[k].hypot(im[k]) / weight).collect();
    Some(Spectrum { frequencies_hz, amplitudes })
}

impl Spectrum {
    /// The highest peaks, highest first: (Hz, amplitude). Only those above a twentieth of the highest: the
    /// side lobes of the window reach 0.027 of it.
    pub fn peaks(&self, count: usize) -> Vec<(f64, f64)> {
        let a = &self.amplitudes;
        let highest = a.iter().copied().fold(0.0, f64::max);
        let inner = 1..a.len().saturating_sub(1);
        let is_peak = |k: &usize| a[*k] > a[*k - 1] && a[*k] >= a[*k + 1] && a[*k] > 0.05 * highest;
        let mut peaks: Vec<(f64, f64)> =
            inner.filter(is_peak).map(|k| (self.frequencies_hz[k], a[k])).collect();
        peaks.sort_by(|p, q| q.1.total_cmp(&p.1));
        peaks.truncate(count);
        peaks
    }
}

/// Fast Fourier transform in place, radix 2 (Cooley and Tukey 1965); the length is a power of two.
fn transform(re: &mut [f64], im: &mut [f64]) {
    let n = re.len();
    let shift = usize::BITS - n.trailing_zeros();
    for i in 0..n {
        let j = i.reverse_bits() >> shift;
        if i < j {
            re.swap(i, j);
            im.swap(i, j);
        }
    }
    let mut half = 1;
    while half < n {
        for k in 0..half {
            let (sin, cos) = (-PI * k as f64 / half as f64).sin_cos();
            for a in (k..n).step_by(2 * half) {
                let b = a + half;
                let (x, y) = (re[b] * cos - im[b] * sin, re[b] * sin + im[b] * cos);
                (re[b], im[b]) = (re[a] - x, im[a] - y);
                re[a] += x;
                im[a] += y;
            }
        }
        half *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_sines_have_their_amplitudes_and_frequencies() {
        let step = 1e-3;
        let wave = |k: usize| {
            let t = k as f64 * step;
            5.0 + 0.3 * (2.0 * PI * 12.5 * t).sin() + 0.02 * (2.0 * PI * 87.0 * t + 0.4).sin()
        };
        let samples: Vec<f64> = (0..3000).map(wave).collect();
        let found = spectrum(&samples, step).unwrap();
        let peaks = found.peaks(2);
        let resolution = 1.0 / (found.frequencies_hz.len() as f64 * 2.0 * step);
        for ((hz, amplitude), (expected_hz, expected)) in peaks.iter().zip([(12.5, 0.3), (87.0, 0.02)]) {
            assert!((hz - expected_hz).abs() <= resolution, "{hz}");
            // Half a bin off the peak the Hann window shows 0.96 of it, with twice as many bins as samples.
            assert!((amplitude / expected - 1.0).abs() < 0.04, "{amplitude} {expected}");
        }
    }

    #[test]
    fn the_transform_is_the_sum_that_defines_it() {
        let x: Vec<f64> = (0..16).map(|k| f64::from(k * k % 7) - 2.0).collect();
        let (mut re, mut im) = (x.clone(), vec![0.0; 16]);
        transform(&mut re, &mut im);
        for k in 0..16 {
            let angle = |j: usize| -2.0 * PI * (j * k) as f64 / 16.0;
            let sum_re: f64 = x.iter().enumerate().map(|(j, x)| x * angle(j).cos()).sum();
            let sum_im: f64 = x.iter().enumerate().map(|(j, x)| x * angle(j).sin()).sum();
            // Rounding of sixteen terms of size ten.
            assert!((re[k] - sum_re).abs() < 1e-12 && (im[k] - sum_im).abs() < 1e-12, "{k}");
        }
    }

    #[test]
    fn a_few_samples_have_no_spectrum() {
        assert_eq!(spectrum(&[1.0; 15], 1e-3), None);
    }
}
