"""Runs the writers in an empty folder and puts their files, and what their readers found, into tests/graphs.

Usage: collect.py PYTHON     PYTHON: of an environment with requirements.txt
`expected.json` names the digest of these scripts and of each file, so that a test sees what is stale.
"""
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from common import merged

HERE = pathlib.Path(__file__).resolve().parent
GRAPHS = HERE.parent
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(HERE), "PYTHONDONTWRITEBYTECODE": "1", "LC_ALL": "C"}


def digest(paths):
    """Of names and contents, in the order of the names."""
    whole = hashlib.sha256()
    for path in sorted(paths):
        whole.update(f"{path.name}\0".encode() + path.read_bytes())
    return whole.hexdigest()


def command(script, python):
    if script.suffix == ".R":
        return ["Rscript", script]
    # graph-tool is a module of Debian's Python.
    return ["/usr/bin/python3" if script.stem == "of_graph_tool" else python, script]


def rows(folder, python):
    for script in sorted(HERE.glob("of_*")):
        said = subprocess.run(command(script, python), cwd=folder, env=ENVIRONMENT, capture_output=True, text=True)
        if said.returncode:
            sys.exit(f"{script.name}:\n{said.stderr}")
        # NetworKit says on standard output how it has understood a file.
        records = [line for line in said.stdout.splitlines() if line.startswith("{")]
        yield from map(merged, map(json.loads, records))


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        found = {row["file"]: row for row in rows(folder, sys.argv[1])}
        for file, row in found.items():
            row["sha256"] = hashlib.sha256((folder / file).read_bytes()).hexdigest()
        shutil.rmtree(GRAPHS / "files", ignore_errors=True)
        shutil.copytree(folder, GRAPHS / "files")
    lines = ",\n".join(json.dumps(found[file]) for file in sorted(found))
    scripts = [path for path in HERE.iterdir() if path.is_file()]
    (GRAPHS / "expected.json").write_text(f'{{"scripts": "{digest(scripts)}", "files": [\n{lines}\n]}}\n')
    print(f"{len(found)} files of {len({row['writer'] for row in found.values()})} writers")


if __name__ == "__main__":
    main()
