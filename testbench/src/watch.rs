//! Who hears how far long work is, and who may end it: the command that this process runs.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// An ear for lines of progress, and a flag that ends the work.
#[derive(Clone)]
pub struct Watch {
    tell: Arc<dyn Fn(&str) + Send + Sync>,
    interrupt: Arc<AtomicBool>,
}

static OF_THIS_PROCESS: OnceLock<Watch> = OnceLock::new();

impl Watch {
    /// `tell` gets lines of progress, several a second. Work stops with [`crate::Error::Interrupted`] soon after `interrupt`
    /// has become true.
    pub fn new(tell: impl Fn(&str) + Send + Sync + 'static, interrupt: Arc<AtomicBool>) -> Self {
        Watch { tell: Arc::new(tell), interrupt }
    }

    /// From now on this watch is [`Watch::of_this_process`]. A process runs one command, and the first call counts.
    pub fn set_for_this_process(self) {
        OF_THIS_PROCESS.get_or_init(|| self);
    }

    /// Watch that the command has set; without a command nobody hears anything.
    pub fn of_this_process() -> Self {
        OF_THIS_PROCESS.get().cloned().unwrap_or_else(|| Watch::new(|_| {}, Arc::default()))
    }

    pub(crate) fn say(&self, line: &str) {
        (self.tell)(line);
    }

    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }

    pub(crate) fn interrupt(&self) -> &AtomicBool {
        &self.interrupt
    }
}
