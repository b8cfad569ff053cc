#!/usr/bin/env python3
"""Planted faults in every unit, and the page of what became of them.

usage: mutation_campaign.py UNRULY RESULTS PAGE [--stale] [--again [SECONDS]] [--only MODULE,...] [--jobs N]

Runs `UNRULY mutate` once for each unit whose report in the folder RESULTS is missing or stale, and writes the Markdown page PAGE anew
after each. A report is stale if its digests are not those that the command UNRULY gives today: a campaign that was stopped goes on
where it was.

--stale            name the stale units and run nothing; ends with 1 if there are any
--again [SECONDS]  look once more at faults that survive in reports that are not stale: ten times as much traffic, and SECONDS for a question
                   to the model checker (default 0: it is not asked)
--only MODULE,...  these units alone
--jobs N           N runs at a time (default 1)
"""

import argparse
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile
import time

import cosim_campaign

MUTANTS = 1000
# Fewer in units that are large: a build with a thousand faults takes too long, or the model checker does for those that traffic leaves.
FEWER = {
    "wru_threshold": 300,
    "wru_sorting": 300,
    "wru_global": 300,
    "hvu_bins": 100,
    "icrn": 300,
    "hwwl_core": 100,
    "hwwl": 100,
    "reorder_bank": 300,
    "data_replier": 300,
    "iru_partition": 100,
    "iru": 100,
    "fetch_arbiter": 300,
    "gw_front_end": 100,
    "instruction_buffer": 300,
    "b32_front_end": 100,
}
# Seconds for a question to the model checker.
SECONDS = 5
CYCLES = 100_000
PATIENCE = 1_000_000
# For faults that are looked at once more.
LONG_PATIENCE = 10_000_000
# Units that have so much traffic at once: the model checker takes half an hour for a fault of theirs that is not equal.
LARGE = {"iru"}

# Units at sizes other than the default ones: a build of the large ones takes too long with so many faults.
SIZES = {
    "bank": {"entries": 8},
    "wru_threshold": {"lanes": 4},
    "wru_sorting": {"lanes": 4},
    "wru_global": cosim_campaign.TWO,
    "hvu": {"lanes": 4},
    "hvu_bins": {"lanes": 4},
    "hwwl_core": {"lanes": 4},
    "hwwl": cosim_campaign.TWO,
    "classifier": cosim_campaign.SMALL,
    "ring_stop": {"sets": 8},
    "reorder_bank": {"sets": 8},
    "data_replier": cosim_campaign.HASTY,
    "iru_partition": cosim_campaign.HASTY,
    # A ring of two goes one way alone, and half of the hardware does nothing.
    "iru": cosim_campaign.HASTY | {"partitions": 4},
    "fetch_arbiter": {"schedulers": 2, "warps": 8},
    "instruction_buffer": {"warps": 8},
    "round_robin_scheduler": {"warps": 8},
    "b32_front_end": {"warps": 16},
    "gw_front_end": {"schedulers": 2, "warps": 16, "wave": 4, "swst": 2, "age_cap": 8} | cosim_campaign.NARROW,
}

HEAD = """# Planted faults

```sh
unruly mutate queue -n 1000 --seed 1
```

plants small faults in the netlist of a unit, one at a time, and holds each against the unit's model under its traffic. Yosys flattens the
RTL and chooses the places at random: one bit of one port of a cell is inverted (`inv`), stuck (`const0`, `const1`), or inverted while
another bit of the port has a value (`cnot0`, `cnot1`). All faults are in one netlist, behind an input that says which one is alive:
Verilator builds one model. The fault 0 is the netlist as it was; a difference there ends the command.

| outcome | meaning |
|---|---|
| killed | A pin that means something differed from the model, or an output followed an input within a cycle. |
| proven equal | The model checker of abc (`pdr`) proved that the fault changes no output that means something, from any state before the first reset, while the inputs keep the [rules of the pins](lockstep.md). |
| survives | Neither. The traffic has a hole, or the proof is beyond the model checker. |

`unruly mutate --again FILE` looks once more at the faults that survive in a report that `--json` wrote: with the model checker, for example after new
properties, and with more traffic if `--patience` is more than it was.

`scripts/mutation_campaign.py UNRULY docs/mutants docs/mutants.md --again 30` does so for all rows of this page, with {long_patience:,} cycles and 30 seconds a question; rows that had more traffic are named below the table.

The exit code is 0 if no fault survives, and 1 if some do. Clocks are left alone, and enables of read ports of memories.

* A fault that traffic does not find goes to the model checker, with 5 seconds a question (`--limit`).
* A question is about a piece of the unit, and registers outside it have any values in every cycle. The first is about one cycle, from any state that the
  invariants allow. Then come the parts of the unit that have the fault, the smallest first. Then a difference is looked for in the first 12 cycles of the
  whole unit. The registers that the fault changes are looked for with nothing given. Then comes the neighbourhood of the fault, in three steps: registers that the faulty logic reads, those that these read, and those behind
  them. The last questions are about the whole unit.
* The fault may change a few registers that nobody looks at then. In its neighbourhood it is allowed to change those to which a difference came, a few more
  with each question.
* A question without an answer in its time is put again for one bit after the other: outputs, and what goes into registers. The first difference would be in
  one of them. A memory with other words at its places is too much at once, and small questions if each is about one bit of a word.
* If that has no proof, the fault gets more traffic (`--patience`), in one long run. The campaign below gives it before, for the model checker is slowest
  with faults that are not equal.
* The limit is a time: fewer faults are proven equal while other work runs on the machine.
* A fault that gives the words of a memory other places, each its own, is proven with the words at these places from the beginning. The memory is the one that
  the fault reaches first.
* The proofs take as given the [properties](proofs.md) of the unit, if they are of its size: what is assumed of the inputs, and the invariants,
  which are proven first. Rules of the pins that look at registers are not used.

## All units

Made by `make mutants`: {mutants:,} faults a unit, {cycles:,} cycles of traffic for each at most, and {patience:,} more for those that are neither
found nor proven equal; seed 1. A unit that is large has 300 faults or 100; a row of another number has no more places. A unit is small here where its default size is large. The last two columns say what a row was made with, as in [cosim.md](cosim.md). A test fails when a row is stale.

| {columns} |
|---|---|---|--:|--:|--:|--:|--:|---|---|
"""
COLUMNS = ["module", "unit", "parameters", "faults", "killed", "proven equal", "survive", "last kill in cycle", "RTL", "model and traffic"]


def mutants(unit):
    return FEWER.get(unit, MUTANTS)


def jobs(unruly):
    """Unit and parameters for every unit that can be co-simulated."""
    return [(unit, SIZES.get(unit, {})) for unit, parameters in cosim_campaign.jobs(unruly) if not parameters]


def read(results, module):
    try:
        with open(os.path.join(results, module + ".json")) as file:
            return json.load(file)
    except FileNotFoundError:
        return None


def shown(found):
    return [f"`{found['digests'][kind][:cosim_campaign.DIGITS]}`" for kind in ("rtl", "traffic")]


def is_current(found, digests):
    if found is None or shown(found) != digests:
        return False
    effort = {"asked": mutants(found["unit"]), "cycles": CYCLES}
    return effort.items() <= found.items() and had_patience(found)


def had_patience(found):
    """Whether nothing is left that could have had more traffic."""
    return found.get("patience", 0) >= PATIENCE or not found["survivors"]


def row(found):
    parameters = ", ".join(f"{key} = {value}" for key, value in found["parameters"].items())
    numbers = [found["mutants"], found["killed"], found["equivalent"], len(found["survivors"]), found["slowest_kill"]]
    cells = [f"`{found['module']}`", found["unit"], parameters, *(f"{number:,}" for number in numbers), *shown(found)]
    return "| " + " | ".join(cells) + " |\n"


def survivor(mutation):
    wire = f" ({mutation['wire']})" if mutation["wire"] else ""
    finding = f" ({mutation['finding']})" if mutation.get("finding") else ""
    return f"* {mutation['mode']} at `{mutation['bit']}`{wire} in `{mutation['module']}`: `{mutation['line']}`{finding}\n"


def write_page(page, results, modules):
    found = [report for report in (read(results, module) for module in modules) if report]
    text = HEAD.format(mutants=MUTANTS, cycles=CYCLES, patience=PATIENCE, long_patience=LONG_PATIENCE, columns=" | ".join(COLUMNS)) + "".join(map(row, found))
    total = [sum(report[key] for report in found) for key in ("mutants", "killed", "equivalent")]
    left = sum(len(report["survivors"]) for report in found)
    text += "\nTogether {:,} faults: {:,} killed, {:,} proven equal, {:,} survive.\n".format(*total, left)
    missing = [module for module in modules if not read(results, module)]
    if missing:
        text += "\nWithout a report (not run yet, or failed): " + ", ".join(missing) + ".\n"
    short = [f"`{report['module']}`" for report in found if not had_patience(report)]
    if short:
        text += "\nFaults that survive in these rows had less traffic than that so far: " + ", ".join(short) + ".\n"
    for more in sorted({report["patience"] for report in found if report["patience"] > PATIENCE}):
        long = [f"`{report['module']}`" for report in found if report["patience"] == more]
        text += f"\nFaults that nothing had found so far had {more:,} more cycles in these rows: " + ", ".join(long) + ".\n"
    text += "\n## Faults that survive\n" + ("" if left else "\nNone.\n")
    for report in found:
        if report["survivors"]:
            text += f"\n`{report['module']}`:\n\n" + "".join(map(survivor, report["survivors"]))
    with open(page + ".new", "w") as file:
        file.write(text)
    os.replace(page + ".new", page)


def run(unruly, results, module, job):
    """Whether there is a report now: a command whose faults survive has one and ends with 1."""
    unit, parameters = job
    sets = [argument for key, value in parameters.items() for argument in ("--set", f"{key}={value}")]
    patience = LONG_PATIENCE if unit in LARGE else PATIENCE
    options = [unit, *sets, "-n", str(mutants(unit)), "--cycles", str(CYCLES), "--patience", str(patience), "--limit", "0"]
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "traffic.json")
        report = made(unruly, options, path)
        # The model checker is slowest with faults that are not equal: traffic has found most of them by now.
        if report and report["survivors"]:
            report = made(unruly, again(path, SECONDS, patience), os.path.join(directory, "asked.json"))
    return keep(report, results, module, mutants(unit))


def run_again(unruly, results, module, seconds):
    """The same, of the faults that survive in the report."""
    path = os.path.join(results, module + ".json")
    with tempfile.TemporaryDirectory() as directory:
        report = made(unruly, again(path, seconds, LONG_PATIENCE), os.path.join(directory, "again.json"))
    return keep(report, results, module, read(results, module)["asked"])


def again(path, seconds, patience):
    """The options that look once more at the faults that survive in the report of this path."""
    return ["--again", path, "--patience", str(patience), "--limit", str(seconds)]


def made(unruly, options, path):
    """The report of a command that writes it to `path`, or None."""
    subprocess.run([unruly, "mutate", *options, "--json", path], stdout=subprocess.DEVNULL)
    with open(path) as file:
        report = json.load(file)
    return report if "mutants" in report else None


def keep(report, results, module, asked):
    if not report:
        return False
    kept = ["unit", "module", "parameters", "seed", "digests", "cycles", "patience", "mutants", "killed", "equivalent", "slowest_kill", "survivors"]
    with open(os.path.join(results, module + ".json"), "w") as file:
        json.dump({"asked": asked} | {key: report[key] for key in kept}, file, indent=1)
        file.write("\n")
    return True


def main(arguments):
    """The exit code: 0, 1 if reports are stale or have failed, 2 after bad input, 130 after Ctrl-C."""
    unruly, results, page = arguments.unruly, arguments.results, arguments.page
    os.makedirs(results, exist_ok=True)
    job_of, order, stale, surviving, failed = {}, {}, [], [], []
    for job in jobs(unruly):
        module, digests = cosim_campaign.today(unruly, job)
        job_of[module] = job
        found = read(results, module)
        order[module] = (found is not None and shown(found) == digests, found is None)
        if not is_current(found, digests):
            stale.append(module)
        elif found["survivors"]:
            surviving.append(module)
    if arguments.stale:
        print(f"{len(stale)} of {len(job_of)} reports are stale", *stale, sep="\n")
        return int(bool(stale))
    # Rows of other RTL or traffic come first, then units without a row.
    stale.sort(key=lambda module: order[module])
    once_more = arguments.again is not None
    only = arguments.only.split(",") if arguments.only else list(job_of)
    for module in only:
        if module not in job_of:
            print(f"--only {module}: no such row; give one of {', '.join(job_of)}", file=sys.stderr)
            return 2
    todo = [module for module in (surviving if once_more else stale) if module in only]
    started = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        try:
            runs = {pool.submit(run_again, unruly, results, module, arguments.again) if once_more
                    else pool.submit(run, unruly, results, module, job_of[module]): module for module in todo}
            for done, finished in enumerate(concurrent.futures.as_completed(runs), 1):
                if not finished.result():
                    failed.append(runs[finished])
                write_page(page, results, list(job_of))
                minutes, seconds = divmod(int(time.monotonic() - started), 60)
                print(f"{done} of {len(runs)} units, {minutes}:{seconds:02} elapsed: {runs[finished]}", file=sys.stderr)
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
            print("interrupted; the same command goes on", file=sys.stderr)
            return 130
    if failed:
        print("failed: " + ", ".join(failed), file=sys.stderr)
    return int(bool(failed))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("unruly")
    parser.add_argument("results")
    parser.add_argument("page")
    parser.add_argument("--stale", action="store_true")
    parser.add_argument("--again", type=int, nargs="?", const=0)
    parser.add_argument("--only")
    parser.add_argument("--jobs", type=int, default=1)
    sys.exit(main(parser.parse_args()))
