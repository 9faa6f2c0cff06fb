//! Published counts, to check a finished count against. Never the source of an answer.
//!
//! From the OEIS: [A000170](https://oeis.org/A000170), all solutions, known for n up to 27. The value for n = 26 is from
//! the TU Dresden FPGA project (2009), that for n = 27 from the same group (2016).

/// A000170 for n = 0, 1, 2, ...
const ALL: [u64; 28] = [
    1,
    1,
    0,
    0,
    2,
    10,
    4,
    40,
    92,
    352,
    724,
    2_680,
    14_200,
    73_712,
    365_596,
    2_279_184,
    14_772_512,
    95_815_104,
    666_090_624,
    4_968_057_848,
    39_029_188_884,
    314_666_222_712,
    2_691_008_701_644,
    24_233_937_684_440,
    227_514_171_973_736,
    2_207_893_435_808_352,
    22_317_699_616_364_044,
    234_907_967_154_122_528,
];

/// The published number of solutions for a board of `n` rows, where there is one.
pub fn solutions(n: u32) -> Option<u128> {
    ALL.get(n as usize).copied().map(u128::from)
}

/// How many solutions there are, in about, for boards whose number nobody knows too: M. Simkin, "The number of n-queens
/// configurations" (2021), with a factor that fits A000170 from n = 8 to 27.
pub fn about_solutions(n: u32) -> f64 {
    30.0 * (0.1434 * f64::from(n)).powi(n as i32)
}

/// How a count compares with the published one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Agreement {
    /// It is the published value.
    Equal,
    /// It is another one: the count is wrong.
    Different,
    /// No value has been published for this n.
    Unknown,
}

/// Compares a count with the published one.
pub fn compare(n: u32, count: u128) -> Agreement {
    match solutions(n) {
        Some(known) if known == count => Agreement::Equal,
        Some(_) => Agreement::Different,
        None => Agreement::Unknown,
    }
}
