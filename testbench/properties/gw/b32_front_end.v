    // memories: one word
    // A warp, any of them, is watched: scheduler and place; and a register, any of them.
    localparam PLACES = `WARPS / 2;
    localparam PLACE = $clog2(PLACES);
    input pick_scheduler;
    input [$clog2(`WARPS)-2:0] pick_place;
    input [5:0] pick_register;
    reg scheduler_q;
    reg [PLACE-1:0] place_q;
    reg [5:0] register_q;
    always @(posedge clock) if (reset) begin
        scheduler_q <= pick_scheduler;
        place_q <= pick_place;
        register_q <= pick_register;
    end

    // The pins of its scheduler.
    wire [PLACES-1:0] starts = start[PLACES*scheduler_q +: PLACES];
    wire [PLACES-1:0] wakes = wake[PLACES*scheduler_q +: PLACES];
    wire [3:0] rooms = room[4*scheduler_q +: 4];
    wire [1:0] next = answer_next[2*scheduler_q +: 2];
    wire [15:0] pc = answer_pc[16*scheduler_q +: 16];
    wire answers_it = answer_valid[scheduler_q] & (answer_place[PLACE*scheduler_q +: PLACE] == place_q);
    wire [15:0] pc_on_pins = issue_pc[16*scheduler_q +: 16];
    wire [PLACES-1:0] ready_places = ready[PLACES*scheduler_q +: PLACES];
    wire issues_any = issue_valid[scheduler_q];
    wire issues_it = issues_any & (issue_place[PLACE*scheduler_q +: PLACE] == place_q);
    wire fetches_it = fetch_valid & (fetch_scheduler == scheduler_q) & (fetch_place == place_q);
    wire fills_it = fill_valid & (fill_scheduler == scheduler_q) & (fill_place == place_q);
    wire starts_it = starts[place_q];
    wire wakes_it = wakes[place_q];
    wire is_ready = ready_places[place_q];
    // Its registers that are told done.
    wire [1:0] done_of_it = {done_valid[2 + scheduler_q] & (done_place[PLACE*(2 + scheduler_q) +: PLACE] == place_q),
        done_valid[scheduler_q] & (done_place[PLACE*scheduler_q +: PLACE] == place_q)};
    function has(input [69:0] list, input [5:0] number);
        integer n;
        begin
            has = 0;
            for (n = 0; n < 10; n = n + 1) has = has | (list[7*n +: 7] == {1'b1, number});
        end
    endfunction
    wire is_done = (done_of_it[1] & has({42'd0, done_writes[28*(2 + scheduler_q) +: 28]}, register_q))
        | (done_of_it[0] & has({42'd0, done_writes[28*scheduler_q +: 28]}, register_q));

    // What counts of a record: flow, path, whether it has the watched register, and whether it writes it.
    function [4:0] gist(input [72:0] record, input [5:0] number);
        gist = {record[72:70], has(record[69:0], number), has({42'd0, record[27:0]}, number)};
    endfunction

    // From the unit's page: the warp, the two lines that were filled last, and whether the register is still to be written.
    reg alive_q;
    reg halted_q;
    reg asks_q;
    reg [15:0] pc_q;
    reg fetching_q;
    reg [14:0] line_q;
    reg [14:0] new_line_q;
    reg [14:0] old_line_q;
    reg [4:0] new_0_q;
    reg [4:0] new_1_q;
    reg [4:0] old_0_q;
    reg [4:0] old_1_q;
    reg owed_q;
    reg ready_q;
    reg [3:0] room_q;
    wire is_new = new_line_q == pc_q[15:1];
    wire [4:0] of_pc = is_new ? (pc_q[0] ? new_1_q : new_0_q) : (pc_q[0] ? old_1_q : old_0_q);
    wire flows = of_pc[4];
    wire [1:0] path_of_pc = of_pc[3:2];
    wire touches = |of_pc[1:0];
    wire writes = of_pc[0];
    wire ahead = is_ready | issues_it;
    wire [15:0] next_pc = pc_q + ahead;
    // A line is there that was filled since the start.
    reg filled_q;
    always @(posedge clock) begin
        if (reset) begin
            {alive_q, halted_q, asks_q, fetching_q, owed_q, ready_q, filled_q} <= 0;
        end else begin
            alive_q <= starts_it | (alive_q & ~(answers_it & (next == 2)));
            halted_q <= (answers_it & (next != 0) & (next != 2)) | (halted_q & ~wakes_it);
            asks_q <= (issues_it & flows) | (asks_q & ~answers_it);
            fetching_q <= fetches_it | (fetching_q & ~fills_it);
            owed_q <= (issues_it & writes) | (owed_q & ~is_done);
            ready_q <= is_ready;
            filled_q <= ~starts_it & (fills_it | filled_q);
        end
        if (starts_it | issues_it | answers_it) pc_q <= starts_it ? 0 : answers_it ? pc : pc_q + 16'd1;
        if (fetches_it) line_q <= fetch_line;
        if (fills_it) begin
            {old_line_q, old_1_q, old_0_q} <= {new_line_q, new_1_q, new_0_q};
            new_line_q <= line_q;
            new_0_q <= gist(fill_record[72:0], register_q);
            new_1_q <= gist(fill_record[145:73], register_q);
        end
        room_q <= rooms;
    end

    // assumption starts_free: A warp starts only after its place has ended and everything that it issued is done.
    wire starts_free = ~starts_it | (~alive_q & ~owed_q);
    // assumption wakes_halted: Only a halted warp is woken.
    wire wakes_halted = ~wakes_it | halted_q;
    // assumption answers_asked: An instruction with `flow` is answered once, in a later cycle than its issue, and no other one is.
    wire answers_asked = ~answers_it | asks_q;
    // assumption fills_fetched: Each fetch is filled once, in a later cycle.
    wire fills_fetched = ~fills_it | fetching_q;
    // assumption done_once: A register is told done once for each instruction that writes it, in a later cycle than the issue.
    wire done_once = ~is_done | owed_q;

    // choice keeps_watched: The memory keeps the word of the watched warp.
    wire keeps = scheduler_q ? each_scheduler[1].scheduler.memory.pick : each_scheduler[0].scheduler.memory.pick ;
    wire keeps_watched = ~(fill_valid & (fill_scheduler == scheduler_q)) | (keeps == (fill_place == place_q));

    // property only_alive: A warp issues only from its start to its end.
    wire only_alive = ~issues_it | alive_q;
    // property halted_waits: A warp that has halted does not issue before it is woken.
    wire halted_waits = ~issues_it | ~halted_q;
    // property answered_first: A warp whose last instruction had `flow` does not issue before the answer.
    wire answered_first = ~issues_it | ~asks_q;
    // property in_order: A warp issues at pc 0 first, and then at the pc of the answer to its last instruction, or at pc + 1.
    wire in_order = ~issues_it | (pc_on_pins == pc_q);
    // property line_was_filled: An instruction issues only after its line has been filled.
    wire line_was_filled = ~issues_it | (filled_q & (is_new | (old_line_q == pc_q[15:1])));
    // property no_hazard: No instruction issues while a register that it reads or writes is still to be written by an earlier one.
    wire no_hazard = ~issues_it | ~touches | ~owed_q;
    // property has_room: An instruction issues only if its path had room in the cycle before.
    wire has_room = ~issues_it | room_q[path_of_pc];
    // property ready_until_issue: A warp that waits for its path leaves only by issuing.
    wire ready_until_issue = ~ready_q | is_ready | issues_it;
    // property fetches_next: A fetch is for a living warp that has none under way, of the line of its next instruction.
    wire fetches_next = ~fetches_it | (alive_q & ~halted_q & ~asks_q & ~fetching_q & (fetch_line == next_pc[15:1]));

    // property fair_issue: A ready warp whose path has room all the time issues within as many cycles as the scheduler has warps.
    wire may_go = is_ready & rooms[path_of_pc];
    reg [PLACE:0] could_go_q;
    always @(posedge clock) could_go_q <= reset | ~may_go ? 0 : could_go_q + 1;
    wire fair_issue = issues_it | (could_go_q < PLACES);
    // property fair_fetch: A scheduler that wants a fetch lets the other one go first at most once.
    wire wants_fetch = scheduler_want_valid[scheduler_q];
    wire [1:0] grants = arbiter_granted;
    reg [1:0] others_q;
    always @(posedge clock) others_q <= reset | ~wants_fetch | grants[scheduler_q] ? 0 : others_q + grants[~scheduler_q];
    wire fair_fetch = ~wants_fetch | (others_q + (grants[~scheduler_q] & ~grants[scheduler_q]) <= 1);

    // The registers of the unit.
    wire [PLACES-1:0] running = scheduler_q ? each_scheduler[1].scheduler.warps.running : each_scheduler[0].scheduler.warps.running ;
    wire [PLACES-1:0] opens = scheduler_q ? each_scheduler[1].scheduler.warps.open : each_scheduler[0].scheduler.warps.open ;
    wire [PLACES-1:0] waits = scheduler_q ? each_scheduler[1].scheduler.warps.waits : each_scheduler[0].scheduler.warps.waits ;
    wire [2*PLACES-1:0] slots = scheduler_q ? each_scheduler[1].scheduler.warps.slot : each_scheduler[0].scheduler.warps.slot ;
    wire [16*PLACES-1:0] pcs = scheduler_q ? each_scheduler[1].scheduler.warps.pc : each_scheduler[0].scheduler.warps.pc ;
    wire [PLACES-1:0] issues = scheduler_q ? each_scheduler[1].scheduler.issue.issues : each_scheduler[0].scheduler.issue.issues ;
    wire [2*PLACES-1:0] paths = scheduler_q ? each_scheduler[1].scheduler.issue.path_q : each_scheduler[0].scheduler.issue.path_q ;
    wire [PLACES-1:0] issue_turn = scheduler_q ? each_scheduler[1].scheduler.issue.turn_later_q : each_scheduler[0].scheduler.issue.turn_later_q ;
    wire [PLACES-1:0] read_places = scheduler_q ? each_scheduler[1].scheduler.reader.read_places : each_scheduler[0].scheduler.reader.read_places ;
    wire [145:0] rdata = scheduler_q ? each_scheduler[1].scheduler.memory.rdata : each_scheduler[0].scheduler.memory.rdata ;
    wire [145:0] word = scheduler_q ? each_scheduler[1].scheduler.memory.word_q : each_scheduler[0].scheduler.memory.word_q ;
    wire [PLACE-1:0] word_place = scheduler_q ? each_scheduler[1].scheduler.memory.address_q : each_scheduler[0].scheduler.memory.address_q ;
    wire [PLACES-1:0] check_places = scheduler_q ? each_scheduler[1].scheduler.check.check_places : each_scheduler[0].scheduler.check.check_places ;
    wire check_slot = scheduler_q ? each_scheduler[1].scheduler.check.check_slot : each_scheduler[0].scheduler.check.check_slot ;
    wire check_flow = scheduler_q ? each_scheduler[1].scheduler.check.check_flow : each_scheduler[0].scheduler.check.check_flow ;
    wire [1:0] check_path = scheduler_q ? each_scheduler[1].scheduler.check.check_path : each_scheduler[0].scheduler.check.check_path ;
    wire [63:0] check_needed = scheduler_q ? each_scheduler[1].scheduler.check.check_needed_q : each_scheduler[0].scheduler.check.check_needed_q ;
    wire [63:0] check_written = scheduler_q ? each_scheduler[1].scheduler.check.check_written_q : each_scheduler[0].scheduler.check.check_written_q ;
    wire [PLACES-1:0] reserved_places = scheduler_q ? each_scheduler[1].scheduler.check.reserved_places_q : each_scheduler[0].scheduler.check.reserved_places_q ;
    wire [63:0] reserved = scheduler_q ? each_scheduler[1].scheduler.check.reserved_q : each_scheduler[0].scheduler.check.reserved_q ;
    wire [64*PLACES-1:0] pendings = scheduler_q ? each_scheduler[1].scheduler.check.pending_q : each_scheduler[0].scheduler.check.pending_q ;
    wire [PLACES-1:0] asked = scheduler_q ? each_scheduler[1].scheduler.fetch.asked_q : each_scheduler[0].scheduler.fetch.asked_q ;
    wire [PLACES-1:0] fetch_places = scheduler_q ? each_scheduler[1].scheduler.fetch.fetch_places_q : each_scheduler[0].scheduler.fetch.fetch_places_q ;

    // Those of the watched warp.
    wire is_open = opens[place_q];
    wire slot_0 = slots[place_q];
    wire slot_1 = slots[PLACES + place_q];
    wire is_asked = asked[place_q];
    wire is_read = read_places[place_q];
    wire is_checked = check_places[place_q];
    wire [63:0] pending = pendings[64*place_q +: 64];
    wire is_reserved = reserved_places[place_q] & reserved[register_q];
    wire [1:0] path = paths[2*place_q +: 2];
    wire is_empty = ~slot_0 & ~slot_1;

    // property released_by_done: A register is pending from the check of the instruction that writes it until its done, and not longer.
    wire released_by_done = (pending[register_q] | is_reserved) == (owed_q | (ahead & writes));
    // property waits_for_something: A warp that waits for registers has one that is pending.
    wire waits_for_something = ~waits[place_q] | (|pending);

    // invariant one_place: No register names two places.
    wire one_place = ((read_places & (read_places - 8'd1)) | (check_places & (check_places - 8'd1)) | (issues & (issues - 8'd1))
        | (fetch_places & (fetch_places - 8'd1)) | (reserved_places & (reserved_places - 8'd1))) == 0;
    // invariant pins: The issue pins tell what issues.
    wire pins = (~ready_q | is_ready | issues_it) & (issues_any == (|issues)) & (issues[place_q] == issues_it);
    // invariant state: Warps run, halt and are at a pc as the page says.
    wire state = (running[place_q] == alive_q) & ((halted_q | asks_q) == (is_open & ~ahead)) & ~(halted_q & asks_q) & (~alive_q | (pcs[16*place_q +: 16] == pc_q))
        & (alive_q | (~is_open & ~is_ready & ~issues[place_q] & is_empty & ~is_asked)) & ~(is_ready & issues[place_q]);
    // invariant buffer: The next instruction is the head of the buffer, if there is one.
    wire buffer = is_empty | ((new_line_q == next_pc[15:1]) & slot_1 & (slot_0 == ~next_pc[0]) & filled_q);
    // invariant behind_last: With an empty buffer only the last instruction of the last line is on its way.
    wire behind_last = ~(ahead & is_empty) | (pc_q[0] & is_new);
    // invariant used_up: The buffer is empty behind the last instruction of a line, while it is not known what follows.
    wire used_up = ~is_open | next_pc[0] | is_empty;
    // invariant lines: The instruction on its way is of one of the last two lines.
    wire lines = ~ahead | (filled_q & (is_new | ((old_line_q == pc_q[15:1]) & (new_line_q == pc_q[15:1] + 15'd1) & pc_q[0])));
    // invariant fetched: A fetch is under way of the next line, and nothing else happens to the buffer.
    wire fetched = ~(is_asked & fetch_places[place_q]) & (is_asked == (fetching_q | fetches_it)) & ~(fetching_q & fetches_it)
        & (~is_asked | (is_empty & ~is_open & alive_q & ((fetching_q ? line_q : fetch_line) == next_pc[15:1])));
    // invariant memory: The memory has the records of the line.
    wire memory = is_empty | ((word_place == place_q) & (gist(word[145:73], register_q) == new_1_q) & (~slot_0 | (gist(word[72:0], register_q) == new_0_q)));
    // invariant read: So has what is read.
    wire read = is_empty | ~is_read
        | ((gist(rdata[145:73], register_q) == new_1_q) & (~slot_0 | (gist(rdata[72:0], register_q) == new_0_q)));
    // invariant no_old_read: Nothing of an older line is read while a fetch is under way.
    wire no_old_read = ~(fetching_q & is_read) & ~(is_asked & is_read & is_checked);
    // invariant check: The check register has the head's record, if it has the head.
    wire is_head = is_checked & (check_slot ? slot_1 & ~slot_0 : slot_0);
    wire [4:0] head = check_slot ? new_1_q : new_0_q;
    wire check = ~is_head
        | ({check_flow, check_path, check_needed[register_q], check_written[register_q]} == head);
    // invariant on_its_way: What is on its way has the path, the flow and the registers of the instruction at pc.
    wire on_its_way = ~ahead | ((~is_ready | (path == path_of_pc)) & (is_open == flows) & (~issues_it | room_q[path_of_pc])
        & ~(touches & owed_q));
    // invariant scoreboard: A register is pending that an instruction on its way or not done writes.
    wire scoreboard = ((pending[register_q] | is_reserved) == (owed_q | (ahead & writes))) & ~(reserved_places[place_q] & is_checked)
        & ~(is_reserved & owed_q);
    // invariant turn: The pointers of the round robins are masks, and each cycle brings the watched warp nearer to its turn.
    integer m;
    reg [PLACE-1:0] distance;
    always @(*) begin
        distance = place_q;
        for (m = 0; m < PLACES; m = m + 1) distance = distance + issue_turn[m];
    end
    wire [PLACES-1:0] not_in_turn = ~issue_turn;
    wire turn = ((not_in_turn & (not_in_turn + 8'd1)) == 0) & not_in_turn[0] & (could_go_q == 0
        | (is_ready ? could_go_q + distance < PLACES : issues_it & (could_go_q <= PLACES)))
        & (others_q == 0 | (others_q == 1 & (arbiter.turn_later_q == (scheduler_q ? 2 : 0))));

    // reached second_line: The watched warp issues an instruction of its second line, which waited for a register.
    reg waited_q;
    always @(posedge clock) waited_q <= ~reset & ~starts_it & ((waits[place_q] & owed_q) | waited_q);
    wire second_line = issues_it & (pc_q == 2) & waited_q & touches;
    // reached woken: The watched warp issues behind a halt.
    reg woken_q;
    always @(posedge clock) woken_q <= ~reset & (wakes_it | woken_q);
    wire woken = issues_it & woken_q;
    // reached eighth: The watched warp waits for seven others to issue.
    wire eighth = issues_it & (could_go_q == PLACES);
    // reached second_to_fetch: The scheduler of the watched warp lets the other one fetch first.
    wire second_to_fetch = wants_fetch & (others_q == 1);
