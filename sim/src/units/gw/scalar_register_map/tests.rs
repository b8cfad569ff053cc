use super::*;
use crate::units::gw::record::{pack, Path};

fn map() -> ScalarRegisterMap {
    ScalarRegisterMap::new(&Parameters { schedulers: 1, warps: 16, wave: 8, ..Default::default() }).unwrap()
}

/// `places` are checked with this record while those of `full` are full; which are scalar then.
fn check(unit: &mut ScalarRegisterMap, places: u64, full: u64, record: (&[u8], &[u8], bool)) -> u64 {
    let (writes, reads, scalar) = record;
    unit.clock(&ScalarRegisterMapIn { check_warps: places, ..Default::default() });
    let record = pack(writes, reads, Path::Sp, scalar);
    unit.clock(&ScalarRegisterMapIn { record, full, waves_on: true, ..Default::default() });
    unit.outputs().scalar
}

#[test]
fn a_scalar_reads_scalar_forms_only() {
    let mut unit = map();
    assert_eq!(check(&mut unit, 0b11, 0b11, (&[1], &[2], true)), 0, "2 is in vector form");
    assert_eq!(check(&mut unit, 0b01, 0b11, (&[2], &[], true)), 0b01);
    assert_eq!(check(&mut unit, 0b11, 0b11, (&[3], &[2], true)), 0b01);
    assert_eq!(check(&mut unit, 0b11, 0b11, (&[4], &[2, 3], true)), 0b01);
}

#[test]
fn a_vector_instruction_brings_its_registers_into_vector_form() {
    let mut unit = map();
    assert_eq!(check(&mut unit, 1, 1, (&[2], &[], true)), 1);
    assert_eq!(check(&mut unit, 1, 1, (&[2], &[2], false)), 0);
    assert_eq!(check(&mut unit, 1, 1, (&[3], &[2], true)), 0);
}

#[test]
fn a_warp_that_is_not_full_never_is_scalar_and_writes_vector_forms() {
    let mut unit = map();
    assert_eq!(check(&mut unit, 0b11, 0b11, (&[2], &[], true)), 0b11);
    assert_eq!(check(&mut unit, 0b11, 0b01, (&[2], &[], true)), 0b01);
    assert_eq!(check(&mut unit, 0b11, 0b11, (&[3], &[2], true)), 0b01);
}

#[test]
fn without_waves_nothing_is_scalar() {
    let mut unit = map();
    unit.clock(&ScalarRegisterMapIn { check_warps: 1, ..Default::default() });
    unit.clock(&ScalarRegisterMapIn { record: pack(&[2], &[], Path::Sp, true), full: 1, ..Default::default() });
    assert_eq!(unit.outputs().scalar, 0);
}

#[test]
fn a_warp_that_starts_has_vector_forms() {
    let mut unit = map();
    assert_eq!(check(&mut unit, 0b11, 0b11, (&[2], &[], true)), 0b11);
    unit.clock(&ScalarRegisterMapIn { start: 0b01, ..Default::default() });
    assert_eq!(unit.outputs().scalar, 0b10);
    assert_eq!(check(&mut unit, 0b11, 0b11, (&[], &[2], true)), 0b10);
    unit.reset();
    assert_eq!(check(&mut unit, 0b11, 0b11, (&[], &[2], true)), 0);
}
