//! `iru_partition`: prefetcher, classifier, ring stop, two banks and data replier of one memory partition (3.2).

use super::data_replier::ReplierCycle;
use super::element::{Access, Filter, Job};
use super::pins::{
    BankView, CoreIn, CoreOut, IruPartitionIn, IruPartitionOut, Offer, RingIn, RingOut, BANK_0, BANK_1, CCW, CW,
};
use super::reorder_bank::BankCycle;
use super::ring_stop::Passing;
use super::{Classifier, DataReplier, Parameters, Prefetcher, ReorderBank, RingStop};
use crate::unit::{Fault, Interface, Unit};
use crate::units::parameter::ParameterError;
use crate::units::pins::interface;

#[derive(Clone, Debug)]
pub struct IruPartition {
    parameters: Parameters,
    prefetcher: Prefetcher,
    classifier: Classifier,
    stop: RingStop,
    banks: [ReorderBank; 2],
    replier: DataReplier,
    access: Access,
    filter: Filter,
    quiet: bool,
    vacant: bool,
}

impl IruPartition {
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        parameters.check(&spec::iru::IRU_PARTITION)?;
        Ok(IruPartition {
            parameters: *parameters,
            prefetcher: Prefetcher::new(parameters)?,
            classifier: Classifier::new(parameters)?,
            stop: RingStop::new(parameters)?,
            banks: [ReorderBank::new(parameters)?, ReorderBank::new(parameters)?],
            replier: DataReplier::new(parameters)?,
            access: Access::default(),
            filter: Filter::None,
            quiet: false,
            vacant: false,
        })
    }

    /// No set holds anything.
    fn is_vacant(&self) -> bool {
        self.banks.iter().all(|bank| bank.count() == 0)
    }

    /// Nothing is on its way to a set.
    fn is_quiet(&self) -> bool {
        self.prefetcher.done()
            && self.classifier.is_empty()
            && self.stop.is_empty()
            && self.banks.iter().all(ReorderBank::is_idle)
    }

    /// Nothing will change at the pins until something comes.
    pub(super) fn is_at_rest(&self) -> bool {
        let banks_rest = self.banks.iter().all(|bank| bank.take_ready() && bank.merged() == 0);
        self.quiet && self.vacant && self.is_quiet() && self.is_vacant() && banks_rest && self.replier.is_at_rest()
    }

    #[inline]
    pub(super) fn show_core(&self, pins: &mut CoreOut) {
        pins.line.show(self.prefetcher.request());
        pins.request_ready = self.replier.request_ready();
        pins.reply.valid = false;
        if let Some(reply) = self.replier.reply() {
            pins.reply = Offer::some(*reply);
        }
        pins.merged = self.banks[0].merged() | self.banks[1].merged() << self.parameters.bundle;
    }

    #[inline]
    pub(super) fn show_ring(&self, pins: &mut RingOut) {
        for d in 0..2 {
            pins.arrival_ready[d] = self.stop.arrival_ready(d);
            pins.link[d].show(self.stop.link(d));
        }
        pins.token.show(self.replier.token());
        pins.rich = self.replier.is_rich();
        (pins.quiet, pins.vacant) = (self.quiet, self.vacant);
    }

    fn view(&self, b: usize) -> BankView {
        let bank = &self.banks[b];
        let (best_set, best_count) = bank.best();
        BankView {
            complete: bank.complete().into(),
            best_set,
            best_count,
            take_ready: bank.take_ready(),
            beat: (*bank.beat()).into(),
        }
    }

    /// The edge.
    pub(super) fn step(&mut self, start: Option<&Job>, own: u8, core: &CoreIn, ring: &RingIn) -> Result<(), Fault> {
        (self.quiet, self.vacant) = (self.is_quiet(), self.is_vacant());
        let views = [self.view(0), self.view(1)];
        let bank_cycles = [0, 1].map(|b| BankCycle {
            local: self.classifier.ways()[BANK_0 + b].as_ref(),
            ring: [0, 1].map(|d| self.stop.bank(d, b).as_ref()),
            take: self.replier.take(b),
            beat_room: self.replier.beat_room(),
        });
        let passing = [0, 1].map(|d| Passing {
            arrival: ring.arrival[d].peek(),
            local: self.classifier.ways()[CW + d].as_ref(),
            link_ready: ring.link_ready[d],
            bank_ready: [0, 1].map(|b| self.banks[b].ring_ready(d)),
        });
        let mut way_ready = [false; 4];
        way_ready[BANK_0] = self.banks[0].local_ready();
        way_ready[BANK_1] = self.banks[1].local_ready();
        way_ready[CW] = self.stop.local_ready(0);
        way_ready[CCW] = self.stop.local_ready(1);
        let replier = ReplierCycle {
            request: core.request.get(),
            token: ring.token.get(),
            own,
            rich: ring.rich,
            start: start.is_some(),
            ending: ring.ending,
            all_empty: ring.all_empty,
            reply_ready: core.reply_ready,
        };

        // Against the flow, so that each sees where it is what the one before it shows.
        for (bank, cycle) in self.banks.iter_mut().zip(&bank_cycles) {
            bank.step(cycle, self.filter)?;
        }
        self.replier.step(&replier, &views)?;
        self.stop.step(&passing)?;
        let group_ready = self.classifier.group_ready();
        self.classifier.step(self.prefetcher.group().as_ref(), &self.access, own, way_ready);
        self.prefetcher.step(start, own, core.mem_ready, &core.sector, group_ready)?;
        if let Some(job) = start {
            (self.access, self.filter) = (job.access, job.filter);
        }
        Ok(())
    }
}

impl Unit for IruPartition {
    type In = IruPartitionIn;
    type Out = IruPartitionOut;

    fn interface(&self) -> Interface {
        interface::<Self::In, Self::Out, _>(&self.parameters)
    }

    fn outputs(&self) -> IruPartitionOut {
        let mut pins = IruPartitionOut::default();
        self.sample(&mut pins);
        pins
    }

    fn sample(&self, pins: &mut IruPartitionOut) {
        self.show_core(&mut pins.core);
        self.show_ring(&mut pins.ring);
    }

    fn clock(&mut self, pins: &IruPartitionIn) -> Result<(), Fault> {
        self.step(Job::of_pins(&pins.job)?.as_ref(), pins.partition, &pins.core, &pins.ring)
    }

    fn reset(&mut self) {
        *self = Self::new(&self.parameters).expect("parameters that were checked");
    }
}
