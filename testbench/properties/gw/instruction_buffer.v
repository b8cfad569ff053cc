    // A warp, any of them, is watched: its slots, as the unit's page has them.
    input [$clog2(`WARPS)-1:0] pick;
    reg [$clog2(`WARPS)-1:0] warp_q;
    reg slot_0_q;
    reg slot_1_q;
    reg [72:0] record_0_q;
    reg [72:0] record_1_q;
    reg was_read_q;
    reg any_read_q;
    reg [72:0] read_q;
    wire written = write_valid & (write_warp == warp_q);
    wire taken = take_valid & (take_warp == warp_q);
    wire flushed = flush_valid & (flush_warp == warp_q);
    wire reads = read & (read_warp == warp_q);

    always @(posedge clock) begin
        if (reset) warp_q <= pick;
        slot_0_q <= ~reset & ~flushed & (written ? write_both : slot_0_q & ~taken);
        slot_1_q <= ~reset & ~flushed & (written | (slot_1_q & ~(taken & ~slot_0_q)));
        if (written) {record_1_q, record_0_q} <= write_record;
        any_read_q <= ~reset & read;
        was_read_q <= ~reset & reads;
        read_q <= slot_0_q ? record_0_q : record_1_q;
    end

    // assumption of_head: A line comes only for a warp without a head, and is not flushed as it comes; only a head is taken or read.
    wire of_head = ~(write_valid & (head_valid[write_warp] | (flush_valid & (flush_warp == write_warp))))
        & ~(take_valid & ~head_valid[take_warp]) & ~(read & ~head_valid[read_warp]);

    // property head_exact: A warp has a head from its line on until both records are taken or flushed.
    wire head_exact = head_valid[warp_q] == (slot_0_q | slot_1_q);
    // property reads_head: A record that is read is the head's: slot 0 of the last line of this warp before slot 1.
    wire reads_head = ~was_read_q | (record == read_q);
    // property read_on_time: A record is there in the cycle behind its read.
    wire read_on_time = record_valid == any_read_q;
    // invariant kept_0: Slot 0 stays as it was written.
    wire kept_0 = ~slot_0_q | (memory.words[warp_q][72:0] == record_0_q);
    // invariant kept_1: Slot 1 stays as it was written.
    wire kept_1 = ~slot_1_q | (memory.words[warp_q][145:73] == record_1_q);
    // invariant slots: The unit has the slots of the page.
    wire slots = head_valid[warp_q] == (slot_0_q | slot_1_q);
    // reached both_read: Slot 1 is read behind slot 0.
    wire both_read = was_read_q & reads & slot_1_q & ~slot_0_q;
