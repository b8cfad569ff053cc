# R: writeMM of Matrix, write_graph of igraph.
suppressMessages({ library(Matrix); library(igraph) })
house <- rbind(c(0, 1, 4), c(0, 2, 1), c(1, 2, 2), c(1, 4, 7), c(4, 5, 3), c(0, 5, 10))
arcs <- rbind(c(0, 1, 5), c(1, 0, 3), c(1, 2, 8), c(2, 2, 1), c(3, 2, 6), c(4, 0, 2))
matrix_version <- paste("R Matrix", packageVersion("Matrix"))
igraph_version <- paste("R igraph", packageVersion("igraph"))

text <- function(words) paste0('"', words, '"')
list_of <- function(words) paste0("[", paste(words, collapse = ", "), "]")
# As `row` of common.py.
row <- function(file, writer, form, directed, names, from, to, lengths) {
  lengths <- if (is.null(lengths)) rep("null", length(from)) else format(lengths, digits = 17)
  edges <- sprintf("[%s, %s, %s]", text(from), text(to), trimws(lengths))
  cat(sprintf('{"file": "%s", "writer": "%s", "format": "%s", "nodes": %s, "edges": %s, "directed": %s}\n',
              file, writer, form, list_of(text(names)), list_of(edges), tolower(directed)))
}

market <- function(file, made, lengths = TRUE) {
  writeMM(made, file)
  # The reader's matrix in general form: both triangles of a symmetric one.
  read <- as(as(readMM(file), "generalMatrix"), "TsparseMatrix")
  row(file, matrix_version, "Matrix Market", grepl("arcs", file), seq_len(nrow(read)), read@i + 1, read@j + 1, if (lengths) read@x)
}
both <- rbind(house, house[, c(2, 1, 3)])
full <- sparseMatrix(both[, 1] + 1, both[, 2] + 1, x = both[, 3], dims = c(7, 7))
market("r-general.mtx", full)
market("r-symmetric-upper.mtx", forceSymmetric(full, uplo = "U"))
market("r-symmetric-lower.mtx", forceSymmetric(full, uplo = "L"))
market("r-arcs.mtx", sparseMatrix(arcs[, 1] + 1, arcs[, 2] + 1, x = arcs[, 3], dims = c(5, 5)))
market("r-pattern.mtx", sparseMatrix(house[, 1] + 1, house[, 2] + 1, dims = c(7, 7), symmetric = TRUE), lengths = FALSE)

graph <- function(edges, nodes, directed) {
  made <- make_graph(t(edges[, 1:2] + 1), n = nodes, directed = directed)
  E(made)$weight <- edges[, 3]
  made
}
igraph_row <- function(file, form, made, named) {
  write_graph(made, file, format = form)
  read <- read_graph(file, format = form)
  names <- named(read)
  ends <- ends(read, E(read), names = FALSE)
  row(file, igraph_version, form, is_directed(read), names, names[ends[, 1]], names[ends[, 2]], E(read)$weight)
}
undirected <- graph(house, 7, FALSE)
directed <- graph(arcs, 5, TRUE)
igraph_row("r-house.graphml", "graphml", undirected, function(g) V(g)$id)
igraph_row("r-arcs.graphml", "graphml", directed, function(g) V(g)$id)
igraph_row("r-house.gml", "gml", undirected, function(g) V(g)$id)
igraph_row("r-house.ncol", "ncol", undirected, function(g) V(g)$name)
# The reader's numbers are those of the file plus one. Each number up to the largest has an edge: the reader adds those that have none.
igraph_row("r-path.txt", "edgelist", graph(rbind(c(0, 1, 1), c(3, 1, 1), c(3, 2, 1)), 4, FALSE), function(g) seq_len(vcount(g)) - 1)
