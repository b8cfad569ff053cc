#!/usr/bin/env bash
# GraphML: an edge without <data> takes the <default> of its <key>. Four readers give one file three meanings.
# igraph 1.0.0 and rustworkx 0.18.1 take the default, 1.5; networkx 3.6.1 keeps it in graph["edge_default"] and gives the edge no weight,
# which its algorithms count as 1; NetworKit 11.3 gives it 0. None of them says a word.
. "$(dirname "$0")/tools.sh"
from_pypi networkx==3.6.1 igraph==1.0.0 networkit==11.3 rustworkx==0.18.1 numpy==2.4.6 scipy==1.17.1
cat >graph.graphml <<'X'
<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d0" for="edge" attr.name="weight" attr.type="double"><default>1.5</default></key>
  <graph edgedefault="undirected">
    <node id="a"/><node id="b"/><node id="c"/>
    <edge source="a" target="b"><data key="d0">7</data></edge>
    <edge source="b" target="c"/>
  </graph>
</graphml>
X
python - <<'P' >said
import igraph, networkit as nk, networkx as nx, rustworkx as rx
file = "graph.graphml"
graph = nx.read_graphml(file)
print("networkx", graph.edges["b", "c"], nx.shortest_path_length(graph, "b", "c", weight="weight"), graph.graph["edge_default"])
print("igraph", igraph.Graph.Read_GraphML(file).es["weight"])
print("rustworkx", [data["weight"] for data in rx.read_graphml(file)[0].edges()])
print("NetworKit", [w for _, _, w in nk.readGraph(file, nk.Format.GraphML).iterEdgesWeights()])
P
has said "^networkx \{\} 1 \{'weight': 1.5\}$"
has said '^igraph \[7.0, 1.5\]$'
has said '^rustworkx \[7.0, 1.5\]$'
has said '^NetworKit \[7.0, 0.0\]$'
