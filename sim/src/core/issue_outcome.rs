//! Outcome of a scheduler's issue slot in a cycle: an instruction, or the reason for the stall.

use super::scheduler::Sets;
use crate::stats::IssueStats;

/// Outcome of a scheduler in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IssueOutcome {
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

impl IssueOutcome {
    pub(super) fn count(self, stats: &mut IssueStats, cycles: u64) {
        *match self {
            IssueOutcome::Issued => &mut stats.issued,
            IssueOutcome::PipelineArithmetic => &mut stats.pipeline_arithmetic,
            IssueOutcome::PipelineMemory => &mut stats.pipeline_memory,
            IssueOutcome::ScoreboardArithmetic => &mut stats.scoreboard_arithmetic,
            IssueOutcome::ScoreboardMemory => &mut stats.scoreboard_memory,
            IssueOutcome::ScoreboardPort => &mut stats.scoreboard_port,
            IssueOutcome::Synchronisation => &mut stats.synchronisation,
            IssueOutcome::Idle => &mut stats.idle,
        } += cycles;
    }

    /// The stall reason of warps of which none is ready.
    pub(super) fn of_waiting(sets: &Sets) -> IssueOutcome {
        let buffered = sets.resident & sets.buffered;
        let blocked = buffered & sets.blocked & !sets.waiting();
        if blocked & sets.blocked_memory != 0 {
            IssueOutcome::ScoreboardMemory
        } else if blocked & sets.blocked_port != 0 {
            IssueOutcome::ScoreboardPort
        } else if blocked != 0 {
            IssueOutcome::ScoreboardArithmetic
        } else if buffered & sets.waiting() & !sets.ended != 0 {
            IssueOutcome::Synchronisation
        } else {
            IssueOutcome::Idle
        }
    }
}
