#!/usr/bin/env python3
"""Writes sim/data/debian.txt.gz, the package dependency graph of Debian main, from `apt-cache dumpavail`.

Node: a package of main, by name. Edge p -> q: p names q in Depends, Pre-Depends or Recommends.
All alternatives of `a | b` count; versions and architectures are left away; names that no package bears
(virtual packages) are left out; a pair counts once. sim/data/README.md has the counts.
"""
import argparse
import gzip
import pathlib
import re
import subprocess

FIELDS = ("Depends", "Pre-Depends", "Recommends")
OUTPUT = pathlib.Path(__file__).resolve().parent.parent / "sim/data/debian.txt.gz"


def records(text):
    """Control-file records as dictionaries; continuation lines are joined."""
    for block in text.split("\n\n"):
        fields = dict(line.split(":", 1) for line in re.sub(r"\n[ \t]", " ", block).splitlines())
        if fields:
            yield {key: value.strip() for key, value in fields.items()}


def in_main(record):
    return not re.match(r"(contrib|non-free|non-free-firmware)/", record.get("Section", ""))


def names_in(relation):
    """`a (>= 1) | b:any` -> a, b"""
    for alternative in re.split(r"[,|]", relation):
        name = re.match(r"\s*([a-z0-9][a-z0-9+.-]*)", alternative)
        if name:
            yield name[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=pathlib.Path, help="saved output of `apt-cache dumpavail`")
    if file := parser.parse_args().file:
        text = file.read_text(encoding="utf-8")
    else:
        text = subprocess.run(["apt-cache", "dumpavail"], check=True, capture_output=True, encoding="utf-8").stdout
    packages = [record for record in records(text) if in_main(record)]
    names = sorted({package["Package"] for package in packages})
    number = {name: i for i, name in enumerate(names)}
    needs = [set() for _ in names]
    for package in packages:
        for field in FIELDS:
            named = names_in(package.get(field, ""))
            needs[number[package["Package"]]].update(number[name] for name in named if name in number)

    lines = [" ".join([name, *map(str, sorted(needed))]) for name, needed in zip(names, needs)]
    OUTPUT.write_bytes(gzip.compress(("\n".join(lines) + "\n").encode(), 9, mtime=0))
    libc6 = number.get("libc6")
    print(f"packages          {len(names)}")
    print(f"relations         {sum(map(len, needs))}")
    print(f"in-degree libc6   {sum(libc6 in needed for needed in needs)}")
    print(f"self relations    {sum(i in needed for i, needed in enumerate(needs))}")


if __name__ == "__main__":
    main()
