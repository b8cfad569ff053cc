//! `tex`, `tld4`, `txq`, `suld`, `sust`, `suq`.

use super::super::ast::{self, Type, TypeKind};
use super::super::op::{Geometry, Op, Operand, Outside, SurfaceAccess, TextureFetch, TextureQuery};
use super::instruction::Context;
use super::operands::Fit;
use super::Result;

fn geometry(word: &str) -> Option<Geometry> {
    Some(match word {
        "1d" => Geometry::D1,
        "2d" => Geometry::D2,
        "3d" => Geometry::D3,
        "a1d" => Geometry::A1,
        "a2d" => Geometry::A2,
        "cube" => Geometry::Cube,
        "acube" => Geometry::CubeArray,
        _ => return None,
    })
}

impl Context<'_, '_> {
    fn geometry(&mut self) -> Result<Geometry> {
        self.modifiers.take(geometry).ok_or_else(|| self.error("the geometry is missing or not supported"))
    }

    /// The handle and the coordinates of `[handle, {coordinates}]`; those that are not there read as the handle.
    fn texture_operand(&mut self, index: usize, geometry: Geometry) -> Result<(Operand, [Operand; 4])> {
        let ast::Operand::Texture { handle, coordinates } = self.operand(index) else {
            return Err(self.error("a texture with coordinates, `[texture, {x, y}]`, is expected"));
        };
        let handle = self.source(handle, Type::BITS_64, Fit::Exact)?;
        let parts = match &**coordinates {
            ast::Operand::Vector(parts) => parts.as_slice(),
            single => std::slice::from_ref(single),
        };
        let needed = geometry.axes() + usize::from(geometry.is_layered());
        if parts.len() < needed || parts.len() > 4 {
            return Err(self.error(format!("{} coordinates where {needed} are expected", parts.len())));
        }
        let mut operands = [handle; 4];
        for (operand, part) in operands.iter_mut().zip(&parts[..needed]) {
            *operand = self.source(part, Type::BITS_32, Fit::Exact)?;
        }
        Ok((handle, operands))
    }

    pub fn tex(&mut self) -> Result<Op> {
        // Textures have no further levels.
        self.modifiers.ignore(&["base", "level", "grad"]);
        let geometry = self.geometry()?;
        self.fetch(geometry, None)
    }

    pub fn gather(&mut self) -> Result<Op> {
        let channel = self.modifiers.take(|word| ["r", "g", "b", "a"].iter().position(|name| *name == word));
        let Some(channel) = channel else { return Err(self.error("the channel is missing")) };
        let geometry = self.geometry()?;
        if !matches!(geometry, Geometry::D2 | Geometry::A2) {
            return Err(self.error("only `.2d` and `.a2d` are supported"));
        }
        self.fetch(geometry, Some(channel as u8))
    }

    fn fetch(&mut self, geometry: Geometry, gather: Option<u8>) -> Result<Op> {
        if !self.modifiers.accept("v4") {
            return Err(self.error("`.v4` is missing"));
        }
        let (result, coordinate) = (self.ty()?, self.ty()?);
        let integer = match (coordinate.kind, coordinate.bits) {
            (TypeKind::Signed, 32) => true,
            (TypeKind::Float, 32) => false,
            _ => return Err(self.error("the type of the coordinates must be .s32 or .f32")),
        };
        self.expect_operands(2..=4)?;
        let ast::Operand::Vector(parts) = self.operand(0) else {
            return Err(self.error("four registers in braces are expected"));
        };
        let mut dst = [None; 4];
        for (slot, part) in dst.iter_mut().zip(parts) {
            *slot = self.optional_dst(part, result, Fit::Exact)?.map(|(slot, _)| slot);
        }
        let (handle, coordinates) = self.texture_operand(1, geometry)?;
        Ok(Op::Texture(TextureFetch { geometry, handle, coordinates, integer, gather, dst }))
    }

    /// `txq` and `suq`
    pub fn texture_query(&mut self) -> Result<Op> {
        let axis = self.modifiers.take(|word| match word {
            "width" => Some(0),
            "height" => Some(1),
            "depth" | "array_size" => Some(2),
            _ => None,
        });
        let Some(axis) = axis else {
            return Err(self.error("only `.width`, `.height`, `.depth` and `.array_size` are supported"));
        };
        let ty = self.ty()?;
        self.expect_operands(2..=2)?;
        let ast::Operand::Memory { base: Some(name), offset: 0 } = self.operand(1) else {
            return Err(self.error("a texture in brackets is expected"));
        };
        let name = ast::Operand::Name { name: name.clone(), component: None, offset: 0 };
        Ok(Op::TextureQuery(TextureQuery {
            axis,
            dst: self.dst(ty)?,
            handle: self.source(&name, Type::BITS_64, Fit::Exact)?,
        }))
    }

    /// `suld.b` and `sust.b`
    pub fn surface(&mut self) -> Result<Op> {
        let store = self.instruction.opcode == "sust";
        if !self.modifiers.accept("b") {
            return Err(self.error("only the unformatted form, `.b`, is supported"));
        }
        self.modifiers.ignore(&["ca", "cg", "cs", "cv", "wb", "wt"]);
        let geometry = self.geometry()?;
        let outside = self.modifiers.take(|word| match word {
            "trap" => Some(Outside::Trap),
            "clamp" => Some(Outside::Clamp),
            "zero" => Some(Outside::Zero),
            _ => None,
        });
        let vector = self.modifiers.take(|word| [("v2", 2), ("v4", 4)].iter().find(|v| v.0 == word).map(|v| v.1));
        let ty = self.ty()?;
        self.expect_operands(2..=2)?;
        let (place, data) = if store { (0, 1) } else { (1, 0) };
        let parts = match self.operand(data) {
            ast::Operand::Vector(parts) => parts.as_slice(),
            single => std::slice::from_ref(single),
        };
        let count = vector.unwrap_or(1);
        if parts.len() != count {
            return Err(self.error(format!("{count} registers are expected")));
        }
        let (handle, coordinates) = self.texture_operand(place, geometry)?;
        let (mut values, mut dst) = ([handle; 4], [None; 4]);
        for (n, part) in parts.iter().enumerate() {
            match store {
                true => values[n] = self.source(part, ty, Fit::Wider)?,
                false => dst[n] = self.optional_dst(part, ty, Fit::Wider)?.map(|(slot, _)| slot),
            }
        }
        let outside = outside.unwrap_or(Outside::Trap);
        let element_bytes = ty.bytes() as u8;
        let count = count as u8;
        Ok(Op::Surface(SurfaceAccess {
            store,
            geometry,
            outside,
            element_bytes,
            count,
            handle,
            coordinates,
            values,
            dst,
        }))
    }
}
