// The device's mathematical functions, in the names that clang's headers call: __nv_sin and so on. CUDA documents how far each may
// be from the true value; docs/programs.md has what was measured. All but rounding.h and fast.h is plain C++, which a test compiles
// for the host, too.
#include "basics.h"
#include "coefficients.h"

#include "integer.h"
#include "whole.h"
#include "exponential.h"
#include "logarithm.h"
#include "power.h"
#include "trigonometric.h"
#include "inverse_trigonometric.h"
#include "hyperbolic.h"
#include "error_function.h"
#include "gamma.h"
#include "norm.h"
#include "bessel.h"
#if defined(__NVPTX__)
#include "rounding.h"
#include "fast.h"
#endif
