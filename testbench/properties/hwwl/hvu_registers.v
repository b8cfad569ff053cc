    // Registers of the unit that deals lines out.
    wire [3:0] in_flight = load_in_flight_q;
    wire tagged = line_tagged_q;
    wire [1:0] tag_dealt = line_tag_q;
    wire [31:0] taken = slot_taken_q;
    wire [31:0] has_id = slot_has_id_q;
    wire [`LANES-1:0] offered = fill_asked_q;
