//! `printf`, `assert`, `malloc` and `free` in kernels.

use super::runner::{Machine, PRESETS};
use sim::exec::Cause;
use sim::gpu::RunError;

const SYSTEM: &str = include_str!("system.ptx");

fn cause(error: RunError) -> Cause {
    match error {
        RunError::Fault(fault) => fault.details().cause.clone(),
        other => panic!("{other}"),
    }
}

#[test]
fn every_thread_prints_its_line_and_lanes_print_in_their_order() {
    for preset in PRESETS {
        let mut machine = Machine::new(preset, SYSTEM);
        let counts = machine.words("hello", 2, 48, &[u64::from(1.5f32.to_bits())]);
        let odd = |t: u32| t % 2 == 1;
        assert_eq!(counts, (0..96).map(|t| if odd(t) { 5 } else { 0 }).collect::<Vec<_>>());
        let line = |t: u32| match odd(t) {
            true => format!("{t}: {:.2} ab{} x 1099511627776", 1.5 * t as f64, (b'c' + (t % 8) as u8) as char),
            false => "even".to_string(),
        };
        let printed = machine.printed();
        let mut sorted: Vec<_> = printed.lines().collect();
        let position = |text: &str| sorted.iter().position(|line| line.starts_with(text)).unwrap();
        assert!((0..3).all(|lane| position(&format!("{}:", 2 * lane + 1)) < position(&format!("{}:", 2 * lane + 3))));
        let mut expected: Vec<_> = (0..96).map(line).collect();
        sorted.sort_unstable();
        expected.sort_unstable();
        assert_eq!(sorted, expected);
        assert_eq!(machine.printed(), "");
    }
}

#[test]
fn a_full_buffer_keeps_the_newest_text() {
    let mut machine = Machine::new(PRESETS[0], SYSTEM);
    machine.gpu.memory_mut().output.set_limit(100);
    machine.launch("fill", 1, 1, &[25]).unwrap();
    let printed = machine.gpu.memory_mut().output.take();
    let expected: String = (15..25).map(|i| format!("line {i:4}\n")).collect();
    assert_eq!((String::from_utf8(printed.text).unwrap(), printed.lost), (expected, 15));
}

#[test]
fn a_print_is_a_store_of_16_bytes_a_lane() {
    let mut machine = Machine::new(PRESETS[0], SYSTEM);
    let [one, two] = [1, 2].map(|lines| machine.launch("fill", 1, 32, &[lines]).unwrap());
    // The stores of the arguments to the thread's own memory: that of `i`, and the two parameters of the call.
    assert_eq!(two.core.stores - one.core.stores, 4);
}

#[test]
fn a_failed_assertion_names_its_place_and_thread() {
    let mut machine = Machine::new(PRESETS[0], SYSTEM);
    machine.launch("require", 2, 64, &[127]).unwrap();
    let error = machine.launch("require", 2, 64, &[100]).unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains(
            "CTA (1,0,0), thread (37,0,0): system.cu:23: void require(int): assertion `thread <= most` failed"
        ),
        "{text}"
    );
    assert!(matches!(cause(error), Cause::Assert { at: 23, .. }));
}

#[test]
fn lists_live_in_the_heap_over_launches() {
    for preset in PRESETS {
        let mut machine = Machine::new(preset, SYSTEM);
        let heads = machine.gpu.memory_mut().alloc(8 * 64);
        machine.launch("lists", 2, 32, &[heads, 9]).unwrap();
        let out = machine.gpu.memory_mut().alloc(4 * 64);
        machine.launch("sums", 2, 32, &[heads, out]).unwrap();
        let expected: Vec<u32> = (0..64).map(|t| (0..9).step_by(2).map(|i| t * 1000 + i).sum()).collect();
        assert_eq!(machine.gpu.memory().read_u32s(out, 64).unwrap(), expected);
    }
}

#[test]
fn an_exhausted_heap_gives_null() {
    let mut machine = Machine::new(PRESETS[0], SYSTEM);
    assert!(machine.gpu.memory_mut().device_heap.set_limit(16 * 3));
    let heads = machine.gpu.memory_mut().alloc(8);
    machine.launch("lists", 1, 1, &[heads, 9]).unwrap();
    let out = machine.gpu.memory_mut().alloc(4);
    machine.launch("sums", 1, 1, &[heads, out]).unwrap();
    assert_eq!(machine.gpu.memory().read_u32s(out, 1).unwrap(), [2 + 4]);
    assert!(!machine.gpu.memory_mut().device_heap.set_limit(1 << 20), "blocks live there");
}

#[test]
fn what_was_freed_is_gone() {
    for (kernel, text) in [("twice", "it may have been freed already"), ("after", "lie in no allocation")] {
        let mut machine = Machine::new(PRESETS[0], SYSTEM);
        let block = machine.gpu.memory_mut().alloc(8);
        let error = machine.launch(kernel, 1, 1, &[block]).unwrap_err().to_string();
        assert!(error.contains(text), "{error}");
    }
}
