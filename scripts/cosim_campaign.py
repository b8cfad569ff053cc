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

DIGITS = 12


def listed(unruly):
    """Every unit of verilog-out that can be co-simulated, with its sizes."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        subprocess.run([unruly, "list", "units", "--json", file.name], stdout=subprocess.DEVNULL, check=True)
        units = json.load(open(file.name))["units"]
    return [unit for unit in units if unit["cosim"] and unit["instances"]]


def jobs(unruly):
    """Unit and parameters other than the default ones: the default size of each unit, then the others of the campaign."""
    return [(unit["name"], parameters) for unit in listed(unruly) for parameters in [{}] + unit["sizes"]["cosim"]]


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
