//! A block that is one circuit: ports as RustHDL signals, everything else generated from the circuit.
//!
//! [`network!`](crate::network) writes the block from its list of ports: the struct, its `Logic`, and a struct of nets,
//! one for each input, from which the author's description makes the outputs.

use super::net::{Builder, Net};
use super::{Circuit, Op, Value, Wire};
use rust_hdl::prelude::*;
use std::array::from_fn;
use std::cell::OnceCell;
use verilog::description::Description;
use verilog::tree::{Expr, Item};

/// A circuit with the order of its ports.
pub struct Network {
    pub circuit: Circuit,
    inputs: Vec<Wire>,
    outputs: Vec<Wire>,
    next_input: usize,
    next_output: usize,
    /// The description of its body.
    body: OnceCell<String>,
}

impl Network {
    /// `outputs`: names and widths in the order of the ports.
    pub fn new(circuit: Circuit, outputs: &[(String, usize)]) -> Self {
        let is_input = |i: &usize| matches!(circuit.nodes[*i].op, Op::Input);
        let inputs = (0..circuit.nodes.len()).filter(is_input).map(Wire).collect();
        let wire = |(name, width): &(String, usize)| {
            let found = circuit.outputs.iter().find(|(n, _)| n == name);
            let (_, wire) = found.unwrap_or_else(|| panic!("output {name} is not described"));
            assert_eq!(circuit.width(*wire), *width, "width of output {name}");
            *wire
        };
        let wires: Vec<Wire> = outputs.iter().map(wire).collect();
        assert_eq!(wires.len(), circuit.outputs.len(), "an output is described that is no port");
        Self { circuit, inputs, outputs: wires, next_input: 0, next_output: 0, body: OnceCell::new() }
    }

    pub fn step(&mut self, edge: bool, reset: bool) {
        self.circuit.step(edge, reset);
        (self.next_input, self.next_output) = (0, 0);
    }

    /// The body of the module; `clocked`: it has ports `clock` and `reset`. An elaboration asks several times.
    pub fn verilog(&self, clocked: bool) -> Verilog {
        let describe = || {
            let mut body = self.circuit.body();
            if clocked && !self.circuit.registers.iter().any(|r| r.reset) {
                body.nets.push(("unused_reset".into(), 1));
                body.items.push(Item::Comment("Data alone, which is not reset.".into()));
                body.items.push(Item::Assign(Expr::Net("unused_reset".into()), Expr::Net("reset".into())));
            }
            Description::Body(body).to_json()
        };
        Verilog::Custom(self.body.get_or_init(describe).clone())
    }

    pub fn put(&mut self, value: impl Value) {
        self.circuit.set(self.inputs[self.next_input], value);
        self.next_input += 1;
    }

    pub fn take<V: Value>(&mut self) -> V {
        self.next_output += 1;
        self.circuit.get(self.outputs[self.next_output - 1])
    }
}

/// A part of a block that is made without a choice: a signal, an interface of signals, a register whose reset value is 0, or
/// an array of them.
pub trait Unconnected {
    fn unconnected() -> Self;
}

impl<D: Direction, T: Synth> Unconnected for Signal<D, T> {
    fn unconnected() -> Self {
        Signal::default()
    }
}

impl<T: Unconnected, const N: usize> Unconnected for [T; N] {
    fn unconnected() -> Self {
        from_fn(|_| T::unconnected())
    }
}

/// `unconnected!(Self { clock, reset, sum; counter: Counter::new(9) })`: a block of signals and registers, which are named, and
/// of children, which are given.
#[macro_export]
macro_rules! unconnected {
    ($block:ident { $($part:ident),+ $(,)?; $($child:ident: $value:expr),* $(,)? }) => {
        $block {
            $($part: $crate::network::Unconnected::unconnected(),)+
            $($child: $value,)*
        }
    };
}

/// `kernel! { pub struct Block<const N: usize> { pub a, b: Signal<In, bool>, c: Counter = Counter::new(n), } new(n: u64) }`: a
/// block whose logic is a kernel. A part without a value is made without a choice ([`Unconnected`]); with `default` in place of
/// `new` the block has a default. Statements in `after { .. }` stand before the values.
#[macro_export]
macro_rules! kernel {
    ($(#[$doc:meta])* pub struct $name:ident <$(const $p:ident: usize),+> {
        $($visible:vis $($part:ident),+: $type:ty $(= $value:expr)?,)+
    } $(#[$new_doc:meta])* $new:ident $(($($argument:ident: $argument_type:ty),*))? after { $($setup:tt)* }) => {
        $(#[$doc])*
        #[derive(rust_hdl::prelude::LogicBlock)]
        pub struct $name<$(const $p: usize),+> {
            $($($visible $part: $type,)+)+
        }

        $crate::wired!(@constructor $new $name ($($p),+) [$(#[$new_doc])*] {
            fn $new($($($argument: $argument_type),*)?) -> Self {
                $($setup)*
                $crate::kernel!(@parts [] $([$($part)+] [$($value)?])+)
            }
        });
    };
    (@parts [$($done:tt)*]) => { Self { $($done)* } };
    (@parts [$($done:tt)*] [$($part:ident)+] [] $($rest:tt)*) => {
        $crate::kernel!(@parts [$($done)* $($part: $crate::network::Unconnected::unconnected(),)+] $($rest)*)
    };
    (@parts [$($done:tt)*] [$part:ident] [$value:expr] $($rest:tt)*) => {
        $crate::kernel!(@parts [$($done)* $part: $value,] $($rest)*)
    };
}

/// An input port: a signal, an interface of signals, or an array of them.
pub trait InputPort: Unconnected {
    type Nets<'a>;
    fn declare<'a>(builder: &'a Builder, name: &str) -> Self::Nets<'a>;
    fn put(&self, network: &mut Network);
}

impl<T: Synth + Value> InputPort for Signal<In, T> {
    type Nets<'a> = Net<'a>;

    fn declare<'a>(builder: &'a Builder, name: &str) -> Net<'a> {
        builder.input(name, T::BITS)
    }

    fn put(&self, network: &mut Network) {
        network.put(self.val());
    }
}

impl<T: InputPort, const N: usize> InputPort for [T; N] {
    type Nets<'a> = Vec<T::Nets<'a>>;

    fn declare<'a>(builder: &'a Builder, name: &str) -> Vec<T::Nets<'a>> {
        (0..N).map(|i| T::declare(builder, &format!("{name}${i}"))).collect()
    }

    fn put(&self, network: &mut Network) {
        self.iter().for_each(|port| port.put(network));
    }
}

/// An output port: a signal, an interface of signals, or an array of them.
pub trait OutputPort: Unconnected {
    fn names(name: &str) -> Vec<(String, usize)>;
    /// Marks it as driven.
    fn claim(&mut self);
    fn take(&mut self, network: &mut Network);
}

impl<T: Synth + Value> OutputPort for Signal<Out, T> {
    fn names(name: &str) -> Vec<(String, usize)> {
        vec![(name.into(), T::BITS)]
    }

    fn claim(&mut self) {
        self.connect();
    }

    fn take(&mut self, network: &mut Network) {
        self.next = network.take();
    }
}

impl<T: OutputPort, const N: usize> OutputPort for [T; N] {
    fn names(name: &str) -> Vec<(String, usize)> {
        (0..N).flat_map(|i| T::names(&format!("{name}${i}"))).collect()
    }

    fn claim(&mut self) {
        self.iter_mut().for_each(OutputPort::claim);
    }

    fn take(&mut self, network: &mut Network) {
        self.iter_mut().for_each(|port| port.take(network));
    }
}

/// `network! { pub struct Block<const N: usize>, inputs BlockInputs, clocked { in a, b: .., out c: .., } described by .. }`: the block, its
/// nets, and the block's constructor. With `clocked` the block has `clock` and `reset`. `described by describe` names the
/// description, `describe(&Builder, &BlockInputs)`: the block has a default. With `described by describe(n: u64)` it has `new(n)`,
/// and the description is given the same behind the inputs.
#[macro_export]
macro_rules! network {
    ($(#[$doc:meta])* pub struct $name:ident $(<$(const $p:ident: usize),+>)?, inputs $inputs:ident, clocked {
        $(in $($input:ident),+: $in_type:ty,)+ $(out $($output:ident),+: $out_type:ty,)+
    } $(#[$new_doc:meta])* described by $describe:ident $(($($argument:ident: $argument_type:ty),*))?) => {
        $(#[$doc])*
        #[derive(rust_hdl::prelude::LogicBlock)]
        pub struct $name $(<$(const $p: usize),+>)? {
            pub clock: Signal<In, Clock>,
            pub reset: Signal<In, bool>,
            $($(pub $input: $in_type,)+)+
            $($(pub $output: $out_type,)+)+
            _network: $crate::network::Network,
        }
        $crate::network!(@common $name ($($($p),+)?) $inputs [clock reset]
            [$($($input: $in_type),+),+] [$($($output: $out_type),+),+]);
        $crate::network!(@logic $name ($($($p),+)?) [$($($input)+)+] [$($($output)+)+]
            |s| (s.clock.pos_edge(), s.reset.val()), true);
        $crate::network!(@new $name ($($($p),+)?) [$(#[$new_doc])*] $describe $(($($argument: $argument_type),*))?);
    };
    ($(#[$doc:meta])* pub struct $name:ident $(<$(const $p:ident: usize),+>)?, inputs $inputs:ident {
        $(in $($input:ident),+: $in_type:ty,)+ $(out $($output:ident),+: $out_type:ty,)+
    } $(#[$new_doc:meta])* described by $describe:ident $(($($argument:ident: $argument_type:ty),*))?) => {
        $(#[$doc])*
        #[derive(rust_hdl::prelude::LogicBlock)]
        pub struct $name $(<$(const $p: usize),+>)? {
            $($(pub $input: $in_type,)+)+
            $($(pub $output: $out_type,)+)+
            _network: $crate::network::Network,
        }
        $crate::network!(@common $name ($($($p),+)?) $inputs [] [$($($input: $in_type),+),+] [$($($output: $out_type),+),+]);
        $crate::network!(@logic $name ($($($p),+)?) [$($($input)+)+] [$($($output)+)+] |_s| (false, false), false);
        $crate::network!(@new $name ($($($p),+)?) [$(#[$new_doc])*] $describe $(($($argument: $argument_type),*))?);
    };
    (@new $name:ident ($($p:ident),*) [] $describe:ident) => {
        impl<$(const $p: usize),*> Default for $name<$($p),*> {
            fn default() -> Self {
                Self::describe_as(|b, i| $describe(b, &i))
            }
        }
    };
    (@new $name:ident ($($p:ident),*) [$(#[$doc:meta])*] $describe:ident ($($argument:ident: $argument_type:ty),*)) => {
        impl<$(const $p: usize),*> $name<$($p),*> {
            $(#[$doc])*
            pub fn new($($argument: $argument_type),*) -> Self {
                Self::describe_as(|b, i| $describe(b, &i, $($argument),*))
            }
        }
    };
    (@common $name:ident ($($p:ident),*) $inputs:ident [$($plain:ident)*]
        [$($input:ident: $in_type:ty),+] [$($output:ident: $out_type:ty),+]) => {
        /// A net for each input.
        struct $inputs<'a, $(const $p: usize),*> {
            $($input: <$in_type as $crate::network::InputPort>::Nets<'a>,)+
        }

        impl<$(const $p: usize),*> $name<$($p),*> {
            fn describe_as(
                describe: impl for<'a> FnOnce(&'a $crate::net::Builder, $inputs<'a, $($p),*>),
            ) -> Self {
                use $crate::network::{InputPort, Network, OutputPort};
                let builder = $crate::net::Builder::default();
                describe(&builder, $inputs { $($input: <$in_type>::declare(&builder, stringify!($input)),)+ });
                let outputs = [$(<$out_type>::names(stringify!($output))),+].concat();
                $crate::unconnected!(Self {
                    $($plain,)* $($input,)+ $($output),+;
                    _network: Network::new(builder.finish(), &outputs)
                })
            }
        }
    };
    (@logic $name:ident ($($p:ident),*) [$($input:ident)+] [$($output:ident)+] |$s:ident| $edge:expr, $clocked:expr) => {
        impl<$(const $p: usize),*> Logic for $name<$($p),*> {
            fn update(&mut self) {
                use $crate::network::{InputPort, OutputPort};
                $(self.$input.put(&mut self._network);)+
                let $s = &*self;
                let (edge, reset) = $edge;
                self._network.step(edge, reset);
                $(self.$output.take(&mut self._network);)+
            }

            fn connect(&mut self) {
                use $crate::network::OutputPort;
                $(self.$output.claim();)+
            }

            fn hdl(&self) -> Verilog {
                self._network.verilog($clocked)
            }
        }
    };
}
