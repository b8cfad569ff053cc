use super::*;
use crate::gw::B32Parameters;
use crate::pin::{Condition, Interface};
use crate::pins::interface;
use crate::pins::tests::{check, word};

#[test]
fn pin_lists_agree_with_the_structures() {
    for (schedulers, warps, wave, swst) in [(4, 192, 16, 8), (1, 4, 4, 2), (2, 128, 8, 16), (1, 64, 16, 3)] {
        let p = &Parameters { schedulers, warps, wave, swst, ..Default::default() };
        assert_eq!(p.check(&crate::gw::GW_FRONT_END), Ok(()));
        check::<FetchArbiterIn, FetchArbiterOut, _>(p);
        check::<GwIn, GwOut, _>(p);
    }
    for (schedulers, warps) in [(2, 48), (1, 4), (4, 256)] {
        check::<B32In, B32Out, _>(&B32Parameters { schedulers, warps, lowest: false });
    }
    for warps in [4, 24, 64] {
        check::<InstructionBufferIn, InstructionBufferOut, _>(warps);
        check::<RoundRobinSchedulerIn, RoundRobinSchedulerOut, _>(warps);
    }
}

#[test]
fn fields_carry_the_names_of_their_pins() {
    let p = &Parameters::default();
    let Interface { inputs, outputs } = interface::<GwIn, GwOut, _>(p);
    let mut pins = GwIn { fill: Offer::some(Fill { entry: 5, records: [1 << 74, 99] }), ..Default::default() };
    pins.slices[2].next[1].pc = 98;
    pins.slices[3].done[1].odd_slot = 7;
    assert_eq!(word(&inputs, &pins, "fill_record_1"), 99);
    assert_eq!(word(&inputs, &pins, "odd_pc_2"), 98);
    assert_eq!(word(&inputs, &pins, "done_odd_slot_1_3"), 7);
    let mut pins = GwOut::default();
    pins.slices[1].wave_pc = 96;
    assert_eq!(word(&outputs, &pins, "wave_pc_1"), 96);
    let pin = outputs.iter().find(|pin| pin.name == "issue_pc_3").unwrap();
    assert_eq!(pin.valid_if, [Condition::bit("issue_even_3", 0), Condition::bit("issue_odd_3", 0)]);
}
