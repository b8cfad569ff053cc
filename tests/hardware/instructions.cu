// What single instructions of PTX give: one line for each, with a digest of its results for 2,048 sets of operands.
//
// A GPU and `unruly exec` must print the same (docs/hardware.md). Approximations differ: of them the results themselves
// are printed, for the first 256 operands.
//
// With the words of an instruction as argument, the program prints operands and results of all that begin with them.
#include "operands.h"
#include <string.h>
#include <vector>

struct Form {
  const char *text;
  const void *kernel;
  Kind kinds[3];
  bool is_approximate;
};

static std::vector<Form> &forms() {
  static std::vector<Form> all;
  return all;
}

struct Entry {
  Entry(const char *text, const void *kernel, Kind a, Kind b, Kind c, bool is_approximate) {
    forms().push_back({text, kernel, {a, b, c}, is_approximate});
  }
};

// %0 is the result, %1 to %3 are the operands.
#define FORM(text, d, a, b, c) FORM_N(__COUNTER__, text, d, a, b, c, false)
#define APPROXIMATE(text, d, a, b, c) FORM_N(__COUNTER__, text, d, a, b, c, true)
#define FORM_N(n, ...) FORM_AS(n, __VA_ARGS__)
#define FORM_AS(n, text, d, a, b, c, approximate)                                                            \
  __global__ void form##n(const uint64_t *pa, const uint64_t *pb, const uint64_t *pc, uint64_t *out) {       \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                                                           \
    TYPE_##d result;                                                                                         \
    asm volatile(text                                                                                        \
                 : "=" LETTER_##d(result)                                                                    \
                 : LETTER_##a(as<TYPE_##a>(pa[i])), LETTER_##b(as<TYPE_##b>(pb[i])),                         \
                   LETTER_##c(as<TYPE_##c>(pc[i])));                                                         \
    out[i] = bits(result);                                                                                   \
  }                                                                                                          \
  static Entry entry##n(text, (const void *)form##n, KIND_##a, KIND_##b, KIND_##c, approximate);

// %0 is what was in memory, %1 the address. Both the old and the new word of memory are results.
#define ATOMIC(text, d) ATOMIC_N(__COUNTER__, text, d)
#define ATOMIC_N(n, ...) ATOMIC_AS(n, __VA_ARGS__)
#define ATOMIC_AS(n, text, d)                                                                                \
  __global__ void form##n(const uint64_t *pa, const uint64_t *pb, const uint64_t *pc, uint64_t *out) {       \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                                                           \
    TYPE_##d old;                                                                                            \
    uint64_t *word = out + OPERANDS + i;                                                                     \
    *word = pa[i];                                                                                           \
    asm volatile(text                                                                                        \
                 : "=" LETTER_##d(old)                                                                       \
                 : "l"(word), LETTER_##d(as<TYPE_##d>(pb[i])), LETTER_##d(as<TYPE_##d>(pc[i]))               \
                 : "memory");                                                                                \
    out[i] = bits(old);                                                                                      \
  }                                                                                                          \
  static Entry entry##n(text, (const void *)form##n, KIND_##d, KIND_##d, KIND_##d, false);

#define UNARY(op, t) FORM(op " %0, %1;", t, t, t, t)
#define BINARY(op, t) FORM(op " %0, %1, %2;", t, t, t, t)
#define TERNARY(op, t) FORM(op " %0, %1, %2, %3;", t, t, t, t)
#define TEST(op, a, b) FORM("{ .reg .pred p; " op " p, %1, %2; selp.u32 %0, 1, 0, p; }", i32, a, b, a)

// Integers.

#define INTEGER(type, t)                                                                                     \
  BINARY("add." type, t)                                                                                     \
  BINARY("sub." type, t)                                                                                     \
  BINARY("mul.lo." type, t)                                                                                  \
  BINARY("mul.hi." type, t)                                                                                  \
  BINARY("div." type, t)                                                                                     \
  BINARY("rem." type, t)                                                                                     \
  BINARY("min." type, t)                                                                                     \
  BINARY("max." type, t)                                                                                     \
  TERNARY("mad.lo." type, t)                                                                                 \
  TERNARY("mad.hi." type, t)                                                                                 \
  TERNARY("sad." type, t)                                                                                    \
  FORM("shr." type " %0, %1, %2;", t, t, count, t)
INTEGER("u16", i16)
INTEGER("s16", i16)
INTEGER("u32", i32)
INTEGER("s32", i32)
INTEGER("u64", i64)
INTEGER("s64", i64)

#define WIDE(type, t, twice)                                                                                 \
  FORM("mul.wide." type " %0, %1, %2;", twice, t, t, t)                                                      \
  FORM("mad.wide." type " %0, %1, %2, %3;", twice, t, t, twice)
WIDE("u16", i16, i32)
WIDE("s16", i16, i32)
WIDE("u32", i32, i64)
WIDE("s32", i32, i64)

#define SIGNED(type, t) UNARY("neg." type, t) UNARY("abs." type, t)
SIGNED("s16", i16)
SIGNED("s32", i32)
SIGNED("s64", i64)

BINARY("add.sat.s32", i32)
BINARY("sub.sat.s32", i32)

#define TIMES24(type)                                                                                        \
  BINARY("mul24.lo." type, i32)                                                                              \
  BINARY("mul24.hi." type, i32)                                                                              \
  TERNARY("mad24.lo." type, i32)                                                                             \
  TERNARY("mad24.hi." type, i32)
TIMES24("u32")
TIMES24("s32")

#define CARRY(type, t)                                                                                       \
  FORM("{ .reg ." type " t; add.cc." type " t, %1, %2; addc." type " %0, %3, 0; }", t, t, t, t)              \
  FORM("{ .reg ." type " t; sub.cc." type " t, %1, %2; subc." type " %0, %3, 0; }", t, t, t, t)              \
  FORM("{ .reg ." type " t; add.cc." type " t, %1, %2; addc.cc." type " t, %2, %3; addc." type               \
       " %0, %3, 0; }",                                                                                       \
       t, t, t, t)                                                                                           \
  FORM("{ .reg ." type " t; sub.cc." type " t, %1, %2; subc.cc." type " t, %2, %3; subc." type               \
       " %0, %3, 0; }",                                                                                       \
       t, t, t, t)                                                                                           \
  FORM("{ .reg ." type " t; mad.lo.cc." type " t, %1, %2, %3; madc.hi." type " %0, %1, %2, %3; }", t, t, t,  \
       t)                                                                                                    \
  FORM("{ .reg ." type " t; mad.hi.cc." type " t, %1, %2, %3; madc.lo." type " %0, %1, %2, %3; }", t, t, t,  \
       t)                                                                                                    \
  FORM("{ .reg ." type " t; add.cc." type " t, %1, %2; madc.lo.cc." type " t, %1, %2, %3; addc." type        \
       " %0, %3, 0; }",                                                                                       \
       t, t, t, t)                                                                                           \
  FORM("{ .reg ." type " t; sub.cc." type " t, %1, %2; addc." type " %0, %3, 0; }", t, t, t, t)
CARRY("u32", i32)
CARRY("s32", i32)
CARRY("u64", i64)
CARRY("s64", i64)

// Bits.

#define BITS(width, t)                                                                                       \
  BINARY("and.b" width, t)                                                                                   \
  BINARY("or.b" width, t)                                                                                    \
  BINARY("xor.b" width, t)                                                                                   \
  UNARY("not.b" width, t)                                                                                    \
  UNARY("cnot.b" width, t)                                                                                   \
  FORM("shl.b" width " %0, %1, %2;", t, t, count, t)                                                         \
  FORM("{ .reg .pred p; setp.ne.u32 p, %3, 0; selp.b" width " %0, %1, %2, p; }", t, t, t, few)
BITS("16", i16)
BITS("32", i32)
BITS("64", i64)

#define COUNTED(width, t)                                                                                    \
  FORM("popc.b" width " %0, %1;", i32, t, t, t)                                                              \
  FORM("clz.b" width " %0, %1;", i32, t, t, t)                                                               \
  FORM("bfind.u" width " %0, %1;", i32, t, t, t)                                                             \
  FORM("bfind.s" width " %0, %1;", i32, t, t, t)                                                             \
  FORM("bfind.shiftamt.u" width " %0, %1;", i32, t, t, t)                                                    \
  FORM("bfind.shiftamt.s" width " %0, %1;", i32, t, t, t)                                                    \
  UNARY("brev.b" width, t)                                                                                   \
  FORM("bfe.u" width " %0, %1, %2, %3;", t, t, byte, byte)                                                 \
  FORM("bfe.s" width " %0, %1, %2, %3;", t, t, byte, byte)                                                 \
  FORM("bfi.b" width " %0, %1, -1, %2, %3;", t, t, byte, byte)                                             \
  FORM("bfi.b" width " %0, 0x5a5a5a5a, %1, %2, %3;", t, t, byte, byte)
COUNTED("32", i32)
COUNTED("64", i64)

TERNARY("prmt.b32", i32)
#define PERMUTE(mode) TERNARY("prmt.b32." mode, i32)
PERMUTE("f4e") PERMUTE("b4e") PERMUTE("rc8") PERMUTE("ecl") PERMUTE("ecr") PERMUTE("rc16")

#define FUNNEL(mode) FORM("shf." mode ".b32 %0, %1, %2, %3;", i32, i32, i32, count)
FUNNEL("l.wrap") FUNNEL("l.clamp") FUNNEL("r.wrap") FUNNEL("r.clamp")

#define LOGIC3(table) FORM("lop3.b32 %0, %1, %2, %3, " table ";", i32, i32, i32, i32)
LOGIC3("0xe8") LOGIC3("0x96") LOGIC3("0x1b") LOGIC3("0x80") LOGIC3("0xfe") LOGIC3("0x35") LOGIC3("0xd2")

#define DOT(types)                                                                                           \
  TERNARY("dp4a." types, i32)                                                                                \
  TERNARY("dp2a.lo." types, i32)                                                                             \
  TERNARY("dp2a.hi." types, i32)
DOT("u32.u32") DOT("u32.s32") DOT("s32.u32") DOT("s32.s32")

// Comparisons.

#define COMPARE(comparison, type, t)                                                                         \
  TEST("setp." comparison "." type, t, t)                                                                    \
  FORM("set." comparison ".u32." type " %0, %1, %2;", i32, t, t, t)                                          \
  FORM("set." comparison ".f32." type " %0, %1, %2;", f32, t, t, t)
#define ORDER(type, t)                                                                                       \
  COMPARE("eq", type, t)                                                                                     \
  COMPARE("ne", type, t)                                                                                     \
  COMPARE("lt", type, t)                                                                                     \
  COMPARE("le", type, t)                                                                                     \
  COMPARE("gt", type, t)                                                                                     \
  COMPARE("ge", type, t)
ORDER("u16", i16)
ORDER("s16", i16)
ORDER("u32", i32)
ORDER("s32", i32)
ORDER("u64", i64)
ORDER("s64", i64)
TEST("setp.lo.u32", i32, i32)
TEST("setp.ls.u32", i32, i32)
TEST("setp.hi.u32", i32, i32)
TEST("setp.hs.u32", i32, i32)
TEST("setp.eq.b16", i16, i16)
TEST("setp.ne.b64", i64, i64)

#define COMBINED(op)                                                                                         \
  FORM("{ .reg .pred p, q, r; setp.ne.u32 r, %3, 0; setp.lt." op ".s32 p|q, %1, %2, r; selp.u32 %0, 2, 0, p; @q add.u32 %0, %0, 1; }", \
       i32, i32, i32, few)                                                                                   \
  FORM("{ .reg .pred p, q, r; setp.ne.u32 r, %3, 0; setp.geu." op ".f32 p|q, %1, %2, !r; selp.u32 %0, 2, 0, p; @q add.u32 %0, %0, 1; }", \
       i32, f32, f32, few)                                                                                   \
  FORM("{ .reg .pred r; setp.ne.u32 r, %3, 0; set.gt." op ".u32.f64 %0, %1, %2, r; }", i32, f64, f64, few)
COMBINED("and") COMBINED("or") COMBINED("xor")

#define UNORDERED(type, t)                                                                                   \
  COMPARE("equ", type, t)                                                                                    \
  COMPARE("neu", type, t)                                                                                    \
  COMPARE("ltu", type, t)                                                                                    \
  COMPARE("leu", type, t)                                                                                    \
  COMPARE("gtu", type, t)                                                                                    \
  COMPARE("geu", type, t)                                                                                    \
  COMPARE("num", type, t)                                                                                    \
  COMPARE("nan", type, t)
ORDER("f32", f32)
UNORDERED("f32", f32)
ORDER("f64", f64)
UNORDERED("f64", f64)
TEST("setp.lt.ftz.f32", f32, f32)
TEST("setp.eq.ftz.f32", f32, f32)
TEST("setp.geu.ftz.f32", f32, f32)
FORM("set.ne.ftz.u32.f32 %0, %1, %2;", i32, f32, f32, f32)
FORM("set.le.s32.f32 %0, %1, %2;", i32, f32, f32, f32)

FORM("slct.b16.s32 %0, %1, %2, %3;", i16, i16, i16, i32)
FORM("slct.u32.s32 %0, %1, %2, %3;", i32, i32, i32, i32)
FORM("slct.b64.s32 %0, %1, %2, %3;", i64, i64, i64, i32)
FORM("slct.f32.s32 %0, %1, %2, %3;", f32, f32, f32, i32)
FORM("slct.f64.s32 %0, %1, %2, %3;", f64, f64, f64, i32)
FORM("slct.u32.f32 %0, %1, %2, %3;", i32, i32, i32, f32)
FORM("slct.f32.f32 %0, %1, %2, %3;", f32, f32, f32, f32)
FORM("slct.ftz.u64.f32 %0, %1, %2, %3;", i64, i64, i64, f32)

#define PROPERTY(name)                                                                                       \
  FORM("{ .reg .pred p; testp." name ".f32 p, %1; selp.u32 %0, 1, 0, p; }", i32, f32, f32, f32)              \
  FORM("{ .reg .pred p; testp." name ".f64 p, %1; selp.u32 %0, 1, 0, p; }", i32, f64, f64, f64)
PROPERTY("finite")
PROPERTY("infinite")
PROPERTY("number")
PROPERTY("notanumber")
PROPERTY("normal")
PROPERTY("subnormal")

// Numbers.

#define ROUNDED32(rounding, modes)                                                                           \
  BINARY("add" rounding modes ".f32", f32)                                                                   \
  BINARY("sub" rounding modes ".f32", f32)                                                                   \
  BINARY("mul" rounding modes ".f32", f32)                                                                   \
  TERNARY("fma" rounding modes ".f32", f32)
#define ALL_MODES(rounding)                                                                                  \
  ROUNDED32(rounding, "")                                                                                    \
  ROUNDED32(rounding, ".ftz")                                                                                \
  ROUNDED32(rounding, ".sat")                                                                                \
  ROUNDED32(rounding, ".ftz.sat")
ALL_MODES(".rn") ALL_MODES(".rz") ALL_MODES(".rm") ALL_MODES(".rp")

#define QUOTIENT(rounding)                                                                                   \
  BINARY("div" rounding ".f32", f32)                                                                         \
  BINARY("div" rounding ".ftz.f32", f32)                                                                     \
  UNARY("sqrt" rounding ".f32", f32)                                                                         \
  UNARY("sqrt" rounding ".ftz.f32", f32)                                                                     \
  UNARY("rcp" rounding ".f32", f32)                                                                          \
  UNARY("rcp" rounding ".ftz.f32", f32)                                                                      \
  BINARY("add" rounding ".f64", f64)                                                                         \
  BINARY("sub" rounding ".f64", f64)                                                                         \
  BINARY("mul" rounding ".f64", f64)                                                                         \
  TERNARY("fma" rounding ".f64", f64)                                                                        \
  BINARY("div" rounding ".f64", f64)                                                                         \
  UNARY("sqrt" rounding ".f64", f64)                                                                         \
  UNARY("rcp" rounding ".f64", f64)
QUOTIENT(".rn") QUOTIENT(".rz") QUOTIENT(".rm") QUOTIENT(".rp")

BINARY("min.f32", f32)
BINARY("max.f32", f32)
BINARY("min.ftz.f32", f32)
BINARY("max.ftz.f32", f32)
UNARY("neg.f32", f32)
UNARY("abs.f32", f32)
UNARY("neg.ftz.f32", f32)
UNARY("abs.ftz.f32", f32)
BINARY("copysign.f32", f32)
BINARY("min.f64", f64)
BINARY("max.f64", f64)
UNARY("neg.f64", f64)
UNARY("abs.f64", f64)
BINARY("copysign.f64", f64)

#define HALF(type, t)                                                                                        \
  BINARY("add.rn." type, t)                                                                                  \
  BINARY("sub.rn." type, t)                                                                                  \
  BINARY("mul.rn." type, t)                                                                                  \
  TERNARY("fma.rn." type, t)                                                                                 \
  BINARY("add.ftz." type, t)                                                                                 \
  BINARY("mul.ftz." type, t)                                                                                 \
  TERNARY("fma.rn.ftz." type, t)                                                                             \
  BINARY("add.sat." type, t)                                                                                 \
  BINARY("sub.ftz.sat." type, t)                                                                             \
  TERNARY("fma.rn.sat." type, t)                                                                             \
  BINARY("min." type, t)                                                                                     \
  BINARY("max." type, t)                                                                                     \
  BINARY("min.ftz." type, t)                                                                                 \
  UNARY("neg." type, t)                                                                                      \
  UNARY("abs." type, t)
HALF("f16", f16)
HALF("f16x2", f16x2)

#define COMPARE_HALVES(comparison)                                                                           \
  TEST("setp." comparison ".f16", f16, f16)                                                                  \
  FORM("{ .reg .pred p, q; setp." comparison ".f16x2 p|q, %1, %2; selp.u32 %0, 2, 0, p; @q add.u32 %0, %0, 1; }", \
       i32, f16x2, f16x2, f16x2)
COMPARE_HALVES("eq") COMPARE_HALVES("ne") COMPARE_HALVES("lt") COMPARE_HALVES("le")
COMPARE_HALVES("gt") COMPARE_HALVES("ge") COMPARE_HALVES("equ") COMPARE_HALVES("neu")
COMPARE_HALVES("ltu") COMPARE_HALVES("leu") COMPARE_HALVES("gtu") COMPARE_HALVES("geu")
COMPARE_HALVES("num") COMPARE_HALVES("nan")

// Conversions.

#define CONVERT(what, to, from) FORM("cvt." what " %0, %1;", to, from, from, from)
#define FROM_ALL(to, t)                                                                                      \
  CONVERT(to ".u8", t, i16)                                                                                  \
  CONVERT(to ".s8", t, i16)                                                                                  \
  CONVERT(to ".u16", t, i16)                                                                                 \
  CONVERT(to ".s16", t, i16)                                                                                 \
  CONVERT(to ".u32", t, i32)                                                                                 \
  CONVERT(to ".s32", t, i32)                                                                                 \
  CONVERT(to ".u64", t, i64)                                                                                 \
  CONVERT(to ".s64", t, i64)
FROM_ALL("u8", i16)
FROM_ALL("s8", i16)
FROM_ALL("u16", i16)
FROM_ALL("s16", i16)
FROM_ALL("u32", i32)
FROM_ALL("s32", i32)
FROM_ALL("u64", i64)
FROM_ALL("s64", i64)
FROM_ALL("u8", i32)
FROM_ALL("s8", i32)
FROM_ALL("u16", i32)
FROM_ALL("s16", i32)

// To fewer values than the source has.
CONVERT("sat.u8.s8", i16, i16)
CONVERT("sat.u8.u16", i16, i16)
CONVERT("sat.u8.s16", i16, i16)
CONVERT("sat.u8.u32", i16, i32)
CONVERT("sat.u8.s32", i16, i32)
CONVERT("sat.u8.u64", i16, i64)
CONVERT("sat.u8.s64", i16, i64)
CONVERT("sat.s8.u8", i16, i16)
CONVERT("sat.s8.u16", i16, i16)
CONVERT("sat.s8.s16", i16, i16)
CONVERT("sat.s8.u32", i16, i32)
CONVERT("sat.s8.s32", i16, i32)
CONVERT("sat.s8.u64", i16, i64)
CONVERT("sat.s8.s64", i16, i64)
CONVERT("sat.u16.s8", i16, i16)
CONVERT("sat.u16.s16", i16, i16)
CONVERT("sat.u16.u32", i16, i32)
CONVERT("sat.u16.s32", i16, i32)
CONVERT("sat.u16.u64", i16, i64)
CONVERT("sat.u16.s64", i16, i64)
CONVERT("sat.s16.u16", i16, i16)
CONVERT("sat.s16.u32", i16, i32)
CONVERT("sat.s16.s32", i16, i32)
CONVERT("sat.s16.u64", i16, i64)
CONVERT("sat.s16.s64", i16, i64)
CONVERT("sat.u32.s8", i32, i16)
CONVERT("sat.u32.s16", i32, i16)
CONVERT("sat.u32.s32", i32, i32)
CONVERT("sat.u32.u64", i32, i64)
CONVERT("sat.u32.s64", i32, i64)
CONVERT("sat.s32.u32", i32, i32)
CONVERT("sat.s32.u64", i32, i64)
CONVERT("sat.s32.s64", i32, i64)
CONVERT("sat.u64.s16", i64, i16)
CONVERT("sat.u64.s32", i64, i32)
CONVERT("sat.u64.s64", i64, i64)
CONVERT("sat.s64.u64", i64, i64)

#define TO_INTEGERS(rounding, from, f)                                                                       \
  CONVERT(rounding ".u8." from, i32, f)                                                                      \
  CONVERT(rounding ".s8." from, i32, f)                                                                      \
  CONVERT(rounding ".u16." from, i16, f)                                                                     \
  CONVERT(rounding ".s16." from, i16, f)                                                                     \
  CONVERT(rounding ".u32." from, i32, f)                                                                     \
  CONVERT(rounding ".s32." from, i32, f)                                                                     \
  CONVERT(rounding ".u64." from, i64, f)                                                                     \
  CONVERT(rounding ".s64." from, i64, f)
#define TO_INTEGERS_FROM(from, f)                                                                            \
  TO_INTEGERS("rni", from, f) TO_INTEGERS("rzi", from, f) TO_INTEGERS("rmi", from, f) TO_INTEGERS("rpi", from, f)
TO_INTEGERS_FROM("f16", f16)
TO_INTEGERS_FROM("f32", f32)
TO_INTEGERS_FROM("f64", f64)
TO_INTEGERS("rni.ftz", "f32", f32)
TO_INTEGERS("rpi.ftz", "f32", f32)

#define FROM_INTEGERS(to, t)                                                                                 \
  FROM_ALL("rn." to, t) FROM_ALL("rz." to, t) FROM_ALL("rm." to, t) FROM_ALL("rp." to, t)
FROM_INTEGERS("f16", f16)
FROM_INTEGERS("f32", f32)
FROM_INTEGERS("f64", f64)

#define NARROWER(rounding)                                                                                   \
  CONVERT(rounding ".f16.f32", f16, f32)                                                                     \
  CONVERT(rounding ".ftz.f16.f32", f16, f32)                                                                 \
  CONVERT(rounding ".f16.f64", f16, f64)                                                                     \
  CONVERT(rounding ".f32.f64", f32, f64)                                                                     \
  CONVERT(rounding ".ftz.f32.f64", f32, f64)                                                                 \
  CONVERT(rounding ".sat.f32.f64", f32, f64)                                                                 \
  CONVERT(rounding "i.f16.f16", f16, f16)                                                                    \
  CONVERT(rounding "i.f32.f32", f32, f32)                                                                    \
  CONVERT(rounding "i.ftz.f32.f32", f32, f32)                                                                \
  CONVERT(rounding "i.sat.f32.f32", f32, f32)                                                                \
  CONVERT(rounding "i.f64.f64", f64, f64)
NARROWER("rn") NARROWER("rz") NARROWER("rm") NARROWER("rp")
CONVERT("f32.f16", f32, f16)
CONVERT("f64.f16", f64, f16)
CONVERT("f64.f32", f64, f32)
CONVERT("ftz.f64.f32", f64, f32)
CONVERT("ftz.f32.f16", f32, f16)
CONVERT("sat.f32.f32", f32, f32)
CONVERT("ftz.sat.f32.f32", f32, f32)
CONVERT("sat.f64.f64", f64, f64)
CONVERT("sat.f32.f16", f32, f16)
CONVERT("rn.sat.f16.f32", f16, f32)

// A warp, all lanes of it.

#define SHUFFLE(mode)                                                                                        \
  FORM("shfl.sync." mode ".b32 %0, %1, %2, %3, -1;", i32, i32, count, shuffle)                               \
  FORM("{ .reg .pred p; .reg .b32 t; shfl.sync." mode ".b32 t|p, %1, %2, %3, -1; selp.u32 %0, 1, 0, p; }", i32, \
       i32, count, shuffle)
SHUFFLE("idx") SHUFFLE("up") SHUFFLE("down") SHUFFLE("bfly")

#define VOTE(mode)                                                                                           \
  FORM("{ .reg .pred p, q; setp.ne.u32 p, %1, 0; vote.sync." mode ".pred q, p, -1; selp.u32 %0, 1, 0, q; }", i32, \
       few, few, few)
VOTE("any") VOTE("all") VOTE("uni")
FORM("{ .reg .pred p; setp.eq.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, -1; }", i32, few, few, few)
FORM("match.any.sync.b32 %0, %1, -1;", i32, few, few, few)
FORM("{ .reg .b64 w; mov.b64 w, {%1, %2}; match.any.sync.b64 %0, w, -1; }", i32, few, few, few)
FORM("{ .reg .pred p; match.all.sync.b32 %0|p, %1, -1; @p add.u32 %0, %0, 5; }", i32, few, few, few)
#define REDUCE(op) FORM("redux.sync." op " %0, %1, -1;", i32, i32, i32, i32)
REDUCE("add.u32") REDUCE("add.s32") REDUCE("min.u32") REDUCE("min.s32") REDUCE("max.u32") REDUCE("max.s32")
REDUCE("and.b32") REDUCE("or.b32") REDUCE("xor.b32")

// Atomics.

#define UPDATE(op, t) ATOMIC("atom.global." op " %0, [%1], %2;", t)
UPDATE("add.u32", i32)
UPDATE("add.s32", i32)
UPDATE("add.u64", i64)
UPDATE("and.b32", i32)
UPDATE("or.b32", i32)
UPDATE("xor.b32", i32)
UPDATE("and.b64", i64)
UPDATE("or.b64", i64)
UPDATE("xor.b64", i64)
UPDATE("exch.b32", i32)
UPDATE("exch.b64", i64)
UPDATE("inc.u32", i32)
UPDATE("dec.u32", i32)
UPDATE("min.u32", i32)
UPDATE("max.u32", i32)
UPDATE("min.s32", i32)
UPDATE("max.s32", i32)
UPDATE("min.u64", i64)
UPDATE("max.u64", i64)
UPDATE("min.s64", i64)
UPDATE("max.s64", i64)
UPDATE("add.f32", f32)
UPDATE("add.f64", f64)
UPDATE("add.noftz.f16", f16)
UPDATE("add.noftz.f16x2", f16x2)
ATOMIC("atom.global.cas.b16 %0, [%1], %2, %3;", i16)
ATOMIC("atom.global.cas.b32 %0, [%1], %2, %3;", i32)
ATOMIC("atom.global.cas.b64 %0, [%1], %2, %3;", i64)

// In shared memory. (Which NaN a sum of f64 takes over depends on how the GPU's assembler orders its loop.)
#define SHARED(op, type, t)                                                                                  \
  FORM("{ .shared .align 8 .b8 words[2048]; .reg .u32 at, i; .reg .b" type " old; mov.u32 at, words; mov.u32 i, %%tid.x; mad.lo.u32 at, i, 8, at; " \
       "st.shared.b" type " [at], %1; atom.shared." op " old, [at], %2; ld.shared.b" type " %0, [at]; }",    \
       t, t, t, t)
SHARED("add.f32", "32", f32)
SHARED("inc.u32", "32", i32)
SHARED("dec.u32", "32", i32)
SHARED("min.s32", "32", i32)
SHARED("max.u64", "64", i64)

// Parts of a word in memory, and words of several parts.
#define LOAD(type, t, at)                                                                                    \
  FORM("{ .shared .align 8 .b8 words[2048]; .reg .u32 at, i; mov.u32 at, words; mov.u32 i, %%tid.x; "         \
       "mad.lo.u32 at, i, 8, at; st.shared.b64 [at], %1; ld.shared." type " %0, [at+" at "]; }",              \
       t, i64, i64, i64)
LOAD("u8", i16, "3") LOAD("s8", i16, "5") LOAD("u8", i32, "1") LOAD("s8", i32, "2") LOAD("s8", i64, "7")
LOAD("u16", i32, "2") LOAD("s16", i32, "4") LOAD("s16", i64, "6") LOAD("u32", i64, "4") LOAD("s32", i64, "0")
FORM("{ .reg .b32 l, h; mov.b64 {l, h}, %1; mov.b64 %0, {h, l}; }", i64, i64, i64, i64)
FORM("{ .reg .b16 a, b, c, d; mov.b64 {a, b, c, d}, %1; mov.b64 %0, {d, a, c, b}; }", i64, i64, i64, i64)

// Where a thread is, and what others say.
#define PLACE(name) FORM("mov.u32 %0, %%" name ";", i32, i32, i32, i32)
PLACE("laneid") PLACE("lanemask_eq") PLACE("lanemask_le") PLACE("lanemask_lt") PLACE("lanemask_ge") PLACE("lanemask_gt")
PLACE("tid.x") PLACE("tid.y") PLACE("ntid.x") PLACE("ntid.z") PLACE("ctaid.x") PLACE("nctaid.x") PLACE("nctaid.y")
FORM("{ .reg .pred p; setp.eq.u32 p, %1, 0; bar.red.popc.u32 %0, 0, p; }", i32, few, few, few)
FORM("{ .reg .pred p, q; setp.ne.u32 p, %1, 9; bar.red.and.pred q, 0, p; selp.u32 %0, 1, 0, q; }", i32, few, few, few)
FORM("{ .reg .pred p, q; setp.gt.u32 p, %1, 9; bar.red.or.pred q, 0, p; selp.u32 %0, 1, 0, q; }", i32, few, few, few)

// Approximations.

#define APPROXIMATION(op, t) APPROXIMATE(op " %0, %1;", t, t, t, t)
APPROXIMATION("rcp.approx.f32", f32)
APPROXIMATION("rcp.approx.ftz.f32", f32)
APPROXIMATION("sqrt.approx.f32", f32)
APPROXIMATION("sqrt.approx.ftz.f32", f32)
APPROXIMATION("rsqrt.approx.f32", f32)
APPROXIMATION("rsqrt.approx.ftz.f32", f32)
APPROXIMATION("sin.approx.f32", angle)
APPROXIMATION("cos.approx.f32", angle)
APPROXIMATION("ex2.approx.f32", angle)
APPROXIMATION("ex2.approx.ftz.f32", f32)
APPROXIMATION("lg2.approx.f32", f32)
APPROXIMATION("lg2.approx.ftz.f32", f32)
APPROXIMATION("tanh.approx.f32", angle)
APPROXIMATION("ex2.approx.f16", f16)
APPROXIMATION("tanh.approx.f16", f16)
APPROXIMATION("rcp.approx.ftz.f64", f64)
APPROXIMATION("rsqrt.approx.f64", f64)
APPROXIMATION("rsqrt.approx.ftz.f64", f64)
APPROXIMATE("div.approx.f32 %0, %1, %2;", f32, f32, f32, f32)
APPROXIMATE("div.approx.ftz.f32 %0, %1, %2;", f32, f32, f32, f32)
APPROXIMATE("div.full.f32 %0, %1, %2;", f32, f32, f32, f32)
APPROXIMATE("div.full.ftz.f32 %0, %1, %2;", f32, f32, f32, f32)

int main(int argc, char **argv) {
  Operands operands;
  uint64_t *out, results[2 * OPERANDS];
  GOOD(cudaMalloc(&out, sizeof results));
  for (const Form &form : forms()) {
    if (argc > 1 && strncmp(form.text, argv[1], strlen(argv[1])))
      continue;
    const uint64_t *a = operands.on_gpu(form.kinds[0], 0), *b = operands.on_gpu(form.kinds[1], 1),
                   *c = operands.on_gpu(form.kinds[2], 2);
    void *arguments[] = {&a, &b, &c, &out};
    GOOD(cudaMemset(out, 0, sizeof results));
    GOOD(cudaLaunchKernel(form.kernel, dim3(OPERANDS / 256), dim3(256), arguments, 0, 0));
    GOOD(cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost));
    if (argc > 1) {
      for (int i = 0; i < OPERANDS; i++)
        printf("%s  %llx %llx %llx: %llx %llx\n", form.text, operands.of(form.kinds[0], 0, i),
               operands.of(form.kinds[1], 1, i), operands.of(form.kinds[2], 2, i), (unsigned long long)results[i],
               (unsigned long long)results[OPERANDS + i]);
    } else if (form.is_approximate) {
      printf("%s", form.text);
      for (int i = 0; i < 256; i++)
        printf(" %llx", (unsigned long long)results[i]);
      printf("\n");
    } else {
      printf("%016llx %s\n", digest(results, 2 * OPERANDS), form.text);
    }
  }
  return 0;
}
