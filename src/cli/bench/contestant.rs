//! Who counts, how the runs are timed, and who is left out because it would take too long.

use std::time::{Duration, Instant};

use nqueens::backend::{Cpu, Device, Startup};
use nqueens::count::{Count, plan_and_run};
use nqueens::estimate::{Sampling, estimate};
use nqueens::gpu::{DeviceChoice, Gpu, SliceOptions};
use nqueens::report::duration;
use nqueens::{Method, Problem};

use super::slice_name;
use crate::cli::count::check;
use crate::cli::exit::Failure;

/// How a backend is opened.
#[derive(Clone)]
pub enum Open {
    Cpu { threads: usize, memory: usize },
    Gpu { device: DeviceChoice, options: SliceOptions },
}

/// A method on a backend, and how long it took each time: the count alone, and with getting ready.
pub struct Contestant {
    /// `CPU, 8 threads`, or the name of the GPU.
    pub device: String,
    pub method: Method,
    open: Open,
    pub count: Option<Count>,
    pub counting: Vec<Duration>,
    pub in_all: Vec<Duration>,
    /// Of a GPU, the warm-up's first.
    pub startups: Vec<Startup>,
}

/// Every method on every backend that it runs on.
pub fn contestants(methods: &[Method], backends: &[(String, Open)]) -> Vec<Contestant> {
    let new = |method: Method, (device, open): &(String, Open)| Contestant {
        device: device.clone(),
        method,
        open: open.clone(),
        count: None,
        counting: Vec::new(),
        in_all: Vec::new(),
        startups: Vec::new(),
    };
    let runs = |method: Method, open: &Open| matches!(open, Open::Cpu { .. }) || method.runs_on_gpu();
    let of = |&method: &Method| {
        backends.iter().filter(move |(_, open)| runs(method, open)).map(move |backend| new(method, backend))
    };
    methods.iter().flat_map(of).collect()
}

impl Contestant {
    pub fn title(&self) -> String {
        let options = self.slice_options();
        format!("{} on {}{}", self.method, self.device, slice_name(options.steps, options.invocations))
    }

    pub fn slice_options(&self) -> SliceOptions {
        match self.open {
            Open::Cpu { .. } => SliceOptions::default(),
            Open::Gpu { options, .. } => options,
        }
    }

    pub fn is_gpu(&self) -> bool {
        matches!(self.open, Open::Gpu { .. })
    }

    /// One run that does not count: clocks, caches and drivers are as they will be afterwards.
    pub fn warm_up(&mut self, n: u32) -> Result<(), Failure> {
        self.run(n).map(|_| ())
    }

    /// One run that counts.
    pub fn repeat(&mut self, n: u32) -> Result<(), Failure> {
        let in_all = self.run(n)?;
        self.in_all.push(in_all);
        self.counting.extend(self.count.as_ref().map(|count| count.time));
        Ok(())
    }

    /// Opens the backend, counts, and closes it: the time of all that.
    fn run(&mut self, n: u32) -> Result<Duration, Failure> {
        let start = Instant::now();
        let mut device: Box<dyn Device> = match &self.open {
            Open::Cpu { threads, memory } => Box::new(Cpu::new(Some(*threads))?.with_memory(Some(*memory))),
            Open::Gpu { device, options } => Box::new(Gpu::open(device, *options)?),
        };
        let mut count = plan_and_run(&Problem::empty(n)?, self.method, &mut *device)?;
        drop(device);
        let in_all = start.elapsed();
        check(&count)?;
        if self.is_gpu() {
            self.startups.append(&mut count.startups);
        }
        self.count = Some(count);
        Ok(in_all)
    }
}

/// Nobody who runs `bench 18` wants to wait for an hour: row order is left out where it would take too long. The others are
/// the fast ones.
pub fn leave_out_the_slow(
    contestants: &mut Vec<Contestant>,
    n: u32,
    runs: u32,
    all_threads: usize,
) -> Result<(), Failure> {
    const TOO_LONG: Duration = Duration::from_secs(360);
    const SAMPLES: u64 = 200;
    let method = Method::RowOrder;
    let found = estimate(&Problem::empty(n)?, method, &Sampling { samples: SAMPLES, ..Sampling::default() })?;
    contestants.retain(|contestant| {
        // An emulated GPU is slower than all threads; of a real one nothing is known here.
        let threads = match contestant.open {
            Open::Cpu { threads, .. } => threads,
            Open::Gpu { .. } => all_threads,
        };
        let time = Duration::try_from_secs_f64(found.thread_seconds.value / threads as f64).unwrap_or(Duration::MAX);
        let too_long = contestant.method == method && time.saturating_mul(runs) > TOO_LONG;
        if too_long {
            let title = contestant.title();
            say!(
                "n = {n}: {title} is left out: a run would take about {}, and there are {runs}; --method {method} runs it \
                 all the same",
                duration(time)
            );
        }
        !too_long
    });
    Ok(())
}

/// Leaves out who would not be done with all runs when the time is up, judged by the runs of the n before; a contestant that
/// was left out there is left out here too. The quickest come first.
pub fn leave_out_the_late(contestants: &mut Vec<Contestant>, before: &[Contestant], n: u32, runs: u32, left: Duration) {
    /// A board of one row more takes up to about 8 times as long.
    const GROWTH: u32 = 10;
    let expected = |contestant: &Contestant| {
        let earlier = before.iter().find(|b| b.title() == contestant.title())?;
        let counting = *earlier.counting.iter().max()?;
        // Getting ready takes as long as before.
        let in_all = earlier.in_all.iter().max()?.saturating_add(counting.saturating_mul(GROWTH - 1));
        Some(in_all.saturating_mul(runs))
    };
    let mut times: Vec<(Duration, String)> =
        contestants.iter().filter_map(|contestant| Some((expected(contestant)?, contestant.title()))).collect();
    times.sort();
    let mut sum = Duration::ZERO;
    times.retain(|(time, _)| {
        sum = sum.saturating_add(*time);
        sum <= left
    });
    contestants.retain(|contestant| {
        let title = contestant.title();
        let in_time = times.iter().any(|(_, other)| *other == title);
        if !in_time {
            say!("n = {n}: {title} is left out: it might not end within the time limit");
        }
        in_time
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quickest_that_fit_the_time_take_part() {
        let backends = [1, 2].map(|threads| (format!("{threads}"), Open::Cpu { threads, memory: 1 << 30 }));
        let all = || contestants(&[Method::RowOrder, Method::MostConstrained], &backends);
        let mut before = all();
        for (contestant, seconds) in before.iter_mut().zip([4, 2, 1, 1]) {
            contestant.in_all = vec![Duration::from_secs(seconds); 2];
            contestant.counting.clone_from(&contestant.in_all);
        }
        let titles = |left: u64, before: &[Contestant]| {
            let mut some = all();
            leave_out_the_late(&mut some, before, 9, 3, Duration::from_secs(left));
            some.iter().map(Contestant::title).collect::<Vec<_>>()
        };
        // 30 s each for the quickest two, 60 and 120 for the others.
        assert_eq!(titles(240, &before).len(), 4);
        assert_eq!(titles(239, &before).len(), 3);
        assert_eq!(titles(60, &before), ["most-constrained on 1", "most-constrained on 2"]);
        assert!(titles(29, &before).is_empty());
        // Who was left out stays out.
        before.remove(0);
        assert_eq!(titles(1000, &before).len(), 3);
    }
}
