#!/usr/bin/env python3
"""What units cost beside the same written by hand: docs/data/hand.json and the table of docs/hand.md.

usage: hand_table.py UNRULY

Runs `UNRULY area --unit ... --rtl testbench/hand/FILE` for each module that is written by hand.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- table -->\n", "<!-- end of the table -->\n"
# File, unit, parameters, ranks of registers of ours and of the other.
MODULES = [
    ("fp32_add", "fp32_add", {}, 4, 4),
    ("bank", "bank", {"entries": 32}, 1, 1),
    ("sorter", "sorter", {"network": 0}, 4, 4),
    ("round_robin", "round_robin_scheduler", {"warps": 24}, 1, 1),
]


def measured(unruly, file, unit, parameters):
    """The two rows of `unruly area`."""
    sets = [text for name, value in parameters.items() for text in ("--set", f"{name}={value}")]
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        command = [unruly, "area", "--unit", unit, *sets, "--rtl", f"testbench/hand/{file}.v", "--json", out.name]
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        return json.load(open(out.name))["rows"]


def line(entry):
    """A line of the table."""
    ours, hand = entry["ours"], entry["hand"]
    name = f"`{entry['unit']}`" + "".join(f", {name} {value}" for name, value in entry["parameters"].items())
    area, time = (ours[key] / hand[key] for key in ("gates", "ns"))
    return (
        f"| {name} | [{entry['file']}.v](../testbench/hand/{entry['file']}.v) | {ours['ranks']}, {hand['ranks']} "
        f"| {ours['gates']:,.0f}, {ours['ns']:.2f} | {hand['gates']:,.0f}, {hand['ns']:.2f} | {area:.2f} | {time:.2f} |\n"
    )


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    unruly = str(pathlib.Path(sys.argv[1]).resolve())
    entries = []
    for file, unit, parameters, *ranks in MODULES:
        rows = measured(unruly, file, unit, parameters)
        of = lambda row, ranks: {
            "gates": round(row["gate_equivalents"]),
            "ns": round(row["critical_path"]["ns"], 3),
            "ranks": ranks,
            "digest": row["digest"],
        }
        ours, hand = (of(row, rank) for row, rank in zip(rows, ranks))
        entries.append({"file": file, "unit": unit, "parameters": parameters, "ours": ours, "hand": hand})
    (ROOT / "docs/data/hand.json").write_text(json.dumps(entries, indent=2) + "\n")
    page = ROOT / "docs/hand.md"
    text = page.read_text()
    head, tail = text[: text.index(BEGIN) + len(BEGIN)], text[text.index(END) :]
    table = (
        "\n| unit | by hand | ranks of registers | ours: GE, ns | by hand: GE, ns | GE, ours : hand | ns |\n"
        "|---|---|---|---|---|--:|--:|\n"
    )
    page.write_text(head + table + "".join(map(line, entries)) + "\n" + tail)


main()
