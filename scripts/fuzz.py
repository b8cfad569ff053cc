#!/usr/bin/env python3
"""What libFuzzer makes up, to every reader of texts that somebody else has written.

usage: fuzz.py SECONDS [READER ...] [--build]

Builds the fuzzer of fuzz/ and runs it for SECONDS on each READER, by default on all that have a folder in fuzz/corpus, one at a time and with
low priority. A panic, a text that takes more than 10 s and one that takes more than 2 GB end the run of that reader; the text is then in
out/fuzz, and the exit code is 1. What reached something new stays in out/fuzz/READER, and the next run begins with it.

--build       build only
"""

import argparse
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CORPUS = os.path.join(ROOT, "fuzz", "corpus")
OUT = os.path.join(ROOT, "out", "fuzz")
LARGEST, LONGEST, MEMORY_MB = 65536, 10, 2048


def build():
    """The fuzzer's path."""
    told = subprocess.run(["rustc", "-vV"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout
    target = re.search("^host: (.*)$", told, re.MULTILINE)[1]
    subprocess.run(["cargo", "build", "--release", "--locked", "--target", target], cwd=os.path.join(ROOT, "fuzz"), check=True)
    return os.path.join(ROOT, "fuzz", "target", target, "release", "reader")


def fuzz(program, reader, seconds):
    """Whether nothing went wrong."""
    kept, log = os.path.join(OUT, reader), os.path.join(OUT, reader + ".log")
    os.makedirs(kept, exist_ok=True)
    command = [program, kept, os.path.join(CORPUS, reader), f"-max_total_time={seconds}", f"-max_len={LARGEST}", f"-timeout={LONGEST}",
               f"-rss_limit_mb={MEMORY_MB}", f"-artifact_prefix={OUT}/{reader}-", "-print_final_stats=1", "-verbosity=1"]
    with open(log, "wb") as file:
        memory = "/dev/shm" if os.path.isdir("/dev/shm") else None
        environment = dict(os.environ, READER=reader, **({"TMPDIR": memory} if memory else {}))
        run = subprocess.run(command, env=environment, stdout=file, stderr=file, preexec_fn=lambda: os.nice(19))
    with open(log, errors="replace") as file:
        text = file.read()
    done = re.search(r"Done (\d+) runs in (\d+) second", text)
    executed = re.search(r"number_of_executed_units: *(\d+)", text)
    edges = re.findall(r"cov: (\d+)", text)
    count, time = (done[1], done[2]) if done else (executed[1] if executed else "?", "?")
    print(f"{reader}: {int(count) if count.isdigit() else 0:,} executions in {time} s, {edges[-1] if edges else '?'} edges"
          + ("" if run.returncode == 0 else f"; FAILED, see {os.path.relpath(log, ROOT)}"), flush=True)
    return run.returncode == 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("seconds", type=int)
    parser.add_argument("readers", nargs="*", metavar="READER")
    parser.add_argument("--build", action="store_true")
    arguments = parser.parse_args()
    program = build()
    if not arguments.build:
        readers = arguments.readers or sorted(os.listdir(CORPUS))
        sys.exit(0 if all([fuzz(program, reader, arguments.seconds) for reader in readers]) else 1)
