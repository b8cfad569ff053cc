//! Layouts: one real route, and the committed rows.

use crate::common::MODULES;
use gen::layout::page::{self, Page, COMMAND};
use gen::layout::{route, Layout, Row};
use gen::liberty::Liberty;
use gen::report::Units;
use hdl::catalog;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::Mutex;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/data").join(name)
}

/// Each layout is kept as soon as it is there.
fn routed(unit: &str, parameters: &[(&str, u64)]) -> gen::Result<Layout> {
    let instance = catalog::find(unit, parameters).unwrap();
    let (units, liberty) = (Units::elaborate(&[instance], &[]).unwrap(), Liberty::read(None).unwrap());
    let cache = tempfile::tempdir().unwrap();
    let kept = Mutex::new(vec![]);
    let keep = |layout: &Layout| {
        kept.lock().unwrap().push(layout.row.module.clone());
        Ok(())
    };
    let layouts = route(&units, &liberty, cache.path(), false, &keep, &AtomicBool::new(false), &|_, _, _| ())?;
    assert_eq!(*kept.lock().unwrap(), layouts.iter().map(|layout| layout.row.module.clone()).collect::<Vec<_>>());
    Ok(layouts.into_iter().next().expect("one unit has one layout"))
}

/// With SRAM, whose pins are pins of the layout.
#[test]
fn a_small_unit_is_routed_and_its_layout_is_its_netlist() {
    let layout = routed("bank", &[("entries", 4)]).unwrap_or_else(|e| panic!("{e}"));
    let row = layout.row;
    assert_eq!((row.lvs_errors, row.drc_errors, row.sram_macros), (Some(0), Some(0), 1), "{row:?}");
    let [bare, wired, twice] = [row.ns_without_wires, row.ns_with_wires, row.ns_with_twice_the_capacitance];
    assert!(1.0 < bare && bare < wired && wired < twice && twice < 1.2 * bare, "{row:?}");
    assert!(row.wire_mm > 1.0 && row.die_um2 > 1000.0, "{row:?}");
    assert!(layout.png.starts_with(b"\x89PNG") && layout.def.contains("DIEAREA"));
}

#[test]
fn a_large_unit_and_a_memory_are_refused_in_a_line() {
    let large = routed("icrn", &[("cores", 8)]).err().unwrap().to_string();
    assert!(large.starts_with("icrn_c8: ") && large.ends_with("--large routes it all the same"), "{large}");
    let memory = routed("sram_1rw", &[]).err().unwrap().to_string();
    assert!(memory.ends_with("it is a memory without logic, so there is nothing to route"), "{memory}");
}

/// Nothing is routed here.
#[test]
fn the_rows_are_complete_and_fresh() {
    let (liberty, units) = (Liberty::read(None).unwrap_or_else(|e| panic!("{e}")), page::units(&MODULES));
    let page = Page::read(&data("layout.json")).unwrap_or_else(|e| panic!("{e}"));
    a_row_that_is_wrong_is_named(&page, &units, &liberty);
    let problems = page.problems(&units, &liberty);
    assert!(problems.is_empty(), "docs/data/layout.json: run `{COMMAND}`\n{}", problems.join("\n"));
}

fn a_row_that_is_wrong_is_named(page: &Page, units: &Units, liberty: &Liberty) {
    let known = page.problems(units, liberty);
    let problems = |change: fn(&mut Vec<Row>)| {
        let mut changed = page.clone();
        change(&mut changed.rows);
        changed.problems(units, liberty).into_iter().filter(|p| !known.contains(p)).collect::<Vec<_>>()
    };
    assert_eq!(problems(|rows| rows.retain(|row| row.module != "icrn_c2")), ["icrn_c2 is missing"]);
    let stale = |rows: &mut Vec<Row>| rows.iter_mut().for_each(|row| row.digest = "0".into());
    assert!(problems(stale).contains(&"icrn_c2 is stale: its RTL, scripts or library changed".to_string()));
    let old = |rows: &mut Vec<Row>| {
        let mut row = rows[0].clone();
        row.module = "gone".into();
        rows.push(row);
    };
    assert_eq!(problems(old), ["gone is left over"]);
}
