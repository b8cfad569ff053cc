//! Cycles per second of each unit's co-simulation: stimulus, model and RTL, comparison of all pins. For the reorder unit also those of
//! the model alone, under a job of 100,000 elements.

use sim::unit::Unit;
use sim::units::iru::pins::IruIn;
use sim::units::iru::{Filter, Iru, Parameters};
use std::time::Instant;
use testbench::by_name::{cosim, units};
use testbench::stimulus::iru::player::{Play, Player};

fn reorder_unit() {
    let parameters = Parameters::default();
    let indices = (0..100_000u32).map(|i| i.wrapping_mul(0x9e37_79b9) >> 16).collect();
    let play = Play { whole_warps: true, ..Play::new(indices, Vec::new(), Filter::None) };
    let mut unit = Iru::new(&parameters).expect("legal parameters");
    let mut player = Player::new(&parameters, &play);
    let (mut pins, mut out, started) = (IruIn::new(parameters.partitions), unit.outputs(), Instant::now());
    while !player.is_finished() {
        player.drive(&out, &mut pins).expect("legal outputs");
        unit.clock(&pins).expect("legal inputs");
        unit.sample(&mut out);
    }
    println!(
        "{:24} {:8.2} M cycles/s",
        "iru, model alone",
        player.tally().cycles as f64 / started.elapsed().as_micros() as f64
    );
}

fn main() -> testbench::Result<()> {
    reorder_unit();
    let directory = tempfile::tempdir().map_err(testbench::Error::Log)?;
    for unit in units() {
        let cycles = if unit == "bank" { 10_000_000 } else { 500_000 };
        let report = cosim(unit, &[], cycles, 1, directory.path(), &mut |_| {})?;
        let millions = report.cycles_per_second / 1e6;
        println!("{:24} {:8.2} M cycles/s  {:11} comparisons", report.module, millions, report.comparisons);
        let complaints = report.difference.map(|difference| difference.to_string()).into_iter().chain(report.violation);
        complaints.for_each(|text| println!("  {text}"));
    }
    Ok(())
}
