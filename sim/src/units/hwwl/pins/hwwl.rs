//! Pins of `hwwl`, the worklist of all cores.

use super::core::pulled_ids;
use super::hvu::{memory_inputs, memory_outputs};
use super::{each, flag, group, length, Group, MemoryIn, MemoryOut, Word, COUNT_BITS, ID_BITS, MAX_LANES};
use crate::unit::{Interface, Pin, Pins};

group! {
    /// Inputs of one core of `hwwl`.
    HwwlCoreIn {
        init_base: u32,
        init_lines: u16,
        pull: u32,
        push: u32,
        leave: u32,
        memory: MemoryIn,
        push_id: [u32; MAX_LANES],
    }
}

group! {
    /// Outputs of one core of `hwwl`.
    HwwlCoreOut {
        /// Two bits a lane, see [`status`](super::status).
        status: u64,
        push_ready: bool,
        overflow: bool,
        pending: bool,
        count: u32,
        pull_part: bool,
        double_mode: bool,
        memory: MemoryOut,
        id: [u32; MAX_LANES],
    }
}

impl HwwlCoreIn {
    /// No request; IDs that go with none stay as they are.
    pub fn clear(&mut self) {
        (self.pull, self.push, self.leave) = (0, 0, 0);
        (self.memory.mem_ready, self.memory.line_valid) = (false, false);
    }
}

impl HwwlCoreOut {
    pub fn status(&self, lane: usize) -> u64 {
        self.status >> (2 * lane) & 3
    }
}

/// Inputs of `hwwl`. Made with [`HwwlIn::new`]: how many cores there are does not follow from the number of words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HwwlIn {
    pub configure: bool,
    pub double: bool,
    pub init: bool,
    pub kernel_end: bool,
    pub cores: Vec<HwwlCoreIn>,
}

/// Outputs of `hwwl`. Made with [`HwwlOut::new`] for the same reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HwwlOut {
    /// IDs in the hub.
    pub held: u8,
    pub cores: Vec<HwwlCoreOut>,
}

/// Words that all cores share.
const COMMON_IN: usize = 4;
const COMMON_OUT: usize = 1;

impl HwwlIn {
    /// All low.
    pub fn new(cores: usize) -> Self {
        HwwlIn { cores: vec![HwwlCoreIn::default(); cores], ..Default::default() }
    }

    /// No request; IDs that go with none stay as they are.
    pub fn clear(&mut self) {
        (self.configure, self.init, self.kernel_end) = (false, false, false);
        self.cores.iter_mut().for_each(HwwlCoreIn::clear);
    }
}

impl HwwlOut {
    /// All low.
    pub fn new(cores: usize) -> Self {
        HwwlOut { held: 0, cores: vec![HwwlCoreOut::default(); cores] }
    }
}

/// Words of one core, and lanes, if `cores` cores take `words` words.
fn shape<G: Group>(words: usize, cores: usize) -> (usize, usize) {
    assert!(cores > 0, "pins of hwwl are made with `new` or `for_pins`");
    let each = words / cores;
    let lanes = super::number::<G>(each);
    assert!(length::<G>(lanes) * cores == words, "words of another number of cores");
    (each, lanes)
}

impl Pins for HwwlIn {
    fn for_pins(pins: &[Pin]) -> Self {
        HwwlIn::new(pins.iter().filter(|pin| pin.name.starts_with("init_base_")).count())
    }

    fn store(&self, words: &mut [u64]) {
        let (common, rest) = words.split_at_mut(COMMON_IN);
        common.copy_from_slice(&[self.configure, self.double, self.init, self.kernel_end].map(Word::to_word));
        let (each, lanes) = shape::<HwwlCoreIn>(rest.len(), self.cores.len());
        for (words, core) in rest.chunks_exact_mut(each).zip(&self.cores) {
            core.put(words, lanes);
        }
    }

    fn load(&mut self, words: &[u64]) {
        let (common, rest) = words.split_at(COMMON_IN);
        let flags = [&mut self.configure, &mut self.double, &mut self.init, &mut self.kernel_end];
        for (flag, word) in flags.into_iter().zip(common) {
            *flag = Word::from_word(*word);
        }
        let (each, lanes) = shape::<HwwlCoreIn>(rest.len(), self.cores.len());
        for (words, core) in rest.chunks_exact(each).zip(&mut self.cores) {
            core.get(words, lanes);
        }
    }
}

impl Pins for HwwlOut {
    fn for_pins(pins: &[Pin]) -> Self {
        HwwlOut::new(pins.iter().filter(|pin| pin.name.starts_with("status_")).count())
    }

    fn store(&self, words: &mut [u64]) {
        let (common, rest) = words.split_at_mut(COMMON_OUT);
        common[0] = self.held as u64;
        let (each, lanes) = shape::<HwwlCoreOut>(rest.len(), self.cores.len());
        for (words, core) in rest.chunks_exact_mut(each).zip(&self.cores) {
            core.put(words, lanes);
        }
    }

    fn load(&mut self, words: &[u64]) {
        let (common, rest) = words.split_at(COMMON_OUT);
        self.held = common[0] as u8;
        let (each, lanes) = shape::<HwwlCoreOut>(rest.len(), self.cores.len());
        for (words, core) in rest.chunks_exact(each).zip(&mut self.cores) {
            core.get(words, lanes);
        }
    }
}

/// The pin as that of core `core`: its name and the names in its conditions get the suffix.
fn of_core(mut pin: Pin, core: usize) -> Pin {
    pin.name += &format!("_{core}");
    for condition in &mut pin.valid_if {
        condition.pin += &format!("_{core}");
    }
    pin
}

pub fn hwwl_interface(cores: usize, lanes: usize) -> Interface {
    let l = lanes as u32;
    let mut core_in = vec![
        Pin::new("init_base", 32),
        Pin::new("init_lines", 16),
        Pin::new("pull", l),
        Pin::new("push", l),
        Pin::new("leave", l),
    ];
    core_in.extend(memory_inputs());
    core_in.extend(each("push_id", lanes, ID_BITS));
    let mut core_out = vec![
        Pin::new("status", 2 * l),
        flag("push_ready"),
        flag("overflow"),
        flag("pending"),
        Pin::new("count", COUNT_BITS),
        flag("pull_part"),
        flag("double_mode"),
    ];
    core_out.extend(memory_outputs());
    core_out.extend(pulled_ids(lanes));
    let mut inputs = vec![flag("configure"), flag("double_buffer"), flag("init"), flag("kernel_end")];
    let mut outputs = vec![Pin::new("held", 7)];
    for core in 0..cores {
        inputs.extend(core_in.iter().map(|pin| of_core(pin.clone(), core)));
        outputs.extend(core_out.iter().map(|pin| of_core(pin.clone(), core)));
    }
    Interface { inputs, outputs }
}
