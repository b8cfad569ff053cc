    // invariant group_has: The first cycle of a look knows what the bank has that it found.
    wire group_has = ~extremes.looked_q | (extremes.most_of_group_0_lane_q != bank_q) | (extremes.most_of_group_0_has_q == had_1);
