//! Every operator against ordinary arithmetic, the printed text, and what is refused.

use hdl::circuit::{Circuit, Value, Wire};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use verilog::print;
use verilog::rules::Breach;
use verilog::tree::Port;

fn mask(width: usize) -> u128 {
    u128::MAX >> (128 - width)
}

struct Wide(u128);

impl Value for Wide {
    fn store(self, words: &mut [u64]) {
        words.iter_mut().enumerate().for_each(|(i, w)| *w = (self.0 >> (64 * i)) as u64);
    }

    fn load(words: &[u64]) -> Self {
        Wide(words.iter().enumerate().map(|(i, &w)| (w as u128) << (64 * i)).sum())
    }
}

/// Value of a node made of two inputs, each of which is a width and a value.
fn evaluate(a: (usize, u128), b: (usize, u128), node: impl Fn(&mut Circuit, Wire, Wire) -> Wire) -> u128 {
    let mut c = Circuit::default();
    let (x, y) = (c.input("x", a.0), c.input("y", b.0));
    let z = node(&mut c, x, y);
    c.set(x, Wide(a.1));
    c.set(y, Wide(b.1));
    c.step(false, false);
    c.get::<Wide>(z).0
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..Default::default() })]

    #[test]
    fn operators_of_any_width(width in 1usize..=128, a: u128, b: u128, equal: bool, place: usize, part: usize) {
        let (a, b) = (a & mask(width), if equal { a } else { b } & mask(width));
        let op = |node: &dyn Fn(&mut Circuit, Wire, Wire) -> Wire| evaluate((width, a), (width, b), node);
        prop_assert_eq!(op(&|c, x, _| c.not(x)), !a & mask(width));
        prop_assert_eq!(op(&|c, x, y| c.and(x, y)), a & b);
        prop_assert_eq!(op(&|c, x, y| c.or(x, y)), a | b);
        prop_assert_eq!(op(&|c, x, y| c.xor(x, y)), a ^ b);
        prop_assert_eq!(op(&|c, x, y| c.add(x, y)), a.wrapping_add(b) & mask(width));
        prop_assert_eq!(op(&|c, x, y| c.sub(x, y)), a.wrapping_sub(b) & mask(width));
        prop_assert_eq!(op(&|c, x, y| c.add_tree(x, y)), a.wrapping_add(b) & mask(width));
        prop_assert_eq!(op(&|c, x, y| c.eq(x, y)), (a == b) as u128);
        prop_assert_eq!(op(&|c, x, y| c.lt(x, y)), (a < b) as u128);
        prop_assert_eq!(op(&|c, x, y| c.lt_tree(x, y)), (a < b) as u128);
        prop_assert_eq!(op(&|c, x, _| c.any(x)), (a != 0) as u128);
        let up_to = |at: usize| ((a & mask(at + 1) != 0) as u128) << at;
        prop_assert_eq!(op(&|c, x, _| c.up_to(x)), (0..width).map(up_to).sum::<u128>());
        prop_assert_eq!(op(&|c, x, _| c.first_one(x)), if a == 0 { 0 } else { 1 << a.trailing_zeros() });
        prop_assert_eq!(op(&|c, x, _| c.ones(x)), a.count_ones() as u128);
        let (few, bits) = (1 + place % 16, (1 + place % 16).ilog2() + 1);
        let counts = |at: usize| ((a & mask(at + 1)).count_ones() as u128) << (at as u32 * bits);
        let ones_up_to = evaluate((few, a & mask(few)), (1, 0), |c, x, _| c.ones_up_to(x));
        prop_assert_eq!(ones_up_to, (0..few).map(counts).sum::<u128>());
        let lsb = place % width;
        let part = 1 + part % (width - lsb);
        prop_assert_eq!(op(&|c, x, _| c.slice(x, lsb, part)), a >> lsb & mask(part));
        let mux = |c: &mut Circuit, x: Wire, y: Wire| {
            let select = c.bit(x, lsb);
            c.mux(select, x, y)
        };
        prop_assert_eq!(op(&mux), if a >> lsb & 1 == 1 { a } else { b });
        if width <= 64 {
            prop_assert_eq!(op(&|c, x, y| c.concat(&[x, y])), a << width | b);
            prop_assert_eq!(op(&|c, x, y| c.sorted(x, y)), a.max(b) << width | a.min(b));
            prop_assert_eq!(op(&|c, x, _| c.zero_extend(x, 2 * width)), a);
            prop_assert_eq!(op(&|c, x, _| c.replicate(x, 2)), a << width | a);
        }
    }

    #[test]
    fn indices(vector: u128, index in 0u128..128) {
        let op = |bits: usize, node: &dyn Fn(&mut Circuit, Wire, Wire) -> Wire| {
            evaluate((1 << bits, vector & mask(1 << bits)), (bits, index & mask(bits)), node)
        };
        for bits in 1..=7 {
            let i = index & mask(bits);
            prop_assert_eq!(op(bits, &|c, x, y| c.index(x, y)), vector >> i & 1);
            prop_assert_eq!(op(bits, &|c, _, y| c.decode(y)), 1 << i);
            let select = |c: &mut Circuit, x: Wire, y: Wire| {
                let choices: Vec<_> = (0..1 << bits).map(|i| c.bit(x, i)).collect();
                c.select(y, &choices)
            };
            prop_assert_eq!(op(bits, &select), vector >> i & 1);
        }
    }
}

/// A loadable accumulator and a register of data.
fn accumulator() -> (Circuit, [Wire; 3], [Wire; 2]) {
    let mut c = Circuit::default();
    let (x, load, keep) = (c.input("x", 8), c.input("load", 1), c.input("keep", 1));
    let sum = c.register("sum", 8);
    c.comment("Next sum.");
    let more = c.add(sum, x);
    let next = c.mux(load, x, more);
    let next = c.name(next, "next_sum");
    c.drive(sum, next);
    let kept = c.data_register("kept", sum, keep);
    c.output("sum", sum);
    let upper = c.slice(kept, 4, 4);
    c.output("upper", upper);
    (c, [x, load, keep], [sum, upper])
}

#[test]
fn registers_take_their_inputs_as_they_were_before_the_edge() {
    let (mut c, [x, load, keep], [sum, upper]) = accumulator();
    let mut step = |value: u64, l: bool, k: bool, reset: bool| {
        c.set(x, Wide(value as u128));
        c.set(load, l);
        c.set(keep, k);
        c.step(true, reset);
        (c.get::<Wide>(sum).0, c.get::<Wide>(upper).0)
    };
    assert_eq!(step(0x70, true, false, false), (0x70, 0));
    assert_eq!(step(0x20, false, true, false), (0x90, 7));
    assert_eq!(step(0x80, false, false, false), (0x10, 7));
    assert_eq!(step(0x80, false, false, true), (0, 7), "data has no reset");
}

#[test]
fn prints_as_an_engineer_would_write_it() {
    let inputs = [("clock", 1), ("reset", 1), ("x", 8), ("load", 1), ("keep", 1)].map(|(n, w)| Port::input(n, w));
    let outputs = [("sum", 8), ("upper", 4)].map(|(n, w)| Port::output(n, w));
    let module = accumulator().0.body().module("accumulator", [&inputs[..], &outputs[..]].concat());
    assert_eq!(
        print::module(&module, Breach::Stop),
        "\
module accumulator (
    input  wire       clock,
    input  wire       reset,
    input  wire [7:0] x,
    input  wire       load,
    input  wire       keep,
    output reg  [7:0] sum,
    output wire [3:0] upper
);

    reg  [7:0] kept;

    // Next sum.
    wire [7:0] next_sum = load ? x : (sum + x);

    always @(posedge clock) begin
        if (reset) begin
            sum <= 8'd0;
        end else begin
            sum <= next_sum;
        end
    end

    always @(posedge clock) begin
        if (keep) kept <= sum;
    end

    assign upper = kept[7:4];

endmodule
"
    );
}

#[test]
fn a_double_negation_prints_as_what_it_negates() {
    let mut c = Circuit::default();
    let (a, b) = (c.input("a", 1), c.input("b", 1));
    let not_a = c.not(a);
    let still_a = c.not(not_a);
    let inverted = c.not(still_a);
    let both = c.and(a, b);
    let neither = c.not(both);
    let both = c.not(neither);
    for (name, wire) in [("still_a", still_a), ("inverted", inverted), ("both", both)] {
        c.output(name, wire);
    }
    let items: Vec<_> = c.body().items.iter().map(|item| print::item(item, &Default::default())).collect();
    assert_eq!(items, ["assign still_a = a;\n", "assign inverted = ~a;\n", "assign both = a & b;\n"]);
}

fn refused(describe: fn(&mut Circuit)) -> String {
    let attempt = std::panic::catch_unwind(|| {
        let mut c = Circuit::default();
        describe(&mut c);
        c.body()
    });
    *attempt.expect_err("is refused").downcast::<String>().expect("a message")
}

#[test]
fn widths_and_names_are_checked() {
    let message = refused(|c| {
        let (a, b) = (c.input("a", 4), c.input("b", 5));
        c.and(a, b);
    });
    assert!(message.contains("a and b"), "{message}");
    let message = refused(|c| {
        let a = c.input("a", 4);
        let twice = c.add(a, a);
        let same = c.eq(twice, twice);
        c.output("same", same);
    });
    assert!(message.contains("a + a: used 2 times, name it"), "{message}");
    let message = refused(|c| {
        let a = c.input("a", 4);
        let sum = c.add(a, a);
        let bit = c.bit(sum, 2);
        c.output("bit", bit);
    });
    assert!(message.contains("name what is indexed"), "{message}");
}
