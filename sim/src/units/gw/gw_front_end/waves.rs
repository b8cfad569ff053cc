//! Formation of scalar waves in four steps, and the table of waves (6.3.1).

use crate::unit::{rule, Fault};
use crate::units::gw::parameters::{MOST_PLACES, MOST_WAVES};
use crate::units::gw::Parameters;
use std::collections::VecDeque;

/// The group, the pc and the path that the places of a wave have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Key {
    pub group: u8,
    pub pc: u16,
    pub path: u8,
}

/// The oldest wave that does not issue.
#[derive(Clone, Copy, Debug)]
pub struct Offer {
    pub swid: u8,
    pub path: u8,
    pub urgent: bool,
}

/// The members of a wave: places of a group.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wave {
    pub group: u8,
    pub mask: u16,
    pub pc: u16,
}

#[derive(Clone, Debug)]
pub struct Waves {
    parameters: Parameters,
    waves: [Wave; MOST_WAVES],
    paths: [u8; MOST_WAVES],
    /// The slot of each lane, of an issued wave.
    slots: [[Option<u8>; 16]; MOST_WAVES],
    used: u16,
    /// Waves that have not issued, the oldest first.
    open: VecDeque<u8>,
    /// Cycles since the oldest became that.
    age: u8,
    /// It grows older with each step.
    pub ages: bool,

    pub joined: u64,
    pub pointer: u32,
    /// First step: a place.
    pub picked: Option<u32>,
    /// Second step.
    pub key: Option<Key>,
    /// Third step: those that join, and the wave that they would join.
    pub joining: Option<(Key, u64, Option<u8>)>,
    pub table_full: bool,
    /// A wave that was formed to issue at once, and does so in this cycle.
    express: Option<u8>,
    /// Its registers are written in this cycle.
    pub clears: Option<u8>,
}

impl Waves {
    pub fn new(parameters: &Parameters) -> Self {
        Waves {
            parameters: *parameters,
            waves: Default::default(),
            paths: Default::default(),
            slots: Default::default(),
            used: 0,
            open: VecDeque::with_capacity(MOST_WAVES),
            age: 0,
            ages: true,
            joined: 0,
            pointer: 0,
            picked: None,
            key: None,
            joining: None,
            table_full: false,
            express: None,
            clears: None,
        }
    }

    #[inline]
    pub fn wave(&self, swid: u8) -> &Wave {
        &self.waves[swid as usize]
    }

    /// The oldest wave that is not issuing.
    #[inline]
    pub fn offer(&self, issuing: Option<u8>) -> Option<Offer> {
        let swid = *self.open.iter().find(|swid| Some(**swid) != issuing)?;
        let urgent = issuing.is_none() && self.age == self.parameters.age_cap;
        Some(Offer { swid, path: self.paths[swid as usize], urgent })
    }

    /// A cycle without candidates and without inputs changes nothing.
    pub fn is_quiet(&self) -> bool {
        let grows = self.ages && !self.open.is_empty() && self.age < self.parameters.age_cap;
        self.picked.is_none()
            && self.key.is_none()
            && self.joining.is_none()
            && !grows
            && !self.table_full
            && self.clears.is_none()
    }

    pub fn slot(&self, swid: u8, lane: usize) -> Option<u8> {
        self.slots[swid as usize][lane]
    }

    /// The wave issues with these slots.
    pub fn issue(&mut self, swid: u8, slots: [Option<u8>; 16]) -> Result<(), Fault> {
        if self.express.take() != Some(swid) {
            rule(self.open.pop_front() == Some(swid), "gw_front_end: a wave issues that is not the oldest")?;
        }
        self.slots[swid as usize] = slots;
        self.age = 0;
        Ok(())
    }

    pub fn grow_older(&mut self) {
        if !self.ages {
            return;
        }
        self.age = if self.open.is_empty() { 0 } else { self.parameters.age_cap.min(self.age + 1) };
    }

    pub fn end(&mut self, swid: u8) -> Result<(), Fault> {
        let was_issued = self.used >> swid & 1 == 1 && !self.open.contains(&swid);
        rule(was_issued, format_args!("gw_front_end: wave {swid} is done and was not issued"))?;
        self.used &= !(1 << swid);
        Ok(())
    }

    /// The open wave of this key.
    pub fn fitting(&self, key: &Key) -> Option<u8> {
        let fits = |swid: &&u8| self.wave(**swid).pc == key.pc && self.wave(**swid).group == key.group;
        self.open.iter().find(fits).copied()
    }

    /// `members` (lanes of the key's group) join a wave: `fit`, if it has not issued and is not `issuing`. `used`: as the cycle
    /// began.
    pub fn join(&mut self, key: &Key, members: u16, fit: Option<u8>, used: u16, issuing: Option<u8>) -> bool {
        if let Some(swid) = fit.filter(|swid| self.open.contains(swid) && Some(*swid) != issuing) {
            self.waves[swid as usize].mask |= members;
            return true;
        }
        let swid = used.trailing_ones() as usize;
        if swid >= self.parameters.swst {
            self.table_full = true;
            return false;
        }
        self.allocate(swid, key, members);
        self.open.push_back(swid as u8);
        true
    }

    fn allocate(&mut self, swid: usize, key: &Key, mask: u16) {
        self.waves[swid] = Wave { group: key.group, mask, pc: key.pc };
        self.paths[swid] = key.path;
        self.used |= 1 << swid;
    }

    /// A wave of these places issues in the next cycle. It takes the lowest entry that was free as the cycle began.
    pub fn express(&mut self, key: &Key, places: u64, used: u16) -> u8 {
        let swid = used.trailing_ones() as usize;
        self.allocate(swid, key, (places >> (key.group as usize * self.parameters.wave)) as u16);
        self.joined |= places;
        self.express = Some(swid as u8);
        swid as u8
    }

    /// An entry is free.
    pub fn has_entry(&self) -> bool {
        (self.used.trailing_ones() as usize) < self.parameters.swst
    }

    pub fn used(&self) -> u16 {
        self.used
    }
}

/// Places of a group with this pc.
pub fn with_pc(places: u64, pcs: &[u16; MOST_PLACES], pc: u16) -> u64 {
    crate::units::bits::bits(places).fold(0, |all, place| all | ((pcs[place] == pc) as u64) << place)
}
