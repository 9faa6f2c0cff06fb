//! What the tests share: running the program, waiting for what it does, devices and plans.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;
use nqueens::backend::{Control, Cpu, Device};
use nqueens::gpu::{DeviceChoice, Gpu, SliceOptions};
use nqueens::plan::Plan;
use nqueens::{Method, Prefix, Problem};
use tempfile::TempDir;

/// A000170 from the OEIS, for n = 0 to 18: written here once more so that the tests do not trust the library's table.
pub const KNOWN: [u128; 19] =
    [1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512, 95815104, 666090624];

/// Longer than anything here takes, on a busy machine too: what has not happened by then never will.
const DEADLINE: Duration = Duration::from_secs(300);

/// The program with these arguments, and no variable that changes its output.
pub fn command(arguments: &str) -> Command {
    #[cfg(unix)]
    heed_signals();
    let mut command = Command::new(cargo_bin!("nqueens"));
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "NQUEENS_FAULTS"] {
        command.env_remove(variable);
    }
    command.args(arguments.split_whitespace());
    command
}

/// Makes programs heed INT and HUP where the tests run in the background or under `nohup`, which have them ignored: a signal
/// with a handler has its default again in a program that is started.
#[cfg(unix)]
fn heed_signals() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGHUP] {
            let always = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
            signal_hook::flag::register_conditional_default(signal, always).unwrap();
        }
    });
}

/// The same, `{}` standing for a folder.
pub fn command_in(arguments: &str, folder: &Path) -> Command {
    command(&arguments.replace("{}", folder.to_str().unwrap()))
}

/// Runs a program to its end.
pub fn output(command: &mut Command) -> Output {
    assert_cmd::Command::from_std(std::mem::replace(command, Command::new(""))).timeout(DEADLINE).output().unwrap()
}

/// Runs a program to its end whose output goes where it was told, as far as it was, and is short.
pub fn redirected(command: &mut Command) -> Output {
    let mut child = command.spawn().unwrap();
    wait_until("a process ends", || child.try_wait().unwrap());
    child.wait_with_output().unwrap()
}

/// Runs the program to its end.
pub fn nqueens(arguments: &str) -> Output {
    output(&mut command(arguments))
}

/// The same, `{}` standing for a folder.
pub fn nqueens_in(arguments: &str, folder: &Path) -> Output {
    output(&mut command_in(arguments, folder))
}

/// The same, with faults that it brings about itself.
#[cfg(nqueens_faults)]
pub fn with_faults(arguments: &str, folder: &Path, faults: &str) -> Output {
    output(command_in(arguments, folder).env("NQUEENS_FAULTS", faults))
}

/// A process that is killed when the test ends, however it ends.
pub struct Running(Child);

impl Running {
    pub fn start(command: &mut Command) -> Self {
        Self(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    }

    pub fn id(&self) -> u32 {
        self.0.id()
    }

    pub fn kill(&mut self) -> ExitStatus {
        self.0.kill().unwrap();
        self.wait()
    }

    /// Waits for its end.
    #[track_caller]
    pub fn wait(&mut self) -> ExitStatus {
        wait_until("a process ends", || self.ended())
    }

    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.0.try_wait().unwrap()
    }

    #[cfg(unix)]
    pub fn signal(&self, name: &str) {
        let status = Command::new("kill").args([&format!("-{name}"), &self.id().to_string()]).status();
        assert!(status.unwrap().success());
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Waits until there is something.
#[track_caller]
pub fn wait_until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(start.elapsed() < DEADLINE, "waited in vain until {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Waits until a file is there: the process that writes it has come so far.
#[track_caller]
pub fn wait_for(path: &Path) {
    wait_until(&format!("'{}' is there", path.display()), || path.exists().then_some(()));
}

#[track_caller]
pub fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

#[track_caller]
pub fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

/// Asserts how a run ended, and gives what it said on stderr.
#[track_caller]
pub fn ended(output: &Output, code: i32, answer: &str) -> String {
    assert_eq!((output.status.code(), stdout(output)), (Some(code), answer), "{}", stderr(output));
    stderr(output).to_string()
}

pub fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

pub fn file(folder: &TempDir, name: &str) -> PathBuf {
    folder.path().join(name)
}

/// The names in a folder.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The best device there is. Without one these tests fail: `scripts/test.sh` installs a software device.
pub fn gpu(options: SliceOptions) -> Gpu {
    Gpu::open(&DeviceChoice::Any, options).expect("GPU tests need a Vulkan device: run ./scripts/test.sh")
}

pub fn problem(n: u32) -> Problem {
    Problem::empty(n).unwrap()
}

pub fn plan(n: u32, method: Method, depth: u32) -> Plan {
    Plan::with_depth(&problem(n), method, depth).unwrap()
}

/// The counts of some prefixes of a plan, and the queens placed, on one CPU thread.
pub fn on_cpu(plan: &Plan, prefixes: &[Prefix]) -> (Vec<u64>, Option<u64>) {
    let mut session = Cpu::new(Some(1)).unwrap().counting_nodes(true).prepare(plan.workload()).unwrap();
    let counts = session.count(prefixes, &Control::none()).unwrap();
    (counts, session.stats().nodes)
}
