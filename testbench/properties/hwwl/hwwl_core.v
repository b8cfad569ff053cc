    // Tags: of loads that memory has, of the line that is dealt out.
    reg [3:0] away_q;
    reg [3:0] dealt_q;
    wire loads = mem_valid & mem_ready & ~mem_write;
    // Pins of the cycle before.
    reg waited_q;
    reg [34:0] request_q;
    always @(posedge clock) begin
        away_q <= reset ? 0 : (away_q | ({3'd0, loads} << mem_tag)) & ~({3'd0, line_valid} << line_tag);
        dealt_q <= reset ? 0 : line_valid ? 4'd1 << line_tag : dealt_q & {4{~line_ready}};
        waited_q <= ~reset & mem_valid & ~mem_ready;
        request_q <= {mem_write, mem_line, mem_tag};
    end

    // property own_tag: A load has a tag that no other load on its way has, and no line that is dealt out.
    wire own_tag = ~(mem_valid & ~mem_write) | (((away_q | (dealt_q & {4{~line_ready}})) >> mem_tag & 1) == 0);
    // property stays_on_pins: A request stays on its pins until memory takes it, with its line and its tag.
    wire stays_on_pins = ~waited_q | (mem_valid & (request_q == {mem_write, mem_line, mem_tag}));

    // assumption owed: Memory brings a line that was asked for, once, while the line register is empty.
    wire owed = ~line_valid | (line_ready & (away_q >> line_tag & 1));

    // invariant tags: Tags are those of loads on the pins, on their way, or dealt out.
    wire [3:0] on_pins = {3'd0, mem_valid & ~mem_write} << mem_tag;
    wire tags = (hvu.load_in_flight_q == (away_q | on_pins)) & ((away_q & on_pins) == 0) & ((dealt_q & hvu.load_in_flight_q) == 0 | line_ready)
        & (line_ready | (dealt_q == (hvu.line_tagged_q ? 4'd1 << hvu.line_tag_q : 0)));
    // invariant slots: The words of a bank are without a gap in the line register, those with an ID first.
    wire [31:0] behind_slot = hvu.slot_taken_q >> `LANES;
    wire [31:0] behind_has_id = hvu.slot_has_id_q >> `LANES;
    wire slots = ((behind_slot & ~hvu.slot_taken_q) == 0) & ((behind_has_id & ~hvu.slot_has_id_q) == 0)
        & ((hvu.fill_asked_q & ~(hvu.slot_taken_q[`LANES-1:0] & hvu.slot_has_id_q[`LANES-1:0])) == 0);
    // invariant in_step: All banks that are offered a word are asked in the same cycle.
    wire in_step = (hvu.fill_asked_q == 0) | (hvu.fill_asked_q == (hvu.slot_taken_q[`LANES-1:0] & hvu.slot_has_id_q[`LANES-1:0]));

    // reached handed: A pull gets an ID.
    wire handed = |bank_pull_valid;
