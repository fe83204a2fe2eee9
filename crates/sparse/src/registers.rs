//! Loops compiled for wide registers.

/// A loop over plain numbers. `run` is to be `#[inline(always)]`, so that it is compiled anew wherever it is called.
pub trait Kernel {
    /// Does the work.
    fn run(self);
}

/// Runs a loop with the widest registers that the processor has and that need no other operations: the bits are the same with all.
pub fn with_wide_registers(kernel: impl Kernel) {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        fn four_numbers(kernel: impl Kernel) {
            kernel.run();
        }
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has the feature.
            return unsafe { four_numbers(kernel) };
        }
    }
    kernel.run();
}
