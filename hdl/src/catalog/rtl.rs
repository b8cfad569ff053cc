//! Sizes of a unit that have RTL. Widths are const generics in RustHDL: every size is a type of its own.

use rust_hdl::prelude::Block;
use spec::Values;

/// The sizes of a unit, and how the block of a size is made: [`rtl!`](crate::rtl) writes it.
pub struct Rtl {
    /// The parameters that are sizes. The others take any value that their rule allows.
    pub parameters: &'static [&'static str],
    /// Values in the order of `parameters`.
    pub sizes: &'static [&'static [u64]],
    /// `None` for a size that is not listed.
    pub build: fn(&Values) -> Option<Box<dyn Block>>,
}

impl Rtl {
    pub(super) fn has(&self, values: &Values) -> bool {
        self.sizes.contains(&values.several(self.parameters).as_slice())
    }

    /// `lanes = 4, entries = 32; lanes = 16, entries = 8, 16`: sizes that differ in the last parameter alone stand together.
    pub(super) fn available(&self) -> String {
        let Some((last, others)) = self.parameters.split_last() else { return String::new() };
        let mut groups: Vec<(&[u64], Vec<String>)> = vec![];
        for (value, rest) in self.sizes.iter().filter_map(|size| size.split_last()) {
            match groups.last_mut() {
                Some((same, values)) if *same == rest => values.push(value.to_string()),
                _ => groups.push((rest, vec![value.to_string()])),
            }
        }
        let group = |(rest, values): &(&[u64], Vec<String>)| {
            let rest: String = others.iter().zip(*rest).map(|(name, value)| format!("{name} = {value}, ")).collect();
            format!("{rest}{last} = {}", values.join(", "))
        };
        groups.iter().map(group).collect::<Vec<_>>().join("; ")
    }
}

/// `rtl!([lanes L, entries E] (4, 32)(8, 16) => |p| Unit::<L, E>::new(p.get("interval")))`: an [`Rtl`] with a block for every
/// size in the list. In the block, the names in capitals are constants of type `usize`, and `p` is [`Values`]. Sizes of another block
/// follow behind a semicolon.
///
/// The block of each size is made in a closure of its own, so that no stack frame holds the blocks of all sizes.
#[macro_export]
macro_rules! rtl {
    (@names [$($parameter:ident $constant:ident),*]) => { &[$(stringify!($parameter)),*] };
    (@constants [$($parameter:ident $constant:ident),*] $($value:literal)*) => {
        $(#[allow(dead_code)] const $constant: usize = $value;)*
    };
    ($names:tt $($(($($value:literal),*))+ => |$p:pat_param| $block:expr);+) => {
        $crate::catalog::Rtl {
            parameters: $crate::rtl!(@names $names),
            sizes: &[$($(&[$($value),*]),+),+],
            build: |values| match values.several($crate::rtl!(@names $names)).as_slice() {
                $($([$($value),*] => Some($crate::catalog::boxed(|| {
                    $crate::rtl!(@constants $names $($value)*);
                    let $p = values;
                    $block
                })),)+)+
                _ => None,
            },
        }
    };
}

/// For [`rtl!`](crate::rtl).
#[doc(hidden)]
pub fn boxed<B: Block + 'static>(make: impl FnOnce() -> B) -> Box<dyn Block> {
    Box::new(make())
}
