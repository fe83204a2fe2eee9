//! Drawn values.

use crate::schema::{Context, Located, Named};
use crate::{Value, table, words};

words! {
    /// How points are drawn.
    pub enum MethodWord {
        /// Independent.
        Random = "random",
        /// One point in each of `count` equal slices of every parameter.
        LatinHypercube = "latin-hypercube",
        /// Sobol's sequence, shifted by the seed.
        Sobol = "sobol",
    }
}

table! {
    /// How one parameter is distributed: exactly one of the distributions.
    ///
    /// ```toml
    /// [study]
    /// parameters = { payload = "payload.mass", modulus = "links.arm.beam.material.e" }
    ///
    /// [study.sample]
    /// method = "latin-hypercube"
    /// count  = 100
    /// over   = { payload = { triangular = [0, 5, 10] }, modulus = { normal = [2.07e11, 3e9] } }
    /// ```
    pub struct DistributionTable {
        /// Lowest and highest value, all between equally likely.
        uniform: Option<[f64; 2]>;
        /// Mean and standard deviation.
        normal: Option<[f64; 2]>;
        /// Median, and standard deviation of the natural logarithm.
        lognormal: Option<[f64; 2]>;
        /// Lowest, most likely and highest value.
        triangular: Option<[f64; 3]>;
        /// Values of any kind, all equally likely.
        choice: Option<Vec<Value>>;
        /// Round to integers.
        whole: bool = false, "false";
    } check DistributionTable::check
}

table! {
    /// Cases that are drawn.
    ///
    /// ```toml
    /// [study]
    /// parameters = { payload = "payload.mass" }
    /// sample     = { method = "sobol", count = 64, over = { payload = { uniform = [0, 10] } } }
    /// ```
    pub struct SampleTable {
        /// How points are drawn.
        method: MethodWord;
        /// How many; with `indices` how many base points.
        count: u32;
        /// The same seed draws the same cases.
        seed: u32 = 1, "1";
        /// Parameters and their distributions.
        over: Named<Located<DistributionTable>>;
        /// Draw so that Sobol's sensitivity indices can be computed: count × (parameters + 2) cases.
        indices: bool = false, "false";
    } check SampleTable::check
}

impl DistributionTable {
    fn check(&self, context: &mut Context<'_>) {
        context.exactly_one(&[
            ("uniform", self.uniform.is_some()),
            ("normal", self.normal.is_some()),
            ("lognormal", self.lognormal.is_some()),
            ("triangular", self.triangular.is_some()),
            ("choice", self.choice.is_some()),
        ]);
        if let Some([low, high]) = self.uniform.filter(|[low, high]| low >= high) {
            let message =
                format_args!("`uniform`: the lowest value must be below the highest, found {low} and {high}");
            context.error(context.key("uniform"), message);
        }
        if let Some([_, deviation]) = self.normal.filter(|[_, deviation]| *deviation <= 0.0) {
            let message =
                format_args!("`normal`: the standard deviation must be positive, found {deviation}");
            context.error(context.key("normal"), message);
        }
        if let Some([median, deviation]) = self.lognormal.filter(|given| given.iter().any(|x| *x <= 0.0)) {
            let message = format_args!(
                "`lognormal`: median and standard deviation must be positive, found {median} and {deviation}"
            );
            context.error(context.key("lognormal"), message);
        }
        let ascends = |[low, mode, high]: &[f64; 3]| low <= mode && mode <= high && low < high;
        if let Some([low, mode, high]) = self.triangular.filter(|given| !ascends(given)) {
            let message = format_args!(
                "`triangular`: lowest, most likely and highest value must ascend, found {low}, {mode}, {high}"
            );
            context.error(context.key("triangular"), message);
        }
        if self.choice.as_ref().is_some_and(Vec::is_empty) {
            context.error(context.key("choice"), "`choice` must not be an empty list");
        }
    }
}

impl SampleTable {
    fn check(&self, context: &mut Context<'_>) {
        if self.count == 0 {
            context.error(context.key("count"), "`count` must be positive, found 0");
        }
        if self.over.is_empty() {
            context.error(context.key("over"), "`over` needs at least one parameter, found none");
        }
    }
}
