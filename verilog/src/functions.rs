//! Functions of the Verilog text: trees of several lines, printed once for each width.

use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// A function of operands of so many bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Function {
    /// One of 2^`index` elements of `width` bits.
    Select {
        index: usize,
        width: usize,
    },
    /// The same, as a loop.
    Element {
        index: usize,
        width: usize,
    },
    Less(usize),
    UpTo(usize),
    FirstOne(usize),
    Ones(usize),
    Sorted(usize),
    Sum(usize),
    OnesUpTo(usize),
}

impl Function {
    pub fn name(self) -> String {
        match self {
            Function::Select { index, width } => format!("select_{}x{width}", 1 << index),
            Function::Element { index, width } => format!("element_{}x{width}", 1 << index),
            Function::Less(width) => format!("less_{width}"),
            Function::UpTo(width) => format!("up_to_{width}"),
            Function::FirstOne(width) => format!("first_one_{width}"),
            Function::Ones(width) => format!("ones_{width}"),
            Function::Sorted(width) => format!("sorted_{width}"),
            Function::Sum(width) => format!("sum_{width}"),
            Function::OnesUpTo(width) => format!("ones_up_to_{width}"),
        }
    }

    /// Bits of its result.
    pub fn width(self) -> usize {
        match self {
            Function::Less(_) => 1,
            Function::Select { width, .. }
            | Function::Element { width, .. }
            | Function::UpTo(width)
            | Function::FirstOne(width)
            | Function::Sum(width) => width,
            Function::Ones(width) => width.next_power_of_two().ilog2() as usize + 1,
            Function::Sorted(width) => 2 * width,
            Function::OnesUpTo(places) => places * (places.ilog2() as usize + 1),
        }
    }

    /// The function that this one calls.
    pub fn calls(self) -> Option<Function> {
        match self {
            Function::Sorted(width) => Some(Function::Less(width)),
            _ => None,
        }
    }

    /// Its declaration, below a comment.
    pub fn text(self) -> String {
        match self {
            Function::Select { index, width } => select(self.name(), index, width),
            Function::Element { index, width } => element(&self.name(), index, width),
            Function::Less(width) => less(width),
            Function::UpTo(width) => up_to(width),
            Function::FirstOne(width) => first_one(width),
            Function::Ones(width) => ones(width),
            Function::Sorted(width) => sorted(width),
            Function::Sum(width) => sum(width),
            Function::OnesUpTo(width) => ones_up_to(width),
        }
    }
}

/// `[7:0] `, or nothing for a bit.
pub(crate) fn range(bits: usize) -> String {
    match bits {
        1 => String::new(),
        bits => format!("[{}:0] ", bits - 1),
    }
}

/// A `case`, from which synthesis makes less than from a part-select with a variable index.
fn select(name: String, index: usize, width: usize) -> String {
    let count = 1 << index;
    let arm = |place: usize| {
        let label = if place + 1 == count { "default".into() } else { format!("{index}'d{place}") };
        format!("        {label}: {name} = from[{place}*{width} +: {width}];\n")
    };
    let arms: String = (0..count).map(arm).collect();
    let ports = format!("input {}from, input {}place", range(count * width), range(index));
    format!(
        "// Element `place` of `from`.\nfunction {}{name}({ports});\n    case (place)\n{arms}    endcase\nendfunction\n",
        range(width)
    )
}

/// A loop, of which synthesis makes what it makes of a `case`.
fn element(name: &str, index: usize, width: usize) -> String {
    let count = 1 << index;
    let place = match index {
        1 => String::from("s[0]"),
        index => format!("s[{}:0]", index - 1),
    };
    format!(
        "// Element `place` of `from`.\nfunction {}{name}(input {}from, input {}place);\n    integer s;\n    begin\n        \
         {name} = {width}'d0;\n        for (s = 0; s < {count}; s = s + 1)\n            \
         if (place == {place}) {name} = from[s*{width} +: {width}];\n    end\nendfunction\n",
        range(width),
        range(count * width),
        range(index)
    )
}

/// `x < y` as a tree over pairs of neighbouring pieces: bit i says of the piece that begins there whether x is less, and
/// whether x is at most y if it is not less.
fn less(width: usize) -> String {
    let wide = width.next_power_of_two();
    let operand = |name: &str| match wide - width {
        0 => name.to_string(),
        zeros => format!("{{{zeros}'d0, {name}}}"),
    };
    let (x, y) = (operand("x"), operand("y"));
    let (top, top_wide) = (width - 1, wide - 1);
    let mut text = format!(
        "// x < y as a tree: bit i is about the bits from i on, in every line twice as many.\n\
         function less_{width}(input [{top}:0] x, input [{top}:0] y);\n    reg [{top_wide}:0] less, most;\n    begin\n        \
         less = ~{x} & {y};\n        most = ~{x} | {y};\n"
    );
    for piece in reaches(wide) {
        let _ = writeln!(text, "        less = (less >> {piece}) | ((most >> {piece}) & less);");
        if 2 * piece < wide {
            let _ = writeln!(text, "        most = most & (most >> {piece});");
        }
    }
    text + &format!("        less_{width} = less[0];\n    end\nendfunction\n")
}

fn up_to(width: usize) -> String {
    let top = width - 1;
    let name = format!("up_to_{width}");
    format!(
        "// Of each bit, whether it or one below it is high: each line looks back twice as far.\n\
         function [{top}:0] {name}(input [{top}:0] x);\n    begin\n{}    end\nendfunction\n",
        prefix(&name, width)
    )
}

fn first_one(width: usize) -> String {
    let top = width - 1;
    format!(
        "// The lowest high bit alone.\n\
         function [{top}:0] first_one_{width}(input [{top}:0] x);\n    reg [{top}:0] up_to;\n    begin\n{}        \
         first_one_{width} = x & ~(up_to << 1);\n    end\nendfunction\n",
        prefix("up_to", width)
    )
}

/// A tree of adders: sums of 2 bits, of 4, and so on.
fn ones(width: usize) -> String {
    let (wide, top) = (width.next_power_of_two(), width - 1);
    let name = format!("ones_{width}");
    let steps: Vec<usize> = reaches(wide).collect();
    let (mut registers, mut lines) = (String::new(), String::new());
    let mut from = "x";
    if wide > width {
        let _ = writeln!(registers, "    reg [{}:0] bits;", wide - 1);
        let _ = writeln!(lines, "        bits = {{{}'d0, x}};", wide - width);
        from = "bits";
    }
    let mut from = from.to_string();
    for (level, reach) in steps.iter().enumerate() {
        let (bits, count) = (level + 1, wide / (2 * reach));
        let part = |odd: usize| match bits {
            1 if count == 1 => format!("{from}[{odd}]"),
            1 => format!("{from}[2*s{}]", if odd == 1 { " + 1" } else { "" }),
            _ if count == 1 => format!("{from}[{} +: {bits}]", odd * bits),
            _ => format!(
                "{from}[{}*s{} +: {bits}]",
                2 * bits,
                if odd == 1 { format!(" + {bits}") } else { String::new() }
            ),
        };
        let sum = format!("{{1'b0, {}}} + {{1'b0, {}}}", part(0), part(1));
        if count == 1 {
            let _ = writeln!(lines, "        {name} = {sum};");
        } else {
            let to = format!("sums_of_{}", 2 * reach);
            let _ = writeln!(registers, "    reg [{}:0] {to};", count * (bits + 1) - 1);
            let target = format!("{to}[{}*s +: {}]", bits + 1, bits + 1);
            let _ = writeln!(lines, "        for (s = 0; s < {count}; s = s + 1)\n            {target} = {sum};");
            from = to;
        }
    }
    let counter = if wide > 2 { "    integer s;\n" } else { "" };
    format!(
        "// The number of high bits.\nfunction [{}:0] {name}(input [{top}:0] x);\n{counter}{registers}    begin\n{lines}    \
         end\nendfunction\n",
        steps.len()
    )
}

fn sorted(width: usize) -> String {
    let top = width - 1;
    format!(
        "// Two numbers, the smaller one in the lower half.\n\
         function [{}:0] sorted_{width}(input [{top}:0] x, input [{top}:0] y);\n    \
         sorted_{width} = less_{width}(y, x) ? {{x, y}} : {{y, x}};\nendfunction\n",
        2 * width - 1
    )
}

/// An adder in the fewest steps: in each one the upper half of every group of carries takes that of the lower half.
fn sum(width: usize) -> String {
    let (top, carries) = (width - 1, width - 1);
    let carry_top = carries - 1;
    let step = |group: usize| {
        format!(
            "        for (s = {group}; s < {carries}; s = s + 1)\n            if ((s & {group}) != 0) begin\n                \
             carry[s] = carry[s] | (passes[s] & carry[(s & -{group}) - 1]);\n                \
             passes[s] = passes[s] & passes[(s & -{group}) - 1];\n            end\n"
        )
    };
    let steps: String = reaches(carries).map(step).collect();
    format!(
        "// x + y: in each step, the upper half of every group of carries takes that of the lower half.\n\
         function [{top}:0] sum_{width}(input [{top}:0] x, input [{top}:0] y);\n    integer s;\n    \
         reg [{carry_top}:0] carry, passes;\n    begin\n        carry = x[{carry_top}:0] & y[{carry_top}:0];\n        \
         passes = x[{carry_top}:0] ^ y[{carry_top}:0];\n{steps}        \
         sum_{width} = x ^ y ^ {{carry, 1'b0}};\n    end\nendfunction\n"
    )
}

/// Counts as carries of [`sum`] are made.
fn ones_up_to(places: usize) -> String {
    let bits = places.ilog2() as usize + 1;
    let (top, all) = (places - 1, places * bits - 1);
    let name = format!("ones_up_to_{places}");
    let step = |group: usize| {
        format!(
            "        for (s = {group}; s < {places}; s = s + 1)\n            if ((s & {group}) != 0)\n                \
             {name}[s*{bits} +: {bits}] = {name}[s*{bits} +: {bits}] + {name}[((s & -{group}) - 1)*{bits} +: {bits}];\n"
        )
    };
    let steps: String = reaches(places).map(step).collect();
    let zeros = match bits - 1 {
        0 => String::new(),
        zeros => format!("{zeros}'d0, "),
    };
    format!(
        "// Of each bit, how many up to it are high: in each step, the upper half of every group adds the count of the lower.\n\
         function [{all}:0] {name}(input [{top}:0] x);\n    integer s;\n    begin\n        \
         for (s = 0; s < {places}; s = s + 1)\n            {name}[s*{bits} +: {bits}] = {{{zeros}x[s]}};\n{steps}    \
         end\nendfunction\n"
    )
}

/// The lines that make `row` of `x`.
fn prefix(row: &str, width: usize) -> String {
    let line = |reach: usize| {
        let from = if reach == 1 { "x" } else { row };
        format!("        {row} = {from} | ({from} << {reach});\n")
    };
    reaches(width).map(line).collect()
}

/// 1, 2, 4, ... below `width`.
fn reaches(width: usize) -> impl Iterator<Item = usize> {
    (0..).map(|step| 1 << step).take_while(move |&reach| reach < width)
}
