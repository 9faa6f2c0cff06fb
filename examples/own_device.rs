//! A device of one's own: here the textbook's recursion on one thread. Whatever counts completions can take part in a count:
//! an FPGA, another program, a machine far away.
//!
//! `cargo run --release --example own_device`

use nqueens::backend::{Capabilities, Control, Device, Session, Stats};
use nqueens::plan::{Plan, Wishes, Workload};
use nqueens::{Board, Method, Prefix, Problem, count};

struct Recursion(Capabilities);

impl Device for Recursion {
    fn capabilities(&self) -> &Capabilities {
        &self.0
    }

    fn prepare(&mut self, workload: &Workload) -> nqueens::Result<Box<dyn Session>> {
        // Every method whose counts are plain would do; row order's prefixes fill the first rows.
        assert!(workload.method().properties().weights.is_none(), "this device counts plain completions");
        Ok(Box::new(Recursion(self.0.clone())))
    }

    fn reopen(&self) -> nqueens::Result<Box<dyn Device>> {
        Ok(Box::new(Recursion(self.0.clone())))
    }
}

impl Session for Recursion {
    fn count(&mut self, prefixes: &[Prefix], control: &Control<'_>) -> nqueens::Result<Vec<u64>> {
        let mut counts = Vec::with_capacity(prefixes.len());
        for (at, prefix) in (0..).zip(prefixes) {
            control.check()?;
            counts.push(completions(prefix.board()));
            control.done(at..at + 1);
        }
        Ok(counts)
    }

    fn stats(&self) -> Stats {
        Stats::default()
    }
}

fn completions(board: &Board) -> u64 {
    let free_rows = board.free_row_mask();
    if free_rows == 0 {
        return 1;
    }
    let row = free_rows.trailing_zeros();
    nqueens::board::bits(board.free_squares(row)).map(|column| completions(&board.place(row, column))).sum()
}

fn main() -> nqueens::Result<()> {
    let mut device = Recursion(Capabilities::cpu(1));
    let problem = Problem::empty(12)?;
    let plan = Plan::new(&problem, Method::RowOrder, &[device.0.clone()], &Wishes::default())?;
    let count = count::run(&plan, &mut device, &Control::none())?;
    println!("{} solutions, counted on {}", count.solutions, count.device);
    assert_eq!(count.solutions, 14_200);
    Ok(())
}
