//! Counters of the reorder units.

use crate::stats::system_counters;

system_counters! { "reorder"
    /// The reorder units of all partitions (IRU).
    ReorderStats {
        /// `load_iru` of a warp, and its lanes.
        requests,
        lanes,
        /// Elements that the host asked to reorder; each is delivered to a lane, or merged into an equal one.
        elements,
        /// Elements whose index an earlier element of the same launch has. This many could be merged.
        repeated,
        delivered,
        merged,
        /// Lanes that got no element.
        disabled,
        /// Packets to cores.
        packets,
        /// Core cycles from a request's arrival at its partition to its last element, over all requests.
        wait_cycles,
        /// Core cycles in which the unit was clocked.
        busy_cycles,
    }
}
