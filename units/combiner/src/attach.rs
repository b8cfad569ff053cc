//! The combiner inside the GPU: one in each core, in front of the coalescer. Lanes of a `red.global.add.u32` with one address leave
//! the core as one lane.

use crate::model::Combiner;
use crate::pins::{CombinerIn, CombinerOut};
use sim::attach::system::{Cycle, System};
use sim::core::in_flight::InFlight;
use sim::core::port::Port;
use sim::core::Core;
use sim::exec::Access;
use sim::launch::RunError;
use sim::mem::system::MemorySystem;
use sim::ptx::instr::Instr;
use sim::ptx::isa::AtomicOp;
use sim::ptx::op::{Atomic, Op};
use sim::unit::Fault;
use std::cell::RefCell;
use std::rc::Rc;
use testbench::in_gpu::AnyUnit;

/// The combiner of a core and its pins.
struct Shared {
    unit: AnyUnit<Combiner>,
    inputs: CombinerIn,
    outputs: CombinerOut,
    /// Results of the instruction at hand so far: lanes and their sums.
    done: Vec<(u8, u32)>,
    is_busy: bool,
}

impl Shared {
    fn new(unit: AnyUnit<Combiner>) -> Self {
        let outputs = unit.outputs();
        Shared { unit, inputs: CombinerIn::default(), outputs, done: Vec::with_capacity(32), is_busy: false }
    }

    /// The rising edge. The clock is off while nothing is on its way.
    fn clock(&mut self) -> Result<(), Fault> {
        self.unit.clock(&self.inputs)?;
        self.inputs.start = false;
        self.unit.sample(&mut self.outputs);
        if self.outputs.out_valid {
            self.done.push((self.outputs.out_lane, self.outputs.out_value));
            self.is_busy = !self.outputs.out_last;
        }
        Ok(())
    }
}

struct CombinerPort(Rc<RefCell<Shared>>);

impl Port for CombinerPort {
    fn name(&self) -> &'static str {
        "the combiner"
    }

    fn change(&mut self, _: InFlight, access: &mut Access) -> bool {
        let shared = &mut *self.0.borrow_mut();
        if shared.is_busy {
            return false;
        }
        if shared.done.is_empty() {
            (shared.inputs.start, shared.inputs.mask, shared.is_busy) = (true, access.lanes, true);
            for lane in 0..32 {
                shared.inputs.key[lane] = access.address[lane] / 4 % (1 << crate::KEY_BITS);
                shared.inputs.value[lane] = access.operands[0][lane] as u32;
            }
            return false;
        }
        access.lanes = 0;
        for (lane, sum) in shared.done.drain(..) {
            access.lanes |= 1 << lane;
            access.operands[0][usize::from(lane)] = sum.into();
        }
        true
    }

    fn is_idle(&self) -> bool {
        let shared = self.0.borrow();
        !shared.is_busy && shared.done.is_empty()
    }
}

pub struct CombinerSystem {
    units: Vec<Rc<RefCell<Shared>>>,
    port: u8,
}

impl CombinerSystem {
    /// `units`: one for each core, of 32 lanes.
    pub fn new(units: Vec<AnyUnit<Combiner>>) -> Self {
        let shared = |unit| Rc::new(RefCell::new(Shared::new(unit)));
        CombinerSystem { units: units.into_iter().map(shared).collect(), port: 0 }
    }
}

impl System for CombinerSystem {
    fn name(&self) -> &'static str {
        "combiner"
    }

    fn takes(&self, instr: &Instr) -> bool {
        let is_sum = |atomic: Atomic| (atomic.op, atomic.bytes, atomic.dst) == (AtomicOp::Add, 4, None);
        matches!(instr.op, Op::Atomic(atomic) if is_sum(atomic))
    }

    fn port_number(&self) -> Option<u8> {
        Some(self.port)
    }

    fn port(&mut self, core: usize, number: u8) -> Option<Box<dyn Port>> {
        self.port = number;
        Some(Box::new(CombinerPort(self.units[core].clone())))
    }

    fn step(&mut self, cycle: &mut Cycle) -> Result<(), RunError> {
        let mut busy = self.units.iter().filter(|unit| unit.borrow().is_busy);
        let clocked = busy.try_for_each(|unit| unit.borrow_mut().clock());
        clocked.map_err(|fault| RunError::unit(self.name(), cycle.now, &fault))
    }

    fn needs_step(&self, _: &MemorySystem) -> bool {
        !self.is_idle()
    }

    fn is_idle(&self) -> bool {
        self.units.iter().all(|unit| !unit.borrow().is_busy)
    }

    fn fault(&self, _: &[Core]) -> Option<String> {
        self.units.iter().find_map(|unit| unit.borrow().unit.fault())
    }
}
