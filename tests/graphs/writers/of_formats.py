"""Forms that no packaged program writes: by hand from their specifications, each beside a reader of a few lines by the same specification.

Galois `.gr` version 1, GAP `.sg` and `.wsg`, Ligra, Rodinia, DIMACS shortest path, KONECT, OGB's csv, archives.
"""
import gzip
import io
import lzma
import pathlib
import tarfile

import igraph
import networkit as nk
import numpy as np
import pandas as pd
import zstandard
from common import ARCS, GRID, HOUSE, row

HAND = "by hand from the specification"


def both(edges):
    return sorted([*edges, *((b, a, *length) for a, b, *length in edges if a != b)])


def rows(nodes, arcs):
    """Ends of the rows of compressed sparse rows, targets, lengths."""
    ends = np.cumsum(np.bincount([arc[0] for arc in arcs], minlength=nodes))
    return ends, [arc[1] for arc in arcs], [arc[2] for arc in arcs if len(arc) > 2]


def say(file, form, nodes, edges, first=0, writer=HAND, **more):
    edges = [(a + first, b + first, *length) for a, b, *length in edges]
    row(file, writer, form, list(range(first, nodes + first)), edges, **more)


def galois(file, nodes, arcs, directed, odd):
    ends, targets, lengths = rows(nodes, arcs)
    data = np.array([1, 4 if lengths else 0, nodes, len(targets), *ends], "<u8").tobytes()
    data += np.array(targets, "<u4").tobytes() + bytes(4 * (len(targets) % 2)) + np.array(lengths, "<u4").tobytes()
    assert odd == len(targets) % 2
    pathlib.Path(file).write_bytes(data)
    say(file, "Galois .gr 1", nodes, arcs, directed=directed)


galois("galois-house.gr", 7, both(HOUSE[1]), False, 0)
galois("galois-odd.gr", 5, sorted(ARCS[1] + [(3, 4, 9)]), True, 1)
galois("galois-grid.gr", 20, both(GRID[1]), False, 0)


def gap(file, nodes, arcs, directed):
    ends, targets, lengths = rows(nodes, arcs)
    starts = np.array([0, *ends], "<i8").tobytes()
    pairs = np.stack([targets, lengths], 1) if lengths else np.array(targets)
    data = bytes([directed]) + np.array([len(targets), nodes], "<i8").tobytes() + starts + pairs.astype("<i4").tobytes()
    if directed:
        turned = sorted((b, a, *length) for a, b, *length in arcs)
        ends, sources, lengths = rows(nodes, turned)
        pairs = np.stack([sources, lengths], 1) if lengths else np.array(sources)
        data += np.array([0, *ends], "<i8").tobytes() + pairs.astype("<i4").tobytes()
    pathlib.Path(file).write_bytes(data)
    say(file, "GAP", nodes, arcs, directed=directed)


gap("gap-grid.sg", 20, both(GRID[1]), False)
gap("gap-house.wsg", 7, both(HOUSE[1]), False)
gap("gap-arcs.wsg", 5, sorted(ARCS[1]), True)
gap("gap-arcs.sg", 5, sorted(arc[:2] for arc in ARCS[1]), True)


def ligra(file, nodes, arcs, directed):
    ends, targets, lengths = rows(nodes, arcs)
    words = [len(lengths) and "WeightedAdjacencyGraph" or "AdjacencyGraph", nodes, len(targets), 0, *ends[:-1], *targets, *lengths]
    pathlib.Path(file).write_text("\n".join(map(str, words)) + "\n")
    say(file, "Ligra", nodes, arcs, directed=directed)


ligra("ligra-grid.adj", 20, both(GRID[1]), False)
ligra("ligra-house.adj", 7, both(HOUSE[1]), False)
ligra("ligra-arcs.adj", 5, sorted(ARCS[1]), True)


def rodinia(file, nodes, arcs, source):
    ends, targets, _ = rows(nodes, arcs)
    starts = [0, *ends[:-1]]
    lines = [nodes, *(f"{start} {end - start}" for start, end in zip(starts, ends)), "", source, "", len(targets)]
    lines += [f"{target} {length}" for (_, target, length) in arcs]
    pathlib.Path(file).write_text("\n".join(map(str, lines)) + "\n")
    say(file, "Rodinia", nodes, arcs, directed=False)


rodinia("rodinia-house.txt", 7, both(HOUSE[1]), 4)


def dimacs(file, nodes, arcs):
    lines = "".join(f"a {a + 1} {b + 1} {length}\n" for a, b, length in arcs)
    pathlib.Path(file).write_text(f"c by hand\nc\np sp {nodes} {len(arcs)}\n{lines}")
    say(file, "DIMACS sp", nodes, arcs, first=1, directed=True)


dimacs("dimacs-house.gr", 7, both(HOUSE[1]))
dimacs("dimacs-arcs.gr", 5, ARCS[1])

KONECT = [(1, 2, 4), (1, 3, 1), (2, 3, 2), (2, 5, 7), (5, 4, 3), (1, 4, 10)]
for name, last in [("house", ""), ("times", " 1082008561")]:
    lines = "".join(f"{a} {b} {length}{last}\n" for a, b, length in KONECT)
    pathlib.Path(f"out.konect-{name}").write_text(f"% sym posweighted\n% 6 5 5\n{lines}")
# NetworKit's reader of KONECT refuses the fourth column that KONECT documents, the time of an edge.
row("out.konect-times", HAND, "edge list", list(range(1, 6)), KONECT, directed=False)
read = nk.graphio.KONECTGraphReader().read("out.konect-house")
edges = [(a, b, read.weight(a, b)) for a, b in read.iterEdges()]
say("out.konect-house", "edge list", read.numberOfNodes(), edges, first=1, directed=False,
    reader=f"NetworKit {nk.__version__}")

KEY = '<key id="d0" for="edge" attr.name="weight" attr.type="double"><default>2</default></key>'
body = "".join(f'<node id="n{v}"/>' for v in range(7)) + "".join(
    f'<edge source="n{a}" target="n{b}">' + (f'<data key="d0">{length}</data>' if length != 2 else "") + "</edge>"
    for a, b, length in HOUSE[1])
pathlib.Path("default-house.graphml").write_text(
    f'<graphml xmlns="http://graphml.graphdrawing.org/xmlns">{KEY}<graph edgedefault="undirected">{body}</graph></graphml>')
read = igraph.Graph.Read_GraphML("default-house.graphml")
edges = [(read.vs[e.source]["id"], read.vs[e.target]["id"], e["weight"]) for e in read.es]
row("default-house.graphml", HAND, "GraphML", read.vs["id"], edges, directed=False, reader=f"igraph {igraph.__version__}",
    note="the length of an edge without a value is its key's default; networkx reads none, NetworKit 0")

folder = pathlib.Path("ogb-raw")
folder.mkdir(exist_ok=True)


def csv(name, table):
    file = folder / f"{name}.csv.gz"
    table.to_csv(file, header=False, index=False, compression={"method": "gzip", "mtime": 0})
    return pd.read_csv(file, header=None)


PANDAS = f"pandas {pd.__version__}"
csv("num-node-list", pd.DataFrame([7]))
csv("num-edge-list", pd.DataFrame([6]))
csv("edge-weight", pd.DataFrame([length for *_, length in HOUSE[1]]))
edges = csv("edge", pd.DataFrame([edge[:2] for edge in HOUSE[1]])).values.tolist()
say("ogb-raw/edge.csv.gz", "OGB csv", 7, edges, writer=PANDAS, directed=True)
table = pd.DataFrame(HOUSE[1], columns=["source", "target", "weight"])
table.to_csv("pandas-header.csv", index=False)
edges = pd.read_csv("pandas-header.csv").values.tolist()
row("pandas-header.csv", PANDAS, "edge list", sorted({end for edge in edges for end in edge[:2]}), edges, directed=False)

MARKET = "%%MatrixMarket matrix coordinate integer symmetric\n%\n7 7 6\n" + "".join(f"{b + 1} {a + 1} {l}\n" for a, b, l in HOUSE[1])


def member(archive, name, text):
    entry = tarfile.TarInfo(name)
    entry.size = len(text)
    archive.addfile(entry, io.BytesIO(text.encode()))


with tarfile.open(fileobj=gzip.GzipFile("house.tar.gz", "wb", mtime=0), mode="w") as archive:
    member(archive, "house/house.mtx", MARKET)
say("house.tar.gz", "Matrix Market", *HOUSE, first=1, directed=False)
with tarfile.open(fileobj=gzip.GzipFile("two.tar.gz", "wb", mtime=0), mode="w") as archive:
    member(archive, "two/two.mtx", MARKET)
    member(archive, "two/two_b.mtx", "%%MatrixMarket matrix array real general\n7 1\n" + "1\n" * 7)
say("two.tar.gz", "Matrix Market", *HOUSE, first=1, directed=False,
    note="a right-hand side lies beside the matrix, as in the SuiteSparse collection")
pathlib.Path("house.mtx.xz").write_bytes(lzma.compress(MARKET.encode()))
say("house.mtx.xz", "Matrix Market", *HOUSE, first=1, directed=False)
pathlib.Path("house.mtx.zst").write_bytes(zstandard.compress(MARKET.encode()))
say("house.mtx.zst", "Matrix Market", *HOUSE, first=1, directed=False)
middle = MARKET.index("7 7 6")
parts = [gzip.compress(part.encode(), mtime=0) for part in (MARKET[:middle], MARKET[middle:])]
pathlib.Path("members.mtx.gz").write_bytes(b"".join(parts))
say("members.mtx.gz", "Matrix Market", *HOUSE, first=1, directed=False, note="two members of gzip, one behind the other")
