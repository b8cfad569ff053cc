"""NetworKit: METIS, edge lists, SNAP, GML, GraphML, its binary form."""
import sys

import networkit as nk
from common import ARCS, FRACTIONS, GRID, HOUSE, row
from networkit.graphio import Format

WRITER = f"NetworKit {nk.__version__}"


def graph(nodes, edges, directed=False):
    weighted = len(edges[0]) > 2
    made = nk.Graph(nodes, weighted, directed)
    for a, b, *length in edges:
        made.addEdge(a, b, *length)
    return made


def say(file, form, read, first=0, names=None, **more):
    names = names or [v + first for v in read.iterNodes()]
    edges = [(names[a], names[b], *([read.weight(a, b)] if read.isWeighted() else [])) for a, b in read.iterEdges()]
    row(file, WRITER, form, names, edges, directed=read.isDirected(), **more)


house, grid, arcs, fractions = graph(*HOUSE), graph(*GRID), graph(*ARCS, directed=True), graph(*FRACTIONS)
plain = graph(HOUSE[0], [edge[:2] for edge in HOUSE[1]])

for name, made in [("house", house), ("plain", plain), ("grid", grid)]:
    nk.writeGraph(made, f"networkit-{name}.graph", Format.METIS)
    say(f"networkit-{name}.graph", "METIS", nk.readGraph(f"networkit-{name}.graph", Format.METIS), first=1)

for name, form in [("space-zero", Format.EdgeListSpaceZero), ("space-one", Format.EdgeListSpaceOne),
                   ("tab-zero", Format.EdgeListTabZero), ("tab-one", Format.EdgeListTabOne),
                   ("comma-one", Format.EdgeListCommaOne)]:
    file, first = f"networkit-{name}.txt", int(name.endswith("one"))
    nk.writeGraph(grid, file, form)
    say(file, "edge list", nk.readGraph(file, form), first=first)
nk.graphio.EdgeListWriter(" ", 0).write(house, "networkit-house.txt")
reader = nk.graphio.EdgeListReader(" ", 0, continuous=False)
read = reader.read("networkit-house.txt")
say("networkit-house.txt", "edge list", read, names=sorted(reader.getNodeMap(), key=reader.getNodeMap().get))
nk.writeGraph(grid, "networkit-grid.snap", Format.SNAP)
try:
    nk.readGraph("networkit-grid.snap", Format.SNAP)
    sys.exit("networkit-grid.snap: NetworKit reads it now")
except OSError:
    say("networkit-grid.snap", "SNAP of Georgia Tech", grid,
    refused="NetworKit's own reader refuses it: Format.SNAP reads Stanford's edge lists and writes Georgia Tech's form")

nk.writeGraph(grid, "networkit-grid.gml", Format.GML)
say("networkit-grid.gml", "GML", nk.readGraph("networkit-grid.gml", Format.GML))
nk.writeGraph(house, "networkit-house.graphml", Format.GraphML)
say("networkit-house.graphml", "GraphML", nk.readGraph("networkit-house.graphml", Format.GraphML))
nk.writeGraph(arcs, "networkit-arcs.graphml", Format.GraphML)
say("networkit-arcs.graphml", "GraphML", nk.readGraph("networkit-arcs.graphml", Format.GraphML))
nk.writeGraph(house, "networkit-house.nkb", Format.NetworkitBinary)
say("networkit-house.nkb", "NetworKit binary", nk.readGraph("networkit-house.nkb", Format.NetworkitBinary),
    refused="NetworKit reads it, this project has no reader of this format")
