#!/usr/bin/env python3
"""What was checked of every instance, on one page, and what was not.

usage: verification.py UNRULY DOCS [--check] [--jobs N]

Measures the coverage of each instance of the campaign whose row in DOCS/coverage.json is missing or stale, and writes DOCS/verification.md
from that file, DOCS/cosim.md, DOCS/mutants and DOCS/proofs.md.

--check    run and write nothing; ends with 1 if the page is not what these files give
--jobs N   N runs at a time (default 1)
"""

import argparse
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile

import cosim_campaign
import mutation_campaign

CYCLES = 500_000
# Cycles of one segment for an instance with bits that stand still in shorter ones, or places that these do not reach: its traffic fills what
# is large, or comes to the end of a long job.
LONG = {"hwwl_core": 5_000_000, "hwwl": 4_600_000, "prefetcher": 3_000_000, "iru_partition": 5_500_000, "iru": 3_500_000}

HEAD = """# What was checked, and what was not

Made by `make verification` from [cosim.md](cosim.md) (lock-step), [mutants.md](mutants.md) (planted faults), [proofs.md](proofs.md)
and [gates.md](gates.md) (proofs), and `docs/coverage.json`, which `unruly cosim --coverage` wrote: {cycles:,} cycles of each instance, seed 1.

* **Still bits** are bits of pins that were not both 0 and 1 in a cycle in which they mean something. **Waived** bits cannot move, each for a
  reason that `testbench/src/waivers/table.rs` has.
* **Places** are the two ways of each `if` and each `?:` of the Verilog and the items of each `case`, in all modules of the instance; one that
  stands in several copies of a module is one place. **Waived** are those that no legal traffic reaches, each with its reason in the same file.
* An instance with still bits or places not reached after those cycles ran once more, {least:,} to {most:,} cycles without fresh bodies
  (`--segment`). A bit that moved in one of the two runs is not still, and a place that one of them came to is reached.
* **Found** are planted faults that the traffic killed or that are proven to change nothing.
* A proof has no bound on the number of cycles; a bounded one is counted apart. Proofs and faults are of the sizes on their pages.
* Wrong input, interruption, licences and unsafe code have a page of their own: [robustness.md](robustness.md).

## Units

| unit | instances in the campaign | cycles | pins compared | mismatches | still bits | places never reached | faults planted | found | properties and invariants proven | bounded | netlist equals RTL |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|
"""
INSTANCES = """
## Instances

| instance | cycles in lock-step | pins compared | still bits | waived bits | places of the Verilog | never reached | waived places | events reached |
|---|--:|--:|--:|--:|--:|--:|--:|--:|
"""


def table(path):
    """The rows of a page, a list of cells each."""
    with open(path) as file:
        return [line.strip()[2:-2].split(" | ") for line in file if line.startswith("| `")]


def number(cell):
    return int(cell.replace(",", ""))


def bits(text):
    """The bits in `7:4, 0`."""
    ends = [[int(end) for end in part.split(":")] for part in text.split(",")]
    return {bit for part in ends for bit in range(part[-1], part[0] + 1)}


def ranges(bits):
    """Bits as `7:4, 0`."""
    parts = []
    for bit in sorted(bits, reverse=True):
        if parts and parts[-1][1] == bit + 1:
            parts[-1][1] = bit
        else:
            parts.append([bit, bit])
    return ", ".join(str(high) if high == low else f"{high}:{low}" for high, low in parts)


def still_in_both(one, other):
    """The bits of pins that stand still in two runs."""
    both = {pin: bits(one[pin]) & bits(other[pin]) for pin in one if pin in other}
    return {pin: ranges(bits) for pin, bits in both.items() if bits}


def run(unruly, job, *more):
    """The report of a run in which the bodies are equal."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "cosim.json")
        command = cosim_campaign.command(unruly, *job, *more, "--coverage", "--json", path)
        said = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True).stderr
        if not os.path.exists(path):
            sys.exit(f"{' '.join(command)}: no report\n{said}")
        with open(path) as file:
            found = json.load(file)
    if found["mismatches"] or found["violation"]:
        sys.exit(f"{' '.join(command)}: the bodies differ or a rule is broken\n{said}")
    return found


def moved(unruly, job):
    """What the runs of an instance move and reach, as docs/coverage.json has it."""
    found = run(unruly, job, "--cycles", str(CYCLES))
    still, never, long = found["still"], found["places"]["never"], {}
    if (still or never) and job[0] in LONG:
        cycles = str(LONG[job[0]])
        other = run(unruly, job, "--cycles", cycles, "--segment", cycles)
        still = still_in_both(still, other["still"])
        never = [place for place in never if place in other["places"]["never"]]
        long = {"long": LONG[job[0]]}
    digests = {kind: found["digests"][kind][:cosim_campaign.DIGITS] for kind in ("rtl", "traffic")}
    events = found["coverage"]
    return {"module": found["module"], "cycles": CYCLES, **long, **digests, "still": still,
            "waived": {waiver["pin"]: waiver["bits"] for waiver in found["waived"]},
            "places": found["places"]["places"], "never": never, "waived_places": len(found["places"]["waived"]),
            "missed": sorted(event for event in events if not events[event]), "events": len(events)}


def read_coverage(path):
    try:
        with open(path) as file:
            return {row["module"]: row for row in json.load(file)}
    except FileNotFoundError:
        return {}


def is_current(row, cells):
    """Whether the row is of the RTL and the traffic of the campaign's row, and of runs as long as today's."""
    if row is None or "places" not in row or row["cycles"] != CYCLES or [f"`{row['rtl']}`", f"`{row['traffic']}`"] != cells[8:10]:
        return False
    needs_long = row["still"] or row["never"] or "long" in row
    return not needs_long or row.get("long") == LONG.get(cells[1])


def cover(unruly, path, lock_step, at_a_time):
    rows = read_coverage(path)
    wanted = cosim_campaign.jobs(unruly)
    with concurrent.futures.ThreadPoolExecutor(at_a_time) as pool:
        module_of = dict(zip(map(str, wanted), pool.map(lambda job: cosim_campaign.today(unruly, job)[0], wanted)))
        stale = [job for job in wanted if not is_current(rows.get(module_of[str(job)]), lock_step[module_of[str(job)]])]
        for done, row in enumerate(pool.map(lambda job: moved(unruly, job), stale), 1):
            rows[row["module"]] = row
            print(f"{done} of {len(stale)} instances: {row['module']}", file=sys.stderr)
            kept = [rows[module] for module in lock_step if module in rows]
            with open(path + ".new", "w") as file:
                file.write("[\n" + ",\n".join(json.dumps(row) for row in kept) + "\n]\n")
            os.replace(path + ".new", path)


def page(docs):
    """The text of the page, and the instances whose coverage is missing or stale."""
    path = lambda name: os.path.join(docs, name)
    lock_step = {cells[0].strip("`"): cells for cells in table(path("cosim.md"))}
    coverage = read_coverage(path("coverage.json"))
    stale = [module for module, cells in lock_step.items() if not is_current(coverage.get(module), cells)]
    still = {module: sum(map(len, map(bits, coverage[module]["still"].values()))) for module in coverage}
    never = {module: len(row["never"]) for module, row in coverage.items() if "never" in row}
    faults = {}
    for name in sorted(os.listdir(path("mutants"))):
        if name.endswith(".json"):
            report = mutation_campaign.read(path("mutants"), name[:-5])
            faults[report["unit"]] = (report["mutants"], report["killed"] + report["equivalent"], len(report["survivors"]))
    proofs = {}
    for cells in table(path("proofs.md")):
        counts = proofs.setdefault(cells[1], [0, 0])
        counts[0] += cells[5] == "proven"
        counts[1] += cells[5].startswith("holds for")
    gates = {}
    for cells in table(path("gates.md")):
        gates.setdefault(cells[1], []).append(cells[4])
    text = HEAD.format(cycles=CYCLES, least=min(LONG.values()), most=max(LONG.values()))
    for unit in dict.fromkeys(cells[1] for cells in lock_step.values()):
        own = {module: cells for module, cells in lock_step.items() if cells[1] == unit}
        sums = [sum(number(cells[column]) for cells in own.values()) for column in (3, 4, 5)]
        planted, found, _ = faults.get(unit, ("none", "none", 0))
        proven, bounded = proofs.get(unit, ("none", "none"))
        cells = [f"`{unit}`", len(own), *(f"{value:,}" for value in sums), sum(still.get(module, 0) for module in own),
                 sum(never.get(module, 0) for module in own), planted, found, proven, bounded, netlist(gates.get(unit, []))]
        text += "| " + " | ".join(map(str, cells)) + " |\n"
    text += INSTANCES
    for module, cells in lock_step.items():
        row = coverage.get(module, {"still": {}, "waived": {}})
        waived = sum(map(len, map(bits, row["waived"].values())))
        of_places = [row.get("places", "not run"), never.get(module, "not run"), row.get("waived_places", 0)]
        cells = [f"`{module}`", cells[3], cells[4], still.get(module, "not run"), waived, *of_places, cells[6]]
        text += "| " + " | ".join(map(str, cells)) + " |\n"
    return text + not_covered(docs, lock_step, coverage, faults, proofs), stale


def netlist(results):
    """What became of the parts of a unit's netlist."""
    if not results:
        return "none"
    return "proven" if set(results) == {"proven"} else f"{results.count('proven')} of {len(results)} parts proven"


def not_covered(docs, lock_step, coverage, faults, proofs):
    with open(os.path.join(docs, "..", "verilog-out", "manifest.json")) as file:
        modules = json.load(file)["modules"]
    shipped = {module["module"]: module["about"]["unit"] for module in modules if module.get("about")}
    units = list(dict.fromkeys(cells[1] for cells in lock_step.values()))
    code = lambda names: ", ".join(f"`{name}`" for name in names) or "none"
    text = "\n## Not covered\n\n"
    text += f"* Units without planted faults: {code(unit for unit in units if unit not in faults)}.\n"
    text += f"* Units without proofs: {code(unit for unit in units if unit not in proofs)}.\n"
    text += f"* Faults that neither traffic nor a proof settles: {sum(left for _, _, left in faults.values())}; [mutants.md](mutants.md) has each with its line.\n"
    absent = [module for module, unit in shipped.items() if unit in units and module not in lock_step]
    text += f"* Instances of `verilog-out` that are in no row of the campaign; other sizes of their units are: {code(absent)}.\n"
    text += "* Timing within a cycle, several clocks, metastability, power: the lock-step compares cycles, and each unit has one clock.\n"
    still = [(module, pin, row["still"][pin]) for module, row in coverage.items() if module in lock_step for pin in row["still"]]
    text += "\n### Bits that stood still\n\n"
    text += "" if still else "None.\n"
    groups = {}
    for module, pin, where in still:
        stem = pin.rstrip("0123456789_") if "_" in pin else pin
        groups.setdefault((module, stem, where), []).append(pin)
    for (module, stem, where), pins in groups.items():
        name = pins[0] if len(pins) == 1 else f"{stem}_*"
        many = "" if len(pins) == 1 else f" ({len(pins)} pins)"
        text += f"* `{module}`: `{name}[{where}]`{many}\n"
    text += "\n### Places never reached\n\n"
    unreached = [(module, place) for module, row in coverage.items() if module in lock_step for place in row.get("never", [])]
    text += "" if unreached else "None.\n"
    for module, place in unreached:
        text += f"* `{module}`: {place['file']}, line {place['line']}, `{place['text']}`, {place['way']}\n"
    return text


def main(unruly, docs, only_check, at_a_time):
    """The exit code: 0, or 1 if the page is not what the files give."""
    path = os.path.join(docs, "verification.md")
    if not only_check:
        lock_step = {cells[0].strip("`"): cells for cells in table(os.path.join(docs, "cosim.md"))}
        cover(unruly, os.path.join(docs, "coverage.json"), lock_step, at_a_time)
    text, stale = page(docs)
    if stale:
        print(f"docs/coverage.json is stale, run `make verification`: {', '.join(stale)}", file=sys.stderr)
        return 1
    if only_check:
        with open(path) as file:
            is_same = file.read() == text
        if not is_same:
            print("docs/verification.md is stale, run `make verification`", file=sys.stderr)
        return int(not is_same)
    with open(path + ".new", "w") as file:
        file.write(text)
    os.replace(path + ".new", path)
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("unruly", help="the command")
    parser.add_argument("docs", help="the folder of the pages")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    sys.exit(main(arguments.unruly, arguments.docs, arguments.check, arguments.jobs))
