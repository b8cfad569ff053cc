#!/usr/bin/env python3
"""Long work that is killed, that finds the disk full, or that runs twice at once: the same bytes come out in the end.

usage: interrupt.py UNRULY [--kills N] [--seed S] [--only WORK ...]

Kills a sweep, an area run and a campaign of co-simulations N times in all, at moments drawn from the seed S, each time with SIGKILL: the command
alone, or all processes that it has started too. The same command goes on, and what it has written in the end is held against an
undisturbed run. Then each piece of work meets a full disk and goes on when there is room, and runs twice at once on one cache.
Ends with 1 if bytes differ, if something half-written is left, or if a message is not one line.

--kills N     kills in all (default 100)
--seed S      of the moments (default 1)
--only WORK   sweep, area or campaign (default: all)

Without root there is no full disk, which is a tmpfs that is mounted.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

PLAN = """
title = "Small"
figure = "bars"
config = "hwwl-micro14"
workloads = ["bfs"]
graphs = ["gen:uniform:600", "gen:grid:20x20", "gen:kron:8"]
baselines = ["topo", "swwl"]

[[series]]
name = "hwwl"
variant = "hwwl"
"""
MODULES = "iru_hash_p4_s256,icrn_c4,sorter_16x10"
# Rows of the real campaign that are made in seconds.
ROWS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "docs", "data", "cosim.json")
QUICK = {"queue_32x80", "sram_1rw_32x24", "iru_hash_p4_s256", "sorter_16x10"}
LONGEST = 900
FULL = "No space left on device"


class Work:
    """A command that goes on where it was, in a folder."""

    def __init__(self, unruly):
        self.unruly = unruly


class Sweep(Work):
    name = "sweep"
    full = "out"

    def prepare(self, folder):
        with open(os.path.join(folder, "small.toml"), "w") as file:
            file.write(PLAN)

    def command(self, folder):
        return [self.unruly, "sweep", "small.toml", "--out", "out", "--jobs", "2"]

    def result(self, folder, output):
        return {name: read(os.path.join(folder, "out", name)) for name in ("runs.csv", "runs.json", "report.md", "small.svg")}


class Area(Work):
    name = "area"
    full = "cache"

    def prepare(self, folder):
        pass

    def command(self, folder):
        return [self.unruly, "area", "--module", MODULES, "--cache", "cache"]

    def result(self, folder, output):
        return {"table": output}


class Campaign(Work):
    name = "campaign"
    full = "models"

    def prepare(self, folder):
        rows = [row for row in json.loads(read(ROWS)) if row["module"] not in QUICK]
        with open(os.path.join(folder, "cosim.json"), "w") as file:
            json.dump(rows, file)

    def command(self, folder):
        return [self.unruly, "cosim", "--rows", "cosim.json"]

    def result(self, folder, output):
        return {"rows": read(os.path.join(folder, "cosim.json"))}


def read(path):
    with open(path, "rb") as file:
        return file.read()


class Run:
    """A run of a piece of work. What it says goes to files: processes that outlive it would keep a pipe open."""

    def __init__(self, work, folder):
        self.work, self.folder = work, folder
        self.output, self.errors = tempfile.TemporaryFile(), tempfile.TemporaryFile()
        environment = dict(os.environ, UNRULY_CACHE=os.path.join(folder, "models"))
        self.process = subprocess.Popen(work.command(folder), cwd=folder, env=environment, stdout=self.output, stderr=self.errors,
                                        stdin=subprocess.DEVNULL, start_new_session=True)

    def ends_within(self, seconds):
        try:
            self.process.wait(seconds)
            return True
        except subprocess.TimeoutExpired:
            return False

    def kill(self, kill):
        kill(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def said(self, file):
        file.seek(0)
        return file.read()

    def complaint(self):
        return self.said(self.errors).decode(errors="replace").replace("\r", "\n").strip()

    def result(self):
        """Of a run that must end well."""
        if not self.ends_within(LONGEST):
            self.kill(os.killpg)
            raise Failure(f"{self.work.name}: does not end")
        if self.process.returncode:
            raise Failure(f"{self.work.name}: ended with {self.process.returncode}: {self.complaint()}")
        return self.work.result(self.folder, self.said(self.output))


class Failure(Exception):
    pass


def same(work, found, expected, when):
    for name, text in expected.items():
        if found[name] != text:
            raise Failure(f"{work.name}, {when}: {name} differs from an undisturbed run")


def fresh(work, root):
    """A folder of its own: processes that outlived a kill may still write into the one before."""
    folder = tempfile.mkdtemp(prefix=work.name + "-", dir=root)
    work.prepare(folder)
    return folder


def killed(work, root, expected, seconds, kills, draw):
    """Kills until there were `kills` of them; gives how many runs came to their end in between."""
    done = ends = 0
    folder = fresh(work, root)
    while done < kills:
        run = Run(work, folder)
        ended = run.ends_within(draw.uniform(0, 0.7 * seconds))
        if not ended:
            run.kill(os.kill if draw.random() < 0.5 else os.killpg)
            done += 1
        if ended or done == kills:
            same(work, Run(work, folder).result(), expected, f"after {done} kills")
            half_written(work, folder)
            ends += 1
            folder = fresh(work, root)
        print(f"\r{work.name}: {done} of {kills} kills", end="", file=sys.stderr)
    print(file=sys.stderr)
    return ends


def half_written(work, folder):
    """Whatever is there under a name of its own is whole."""
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            if name.endswith(".json") and not name.startswith("."):
                try:
                    json.loads(read(path))
                except ValueError:
                    raise Failure(f"{work.name}: {os.path.relpath(path, folder)} is half written") from None


def twice(work, root, expected):
    folder = fresh(work, root)
    for run in [Run(work, folder), Run(work, folder)]:
        same(work, run.result(), expected, "two at once")
    half_written(work, folder)


def full_disk(work, root, expected):
    """A disk without room where the work keeps what it has done, then with room: gives how the command ended, and what it said."""
    folder = fresh(work, root)
    place = os.path.join(folder, work.full)
    ballast = os.path.join(place, "ballast")
    os.makedirs(place)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", place], check=True)
    try:
        fill(ballast)
        run = Run(work, folder)
        if not run.ends_within(LONGEST):
            raise Failure(f"{work.name}: does not end on a full disk")
        said, code = run.complaint(), run.process.returncode
        reasons = [line for line in said.splitlines() if line.startswith("unruly: ")]
        if code not in (1, 2) or not reasons or not all(FULL in line for line in reasons):
            raise Failure(f"{work.name}: ended with {code} on a full disk, and said: {said}")
        os.remove(ballast)
        half_written(work, folder)
        subprocess.run(["mount", "-o", "remount,size=1g", place], check=True)
        same(work, Run(work, folder).result(), expected, "when there is room again")
        return code, reasons[0].replace(folder + "/", "")
    finally:
        subprocess.run(["umount", "--lazy", place], check=True)


def fill(path):
    with open(path, "wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            pass


def main(unruly, kills, seed, only):
    draw = random.Random(seed)
    works = [work(os.path.abspath(unruly)) for work in (Sweep, Area, Campaign) if not only or work.name in only]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as root:
        for number, work in enumerate(works):
            share = kills * (number + 1) // len(works) - kills * number // len(works)
            began = time.monotonic()
            expected = Run(work, fresh(work, root)).result()
            seconds = time.monotonic() - began
            ends = killed(work, root, expected, seconds, share, draw)
            print(f"{work.name}: {share} kills, {ends} runs to their end, the same bytes; an undisturbed run takes {seconds:.1f} s")
            twice(work, root, expected)
            print(f"{work.name}: two at once, the same bytes")
            if os.geteuid() == 0:
                code, line = full_disk(work, root, expected)
                print(f"{work.name}: full disk: exit code {code}, `{line}`; with room again the same bytes")
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("unruly")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="+", choices=["sweep", "area", "campaign"])
    arguments = parser.parse_args()
    try:
        sys.exit(main(arguments.unruly, arguments.kills, arguments.seed, arguments.only))
    except Failure as failure:
        print(failure, file=sys.stderr)
        sys.exit(1)
