//! `hwwl_core`: one core's worklist, lanes times `bank` and one `wru_sorting` (III-B, III-C).
//!
//! Only banks that are asked something are clocked: an untouched bank keeps its contents, and nobody looks at its answers.

use super::pins::{hwwl_core_interface, status, BankIn, CoreIn, CoreOut, WruIn, WruOut};
use super::{Bank, Parameters, WruSorting};
use crate::unit::{Interface, Unit};
use crate::units::parameter::ParameterError;

/// What one cycle asks of the banks besides the lanes' pulls and pushes.
struct Round {
    configure: bool,
    exchange: bool,
    /// Status of a pull that finds its bank empty.
    empty_answer: u64,
    wru: WruOut,
}

#[derive(Clone, Debug)]
pub struct HwwlCore {
    parameters: Parameters,
    double: bool,
    banks: Vec<Bank>,
    /// Bit i: bank i has an ID on its pull side.
    pullable: u32,
    wru: WruSorting,
    wru_in: WruIn,
    out: CoreOut,
}

/// Lanes whose bit is set, ascending.
fn lanes_of(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = (mask != 0).then(|| mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        Some(lane)
    })
}

impl HwwlCore {
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        parameters.check("hwwl_core")?;
        let bank = Bank::new(parameters.entries)?;
        Ok(HwwlCore {
            parameters: *parameters,
            double: false,
            banks: vec![bank; parameters.lanes],
            pullable: 0,
            wru: WruSorting::new(parameters)?,
            wru_in: WruIn::default(),
            out: CoreOut::default(),
        })
    }

    fn all_lanes(&self) -> u32 {
        u32::MAX >> (32 - self.parameters.lanes)
    }

    /// No bank can answer a pull, and no ID may be on its way to one that could.
    fn pull_side_is_done(&self) -> bool {
        let wru = self.wru.pins();
        self.pullable == 0 && !(wru.moving && wru.part == self.out.pull_part)
    }

    /// What the banks show the redistribution unit in this cycle, as far as it looks.
    fn show_banks_to_wru(&mut self) {
        self.wru_in.double = self.double;
        self.wru_in.pull_part = self.out.pull_part;
        if self.wru.is_tick() {
            for (lane, bank) in self.banks.iter().enumerate() {
                self.wru_in.pull_occupancy[lane] = bank.pins().pull_occupancy;
                self.wru_in.push_occupancy[lane] = bank.pins().push_occupancy;
            }
        }
    }

    /// Clocks one bank; its answer to the lane goes to the pins, its answer to the WRU to `wru_in` of the next cycle.
    fn clock_bank(&mut self, lane: usize, pins: &BankIn, empty_answer: u64) {
        let bank = &mut self.banks[lane];
        bank.clock(pins);
        let answer = bank.pins();
        let mask = 1 << lane;
        self.pullable = if answer.empty { self.pullable & !mask } else { self.pullable | mask };
        if pins.pull {
            let code = if answer.pull_valid { status::ID } else { empty_answer };
            self.out.status |= code << (2 * lane);
            if answer.pull_valid {
                self.out.id[lane] = answer.id;
                self.out.count -= 1;
            }
        }
        if answer.overflow {
            self.out.overflow |= mask;
        } else if pins.push {
            self.out.count += 1;
        }
        if answer.wru_valid {
            self.wru_in.wru_valid |= mask;
            self.wru_in.id[lane] = answer.id;
        }
        if answer.wru_accepted {
            self.wru_in.wru_accepted |= mask;
        }
    }

    fn clock_banks(&mut self, pins: &CoreIn, round: &Round) {
        let wru = &round.wru;
        let asked = pins.pull | pins.push | wru.pop | wru.push;
        let touched = if round.configure || round.exchange { self.all_lanes() } else { asked };
        for lane in lanes_of(touched) {
            let bit = |mask: u32| mask >> lane & 1 == 1;
            let request = BankIn {
                configure: round.configure,
                double: pins.double,
                swap: round.exchange,
                pull: bit(pins.pull),
                push: bit(pins.push),
                push_id: pins.push_id[lane],
                wru_pop: bit(wru.pop),
                wru_push: bit(wru.push),
                wru_part: wru.part,
                wru_id: wru.push_id[lane],
            };
            self.clock_bank(lane, &request, round.empty_answer);
        }
        if round.configure {
            self.double = pins.double;
            self.out.pull_part = false;
        }
        if round.exchange {
            self.out.pull_part = !self.out.pull_part;
        }
    }

    fn check_rules(&self, pins: &CoreIn) {
        let lanes_ask = pins.pull | pins.push != 0;
        debug_assert!(pins.pull == 0 || pins.push == 0, "hwwl_core: pull and push together");
        debug_assert!(!(pins.kernel_end && lanes_ask), "hwwl_core: kernel_end together with pull or push");
        debug_assert!(!(pins.configure && (pins.kernel_end || lanes_ask)), "hwwl_core: configure does not come alone");
        debug_assert_eq!((pins.pull | pins.push) & !self.all_lanes(), 0, "hwwl_core: a lane that does not exist");
    }
}

impl Unit for HwwlCore {
    type In = CoreIn;
    type Out = CoreOut;

    fn interface(&self) -> Interface {
        hwwl_core_interface(self.parameters.lanes, self.parameters.entries)
    }

    fn outputs(&self) -> CoreOut {
        self.out.clone()
    }

    fn clock(&mut self, pins: &CoreIn) {
        self.check_rules(pins);
        let configure = pins.configure && self.out.count == 0;
        let exchange = pins.kernel_end && self.double && self.pull_side_is_done();
        let busy = configure || exchange || self.wru.pins().moving || pins.pull | pins.push != 0;
        let round = busy.then(|| Round {
            configure,
            exchange,
            empty_answer: if self.pull_side_is_done() { status::DONE } else { status::WAIT },
            wru: self.wru.outputs(),
        });
        self.show_banks_to_wru();
        self.wru.clock(&self.wru_in);
        self.wru_in.wru_valid = 0;
        self.wru_in.wru_accepted = 0;
        self.out.status = 0;
        self.out.overflow = 0;
        if let Some(round) = round {
            self.clock_banks(pins, &round);
        }
    }

    fn reset(&mut self) {
        self.double = false;
        self.banks.iter_mut().for_each(Bank::reset);
        self.pullable = 0;
        self.wru.reset();
        self.wru_in = WruIn::default();
        self.out = CoreOut::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    const ALL: u32 = 0xffff;

    fn core(double: bool) -> HwwlCore {
        let mut core = HwwlCore::new(&Parameters::default()).unwrap();
        core.clock(&CoreIn { configure: true, double, ..Default::default() });
        core
    }

    fn pull(lanes: u32) -> CoreIn {
        CoreIn { pull: lanes, ..Default::default() }
    }

    fn push(lanes: u32, first_id: u32) -> CoreIn {
        let mut pins = CoreIn { push: lanes, ..Default::default() };
        for (id, lane) in (first_id..).zip(lanes_of(lanes)) {
            pins.push_id[lane] = id;
        }
        pins
    }

    fn kernel_end() -> CoreIn {
        CoreIn { kernel_end: true, ..Default::default() }
    }

    fn after(core: &mut HwwlCore, pins: &CoreIn) -> CoreOut {
        core.clock(pins);
        core.outputs()
    }

    fn idle(core: &mut HwwlCore, cycles: usize) {
        for _ in 0..cycles {
            core.clock(&CoreIn::default());
        }
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
        assert_eq!((out.status, out.count), (everywhere(status::ID), 0));
        assert_eq!(out.id[..16], (100..116).collect::<Vec<_>>());
        assert_eq!(after(&mut core, &pull(ALL)).status, everywhere(status::DONE));
        assert_eq!(after(&mut core, &CoreIn::default()).status, 0);
    }

    #[test]
    fn an_empty_bank_waits_while_another_lane_has_work_and_is_done_when_none_has() {
        let mut core = core(false);
        core.clock(&push(1 << 2, 5));
        let out = after(&mut core, &pull(0b101));
        assert_eq!((out.status(0), out.status(2), out.id[2]), (status::WAIT, status::ID, 5));
        assert_eq!(after(&mut core, &pull(1)).status(0), status::DONE);
    }

    #[test]
    fn in_double_buffer_mode_the_push_side_does_not_keep_anyone_waiting() {
        let mut core = core(true);
        core.clock(&push(ALL, 0));
        let out = after(&mut core, &pull(1));
        assert_eq!((out.status(0), out.count), (status::DONE, 16));
        assert!(after(&mut core, &kernel_end()).pull_part);
        assert!(after(&mut core, &kernel_end()).pull_part, "the pull side is not empty: ignored");
        let out = after(&mut core, &pull(ALL));
        assert_eq!((out.status, out.count), (everywhere(status::ID), 0));
    }

    #[test]
    fn kernel_end_is_ignored_in_single_buffer_mode_and_configure_while_anything_is_held() {
        let mut core = core(false);
        assert!(!after(&mut core, &kernel_end()).pull_part);
        core.clock(&push(1, 9));
        core.clock(&CoreIn { configure: true, double: true, ..Default::default() });
        assert_eq!(after(&mut core, &pull(1)).status(0), status::ID, "still single-buffer");
    }

    #[test]
    fn an_id_moves_to_the_needy_lane_and_is_counted_all_the_way() {
        let mut core = core(false);
        for id in 0..4 {
            core.clock(&push(1 << 7, id));
        }
        // Configured in cycle 0, pushes in 1 to 4, tick 9, pop 14, push 16: lane 0 can pull in 17.
        for _ in 5..16 {
            core.clock(&CoreIn::default());
            assert_eq!(core.outputs().count, 4);
        }
        assert_eq!(after(&mut core, &pull(1)).status(0), status::WAIT, "the ID is being pushed");
        let out = after(&mut core, &pull(1));
        assert_eq!((out.status(0), out.id[0], out.count), (status::ID, 0, 3), "the oldest ID moved");
    }

    #[test]
    fn done_waits_for_an_id_between_two_banks() {
        let mut core = core(false);
        for id in 0..3 {
            core.clock(&push(1 << 7, id));
        }
        idle(&mut core, 11);
        // Cycle 15: the ID has left bank 7 and is not yet in bank 0; the lane empties its bank.
        core.clock(&CoreIn::default());
        for id in 1..3 {
            let out = after(&mut core, &pull(1 << 7));
            assert_eq!((out.status(7), out.id[7]), (status::ID, id));
        }
        // Cycle 17: accepted is looked at in 17, the ID is in bank 0.
        let out = after(&mut core, &pull(1 << 7));
        assert_eq!((out.status(7), out.count), (status::WAIT, 1));
        assert_eq!(after(&mut core, &pull(1)).status(0), status::ID);
        assert_eq!(after(&mut core, &pull(1)).status(0), status::DONE);
    }

    #[test]
    fn a_push_to_a_full_bank_overflows_and_is_not_counted() {
        let mut core = HwwlCore::new(&Parameters { entries: 4, ..Default::default() }).unwrap();
        for id in 0..4 {
            assert_eq!(after(&mut core, &push(1 << 5, id)).overflow, 0);
        }
        let out = after(&mut core, &push(1 << 5 | 1, 4));
        assert_eq!((out.overflow, out.count), (1 << 5, 5));
        assert_eq!(after(&mut core, &CoreIn::default()).overflow, 0);
    }

    #[test]
    fn the_exchange_waits_for_a_pair_on_the_pull_partition() {
        let mut core = core(true);
        core.clock(&push(1 << 3, 1));
        core.clock(&push(1 << 3, 2));
        assert!(after(&mut core, &kernel_end()).pull_part);
        // Tick 9 ranks the pull side; the lane takes both IDs before the pop of cycle 14.
        idle(&mut core, 7);
        core.clock(&pull(1 << 3));
        core.clock(&pull(1 << 3));
        idle(&mut core, 1);
        assert!(after(&mut core, &kernel_end()).pull_part, "cycle 14: a pair is under way");
        assert_eq!(after(&mut core, &pull(1)).status(0), status::WAIT);
        idle(&mut core, 7);
        assert!(after(&mut core, &kernel_end()).pull_part, "cycle 23: the last answer is looked at");
        assert!(!after(&mut core, &kernel_end()).pull_part);
    }

    fn any_request(lanes: u32) -> impl Strategy<Value = CoreIn> {
        let mask = any::<u32>().prop_map(move |m| m & ((1 << lanes) - 1));
        prop_oneof![
            4 => Just(CoreIn::default()),
            4 => mask.clone().prop_map(pull),
            4 => (mask.clone(), mask).prop_map(|(a, b)| push(a & b, 0)),
            1 => Just(kernel_end()),
            1 => any::<bool>().prop_map(|double| CoreIn { configure: true, double, ..Default::default() }),
        ]
    }

    proptest! {
        /// Every accepted ID is pulled exactly once, however the banks shift them, and `count` is right in every cycle.
        #[test]
        fn ids_are_conserved(requests in prop::collection::vec(any_request(8), 1..800), entries in 2..5u32) {
            let parameters = Parameters { lanes: 8, entries: 1 << entries, threshold: 3, interval: 10 };
            let mut core = HwwlCore::new(&parameters).unwrap();
            let mut inside = BTreeSet::new();
            let mut next_id = 0;
            let mut requests = requests;
            // Empty both sides at the end.
            for i in 0..6_000 {
                requests.push(if i % 20 == 19 { kernel_end() } else { pull(0xff) });
            }
            for mut pins in requests {
                for lane in lanes_of(pins.push) {
                    pins.push_id[lane] = next_id;
                    next_id += 1;
                }
                let out = after(&mut core, &pins);
                for lane in lanes_of(pins.push & !out.overflow) {
                    inside.insert(pins.push_id[lane]);
                }
                for lane in 0..8 {
                    let pulled = pins.pull >> lane & 1 == 1;
                    prop_assert_eq!(out.status(lane) != status::NONE, pulled);
                    if out.status(lane) == status::ID {
                        prop_assert!(inside.remove(&out.id[lane]), "{} was not inside", out.id[lane]);
                    }
                }
                prop_assert_eq!(out.count as usize, inside.len());
            }
            prop_assert_eq!(inside.len(), 0);
        }
    }
}
