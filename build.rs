//! Tells the program which commit it is built from, `NQUEENS_COMMIT`, 12 digits or `unknown`; and builds it with faults for
//! the tests of what must survive them where `NQUEENS_BUILD_WITH_FAULTS` is set.

use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    println!("cargo::rerun-if-changed=build.rs");
    // A package says so itself; git would answer for whatever repository it is unpacked in.
    let commit = packaged(&root).or_else(|| checked_out(&root)).unwrap_or_else(|| "unknown".into());
    println!("cargo::rustc-env=NQUEENS_COMMIT={commit}");
    // Faults that tests ask for (src/fault.rs): never in a binary that counts, and not a feature, which another crate could
    // switch on.
    println!("cargo::rerun-if-env-changed=NQUEENS_BUILD_WITH_FAULTS");
    if std::env::var_os("NQUEENS_BUILD_WITH_FAULTS").is_some() {
        println!("cargo::rustc-cfg=nqueens_faults");
    }
}

/// The commit that `cargo package` wrote down.
fn packaged(root: &Path) -> Option<String> {
    let text = std::fs::read_to_string(root.join(".cargo_vcs_info.json")).ok()?;
    let (_, after) = text.split_once("\"sha1\"")?;
    let digits = after.split('"').nth(1)?;
    digits.get(..12).map(str::to_string)
}

/// The commit of this working tree. Asked again whenever git moves it.
fn checked_out(root: &Path) -> Option<String> {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").current_dir(root).args(arguments).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_string())
    };
    // Sources that lie in another project's repository are not of its commits.
    if Path::new(&git(&["rev-parse", "--show-toplevel"])?).canonicalize().ok()? != root.canonicalize().ok()? {
        return None;
    }
    // HEAD changes with the branch, its log with each commit. cargo would run this each time for a file that is missing.
    for name in ["HEAD", "logs/HEAD"] {
        let file = root.join(git(&["rev-parse", "--git-path", name])?);
        if file.exists() {
            println!("cargo::rerun-if-changed={}", file.display());
        }
    }
    git(&["rev-parse", "--short=12", "HEAD"])
}
