#!/usr/bin/env bash
# Scotch 7.0.3: gcv -om adds an entry on the diagonal for each vertex to the Matrix Market file that it writes of a graph.
# A reader that counts entries, or keeps loops, finds 51 edges in a grid of 31. METIS' form from the same program (-oc) has 31.
. "$(dirname "$0")/tools.sh"
from_debian scotch=7.0.3-2 libscotch-7.0=7.0.3-2
gmk_m2 5 4 grid.grf
gtst grid.grf >counted
gcv -is -om grid.grf grid.mtx
gcv -is -oc grid.grf grid.graph
has counted 'Edge[[:space:]]nbr=31'
is "$(head -1 grid.graph | tr '\t' ' ')" "20 31 000"
is "$(grep -v '^%' grid.mtx | head -1 | tr '\t' ' ')" "20 20 51"
is "$(grep -v '^%' grid.mtx | tail -n +2 | awk '$1 == $2' | wc -l)" 20
