//! A lock-step whose RTL follows the model on a thread of its own.
//!
//! The model's outputs go on at once: the model does not wait for the RTL. Inputs and expected outputs of some cycles are a chunk, which goes to
//! the thread that clocks the RTL and compares. A follower is a bounded number of chunks behind; then the model waits for it.
//!
//! Reports do not depend on how fast the threads are. A chunk that is known to have a fault is known as late as the
//! bound allows. Then all units of the group are waited for, and the one whose fault has the lowest cycle reports it; of units with the
//! same cycle, the first.

use crate::follower::{Follow, Follower, UnderTest};
use crate::lockstep::Lockstep;
use crate::tally::Tally;
use crate::trace::Subject;
use sim::unit::{words, Fault, Unit};
use std::fmt;
use std::path::Path;
use std::sync::mpsc::{channel, Receiver, Sender};
use std::sync::{Arc, Mutex, MutexGuard};

/// Cycles of a full chunk.
const CHUNK: usize = 256;

/// Chunks that a follower may be behind.
const BEHIND: usize = 4;

/// Cycles in order: whether each is a reset, its inputs, and the outputs of the next one.
#[derive(Default)]
struct Chunk {
    resets: Vec<bool>,
    words: Vec<u64>,
    /// The rule that the model's inputs break behind these cycles, which are the last words.
    refused: Option<Fault>,
    /// The follower's answer: the fault is in this chunk or in one before.
    has_fault: bool,
}

/// The end of the model: what is not sent yet, and what is under way.
struct Outbox {
    chunk: Chunk,
    to_follower: Sender<Chunk>,
    from_follower: Receiver<Chunk>,
    /// Chunks that came back.
    free: Vec<Chunk>,
    under_way: usize,
    has_fault: bool,
}

impl Outbox {
    #[inline]
    fn push(&mut self, reset: bool, inputs: &[u64], outputs: &[u64]) {
        self.chunk.resets.push(reset);
        self.chunk.words.extend_from_slice(inputs);
        self.chunk.words.extend_from_slice(outputs);
        if self.chunk.resets.len() == CHUNK {
            self.send();
        }
    }

    fn send(&mut self) {
        if self.under_way == BEHIND {
            self.wait();
        }
        let next = self.free.pop().unwrap_or_default();
        let full = std::mem::replace(&mut self.chunk, next);
        self.to_follower.send(full).expect(ALIVE);
        self.under_way += 1;
    }

    /// For the oldest chunk under way.
    fn wait(&mut self) {
        let chunk = self.from_follower.recv().expect(ALIVE);
        self.under_way -= 1;
        self.has_fault |= chunk.has_fault;
        self.free.push(chunk);
    }

    /// Until all cycles are compared.
    fn settle(&mut self) {
        if !self.chunk.resets.is_empty() || self.chunk.refused.is_some() {
            self.send();
        }
        while self.under_way > 0 {
            self.wait();
        }
    }
}

const ALIVE: &str = "a follower goes on until its chunks end";

/// The follower's thread.
fn follow<B: UnderTest>(
    mut follower: Follower<B>,
    words: [usize; 2],
    from_model: &Receiver<Chunk>,
    back: &Sender<Chunk>,
) {
    let [inputs, outputs] = words;
    for mut chunk in from_model {
        let cycles = chunk.resets.iter().zip(chunk.words.chunks(inputs + outputs));
        for (reset, words) in cycles {
            follower.step(*reset, &words[..inputs], &words[inputs..]);
        }
        if let Some(rule) = chunk.refused.take() {
            let last = chunk.resets.len() * (inputs + outputs);
            follower.refuse(&chunk.words[last..], rule);
        }
        chunk.resets.clear();
        chunk.words.clear();
        chunk.has_fault = !follower.is_healthy();
        // The model may be gone.
        let _ = back.send(chunk);
    }
}

struct Member {
    outbox: Mutex<Outbox>,
    tally: Arc<Tally>,
}

impl Member {
    #[inline]
    fn outbox(&self) -> MutexGuard<'_, Outbox> {
        self.outbox.lock().expect(ALIVE)
    }
}

/// The units of a GPU whose followers are waited for together.
#[derive(Clone, Default)]
pub struct Group(Arc<Mutex<Vec<Arc<Member>>>>);

impl fmt::Debug for Group {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Group of {}", self.members().len())
    }
}

impl Group {
    fn members(&self) -> MutexGuard<'_, Vec<Arc<Member>>> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Tallies of the members, when all of them have compared all cycles.
    pub fn tallies(&self) -> Vec<Arc<Tally>> {
        let members = self.members();
        members.iter().for_each(|member| member.outbox().settle());
        members.iter().map(|member| member.tally.clone()).collect()
    }

    /// The tally with the fault of the lowest cycle, when all members have compared all cycles.
    pub fn first_fault(&self) -> Option<Arc<Tally>> {
        let faulty = self.tallies().into_iter().filter(|tally| tally.faulty_cycle().is_some());
        faulty.min_by_key(|tally| tally.faulty_cycle())
    }
}

/// The RTL that follows a model, seen from the model.
pub struct Trail {
    member: Arc<Member>,
    group: Group,
}

impl<A: Unit> Lockstep<A, Trail> {
    /// Model and RTL straight after reset, as a further member of `group`. A difference leaves its files in `directory`, named after
    /// the subject's module and seed.
    pub fn trailing<B: UnderTest + Send + 'static>(
        model: A,
        rtl: B,
        subject: Subject,
        directory: &Path,
        group: &Group,
    ) -> Self {
        let interface = model.interface();
        let sizes = [words(&interface.inputs), words(&interface.outputs)];
        let mut follower = Follower::new(rtl, interface, subject, directory, 0);
        Self::over(model, |outputs| {
            follower.compare(outputs);
            let tally = follower.tally();
            let (to_follower, from_model) = channel();
            let (to_model, from_follower) = channel();
            let has_fault = !follower.is_healthy();
            std::thread::spawn(move || follow(follower, sizes, &from_model, &to_model));
            let outbox = Outbox {
                chunk: Chunk::default(),
                to_follower,
                from_follower,
                free: Vec::with_capacity(BEHIND),
                under_way: 0,
                has_fault,
            };
            let member = Arc::new(Member { outbox: Mutex::new(outbox), tally });
            group.members().push(member.clone());
            Trail { member, group: group.clone() }
        })
    }
}

impl Follow for Trail {
    #[inline]
    fn step(&mut self, reset: bool, inputs: &[u64], expected: &[u64]) -> bool {
        let mut outbox = self.member.outbox();
        if !outbox.has_fault {
            outbox.push(reset, inputs, expected);
        }
        !outbox.has_fault
    }

    #[cold]
    fn refuse(&mut self, inputs: &[u64], rule: Fault) {
        let mut outbox = self.member.outbox();
        outbox.chunk.words.extend_from_slice(inputs);
        outbox.chunk.refused = Some(rule);
        outbox.settle();
    }

    fn fault(&self) -> Option<String> {
        let first = self.group.first_fault()?;
        Arc::ptr_eq(&first, &self.member.tally).then(|| first.fault())?
    }
}
