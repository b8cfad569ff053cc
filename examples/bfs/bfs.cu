// Breadth-first search of a graph, with the hardware worklist (HWWL) or without it, checked against the CPU.
//
//   bfs [-t] [NODES [DEGREE]]      -t: without the worklist, all nodes in every launch
#include "graph.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unruly.h>

const unsigned FAR = 0xffffffff;
const int BLOCK = 256;

static void must(cudaError_t error, const char *what) {
  if (error != cudaSuccess) {
    fprintf(stderr, "bfs: %s: %s\n", what, cudaGetErrorString(error));
    exit(1);
  }
}

// The worklist has two sides: what a launch adds, the next one takes. IDs that find their bank full go to the overflow buffer.
__global__ void begin(unsigned source, void *overflow, unsigned long long overflow_bytes) {
  if (threadIdx.x == 0) {
    __wlinit(overflow, overflow_bytes);
    __wlcfg(1);
  }
  __syncthreads();
  if (blockIdx.x == 0 && threadIdx.x == 0)
    __wlpush(source);
}

__global__ void level(const unsigned *row, const unsigned *col, unsigned *distance, unsigned next) {
  unsigned node;
  do {
    node = __wlpull();
    if (node < WL_WAIT)
      for (unsigned e = row[node]; e < row[node + 1]; e++)
        if (distance[col[e]] == FAR && atomicCAS(&distance[col[e]], FAR, next) == FAR)
          __wlpush(col[e]);
    asm volatile("" : "+r"(node)); // lanes that wait meet those with work here, and pull together
  } while (node != WL_DONE);
}

__global__ void all_nodes(const unsigned *row, const unsigned *col, unsigned *distance, unsigned nodes, unsigned next,
                          unsigned *changed) {
  unsigned node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes || distance[node] != next - 1)
    return;
  for (unsigned e = row[node]; e < row[node + 1]; e++)
    if (distance[col[e]] == FAR) {
      distance[col[e]] = next;
      *changed = 1;
    }
}

struct Device {
  unsigned *row, *col, *distance;

  explicit Device(const Graph &graph) {
    std::vector<unsigned> far(graph.nodes(), FAR);
    far[0] = 0;
    row = copied(graph.row);
    col = copied(graph.col);
    distance = copied(far);
  }

  static unsigned *copied(const std::vector<unsigned> &from) {
    unsigned *to;
    must(cudaMalloc(&to, from.size() * sizeof(unsigned)), "cudaMalloc");
    must(cudaMemcpy(to, from.data(), from.size() * sizeof(unsigned), cudaMemcpyHostToDevice), "cudaMemcpy");
    return to;
  }
};

// As many threads as the GPU has room for: each takes nodes until there are no more.
static int blocks() {
  cudaDeviceProp gpu;
  must(cudaGetDeviceProperties(&gpu, 0), "cudaGetDeviceProperties");
  return gpu.multiProcessorCount * (gpu.maxThreadsPerMultiProcessor / BLOCK);
}

static unsigned with_worklist(const Device &device) {
  const unsigned long long overflow_bytes = 1 << 20;
  void *overflow;
  must(cudaMalloc(&overflow, overflow_bytes), "cudaMalloc");
  begin<<<blocks(), BLOCK>>>(0, overflow, overflow_bytes);
  unsigned launches = 0;
  unsigned long long left;
  do {
    level<<<blocks(), BLOCK>>>(device.row, device.col, device.distance, ++launches);
    must(cudaGetLastError(), "level");
    must(unrulyWorklistCount(&left), "unrulyWorklistCount");
  } while (left > 0);
  must(cudaFree(overflow), "cudaFree");
  return launches + 1;
}

static unsigned over_all_nodes(const Device &device, unsigned nodes) {
  unsigned *changed, host, launches = 0;
  must(cudaMalloc(&changed, sizeof *changed), "cudaMalloc");
  do {
    must(cudaMemset(changed, 0, sizeof *changed), "cudaMemset");
    all_nodes<<<(nodes + BLOCK - 1) / BLOCK, BLOCK>>>(device.row, device.col, device.distance, nodes, ++launches, changed);
    must(cudaGetLastError(), "all_nodes");
    must(cudaMemcpy(&host, changed, sizeof host, cudaMemcpyDeviceToHost), "cudaMemcpy");
  } while (host != 0);
  must(cudaFree(changed), "cudaFree");
  return launches;
}

int main(int count, char **argument) {
  bool topology = count > 1 && strcmp(argument[1], "-t") == 0;
  if (topology)
    argument++, count--;
  unsigned nodes = count > 1 ? strtoul(argument[1], 0, 10) : 10000;
  unsigned degree = count > 2 ? strtoul(argument[2], 0, 10) : 4;
  if (nodes < 2 || nodes >= 1 << 24 || degree < 1 || degree > 1000) {
    fprintf(stderr, "bfs: 2 to 16777215 nodes and a degree of 1 to 1000 are possible\n");
    return 2;
  }
  Graph graph(nodes, degree);
  Device device(graph);

  cudaEvent_t start, end;
  float ms;
  must(cudaEventCreate(&start), "cudaEventCreate");
  must(cudaEventCreate(&end), "cudaEventCreate");
  must(cudaEventRecord(start), "cudaEventRecord");
  unsigned launches = topology ? over_all_nodes(device, nodes) : with_worklist(device);
  must(cudaEventRecord(end), "cudaEventRecord");
  must(cudaEventSynchronize(end), "cudaEventSynchronize");
  must(cudaEventElapsedTime(&ms, start, end), "cudaEventElapsedTime");

  std::vector<unsigned> found(nodes);
  must(cudaMemcpy(found.data(), device.distance, nodes * sizeof(unsigned), cudaMemcpyDeviceToHost), "cudaMemcpy");
  std::vector<unsigned> expected = graph.distances(0, FAR);
  for (unsigned node = 0; node < nodes; node++)
    if (found[node] != expected[node]) {
      printf("FAIL: node %u is at distance %u, not %u\n", node, expected[node], found[node]);
      return 1;
    }
  printf("%u nodes, %zu edges: %u launches, %.3f ms\n", nodes, graph.col.size(), launches, ms);
  printf("PASS\n");
  return 0;
}
