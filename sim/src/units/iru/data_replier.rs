//! `data_replier`: answers the cores' requests with the elements of a complete set, or after a timeout with those of the
//! fullest ones (3.2.2). A request that cannot be served here goes to a partition that has elements to spare.

use super::element::LINE;
use super::pins::{BankBeat, BankView, DataReplierIn, DataReplierOut, Reply, TakeOrder, Token};
use super::Parameters;
use crate::unit::{Fault, Interface, Unit};
use crate::units::parameter::ParameterError;
use crate::units::pins::interface;
use crate::units::prim::queue::Fifo;
use std::collections::VecDeque;

/// Beats of the reply FIFO.
const BEATS: usize = 4;
/// Cycles after a request was forwarded in which none is.
const PAUSE: u8 = 8;
/// Cycles after `start` in which what is said about the end is of the job before.
const START: u8 = 4;
/// Bits of a request that say how many lanes ask, less one.
const LANES: u16 = LINE as u16 - 1;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Wait,
    /// `take` of this bank is high.
    Take(usize, TakeOrder),
    /// Until the bank's last beat has come.
    Drain(usize, TakeOrder),
}

/// An action on the head request in WAIT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    /// From a bank's complete set.
    TakeComplete(usize, TakeOrder),
    /// From a bank's fullest set.
    TakeBest(usize, TakeOrder),
    /// To this partition.
    Forward(u8),
    /// No element will come any more.
    Close,
}

#[derive(Clone, Debug, Default)]
pub struct DataReplier {
    parameters: Parameters,
    input: Option<u16>,
    requests: Fifo<u16>,
    state: State,
    /// Lanes of the head request that have been served here.
    served: u8,
    age: u32,
    /// Cycles until a request may be forwarded.
    pause: u8,
    /// Cycles until `ending` counts.
    starting: u8,
    /// Bank whose complete set was taken last.
    last: usize,
    replies: VecDeque<Reply>,
    token: Option<Token>,
    rich: bool,
}

/// Inputs of a replier in a cycle.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReplierCycle {
    pub request: Option<u16>,
    pub token: Option<Token>,
    pub own: u8,
    pub rich: u8,
    pub start: bool,
    pub ending: bool,
    pub all_empty: bool,
    pub reply_ready: bool,
}

impl DataReplier {
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        parameters.check(&spec::iru::DATA_REPLIER)?;
        Ok(Self::empty(parameters))
    }

    fn empty(parameters: &Parameters) -> Self {
        DataReplier {
            parameters: *parameters,
            requests: Fifo::new(parameters.requests),
            last: 1,
            replies: VecDeque::with_capacity(BEATS),
            ..Default::default()
        }
    }

    pub(super) fn request_ready(&self) -> bool {
        self.input.is_none()
    }

    pub(super) fn token(&self) -> &Option<Token> {
        &self.token
    }

    pub(super) fn is_rich(&self) -> bool {
        self.rich
    }

    pub(super) fn take(&self, bank: usize) -> Option<TakeOrder> {
        match self.state {
            State::Take(b, order) if b == bank => Some(order),
            _ => None,
        }
    }

    pub(super) fn beat_room(&self) -> bool {
        self.replies.len() <= 1
    }

    pub(super) fn reply(&self) -> Option<&Reply> {
        self.replies.front()
    }

    /// No request, no reply and no token: nothing to do until one comes.
    pub(super) fn is_at_rest(&self) -> bool {
        self.input.is_none()
            && self.requests.is_empty()
            && self.replies.is_empty()
            && self.token.is_none()
            && !self.rich
            && (self.pause, self.starting) == (0, 0)
    }

    fn left(&self, head: u16) -> u8 {
        (head & LANES) as u8 + 1 - self.served
    }

    /// An order for as many of a set's elements as the head asks for.
    fn order(&self, head: u16, set: u32, elements: u8) -> TakeOrder {
        TakeOrder { set, count: self.left(head).min(elements) }
    }

    fn take_complete(&self, head: u16, banks: &[BankView; 2]) -> Option<Action> {
        let offers = |b: &usize| banks[*b].complete.valid && banks[*b].take_ready;
        let bank = [1 - self.last, self.last].into_iter().find(offers)?;
        Some(Action::TakeComplete(bank, self.order(head, banks[bank].complete.item, LINE as u8)))
    }

    fn take_best(&self, head: u16, banks: &[BankView; 2]) -> Option<Action> {
        let elements = |b: usize| if banks[b].take_ready { banks[b].best_count } else { 0 };
        let bank = (elements(1) > elements(0)) as usize;
        let view = &banks[bank];
        (elements(bank) > 0).then(|| Action::TakeBest(bank, self.order(head, view.best_set, view.best_count)))
    }

    fn forward(&self, cycle: &ReplierCycle, banks: &[BankView; 2]) -> Option<Action> {
        let complete = banks.iter().any(|bank| bank.complete.valid);
        let slot_is_taken = cycle.token.is_some_and(|token| token.destination != cycle.own);
        let no_room = self.served > 0 && !self.beat_room();
        if complete || slot_is_taken || self.pause > 0 || no_room {
            return None;
        }
        let partitions = self.parameters.partitions as u8;
        let others = (1..partitions).map(|steps| (cycle.own + steps) % partitions);
        others.into_iter().find(|q| cycle.rich >> q & 1 == 1).map(Action::Forward)
    }

    /// The action on `head`: the first rule that holds.
    fn decide(&self, head: u16, cycle: &ReplierCycle, banks: &[BankView; 2]) -> Option<Action> {
        if let Some(action) = self.take_complete(head, banks) {
            return Some(action);
        }
        let ending = self.counts_as_ending(cycle);
        if self.age == self.parameters.timeout || ending {
            if let Some(action) = self.take_best(head, banks) {
                return Some(action);
            }
            if banks.iter().any(|bank| bank.best_count > 0) {
                return None;
            }
        }
        let close = ending && cycle.all_empty && self.beat_room();
        self.forward(cycle, banks).or_else(|| close.then_some(Action::Close))
    }

    fn counts_as_ending(&self, cycle: &ReplierCycle) -> bool {
        cycle.ending && self.starting == 0
    }

    /// Executes the action; true if the head leaves.
    fn act(&mut self, action: Action, head: u16) -> bool {
        match action {
            Action::TakeComplete(bank, order) => {
                self.last = bank;
                self.state = State::Take(bank, order);
                false
            }
            Action::TakeBest(bank, order) => {
                self.state = State::Take(bank, order);
                false
            }
            Action::Forward(destination) => {
                let request = head & !LANES | (self.left(head) - 1) as u16;
                self.token = Some(Token { destination, request });
                self.pause = PAUSE;
                if self.served > 0 {
                    self.replies.push_back(Reply { request: head, end: true, ..Default::default() });
                }
                true
            }
            Action::Close => {
                self.replies.push_back(Reply { request: head, end: true, last: true, ..Default::default() });
                true
            }
        }
    }

    /// A beat of the take `order`; true if it completes the head.
    fn receive(&mut self, beat: &BankBeat, order: &TakeOrder, head: u16) -> bool {
        let completes = beat.last && order.count == self.left(head);
        self.replies.push_back(Reply {
            request: head,
            mask: beat.mask,
            end: completes,
            last: completes,
            elements: beat.elements,
        });
        if beat.last {
            self.served += order.count;
            self.state = State::Wait;
        }
        completes
    }

    /// It has elements that no request here asks for.
    fn has_to_spare(&self, cycle: &ReplierCycle, banks: &[BankView; 2]) -> bool {
        let waits = self.state == State::Wait && self.input.is_none() && self.requests.is_empty();
        let ending = self.counts_as_ending(cycle);
        waits && banks.iter().any(|bank| if ending { bank.best_count > 0 } else { bank.complete.valid })
    }

    /// The edge.
    pub(super) fn step(&mut self, cycle: &ReplierCycle, banks: &[BankView; 2]) -> Result<(), Fault> {
        let head = self.requests.head();
        let action = head.filter(|_| self.state == State::Wait).and_then(|head| self.decide(head, cycle, banks));
        self.rich = self.has_to_spare(cycle, banks);
        if cycle.reply_ready {
            self.replies.pop_front();
        }
        self.token = cycle.token.filter(|token| token.destination != cycle.own);
        self.pause = self.pause.saturating_sub(1);
        self.starting = if cycle.start { START } else { self.starting.saturating_sub(1) };
        let head_leaves = head.is_some_and(|head| self.serve(action, head, banks));
        self.age = if head.is_some() { (self.age + 1).min(self.parameters.timeout) } else { self.age };
        if head_leaves {
            (self.age, self.served) = (0, 0);
        }
        self.accept(cycle, head_leaves)
    }

    /// The head's part of the edge; true if it leaves.
    fn serve(&mut self, action: Option<Action>, head: u16, banks: &[BankView; 2]) -> bool {
        match self.state {
            State::Wait => action.is_some_and(|action| self.act(action, head)),
            State::Take(bank, order) => {
                self.state = State::Drain(bank, order);
                false
            }
            State::Drain(bank, order) => {
                let beat = &banks[bank].beat;
                beat.valid && self.receive(&beat.item, &order, head)
            }
        }
    }

    /// The queue's part of the edge.
    fn accept(&mut self, cycle: &ReplierCycle, head_leaves: bool) -> Result<(), Fault> {
        let token = cycle.token.filter(|token| token.destination == cycle.own);
        let was_ready = self.input.is_none();
        let push = token.map(|token| token.request).or_else(|| self.input.take());
        self.requests.clock(push, head_leaves)?;
        if was_ready {
            self.input = cycle.request;
        }
        Ok(())
    }
}

impl Unit for DataReplier {
    type In = DataReplierIn;
    type Out = DataReplierOut;

    fn interface(&self) -> Interface {
        interface::<Self::In, Self::Out, _>(&self.parameters)
    }

    fn outputs(&self) -> DataReplierOut {
        DataReplierOut {
            request_ready: self.request_ready(),
            token: self.token.into(),
            rich: self.rich,
            takes: [0, 1].map(|bank| self.take(bank).into()),
            beat_room: self.beat_room(),
            reply: self.reply().copied().into(),
        }
    }

    fn clock(&mut self, pins: &DataReplierIn) -> Result<(), Fault> {
        let cycle = ReplierCycle {
            request: pins.request.get(),
            token: pins.token.get(),
            own: pins.partition,
            rich: pins.rich,
            start: pins.start,
            ending: pins.ending,
            all_empty: pins.all_empty,
            reply_ready: pins.reply_ready,
        };
        self.step(&cycle, &pins.banks)
    }

    fn reset(&mut self) {
        *self = Self::empty(&self.parameters);
    }
}

#[cfg(test)]
mod tests;
