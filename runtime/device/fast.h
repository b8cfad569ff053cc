/* The functions that -use_fast_math and names with two underlines ask for: instructions of the special function units. */
#ifndef UNRULY_DEVICE_FAST_H
#define UNRULY_DEVICE_FAST_H

API float __nv_fast_sinf(float x) { return __nvvm_sin_approx_f(x); }
API float __nv_fast_cosf(float x) { return __nvvm_cos_approx_f(x); }
API void __nv_fast_sincosf(float x, float *s, float *c) {
  *s = __nvvm_sin_approx_f(x);
  *c = __nvvm_cos_approx_f(x);
}
API float __nv_fast_tanf(float x) { return __nvvm_div_approx_f(__nvvm_sin_approx_f(x), __nvvm_cos_approx_f(x)); }
API float __nv_fast_log2f(float x) { return __nvvm_lg2_approx_f(x); }
API float __nv_fast_logf(float x) { return __nvvm_lg2_approx_f(x) * 0x1.62e430p-1f; }
API float __nv_fast_log10f(float x) { return __nvvm_lg2_approx_f(x) * 0x1.344136p-2f; }
API float __nv_fast_expf(float x) { return __nvvm_ex2_approx_f(x * 0x1.715476p+0f); }
API float __nv_fast_exp10f(float x) { return __nvvm_ex2_approx_f(x * 0x1.a934f0p+1f); }
API float __nv_fast_powf(float x, float y) { return __nvvm_ex2_approx_f(y * __nvvm_lg2_approx_f(x)); }
API float __nv_fast_fdividef(float x, float y) { return __nvvm_div_approx_f(x, y); }

#endif
