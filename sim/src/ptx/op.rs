//! Operations of instructions, in the form that `exec` runs: operands resolved, types and modifiers as enums.

use super::isa::{AtomicOp, Guard, Slot, Space};
use super::system_op::SystemOp;

pub use super::isa::Operand;

/// A source predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Predicate {
    Reg(Guard),
    Const(bool),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntType {
    U16,
    S16,
    U32,
    S32,
    U64,
    S64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatType {
    F16,
    /// Two numbers in half precision.
    F16x2,
    F32,
    F64,
}

impl FloatType {
    pub fn is_half(self) -> bool {
        matches!(self, FloatType::F16 | FloatType::F16x2)
    }
}

/// A floating-point type that `cvt` knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatFormat {
    F16,
    F32,
    F64,
}

/// A type that values are compared in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numeric {
    Int(IntType),
    Float(FloatType),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntOp {
    Add,
    Sub,
    MulLo,
    MulHi,
    Div,
    Rem,
    Min,
    Max,
    And,
    Or,
    Xor,
    /// The second operand is a 32-bit count; counts past the width shift everything out.
    Shl,
    Shr,
    AddSaturated,
    SubSaturated,
    /// Bits 0 to 31 and 16 to 47 of the product of the low 24 bits of both.
    Mul24Lo,
    Mul24Hi,
}

/// Arithmetic with the carry of the thread: what it gives besides its result is the carry or borrow out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CarryOp {
    /// `a + b`
    Add,
    /// `a - b`; the carry in and out is a borrow.
    Sub,
    /// A half of `a * b`, plus `c`.
    MadLo,
    MadHi,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntUnaryOp {
    Neg,
    Abs,
    Not,
    /// 1 if zero, else 0.
    LogicalNot,
    Popc,
    Clz,
    Brev,
    /// Position of the most significant bit that differs from the sign, all ones if there is none.
    Bfind,
    /// The number of places by which the highest bit must be shifted to become the top bit.
    BfindShift,
}

/// The half of a product that is kept, or all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Product {
    Lo,
    Hi,
    Wide,
    /// See [`IntOp::Mul24Lo`].
    Lo24,
    Hi24,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
    /// `div.approx`
    DivApprox,
    Min,
    Max,
    CopySign,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatUnaryOp {
    Neg,
    Abs,
    Sqrt,
    Rcp,
    Rsqrt,
    Sin,
    Cos,
    Ex2,
    Lg2,
    Tanh,
}

/// `.ftz` (subnormals to zero, f32 only), `.sat` (clamp to 0..=1, NaN to 0) and the rounding of arithmetic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FloatModes {
    pub ftz: bool,
    pub saturate: bool,
    pub rounding: Rounding,
}

/// The property that `testp` asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatProperty {
    Finite,
    Infinite,
    Number,
    NotANumber,
    Normal,
    Subnormal,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Comparison {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    /// As the above, or one operand is NaN.
    EqU,
    NeU,
    LtU,
    LeU,
    GtU,
    GeU,
    /// Neither operand is NaN.
    Num,
    /// One operand is NaN.
    Nan,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoolOp {
    And,
    Or,
    Xor,
}

/// A comparison of `a` with `b`, optionally combined with a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compare {
    pub ty: Numeric,
    pub comparison: Comparison,
    pub ftz: bool,
    pub combine: Option<(BoolOp, Predicate)>,
    pub a: Operand,
    pub b: Operand,
}

/// The value that `set` writes for true; false is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetResult {
    /// All ones.
    Ones32,
    /// 1.0f
    One,
}

/// Integer of any width that memory or `cvt` knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Width {
    pub bits: u8,
    pub signed: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rounding {
    #[default]
    Nearest,
    Zero,
    Down,
    Up,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convert {
    /// Integers; saturating to the target's range or truncating.
    IntToInt {
        from: Width,
        to: Width,
        saturate: bool,
    },
    /// Always saturates; NaN gives 0 (f32) or the target's most negative bit pattern as the hardware does for f64.
    FloatToInt {
        from: FloatFormat,
        to: Width,
        rounding: Rounding,
        ftz: bool,
    },
    IntToFloat {
        from: Width,
        to: FloatFormat,
        rounding: Rounding,
        saturate: bool,
    },
    /// `integral`: rounds to an integer in floating point (`.rni` and the like, types equal).
    FloatToFloat {
        from: FloatFormat,
        to: FloatFormat,
        integral: Option<Rounding>,
        rounding: Rounding,
        modes: FloatModes,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpecialRegister {
    Tid(u8),
    Ntid(u8),
    Ctaid(u8),
    Nctaid(u8),
    LaneId,
    WarpId,
    NumWarpId,
    /// Number of the warp in the grid: CTAs in order, in each the warps in order.
    GridWarpId,
    SmId,
    NumSmId,
    GridId,
    LaneMaskEq,
    LaneMaskLe,
    LaneMaskLt,
    LaneMaskGe,
    LaneMaskGt,
    Clock,
    ClockHigh,
    Clock64,
    /// Nanoseconds.
    GlobalTimer,
    /// Its low and its high half.
    GlobalTimerLow,
    GlobalTimerHigh,
    DynamicSharedBytes,
    TotalSharedBytes,
}

impl SpecialRegister {
    /// It changes with time.
    pub fn is_clock(self) -> bool {
        use SpecialRegister::*;
        matches!(self, Clock | ClockHigh | Clock64 | GlobalTimer | GlobalTimerLow | GlobalTimerHigh)
    }
}

/// State space of a memory instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemorySpace {
    Known(Space),
    /// Resolved per lane by [`super::address_map::resolve`].
    Generic,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    pub space: MemorySpace,
    /// Added to `offset` if there is one.
    pub base: Option<Operand>,
    pub offset: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    pub address: Address,
    /// Width of one element in memory.
    pub element: Width,
    /// Elements; 1, 2 or 4.
    pub count: u8,
    /// Destination and its width in bits (sign or zero extended to it); `None` for `_`.
    pub dst: [Option<(Slot, u8)>; 4],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Store {
    pub address: Address,
    pub element_bytes: u8,
    pub count: u8,
    /// All four can be read, whatever `count` is.
    pub src: [Operand; 4],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Atomic {
    pub op: AtomicOp,
    pub address: Address,
    /// 2, 4 or 8.
    pub bytes: u8,
    /// `None` for reductions and `_`.
    pub dst: Option<Slot>,
    pub a: Operand,
    /// The new value of `cas`.
    pub b: Option<Operand>,
}

/// A function that the system gives to every kernel; PTX only declares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builtin {
    /// `vprintf(format, arguments)`, which gives the number of arguments.
    Print,
    /// `__assertfail(message, file, line, function, bytes of a character)`; the launch ends.
    AssertFail,
    /// `malloc(bytes)`
    Malloc,
    /// `free(pointer)`
    Free,
}

impl Builtin {
    /// Most parameters.
    pub const PARAMS: usize = 5;

    /// The function that PTX declares by this name.
    pub fn named(name: &str) -> Option<Builtin> {
        Some(match name {
            "vprintf" => Builtin::Print,
            "__assertfail" => Builtin::AssertFail,
            "malloc" => Builtin::Malloc,
            "free" => Builtin::Free,
            _ => return None,
        })
    }

    /// Bytes of each parameter.
    pub fn params(self) -> &'static [u64] {
        match self {
            Builtin::Print => &[8, 8],
            Builtin::AssertFail => &[8, 8, 4, 8, 8],
            Builtin::Malloc | Builtin::Free => &[8],
        }
    }

    /// Bytes of the result, if there is one.
    pub fn result(self) -> Option<u64> {
        match self {
            Builtin::Print => Some(4),
            Builtin::Malloc => Some(8),
            Builtin::AssertFail | Builtin::Free => None,
        }
    }
}

/// A call of a [`Builtin`]. Its parameters and its result lie in the thread's local memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltinCall {
    pub function: Builtin,
    /// Added to all addresses if there is one.
    pub base: Option<Operand>,
    pub params: [u64; Builtin::PARAMS],
    pub result: Option<u64>,
}

/// `dp4a` and `dp2a`: `c` plus the products of the bytes of `b` with the bytes, or the 16-bit parts, of `a`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DotProduct {
    /// The 16-bit parts of `a` are multiplied with the high two bytes of `b`, or with the low two.
    /// `None`: the bytes of `a` are multiplied with all bytes of `b`.
    pub high: Option<bool>,
    /// `a` is signed; `b` is signed.
    pub signed: [bool; 2],
    pub dst: Slot,
    pub a: Operand,
    pub b: Operand,
    pub c: Operand,
}

/// Axes of a texture or surface. Layered ones have the layer as first coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Geometry {
    D1,
    D2,
    D3,
    /// Layers of one axis, and of two.
    A1,
    A2,
    /// Six faces, chosen by a direction.
    Cube,
    /// Layers of them.
    CubeArray,
}

impl Geometry {
    /// Coordinates besides the layer.
    pub fn axes(self) -> usize {
        match self {
            Geometry::D1 | Geometry::A1 => 1,
            Geometry::D2 | Geometry::A2 => 2,
            Geometry::D3 | Geometry::Cube | Geometry::CubeArray => 3,
        }
    }

    pub fn is_layered(self) -> bool {
        matches!(self, Geometry::A1 | Geometry::A2 | Geometry::CubeArray)
    }
}

/// `tex`, and `tld4` with the channel that it gathers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextureFetch {
    pub geometry: Geometry,
    pub handle: Operand,
    /// All four can be read, whatever the geometry is.
    pub coordinates: [Operand; 4],
    /// They are whole numbers.
    pub integer: bool,
    pub gather: Option<u8>,
    pub dst: [Option<Slot>; 4],
}

/// `txq` and `suq`: the size along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextureQuery {
    pub axis: u8,
    pub dst: Slot,
    pub handle: Operand,
}

/// Effect of an access outside of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outside {
    Trap,
    /// It goes to the nearest place.
    Clamp,
    /// A load gives zero, a store does nothing.
    Zero,
}

/// `suld.b` and `sust.b`. The first coordinate counts bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurfaceAccess {
    pub store: bool,
    pub geometry: Geometry,
    pub outside: Outside,
    pub element_bytes: u8,
    pub count: u8,
    pub handle: Operand,
    /// All four can be read, whatever the geometry is.
    pub coordinates: [Operand; 4],
    /// Values of a store, `count` of them.
    pub values: [Operand; 4],
    /// Where a load goes.
    pub dst: [Option<Slot>; 4],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VoteOp {
    All,
    Any,
    Uni,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShuffleMode {
    Up,
    Down,
    Butterfly,
    Index,
}

/// A warp's action at a barrier besides being counted. Reductions are over all threads that take part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BarrierAction {
    /// It waits.
    Sync,
    /// It goes on.
    Arrive,
    /// It waits and is given the number of threads with a true predicate.
    Popc { dst: Slot },
    /// It waits and is given whether all predicates, or any, are true.
    And { dst: Slot },
    /// It waits and is given whether any predicate is true.
    Or { dst: Slot },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Integer arithmetic, logic and shifts of two operands.
    Int { op: IntOp, ty: IntType, dst: Slot, a: Operand, b: Operand },
    /// Integer arithmetic and logic of one operand.
    IntUnary { op: IntUnaryOp, ty: IntType, dst: Slot, a: Operand },
    /// `ty` is that of the factors; the product has twice the width.
    MulWide { ty: IntType, dst: Slot, a: Operand, b: Operand },
    /// A product, or a half of it, plus `c`.
    Mad { product: Product, ty: IntType, dst: Slot, a: Operand, b: Operand, c: Operand },
    /// The carry is a predicate register that no name in the PTX can reach; only the `Mad` operations read `c`.
    Carry {
        op: CarryOp,
        ty: IntType,
        dst: Slot,
        a: Operand,
        b: Operand,
        c: Operand,
        carry_in: Option<Slot>,
        carry_out: Option<Slot>,
    },
    /// `|a - b| + c`
    Sad { ty: IntType, dst: Slot, a: Operand, b: Operand, c: Operand },
    /// Floating-point arithmetic of two operands.
    Float { op: FloatOp, ty: FloatType, modes: FloatModes, dst: Slot, a: Operand, b: Operand },
    /// Floating-point arithmetic of one operand.
    FloatUnary { op: FloatUnaryOp, ty: FloatType, modes: FloatModes, dst: Slot, a: Operand },
    /// `a * b + c`, rounded once.
    Fma { ty: FloatType, modes: FloatModes, dst: Slot, a: Operand, b: Operand, c: Operand },
    /// Extracts `c` bits from bit `b` on.
    Bfe { ty: IntType, dst: Slot, a: Operand, b: Operand, c: Operand },
    /// Inserts the low `d` bits of `a` into `b` from bit `c` on.
    Bfi { ty: IntType, dst: Slot, a: Operand, b: Operand, c: Operand, d: Operand },
    /// Byte permutation of `{b, a}` by the selectors in `c`, or by those that `c` chooses from a table.
    Prmt { table: Option<[u16; 4]>, dst: Slot, a: Operand, b: Operand, c: Operand },
    /// Any logic of three operands: bit `4a + 2b + c` of the table.
    Lop3 { table: u8, dst: Slot, a: Operand, b: Operand, c: Operand },
    /// See [`DotProduct`].
    Dot(DotProduct),
    /// Funnel shift of `{b, a}` by `c`, clamped to 32 or modulo 32.
    Funnel { left: bool, wrap: bool, dst: Slot, a: Operand, b: Operand, c: Operand },
    /// A comparison into a predicate; `complement` is given its opposite.
    Setp { compare: Compare, dst: Slot, complement: Option<Slot> },
    /// A comparison into a register.
    Set { compare: Compare, result: SetResult, dst: Slot },
    /// A floating-point number has a property.
    Testp { property: FloatProperty, ty: FloatType, dst: Slot, a: Operand },
    /// A generic address lies in a space.
    IsSpace { space: Space, dst: Slot, a: Operand },
    /// `a` if the predicate is true, else `b`.
    Selp { dst: Slot, a: Operand, b: Operand, choice: Predicate },
    /// `a` if `c` is not negative (an s32, or an f32 that is not NaN), else `b`.
    Slct { dst: Slot, a: Operand, b: Operand, c: Operand, by: Numeric, ftz: bool },
    /// Logic of two predicates.
    PredicateLogic { op: BoolOp, dst: Slot, a: Predicate, b: Predicate },
    /// `dst = a` of predicates.
    PredicateMove { dst: Slot, a: Predicate },
    /// `dst = a`
    Move { dst: Slot, a: Operand },
    /// `dst` is given the low bits of a special register.
    ReadSpecial { dst: Slot, register: SpecialRegister, bits: u8 },
    /// Concatenates 2 or 4 parts, the first least significant.
    Pack { part_bits: u8, count: u8, dst: Slot, parts: [Operand; 4] },
    /// The opposite of `Pack`; parts without a destination are dropped.
    Unpack { part_bits: u8, count: u8, dst: [Option<Slot>; 4], a: Operand },
    /// `dst_bits`: width of the destination register, to which the result is extended.
    Convert { convert: Convert, dst: Slot, dst_bits: u8, a: Operand },
    /// A predicate over all active lanes of the warp.
    Vote { op: VoteOp, dst: Slot, a: Predicate },
    /// The mask of active lanes whose predicate is true.
    Ballot { dst: Slot, a: Predicate },
    /// The two above, of the lanes that `members` names; without an operation the mask.
    VoteOfMembers { op: Option<VoteOp>, members: Operand, dst: Slot, a: Predicate },
    /// The mask of the lanes among `members` that have the same value, or, with `all`, of all if all have. `found`: whether all have.
    Match { all: bool, members: Operand, dst: Slot, found: Option<Slot>, a: Operand },
    /// A reduction over `members`.
    Reduce { op: IntOp, ty: IntType, members: Operand, dst: Slot, a: Operand },
    /// The mask of active lanes.
    ActiveMask { dst: Slot },
    /// A value from the lane that `b` and `c` choose; `in_range`: whether there is such a lane. The instruction does not wait for its
    /// `members`.
    Shuffle {
        mode: ShuffleMode,
        dst: Slot,
        in_range: Option<Slot>,
        a: Operand,
        b: Operand,
        c: Operand,
        members: Option<Operand>,
    },
    /// See [`Load`].
    Load(Load),
    /// See [`Store`].
    Store(Store),
    /// See [`Atomic`].
    Atomic(Atomic),
    /// See [`TextureFetch`].
    Texture(TextureFetch),
    /// See [`TextureQuery`].
    TextureQuery(TextureQuery),
    /// See [`SurfaceAccess`].
    Surface(SurfaceAccess),
    /// See [`BuiltinCall`].
    Builtin(BuiltinCall),
    /// To an instruction of this program.
    Branch { target: u32 },
    /// To the place that a value chooses from [`super::program::Program::tables`]: `brx.idx` and indirect calls. Lanes that choose
    /// another one than the first lane execute it again.
    BranchTable { selector: Operand, table: u16 },
    /// The thread ends.
    Exit,
    /// The launch ends with an error.
    Trap,
    /// See [`BarrierAction`].
    Barrier {
        id: Operand,
        /// Threads that the barrier is for; without it, all of the CTA.
        threads: Option<Operand>,
        action: BarrierAction,
        /// Predicate of reductions.
        a: Predicate,
    },
    /// Hints.
    Nop,
    /// Waits until the earlier accesses of the thread are done.
    Fence,
    /// As [`Op::Fence`]: the lanes of a warp run in lock-step. The instruction does not wait for its `members`.
    SyncLanes { members: Operand },
    /// See [`SystemOp`].
    System(SystemOp),
}
