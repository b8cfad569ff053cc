//! RTL and model of the units that all systems share in lock-step, and RTL that is broken on purpose. Here are the small instances,
//! for as many cycles as every coverage point needs; all of them, for long, are in `make campaign`.

use crate::common::units::{self, assert_caught, assert_equal};
use sim::units::prim::pins::{QueueIn, QueueOut, Wide};
use sim::units::prim::Queue;
use testbench::cosim::{Cosim, Fixture};
use testbench::stimulus::{events, Rng, Stimulus};
use testbench::verilate::Verilator;

units::equal! {
    sram_1rw: 100_000, [], [("words", 8)];
    sram_1r1w: 100_000, [("words", 32), ("width", 192)], [("words", 16), ("width", 16)];
    queue: 200_000, [("entries", 16)], [("entries", 64)];
    link: 100_000, [("stages", 1), ("width", 84)], [("stages", 4)];
    fp32_add: 2_000_000, [];
}

#[test]
fn sorter() {
    for network in 0..4 {
        assert_equal("sorter", &[("network", network)], 100_000);
    }
    assert_equal("sorter", &[("items", 4), ("width", 8), ("cut", 1)], 100_000);
    assert_equal("sorter", &[("items", 32), ("width", 11), ("cut", 4)], 100_000);
    assert_equal("sorter", &[("cut", 1)], 50_000);
}

#[test]
fn a_write_without_enable_is_caught() {
    assert_caught("sram_1rw", &[("words", 8)], "if (en) begin", "if (en | we) begin");
}

#[test]
fn a_swapped_comparator_is_caught() {
    assert_caught("sorter", &[], "less_10(y, x) ?", "less_10(x, y) ?");
}

#[test]
fn ties_that_go_away_from_zero_are_caught() {
    assert_caught("fp32_add", &[], "guard & (sticky | unrounded[0])", "guard & (sticky | ~sticky | unrounded[0])");
}

#[test]
fn a_dropped_reset_is_caught() {
    assert_caught("queue", &[("entries", 16)], "            count_q <= 5'd0;\n", "");
}

/// Credits that do not come home, and `empty` a cycle late.
#[test]
fn a_lost_credit_is_caught() {
    let link = [("stages", 1), ("width", 84)];
    assert_caught("link", &link, "credit_1_q <= taken;", "credit_1_q <= taken & ~used_q[2];");
    assert_caught("link", &link, "busy_q <= |used_d;", "busy_q <= |used_q;");
}

events! { Coins:
    Push = "push",
    Take = "take",
}

#[test]
fn a_reset_that_loses_against_an_input_is_caught() {
    let count = "            count_q <= 5'd0;\n";
    assert_caught("queue", &[("entries", 16)], count, &count.replace("count_q", "if (~push) count_q"));
}

/// Stimulus that is none of the crate's.
struct Coins {
    rng: Rng,
    findings: Findings,
}

impl Stimulus for Coins {
    type In = QueueIn;
    type Out = QueueOut;

    fn next(&mut self, outputs: &QueueOut, pins: &mut QueueIn) -> bool {
        pins.push = !outputs.full && self.rng.one_in(2);
        pins.push_data = Wide([self.rng.draw(), 0, 0, 0]);
        pins.take = outputs.head_valid && self.rng.one_in(2);
        self.findings.count(Event::Push, pins.push);
        self.findings.count(Event::Take, pins.take);
        false
    }
}

fn coins(_: &hdl::catalog::Instance, seed: u64) -> Coins {
    Coins { rng: Rng::new(seed), findings: Findings::default() }
}

/// A caller's model and stimulus replace the crate's: a right model is equal to the RTL, one of another size is not.
#[test]
fn a_fixture_of_the_callers_own() {
    static RIGHT: Fixture<Queue, Coins> = Fixture::new("queue", |_| Queue::new(80, 16), coins);
    static SMALL: Fixture<Queue, Coins> = Fixture::new("queue", |_| Queue::new(80, 2), coins);
    let directory = tempfile::tempdir().unwrap();
    let instance = || hdl::catalog::find("queue", &[("entries", 16)]).unwrap();
    let run = |cosim: Cosim| cosim.run(10_000, 1, directory.path(), &mut |_| {}).unwrap();
    let verilator = Verilator::find().unwrap();
    let report = run(Cosim::of(&verilator, instance(), &RIGHT).unwrap());
    assert_eq!(report.failure(), None);
    assert_eq!(report.coverage.keys().collect::<Vec<_>>(), ["push", "take"]);
    let report = run(Cosim::of(&verilator, instance(), &SMALL).unwrap());
    assert_eq!(report.difference.map(|difference| difference.pin).as_deref(), Some("full"));
}
