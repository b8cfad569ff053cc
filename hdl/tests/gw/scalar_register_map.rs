//! The scalar register map of 8 places.

use crate::common::{clock, ready, Word};
use hdl::gw::scalar_register_map::ScalarRegisterMap;

type Map = ScalarRegisterMap<8>;

fn check(m: &mut Map, warps: u64, writes: &[u64], reads: &[u64], scalar: bool) -> u64 {
    m.check_warps.next = warps.into();
    clock!(m);
    m.check_warps.next = 0u64.into();
    m.record.next = crate::record(writes, reads, 0, scalar);
    clock!(m);
    m.record.next = crate::record(&[0, 1, 2, 3], &[], 0, false);
    m.scalar.word()
}

#[test]
fn scalar_values_come_from_scalar_instructions_of_full_warps() {
    let mut m = ready!(Map::default());
    m.waves_on.next = true;
    m.full.next = 0b0111u64.into();
    assert_eq!(check(&mut m, 0b1111, &[4], &[], true), 0b0111, "place 3 is not full");
    m.full.next = 0b1111u64.into();
    assert_eq!(check(&mut m, 0b1111, &[5], &[4], true), 0b0111, "register 4 of place 3 is in vector form");
    assert_eq!(check(&mut m, 0b0001, &[4], &[4, 5], false), 0b0110, "a record that is not scalar");
    assert_eq!(check(&mut m, 0b0111, &[6], &[5, 4], true), 0b0110, "it wrote register 4 in vector form");
    assert_eq!(check(&mut m, 0b0001, &[4], &[], true), 0b0111, "and this one in scalar form");
    m.waves_on.next = false;
    assert_eq!(check(&mut m, 0b0010, &[60], &[], true), 0b0101);
}

#[test]
fn a_warp_starts_with_vector_forms() {
    let mut m = ready!(Map::default());
    m.waves_on.next = true;
    m.full.next = 0b11u64.into();
    assert_eq!(check(&mut m, 0b11, &[4, 63], &[], true), 0b11);
    m.start.next = 0b10u64.into();
    clock!(m);
    m.start.next = 0u64.into();
    assert_eq!(m.scalar.word(), 0b01);
    assert_eq!(check(&mut m, 0b11, &[], &[63], true), 0b01);
    assert_eq!(check(&mut m, 0b11, &[], &[], true), 0b11);
    clock!(m, reset);
    assert_eq!(check(&mut m, 0b11, &[], &[63], true), 0b00);
}
