"""python-graphblas and fast_matrix_market: Matrix Market."""
import importlib.metadata

import fast_matrix_market as fmm
import graphblas as gb
import numpy as np
import scipy.sparse as sp
from common import ARCS, FRACTIONS, GRID, HOUSE, row

GRAPHBLAS = f"python-graphblas {gb.__version__}"
FAST = f"fast_matrix_market {importlib.metadata.version('fast-matrix-market')}"


def entries(edges, both):
    found = [(a, b, length[0] if length else 1) for a, b, *length in edges]
    return found + [(b, a, length) for a, b, length in found if both and a != b]


def matrix(nodes, edges, dtype, both=True):
    rows, columns, values = zip(*entries(edges, both))
    return gb.Matrix.from_coo(rows, columns, values, dtype=dtype, nrows=nodes, ncols=nodes)


def graphblas(file, made, **options):
    gb.io.mmwrite(file, made, **options)
    read = gb.io.mmread(file)
    found = zip(*(array.tolist() for array in read.to_coo()))
    edges = [(a + 1, b + 1, value) for a, b, value in found]
    row(file, GRAPHBLAS, "Matrix Market", list(range(1, read.nrows + 1)), edges, directed="arcs" in file)


graphblas("graphblas-uint8.mtx", matrix(*HOUSE, "UINT8"))
graphblas("graphblas-arcs-uint64.mtx", matrix(*ARCS, "UINT64", both=False))
graphblas("graphblas-fp32.mtx", matrix(*FRACTIONS, "FP32"))
graphblas("graphblas-int16-general.mtx", matrix(*HOUSE, "INT16"), symmetry="general")
graphblas("graphblas-bool.mtx", matrix(*GRID, "BOOL"), symmetry="general")


def fast(file, made, lengths=True, **options):
    fmm.mmwrite(file, made, **options)
    read = sp.coo_matrix(fmm.mmread(file))
    found = zip(read.row.tolist(), read.col.tolist(), read.data.tolist())
    edges = [(a + 1, b + 1, *([value] if lengths else [])) for a, b, value in found]
    row(file, FAST, "Matrix Market", list(range(1, read.shape[0] + 1)), edges, directed="arcs" in file)


def coo(nodes, edges, dtype, both=True):
    rows, columns, values = zip(*entries(edges, both))
    return sp.coo_matrix((np.array(values, dtype), (rows, columns)), shape=(nodes, nodes))


fast("fmm-house.mtx", coo(*HOUSE, np.int32), comment="of fast_matrix_market")
fast("fmm-house-symmetric.mtx", coo(*HOUSE, np.float64), symmetry="symmetric")
fast("fmm-arcs-unsigned.mtx", coo(*ARCS, np.uint64, both=False))
fast("fmm-grid-pattern.mtx", coo(*GRID, np.int64), lengths=False, field="pattern")
fast("fmm-fractions.mtx", coo(*FRACTIONS, np.float32), precision=4)
