#!/usr/bin/env bash
# NetworKit 11.3: Format.SNAP means two formats. writeGraph writes the form of Georgia Tech's SNAP (`p NODES EDGES u u 0`),
# readGraph reads the edge lists of Stanford's. So readGraph refuses what writeGraph has written.
. "$(dirname "$0")/tools.sh"
from_pypi networkit==11.3 numpy==2.4.6 scipy==1.17.1
python - <<'P' >said 2>&1
import networkit as nk
graph = nk.Graph(3)
graph.addEdge(0, 1)
graph.addEdge(1, 2)
nk.writeGraph(graph, "graph.snap", nk.Format.SNAP)
try:
    print(nk.readGraph("graph.snap", nk.Format.SNAP).numberOfEdges())
except OSError as error:
    print("refuses:", error)
P
is "$(head -1 graph.snap)" "p 3 2 u u 0"
has said '^refuses: graph.snap is not a valid Format.SNAP file'
