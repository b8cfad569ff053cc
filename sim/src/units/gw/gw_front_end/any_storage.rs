//! The storage of instructions, shared by all warps or without reuse.

use super::private_storage::PrivateStorage;
use super::storage::{Answer, Storage, Wishes};
use crate::unit::Fault;
use crate::units::gw::gw_record::Record;
use crate::units::gw::parameters::MOST_SCHEDULERS;
use crate::units::gw::pins::{Ask, Fetch, Fill};
use crate::units::gw::Parameters;

#[derive(Clone, Debug)]
pub enum AnyStorage {
    Shared(Storage),
    Private(PrivateStorage),
}

impl AnyStorage {
    pub fn new(parameters: &Parameters) -> Self {
        if parameters.reuse {
            AnyStorage::Shared(Storage::new(parameters))
        } else {
            AnyStorage::Private(PrivateStorage::new(parameters))
        }
    }

    #[inline]
    pub fn answer(&self, scheduler: usize) -> Answer {
        match self {
            AnyStorage::Shared(storage) => storage.answer(scheduler),
            AnyStorage::Private(storage) => storage.answer(scheduler),
        }
    }

    pub fn fetch(&self) -> &Option<Fetch> {
        match self {
            AnyStorage::Shared(storage) => storage.fetch(),
            AnyStorage::Private(storage) => storage.fetch(),
        }
    }

    /// The entry that was replaced in the previous cycle.
    pub fn replaced(&self) -> Option<u16> {
        self.fetch().map(|fetch| fetch.entry)
    }

    pub fn full(&self) -> bool {
        matches!(self, AnyStorage::Shared(storage) if storage.full())
    }

    #[inline]
    pub fn link(&self, entry: u16) -> Option<u16> {
        match self {
            AnyStorage::Shared(storage) => storage.link(entry),
            AnyStorage::Private(_) => None,
        }
    }

    #[inline]
    pub fn record(&self, entry: u16, pc: u16) -> Record {
        match self {
            AnyStorage::Shared(storage) => storage.record(entry, pc),
            AnyStorage::Private(storage) => storage.record(entry, pc),
        }
    }

    /// The arbiter's ask can be dealt with in this cycle, as far as the storage is concerned.
    pub fn takes(&self) -> bool {
        match self {
            AnyStorage::Shared(storage) => storage.takes(),
            AnyStorage::Private(_) => true,
        }
    }

    /// A cycle with all inputs low changes nothing.
    pub fn is_quiet(&self) -> bool {
        match self {
            AnyStorage::Shared(storage) => storage.is_quiet(),
            AnyStorage::Private(storage) => storage.is_quiet(),
        }
    }

    /// The edge. `ask`: that of the arbiter; `room`: a fetch can be asked for in this cycle.
    pub fn clock(
        &mut self,
        wishes: &[Wishes; MOST_SCHEDULERS],
        ask: &Option<Ask>,
        room: bool,
        fill: Option<Fill>,
    ) -> Result<(), Fault> {
        match self {
            AnyStorage::Shared(storage) => storage.clock(wishes, ask.map(|ask| ask.line), room, fill),
            AnyStorage::Private(storage) => storage.clock(wishes, ask, room, fill),
        }
    }
}
