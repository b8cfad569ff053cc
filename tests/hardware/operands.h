// Operands of each kind. No two random numbers are drawn in one expression whose order is the compiler's choice.
// Particular values, values near them, and values of no particular kind.
#ifndef OPERANDS_H
#define OPERANDS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GOOD(call)                                                                                           \
  do {                                                                                                       \
    cudaError_t given = (call);                                                                              \
    if (given != cudaSuccess) {                                                                              \
      printf("%s:%d: %s gives %s\n", __FILE__, __LINE__, #call, cudaGetErrorName(given));                    \
      exit(1);                                                                                               \
    }                                                                                                        \
  } while (0)

const int OPERANDS = 2048;

enum Kind {
  KIND_i16,
  KIND_i32,
  KIND_i64,
  KIND_count,   // of bits: mostly less than 70
  KIND_byte,
  KIND_few,     // 0 to 3
  KIND_shuffle, // the fourth operand of shfl
  KIND_f16,
  KIND_f16x2,
  KIND_f32,
  KIND_f64,
  KIND_angle, // f32 between -10 and 10
  KINDS
};

#define TYPE_i16 uint16_t
#define TYPE_i32 uint32_t
#define TYPE_i64 uint64_t
#define TYPE_count uint32_t
#define TYPE_byte uint32_t
#define TYPE_few uint32_t
#define TYPE_shuffle uint32_t
#define TYPE_f16 uint16_t
#define TYPE_f16x2 uint32_t
#define TYPE_f32 float
#define TYPE_f64 double
#define TYPE_angle float

#define LETTER_i16 "h"
#define LETTER_i32 "r"
#define LETTER_i64 "l"
#define LETTER_count "r"
#define LETTER_byte "r"
#define LETTER_few "r"
#define LETTER_shuffle "r"
#define LETTER_f16 "h"
#define LETTER_f16x2 "r"
#define LETTER_f32 "f"
#define LETTER_f64 "d"
#define LETTER_angle "f"

template <typename T> __device__ T as(uint64_t word) { return (T)word; }
template <> __device__ inline float as<float>(uint64_t word) { return __uint_as_float((uint32_t)word); }
template <> __device__ inline double as<double>(uint64_t word) { return __longlong_as_double((long long)word); }

template <typename T> __device__ uint64_t bits(T value) { return value; }
template <> __device__ inline uint64_t bits<float>(float value) { return __float_as_uint(value); }
template <> __device__ inline uint64_t bits<double>(double value) { return __double_as_longlong(value); }

// FNV-1a, a word at a time.
static unsigned long long digest(const uint64_t *words, int n) {
  unsigned long long sum = 0xcbf29ce484222325;
  for (int i = 0; i < n; i++)
    sum = (sum ^ words[i]) * 0x100000001b3;
  return sum;
}

// A value of another type with the same bits.
template <typename To, typename From> To same_bits(From from) {
  static_assert(sizeof(To) == sizeof(From), "both have as many bits");
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}

class Operands {
  uint64_t values[KINDS][3][OPERANDS];
  uint64_t *copies[KINDS][3];
  uint64_t state = 1;

  // SplitMix64.
  uint64_t random() {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }
  uint64_t below(uint64_t n) { return random() % n; }

  uint64_t integer(int width) {
    uint64_t mask = width == 64 ? ~0ull : (1ull << width) - 1, power = 1ull << below(width), any = random();
    uint64_t choices[] = {0,           1,          ~0ull, power, power - 1, ~power, 0 - power, below(20),
                          0 - below(20), any / power, any,   any,   any};
    return choices[below(sizeof choices / sizeof *choices)] & mask;
  }

  // A number whose exponent has so many bits, and whose fraction has so many.
  uint64_t number(int exponent_bits, int fraction_bits) {
    uint64_t exponents = 1ull << exponent_bits, one = exponents / 2 - 1, top = exponents - 1;
    // The least and the greatest exponents of the next narrower kind of numbers.
    uint64_t narrow = exponent_bits == 11 ? 127 : 15, least = one + 1 - narrow, greatest = one + narrow;
    uint64_t exponent[] = {0,
                           0,
                           1,
                           top,
                           top - 1,
                           one,
                           one - 1,
                           one + below(fraction_bits),
                           below(exponents),
                           below(exponents),
                           one - 8 + below(16),
                           one - 8 + below(16),
                           (least + below(2)) & top,
                           (least - below(26)) & top,
                           (greatest + below(2)) & top};
    uint64_t all = (1ull << fraction_bits) - 1, bit = 1ull << below(fraction_bits), any = random() & all;
    uint64_t fraction[] = {0, 1, all, bit, all - bit, any, any, any};
    uint64_t e = exponent[below(15)], f = fraction[below(8)];
    // Of the numbers that are none, some.
    if (e == top && below(2))
      f = 0;
    return (below(2) << exponent_bits | e) << fraction_bits | f;
  }

  // The bits of a number, rounded towards zero; 0 if they are not those of a normal number.
  static uint64_t narrowed(double number, int exponent_bits, int fraction_bits) {
    uint64_t bits = same_bits<uint64_t>(number), sign = bits >> 63, fraction = bits << 12 >> 12;
    int64_t exponent = (int64_t)(bits << 1 >> 53) - 1023 + (1 << (exponent_bits - 1)) - 1;
    if (exponent <= 0 || exponent >= (1 << exponent_bits) - 1)
      return 0;
    return (sign << exponent_bits | exponent) << fraction_bits | fraction >> (52 - fraction_bits);
  }

  // The value of a normal number, 1 for others.
  static double widened(uint64_t bits, int exponent_bits, int fraction_bits) {
    uint64_t exponents = 1ull << exponent_bits, exponent = bits >> fraction_bits & (exponents - 1);
    if (exponent == 0 || exponent == exponents - 1)
      return 1;
    uint64_t sign = bits >> (exponent_bits + fraction_bits) & 1, fraction = bits & ((1ull << fraction_bits) - 1);
    return same_bits<double>(sign << 63 | (exponent - exponents / 2 + 1024) << 52 | fraction << (52 - fraction_bits));
  }

  // The second number of two, or the third of three: one of its own, one near to the first, one that makes the product of the first
  // two about as small or as large as a number can be, or one that takes the product away.
  uint64_t further_number(int exponent_bits, int fraction_bits, uint64_t first, uint64_t second, int slot) {
    int bias = (1 << (exponent_bits - 1)) - 1;
    uint64_t sign = below(2) << (exponent_bits + fraction_bits), near = below(5) - 2, limit = below(4);
    double a = widened(first, exponent_bits, fraction_bits), b = widened(second, exponent_bits, fraction_bits);
    uint64_t exponents[] = {1, 2, 0, 2 * (uint64_t)bias};
    double limits[] = {same_bits<double>((1024 - (uint64_t)bias) << 52), same_bits<double>((1025 - (uint64_t)bias) << 52),
                       same_bits<double>((1023 - (uint64_t)bias) << 52), same_bits<double>((1023 + (uint64_t)bias) << 52)};
    switch (below(8)) {
    case 0:
      return (first ^ sign) + near;
    case 1:
    case 2:
      return (narrowed(slot == 1 ? limits[limit] / a : a * b, exponent_bits, fraction_bits) ^ sign) + near;
    case 3:
      if (slot == 2)
        return exponents[limit] << fraction_bits ^ sign;
      // fall through
    default:
      return number(exponent_bits, fraction_bits);
    }
  }

  uint64_t any_number(int exponent_bits, int fraction_bits, uint64_t first, uint64_t second, int slot) {
    uint64_t mask = ~0ull >> (63 - exponent_bits - fraction_bits);
    return mask & (slot ? further_number(exponent_bits, fraction_bits, first & mask, second & mask, slot)
                        : number(exponent_bits, fraction_bits));
  }

  uint64_t value(Kind kind, int slot, int i) {
    uint64_t first = slot > 0 ? values[kind][0][i] : 0, second = slot > 1 ? values[kind][1][i] : 0;
    switch (kind) {
    case KIND_i16:
      return slot && !below(8) ? first : integer(16);
    case KIND_i32:
      return slot && !below(8) ? first : integer(32);
    case KIND_i64:
      return slot && !below(8) ? first : integer(64);
    case KIND_count:
      return below(4) ? below(70) : integer(32);
    case KIND_byte:
      return below(4) ? below(70) : below(256);
    case KIND_few:
      // A warp of one value now and then.
      return i / 32 % 4 ? below(4) : i / 128 % 4;
    case KIND_shuffle: {
      uint64_t segments = below(6) ? 32 - (1 << below(6)) : below(32), clamp = below(3) ? 31 * below(2) : below(32);
      return below(4) ? segments << 8 | clamp : below(1 << 13);
    }
    case KIND_f16:
      return any_number(5, 10, first, second, slot);
    case KIND_f16x2: {
      uint64_t high = any_number(5, 10, first >> 16, second >> 16, slot), low = any_number(5, 10, first, second, slot);
      return high << 16 | low;
    }
    case KIND_f32:
      return any_number(8, 23, first, second, slot);
    case KIND_f64:
      return any_number(11, 52, first, second, slot);
    default:
      return same_bits<uint32_t>((float)((double)random() / 18446744073709551616.0 * 20 - 10));
    }
  }

public:
  Operands() {
    for (int kind = 0; kind < KINDS; kind++)
      for (int slot = 0; slot < 3; slot++) {
        for (int i = 0; i < OPERANDS; i++)
          values[kind][slot][i] = value((Kind)kind, slot, i);
        GOOD(cudaMalloc(&copies[kind][slot], sizeof values[kind][slot]));
        GOOD(cudaMemcpy(copies[kind][slot], values[kind][slot], sizeof values[kind][slot], cudaMemcpyHostToDevice));
      }
  }

  unsigned long long of(Kind kind, int slot, int i) const { return values[kind][slot][i]; }
  const uint64_t *on_gpu(Kind kind, int slot) const { return copies[kind][slot]; }
};

#endif
