"""scipy: Matrix Market of coo and csr, save_npz."""
import bz2
import gzip
import io
import pathlib

import numpy as np
import scipy
import scipy.io
import scipy.sparse as sp
from common import ARCS, FRACTIONS, GRID, HOUSE, row

WRITER = f"scipy {scipy.__version__}"


def matrix(nodes, edges, both=True, dtype=float):
    entries = [(a, b, length[0] if length else 1) for a, b, *length in edges]
    if both:
        entries += [(b, a, length) for a, b, length in entries if a != b]
    rows, columns, values = zip(*entries)
    return sp.coo_array((np.array(values, dtype), (rows, columns)), shape=(nodes, nodes))


def say(file, form, read, first, lengths=True, **more):
    read = sp.coo_array(read)
    entries = list(zip((read.row + first).tolist(), (read.col + first).tolist(), read.data.tolist()))
    edges = entries if lengths else [entry[:2] for entry in entries]
    row(file, WRITER, form, list(range(first, read.shape[0] + first)), edges, **more)


def market(file, made, lengths=True, more={}, **options):
    scipy.io.mmwrite(file, made, **options)
    say(file, "Matrix Market", scipy.io.mmread(file), 1, lengths, **more)


house, grid, arcs = matrix(*HOUSE), matrix(*GRID), matrix(*ARCS, both=False)
market("scipy-house-real.mtx", house)
market("scipy-house-general.mtx", house, symmetry="general", comment="a comment\nof two lines")
market("scipy-house-integer.mtx", sp.csr_array(matrix(*HOUSE, dtype=np.int64)))
market("scipy-house-unsigned.mtx", matrix(*HOUSE, dtype=np.uint32))
market("scipy-grid-pattern.mtx", grid, lengths=False, field="pattern")
market("scipy-arcs.mtx", arcs, more={"directed": True})
market("scipy-fractions.mtx", sp.csc_array(matrix(*FRACTIONS)))
market("scipy-fractions-precision.mtx", matrix(*FRACTIONS), precision=2)
# mmwrite would write `scipy-house.mtx.gz.mtx`, and not packed.
text = io.BytesIO()
scipy.io.mmwrite(text, house)
for ending, packed in [("gz", gzip.compress(text.getvalue(), mtime=0)), ("bz2", bz2.compress(text.getvalue()))]:
    pathlib.Path(f"scipy-house.mtx.{ending}").write_bytes(packed)
    say(f"scipy-house.mtx.{ending}", "Matrix Market", scipy.io.mmread(f"scipy-house.mtx.{ending}"), 1)
upper = matrix(*HOUSE, both=False)
market("scipy-upper-symmetric.mtx", upper, symmetry="symmetric",
       more={"refused": "symmetric with no entry: the writer has dropped every edge",
             "note": "mmwrite keeps the lower triangle alone; a matrix of the upper triangle becomes one without entries"})
market("scipy-lower-symmetric.mtx", sp.coo_array(upper.T), symmetry="symmetric")
# scipy gives a dense matrix, of which what is not zero becomes an edge.
market("scipy-dense.mtx", house.toarray())
market("scipy-complex.mtx", house.astype(complex) * 1j, lengths=False,
       more={"refused": "a complex number is no length"})
turned = matrix(*HOUSE, both=False)
market("scipy-skew.mtx", sp.coo_array(turned - turned.T), more={"note": "each edge has a length and its negative"})

for name, made in [("csr", sp.csr_array(house)), ("csc", sp.csc_array(arcs)), ("coo", matrix(*HOUSE, dtype=np.int32))]:
    sp.save_npz(f"scipy-{name}.npz", made)
    say(f"scipy-{name}.npz", "npz", sp.load_npz(f"scipy-{name}.npz"), 0, directed=name == "csc")
sp.save_npz("scipy-stored.npz", sp.csr_matrix(house), compressed=False)
say("scipy-stored.npz", "npz", sp.load_npz("scipy-stored.npz"), 0)
sp.save_npz("scipy-bool.npz", sp.csr_array(grid).astype(bool))
say("scipy-bool.npz", "npz", sp.load_npz("scipy-bool.npz"), 0, lengths=False)
sp.save_npz("scipy-fractions.npz", sp.csr_array(matrix(*FRACTIONS, dtype=np.float32)))
say("scipy-fractions.npz", "npz", sp.load_npz("scipy-fractions.npz"), 0)
sp.save_npz("scipy-dia.npz", sp.dia_array(house))
say("scipy-dia.npz", "npz", sp.load_npz("scipy-dia.npz"), 0,
    refused="diagonals are no form of a graph: their zeros cannot be told from edges of length 0")
