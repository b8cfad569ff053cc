#!/usr/bin/env python3
"""Whether two versions of unruly count the same: simulated cycles and all statistics of a fixed set of runs, and the Verilog of every unit.

usage: same.py OLD NEW [--jobs N]

OLD and NEW are `unruly` binaries or git revisions; a revision is built in a worktree of its own, .cache/same/REVISION. Prints the first key
in which each run differs, with both values. Exit code: 0 all is the same, 1 something differs, 2 bad input, 3 git or cargo is missing.

--jobs N   N runs at a time (default: the machine's cores)
"""

import argparse
import concurrent.futures
import filecmp
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
# What a result says of the command that wrote it, not of what was simulated.
OF_THE_COMMAND = ("schema", "version", "program", "command", "inputs")

HWWL = "bfs --graph gen:uniform:4096:seed=1 --variant hwwl"
GW8 = "--config gw-fermi-gw8"
IRU = "--config iru-gtx980 --graph gen:kron:9:seed=1 --variant iru"
# Each takes a second or two. Together they use every system, workload, variant and preset.
RUNS = [
    f"run {HWWL} --against topo,swwl",
    f"run {HWWL} --set hwwl.scheme=none --set hwwl.refill=demand",
    f"run {HWWL} --set hwwl.scheme=threshold --set hwwl.entries=8",
    f"run {HWWL} --set hwwl.scheme=gsorting --set core.scheduler=lrr",
    f"run {HWWL} --set memory.perfect=true",
    *(f"run {HWWL} --set hwwl.ideal={ideal}" for ideal in ("infinite", "magic", "fifo", "sorted")),
    "run bfs --graph gen:kron:10:seed=2 --variant hwwl-single --against swwl-wch,swwl-aru",
    "run sssp --graph gen:geometric:256:seed=3 --variant hwwl --against hwwl-single,swwl",
    "run mst --graph gen:grid:32x32 --variant hwwl --against swwl-aru,topo",
    f"run bfs {IRU} --against frontier",
    f"run sssp {IRU} --set iru.hash=xor --set iru.sets=64 --set iru.timeout=16",
    f"run pagerank {IRU} --set iru.hash=modulo --against frontier,thread",
    "run bfs --config gw-fermi-b32 --graph gen:uniform:4096:seed=1 --variant topo --against warp",
    f"run bfs {GW8} --graph gen:uniform:4096:seed=1 --variant topo --against warp",
    f"run sssp {GW8} --graph gen:mesh:6x6x6 --variant warp --set gw.waves=false",
    f"run bc {GW8} --graph gen:collaboration:1024:seed=1 --variant warp --set gw.pairs=false",
    "run colour --config gw-fermi-b32 --graph gen:delaunay:1024:seed=1 --variant topo --against warp",
    "run pagerank --config calibration-micro14 --graph gen:uniform:2048 --variant warp",
    "run vecadd --config calibration-gtx480 --size 65536",
    "run matmul --config calibration-gtx480 --size 64 --set l1d.global_accesses=bypass",
    "run reduction --config iru-gtx980 --size 65536",
    f"run hotspot {GW8} --size 64",
    "run pathfinder --config gw-fermi-b32 --size 2048",
    f"run backprop {GW8} --size 1024",
    f"run laplace {GW8} --size 16",
    "run nw --config gw-fermi-b32 --size 128",
    f"run nqueens {GW8} --size 8",
    "run cp --config gw-fermi-b32 --size 32",
    f"run nn {GW8} --size 1",
    f"run dwt {GW8} --size 11",
    "run lib --config gw-fermi-b32 --size 64",
    f"run aes {GW8} --size 4000",
    "run fft --config gw-fermi-b32 --size 8",
    f"run mum {GW8} --size 1000",
    "kernel sim/src/kernels/vecadd.ptx --grid 16 --block 256 --arg buf:16384 --arg buf:16384 --arg out:{folder}/c.bin:16384 --arg u32:4096",
]


class Bad(Exception):
    """A version that cannot be had."""


def binary(version):
    """The path of a binary, which is built if `version` is a revision."""
    path = pathlib.Path(version)
    if path.is_file():
        if not os.access(path, os.X_OK):
            raise Bad(f"{version}: is no program; give an `unruly` binary or a git revision")
        return path.resolve()
    found = git("rev-parse", "--verify", "--quiet", f"{version}^{{commit}}")
    if found.returncode:
        raise Bad(f"{version}: neither a file nor a git revision; give an `unruly` binary or a revision, for example HEAD")
    revision = found.stdout.strip()
    folder = ROOT / ".cache" / "same" / revision[:12]
    built = folder / "target" / "release" / "unruly"
    if not built.exists():
        print(f"{version}: building {revision[:12]} in {folder.relative_to(ROOT)}", file=sys.stderr)
        if not folder.exists():
            git("worktree", "prune")
            added = git("worktree", "add", "--detach", str(folder), revision)
            if added.returncode:
                raise Bad(f"{version}: {added.stderr.strip()}")
        command = ["cargo", "build", "--release", "--target-dir", "target"]
        if subprocess.run(command, cwd=folder).returncode:
            raise Bad(f"{version}: does not build")
    return built


def git(*arguments):
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)


def result(program, run, folder):
    """What a run says for programs, without what it says of the command."""
    path = folder / "result.json"
    command = [str(program), *run.format(folder=folder).split(), "--json", str(path)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if not path.exists():
        return {"exit_code": ended.returncode, "error": ended.stderr.strip()}
    found = json.loads(path.read_text())
    return {key: value for key, value in found.items() if key not in OF_THE_COMMAND}


def difference(old, new, key=""):
    """The first key in which two results differ, with both values."""
    if isinstance(old, dict) and isinstance(new, dict):
        pairs = [(f"{key}.{name}".lstrip("."), old.get(name), new.get(name)) for name in {**old, **new}]
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        pairs = [(f"{key}[{i}]", *both) for i, both in enumerate(zip(old, new))]
    else:
        return None if old == new else (key, old, new)
    return next((found for key, a, b in pairs if (found := difference(a, b, key))), None)


def compare_run(programs, run):
    """A line for each difference of a run."""
    with tempfile.TemporaryDirectory() as folder:
        results = [result(program, run, pathlib.Path(folder)) for program in programs]
    found = difference(*results)
    if found is None and results[0].get("failed"):
        return f"fails in both: {results[0]['error']}"
    return found and "{}: {} in OLD, {} in NEW".format(*found)


def compare_verilog(programs):
    """A line for the first difference of the Verilog, a module for each size: all that an older program writes."""
    with tempfile.TemporaryDirectory() as folder:
        trees = [pathlib.Path(folder) / name for name in ("old", "new")]
        for program, tree in zip(programs, trees):
            command = [str(program), "verilog", "--out", str(tree)]
            ended = subprocess.run([*command, "--flat"], capture_output=True, text=True)
            if ended.returncode == 2:
                ended = subprocess.run(command, capture_output=True, text=True)
            if ended.returncode:
                return f"{program} verilog: {ended.stderr.strip()}"
        names = sorted({path.name for tree in trees for path in tree.glob("*.v")})
        _, unequal, missing = filecmp.cmpfiles(*trees, names, shallow=False)
        first = next(iter(unequal + missing), None)
        return first and f"{first}: is not the same, or not in both; {len(unequal + missing)} of {len(names)} files"


def main(versions, jobs):
    programs = [binary(version) for version in versions]
    started = time.monotonic()
    checks = {"verilog": lambda: compare_verilog(programs)}
    checks |= {run: lambda run=run: compare_run(programs, run) for run in RUNS}
    differing = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        running = {pool.submit(check): name for name, check in checks.items()}
        for done, finished in enumerate(concurrent.futures.as_completed(running), 1):
            name, found = running[finished], finished.result()
            print(f"{done} of {len(checks)}, {time.monotonic() - started:.0f} s: {name}", file=sys.stderr)
            if found:
                differing += 1
                print(f"differs: {name}\n  {found}")
    print(f"{len(checks) - differing} of {len(checks)} the same")
    return int(differing > 0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("versions", nargs=2)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    if arguments.jobs < 1:
        parser.error(f"--jobs {arguments.jobs}: give 1 or more")
    try:
        code = main(arguments.versions, arguments.jobs)
    except Bad as error:
        print(f"same.py: {error}", file=sys.stderr)
        code = 2
    except FileNotFoundError as error:
        print(f"same.py: {error.filename} is missing; install it", file=sys.stderr)
        code = 3
    except KeyboardInterrupt:
        code = 130
    sys.exit(code)
