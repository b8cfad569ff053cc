//! What a scheduler made of its issue slot in a cycle: an instruction, or the reason for the stall.

use super::scheduler::Sets;
use crate::stats::IssueStats;

/// What a scheduler did in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Slot {
    Issued,
    PipelineArithmetic,
    PipelineMemory,
    ScoreboardArithmetic,
    ScoreboardMemory,
    ScoreboardPort,
    Synchronisation,
    #[default]
    Idle,
}

impl Slot {
    pub(super) fn count(self, stats: &mut IssueStats, cycles: u64) {
        *match self {
            Slot::Issued => &mut stats.issued,
            Slot::PipelineArithmetic => &mut stats.pipeline_arithmetic,
            Slot::PipelineMemory => &mut stats.pipeline_memory,
            Slot::ScoreboardArithmetic => &mut stats.scoreboard_arithmetic,
            Slot::ScoreboardMemory => &mut stats.scoreboard_memory,
            Slot::ScoreboardPort => &mut stats.scoreboard_worklist,
            Slot::Synchronisation => &mut stats.synchronisation,
            Slot::Idle => &mut stats.idle,
        } += cycles;
    }

    /// The stall reason of warps of which none is ready.
    pub(super) fn of_waiting(sets: &Sets) -> Slot {
        let buffered = sets.resident & sets.buffered;
        let blocked = buffered & sets.blocked & !sets.waiting();
        if blocked & sets.blocked_memory != 0 {
            Slot::ScoreboardMemory
        } else if blocked & sets.blocked_port != 0 {
            Slot::ScoreboardPort
        } else if blocked != 0 {
            Slot::ScoreboardArithmetic
        } else if buffered & sets.waiting() & !sets.ended != 0 {
            Slot::Synchronisation
        } else {
            Slot::Idle
        }
    }
}
