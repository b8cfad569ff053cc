//! Building a model takes minutes at most: it says how far it is, and Ctrl-C ends it.

use crate::progress::Progress;
use std::sync::atomic::AtomicBool;
use std::sync::Arc;
use testbench::watch::Watch;

/// From now on, what is built for `job` says so on `progress`, and ends when `interrupt` becomes true.
pub fn watch(progress: &Arc<Progress>, job: usize, interrupt: &Arc<AtomicBool>) {
    let progress = progress.clone();
    Watch::new(move |line| progress.say(job, line.into()), interrupt.clone()).set_for_this_process();
}
