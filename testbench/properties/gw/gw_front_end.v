    // memories: one word
    // A warp, any of them, is watched: scheduler and place; one of its slots; and a register.
    localparam PLACES = `WARPS / 2;
    localparam PAIRS = PLACES / 2;
    input pick_scheduler;
    input [2:0] pick_place;
    input [2:0] pick_slot;
    input [5:0] pick_register;
    reg scheduler_q;
    reg [2:0] place_q;
    reg [2:0] slot_q;
    reg [5:0] register_q;
    always @(posedge clock) if (reset) begin
        scheduler_q <= pick_scheduler;
        place_q <= pick_place;
        slot_q <= pick_slot;
        register_q <= pick_register;
    end

    // The registers of its scheduler.
    wire [PLACES-1:0] looks_for = scheduler_q ? each_scheduler[1].scheduler.states.look : each_scheduler[0].scheduler.states.look ;
    wire [PLACES-1:0] fills = scheduler_q ? each_scheduler[1].scheduler.states.fill : each_scheduler[0].scheduler.states.fill ;
    wire [PLACES-1:0] holds = scheduler_q ? each_scheduler[1].scheduler.states.held : each_scheduler[0].scheduler.states.held ;
    wire [3*PLACES-1:0] entries = scheduler_q ? each_scheduler[1].scheduler.states.entry : each_scheduler[0].scheduler.states.entry ;
    wire [16*PLACES-1:0] pcs = scheduler_q ? each_scheduler[1].scheduler.pcs.front_pc : each_scheduler[0].scheduler.pcs.front_pc ;
    wire [3*PLACES-1:0] first_entries = scheduler_q ? each_scheduler[1].scheduler.pcs.front_entry : each_scheduler[0].scheduler.pcs.front_entry ;
    wire [PLACES-1:0] ahead_1 = scheduler_q ? each_scheduler[1].scheduler.pcs.ahead_1_q : each_scheduler[0].scheduler.pcs.ahead_1_q ;
    wire [PLACES-1:0] ahead_2 = scheduler_q ? each_scheduler[1].scheduler.pcs.ahead_2 : each_scheduler[0].scheduler.pcs.ahead_2 ;
    wire [PLACES-1:0] chosen = scheduler_q ? each_scheduler[1].scheduler.chooser.chosen_q : each_scheduler[0].scheduler.chooser.chosen_q ;
    wire [PAIRS-1:0] read_pairs = scheduler_q ? each_scheduler[1].scheduler.chooser.read_pairs : each_scheduler[0].scheduler.chooser.read_pairs ;
    wire read_even = scheduler_q ? each_scheduler[1].scheduler.chooser.read_even : each_scheduler[0].scheduler.chooser.read_even ;
    wire read_odd = scheduler_q ? each_scheduler[1].scheduler.chooser.read_odd : each_scheduler[0].scheduler.chooser.read_odd ;
    wire [3-1:0] read_entry = scheduler_q ? each_scheduler[1].scheduler.chooser.read_entry : each_scheduler[0].scheduler.chooser.read_entry ;
    wire had_room = scheduler_q ? each_scheduler[1].scheduler.chooser.had_room_at_answer_q : each_scheduler[0].scheduler.chooser.had_room_at_answer_q ;
    wire [PLACES-1:0] landing = scheduler_q ? each_scheduler[1].scheduler.decoder.landing : each_scheduler[0].scheduler.decoder.landing ;
    wire [PAIRS-1:0] land_pairs = scheduler_q ? each_scheduler[1].scheduler.decoder.land_pairs : each_scheduler[0].scheduler.decoder.land_pairs ;
    wire land_even = scheduler_q ? each_scheduler[1].scheduler.decoder.land_even : each_scheduler[0].scheduler.decoder.land_even ;
    wire land_odd = scheduler_q ? each_scheduler[1].scheduler.decoder.land_odd : each_scheduler[0].scheduler.decoder.land_odd ;
    wire even_goes_on = scheduler_q ? each_scheduler[1].scheduler.decoder.even_goes_on_q : each_scheduler[0].scheduler.decoder.even_goes_on_q ;
    wire odd_goes_on = scheduler_q ? each_scheduler[1].scheduler.decoder.odd_goes_on_q : each_scheduler[0].scheduler.decoder.odd_goes_on_q ;
    wire land_turns = scheduler_q ? each_scheduler[1].scheduler.decoder.land_turns : each_scheduler[0].scheduler.decoder.land_turns ;
    wire land_takes = scheduler_q ? each_scheduler[1].scheduler.decoder.land_takes : each_scheduler[0].scheduler.decoder.land_takes ;
    wire even_stays = scheduler_q ? each_scheduler[1].scheduler.decoder.even_stays_q : each_scheduler[0].scheduler.decoder.even_stays_q ;
    wire odd_stays = scheduler_q ? each_scheduler[1].scheduler.decoder.odd_stays_q : each_scheduler[0].scheduler.decoder.odd_stays_q ;
    wire check_even_full = scheduler_q ? each_scheduler[1].scheduler.decoder.even_full : each_scheduler[0].scheduler.decoder.even_full ;
    wire check_odd_full = scheduler_q ? each_scheduler[1].scheduler.decoder.odd_full : each_scheduler[0].scheduler.decoder.odd_full ;
    wire land_scalar = scheduler_q ? each_scheduler[1].scheduler.decoder.land_scalar : each_scheduler[0].scheduler.decoder.land_scalar ;
    wire [PLACES-1:0] answered = scheduler_q ? each_scheduler[1].scheduler.looks.answered : each_scheduler[0].scheduler.looks.answered ;
    wire [PAIRS-1:0] answered_pairs = scheduler_q ? each_scheduler[1].scheduler.looks.answered_pairs : each_scheduler[0].scheduler.looks.answered_pairs ;
    wire answered_even = scheduler_q ? each_scheduler[1].scheduler.looks.answered_even : each_scheduler[0].scheduler.looks.answered_even ;
    wire answered_odd = scheduler_q ? each_scheduler[1].scheduler.looks.answered_odd : each_scheduler[0].scheduler.looks.answered_odd ;
    wire at_answer = scheduler_q ? each_scheduler[1].scheduler.looks.at_answer : each_scheduler[0].scheduler.looks.at_answer ;
    wire [PAIRS-1:0] look_pairs = scheduler_q ? each_scheduler[1].scheduler.looks.look_pairs_q : each_scheduler[0].scheduler.looks.look_pairs_q ;
    wire look_even = scheduler_q ? each_scheduler[1].scheduler.looks.look_even_q : each_scheduler[0].scheduler.looks.look_even_q ;
    wire look_odd = scheduler_q ? each_scheduler[1].scheduler.looks.look_odd_q : each_scheduler[0].scheduler.looks.look_odd_q ;
    wire [PAIRS-1:0] look_turn = scheduler_q ? each_scheduler[1].scheduler.looks.turn_q : each_scheduler[0].scheduler.looks.turn_q ;
    wire [PLACES-1:0] halves = scheduler_q ? each_scheduler[1].scheduler.picker.halves : each_scheduler[0].scheduler.picker.halves ;
    wire [PAIRS-1:0] issue_pairs = scheduler_q ? each_scheduler[1].scheduler.picker.issue_pairs : each_scheduler[0].scheduler.picker.issue_pairs ;
    wire [2-1:0] used_ways = scheduler_q ? each_scheduler[1].scheduler.references.used_ways : each_scheduler[0].scheduler.references.used_ways ;
    wire [8*PLACES-1:0] busy = scheduler_q ? each_scheduler[1].scheduler.slots.busy_q : each_scheduler[0].scheduler.slots.busy_q ;
    wire [PLACES-1:0] has_first = scheduler_q ? each_scheduler[1].scheduler.windows.has_first_q : each_scheduler[0].scheduler.windows.has_first_q ;
    wire [PLACES-1:0] has_second = scheduler_q ? each_scheduler[1].scheduler.windows.has_second_q : each_scheduler[0].scheduler.windows.has_second_q ;
    wire [PLACES-1:0] first_ready = scheduler_q ? each_scheduler[1].scheduler.windows.first_ready : each_scheduler[0].scheduler.windows.first_ready ;
    wire [PLACES-1:0] second_ready = scheduler_q ? each_scheduler[1].scheduler.windows.second_ready : each_scheduler[0].scheduler.windows.second_ready ;
    wire [8*PLACES-1:0] first_waits = scheduler_q ? each_scheduler[1].scheduler.windows.first_waits_q : each_scheduler[0].scheduler.windows.first_waits_q ;
    wire [8*PLACES-1:0] second_waits = scheduler_q ? each_scheduler[1].scheduler.windows.second_waits_q : each_scheduler[0].scheduler.windows.second_waits_q ;
    wire [7*PLACES-1:0] first_fields = scheduler_q ? each_scheduler[1].scheduler.windows.first_fields_q : each_scheduler[0].scheduler.windows.first_fields_q ;
    wire [7*PLACES-1:0] second_fields = scheduler_q ? each_scheduler[1].scheduler.windows.second_fields_q : each_scheduler[0].scheduler.windows.second_fields_q ;
    wire [2-1:0] used = scheduler_q ? each_scheduler[1].scheduler.waves.used_q : each_scheduler[0].scheduler.waves.used_q ;
    wire [2-1:0] opens = scheduler_q ? each_scheduler[1].scheduler.waves.open_q : each_scheduler[0].scheduler.waves.open_q ;
    wire [32-1:0] wave_pcs = scheduler_q ? each_scheduler[1].scheduler.waves.pc_q : each_scheduler[0].scheduler.waves.pc_q ;
    wire [2-1:0] carries = scheduler_q ? each_scheduler[1].scheduler.waves.carry_q : each_scheduler[0].scheduler.waves.carry_q ;
    wire [2-1:0] groups = scheduler_q ? each_scheduler[1].scheduler.waves.group_q : each_scheduler[0].scheduler.waves.group_q ;
    wire [8-1:0] masks = scheduler_q ? each_scheduler[1].scheduler.waves.mask_q : each_scheduler[0].scheduler.waves.mask_q ;
    wire [4-1:0] older = scheduler_q ? each_scheduler[1].scheduler.waves.older_q : each_scheduler[0].scheduler.waves.older_q ;
    wire [2-1:0] offered = scheduler_q ? each_scheduler[1].scheduler.waves.offered_q : each_scheduler[0].scheduler.waves.offered_q ;
    wire [PLACES-1:0] wave_members = scheduler_q ? each_scheduler[1].scheduler.waves.wave_members : each_scheduler[0].scheduler.waves.wave_members ;
    wire wave_carry = scheduler_q ? each_scheduler[1].scheduler.waves.wave_carry : each_scheduler[0].scheduler.waves.wave_carry ;
    wire [PLACES-1:0] joined = scheduler_q ? each_scheduler[1].scheduler.waves.joined : each_scheduler[0].scheduler.waves.joined ;
    wire [28-1:0] land_list = scheduler_q ? each_scheduler[1].scheduler.decoder.land_list : each_scheduler[0].scheduler.decoder.land_list ;
    wire [2-1:0] land_pair = scheduler_q ? each_scheduler[1].scheduler.decoder.land_pair : each_scheduler[0].scheduler.decoder.land_pair ;
    wire [2-1:0] read_pair = scheduler_q ? each_scheduler[1].scheduler.chooser.read_pair : each_scheduler[0].scheduler.chooser.read_pair ;
    wire [64-1:0] land_needs = scheduler_q ? each_scheduler[1].scheduler.decoder.land_needs : each_scheduler[0].scheduler.decoder.land_needs ;
    wire [64-1:0] land_writes = scheduler_q ? each_scheduler[1].scheduler.decoder.land_writes : each_scheduler[0].scheduler.decoder.land_writes ;
    wire [8-1:0] takes = scheduler_q ? each_scheduler[1].scheduler.slots_takes : each_scheduler[0].scheduler.slots_takes ;
    wire [224-1:0] compared_lists = scheduler_q ? each_scheduler[1].scheduler.lists.slot_list_q : each_scheduler[0].scheduler.lists.slot_list_q ;
    wire [2-1:0] fit = scheduler_q ? each_scheduler[1].scheduler.waves.fit_q : each_scheduler[0].scheduler.waves.fit_q ;
    wire join_valid = scheduler_q ? each_scheduler[1].scheduler.waves.join_valid_q : each_scheduler[0].scheduler.waves.join_valid_q ;
    wire [4-1:0] join_lanes = scheduler_q ? each_scheduler[1].scheduler.waves.join_lanes_q : each_scheduler[0].scheduler.waves.join_lanes_q ;
    wire join_group = scheduler_q ? each_scheduler[1].scheduler.waves.join_group_q : each_scheduler[0].scheduler.waves.join_group_q ;
    wire [16-1:0] join_pc = scheduler_q ? each_scheduler[1].scheduler.waves.join_pc_q : each_scheduler[0].scheduler.waves.join_pc_q ;
    wire join_carry = scheduler_q ? each_scheduler[1].scheduler.waves.join_carry_q : each_scheduler[0].scheduler.waves.join_carry_q ;
    wire clears = scheduler_q ? each_scheduler[1].scheduler.waves.clears_q : each_scheduler[0].scheduler.waves.clears_q ;
    wire clear_group = scheduler_q ? each_scheduler[1].scheduler.waves.clear_group_q : each_scheduler[0].scheduler.waves.clear_group_q ;
    wire [4-1:0] clear_mask = scheduler_q ? each_scheduler[1].scheduler.waves.clear_mask_q : each_scheduler[0].scheduler.waves.clear_mask_q ;
    wire [32-1:0] lanes_read = scheduler_q ? each_scheduler[1].scheduler.wave_memory.rdata : each_scheduler[0].scheduler.wave_memory.rdata ;
    wire [32-1:0] lanes_any = scheduler_q ? each_scheduler[1].scheduler.wave_memory.any : each_scheduler[0].scheduler.wave_memory.any ;
    wire lanes_kept = scheduler_q ? each_scheduler[1].scheduler.wave_memory.address_q : each_scheduler[0].scheduler.wave_memory.address_q ;
    wire [32-1:0] lanes_word = scheduler_q ? each_scheduler[1].scheduler.wave_memory.word_q : each_scheduler[0].scheduler.wave_memory.word_q ;
    wire [32-1:0] lanes_issued = scheduler_q ? each_scheduler[1].scheduler.issued_lanes : each_scheduler[0].scheduler.issued_lanes ;
    wire [223:0] list_words = scheduler_q ? {each_scheduler[1].scheduler.each_list_memory[7].list_memory.word_q , each_scheduler[1].scheduler.each_list_memory[6].list_memory.word_q , each_scheduler[1].scheduler.each_list_memory[5].list_memory.word_q , each_scheduler[1].scheduler.each_list_memory[4].list_memory.word_q , each_scheduler[1].scheduler.each_list_memory[3].list_memory.word_q , each_scheduler[1].scheduler.each_list_memory[2].list_memory.word_q , each_scheduler[1].scheduler.each_list_memory[1].list_memory.word_q , each_scheduler[1].scheduler.each_list_memory[0].list_memory.word_q }
        : {each_scheduler[0].scheduler.each_list_memory[7].list_memory.word_q , each_scheduler[0].scheduler.each_list_memory[6].list_memory.word_q , each_scheduler[0].scheduler.each_list_memory[5].list_memory.word_q , each_scheduler[0].scheduler.each_list_memory[4].list_memory.word_q , each_scheduler[0].scheduler.each_list_memory[3].list_memory.word_q , each_scheduler[0].scheduler.each_list_memory[2].list_memory.word_q , each_scheduler[0].scheduler.each_list_memory[1].list_memory.word_q , each_scheduler[0].scheduler.each_list_memory[0].list_memory.word_q };
    wire [15:0] list_pairs = scheduler_q ? {each_scheduler[1].scheduler.each_list_memory[7].list_memory.address_q , each_scheduler[1].scheduler.each_list_memory[6].list_memory.address_q , each_scheduler[1].scheduler.each_list_memory[5].list_memory.address_q , each_scheduler[1].scheduler.each_list_memory[4].list_memory.address_q , each_scheduler[1].scheduler.each_list_memory[3].list_memory.address_q , each_scheduler[1].scheduler.each_list_memory[2].list_memory.address_q , each_scheduler[1].scheduler.each_list_memory[1].list_memory.address_q , each_scheduler[1].scheduler.each_list_memory[0].list_memory.address_q }
        : {each_scheduler[0].scheduler.each_list_memory[7].list_memory.address_q , each_scheduler[0].scheduler.each_list_memory[6].list_memory.address_q , each_scheduler[0].scheduler.each_list_memory[5].list_memory.address_q , each_scheduler[0].scheduler.each_list_memory[4].list_memory.address_q , each_scheduler[0].scheduler.each_list_memory[3].list_memory.address_q , each_scheduler[0].scheduler.each_list_memory[2].list_memory.address_q , each_scheduler[0].scheduler.each_list_memory[1].list_memory.address_q , each_scheduler[0].scheduler.each_list_memory[0].list_memory.address_q };
    wire [223:0] lists_read = scheduler_q ? {each_scheduler[1].scheduler.each_list_memory[7].list_memory.rdata , each_scheduler[1].scheduler.each_list_memory[6].list_memory.rdata , each_scheduler[1].scheduler.each_list_memory[5].list_memory.rdata , each_scheduler[1].scheduler.each_list_memory[4].list_memory.rdata , each_scheduler[1].scheduler.each_list_memory[3].list_memory.rdata , each_scheduler[1].scheduler.each_list_memory[2].list_memory.rdata , each_scheduler[1].scheduler.each_list_memory[1].list_memory.rdata , each_scheduler[1].scheduler.each_list_memory[0].list_memory.rdata }
        : {each_scheduler[0].scheduler.each_list_memory[7].list_memory.rdata , each_scheduler[0].scheduler.each_list_memory[6].list_memory.rdata , each_scheduler[0].scheduler.each_list_memory[5].list_memory.rdata , each_scheduler[0].scheduler.each_list_memory[4].list_memory.rdata , each_scheduler[0].scheduler.each_list_memory[3].list_memory.rdata , each_scheduler[0].scheduler.each_list_memory[2].list_memory.rdata , each_scheduler[0].scheduler.each_list_memory[1].list_memory.rdata , each_scheduler[0].scheduler.each_list_memory[0].list_memory.rdata };
    wire [7:0] lists_picked = scheduler_q ? {each_scheduler[1].scheduler.each_list_memory[7].list_memory.pick , each_scheduler[1].scheduler.each_list_memory[6].list_memory.pick , each_scheduler[1].scheduler.each_list_memory[5].list_memory.pick , each_scheduler[1].scheduler.each_list_memory[4].list_memory.pick , each_scheduler[1].scheduler.each_list_memory[3].list_memory.pick , each_scheduler[1].scheduler.each_list_memory[2].list_memory.pick , each_scheduler[1].scheduler.each_list_memory[1].list_memory.pick , each_scheduler[1].scheduler.each_list_memory[0].list_memory.pick }
        : {each_scheduler[0].scheduler.each_list_memory[7].list_memory.pick , each_scheduler[0].scheduler.each_list_memory[6].list_memory.pick , each_scheduler[0].scheduler.each_list_memory[5].list_memory.pick , each_scheduler[0].scheduler.each_list_memory[4].list_memory.pick , each_scheduler[0].scheduler.each_list_memory[3].list_memory.pick , each_scheduler[0].scheduler.each_list_memory[2].list_memory.pick , each_scheduler[0].scheduler.each_list_memory[1].list_memory.pick , each_scheduler[0].scheduler.each_list_memory[0].list_memory.pick };

    // The pins of its scheduler.
    wire [PLACES-1:0] starts = start[PLACES*scheduler_q +: PLACES];
    wire [15:0] even_answer_pc = even_pc[16*scheduler_q +: 16];
    wire [15:0] odd_answer_pc = odd_pc[16*scheduler_q +: 16];
    wire issues_even = issue_even[scheduler_q];
    wire issues_odd = issue_odd[scheduler_q];
    wire issues_wave = issue_wave[scheduler_q];
    wire swid = issue_swid[scheduler_q];
    wire [1:0] pair_on_pins = issue_pair[2*scheduler_q +: 2];
    wire [15:0] pc_on_pins = issue_pc[16*scheduler_q +: 16];
    wire [15:0] pc_of_wave = wave_pc[16*scheduler_q +: 16];
    wire group_of_wave = wave_group[scheduler_q];
    wire [3:0] mask_of_wave = wave_mask[4*scheduler_q +: 4];
    wire [PLACES-1:0] half_places = {6'd0, issues_odd, issues_even} << {pair_on_pins, 1'b0};
    wire [PLACES-1:0] wave_places = issues_wave ? {4'd0, mask_of_wave} << {group_of_wave, 2'd0} : 0;
    wire [PLACES-1:0] issues = half_places | wave_places;
    wire wave_done = done_wave[scheduler_q];
    wire done_id = done_swid[scheduler_q];
    wire [6:0] first_fields_of_it = first_fields[7*place_q +: 7];
    wire [6:0] second_fields_of_it = second_fields[7*place_q +: 7];
    wire half_it = half_places[place_q];
    wire wave_it = wave_places[place_q];
    // Two that go at once, of one entry and slot.
    wire is_pair = expresses & ((mask_of_wave & (mask_of_wave - 4'd1)) != 0);
    wire [2:0] slot_on_pins = place_q[0] ? odd_slot[3*scheduler_q +: 3] : even_slot[3*scheduler_q +: 3];
    wire takes_it = first_fields_of_it[1] & (first_fields_of_it[6:4] == slot_q);
    // Its slot is told done.
    wire [1:0] done_half = place_q[0] ? {done_odd[2 + scheduler_q], done_odd[scheduler_q]} : {done_even[2 + scheduler_q], done_even[scheduler_q]};
    wire [5:0] done_slots = place_q[0] ? {done_odd_slot[3*(2 + scheduler_q) +: 3], done_odd_slot[3*scheduler_q +: 3]}
        : {done_even_slot[3*(2 + scheduler_q) +: 3], done_even_slot[3*scheduler_q +: 3]};
    wire [3:0] done_pairs = {done_pair[2*(2 + scheduler_q) +: 2], done_pair[2*scheduler_q +: 2]};
    wire is_done = (done_half[0] & (done_pairs[1:0] == place_q[2:1]) & (done_slots[2:0] == slot_q))
        | (done_half[1] & (done_pairs[3:2] == place_q[2:1]) & (done_slots[5:3] == slot_q));

    // By columns: what is scalar.
    reg [PLACES-1:0] first_scalar;
    reg [PLACES-1:0] second_scalar;
    reg [PLACES-1:0] reads;
    reg [PLACES-1:0] lands;
    reg [PLACES-1:0] looking;
    reg [PLACES-1:0] answered_again;
    reg counts_fit;
    reg ready_fits;
    integer n;
    always @(*) begin
        counts_fit = 1;
        ready_fits = 1;
        for (n = 0; n < PLACES; n = n + 1) begin
            first_scalar[n] = first_fields[7*n];
            second_scalar[n] = second_fields[7*n];
            reads[n] = read_pairs[n / 2] & (n % 2 ? read_odd : read_even);
            lands[n] = land_pairs[n / 2] & (n % 2 ? land_odd : land_even);
            looking[n] = look_pairs[n / 2] & (n % 2 ? look_odd : look_even);
            answered_again[n] = answered_pairs[n / 2] & (n % 2 ? answered_odd : answered_even);
            ready_fits = ready_fits & (first_ready[n] == (has_first[n] & (first_waits[8*n +: 8] == 0)))
                & (second_ready[n] == (has_second[n] & (second_waits[8*n +: 8] == 0)));
            counts_fit = counts_fit & ({1'b0, ahead_2[n], ahead_1[n]} == reads[n] + landing[n] + has_first[n] + has_second[n])
                & ~(ahead_1[n] & ahead_2[n]);
        end
    end
    wire [PLACES-1:0] goes_on = {4{odd_goes_on, even_goes_on}};
    wire [PLACES-1:0] stays = {4{odd_stays, even_stays}};

    // From the unit's page: warps that run and that have halted, waves that fly, and entries that are fetched.
    localparam ALL = `WARPS;
    wire [ALL-1:0] all_landing = {each_scheduler[1].scheduler.decoder.landing , each_scheduler[0].scheduler.decoder.landing };
    wire [ALL-1:0] all_plain = {{4{each_scheduler[1].scheduler.decoder.odd_goes_on_q , each_scheduler[1].scheduler.decoder.even_goes_on_q }},
        {4{each_scheduler[0].scheduler.decoder.odd_goes_on_q , each_scheduler[0].scheduler.decoder.even_goes_on_q }}};
    wire [ALL-1:0] all_second = {each_scheduler[1].scheduler.windows.has_second_q , each_scheduler[0].scheduler.windows.has_second_q };
    wire [ALL-1:0] all_first = {each_scheduler[1].scheduler.windows.has_first_q , each_scheduler[0].scheduler.windows.has_first_q };
    wire [ALL-1:0] all_members = {{8{issue_wave[1]}} & each_scheduler[1].scheduler.waves.wave_members , {8{issue_wave[0]}} & each_scheduler[0].scheduler.waves.wave_members };
    // Whether the first and the second instruction are plain for their warp, and warps that wait for an answer.
    reg [ALL-1:0] first_plain_q;
    reg [ALL-1:0] second_plain_q;
    reg [ALL-1:0] asking_q;
    reg [ALL-1:0] running_q;
    reg [ALL-1:0] resting_q;
    reg [3:0] all_flying_q;
    reg [7:0] fetched_q;
    reg [ALL-1:0] ends;
    reg [ALL-1:0] halts;
    reg [ALL-1:0] goes;
    reg [ALL-1:0] answered_now;
    reg answers_well;
    reg [3:0] all_issue;
    reg [3:0] all_done;
    reg [1:0] what;
    always @(*) begin
        answers_well = 1;
        for (n = 0; n < ALL; n = n + 1) begin
            goes[n] = (n % 2 ? issue_odd[n / PLACES] : issue_even[n / PLACES]) & (issue_pair[2*(n / PLACES) +: 2] == (n % PLACES) / 2);
            answered_now[n] = (n % 2 ? answer_odd[n / PLACES] : answer_even[n / PLACES]) & (answer_pair[2*(n / PLACES) +: 2] == (n % PLACES) / 2);
            what = n % 2 ? odd_next[2*(n / PLACES) +: 2] : even_next[2*(n / PLACES) +: 2];
            ends[n] = answered_now[n] & (what == 2);
            halts[n] = answered_now[n] & (what == 1);
            answers_well = answers_well & ~(answered_now[n] & (~asking_q[n] | (what == 3)));
        end
        for (n = 0; n < 4; n = n + 1) begin
            all_issue[n] = issue_wave[n / 2] & (issue_swid[n / 2] == n % 2);
            all_done[n] = done_wave[n / 2] & (done_swid[n / 2] == n % 2);
        end
    end
    wire [7:0] fetched_by_now = fetched_q | (fetch_valid ? 8'd1 << fetch_entry : 8'd0);
    always @(posedge clock) begin
        running_q <= reset ? 0 : start | (running_q & ~ends);
        resting_q <= reset ? 0 : halts | (resting_q & ~wake);
        asking_q <= reset ? 0 : (goes & ~first_plain_q) | (asking_q & ~answered_now);
        for (n = 0; n < ALL; n = n + 1) begin
            first_plain_q[n] <= all_landing[n] & ~(goes[n] | all_members[n] ? all_second[n] : all_first[n]) ? all_plain[n]
                : (goes[n] | all_members[n] ? second_plain_q[n] : first_plain_q[n]);
            if (all_landing[n]) second_plain_q[n] <= all_plain[n];
        end
        all_flying_q <= reset ? 0 : all_issue | (all_flying_q & ~all_done);
        fetched_q <= reset ? 0 : fetched_by_now & ~(fill_valid ? 8'd1 << fill_entry : 8'd0);
    end
    wire [PLACES-1:0] alive = running_q[PLACES*scheduler_q +: PLACES];
    wire [PLACES-1:0] halted = resting_q[PLACES*scheduler_q +: PLACES];
    wire [1:0] flying = all_flying_q[2*scheduler_q +: 2];
    wire [PLACES-1:0] asking = asking_q[PLACES*scheduler_q +: PLACES];
    wire [PLACES-1:0] resolved = answered_now[PLACES*scheduler_q +: PLACES];
    wire [PLACES-1:0] first_goes_on = first_plain_q[PLACES*scheduler_q +: PLACES];
    wire [PLACES-1:0] second_goes_on = second_plain_q[PLACES*scheduler_q +: PLACES];

    // Of the watched warp: its pc, and what is not done.
    reg [15:0] pc_q;
    reg owed_q;
    reg [1:0] wave_owes_q;
    reg clearing_q;
    reg [31:0] lanes_0_q;
    reg [31:0] lanes_1_q;
    wire [1:0] issues_id = {2{issues_wave}} & (2'd1 << swid);
    wire [1:0] done_ids = {2{wave_done}} & (2'd1 << done_id);
    always @(posedge clock) begin
        if (reset) begin
            {owed_q, wave_owes_q, clearing_q} <= 0;
        end else begin
            owed_q <= (half_it & takes_it) | (owed_q & ~is_done);
            wave_owes_q <= (issues_id & {2{wave_it & takes_it}}) | (wave_owes_q & ~done_ids);
            clearing_q <= |(wave_owes_q & done_ids);
        end
        if (starts[place_q] | issues[place_q] | resolved[place_q]) pc_q <= starts[place_q] ? 0
            : (resolved[place_q] ? (place_q[0] ? odd_answer_pc : even_answer_pc) : (half_it ? pc_on_pins : (is_pair ? pc_of_wave : pc_q)) + 16'd1);
        if (issues_id[0]) lanes_0_q <= lanes_issued;
        if (issues_id[1]) lanes_1_q <= lanes_issued;
    end

    // Whether the first and the second instruction have the watched register, and whether the watched slot's instruction writes it.
    reg first_needs_q;
    reg second_needs_q;
    reg slot_writes_q;
    wire stays_first = issues[place_q] ? has_second[place_q] : has_first[place_q];
    wire lands_it = landing[place_q];
    always @(posedge clock) begin
        first_needs_q <= lands_it & ~stays_first ? land_needs[register_q] : (issues[place_q] ? second_needs_q : first_needs_q);
        if (lands_it) second_needs_q <= land_needs[register_q];
        if (lands_it & land_takes & takes[slot_q]) slot_writes_q <= land_writes[register_q];
    end
    function has(input [27:0] list, input [5:0] number);
        has = (list[6:0] == {1'b1, number}) | (list[13:7] == {1'b1, number}) | (list[20:14] == {1'b1, number}) | (list[27:21] == {1'b1, number});
    endfunction

    // choice keeps_lists: The memories of lists keep the word of the watched pair.
    wire keeps_lists = (lists_picked == {8{land_pair == place_q[2:1]}});
    // assumption starts_free: A warp starts only after its place has ended and everything that it issued is done.
    wire [7:0] flying_places = ({8{flying[0]}} & ({4'd0, masks[3:0]} << {groups[0], 2'd0})) | ({8{flying[1]}} & ({4'd0, masks[7:4]} << {groups[1], 2'd0}));
    wire starts_free = ((start & running_q) == 0) & ((starts & flying_places) == 0) & ~(starts[place_q] & owed_q);
    // assumption wakes_halted: Only a halted warp is woken.
    wire wakes_halted = (wake & ~resting_q) == 0;
    // assumption answers_asked: An instruction that is not plain is answered once, in a later cycle than its issue, and no other one is; there are three answers.
    wire answers_asked = answers_well;
    // assumption wave_done_once: A wave is told done once, in a later cycle than its issue.
    wire wave_done_once = (all_done & ~all_flying_q) == 0;
    // assumption fills_fetched: Each fetch is filled once, in its cycle or a later one.
    wire fills_fetched = ~fill_valid | fetched_by_now[fill_entry];
    // choice fills_later: No fetch is filled in its own cycle. The traffic has such fills: nothing is proven of them.
    wire fills_later = ~(fill_valid & fetch_valid & (fill_entry == fetch_entry));
    // assumption done_once: A slot is told done once for each half that issued under it, in a later cycle.
    wire done_once = ~is_done | owed_q;
    // choice scalar_is_plain: Behind an instruction that may go into a wave the warp goes on at pc + 1. So it is of words that nobody uses, too.
    wire [3:0] read_scalar = {storage_word[297], storage_word[222], storage_word[147], storage_word[72]};
    wire [3:0] read_plain = {storage_word[298], storage_word[223], storage_word[148], storage_word[73]};
    wire scalar_is_plain = (read_scalar & ~read_plain) == 0;
    // choice keeps_lanes: The memory of waves gives what was last written.
    wire keeps_lanes = (done_id == lanes_kept ? lanes_word : lanes_any) == (done_id ? lanes_1_q : lanes_0_q);

    // property only_alive: A warp issues only from its start to its end, and not while it has halted or waits for an answer.
    wire only_alive = (issues & (~alive | halted | asking)) == 0;
    // property wave_at_pc: All warps of a wave that issues are at the pc of the wave, but for two that go at once.
    wire wave_at_pc = ~wave_it | (pc_of_wave == pc_q) | is_pair;
    // property alone_at_pc: A warp that issues alone is at the pc on the pins.
    wire alone_at_pc = ~half_it | (issues_even & issues_odd) | (pc_on_pins == pc_q);
    // property issues_once: A warp does not issue alone and in a wave at once.
    wire issues_once = (half_places & wave_places) == 0;
    // property one_wave: A warp is in one wave at most that has not issued.
    wire [1:0] in_wave = opens & {(groups[1] == place_q[2]) & masks[4 + place_q[1:0]], (groups[0] == place_q[2]) & masks[place_q[1:0]]};
    wire one_wave = in_wave != 3;
    // property wave_of_scalars: A wave that issues has only warps whose next instruction is scalar and waits for nothing.
    wire wave_of_scalars = (wave_places & ~(has_first & first_ready & first_scalar)) == 0;
    // property never_forgotten: A living warp that has not halted and waits for no answer has an instruction on its way, holds its line, waits for it, or looks for it.
    wire [PLACES-1:0] is_ahead = ahead_1 | ahead_2;
    wire never_forgotten = (alive & ~halted & ~asking & ~(looks_for | fills | holds | is_ahead)) == 0;
    // property slot_until_done: A slot is in use from the check of its instruction until that is done, and not longer.
    wire in_first = has_first[place_q] & takes_it;
    wire in_second = has_second[place_q] & second_fields_of_it[1] & (second_fields_of_it[6:4] == slot_q);
    wire slot_until_done = busy[8*place_q + slot_q] == (in_first | in_second | owed_q | (wave_owes_q != 0) | clearing_q);
    // property no_hazard: No instruction issues while a slot of an earlier one is in use that writes a register that it reads or writes.
    wire not_done = owed_q | (wave_owes_q != 0) | clearing_q;
    wire no_hazard = ~(issues[place_q] & first_needs_q & slot_writes_q & not_done);
    // property one_holder: No two instructions of a warp have the same slot.
    wire one_holder = in_first + in_second + owed_q + wave_owes_q[0] + wave_owes_q[1] + clearing_q <= 1;
    // Look-ups of one cycle that follow one entry have found one entry so far.
    reg agree_q;
    wire [1:0] makes = {storage.links.follows_q[1] & (storage_answer[3:2] == 1), storage.links.follows_q[0] & (storage_answer[1:0] == 1)};
    wire parts = (makes == 3) & (storage.links.from_q[2:0] == storage.links.from_q[5:3]) & (storage_answer_entry[2:0] != storage_answer_entry[5:3]);
    always @(posedge clock) agree_q <= reset | (agree_q & ~parts);
    // property not_replaced: An entry gets another line only while no warp holds it, as long as two schedulers that follow one entry in one cycle find one entry.
    wire refers = fills[place_q] | holds[place_q] | is_ahead[place_q];
    wire [2:0] entry_of_it = entries[3*place_q +: 3];
    wire [2:0] first_entry_of_it = first_entries[3*place_q +: 3];
    wire not_replaced = ~agree_q | ~fetch_valid | (~(refers & (entry_of_it == fetch_entry)) & ~(is_ahead[place_q] & (first_entry_of_it == fetch_entry)));

    function one_pair(input [PAIRS-1:0] pairs);
        one_pair = (pairs != 0) & ((pairs & (pairs - 4'd1)) == 0);
    endfunction
    // invariant vectors: Masks and numbers of pairs say the same.
    wire vectors = (landing == lands) & (answered == answered_again) & (halves == half_places)
        & (one_pair(issue_pairs) | ~(issues_even | issues_odd)) & ((chosen & (chosen - 8'd1)) == 0
            | (chosen == 8'h03) | (chosen == 8'h0c) | (chosen == 8'h30) | (chosen == 8'hc0))
        & ((look_turn & (look_turn - 4'd1)) == 0) & (one_pair(look_pairs) | ~(look_even | look_odd))
        & (one_pair(answered_pairs) | ~(answered_even | answered_odd))
        & (~land_takes | land_even | land_odd)
        & (~(land_even | land_odd) | (land_pairs == 4'd1 << land_pair)) & (~(read_even | read_odd) | (read_pairs == 4'd1 << read_pair));
    // invariant counted: The frontier is ahead by the instructions that are checked.
    wire counted = counts_fit & ((has_second & ~has_first) == 0);
    // invariant one_state: A warp is in one state.
    wire one_state = ((looks_for & fills) | (looks_for & holds) | (fills & holds) | (chosen & reads) | (chosen & landing) | (reads & landing)
        | ((chosen | reads | landing) & ~holds) | (chosen & ahead_2) | ((looking | answered) & ~looks_for) | (looking & answered)) == 0;
    // invariant at_answer_alone: A look-up at the answer is of warps without instructions on their way.
    wire at_answer_alone = (~at_answer | ((answered & is_ahead) == 0)) & (answered == 0 | storage_answer[2*scheduler_q +: 2] != 0);
    // invariant stopped: Behind an instruction that is not plain nothing is on its way.
    wire [PLACES-1:0] on_way = looks_for | fills | holds | reads | landing;
    wire stopped = (((has_first & ~first_goes_on) & (has_second | on_way)) | (has_second & ~second_goes_on & on_way)) == 0;
    // invariant at_rest: Warps that do not run, that have halted, and that wait for an answer have nothing on their way.
    wire at_rest = ((~alive | halted | asking) & (on_way | is_ahead | chosen)) == 0;
    // invariant awake: All others have.
    wire awake = (alive & ~halted & ~asking & ~(looks_for | fills | holds | is_ahead)) == 0 & (((halted | asking) & ~alive) == 0) & ((halted & asking) == 0)
        & (((has_first & ~has_second & first_goes_on & ~on_way) | (has_second & second_goes_on & ~on_way)) == 0);
    // invariant scalars_go_on: Scalar instructions are plain.
    wire scalars_go_on = ((has_first & first_scalar & ~first_goes_on) | (has_second & second_scalar & ~second_goes_on)) == 0
        & (~land_scalar | ~(|landing) | ((~check_even_full | even_goes_on) & (~check_odd_full | odd_goes_on)));
    // invariant stays_fit: What stays with its line goes on.
    wire stays_fit = ((landing & (stays ^ (goes_on & ~{8{land_turns}}))) == 0);
    // invariant issues_first: What issues is the first instruction, and is ready; halves and a wave do not issue at once.
    wire issues_first = ~(issues_wave & (issues_even | issues_odd)) & ready_fits & ((halves & ~(has_first & first_ready & ~first_scalar)) == 0) & ((first_ready & ~has_first) | (second_ready & ~has_second)) == 0;
    // invariant at_pc: The unit knows the pc of the watched warp.
    wire at_pc = ~alive[place_q] | (pcs[16*place_q +: 16] == pc_q);
    // invariant members: Who has joined is in one open wave of its pc, and is scalar and ready.
    wire [15:0] pc_there = pcs[16*place_q +: 16];
    wire joins_it = join_valid & (join_group == place_q[2]) & join_lanes[place_q[1:0]];
    wire members = (in_wave != 3) & (joined[place_q] == ((in_wave != 0) | (expresses & wave_it))) & ~((in_wave != 0) & expresses & wave_it) & (~in_wave[0] | (wave_pcs[15:0] == pc_there))
        & (~in_wave[1] | (wave_pcs[31:16] == pc_there)) & ~(joins_it & joined[place_q]) & (~joins_it | (join_pc == pc_there));
    // invariant scalar_members: All that have joined or are joining are scalar and ready.
    wire [PLACES-1:0] joining = {8{join_valid}} & ({4'd0, join_lanes} << {join_group, 2'd0});
    wire [7:0] members_0 = {8{opens[0]}} & ({4'd0, masks[3:0]} << {groups[0], 2'd0});
    wire [7:0] members_1 = {8{opens[1]}} & ({4'd0, masks[7:4]} << {groups[1], 2'd0});
    wire [PLACES-1:0] going_at_once = {8{expresses}} & wave_places;
    wire scalar_members = (joined == (members_0 | members_1 | going_at_once)) & ((members_0 & members_1) == 0) & (((members_0 | members_1) & going_at_once) == 0) & ((joined & joining) == 0) & (((joined | joining) & ~(has_first & first_ready & first_scalar)) == 0);
    // invariant ages: Of two open waves one is older, and none is older than itself.
    wire ages = ((opens & {older[3], older[0]}) == 0) & ((opens != 3) | (older[2] != older[1]));
    // invariant offer: The wave that is offered is open, and is as in the table.
    wire [1:0] fit_opens = join_valid ? fit & opens : 2'd0;
    wire offer = (fit_opens != 3) & (~fit_opens[0] | ((wave_pcs[15:0] == join_pc) & (groups[0] == join_group)))
        & (~fit_opens[1] | ((wave_pcs[31:16] == join_pc) & (groups[1] == join_group))) & ((opens & ~used) == 0) & (~expresses | issues_wave) & (~issues_wave | ((offered & (expresses ? ~used | opens | flying : ~opens)) == 0 & (offered != 3) & (offered != 0)
            & (~offered[0] | ((mask_of_wave == masks[3:0]) & (group_of_wave == groups[0]) & (expresses | ((pc_of_wave == wave_pcs[15:0]) & (wave_carry == carries[0])))))
            & (~offered[1] | ((mask_of_wave == masks[7:4]) & (group_of_wave == groups[1]) & (expresses | ((pc_of_wave == wave_pcs[31:16]) & (wave_carry == carries[1])))))
            & (wave_members == {4'd0, mask_of_wave} << {group_of_wave, 2'd0})))
        & (~opens[0] | (carries[0] == (&wave_pcs[7:0]))) & (~opens[1] | (carries[1] == (&wave_pcs[23:16]))) & (~join_valid | (join_carry == (&join_pc[7:0])));
    // invariant flies: A wave that has issued and is not done is in the table.
    wire flies = ((flying ^ (used & ~opens & ~({2{expresses}} & offered))) == 0) & ((wave_owes_q & ~flying) == 0)
        & (~wave_owes_q[0] | ((groups[0] == place_q[2]) & masks[place_q[1:0]])) & (~wave_owes_q[1] | ((groups[1] == place_q[2]) & masks[4 + place_q[1:0]]))
        & ((flying[0] & (groups[0] == place_q[2]) & masks[place_q[1:0]] ? lanes_0_q[8*place_q[1:0] + slot_q] : 1'b0) == wave_owes_q[0])
        & ((flying[1] & (groups[1] == place_q[2]) & masks[4 + place_q[1:0]] ? lanes_1_q[8*place_q[1:0] + slot_q] : 1'b0) == wave_owes_q[1])
        & ((clears & (clear_group == place_q[2]) & clear_mask[place_q[1:0]] & lanes_read[8*place_q[1:0] + slot_q]) == clearing_q);
    // invariant slots: A slot has one instruction at most, and is in use while it has.
    wire slots = slot_until_done & one_holder;
    // invariant listed: The memory has the list of a slot in use, and so have the steps of a check.
    wire is_busy = busy[8*place_q + slot_q];
    wire listed = ~is_busy | ((list_pairs[2*slot_q +: 2] == place_q[2:1]) & (has(list_words[28*slot_q +: 28], register_q) == slot_writes_q)
        & (~reads[place_q] | (has(lists_read[28*slot_q +: 28], register_q) == slot_writes_q))
        & (~lands_it | (has(compared_lists[28*slot_q +: 28], register_q) == slot_writes_q)));
    // invariant waits: An instruction waits for the slots of earlier ones with its registers.
    wire land_list_fits = ~(|landing) | (has(land_list, register_q) == land_writes[register_q]);
    wire waits = land_list_fits & (~(first_needs_q & has_first[place_q] & slot_writes_q & not_done) | first_waits[8*place_q + slot_q])
        & (~(second_needs_q & has_second[place_q] & slot_writes_q & (not_done | in_first)) | second_waits[8*place_q + slot_q]);
    // invariant room_for_checks: There is a free slot for each check on its way.
    wire [7:0] pair_slots_busy = busy[16*place_q[2:1] +: 8] | busy[16*place_q[2:1] + 8 +: 8];
    reg [3:0] free_slots;
    always @(*) begin
        free_slots = 8;
        for (n = 0; n < 8; n = n + 1) free_slots = free_slots - pair_slots_busy[n];
    end
    wire [1:0] chosen_here = chosen[2*place_q[2:1] +: 2];
    wire [1:0] reads_here = reads[2*place_q[2:1] +: 2];
    wire [1:0] lands_here = landing[2*place_q[2:1] +: 2];
    wire [1:0] answered_here = answered[2*place_q[2:1] +: 2];
    wire room_for_checks = (free_slots >= (|chosen_here) + (|reads_here) + (|lands_here))
        & (~(at_answer & had_room & (|answered_here)) | (free_slots >= 1 + (|reads_here) + (|lands_here)));

    // The ask of the storage.
    wire surveyed = storage.control.surveyed_q;
    wire choice = storage.control.chosen_q;
    wire unlinked = storage.control.unlinked_q;
    wire [1:0] victim = storage.control.victim_q;
    wire claims = storage.control.claims_q;
    wire present = storage.control.present_q;
    wire [1:0] busy_ways = storage.control.busy_ways_q;
    wire [1:0] taken_before = storage.control.taken_before;
    wire is_taken = storage.control.is_taken;
    wire [2:0] claimed = storage.control.claim_entry;
    wire [1:0] set = asked_set;
    wire [1:0] ways_of_it = (refers & (entry_of_it[1:0] == set) ? 2'd1 << entry_of_it[2] : 2'd0)
        | (is_ahead[place_q] & (first_entry_of_it[1:0] == set) ? 2'd1 << first_entry_of_it[2] : 2'd0);
    // invariant ask_steps: An ask goes from step to step, and claims its victim.
    wire ask_steps = (~surveyed | (asks & ask_goes_on)) & (~choice | surveyed) & (~unlinked | choice) & (~claims | (choice & (victim != 0)))
        & (~choice | ((victim != 3) & ((victim == 0) | ((claimed == {victim[1], set}) & (claims | present)))));
    // invariant surveyed_ways: Ways that the watched warp holds are known to be in use.
    wire surveyed_ways = ~agree_q | ~surveyed | choice | ((ways_of_it & ~(used_ways | busy_ways | taken_before)) == 0);
    // invariant victim_free: No warp holds the victim, unless it is known that it was taken.
    wire victim_free = ~agree_q | ~choice | is_taken | ((ways_of_it & victim) == 0);
    // invariant unlinked_victim: No link leads to the victim.
    reg [7:0] links_to;
    always @(*) for (n = 0; n < 8; n = n + 1) links_to[n] = storage.links.valid_q[n] & (storage.links.entry_q[3*n +: 3] == claimed);
    wire unlinked_victim = ~agree_q | ~(unlinked & claims) | is_taken | (links_to == 0);
    // invariant reads_its_entry: A warp reads the entry that it holds.
    wire reads_its_entry = ~reads[place_q] | (read_entry == entry_of_it);
    // invariant no_fetch_of_held: An entry that gets a line has no holder.
    wire no_fetch_of_held = not_replaced;

    // reached wave_of_two: A wave of the watched warp and another one issues.
    wire wave_of_two = wave_it & ((mask_of_wave & (mask_of_wave - 4'd1)) != 0);
    // reached slot_freed: A slot of the watched warp is freed behind its wave.
    wire slot_freed = clearing_q;
