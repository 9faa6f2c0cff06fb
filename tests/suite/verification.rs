//! Devices that fail or count wrongly are found out, and the count is right all the same, or none is given.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use nqueens::backend::{Capabilities, Control, Cpu, Device, Session, Stats};
use nqueens::gpu::SliceOptions;
use nqueens::job::{self, Checkpoint, Event, Identity, Options, Outcome, Verify};
use nqueens::plan::{Plan, Workload};
use nqueens::{Error, JobError, Method, Prefix};
use serde_json::Value;

use crate::harness::*;

/// What a device does wrong in its n-th batch, from 0.
type Fault = fn(u32, &mut Vec<u64>) -> nqueens::Result<()>;

/// A device that is not there: the CPU under its name, with faults.
struct Faulty {
    cpu: Cpu,
    capabilities: Capabilities,
    fault: Fault,
    can_reopen: bool,
}

impl Faulty {
    fn new(name: &str, fault: Fault, can_reopen: bool) -> Self {
        let mut capabilities = Capabilities::gpu(name, 2);
        (capabilities.max_batch, capabilities.min_batch) = (20, 20);
        Self { cpu: Cpu::new(Some(1)).unwrap(), capabilities, fault, can_reopen }
    }
}

impl Device for Faulty {
    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }
    fn prepare(&mut self, workload: &Workload) -> nqueens::Result<Box<dyn Session>> {
        Ok(Box::new(FaultySession { session: self.cpu.prepare(workload)?, batches: 0, fault: self.fault }))
    }
    fn reopen(&self) -> nqueens::Result<Box<dyn Device>> {
        match self.can_reopen {
            true => Ok(Box::new(Self::new(&self.capabilities.name, self.fault, true))),
            false => Err(Error::NoAdapter),
        }
    }
}

struct FaultySession {
    session: Box<dyn Session>,
    batches: u32,
    fault: Fault,
}

impl Session for FaultySession {
    fn count(&mut self, prefixes: &[Prefix], control: &Control<'_>) -> nqueens::Result<Vec<u64>> {
        let mut counts = self.session.count(prefixes, control)?;
        self.batches += 1;
        (self.fault)(self.batches - 1, &mut counts)?;
        Ok(counts)
    }
    fn stats(&self) -> Stats {
        self.session.stats()
    }
}

fn lost() -> Error {
    Error::Device { device: "test".into(), reason: "lost".into() }
}

fn device(name: &str, fault: Fault) -> Box<dyn Device> {
    Box::new(Faulty::new(name, fault, true))
}

/// Counts n = 10 with some devices; that share of the prefixes is recounted.
fn count(
    devices: Vec<Box<dyn Device>>,
    verify: Option<f64>,
    falls_back_to_cpu: bool,
) -> (nqueens::Result<Outcome>, Checkpoint, Vec<Event>) {
    let plan = plan(10, Method::RowOrder, 3);
    let mut checkpoint = Checkpoint::new(Identity::new(&plan), 0..plan.prefixes());
    let events = Mutex::new(Vec::new());
    let options = Options {
        verify: verify.map(|share| Verify { share }),
        falls_back_to_cpu,
        pause_after_loss: Duration::ZERO,
        event: &|event| events.lock().unwrap().push(event.clone()),
        ..Options::default()
    };
    let result = job::run(&plan, &mut checkpoint, devices, None, &options);
    (result, checkpoint, events.into_inner().unwrap())
}

fn solutions(checkpoint: &Checkpoint) -> u128 {
    assert!(checkpoint.is_complete() && checkpoint.contradiction().is_none());
    checkpoint.tally.solutions.0
}

const WELL: Fault = |_, _| Ok(());

#[test]
fn wrong_counts_are_found_and_redone() {
    let once: [(&str, Fault); 3] = [
        ("one more", |batch, counts| {
            if batch == 2 {
                counts[0] += 1;
            }
            Ok(())
        }),
        ("dropped", |batch, counts| {
            let at = counts.iter().position(|&count| count > 0).unwrap();
            if batch == 2 {
                counts[at] = 0;
            }
            Ok(())
        }),
        ("flipped bit", |batch, counts| {
            if batch == 2 {
                counts[3] ^= 1 << 20;
            }
            Ok(())
        }),
    ];
    for (name, fault) in once {
        let (result, checkpoint, events) = count(vec![device(name, fault)], Some(1.0), true);
        assert!(result.is_ok(), "{name}: {result:?}");
        assert_eq!(solutions(&checkpoint), 724, "{name}");
        let found = &checkpoint.verification;
        assert_eq!((found.mismatches, found.batches_redone, found.given_up.len()), (1, 1, 0), "{name}");
        assert!(matches!(&events[..], [Event::Mismatch { .. }]), "{events:?}");
    }
}

#[test]
fn the_first_prefix_of_a_batch_is_always_recounted() {
    let fault: Fault = |batch, counts| {
        if batch == 0 {
            counts[0] ^= 1;
        }
        Ok(())
    };
    let (_, checkpoint, _) = count(vec![device("wrong", fault)], Some(f64::MIN_POSITIVE), true);
    assert_eq!((solutions(&checkpoint), checkpoint.verification.mismatches), (724, 1));
    // Each batch had one recount.
    assert_eq!(checkpoint.verification.recounted, checkpoint.job.prefixes.div_ceil(20));
}

#[test]
fn the_second_offence_quarantines_the_device() {
    let always: Fault = |_, counts| {
        counts[0] += 1;
        Ok(())
    };
    let (result, checkpoint, events) = count(vec![device("bad", always)], Some(0.01), true);
    assert!(result.is_ok());
    assert_eq!((solutions(&checkpoint), checkpoint.verification.mismatches), (724, 2));
    assert_eq!(checkpoint.verification.given_up, ["bad counted wrongly"]);
    assert!(matches!(events[2], Event::GivenUp { on_cpu: true, .. }), "{events:?}");
    // Beside a good device, that one continues.
    let (result, checkpoint, events) = count(vec![device("bad", always), device("good", WELL)], Some(0.01), true);
    assert!(result.is_ok());
    assert_eq!(solutions(&checkpoint), 724);
    assert!(events.iter().all(|event| !matches!(event, Event::GivenUp { on_cpu: true, .. })), "{events:?}");
    // And where the CPU is not wanted the job ends, with what is right so far.
    let (result, checkpoint, _) = count(vec![device("bad", always)], Some(0.01), false);
    assert!(matches!(result, Err(Error::Job(JobError::Quarantined(_)))), "{result:?}");
    assert!(!checkpoint.is_complete() && checkpoint.contradiction().is_none());
}

#[test]
fn a_lost_device_is_opened_again() {
    let now_and_then: Fault = |batch, _| if batch == 1 { Err(lost()) } else { Ok(()) };
    let (result, checkpoint, events) = count(vec![device("shaky", now_and_then)], None, false);
    // Each opening lasts one batch, so no two failures follow each other.
    assert!(result.is_ok(), "{result:?}");
    assert_eq!(solutions(&checkpoint), 724);
    assert!(events.iter().all(|event| matches!(event, Event::Failed { times: 1, .. })), "{events:?}");
    assert_eq!(checkpoint.verification.device_losses as usize, events.len());
}

#[test]
fn after_three_losses_the_cpu_takes_over_or_the_job_stops() {
    let dead: Fault = |batch, _| if batch == 0 { Err(lost()) } else { Ok(()) };
    let (result, checkpoint, events) = count(vec![device("dead", dead)], None, true);
    assert!(result.is_ok());
    assert_eq!((solutions(&checkpoint), checkpoint.verification.device_losses), (724, 3));
    assert!(matches!(events.last(), Some(Event::GivenUp { on_cpu: true, .. })), "{events:?}");
    let (result, checkpoint, _) = count(vec![device("dead", dead)], None, false);
    assert!(matches!(result, Err(Error::Device { .. })), "{result:?}");
    assert_eq!((checkpoint.done.prefixes(), checkpoint.tally.solutions.0), (0, 0));
    // A device that cannot even be opened again.
    let gone: Box<dyn Device> = Box::new(Faulty::new("gone", dead, false));
    let (result, checkpoint, _) = count(vec![gone], None, true);
    assert!(result.is_ok());
    assert_eq!((solutions(&checkpoint), checkpoint.verification.device_losses), (724, 3));
}

#[test]
fn a_lost_devices_batch_goes_back_to_the_queue() {
    static GOOD: AtomicBool = AtomicBool::new(false);
    let dead: Fault = |_, _| Err(lost());
    let good: Fault = |_, _| {
        GOOD.store(true, Ordering::Relaxed);
        Ok(())
    };
    let devices = vec![device("dead", dead), device("good", good), device("dead too", dead)];
    let (result, checkpoint, _) = count(devices, None, false);
    assert!(result.is_ok() && GOOD.load(Ordering::Relaxed), "{result:?}");
    assert_eq!(solutions(&checkpoint), 724);
}

#[test]
fn an_error_that_is_not_the_devices_ends_the_job() {
    let (result, checkpoint, _) =
        count(vec![device("full", |_, _| Err(Error::Overflow)), device("good", WELL)], None, true);
    assert!(matches!(result, Err(Error::Overflow)), "{result:?}");
    assert!(checkpoint.contradiction().is_none());
}

#[test]
fn a_stopped_job_is_resumed_by_other_workers() {
    let plan = Plan::with_prefixes(&problem(11), Method::MostConstrained, 400).unwrap();
    let folder = folder();
    let (store, _) = job::Store::open(&file(&folder, "c"), &mut |note| panic!("{note}")).unwrap();
    // With a store the batches at hand are counted to their end.
    for store in [Some(&store), None] {
        let mut checkpoint = Checkpoint::new(Identity::new(&plan), 0..plan.prefixes());
        let mut stops = 0;
        let finished = loop {
            let stop = AtomicBool::new(false);
            // Stop as soon as anything is done; without a store let the next one end.
            let progress = |_| stop.store(store.is_some() || stops == 0, Ordering::SeqCst);
            let options = Options {
                save_every: Duration::ZERO,
                pause_after_loss: Duration::ZERO,
                stop: &stop,
                progress: &progress,
                ..Options::default()
            };
            let before = checkpoint.done.prefixes();
            match job::run(&plan, &mut checkpoint, vec![device("one", WELL), device("two", WELL)], store, &options) {
                Ok(_) => break true,
                Err(Error::Cancelled) => stops += 1,
                Err(error) => panic!("{error}"),
            }
            assert!(checkpoint.done.prefixes() > before || store.is_none());
            assert!(checkpoint.contradiction().is_none());
        };
        assert!(stops > 0 && finished);
        assert_eq!(solutions(&checkpoint), KNOWN[11]);
    }
}

#[test]
fn one_device_opened_twice_shares_the_work() {
    let open = || -> Box<dyn Device> { Box::new(gpu(SliceOptions { invocations: Some(64), ..Default::default() })) };
    for method in Method::on_gpu() {
        let plan = Plan::with_prefixes(&problem(12), method, 4000).unwrap();
        let mut checkpoint = Checkpoint::new(Identity::new(&plan), 0..plan.prefixes());
        let options = Options {
            verify: Some(Verify { share: 0.01 }),
            falls_back_to_cpu: false,
            event: &|event| panic!("{event}"),
            ..Options::default()
        };
        let outcome = job::run(&plan, &mut checkpoint, vec![open(), open()], None, &options).unwrap();
        assert_eq!(solutions(&checkpoint), KNOWN[12], "{method}");
        let stats = outcome.stats;
        assert!(stats.kernels.iter().filter(|kernel| kernel.steps > 0).count() >= 2, "{stats:?}");
    }
    ended(&nqueens("count 11 --quiet --device all"), 0, "2680\n");
    let said = ended(&nqueens("count 11 --device 0,0"), 2, "");
    assert!(said.contains("twice"), "{said}");
}

#[test]
fn double_check_and_verify_are_in_the_json() {
    let arguments = "count 12 --double-check --verify 5% --json --quiet --checkpoint {}/c --backend";
    for backend in ["cpu", "gpu"] {
        let folder = folder();
        let output = nqueens_in(&format!("{arguments} {backend}"), folder.path());
        let report: Value = serde_json::from_str(stdout(&output)).unwrap_or_else(|_| panic!("{}", stderr(&output)));
        assert_eq!((&report["count"], &report["double_check"]["count"]), (&"14200".into(), &"14200".into()));
        assert_ne!(report["method"], report["double_check"]["method"]);
        assert_eq!(report["resumed_prefixes"].as_u64().unwrap_or(0), 0, "{report}");
        assert!(report["verification"]["recounted"].as_u64() > Some(0) && report["verification"]["mismatches"] == 0);
        assert_eq!(names(folder.path()).iter().filter(|name| name.starts_with("c.second")).count(), 3);
    }
    for (n, known) in KNOWN.iter().enumerate().take(10) {
        let output = nqueens_in(&format!("count {n} --double-check --quiet --backend cpu"), folder().path());
        ended(&output, 0, &format!("{known}\n"));
    }
}

#[test]
fn selftest_passes() {
    for form in ["", "--full"] {
        let output = nqueens(&format!("selftest {form}"));
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(stdout(&output).lines().all(|line| line.starts_with("ok  ")), "{}", stdout(&output));
    }
}

#[test]
fn bad_options_are_one_helpful_line() {
    for (arguments, words) in [
        ("count 8 --verify 0", "needs its sign"),
        ("count 8 --verify 0%", "above 0 %"),
        ("count 8 --verify 101%", "above 0 %"),
        ("count 8 --save-every 5", "50ms, 60s"),
        ("count 8 --save-every 400d", "up to a year"),
        ("count 8 --on-device-loss pray", "cpu, stop"),
    ] {
        let said = ended(&nqueens_in(arguments, folder().path()), 2, "");
        assert!(said.contains(words) && said.lines().count() == 1, "{arguments}: {said}");
    }
}

/// The whole program, with faults that it brings about itself.
#[cfg(nqueens_faults)]
mod injected {
    use super::*;

    fn report(arguments: &str, faults: &str) -> Value {
        let output = with_faults(&format!("{arguments} --json --quiet"), folder().path(), faults);
        assert_eq!(output.status.code(), Some(0), "{faults}: {}", stderr(&output));
        serde_json::from_str(stdout(&output)).unwrap()
    }

    #[test]
    fn device_destroyed_in_mid_slice() {
        for method in ["row-order", "most-constrained"] {
            let count = format!("count 12 --backend gpu --method {method} --checkpoint {{}}/c");
            // Once and twice: opened again. Always: the CPU takes over.
            for (faults, losses, backend) in [("destroy=1", 1, "cpu"), ("destroy=2", 2, "cpu"), ("destroy", 3, "CPU")] {
                let report = report(&count, faults);
                assert_eq!(
                    (&report["count"], &report["verification"]["device_losses"]),
                    (&"14200".into(), &losses.into())
                );
                let devices = report["provenance"].as_array().unwrap();
                assert_eq!(
                    devices.iter().any(|by| by["device"].as_str().unwrap().starts_with("CPU")),
                    backend == "CPU"
                );
            }
            // Or it stops, and the checkpoint is resumed elsewhere.
            let folder = folder();
            let stops = format!("{count} --on-device-loss stop");
            let said = ended(&with_faults(&stops, folder.path(), "destroy"), 4, "");
            assert!(said.contains("failure 3 of 3"), "{said}");
            let elsewhere = format!("count 12 --backend cpu --method {method} --checkpoint {{}}/c --quiet");
            ended(&nqueens_in(&elsewhere, folder.path()), 0, "14200\n");
        }
    }

    #[test]
    fn wrong_device_counts() {
        for method in ["row-order", "most-constrained"] {
            for kind in ["add-one", "drop", "flip"] {
                let verified = format!("count 12 --backend gpu --method {method} --verify 100%");
                let report = report(&verified, &format!("counts={kind}:1"));
                assert_eq!(
                    (&report["count"], &report["verification"]["batches_redone"]),
                    (&"14200".into(), &1.into()),
                    "{kind}"
                );
            }
            let shaky =
                format!("count 12 --backend gpu --method {method} --verify 1% --checkpoint {{}}/c --save-every 20ms");
            let report = report(&shaky, "counts=add-one:2");
            assert_eq!(report["count"], "14200");
        }
        // Without a recount the published count is what finds it, and no count is given.
        let output = with_faults("count 12 --backend gpu", folder().path(), "counts=add-one");
        assert!(ended(&output, 1, "").contains("is wrong"));
        let output = with_faults("count 12 --backend cpu --double-check", folder().path(), "counts=flip:1");
        assert_eq!((output.status.code(), stdout(&output)), (Some(1), ""));
    }

    #[test]
    fn a_device_that_counts_wrongly_twice_is_quarantined() {
        let arguments = "count 13 --threads 1 --verify 1% --checkpoint {}/c --save-every 20ms --method row-order";
        let folder = folder();
        let said = ended(&with_faults(arguments, folder.path(), "counts=add-one:2"), 4, "");
        assert!(said.contains("counted wrongly twice"), "{said}");
        ended(&nqueens_in(arguments, folder.path()), 0, "73712\n");
    }
}
