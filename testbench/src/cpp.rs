//! A unit as a C++ class, in the place of a verilated one: the same pins, and the same functions for the bridge.
//!
//! The class has the unit's name. `Out out` are its outputs, `void clock(const In &in)` is the rising edge, and a new object is the unit
//! after reset. Members `stat_*` are its counters. Nothing but `clock` sees the inputs: the class is Moore by its form.

use crate::bridge::Model;
use crate::error::{Error, Result};
use crate::shim::{self, THROWN};
use crate::tool::Work;
use crate::user_verilog::Parameters;
use crate::verilate::{cxx, COMPILER};
use crate::watch::Watch;
use gen::text::without_comments;
use sim::unit::{words, Interface, Pin};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// The header that a class includes, and what is compiled.
const HEADER: &str = "unruly_unit.h";
const SOURCE: &str = "model.cc";

const FLAGS: &[&str] = &["-std=gnu++17", "-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-Wl,-Bsymbolic"];

/// Endings of a file with a class.
const ENDINGS: [&str; 3] = ["cpp", "cc", "cxx"];

/// A class of the user's own, in a file.
#[derive(Clone, Debug)]
pub struct Class {
    name: String,
    file: PathBuf,
    text: String,
    /// Macros.
    parameters: Parameters,
}

impl Class {
    /// The file is one of C++.
    pub fn is_in(file: &Path) -> bool {
        file.extension().is_some_and(|ending| ENDINGS.iter().any(|known| ending == *known))
    }

    /// Reads the class `name`.
    ///
    /// # Errors
    /// A file that cannot be read, or that has no such class.
    pub fn read(name: &str, file: &Path) -> Result<Self> {
        let file = fs::canonicalize(file).map_err(Error::file(file))?;
        let text = fs::read_to_string(&file).map_err(Error::file(&file))?;
        let bare = without_comments(&text);
        let words: Vec<_> = identifiers(&bare).collect();
        let is_class = |pair: &[&str]| ["struct", "class"].contains(&pair[0]) && pair[1] == name;
        match words.windows(2).any(is_class) {
            true => Ok(Class { name: name.into(), file, text, parameters: Parameters::new() }),
            false => Err(Error::NoClass { file, wanted: name.into() }),
        }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Class with values of macros.
    pub fn with_parameters(&self, parameters: &Parameters) -> Self {
        Class { parameters: parameters.clone(), ..self.clone() }
    }

    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// Its counters: members whose names begin with `prefix`.
    pub fn counters(&self, prefix: &str) -> Vec<Pin> {
        let bare = without_comments(&self.text);
        let names: BTreeSet<_> = identifiers(&bare).filter(|word| word.starts_with(prefix)).collect();
        names.into_iter().map(|name| Pin::new(name, 64)).collect()
    }

    /// Compiles the class for the pins of a place, with these counters behind them, and loads it.
    ///
    /// # Errors
    /// The compiler's messages; a missing compiler; an interruption.
    pub fn load(&self, pins: &Interface, counters: &[Pin]) -> Result<Arc<Model>> {
        let directory = tempfile::tempdir()?;
        let write = |name: &str, text: String| {
            let path = directory.path().join(name);
            fs::write(&path, text).map_err(Error::file(&path)).map(|()| path)
        };
        write(HEADER, header(pins))?;
        let source = write(SOURCE, self.source(pins, counters))?;
        let library = directory.path().join("model.so");
        let mut command = cxx();
        command.args(self.parameters.iter().map(|(name, value)| format!("-D{name}={value}")));
        command.args(FLAGS).arg("-I").arg(directory.path()).arg(source).arg("-o").arg(&library);
        let (subject, watch) = (format!("the model {}", self.name), Watch::of_this_process());
        let work = Work { subject: &subject, started: Instant::now(), watch: &watch };
        let ended = work.run(&COMPILER, command.env("TMPDIR", directory.path()))?;
        if !ended.success {
            let messages = ended.messages().trim_end().replace(&format!("{}/", directory.path().display()), "");
            return Err(Error::Class { name: self.name.clone(), messages });
        }
        let mut interface = pins.clone();
        interface.outputs.extend(counters.iter().cloned());
        Model::open(&library, &self.name, &interface)
    }

    /// The functions that the bridge calls, around the class.
    fn source(&self, pins: &Interface, counters: &[Pin]) -> String {
        let (name, file) = (&self.name, self.file.display());
        let copies = |pins: &[Pin], copy: fn(&Pin, usize) -> String| -> String {
            let word = |place: usize| words(&pins[..place]);
            pins.iter().enumerate().map(|(place, pin)| copy(pin, word(place))).collect()
        };
        let (inputs, outputs) = (copies(&pins.inputs, shim::input), copies(&pins.outputs, output));
        let first = words(&pins.outputs);
        let counter = |(place, pin): (usize, &Pin)| masked(first + place, "unit", pin);
        let counted: String = counters.iter().enumerate().map(counter).collect();
        let ports = 2 + pins.inputs.len() + pins.outputs.len() + counters.len();
        format!(
            r#"#include "{HEADER}"
#include "{file}"
#include <cstring>
#include <exception>
#define API extern "C" __attribute__((visibility("default")))
static thread_local char thrown[256];
namespace {{
void read_inputs(In& m, const uint64_t* in) {{
{inputs}}}
void write_outputs(const {name}& unit, uint64_t* out) {{
    const Out& m = unit.out;
{outputs}{counted}}}
}}
API void* dut_new(int, int) {{ return new {name}(); }}
API void dut_delete(void* p) {{ delete ({name}*)p; }}
API void dut_ports(void*, void** to) {{ std::memset(to, 0, {ports} * sizeof *to); }}
API int dut_eval(void*) {{ return 0; }}
API int dut_clock(void*) {{ return 0; }}
API const char* dut_stop_file() {{ return thrown; }}
API size_t dut_state_size() {{ return 0; }}
API void dut_save_state(void*, char*) {{}}
API void dut_restore_state(void*, const char*) {{}}
API int dut_is_in_state(void*, const char*) {{ return 0; }}
API int dut_step(void* p, int reset, const uint64_t* in, uint64_t* out) {{
    auto& unit = *({name}*)p;
    int result = 0;
    if (reset)
        unit = {name}();
    else try {{
        In m;
        read_inputs(m, in);
        unit.clock(m);
    }} catch (const std::exception& e) {{
        std::strncpy(thrown, e.what(), sizeof thrown - 1);
        result = {THROWN};
    }} catch (...) {{
        std::strcpy(thrown, "the model throws something that is no std::exception");
        result = {THROWN};
    }}
    write_outputs(unit, out);
    return result;
}}
API int dut_waveform_open(void*, const char*) {{ return 0; }}
API void dut_waveform_close(void*) {{}}
API int dut_step_waveform(void* p, int reset, const uint64_t* in, uint64_t* out, uint64_t) {{
    return dut_step(p, reset, in, out);
}}
"#
        )
    }
}

/// A statement that copies a pin of 64 bits at most.
fn masked(word: usize, from: &str, pin: &Pin) -> String {
    format!("    out[{word}] = {from}.{} & {:#x}ULL;\n", pin.name, u64::MAX >> (64 - pin.width))
}

/// Statements that copy a pin, whose member may have more bits.
fn output(pin: &Pin, word: usize) -> String {
    match pin.width {
        ..=64 => masked(word, "m", pin),
        _ => shim::output(pin, word),
    }
}

fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// A member for a pin. A pin of more than 64 bits is words of 32 bits, the lowest first.
fn member(pin: &Pin) -> String {
    let name = &pin.name;
    match pin.width {
        1 => format!("    bool {name} = false;\n"),
        2..=8 => format!("    uint8_t {name} = 0;\n"),
        9..=16 => format!("    uint16_t {name} = 0;\n"),
        17..=32 => format!("    uint32_t {name} = 0;\n"),
        33..=64 => format!("    uint64_t {name} = 0;\n"),
        width => format!("    uint32_t {name}[{}] = {{}};\n", width.div_ceil(32)),
    }
}

/// The header for the pins of a place.
fn header(pins: &Interface) -> String {
    let members = |pins: &[Pin]| pins.iter().map(member).collect::<String>();
    let (inputs, outputs) = (members(&pins.inputs), members(&pins.outputs));
    format!("#pragma once\n#include <cstdint>\nstruct In {{\n{inputs}}};\nstruct Out {{\n{outputs}}};\n")
}
