    // invariant group_has: The first cycle of a look knows what the bank has that it found in its group of four.
    wire group_has = ~extremes.looked_q | (extremes.most_of_group_lane_q[2*bank_q[2] +: 2] != bank_q[1:0])
        | (extremes.most_of_group_has_q[COUNT*bank_q[2] +: COUNT] == had_1);
