//! The front end (sections 6.1 to 6.3): the next two instructions of a warp are looked up and checked while
//! earlier ones wait or execute.
//!
//! `docs/gw/front_end.md` says what these blocks do, cycle by cycle.
//!
//! ```text
//!  cycle   0        1         2        3         4       5
//!        choose, address,   read,   compare,   pick,   issue
//!        \___ chooser ___/ decoder  slots,    windows  issued
//!                                   forms     picker
//! ```

pub mod answers;
pub mod chooser;
pub mod decoder;
pub mod forms;
pub mod issued;
pub mod line_ahead;
pub mod links;
pub mod look_ups;
pub mod picker;
pub mod place_pcs;
pub mod place_states;
pub mod places;
pub mod record;
pub mod references;
pub mod scheduler;
pub mod slot_lists;
pub mod slots;
pub mod storage;
pub mod storage_control;
pub mod tags;
pub mod wants;
pub mod wave_former;
pub mod wave_table;
pub mod windows;

/// K: instructions of a pair that write registers and are not done.
pub const SLOTS: usize = 8;

/// Bits of the number of a slot.
pub const SLOT_BITS: usize = 3;

/// Slots of a pair that are free before an instruction of it is chosen: two checks may be on their way before it.
pub const FREE_SLOTS: usize = 3;
