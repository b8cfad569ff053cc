//! The pins of the baseline's front end as hardware (`core.front_end = "b32"`), `b32_front_end`. Two instructions a cycle and scheduler
//! can be told over.

use super::front_ends::records::Records;
use super::front_ends::{turns, Filled, FrontEnds, FrontPins, UnitFront};
use super::system::Descriptor;
use crate::config::{Config, FrontEndKind, WARPS_PER_SCHEDULER};
use crate::core::back_end::{BackEnd, Notice, World};
use crate::core::issue_outcome::IssueOutcome;
use crate::core::residents::Residents;
use crate::core::warp_set::WarpId;
use crate::core::Kernel;
use crate::launch::RunError;
use crate::units::gw::pins::{B32Answer, B32Done, B32Fill, B32In, B32Out, Offer};
use crate::units::gw::B32FrontEnd;

/// The baseline's front end as hardware, as a system that a configuration can have.
pub static SYSTEM: Descriptor = Descriptor {
    name: "b32",
    is_in: |config| config.core.front_end == FrontEndKind::B32,
    instructions: None,
    counters: |_| {},
    is_ideal: |_| false,
    found: "with core.front_end=b32",
    models: |config| Ok(Box::new(B32System::of_model(config, B32FrontEnd::new(&config.core.b32_parameters())?))),
};

pub type B32System = FrontEnds<B32Pins>;

pub struct B32Pins;

impl FrontPins for B32Pins {
    type In = B32In;
    type Out = B32Out;

    fn new(_: &Config) -> Self {
        B32Pins
    }

    fn records(kernel: &Kernel) -> Result<Records, RunError> {
        Records::of_baseline(kernel)
    }

    fn issue(front: &mut UnitFront<Self>, now: u64, back: &mut BackEnd, kernel: &Kernel, world: &mut World) -> bool {
        let mut moved = false;
        for s in 0..front.schedulers {
            let pins = front.outputs.slices[s];
            let Some(place) = pins.issue.get() else {
                back.set_outcome(s, turns::stall_reason(back, s, pins.ready, kernel));
                continue;
            };
            let (id, pc) = (WarpId::at(s, place as usize), pins.issue_pc);
            if let Err(text) = front.issue_warp(now, id, pc.into(), back, kernel, world) {
                back.notices.push(Notice::FrontEnd { text: format!("scheduler {s}: {text}") });
            }
            back.set_outcome(s, IssueOutcome::Issued);
            moved = true;
        }
        moved
    }

    fn answer(front: &mut UnitFront<Self>, s: usize, places: u64, back: &BackEnd) {
        let place = places.trailing_zeros() as usize;
        let (next, pc) = front.turns.answer(back, WarpId::at(s, place));
        front.inputs.slices[s].answer = Offer::some(B32Answer { place: place as u8, next, pc });
    }

    fn fetch(outputs: &B32Out) -> Option<(u16, u16)> {
        let fetch = outputs.fetch.get()?;
        let entry = usize::from(fetch.scheduler) * WARPS_PER_SCHEDULER + usize::from(fetch.place);
        Some((entry as u16, fetch.line))
    }

    fn drive_fetch(inputs: &mut B32In, filled: Option<Filled>, room: bool) {
        let of_warp = |(entry, records): Filled| {
            let (scheduler, place) =
                (usize::from(entry) / WARPS_PER_SCHEDULER, usize::from(entry) % WARPS_PER_SCHEDULER);
            B32Fill { scheduler: scheduler as u8, place: place as u8, records }
        };
        (inputs.fill, inputs.fetch_room) = (filled.map(of_warp).into(), room);
    }

    fn slice(inputs: &mut B32In, scheduler: usize) -> (&mut u8, &mut u64, &mut u64) {
        let slice = &mut inputs.slices[scheduler];
        (&mut slice.room, &mut slice.start, &mut slice.wake)
    }

    fn has_issued(outputs: &B32Out) -> bool {
        outputs.slices.iter().any(|slice| slice.issue.valid)
    }

    fn tell(front: &mut UnitFront<Self>, s: usize, residents: &mut Residents) -> bool {
        let done = &mut front.inputs.slices[s].done;
        let mut told = 0;
        while told < done.len() {
            let Some(op) = front.retired[s].pop_front() else { break };
            residents.drop_in_flight(op);
            let writes = front.records.writes(op.pc);
            if writes != 0 {
                done[told] = Offer::some(B32Done { place: op.warp.place() as u8, writes });
                told += 1;
            }
        }
        told != 0 || !front.retired[s].is_empty()
    }
}

impl UnitFront<B32Pins> {
    /// Executes an instruction and sends it on its way.
    fn issue_warp(
        &mut self,
        now: u64,
        id: WarpId,
        pc: u32,
        back: &mut BackEnd,
        kernel: &Kernel,
        world: &mut World,
    ) -> Result<(), String> {
        let lanes = turns::lanes(back, id, pc, kernel)?;
        match back.execute_warp(id, pc, lanes, now, kernel, world) {
            Ok(effect) => {
                back.count_issue(id, pc, lanes, &effect, kernel);
                back.dispatch(id, pc, effect, kernel);
                if self.records.has_flow(pc) {
                    self.turns.ask(back, id.scheduler(), id.bit());
                }
            }
            // The launch ends.
            Err(fault) => back.notices.push(Notice::Fault(fault)),
        }
        Ok(())
    }
}
