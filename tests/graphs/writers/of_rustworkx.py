"""rustworkx: edge lists, GraphML, Matrix Market."""
import io
import pathlib
import sys

import rustworkx as rx
import scipy.io
from common import ARCS, FRACTIONS, GRID, HOUSE, row

WRITER = f"rustworkx {rx.__version__}"


def graph(nodes, edges, kind=rx.PyGraph, attributes=False):
    made = kind()
    made.add_nodes_from([{} if attributes else None] * nodes)
    for a, b, *length in edges:
        length = float(length[0]) if length else 1.0
        made.add_edge(a, b, {"weight": length} if attributes else length)
    return made


def say(file, form, edges, nodes, directed=False, **more):
    row(file, WRITER, form, nodes, edges, directed=directed, **more)


house, grid, arcs = graph(*HOUSE), graph(*GRID), graph(*ARCS, kind=rx.PyDiGraph)

grid.write_edge_list("rustworkx-grid.txt")
read = rx.PyGraph.read_edge_list("rustworkx-grid.txt")
say("rustworkx-grid.txt", "edge list", list(read.edge_list()), list(read.node_indices()))
house.write_edge_list("rustworkx-house.txt", weight_fn=str)
read = rx.PyGraph.read_edge_list("rustworkx-house.txt", labels=True)
say("rustworkx-house.txt", "edge list", [(read[a], read[b], w) for a, b, w in read.weighted_edge_list()], read.nodes())
house.write_edge_list("rustworkx-house.csv", deliminator=",", weight_fn=str)
read = rx.PyGraph.read_edge_list("rustworkx-house.csv", deliminator=",", labels=True)
say("rustworkx-house.csv", "edge list", [(read[a], read[b], w) for a, b, w in read.weighted_edge_list()], read.nodes())

for name, made in [("house", graph(*HOUSE, attributes=True)), ("arcs", graph(*ARCS, kind=rx.PyDiGraph, attributes=True)),
                   ("fractions", graph(*FRACTIONS, attributes=True))]:
    file = f"rustworkx-{name}.graphml"
    rx.write_graphml(made, file)
    (read,) = rx.read_graphml(file)
    names = [node["id"] for node in read.nodes()]
    say(file, "GraphML", [(names[a], names[b], data["weight"]) for a, b, data in read.weighted_edge_list()], names,
        isinstance(read, rx.PyDiGraph))

for name, made in [("house", house), ("arcs", arcs), ("fractions", graph(*FRACTIONS))]:
    file = f"rustworkx-{name}.mtx"
    rx.write_matrix_market(made, file)
    # rustworkx's own reader drops the values, for which scipy's stands in. It wants the banner as the format's page writes it.
    text = pathlib.Path(file).read_text().replace("%%matrixmarket", "%%MatrixMarket")
    read, values = rx.read_matrix_market_file(file), scipy.io.mmread(io.StringIO(text)).tocoo()
    edges = [(int(a) + 1, int(b) + 1, w) for a, b, w in zip(values.row, values.col, values.data)]
    if sorted(edge[:2] for edge in edges) != sorted((a + 1, b + 1) for a, b in read.edge_list()):
        sys.exit(f"{file}: rustworkx and scipy read different edges")
    if any(w is not None for _, _, w in read.weighted_edge_list()):
        sys.exit(f"{file}: rustworkx reads the values now")
    say(file, "Matrix Market", edges, [v + 1 for v in read.node_indices()], name == "arcs", reader=f"scipy {scipy.__version__}",
        note="rustworkx's own reader drops the values; the banner is in small letters")
