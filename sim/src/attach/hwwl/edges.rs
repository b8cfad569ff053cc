//! The core's side of the edge expander: takes `wledge`, drives the lanes' pins, hands out edges and their owners.
//!
//! Warps take their turns in order of arrival, pass by pass, as pulls of IDs do. A warp waits until it has an edge or is told that
//! there will be none. Lanes that find none behind those that have got one are told WAIT: the warp goes on, or it might wait for itself.

use super::held::Held;
use super::passes::{pass, Pulled};
use super::{Shared, WorklistStats};
use crate::core::in_flight::InFlight;
use crate::core::rows::Rows;
use crate::ptx::isa::WARP_SIZE;
use crate::units::bits::bits;
use crate::units::hwwl::pins::{status, DONE_TOKEN, WAIT_TOKEN};
use std::collections::VecDeque;

/// A pull of a row of threads, which are numbered as they lie in it.
#[derive(Clone, Debug)]
struct EdgePull {
    op: InFlight,
    row: usize,
    threads: u32,
    /// Threads without an answer.
    left: u32,
    /// Some thread has an edge.
    has_edge: bool,
    edges: [u64; WARP_SIZE],
    owners: [u64; WARP_SIZE],
}

#[derive(Debug)]
pub struct EdgePulls {
    core: usize,
    rows: Rows,
    lanes: usize,
    queue: VecDeque<EdgePull>,
    /// Threads of the pass that the expander has not answered.
    asked: u32,
    held: Held,
}

impl EdgePulls {
    /// `number` is that of a core's rows of threads.
    pub fn new(core: usize, rows: Rows, lanes: usize, number: usize) -> Self {
        EdgePulls {
            core,
            rows,
            lanes,
            queue: VecDeque::with_capacity(number),
            asked: 0,
            held: Held::new(lanes, number),
        }
    }

    /// A warp pulls. It is done with the edges that it had from now on: others wait for that, whenever its turn comes. Gives how many
    /// it had.
    pub fn push_back(&mut self, op: InFlight, lanes: u32) -> u32 {
        let threads = lanes << self.rows.first_of(op);
        let held = self.end(self.rows.row(op.warp), threads);
        self.queue.push_back(EdgePull {
            op,
            row: self.rows.row(op.warp),
            threads,
            left: threads,
            has_edge: false,
            edges: [0; WARP_SIZE],
            owners: [0; WARP_SIZE],
        });
        held
    }

    pub fn is_idle(&self) -> bool {
        self.queue.is_empty() && !self.held.is_leaving()
    }

    /// Threads of a row that wait for an answer.
    pub fn asking(&self, row: usize) -> u32 {
        self.queue.iter().filter(|pull| pull.row == row).fold(0, |all, pull| all | pull.threads)
    }

    /// Threads of a row that have an edge.
    pub fn holding(&self, row: usize) -> u32 {
        self.held.of(row)
    }

    /// Takes the answers on the pins; gives the pull that is over.
    pub fn sample(&mut self, shared: &mut Shared, stats: &mut WorklistStats) -> Option<Pulled> {
        let asked = self.asked;
        let pull = self.queue.front_mut().filter(|_| asked != 0)?;
        let (outputs, using) = (&shared.expanders[self.core].outputs, &mut shared.threads);
        for thread in bits(asked) {
            let lane = thread % self.lanes;
            let answer = outputs.status(lane);
            (pull.edges[thread], pull.owners[thread]) = match answer {
                status::NONE => continue,
                status::ID => (outputs.edge_index[lane].into(), outputs.owner.into()),
                status::WAIT => (WAIT_TOKEN.into(), 0),
                _ => (DONE_TOKEN.into(), 0),
            };
            pull.left &= !(1 << thread);
            self.asked &= !(1 << thread);
            match answer {
                status::ID => {
                    pull.has_edge = true;
                    self.held.add(pull.row, 1 << thread);
                    using.active += 1;
                    stats.edges_pulled += 1;
                }
                status::WAIT => stats.waits += 1,
                _ => stats.dones += 1,
            }
        }
        let mut over = self.queue.pop_front_if(|pull| pull.left == 0)?;
        let first = self.rows.first_of(over.op);
        over.edges.rotate_left(first);
        over.owners.rotate_left(first);
        Some(Pulled { op: over.op, lanes: over.threads >> first, values: [over.edges, over.owners] })
    }

    /// Drives the lanes' pins of this cycle, which are low. `pushes` are those on their way, by row.
    pub fn drive(&mut self, shared: &mut Shared, pushes: &[u8]) {
        let inputs = &mut shared.expanders[self.core].inputs;
        if let Some(pull) = self.queue.front().filter(|_| self.asked == 0) {
            let (asks, first) = pass(pull.left, self.lanes);
            self.asked = asks;
            let others = self.held.of(pull.row) & self.rows.lanes_of(pull.op) & !pull.threads;
            inputs.edge_pull = asks >> first;
            inputs.patient = !pull.has_edge && others == 0;
        }
        inputs.edge_leave = self.held.next_pass(pushes).unwrap_or(0);
    }

    /// These threads of a row are done with their edges; gives how many had one.
    pub fn end(&mut self, row: usize, threads: u32) -> u32 {
        self.held.end(row, threads)
    }
}
