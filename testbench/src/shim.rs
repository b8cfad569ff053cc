//! The C++ between a verilated model and Rust, written for the pins of one unit.
//!
//! One call clocks the model: it takes all input pins as 64-bit words in the order of the unit's pin list, and gives all
//! output pins back in the same form. Ports can also be reached in place, see [`crate::bridge`].

use crate::error::{Error, Result};
use sim::unit::{words, Interface, Pin};

/// Prefix of the classes that Verilator generates.
pub(crate) const CLASS: &str = "Vdut";

/// Ports that a unit has besides its pins. One without control state has no reset; state that is then not reset by
/// mistake differs from the model's, because it starts at random.
pub(crate) const CLOCK: &str = "clock";
pub(crate) const RESET: &str = "reset";

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

fn expected_ports(interface: &Interface) -> Vec<Port> {
    let port = |direction| move |pin: &Pin| Port { name: pin.name.clone(), direction, width: pin.width };
    let fixed = [CLOCK, RESET].map(|name| Port { name: name.into(), direction: "input", width: 1 });
    let inputs = interface.inputs.iter().map(port("input"));
    fixed.into_iter().chain(inputs).chain(interface.outputs.iter().map(port("output"))).collect()
}

/// `Ok` if the module has exactly the ports that the unit's pins ask for.
pub(crate) fn check_ports(top: &str, header: &str, interface: &Interface) -> Result<()> {
    let (mut found, mut expected) = (header_ports(header), expected_ports(interface));
    expected.retain(|port| port.name != RESET || has_reset(header));
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
fn input(pin: &Pin, word: usize) -> String {
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
fn output(pin: &Pin, word: usize) -> String {
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

fn copies(pins: &[Pin], copy: fn(&Pin, usize) -> String) -> String {
    pins.iter().enumerate().map(|(place, pin)| copy(pin, words(&pins[..place]))).collect()
}

/// Addresses of all ports, in the order of [`expected_ports`].
fn addresses(interface: &Interface, reset: &str) -> String {
    let address = |(i, port): (usize, Port)| match port.name.as_str() {
        RESET => format!("    to[{i}] = &{reset};\n"),
        name if port.width > 64 => format!("    to[{i}] = d->model.{name}.data();\n"),
        name => format!("    to[{i}] = &d->model.{name};\n"),
    };
    expected_ports(interface).into_iter().enumerate().map(address).collect()
}

/// The shim's text. `randReset(2)` fills what the Verilog does not initialise from the seed: a missing reset shows.
pub(crate) fn source(interface: &Interface, has_reset: bool) -> String {
    let inputs = copies(&interface.inputs, input);
    let outputs = copies(&interface.outputs, output);
    let reset = if has_reset { format!("d->model.{RESET}") } else { "d->no_reset".into() };
    let addresses = addresses(interface, &reset);
    format!(
        r#"#include "{CLASS}.h"
#include "verilated.h"
#include "verilated_fst_c.h"
#define API extern "C" __attribute__((visibility("default")))
namespace {{
struct Dut {{
    VerilatedContext context;
    {CLASS} model;
    VerilatedFstC* waveform = nullptr;
    CData no_reset = 0;
    static VerilatedContext* prepare(VerilatedContext* c, int seed, int waveform) {{
        c->randReset(2);
        c->randSeed(seed);
        c->traceEverOn(waveform);
        return c;
    }}
    Dut(int seed, int waveform) : model(prepare(&context, seed, waveform), "") {{}}
}};
inline void read_inputs({CLASS}& m, const uint64_t* in) {{
{inputs}}}
inline void write_outputs(const {CLASS}& m, uint64_t* out) {{
{outputs}}}
inline void clock_model({CLASS}& m) {{
    m.{CLOCK} = 1;
    m.eval();
    m.{CLOCK} = 0;
    m.eval();
}}
}}
API void* dut_new(int seed, int waveform) {{
    auto d = new Dut(seed, waveform);
    d->model.{CLOCK} = 0;
    {reset} = 0;
    d->model.eval();
    return d;
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
API void dut_eval(void* p) {{ ((Dut*)p)->model.eval(); }}
API void dut_clock(void* p) {{ clock_model(((Dut*)p)->model); }}
API void dut_step(void* p, int reset, const uint64_t* in, uint64_t* out) {{
    auto d = (Dut*)p;
    auto& m = d->model;
    {reset} = reset;
    read_inputs(m, in);
    clock_model(m);
    write_outputs(m, out);
}}
API int dut_waveform_open(void* p, const char* path) {{
    auto d = (Dut*)p;
    d->waveform = new VerilatedFstC;
    d->model.trace(d->waveform, 99);
    d->waveform->open(path);
    return d->waveform->isOpen();
}}
API void dut_step_waveform(void* p, int reset, const uint64_t* in, uint64_t* out, uint64_t cycle) {{
    auto d = (Dut*)p;
    auto& m = d->model;
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
    fn every_port_that_differs_is_named() {
        let error = check_ports("top", HEADER, &interface(25)).unwrap_err().to_string();
        assert_eq!(error, "top: ports and pins differ: no output q of 25 bits, unexpected output q of 24 bits");
    }
}
