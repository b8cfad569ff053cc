//! A core but for its front end: warps, operands, pipelines, load-store unit and ports.

use super::issue_outcome::IssueOutcome;
use super::kernel::Kernel;
use super::load_store::{Done, LoadStore, Stall};
use super::operand_collector::OperandCollector;
use super::path::Path;
use super::pipeline::Arithmetic;
use super::port::{Answers, Port};
use super::residents::Residents;
use super::warp::Cta;
use super::warp_set::WarpId;
use crate::config::{Config, Core as CoreConfig, MAX_SCHEDULERS};
use crate::exec::fault::{Cause, MemoryAccess};
use crate::exec::{self, AccessKind, Control, Fault, Memory, Scratch};
use crate::mem::request::{Request, Tag};
use crate::mem::system::MemorySystem;
use crate::ptx::isa::{Class, Space, WARP_SIZE};
use crate::stats::{CoreStats, Counters, Stats};
use std::any::Any;
use std::collections::hash_map::DefaultHasher;

/// Parts of the GPU that a core reaches besides itself.
pub struct World<'a> {
    pub memory: &'a mut Memory,
    pub mem: &'a mut MemorySystem,
    pub scratch: &'a mut Scratch,
}

/// Ends of a launch, and concerns of other cores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// An instruction went wrong.
    Fault(Fault),
    /// An instruction for all cores of a system.
    Control { control: Control, pc: u32 },
    /// The front end cannot be trusted.
    FrontEnd { text: String },
}

pub struct BackEnd {
    pub index: usize,
    pub(super) config: CoreConfig,
    pub(super) shared_banks: u32,
    pub(super) constant_line: u64,
    pub residents: Residents,
    pub ctas: Vec<Cta>,
    /// CTA slots whose warps have all left, one bit each.
    pub(super) free_ctas: u64,
    pub collector: OperandCollector,
    arithmetic: Arithmetic,
    pub(super) load_store: LoadStore,
    pub(super) ports: Vec<Box<dyn Port>>,
    /// Each instruction that is marked scalar is checked when it is executed.
    pub(super) check_scalars: bool,
    /// Outcomes of the schedulers in the last cycle; they stay true while the core sleeps.
    pub(super) outcomes: [IssueOutcome; MAX_SCHEDULERS],
    pub stats: CoreStats,
    /// Notices of this cycle, in its order.
    pub notices: Vec<Notice>,
    /// Counts what one warp does that others can notice: changes of memory, IDs, elements, barriers that not only delay, ends.
    pub progress: u64,
}

impl BackEnd {
    pub(super) fn new(index: usize, config: &Config, ports: Vec<Box<dyn Port>>, residents: Residents) -> Self {
        let arithmetic = Arithmetic::new(config, residents.done_ahead);
        BackEnd {
            index,
            config: config.core.clone(),
            shared_banks: config.shared.banks,
            constant_line: config.l1c.line_bytes,
            residents,
            ctas: Vec::new(),
            free_ctas: 0,
            collector: OperandCollector::new(config),
            arithmetic,
            load_store: LoadStore::new(index, config),
            ports,
            check_scalars: false,
            outcomes: [IssueOutcome::default(); MAX_SCHEDULERS],
            stats: CoreStats::default(),
            notices: Vec::with_capacity(MAX_SCHEDULERS),
            progress: 0,
        }
    }

    /// Makes room for the CTAs of a kernel.
    pub(super) fn prepare(&mut self, kernel: &Kernel) {
        self.residents.prepare(kernel);
        self.ctas.clear();
        self.ctas.extend((0..kernel.ctas_per_core).map(|_| Cta::new(kernel.shared_bytes)));
        self.free_ctas = u64::MAX >> (64 - kernel.ctas_per_core);
        self.load_store.l1d.clear();
        self.load_store.textures.iter_mut().for_each(|textures| textures.cache.clear());
        self.notices.clear();
    }

    pub fn has_warps(&self) -> bool {
        self.residents.count != 0
    }

    /// Nothing is in flight, warps or not.
    pub(super) fn is_idle(&self) -> bool {
        !self.has_warps() && self.load_store.is_idle() && self.ports_are_idle()
    }

    pub(super) fn ports_are_idle(&self) -> bool {
        self.ports.iter().all(|port| port.is_idle())
    }

    /// Requests of the L1 wait for the network.
    pub(super) fn is_sending(&self) -> bool {
        !self.load_store.l1d.outgoing.is_empty()
    }

    /// Lanes of a warp that wait for an answer which depends on other warps.
    pub fn asking(&self, id: WarpId) -> u32 {
        self.ports.iter().fold(0, |lanes, port| lanes | port.asking(id.number()))
    }

    /// The system whose answer a warp waits for.
    pub fn asked(&self, id: WarpId) -> &'static str {
        self.ports.iter().find(|port| port.asking(id.number()) != 0).map_or("a system", |port| port.name())
    }

    /// Hints for a programmer on a warp that goes round a loop, see [`Port::hint`].
    pub fn hints(&self, id: WarpId, running: u32, body: &[Class]) -> String {
        self.ports.iter().filter_map(|port| port.hint(id.number(), running, body)).collect()
    }

    /// Adds what warps can notice of the ports.
    pub fn trace_ports(&self, state: &mut DefaultHasher) {
        self.ports.iter().for_each(|port| port.trace(state));
    }

    pub(super) fn can_receive(&self) -> bool {
        self.load_store.can_receive()
    }

    pub(super) fn receive(&mut self, reply: Request) {
        match reply.tag {
            Tag::Port { port, tag } => self.ports[port as usize].receive(tag),
            _ => self.load_store.receive(reply),
        }
    }

    /// Results of arithmetic, then answers of ports.
    pub(super) fn write_back(&mut self, now: u64, kernel: &Kernel) -> bool {
        (self.residents.written, self.residents.now) = (0, now);
        let BackEnd { arithmetic, residents, ports, progress, .. } = self;
        let mut moved = arithmetic.foretell(now, |op| residents.foretell(op));
        moved |= arithmetic.write_back(now, |op| residents.write(op, kernel));
        let mut answers = Answers { kernel, residents, progress };
        ports.iter_mut().for_each(|port| moved |= port.answer(&mut answers));
        moved
    }

    /// A port, and what it reaches when it answers behind the core's cycle.
    pub(super) fn answering<'a, P: Port>(&'a mut self, number: u8, kernel: &'a Kernel<'a>) -> (&'a mut P, Answers<'a>) {
        let BackEnd { ports, residents, progress, .. } = self;
        let port: &mut dyn Any = &mut *ports[number as usize];
        let port = port.downcast_mut().expect("a system knows the ports that it made");
        (port, Answers { kernel, residents, progress })
    }

    pub(super) fn execute(&mut self, now: u64, kernel: &Kernel, mem: &mut MemorySystem) -> bool {
        let mut moved = self.arithmetic.step(now, &mut self.collector, &kernel.issue);
        let BackEnd { load_store, ports, residents, .. } = self;
        moved |= load_store.step(now, mem, ports, |event| match event {
            Done::Complete(op) => residents.complete(op, kernel),
            Done::StoreSent { warps, acknowledgements } => {
                warps.warps().for_each(|warp| residents.warps[warp].stores += acknowledgements);
            }
            Done::StoreAck { warps, acknowledgements } => {
                warps.warps().for_each(|warp| residents.warps[warp].stores -= acknowledgements);
            }
            Done::AtomicBack { warp, replies } => residents.atomic_back(warp, replies, kernel),
        });
        if self.load_store.is_free() {
            moved |= self.next_to_head(now, kernel);
        }
        let BackEnd { collector, residents, .. } = self;
        moved | collector.step(now, residents.written, &kernel.issue, |op| residents.bank_turn(op))
    }

    /// Lets the ports drive their pins.
    pub(super) fn drive_ports(&mut self) {
        self.ports.iter_mut().filter(|port| !port.is_idle()).for_each(|port| port.drive());
    }

    /// Next cycle after `now` in which something can move, if nothing moved in this one and nothing comes.
    pub(super) fn next_event(&self, now: u64) -> u64 {
        let collector = self.collector.next_event(now, Path::Memory.index());
        if collector == now + 1 {
            return collector;
        }
        self.arithmetic.next_event(now).min(self.load_store.next_event(now)).min(collector)
    }

    /// A slice does the lanes of an atomic on one sector.
    pub fn do_atomic(&mut self, kernel: &Kernel, request: &Request, memory: &mut Memory) {
        let Tag::Warp { warp, .. } = request.tag else { return };
        let warp = &mut self.residents.warps[WarpId::from_number(warp)];
        let flight = &mut warp.atomic;
        let AccessKind::Atomic(op) = flight.access.kind else { return };
        for lane in (0..WARP_SIZE).filter(|lane| request.atomic.lanes[0] >> lane & 1 == 1) {
            let [a, b] = [flight.access.operands[0][lane], flight.access.operands[1][lane]];
            match exec::atomic::apply(op, flight.access.bytes, memory, flight.access.address[lane], a, b) {
                Ok((old, changed)) => {
                    flight.old[lane] = old;
                    self.progress += u64::from(changed);
                }
                Err(error) => {
                    let cause = Cause::Memory { access: MemoryAccess::Atomic, space: Space::Global, error };
                    let (op, size) = (flight.op, kernel.warp_size);
                    let info = &self.residents.warps[op.part(lane / size).warp].info;
                    let fault = Fault::new(kernel.program, op.pc, info, (lane % size) as u32, cause);
                    self.notices.push(Notice::Fault(fault));
                    return;
                }
            }
        }
    }

    /// Counts cycles that were all like the last one.
    pub(super) fn count_stalls(&mut self, cycles: u64) {
        let Stall { coalescing, resource, l1d, l1c, texture } = self.load_store.stall;
        self.stats.coalescing_stall_cycles += coalescing as u64 * cycles;
        self.stats.resource_stall_cycles += resource as u64 * cycles;
        if let Some(busy) = l1d {
            self.load_store.l1d.count_busy(busy, cycles);
        }
        if let Some(busy) = l1c {
            self.load_store.l1c.count_busy(busy, cycles);
        }
        if let (Some(busy), Some(textures)) = (texture, &mut self.load_store.textures) {
            textures.cache.count_busy(busy, cycles);
        }
    }

    /// Counts cycles in which there were warps, all like the last one.
    pub(super) fn count_outcomes(&mut self, cycles: u64) {
        self.stats.active_cycles += cycles;
        self.stats.warp_slot_cycles += self.config.max_warps as u64 * cycles;
        self.stats.resident_warp_cycles += self.residents.count as u64 * cycles;
        for outcome in &self.outcomes[..self.config.schedulers] {
            outcome.count(&mut self.stats.issue, cycles);
        }
    }

    pub(super) fn count(&self, stats: &mut Stats) {
        stats.core.add(&self.stats);
        stats.core.register_bank_conflicts += self.collector.conflicts;
        stats.l1d.add(&self.load_store.l1d.stats);
        stats.l1c.add(&self.load_store.l1c.stats);
        self.load_store.textures.iter().for_each(|textures| stats.texture.add(&textures.cache.stats));
        self.ports.iter().for_each(|port| port.count(stats));
    }
}
