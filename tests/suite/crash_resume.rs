//! A checkpoint survives crashes, damage, full disks and rivals, and never leads to a wrong count.

use std::path::Path;

use nqueens::Method;
use nqueens::job::{Checkpoint, Identity, Store, Tally, peek};

use crate::harness::*;

/// One thread and a save after each batch: many moments to die at.
const SLOW: &str = "--backend cpu --threads 1 --save-every 0ms --quiet";

#[cfg(unix)]
#[test]
fn kill_9_at_random_moments() {
    let mut random = fastrand::Rng::new();
    let mut kills = 0;
    while kills < 60 {
        for (n, method, count) in [
            (13, "row-order --prefix-rows 3", "73712\n"),
            (14, "most-constrained", "365596\n"),
            (15, "most-constrained", "2279184\n"),
            (14, "half-join --prefix-rows 4", "365596\n"),
        ] {
            let folder = folder();
            let arguments = format!("count {n} --method {method} --checkpoint {{}}/c {SLOW}");
            let mut done_before = 0;
            loop {
                let mut child = Running::start(&mut command_in(&arguments, folder.path()));
                // Longer and longer: a busy machine may not come to its first prefix in 150 ms.
                std::thread::sleep(std::time::Duration::from_millis(random.u64(1..150 + 5 * kills)));
                let ended = child.kill();
                // Nothing that was saved is ever lost.
                let done = peek(&file(&folder, "c")).map_or(0, |checkpoint| checkpoint.done.prefixes());
                assert!(done >= done_before, "{done} prefixes are saved, {done_before} were before");
                done_before = done;
                if ended.success() {
                    break;
                }
                kills += 1;
            }
            ended(&nqueens_in(&arguments, folder.path()), 0, count);
        }
    }
    println!("{kills} kills");
}

#[cfg(nqueens_faults)]
#[test]
fn kill_9_at_each_step_of_a_save() {
    for (step, survives) in [
        ("created", false),
        ("half-written", false),
        ("written", false),
        ("synced", false),
        ("previous-kept", true),
        ("renamed", true),
        ("folder-synced", true),
    ] {
        for save in [1u64, 2, 3, 10] {
            let folder = folder();
            let arguments = format!("count 13 --method row-order --prefix-rows 2 --checkpoint {{}}/c {SLOW}");
            let output = with_faults(&arguments, folder.path(), &format!("crash={step}:{save}"));
            // The first save is made before any work, each other one after one more prefix.
            let done = save - 1;
            assert_eq!(output.status.code(), None, "{step} {save}: {}", stderr(&output));
            let saved = peek(&file(&folder, "c")).map(|checkpoint| checkpoint.done.prefixes());
            // A first save is there once it has its name.
            let is_there = survives && (save, step) != (1, "previous-kept");
            let expected = if is_there { Some(done) } else { done.checked_sub(1) };
            assert_eq!(saved, expected, "{step} {save}");
            // Crash in the next run too, at the same step, then let it end.
            with_faults(&arguments, folder.path(), &format!("crash={step}:2"));
            ended(&nqueens_in(&arguments, folder.path()), 0, "73712\n");
        }
    }
}

/// A checkpoint in two generations, the newer with some prefixes more.
fn two_generations(path: &Path) -> (Checkpoint, Checkpoint) {
    let plan = plan(9, Method::RowOrder, 2);
    let mut checkpoint = Checkpoint::new(Identity::new(&plan), 0..plan.prefixes());
    let (store, none) = Store::open(path, &mut |note| panic!("{note}")).unwrap();
    assert_eq!(none, None);
    let mut generations = Vec::new();
    let mut at = 0;
    for size in [5, 7] {
        let prefixes: Vec<_> = plan.iter().skip(at).take(size).collect();
        let (counts, _) = on_cpu(&plan, &prefixes);
        let tally = Tally::from_batch(&prefixes, &counts, None).unwrap();
        checkpoint.add(at as u64..(at + size) as u64, &tally).unwrap();
        at += size;
        store.save(&checkpoint).unwrap();
        generations.push(checkpoint.clone());
    }
    (generations.remove(0), generations.remove(0))
}

fn each_damage(damages: impl Fn(&[u8]) -> Vec<Vec<u8>>) {
    let folder = folder();
    let path = file(&folder, "c");
    let (older, newer) = two_generations(&path);
    let (sound, previous) = (std::fs::read(&path).unwrap(), std::fs::read(file(&folder, "c.previous")).unwrap());
    let damages = damages(&sound);
    assert!(damages.len() >= sound.len());
    for damaged in damages {
        if damaged.is_empty() {
            // As new: the one before it is used.
            std::fs::write(&path, &damaged).unwrap();
            assert_eq!(Store::open(&path, &mut |_| ()).unwrap().1.as_ref(), Some(&older));
            continue;
        }
        if !damaged.starts_with(b"{\"sha256\":\"") {
            // Nobody knows whose it is: refused and left alone.
            for name in ["c", "c.previous"] {
                std::fs::write(file(&folder, name), &damaged).unwrap();
                let error = Store::open(&path, &mut |note| panic!("{note}")).err().unwrap().to_string();
                assert!(error.contains("is not a file of nqueens"), "{error}");
                assert_eq!(std::fs::read(file(&folder, name)).unwrap(), damaged);
                std::fs::write(&path, &sound).unwrap();
            }
            std::fs::write(file(&folder, "c.previous"), &previous).unwrap();
            continue;
        }
        // The newest is damaged: moved aside, and the one before it is used.
        std::fs::write(&path, &damaged).unwrap();
        let mut notes = Vec::new();
        let (_, found) = Store::open(&path, &mut |note| notes.push(note)).unwrap();
        assert_eq!(found.as_ref(), Some(&older));
        assert!(notes[0].contains("damaged") && notes[0].contains("c.bad"), "{notes:?}");
        assert_eq!(std::fs::read(file(&folder, "c.bad")).unwrap(), damaged);
        std::fs::remove_file(file(&folder, "c.bad")).unwrap();
        // Only the one before it is damaged: it is not needed.
        std::fs::write(&path, &sound).unwrap();
        std::fs::write(file(&folder, "c.previous"), &damaged).unwrap();
        assert_eq!(Store::open(&path, &mut |note| panic!("{note}")).unwrap().1.as_ref(), Some(&newer));
        // Both are: refused, once.
        std::fs::write(&path, &damaged).unwrap();
        let error = Store::open(&path, &mut |note| panic!("{note}")).err().unwrap().to_string();
        assert!(error.contains("no usable checkpoint"), "{error}");
        assert_eq!(Store::open(&path, &mut |note| panic!("{note}")).unwrap().1, None);
        for bad in names(folder.path()).iter().filter(|name| name.contains(".bad")) {
            std::fs::remove_file(file(&folder, bad)).unwrap();
        }
        std::fs::write(file(&folder, "c.previous"), &previous).unwrap();
    }
}

#[test]
fn every_byte_of_a_checkpoint_flipped() {
    each_damage(|sound| {
        let flipped = |at: usize, bits: u8| {
            let mut bytes = sound.to_vec();
            bytes[at] ^= bits;
            bytes
        };
        (0..sound.len()).flat_map(|at| [flipped(at, 1 << (at % 8)), flipped(at, 0xff)]).collect()
    });
}

#[test]
fn truncation_at_every_length() {
    each_damage(|sound| (0..sound.len()).map(|length| sound[..length].to_vec()).collect());
}

#[test]
fn a_damaged_checkpoint_never_leads_to_a_wrong_count() {
    let folder = folder();
    let arguments = "count 12 --checkpoint {}/c --backend cpu";
    ended(&nqueens_in(arguments, folder.path()), 0, "14200\n");
    for name in ["c", "c.previous"] {
        let mut bytes = std::fs::read(file(&folder, name)).unwrap();
        let at = bytes.windows(5).position(|window| window == b"tally").unwrap() + 30;
        bytes[at] ^= 1;
        std::fs::write(file(&folder, name), bytes).unwrap();
        let code = if name == "c" { 0 } else { 7 };
        if name == "c" {
            let said = ended(&nqueens_in(arguments, folder.path()), code, "14200\n");
            assert!(said.contains("it is now") && said.contains("c.bad"), "{said}");
            // Both at once, the next time.
            std::fs::write(file(&folder, "c"), b"{\"sha256\":\"").unwrap();
        } else {
            let said = ended(&nqueens_in(arguments, folder.path()), code, "");
            assert!(said.contains("no usable checkpoint") && said.contains("c.previous.bad"), "{said}");
            ended(&nqueens_in(arguments, folder.path()), 0, "14200\n");
        }
    }
}

#[cfg(all(nqueens_faults, unix))]
#[test]
fn full_disk() {
    let folder = folder();
    let arguments = "count 12 --checkpoint {}/c --backend cpu --quiet";
    // Not even the first save succeeds.
    let said = ended(&with_faults(arguments, folder.path(), "full-disk"), 5, "");
    assert!(said.contains("could not be written") && said.contains("c.new"), "{said}");
    assert_eq!(names(folder.path()), ["c.lock"]);
    // A disk that fills up later leaves what was saved.
    let crashed =
        with_faults(&format!("count 13 --prefix-rows 4 --checkpoint {{}}/c {SLOW}"), folder.path(), "crash=renamed:5");
    assert_eq!(crashed.status.code(), None);
    let before = std::fs::read(file(&folder, "c")).unwrap();
    let again = format!("count 13 --prefix-rows 4 --checkpoint {{}}/c {SLOW}");
    ended(&with_faults(&again, folder.path(), "full-disk"), 5, "");
    assert_eq!(std::fs::read(file(&folder, "c")).unwrap(), before);
    ended(&nqueens_in(&again, folder.path()), 0, "73712\n");
}

/// A file system of 16 KB, where the machine lets one be made.
#[cfg(target_os = "linux")]
#[test]
fn a_tiny_file_system_that_is_full() {
    let folder = folder();
    let path = folder.path().to_str().unwrap();
    let mount = ["mount", "-t", "tmpfs", "-o", "size=16k", "nqueens-test", path];
    let mounted = std::process::Command::new(mount[0]).args(&mount[1..]).output();
    if !mounted.is_ok_and(|output| output.status.success()) {
        println!("no tmpfs can be mounted here: only /dev/full is tried, by the test full_disk");
        return;
    }
    let arguments = "count 12 --checkpoint {}/c --backend cpu --quiet";
    let fill = file(&folder, "fill");
    // As much as there is room for.
    let _ = std::fs::write(&fill, vec![1; 1 << 20]);
    let full = nqueens_in(arguments, folder.path());
    let left = names(folder.path());
    std::fs::remove_file(&fill).unwrap();
    let again = nqueens_in(arguments, folder.path());
    assert!(std::process::Command::new("umount").arg(path).status().unwrap().success());
    let said = ended(&full, 5, "");
    assert!(said.contains("No space left"), "{said}");
    assert!(!left.contains(&"c.new".to_string()), "{left:?}");
    ended(&again, 0, "14200\n");
}

#[cfg(unix)]
#[test]
fn two_writers() {
    let folder = folder();
    let long = "count 20 --checkpoint {}/c --backend cpu --threads 1";
    let mut holder = Running::start(&mut command_in(long, folder.path()));
    wait_for(&file(&folder, "c"));
    let said = ended(&nqueens_in(long, folder.path()), 75, "");
    assert!(said.contains("in use by another process") && said.contains(&holder.id().to_string()), "{said}");
    holder.kill();
    // The lock has died with its holder.
    assert!(Store::open(&file(&folder, "c"), &mut |_| ()).is_ok());
}

#[test]
fn resume_with_each_thing_changed() {
    let folder = folder();
    ended(&nqueens_in("count 12 --checkpoint {}/c --backend cpu --prefix-rows 4 --quiet", folder.path()), 0, "14200\n");
    let before = std::fs::read(file(&folder, "c")).unwrap();
    for (arguments, words) in [
        ("count 13 --checkpoint {}/c", "n is 12 there and 13 here"),
        ("count 12 --checkpoint {}/c --method row-order", "the method is most-constrained there and row-order here"),
        ("count 12 --checkpoint {}/c --prefix-rows 5", "the depth of the prefixes is 4 there and 5 here"),
    ] {
        let said = ended(&nqueens_in(&format!("{arguments} --backend cpu"), folder.path()), 7, "");
        assert!(said.contains("belongs to another job") && said.contains(words), "{said}");
        assert_eq!(std::fs::read(file(&folder, "c")).unwrap(), before);
    }
    // Another device, number of threads or time between saves is the same job.
    ended(&nqueens_in("count 12 --checkpoint {}/c --threads 1 --save-every 5m", folder.path()), 0, "14200\n");
    // A later format, and another order of prefixes.
    let text = String::from_utf8(before).unwrap();
    for (from, to, words) in [
        ("\"version\":1", "\"version\":2", "version 2, this program knows version 1"),
        ("nqueens checkpoint", "nqueens plan", "it is a 'nqueens plan'"),
        ("\"digest\":\"", "\"digest\":\"0", "weighted in another way"),
    ] {
        let changed = sealed(&text.replacen(from, to, 1));
        std::fs::write(file(&folder, "c"), &changed).unwrap();
        let said = ended(&nqueens_in("count 12 --checkpoint {}/c --backend cpu", folder.path()), 7, "");
        assert!(said.contains(words), "{said}");
        assert_eq!(std::fs::read(file(&folder, "c")).unwrap(), changed.as_bytes());
    }
    // A path that is no file.
    let said = ended(&nqueens_in("count 8 --checkpoint {} --backend cpu", folder.path()), 2, "");
    assert!(said.contains("not a regular file"), "{said}");
    let said = ended(&nqueens_in("count 8 --checkpoint {}/no/such/folder/c --backend cpu", folder.path()), 5, "");
    assert!(said.contains("could not be"), "{said}");
}

/// The text with the checksum that it should have.
fn sealed(text: &str) -> String {
    use sha2::Digest;
    let body = &text["{\"sha256\":\"".len() + 64 + 2..];
    let sum: String = sha2::Sha256::digest(body).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{{\"sha256\":\"{sum}\",{body}")
}

#[test]
fn sums_that_were_sealed_wrongly_are_refused() {
    let folder = folder();
    ended(&nqueens_in("count 12 --checkpoint {}/c --backend cpu --quiet", folder.path()), 0, "14200\n");
    let text = std::fs::read_to_string(file(&folder, "c")).unwrap();
    for (from, to) in
        [("\"solutions\":\"14200\"", "\"solutions\":\"14201\""), ("\"residue\":14200", "\"residue\":14201")]
    {
        assert!(text.contains(from), "{text}");
        std::fs::write(file(&folder, "c"), sealed(&text.replacen(from, to, 1))).unwrap();
        let _ = std::fs::remove_file(file(&folder, "c.previous"));
        let said = ended(&nqueens_in("count 12 --checkpoint {}/c --backend cpu", folder.path()), 7, "");
        assert!(said.contains("its sums do not fit together"), "{said}");
    }
}

#[cfg(unix)]
#[test]
fn signals_finish_the_batch_save_and_end() {
    for name in ["INT", "TERM"] {
        let folder = folder();
        let count = "count 17 --method row-order --checkpoint {}/c --backend cpu --threads 1 --save-every 20ms";
        let mut child = Running::start(&mut command_in(count, folder.path()));
        wait_for(&file(&folder, "c.previous"));
        child.signal(name);
        assert_eq!(child.wait().code(), Some(8), "SIG{name}");
        let saved = peek(&file(&folder, "c")).unwrap();
        assert!(saved.done.prefixes() > 0 && !saved.is_complete());
    }
    // What was stopped is resumed, as often as it is stopped.
    let folder = folder();
    let arguments = "count 15 --method row-order --checkpoint {}/c --backend cpu --threads 1 --save-every 0ms";
    let (mut stops, mut done_before) = (0, 0);
    for _ in 0..20 {
        let mut child = Running::start(&mut command_in(arguments, folder.path()));
        let done = || peek(&file(&folder, "c")).map_or(0, |saved| saved.done.prefixes());
        wait_until("something was done", || (done() > done_before || child.ended().is_some()).then_some(()));
        if child.ended().is_none() {
            child.signal("TERM");
        }
        let code = child.wait().code();
        if code == Some(0) {
            break;
        }
        assert_eq!(code, Some(8));
        assert!(done() > done_before);
        done_before = done();
        stops += 1;
    }
    assert!(stops > 0, "it was never stopped");
    ended(&nqueens_in(arguments, folder.path()), 0, "2279184\n");
}

#[cfg(all(nqueens_faults, unix))]
#[test]
fn a_batch_that_takes_long_does_not_keep_the_program() {
    let folder = folder();
    let mut command = command_in("count 13 --checkpoint {}/c --backend cpu", folder.path());
    let mut child = Running::start(command.env("NQUEENS_FAULTS", "slow=600000"));
    wait_for(&file(&folder, "c"));
    // The batch at hand would take ten minutes.
    child.signal("INT");
    assert_eq!(child.wait().code(), Some(8));
    ended(&nqueens_in("count 13 --checkpoint {}/c --backend cpu", folder.path()), 0, "73712\n");
}

#[test]
fn a_time_limit_saves_and_the_same_command_resumes() {
    let folder = folder();
    let count = |more: &str| {
        let arguments = "count 15 -m row-order --prefix-rows 5 --backend cpu --threads 1 --checkpoint {}/c --quiet";
        nqueens_in(&format!("{arguments} {more}"), folder.path())
    };
    assert!(ended(&count("--time-limit 1ms"), 8, "").contains("progress is saved"));
    ended(&count("--time-limit 1d"), 0, "2279184\n");
    ended(&nqueens("count 15 --time-limit 1h"), 2, "");
}
