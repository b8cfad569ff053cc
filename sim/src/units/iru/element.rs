//! Treatment of elements, as the units were told.

use crate::unit::{rule, Fault};
use spec::iru::pins::JobPins;

pub use spec::iru::element::{Access, Bundle, Element, Placed, BEAT, GROUP, INDEX_BITS, INDEX_MASK, LINE};

/// The treatment of elements with the same index that meet in a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Filter {
    /// They stay apart.
    #[default]
    None,
    /// One stays, with the smallest secondary (unsigned) and its position.
    Minimum,
    /// One stays, with the sum of the secondaries (fp32) and the position of the first.
    Addition,
}

impl Filter {
    /// From the pins: 0, 1 or 2.
    pub fn from_pins(code: u8) -> Result<Self, Fault> {
        rule(code < 3, format_args!("iru: filter is {code}"))?;
        Ok([Filter::None, Filter::Minimum, Filter::Addition][code as usize])
    }

    pub fn to_pins(self) -> u8 {
        self as u8
    }
}

/// The arguments of `configure_iru`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Job {
    /// First lines of the arrays: address / 128.
    pub index_line: u32,
    pub secondary_line: u32,
    pub with_secondary: bool,
    /// Elements: 1 to 2^24.
    pub count: u32,
    pub access: Access,
    pub filter: Filter,
}

impl Job {
    /// `start` with this job.
    pub fn start(&self) -> JobPins {
        let Job { index_line, secondary_line, with_secondary, count, access, filter } = *self;
        JobPins { start: true, index_line, secondary_line, with_secondary, count, access, filter: filter.to_pins() }
    }

    /// The job that starts in this cycle.
    ///
    /// # Errors
    /// A filter that there is not.
    pub fn of_pins(pins: &JobPins) -> Result<Option<Self>, Fault> {
        let JobPins { start, index_line, secondary_line, with_secondary, count, access, filter } = *pins;
        if !start {
            return Ok(None);
        }
        let filter = Filter::from_pins(filter)?;
        Ok(Some(Job { index_line, secondary_line, with_secondary, count, access, filter }))
    }
}
