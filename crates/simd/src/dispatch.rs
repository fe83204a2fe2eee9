//! The choice of registers when the program runs: the only module that asks the processor.

use crate::Lanes;

/// Makes a function of an `#[inline(always)]` one whose last generic argument is the kind of
/// [`Lanes`](crate::Lanes): it is compiled for each, and the widest registers that the processor has are
/// chosen at run time. Generic constants stand in brackets behind the name.
#[macro_export]
macro_rules! widest {
    (
        $(#[$attribute:meta])*
        $visibility:vis fn $name:ident[$($constant:ident: $kind:ty),*]($($argument:ident: $type:ty),* $(,)?) = $body:ident
    ) => {
        $(#[$attribute])*
        $visibility fn $name<$(const $constant: $kind),*>($($argument: $type),*) {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx512f,fma")]
                fn eight<$(const $constant: $kind),*>($($argument: $type),*) {
                    $body::<$($constant,)* std::arch::x86_64::__m512d>($($argument),*);
                }
                #[target_feature(enable = "avx2,fma")]
                fn four<$(const $constant: $kind),*>($($argument: $type),*) {
                    $body::<$($constant,)* [std::arch::x86_64::__m256d; 2]>($($argument),*);
                }
                let fma = std::arch::is_x86_feature_detected!("fma");
                if std::arch::is_x86_feature_detected!("avx512f") && fma {
                    // SAFETY: the processor has the features.
                    return unsafe { eight::<$($constant),*>($($argument),*) };
                }
                if std::arch::is_x86_feature_detected!("avx2") && fma {
                    // SAFETY: the processor has the features.
                    return unsafe { four::<$($constant),*>($($argument),*) };
                }
            }
            $body::<$($constant,)* [f64; 8]>($($argument),*);
        }
    };
}

/// A loop over plain numbers, which the compiler turns into wide instructions. `run` and all it calls are to
/// be `#[inline(always)]`, closures too, so that they are compiled anew for each kind of register.
pub trait Kernel {
    /// Does the work.
    fn run(self);
}

widest! {
    /// Runs a loop with the widest registers that the processor has. The operations are the same with all,
    /// and so are the bits: a `mul_add` is rounded once, by the processor itself on all that have such
    /// registers.
    pub fn with_wide_registers[](kernel: impl Kernel) = run
}

#[expect(
    clippy::extra_unused_type_parameters,
    reason = "`widest!` names the lanes, the compiler chooses its own"
)]
#[inline(always)]
fn run<L: Lanes>(kernel: impl Kernel) {
    kernel.run();
}
