//! Arithmetic, logic and comparisons.

use super::super::ast::{self, Type, TypeKind};
use super::super::op::*;
use super::instruction::Context;
use super::Result;

const U32: Type = Type { kind: TypeKind::Unsigned, bits: 32 };

fn is_float(ty: Type) -> bool {
    matches!(ty.kind, TypeKind::Float | TypeKind::HalfPair)
}

fn bool_op(word: &str) -> Option<BoolOp> {
    Some(match word {
        "and" => BoolOp::And,
        "or" => BoolOp::Or,
        "xor" => BoolOp::Xor,
        _ => return None,
    })
}

fn comparison(word: &str) -> Option<Comparison> {
    Some(match word {
        "eq" => Comparison::Eq,
        "ne" => Comparison::Ne,
        "lt" | "lo" => Comparison::Lt,
        "le" | "ls" => Comparison::Le,
        "gt" | "hi" => Comparison::Gt,
        "ge" | "hs" => Comparison::Ge,
        "equ" => Comparison::EqU,
        "neu" => Comparison::NeU,
        "ltu" => Comparison::LtU,
        "leu" => Comparison::LeU,
        "gtu" => Comparison::GtU,
        "geu" => Comparison::GeU,
        "num" => Comparison::Num,
        "nan" => Comparison::Nan,
        _ => return None,
    })
}

impl<'m> Context<'_, 'm> {
    fn opcode(&self) -> &'m str {
        &self.instruction.opcode
    }

    /// Rounding, `.ftz` and `.sat`.
    pub fn float_modes(&mut self) -> FloatModes {
        let rounding = self.modifiers.take(super::modifiers::rounding).unwrap_or_default();
        FloatModes { ftz: self.modifiers.accept("ftz"), saturate: self.modifiers.accept("sat"), rounding }
    }

    /// Half precision has few operations, and one rounding.
    fn check_half(&self, modes: FloatModes, exists: bool) -> Result<()> {
        match (exists, modes.rounding) {
            (false, _) => Err(self.error("the type does not fit the operation")),
            (true, Rounding::Nearest) => Ok(()),
            (true, _) => Err(self.error("half precision is always rounded to nearest")),
        }
    }

    fn int_op(&mut self, op: IntOp, ty: Type) -> Result<Op> {
        self.expect_operands(3..=3)?;
        Ok(Op::Int { op, ty: self.int(ty)?, dst: self.dst(ty)?, a: self.src(1, ty)?, b: self.src(2, ty)? })
    }

    fn float_op(&mut self, op: FloatOp, ty: Type) -> Result<Op> {
        self.expect_operands(3..=3)?;
        let modes = self.float_modes();
        if modes.rounding != Rounding::Nearest && matches!(op, FloatOp::Min | FloatOp::Max | FloatOp::CopySign) {
            return Err(self.error("there is nothing to round"));
        }
        if self.float(ty)?.is_half() {
            self.check_half(modes, !matches!(op, FloatOp::Div | FloatOp::DivApprox | FloatOp::CopySign))?;
        }
        Ok(Op::Float { op, ty: self.float(ty)?, modes, dst: self.dst(ty)?, a: self.src(1, ty)?, b: self.src(2, ty)? })
    }

    pub fn add_sub(&mut self) -> Result<Op> {
        let ty = self.ty()?;
        let add = self.opcode().starts_with("add");
        if self.has_carry() {
            return self.carry_op(if add { CarryOp::Add } else { CarryOp::Sub }, ty);
        }
        if is_float(ty) {
            return self.float_op(if add { FloatOp::Add } else { FloatOp::Sub }, ty);
        }
        let saturate = self.modifiers.accept("sat");
        if saturate && self.int(ty)? != IntType::S32 {
            return Err(self.error("`.sat` needs the type `.s32`"));
        }
        let op = match (add, saturate) {
            (true, false) => IntOp::Add,
            (true, true) => IntOp::AddSaturated,
            (false, false) => IntOp::Sub,
            (false, true) => IntOp::SubSaturated,
        };
        self.int_op(op, ty)
    }

    /// The instruction reads (`addc`) or writes (`add.cc`) the carry.
    fn has_carry(&self) -> bool {
        self.reads_carry() || self.instruction.modifiers.iter().any(|word| word == "cc")
    }

    fn reads_carry(&self) -> bool {
        matches!(self.opcode(), "addc" | "subc" | "madc")
    }

    fn carry_op(&mut self, op: CarryOp, ty: Type) -> Result<Op> {
        let is_mad = matches!(op, CarryOp::MadLo | CarryOp::MadHi);
        self.expect_operands(if is_mad { 4..=4 } else { 3..=3 })?;
        if ty.bits < 32 {
            return Err(self.error("carries need a type of 32 or 64 bits"));
        }
        let carry = self.decoder.carry();
        let carry_in = self.reads_carry().then_some(carry);
        let carry_out = self.modifiers.accept("cc").then_some(carry);
        let (a, b) = (self.src(1, ty)?, self.src(2, ty)?);
        let c = if is_mad { self.src(3, ty)? } else { a };
        Ok(Op::Carry { op, ty: self.int(ty)?, dst: self.dst(ty)?, a, b, c, carry_in, carry_out })
    }

    fn product(&mut self) -> Result<Product> {
        let product = self.modifiers.take(|word| match word {
            "lo" => Some(Product::Lo),
            "hi" => Some(Product::Hi),
            "wide" => Some(Product::Wide),
            _ => None,
        });
        product.ok_or_else(|| self.error("`.lo`, `.hi` or `.wide` is missing"))
    }

    fn twice(&self, ty: Type) -> Result<Type> {
        match ty.bits {
            64 => Err(self.error("`.wide` needs a type of 16 or 32 bits")),
            bits => Ok(Type { kind: ty.kind, bits: 2 * bits }),
        }
    }

    pub fn mul(&mut self) -> Result<Op> {
        let ty = self.ty()?;
        if is_float(ty) {
            return self.float_op(FloatOp::Mul, ty);
        }
        match self.product()? {
            Product::Lo => self.int_op(IntOp::MulLo, ty),
            Product::Hi => self.int_op(IntOp::MulHi, ty),
            _ => {
                self.expect_operands(3..=3)?;
                let dst = self.dst(self.twice(ty)?)?;
                Ok(Op::MulWide { ty: self.int(ty)?, dst, a: self.src(1, ty)?, b: self.src(2, ty)? })
            }
        }
    }

    pub fn mad(&mut self) -> Result<Op> {
        let ty = self.ty()?;
        self.expect_operands(4..=4)?;
        if is_float(ty) {
            let modes = self.float_modes();
            if self.float(ty)?.is_half() {
                self.check_half(modes, true)?;
            }
            let (a, b, c) = (self.src(1, ty)?, self.src(2, ty)?, self.src(3, ty)?);
            return Ok(Op::Fma { ty: self.float(ty)?, modes, dst: self.dst(ty)?, a, b, c });
        }
        if self.opcode() == "fma" {
            return Err(self.error("the type does not fit the operation"));
        }
        let product = self.product()?;
        if self.has_carry() {
            return match product {
                Product::Lo => self.carry_op(CarryOp::MadLo, ty),
                Product::Hi => self.carry_op(CarryOp::MadHi, ty),
                _ => Err(self.error("carries need `.lo` or `.hi`")),
            };
        }
        let sum = if product == Product::Wide { self.twice(ty)? } else { ty };
        let (a, b, c) = (self.src(1, ty)?, self.src(2, ty)?, self.src(3, sum)?);
        Ok(Op::Mad { product, ty: self.int(ty)?, dst: self.dst(sum)?, a, b, c })
    }

    fn half_of_24(&mut self) -> Result<bool> {
        match self.product()? {
            Product::Lo => Ok(false),
            Product::Hi => Ok(true),
            _ => Err(self.error("`.lo` or `.hi` is missing")),
        }
    }

    pub fn mul24(&mut self) -> Result<Op> {
        let ty = self.ty()?;
        let op = if self.half_of_24()? { IntOp::Mul24Hi } else { IntOp::Mul24Lo };
        self.int_op(op, ty)
    }

    pub fn mad24(&mut self) -> Result<Op> {
        let ty = self.ty()?;
        let product = if self.half_of_24()? { Product::Hi24 } else { Product::Lo24 };
        self.expect_operands(4..=4)?;
        let (a, b, c) = (self.src(1, ty)?, self.src(2, ty)?, self.src(3, ty)?);
        Ok(Op::Mad { product, ty: self.int(ty)?, dst: self.dst(ty)?, a, b, c })
    }

    pub fn testp(&mut self) -> Result<Op> {
        let property = self.modifiers.take(|word| {
            Some(match word {
                "finite" => FloatProperty::Finite,
                "infinite" => FloatProperty::Infinite,
                "number" => FloatProperty::Number,
                "notanumber" => FloatProperty::NotANumber,
                "normal" => FloatProperty::Normal,
                "subnormal" => FloatProperty::Subnormal,
                _ => return None,
            })
        });
        let Some(property) = property else { return Err(self.error("the property is missing")) };
        let ty = self.ty()?;
        self.expect_operands(2..=2)?;
        let dst = self.predicate_dst(self.operand(0))?;
        if self.float(ty)?.is_half() {
            return Err(self.error("the type does not fit the operation"));
        }
        Ok(Op::Testp { property, ty: self.float(ty)?, dst, a: self.src(1, ty)? })
    }

    pub fn is_space(&mut self) -> Result<Op> {
        let Some(space) = self.modifiers.take(super::modifiers::space) else {
            return Err(self.error("the state space is missing"));
        };
        self.expect_operands(2..=2)?;
        let dst = self.predicate_dst(self.operand(0))?;
        Ok(Op::IsSpace { space, dst, a: self.src(1, Type::BITS_64)? })
    }

    pub fn div(&mut self) -> Result<Op> {
        let ty = self.ty()?;
        if is_float(ty) {
            let is_approximate = self.modifiers.accept("approx");
            // The exact quotient is within what this promises.
            self.modifiers.accept("full");
            return self.float_op(if is_approximate { FloatOp::DivApprox } else { FloatOp::Div }, ty);
        }
        self.int_op(IntOp::Div, ty)
    }

    pub fn rem(&mut self) -> Result<Op> {
        let ty = self.ty()?;
        self.int_op(IntOp::Rem, ty)
    }

    pub fn min_max(&mut self) -> Result<Op> {
        let ty = self.ty()?;
        let min = self.opcode() == "min";
        if is_float(ty) {
            return self.float_op(if min { FloatOp::Min } else { FloatOp::Max }, ty);
        }
        self.int_op(if min { IntOp::Min } else { IntOp::Max }, ty)
    }

    pub fn sad(&mut self) -> Result<Op> {
        let ty = self.ty()?;
        self.expect_operands(4..=4)?;
        let (a, b, c) = (self.src(1, ty)?, self.src(2, ty)?, self.src(3, ty)?);
        Ok(Op::Sad { ty: self.int(ty)?, dst: self.dst(ty)?, a, b, c })
    }

    pub fn logic(&mut self) -> Result<Op> {
        let op = bool_op(self.opcode()).expect("logic has the names of boolean operations");
        let ty = self.ty()?;
        if ty.kind == TypeKind::Predicate {
            self.expect_operands(3..=3)?;
            let dst = self.predicate_dst(self.operand(0))?;
            return Ok(Op::PredicateLogic { op, dst, a: self.predicate(1)?, b: self.predicate(2)? });
        }
        let op = match op {
            BoolOp::And => IntOp::And,
            BoolOp::Or => IntOp::Or,
            BoolOp::Xor => IntOp::Xor,
        };
        self.int_op(op, ty)
    }

    pub fn shift(&mut self) -> Result<Op> {
        let op = if self.opcode() == "shl" { IntOp::Shl } else { IntOp::Shr };
        let ty = self.ty()?;
        self.expect_operands(3..=3)?;
        Ok(Op::Int { op, ty: self.int(ty)?, dst: self.dst(ty)?, a: self.src(1, ty)?, b: self.src_u32(2)? })
    }

    pub fn neg_abs(&mut self) -> Result<Op> {
        let ty = self.ty()?;
        let neg = self.opcode() == "neg";
        self.expect_operands(2..=2)?;
        if is_float(ty) {
            let modes = FloatModes { ftz: self.modifiers.accept("ftz"), ..FloatModes::default() };
            let op = if neg { FloatUnaryOp::Neg } else { FloatUnaryOp::Abs };
            return Ok(Op::FloatUnary { op, ty: self.float(ty)?, modes, dst: self.dst(ty)?, a: self.src(1, ty)? });
        }
        let op = if neg { IntUnaryOp::Neg } else { IntUnaryOp::Abs };
        Ok(Op::IntUnary { op, ty: self.int(ty)?, dst: self.dst(ty)?, a: self.src(1, ty)? })
    }

    pub fn bit_unary(&mut self) -> Result<Op> {
        let ty = self.ty()?;
        self.expect_operands(2..=2)?;
        let (op, result) = match self.opcode() {
            "not" if ty.kind == TypeKind::Predicate => return self.predicate_not(),
            "not" => (IntUnaryOp::Not, ty),
            "cnot" => (IntUnaryOp::LogicalNot, ty),
            "brev" => (IntUnaryOp::Brev, ty),
            "popc" => (IntUnaryOp::Popc, U32),
            "clz" => (IntUnaryOp::Clz, U32),
            _ if self.modifiers.accept("shiftamt") => (IntUnaryOp::BfindShift, U32),
            _ => (IntUnaryOp::Bfind, U32),
        };
        Ok(Op::IntUnary { op, ty: self.int(ty)?, dst: self.dst(result)?, a: self.src(1, ty)? })
    }

    fn predicate_not(&mut self) -> Result<Op> {
        let dst = self.predicate_dst(self.operand(0))?;
        let a = match self.predicate(1)? {
            Predicate::Reg(guard) => Predicate::Reg(super::Guard { negated: !guard.negated, ..guard }),
            Predicate::Const(value) => Predicate::Const(!value),
        };
        Ok(Op::PredicateMove { dst, a })
    }

    pub fn bfe(&mut self) -> Result<Op> {
        let ty = self.ty()?;
        self.expect_operands(4..=4)?;
        let (a, b, c) = (self.src(1, ty)?, self.src_u32(2)?, self.src_u32(3)?);
        Ok(Op::Bfe { ty: self.int(ty)?, dst: self.dst(ty)?, a, b, c })
    }

    pub fn bfi(&mut self) -> Result<Op> {
        let ty = self.ty()?;
        self.expect_operands(5..=5)?;
        let (a, b, c, d) = (self.src(1, ty)?, self.src(2, ty)?, self.src_u32(3)?, self.src_u32(4)?);
        Ok(Op::Bfi { ty: self.int(ty)?, dst: self.dst(ty)?, a, b, c, d })
    }

    pub fn prmt(&mut self) -> Result<Op> {
        let ty = self.ty()?;
        self.expect_operands(4..=4)?;
        let table = self.modifiers.take(|word| {
            Some(match word {
                "f4e" => [0x3210, 0x4321, 0x5432, 0x6543],
                "b4e" => [0x5670, 0x6701, 0x7012, 0x0123],
                "rc8" => [0x0000, 0x1111, 0x2222, 0x3333],
                "ecl" => [0x3210, 0x3211, 0x3222, 0x3333],
                "ecr" => [0x0000, 0x1110, 0x2210, 0x3210],
                "rc16" => [0x1010, 0x3232, 0x1010, 0x3232],
                _ => return None,
            })
        });
        Ok(Op::Prmt { table, dst: self.dst(ty)?, a: self.src(1, ty)?, b: self.src(2, ty)?, c: self.src_u32(3)? })
    }

    pub fn funnel(&mut self) -> Result<Op> {
        let left = self.modifiers.accept("l");
        if !left && !self.modifiers.accept("r") {
            return Err(self.error("`.l` or `.r` is missing"));
        }
        let wrap = self.modifiers.accept("wrap");
        if !wrap && !self.modifiers.accept("clamp") {
            return Err(self.error("`.wrap` or `.clamp` is missing"));
        }
        let ty = self.ty()?;
        self.expect_operands(4..=4)?;
        let (a, b, c) = (self.src(1, ty)?, self.src(2, ty)?, self.src_u32(3)?);
        Ok(Op::Funnel { left, wrap, dst: self.dst(ty)?, a, b, c })
    }

    pub fn lop3(&mut self) -> Result<Op> {
        let ty = self.ty()?;
        self.expect_operands(5..=5)?;
        let ast::Operand::Int(table) = self.operand(4) else {
            return Err(self.error("the table must be a number"));
        };
        let (a, b, c) = (self.src(1, ty)?, self.src(2, ty)?, self.src(3, ty)?);
        Ok(Op::Lop3 { table: *table as u8, dst: self.dst(ty)?, a, b, c })
    }

    pub fn dot(&mut self) -> Result<Op> {
        let high = match self.opcode() {
            "dp2a" if self.modifiers.accept("hi") => Some(true),
            "dp2a" if self.modifiers.accept("lo") => Some(false),
            "dp2a" => return Err(self.error("`.lo` or `.hi` is missing")),
            _ => None,
        };
        let types = [self.ty()?, self.ty()?];
        if types.iter().any(|ty| ty.bits != 32 || is_float(*ty)) {
            return Err(self.error("the type does not fit the operation"));
        }
        self.expect_operands(4..=4)?;
        let signed = types.map(|ty| ty.kind == TypeKind::Signed);
        let (dst, a, b, c) = (self.dst(U32)?, self.src(1, types[0])?, self.src(2, types[1])?, self.src(3, U32)?);
        Ok(Op::Dot(DotProduct { high, signed, dst, a, b, c }))
    }

    pub fn copy_sign(&mut self) -> Result<Op> {
        let ty = self.ty()?;
        self.float(ty)?;
        self.float_op(FloatOp::CopySign, ty)
    }

    pub fn float_special(&mut self) -> Result<Op> {
        let op = match self.opcode() {
            "rcp" => FloatUnaryOp::Rcp,
            "sqrt" => FloatUnaryOp::Sqrt,
            "rsqrt" => FloatUnaryOp::Rsqrt,
            "sin" => FloatUnaryOp::Sin,
            "cos" => FloatUnaryOp::Cos,
            "ex2" => FloatUnaryOp::Ex2,
            "lg2" => FloatUnaryOp::Lg2,
            _ => FloatUnaryOp::Tanh,
        };
        self.modifiers.accept("approx");
        let ty = self.ty()?;
        self.expect_operands(2..=2)?;
        let rounding = match op {
            FloatUnaryOp::Rcp | FloatUnaryOp::Sqrt => {
                self.modifiers.take(super::modifiers::rounding).unwrap_or_default()
            }
            _ => Rounding::Nearest,
        };
        let modes = FloatModes { ftz: self.modifiers.accept("ftz"), saturate: false, rounding };
        if self.float(ty)?.is_half() {
            self.check_half(modes, matches!(op, FloatUnaryOp::Ex2 | FloatUnaryOp::Tanh))?;
        }
        Ok(Op::FloatUnary { op, ty: self.float(ty)?, modes, dst: self.dst(ty)?, a: self.src(1, ty)? })
    }

    fn numeric(&self, ty: Type) -> Result<Numeric> {
        if is_float(ty) {
            return self.float(ty).map(Numeric::Float);
        }
        self.int(ty).map(Numeric::Int)
    }

    /// The comparison of `setp` and `set`, between the operands 1 and 2, combined with operand 3 if there is one.
    fn compare(&mut self, ty: Type) -> Result<Compare> {
        let Some(comparison) = self.modifiers.take(comparison) else {
            return Err(self.error("the comparison is missing"));
        };
        if comparison >= Comparison::EqU && !is_float(ty) {
            return Err(self.error("this comparison needs a floating-point type"));
        }
        let op = self.modifiers.take(bool_op);
        let ftz = self.modifiers.accept("ftz");
        self.expect_operands(if op.is_some() { 4..=4 } else { 3..=3 })?;
        let combine = match op {
            Some(op) => Some((op, self.predicate(3)?)),
            None => None,
        };
        Ok(Compare { ty: self.numeric(ty)?, comparison, ftz, combine, a: self.src(1, ty)?, b: self.src(2, ty)? })
    }

    pub fn setp(&mut self) -> Result<Op> {
        let ty = self.ty()?;
        let compare = self.compare(ty)?;
        let (dst, complement) = match self.operand(0) {
            ast::Operand::Pair(dst, complement) => (self.predicate_dst(dst)?, Some(self.predicate_dst(complement)?)),
            dst => (self.predicate_dst(dst)?, None),
        };
        Ok(Op::Setp { compare, dst, complement })
    }

    pub fn set(&mut self) -> Result<Op> {
        let result_type = self.ty()?;
        let ty = self.ty()?;
        let compare = self.compare(ty)?;
        let result = match (result_type.kind, result_type.bits) {
            (TypeKind::Float, 32) => SetResult::One,
            (TypeKind::Unsigned | TypeKind::Signed, 32) => SetResult::Ones32,
            _ => return Err(self.error("the type of the result must be .u32, .s32 or .f32")),
        };
        Ok(Op::Set { compare, result, dst: self.dst(result_type)? })
    }

    pub fn selp(&mut self) -> Result<Op> {
        let ty = self.ty()?;
        self.expect_operands(4..=4)?;
        Ok(Op::Selp { dst: self.dst(ty)?, a: self.src(1, ty)?, b: self.src(2, ty)?, choice: self.predicate(3)? })
    }

    pub fn slct(&mut self) -> Result<Op> {
        let ty = self.ty()?;
        let by = self.ty()?;
        let ftz = self.modifiers.accept("ftz");
        self.expect_operands(4..=4)?;
        let numeric = self.numeric(by)?;
        if !matches!(numeric, Numeric::Int(IntType::S32) | Numeric::Float(FloatType::F32)) {
            return Err(self.error("the type of the selector must be .s32 or .f32"));
        }
        let (a, b, c) = (self.src(1, ty)?, self.src(2, ty)?, self.src(3, by)?);
        Ok(Op::Slct { dst: self.dst(ty)?, a, b, c, by: numeric, ftz })
    }
}
