    localparam PLACE = $clog2(`NODES);
    wire [PLACE-1:0] first = control.first_q;
    wire [PLACE-1:0] last = control.last_q;
    wire [PLACE-1:0] newest = last - 1'b1;
    wire [PLACE-1:0] asked_place = read_tag[PLACE-1:0];
    wire [PLACE-1:0] came_place = row_tag[PLACE-1:0];
    wire comes = control.node_comes;
    wire takes = control.cursor_takes;
    // Places of nodes behind the cursor.
    wire [`NODES-1:0] taken;
    // Rows that memory has been asked for, by the node's place and what is asked.
    reg [`NODES-1:0] away_both_q;
    reg [`NODES-1:0] away_begin_q;
    reg [`NODES-1:0] away_end_q;
    wire [`NODES-1:0] asks_place = {{`NODES-1{1'b0}}, read_valid} << asked_place;
    wire [`NODES-1:0] came = {{`NODES-1{1'b0}}, row_valid} << came_place;
    wire [1:0] what_asked = read_tag[PLACE+1:PLACE];
    wire [1:0] what_came = row_tag[PLACE+1:PLACE];
    wire [`NODES-1:0] sends = asks_place & {`NODES{row_ready}};
    always @(posedge clock) begin
        away_both_q <= reset ? 0 : (away_both_q & ~came) | (sends & {`NODES{what_asked == 0}});
        away_begin_q <= reset ? 0 : (away_begin_q & ~(came & {`NODES{what_came == 1}})) | (sends & {`NODES{what_asked == 1}});
        away_end_q <= reset ? 0 : (away_end_q & ~(came & {`NODES{what_came == 2}})) | (sends & {`NODES{what_asked == 2}});
    end
    // assumption replies: What comes was asked for.
    wire replies = (came & ~(what_came == 0 ? away_both_q : what_came == 1 ? away_begin_q : away_end_q)) == 0
        & (~row_valid | (what_came != 3));

    // Edges on the pins, and with threads before them.
    reg [12:0] threads_q;
    reg [$clog2(`LANES):0] on_pins;
    reg [$clog2(`LANES):0] leaves;
    reg [$clog2(`LANES):0] wanted_lanes;
    wire [`LANES-1:0] gets;
    wire [`LANES-1:0] told_done;
    wire [`LANES-1:0] told_wait;
    integer n;
    always @(*) begin
        {on_pins, leaves, wanted_lanes} = 0;
        for (n = 0; n < `LANES; n = n + 1) begin
            on_pins = on_pins + gets[n];
            leaves = leaves + edge_leave[n];
            wanted_lanes = wanted_lanes + control.wanted_q[n];
        end
    end
    always @(posedge clock) threads_q <= reset ? 0 : threads_q + on_pins - leaves;
    // assumption held: Threads are done with no more edges than they have.
    wire held = leaves <= threads_q + on_pins;
    // assumption few: All threads have 4,096 edges at most.
    wire few = (threads_q + on_pins + `LANES <= 4096) | (edge_pull == 0);
    // assumption in_turns: Lanes ask when all that asked before have their answers.
    wire in_turns = (edge_pull == 0) | (control.wanted_q == 0);

    // One of the nodes that come, any of them, is watched: its place, then the cursor, then the lanes.
    input watch;
    reg watching_q;
    reg behind_q;
    reg at_cursor_q;
    reg was_at_cursor_q;
    reg left_cursor_q;
    reg [PLACE-1:0] place_q;
    reg [23:0] id_q;
    reg has_begin_q;
    reg has_end_q;
    reg [31:0] end_q;
    // The next edge of the watched node that comes to the pins; before its row has come, that is unknown.
    reg [31:0] expected_q;
    wire begins_watch = comes & watch & ~watching_q;
    wire [`NODES-1:0] here = {{`NODES-1{1'b0}}, behind_q} << place_q;
    wire gets_begin = |(came & here) & (what_came != 2);
    wire gets_end = |(came & here) & (what_came != 1);
    wire goes_to_cursor = behind_q & takes & (first == place_q);
    wire leaves_cursor = at_cursor_q & control.cursor_ends;
    reg [`LANES-1:0] pull_q;
    always @(posedge clock) begin
        watching_q <= ~reset & (watching_q | begins_watch) & ~left_cursor_q;
        behind_q <= ~reset & (begins_watch | (behind_q & ~goes_to_cursor));
        at_cursor_q <= ~reset & (goes_to_cursor | (at_cursor_q & ~leaves_cursor));
        was_at_cursor_q <= ~reset & at_cursor_q;
        left_cursor_q <= ~reset & leaves_cursor;
        if (begins_watch) {place_q, id_q} <= {last, control.node_id};
        has_begin_q <= ~reset & ~begins_watch & (has_begin_q | gets_begin);
        has_end_q <= ~reset & ~begins_watch & (has_end_q | gets_end);
        if (gets_end) end_q <= what_came == 2 ? row_first : row_second;
        if (gets_begin) expected_q <= row_first;
        else if (was_at_cursor_q) expected_q <= expected_q + on_pins;
        pull_q <= control.wanted_q;
    end
    wire [`LANES-1:0] wrong_edge;
    wire [`LANES-1:0] out_of_turn;
    generate
        genvar g;
        for (g = 0; g < `LANES; g = g + 1) begin : each_lane
            assign gets[g] = edge_status[2*g +: 2] == 1;
            assign told_wait[g] = edge_status[2*g +: 2] == 2;
            assign told_done[g] = edge_status[2*g +: 2] == 3;
            reg [$clog2(`LANES):0] rank;
            integer below;
            always @(*) begin
                rank = 0;
                for (below = 0; below < g; below = below + 1) rank = rank + pull_q[below];
            end
            assign wrong_edge[g] = gets[g] & (edge_index[32*g +: 32] != expected_q + rank);
            assign out_of_turn[g] = pull_q[g] ? gets[g] != (rank < on_pins) : edge_status[2*g +: 2] != 0;
        end
        for (g = 0; g < `NODES; g = g + 1) begin : each_place
            wire [PLACE-1:0] behind_first = g - first;
            assign taken[g] = behind_first < control.nodes_q;
        end
    endgenerate

    // property edges: The lanes that get edges of the watched node get its next ones, in order of the lanes, and the node.
    wire edges = ~was_at_cursor_q | ((wrong_edge == 0) & ((gets == 0) | (owner == id_q)));
    // property in_turn: Edges go to the lowest lanes that asked, and no lane is answered that did not ask.
    wire in_turn = out_of_turn == 0;
    // property nothing_lost: The watched node leaves the cursor when its last edge has been handed out.
    wire nothing_lost = ~left_cursor_q | (expected_q + on_pins == end_q);
    // property rows_asked: What is asked for the watched node is where its edges begin, and the word behind it.
    reg [31:0] rows_q;
    always @(posedge clock) if (set_rows) rows_q <= rows_line;
    wire is_end = what_asked == 2;
    wire rows_asked = ((asks_place & here) == 0) | (({read_line, read_word} == {rows_q, 5'd0} + id_q + is_end)
        & (read_both == (what_asked == 0)) & ((read_word != 31) | ~read_both));
    // assumption rows_stay: The array of rows changes only while nothing is here.
    wire rows_stay = ~set_rows | ~holds;
    // assumption rows_known: No lane asks before the array of rows is set.
    reg known_q;
    always @(posedge clock) known_q <= ~reset & (known_q | set_rows);
    wire rows_known = (edge_pull == 0) | known_q;

    // property one_bank: One bank at most is asked.
    wire one_bank = (bank_pull & (bank_pull - 1'b1)) == 0;
    // The last answer of a bank while lanes asked without a break, before the last cycle too, and whether the lanes were patient.
    reg done_before_q;
    reg told_q;
    reg patient_q;
    wire told_now = (control.wanted_q != 0) & (control.expects_q ? control.answer_low & control.answer_high : told_q);
    always @(posedge clock) begin
        done_before_q <= told_q;
        told_q <= ~reset & told_now;
        patient_q <= control.patient_q;
    end
    // property done_exact: DONE is told when no node and no edge is here, and the last bank that was asked told it.
    reg nothing_here_q;
    always @(posedge clock) nothing_here_q <= (control.nodes_q == 0)
        & (~control.cursor_valid_q | (control.edge_next_q == control.edge_end_q));
    wire done_exact = (told_done == 0) | (done_before_q & nothing_here_q);
    // property patience: WAIT is told to lanes that are not patient.
    wire patience = (told_wait == 0) | ~patient_q;

    // IDs that were pulled and not given back.
    reg [3:0] debt_q;
    wire gives_back = bank_leave & bank_ready;
    always @(posedge clock) debt_q <= reset ? 0 : debt_q + comes - gives_back;
    wire edges_here = (control.nodes_q != 0) | (control.cursor_valid_q & (control.edge_next_q != control.edge_end_q))
        | (threads_q + on_pins != 0);
    // property last_back: The last ID is given back when no node and no edge is here, nor with threads; before, one is kept.
    wire last_back = (~gives_back | (debt_q > 1) | ((debt_q == 1) & ~edges_here)) & (~edges_here | (debt_q != 0));
    // property holds_exact: While a node or an edge is here or with threads, `holds` is high.
    wire holds_exact = ~edges_here | holds;

    // invariant counted: The nodes behind the cursor lie between the two places, and what is asked finds room.
    wire counted = (control.nodes_q <= `NODES) & (control.nodes_q[PLACE-1:0] == last - first)
        & (~(control.asks_q | control.expects_q) | (control.nodes_q < `NODES));
    // invariant one_at_a_time: A bank is asked when the newest row is asked for, and once.
    wire one_at_a_time = ~(control.asks_q & control.expects_q)
        & (~(control.asks_q | control.expects_q) | ~(control.row_waits_q | control.end_waits_q));
    // invariant newest_waits: What waits to be asked is of the newest node.
    wire waits = control.row_waits_q | control.end_waits_q;
    wire newest_waits = (~waits | ((control.newest_place_q == newest) & (control.nodes_q != 0)))
        & ~(control.row_waits_q & control.end_waits_q);
    // invariant begin_once: The beginning of each node is unasked, on the pins, on its way, or here: one of these.
    wire [`NODES-1:0] new_place = {{`NODES-1{1'b0}}, 1'b1} << newest;
    wire [`NODES-1:0] begin_unasked = new_place & {`NODES{control.row_waits_q}};
    wire [`NODES-1:0] begin_pins = asks_place & {`NODES{what_asked != 2}};
    wire [`NODES-1:0] begin_away = away_both_q | away_begin_q;
    wire begin_once = ((begin_unasked | begin_pins | begin_away | control.has_begin_q) == taken)
        & ((begin_unasked & begin_pins) == 0) & (((begin_unasked | begin_pins) & begin_away) == 0)
        & (((begin_unasked | begin_pins | begin_away) & control.has_begin_q) == 0) & ((away_both_q & away_begin_q) == 0);
    // invariant end_once: So is its end.
    wire [`NODES-1:0] end_unasked = new_place & {`NODES{waits}};
    wire [`NODES-1:0] end_pins = asks_place & {`NODES{what_asked != 1}};
    wire [`NODES-1:0] end_away = away_both_q | away_end_q;
    wire end_once = ((end_unasked | end_pins | end_away | control.has_end_q) == taken)
        & ((end_unasked & end_pins) == 0) & (((end_unasked | end_pins) & end_away) == 0)
        & (((end_unasked | end_pins | end_away) & control.has_end_q) == 0) & ((away_both_q & away_end_q) == 0);
    // invariant tags: A request says what it is for.
    wire tags = ~read_valid | (what_asked != 3);
    // invariant shown: The memories show the first node if it is complete.
    wire shown = ~control.first_shown_q | (control.has_begin_q[first] & control.has_end_q[first]
        & (ids.rdata == ids.words[first]) & (begins.rdata == begins.words[first]) & (ends.rdata == ends.words[first]));
    // invariant edges_counted: The edges of threads are counted.
    wire edges_counted = (control.dealt_before_q == on_pins)
        & (control.edges_out_q + control.dealt_before_q - control.left_before_q == threads_q + on_pins)
        & (threads_q + on_pins + wanted_lanes <= 4096) & (control.left_before_q <= control.edges_out_q);
    // invariant debts: One ID is owed while a node or an edge is here; of two, one is given back.
    wire debts = (debt_q == control.owed_q) & (control.owed_q <= 2) & ((control.owed_q != 2) | bank_leave)
        & (~bank_leave | (control.owed_q == 2) | ((control.owed_q == 1) & ~edges_here))
        & (~edges_here | (control.owed_q != 0)) & (~(control.expects_q & bank_leave) | (control.owed_q == 1));
    // invariant watched: The watched node is in its place, or at the cursor.
    wire watched = (watching_q == (behind_q | at_cursor_q | left_cursor_q)) & ~(behind_q & (at_cursor_q | left_cursor_q)) & ~(at_cursor_q & left_cursor_q)
        & (~behind_q | (taken[place_q] & (ids.words[place_q] == id_q) & (has_begin_q == control.has_begin_q[place_q])
            & (has_end_q == control.has_end_q[place_q]) & (~has_begin_q | (begins.words[place_q] == expected_q))
            & (~has_end_q | (ends.words[place_q] == end_q))))
        & (~(was_at_cursor_q & ~at_cursor_q) | left_cursor_q) & (~left_cursor_q | was_at_cursor_q) & (~behind_q | ~was_at_cursor_q)
        & (~at_cursor_q | (control.cursor_valid_q & (control.owner_of_next_q == id_q) & (control.edge_end_q == end_q)
            & (control.edge_next_q == expected_q + (was_at_cursor_q ? on_pins : 0))));
    // invariant pins: The pins show the edges of the cycle before.
    wire pins = ~was_at_cursor_q | (owner == id_q);
    // invariant newest_id: The newest node that has not been asked for is kept.
    wire newest_id = ~(behind_q & waits & (place_q == newest)) | (control.newest_id_q == id_q);
    // invariant request: What is asked for the watched node is right.
    wire request = rows_asked & (known_q ? control.rows_line_q == rows_q : ~(control.asks_q | control.expects_q | holds | (control.wanted_q != 0)));
    // invariant split: Of a row in two lines the beginning is asked for first.
    wire split = ~(behind_q & (place_q == newest) & control.end_waits_q) | (id_q[4:0] == 31);

    // reached all_handed_out: The last edge of a node of seven edges is handed out while another node follows.
    reg [31:0] edges_of_watched_q;
    always @(posedge clock) edges_of_watched_q <= goes_to_cursor ? 0 : edges_of_watched_q + (was_at_cursor_q ? on_pins : 0);
    wire all_handed_out = left_cursor_q & (edges_of_watched_q + on_pins == 7) & control.cursor_valid_q;
    // reached split_row: The beginning of the watched node comes behind its end.
    wire split_row = gets_begin & has_end_q;
    // reached full: All places are taken.
    wire full = control.nodes_q == `NODES;
    // reached given_back: The last ID is given back.
    wire given_back = gives_back & (debt_q == 1);
    // reached over: A lane is told DONE, and another node comes.
    wire over = (told_done != 0) & comes;
