//! Pins of `hwwl_core` with so many lanes; with an outer redistribution unit (gsorting) also those between it and the banks.

use super::{count_bits, status, MemoryIn, MemoryOut, COUNT_BITS, ID_BITS, MAX_LANES};
use crate::pin::{Condition, Pin};
use crate::pins::{group, pins};

group! {
    /// From the ICRN.
    FromIcrn() {
        /// from the ICRN. In double-buffer mode, `all_done` is 1 in a settled core only if the core was quiet two cycles
        /// ago (`quiet` was 1 in the cycle before), and no ID of the pull side is on `in_id` in this cycle and in the two
        /// before
        all_done: bool,
        send: u8 = 2,
        /// from the ICRN
        out_ready: bool,
        /// from the ICRN. `in_part` is 0 in single-buffer mode
        in_valid: bool,
        in_part: bool,
        in_id: u32 = ID_BITS,
    }
}

group! {
    /// To the ICRN.
    ToIcrn() {
        /// to the ICRN
        quiet: bool,
        greedy: u8 = 2,
        /// to the ICRN; `out_part` and `out_id` are valid while `out_valid`
        out_valid: bool,
        out_part if out_valid: bool,
        out_id if out_valid: u32 = ID_BITS,
        /// the arrival register is empty
        in_ready: bool,
    }
}

/// The inputs of a core, of which those in `{}` belong to the core alone: in `hwwl` they come from the system.
macro_rules! core_in {
    ($pins:ident $(#[$doc:meta])* $name:ident {$($mode:tt)*} {$($end:tt)*} {$($icrn:tt)*}) => {
        $pins! {
            $(#[$doc])*
            $name(lanes: usize) {
                $($mode)*
                init_base: u32 = 32,
                init_lines: u16 = 16,
                $($end)*
                /// lane i pulls
                pull: u32 = lanes as u32,
                /// lane i pushes `push_id_i`; never in a cycle with a `pull`; only while `push_ready`
                push: u32 = lanes as u32,
                /// the thread on lane i is done with an ID that it pulled before: it pulls again (in this cycle) or ends
                leave: u32 = lanes as u32,
                $($icrn)*
                memory: MemoryIn as "",
            }
            each (lanes) {
                /// from lane i
                push_id: [u32; MAX_LANES] = ID_BITS,
            }
        }

        impl $name {
            /// A lane asks something of the core, or a line of memory comes.
            #[inline]
            pub fn has_request(&self) -> bool {
                self.pull | self.push | self.leave != 0 || self.memory.line_valid
            }
        }
    };
}

core_in! {
    pins
    /// Inputs of `hwwl_core`.
    CoreIn {
        /// `wlcfg`: passed on if the core holds nothing (`count` is 0 in this cycle and was 0 in the cycle before, and
        /// nothing is reserved), else ignored. Comes alone, also without `in_valid`
        configure: bool,
        double_buffer: bool,
        /// `wlinit`: passed to the HVU if its `holds` is 0, else ignored. Comes alone
        init: bool,
    } {
        /// exchange the sides. The core obeys in double-buffer mode if `all_done` is 1, the core is *settled* (below) and
        /// `push_ready` is 1; else it ignores the pin. Never together with `pull`, `push` or `leave`. Comes only in a
        /// cycle in which `push_ready` of all cores is 1, and in which no core had a `pull`, `push` or `leave` in the
        /// four cycles before: then all cores obey or none
        kernel_end: bool,
    } { icrn: FromIcrn as "", }
}

core_in! {
    group
    /// Inputs of one core of `hwwl`.
    HwwlCoreIn {} {} {}
}

/// The outputs of a core, of which those in `{}` belong to the core alone.
macro_rules! core_out {
    ($pins:ident $(#[$doc:meta])* $name:ident {$($icrn:tt)*}) => {
        $pins! {
            $(#[$doc])*
            $name(lanes: usize) {
                /// bits 2i+1..2i, of lane i's pull in the previous cycle: 0 no pull, 1 an ID, 2 WAIT, 3 DONE
                status: u64 = 2 * lanes as u32,
                /// pushes are welcome
                push_ready: bool,
                /// from the HVU
                overflow: bool,
                /// from the HVU. With policy `demand`, a warp with a lane that was told WAIT waits and pulls again when `pending`
                /// is 0
                pending: bool,
                /// IDs in the core: banks, between banks, HVU, arrival register, `out_id`. Each ID is counted once in every
                /// cycle. A push counts from the next cycle on. An ID that is pulled counts up to and including the cycle in
                /// which it is on `id_i`, one that goes to the ICRN up to and including the cycle in which the ICRN takes it. IDs
                /// that are dropped count until `overflow` is high
                count: u32 = COUNT_BITS,
                /// the pull side, and the mode
                pull_part: bool,
                double_mode: bool,
                $($icrn)*
                memory: MemoryOut as "",
            }
            each (lanes) {
                /// valid while lane i's status is 1
                id: [u32; MAX_LANES] as "" = pulled_id(),
            }
        }

        impl $name {
            pub fn status(&self, lane: usize) -> u64 {
                self.status >> (2 * lane) & 3
            }
        }
    };
}

core_out! {
    pins
    /// Outputs of `hwwl_core`.
    CoreOut { icrn: ToIcrn as "", }
}

core_out! {
    group
    /// Outputs of one core of `hwwl`.
    HwwlCoreOut {}
}

impl CoreIn {
    /// Something is asked of the core.
    #[inline]
    pub fn asks(&self) -> bool {
        self.has_request() || self.configure | self.init | self.kernel_end | self.icrn.in_valid
    }
}

group! {
    /// From the outer redistribution unit.
    BankRequests(lanes: usize) {
        wru_pop: u32 = lanes as u32,
        wru_push: u32 = lanes as u32,
        wru_part: bool,
        wru_moving: bool,
    }
    each (lanes) { wru_push_id: [u32; MAX_LANES] = ID_BITS, }
}

group! {
    /// To the outer redistribution unit.
    BankAnswers((lanes, entries): (usize, usize)) {
        wru_valid: u32 = lanes as u32,
        wru_accepted: u32 = lanes as u32,
    }
    each (lanes) { pull_occupancy: [u32; MAX_LANES] = count_bits(entries), }
    each (lanes) { push_occupancy: [u32; MAX_LANES] = count_bits(entries), }
}

pins! {
    /// Inputs of `hwwl_core` with an outer redistribution unit.
    ExternalCoreIn((lanes, entries): (usize, usize)) {
        core: CoreIn as "" = CoreIn::list(lanes),
        wru: BankRequests as "" = BankRequests::list(lanes),
    }
}

pins! {
    /// Outputs of `hwwl_core` with an outer redistribution unit, which finds the IDs that it popped on `core.id`.
    ExternalCoreOut((lanes, entries): (usize, usize)) {
        core: CoreOut as "" = popped_too(CoreOut::list(lanes), lanes),
        wru: BankAnswers as "",
    }
}

/// `id` of a lane means something while the lane's status is 1.
fn pulled_id() -> Vec<Pin> {
    let is_id = Condition { pin: "status".into(), lsb: 0, width: 2, equals: status::ID };
    vec![Pin::new("id", ID_BITS).valid_if(is_id)]
}

/// The IDs, which are last, mean something also while the unit pops them.
fn popped_too(mut pins: Vec<Pin>, lanes: usize) -> Vec<Pin> {
    let ids = pins.iter_mut().rev().take(lanes).rev();
    (0..).zip(ids).for_each(|(lane, pin)| pin.valid_if.push(Condition::bit("wru_valid", lane)));
    pins
}
