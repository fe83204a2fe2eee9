//! Loops compiled for wide registers.

/// A loop over plain numbers. `run` and all it calls are to be `#[inline(always)]`, closures too, so that
/// they are compiled anew for each kind of register.
pub trait Kernel {
    /// Does the work.
    fn run(self);
}

/// Runs a loop with the widest registers that the processor has. The operations are the same with all, and so
/// are the bits: a `mul_add` is rounded once, by the processor itself on all that have such registers.
pub fn with_wide_registers(kernel: impl Kernel) {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx512f,fma")]
        fn eight_numbers(kernel: impl Kernel) {
            kernel.run();
        }
        #[target_feature(enable = "avx2,fma")]
        fn four_numbers(kernel: impl Kernel) {
            kernel.run();
        }
        let fma = std::arch::is_x86_feature_detected!("fma");
        if std::arch::is_x86_feature_detected!("avx512f") && fma {
            // SAFETY: the processor has the features.
            return unsafe { eight_numbers(kernel) };
        }
        if std::arch::is_x86_feature_detected!("avx2") && fma {
            // SAFETY: the processor has the features.
            return unsafe { four_numbers(kernel) };
        }
    }
    kernel.run();
}
