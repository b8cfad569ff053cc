    // The eight banks of all cores are the lanes.
    `undef LANES
    `define LANES 8
