//! Arithmetic, logic and comparisons.

use super::super::ast::{self, Type, TypeKind};
use super::super::op::*;
use super::instruction::Context;
use super::Result;

const U32: Type = Type { kind: TypeKind::Unsigned, bits: 32 };

fn is_float(ty: Type) -> bool {
    ty.kind == TypeKind::Float
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

    /// `.ftz` and `.sat`.
    pub fn float_modes(&mut self) -> FloatModes {
        FloatModes { ftz: self.modifiers.accept("ftz"), saturate: self.modifiers.accept("sat") }
    }

    /// Arithmetic rounds to nearest even; the other modes do not exist here.
    fn nearest(&mut self) -> Result<()> {
        self.modifiers.accept("rn");
        match self.modifiers.take(|w| ["rz", "rm", "rp", "rna"].into_iter().find(|r| *r == w)) {
            Some(mode) => Err(self.error(format!("rounding `.{mode}` is not supported, only `.rn`"))),
            None => Ok(()),
        }
    }

    fn int_op(&mut self, op: IntOp, ty: Type) -> Result<Op> {
        self.expect_operands(3..=3)?;
        Ok(Op::Int { op, ty: self.int(ty)?, dst: self.dst(ty)?, a: self.src(1, ty)?, b: self.src(2, ty)? })
    }

    fn float_op(&mut self, op: FloatOp, ty: Type) -> Result<Op> {
        self.expect_operands(3..=3)?;
        self.nearest()?;
        let modes = self.float_modes();
        Ok(Op::Float { op, ty: self.float(ty)?, modes, dst: self.dst(ty)?, a: self.src(1, ty)?, b: self.src(2, ty)? })
    }

    pub fn add_sub(&mut self) -> Result<Op> {
        let ty = self.ty()?;
        let add = self.opcode() == "add";
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
            Product::Wide => {
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
            self.nearest()?;
            let modes = self.float_modes();
            let (a, b, c) = (self.src(1, ty)?, self.src(2, ty)?, self.src(3, ty)?);
            return Ok(Op::Fma { ty: self.float(ty)?, modes, dst: self.dst(ty)?, a, b, c });
        }
        if self.opcode() == "fma" {
            return Err(self.error("the type does not fit the operation"));
        }
        let product = self.product()?;
        let sum = if product == Product::Wide { self.twice(ty)? } else { ty };
        let (a, b, c) = (self.src(1, ty)?, self.src(2, ty)?, self.src(3, sum)?);
        Ok(Op::Mad { product, ty: self.int(ty)?, dst: self.dst(sum)?, a, b, c })
    }

    pub fn div(&mut self) -> Result<Op> {
        let ty = self.ty()?;
        if is_float(ty) {
            // The exact quotient is within what these promise.
            self.modifiers.ignore(&["approx", "full"]);
            return self.float_op(FloatOp::Div, ty);
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
            let modes = FloatModes { ftz: self.modifiers.accept("ftz"), saturate: false };
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
        Ok(Op::Prmt { dst: self.dst(ty)?, a: self.src(1, ty)?, b: self.src(2, ty)?, c: self.src_u32(3)? })
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
        self.nearest()?;
        let ty = self.ty()?;
        self.expect_operands(2..=2)?;
        let modes = FloatModes { ftz: self.modifiers.accept("ftz"), saturate: false };
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
        self.modifiers.accept("ftz");
        self.expect_operands(4..=4)?;
        let numeric = self.numeric(by)?;
        if !matches!(numeric, Numeric::Int(IntType::S32) | Numeric::Float(FloatType::F32)) {
            return Err(self.error("the type of the selector must be .s32 or .f32"));
        }
        let (a, b, c) = (self.src(1, ty)?, self.src(2, ty)?, self.src(3, by)?);
        Ok(Op::Slct { dst: self.dst(ty)?, a, b, c, by: numeric })
    }
}
