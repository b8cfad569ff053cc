// A graph in compressed sparse rows, and its distances as the CPU finds them.
#ifndef GRAPH_H
#define GRAPH_H

#include <vector>

struct Graph {
  std::vector<unsigned> row, col;

  // Each node has `degree` edges: one to a node near it, the others to anywhere.
  Graph(unsigned nodes, unsigned degree) {
    unsigned long long state = 1;
    for (unsigned node = 0; node < nodes; node++) {
      row.push_back((unsigned)col.size());
      for (unsigned e = 0; e < degree; e++) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        unsigned random = (unsigned)(state >> 33);
        col.push_back(e == 0 ? (node + 1 + random % 4) % nodes : random % nodes);
      }
    }
    row.push_back((unsigned)col.size());
  }

  unsigned nodes() const { return (unsigned)row.size() - 1; }

  std::vector<unsigned> distances(unsigned source, unsigned unreached) const {
    std::vector<unsigned> distance(nodes(), unreached), queue(1, source);
    distance[source] = 0;
    for (size_t head = 0; head < queue.size(); head++)
      for (unsigned e = row[queue[head]]; e < row[queue[head] + 1]; e++)
        if (distance[col[e]] == unreached) {
          distance[col[e]] = distance[queue[head]] + 1;
          queue.push_back(col[e]);
        }
    return distance;
  }
};

#endif
