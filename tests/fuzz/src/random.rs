//! Random numbers that are the same everywhere.

/// Marsaglia's xorshift64* (Vigna, ACM Trans. Math. Softw. 42 (2016) 30): small, fast, and the same on every
/// machine.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator; a seed of zero would give zeros for ever.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `end`; 0 for an `end` of 0.
    pub fn below(&mut self, end: usize) -> usize {
        ((self.bits() >> 33) % end.max(1) as u64) as usize
    }

    /// One of these.
    pub fn one_of<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.below(all.len())]
    }
}
