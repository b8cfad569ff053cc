//! The storage without reuse, an ablation: every warp has an entry of its own, of one line; entry w is warp w's. Nothing is
//! shared, so there are no links and no references. A warp asks for another line only when all instructions of its line have
//! issued.

use super::storage::{Answer, Look, Wishes};
use crate::unit::{rule, Fault};
use crate::units::gw::gw_record::Record;
use crate::units::gw::parameters::MOST_SCHEDULERS;
use crate::units::gw::pins::{Ask, Fetch, Fill};
use crate::units::gw::Parameters;

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    line: Option<u16>,
    is_filled: bool,
    records: [Record; 2],
}

#[derive(Clone, Debug)]
pub struct PrivateStorage {
    parameters: Parameters,
    /// By warp.
    entries: Vec<Entry>,
    answers: [Answer; MOST_SCHEDULERS],
    fetch: Option<Fetch>,
}

impl PrivateStorage {
    pub fn new(parameters: &Parameters) -> Self {
        PrivateStorage {
            parameters: *parameters,
            entries: vec![Entry::default(); parameters.warps],
            answers: Default::default(),
            fetch: None,
        }
    }

    pub fn answer(&self, scheduler: usize) -> Answer {
        self.answers[scheduler]
    }

    pub fn fetch(&self) -> &Option<Fetch> {
        &self.fetch
    }

    pub fn record(&self, entry: u16, pc: u16) -> Record {
        self.entries[entry as usize].records[pc as usize & 1]
    }

    /// A cycle with all inputs low changes nothing.
    pub fn is_quiet(&self) -> bool {
        self.fetch.is_none() && self.answers.iter().all(|answer| *answer == Answer::None)
    }

    /// The edge. `ask`: that of the arbiter; `room`: a fetch can be asked for in this cycle.
    pub fn clock(
        &mut self,
        wishes: &[Wishes; MOST_SCHEDULERS],
        ask: &Option<Ask>,
        room: bool,
        fill: Option<Fill>,
    ) -> Result<(), Fault> {
        self.fetch = None;
        if let Some(fill) = fill {
            let entry = &mut self.entries[fill.entry as usize];
            let is_pending = entry.line.is_some() && !entry.is_filled;
            rule(is_pending, format_args!("gw_front_end: a fill of {}, which is not pending", fill.entry))?;
            (entry.is_filled, entry.records) = (true, fill.records.map(Record::unpack));
        }
        for (s, wish) in wishes[..self.parameters.schedulers].iter().enumerate() {
            self.answers[s] = wish.look.map_or(Answer::None, |look| self.look_up(s, &look));
        }
        if let Some(ask) = ask.filter(|_| room) {
            self.ask(&ask)?;
        }
        Ok(())
    }

    fn look_up(&self, scheduler: usize, look: &Look) -> Answer {
        let warp = self.parameters.warp_at(scheduler, look.place as usize);
        match self.entries[warp] {
            Entry { line, .. } if line != Some(look.line) => Answer::Miss,
            Entry { is_filled: true, .. } => Answer::Hit(warp as u16),
            _ => Answer::Pending(warp as u16),
        }
    }

    fn ask(&mut self, ask: &Ask) -> Result<(), Fault> {
        let Ask { scheduler, place, line } = *ask;
        let warp = self.parameters.warp_at(scheduler as usize, place as usize);
        let entry = &mut self.entries[warp];
        if entry.line != Some(line) {
            let is_free = entry.line.is_none() || entry.is_filled;
            rule(is_free, format_args!("gw_front_end: warp {warp} asks for a line while it waits for another"))?;
            *entry = Entry { line: Some(line), ..Entry::default() };
            self.fetch = Some(Fetch { entry: warp as u16, line });
        }
        Ok(())
    }
}
