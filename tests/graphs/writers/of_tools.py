"""METIS' m2gmetis and graphchk, Scotch's gmk and gcv, nauty's listg, bliss: programs that write graphs.

Programs that say only how many nodes and edges they have read are held against NetworKit's reader of METIS files.
"""
import pathlib
import re
import subprocess
import sys

import networkit as nk
import scipy.io
from common import HOUSE, row


def version(package):
    return subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], check=True, capture_output=True, text=True).stdout


METIS, SCOTCH, NAUTY, BLISS = (f"{name} {version(name.lower())}" for name in ["METIS", "Scotch", "nauty", "bliss"])


def run(*command, text=None):
    return subprocess.run(command, check=True, capture_output=True, text=True, input=text).stdout


def metis(file, writer, counts, **more):
    """`counts`: nodes and edges that the writer's own reader has found."""
    read = nk.graphio.METISGraphReader().read(file)
    if counts != (read.numberOfNodes(), read.numberOfEdges()):
        sys.exit(f"{file}: {writer} reads {counts}, NetworKit {read.numberOfNodes()} and {read.numberOfEdges()}")
    edges = [(a + 1, b + 1, *([read.weight(a, b)] if read.isWeighted() else [])) for a, b in read.iterEdges()]
    row(file, writer, "METIS", list(range(1, read.numberOfNodes() + 1)), edges, **more)


def checked(file):
    """Nodes and edges of a METIS file, as graphchk counts them."""
    said = run("graphchk", file)
    assert "format of the graph is correct" in said.lower(), said
    return tuple(map(int, re.search(r"#Vertices: (\d+), #Edges: (\d+)", said).groups()))


# A mesh of six quadrilaterals, as a nodal and as a dual graph.
pathlib.Path("mesh").write_text("6\n1 2 6 5\n2 3 7 6\n3 4 8 7\n5 6 10 9\n6 7 11 10\n7 8 12 11\n")
for kind in ["nodal", "dual"]:
    run("m2gmetis", f"-gtype={kind}", "mesh", f"metis-{kind}.graph")
    metis(f"metis-{kind}.graph", METIS, checked(f"metis-{kind}.graph"))
pathlib.Path("mesh").unlink()


def by_hand(fmt, constraints=None):
    """The house in one of the forms of METIS' manual: a size, weights of the node, and the lengths of edges."""
    nodes, edges = HOUSE
    lines = [" ".join(["%", "fmt", fmt]), " ".join(map(str, [nodes, len(edges), fmt, *([constraints] if constraints else [])]))]
    for v in range(nodes):
        words = [2] * (fmt[0] == "1") + [v + 1] * (constraints or 1) * (fmt[1] == "1")
        for a, b, length in edges:
            if v in (a, b):
                words += [a + b - v + 1] + [length] * (fmt[2] == "1")
        lines.append(" ".join(map(str, words)))
    file = f"metis-{fmt}.graph"
    pathlib.Path(file).write_text("\n".join(lines) + "\n")
    if checked(file) != (nodes, len(edges)):
        sys.exit(f"{file}: graphchk reads {checked(file)}")
    edges = [(a + 1, b + 1, *([length] if fmt[2] == "1" else [])) for a, b, length in edges]
    row(file, "by hand from the specification", "METIS", list(range(1, nodes + 1)), edges, reader=METIS)


for fmt, constraints in [("000", None), ("001", None), ("010", 2), ("011", None), ("100", None), ("111", 3)]:
    by_hand(fmt, constraints)


def scotch(file):
    """Nodes and edges of a Scotch file, as gtst counts them."""
    said = run("gtst", file)
    return tuple(int(re.search(rf"{name}\tnbr=(\d+)", said).group(1)) for name in ["Vertex", "Edge"])


for name, command in [("mesh", ["gmk_m2", "5", "4"]), ("cube", ["gmk_hy", "4"]), ("bruijn", ["gmk_ub2", "4"])]:
    grf, graph, market = f"scotch-{name}.grf", f"scotch-{name}.graph", f"scotch-{name}.mtx"
    pathlib.Path(grf).write_text(run(*command))
    run("gcv", "-is", "-oc", grf, graph)
    counts = scotch(grf)
    metis(graph, SCOTCH, counts)
    read = nk.graphio.METISGraphReader().read(graph)
    edges = list(read.iterEdges())
    row(grf, SCOTCH, "Scotch", list(range(counts[0])), edges)
    run("gcv", "-is", "-om", grf, market)
    back = scipy.io.mmread(market).tocoo()
    row(market, SCOTCH, "Matrix Market", list(range(1, counts[0] + 1)),
        list(zip((back.row + 1).tolist(), (back.col + 1).tolist())))

# bliss: a graph of DIMACS with other numbers for the same nodes, read again by dimacs2g of nauty.
lines = "".join(f"e {a + 1} {b + 1}\n" for a, b, _ in HOUSE[1])
pathlib.Path("house").write_text(f"c nodes 4 and 7 have no edge\np edge 7 6\n{lines}")
run("bliss", "-ocan=bliss-house.col", "house")
pathlib.Path("house").unlink()


def nauty(form, *command, text=None):
    """Nodes and edges of graphs that nauty has, printed by listg as `n m` and pairs."""
    graph6 = run(*command, text=text)
    nodes, edges, *ends = map(int, run("nauty-listg", "-q", "-e", text=graph6).split())
    return nodes, list(zip(ends[::2], ends[1::2]))


nodes, edges = nauty("DIMACS", "nauty-dimacs2g", "bliss-house.col")
row("bliss-house.col", BLISS, "DIMACS edge", list(range(1, nodes + 1)), [(a + 1, b + 1) for a, b in edges])

# listg: an edge list below `n m`, an adjacency matrix, adjacency lists.
graph6 = run("nauty-genrang", "-g", "-S7", "-P2", "9", "1")
nodes, edges = nauty("graph6", "cat", text=graph6)
N_M = "nauty's own form has nodes and edges in its first line, then all pairs in one line"
pathlib.Path("nauty-list.txt").write_text(run("nauty-listg", "-q", "-e", text=graph6))
row("nauty-list.txt", NAUTY, "edge list below n m", list(range(nodes)), edges, refused=N_M)
pathlib.Path("nauty-matrix.txt").write_text(run("nauty-listg", "-q", "-a", text=graph6))
row("nauty-matrix.txt", NAUTY, "adjacency matrix", list(range(nodes)), edges,
    refused="there is no blank between the digits of a row")
