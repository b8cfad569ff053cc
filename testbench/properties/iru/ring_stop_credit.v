    // Both ways at the same time, with whole memories: what planted faults are compared with.
    wire [1:0] ring_goes_on = {way_1.ring_goes, way_0.ring_goes};
    wire [1:0] credit_is_full = {way_1.credit_q == 8, way_0.credit_q == 8};
    wire [1:0] credit_is_none = {way_1.credit_q == 0, way_0.credit_q == 0};
    // property local_goes_behind_eight: No element of the ring goes on beside a local head that has let eight of them go before it.
    wire local_goes_behind_eight = ~|(ring_goes_on & local_queue_head_valid & credit_is_full);
    // invariant credit_fits: The credit of each way is at most eight.
    wire credit_fits = (way_0.credit_q <= 8) & (way_1.credit_q <= 8);
    // invariant credit_is_of_a_head: A way without a local head has no credit.
    wire credit_is_of_a_head = &(local_queue_head_valid | credit_is_none);
    // reached both_wait: In both ways a local head has let eight elements go before it.
    wire both_wait = &(local_queue_head_valid & credit_is_full);
