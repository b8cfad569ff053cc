//! Requests and tokens of cores and other partitions to a partition, and the replies to them.

use super::handshake::{Sink, Source};
use crate::stimulus::{Chance, Rng};
use sim::units::iru::element::LINE;
use sim::units::iru::pins::{Offer, Reply, Token};
use sim::units::iru::Parameters;

/// A part of a reply that has come as a whole.
pub struct Part {
    pub elements: u32,
    pub lanes: u32,
}

#[derive(Default)]
pub struct Requests {
    partitions: u32,
    most: usize,
    /// Requests of which one has one lane, one any number of them, and all others have 32.
    kinds: u32,
    pub cores: Source,
    number: u16,
    /// Requests of cores and of tokens that are inside.
    pub outstanding: usize,
    /// The token that goes on round the ring in the next cycle.
    pub passes: Option<Token>,
    pub was_rich: u8,
    replies: Sink<Reply>,
    /// Elements of the part that is being taken.
    got: u32,
    /// Cycles for which nobody has asked any more, at the end of a job.
    pub rest: u32,
}

impl Requests {
    pub fn new(parameters: &Parameters, kinds: u32) -> Self {
        let (partitions, most) = (parameters.partitions as u32, parameters.requests);
        Requests { partitions, most, kinds, ..Default::default() }
    }

    pub fn reset(&mut self) {
        let Requests { partitions, most, kinds, number, .. } = *self;
        *self = Requests { partitions, most, kinds, number, ..Default::default() };
    }

    fn request(&mut self, rng: &mut Rng) -> u16 {
        let lanes = [0, rng.below(32) as u16, 31][rng.below(self.kinds).min(2) as usize];
        self.number = self.number.wrapping_add(1);
        self.number << 5 | lanes
    }

    /// True: a core asks in this cycle.
    pub fn ask(&mut self, rng: &mut Rng, asks: Chance, pins: &mut Offer<u16>, ready: bool) -> bool {
        let may = self.rest == 0 && self.outstanding < self.most;
        let asks = may && !self.cores.waits() && asks.happens(rng);
        let next = asks.then(|| self.request(rng));
        self.outstanding += usize::from(asks);
        self.cores.put(pins, ready, || next);
        asks
    }

    /// True: a token for the partition, which is `own`, comes in this cycle.
    pub fn token(&mut self, rng: &mut Rng, comes: Chance, pins: &mut Offer<Token>, own: u8) -> bool {
        pins.valid = self.rest == 0 && comes.happens(rng);
        let destination = rng.below(self.partitions) as u8;
        let is_here = destination == own;
        pins.valid &= !is_here || self.outstanding < self.most;
        if pins.valid {
            *pins = Offer::some(Token { destination, request: self.request(rng) });
        }
        self.passes = pins.get().filter(|_| !is_here);
        self.outstanding += usize::from(pins.valid && is_here);
        pins.valid && is_here
    }

    /// The token that the partition sends: that which passes, or else one of its own. True: it forwards a request.
    pub fn observe_token(&mut self, token: Option<Token>, own: u8) -> Result<bool, String> {
        if self.passes.is_some() {
            let passed = token == self.passes;
            return passed.then_some(false).ok_or_else(|| format!("{:x?} does not go on: {token:x?}", self.passes));
        }
        let Some(token) = token else { return Ok(false) };
        if token.destination == own || self.was_rich >> token.destination & 1 == 0 {
            return Err(format!("{token:x?} is not for a rich partition"));
        }
        self.outstanding = self.outstanding.checked_sub(1).ok_or("more are forwarded than came")?;
        Ok(true)
    }

    /// The beat of a reply that is taken in this cycle.
    pub fn take(&mut self, pins: &Offer<Reply>, ready: bool) -> Result<Option<Reply>, String> {
        self.replies.take(pins, ready)
    }

    /// The part that ends with this beat.
    pub fn receive(&mut self, reply: &Reply) -> Result<Option<Part>, String> {
        self.got += reply.mask.count_ones();
        let lanes = u32::from(reply.request) % LINE as u32 + 1;
        if self.got > lanes || reply.last && !reply.end {
            return Err(format!("{reply:x?} with {} elements", self.got));
        }
        if reply.last {
            self.outstanding = self.outstanding.checked_sub(1).ok_or("more replies than requests")?;
        }
        Ok(reply.end.then(|| Part { elements: std::mem::take(&mut self.got), lanes }))
    }
}
