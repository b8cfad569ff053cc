//! Special registers.

use super::lanes::Lanes;
use super::warp::WarpInfo;
use crate::ptx::isa::{Slot, WARP_SIZE};
use crate::ptx::op::SpecialRegister;

/// Writes the low `bits` of a special register.
pub fn read(lanes: &mut Lanes, dst: Slot, register: SpecialRegister, bits: u8, warp: &WarpInfo) {
    let mask = u64::MAX >> (64 - bits);
    let mut write = |value: &dyn Fn(u32) -> u64| {
        lanes.write(dst, &std::array::from_fn(|lane| value(lane as u32) & mask));
    };
    let value = match register {
        SpecialRegister::Tid(axis) => return write(&|lane| u64::from(warp.tid(lane)[axis as usize])),
        SpecialRegister::LaneId => return write(&u64::from),
        SpecialRegister::LaneMaskEq => return write(&at),
        SpecialRegister::LaneMaskLt => return write(&below),
        SpecialRegister::LaneMaskLe => return write(&|lane| below(lane) | at(lane)),
        SpecialRegister::LaneMaskGe => return write(&|lane| ALL & !below(lane)),
        SpecialRegister::LaneMaskGt => return write(&|lane| ALL & !below(lane) & !at(lane)),
        SpecialRegister::Ntid(axis) => u64::from(warp.ntid[axis as usize]),
        SpecialRegister::Ctaid(axis) => u64::from(warp.ctaid[axis as usize]),
        SpecialRegister::Nctaid(axis) => u64::from(warp.nctaid[axis as usize]),
        SpecialRegister::WarpId => u64::from(warp.warp_slot),
        SpecialRegister::NumWarpId => u64::from(warp.warp_slots),
        SpecialRegister::GridWarpId => u64::from(warp.number_in_grid()),
        SpecialRegister::SmId => u64::from(warp.core),
        SpecialRegister::NumSmId => u64::from(warp.cores),
        SpecialRegister::Clock => u64::from(warp.clock as u32),
        SpecialRegister::ClockHigh => warp.clock >> 32,
        SpecialRegister::Clock64 => warp.clock,
        SpecialRegister::GlobalTimer => warp.nanoseconds(),
        SpecialRegister::GlobalTimerLow => u64::from(warp.nanoseconds() as u32),
        SpecialRegister::GlobalTimerHigh => warp.nanoseconds() >> 32,
        SpecialRegister::GridId => warp.grid,
        SpecialRegister::DynamicSharedBytes => u64::from(warp.dynamic_shared_bytes),
        SpecialRegister::TotalSharedBytes => u64::from(lanes.program.shared_bytes + warp.dynamic_shared_bytes),
    };
    lanes.write(dst, &[value & mask; WARP_SIZE]);
}

const ALL: u64 = u32::MAX as u64;

fn at(lane: u32) -> u64 {
    1 << lane
}

fn below(lane: u32) -> u64 {
    at(lane) - 1
}
