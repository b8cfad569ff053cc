//! Memory instructions as the checks see them.

use super::check::LaneAccess;
use super::effect::AccessKind;
use super::lanes::each;
use super::state_space::MemoryInstruction;
use crate::ptx::isa::Space;
use crate::ptx::op::Store;

/// Bytes that a thread stores at most with an instruction.
const MOST_STORED: usize = 32;

impl MemoryInstruction<'_, '_, '_, '_> {
    /// Checks an access that comes next, in one space. What lies outside of the memory is for others.
    #[cold]
    #[inline(never)]
    pub(super) fn check(&mut self, space: Space, lanes: u32, store: Option<&Store>) {
        let Some(mut checker) = self.spaces.global.checker.take() else { return };
        for lane in each(lanes) {
            let access = &self.scratch.access;
            let (address, bytes, kind) = (access.address[lane], access.bytes as usize, access.kind);
            let (program, pc, warp) = (self.lanes.program, self.pc, self.warp);
            let access = LaneAccess { program, pc, warp, lane, space, address, bytes, kind };
            let uninitialised = checker.checks.uninitialised;
            match (space, self.view(space, lane, address, bytes)) {
                (Space::Shared, Ok(old)) => {
                    let new = store.map(|store| self.stored(store, lane));
                    checker.shared(&access, self.spaces.shared.len(), new.as_ref().map(|new| (&new[..bytes], old)));
                }
                (Space::Global, Ok(_)) if uninitialised && self.reads_new_memory(&access) => {
                    checker.uninitialised(&access);
                }
                (Space::Local, Ok(_)) if uninitialised => checker.local(&access),
                _ => {}
            }
        }
        self.spaces.global.checker = Some(checker);
    }

    /// The access reads device memory that nobody has written.
    fn reads_new_memory(&self, access: &LaneAccess) -> bool {
        access.reads() && self.spaces.global.is_unwritten(access.address, access.bytes)
    }

    /// A lane's own memory is written by the system: the result of a call.
    #[cold]
    #[inline(never)]
    pub(super) fn note_result(&mut self, lane: usize, address: u64, bytes: usize) {
        let (program, pc, warp, space) = (self.lanes.program, self.pc, self.warp, Space::Local);
        let access = LaneAccess { program, pc, warp, lane, space, address, bytes, kind: AccessKind::Write };
        if let Some(checker) = &mut self.spaces.global.checker {
            checker.local(&access);
        }
    }

    /// Bytes that a lane stores.
    fn stored(&self, store: &Store, lane: usize) -> [u8; MOST_STORED] {
        let (mut bytes, size) = ([0; MOST_STORED], usize::from(store.element_bytes));
        for (element, src) in bytes.chunks_exact_mut(size).zip(store.src).take(usize::from(store.count)) {
            element.copy_from_slice(&self.lanes.row(src)[lane].to_le_bytes()[..size]);
        }
        bytes
    }
}
