use super::*;
use crate::units::bits::bits;
use crate::units::hwwl::pins::status;

const ALL: u32 = 0xffff;

fn core_with(parameters: Parameters, double: bool) -> HwwlCore {
    let mut core = HwwlCore::new(&parameters).unwrap();
    core.clock(&CoreIn { configure: true, double_buffer: double, ..Default::default() }).unwrap();
    idle(&mut core, 6);
    core
}

fn core(double: bool) -> HwwlCore {
    core_with(Parameters { scheme: Scheme::None, ..Default::default() }, double)
}

/// Banks of 8 entries, and no overflow buffer.
fn small_core() -> HwwlCore {
    core_with(Parameters { entries: 8, scheme: Scheme::None, ..Default::default() }, true)
}

/// A core with an overflow buffer of 4 lines.
fn small_core_with_buffer() -> HwwlCore {
    let mut core = small_core();
    core.clock(&CoreIn { init: true, init_base: 0, init_lines: 4, ..Default::default() }).unwrap();
    core
}

fn pull(lanes: u32) -> CoreIn {
    CoreIn { pull: lanes, ..Default::default() }
}

fn push(lanes: u32, first_id: u32) -> CoreIn {
    let mut pins = CoreIn { push: lanes, ..Default::default() };
    for (id, lane) in (first_id..).zip(bits(lanes)) {
        pins.push_id[lane] = id;
    }
    pins
}

fn all_done(mut pins: CoreIn) -> CoreIn {
    pins.icrn.all_done = true;
    pins
}

fn kernel_end() -> CoreIn {
    all_done(CoreIn { kernel_end: true, ..Default::default() })
}

fn arrives(part: bool, id: u32) -> CoreIn {
    let mut pins = CoreIn::default();
    (pins.icrn.in_valid, pins.icrn.in_part, pins.icrn.in_id) = (true, part, id);
    pins
}

fn after(core: &mut HwwlCore, pins: &CoreIn) -> CoreOut {
    core.clock(pins).unwrap();
    core.outputs()
}

fn idle(core: &mut HwwlCore, cycles: usize) {
    (0..cycles).for_each(|_| core.clock(&CoreIn::default()).unwrap());
}

fn push_each(core: &mut HwwlCore, lanes: u32, ids: std::ops::Range<u32>) {
    ids.for_each(|id| core.clock(&push(lanes, id)).unwrap());
}

/// Every lane's status is `code`.
fn everywhere(code: u64) -> u64 {
    (0..16).fold(0, |status, lane| status | code << (2 * lane))
}

#[test]
fn all_lanes_push_then_pull_at_one_cycle_each() {
    let mut core = core(false);
    assert_eq!(after(&mut core, &push(ALL, 100)).count, 16);
    let out = after(&mut core, &pull(ALL));
    assert_eq!((out.status, out.count), (everywhere(status::ID), 16));
    assert_eq!(out.id[..16], (100..116).collect::<Vec<_>>());
    let out = after(&mut core, &CoreIn::default());
    assert_eq!((out.status, out.count), (0, 0));
}

#[test]
fn a_pull_that_finds_nothing_is_done_only_if_all_cores_are() {
    let mut core = core(true);
    assert_eq!(after(&mut core, &pull(ALL)).status, everywhere(status::WAIT));
    assert_eq!(after(&mut core, &all_done(pull(ALL))).status, everywhere(status::DONE));
}

#[test]
fn four_cycles_after_a_push_or_a_pulled_id_the_core_is_settled() {
    for event in [push(1, 5), pull(1 << 7)] {
        for gap in 0..6 {
            let mut core = core(true);
            core.clock(&push(1 << 7, 1)).unwrap();
            idle(&mut core, 6);
            core.clock(&kernel_end()).unwrap();
            idle(&mut core, 6);
            core.clock(&event).unwrap();
            idle(&mut core, gap);
            let out = after(&mut core, &all_done(pull(1)));
            let expected = if gap < 4 { status::WAIT } else { status::DONE };
            assert_eq!(out.status(0), expected, "{gap} cycles between");
        }
    }
}

#[test]
fn the_exchange_needs_double_buffer_mode_and_all_cores_done() {
    let mut single = core(false);
    assert!(!after(&mut single, &kernel_end()).pull_part);
    let mut core = core(true);
    core.clock(&push(ALL, 0)).unwrap();
    idle(&mut core, 4);
    assert!(!after(&mut core, &CoreIn { kernel_end: true, ..Default::default() }).pull_part, "not all are done");
    let out = after(&mut core, &kernel_end());
    assert!(out.pull_part && out.double_mode);
    let out = after(&mut core, &pull(ALL));
    assert_eq!((out.status, out.count), (everywhere(status::ID), 16));
}

#[test]
fn configure_is_ignored_while_anything_is_held() {
    let mut core = core(false);
    core.clock(&push(1, 9)).unwrap();
    assert!(!after(&mut core, &CoreIn { configure: true, double_buffer: true, ..Default::default() }).double_mode);
    core.clock(&pull(1)).unwrap();
    for _ in 0..2 {
        let configure = CoreIn { configure: true, double_buffer: true, ..Default::default() };
        assert!(!after(&mut core, &configure).double_mode, "the ID counts in this cycle or the one before");
    }
    assert!(after(&mut core, &CoreIn { configure: true, double_buffer: true, ..Default::default() }).double_mode);
}

#[test]
fn quiet_is_the_state_of_the_cycle_before() {
    let mut core = core(false);
    assert!(core.outputs().icrn.quiet);
    core.clock(&push(1, 3)).unwrap();
    assert!(core.outputs().icrn.quiet);
    core.clock(&pull(1)).unwrap();
    assert!(!core.outputs().icrn.quiet);
    idle(&mut core, 5);
    assert!(!core.outputs().icrn.quiet, "a thread holds the ID and may push");
    core.clock(&CoreIn { leave: 1, ..Default::default() }).unwrap();
    idle(&mut core, 1);
    assert!(core.outputs().icrn.quiet);

    let mut core = self::core(true);
    core.clock(&push(1, 3)).unwrap();
    idle(&mut core, 2);
    assert!(core.outputs().icrn.quiet, "the push side does not count");
}

#[test]
fn a_push_to_a_full_bank_goes_to_the_overflow_buffer() {
    let mut core = small_core_with_buffer();
    for id in 0..4 {
        assert!(after(&mut core, &push(1 << 5, id)).push_ready);
    }
    let out = after(&mut core, &push(1 << 5 | 1, 4));
    assert_eq!((out.push_ready, out.overflow, out.count), (false, false, 6));
    let out = after(&mut core, &CoreIn::default());
    assert!(out.push_ready);
}

#[test]
fn with_a_full_overflow_buffer_a_spill_is_dropped_and_reported() {
    let mut core = small_core();
    push_each(&mut core, 1 << 5, 0..4);
    let out = after(&mut core, &push(1 << 5 | 1, 4));
    assert_eq!((out.overflow, out.count), (false, 6));
    let out = after(&mut core, &CoreIn::default());
    assert_eq!((out.overflow, out.count), (true, 5), "lane 0 found room");
    assert!(!after(&mut core, &CoreIn::default()).overflow);
}

#[test]
fn an_id_from_another_core_goes_to_the_banks_in_turn() {
    let mut core = core(true);
    let out = after(&mut core, &arrives(false, 50));
    assert_eq!((out.icrn.in_ready, out.count), (false, 1));
    idle(&mut core, 1);
    assert_eq!(after(&mut core, &pull(1)).id[0], 50, "offered in the cycle after, in the bank in the next");
    assert!(core.outputs().icrn.in_ready);
    core.clock(&arrives(false, 51)).unwrap();
    // Bank 1 is pulled, but empty: its port is free.
    core.clock(&pull(2)).unwrap();
    idle(&mut core, 1);
    let out = after(&mut core, &pull(2));
    assert_eq!((out.status(1), out.id[1], out.count), (status::ID, 51, 1));
}

#[test]
fn an_arrival_is_offered_to_the_next_bank_if_one_refuses() {
    let mut core = core(false);
    core.clock(&arrives(false, 50)).unwrap();
    core.clock(&push(1, 7)).unwrap();
    idle(&mut core, 1);
    assert!(!core.outputs().icrn.in_ready, "lane 0 took the port");
    idle(&mut core, 2);
    assert!(core.outputs().icrn.in_ready);
    let out = after(&mut core, &pull(0b11));
    assert_eq!((out.id[0], out.id[1], out.status(1)), (7, 50, status::ID));
}

#[test]
fn an_arrival_for_a_full_push_side_is_spilled() {
    let mut core = small_core_with_buffer();
    push_each(&mut core, 1, 0..4);
    core.clock(&arrives(true, 9)).unwrap();
    let out = after(&mut core, &CoreIn::default());
    assert_eq!((out.push_ready, out.count), (false, 5));
    idle(&mut core, 1);
    assert!(core.outputs().icrn.in_ready);

    // At a kernel's end it is not: the exchange has the overflow buffer to itself.
    let mut core = small_core();
    push_each(&mut core, 1, 0..4);
    idle(&mut core, 4);
    core.clock(&arrives(true, 9)).unwrap();
    let out = after(&mut core, &kernel_end());
    assert!(out.pull_part && out.push_ready && !out.overflow);
}

#[test]
fn an_id_moves_to_the_needy_lane_and_is_counted_all_the_way() {
    let mut core = HwwlCore::new(&Parameters::default()).unwrap();
    core.clock(&CoreIn::default()).unwrap();
    push_each(&mut core, 1 << 7, 0..4);
    // Pushes in 1 to 4, tick 9, pop 14, push 16: lane 0 can pull in 17.
    for _ in 5..16 {
        core.clock(&CoreIn::default()).unwrap();
        assert_eq!(core.outputs().count, 4);
    }
    assert_eq!(after(&mut core, &pull(1)).status(0), status::WAIT, "the ID is being pushed");
    let out = after(&mut core, &pull(1));
    assert_eq!((out.status(0), out.id[0], out.count), (status::ID, 0, 4), "the oldest ID moved");
}

#[test]
fn a_core_is_not_quiet_while_an_id_is_between_two_banks() {
    let mut core = HwwlCore::new(&Parameters::default()).unwrap();
    core.clock(&CoreIn { configure: true, double_buffer: true, ..Default::default() }).unwrap();
    push_each(&mut core, 1 << 7, 0..3);
    idle(&mut core, 6);
    // Cycle 10: the exchange. Tick 9 ranked what was the push side; pop 14, push 16.
    assert!(after(&mut core, &kernel_end()).pull_part);
    idle(&mut core, 4);
    // From cycle 15 on, two pulls empty bank 7, whose oldest ID is on its way.
    for id in 1..3 {
        let out = after(&mut core, &pull(1 << 7));
        assert_eq!((out.status(7), out.id[7]), (status::ID, id));
        assert!(!out.icrn.quiet);
    }
    let out = after(&mut core, &CoreIn::default());
    assert_eq!((out.icrn.quiet, out.count), (false, 1));
    assert_eq!(after(&mut core, &pull(1)).id[0], 0);
}

#[test]
fn gsorting_is_not_for_a_core_alone() {
    let error = HwwlCore::new(&Parameters { scheme: Scheme::GlobalSorting, ..Default::default() }).unwrap_err();
    let rule = "none, threshold or lsorting: gsorting serves all cores at once";
    assert_eq!(error.to_string(), format!("hwwl_core: scheme = gsorting, but it must be {rule}"));
}

#[test]
fn an_outer_redistribution_unit_reaches_the_banks() {
    let mut core = ExternalCore::new(&Parameters::default()).unwrap();
    core.clock(&ExternalCoreIn { core: push(1 << 2, 5), ..Default::default() }).unwrap();
    let mut pop = ExternalCoreIn::default();
    (pop.wru.wru_pop, pop.wru.wru_moving) = (1 << 2, true);
    core.clock(&pop).unwrap();
    let out = core.outputs();
    assert_eq!((out.wru.wru_valid, out.core.id[2], out.wru.pull_occupancy[2]), (1 << 2, 5, 0));
    core.clock(&ExternalCoreIn::default()).unwrap();
    assert_eq!(core.outputs().core.count, 0, "between two banks it is in no core");
    let mut push = ExternalCoreIn::default();
    (push.wru.wru_push, push.wru.wru_moving) = (1 << 9, true);
    push.wru.wru_push_id[9] = 5;
    core.clock(&push).unwrap();
    assert_eq!((core.outputs().wru.wru_accepted, core.outputs().wru.pull_occupancy[9]), (1 << 9, 1));
    core.clock(&ExternalCoreIn::default()).unwrap();
    assert_eq!(core.outputs().core.count, 1);
}

#[test]
fn an_id_that_leaves_for_another_core_keeps_this_one_from_being_quiet() {
    let mut core = HwwlCore::new(&Parameters { threshold: 1, ..Default::default() }).unwrap();
    let with_send = |mut pins: CoreIn| {
        pins.icrn.send = 1;
        pins
    };
    core.clock(&with_send(push(ALL, 0))).unwrap();
    core.clock(&with_send(push(ALL, 16))).unwrap();
    // Tick 9: all banks hold two, so nobody takes; lane 15, the last among equals, sends. Pop 14, out 16.
    for cycle in 2..16 {
        assert!(!core.outputs().icrn.out_valid, "cycle {cycle}");
        core.clock(&with_send(CoreIn::default())).unwrap();
    }
    let out = core.outputs().icrn;
    assert_eq!((out.out_valid, out.out_part, out.out_id), (true, false, 15));
    core.clock(&pull(ALL)).unwrap();
    core.clock(&CoreIn { leave: ALL, ..pull(ALL) }).unwrap();
    core.clock(&CoreIn { leave: ALL >> 1, ..Default::default() }).unwrap();
    idle(&mut core, 12);
    let out = core.outputs();
    assert_eq!((out.icrn.quiet, out.count, out.icrn.out_valid), (false, 1, true));
    let mut taken = CoreIn::default();
    taken.icrn.out_ready = true;
    let out = after(&mut core, &taken);
    assert_eq!((out.count, out.icrn.out_valid), (0, false));
    idle(&mut core, 1);
    assert!(core.outputs().icrn.quiet);
}
