//! Functions that call themselves. The expected words come from the same functions in Rust.

use super::runner::{Machine, PRESETS};

const STACK: &str = include_str!("stack.ptx");

fn words(kernel: &str, threads: u32) -> [Vec<u32>; 2] {
    PRESETS.map(|preset| Machine::new(preset, STACK).words(kernel, 2, threads / 2, &[]))
}

fn check(kernel: &str, threads: u32, expected: impl Fn(u32) -> u32) {
    let expected: Vec<_> = (0..threads).map(expected).collect();
    for (found, preset) in words(kernel, threads).iter().zip(PRESETS) {
        assert_eq!(*found, expected, "{preset}");
    }
}

fn fib(n: u32) -> u32 {
    if n < 2 {
        n
    } else {
        fib(n - 1) + fib(n - 2)
    }
}

#[test]
fn a_function_calls_itself() {
    check("fibonacci", 128, |t| fib(t % 13));
}

#[derive(Clone)]
struct Cell {
    tag: i8,
    small: i16,
    value: f64,
    list: [i32; 3],
}

fn descend(mut cell: Cell, above: f64, depth: i32) -> f64 {
    let mine: [f64; 4] = std::array::from_fn(|i| cell.value + i as f64 + above);
    if depth == 0 {
        return mine[(cell.small & 3) as usize] + f64::from(cell.tag) + f64::from(cell.list[2]);
    }
    cell.tag += 1;
    cell.small += 3;
    cell.list[(depth % 3) as usize] += depth;
    let below = descend(cell, mine[(depth & 3) as usize], depth - 1);
    below + mine[1] * 0.5 + above
}

#[test]
fn every_frame_has_its_variables_and_may_point_into_others() {
    check("frames", 64, |t| {
        let cell = Cell { tag: 5, small: t as i16, value: 0.25, list: [1, 2, 3] };
        descend(cell, f64::from(t), t as i32 % 7) as u32
    });
}

#[test]
fn functions_call_each_other() {
    check("parity", 64, |t| 2 * u32::from(t % 2 == 0) + u32::from(t * 3 % 2 == 1));
}

fn visit(which: i32, a: i32, b: i32) -> i32 {
    match which {
        0 => a * 10 + b,
        1 if b > 20 => a,
        1 => visit((a + b) % 3, a + 1, b + 3) * 2,
        _ if b > 20 => b,
        _ => visit(a % 3, a + 2, b + 5) / 2 - 1,
    }
}

#[test]
fn functions_call_through_pointers_what_runs_already() {
    check("pointers", 128, |t| visit(t as i32 % 3, t as i32, t as i32 % 5) as u32);
}

#[test]
fn lanes_sort_parts_of_their_own() {
    for preset in PRESETS {
        let mut machine = Machine::new(preset, STACK);
        let (threads, each) = (64u32, 33u32);
        let numbers: Vec<u32> = (0..threads * each).map(|i| i.wrapping_mul(2_654_435_761) >> 8 & 0xffff).collect();
        let data = machine.gpu.memory_mut().alloc(4 * u64::from(threads * each));
        machine.gpu.memory_mut().write_u32s(data, &numbers).unwrap();
        machine.launch("quicksort", 2, threads / 2, &[data, u64::from(each)]).unwrap();
        let mut expected = numbers;
        expected.chunks_mut(each as usize).for_each(|part| part.sort_unstable());
        assert_eq!(machine.gpu.memory().read_u32s(data, expected.len()).unwrap(), expected, "{preset}");
    }
}

#[test]
fn frames_print_and_allocate() {
    let mut machine = Machine::new(PRESETS[0], STACK);
    assert_eq!(machine.words("chains", 1, 8, &[]), (0..8).map(|t| t * (t + 1) / 2).collect::<Vec<_>>());
    let mut numbers: Vec<u32> = machine.printed().split_whitespace().map(|n| n.parse().unwrap()).collect();
    numbers.sort_unstable();
    let mut expected: Vec<u32> = (0..8).flat_map(|t| 0..=t).collect();
    expected.sort_unstable();
    assert_eq!(numbers, expected);
}

#[test]
fn a_stack_that_is_too_small_is_named_and_a_larger_one_does() {
    let mut machine = Machine::new(PRESETS[0], STACK);
    machine.gpu.set_stack_limit(64 << 10);
    assert_eq!(machine.words("depth", 1, 32, &[1000]), vec![1000; 32]);
    let mut machine = Machine::new(PRESETS[0], STACK);
    let out = machine.gpu.memory_mut().alloc(128);
    let error = machine.launch("depth", 1, 32, &[out, 1000]).unwrap_err().to_string();
    assert!(error.contains("the call stack of a thread has 8192 bytes"), "{error}");
}

#[test]
fn launches_without_time_have_the_same_stack() {
    let mut machine = Machine::new(PRESETS[0], STACK);
    machine.gpu.set_stack_limit(64 << 10);
    let out = machine.gpu.memory_mut().alloc(128);
    let (program, launch) = machine.prepared("depth", 1, 32, &[out, 1000]);
    machine.gpu.run_without_time(&program, &launch).unwrap();
    assert_eq!(machine.gpu.memory().read_u32s(out, 32).unwrap(), [1000; 32]);
}
