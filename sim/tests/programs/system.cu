// printf, assert and the heap of the device. `make -C sim/tests/programs` compiles the kernels of this folder.
#include "device.h"

extern "C" __global__ void hello(int *results, float f) {
  int t = thread;
  char word[4] = {'a', 'b', (char)('c' + t % 8), 0};
  if (t % 2)
    results[t] = printf("%d: %.2f %s %c %lld\n", t, f * t, word, 'x', 1ll << 40);
  else
    results[t] = printf("even\n");
}

extern "C" __global__ void fill(int lines) {
  for (int i = 0; i < lines; i++)
    printf("line %4d\n", i);
}

extern "C" __global__ void require(int most) {
  if (thread > most)
    __assertfail("thread <= most", "system.cu", 23, "void require(int)", 1);
}

// Each thread builds a list of its own, and keeps every second node.
struct Node {
  Node *next;
  int value;
};

extern "C" __global__ void lists(Node **heads, int length) {
  Node *head = 0;
  for (int i = 0; i < length; i++) {
    Node *node = (Node *)malloc(sizeof(Node));
    if (!node)
      break;
    node->value = thread * 1000 + i;
    node->next = head;
    if (i % 2) {
      head = node->next;
      free(node);
    } else
      head = node;
  }
  free(0);
  heads[thread] = head;
}

extern "C" __global__ void sums(Node **heads, int *out) {
  int sum = 0;
  for (Node *node = heads[thread]; node; node = node->next)
    sum += node->value;
  out[thread] = sum;
}

extern "C" __global__ void twice(void **block) {
  *block = malloc(20);
  free(*block);
  free(*block);
}

extern "C" __global__ void after(int **block) {
  *block = (int *)malloc(20);
  free(*block);
  **block = 1;
}
