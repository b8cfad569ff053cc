#!/usr/bin/env python3
"""The long co-simulation: every block of the worklist, of the reorder unit and of Graph-Waving in lock-step for ten million cycles, and the table of it.

usage: cosim_campaign.py UNRULY RESULTS PAGE

Runs the command UNRULY once for each job, one after the other, keeps the reports in the directory RESULTS and writes the
Markdown page PAGE anew after each. A job whose good report is in RESULTS is not run again: a campaign that was stopped
goes on where it was, and one that is to start anew needs an empty directory.
"""

import json
import os
import subprocess
import sys

CYCLES = 10_000_000
SEED = 1

SCHEMES = range(4)
# Reorder units that are filled quickly, and whose requests wait for few cycles.
SMALL = {"partitions": 2, "sets": 8}
HASTY = {"timeout": 16, "requests": 16}
# Front ends of few warps, whose tables and sets are full soon.
FEW = {"warps": 8, "wave": 4}
NARROW = {"sets": 4, "ways": 2}
# Unit and parameters other than the default ones; those that take long come last.
JOBS = (
    [("bank", {"entries": entries}) for entries in (32, 8, 128)]
    + [("sorter", {"network": network}) for network in range(4)]
    + [("sorter", {"items": 4, "width": 8, "cut": 1}), ("sorter", {"items": 32, "width": 11, "cut": 4})]
    + [(unit, {"lanes": lanes}) for unit in ("wru_threshold", "wru_sorting") for lanes in (16, 4, 32)]
    + [("wru_global", {"cores": 2, "lanes": 4})]
    + [("hvu", {"lanes": lanes, "refill": refill}) for refill in (0, 1) for lanes in (16, 4)]
    + [("icrn", {"cores": cores}) for cores in (4, 2, 8, 16)]
    + [("hwwl_core", {"lanes": 4, "scheme": scheme, "refill": refill}) for scheme in SCHEMES for refill in (0, 1)]
    + [("hwwl", {"cores": 2, "lanes": 4, "scheme": scheme}) for scheme in SCHEMES]
    + [("hwwl", {"cores": 2, "lanes": 4, "scheme": 2, "refill": 1})]
    + [("hwwl_core", {"scheme": scheme}) for scheme in SCHEMES]
    + [("hwwl_core", {"refill": 1})]
    + [("wru_global", {}), ("sorter", {"items": 64, "width": 12, "cut": 6})]
    + [("hwwl", {"scheme": scheme}) for scheme in SCHEMES]
    + [("sram_1r1w", {"words": words, "width": width}) for words, width in ((32, 192), (1024, 16))]
    + [("queue", {"entries": entries, "width": width}) for entries, width in ((16, 80), (32, 80), (64, 80), (1024, 16))]
    + [("iru_hash", {"hash": kind}) for kind in range(3)]
    + [("prefetcher", parameters) for parameters in ({}, {"partitions": 2}, {"interleave": 1})]
    + [("fp32_add", {})]
    + [(unit, SMALL) for unit in ("classifier", "ring_stop", "reorder_bank")]
    + [(unit, {}) for unit in ("classifier", "ring_stop", "reorder_bank")]
    + [(unit, SMALL | HASTY) for unit in ("data_replier", "iru_partition", "iru")]
    + [(unit, {}) for unit in ("data_replier", "iru_partition", "iru")]
    + [("instruction_storage", parameters) for parameters in ({"schedulers": 2} | NARROW, {})]
    + [("warp_status_table", parameters) for parameters in (FEW | NARROW, {})]
    + [("fetch_arbiter", parameters) for parameters in ({"schedulers": 2, "warps": 8}, {})]
    + [(unit, parameters) for unit in ("scoreboard", "scalar_register_map") for parameters in (FEW, {})]
    + [("swfu", parameters) for parameters in (FEW | {"swst": 2, "age_cap": 8}, {})]
    + [(unit, parameters) for unit in ("scalar_wave_scoreboard", "pair_scheduler") for parameters in (FEW | {"swst": 2}, {})]
    + [(unit, parameters) for unit in ("instruction_buffer", "round_robin_scheduler") for parameters in ({"warps": 8}, {})]
    + [("gw_front_end", {"schedulers": 2, "warps": 16, "wave": 4, "swst": 2, "age_cap": 8} | NARROW)]
    + [("gw_front_end", {})]
)

HEAD = """# Lock-step of every block

Made by `make campaign`: `unruly cosim --unit UNIT --set NAME=VALUE --cycles {cycles} --seed {seed}` for every row. RTL (verilated
from the text in `verilog-out/`) and behavioural model get the same random legal inputs; every output pin is compared in every cycle in
which it means something. The traffic counts events (full, empty, wrap, conflict, swap, overflow, drain, ...): a row in which one
never happened is a failure. Both buffer modes are part of the traffic of every unit that has modes.
Schemes: 0 none, 1 threshold, 2 local sorting, 3 global sorting; refill: 0 interval, 1 demand.

| module | unit | parameters | cycles | pins compared | mismatches | events reached | rarest event |
|---|---|---|--:|--:|--:|--:|---|
"""


def name(unit, parameters):
    return "-".join([unit] + [f"{key}{value}" for key, value in parameters.items()])


def report(path):
    """The report at `path`, if there is one of such a run."""
    try:
        with open(path) as file:
            found = json.load(file)
    except (OSError, ValueError):
        return None
    return found if (found.get("cycles"), found.get("seed")) == (CYCLES, SEED) else None


def is_good(found):
    return not (found["mismatches"] or found["violation"]) and all(found["coverage"].values())


def row(found):
    parameters = ", ".join(f"{key} = {value}" for key, value in found["parameters"].items())
    events = found["coverage"]
    rarest = min(events, key=lambda event: (events[event], event))
    cells = [f"`{found['module']}`", found["unit"], parameters, f"{found['cycles']:,}", f"{found['comparisons']:,}",
             found["mismatches"], f"{sum(map(bool, events.values()))} of {len(events)}", f"{rarest}: {events[rarest]:,}"]
    return "| " + " | ".join(map(str, cells)) + " |\n"


def write_page(page, results):
    reports = [(job, report(os.path.join(results, name(*job) + ".json"))) for job in JOBS]
    done = [found for _, found in reports if found]
    open_jobs = [name(*job) for job, found in reports if not found]
    text = HEAD.format(cycles=CYCLES, seed=SEED) + "".join(map(row, done))
    text += f"\nTogether {sum(f['cycles'] for f in done):,} cycles, {sum(f['comparisons'] for f in done):,} pin comparisons, "
    text += f"{sum(f['mismatches'] for f in done):,} mismatches.\n"
    if open_jobs:
        text += "\nWithout a report (not run yet, or ended by an error): " + ", ".join(open_jobs) + ".\n"
    with open(page + ".new", "w") as file:
        file.write(text)
    os.replace(page + ".new", page)


def main(unruly, results, page):
    os.makedirs(results, exist_ok=True)
    failed = []
    for unit, parameters in JOBS:
        path = os.path.join(results, name(unit, parameters) + ".json")
        found = report(path)
        if found is None or not is_good(found):
            command = [unruly, "cosim", "--unit", unit, "--cycles", str(CYCLES), "--seed", str(SEED), "--json", path]
            for key, value in parameters.items():
                command += ["--set", f"{key}={value}"]
            if subprocess.run(command).returncode:
                failed.append(name(unit, parameters))
            write_page(page, results)
    write_page(page, results)
    if failed:
        sys.exit("failed: " + ", ".join(failed))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
