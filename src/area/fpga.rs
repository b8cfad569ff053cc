//! `unruly area --fpga`: a unit on an ECP5.

use super::{state, Args};
use crate::exit::{self, Interrupted, MissingTool};
use crate::progress::Progress;
use crate::record::Record;
use anyhow::Result;
use gen::elaborate::parameter_list;
use gen::fpga::{self, Row};
use gen::report::{Running, Units};
use hdl::catalog::{self, Instance};
use serde::Serialize;

const HEAD: [&str; 6] = ["unit", "parameters", "LUTs", "flip-flops", "block RAMs", "MHz"];

#[derive(Serialize)]
struct Report<'a> {
    fpga: &'a [Row],
}

pub fn main(instances: &[Instance], args: &Args, record: &mut Record) -> Result<()> {
    let missing = || MissingTool("nextpnr-ecp5 not found: `scripts/fpga.sh` fetches it into .cache/fpga".into());
    let nextpnr = fpga::nextpnr().ok_or_else(missing)?;
    let units = Units::elaborate(instances, &catalog::catalog())?;
    let (interrupt, progress) = (exit::interrupt_flag()?, Progress::new(1));
    let say = |done: usize, all: usize, running: &[Running]| progress.say(0, state("FPGA", done, all, running));
    let rows = fpga::fit(&units, &nextpnr, &interrupt, &say);
    progress.finish();
    let rows = match rows {
        Err(gen::Error::Interrupted) => return Err(Interrupted::default().into()),
        rows => rows?,
    };
    record.write(&Report { fpga: &rows })?;
    print!("{}", if args.markdown { markdown(&rows) } else { text(&rows) });
    println!("\nLattice ECP5-85 after routing: register to register, without pads. LUTs have four inputs; block RAMs 18 kbit.");
    Ok(())
}

fn cells(row: &Row) -> [String; 6] {
    let numbers = [row.luts, row.flip_flops, row.block_rams].map(|n| n.to_string());
    let [luts, flip_flops, block_rams] = numbers;
    let mhz = row.mhz.map_or("-".to_string(), |mhz| format!("{mhz:.0}"));
    [row.unit.clone(), parameter_list(&row.parameters), luts, flip_flops, block_rams, mhz]
}

fn text(rows: &[Row]) -> String {
    let table: Vec<[String; 6]> = std::iter::once(HEAD.map(String::from)).chain(rows.iter().map(cells)).collect();
    let width = |column: usize| table.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let cell = |(column, text): (usize, &String)| match column {
        0 | 1 => format!("{text:0$}", width(column)),
        _ => format!("{text:>0$}", width(column)),
    };
    table.iter().map(|row| row.iter().enumerate().map(cell).collect::<Vec<_>>().join("  ") + "\n").collect()
}

fn markdown(rows: &[Row]) -> String {
    let lines: String = rows.iter().map(|row| format!("| {} |\n", cells(row).join(" | "))).collect();
    format!("| {} |\n|---|---|--:|--:|--:|--:|\n{lines}", HEAD.join(" | "))
}
