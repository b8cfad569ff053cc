#!/usr/bin/env python3
"""Timing diagrams of the units: records docs/waves/*.json from the Verilog and draws each as SVG.

    scripts/waves.py                 record the outputs of every diagram again, and draw it
    scripts/waves.py bank hvu_spill  only these diagrams
    scripts/waves.py --check         write nothing; exit code 1 if a diagram is not what the Verilog does, if a
                                     drawing is not of its source, if no page shows it, or if a unit has none

A source is WaveDrom JSON (https://wavedrom.com) with these keys more:

    unit, module  the unit, and the module that is simulated: one of `unruly verilog --flat`
    set           parameters of the unit, if the module is one of `unruly verilog --unit`: ["sets=8"]
    shows         what happens in the diagram; a page has this sentence under the image
    names         labels of values: {"A": 7}; a number in a wave's data stands for itself. Labels of one letter
                  have a colour. A signal may have `names` of its own
    held          values of input pins for as long as nothing else is said; 0 for pins that are not named
    set_up        cycles between reset and the first drawn one: rows of values, [cycles, {pin: value}]

A person writes the waves of the input pins. This script writes the waves of the output pins: Icarus Verilog
simulates the module with those inputs. A signal is a pin, a bit of it (`pop[3]`) or some bits (`status[3:2]`).
`"while": "PIN"` means that the output means something while PIN is not 0, `"PIN|PIN"` while one of them is not 0, and
`"PIN=VALUE"` while PIN has that value; the other cycles are drawn as x.
In column t stand the inputs and outputs of cycle t; the rising edge that ends the cycle is at the end of the column.

Drawing needs the Python package `wavedrom` (2.0.3.post3 drew the committed ones); checking needs Icarus Verilog alone.
Exit codes: 0 good, 1 a check failed, 2 bad input, 3 a tool is missing.
"""
import argparse
import hashlib
import json
import math
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WAVES = ROOT / "docs" / "waves"
UNRULY = ROOT / "target" / "release" / "unruly"
SVG = "http://www.w3.org/2000/svg"
PORT = re.compile(r"^ +(input|output) +(?:wire|reg) +(?:\[(?:([\d*]+)-1|(\d+)):0\])? *(\w+),?$", re.MULTILINE)
SIGNAL = re.compile(r"^(\w+)(?:\[(\d+)(?::(\d+))?\])?$")
COLOURS = "345678"  # WaveDrom's: of the labels of one letter


class Bad(Exception):
    """Bad input: what, where, what to do."""


class Signal:
    """A row of a diagram: some bits of a pin."""

    def __init__(self, row, ports):
        match = SIGNAL.match(row["name"])
        place = match and ports.place(match[1])
        if not place:
            raise Bad(f"{row['name']} is no pin of the module: name one of its ports")
        self.row = row
        self.pin, base, width = place
        self.direction = ports[self.pin][0]
        self.high = base + (width - 1 if match[2] is None else int(match[2]))
        self.low = base + int(match[3] or match[2] or 0)
        self.width = self.high - self.low + 1

    def of(self, bits):
        """These bits of a pin's value, a string of binary digits; None if one is unknown."""
        part = bits[len(bits) - 1 - self.high : len(bits) - self.low]
        return None if set(part) - {"0", "1"} else int(part, 2)


class Ports(dict):
    """Ports of a module by name: direction and width. Pins x_0, x_1, ... may be elements of one port x."""

    def __init__(self, found):
        super().__init__()
        self.sizes = {}
        for way, sizes, high, name in found:
            self.sizes[name] = [int(size) for size in sizes.split("*")] if sizes else [int(high or 0) + 1]
            self[name] = way, math.prod(self.sizes[name])

    def place(self, pin):
        """The port that a pin is in, its lowest bit there and its width; None if there is none."""
        if pin in self:
            return pin, 0, self[pin][1]
        words = pin.split("_")
        numbers = [int(word) for word in words if word.isdigit()]
        stem = "_".join(word for word in words if not word.isdigit())
        sizes = self.sizes.get(stem, [])
        if len(numbers) == len(sizes):
            sizes = [*sizes, 1]
        if not numbers or len(numbers) + 1 != len(sizes) or any(n >= size for n, size in zip(numbers, sizes)):
            return None
        low = 0
        for number, size in zip([*numbers, 0], sizes):
            low = low * size + number
        return stem, low, sizes[-1]

    def values(self, pins):
        """Values of ports from values of pins."""
        values = {}
        for pin, value in pins.items():
            port, low, width = self.place(pin) or (pin, 0, value.bit_length())
            mask = ((1 << width) - 1) << low
            values[port] = values.get(port, 0) & ~mask | value << low & mask
        return values


def module_ports(verilog, module):
    """Ports of a module, clock and reset too."""
    path = verilog / f"{module}.v"
    if not path.exists():
        raise Bad(f"there is no module {module}: see the manifest.json that `unruly verilog --flat` writes")
    return Ports(PORT.findall(path.read_text()))


def rows(signals):
    """All rows of a diagram, those of its groups too."""
    for item in signals:
        if isinstance(item, list):
            yield from rows(item[1:])
        elif isinstance(item, dict) and "name" in item and item["name"] != "clock":
            yield item


def drawn_values(row, names):
    """The value of an input in each column; `x` drives 0."""
    data, values = iter(row.get("data", [])), []
    for state in row["wave"]:
        if state == ".":
            values.append(values[-1])
        elif state in "01x":
            values.append(int(state == "1"))
        else:
            values.append(number(next(data), names))
    return values


def number(label, names):
    """What a label stands for."""
    if isinstance(label, int):
        return label
    return names[label] if label in names else int(label, 0)


def stimulus(source, signals, columns, ports):
    """Values of the input ports in each cycle, set-up first."""
    names = source.get("names", {})
    held = {pin: number(value, names) for pin, value in source.get("held", {}).items()}
    cycles = []
    for count, pins in source.get("set_up", []):
        cycles += [ports.values(held | {pin: number(value, names) for pin, value in pins.items()})] * count
    held = ports.values(held)
    inputs = [(signal, drawn_values(signal.row, signal.row.get("names", names))) for signal in signals
              if signal.direction == "input"]
    for column in range(columns):
        pins = dict(held)
        for signal, values in inputs:
            mask = (1 << signal.width) - 1
            pins[signal.pin] = pins.get(signal.pin, 0) & ~(mask << signal.low) | (values[column] & mask) << signal.low
        cycles.append(pins)
    return cycles


def test_bench(module, ports, cycles, columns):
    """Verilog that applies the cycles and prints all outputs of the last `columns` of them."""
    inputs = [name for name, (way, _) in ports.items() if way == "input" and name not in ("clock", "reset")]
    outputs = [name for name, (way, _) in ports.items() if way == "output"]
    lines = ["`timescale 1ns/1ps", "module test;", "reg clock = 0, reset = 1;"]
    lines += [f"reg [{ports[name][1] - 1}:0] {name};" for name in inputs]
    lines += [f"wire [{ports[name][1] - 1}:0] {name};" for name in outputs]
    lines += [f"{module} unit ({', '.join(f'.{name}({name})' for name in ports)});"]
    lines += ["task edge_of_clock; begin #4 clock = 1; #5 clock = 0; #1; end endtask", "initial begin"]
    lines += [f"{name} = 0;" for name in inputs] + ["#1 edge_of_clock; edge_of_clock; reset = 0;"]
    before = dict.fromkeys(inputs, 0)
    for cycle, pins in enumerate(cycles):
        unknown = pins.keys() - set(inputs)
        if unknown:
            raise Bad(f"{', '.join(sorted(unknown))}: no input of {module}; correct `held` and `set_up`")
        now = dict.fromkeys(inputs, 0) | pins
        lines += [f"{name} = {ports[name][1]}'h{now[name]:x};" for name in inputs if now[name] != before[name]]
        if cycle >= len(cycles) - columns:
            lines.append(f'#1 $display("{" ".join(["%b"] * len(outputs))}", {", ".join(outputs)});')
        lines.append("edge_of_clock;")
        before = now
    return "\n".join([*lines, "end", "endmodule", ""]), outputs


def simulate(verilog, module, ports, cycles, columns):
    """The outputs in each drawn column: pin to binary digits."""
    text, outputs = test_bench(module, ports, cycles, columns)
    with tempfile.TemporaryDirectory() as folder:
        bench, program = Path(folder, "test.v"), Path(folder, "test")
        bench.write_text(text)
        build = ["iverilog", "-g2005", "-y", str(verilog), "-s", "test", "-o", str(program), str(bench)]
        subprocess.run(build, check=True)
        printed = subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout
    return [dict(zip(outputs, line.split())) for line in printed.splitlines()]


def wave(signal, meanings, results, labels):
    """Wave and data of an output, from what the simulation printed. `meanings`: what its `while` says of other pins."""
    states, data, last = "", [], None
    for pins in results:
        hidden = meanings and not any(holds(pins) for holds in meanings)
        value = None if hidden else signal.of(pins[signal.pin])
        label = "x" if value is None else str(value) if signal.width == 1 else labels.get(value, str(value))
        if label == last:
            states += "."
        elif signal.width == 1 or label == "x":
            states += label
        else:
            states += colour(label, labels)
            data.append(label)
        last = label
    return states, data


def meaning(term, ports):
    """A term of `while`, as a function of the printed outputs."""
    name, _, value = term.partition("=")
    signal = Signal({"name": name}, ports)
    return lambda pins: (signal.of(pins[signal.pin]) == int(value) if value else signal.of(pins[signal.pin]))


def colour(label, labels):
    """The colour of a value: a name's own, else white."""
    letters = [name for name in labels.values() if len(name) == 1 and name.isalpha()][: len(COLOURS)]
    return COLOURS[letters.index(label)] if label in letters else "="


def record(verilog, unruly, source):
    """The source with the waves of its outputs as the Verilog has them."""
    if "set" not in source:
        return record_of(verilog, source)
    with tempfile.TemporaryDirectory() as folder:
        parameters = [word for value in source["set"] for word in ("--set", value)]
        write_verilog(unruly, "--unit", source["unit"], *parameters, "--out", folder)
        return record_of(Path(folder), source)


def write_verilog(unruly, *words):
    subprocess.run([str(unruly), "verilog", *words], check=True, stdout=subprocess.DEVNULL)


def record_of(verilog, source):
    """The same, from the Verilog in a folder."""
    source = json.loads(json.dumps(source))
    ports = module_ports(verilog, source["module"])
    signals = [Signal(row, ports) for row in rows(source["signal"])]
    columns = len(source["signal"][0]["wave"])
    for signal in signals:
        if signal.direction == "input" and len(signal.row["wave"]) != columns:
            raise Bad(f"the wave of {signal.row['name']} has {len(signal.row['wave'])} columns, the clock's {columns}")
    results = simulate(verilog, source["module"], ports, stimulus(source, signals, columns, ports), columns)
    for signal in signals:
        names = signal.row.get("names", source.get("names", {}))
        labels = {number(value, {}): name for name, value in names.items()}
        if signal.direction == "input":
            paint(signal.row, labels)
            continue
        meanings = [meaning(term, ports) for term in signal.row.get("while", "").split("|") if term]
        signal.row.pop("data", None)
        signal.row["wave"], data = wave(signal, meanings, results, labels)
        if data:
            signal.row["data"] = data
    return source


def paint(row, labels):
    """Gives the values of an input the colours of their names."""
    data = iter(row.get("data", []))
    row["wave"] = "".join(s if s in "01x." else colour(str(next(data)), labels) for s in row["wave"])


def text(source):
    """A source as text: a line for each signal and for each row of the set-up."""
    def lines(value, depth, indent="  "):
        if depth == 0 or not isinstance(value, list):
            return json.dumps(value)
        inner = ",\n".join(f"{indent}  {lines(item, depth - 1, indent + '  ')}" for item in value)
        return f"[\n{inner}\n{indent}]"
    depths = {"signal": 2, "set_up": 1}
    return "{\n" + ",\n".join(f'  "{key}": {lines(value, depths.get(key, 0))}' for key, value in source.items()) + "\n}\n"


def draw(source):
    """The SVG of a source: WaveDrom's, without the shapes that it does not use, on white."""
    try:
        import wavedrom
    except ImportError:
        print("waves: the Python package wavedrom is missing: pip install wavedrom", file=sys.stderr)
        sys.exit(3)
    drawing = wavedrom.render(json.dumps({key: source[key] for key in ("signal", "head", "config") if key in source}))
    ElementTree.register_namespace("", SVG)
    ElementTree.register_namespace("xlink", "http://www.w3.org/1999/xlink")
    tree = ElementTree.fromstring(drawing.tostring())
    used = set(re.findall(r'"#([^"]+)"|url\(#([^)]+)\)', drawing.tostring()))
    used = {first or second for first, second in used}
    for shapes in tree.iter(f"{{{SVG}}}defs"):
        for shape in [shape for shape in shapes if shape.get("id") and shape.get("id") not in used]:
            shapes.remove(shape)
    tree.insert(0, ElementTree.Element(f"{{{SVG}}}rect", {"width": "100%", "height": "100%", "fill": "white"}))
    return ElementTree.tostring(tree, encoding="unicode") + "\n"


def signature(source_text, drawing):
    """The last line of a drawing: it is of this source, and as it was drawn."""
    digest = hashlib.sha256((source_text + drawing).encode()).hexdigest()
    return f"<!-- scripts/waves.py {digest} -->\n"


def check(path, recorded, pages):
    """What is wrong with a diagram."""
    source_text, name = path.read_text(), path.relative_to(ROOT)
    picture = path.with_suffix(".svg")
    drawing, _, last = picture.read_text().removesuffix("\n").rpartition("\n") if picture.exists() else ("", "", "")
    if source_text != text(recorded):
        yield f"{name} is not what {recorded['module']} does: run scripts/waves.py {path.stem}"
    elif signature(source_text, drawing + "\n") != last + "\n":
        yield f"{name.with_suffix('.svg')} is not of its source: run scripts/waves.py {path.stem}"
    if f"waves/{picture.name})\\\n*{recorded['shows']}.*\n" not in pages:
        yield f"no page in docs/ shows {name} with its sentence: put the image and `shows` into the unit's section"


def without_diagram(verilog, drawn):
    """What is wrong with the whole: units that no diagram is of."""
    modules = json.loads((verilog / "manifest.json").read_text())["modules"]
    units = {module["about"]["unit"] for module in modules if module.get("about")}
    return [f"no diagram is of {unit}: write docs/waves/{unit}.json" for unit in sorted(units - drawn)]


def write(path, recorded):
    """Writes source and drawing."""
    source_text, drawing = text(recorded), draw(recorded)
    path.write_text(source_text)
    path.with_suffix(".svg").write_text(drawing + signature(source_text, drawing))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("diagram", nargs="*", help="names of docs/waves/*.json [default: all]")
    parser.add_argument("--check", action="store_true", help="write nothing, say what is stale")
    parser.add_argument("--unruly", metavar="FILE", type=Path, default=UNRULY,
                        help="the program that writes the Verilog [default: target/release/unruly]")
    arguments = parser.parse_args()
    if not arguments.unruly.exists():
        print(f"waves: {arguments.unruly} is missing: make", file=sys.stderr)
        return 3
    with tempfile.TemporaryDirectory() as folder:
        write_verilog(arguments.unruly, "--flat", "--out", folder)
        return diagrams(arguments, Path(folder))


def diagrams(arguments, verilog):
    """Records, draws or checks the diagrams that the arguments name."""
    if not shutil.which("iverilog"):
        print("waves: iverilog is missing: make setup", file=sys.stderr)
        return 3
    paths = [WAVES / f"{name}.json" for name in arguments.diagram] or sorted(WAVES.glob("*.json"))
    pages = "".join(page.read_text() for page in sorted((ROOT / "docs").rglob("*.md")))
    problems, drawn = [], set()
    for done, path in enumerate(paths):
        if sys.stderr.isatty():
            print(f"\r{done} of {len(paths)}", end="\r", file=sys.stderr)
        try:
            recorded = record(verilog, arguments.unruly, json.loads(path.read_text()))
        except FileNotFoundError:
            print(f"waves: there is no {path.relative_to(ROOT)}: name a file of docs/waves, without .json", file=sys.stderr)
            return 2
        except (Bad, OSError, ValueError, KeyError, subprocess.CalledProcessError) as error:
            print(f"waves: {path.relative_to(ROOT)}: {error}", file=sys.stderr)
            return 2
        drawn.add(recorded["unit"])
        if arguments.check:
            problems += check(path, recorded, pages)
        else:
            write(path, recorded)
    if arguments.check and not arguments.diagram:
        problems += without_diagram(verilog, drawn)
    print("\n".join(problems) or f"diagrams that are as the Verilog has them: {len(paths)}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
