//! `unruly area --fpga`: a unit on an ECP5.

use super::{state, Args};
use crate::exit::{self, Interrupted, MissingTool};
use crate::progress::Progress;
use crate::record::Record;
use anyhow::Result;
use gen::elaborate::parameter_list;
use gen::fpga::{self, Row};
use gen::report::{Running, Units};
use gen::table::{self, numbers, words, Column};
use hdl::catalog::{self, Instance};
use serde::Serialize;

const HEAD: [Column; 6] =
    [words("unit"), words("parameters"), numbers("LUTs"), numbers("flip-flops"), numbers("block RAMs"), numbers("MHz")];

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
    let cells = rows.iter().map(cells);
    print!("{}", if args.markdown { table::markdown(&HEAD, cells) } else { table::text(&HEAD, cells) });
    println!("\nLattice ECP5-85 after routing: register to register, without pads. LUTs have four inputs; block RAMs 18 kbit.");
    Ok(())
}

fn cells(row: &Row) -> [String; 6] {
    let numbers = [row.luts, row.flip_flops, row.block_rams].map(|n| n.to_string());
    let [luts, flip_flops, block_rams] = numbers;
    let mhz = row.mhz.map_or("-".to_string(), |mhz| format!("{mhz:.0}"));
    [row.unit.clone(), parameter_list(&row.parameters), luts, flip_flops, block_rams, mhz]
}
