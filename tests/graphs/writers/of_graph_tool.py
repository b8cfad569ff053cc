"""graph-tool: GraphML, GML, its binary form, each plain and packed."""
import graph_tool as gt
from common import ARCS, FRACTIONS, GRID, HOUSE, row

WRITER = f"graph-tool {gt.__version__.split()[0]}"


def graph(nodes, edges, directed=False, kind="int"):
    made = gt.Graph(directed=directed)
    made.add_vertex(nodes)
    if len(edges[0]) > 2:
        made.ep["weight"] = made.new_ep(kind)
    for a, b, *length in edges:
        edge = made.add_edge(a, b)
        if length:
            made.ep["weight"][edge] = length[0]
    return made


def say(made, file, form, named, **more):
    made.save(file)
    read = gt.load_graph(file)
    names = [named(read, v) for v in read.vertices()]
    length = read.ep.get("weight")
    edges = [(names[int(e.source())], names[int(e.target())], *([length[e]] if length else [])) for e in read.edges()]
    row(file, WRITER, form, names, edges, directed=read.is_directed(), **more)


def graphml(read, v):
    return f"n{int(v)}"


house, grid, arcs = graph(*HOUSE), graph(*GRID), graph(*ARCS, directed=True)
fractions = graph(*FRACTIONS, kind="double")
for name, made in [("house", house), ("grid", grid), ("arcs", arcs), ("fractions", fractions)]:
    say(made, f"graph-tool-{name}.graphml", "GraphML", graphml)
    say(made, f"graph-tool-{name}.gml", "GML", lambda read, v: int(v))
for ending in ["gz", "bz2", "xz"]:
    say(house, f"graph-tool-house.graphml.{ending}", "GraphML", graphml)
say(house, "graph-tool-house.gt", "graph-tool binary", lambda read, v: int(v),
    refused="graph-tool reads it, this project has no reader of this format")
