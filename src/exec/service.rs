//! Does what programs ask for.

use super::context::Context;
use super::dump::Dump;
use super::failure::{half, is_refused, of_launch, word, words, Failure, Status};
use super::machine::{LaunchError, Machine};
use super::properties::{self, MEMORY_BYTES};
use super::report::{LaunchReport, Statistics};
use super::texture;
use super::transfer;
use super::wire::{Append, Fields, Op, Request};
use crate::checks::{CheckOptions, Found};
use crate::exit::Interrupted;
use crate::launch_shape::{self, most_threads};
use anyhow::Result;
use sim::attach::iru::Reorder;
use sim::gpu::{Launch, RunError};
use sim::ptx::program::Program;
use sim::units::iru::Filter;

/// Twins of host memory begin at a page of the host.
const PAGE: u64 = 4096;

/// The device side of all requests.
pub struct Service {
    pub machine: Machine,
    /// Where the counters of each launch go.
    pub statistics: Statistics,
    /// The error that ended the command inside a request: no program could go on.
    pub fatal: Option<anyhow::Error>,
    dump: Option<Dump>,
    checks: CheckOptions,
    /// The findings of the checks.
    pub found: Found,
}

/// A status, 0 for success, and a payload.
pub type Reply = (u32, Vec<u8>);

impl Service {
    /// On this machine.
    pub fn new(machine: Machine, statistics: Statistics, dump: Option<Dump>, checks: CheckOptions) -> Self {
        let found = checks.found();
        Service { machine, statistics, fatal: None, dump, checks, found }
    }

    /// For a process that has connected.
    pub fn context(&self) -> Context {
        let mut context = Context::default();
        self.checks.start(&mut context.memory);
        context
    }

    /// Does it for the program that has this context.
    pub fn answer(&mut self, context: &mut Context, request: &Request) -> Reply {
        let fields = &mut Fields(&request.payload);
        if request.op == Op::Launch {
            return self.launch(context, fields);
        }
        match self.done(context, request.op, fields) {
            Ok(payload) => (0, payload),
            Err(failure) => (failure.status as u32, failure.text.into_bytes()),
        }
    }

    fn done(&mut self, context: &mut Context, op: Op, fields: &mut Fields) -> Result<Vec<u8>, Failure> {
        let mut reply = Vec::new();
        match op {
            Op::Module => reply.u64(context.load(&self.machine.choice.who, fields.rest())?),
            Op::Unload => context.unload(word(fields)?)?,
            Op::Function => self.function(context, word(fields)?, name(fields)?, &mut reply)?,
            Op::Symbol => {
                let (address, bytes) = context.symbol(word(fields)?, name(fields)?)?;
                reply.u64(address);
                reply.u64(bytes);
            }
            Op::Launch => {}
            Op::Alloc => reply.u64(self.alloc(context, word(fields)?, half(fields)? != 0)?),
            Op::Free => context.free(word(fields)?)?,
            Op::Write => transfer::write(&mut self.machine, &mut context.memory, fields)?,
            Op::Read => transfer::read(&context.memory, fields, &mut reply)?,
            Op::Copy => transfer::copy(&mut context.memory, fields)?,
            Op::Set => transfer::set(&mut context.memory, fields)?,
            Op::Properties => reply = properties::payload(&self.machine.choice.config),
            Op::Time => reply.u64(self.machine.time()),
            Op::MemoryInfo => {
                reply.u64(MEMORY_BYTES - context.allocated());
                reply.u64(MEMORY_BYTES);
            }
            Op::Limit => reply.u64(limit(context, fields)?),
            Op::Reset => context.reset(),
            Op::Occupancy => self.occupancy(context, fields, &mut reply)?,
            Op::Worklist => reply.u64(self.machine.worklist_count()),
            Op::Reorder => self.reorder(context, fields)?,
            Op::Texture => texture::bind(&mut context.memory, fields)?,
        }
        Ok(reply)
    }

    fn function(&mut self, context: &mut Context, module: u64, name: &str, reply: &mut Vec<u8>) -> Result<(), Failure> {
        let handle = context.function(module, name)?;
        let constants = context.constant_bytes(module);
        let program = context.kernel(handle)?.0;
        reply.u64(handle);
        let most = self.most_threads(program);
        for value in [program.registers, program.shared_bytes, program.local_bytes, constants, most] {
            reply.u32(value);
        }
        reply.u32(program.param_bytes);
        reply.u32(program.params.len() as u32);
        for param in &program.params {
            reply.u32(param.offset);
            reply.u32(param.bytes);
        }
        Ok(())
    }

    /// Threads that a block of a kernel may have: its registers must fit a core, and it may be compiled for fewer.
    fn most_threads(&self, program: &Program) -> u32 {
        let core = &self.machine.choice.config.core;
        let a_thread = program.registers.next_multiple_of(core.register_allocation).max(core.register_allocation);
        let by_registers = core.registers / a_thread / core.warp_size as u32 * core.warp_size as u32;
        let by_bounds = program.bounds.most_threads().unwrap_or(u32::MAX);
        most_threads(&self.machine.choice.config).min(by_registers).min(by_bounds)
    }

    fn alloc(&mut self, context: &mut Context, bytes: u64, is_twin: bool) -> Result<u64, Failure> {
        let alignment = if is_twin { PAGE } else { self.machine.choice.config.reorder_alignment() };
        context.alloc(bytes, alignment, is_twin)
    }

    fn occupancy(&mut self, context: &mut Context, fields: &mut Fields, reply: &mut Vec<u8>) -> Result<(), Failure> {
        let (handle, threads, shared) = (word(fields)?, half(fields)?, word(fields)?);
        let uses = context.uses;
        let (program, memory) = context.kernel(handle)?;
        let params = vec![0; program.param_bytes as usize];
        let dynamic_shared = u32::try_from(shared).unwrap_or(u32::MAX);
        let launch = Launch { grid: [1; 3], block: [threads, 1, 1], dynamic_shared, params };
        if threads == 0 {
            return Err(Failure::new(Status::InvalidValue, "a block has 1 thread or more"));
        }
        // A block that does not fit a core is no error here.
        let fits = threads <= self.most_threads(program);
        match self.machine.occupancy(memory, uses, program, &launch) {
            Ok(blocks) => reply.u32(if fits { blocks as u32 } else { 0 }),
            Err(LaunchError::Run(RunError::Launch { .. })) => reply.u32(0),
            Err(error) => return Err(self.failure(error)),
        }
        Ok(())
    }

    fn reorder(&mut self, context: &mut Context, fields: &mut Fields) -> Result<(), Failure> {
        let [target, element_bytes, indices, secondary, count] = words(fields)?;
        let filter = match half(fields)? {
            0 => Filter::None,
            1 => Filter::Minimum,
            2 => Filter::Addition,
            _ => return Err(Failure::malformed()),
        };
        let secondary = (secondary != 0).then_some(secondary);
        let reorder = Reorder { target, element_bytes, indices, secondary, count, filter };
        let uses = context.uses;
        let configured = self.machine.configure_iru(&mut context.memory, uses, reorder);
        configured.map_err(|error| Failure::new(Status::InvalidValue, format!("{error:#}")))
    }

    /// The reply has what kernels print, and behind it what is to be said of the launch.
    fn launch(&mut self, context: &mut Context, fields: &mut Fields) -> Reply {
        let outcome = self.launched(context, fields);
        let printed = context.memory.output.take();
        self.found.take(self.machine.launches(), &mut context.memory);
        let (status, text) = match outcome {
            Err(failure) => (failure.status as u32, failure.text),
            Ok(()) if printed.lost > 0 => (0, lost(printed.lost, context.memory.output.limit())),
            Ok(()) => (0, String::new()),
        };
        let mut payload = Vec::new();
        payload.u32(printed.text.len() as u32);
        payload.extend(printed.text);
        payload.extend(text.into_bytes());
        (status, payload)
    }

    fn launched(&mut self, context: &mut Context, fields: &mut Fields) -> Result<(), Failure> {
        let handle = word(fields)?;
        let grid = fields.dimensions().ok_or_else(Failure::malformed)?;
        let block = fields.dimensions().ok_or_else(Failure::malformed)?;
        let launch = Launch { grid, block, dynamic_shared: half(fields)?, params: fields.rest().to_vec() };
        let uses = context.uses;
        self.machine.set_stack_limit(context.limits.stack());
        if let Some(dump) = self.dump.as_ref().filter(|dump| dump.number == self.machine.launches() + 1) {
            context.kernel(handle)?;
            let written = dump.write(context, &self.machine.choice.config, handle, &launch);
            written.unwrap_or_else(|error| self.fatal = Some(error));
        }
        let (program, memory) = context.kernel(handle)?;
        if let Some(fault) = launch_shape::fault(&self.machine.choice.config, grid, block) {
            let text = format!("kernel `{}`: {fault}", crate::plain_name::plain_name(&program.name));
            return Err(Failure::new(Status::InvalidConfiguration, text));
        }
        let outcome = self.machine.launch(memory, uses, program, &launch);
        match outcome {
            Ok(done) => {
                let report = LaunchReport::new(self.machine.launches(), program, &launch, &done);
                let written = self.statistics.write(&report);
                written.unwrap_or_else(|error| self.fatal = Some(error));
                Ok(())
            }
            Err(error) => Err(self.failure(error)),
        }
    }

    fn failure(&mut self, error: LaunchError) -> Failure {
        let number = self.machine.launches();
        match error {
            LaunchError::Run(error @ RunError::Interrupted { .. }) => {
                self.fatal = Some(Interrupted(format!("\n{error}")).into());
                Failure::new(Status::LaunchFailure, "interrupted")
            }
            LaunchError::Run(error) => {
                let refused = if is_refused(&error) { " is refused" } else { "" };
                Failure::new(of_launch(&error), format!("launch {number}{refused}: {error}"))
            }
            LaunchError::Units(error) => {
                let text = format!("{error:#}");
                self.fatal = Some(error);
                Failure::new(Status::LaunchFailure, text)
            }
        }
    }
}

fn lost(calls: u64, limit: usize) -> String {
    format!("the text of {calls} calls of printf is lost: the buffer has {limit} bytes (cudaLimitPrintfFifoSize)")
}

fn limit(context: &mut Context, fields: &mut Fields) -> Result<u64, Failure> {
    let (number, sets, value) = (half(fields)?, half(fields)? != 0, word(fields)?);
    if sets {
        context.limits.set(&mut context.memory, number, value)?;
    }
    context.limits.get(number)
}

fn name<'a>(fields: &mut Fields<'a>) -> Result<&'a str, Failure> {
    std::str::from_utf8(fields.rest()).map_err(|_| Failure::malformed())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::machine::Choice;
    use crate::limits::Limits;
    use sim::config::Config;
    use sim::ptx::address_map::{HEAP_BASE, STATICS_BASE};
    use testbench::in_gpu::Implementation;

    const PTX: &str =
        ".version 6.0\n.target sm_35\n.address_size 64\n.global .align 4 .u32 g = 7;\n.const .align 4 .u32 c = 5;
        .visible .entry k(.param .u64 out) { .reg .b32 %r; .reg .b64 %rd; ld.param.u64 %rd, [out]; ld.const.u32 %r, [c];
        st.global.u32 [%rd], %r; ret; }";

    fn service() -> Service {
        let choice = Choice {
            config: Config::preset("hwwl-micro14").unwrap(),
            units: Implementation::Behavioural,
            seed: 1,
            attached: vec![],
            evidence: "out".into(),
            limits: Limits::default(),
            who: "prog".into(),
            detailed: 1..=u64::MAX,
            user_unit: None,
        };
        let machine = Machine::new(choice, Default::default(), false);
        Service::new(machine, Statistics::default(), None, CheckOptions::default())
    }

    fn payload(words: &[u64], halves: &[u32], rest: &[u8]) -> Vec<u8> {
        let mut payload = Vec::new();
        words.iter().for_each(|word| payload.u64(*word));
        halves.iter().for_each(|half| payload.u32(*half));
        payload.extend(rest);
        payload
    }

    /// The number that a good reply begins with.
    fn asks(service: &mut Service, context: &mut Context, op: Op, payload: Vec<u8>) -> u64 {
        let (status, reply) = service.answer(context, &Request { op, payload });
        assert_eq!(status, 0, "{op:?}: {}", String::from_utf8_lossy(&reply));
        Fields(&reply).u64().unwrap_or_default()
    }

    #[test]
    fn a_kernel_sees_the_constant_that_the_host_wrote_last() {
        let (mut service, mut context) = (service(), Context::default());
        let module = asks(&mut service, &mut context, Op::Module, PTX.into());
        let function = asks(&mut service, &mut context, Op::Function, payload(&[module], &[], b"k"));
        let constant = asks(&mut service, &mut context, Op::Symbol, payload(&[module], &[], b"c"));
        let out = asks(&mut service, &mut context, Op::Alloc, payload(&[4], &[0], &[]));
        let read = || Request { op: Op::Read, payload: payload(&[out, 4, 4, 1], &[], &[]) };
        for value in [5u32, 1234, 77] {
            let write = payload(&[constant, 4, 4, 1], &[], &value.to_le_bytes());
            if value != 5 {
                asks(&mut service, &mut context, Op::Write, write);
            }
            let launch = payload(&[function], &[1, 1, 1, 1, 1, 1, 0], &out.to_le_bytes());
            asks(&mut service, &mut context, Op::Launch, launch);
            assert_eq!(service.answer(&mut context, &read()).1, value.to_le_bytes());
        }
        asks(&mut service, &mut context, Op::Reset, vec![]);
        assert_eq!(service.answer(&mut context, &read()).0, Status::InvalidValue as u32, "the memory is gone");
    }

    /// Whatever a program sends, the answer is a number and a text.
    #[test]
    fn no_request_brings_the_server_down() {
        const OPS: [Op; 18] = [
            Op::Unload,
            Op::Function,
            Op::Symbol,
            Op::Launch,
            Op::Alloc,
            Op::Free,
            Op::Write,
            Op::Read,
            Op::Copy,
            Op::Set,
            Op::Properties,
            Op::Time,
            Op::MemoryInfo,
            Op::Limit,
            Op::Reset,
            Op::Occupancy,
            Op::Worklist,
            Op::Texture,
        ];
        const WORDS: [u64; 12] =
            [0, 1, 2, 4, 300, 4096, STATICS_BASE, HEAP_BASE, HEAP_BASE + 256, 1 << 40, u64::MAX, u64::MAX - 255];
        let (mut service, mut context) = (service(), Context::default());
        asks(&mut service, &mut context, Op::Module, PTX.into());
        asks(&mut service, &mut context, Op::Function, payload(&[0], &[], b"k"));
        let mut state = 1u64;
        let mut random = |most: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % most
        };
        for _ in 0..30_000 {
            let mut bytes: Vec<u8> = (0..random(12)).flat_map(|_| WORDS[random(WORDS.len())].to_le_bytes()).collect();
            bytes.truncate(bytes.len().saturating_sub(random(9)));
            // Real memory for some GiB takes its time.
            let is_large = Fields(&bytes).u64().is_some_and(|bytes| (1 << 20..=MEMORY_BYTES).contains(&bytes));
            let op = Some(OPS[random(OPS.len())]).filter(|op| *op != Op::Alloc || !is_large).unwrap_or(Op::Free);
            let (status, reply) = service.answer(&mut context, &Request { op, payload: bytes });
            assert!(status == 0 || op == Op::Launch || std::str::from_utf8(&reply).is_ok());
            assert!(service.fatal.is_none());
        }
    }
}
