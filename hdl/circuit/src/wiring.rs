//! Parents that only connect: each connection is written once, and simulated, claimed and printed from there.
//!
//! A kernel cannot index arrays of arrays or leave a child out; a parent that does nothing but connect its children
//! says so in a function over [`Wiring`], with [`wire!`](crate::wire) for a signal and [`wire_bits!`](crate::wire_bits)
//! for a vector that is gathered bit by bit.

use crate::network::Unconnected;
use rust_hdl::core::ast::{VerilogExpression as Ast, VerilogStatement};
use rust_hdl::prelude::*;
use std::ops::{Deref, DerefMut};

/// The action on each connection.
pub enum Wiring {
    /// Carry the value over.
    Simulate,
    /// Mark the target as driven.
    Connect,
    /// Note the statement.
    Describe(Vec<VerilogStatement>),
}

impl Wiring {
    /// The Verilog of a parent's connections.
    pub fn describe(parent: impl FnOnce(&mut Wiring)) -> Verilog {
        let mut wiring = Wiring::Describe(vec![]);
        parent(&mut wiring);
        match wiring {
            Wiring::Describe(statements) => Verilog::Combinatorial(statements),
            _ => unreachable!("a parent's wiring does not change its purpose"),
        }
    }

    pub fn note(&mut self, statement: impl FnOnce() -> VerilogStatement) {
        if let Wiring::Describe(statements) = self {
            statements.push(statement());
        }
    }

    /// A line of comment before the connections that follow.
    pub fn comment(&mut self, text: &str) {
        self.note(|| VerilogStatement::Comment(text.into()));
    }

    pub fn claims(&self) -> bool {
        matches!(self, Wiring::Connect)
    }

    pub fn simulates(&self) -> bool {
        matches!(self, Wiring::Simulate)
    }
}

pub fn assign(target: String, value: Ast) -> VerilogStatement {
    VerilogStatement::Assignment(Ast::Signal(target + "$next"), value)
}

pub fn bit_of(signal: String, place: usize) -> Ast {
    Ast::Index(Box::new(Ast::Signal(signal)), Box::new(number(place)))
}

pub fn with_bit(signal: String, place: usize, bit: String) -> Ast {
    Ast::IndexReplace(Box::new(Ast::Signal(signal)), Box::new(number(place)), Box::new(Ast::Signal(bit)))
}

pub fn bits_of(signal: String, width: usize, place: usize) -> Ast {
    Ast::Slice(Box::new(Ast::Signal(signal)), width, Box::new(number(place)))
}

pub fn assign_bits(target: String, width: usize, place: usize, value: String) -> VerilogStatement {
    let base = Ast::Signal(target + "$next");
    VerilogStatement::SliceAssignment { base, width, offset: number(place), replacement: Ast::Signal(value) }
}

pub fn number(value: usize) -> Ast {
    Ast::Literal((value as u64).into())
}

/// RustHDL's name of a path: `self.core[2].push_id[3]` is `core$2$push_id$3`.
#[macro_export]
macro_rules! signal_name {
    (@ $name:ident) => {};
    (@ $name:ident . $($rest:tt)*) => { $name.push('$'); $crate::signal_name!(@ $name $($rest)*); };
    (@ $name:ident [$i:expr] $($rest:tt)*) => {
        $name.push_str(&format!("${}", $i));
        $crate::signal_name!(@ $name $($rest)*);
    };
    (@ $name:ident $field:ident $($rest:tt)*) => {
        $name.push_str(stringify!($field));
        $crate::signal_name!(@ $name $($rest)*);
    };
    ($me:ident . $($path:tt)+) => {{
        let mut name = String::new();
        $crate::signal_name!(@ name $($path)+);
        name
    }};
}

/// `wire!(w: self.child[i].port <- self.other.port)`; with `, bit i` behind it, the target is one bit of the source, with
/// `, L bits from i` it is several, and with `, all L bits` all there are (the compiler does not know that a parameter is the
/// source's width); with `<- zero` it is 0.
///
/// `wire!(w: [self.child] <- [self]: clock, reset)`: ports that have one name on both sides; `[self.child] <- [self][i]` takes
/// each from element i of the other side's array.
#[macro_export]
macro_rules! wire {
    ($w:ident: [$($to:tt)+] $([$i:expr])* <- zero: $($port:ident),+ $(,)?) => {
        $crate::wire!(@ports $w [$($to)+] [$([$i])*] zero [] $($port)+)
    };
    ($w:ident: [$($to:tt)+] $([$i:expr])* <- [$($from:tt)+] $([$j:expr])*: $($port:ident),+ $(,)?) => {
        $crate::wire!(@ports $w [$($to)+] [$([$i])*] [$($from)+] [$([$j])*] $($port)+)
    };
    (@ports $w:ident $to:tt $i:tt $from:tt $j:tt $($port:ident)+) => {{
        $($crate::wire!(@port $w $to $i $from $j $port);)+
    }};
    (@port $w:ident [$($to:tt)+] [$($i:tt)*] zero [] $port:ident) => {
        $crate::wire!(@to $w [$($to)+.$port $($i)*] <- zero)
    };
    (@port $w:ident [$($to:tt)+] [$($i:tt)*] [$($from:tt)+] [$($j:tt)*] $port:ident) => {
        $crate::wire!(@from $w [$($to)+.$port $($i)*] [$($from)+.$port $($j)*])
    };
    (@to $w:ident [$($to:tt)+] <- zero) => {{
        if $w.claims() {
            $($to)+.connect();
        } else if $w.simulates() {
            $($to)+.next = Default::default();
        }
        $w.note(|| $crate::wiring::assign($crate::signal_name!($($to)+), $crate::wiring::number(0)));
    }};
    (@to $w:ident [$($to:tt)+] <- $($from:tt)+) => { $crate::wire!(@from $w [$($to)+] [] $($from)+) };
    (@to $w:ident [$($to:tt)*] $next:tt $($rest:tt)+) => { $crate::wire!(@to $w [$($to)* $next] $($rest)+) };
    (@from $w:ident [$($to:tt)+] [$($from:tt)+]) => {{
        if $w.claims() {
            $($to)+.connect();
        } else if $w.simulates() {
            $($to)+.next = $($from)+.val();
        }
        $w.note(|| {
            let value = rust_hdl::core::ast::VerilogExpression::Signal($crate::signal_name!($($from)+));
            $crate::wiring::assign($crate::signal_name!($($to)+), value)
        });
    }};
    (@from $w:ident [$($to:tt)+] [$($from:tt)+] , bit $place:expr) => {{
        if $w.claims() {
            $($to)+.connect();
        } else if $w.simulates() {
            $($to)+.next = $($from)+.val().get_bit($place);
        }
        $w.note(|| {
            let value = $crate::wiring::bit_of($crate::signal_name!($($from)+), $place);
            $crate::wiring::assign($crate::signal_name!($($to)+), value)
        });
    }};
    (@from $w:ident [$($to:tt)+] [$($from:tt)+] , all $width:ident bits) => {{
        if $w.claims() {
            $($to)+.connect();
        } else if $w.simulates() {
            $($to)+.next = $($from)+.val().get_bits::<$width>(0);
        }
        $w.note(|| {
            let value = rust_hdl::core::ast::VerilogExpression::Signal($crate::signal_name!($($from)+));
            $crate::wiring::assign($crate::signal_name!($($to)+), value)
        });
    }};
    (@from $w:ident [$($to:tt)+] [$($from:tt)+] , $width:ident bits from $place:expr) => {{
        if $w.claims() {
            $($to)+.connect();
        } else if $w.simulates() {
            $($to)+.next = $($from)+.val().get_bits::<$width>($place);
        }
        $w.note(|| {
            let value = $crate::wiring::bits_of($crate::signal_name!($($from)+), $width, $place);
            $crate::wiring::assign($crate::signal_name!($($to)+), value)
        });
    }};
    (@from $w:ident [$($to:tt)+] [$($from:tt)*] $next:tt $($rest:tt)*) => {
        $crate::wire!(@from $w [$($to)+] [$($from)* $next] $($rest)*)
    };
    ($w:ident: $($tokens:tt)+) => { $crate::wire!(@to $w [] $($tokens)+) };
}

/// `wire_bits!(w: self.child.vector, i in L, self.other[i].bit)`: bit i of the vector for each i below L. A vector of an
/// element of an array stands in brackets: `wire_bits!(w: self, [child[k].vector], i in L, self.other[i].bit)`.
#[macro_export]
macro_rules! wire_bits {
    ($w:ident: $me:ident, [$($to:tt)+], $i:ident in $count:expr, $($from:tt)+) => {{
        $crate::wire!($w: $me.$($to)+ <- zero);
        for $i in 0..$count {
            if $w.simulates() {
                $me.$($to)+.next = $me.$($to)+.next.replace_bit($i, $($from)+.val());
            }
            $w.note(|| {
                let vector = $crate::signal_name!($me.$($to)+);
                let with = $crate::wiring::with_bit(vector.clone(), $i, $crate::signal_name!($($from)+));
                $crate::wiring::assign(vector, with)
            });
        }
    }};
    ($w:ident: $me:ident . $to:ident $(. $to_port:ident)?, $($rest:tt)+) => {
        $crate::wire_bits!($w: $me, [$to $(. $to_port)?], $($rest)+)
    };
}

/// `wire_groups!(w: self.child.vector, c in N, L, self.other[c].part)`: bits c L ... c L + L - 1 for each c below N.
#[macro_export]
macro_rules! wire_groups {
    ($w:ident: $me:ident . $to:ident $(. $port:ident)?, $c:ident in $count:expr, $width:ident, $($from:tt)+) => {{
        $crate::wire!($w: $me.$to$(.$port)? <- zero);
        for $c in 0..$count {
            if $w.simulates() {
                $me.$to$(.$port)?.next.set_bits($c * $width, $($from)+.val());
            }
            $w.note(|| {
                let vector = $crate::signal_name!($me.$to$(.$port)?);
                $crate::wiring::assign_bits(vector, $width, $c * $width, $crate::signal_name!($($from)+))
            });
        }
    }};
}

/// `wired! { pub struct Parent<const N: usize> { in a, b: .., out c: .., } children new(n: u64) { d: Child, e: Other = Other::new(n), } }`:
/// a parent with `clock`, `reset`, these ports, these children, and its constructor. A child without a value is its type's default;
/// with `children default` the parent has one. Statements in `after { .. }` stand before the values. `wire(&mut self, &mut Wiring)` is
/// the author's. A port that some parameters leave out stands first among the children, as `pub e: Optional<..>`.
#[macro_export]
macro_rules! wired {
    ($(#[$doc:meta])* pub struct $name:ident $(<$(const $p:ident: usize),+ $(,)?>)? {
        $(in $($input:ident),+: $in_type:ty,)+ $(out $($output:ident),+: $out_type:ty,)+
    } $(#[$new_doc:meta])* children $new:ident $(($($argument:ident: $argument_type:ty),*))? $(after { $($setup:tt)* })? {
        $($visible:vis $child:ident: $child_type:ty $(= $value:expr)?,)+
    }) => {
        $(#[$doc])*
        #[derive(rust_hdl::prelude::LogicBlock)]
        pub struct $name $(<$(const $p: usize),+>)? {
            pub clock: Signal<In, Clock>,
            pub reset: Signal<In, bool>,
            $($(pub $input: $in_type,)+)+
            $($(pub $output: $out_type,)+)+
            $($visible $child: $child_type,)+
            _verilog: Verilog,
        }

        $crate::wired!(@constructor $new $name ($($($p),+)?) [$(#[$new_doc])*] {
            fn $new($($($argument: $argument_type),*)?) -> Self {
                $($($setup)*)?
                let mut parent = $crate::unconnected!(Self {
                    clock, reset, $($($input,)+)+ $($($output),+),+;
                    $($child: $crate::wired!(@value $($value)?),)+ _verilog: Verilog::Empty
                });
                parent._verilog = $crate::wiring::Wiring::describe(|w| parent.wire(w));
                parent
            }
        });

        impl<$($(const $p: usize),+)?> Logic for $name<$($($p),+)?> {
            fn update(&mut self) {
                self.wire(&mut $crate::wiring::Wiring::Simulate);
            }

            fn connect(&mut self) {
                self.wire(&mut $crate::wiring::Wiring::Connect);
            }

            fn hdl(&self) -> Verilog {
                self._verilog.clone()
            }
        }
    };
    (@constructor default $name:ident ($($p:ident),*) [] { $($constructor:tt)+ }) => {
        impl<$(const $p: usize),*> Default for $name<$($p),*> {
            $($constructor)+
        }
    };
    (@constructor new $name:ident ($($p:ident),*) [$(#[$doc:meta])*] { $($constructor:tt)+ }) => {
        impl<$(const $p: usize),*> $name<$($p),*> {
            $(#[$doc])*
            pub $($constructor)+
        }
    };
    (@value) => { Default::default() };
    (@value $value:expr) => { $value };
}

/// A child that some parameters leave out.
pub struct Optional<B>(Option<Box<B>>);

impl<B> Optional<B> {
    pub fn new(block: Option<B>) -> Self {
        Self(block.map(Box::new))
    }

    /// A port or signal that is there or not.
    pub fn port(is_there: bool) -> Self
    where
        B: Unconnected,
    {
        Self::new(is_there.then(B::unconnected))
    }

    pub fn is_there(&self) -> bool {
        self.0.is_some()
    }
}

impl<B> Deref for Optional<B> {
    type Target = B;
    fn deref(&self) -> &B {
        self.0.as_deref().expect("the parent asks first whether the child is there")
    }
}

impl<B> DerefMut for Optional<B> {
    fn deref_mut(&mut self) -> &mut B {
        self.0.as_deref_mut().expect("the parent asks first whether the child is there")
    }
}

impl<B: Block> Logic for Optional<B> {
    fn update(&mut self) {}

    /// Marks a signal as driven.
    fn connect(&mut self) {
        self.0.iter_mut().for_each(|b| b.connect());
    }
}

impl<B: Block> Block for Optional<B> {
    fn connect_all(&mut self) {
        self.0.iter_mut().for_each(|b| b.connect_all());
    }

    fn update_all(&mut self) {
        self.0.iter_mut().for_each(|b| b.update_all());
    }

    fn has_changed(&self) -> bool {
        self.0.iter().any(|b| b.has_changed())
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        self.0.iter().for_each(|block| block.accept(name, probe));
    }
}
