#!/usr/bin/env python3
"""Planted faults in every unit.

usage: mutation_campaign.py UNRULY DATA [--stale] [--again [SECONDS]] [--only MODULE,...] [--jobs N]

Runs `UNRULY mutate` once for each unit whose report in the folder DATA/mutants is missing or stale. A report is stale if its digests are
not those that the command UNRULY gives today: a campaign that was stopped goes on where it was. `UNRULY pages` writes the page of them.

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

# Seconds for a question to the model checker.
SECONDS = 5
CYCLES = 100_000
PATIENCE = 1_000_000
# For faults that are looked at once more.
LONG_PATIENCE = 10_000_000
# Units that have so much traffic at once: the model checker takes half an hour for a fault of theirs that is not equal.
LARGE = {"iru"}

# Faults by unit, as `jobs` finds them.
MUTANTS = {}


def jobs(unruly):
    """Unit and parameters for every unit that can be co-simulated."""
    units = cosim_campaign.listed(unruly)
    MUTANTS.update((unit["name"], unit["sizes"]["mutant_count"]) for unit in units)
    return [(unit["name"], unit["sizes"]["mutants"]) for unit in units]


def read(results, module):
    try:
        with open(os.path.join(results, module + ".json")) as file:
            return json.load(file)
    except FileNotFoundError:
        return None


def is_of(found, expected):
    """Whether a report is of the RTL and the traffic of today."""
    return found is not None and cosim_campaign.short(found["digests"]).items() <= expected.items()


def is_current(found, expected):
    if not is_of(found, expected):
        return False
    effort = {"asked": MUTANTS[found["unit"]], "cycles": CYCLES}
    return effort.items() <= found.items() and had_patience(found)


def had_patience(found):
    """Whether nothing is left that could have had more traffic."""
    return found.get("patience", 0) >= PATIENCE or not found["survivors"]


def run(unruly, results, module, job):
    """Whether there is a report now: a command whose faults survive has one and ends with 1."""
    unit, parameters = job
    sets = [argument for key, value in parameters.items() for argument in ("--set", f"{key}={value}")]
    patience = LONG_PATIENCE if unit in LARGE else PATIENCE
    options = [unit, *sets, "-n", str(MUTANTS[unit]), "--cycles", str(CYCLES), "--patience", str(patience), "--limit", "0"]
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "traffic.json")
        report = made(unruly, options, path)
        # The model checker is slowest with faults that are not equal: traffic has found most of them by now.
        if report and report["survivors"]:
            report = made(unruly, again(path, SECONDS, patience), os.path.join(directory, "asked.json"))
    return keep(report, results, module, MUTANTS[unit])


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
    path = os.path.join(results, module + ".json")
    with open(path + ".new", "w") as file:
        json.dump({"asked": asked} | {key: report[key] for key in kept}, file, indent=1)
        file.write("\n")
    os.replace(path + ".new", path)
    return True


def main(arguments):
    """The exit code: 0, 1 if reports are stale or have failed, 2 after bad input, 130 after Ctrl-C."""
    unruly, results = arguments.unruly, os.path.join(arguments.data, "mutants")
    os.makedirs(results, exist_ok=True)
    job_of, order, stale, surviving, failed = {}, {}, [], [], []
    for job in jobs(unruly):
        expected = cosim_campaign.today(unruly, job)
        module = expected["module"]
        job_of[module] = job
        found = read(results, module)
        order[module] = (is_of(found, expected), found is None)
        if not is_current(found, expected):
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
    parser.add_argument("data")
    parser.add_argument("--stale", action="store_true")
    parser.add_argument("--again", type=int, nargs="?", const=0)
    parser.add_argument("--only")
    parser.add_argument("--jobs", type=int, default=1)
    sys.exit(main(parser.parse_args()))
