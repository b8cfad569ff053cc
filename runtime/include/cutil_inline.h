/* The old SDK had these parts of its utilities in a header of their own. */
#include "cutil.h"
