//! The methods: ways to enumerate prefixes and to count their completions. Each is a folder and a line in the registry.

pub mod algorithm;
#[cfg(target_arch = "x86_64")]
mod avx2;
pub mod descent;
pub mod gpu_program;
pub mod half_join;
pub mod most_constrained;
pub mod row_order;
mod simple;

use std::fmt;

pub use algorithm::{Algorithm, CpuProgram, Properties};

use crate::capabilities::Capabilities;
use crate::problem::Problem;

/// The registry: a name for each method and where it is. Everything else is asked of its [`Algorithm`].
macro_rules! methods {
    ($($(#[$doc:meta])* $name:ident => $algorithm:path,)+) => {
        /// A way to enumerate prefixes and to count their completions. Each has a form for the CPU and, where it suits a GPU,
        /// shaders.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        #[serde(rename_all = "kebab-case")]
        #[non_exhaustive]
        pub enum Method {
            $($(#[$doc])* $name,)+
        }

        impl Method {
            /// Every method.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// What it is.
            #[doc(hidden)]
            pub fn algorithm(self) -> &'static dyn Algorithm {
                match self {
                    $(Self::$name => &$algorithm,)+
                }
            }
        }
    };
}

methods! {
    /// Rows from the top down, the first row halved by the mirror symmetry.
    RowOrder => row_order::RowOrder,
    /// The row or column with the fewest free squares, once for each class of eight symmetric boards.
    MostConstrained => most_constrained::MostConstrained,
    /// Meet in the middle: both halves of the board enumerated, their compatible pairs counted.
    HalfJoin => half_join::MeetInTheMiddle,
}

impl Method {
    /// The name, as it is written on the command line and in files.
    pub fn name(self) -> &'static str {
        self.properties().name
    }

    /// What can be said of it without running it.
    pub fn properties(self) -> &'static Properties {
        self.algorithm().properties()
    }

    /// Whether it runs on GPUs too.
    pub fn runs_on_gpu(self) -> bool {
        !self.properties().shaders.is_empty()
    }

    /// Whether it runs on such a device.
    pub fn runs_on(self, device: &Capabilities) -> bool {
        !device.is_gpu() || self.runs_on_gpu()
    }

    /// Those that run on GPUs too.
    pub fn on_gpu() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|method| method.runs_on_gpu())
    }

    /// The method that was measured to be the fastest for boards of n on such a device; of those that count nodes, if the
    /// device is to count them.
    pub fn fastest(n: u32, device: &Capabilities) -> Self {
        Self::fastest_in_pieces(n, device, |_| 1)
    }

    /// The same for a count that by each method is to have so many prefixes at least: in small pieces some are slower.
    pub fn fastest_in_pieces(n: u32, device: &Capabilities, min_prefixes: impl Fn(Self) -> u64) -> Self {
        let counts = |method: Self| !device.counts_nodes || method.properties().counts_nodes;
        Self::ranked(n, device, min_prefixes, counts).unwrap_or(Self::MostConstrained)
    }

    /// The method to check a count of this one by: the fastest of the others.
    pub fn other(self, n: u32, device: &Capabilities) -> Self {
        Self::ranked(n, device, |_| 1, |method| method != self).unwrap_or(self)
    }

    /// The fastest of some methods.
    fn ranked(
        n: u32,
        device: &Capabilities,
        min_prefixes: impl Fn(Self) -> u64,
        which: impl Fn(Self) -> bool,
    ) -> Option<Self> {
        let speed = |method: Self| {
            let whole = method.algorithm().nanoseconds_per_solution(n, device)?;
            Some((method, whole * method.slowdown(n, device, min_prefixes(method))))
        };
        let candidates = Self::ALL.iter().copied().filter(|&method| method.runs_on(device) && which(method));
        let fastest = candidates.filter_map(speed).min_by(|a, b| a.1.total_cmp(&b.1));
        fastest.map(|(method, _)| method)
    }

    /// How many times longer a count takes that has so many prefixes at least, by the method's own forecasts.
    fn slowdown(self, n: u32, device: &Capabilities, min_prefixes: u64) -> f64 {
        let forecast = |problem: &Problem, prefixes| self.algorithm().forecast(problem, device, prefixes);
        let ratio =
            |problem: Problem| Some(forecast(&problem, min_prefixes)?.nanoseconds / forecast(&problem, 1)?.nanoseconds);
        let ratio = if min_prefixes > 1 { Problem::empty(n).ok().and_then(ratio) } else { None };
        ratio.unwrap_or(1.0)
    }

    /// The method whose prefixes estimate a count by this one: itself, if it counts nodes, or else a search.
    pub fn sampler(self) -> Self {
        if self.properties().counts_nodes { self } else { Self::MostConstrained }
    }

    /// Prefixes that keep these devices busy, in all.
    pub fn prefixes_for<'a>(self, devices: impl IntoIterator<Item = &'a Capabilities>) -> u64 {
        let properties = self.properties();
        let each = |device: &Capabilities| match (device.is_gpu(), properties.few_large_prefixes) {
            (true, _) => device.prefixes_per_lane * device.lanes as u64,
            // All threads can share one.
            (false, true) => properties.prefixes_per_thread,
            (false, false) => properties.prefixes_per_thread * device.lanes as u64,
        };
        devices.into_iter().map(each).sum()
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_has_a_name_of_its_own_that_files_use_too() {
        for &method in Method::ALL {
            assert_eq!(serde_json::to_string(&method).unwrap(), format!("\"{}\"", method.name()));
            assert_eq!(Method::ALL.iter().filter(|other| other.name() == method.name()).count(), 1);
        }
    }

    #[test]
    fn a_method_is_chosen_by_what_was_measured_there() {
        for n in 0..=32 {
            for instruction_set in ["avx512", "avx2"] {
                let cpu = Capabilities { instruction_set, memory: 1 << 30, ..Capabilities::cpu(2) };
                let fastest = Method::fastest(n, &cpu);
                // At 15 and 16 they are about as fast as each other.
                assert!(n < 17 || fastest == Method::HalfJoin, "{instruction_set} n={n}");
                assert!(n > 14 || fastest == Method::MostConstrained, "{instruction_set} n={n}");
                assert_ne!(fastest.other(n, &cpu), fastest, "{instruction_set} n={n}");
                assert!(
                    n < 13 || Method::MostConstrained.other(n, &cpu) == Method::HalfJoin,
                    "{instruction_set} n={n}"
                );
                // A half join has no nodes to count.
                let counting = Capabilities { counts_nodes: true, ..cpu };
                assert_eq!(Method::fastest(n, &counting), Method::MostConstrained, "{instruction_set} n={n}");
            }
            let gpu = Capabilities::gpu("a GPU", 1 << 16);
            assert_eq!(Method::fastest(n, &gpu), Method::MostConstrained, "n={n}");
            assert_eq!(Method::MostConstrained.other(n, &gpu), Method::RowOrder, "n={n}");
        }
    }
}
