use super::*;
use crate::units::gw::pins::Offer;
use crate::units::gw::record::list;

fn issue(swid: u8, wave: Clear) -> ScalarWaveScoreboardIn {
    let Clear { group, mask, writes } = wave;
    ScalarWaveScoreboardIn {
        issue_wave: true,
        issue_swid: swid,
        issue_group: group,
        issue_mask: mask,
        issue_writes: writes,
        done: Offer::default(),
    }
}

fn done(swid: u8) -> ScalarWaveScoreboardIn {
    ScalarWaveScoreboardIn { done: Offer::some(swid), ..Default::default() }
}

#[test]
fn what_a_wave_writes_is_cleared_when_it_is_done() {
    let mut unit = ScalarWaveScoreboard::new(&Parameters::default()).unwrap();
    let first = Clear { group: 2, mask: 0xa5a5, writes: list(&[3, 9]) as u32 };
    let second = Clear { group: 0, mask: 1, writes: list(&[4]) as u32 };
    unit.clock(&issue(5, first));
    unit.clock(&issue(2, second));
    assert_eq!(unit.outputs(), ScalarWaveScoreboardOut { clear: Offer::default(), busy: 1 << 5 | 1 << 2 });
    // Waves are over in any order; another may issue meanwhile.
    unit.clock(&ScalarWaveScoreboardIn { done: Offer::some(5), ..issue(7, second) });
    assert_eq!(unit.outputs(), ScalarWaveScoreboardOut { clear: Offer::some(first), busy: 1 << 7 | 1 << 2 });
    unit.clock(&done(2));
    assert_eq!(unit.outputs(), ScalarWaveScoreboardOut { clear: Offer::some(second), busy: 1 << 7 });
    unit.clock(&ScalarWaveScoreboardIn::default());
    assert!(!unit.outputs().clear.valid);
    unit.reset();
    assert_eq!(unit.outputs(), ScalarWaveScoreboardOut::default());
}

#[test]
fn a_swid_is_used_again_with_other_registers() {
    let mut unit = ScalarWaveScoreboard::new(&Parameters::default()).unwrap();
    for register in 0..3 {
        let wave = Clear { group: 1, mask: 1 << register, writes: list(&[register]) as u32 };
        unit.clock(&issue(0, wave));
        unit.clock(&done(0));
        assert_eq!(unit.outputs().clear, Offer::some(wave));
    }
}
