#!/usr/bin/env python3
"""The long co-simulation: every unit of the catalogue in lock-step for ten million cycles, and the table of the results.

usage: cosim_campaign.py UNRULY PAGE [--stale] [--jobs N]

Runs the command UNRULY once for each row of the Markdown page PAGE that is stale, and writes the page anew after each. A row is stale if
it is not there or if its digests are not those that the command UNRULY gives today: a campaign that was stopped goes
on where it was.

--stale    name the stale rows and run nothing; ends with 1 if there are any
--jobs N   N runs at a time (default 1)
"""

import argparse
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile
import threading
import time

CYCLES = 10_000_000
SEED = 1

# Reorder units that are filled quickly, and whose requests wait for few cycles.
SMALL = {"partitions": 2, "sets": 8}
HASTY = SMALL | {"timeout": 16, "requests": 16}
# Front ends of few warps, whose tables and sets are full soon.
NARROW = {"sets": 4, "ways": 2}
TWO = {"cores": 2, "lanes": 4}
# What a unit runs with besides its default parameters, which every unit runs with.
SIZES = {
    "sram_1rw": [{"words": words} for words in (8, 128, 1024)],
    "bank": [{"entries": entries} for entries in (8, 128)],
    "sorter": [{"network": network} for network in (1, 2, 3)]
    + [{"items": items, "width": width, "cut": cut} for items, width, cut in ((4, 8, 1), (32, 11, 4), (64, 12, 6))],
    "wru_threshold": [{"lanes": lanes} for lanes in (4, 32)],
    "wru_sorting": [{"lanes": lanes} for lanes in (4, 32)],
    "wru_global": [TWO],
    "hvu": [{"refill": 1}, {"lanes": 4}, {"lanes": 4, "refill": 1}],
    "hvu_bins": [{"refill": 1}, {"lanes": 4}],
    "icrn": [{"cores": cores} for cores in (2, 8, 16)],
    "hwwl_core": [{"lanes": 4, "scheme": scheme, "refill": refill} for scheme in range(4) for refill in (0, 1)]
    + [{"scheme": scheme} for scheme in (0, 1, 3)] + [{"refill": 1}, {"bins": 64}],
    "hwwl": [TWO | {"scheme": scheme} for scheme in range(4)] + [TWO | {"refill": 1}]
    + [{"scheme": scheme} for scheme in (0, 1, 3)] + [{"bins": 64}],
    "sram_1r1w": [{"width": 192}, {"words": 1024, "width": 16}],
    "queue": [{"entries": 16}, {"entries": 64}, {"entries": 1024, "width": 16}],
    "iru_hash": [{"hash": kind} for kind in (1, 2)],
    "prefetcher": [{"partitions": 2}, {"interleave": 1}],
    "classifier": [SMALL],
    "ring_stop": [{"sets": 8}],
    "reorder_bank": [{"sets": 8}],
    "data_replier": [HASTY],
    "iru_partition": [HASTY],
    "iru": [HASTY],
    "fetch_arbiter": [{"schedulers": 2, "warps": 8}],
    "instruction_buffer": [{"warps": 8}],
    "round_robin_scheduler": [{"warps": 8}],
    "b32_front_end": [{"warps": 16}],
    "gw_front_end": [{"schedulers": 2, "warps": 16, "wave": 4, "swst": 2, "age_cap": 8} | NARROW],
}

HEAD = """# Lock-step of every block

Made by `make campaign`: `unruly cosim --unit UNIT --set NAME=VALUE --cycles {cycles} --seed {seed}` for every row. RTL and behavioural
model get the same random legal inputs; every output pin is compared in every cycle in which it means something. The RTL is the Verilog
that `hdl/` gives at that moment, built by Verilator; a test holds `verilog-out/` equal to that text. The traffic counts events (full,
empty, wrap, conflict, swap, overflow, drain, ...): a row in which one never happened is a failure. Both buffer modes are part of the
traffic of every unit that has modes.
Schemes: 0 none, 1 threshold, 2 local sorting, 3 global sorting; refill: 0 interval, 1 demand.

The last two columns say what a row was made with (the first {digits} digits of a SHA-256): the Verilog of the unit and its children without
comments and white space, and all pins in the first 8,192 cycles of the behavioural model under its traffic. A test fails when a row is
stale; `scripts/cosim_campaign.py target/release/unruly docs/cosim.md --stale` names all of those. [lockstep.md](lockstep.md) is about the command.

| {columns} |
|---|---|---|--:|--:|--:|--:|---|---|---|
"""
COLUMNS = ["module", "unit", "parameters", "cycles", "pins compared", "mismatches", "events reached", "rarest event", "RTL",
           "model and traffic"]
DIGITS = 12


def jobs(unruly):
    """Unit and parameters other than the default ones, for every unit of verilog-out that can be co-simulated."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        subprocess.run([unruly, "list", "units", "--json", file.name], stdout=subprocess.DEVNULL, check=True)
        listed = json.load(open(file.name))["units"]
    units = [unit["name"] for unit in listed if unit["cosim"] and unit["instances"]]
    if unknown := SIZES.keys() - units:
        sys.exit(f"SIZES names {', '.join(sorted(unknown))}, which `{unruly} list units` does not have or cannot co-simulate")
    return [(unit, parameters) for unit in units for parameters in [{}] + SIZES.get(unit, [])]


def command(unruly, unit, parameters, *more):
    sets = [argument for key, value in parameters.items() for argument in ("--set", f"{key}={value}")]
    return [unruly, "cosim", "--unit", unit, "--seed", str(SEED), *sets, *more]


def read_page(page):
    """The rows of a page, by module: a list of cells each."""
    try:
        with open(page) as file:
            lines = [line.strip() for line in file if line.startswith("| `")]
    except FileNotFoundError:
        return {}
    rows = [line[2:-2].split(" | ") for line in lines]
    return {cells[0].strip("`"): cells for cells in rows}


def today(unruly, job):
    """Module and digests of a job, as the command gives them today."""
    run = subprocess.run(command(unruly, *job, "--digests"), stdout=subprocess.PIPE, text=True)
    if run.returncode:
        sys.exit(f"{' '.join(run.args)}: ended with {run.returncode}")
    words = dict(line.split() for line in run.stdout.splitlines())
    return words["module"], [f"`{words[kind][:DIGITS]}`" for kind in ("rtl", "traffic")]


def is_current(cells, digests):
    return cells is not None and cells[3] == f"{CYCLES:,}" and cells[5] == "0" and cells[8:] == digests


def row(found):
    parameters = ", ".join(f"{key} = {value}" for key, value in found["parameters"].items())
    events = found["coverage"]
    rarest = min(events, key=lambda event: (events[event], event))
    digests = [f"`{found['digests'][kind][:DIGITS]}`" for kind in ("rtl", "traffic")]
    cells = [f"`{found['module']}`", found["unit"], parameters, f"{found['cycles']:,}", f"{found['comparisons']:,}",
             found["mismatches"], f"{sum(map(bool, events.values()))} of {len(events)}",
             f"{rarest}: {events[rarest]:,}", *digests]
    return list(map(str, cells))


def write_page(page, modules, rows):
    text = HEAD.format(cycles=CYCLES, seed=SEED, digits=DIGITS, columns=" | ".join(COLUMNS))
    done = [rows[module] for module in modules if module in rows]
    text += "".join("| " + " | ".join(cells) + " |\n" for cells in done)
    total = [sum(int(cells[column].replace(",", "")) for cells in done) for column in (3, 4, 5)]
    text += "\nTogether {:,} cycles, {:,} pin comparisons, {:,} mismatches.\n".format(*total)
    missing = [module for module in modules if module not in rows]
    if missing:
        text += "\nWithout a report (not run yet, or failed): " + ", ".join(missing) + ".\n"
    with open(page + ".new", "w") as file:
        file.write(text)
    os.replace(page + ".new", page)


def run(unruly, job, results):
    """The row of a job, or nothing if the run has failed."""
    path = os.path.join(results, f"{threading.get_ident()}.json")
    if subprocess.run(command(unruly, *job, "--cycles", str(CYCLES), "--json", path)).returncode:
        return None
    with open(path) as file:
        return row(json.load(file))


def main(unruly, page, only_name, at_a_time):
    """The exit code: 0, 1 if rows are stale or have failed, 130 after Ctrl-C."""
    with concurrent.futures.ThreadPoolExecutor(at_a_time) as pool:
        try:
            wanted = jobs(unruly)
            found = list(pool.map(lambda job: today(unruly, job), wanted))
            digests = dict(found)
            rows = {module: cells for module, cells in read_page(page).items() if module in digests}
            job_of = {module: job for job, (module, _) in zip(wanted, found)}
            stale = [module for module in job_of if not is_current(rows.get(module), digests[module])]
            if only_name:
                print(f"{len(stale)} of {len(job_of)} rows are stale", *stale, sep="\n")
                return int(bool(stale))
            return run_all(unruly, page, pool, job_of, stale, rows)
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
            print("interrupted; the same command goes on", file=sys.stderr)
            return 130


def run_all(unruly, page, pool, job_of, stale, rows):
    started = time.monotonic()
    failed = []
    with tempfile.TemporaryDirectory() as results:
        runs = {pool.submit(run, unruly, job_of[module], results): module for module in stale}
        for done, finished in enumerate(concurrent.futures.as_completed(runs), 1):
            module = runs[finished]
            rows.pop(module, None)
            if finished.result():
                rows[module] = finished.result()
            else:
                failed.append(module)
            write_page(page, list(job_of), rows)
            minutes, seconds = divmod(int(time.monotonic() - started), 60)
            print(f"{done} of {len(runs)} rows, {minutes}:{seconds:02} elapsed: {module}", file=sys.stderr)
    if failed:
        print("failed: " + ", ".join(failed), file=sys.stderr)
    return int(bool(failed))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("unruly")
    parser.add_argument("page")
    parser.add_argument("--stale", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    sys.exit(main(arguments.unruly, arguments.page, arguments.stale, arguments.jobs))
