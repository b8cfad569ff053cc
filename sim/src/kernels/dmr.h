// Delaunay mesh refinement (HWWL, II-B), after LonestarGPU: a triangle with an angle below 30 degrees is bad. A point is
// inserted near it, all triangles whose circumcircle holds the point make room (the cavity), and a fan of new ones round the
// point fills the hole. Of insertions that would change the same element, one is made, and the others are tried again.
//
// A super-step is three launches. The first finds the cavity of each bad triangle, keeps it in memory and claims all that the
// insertion changes; the second settles claims that met; the third inserts what owns all that it claimed.
#pragma once
#include "dmr_geometry.h"

#define MEMBER __device__ __forceinline__

#define NONE 0xffffffffu
#define CAVITY 64u // elements that a cavity can have; also in device.rs

// Places in Mesh::counts; also in device.rs. FAILURE is the largest of those below, 0 if there was none.
#define POINTS 0
#define ELEMENTS 1
#define CAVITIES 2
#define FAILURE 3

#define LARGE_CAVITY 1u
#define NO_ROOM 2u

typedef unsigned char Byte;
typedef unsigned long long Key;

// Kernel parameter. Elements are triangles, and segments of the boundary: these have two corners and NONE, and one neighbour.
struct Mesh {
  double *x, *y;       // by point
  unsigned *corner;    // three an element, anticlockwise; a segment goes as its triangle has it
  unsigned *neighbour; // three an element: the one across the side from corner i to the next
  Byte *bad, *deleted; // by element
  Key *owner;          // by element: who claims it
  unsigned *counts;
  unsigned points, elements; // room

  MEMBER Point point(unsigned p) const { return {x[p], y[p]}; }
  MEMBER bool is_segment(unsigned element) const { return corner[3 * element + 2] == NONE; }
  MEMBER void fail(unsigned why) const { atomicMax(&counts[FAILURE], why); }

  // Which side of the element has this neighbour.
  MEMBER unsigned side_to(unsigned element, unsigned other) const {
    return neighbour[3 * element] == other ? 0 : neighbour[3 * element + 1] == other ? 1 : 2;
  }
};

// Kernel parameter: the insertions of a super-step.
struct Cavities {
  Key *key;          // a number of the bad triangle; the smallest goes first
  double *x, *y;     // the point
  unsigned *size;    // elements; 2^31 more if the bad triangle is not among them
  unsigned *rim;     // element << 2 | side: one of the sides round the cavity
  unsigned *element; // the i-th of cavity c is at i * room + c: element << 2 | side to the one it was found from
  unsigned room;
};

#define MISSED 0x80000000u
#define START 3u // in place of a side: the element that a cavity begins with

DEVICE unsigned next(unsigned side) { return side == 2 ? 0 : side + 1; }

// Squares of an element's sides, from each corner to the next.
struct Sides {
  double first, second, third;
};

DEVICE Sides sides(Point a, Point b, Point c) { return {square(a, b), square(b, c), square(c, a)}; }

// Marks a bad triangle; false for other elements.
DEVICE bool check(const Mesh &mesh, unsigned element) {
  if (mesh.is_segment(element))
    return false;
  const unsigned *corner = mesh.corner + 3 * element;
  Sides side = sides(mesh.point(corner[0]), mesh.point(corner[1]), mesh.point(corner[2]));
  bool bad = is_sharp(side.first, side.second, side.third);
  if (bad)
    mesh.bad[element] = 1;
  return bad;
}

// Where the point to insert lies. Rounding it to whole coordinates never makes it a corner: the radius of a bad triangle is
// above its shortest side, so above 1, those of the triangles on the way from it are larger, and rounding moves a point by less
// than that. A segment that holds such a point in its diametral circle has a length of 2 at least, and a middle.
struct Centre {
  unsigned element;
  Point point;
  bool splits; // the element is a segment
};

DEVICE Centre middle_of(const Mesh &mesh, unsigned segment) {
  Point a = mesh.point(mesh.corner[3 * segment]), b = mesh.point(mesh.corner[3 * segment + 1]);
  return {segment, middle(a, b), true};
}

// From an obtuse triangle across its longest side, on and on: circumcircles grow, so this ends in a triangle that its own
// circumcentre lies in, or at the boundary.
DEVICE Centre find_centre(const Mesh &mesh, unsigned element) {
#pragma unroll 1
  for (;;) {
    const unsigned *corner = mesh.corner + 3 * element;
    if (corner[2] == NONE)
      return middle_of(mesh, element);
    Point a = mesh.point(corner[0]), b = mesh.point(corner[1]), c = mesh.point(corner[2]);
    Sides side = sides(a, b, c);
    unsigned longest = side.first > side.second + side.third    ? 0
                       : side.second > side.third + side.first ? 1
                       : side.third > side.first + side.second ? 2
                                                               : NONE;
    if (longest == NONE)
      return {element, circumcentre(a, b, c), false};
    element = mesh.neighbour[3 * element + longest];
  }
}

// What growing a cavity came to.
struct Growth {
  unsigned size, rim;
  unsigned encroached; // a segment that the point is too close to, or NONE: then there is no cavity
  bool holds;          // the bad triangle
};

// The elements that make room for the point. They hang together, and each is reached in one way only: a cavity has no corner
// inside, or that corner would be left without a triangle.
DEVICE Growth grow(const Mesh &mesh, unsigned *list, unsigned stride, const Centre &centre, unsigned bad) {
  Growth made = {1, 0, NONE, false};
  list[0] = centre.element << 2 | START;
#pragma unroll 1
  for (unsigned at = 0; at < made.size; at++) {
    unsigned entry = list[at * stride], element = entry >> 2;
    made.holds |= element == bad;
#pragma unroll 1
    for (unsigned side = 0; side < 3; side++) {
      unsigned other = mesh.neighbour[3 * element + side];
      if (side == (entry & 3) || other == NONE)
        continue;
      const unsigned *corner = mesh.corner + 3 * other;
      Point a = mesh.point(corner[0]), b = mesh.point(corner[1]);
      bool inside = false;
      if (corner[2] != NONE) {
        inside = in_circle(centre.point, a, b, mesh.point(corner[2]));
      } else if (!centre.splits && encroaches(centre.point, a, b)) {
        made.encroached = other;
        return made;
      }
      if (!inside) {
        made.rim = element << 2 | side;
        continue;
      }
      if (made.size == CAVITY) {
        mesh.fail(LARGE_CAVITY);
        return made;
      }
      list[made.size++ * stride] = other << 2 | mesh.side_to(other, element);
    }
  }
  return made;
}

// Calls step(element) for all that an insertion changes, the cavity and those round it, until one says false.
template <class Step> DEVICE bool for_all(const Mesh &mesh, const unsigned *list, unsigned stride, unsigned size, Step step) {
  if (!step(list[0] >> 2))
    return false;
#pragma unroll 1
  for (unsigned at = 0; at < size; at++) {
    unsigned entry = list[at * stride];
#pragma unroll 1
    for (unsigned side = 0; side < 3; side++) {
      unsigned other = mesh.neighbour[3 * (entry >> 2) + side];
      if (side != (entry & 3) && other != NONE && !step(other))
        return false;
    }
  }
  return true;
}

// Of where the triangle lies, and below that its number, in 24 bits. So which insertions are made does not depend on how
// elements are numbered, which depends on timing.
DEVICE Key key_of(const Mesh &mesh, unsigned element) {
  Key key = 0;
#pragma unroll 1
  for (unsigned i = 0; i < 3; i++) {
    Point point = mesh.point(mesh.corner[3 * element + i]);
    key = (key ^ ((Key)point.x << 32 | (Key)point.y)) * 0x9e3779b97f4a7c15ull;
    key ^= key >> 32;
  }
  return key << 24 | element;
}

// First launch: finds the cavity of a bad triangle and claims it. Claims that meet overwrite each other, but one stays. Gives
// the cavity's number, or NONE after a failure.
DEVICE unsigned mark(const Mesh &mesh, const Cavities &cavities, unsigned bad) {
  unsigned cavity = atomicAdd(&mesh.counts[CAVITIES], 1u);
  if (cavity >= cavities.room) {
    mesh.fail(NO_ROOM);
    return NONE;
  }
  unsigned *list = cavities.element + cavity;
  Centre centre = find_centre(mesh, bad);
  Growth made;
#pragma unroll 1
  for (;;) {
    made = grow(mesh, list, cavities.room, centre, bad);
    if (made.encroached == NONE)
      break;
    centre = middle_of(mesh, made.encroached);
  }
  Key key = key_of(mesh, bad);
  cavities.key[cavity] = key;
  cavities.x[cavity] = centre.point.x;
  cavities.y[cavity] = centre.point.y;
  cavities.size[cavity] = made.size | (made.holds ? 0 : MISSED);
  // Round a segment's cavity the way begins and ends at the segment, which its triangle, the second element, was found from.
  cavities.rim[cavity] = centre.splits ? list[cavities.room] : made.rim;
  for_all(mesh, list, cavities.room, made.size, [&](unsigned element) {
    mesh.owner[element] = key;
    return true;
  });
  return cavity;
}

// Second launch: what several claim goes to the smallest key. Those whose claim was overwritten see to that.
DEVICE void contend(const Mesh &mesh, const Cavities &cavities, unsigned cavity) {
  Key key = cavities.key[cavity];
  unsigned size = cavities.size[cavity] & ~MISSED;
  for_all(mesh, cavities.element + cavity, cavities.room, size, [&](unsigned element) {
    if (key < mesh.owner[element])
      atomicMin(&mesh.owner[element], key);
    return true;
  });
}
