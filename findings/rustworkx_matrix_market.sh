#!/usr/bin/env bash
# rustworkx 0.18.1: write_matrix_market writes the value 1 for each edge, whatever its weight; the field is `real`.
# Its reader gives the weight None for each edge. The banner is `%%matrixmarket` in small letters, for which scipy 1.17.1
# and NetworKit 11.3 refuse the file. write_edge_list and write_graphml of the same graph keep the weights.
. "$(dirname "$0")/tools.sh"
from_pypi rustworkx==0.18.1 numpy==2.4.6 scipy==1.17.1 networkit==11.3
python - <<'P' >said
import networkit as nk, rustworkx as rx, scipy.io
graph = rx.PyGraph()
graph.add_nodes_from([None] * 3)
graph.add_edges_from([(0, 1, 4.0), (1, 2, 0.5)])
rx.write_matrix_market(graph, "graph.mtx")
print("weights", {weight for _, _, weight in rx.read_matrix_market_file("graph.mtx").weighted_edge_list()})
for name, read in [("scipy", scipy.io.mmread), ("NetworKit", nk.graphio.MTXGraphReader().read)]:
    try:
        print(name, read("graph.mtx"))
    except Exception as error:
        print(name, "refuses:", error)
P
has graph.mtx '^%%matrixmarket matrix coordinate real general$'
has graph.mtx '^1 2 1$'
has graph.mtx '^2 3 1$'
has said '^weights \{None\}$'
has said '^scipy refuses: .*Not a Matrix Market file. Missing banner.'
has said '^NetworKit refuses: Invalid identifier'
