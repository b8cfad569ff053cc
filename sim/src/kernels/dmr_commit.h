// The third launch of mesh refinement's super-step: insertions that own all they claimed are made.
#pragma once
#include "dmr.h"

// A side round the cavity.
struct Rim {
  unsigned element, side;
};

// The next side round the cavity, anticlockwise: turns about the corner where this one ends. Elements of the cavity are
// deleted already; of the segment that is split, if any, the triangle's side counts as one round the cavity.
DEVICE Rim next_rim(const Mesh &mesh, Rim rim, unsigned split) {
  unsigned element = rim.element, side = next(rim.side);
#pragma unroll 1
  for (;;) {
    unsigned other = mesh.neighbour[3 * element + side];
    if (other == split || !mesh.deleted[other])
      return {element, side};
    side = next(mesh.side_to(other, element));
    element = other;
  }
}

DEVICE void store(const Mesh &mesh, unsigned element, unsigned a, unsigned b, unsigned c, unsigned first, unsigned second,
                  unsigned third) {
  unsigned *corner = mesh.corner + 3 * element, *neighbour = mesh.neighbour + 3 * element;
  corner[0] = a;
  corner[1] = b;
  corner[2] = c;
  neighbour[0] = first;
  neighbour[1] = second;
  neighbour[2] = third;
}

// A fan of triangles round the point, one on each side of the cavity, numbered from `first` on; behind them the two halves of
// a segment that is split.
template <class List>
DEVICE void fill(const Mesh &mesh, Point point, unsigned number, Rim rim, unsigned split, unsigned first, unsigned count,
                 List &list) {
  unsigned fans = split == NONE ? count : count - 2, last = first + fans - 1;
  if (split != NONE)
    rim = next_rim(mesh, rim, split);
  unsigned from = mesh.corner[3 * rim.element + rim.side], begin = from;
#pragma unroll 1
  for (unsigned triangle = first; triangle <= last; triangle++) {
    unsigned to = mesh.corner[3 * rim.element + next(rim.side)];
    unsigned outside = mesh.neighbour[3 * rim.element + rim.side];
    unsigned before = triangle > first ? triangle - 1 : split == NONE ? last : last + 1;
    unsigned behind = triangle < last ? triangle + 1 : split == NONE ? first : last + 2;
    store(mesh, triangle, number, from, to, before, outside, behind);
    mesh.neighbour[3 * outside + mesh.side_to(outside, rim.element)] = triangle;
    Sides side = sides(point, mesh.point(from), mesh.point(to));
    if (is_sharp(side.first, side.second, side.third)) {
      mesh.bad[triangle] = 1;
      list.push(triangle);
    }
    rim = next_rim(mesh, rim, split);
    from = to;
  }
  if (split != NONE) {
    store(mesh, last + 1, number, begin, NONE, first, NONE, NONE);
    store(mesh, last + 2, from, number, NONE, last, NONE, NONE);
  }
}

// A bad triangle is pushed again if its cavity does not own all it claimed, or if the insertion leaves it as it is.
template <class List> DEVICE void commit(const Mesh &mesh, const Cavities &cavities, unsigned cavity, List &list) {
  const unsigned *elements = cavities.element + cavity;
  Key key = cavities.key[cavity];
  unsigned bad = (unsigned)key & 0xffffff, size = cavities.size[cavity] & ~MISSED;
  bool owns = for_all(mesh, elements, cavities.room, size, [&](unsigned element) { return mesh.owner[element] == key; });
  if (!owns || (cavities.size[cavity] & MISSED))
    list.push(bad);
  if (!owns)
    return;
  // Both for a fan in a hole of triangles and for one beside a segment, with the segment's halves.
  unsigned count = size + 2;
  unsigned first = atomicAdd(&mesh.counts[ELEMENTS], count), number = atomicAdd(&mesh.counts[POINTS], 1u);
  if (first + count > mesh.elements || number >= mesh.points) {
    mesh.fail(NO_ROOM);
    return;
  }
#pragma unroll 1
  for (unsigned at = 0; at < size; at++)
    mesh.deleted[elements[at * cavities.room] >> 2] = 1;
  unsigned begin = elements[0] >> 2, rim = cavities.rim[cavity];
  Point point = {cavities.x[cavity], cavities.y[cavity]};
  mesh.x[number] = point.x;
  mesh.y[number] = point.y;
  fill(mesh, point, number, {rim >> 2, rim & 3}, mesh.is_segment(begin) ? begin : NONE, first, count, list);
}
