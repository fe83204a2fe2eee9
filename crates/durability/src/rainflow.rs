//! Rainflow counting of ASTM E1049-85.

/// What becomes of the ranges that do not close within the history.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Residue {
    /// The history follows itself: it is turned to begin and end at its largest peak, so that every range
    /// closes (E1049, 5.4.5, for repeating histories).
    #[default]
    Repeated,
    /// The history happens once: what does not close counts as half cycles (E1049, 5.4.4).
    HalfCycles,
}

/// A cycle, or half of one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cycle {
    /// Value at its first reversal.
    pub from: f64,
    /// Value at its second reversal.
    pub to: f64,
    /// 1, or 0.5 for half a cycle.
    pub count: f64,
    /// Samples of the two reversals; the second is before the first where a repeated history runs over its
    /// end.
    pub samples: [usize; 2],
}

impl Cycle {
    /// Half the range.
    pub fn amplitude(&self) -> f64 {
        0.5 * (self.to - self.from).abs()
    }

    /// Middle of the range.
    pub fn mean(&self) -> f64 {
        0.5 * (self.to + self.from)
    }
}

/// A reversal: its sample and value.
type Reversal = (usize, f64);

/// Counts cycles; keeps its memory from one history to the next.
#[derive(Clone, Debug, Default)]
pub struct Rainflow {
    reversals: Vec<Reversal>,
    open: Vec<Reversal>,
}

impl Rainflow {
    /// Calls `found` with each cycle of a history. Ranges of zero are not cycles.
    ///
    /// With the three latest reversals, X is the latest range and Y the one before it. Where X ≥ Y, Y is a
    /// cycle and its two reversals are dropped; where Y contains the start of the history, it is half a cycle
    /// and its first reversal alone is dropped (E1049-85, 5.4.4). In a history turned to its largest peak
    /// such a range closes when the peak comes again. For both the cycles are those of four-point counting
    /// (C. H. McInnes and P. A. Meehan, "Equivalence of four-point and three-point rainflow cycle counting
    /// algorithms", International Journal of Fatigue 30 (2008) 547).
    pub fn count(&mut self, history: &[f64], residue: Residue, mut found: impl FnMut(Cycle)) {
        self.find_reversals(history);
        if residue == Residue::Repeated {
            self.turn_to_peak();
        }
        let mut report = |a: Reversal, b: Reversal, count: f64| {
            if a.1 != b.1 {
                found(Cycle { from: a.1, to: b.1, count, samples: [a.0, b.0] });
            }
        };
        let open = &mut self.open;
        open.clear();
        for &reversal in &self.reversals {
            open.push(reversal);
            while let [.., a, b, latest] = open[..] {
                if (latest.1 - b.1).abs() < (b.1 - a.1).abs() {
                    break;
                }
                let from = open.len() - 3;
                if from == 0 && residue == Residue::HalfCycles {
                    report(a, b, 0.5);
                    open.drain(..1);
                } else {
                    report(a, b, 1.0);
                    open.drain(from..from + 2);
                }
            }
        }
        for pair in open.windows(2) {
            report(pair[0], pair[1], 0.5);
        }
    }

    /// First and last sample and where the slope changes its sign; of a plateau its last sample.
    fn find_reversals(&mut self, history: &[f64]) {
        let reversals = &mut self.reversals;
        reversals.clear();
        let Some(&first) = history.first() else { return };
        reversals.push((0, first));
        let mut slope = 0.0;
        for (k, pair) in history.windows(2).enumerate() {
            let next = pair[1] - pair[0];
            if next == 0.0 {
                continue;
            }
            if slope != 0.0 && (slope > 0.0) != (next > 0.0) {
                reversals.push((k, pair[0]));
            }
            slope = next;
        }
        if history.len() > 1 {
            reversals.push((history.len() - 1, history[history.len() - 1]));
        }
    }

    /// Turns the reversals of a history that follows itself to begin at its largest value and to end there.
    fn turn_to_peak(&mut self) {
        let reversals = &mut self.reversals;
        let Some(peak) = (0..reversals.len()).max_by(|a, b| reversals[*a].1.total_cmp(&reversals[*b].1))
        else {
            return;
        };
        reversals.rotate_left(peak);
        reversals.push(reversals[0]);
        // At the seam the first and last sample follow each other; they need not be reversals.
        let mut kept = 1;
        for k in 1..reversals.len() {
            let next = reversals[k];
            if next.1 == reversals[kept - 1].1 {
                continue;
            }
            if kept >= 2 {
                let (a, b) = (reversals[kept - 2].1, reversals[kept - 1].1);
                if (b > a) == (next.1 > b) {
                    kept -= 1;
                }
            }
            reversals[kept] = next;
            kept += 1;
        }
        reversals.truncate(kept);
    }
}
