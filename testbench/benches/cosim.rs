//! Cycles per second of each unit's co-simulation: traffic, both bodies, comparison of all pins.

use testbench::cosim::{cosim, units};

fn main() -> testbench::Result<()> {
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
