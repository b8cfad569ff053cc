/* Reductions are in the header of all groups. */
#include "../cooperative_groups.h"
