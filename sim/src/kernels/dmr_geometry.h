// Geometry of mesh refinement. Coordinates are whole numbers from 0 to 2^25 in 64-bit floats, so that differences,
// squares of distances and areas are exact. Products of two of these may round, but not so that a point changes
// its side of a circle.
#pragma once
#include "unruly_cuda.h"

struct Point {
  double x, y;
};

// Square of the distance, exact.
DEVICE double square(Point a, Point b) {
  double x = a.x - b.x, y = a.y - b.y;
  return x * x + y * y;
}

// p lies within the circle whose diameter is the segment; exact.
DEVICE bool encroaches(Point p, Point a, Point b) { return (a.x - p.x) * (b.x - p.x) + (a.y - p.y) * (b.y - p.y) < 0.0; }

// An angle is below 30 degrees: the cosine of the smallest, the one opposite the shortest side, is above sqrt(3) / 2. From
// the squares of the sides. Two roundings, so it errs by at most 2^-51 of either side of the comparison.
DEVICE bool is_sharp(double least, double p, double q) {
  if (p < least) {
    double swap = p;
    p = least;
    least = swap;
  }
  if (q < least) {
    double swap = q;
    q = least;
    least = swap;
  }
  double twice = p + q - least;
  return __dmul_rn(twice, twice) > __dmul_rn(3.0 * p, q);
}

// The nearest point with whole coordinates.
DEVICE Point circumcentre(Point a, Point b, Point c) {
  double bx = b.x - a.x, by = b.y - a.y, cx = c.x - a.x, cy = c.y - a.y;
  double b_square = bx * bx + by * by, c_square = cx * cx + cy * cy, half = 0.5 / (bx * cy - cx * by);
  double x = __dmul_rn(__dsub_rn(__dmul_rn(cy, b_square), __dmul_rn(by, c_square)), half);
  double y = __dmul_rn(__dsub_rn(__dmul_rn(bx, c_square), __dmul_rn(cx, b_square)), half);
  return {a.x + rint(x), a.y + rint(y)};
}

DEVICE Point middle(Point a, Point b) { return {rint(0.5 * (a.x + b.x)), rint(0.5 * (a.y + b.y))}; }

// p lies within the circle through a, b and c, which go anticlockwise. A sum of three products, of a square and twice an area
// each. The products and the two additions round; their errors add up to less than 4 x 2^-53 of the products' sizes, and these to
// at most half of the square of all squares' sum, as an area is at most the product of two sides. Beyond that the sign is
// right; within, integers decide.
DEVICE bool in_circle(Point p, Point a, Point b, Point c) {
  double ax = a.x - p.x, ay = a.y - p.y, bx = b.x - p.x, by = b.y - p.y, cx = c.x - p.x, cy = c.y - p.y;
  double a_square = ax * ax + ay * ay, b_square = bx * bx + by * by, c_square = cx * cx + cy * cy;
  double a_area = bx * cy - cx * by, b_area = cx * ay - ax * cy, c_area = ax * by - bx * ay;
  double sum = __dmul_rn(a_square, a_area) + __dmul_rn(b_square, b_area) + __dmul_rn(c_square, c_area);
  double all = a_square + b_square + c_square, bound = all * (all * 0x1p-51);
  if (sum > bound)
    return true;
  if (sum < -bound)
    return false;
  __int128 exact = (__int128)(long long)a_square * (long long)a_area;
  exact += (__int128)(long long)b_square * (long long)b_area;
  exact += (__int128)(long long)c_square * (long long)c_area;
  return exact > 0;
}
