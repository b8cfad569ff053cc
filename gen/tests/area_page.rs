//! The committed costs: every row is there, and follows from what the units say today. Nothing is synthesised.

use crate::common::MODULES;
use gen::liberty::Liberty;
use gen::report::page::{Contents, Page, COMMAND, COMMAND_OF_NANGATE45};
use gen::report::Row;
use std::path::{Path, PathBuf};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/data").join(name)
}

/// One test for all, since the cores that do not ship take seconds to elaborate.
#[test]
fn the_rows_are_complete_and_fresh() {
    let liberty = Liberty::read(None).unwrap_or_else(|e| panic!("{e}"));
    let contents = Contents::beside(&MODULES).unwrap();
    let page = Page::read(&data("area.json")).unwrap_or_else(|e| panic!("{e}"));
    a_row_that_is_wrong_is_named(&page, &contents, &liberty);
    let problems = page.problems(&contents, &liberty);
    assert!(
        problems.is_empty(),
        "docs/data/area.json, {} rows: run `{COMMAND}`\n{}",
        problems.len(),
        problems.join("\n")
    );
}

/// They say by the default library whether they are stale.
#[test]
fn the_rows_of_the_second_library_are_fresh() {
    let liberty = Liberty::read(None).unwrap_or_else(|e| panic!("{e}"));
    let page = Page::read(&data("area_nangate45.json")).unwrap_or_else(|e| panic!("{e}"));
    let problems = page.problems(&Contents::tops(&MODULES), &liberty);
    assert!(
        problems.is_empty(),
        "docs/data/area_nangate45.json: run `{COMMAND_OF_NANGATE45}`\n{}",
        problems.join("\n")
    );
    assert_eq!((page.rows.len(), page.method.library.as_str()), (5, "NangateOpenCellLibrary"));
}

fn a_row_that_is_wrong_is_named(page: &Page, contents: &Contents, liberty: &Liberty) {
    let known = page.problems(contents, liberty);
    let problems = |change: fn(&mut Vec<Row>)| {
        let mut changed = page.clone();
        change(&mut changed.rows);
        changed.problems(contents, liberty).into_iter().filter(|p| !known.contains(p)).collect::<Vec<_>>()
    };
    let bank = page.rows.iter().find(|row| row.module == "hwwl_bank_e32").unwrap();
    assert_eq!(bank.sram.bits, 32 * 24);
    assert_eq!(problems(|rows| rows.retain(|row| row.module != "hwwl_bank_e32")), ["hwwl_bank_e32 is missing"]);
    let stale = |rows: &mut Vec<Row>| {
        rows.iter_mut().filter(|row| row.module == "hwwl_bank_e32").for_each(|row| row.digest = "0".into());
    };
    let other_memories = |rows: &mut Vec<Row>| {
        rows.iter_mut().filter(|row| row.module == "hwwl_bank_e32").for_each(|row| row.memories[0].words = 31);
    };
    for change in [stale as fn(&mut Vec<Row>), other_memories] {
        assert_eq!(problems(change), ["hwwl_bank_e32 is stale: its RTL, scripts or library changed"]);
    }
    let old = |rows: &mut Vec<Row>| {
        let mut row = rows[0].clone();
        row.module = "gone".into();
        rows.push(row);
    };
    assert_eq!(problems(old), ["gone is left over"]);
    // Other cells, other digests.
    let mut other = liberty.clone();
    other.text.push('\n');
    assert_eq!(
        page.problems(contents, &other).len(),
        contents.shipped.instances().len() + contents.others.instances().len()
    );
}
