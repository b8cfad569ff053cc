//! Rules of pins that the Verilog checks in simulation, from the "rules of inputs" of the unit pages. Each is in the
//! module of its unit, or in that of a part of it, under the macro `UNRULY_ASSERT`, wherever that module is instantiated.

/// The rules of one unit.
pub struct Rules {
    pub unit: &'static str,
    /// Ports that tell the module from all others.
    pub ports: &'static [&'static str],
    /// Conditions that never hold outside reset, each with its name: Verilog over ports, and over registers by their
    /// names with `_q`. `past_x` is port `x` in the cycle before.
    pub never: &'static [(&'static str, &'static str)],
    /// Transfers by `valid` and `ready`: a valid item stays, with all that belongs to it, until it is taken.
    pub stays: &'static [Transfer],
}

/// Ports of a transfer.
pub struct Transfer {
    pub valid: &'static str,
    pub ready: &'static str,
    pub data: &'static [&'static str],
}

const fn transfer(valid: &'static str, ready: &'static str, data: &'static [&'static str]) -> Transfer {
    Transfer { valid, ready, data }
}

pub static RULES: &[Rules] = &[
    Rules {
        unit: "queue",
        ports: &["push", "push_data", "take", "head_valid", "full"],
        never: &[("push & full", "push while full"), ("take & ~head_valid", "take without a head")],
        stays: &[],
    },
    Rules {
        unit: "bank",
        ports: &["pull", "wru_pop", "wru_part", "fill_push", "unreserve", "full"],
        never: &[
            ("pull & push", "pull and push together"),
            ("push & full", "push to a full side"),
            ("wru_pop & wru_push", "wru_pop and wru_push together"),
            ("swap & (pull | push | reserve | unreserve)", "swap together with pull, push, reserve or unreserve"),
            (
                "configure & (swap | pull | push | reserve | unreserve | fill_push | wru_push)",
                "configure does not come alone",
            ),
            ("wru_push & wru_part & ~double_mode_q", "wru_part high in single-buffer mode"),
            ("fill_push & ~fill_reserved & fill_part & ~double_mode_q", "fill_part high in single-buffer mode"),
            // The effect of the cycle before shows now: the pull side has no more entries than room, and no fewer reserved than none.
            (
                "past_reserve & ((pull_occupancy > ENTRIES) | (double_mode_q & (pull_occupancy > HALF_ENTRIES)))",
                "reserve without free entries",
            ),
            (
                "(pull_occupancy + push_occupancy - held > ENTRIES) & ~(past_reserve & (pull_occupancy > held))",
                "a reserved fill or unreserve, but nothing is reserved",
            ),
        ],
        stays: &[],
    },
    Rules {
        unit: "wru_threshold, wru_sorting, wru_serial, wru_global",
        ports: &["double_buffer", "pull_part", "wru_valid", "wru_accepted", "pop", "push", "moving", "push_id"],
        never: &[
            ("|(wru_valid & ~past_pop)", "wru_valid without a pop"),
            ("|(wru_accepted & ~past_push)", "wru_accepted without a push"),
            ("pull_part & ~double_buffer", "pull_part high in single-buffer mode"),
        ],
        stays: &[transfer("out_valid", "out_ready", &["out_part", "out_id"])],
    },
    Rules {
        unit: "hvu, hvu_bins",
        ports: &["spill", "spill_id", "swap", "push_ready", "line_tag", "unreserve", "pull_busy"],
        never: &[
            ("(|spill) & ~push_ready", "spill while push_ready is low"),
            ("swap & (|spill)", "swap together with spill"),
            ("line_valid & ~line_ready", "line_valid while line_ready is low"),
            ("swap & pull_busy", "swap while the pull side has IDs"),
            ("swap & ~push_ready", "swap while the holding register has IDs"),
            ("(configure | init) & holds", "configure or init while the unit holds IDs"),
            ("pull_part ^ (~past_configure & (past_swap ^ past_pull_part))", "pull_part is not that of the exchanges"),
        ],
        stays: &[transfer("mem_valid", "mem_ready", &["mem_write", "mem_line", "mem_tag"])],
    },
    Rules {
        unit: "hwwl_core",
        ports: &["pull", "push", "leave", "kernel_end", "init", "all_done", "send", "push_ready"],
        never: &[
            ("(|pull) & (|push)", "pull and push together"),
            ("(|push) & ~push_ready", "push while push_ready is low"),
            ("kernel_end & ((|pull) | (|push) | (|leave))", "kernel_end together with pull, push or leave"),
            ("init & ((|pull) | (|push) | (|leave) | kernel_end)", "init does not come alone"),
            ("configure & ((|pull) | (|push) | (|leave) | kernel_end | init)", "configure does not come alone"),
        ],
        stays: &[
            transfer("out_valid", "out_ready", &["out_part", "out_id"]),
            transfer("in_valid", "in_ready", &["in_part", "in_id"]),
            transfer("mem_valid", "mem_ready", &["mem_write", "mem_line", "mem_tag"]),
        ],
    },
    Rules {
        unit: "prefetcher",
        ports: &["start", "index_line", "mem_sectors", "group_ready", "group_index", "done"],
        never: &[("start & ~done", "start before it is done")],
        stays: &[
            transfer("mem_valid", "mem_ready", &["mem_line", "mem_sectors", "mem_tag"]),
            transfer("group_valid", "group_ready", &["group_count", "group_position"]),
        ],
    },
    Rules {
        unit: "reorder_bank",
        ports: &["local_valid", "cw_valid", "ccw_valid", "take_set", "take_count", "beat_room", "take_ready"],
        never: &[("take & ~take_ready", "take while one is under way")],
        stays: &[
            transfer(
                "local_valid",
                "local_ready",
                &["local_index", "local_secondary", "local_position", "local_place"],
            ),
            transfer("cw_valid", "cw_ready", &["cw_index", "cw_secondary", "cw_position", "cw_place"]),
            transfer("ccw_valid", "ccw_ready", &["ccw_index", "ccw_secondary", "ccw_position", "ccw_place"]),
        ],
    },
    Rules {
        unit: "iru_partition",
        ports: &[
            "start",
            "rich_in",
            "ending",
            "cw_in_ready",
            "ccw_in_ready",
            "token_out_valid",
            "reply_valid",
            "vacant",
        ],
        never: &[],
        stays: &[
            transfer(
                "cw_in_valid",
                "cw_in_ready",
                &["cw_in_index", "cw_in_secondary", "cw_in_position", "cw_in_place"],
            ),
            transfer(
                "ccw_in_valid",
                "ccw_in_ready",
                &["ccw_in_index", "ccw_in_secondary", "ccw_in_position", "ccw_in_place"],
            ),
            transfer("request_valid", "request_ready", &["request"]),
            transfer("reply_valid", "reply_ready", &["reply_request", "reply_mask", "reply_end", "reply_last"]),
        ],
    },
    Rules {
        unit: GW_FRONT_END,
        ports: &["start", "wake", "done_even_slot", "fill_record", "fetch_line", "wave_mask"],
        never: &[
            ("|(issue_wave & (issue_even | issue_odd))", "a wave and a half issue together"),
            ("fetch_valid & ~past_fetch_room", "a fetch without room for it"),
        ],
        stays: &[],
    },
    // Its storage.
    Rules {
        unit: GW_FRONT_END,
        ports: &["ask_valid", "fill_entry", "fill_word"],
        never: &[("fill_valid & ~pending_q[fill_entry]", "a fill of an entry that is not pending")],
        stays: &[],
    },
    // Parts of each scheduler: its places, windows, slots and waves.
    Rules {
        unit: GW_FRONT_END,
        ports: &["start", "wake", "turned", "answered", "follow", "held", "fresh"],
        never: &[
            ("|(start & (look | held))", "a warp starts in a place that is not free"),
            ("|(wake & (look | held))", "a warp goes on that has not halted"),
        ],
        stays: &[],
    },
    Rules {
        unit: GW_FRONT_END,
        ports: &["landing", "issues", "frees", "has_first", "has_second"],
        never: &[
            ("|(issues & ~has_first)", "an instruction issues that is not checked"),
            ("|(landing & has_second & ~issues)", "an instruction comes to a window that is full"),
        ],
        stays: &[],
    },
    Rules {
        unit: GW_FRONT_END,
        ports: &["done_even_slot", "land_pairs", "hits", "roomy", "takes", "frees"],
        never: &[("|(frees & ~busy_q)", "a slot is done that is not in use")],
        stays: &[],
    },
    // A scalar that issues at once is in the table, and never open.
    Rules {
        unit: GW_FRONT_END,
        ports: &["found_lanes", "key_group", "issue_waves", "done_swid", "offer_urgent", "joining", "expresses_0"],
        never: &[
            ("|(issue_waves & ~used_q)", "a wave issues that is not in the table"),
            ("done_wave & ~(used_q[done_swid] & ~open_q[done_swid])", "a wave is done that did not issue"),
        ],
        stays: &[],
    },
    Rules {
        unit: GW_FRONT_END,
        ports: &["found_lanes", "key_group", "issue_waves", "done_swid", "offer_urgent", "joining"],
        never: &[
            ("|(issue_waves & ~open_q)", "a wave issues that is not open"),
            ("done_wave & ~(used_q[done_swid] & ~open_q[done_swid])", "a wave is done that did not issue"),
        ],
        stays: &[],
    },
];

const GW_FRONT_END: &str = "gw_front_end";
