//! How the work is spread over the prefixes of a plan, estimated by probing a sample of them.

use std::time::Duration;

use crate::plan::Plan;
use crate::prefix::Prefix;

/// The work of the prefixes of a plan. The same plan gives the same curve everywhere: its probes have a fixed seed.
#[derive(Clone, Debug)]
pub struct WorkCurve {
    /// Of each prefix of the sample: its index, and the work of all prefixes before it.
    before: Vec<(u64, f64)>,
    prefixes: u64,
    total: f64,
}

impl WorkCurve {
    /// Random descents a prefix of a sample that the caller chose.
    const PROBES: u32 = 16;

    /// Random descents in all from the plan's own sample, about: some hundredths of a second. Only their sum over many
    /// prefixes has to be good.
    const ALL_PROBES: usize = 1 << 15;

    /// The curve from the plan's own sample: good to a few hundredths of the whole.
    pub fn new(plan: &Plan) -> Self {
        let probes = Self::ALL_PROBES / plan.sample().len().max(1);
        Self::from_sample(plan, plan.sample(), probes.clamp(1, 128) as u32)
    }

    /// The curve from about `size` prefixes, evenly spread: as good as the caller has time for.
    pub fn with_sample(plan: &Plan, size: u64) -> Self {
        let stride = (plan.prefixes() / size.max(1)).max(1) as usize;
        // The middle of each stretch stands for it.
        let start = stride / 2;
        let places: Vec<u64> = (start as u64..plan.prefixes()).step_by(stride).collect();
        Self::from_sample(plan, &plan.prefixes_at(&places), Self::PROBES)
    }

    fn from_sample(plan: &Plan, sample: &[(u64, Prefix)], probes: u32) -> Self {
        let mut random = fastrand::Rng::with_seed(0);
        let algorithm = plan.method().algorithm();
        let (mut before, mut total) = (Vec::with_capacity(sample.len()), 0.0);
        let stride = sample.get(1).map_or(0, |next| next.0 - sample[0].0);
        let lag = sample.first().map_or(0, |first| first.0);
        // Each prefix stands for those from its own place, or as far before it as the first one is, up to the next.
        let ends = sample.iter().skip(1).map(|&(index, _)| index - lag).chain([plan.prefixes()]);
        debug_assert!(stride == 0 || lag < stride);
        for (&(index, ref prefix), end) in sample.iter().zip(ends) {
            let start = index - lag;
            before.push((start, total));
            let nodes: f64 = (0..probes).map(|_| algorithm.probe(prefix, &mut random)).sum();
            // A prefix that ends at once is work too.
            total += (end - start) as f64 * (1.0 + nodes / f64::from(probes));
        }
        Self { before, prefixes: plan.prefixes(), total }
    }

    /// The work of all prefixes, in nodes.
    pub fn total(&self) -> f64 {
        self.total
    }

    /// The share of all work that lies before a prefix.
    pub fn share_before(&self, index: u64) -> f64 {
        let next = self.before.partition_point(|&(start, _)| start <= index);
        let Some(&(start, work)) = next.checked_sub(1).and_then(|at| self.before.get(at)) else { return 0.0 };
        let (end, work_at_end) = self.before.get(next).copied().unwrap_or((self.prefixes, self.total));
        let within = (index - start) as f64 / ((end - start) as f64).max(1.0);
        ((work + within * (work_at_end - work)) / self.total).min(1.0)
    }

    /// The first prefix before which so large a share of the work lies.
    pub fn prefix_at(&self, share: f64) -> u64 {
        let (mut low, mut high) = (0, self.prefixes);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.share_before(middle) < share { low = middle + 1 } else { high = middle }
        }
        low
    }
}

/// The time that the rest will take at the rate so far: this share of all work was done in this time, and
/// another share before that.
pub fn time_left(elapsed: Duration, share: f64, before: f64) -> Duration {
    let rest = (1.0 - before - share).max(0.0);
    Duration::try_from_secs_f64(elapsed.as_secs_f64() * rest / share.max(1e-9)).unwrap_or(Duration::MAX)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::Method;
    use crate::capabilities::Capabilities;
    use crate::method::algorithm::Watch;
    use crate::method::row_order;
    use crate::problem::Problem;

    fn plan(n: u32, method: Method, depth: u32) -> Plan {
        Plan::with_depth(&Problem::empty(n).unwrap(), method, depth).unwrap()
    }

    #[test]
    fn shares_of_work_are_about_right_all_the_way() {
        let plan = plan(12, Method::RowOrder, 3);
        for curve in [WorkCurve::new(&plan), WorkCurve::with_sample(&plan, 300)] {
            let nodes: Vec<f64> =
                plan.iter().map(|prefix| row_order::count_completions(&prefix).nodes as f64).collect();
            let total: f64 = nodes.iter().sum();
            let mut before = 0.0;
            for (index, nodes) in (0..).zip(&nodes) {
                let share = curve.share_before(index);
                assert!((share - before / total).abs() < 0.03, "at {index}: {share}, truly {}", before / total);
                before += nodes;
            }
            assert_eq!(curve.share_before(0), 0.0);
            assert_eq!(curve.share_before(plan.prefixes()), 1.0);
        }
    }

    /// With nodes as the clock: exact, and the same on every machine.
    #[test]
    fn the_time_left_is_about_right_all_the_way() {
        for (n, method) in [(14, Method::MostConstrained), (15, Method::MostConstrained), (13, Method::RowOrder)] {
            for wanted in [128, 2048] {
                let plan = Plan::with_prefixes(&Problem::empty(n).unwrap(), method, wanted).unwrap();
                let curve = WorkCurve::new(&plan);
                let cpu = Capabilities { counts_nodes: true, ..Capabilities::cpu(1) };
                let program = method.algorithm().cpu_program(plan.problem(), plan.depth(), &cpu);
                let (mut solver, never) = (program.solver(), AtomicBool::new(false));
                let count = |prefix| solver.count_completions(&prefix, Watch::until(&never)).unwrap().nodes;
                let nodes: Vec<u64> = plan.iter().map(count).collect();
                let total: u64 = nodes.iter().sum();
                for percent in [10, 50, 90] {
                    let mut clock = 0;
                    let in_time = |&&nodes: &&u64| {
                        clock += nodes;
                        clock * 100 <= total * percent
                    };
                    let done = nodes.iter().take_while(in_time).count();
                    let (clock, left): (u64, u64) = (nodes[..done].iter().sum(), nodes[done..].iter().sum());
                    let told = time_left(Duration::from_nanos(clock), curve.share_before(done as u64), 0.0);
                    let off = (told.as_nanos() as f64 - left as f64) / total as f64;
                    assert!(off.abs() < 0.03, "n = {n}, {method}, {wanted}, at {percent} %: off by {off} of the whole");
                }
            }
        }
    }

    #[test]
    fn the_time_left_after_resuming() {
        let seconds = Duration::from_secs;
        assert_eq!(time_left(seconds(10), 0.25, 0.5), seconds(10));
        assert_eq!(time_left(seconds(10), 0.5, 0.5), Duration::ZERO);
        assert_eq!(time_left(Duration::MAX, 0.0, 0.0), Duration::MAX);
    }

    #[test]
    fn shares_and_prefixes_are_each_others_inverse() {
        let plan = plan(13, Method::MostConstrained, 8);
        let curve = WorkCurve::with_sample(&plan, 500);
        assert_eq!((curve.prefix_at(0.0), curve.prefix_at(1.0)), (0, plan.prefixes()));
        for share in [0.1, 0.25, 0.5, 0.9] {
            let at = curve.prefix_at(share);
            assert!(curve.share_before(at) >= share && curve.share_before(at - 1) < share, "{share}");
        }
    }

    #[test]
    fn a_board_without_prefixes_has_no_work() {
        let plan = plan(3, Method::RowOrder, 3);
        assert_eq!(plan.prefixes(), 0);
        for curve in [WorkCurve::new(&plan), WorkCurve::with_sample(&plan, 10)] {
            assert_eq!((curve.share_before(0), curve.prefix_at(0.5), curve.prefix_at(1.0)), (0.0, 0, 0));
        }
    }
}
