//! Pins of `hwwl_core` with so many lanes; with an outer redistribution unit (gsorting) also those between it and the banks.

use super::{count_bits, status, MemoryIn, MemoryOut, COUNT_BITS, ID_BITS, MAX_LANES};
use crate::pin::{Condition, Pin};
use crate::pins::{group, pins};

group! {
    /// From the ICRN.
    FromIcrn() {
        all_done: bool,
        send: u8 = 2,
        out_ready: bool,
        in_valid: bool,
        in_part: bool,
        in_id: u32 = ID_BITS,
    }
}

group! {
    /// To the ICRN.
    ToIcrn() {
        quiet: bool,
        greedy: u8 = 2,
        out_valid: bool,
        out_part if out_valid: bool,
        out_id if out_valid: u32 = ID_BITS,
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
                pull: u32 = lanes as u32,
                push: u32 = lanes as u32,
                leave: u32 = lanes as u32,
                $($icrn)*
                memory: MemoryIn as "",
            }
            each (lanes) { push_id: [u32; MAX_LANES] = ID_BITS, }
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
    CoreIn { configure: bool, double_buffer: bool, init: bool, } { kernel_end: bool, } { icrn: FromIcrn as "", }
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
                /// Two bits a lane, see [`status`].
                status: u64 = 2 * lanes as u32,
                push_ready: bool,
                overflow: bool,
                pending: bool,
                count: u32 = COUNT_BITS,
                pull_part: bool,
                double_mode: bool,
                $($icrn)*
                memory: MemoryOut as "",
            }
            each (lanes) { id: [u32; MAX_LANES] as "" = pulled_id(), }
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
