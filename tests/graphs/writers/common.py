"""The graphs that every writer gets, and the form in which its reader's answer is kept."""
import json
import sys

# Nodes 3 and 6 have no edge.
HOUSE = (7, [(0, 1, 4), (0, 2, 1), (1, 2, 2), (1, 4, 7), (4, 5, 3), (0, 5, 10)])
# All nodes have edges; a grid of 4 x 5.
GRID = (20, [(5 * y + x, 5 * y + x + 1) for y in range(4) for x in range(4)]
        + [(5 * y + x, 5 * y + x + 5) for y in range(3) for x in range(5)])
# An arc each way with lengths of its own (0, 1), arcs of one way, and a loop (2, 2).
ARCS = (5, [(0, 1, 5), (1, 0, 3), (1, 2, 8), (2, 2, 1), (3, 2, 6), (4, 0, 2)])
FRACTIONS = (4, [(0, 1, 0.5), (1, 2, 2.25), (2, 3, 3.0), (0, 3, 1e-3)])
NAMES = ["ada", "bob", "c-3", "d & e", "<f>", 'g"h']
NAMED = [("ada", "bob", 4), ("bob", "c-3", 2), ("c-3", "d & e", 7), ("<f>", "ada", 1), ('g"h', "bob", 9)]


FORMS = {"edgelist": "edge list", "gml": "GML", "graphml": "GraphML", "ncol": "NCOL"}


def row(file, writer, form, nodes, edges, **more):
    """Prints what the writer's own reader has found in `file`: the names of its nodes, and edges (a, b) or (a, b, length).

    `more`: `directed`; `refused` says why this project is right to refuse the file; `reader` if the writer has none of its own;
    `note` is what a user would not guess.
    """
    edges = [[a, b, *(length or [None])] for a, b, *length in edges]
    json.dump({"file": file, "writer": writer, "format": form, "nodes": nodes, "edges": edges, **more}, sys.stdout)
    print()


def merged(record):
    """The record without loops and with each edge once, undirected; those of a directed graph also with their directions, as `arcs`."""
    arcs = [(str(a), str(b), length if length is None else number(length)) for a, b, length in record["edges"] if a != b]
    form = FORMS.get(record["format"], record["format"])
    found = {**record, "format": form, "nodes": sorted(map(str, record["nodes"]))}
    found["edges"] = shortest((*sorted(arc[:2]), arc[2]) for arc in arcs)
    return {**found, "arcs": shortest(arcs)} if found.pop("directed", False) else found


def shortest(edges):
    """Each edge once with the shortest of its lengths, in the order of the names."""
    lengths = {}
    for a, b, length in edges:
        known = lengths.get((a, b), length)
        lengths[a, b] = length if length is None else min(known, length)
    return [[*ends, length] for ends, length in sorted(lengths.items())]


def number(value):
    """Whole numbers without a point."""
    value = float(value)
    return int(value) if value.is_integer() else value
