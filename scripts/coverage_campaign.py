#!/usr/bin/env python3
"""What the traffic of every instance moves and reaches.

usage: coverage_campaign.py UNRULY DATA [--stale] [--jobs N]

Measures the coverage of each instance of DATA/cosim.json whose row in DATA/coverage.json is missing or stale: of other RTL or traffic, or of
shorter runs than today's. `UNRULY pages` writes the page of the rows.

--stale    name the stale rows and run nothing; ends with 1 if there are any
--jobs N   N runs at a time (default 1)
"""

import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile

import cosim_campaign

CYCLES = 500_000
# Cycles of one segment for an instance with bits that stand still in shorter ones, or places that these do not reach: its traffic fills what
# is large, or comes to the end of a long job.
LONG = {"hwwl_core": 5_000_000, "hwwl": 4_600_000, "prefetcher": 3_000_000, "iru_partition": 5_500_000, "iru": 3_500_000}


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
    """What the runs of an instance move and reach, as a row has it."""
    found = run(unruly, job, "--cycles", str(CYCLES))
    still, never, long = found["still"], found["places"]["never"], {}
    if (still or never) and job[0] in LONG:
        cycles = str(LONG[job[0]])
        other = run(unruly, job, "--cycles", cycles, "--segment", cycles)
        still = still_in_both(still, other["still"])
        never = [place for place in never if place in other["places"]["never"]]
        long = {"long": LONG[job[0]]}
    events = found["coverage"]
    return {"module": found["module"], "cycles": CYCLES, **long, **cosim_campaign.short(found["digests"]), "still": still,
            "waived": {waiver["pin"]: waiver["bits"] for waiver in found["waived"]},
            "places": found["places"]["places"], "never": never, "waived_places": len(found["places"]["waived"]),
            "missed": sorted(event for event in events if not events[event]), "events": len(events)}


def is_current(row, campaign):
    """Whether the row is of the RTL and the traffic of the campaign's row, and of runs as long as today's."""
    if row is None or row["cycles"] != CYCLES or any(row[kind] != campaign.get(kind) for kind in ("rtl", "traffic")):
        return False
    needs_long = row["still"] or row["never"] or "long" in row
    return not needs_long or row.get("long") == LONG.get(campaign["unit"])


def main(unruly, data, only_name, at_a_time):
    """The exit code: 0, or 1 if rows are stale."""
    path = os.path.join(data, "coverage.json")
    campaign = cosim_campaign.read_rows(os.path.join(data, "cosim.json"))
    rows = cosim_campaign.read_rows(path)
    stale = [row for module, row in campaign.items() if not is_current(rows.get(module), row)]
    if only_name:
        print(f"{len(stale)} of {len(campaign)} rows are stale", *(row["module"] for row in stale), sep="\n")
        return int(bool(stale))
    with concurrent.futures.ThreadPoolExecutor(at_a_time) as pool:
        for done, row in enumerate(pool.map(lambda row: moved(unruly, (row["unit"], row["parameters"])), stale), 1):
            rows[row["module"]] = row
            print(f"{done} of {len(stale)} instances: {row['module']}", file=sys.stderr)
            cosim_campaign.write_rows(path, [rows[module] for module in campaign if module in rows])
    return 0


if __name__ == "__main__":
    cosim_campaign.command_line(__doc__, main)
