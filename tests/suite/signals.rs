//! A signal with a checkpoint: what is finished is saved, and the program ends.

use std::process::Command;

use assert_cmd::cargo::cargo_bin;

use crate::harness::{Running, command_in, file, folder, wait_for, wait_until};
use nqueens::job::peek;

#[test]
fn signals_of_gnu_timeout_save() {
    for method in ["row-order", "most-constrained", "half-join"] {
        let folder = folder();
        let mut timeout = Command::new("timeout");
        timeout.arg("2").arg(cargo_bin!("nqueens")).current_dir(folder.path());
        timeout.args(["count", "19", "--backend", "cpu", "--threads", "1", "--checkpoint", "c", "-m", method]);
        assert_eq!(Running::start(&mut timeout).wait().code(), Some(124), "{method}");
        assert!(!peek(&file(&folder, "c")).unwrap().is_complete(), "{method}");
    }
}

#[test]
fn repeated_signals_are_one() {
    for names in [["TERM", "TERM"], ["HUP", "HUP"], ["INT", "INT"], ["INT", "TERM"]] {
        let folder = folder();
        let count = "count 17 -m row-order --checkpoint {}/c --backend cpu --threads 1 --save-every 20ms";
        let mut command = Command::new("bash");
        // Signals that whoever runs the tests ignores are heard again.
        let inner = command_in(count, folder.path());
        command.args(["-c", "exec env --default-signal=INT,HUP \"$@\"", "-"]).arg(inner.get_program());
        let mut child = Running::start(command.args(inner.get_args()));
        wait_for(&file(&folder, "c.previous"));
        child.signal(names[0]);
        std::thread::sleep(std::time::Duration::from_millis(20));
        if child.ended().is_none() {
            child.signal(names[1]);
        }
        assert_eq!(child.wait().code(), Some(8), "{names:?}");
        assert!(peek(&file(&folder, "c")).unwrap().done.prefixes() > 0);
    }
}

#[test]
fn nohup_is_obeyed() {
    let folder = folder();
    let mut command = Command::new("nohup");
    command.arg(cargo_bin!("nqueens")).current_dir(folder.path());
    command.args("count 17 -m row-order --backend cpu --threads 1 --save-every 20ms --checkpoint c".split(' '));
    let mut child = Running::start(&mut command);
    wait_for(&file(&folder, "c.previous"));
    child.signal("HUP");
    let done = peek(&file(&folder, "c")).unwrap().done.prefixes();
    wait_until("it goes on", || (peek(&file(&folder, "c"))?.done.prefixes() > done).then_some(()));
    child.signal("TERM");
    assert_eq!(child.wait().code(), Some(8));
}
