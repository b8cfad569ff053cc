//! The load-store unit: one instruction at its head, constant cache, shared memory, texture cache, L1 data cache behind a fixed latency.
//!
//! The head stays until all its requests have been sent, and everything behind it waits. Requests go one a cycle into a shift
//! register in front of the L1's tags; a look-up that finds no line, MSHR or queue entry blocks the shift register. Atomics
//! go past the L1, and so do all accesses to global memory if the configuration says so. Loads that hit write their register at once, others through one write-back port.

use super::coalescer::{BankWords, Segments};
use super::in_flight::{InFlight, Members};
use super::port::{Head, Port};
use super::warp_set::WarpId;
use crate::config::{Config, GlobalAccesses, TextureCache};
use crate::mem::cache::{Busy, Cache, Outcome};
use crate::mem::request::{Kind, Request, Tag};
use crate::mem::system::MemorySystem;
use crate::ptx::isa::WARP_SIZE;
use std::collections::VecDeque;

/// Most requests that an instruction can make: 32 lanes of 16 bytes in local memory.
const REQUESTS: usize = 128;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Nothing to access: a fence, or no lane takes part.
    Nothing,
    /// The constant cache.
    Constant,
    /// The texture cache.
    Texture,
    /// Cycles that the banks are busy.
    Shared { cycles: u64 },
    /// Global or local memory.
    Memory,
    /// These lanes of it are handed on to a port; the registers of each that wait for its answer.
    Port { port: u8, lanes: u32, results: u8 },
}

/// An instruction for the unit, made at issue.
#[derive(Clone, Debug)]
pub struct Instruction {
    pub op: InFlight,
    pub target: Target,
    pub load: bool,
    pub atomic: bool,
    pub local: bool,
    /// Operands for a port, by lane.
    pub operands: [[u32; WARP_SIZE]; 2],
    /// Still to be sent; the last one goes first.
    pub requests: Vec<Request>,
    /// The words of an access to shared memory without conflicts.
    pub banks: BankWords,
    /// The parts of a load that wait for one of these requests, one bit each.
    waiting: u8,
}

/// A load whose data has not all come. Each part of its instruction goes on when its own has.
#[derive(Clone, Copy, Debug)]
struct Load {
    op: InFlight,
    /// Requests, for each part.
    pending: [u32; 2],
}

/// A load, and the parts of its instruction that one of its requests is for, one bit each: see [`Tag::Load`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoadTag {
    load: u32,
    parts: u8,
}

#[derive(Clone, Copy, Debug)]
struct Lookup {
    at: u64,
    request: Request,
    /// A load of the same line, which came to the head with this one.
    also: Option<LoadTag>,
    local: bool,
}

/// The warps that sent a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Senders {
    warp: WarpId,
    both: bool,
}

impl Senders {
    pub fn warps(self) -> impl Iterator<Item = WarpId> {
        let odd = self.both.then(|| self.warp.neighbour(1));
        [Some(self.warp), odd].into_iter().flatten()
    }
}

/// Messages of the unit to the core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Done {
    /// The instruction is over: its registers are written.
    Complete(InFlight),
    /// A store has left for memory; so many acknowledgements will come.
    StoreSent { warps: Senders, acknowledgements: u32 },
    /// This many acknowledgements have come.
    StoreAck { warps: Senders, acknowledgements: u32 },
    /// So many replies of an atomic have come.
    AtomicBack { warp: WarpId, replies: u32 },
}

/// Why nothing moved, for the counters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stall {
    pub coalescing: bool,
    pub resource: bool,
    pub l1d: Option<Busy>,
    pub l1c: Option<Busy>,
    pub texture: Option<Busy>,
}

/// The texture cache: one look-up a cycle.
pub struct Textures {
    pub cache: Cache<LoadTag>,
    line_bytes: u64,
    latency: u64,
    /// Look-ups that hit, with the cycle in which the texels are there.
    hits: VecDeque<(u64, LoadTag)>,
}

impl Textures {
    fn new(core: usize, config: &TextureCache) -> Self {
        let (line_bytes, latency) = (config.line_bytes, config.latency as u64);
        let hits = VecDeque::with_capacity(config.latency + 1);
        Textures { cache: Cache::new(core, Kind::Texture, config.into()), line_bytes, latency, hits }
    }

    fn is_idle(&self) -> bool {
        self.hits.is_empty() && self.cache.is_idle()
    }
}

pub struct LoadStore {
    pub l1d: Cache<LoadTag>,
    pub l1c: Cache<LoadTag>,
    /// Without it fetches go through the L1.
    pub textures: Option<Textures>,
    pub segments: Segments,
    bypass: bool,
    latency: usize,
    shared_latency: u64,
    instructions: Vec<Instruction>,
    free_instructions: Vec<u16>,
    loads: Vec<Load>,
    free_loads: Vec<u32>,
    /// Head, with the cycle from which it can leave (bank conflicts of shared memory).
    head: Option<(u16, u64)>,
    /// The instruction that is served with the head.
    beside: Option<u16>,
    /// Instructions that the head and the write-back port serve in a cycle.
    accesses: usize,
    pipe: VecDeque<Lookup>,
    shared: VecDeque<(u64, InFlight)>,
    /// Waiting for the write-back port: a load that got one of its requests, or a reply of an atomic.
    write_back: Option<WriteBack>,
    /// The second one of the same client, written in the same cycle.
    write_back_beside: Option<WriteBack>,
    /// Reply to what went past the L1.
    global: Option<Request>,
    next_client: usize,
    responses: VecDeque<Request>,
    /// Why the L1 refused the look-up at the front of the pipe: it will again until something here has moved.
    refused: Option<Busy>,
    pub stall: Stall,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WriteBack {
    Load(LoadTag),
    /// A load from shared memory.
    Shared(InFlight),
    /// An atomic of this warp, with the replies that are still missing.
    Atomic {
        warp: WarpId,
        replies: u32,
    },
    /// A message for a port.
    Message {
        port: u8,
        text: u32,
    },
}

const RESPONSES: usize = 2;
/// Clients of the write-back port.
const CLIENTS: usize = 5;
/// The client with replies to what went past the L1.
const BEYOND: usize = 2;

impl LoadStore {
    pub fn new(core: usize, config: &Config) -> Self {
        let d = &config.l1d;
        let instructions = 2 * config.core.mem_width + config.core.mem_collectors + 1 + config.core.mem_accesses;
        let instruction = || Instruction {
            op: InFlight::default(),
            target: Target::Nothing,
            load: false,
            atomic: false,
            local: false,
            operands: [[0; WARP_SIZE]; 2],
            requests: Vec::with_capacity(REQUESTS),
            banks: BankWords::default(),
            waiting: 0,
        };
        LoadStore {
            l1d: Cache::new(core, Kind::Read, d.into()),
            l1c: Cache::new(core, Kind::Constant, (&config.l1c).into()),
            textures: config.texture.as_ref().map(|texture| Textures::new(core, texture)),
            segments: Segments::new(config),
            bypass: d.global_accesses == GlobalAccesses::Bypass || config.memory.perfect,
            latency: d.latency,
            shared_latency: config.shared.latency,
            instructions: (0..instructions).map(|_| instruction()).collect(),
            free_instructions: (0..instructions as u16).rev().collect(),
            loads: Vec::with_capacity(1024),
            free_loads: Vec::with_capacity(1024),
            head: None,
            beside: None,
            accesses: config.core.mem_accesses,
            pipe: VecDeque::with_capacity(d.latency),
            shared: VecDeque::with_capacity(config.shared.latency as usize + 1),
            write_back: None,
            write_back_beside: None,
            global: None,
            next_client: 0,
            responses: VecDeque::with_capacity(RESPONSES),
            refused: None,
            stall: Stall::default(),
        }
    }

    /// Room for what an instruction at issue needs; to be filled in by the caller and sent on as the `entry` of its [`InFlight`].
    /// There is one for each place on the way to the head.
    pub fn prepare(&mut self) -> Option<(u16, &mut Instruction)> {
        let entry = self.free_instructions.pop()?;
        Some((entry, &mut self.instructions[entry as usize]))
    }

    /// The instruction that was [prepared](LoadStore::prepare).
    pub fn instruction(&mut self, entry: u16) -> &mut Instruction {
        &mut self.instructions[entry as usize]
    }

    fn release(&mut self, entry: u16) {
        self.free_instructions.push(entry);
    }

    /// Bytes of a line of the texture cache, if there is one.
    pub fn texture_line(&self) -> Option<u64> {
        self.textures.as_ref().map(|textures| textures.line_bytes)
    }

    /// The next instruction can come to the head.
    pub fn is_free(&self) -> bool {
        self.head.is_none()
    }

    /// An instruction comes to the head; it is looked at from the next cycle on.
    pub fn issue(&mut self, now: u64, op: InFlight) {
        let cycles = match self.instructions[op.entry as usize].target {
            Target::Shared { cycles } => cycles,
            _ => 1,
        };
        self.register(op);
        self.head = Some((op.entry, now + cycles));
    }

    /// The instruction behind the one that comes to the head can be served with it: both access shared memory in one cycle
    /// without conflicts, or load from one and the same line.
    pub fn go_together(&self, first: InFlight, next: InFlight) -> bool {
        let [first, next] = [first, next].map(|op| &self.instructions[op.entry as usize]);
        let alike = first.load == next.load && !first.atomic && !next.atomic;
        alike
            && match (first.target, next.target) {
                (Target::Shared { cycles: 1 }, Target::Shared { cycles: 1 }) => first.banks.agrees(&next.banks),
                (Target::Memory, Target::Memory) => first.local == next.local && self.is_one_line(first, next),
                (Target::Constant, Target::Constant) => self.is_one_line(first, next),
                _ => false,
            }
    }

    /// Both load from one line, through a cache.
    fn is_one_line(&self, first: &Instruction, next: &Instruction) -> bool {
        match (first.requests.as_slice(), next.requests.as_slice()) {
            ([a], [b]) => {
                let cached = first.target == Target::Constant || first.local || !self.bypass;
                first.load && cached && a.address == b.address && a.bytes == b.bytes
            }
            _ => false,
        }
    }

    /// The instruction goes with the one that has come to the head.
    pub fn join_head(&mut self, op: InFlight) {
        self.register(op);
        self.beside = Some(op.entry);
    }

    /// The data that a load waits for.
    fn register(&mut self, op: InFlight) {
        let instruction = &mut self.instructions[op.entry as usize];
        instruction.waiting = 0;
        if instruction.load && !instruction.atomic && !instruction.requests.is_empty() {
            let number = self.free_loads.pop().unwrap_or(self.loads.len() as u32);
            let mut pending = [0; 2];
            for request in &mut instruction.requests {
                if let Tag::Load { load, parts } = &mut request.tag {
                    *load = number;
                    instruction.waiting |= *parts;
                    (0..2).for_each(|part| pending[part] += u32::from(*parts >> part & 1));
                }
            }
            let load = Load { op, pending };
            match self.loads.get_mut(number as usize) {
                Some(free) => *free = load,
                None => self.loads.push(load),
            }
        }
    }

    /// A reply from the network can be taken.
    pub fn can_receive(&self) -> bool {
        self.responses.len() < RESPONSES
    }

    pub fn receive(&mut self, reply: Request) {
        self.responses.push_back(reply);
    }

    /// One request of a load has its data.
    fn arrive(&mut self, tag: LoadTag, done: &mut impl FnMut(Done)) {
        let load = &mut self.loads[tag.load as usize];
        for part in (0..2).filter(|part| tag.parts >> part & 1 == 1) {
            load.pending[part] -= 1;
            if load.pending[part] == 0 {
                done(Done::Complete(load.op.part(part)));
            }
        }
        if load.pending == [0, 0] {
            self.free_loads.push(tag.load);
        }
    }

    /// One cycle. True if anything moved; if not, nothing will before [`LoadStore::next_event`] or a reply.
    pub fn step(
        &mut self,
        now: u64,
        mem: &mut MemorySystem,
        ports: &mut [Box<dyn Port>],
        mut done: impl FnMut(Done),
    ) -> bool {
        self.stall = Stall::default();
        let mut moved = self.step_write_back(now, ports, &mut done);
        moved |= self.respond(&mut done);
        moved |= send(&mut self.l1c, mem);
        moved |= send(&mut self.l1d, mem);
        moved |= self.step_textures(now, mem, &mut done);
        if moved {
            self.refused = None;
        }
        moved |= self.look_up(now, &mut done);
        moved |= self.step_head(now, mem, ports, &mut done);
        if self.accesses > 1 && self.head.is_some_and(|(_, at)| at == 0) {
            self.step_head(now, mem, ports, &mut done);
        }
        moved
    }

    /// Texels that a look-up has found; a miss on its way.
    fn step_textures(&mut self, now: u64, mem: &mut MemorySystem, done: &mut impl FnMut(Done)) -> bool {
        let Some(textures) = &mut self.textures else { return false };
        let sent = send(&mut textures.cache, mem);
        let Some((_, tag)) = textures.hits.pop_front_if(|(at, _)| *at <= now) else { return sent };
        self.arrive(tag, done);
        true
    }

    fn step_write_back(&mut self, now: u64, ports: &mut [Box<dyn Port>], done: &mut impl FnMut(Done)) -> bool {
        let before = self.write_back.take();
        for written in before.into_iter().chain(self.write_back_beside.take()) {
            match written {
                WriteBack::Load(tag) => self.arrive(tag, done),
                WriteBack::Shared(op) => done(Done::Complete(op)),
                WriteBack::Atomic { warp, replies } => done(Done::AtomicBack { warp, replies }),
                WriteBack::Message { port, text } => ports[port as usize].receive(text),
            }
        }
        let waiting = self.write_backs(now);
        if waiting == 0 {
            return before.is_some();
        }
        let behind = waiting & (u32::MAX << self.next_client);
        let client = if behind == 0 { waiting } else { behind }.trailing_zeros() as usize;
        self.write_back = self.next_of(client);
        if self.accesses > 1 && client != BEYOND && self.write_backs(now) >> client & 1 == 1 {
            self.write_back_beside = self.next_of(client);
        }
        self.next_client = (client + 1) % CLIENTS;
        true
    }

    /// Takes what a client has for the write-back port.
    fn next_of(&mut self, client: usize) -> Option<WriteBack> {
        match client {
            0 => self.shared.pop_front().map(|(_, op)| WriteBack::Shared(op)),
            1 => self.l1c.take_ready().map(WriteBack::Load),
            BEYOND => self.global.take().and_then(|reply| match reply.tag {
                Tag::Load { load, parts } => Some(WriteBack::Load(LoadTag { load, parts })),
                Tag::Message { port, text, .. } => Some(WriteBack::Message { port, text }),
                Tag::Warp { warp, .. } => {
                    Some(WriteBack::Atomic { warp: WarpId::from_number(warp), replies: reply.replies() as u32 })
                }
                Tag::Line | Tag::Port { .. } | Tag::Beside(_) => None,
            }),
            3 => self.l1d.take_ready().map(WriteBack::Load),
            _ => self.textures.as_mut().and_then(|t| t.cache.take_ready()).map(WriteBack::Load),
        }
    }

    /// Who has something for the write-back port, one bit each: shared memory, constants, what went past the L1, the L1, textures.
    #[inline(always)]
    fn write_backs(&self, now: u64) -> u32 {
        let shared = self.shared.front().is_some_and(|(at, _)| *at <= now);
        let textures = self.textures.as_ref().is_some_and(|textures| textures.cache.has_ready());
        let clients = [shared, self.l1c.has_ready(), self.global.is_some(), self.l1d.has_ready(), textures];
        (0..CLIENTS).fold(0, |bits, client| bits | (clients[client] as u32) << client)
    }

    fn respond(&mut self, done: &mut impl FnMut(Done)) -> bool {
        let Some(reply) = self.responses.front().copied() else { return false };
        match reply.kind {
            Kind::Constant => self.l1c.fill(reply.address),
            Kind::Texture => self.textures.iter_mut().for_each(|textures| textures.cache.fill(reply.address)),
            Kind::Write => store_acknowledged(&reply, done),
            Kind::Atomic | Kind::Uncached | Kind::Message if self.global.is_some() => return false,
            Kind::Atomic | Kind::Uncached | Kind::Message => self.global = Some(reply),
            _ => self.l1d.fill(reply.address),
        }
        self.responses.pop_front();
        true
    }

    fn look_up(&mut self, now: u64, done: &mut impl FnMut(Done)) -> bool {
        if self.refused.is_some() {
            self.stall.l1d = self.refused;
            return false;
        }
        let Some(Lookup { request, local, also, .. }) = self.pipe.front().filter(|l| l.at <= now).copied() else {
            return false;
        };
        let load = load_tag(&request);
        let outcome = match (load, local) {
            (Some(tag), _) => self.l1d.read(request.address, tag),
            (None, true) => self.l1d.write_back(request),
            (None, false) => self.l1d.write_through(request),
        };
        match (outcome, load) {
            (Outcome::Busy(busy), _) => {
                self.refused = Some(busy);
                self.stall.l1d = self.refused;
                return false;
            }
            (Outcome::Hit, Some(tag)) => self.arrive(tag, done),
            // A local store that stays here goes no further: nobody else will acknowledge it.
            (Outcome::Hit | Outcome::Allocated, _) if local => store_acknowledged(&request, done),
            (Outcome::Hit | Outcome::Allocated | Outcome::Miss, _) => {}
        }
        if let Some(also) = also {
            return self.look_up_also(now, also, done);
        }
        self.end_look_up(now);
        true
    }

    /// The second load of a line that was looked up. Without room for it it stays, alone.
    fn look_up_also(&mut self, now: u64, also: LoadTag, done: &mut impl FnMut(Done)) -> bool {
        let Some(front) = self.pipe.front_mut() else { return false };
        front.request.tag = Tag::Load { load: also.load, parts: also.parts };
        front.also = None;
        match self.l1d.read(front.request.address, also) {
            Outcome::Busy(_) => return true,
            Outcome::Hit => self.arrive(also, done),
            Outcome::Allocated | Outcome::Miss => {}
        }
        self.end_look_up(now);
        true
    }

    fn end_look_up(&mut self, now: u64) {
        self.pipe.pop_front();
        if let Some(next) = self.pipe.front_mut() {
            next.at = next.at.max(now + 1);
        }
    }

    fn step_head(
        &mut self,
        now: u64,
        mem: &mut MemorySystem,
        ports: &mut [Box<dyn Port>],
        done: &mut impl FnMut(Done),
    ) -> bool {
        let Some((entry, at)) = self.head.filter(|(_, at)| *at <= now) else { return false };
        let instruction = &self.instructions[entry as usize];
        let op = instruction.op;
        let moved = match instruction.target {
            Target::Nothing => true,
            Target::Port { port, lanes, results } => {
                let request = instruction.requests.last().copied();
                let head = Head { op, lanes, results, operands: &instruction.operands, request };
                let taken = ports[port as usize].take(&head, mem);
                self.stall.resource = !taken;
                if taken {
                    self.leave(entry);
                }
                return taken;
            }
            Target::Shared { .. } => return self.shared_head(now, at, entry, done),
            Target::Constant => self.constant_request(entry, done),
            Target::Texture => self.texture_request(now, entry),
            Target::Memory if self.is_direct(entry) => self.direct_request(entry, mem, done),
            Target::Memory => self.memory_request(now, entry, done),
        };
        let instruction = &self.instructions[entry as usize];
        if !instruction.requests.is_empty() {
            (self.stall.coalescing, self.stall.resource) = (moved, !moved);
            return moved;
        }
        // Loads end when their data has come; what has nothing to wait for ends here.
        if let Some(op) = without_data(op, instruction.waiting).filter(|_| !instruction.atomic) {
            done(Done::Complete(op));
        }
        self.leave(entry);
        true
    }

    /// The instruction leaves the head to the one that is served with it.
    fn leave(&mut self, entry: u16) {
        self.head = self.beside.take().map(|beside| (beside, 0));
        self.release(entry);
    }

    fn shared_head(&mut self, now: u64, at: u64, entry: u16, done: &mut impl FnMut(Done)) -> bool {
        let instruction = &self.instructions[entry as usize];
        if !instruction.load {
            done(Done::Complete(instruction.op));
        } else {
            // The last stage is free once the load in front has gone on.
            if self.shared.len() > self.shared_latency as usize * self.accesses {
                self.stall.resource = true;
                return false;
            }
            self.shared.push_back((at.max(now) + self.shared_latency, instruction.op));
        }
        self.leave(entry);
        true
    }

    fn constant_request(&mut self, entry: u16, done: &mut impl FnMut(Done)) -> bool {
        let instruction = &mut self.instructions[entry as usize];
        let Some((request, tag)) = instruction.requests.last().and_then(with_load_tag) else { return true };
        match self.l1c.read(request.address, tag) {
            Outcome::Busy(busy) => {
                self.stall.l1c = Some(busy);
                return false;
            }
            outcome => {
                instruction.requests.pop();
                if outcome == Outcome::Hit {
                    self.arrive(tag, done);
                }
            }
        }
        true
    }

    fn texture_request(&mut self, now: u64, entry: u16) -> bool {
        let instruction = &mut self.instructions[entry as usize];
        let request = instruction.requests.last().and_then(with_load_tag);
        let (Some((request, tag)), Some(textures)) = (request, &mut self.textures) else { return true };
        match textures.cache.read(request.address, tag) {
            Outcome::Busy(busy) => {
                self.stall.texture = Some(busy);
                return false;
            }
            Outcome::Hit => textures.hits.push_back((now + textures.latency, tag)),
            Outcome::Miss | Outcome::Allocated => {}
        }
        instruction.requests.pop();
        true
    }

    /// The instruction's requests go past the L1.
    fn is_direct(&self, entry: u16) -> bool {
        let instruction = &self.instructions[entry as usize];
        let memory = instruction.target == Target::Memory;
        memory && (instruction.atomic || (self.bypass && !instruction.local))
    }

    fn direct_request(&mut self, entry: u16, mem: &mut MemorySystem, done: &mut impl FnMut(Done)) -> bool {
        let instruction = &mut self.instructions[entry as usize];
        let Some(mut request) = instruction.requests.last().copied() else { return true };
        if !mem.has_room(&request) {
            return false;
        }
        instruction.requests.pop();
        match request.kind {
            Kind::Read => request.kind = Kind::Uncached,
            Kind::Write => store_sent(&request, done),
            _ => {}
        }
        mem.send(request);
        true
    }

    fn memory_request(&mut self, now: u64, entry: u16, done: &mut impl FnMut(Done)) -> bool {
        let instruction = &mut self.instructions[entry as usize];
        if instruction.requests.is_empty() {
            return true;
        }
        if self.pipe.len() >= self.latency {
            return false;
        }
        let Some(request) = instruction.requests.pop() else { return true };
        if request.kind == Kind::Write {
            store_sent(&request, done);
        }
        let local = instruction.local;
        let beside = self.beside.and_then(|beside| self.instructions[beside as usize].requests.pop());
        let also = beside.as_ref().and_then(load_tag);
        self.pipe.push_back(Lookup { at: now + self.latency as u64, request, also, local });
        true
    }

    /// Next cycle after `now` in which something can move, if nothing moved in this one and nothing comes.
    pub fn next_event(&self, now: u64) -> u64 {
        // These wait for the network, which says nothing when it has room again.
        let misses = self.textures.as_ref().is_some_and(|textures| !textures.cache.outgoing.is_empty());
        let network = !self.l1d.outgoing.is_empty() || !self.l1c.outgoing.is_empty() || misses;
        let direct = self.head.is_some_and(|(entry, _)| {
            self.is_direct(entry) || matches!(self.instructions[entry as usize].target, Target::Port { .. })
        });
        if network || direct || !self.responses.is_empty() || self.write_back.is_some() {
            return now + 1;
        }
        let head = self.head.map_or(u64::MAX, |(_, at)| at);
        let pipe = self.pipe.front().map_or(u64::MAX, |l| l.at);
        let shared = self.shared.front().map_or(u64::MAX, |(at, _)| *at);
        let texels = self.textures.as_ref().and_then(|textures| textures.hits.front()).map_or(u64::MAX, |(at, _)| *at);
        [head, pipe, shared, texels].into_iter().filter(|at| *at > now).min().unwrap_or(u64::MAX)
    }

    pub fn is_idle(&self) -> bool {
        self.head.is_none()
            && self.pipe.is_empty()
            && self.shared.is_empty()
            && self.write_back.is_none()
            && self.global.is_none()
            && self.responses.is_empty()
            && self.l1d.is_idle()
            && self.l1c.is_idle()
            && self.textures.as_ref().is_none_or(Textures::is_idle)
    }
}

/// The part of an instruction that waits for no data, given those that do: of two neighbours it can be one, whose lanes access nothing
/// or are in other memories than those of the other one.
fn without_data(op: InFlight, waiting: u8) -> Option<InFlight> {
    match (op.members, waiting) {
        (_, 0) => Some(op),
        (Members::Two, 0b01) => Some(op.part(1)),
        (Members::Two, 0b10) => Some(op.part(0)),
        _ => None,
    }
}

fn load_tag(request: &Request) -> Option<LoadTag> {
    let Tag::Load { load, parts } = request.tag else { return None };
    Some(LoadTag { load, parts })
}

fn with_load_tag(request: &Request) -> Option<(&Request, LoadTag)> {
    Some((request, load_tag(request)?))
}

/// The senders of a store, and how many acknowledgements it takes.
fn senders(request: &Request) -> Option<(Senders, u32)> {
    let Tag::Warp { warp, both } = request.tag else { return None };
    Some((Senders { warp: WarpId::from_number(warp), both }, request.replies() as u32))
}

fn store_sent(request: &Request, done: &mut impl FnMut(Done)) {
    senders(request)
        .into_iter()
        .for_each(|(warps, acknowledgements)| done(Done::StoreSent { warps, acknowledgements }));
}

fn store_acknowledged(request: &Request, done: &mut impl FnMut(Done)) {
    senders(request).into_iter().for_each(|(warps, acknowledgements)| done(Done::StoreAck { warps, acknowledgements }));
}

/// Sends one request of a cache to the network.
pub fn send<T>(cache: &mut Cache<T>, mem: &mut MemorySystem) -> bool {
    match cache.outgoing.front() {
        Some(request) if mem.has_room(request) => {
            mem.send(*request);
            cache.outgoing.pop_front();
            true
        }
        _ => false,
    }
}
