/* The name of this header in the old SDK. */
#include "helper_math.h"
