//! The host's side of a worklist (HWWL, II-A to II-C and III): its memory, what the kernels get of it, and the turn from one
//! launch to the next. Kernels see it through `kernels/worklist.h`.

use super::session::Session;
use super::{Params, Variant, WorkloadError};
use crate::units::hwwl::pins::LINE_IDS;

/// Threads a CTA.
pub const BLOCK: u32 = 256;
/// Most lines of a core's part of the overflow buffer, of a number that can be halved for the two sides.
const MAX_LINES: usize = u16::MAX as usize - 1;

/// An array of IDs and the word that says how many they are.
#[derive(Clone, Copy, Debug)]
struct List {
    ids: u64,
    count: u64,
}

pub enum Worklist {
    /// Two lists, to pull from and to push to.
    Software { pull: List, push: List },
    /// The units; address and bytes of the overflow buffer.
    Hardware { buffer: u64, bytes: u64 },
}

impl Worklist {
    /// The worklist of a variant, empty, with room for `ids` work IDs on each side, or on its only side.
    pub fn new(session: &mut Session, variant: Variant, ids: usize) -> Result<Self, WorkloadError> {
        match variant {
            Variant::Hwwl => Ok(Self::hardware(session, 2 * ids.div_ceil(LINE_IDS))),
            Variant::HwwlSingle => Ok(Self::hardware(session, ids.div_ceil(LINE_IDS))),
            _ => Self::software(session, ids),
        }
    }

    fn software(session: &mut Session, ids: usize) -> Result<Self, WorkloadError> {
        let mut list = || List { ids: session.alloc(ids), count: session.alloc(1) };
        let (pull, push) = (list(), list());
        session.write(pull.count, &[0])?;
        session.write(push.count, &[0])?;
        Ok(Worklist::Software { pull, push })
    }

    /// Every core has as many lines: all work may come to one of them. Should the most that a core can have be too little,
    /// the run says so.
    fn hardware(session: &mut Session, lines: usize) -> Self {
        let ids = lines.clamp(1, MAX_LINES) * LINE_IDS * session.gpu().config().core.count;
        Worklist::Hardware { buffer: session.alloc(ids), bytes: 4 * ids as u64 }
    }

    /// What the parameters of a data-driven kernel begin with.
    pub fn params(&self) -> Params {
        let params = Params::default();
        match *self {
            Worklist::Software { pull, push } => params.u64(pull.ids).u64(pull.count).u64(push.ids).u64(push.count),
            Worklist::Hardware { buffer, bytes } => params.u64(buffer).u64(bytes),
        }
    }

    /// After a launch: what it pushed is to be pulled now. Gives the IDs there are. The units exchange their sides
    /// themselves.
    pub fn turn(&mut self, session: &mut Session) -> Result<u64, WorkloadError> {
        let Worklist::Software { pull, push } = self else { return Ok(session.gpu().worklist_count()) };
        std::mem::swap(pull, push);
        let work = session.read_word(pull.count)? as u64;
        if work > 0 {
            session.write(push.count, &[0])?;
        }
        Ok(work)
    }

    /// CTAs for so many IDs: in software one thread each; in hardware as many threads as the GPU has room for, which stay
    /// until no work is left.
    pub fn ctas(&self, session: &Session, work: u64) -> u32 {
        match self {
            Worklist::Software { .. } => work.div_ceil(BLOCK as u64) as u32,
            Worklist::Hardware { .. } => persistent_ctas(session),
        }
    }
}

/// As many CTAs as the cores have room for at a time.
pub fn persistent_ctas(session: &Session) -> u32 {
    let core = &session.gpu().config().core;
    (core.count * (core.max_warps * core.warp_size / BLOCK as usize).max(1)) as u32
}
