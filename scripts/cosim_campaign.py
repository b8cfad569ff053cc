#!/usr/bin/env python3
"""The long co-simulation: every unit of the catalogue in lock-step for ten million cycles.

usage: cosim_campaign.py UNRULY DATA [--stale] [--jobs N]

Runs the command UNRULY once for each row of DATA/cosim.json that is stale, and writes the file anew after each. A row is stale if
it is not there or if its digests are not those that the command UNRULY gives today: a campaign that was stopped goes
on where it was. `UNRULY pages` writes the page of the rows.

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


def read_rows(path):
    """The rows of a file, by module."""
    try:
        with open(path) as file:
            return {row["module"]: row for row in json.load(file)}
    except FileNotFoundError:
        return {}


def write_rows(path, rows):
    """A row a line."""
    with open(path + ".new", "w") as file:
        file.write("[\n" + ",\n".join(map(json.dumps, rows)) + "\n]\n")
    os.replace(path + ".new", path)


def today(unruly, job):
    """A row of what the command gives for a job today, without a run."""
    run = subprocess.run(command(unruly, *job, "--digests"), stdout=subprocess.PIPE, text=True)
    if run.returncode:
        sys.exit(f"{' '.join(run.args)}: ended with {run.returncode}")
    words = dict(line.split() for line in run.stdout.splitlines())
    return {"module": words["module"]} | short(words)


def short(digests):
    return {kind: digests[kind][:DIGITS] for kind in ("rtl", "traffic")}


def is_current(row, expected):
    """Whether a row is of today and was run."""
    return row is not None and (expected | {"cycles": CYCLES, "mismatches": 0}).items() <= row.items()


def row(found):
    events = found["coverage"]
    rarest = min(events, key=lambda event: (events[event], event))
    kept = {key: found[key] for key in ("module", "unit", "parameters", "seed", "cycles", "comparisons", "mismatches")}
    return kept | {"events": len(events), "reached": sum(map(bool, events.values())),
                   "rarest": {"event": rarest, "times": events[rarest]}} | short(found["digests"])


def run(unruly, job, results):
    """The row of a job, or nothing if the run has failed."""
    path = os.path.join(results, f"{threading.get_ident()}.json")
    if subprocess.run(command(unruly, *job, "--cycles", str(CYCLES), "--json", path)).returncode:
        return None
    with open(path) as file:
        return row(json.load(file))


def main(unruly, data, only_name, at_a_time):
    """The exit code: 0, 1 if rows are stale or have failed, 130 after Ctrl-C."""
    path = os.path.join(data, "cosim.json")
    with concurrent.futures.ThreadPoolExecutor(at_a_time) as pool:
        try:
            wanted = jobs(unruly)
            found = list(pool.map(lambda job: today(unruly, job), wanted))
            rows, job_of = read_rows(path), {row["module"]: job for job, row in zip(wanted, found)}
            stale = [row["module"] for row in found if not is_current(rows.get(row["module"]), row)]
            if only_name:
                print(f"{len(stale)} of {len(job_of)} rows are stale", *stale, sep="\n")
                return int(bool(stale))
            return run_all(unruly, path, pool, job_of, stale, rows)
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
            print("interrupted; the same command goes on", file=sys.stderr)
            return 130


def run_all(unruly, path, pool, job_of, stale, rows):
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
            # A row that was not run yet, or that has failed, is what would be run.
            write_rows(path, [rows.get(module, {"module": module, "unit": unit, "parameters": parameters})
                              for module, (unit, parameters) in job_of.items()])
            minutes, seconds = divmod(int(time.monotonic() - started), 60)
            print(f"{done} of {len(runs)} rows, {minutes}:{seconds:02} elapsed: {module}", file=sys.stderr)
    if failed:
        print("failed: " + ", ".join(failed), file=sys.stderr)
    return int(bool(failed))


def command_line(usage, main):
    """Ends the script with what `main` gives for its arguments."""
    parser = argparse.ArgumentParser(usage=usage)
    parser.add_argument("unruly")
    parser.add_argument("data")
    parser.add_argument("--stale", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    sys.exit(main(arguments.unruly, arguments.data, arguments.stale, arguments.jobs))


if __name__ == "__main__":
    command_line(__doc__, main)
