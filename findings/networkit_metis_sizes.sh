#!/usr/bin/env bash
# NetworKit 11.3: METISGraphReader takes a vertex size (fmt 1xx of METIS' manual) for a neighbour. It prints a line on standard error
# that the file is corrupted, and returns the wrong graph all the same, without an exception. METIS 5.1.0's graphchk finds the file correct.
#
#   path 1-2-3, size 2 of each node: edges 1-2, 2-3 become 1-2, 2-2, 2-3
. "$(dirname "$0")/tools.sh"
from_debian metis=5.1.0.dfsg-7 libmetis5=5.1.0.dfsg-7
from_pypi networkit==11.3 numpy==2.4.6 scipy==1.17.1
printf '3 2 100\n2 2\n2 1 3\n2 2\n' >sizes.graph
graphchk sizes.graph >checked
has checked 'The format of the graph is correct'
has checked '#Vertices: 3, #Edges: 2'
python - <<'P' >said 2>complaint
import networkit as nk
print(sorted(nk.graphio.METISGraphReader().read("sizes.graph").iterEdges()))
P
has said '^\[\(0, 1\), \(1, 1\), \(1, 2\)\]$'
has complaint 'corrupted'
