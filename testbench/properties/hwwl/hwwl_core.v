    // Pins of the cycle before.
    reg waited_q;
    reg [34:0] request_q;
    always @(posedge clock) begin
        waited_q <= ~reset & mem_valid & ~mem_ready;
        request_q <= {mem_write, mem_line, mem_tag};
    end

    // property stays_on_pins: A request stays on its pins until memory takes it, with its line and its tag.
    wire stays_on_pins = ~waited_q | (mem_valid & (request_q == {mem_write, mem_line, mem_tag}));

    // assumption owed: Memory brings a line that was asked for, once, while the line register is empty.
    wire owed = ~line_valid | (line_ready & (away_q >> line_tag & 1));

    // reached handed: A pull gets an ID.
    wire handed = |bank_pull_valid;
