"""python-igraph: edge lists, NCOL, LGL, GML, GraphML, DIMACS, adjacency, Pajek."""
import igraph
from common import ARCS, FRACTIONS, GRID, HOUSE, NAMED, NAMES, row

WRITER = f"igraph {igraph.__version__}"


def graph(nodes, edges, directed=False):
    made = igraph.Graph(n=nodes, edges=[edge[:2] for edge in edges], directed=directed)
    if len(edges[0]) > 2:
        made.es["weight"] = [edge[2] for edge in edges]
    return made


def named():
    made = igraph.Graph()
    made.add_vertices(NAMES)
    for a, b, length in NAMED:
        made.add_edge(a, b, weight=length)
    return made


def say(file, form, read, names=None, **more):
    """`names` of the nodes in the file, in order; without it their numbers from 0."""
    names = names or list(range(read.vcount()))
    length = "weight" in read.es.attributes()
    edges = [(names[e.source], names[e.target], *([e["weight"]] if length else [])) for e in read.es]
    row(file, WRITER, form, names, edges, directed=read.is_directed(), **more)


house, grid, arcs, fractions = graph(*HOUSE), graph(*GRID), graph(*ARCS, directed=True), graph(*FRACTIONS)

grid.write_edgelist("igraph-grid.txt")
say("igraph-grid.txt", "edge list", igraph.Graph.Read_Edgelist("igraph-grid.txt", directed=False))
house.write_edgelist("igraph-house.txt")
read = igraph.Graph.Read_Edgelist("igraph-house.txt", directed=False)
read.delete_vertices([v.index for v in read.vs if v.degree() == 0])
say("igraph-house.txt", "edge list", read, names=[0, 1, 2, 4, 5],
    note="igraph's reader adds each number that is left out as a node; here they are dropped, as SNAP's convention has it. The lengths are not in the file")

house.write_ncol("igraph-house.ncol", names=None)
read = igraph.Graph.Read_Ncol("igraph-house.ncol", directed=False)
say("igraph-house.ncol", "NCOL", read, names=read.vs["name"], note="nodes without an edge are not in the file")
grid.write_ncol("igraph-grid.ncol", names=None, weights=None)
read = igraph.Graph.Read_Ncol("igraph-grid.ncol", directed=False)
say("igraph-grid.ncol", "NCOL", read, names=read.vs["name"])

house.write_lgl("igraph-house.lgl", names=None)
read = igraph.Graph.Read_Lgl("igraph-house.lgl", directed=False)
say("igraph-house.lgl", "LGL", read, names=read.vs["name"])
grid.write_lgl("igraph-grid.lgl", names=None, weights=None, isolates=False)
read = igraph.Graph.Read_Lgl("igraph-grid.lgl", directed=False)
say("igraph-grid.lgl", "LGL", read, names=read.vs["name"])

house.write_adjacency("igraph-house.adj")
read = igraph.Graph.Read_Adjacency("igraph-house.adj", mode="undirected")
say("igraph-house.adj", "adjacency matrix", read)

DIMACS = "a maximum-flow problem: its numbers are capacities, not lengths"
arcs.write_dimacs("igraph-arcs.max", source=4, target=2, capacity="weight")
read = igraph.Graph.Read_DIMACS("igraph-arcs.max", directed=True)
say("igraph-arcs.max", "DIMACS max", read, names=list(range(1, 6)), refused=DIMACS)

for name, made in [("house", house), ("arcs", arcs), ("fractions", fractions), ("named", named())]:
    made.write_gml(f"igraph-{name}.gml")
    read = igraph.Graph.Read_GML(f"igraph-{name}.gml")
    say(f"igraph-{name}.gml", "GML", read, names=[int(id) for id in read.vs["id"]])
    made.write_graphml(f"igraph-{name}.graphml")
    read = igraph.Graph.Read_GraphML(f"igraph-{name}.graphml")
    say(f"igraph-{name}.graphml", "GraphML", read, names=read.vs["id"])
house.write_graphmlz("igraph-house.graphml.gz")
read = igraph.Graph.Read_GraphMLz("igraph-house.graphml.gz")
say("igraph-house.graphml.gz", "GraphML", read, names=read.vs["id"])
grid.write_pajek("igraph-grid.net")
read = igraph.Graph.Read_Pajek("igraph-grid.net")
say("igraph-grid.net", "Pajek", read, names=list(range(1, 21)),
    refused="igraph reads it, this project has no reader of this format")
