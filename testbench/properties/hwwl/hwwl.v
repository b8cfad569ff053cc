    // part core_0: hwwl_core
    // part core_1: hwwl_core

    // Requests of lanes, now and in the cycles before.
    wire lanes_ask = |pull | |push | |leave;
    reg [3:0] asked_before_q;
    always @(posedge clock) asked_before_q <= reset ? 0 : {asked_before_q[2:0], lanes_ask};

    // invariant stays_on_pins: A request of a core stays on its pins until memory takes it, with its line and its tag.
    wire stays_on_pins = core_0_stays_on_pins & core_1_stays_on_pins;

    // assumption owed: Memory brings a line that a core asked for, once, while the core's line register is empty.
    wire owed = core_0_owed & core_1_owed;
    // assumption alone: `configure`, `init` and `kernel_end` come without requests of lanes and not together.
    wire alone = {1'b0, configure} + init + kernel_end + lanes_ask < 2;
    // assumption one_kind: A core's lanes pull or push, and push only if `push_ready` says that they may.
    wire one_kind = ((|pull[3:0] & |push[3:0]) | (|pull[7:4] & |push[7:4]) | (|push[3:0] & ~push_ready[0]) | (|push[7:4] & ~push_ready[1])) == 0;
    // assumption all_obey: `configure` comes while nothing is between the cores, and either all cores obey or all ignore it.
    wire all_obey = ~configure | ((held == 0) & (core_0.control.bank_configure == core_1.control.bank_configure));
    // assumption ends_late: `kernel_end` comes while all cores welcome pushes, four cycles behind the last request of a lane.
    wire ends_late = ~kernel_end | ((&push_ready) & (asked_before_q == 0));

    // invariant held_exact: `held` is the number of IDs in the hub.
    wire held_exact = held == icrn.oldest_valid_q[0] + icrn.oldest_valid_q[1] + icrn.behind_valid_q[0] + icrn.behind_valid_q[1] + icrn.in_valid_q[0] + icrn.in_valid_q[1];
    // IDs in the hub, by partition.
    wire [5:0] in_hub = {icrn.in_valid_q, icrn.behind_valid_q, icrn.oldest_valid_q};
    wire [5:0] of_part_1 = {icrn.in_word_q[49], icrn.in_word_q[24], icrn.behind_q[49], icrn.behind_q[24], icrn.oldest_q[49], icrn.oldest_q[24]};
    // invariant same_mode: Both cores have the same mode and sides, and in single-buffer mode no ID of partition 1 is between them.
    wire same_mode = (core_0_double == core_1_double) & (core_0_side == core_1_side) & (core_0_double | ((in_hub & of_part_1) == 0));
    // invariant same_changes: Both cores settle together, but for requests of lanes.
    wire same_changes = (((core_0.control.changes_before_q ^ core_1.control.changes_before_q) & ~asked_before_q) == 0)
        & (asked_before_q[0] | ~(|core_0_pulled | |core_1_pulled)) & (asked_before_q[0] | ((core_0.control.pulled_q | core_1.control.pulled_q) == 0));
    // Nothing works for the pull side in any core, and nothing is on its way to it.
    wire all_calm = core_0_calm & core_1_calm & ((in_hub & (core_0_side ? of_part_1 : ~of_part_1)) == 0);
    // Exchanges and changes of the mode in the cycles before.
    reg [1:0] switched_q;
    always @(posedge clock) switched_q <= reset ? 0 : {switched_q[0], core_0.control.swap | core_0.control.bank_configure};
    // invariant switched: A core is not settled behind them.
    wire switched = (switched_q & ~(core_0.control.changes_before_q & core_1.control.changes_before_q)) == 0;
    // invariant all_calm_at_once: When all cores and the hub were quiet in double-buffer mode in the cycle before, no work for the pull side is left, unless the sides were exchanged.
    wire all_calm_at_once = all_calm | ~((&{core_0.quiet, core_1.quiet, icrn.hub_clear_q}) & core_0_double & ~switched_q[0]);
    // invariant all_calm_later: Nor a cycle later, when `all_done` tells of it.
    wire all_calm_later = all_calm | ~(icrn.all_done & core_0_double & (switched_q == 0));

    // invariant done_together: Two cycles before `all_done` all cores were quiet, and the hub offered no ID of the pull side.
    wire done_together = (~icrn.hub_clear_q | ~(core_0_offered_pull_q[0] | core_1_offered_pull_q[0]))
        & (~icrn.all_done | (core_0_quiet_before_q & core_1_quiet_before_q & ~(core_0_offered_pull_q[1] | core_1_offered_pull_q[1])));
    // invariant offers_none: Nor a cycle later.
    wire offers_none = ~(icrn.all_done & core_0_double & (switched_q == 0)) | ~(core_0_offered_pull_q[0] | core_1_offered_pull_q[0]);

    // property nothing_between: `configure` is obeyed only when nothing is in the cores and between them.
    wire nothing_between = ~(core_0.control.bank_configure | core_1.control.bank_configure) | (core_0_nothing_inside & core_1_nothing_inside & (in_hub == 0));
    // reached has_ids: The worklist has IDs.
    wire has_ids = |count;
