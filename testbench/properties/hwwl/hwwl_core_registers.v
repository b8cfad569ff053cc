    // Registers of the unit that deals lines out.
    wire [3:0] in_flight = hvu.load_in_flight_q;
    wire tagged = hvu.line_tagged_q;
    wire [1:0] tag_dealt = hvu.line_tag_q;
    wire [31:0] taken = hvu.slot_taken_q;
    wire [31:0] has_id = hvu.slot_has_id_q;
    wire [`LANES-1:0] offered = hvu.fill_asked_q;
