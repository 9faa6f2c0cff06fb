//! What a shell or a batch system may limit: an exit code and a sentence, never a panic or a hang.

use std::process::Command;

use assert_cmd::cargo::cargo_bin;

use crate::harness::{output, stderr};

#[test]
fn limits_end_with_a_sentence() {
    for (limit, arguments, codes) in [
        ("-v 2000000", "count 12 --backend cpu --threads 1", &[0, 4][..]),
        ("-n 4", "count 10 --backend cpu --threads 1", &[0, 4]),
        ("-s 256", "count 10 --backend cpu --threads 1", &[0]),
    ] {
        let mut command = Command::new("bash");
        command.args(["-c", &format!("ulimit {limit}; exec {} {arguments}", cargo_bin!("nqueens").display())]);
        let output = output(&mut command);
        let said = stderr(&output);
        assert!(output.status.code().is_some_and(|code| codes.contains(&code)), "{limit}: {:?} {said}", output.status);
        assert!(!said.contains("panicked"), "{limit}: {said}");
    }
}
