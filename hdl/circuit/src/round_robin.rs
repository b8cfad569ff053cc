//! Round-robin pick: the first high bit at or behind the place that is next, wrapping around. It works on whole vectors, so
//! that N places are a few lines.
//!
//! ```text
//!  requests --+--[ & later ]--[ up to ]--|\
//!             |        ^                 | |-- from the first on --+--[ & not behind ]-- chosen
//!             +-----------[ up to ]------|/                        +--[ one place up ]-- behind --[r]-- later
//! ```
//!
//! "Up to" is a prefix network: of each place, whether it or one before it requests. Choice and next turn come from the same
//! network. The state is a mask of the place that is next and all behind it; a mask without a bit, as after reset, means place 0.

use super::net::{Builder, Net};

/// The one of N places that is next.
#[derive(Clone, Copy)]
pub struct RoundRobin<'a> {
    builder: &'a Builder,
    /// None: place 0 is always next.
    later: Option<Net<'a>>,
}

/// The place that was picked.
#[derive(Clone, Copy)]
pub struct Pick<'a> {
    /// The place alone, named `<name>_chosen`; 0 if nothing was requested.
    pub chosen: Net<'a>,
    /// All places behind it, named `<name>_behind`.
    pub behind: Net<'a>,
    /// All places from the first one on, of all and of those in turn; and whether none is in turn.
    from_all: Net<'a>,
    in_turn: Option<(Net<'a>, Net<'a>)>,
}

impl<'a> Pick<'a> {
    /// The picked place is one of `places`. Both candidates are compared before the pick is known.
    pub fn is_one_of(self, places: Net<'a>) -> Net<'a> {
        let is_first = |from: Net<'a>| (from & !from.up() & places).any();
        match self.in_turn {
            None => is_first(self.from_all),
            Some((from, wraps)) => is_first(from) | (wraps & is_first(self.from_all)),
        }
    }
}

impl<'a> RoundRobin<'a> {
    /// The register `<name>_later` of `places` bits.
    pub fn new(builder: &'a Builder, name: &str, places: usize) -> Self {
        Self { builder, later: Some(builder.register(format!("{name}_later"), places)) }
    }

    /// No turn: the lowest place is always first.
    pub fn lowest(builder: &'a Builder) -> Self {
        Self { builder, later: None }
    }

    /// The first of `requests` (with a name) by round robin.
    pub fn pick(self, name: &str, requests: Net<'a>) -> Pick<'a> {
        let from = |first: Net<'a>, what: &str| match first.width() {
            1 => first,
            _ => first.up_to().name(format!("{name}_{what}")),
        };
        let in_turn = self.later.map(|later| {
            let later = (requests & later).name(format!("{name}_in_turn"));
            let wraps = (!later.any()).name(format!("{name}_wraps"));
            (from(later, "from_in_turn"), wraps)
        });
        let from_all = from(requests, "from_all");
        let from_first = match in_turn {
            None => from_all,
            Some((from, wraps)) => {
                (from | (wraps.repeat(requests.width()) & from_all)).name(format!("{name}_from_first"))
            }
        };
        let behind = from_first.up().name(format!("{name}_behind"));
        let chosen = (from_first & !behind).name(format!("{name}_chosen"));
        Pick { chosen, behind, from_all, in_turn }
    }

    /// This state for groups of `size` adjacent places, to pick from: `<name>_later`.
    pub fn of_groups(self, name: &str, size: usize) -> Self {
        let of_groups = |later: Net<'a>| {
            let each: Vec<_> = (size - 1..later.width()).step_by(size).map(|last| later.bit(last)).collect();
            self.builder.bits(&each).name(format!("{name}_later"))
        };
        Self { later: self.later.map(of_groups), ..self }
    }

    /// While `moves`, the first place of `behind`, which has all places behind a pick, becomes next.
    pub fn pass(self, moves: Net<'a>, behind: Net<'a>) {
        if let Some(later) = self.later {
            later.drive(moves.mux(behind, later));
        }
    }

    /// A pass with `behind` low while it `holds`: the late signal has half the load.
    pub fn pass_or_hold(self, behind: Net<'a>, holds: Net<'a>) {
        if let Some(later) = self.later {
            later.drive(behind | (holds.repeat(later.width()) & later));
        }
    }
}

/// The number of the one bit of `chosen` (with a name, at most 64 bits), in `bits` bits.
pub fn number<'a>(b: &'a Builder, chosen: Net<'a>, bits: usize) -> Net<'a> {
    let places = |bit: usize| (0..chosen.width()).filter(|p| p >> bit & 1 == 1).fold(0, |mask, p| mask | 1 << p);
    let bit = |bit: usize| match places(bit) {
        0 => b.low(),
        mask => (chosen & b.constant(mask, chosen.width())).any(),
    };
    b.bits(&(0..bits).map(bit).collect::<Vec<_>>())
}
