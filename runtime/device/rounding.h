/* Operations and conversions that say how they round: one instruction each. */
#ifndef UNRULY_DEVICE_ROUNDING_H
#define UNRULY_DEVICE_ROUNDING_H

#define ONE(result, name, type, text, out, in)                                                                                   \
  API result name(type x) {                                                                                                      \
    result y;                                                                                                                    \
    asm(text " %0, %1;" : "=" out(y) : in(x));                                                                                   \
    return y;                                                                                                                    \
  }
#define TWO(type, name, text, letter)                                                                                            \
  API type name(type a, type b) {                                                                                                \
    type y;                                                                                                                      \
    asm(text " %0, %1, %2;" : "=" letter(y) : letter(a), letter(b));                                                             \
    return y;                                                                                                                    \
  }
#define THREE(type, name, text, letter)                                                                                          \
  API type name(type a, type b, type c) {                                                                                        \
    type y;                                                                                                                      \
    asm(text " %0, %1, %2, %3;" : "=" letter(y) : letter(a), letter(b), letter(c));                                              \
    return y;                                                                                                                    \
  }

TWO(double, __nv_dadd_rn, "add.rn.f64", "d")
TWO(float, __nv_fadd_rn, "add.rn.f32", "f")
TWO(double, __nv_dmul_rn, "mul.rn.f64", "d")
TWO(float, __nv_fmul_rn, "mul.rn.f32", "f")
TWO(double, __nv_dsub_rn, "sub.rn.f64", "d")
TWO(float, __nv_fsub_rn, "sub.rn.f32", "f")
TWO(double, __nv_ddiv_rn, "div.rn.f64", "d")
TWO(float, __nv_fdiv_rn, "div.rn.f32", "f")
ONE(double, __nv_drcp_rn, double, "rcp.rn.f64", "d", "d")
ONE(float, __nv_frcp_rn, float, "rcp.rn.f32", "f", "f")
ONE(double, __nv_dsqrt_rn, double, "sqrt.rn.f64", "d", "d")
ONE(float, __nv_fsqrt_rn, float, "sqrt.rn.f32", "f", "f")
THREE(double, __nv_fma_rn, "fma.rn.f64", "d")
THREE(float, __nv_fmaf_rn, "fma.rn.f32", "f")
THREE(float, __nv_fmaf_ieee_rn, "fma.rn.f32", "f")
ONE(float, __nv_double2float_rn, double, "cvt.rn.f32.f64", "f", "d")
ONE(int, __nv_double2int_rn, double, "cvt.rni.s32.f64", "r", "d")
ONE(double, __nv_int2double_rn, int, "cvt.rn.f64.s32", "d", "r")
ONE(u32, __nv_double2uint_rn, double, "cvt.rni.u32.f64", "r", "d")
ONE(double, __nv_uint2double_rn, u32, "cvt.rn.f64.u32", "d", "r")
ONE(i64, __nv_double2ll_rn, double, "cvt.rni.s64.f64", "l", "d")
ONE(double, __nv_ll2double_rn, i64, "cvt.rn.f64.s64", "d", "l")
ONE(u64, __nv_double2ull_rn, double, "cvt.rni.u64.f64", "l", "d")
ONE(double, __nv_ull2double_rn, u64, "cvt.rn.f64.u64", "d", "l")
ONE(int, __nv_float2int_rn, float, "cvt.rni.s32.f32", "r", "f")
ONE(float, __nv_int2float_rn, int, "cvt.rn.f32.s32", "f", "r")
ONE(u32, __nv_float2uint_rn, float, "cvt.rni.u32.f32", "r", "f")
ONE(float, __nv_uint2float_rn, u32, "cvt.rn.f32.u32", "f", "r")
ONE(i64, __nv_float2ll_rn, float, "cvt.rni.s64.f32", "l", "f")
ONE(float, __nv_ll2float_rn, i64, "cvt.rn.f32.s64", "f", "l")
ONE(u64, __nv_float2ull_rn, float, "cvt.rni.u64.f32", "l", "f")
ONE(float, __nv_ull2float_rn, u64, "cvt.rn.f32.u64", "f", "l")
TWO(double, __nv_dadd_rz, "add.rz.f64", "d")
TWO(float, __nv_fadd_rz, "add.rz.f32", "f")
TWO(double, __nv_dmul_rz, "mul.rz.f64", "d")
TWO(float, __nv_fmul_rz, "mul.rz.f32", "f")
TWO(double, __nv_dsub_rz, "sub.rz.f64", "d")
TWO(float, __nv_fsub_rz, "sub.rz.f32", "f")
TWO(double, __nv_ddiv_rz, "div.rz.f64", "d")
TWO(float, __nv_fdiv_rz, "div.rz.f32", "f")
ONE(double, __nv_drcp_rz, double, "rcp.rz.f64", "d", "d")
ONE(float, __nv_frcp_rz, float, "rcp.rz.f32", "f", "f")
ONE(double, __nv_dsqrt_rz, double, "sqrt.rz.f64", "d", "d")
ONE(float, __nv_fsqrt_rz, float, "sqrt.rz.f32", "f", "f")
THREE(double, __nv_fma_rz, "fma.rz.f64", "d")
THREE(float, __nv_fmaf_rz, "fma.rz.f32", "f")
THREE(float, __nv_fmaf_ieee_rz, "fma.rz.f32", "f")
ONE(float, __nv_double2float_rz, double, "cvt.rz.f32.f64", "f", "d")
ONE(int, __nv_double2int_rz, double, "cvt.rzi.s32.f64", "r", "d")
ONE(u32, __nv_double2uint_rz, double, "cvt.rzi.u32.f64", "r", "d")
ONE(i64, __nv_double2ll_rz, double, "cvt.rzi.s64.f64", "l", "d")
ONE(double, __nv_ll2double_rz, i64, "cvt.rz.f64.s64", "d", "l")
ONE(u64, __nv_double2ull_rz, double, "cvt.rzi.u64.f64", "l", "d")
ONE(double, __nv_ull2double_rz, u64, "cvt.rz.f64.u64", "d", "l")
ONE(int, __nv_float2int_rz, float, "cvt.rzi.s32.f32", "r", "f")
ONE(float, __nv_int2float_rz, int, "cvt.rz.f32.s32", "f", "r")
ONE(u32, __nv_float2uint_rz, float, "cvt.rzi.u32.f32", "r", "f")
ONE(float, __nv_uint2float_rz, u32, "cvt.rz.f32.u32", "f", "r")
ONE(i64, __nv_float2ll_rz, float, "cvt.rzi.s64.f32", "l", "f")
ONE(float, __nv_ll2float_rz, i64, "cvt.rz.f32.s64", "f", "l")
ONE(u64, __nv_float2ull_rz, float, "cvt.rzi.u64.f32", "l", "f")
ONE(float, __nv_ull2float_rz, u64, "cvt.rz.f32.u64", "f", "l")
TWO(double, __nv_dadd_ru, "add.rp.f64", "d")
TWO(float, __nv_fadd_ru, "add.rp.f32", "f")
TWO(double, __nv_dmul_ru, "mul.rp.f64", "d")
TWO(float, __nv_fmul_ru, "mul.rp.f32", "f")
TWO(double, __nv_dsub_ru, "sub.rp.f64", "d")
TWO(float, __nv_fsub_ru, "sub.rp.f32", "f")
TWO(double, __nv_ddiv_ru, "div.rp.f64", "d")
TWO(float, __nv_fdiv_ru, "div.rp.f32", "f")
ONE(double, __nv_drcp_ru, double, "rcp.rp.f64", "d", "d")
ONE(float, __nv_frcp_ru, float, "rcp.rp.f32", "f", "f")
ONE(double, __nv_dsqrt_ru, double, "sqrt.rp.f64", "d", "d")
ONE(float, __nv_fsqrt_ru, float, "sqrt.rp.f32", "f", "f")
THREE(double, __nv_fma_ru, "fma.rp.f64", "d")
THREE(float, __nv_fmaf_ru, "fma.rp.f32", "f")
THREE(float, __nv_fmaf_ieee_ru, "fma.rp.f32", "f")
ONE(float, __nv_double2float_ru, double, "cvt.rp.f32.f64", "f", "d")
ONE(int, __nv_double2int_ru, double, "cvt.rpi.s32.f64", "r", "d")
ONE(u32, __nv_double2uint_ru, double, "cvt.rpi.u32.f64", "r", "d")
ONE(i64, __nv_double2ll_ru, double, "cvt.rpi.s64.f64", "l", "d")
ONE(double, __nv_ll2double_ru, i64, "cvt.rp.f64.s64", "d", "l")
ONE(u64, __nv_double2ull_ru, double, "cvt.rpi.u64.f64", "l", "d")
ONE(double, __nv_ull2double_ru, u64, "cvt.rp.f64.u64", "d", "l")
ONE(int, __nv_float2int_ru, float, "cvt.rpi.s32.f32", "r", "f")
ONE(float, __nv_int2float_ru, int, "cvt.rp.f32.s32", "f", "r")
ONE(u32, __nv_float2uint_ru, float, "cvt.rpi.u32.f32", "r", "f")
ONE(float, __nv_uint2float_ru, u32, "cvt.rp.f32.u32", "f", "r")
ONE(i64, __nv_float2ll_ru, float, "cvt.rpi.s64.f32", "l", "f")
ONE(float, __nv_ll2float_ru, i64, "cvt.rp.f32.s64", "f", "l")
ONE(u64, __nv_float2ull_ru, float, "cvt.rpi.u64.f32", "l", "f")
ONE(float, __nv_ull2float_ru, u64, "cvt.rp.f32.u64", "f", "l")
TWO(double, __nv_dadd_rd, "add.rm.f64", "d")
TWO(float, __nv_fadd_rd, "add.rm.f32", "f")
TWO(double, __nv_dmul_rd, "mul.rm.f64", "d")
TWO(float, __nv_fmul_rd, "mul.rm.f32", "f")
TWO(double, __nv_dsub_rd, "sub.rm.f64", "d")
TWO(float, __nv_fsub_rd, "sub.rm.f32", "f")
TWO(double, __nv_ddiv_rd, "div.rm.f64", "d")
TWO(float, __nv_fdiv_rd, "div.rm.f32", "f")
ONE(double, __nv_drcp_rd, double, "rcp.rm.f64", "d", "d")
ONE(float, __nv_frcp_rd, float, "rcp.rm.f32", "f", "f")
ONE(double, __nv_dsqrt_rd, double, "sqrt.rm.f64", "d", "d")
ONE(float, __nv_fsqrt_rd, float, "sqrt.rm.f32", "f", "f")
THREE(double, __nv_fma_rd, "fma.rm.f64", "d")
THREE(float, __nv_fmaf_rd, "fma.rm.f32", "f")
THREE(float, __nv_fmaf_ieee_rd, "fma.rm.f32", "f")
ONE(float, __nv_double2float_rd, double, "cvt.rm.f32.f64", "f", "d")
ONE(int, __nv_double2int_rd, double, "cvt.rmi.s32.f64", "r", "d")
ONE(u32, __nv_double2uint_rd, double, "cvt.rmi.u32.f64", "r", "d")
ONE(i64, __nv_double2ll_rd, double, "cvt.rmi.s64.f64", "l", "d")
ONE(double, __nv_ll2double_rd, i64, "cvt.rm.f64.s64", "d", "l")
ONE(u64, __nv_double2ull_rd, double, "cvt.rmi.u64.f64", "l", "d")
ONE(double, __nv_ull2double_rd, u64, "cvt.rm.f64.u64", "d", "l")
ONE(int, __nv_float2int_rd, float, "cvt.rmi.s32.f32", "r", "f")
ONE(float, __nv_int2float_rd, int, "cvt.rm.f32.s32", "f", "r")
ONE(u32, __nv_float2uint_rd, float, "cvt.rmi.u32.f32", "r", "f")
ONE(float, __nv_uint2float_rd, u32, "cvt.rm.f32.u32", "f", "r")
ONE(i64, __nv_float2ll_rd, float, "cvt.rmi.s64.f32", "l", "f")
ONE(float, __nv_ll2float_rd, i64, "cvt.rm.f32.s64", "f", "l")
ONE(u64, __nv_float2ull_rd, float, "cvt.rmi.u64.f32", "l", "f")
ONE(float, __nv_ull2float_rd, u64, "cvt.rm.f32.u64", "f", "l")

API float __nv_frsqrt_rn(float x) { return __nv_rsqrtf(x); }
ONE(double, __nv_rcp64h, double, "rcp.approx.ftz.f64", "d", "d")
API unsigned short __nv_float2half_rn(float x) {
  unsigned short y;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(y) : "f"(x));
  return y;
}
API float __nv_half2float(unsigned short x) {
  float y;
  asm("cvt.f32.f16 %0, %1;" : "=f"(y) : "h"(x));
  return y;
}

#undef ONE
#undef TWO
#undef THREE

#endif
