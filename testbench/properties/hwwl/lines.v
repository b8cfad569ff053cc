    wire loads = mem_valid & mem_ready & ~mem_write;
    // Tags: of loads that memory has, of the line that is dealt out.
    reg [3:0] away_q;
    reg [3:0] dealt_q;
    always @(posedge clock) begin
        away_q <= reset ? 0 : (away_q | ({3'd0, loads} << mem_tag)) & ~({3'd0, line_valid} << line_tag);
        dealt_q <= reset ? 0 : line_valid ? 4'd1 << line_tag : dealt_q & {4{~line_ready}};
    end

    // property own_tag: A load has a tag that no other load on its way has, and no line that is dealt out.
    wire own_tag = ~(mem_valid & ~mem_write) | (((away_q | (dealt_q & {4{~line_ready}})) >> mem_tag & 1) == 0);

    // invariant tags: Tags are those of loads on the pins, on their way, or dealt out.
    wire [3:0] on_pins = {3'd0, mem_valid & ~mem_write} << mem_tag;
    wire tags = (in_flight == (away_q | on_pins)) & ((away_q & on_pins) == 0) & ((dealt_q & in_flight) == 0 | line_ready)
        & (line_ready | (dealt_q == (tagged ? 4'd1 << tag_dealt : 0)));
    // invariant slots: The words of a bank are without a gap in the line register, those with an ID first.
    wire [31:0] behind_slot = taken >> `LANES;
    wire [31:0] behind_has_id = has_id >> `LANES;
    wire slots = ((behind_slot & ~taken) == 0) & ((behind_has_id & ~has_id) == 0)
        & ((offered & ~(taken[`LANES-1:0] & has_id[`LANES-1:0])) == 0);
    // invariant in_step: All banks that are offered a word are asked in the same cycle.
    wire in_step = (offered == 0) | (offered == (taken[`LANES-1:0] & has_id[`LANES-1:0]));
