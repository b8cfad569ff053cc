//! State of one program on the GPU: its memory, its modules and their kernels.

use super::device_limits::Limits;
use super::failure::{Failure, Status};
use super::properties::MEMORY_BYTES;
use sim::attach::Uses;
use sim::exec::Memory;
use sim::ptx::isa::Space;
use sim::ptx::module::Places;
use sim::ptx::program::Program;
use sim::ptx::Module;
use std::collections::HashSet;

/// Constant variables of a module begin at a multiple of this many bytes.
const BANK_ALIGNMENT: usize = 256;
/// Bytes of host memory that the device may have twins of.
const MOST_TWINS: u64 = 16 << 30;
/// Words of PTX that only a kernel with a hardware unit has.
const UNIT_WORDS: [&str; 5] = ["wlinit", "wlcfg", "wlpush", "wlpull", "load_iru"];

/// Memory, modules and kernels of a program.
#[derive(Default)]
pub struct Context {
    pub memory: Memory,
    /// By their handles.
    modules: Vec<Loaded>,
    functions: Vec<Kernel>,
    /// The constant variables of all modules, as kernels see them.
    bank: Vec<u8>,
    /// Bytes that the program has allocated.
    allocated: u64,
    /// Allocations that do not count: twins of host memory.
    twins: HashSet<u64>,
    twin_bytes: u64,
    /// The systems that all kernels use.
    pub uses: Uses,
    pub limits: Limits,
}

struct Loaded {
    module: Module,
    text: String,
    /// Where its constant variables are in the bank.
    bank: usize,
    /// Where they are in memory, for the host, and for pointers to them.
    constants: u64,
    unloaded: bool,
}

struct Kernel {
    module: usize,
    program: Program,
}

impl Context {
    /// Parses a module and places its variables. Gives its handle.
    pub fn load(&mut self, who: &str, ptx: &[u8]) -> Result<u64, Failure> {
        let invalid = |text: &dyn std::fmt::Display| Failure::new(Status::InvalidPtx, text);
        let text = std::str::from_utf8(ptx).map_err(|error| invalid(&error))?;
        let name = format!("{who}, module {}", self.modules.len() + 1);
        let bank = self.bank.len().next_multiple_of(BANK_ALIGNMENT);
        let places = Places { statics: self.memory.statics_end(), constants: bank as u64 };
        let module = Module::parse_at(&name, text, places).map_err(|error| invalid(&error))?;
        self.memory.add_statics(module.statics());
        let constants = self.memory.statics_end();
        self.memory.add_statics(module.constants());
        self.bank.resize(bank, 0);
        self.bank.extend(module.constants());
        if UNIT_WORDS.iter().any(|word| text.contains(word)) {
            // Kernels that cannot be decoded say so when they are launched.
            let programs: Vec<_> = module.entries().into_iter().filter_map(|entry| module.kernel(entry).ok()).collect();
            self.uses = self.uses.or(programs.iter().collect());
        }
        self.modules.push(Loaded { module, text: text.to_owned(), bank, constants, unloaded: false });
        Ok(self.modules.len() as u64 - 1)
    }

    /// The module is not used any more. Its variables keep their places, so that those of others keep theirs.
    pub fn unload(&mut self, handle: u64) -> Result<(), Failure> {
        self.module(handle)?;
        self.modules[handle as usize].unloaded = true;
        Ok(())
    }

    fn module(&self, handle: u64) -> Result<&Loaded, Failure> {
        let loaded = usize::try_from(handle).ok().and_then(|handle| self.modules.get(handle));
        loaded
            .filter(|loaded| !loaded.unloaded)
            .ok_or_else(|| Failure::new(Status::InvalidResourceHandle, format!("there is no module {handle}")))
    }

    /// Decodes a kernel. Gives its handle.
    pub fn function(&mut self, module: u64, name: &str) -> Result<u64, Failure> {
        let loaded = self.module(module)?;
        if !loaded.module.entries().contains(&name) {
            let text = format!("there is no kernel `{name}` in module {}", module + 1);
            return Err(Failure::new(Status::InvalidDeviceFunction, text));
        }
        let decoded = loaded.module.kernel(name);
        let program = decoded.map_err(|error| Failure::new(Status::InvalidPtx, error))?;
        self.functions.push(Kernel { module: module as usize, program });
        Ok(self.functions.len() as u64 - 1)
    }

    /// A kernel with the constants as they are now, and the memory that it runs on.
    pub fn kernel(&mut self, handle: u64) -> Result<(&Program, &mut Memory), Failure> {
        let kernel = usize::try_from(handle).ok().and_then(|handle| self.functions.get_mut(handle));
        let kernel =
            kernel.filter(|kernel| !self.modules[kernel.module].unloaded).ok_or_else(|| no_function(handle))?;
        for Loaded { module, bank, constants, .. } in &self.modules {
            let bytes = module.constants().len();
            self.bank[*bank..bank + bytes].copy_from_slice(self.memory.bytes(*constants, bytes).unwrap_or_default());
        }
        if kernel.program.constants != self.bank {
            kernel.program.constants.clone_from(&self.bank);
        }
        Ok((&kernel.program, &mut self.memory))
    }

    /// The module of a kernel that is there.
    pub fn module_of(&self, handle: u64) -> u64 {
        self.functions[handle as usize].module as u64
    }

    /// A kernel, its module, and the text of that.
    pub fn code(&self, handle: u64) -> Option<(&Program, &Module, &str)> {
        let kernel = self.functions.get(handle as usize)?;
        let loaded = &self.modules[kernel.module];
        Some((&kernel.program, &loaded.module, &loaded.text))
    }

    /// Bytes of a module's constant variables.
    pub fn constant_bytes(&self, module: u64) -> u32 {
        self.module(module).map_or(0, |loaded| loaded.module.constants().len() as u32)
    }

    /// Address and bytes of a variable.
    pub fn symbol(&self, module: u64, name: &str) -> Result<(u64, u64), Failure> {
        let loaded = self.module(module)?;
        let found = loaded.module.symbol(name).zip(loaded.module.variable_bytes(name));
        let (symbol, bytes) = found
            .ok_or_else(|| Failure::new(Status::InvalidSymbol, format!("there is no device variable `{name}`")))?;
        match symbol.space {
            Space::Const => Ok((loaded.constants + symbol.address - loaded.bank as u64, bytes)),
            _ => Ok((symbol.address, bytes)),
        }
    }

    /// New memory. A twin of host memory does not count as the program's.
    pub fn alloc(&mut self, bytes: u64, alignment: u64, is_twin: bool) -> Result<u64, Failure> {
        let (taken, most, what) = match is_twin {
            true => (&mut self.twin_bytes, MOST_TWINS, "memory that host and device share"),
            false => (&mut self.allocated, MEMORY_BYTES, "device memory"),
        };
        if bytes > most - *taken {
            let text = format!("{bytes} bytes: {taken} of the {most} bytes of {what} are taken");
            return Err(Failure::new(Status::MemoryAllocation, text));
        }
        *taken += bytes;
        let address = self.memory.alloc_aligned(bytes, alignment);
        if is_twin {
            // The host has it, too.
            self.memory.mark_written(address, bytes);
            self.twins.insert(address);
        }
        Ok(address)
    }

    /// Gives memory back.
    pub fn free(&mut self, address: u64) -> Result<(), Failure> {
        let bytes = self.memory.free(address);
        let bytes = bytes.ok_or_else(|| {
            Failure::new(Status::InvalidValue, format!("{address:#x} is not the beginning of an allocation"))
        })?;
        match self.twins.remove(&address) {
            true => self.twin_bytes -= bytes,
            false => self.allocated -= bytes,
        }
        Ok(())
    }

    /// Bytes that the program has allocated.
    pub fn allocated(&self) -> u64 {
        self.allocated
    }

    /// Frees all memory, and gives all variables their first values. Modules and kernels stay.
    pub fn reset(&mut self) {
        let checks = self.memory.checks();
        self.memory = Memory::new();
        if let Some(checks) = checks {
            self.memory.start_checks(checks);
        }
        self.limits = Limits::default();
        self.twins.clear();
        self.twin_bytes = 0;
        self.allocated = 0;
        for Loaded { module, .. } in &self.modules {
            self.memory.add_statics(module.statics());
            self.memory.add_statics(module.constants());
        }
    }
}

fn no_function(handle: u64) -> Failure {
    Failure::new(Status::InvalidDeviceFunction, format!("there is no kernel with the handle {handle}"))
}
