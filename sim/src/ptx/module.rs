//! A parsed PTX file with its variables placed; kernels are decoded from it on demand.

use super::address_map::{window, HEAP_BASE, STATICS_BASE};
use super::ast::{File, Initial, TypeKind, Variable, VariableSpace};
use super::error::PtxError;
use super::isa::Space;
use super::program::Program;
use super::symbols::{Symbol, Symbols};
use super::{decode, parser};
use std::collections::BTreeMap;

/// Bytes that `.const` variables have on CUDA GPUs of every compute capability.
const MOST_CONSTANTS: u64 = 64 << 10;

/// Where the variables of a module begin: behind those of the modules that share its memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places {
    /// Device address of its `.global` variables.
    pub statics: u64,
    /// Offset of its `.const` variables in the constant bank.
    pub constants: u64,
}

impl Default for Places {
    /// Places of a module that is alone.
    fn default() -> Self {
        Places { statics: STATICS_BASE, constants: 0 }
    }
}

#[derive(Clone, Debug)]
pub struct Module {
    symbols: Symbols,
    places: Places,
    statics: Vec<u8>,
    /// The constant bank up to the end of this module's variables.
    constants: Vec<u8>,
    /// Bytes of each `.global` and `.const` variable.
    sizes: BTreeMap<String, u64>,
}

impl Module {
    /// Parses the text of a PTX file; `source_name` is for messages.
    pub fn parse(source_name: &str, text: &str) -> Result<Module, PtxError> {
        Self::parse_at(source_name, text, Places::default())
    }

    /// Parses one of several modules that share a memory and a constant bank.
    pub fn parse_at(source_name: &str, text: &str, places: Places) -> Result<Module, PtxError> {
        let File { variables, functions, sources } = parser::parse(source_name, text)?;
        let (shared, placed) = variables.into_iter().partition(|v| v.space == VariableSpace::Shared);
        let symbols = Symbols::new(source_name.into(), functions, shared, sources);
        let (statics, constants, sizes) = (Vec::new(), vec![0; places.constants as usize], BTreeMap::new());
        let mut module = Module { symbols, places, statics, constants, sizes };
        module.place(&placed)?;
        module.check_entries()?;
        Ok(module)
    }

    /// Names of the kernels, in the order of the file.
    pub fn entries(&self) -> Vec<&str> {
        self.symbols.functions.iter().filter(|f| f.entry && f.body.is_some()).map(|f| f.name.as_str()).collect()
    }

    /// Decodes a kernel.
    pub fn kernel(&self, entry: &str) -> Result<Program, PtxError> {
        let found = self.symbols.functions.iter().find(|f| f.entry && f.name == entry && f.body.is_some());
        let function = found.ok_or_else(|| {
            let message = match self.entries().as_slice() {
                [] => format!("there is no kernel `{entry}`, nor any other: nothing is declared `.entry`"),
                names => format!("there is no kernel `{entry}`; there is {}", names.join(", ")),
            };
            self.symbols.error(1, message)
        })?;
        decode::kernel(&self.symbols, function, &self.constants)
    }

    /// Initial contents of the module's `.global` variables, for [`crate::exec::Memory::place_statics`].
    pub fn statics(&self) -> &[u8] {
        &self.statics
    }

    /// Initial contents of the module's `.const` variables.
    pub fn constants(&self) -> &[u8] {
        &self.constants[self.places.constants as usize..]
    }

    /// Bytes of a `.global` or `.const` variable.
    pub fn variable_bytes(&self, name: &str) -> Option<u64> {
        self.sizes.get(name).copied()
    }

    /// Names of all `.global` and `.const` variables.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        self.sizes.keys().map(String::as_str)
    }

    /// Where a `.global` or `.const` variable lies.
    pub fn symbol(&self, name: &str) -> Option<Symbol> {
        self.symbols.variable(name)
    }

    /// Copies bytes into a `.const` variable, from its beginning on, for the kernels that are decoded afterwards.
    pub fn set_constant(&mut self, name: &str, bytes: &[u8]) -> Result<(), PtxError> {
        let Some(Symbol { space: Space::Const, address }) = self.symbol(name) else {
            return Err(self.symbols.error(1, format!("there is no .const variable `{name}`")));
        };
        let room = self.constants.get_mut(address as usize..address as usize + bytes.len());
        let too_long =
            || self.symbols.error(1, format!("{} bytes for `{name}` are more than the constants", bytes.len()));
        room.ok_or_else(too_long)?.copy_from_slice(bytes);
        Ok(())
    }

    fn check_entries(&self) -> Result<(), PtxError> {
        for (i, f) in self.symbols.functions.iter().enumerate() {
            if f.body.is_some() && self.symbols.functions[..i].iter().any(|g| g.name == f.name && g.body.is_some()) {
                return Err(self.symbols.error(f.line, format!("function `{}` is defined twice", f.name)));
            }
        }
        Ok(())
    }

    fn place(&mut self, variables: &[Variable]) -> Result<(), PtxError> {
        let (mut statics, mut constants) = (0u64, 0u64);
        let most_statics = HEAP_BASE - self.places.statics;
        for variable in variables.iter().filter(|v| !v.external) {
            let (space, base, bytes, most) = match variable.space {
                VariableSpace::Global => (Space::Global, self.places.statics, &mut statics, most_statics),
                VariableSpace::Const => (Space::Const, self.places.constants, &mut constants, MOST_CONSTANTS),
                _ => {
                    return Err(self
                        .symbols
                        .error(variable.line, "only .global, .const and .shared variables may stand here"))
                }
            };
            let offset = bytes.next_multiple_of(variable.align);
            *bytes = offset + variable.bytes;
            if *bytes > most {
                let message =
                    format!("variables up to `{}` take {bytes} bytes: at most {most} are possible", variable.name);
                return Err(self.symbols.error(variable.line, message));
            }
            let symbol = Symbol { space, address: base + offset };
            if !self.symbols.place(&variable.name, symbol) {
                return Err(self
                    .symbols
                    .error(variable.line, format!("variable `{}` is defined twice", variable.name)));
            }
            self.sizes.insert(variable.name.clone(), variable.bytes);
        }
        self.statics = vec![0; statics as usize];
        self.constants.resize((self.places.constants + constants) as usize, 0);
        for variable in variables.iter().filter(|v| !v.external) {
            self.initialise(variable)?;
        }
        Ok(())
    }

    fn initialise(&mut self, variable: &Variable) -> Result<(), PtxError> {
        let Symbol { space, address } = self.symbol(&variable.name).expect("all variables are placed");
        let size = variable.ty.bytes() as usize;
        for (i, initial) in variable.initial.iter().enumerate() {
            let value = self.initial_bits(variable, initial)?;
            let (base, image) = match space {
                Space::Global => (self.places.statics, &mut self.statics),
                _ => (0, &mut self.constants),
            };
            let at = (address - base) as usize + i * size;
            image[at..at + size].copy_from_slice(&value.to_le_bytes()[..size]);
        }
        Ok(())
    }

    fn initial_bits(&self, variable: &Variable, initial: &Initial) -> Result<u64, PtxError> {
        let is_f32 = variable.ty.kind == TypeKind::Float && variable.ty.bits == 32;
        Ok(match initial {
            Initial::Int(value) => *value,
            Initial::F32(bits) if variable.ty.bits == 64 => f64::from(f32::from_bits(*bits)).to_bits(),
            Initial::F32(bits) => u64::from(*bits),
            Initial::F64(bits) if is_f32 => u64::from((f64::from_bits(*bits) as f32).to_bits()),
            Initial::F64(bits) => *bits,
            Initial::Address { name, offset, generic } => {
                let generic_base = |symbol: Symbol| if *generic { window(symbol.space) } else { 0 };
                let variable_address = self.symbol(name).map(|symbol| generic_base(symbol) + symbol.address);
                let Some(address) = variable_address.or_else(|| self.symbols.function_address(name)) else {
                    return Err(self
                        .symbols
                        .error(variable.line, format!("unknown name `{name}` in an initial value")));
                };
                address.wrapping_add(*offset as u64)
            }
        })
    }
}
