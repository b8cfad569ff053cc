//! Pins of `hwwl_core`; with an outer redistribution unit (gsorting) also those between it and the banks.

use super::hvu::{memory_inputs, memory_outputs};
use super::{count_bits, status, MemoryIn, MemoryOut, COUNT_BITS, ID_BITS, MAX_LANES};
use crate::unit::{Condition, Interface, Pin};
use crate::units::pins::{flag, group, numbered, pins};

group! {
    /// From the hub.
    HubIn {
        all_done: bool,
        send: u8,
        out_ready: bool,
        in_valid: bool,
        in_part: bool,
        in_id: u32,
    }
}

group! {
    /// To the hub.
    HubOut {
        quiet: bool,
        greedy: u8,
        out_valid: bool,
        out_part: bool,
        out_id: u32,
        in_ready: bool,
    }
}

pins! {
    /// Inputs of `hwwl_core`.
    CoreIn {
        configure: bool,
        double: bool,
        init: bool,
        init_base: u32,
        init_lines: u16,
        kernel_end: bool,
        pull: u32,
        push: u32,
        leave: u32,
        hub: HubIn,
        memory: MemoryIn,
    }
    each {
        push_id: [u32; MAX_LANES],
    }
}

pins! {
    /// Outputs of `hwwl_core`.
    CoreOut {
        /// Two bits a lane, see [`status`].
        status: u64,
        push_ready: bool,
        overflow: bool,
        pending: bool,
        count: u32,
        pull_part: bool,
        double_mode: bool,
        hub: HubOut,
        memory: MemoryOut,
    }
    each {
        id: [u32; MAX_LANES],
    }
}

impl CoreOut {
    pub fn status(&self, lane: usize) -> u64 {
        self.status >> (2 * lane) & 3
    }
}

group! {
    /// From the outer redistribution unit.
    BankRequests {
        wru_pop: u32,
        wru_push: u32,
        wru_part: bool,
        wru_moving: bool,
    }
    each {
        wru_push_id: [u32; MAX_LANES],
    }
}

group! {
    /// To the outer redistribution unit.
    BankAnswers {
        wru_valid: u32,
        wru_accepted: u32,
    }
    each {
        pull_occupancy: [u32; MAX_LANES],
    }
    each {
        push_occupancy: [u32; MAX_LANES],
    }
}

pins! {
    /// Inputs of `hwwl_core` with an outer redistribution unit.
    ExternalCoreIn {
        core: CoreIn,
        wru: BankRequests,
    }
}

pins! {
    /// Outputs of `hwwl_core` with an outer redistribution unit, which finds the IDs that it popped on `core.id`.
    ExternalCoreOut {
        core: CoreOut,
        wru: BankAnswers,
    }
}

fn hub_inputs() -> Vec<Pin> {
    vec![
        flag("all_done"),
        Pin::new("send", 2),
        flag("out_ready"),
        flag("in_valid"),
        flag("in_part"),
        Pin::new("in_id", ID_BITS),
    ]
}

fn hub_outputs() -> Vec<Pin> {
    let if_out = || Condition::bit("out_valid", 0);
    vec![
        flag("quiet"),
        Pin::new("greedy", 2),
        flag("out_valid"),
        flag("out_part").valid_if(if_out()),
        Pin::new("out_id", ID_BITS).valid_if(if_out()),
        flag("in_ready"),
    ]
}

/// `id_i` means something while the status of lane i is 1.
pub(super) fn pulled_ids(lanes: usize) -> impl Iterator<Item = Pin> {
    (0..lanes as u32).map(|i| {
        let is_id = Condition { pin: "status".into(), lsb: 2 * i, width: 2, equals: status::ID };
        Pin::new(format!("id_{i}"), ID_BITS).valid_if(is_id)
    })
}

pub fn hwwl_core_interface(lanes: usize) -> Interface {
    let l = lanes as u32;
    let mut inputs = vec![
        flag("configure"),
        flag("double_buffer"),
        flag("init"),
        Pin::new("init_base", 32),
        Pin::new("init_lines", 16),
        flag("kernel_end"),
        Pin::new("pull", l),
        Pin::new("push", l),
        Pin::new("leave", l),
    ];
    inputs.extend(hub_inputs());
    inputs.extend(memory_inputs());
    inputs.extend(numbered("push_id", lanes, ID_BITS));
    let mut outputs = vec![
        Pin::new("status", 2 * l),
        flag("push_ready"),
        flag("overflow"),
        flag("pending"),
        Pin::new("count", COUNT_BITS),
        flag("pull_part"),
        flag("double_mode"),
    ];
    outputs.extend(hub_outputs());
    outputs.extend(memory_outputs());
    outputs.extend(pulled_ids(lanes));
    Interface { inputs, outputs }
}

pub fn hwwl_core_external_interface(lanes: usize, entries: usize) -> Interface {
    let (c, l) = (count_bits(entries), lanes as u32);
    let Interface { mut inputs, mut outputs } = hwwl_core_interface(lanes);
    let first_id = outputs.len() - lanes;
    for (i, pin) in (0..).zip(&mut outputs[first_id..]) {
        pin.valid_if.push(Condition::bit("wru_valid", i));
    }
    inputs.extend([Pin::new("wru_pop", l), Pin::new("wru_push", l), flag("wru_part"), flag("wru_moving")]);
    inputs.extend(numbered("wru_push_id", lanes, ID_BITS));
    outputs.extend([Pin::new("wru_valid", l), Pin::new("wru_accepted", l)]);
    outputs.extend(numbered("pull_occupancy", lanes, c));
    outputs.extend(numbered("push_occupancy", lanes, c));
    Interface { inputs, outputs }
}
