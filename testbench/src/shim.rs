//! The C++ between a verilated model and Rust, written for the pins of one unit.
//!
//! One call clocks the model: it takes all input pins as 64-bit words in the order of the unit's pin list, and gives all
//! output pins back in the same form. Pins `x_0`, `x_1`, ... may be the elements of one port `x`, the first in its lowest bits.
//! Pins with a port of their own can also be reached in place, see [`crate::bridge`].
//!
//! Outputs are those of registers: they do not follow inputs within a cycle (Moore). One cycle in eight, drawn at random, is looked at
//! once more when its inputs are there, if these are others than before. In cycles with the same inputs nothing follows them again.

use crate::error::{Error, Result};
use crate::places;
use sim::unit::{words, Interface, Pin};
use std::collections::BTreeMap;

/// Prefix of the classes that Verilator generates.
pub(crate) const CLASS: &str = "Vdut";
/// The class in which Verilator keeps the signals.
pub(crate) const ROOT: &str = "Vdut___024root";
/// The class that holds those.
pub(crate) const SYMBOLS: &str = "Vdut__Syms";

/// Ports that a unit has besides its pins. One without control state has no reset; state that is then not reset by
/// mistake differs from the model's, because it starts at random.
pub(crate) const CLOCK: &str = "clock";
pub(crate) const RESET: &str = "reset";

/// The input of a netlist that holds mutants (see [`crate::mutants`]): which of them is alive.
pub(crate) const MUTANT: &str = "unruly_mutant";

/// Return value of a step of a model that does not settle.
pub(crate) const UNSETTLED: i32 = i32::MAX;

/// Return value of a step of a model that cannot go on for another reason: C++ has thrown, or Verilator says why.
pub(crate) const THROWN: i32 = i32::MAX - 1;

/// The beginning of what a model says that does not find a memory's file.
pub(crate) const NO_FILE: &str = "$readmem finds no file ";

/// Compared word for word, in the order in which [`port_list`] of Rust and of the header give them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Port {
    name: String,
    direction: &'static str,
    width: u32,
}

/// Ports as in a generated header: `VL_IN8(&clock,0,0);` `VL_OUTW(&data,383,0,12);`
fn header_ports(header: &str) -> Vec<Port> {
    header.lines().filter_map(|line| header_port(line.trim())).collect()
}

fn header_port(line: &str) -> Option<Port> {
    let (kind, rest) = line.strip_prefix("VL_")?.split_once('(')?;
    let direction = match kind.trim_end_matches(|c: char| c.is_ascii_digit() || c == 'W') {
        "IN" => "input",
        "OUT" => "output",
        "INOUT" => "inout",
        _ => return None,
    };
    let mut fields = rest.split_once(')')?.0.split(',');
    let name = fields.next()?.trim_start_matches('&').to_string();
    let mut bound = || fields.next()?.trim().parse::<u32>().ok();
    let (msb, lsb) = (bound()?, bound()?);
    Some(Port { name, direction, width: msb.abs_diff(lsb) + 1 })
}

/// Does the module of this header have a reset?
pub(crate) fn has_reset(header: &str) -> bool {
    header_ports(header).iter().any(|port| port.name == RESET)
}

/// All ports of a module, in its order.
pub(crate) fn ports(header: &str) -> Interface {
    let of = |direction: &str| {
        let ports = header_ports(header).into_iter().filter(|port| port.direction == direction);
        ports.map(|port| Pin::new(port.name, port.width)).collect()
    };
    Interface { inputs: of("input"), outputs: of("output") }
}

fn has_mutants(header: &str) -> bool {
    header_ports(header).iter().any(|port| port.name == MUTANT)
}

fn expected_ports(interface: &Interface) -> Vec<Port> {
    let port = |direction| move |pin: &Pin| Port { name: pin.name.clone(), direction, width: pin.width };
    let fixed = [CLOCK, RESET].map(|name| Port { name: name.into(), direction: "input", width: 1 });
    let inputs = interface.inputs.iter().map(port("input"));
    fixed.into_iter().chain(inputs).chain(interface.outputs.iter().map(port("output"))).collect()
}

/// Does a model with this table of symbols count how often it comes to each place of its Verilog? One without a place does not.
pub(crate) fn counts(symbols: &str) -> bool {
    symbols.contains("__Vcoverage[")
}

/// A name without its numbers, and the numbers.
fn element(name: &str) -> (String, Vec<usize>) {
    let (numbers, words): (Vec<&str>, Vec<&str>) =
        name.split('_').partition(|word| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit()));
    (words.join("_"), numbers.into_iter().filter_map(|number| number.parse().ok()).collect())
}

/// The port of each pin, and the pin's lowest bit in it, by the pin's name.
pub(crate) fn places(ports: &[gen::Port], interface: &Interface) -> BTreeMap<String, (String, u32)> {
    let found = ports.iter().map(|port| Port {
        name: port.name.clone(),
        direction: if port.direction == gen::Direction::Input { "input" } else { "output" },
        width: port.width as u32,
    });
    let pins = interface.inputs.iter().chain(&interface.outputs);
    let mut places: BTreeMap<_, _> = pins.map(|pin| (pin.name.clone(), (pin.name.clone(), 0))).collect();
    places.extend(elements(&found.collect::<Vec<_>>(), interface));
    places
}

/// Pins that are elements of one of the ports: the port's name and the pin's lowest bit, by the pin's name.
fn elements(found: &[Port], interface: &Interface) -> BTreeMap<String, (String, u32)> {
    let has = |name: &str| found.iter().any(|port| port.name == name);
    let mut arrays: BTreeMap<(String, &str, u32), Vec<(Vec<usize>, String)>> = BTreeMap::new();
    for pin in expected_ports(interface).into_iter().filter(|pin| !has(&pin.name)) {
        let (stem, index) = element(&pin.name);
        arrays.entry((stem, pin.direction, pin.width)).or_default().push((index, pin.name));
    }
    let mut elements = BTreeMap::new();
    for ((name, direction, width), mut pins) in arrays {
        pins.sort();
        let port = Port { name: name.clone(), direction, width: width * pins.len() as u32 };
        if found.contains(&port) {
            elements.extend(pins.into_iter().zip(0..).map(|((_, pin), place)| (pin, (name.clone(), place * width))));
        }
    }
    elements
}

/// `Ok` if the module has exactly the ports that the unit's pins ask for.
pub(crate) fn check_ports(top: &str, header: &str, interface: &Interface) -> Result<()> {
    let (mut found, mut expected) = (header_ports(header), expected_ports(interface));
    let elements = elements(&header_ports(header), interface);
    expected.retain(|port| !elements.contains_key(&port.name));
    found.retain(|port| !elements.values().any(|(name, _)| *name == port.name));
    expected.retain(|port| port.name != RESET || has_reset(header));
    found.retain(|port| port.name != MUTANT);
    found.sort();
    expected.sort();
    let say = |what: &str, port: &Port| format!("{what} {} {} of {} bits", port.direction, port.name, port.width);
    let missing = expected.iter().filter(|p| !found.contains(p)).map(|p| say("no", p));
    let extra = found.iter().filter(|p| !expected.contains(p)).map(|p| say("unexpected", p));
    let differences: Vec<_> = missing.chain(extra).collect();
    if differences.is_empty() {
        return Ok(());
    }
    Err(Error::Ports { top: top.into(), differences: differences.join(", ") })
}

/// Statements that copy `pin` from words of `in`, starting at `word`.
pub(crate) fn input(pin: &Pin, word: usize) -> String {
    let name = &pin.name;
    if pin.width <= 64 {
        return format!("    m.{name} = in[{word}] & {:#x}ULL;\n", u64::MAX >> (64 - pin.width));
    }
    let part = |part: u32| {
        let (at, shift) = (word as u32 + part / 2, 32 * (part % 2));
        let mask = u32::MAX >> (32 - (pin.width - 32 * part).min(32));
        format!("    m.{name}[{part}] = (in[{at}] >> {shift}) & {mask:#x}U;\n")
    };
    (0..pin.width.div_ceil(32)).map(part).collect()
}

/// Statements that copy `pin` to words of `out`, starting at `word`.
pub(crate) fn output(pin: &Pin, word: usize) -> String {
    let name = &pin.name;
    if pin.width <= 64 {
        return format!("    out[{word}] = m.{name};\n");
    }
    let parts = pin.width.div_ceil(32);
    let two = |low: u32| {
        let high = if low + 1 < parts { format!(" | (uint64_t)m.{name}[{}] << 32", low + 1) } else { String::new() };
        format!("    out[{}] = m.{name}[{low}]{high};\n", word + low as usize / 2)
    };
    (0..parts).step_by(2).map(two).collect()
}

/// Statements that copy `pin` from or to words, starting at `word`, where it is some bits of a port.
fn element_copy(pin: &Pin, word: usize, port: &str, lsb: u32, to_port: bool) -> String {
    let part = |part: u32| {
        let (at, width) = (word as u32 + part, (pin.width - 64 * part).min(64));
        let lsb = lsb + 64 * part;
        match to_port {
            true => format!("    put(m.{port}, {lsb}, {width}, in[{at}]);\n"),
            false => format!("    out[{at}] = get(m.{port}, {lsb}, {width});\n"),
        }
    };
    (0..pin.width.div_ceil(64)).map(part).collect()
}

fn copies(pins: &[Pin], elements: &BTreeMap<String, (String, u32)>, to_port: bool) -> String {
    let copy = |(place, pin): (usize, &Pin)| {
        let word = words(&pins[..place]);
        match elements.get(&pin.name) {
            Some((port, lsb)) => element_copy(pin, word, port, *lsb, to_port),
            None if to_port => input(pin, word),
            None => output(pin, word),
        }
    };
    pins.iter().enumerate().map(copy).collect()
}

/// Addresses of all ports, in the order of [`expected_ports`]; none for an element of a port.
fn addresses(interface: &Interface, reset: &str, elements: &BTreeMap<String, (String, u32)>) -> String {
    let address = |(i, port): (usize, Port)| match port.name.as_str() {
        RESET => format!("    to[{i}] = &{reset};\n"),
        name if elements.contains_key(name) => format!("    to[{i}] = nullptr;\n"),
        name if port.width > 64 => format!("    to[{i}] = d->model.{name}.data();\n"),
        name => format!("    to[{i}] = &d->model.{name};\n"),
    };
    expected_ports(interface).into_iter().enumerate().map(address).collect()
}

/// Where a model of Verilator's keeps the clock's last value, by the header of its innermost class. None if that is not where one looks
/// for it, or if something besides the rising clock makes the model do more than follow its inputs.
pub(crate) fn last_clock(root: &str) -> Option<&str> {
    let mut words = root.split(|c: char| !c.is_alphanumeric() && c != '_');
    let last = words.find(|word| word.starts_with("__Vtrig") && word.trim_end_matches("__0").ends_with("_clock"));
    last.filter(|_| root.contains(ONE_TRIGGER))
}

/// The member of a model that does something at one event alone, besides following its inputs.
const ONE_TRIGGER: &str = "VlTriggerVec<1> __VnbaTriggered;";

/// The statements of a falling edge. At that of Verilog without `negedge` nothing happens: if the model's `last_clock` is known, noting
/// that the clock was low takes the place of a second look at all that depends on inputs.
fn fall(last_clock: Option<&str>) -> String {
    match last_clock {
        Some(last) => format!("m.rootp->{last} = 0;"),
        None => "m.eval();".into(),
    }
}

/// The statements of a clock cycle for a model that has followed its inputs. With a known `last_clock` it need not follow them again.
fn clock_settled(last_clock: Option<&str>) -> String {
    match last_clock {
        Some(_) => format!(
            "auto root = m.rootp;
    root->__VnbaTriggered.at(0) = 1;
    {ROOT}___eval_act(root);
    {ROOT}___eval_nba(root);
    root->__VnbaTriggered.clear();"
        ),
        None => "clock_model(m);".into(),
    }
}

/// The shim's text. `randReset(2)` fills what the Verilog does not initialise from the seed: a missing reset shows. The model has
/// nothing to do at the falling edge if `last_clock` is there. Such Verilog is our own: all that a cycle depends on, besides inputs, is in
/// the class in which Verilator keeps a model's modules. A model that `counts` says to which places of its Verilog it came.
pub(crate) fn source(interface: &Interface, header: &str, last_clock: Option<&str>, counts: bool) -> String {
    let (fall, clock_settled) = (fall(last_clock), clock_settled(last_clock));
    let follows_alone = last_clock.is_some();
    let elements = elements(&header_ports(header), interface);
    let inputs = copies(&interface.inputs, &elements, true);
    let outputs = copies(&interface.outputs, &elements, false);
    let reset = if has_reset(header) { format!("d->model.{RESET}") } else { "d->no_reset".into() };
    let input_bytes = 8 * words(&interface.inputs);
    let addresses = addresses(interface, &reset, &elements);
    let [input_words, output_words] = [&interface.inputs, &interface.outputs].map(|pins| words(pins).max(1));
    let mutants = if has_mutants(header) { mutants() } else { String::new() };
    let places = if counts { places::shim() } else { places::Shim::default() };
    let (of_places, of_instance, start) = (places.types, places.members, places.start);
    let (at_inputs, at_edge, api) = (places.at_inputs, places.at_edge, places.api);
    let state_size = if last_clock.is_some() { "sizeof(Vdut__Syms)" } else { "0" };
    format!(
        r#"#include "{CLASS}.h"
#include "{ROOT}.h"
#include "{SYMBOLS}.h"
#include "verilated.h"
#include "verilated_fst_c.h"
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#define API extern "C" __attribute__((visibility("default")))
static thread_local int stop_line = 0;
static thread_local char stop_file[256];
void vl_stop(const char* file, int line, const char*) {{
    if (stop_line) return;
    stop_line = line;
    std::strncpy(stop_file, file, sizeof stop_file - 1);
}}
// Called where a model cannot go on. Verilator's own ends the program.
void vl_fatal(const char*, int, const char*, const char* message) {{ throw std::runtime_error(message); }}
void vl_warn(const char* file, int line, const char*, const char* message) {{
    // A memory without its file would keep what it has at random.
    if (std::strstr(message, "file not found")) throw std::runtime_error(std::string("{NO_FILE}") + file);
    std::fprintf(stderr, "%%Warning: %s:%d: %s\n", file, line, message);
}}
// Verilator defines these; it declares them only where it calls them.
void {ROOT}___eval_act({ROOT}*);
void {ROOT}___eval_nba({ROOT}*);
// What Verilator has written for waveforms takes the place of these where it is linked.
__attribute__((weak)) void {ROOT}__trace_init_top({ROOT}*, VerilatedFst*) {{}}
__attribute__((weak)) void {ROOT}__trace_register({ROOT}*, VerilatedFst*) {{}}
namespace {{
constexpr std::size_t INPUT_BYTES = {input_bytes};
{of_places}struct Dut {{
    VerilatedContext context;
    {CLASS} model;
    VerilatedFstC* waveform = nullptr;
    CData no_reset = 0;
{of_instance}    // Whether `out` of a step has the outputs of one before; the state of the draw of cycles that are looked at twice.
    bool stepped = false;
    uint32_t draw = 1;
    // Whether the model has followed these inputs.
    bool settled = false;
    int reset;
    uint64_t in[{input_words}];
    // Why the model cannot go on, and its words; 0: it can.
    int failure = 0;
    std::string words;
    template <class Work> int attempt(Work work) {{
        if (!failure) try {{
            work();
        }} catch (const std::runtime_error& e) {{
            words = e.what();
            failure = std::strstr(e.what(), "did not converge") ? {UNSETTLED} : {THROWN};
        }}
        if (failure) std::strncpy(stop_file, words.c_str(), sizeof stop_file - 1);
        return failure;
    }}
    bool has_followed(int reset, const uint64_t* in) const {{
        return settled && this->reset == reset && !std::memcmp(this->in, in, INPUT_BYTES);
    }}
    static VerilatedContext* prepare(VerilatedContext* c, int seed, int waveform) {{
        c->randReset(2);
        c->randSeed(seed);
        c->traceEverOn(waveform);
        return c;
    }}
    Dut(int seed, int waveform) : model(prepare(&context, seed, waveform), "") {{}}
}};
inline uint64_t ones(unsigned width) {{ return ~0ULL >> (64 - width); }}
template <class Port> inline uint64_t get(const Port& port, unsigned lsb, unsigned width) {{
    return (uint64_t)port >> lsb & ones(width);
}}
template <class Port> inline void put(Port& port, unsigned lsb, unsigned width, uint64_t value) {{
    port = (Port)(((uint64_t)port & ~(ones(width) << lsb)) | (value & ones(width)) << lsb);
}}
template <std::size_t N> inline uint64_t get(const VlWide<N>& port, unsigned lsb, unsigned width) {{
    uint64_t value = 0;
    for (unsigned done = 0; done < width;) {{
        unsigned shift = (lsb + done) % 32, bits = width - done < 32 - shift ? width - done : 32 - shift;
        value |= ((uint64_t)port[(lsb + done) / 32] >> shift & ones(bits)) << done;
        done += bits;
    }}
    return value;
}}
template <std::size_t N> inline void put(VlWide<N>& port, unsigned lsb, unsigned width, uint64_t value) {{
    for (unsigned done = 0; done < width;) {{
        unsigned shift = (lsb + done) % 32, bits = width - done < 32 - shift ? width - done : 32 - shift;
        put(port[(lsb + done) / 32], shift, bits, value >> done);
        done += bits;
    }}
}}
inline void read_inputs({CLASS}& m, const uint64_t* in) {{
{inputs}}}
inline void write_outputs(const {CLASS}& m, uint64_t* out) {{
{outputs}}}
// The first output word, from 1, that is no longer what `out` says, or 0.
inline int follows(const {CLASS}& m, const uint64_t* out) {{
    uint64_t now[{output_words}];
    write_outputs(m, now);
    for (int i = 0; i < {output_words}; i++)
        if (now[i] != out[i]) return i + 1;
    return 0;
}}
inline void clock_model({CLASS}& m) {{
    m.{CLOCK} = 1;
    m.eval();
    m.{CLOCK} = 0;
    {fall}
}}
inline void clock_settled({CLASS}& m) {{
    {clock_settled}
}}
}}
API void* dut_new(int seed, int waveform) {{
    auto d = new Dut(seed, waveform);
    d->model.{CLOCK} = 0;
    {reset} = 0;
    d->attempt([&] {{ d->model.eval(); }});
{start}    return d;
}}
API void dut_waveform_close(void* p) {{
    auto d = (Dut*)p;
    if (!d->waveform) return;
    d->waveform->close();
    delete d->waveform;
    d->waveform = nullptr;
}}
API void dut_delete(void* p) {{
    dut_waveform_close(p);
    ((Dut*)p)->model.final();
    delete (Dut*)p;
}}
API void dut_ports(void* p, void** to) {{
    auto d = (Dut*)p;
{addresses}}}
API int dut_eval(void* p) {{
    auto d = (Dut*)p;
    d->settled = false;
    return d->attempt([&] {{ d->model.eval(); }});
}}
API int dut_clock(void* p) {{
    auto d = (Dut*)p;
    d->settled = false;
    return d->attempt([&] {{ clock_model(d->model); }});
}}
API const char* dut_stop_file() {{ return stop_file; }}
API size_t dut_state_size() {{ return {state_size}; }}
API void dut_save_state(void* p, char* to) {{ std::memcpy(to, ((Dut*)p)->model.rootp->vlSymsp, {state_size}); }}
API int dut_is_in_state(void* p, const char* saved) {{
    return !std::memcmp(saved, ((Dut*)p)->model.rootp->vlSymsp, {state_size});
}}
API void dut_restore_state(void* p, const char* saved) {{
    // The next step's `out` is not that of the restored state.
    ((Dut*)p)->settled = ((Dut*)p)->stepped = false;
    std::memcpy((void*)((Dut*)p)->model.rootp->vlSymsp, saved, {state_size});
}}
API int dut_step(void* p, int reset, const uint64_t* in, uint64_t* out) {{
    stop_line = 0;
    auto d = (Dut*)p;
    auto& m = d->model;
    int followed = 0;
    d->draw = d->draw * 1664525u + 1013904223u;
    const bool looks = d->stepped && d->draw >> 29 == 0;
    d->stepped = true;
    const int failure = d->attempt([&] {{
        if ({counts} || !d->has_followed(reset, in)) {{
            d->settled = false;
            {reset} = reset;
            read_inputs(m, in);
            if ({follows_alone} || {counts} || looks) m.eval();
            if (looks) followed = follows(m, out);
            d->settled = {follows_alone};
            d->reset = reset;
            std::memcpy(d->in, in, INPUT_BYTES);
        }}
{at_inputs}        clock_settled(m);
{at_edge}        write_outputs(m, out);
    }});
    return failure ? failure : stop_line ? stop_line : -followed;
}}
API int dut_waveform_open(void* p, const char* path) {{
    auto d = (Dut*)p;
    d->waveform = new VerilatedFstC;
    d->model.trace(d->waveform, 99);
    d->waveform->open(path);
    return d->waveform->isOpen();
}}
API int dut_step_waveform(void* p, int reset, const uint64_t* in, uint64_t* out, uint64_t cycle) {{
    stop_line = 0;
    auto d = (Dut*)p;
    auto& m = d->model;
    d->settled = false;
    const int failure = d->attempt([&] {{
        {reset} = reset;
        read_inputs(m, in);
        m.eval();
        d->waveform->dump(2 * cycle);
        m.{CLOCK} = 1;
        m.eval();
        d->waveform->dump(2 * cycle + 1);
        m.{CLOCK} = 0;
        m.eval();
        write_outputs(m, out);
    }});
    return failure ? failure : stop_line;
}}
{mutants}{api}"#
    )
}

/// Function that a netlist with mutants has besides.
fn mutants() -> String {
    format!(
        r#"API void dut_set_mutant(void* p, int mutant) {{
    ((Dut*)p)->settled = false;
    ((Dut*)p)->model.{MUTANT} = mutant;
}}
"#
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "    VL_IN8(&clock,0,0);\n    VL_IN8(&reset,0,0);\n    VL_INW(&wide,99,0,4);\n    VL_OUT(&q,23,0);\n    VL_OUT64(&r,39,0);\n";

    fn interface(q: u32) -> Interface {
        Interface { inputs: vec![Pin::new("wide", 100)], outputs: vec![Pin::new("q", q), Pin::new("r", 40)] }
    }

    #[test]
    fn ports_that_are_the_pins_pass() {
        assert!(check_ports("top", HEADER, &interface(24)).is_ok());
    }

    #[test]
    fn a_unit_without_control_state_needs_no_reset() {
        let header = HEADER.replace("    VL_IN8(&reset,0,0);\n", "");
        assert!(has_reset(HEADER) && !has_reset(&header));
        assert!(check_ports("top", &header, &interface(24)).is_ok());
    }

    #[test]
    fn pins_with_numbers_may_be_elements_of_one_port() {
        let pins = |width| {
            vec![Pin::new("x_1_0", width), Pin::new("x_0_0", width), Pin::new("x_0_1", width), Pin::new("x_1_1", width)]
        };
        let interface = |width| Interface { inputs: pins(width), outputs: vec![] };
        let header = "VL_IN8(&clock,0,0);\nVL_INW(&x,95,0,3);\n";
        assert!(check_ports("top", header, &interface(24)).is_ok());
        assert!(check_ports("top", header, &interface(23)).is_err());
        let text = source(&interface(24), header, None, false);
        assert!(text.contains("put(m.x, 48, 24, in[0]);\n    put(m.x, 0, 24, in[1]);"), "{text}");
    }

    #[test]
    fn the_last_clock_is_found_in_the_header() {
        let found = |member: &str| last_clock(&format!("    CData/*0:0*/ {member};\n    {ONE_TRIGGER}\n")).is_some();
        assert!(found("__Vtrigrprev__TOP__clock") && found("__Vtrigprevexpr___TOP__clock__0"));
        assert!(!found("__Vtrigrprev__TOP__reset"));
        assert_eq!(
            last_clock("    CData/*0:0*/ __Vtrigrprev__TOP__clock;\n    VlTriggerVec<2> __VnbaTriggered;\n"),
            None
        );
    }

    #[test]
    fn every_port_that_differs_is_named() {
        let error = check_ports("top", HEADER, &interface(25)).unwrap_err().to_string();
        assert_eq!(error, "top: ports and pins differ: no output q of 25 bits, unexpected output q of 24 bits");
    }
}
