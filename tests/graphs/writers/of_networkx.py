"""networkx: edge lists, adjacency lists, GML, GraphML, Pajek, graph6."""
import sys

import networkx as nx
from common import ARCS, FRACTIONS, GRID, HOUSE, NAMED, NAMES, row

# Adjacency lists begin with the command that wrote them.
sys.argv = ["graph_writers"]
WRITER = f"networkx {nx.__version__}"
NO_FORMAT = "networkx reads it, this project has no reader of this format"


def graph(nodes, edges, kind=nx.Graph, first=0):
    made = kind()
    made.add_nodes_from(range(first, nodes + first))
    for a, b, *length in edges:
        made.add_edge(a + first, b + first, **({"weight": length[0]} if length else {}))
    return made


def named(kind=nx.Graph):
    made = kind()
    made.add_nodes_from(NAMES)
    made.add_weighted_edges_from(NAMED)
    return made


def say(file, form, read, **more):
    lengths = nx.get_edge_attributes(read, "weight")
    edges = read.edges(data="weight") if lengths else read.edges()
    row(file, WRITER, form, list(read.nodes), edges, directed=read.is_directed(), **more)


house, grid, arcs, fractions = graph(*HOUSE), graph(*GRID), graph(*ARCS, kind=nx.DiGraph), graph(*FRACTIONS)

nx.write_edgelist(house, "nx-house-data.edgelist")
say("nx-house-data.edgelist", "edge list", nx.read_edgelist("nx-house-data.edgelist"))
nx.write_edgelist(grid, "nx-grid-empty.edgelist")
say("nx-grid-empty.edgelist", "edge list", nx.read_edgelist("nx-grid-empty.edgelist"))
nx.write_edgelist(grid, "nx-grid.edgelist", data=False)
say("nx-grid.edgelist", "edge list", nx.read_edgelist("nx-grid.edgelist"))
nx.write_edgelist(house, "nx-house-weight.edgelist", data=["weight"])
say("nx-house-weight.edgelist", "edge list", nx.read_edgelist("nx-house-weight.edgelist", data=[("weight", float)]))
nx.write_weighted_edgelist(arcs, "nx-arcs.edgelist")
say("nx-arcs.edgelist", "edge list", nx.read_weighted_edgelist("nx-arcs.edgelist", create_using=nx.DiGraph))
nx.write_weighted_edgelist(fractions, "nx-fractions.edgelist", delimiter="\t")
say("nx-fractions.edgelist", "edge list", nx.read_weighted_edgelist("nx-fractions.edgelist", delimiter="\t"))
nx.write_edgelist(fractions, "nx-fractions-data.edgelist")
say("nx-fractions-data.edgelist", "edge list", nx.read_edgelist("nx-fractions-data.edgelist"))
nx.write_weighted_edgelist(house, "nx-house.csv", delimiter=",")
say("nx-house.csv", "edge list", nx.read_weighted_edgelist("nx-house.csv", delimiter=","))
two = nx.Graph()
two.add_edge(0, 1, weight=3, colour="red")
two.add_edge(1, 2, weight=5, colour="blue")
nx.write_edgelist(two, "nx-two-attributes.edgelist")
say("nx-two-attributes.edgelist", "edge list", nx.read_edgelist("nx-two-attributes.edgelist"))

nx.write_adjlist(house, "nx-house.adjlist")
say("nx-house.adjlist", "adjacency list", nx.read_adjlist("nx-house.adjlist"))
nx.write_adjlist(grid, "nx-grid.adjlist")
say("nx-grid.adjlist", "adjacency list", nx.read_adjlist("nx-grid.adjlist"))
nx.write_multiline_adjlist(house, "nx-house.multiline")
say("nx-house.multiline", "multi-line adjacency list", nx.read_multiline_adjlist("nx-house.multiline"),
    refused=NO_FORMAT)

for name, made in [("house", house), ("arcs", arcs), ("fractions", fractions), ("named", named())]:
    nx.write_gml(made, f"nx-{name}.gml")
    say(f"nx-{name}.gml", "GML", nx.read_gml(f"nx-{name}.gml"))
    nx.write_graphml_xml(made, f"nx-{name}.graphml")
    say(f"nx-{name}.graphml", "GraphML", nx.read_graphml(f"nx-{name}.graphml"))
several = graph(*HOUSE, kind=nx.MultiGraph)
several.add_edge(0, 1, weight=2)
nx.write_graphml_xml(several, "nx-multi.graphml")
say("nx-multi.graphml", "GraphML", nx.read_graphml("nx-multi.graphml", force_multigraph=True))
nx.write_gml(several, "nx-multi.gml")
say("nx-multi.gml", "GML", nx.read_gml("nx-multi.gml"))
nx.write_graphml_xml(house, "nx-house.graphml.gz")
say("nx-house.graphml.gz", "GraphML", nx.read_graphml("nx-house.graphml.gz"))

nx.write_pajek(house, "nx-house.net")
say("nx-house.net", "Pajek", nx.read_pajek("nx-house.net"), refused=NO_FORMAT)
nx.write_graph6(grid, "nx-grid.g6")
say("nx-grid.g6", "graph6", nx.read_graph6("nx-grid.g6"), refused=NO_FORMAT)
nx.write_gexf(house, "nx-house.gexf")
say("nx-house.gexf", "GEXF", nx.read_gexf("nx-house.gexf"), refused=NO_FORMAT)
