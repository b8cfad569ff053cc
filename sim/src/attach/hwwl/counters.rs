//! Counters of the worklist.

use crate::stats::system_counters;

system_counters! { "worklist"
    /// The worklist (HWWL).
    WorklistStats {
        /// Warp instructions.
        pull_instructions,
        push_instructions,
        /// Passes over the lanes.
        passes,
        /// Answers, in lanes.
        ids_pulled,
        waits,
        dones,
        /// Answers that were not given because a refill was on its way (refills on demand), or because the warp had nothing
        /// else to do (single-buffer mode).
        refill_waits,
        ids_pushed,
        /// Cycles in which a push waited until spills were welcome.
        push_wait_cycles,
        /// Lines to and from the overflow buffer, and IDs that went there.
        spill_stores,
        refill_loads,
        ids_spilled,
        /// Warp instructions that pull edges, edges that they got, and requests for rows.
        edge_pull_instructions,
        edges_pulled,
        row_loads,
    }
}
