//! Which program this is.

/// The version of this program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The first 12 digits of the git commit that it was built from, or `unknown` where that was not to be found out.
pub const COMMIT: &str = env!("NQUEENS_COMMIT");
