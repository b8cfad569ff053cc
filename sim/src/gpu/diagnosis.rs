//! Why a kernel does not get on: where its warps are, in which loop, and what they wait for.

use super::watch::{Places, Watch};
use crate::core::scoreboard::Writer;
use crate::core::warp_set::WarpId;
use crate::core::{Core, Kernel};
use crate::exec::fault::LaneMask;
use crate::exec::Arrival;
use crate::ptx::isa::{AtomicOp, Class, Place};
use crate::ptx::loops::{loops, Loop};
use crate::ptx::op::{Atomic, Op};
use std::fmt::Write;

/// Warps that are named one by one.
const NAMED: usize = 16;

/// One line a warp, the first of them: those that run before those that wait.
pub fn diagnose(cores: &[Core], kernel: &Kernel, watch: &Watch) -> String {
    let loops = loops(kernel.program);
    let warps = || cores.iter().flat_map(|core| core.back.residents.all().map(move |(slot, id)| (core, slot, id)));
    let moves = |(core, slot, id): &(&Core, usize, WarpId)| watch.places(core, *slot, *id).is_some();
    let ordered = warps().filter(moves).chain(warps().filter(|warp| !moves(warp)));
    let mut text = String::new();
    for (core, slot, id) in ordered.take(NAMED) {
        let [x, y, z] = core.back.residents.warps[id].info.ctaid;
        let (pc, mut what) = waits_for(core, id, &loops, kernel);
        if let Some(places) = watch.places(core, slot, id).filter(|_| !at_barrier(core, id)) {
            what += &goes_round(core, id, places, &loops, kernel);
        }
        // Writing to a string cannot fail.
        let place = kernel.program.place(pc);
        let _ = write!(text, "\n  core {} warp {slot} (CTA {x},{y},{z}) at {place}: {what}", core.index);
    }
    match warps().count() {
        0 => text.push_str(" no warp"),
        count if count > NAMED => text += &format!("\n  and {} more", count - NAMED),
        _ => {}
    }
    text
}

/// A line for the first warp of which lanes go round a loop that looks at memory while others wait for them, as when these hold a lock.
pub fn lanes_that_wait_for_each_other(cores: &[Core], kernel: &Kernel, watch: &Watch) -> Option<String> {
    let loops = loops(kernel.program);
    let mut warps = cores.iter().flat_map(|core| core.back.residents.all().map(move |(slot, id)| (core, slot, id)));
    warps
        .find_map(|(core, slot, id)| wait_for_each_other(core, slot, id, watch.places(core, slot, id)?, &loops, kernel))
}

fn wait_for_each_other(
    core: &Core,
    slot: usize,
    id: WarpId,
    places: Places,
    loops: &[Loop],
    kernel: &Kernel,
) -> Option<String> {
    let stack = &core.back.residents.warps[id].stack;
    let (pc, running) = stack.top().filter(|_| !at_barrier(core, id))?;
    let body = &whole_loop(pc, places, loops)?.body;
    let code = |pc: &u32| &kernel.program.code[*pc as usize];
    let classes: Vec<_> = body.iter().map(|pc| code(pc).class).collect();
    let waiting = stack.waiting().fold(0, |lanes, waiting| lanes | waiting.lanes);
    if waiting == 0 || !core.back.hints(id, running, &classes).is_empty() {
        return None;
    }
    let of_class = |class| body.iter().copied().find(|pc| code(pc).class == class);
    // A lock is taken by a `cas`, and may be given back by another atomic of the loop.
    let takes = |op: &Op| matches!(op, Op::Atomic(Atomic { op: AtomicOp::Cas, .. }));
    let cas = body.iter().copied().find(|pc| takes(&code(pc).op));
    let (what, at) = match cas.or_else(|| of_class(Class::Atomic)) {
        Some(at) => ("atomic", at),
        None => ("load", of_class(Class::Load)?),
    };
    let (running, waiting, place) = (LaneMask(running), LaneMask(waiting), kernel.program.place(at));
    Some(format!(
        "\n  core {} warp {slot}: {running} repeat the {what} at {place}, and {waiting} of the same warp can only go on behind them: if \
         these hold the lock or set the flag that the others ask for, neither goes on. Lanes of a warp make no progress of their own \
         here, as on GPUs before Volta. Do in the loop what is done under the lock, and let all lanes meet at its end with \
         `__syncwarp()` (docs/programs.md, Locks)",
        core.index
    ))
}

fn at_barrier(core: &Core, id: WarpId) -> bool {
    core.back.residents.sets(id).at_barrier & id.bit() != 0
}

fn waits_for(core: &Core, id: WarpId, loops: &[Loop], kernel: &Kernel) -> (u32, String) {
    let warp = &core.back.residents.warps[id];
    let (sets, bit) = (core.back.residents.sets(id), id.bit());
    let Some((pc, _)) = warp.stack.top() else {
        return (kernel.program.code.len() as u32 - 1, format!("has ended; {} stores on their way", warp.stores));
    };
    if let Some((pc, Arrival { id: number, .. })) = warp.barrier.filter(|_| at_barrier(core, id)) {
        let cta = &core.back.ctas[warp.cta];
        let missing = cta.barriers[number as usize].missing(&cta.live);
        return (pc, format!("waits at barrier {number} for {missing} more warps of its CTA"));
    }
    let what = if sets.in_atomic & bit != 0 {
        format!("waits for {} replies of an atomic", warp.atomics)
    } else if sets.in_fence & bit != 0 {
        format!("waits at a fence for {} stores", warp.stores)
    } else if warp.buffered == 0 && !core.has_front_end_unit() {
        "waits for instructions".into()
    } else {
        match core.back.residents.conflict(id, pc, kernel) {
            Some(Writer::Memory) => format!("waits for data from memory{}", load(core, id, pc, loops, kernel)),
            Some(Writer::Port) => format!("waits for an answer of {}", core.back.asked(id)),
            Some(Writer::Arithmetic) => "waits for a result".into(),
            None => "runs".into(),
        }
    };
    (pc, what)
}

/// The load that a warp at `pc` waits for: one in its loop, or else the nearest before it.
fn load(core: &Core, id: WarpId, pc: u32, loops: &[Loop], kernel: &Kernel) -> String {
    let code = &kernel.program.code;
    let is_load = |class| matches!(class, Class::Load | Class::System(Place::LoadStore) | Class::Atomic);
    let waited_for = |slot: &u16| {
        let (reads, writes) = (code[pc as usize].reads, code[pc as usize].writes);
        let touched = reads.as_slice().contains(slot) || writes.as_slice().contains(slot);
        touched && core.back.residents.scoreboard.is_from_memory(core.back.residents.slot(id), *slot)
    };
    let writes_it = |at: &u32| {
        let instr = &code[*at as usize];
        is_load(instr.class) && instr.writes.as_slice().iter().any(waited_for)
    };
    let mut around = loops.iter().filter(|l| l.contains(pc)).flat_map(|l| l.body.iter().copied());
    let found = around.find(writes_it).or_else(|| (0..pc).rev().find(writes_it));
    found.map_or(String::new(), |at| format!(" (the load at {})", kernel.program.place(at)))
}

/// The smallest loop that has all places where a warp at `pc` was seen lately, or else `pc` alone.
fn whole_loop(pc: u32, places: Places, loops: &[Loop]) -> Option<&Loop> {
    let whole = loops.iter().find(|l| [places.first, places.last, pc].iter().all(|pc| l.contains(*pc)));
    whole.or_else(|| loops.iter().find(|l| l.contains(pc)))
}

/// The smallest loop that has all places where a warp was seen lately, and which of its lanes wait for those that run.
fn goes_round(core: &Core, id: WarpId, places: Places, loops: &[Loop], kernel: &Kernel) -> String {
    let stack = &core.back.residents.warps[id].stack;
    let Some((pc, running)) = stack.top() else { return String::new() };
    let Some(found) = whole_loop(pc, places, loops) else { return String::new() };
    let mut text = format!(", goes round the loop of {} with {}", found.place(kernel.program), LaneMask(running));
    for (i, waiting) in stack.waiting().enumerate() {
        let separator = if i == 0 { "; waiting for them:" } else { "," };
        text += &format!("{separator} {} at {}", LaneMask(waiting.lanes), kernel.program.place(waiting.pc));
    }
    let body: Vec<_> = found.body.iter().map(|pc| kernel.program.code[*pc as usize].class).collect();
    text += &core.back.hints(id, running, &body);
    text
}
