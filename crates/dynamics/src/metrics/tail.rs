//! The errors after the motion, kept until their mean is known. Beyond a few megabytes they wait in a file
//! that has no name, so that memory does not grow with the run.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};

use nalgebra::Vector3;

/// Samples held in memory.
const HELD: usize = 1 << 16;
/// Time and three components.
const WIDTH: usize = 4;
const BYTES: usize = 8 * WIDTH;

/// Times and errors, in order.
#[derive(Debug, Default)]
pub(super) struct Tail {
    held: Vec<[f64; WIDTH]>,
    /// What came before those held.
    before: Option<File>,
    count: u64,
    sum: Vector3<f64>,
}

impl Tail {
    pub(super) fn push(&mut self, t: f64, error: &Vector3<f64>) -> io::Result<()> {
        if self.held.len() == HELD {
            let file = match &mut self.before {
                Some(file) => file,
                None => self.before.insert(tempfile::tempfile()?),
            };
            let bytes: Vec<u8> = self.held.iter().flatten().flat_map(|x| x.to_ne_bytes()).collect();
            file.write_all(&bytes)?;
            self.held.clear();
        }
        self.held.push([t, error.x, error.y, error.z]);
        self.count += 1;
        self.sum += error;
        Ok(())
    }

    /// `None` of nothing.
    pub(super) fn mean(&self) -> Option<Vector3<f64>> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }

    /// Calls `take` with every sample in order.
    pub(super) fn each(&self, mut take: impl FnMut(f64, Vector3<f64>)) -> io::Result<()> {
        let mut give = |[t, x, y, z]: [f64; WIDTH]| take(t, Vector3::new(x, y, z));
        if let Some(mut file) = self.before.as_ref() {
            file.seek(SeekFrom::Start(0))?;
            let mut reader = BufReader::new(file);
            let mut row = [0; BYTES];
            for _ in 0..self.count - self.held.len() as u64 {
                reader.read_exact(&mut row)?;
                let number = |k: usize| {
                    f64::from_ne_bytes(row[8 * k..8 * k + 8].try_into().expect("invariant: eight bytes"))
                };
                give([0, 1, 2, 3].map(number));
            }
            file.seek(SeekFrom::End(0))?;
        }
        self.held.iter().copied().for_each(give);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_tail_comes_back_as_it_was() {
        let mut tail = Tail::default();
        assert_eq!(tail.mean(), None);
        let sample = |k: usize| (k as f64 * 0.1, Vector3::new(k as f64, (k as f64).sin(), -1.0));
        let count = 2 * HELD + 17;
        for k in 0..count {
            let (t, error) = sample(k);
            tail.push(t, &error).unwrap();
            if k == HELD + 1 {
                // Looking does not disturb what follows.
                tail.each(|_, _| ()).unwrap();
            }
        }
        assert!(tail.held.len() <= HELD);
        let mut k = 0;
        tail.each(|t, error| {
            assert_eq!((t, error), sample(k));
            k += 1;
        })
        .unwrap();
        assert_eq!(k, count);
        assert_eq!(tail.mean().unwrap().x, (count - 1) as f64 / 2.0);
    }
}
