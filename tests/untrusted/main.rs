//! Whatever a file or a text from outside says: no panic, no hang, no more memory than its size explains, and an error that
//! can be shown. Files are sealed anew after they were changed, so that what is inside is read too.
//!
//! `NQUEENS_INPUTS=1000000 cargo test --release --test untrusted -- --nocapture` tries as many, and says what became of them.

mod change;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use change::{change_bytes, change_value, reseal};
use fastrand::Rng;
use nqueens::backend::{Capabilities, Control, Cpu, Device};
use nqueens::job::{Checkpoint, Folder, Provenance, ShardPlan, ShardResult, Store, Tally, peek};
use nqueens::placement::{Attack, Placement, read_columns};
use nqueens::plan::Plan;
use nqueens::{Method, Problem};
use peak_alloc::PeakAlloc;
use tempfile::TempDir;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Bytes that reading may take: for what is made of the input, and for the sample of a plan.
fn allowance(input: usize) -> usize {
    16 * input + (1 << 20)
}

thread_local! {
    /// Which input is tried: said if it fails.
    static INPUT: Cell<u64> = const { Cell::new(0) };
}

/// Sound files of a job, to be changed, and a folder for what comes of them.
struct Files {
    folder: TempDir,
    plan: ShardPlan,
    files: Vec<(Kind, serde_json::Value)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Plan,
    Result,
    Checkpoint,
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Self::Plan => "plan",
            Self::Result => "result",
            Self::Checkpoint => "checkpoint",
        }
    }
}

impl Files {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let plan = Plan::with_depth(&Problem::empty(9).unwrap(), Method::MostConstrained, 4).unwrap();
        let shards = ShardPlan::new(&plan, 3).unwrap();
        let mut session = Cpu::new(Some(1)).unwrap().prepare(plan.workload()).unwrap();
        let prefixes: Vec<_> = plan.iter().collect();
        let mut tally = |from: u64, to: u64| {
            let batch = &prefixes[from as usize..to as usize];
            let counts = session.count(batch, &Control::none()).unwrap();
            Tally::from_batch(batch, &counts, Some(7)).unwrap()
        };
        let mut done = Checkpoint::new(shards.job.clone(), shards.range(1).unwrap());
        done.remember(Provenance::new(plan.method(), &Capabilities::cpu(2)));
        let mut begun = done.clone();
        begun.verification.given_up = vec!["a device failed".into()];
        let [from, to] = done.range;
        done.add(from..to, &tally(from, to)).unwrap();
        for from in (from..to - 1).step_by(3) {
            begun.add(from..from + 1, &tally(from, from + 1)).unwrap();
        }
        let path = |name: &str| folder.path().join(name);
        shards.write(&path("plan")).unwrap();
        ShardResult::new(&shards, 1, &done).write(&path("result")).unwrap();
        Store::open(&path("checkpoint"), &mut |_| ()).unwrap().0.save(&begun).unwrap();
        let read = |kind: Kind| (kind, serde_json::from_slice(&std::fs::read(path(kind.name())).unwrap()).unwrap());
        let files = [Kind::Plan, Kind::Result, Kind::Checkpoint].map(read).into();
        let folder = tempfile::tempdir().unwrap();
        shards.write(&folder.path().join("plan.json")).unwrap();
        Self { folder, plan: shards, files }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A file that may be anything, and what became of it.
    fn file(&self, random: &mut Rng) -> (Kind, &'static str) {
        let (kind, value) = random.choice(&self.files).unwrap();
        let mut value = value.clone();
        for _ in 0..random.u32(1..=4) {
            change_value(&mut value, random);
        }
        let mut bytes = reseal(&value);
        match random.u32(0..10) {
            0 => change_bytes(&mut bytes, random),
            1 | 2 => {
                let mut text = serde_json::to_vec(&value).unwrap();
                change_bytes(&mut text, random);
                bytes = change::seal(&text);
            }
            _ => {}
        }
        (*kind, self.read(*kind, &bytes, random.u32(0..50) == 0))
    }

    /// Reads a file in the ways that commands do.
    fn read(&self, kind: Kind, bytes: &[u8], whole_way: bool) -> &'static str {
        let path = self.path(&format!("{}.input", kind.name()));
        std::fs::write(&path, bytes).unwrap();
        let became = bounded(bytes.len(), || match kind {
            Kind::Plan => outcome(ShardPlan::read(&path).map(|(shards, plan)| {
                assert_eq!(shards.range(shards.shards.len() - 1).unwrap().end, plan.prefixes());
            })),
            Kind::Result => outcome(ShardResult::read(&path).map(|result| {
                if result.difference(&self.plan).is_none() {
                    assert!(result.tally.is_consistent());
                }
            })),
            Kind::Checkpoint => match peek(&path) {
                None => "refused",
                Some(checkpoint) => self.take_up(&checkpoint),
            },
        });
        if whole_way {
            bounded(bytes.len() + 4096, || self.whole_way(kind, &path));
        }
        std::fs::remove_file(&path).unwrap();
        became
    }

    /// What a command does with a checkpoint before it resumes.
    fn take_up(&self, checkpoint: &Checkpoint) -> &'static str {
        assert_eq!(checkpoint.contradiction(), None);
        let gaps: u64 = checkpoint.done.gaps(checkpoint.range()).iter().map(|gap| gap.end - gap.start).sum();
        let [start, end] = checkpoint.range;
        assert_eq!(gaps + checkpoint.done.prefixes(), end - start);
        checkpoint.job.difference(&self.plan.job);
        outcome(checkpoint.job.plan(checkpoint.marks.as_deref()).map(drop))
    }

    /// The same through the lock, the generations, and the folder of results.
    fn whole_way(&self, kind: Kind, path: &Path) {
        match kind {
            Kind::Checkpoint => {
                let checkpoint = self.path("whole.checkpoint");
                std::fs::copy(path, &checkpoint).unwrap();
                let opened = Store::open(&checkpoint, &mut |note| assert_shown(&note));
                outcome(opened.map(|(store, _)| store.remove()));
                for entry in std::fs::read_dir(self.folder.path()).unwrap() {
                    let path = entry.unwrap().path();
                    if path.to_string_lossy().contains("whole.checkpoint") {
                        std::fs::remove_file(path).unwrap();
                    }
                }
            }
            _ => {
                let result = self.path("input.json");
                std::fs::copy(path, &result).unwrap();
                let folder = Folder::read(&self.plan, &self.path("plan.json"), self.folder.path());
                std::fs::remove_file(result).unwrap();
                outcome(folder.and_then(|folder| {
                    folder.unreadable.iter().for_each(|reason| assert_shown(reason));
                    folder.merge(&self.plan).map(drop)
                }));
            }
        }
    }
}

/// An error is a short line without characters that command a terminal.
fn outcome<E: Display>(result: Result<(), E>) -> &'static str {
    match result {
        Ok(()) => "read",
        Err(error) => {
            assert_shown(&error.to_string());
            "refused"
        }
    }
}

fn assert_shown(text: &str) {
    assert!(text.len() < 2000 && !text.contains(char::is_control), "input {}: {text:?}", INPUT.get());
}

/// Runs something and asserts that it took no more memory than its input explains.
fn bounded<T>(input: usize, read: impl FnOnce() -> T) -> T {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let result = read();
    let took = MEMORY.peak_usage().saturating_sub(before);
    assert!(took <= allowance(input), "input {} of {input} bytes took {took} bytes", INPUT.get());
    result
}

/// A list of columns that may be anything.
fn columns(random: &mut Rng) -> &'static str {
    const PARTS: [&str; 16] =
        ["0", "1", "2", "3", "4", "5", "6", "7", ",", ", ", " ", "31", "255", "-", "é", "99999999999999999999"];
    let length = if random.u32(0..100) == 0 { random.usize(0..5000) } else { random.usize(0..24) };
    let separator = *random.choice(&["", " ", ","]).unwrap();
    let odd = if random.bool() { PARTS.len() } else { 8 };
    let words: Vec<&str> = (0..length).map(|_| PARTS[random.usize(..odd)]).collect();
    let text = words.join(separator);
    bounded(text.len(), || match read_columns(&text) {
        Err(error) => outcome(Err(error)),
        Ok(columns) => {
            // What `show` does with it.
            let attack = Attack::find(&columns);
            let drawing = nqueens::report::Drawing::new(&columns);
            let drawn = attack
                .map_or(drawing, |attack| drawing.marked(attack))
                .framed(nqueens::report::Charset::Unicode)
                .to_string();
            assert!(drawn.lines().count() >= columns.len());
            nqueens::report::svg::BoardSheet::single(&columns, attack.as_ref()).unwrap();
            match Placement::new(&columns) {
                Ok(placement) => assert!(placement.distinct_images().contains(&placement)),
                Err(error) => assert_shown(&error.to_string()),
            }
            "read"
        }
    })
}

#[test]
fn anything_is_read_or_refused() {
    let inputs: u64 = std::env::var("NQUEENS_INPUTS").map_or(20_000, |text| text.parse().expect("a number of inputs"));
    let files = Files::new();
    let mut outcomes: BTreeMap<(String, &str), u64> = BTreeMap::new();
    for input in 0..inputs {
        INPUT.set(input);
        let mut random = Rng::with_seed(input);
        let (what, outcome) = match random.u32(0..8) {
            0 | 1 => ("columns".to_string(), columns(&mut random)),
            _ => {
                let (kind, outcome) = files.file(&mut random);
                (kind.name().to_string(), outcome)
            }
        };
        *outcomes.entry((what, outcome)).or_default() += 1;
    }
    for ((what, outcome), number) in &outcomes {
        println!("{what}: {number} {outcome}");
    }
    for what in ["plan", "result", "checkpoint"] {
        for outcome in ["read", "refused"] {
            assert!(outcomes.contains_key(&(what.into(), outcome)), "{outcomes:?}");
        }
    }
}
