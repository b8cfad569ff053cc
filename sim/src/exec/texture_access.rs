//! Instructions on textures and surfaces.
//!
//! In time a fetch is a load, by way of the texture cache or, where there is none, of the L1: of the texel, or of the first texel that a
//! filter reads. Surfaces go through the L1.

use super::effect::{AccessKind, Demand};
use super::fault::{Cause, Fault};
use super::lanes::each;
use super::state_space::{little_endian, MemoryInstruction};
use super::texture::{cube_face, Coordinates, Place, Texture};
use crate::ptx::isa::Space;
use crate::ptx::op::{Geometry, Operand, Outside, SurfaceAccess, TextureFetch, TextureQuery};

impl<'d> MemoryInstruction<'_, '_, '_, 'd> {
    pub fn fetch_texture(mut self, fetch: &TextureFetch) -> Result<Demand<'d>, Fault> {
        self.begin_access(AccessKind::Read);
        for lane in each(self.lanes.mask) {
            let texture = self.texture(lane, fetch.handle)?;
            let place = self.place(lane, fetch);
            let memory = &*self.spaces.global;
            let found = match fetch.gather {
                Some(channel) => texture.gather(memory, &place, usize::from(channel)),
                None => texture.fetch(memory, &place),
            };
            let bytes = texture.texel_bytes();
            let (channels, address) = found.map_err(|error| self.read_fault(lane, Space::Global, error))?;
            self.report(lane, address, bytes);
            for (dst, channel) in fetch.dst.iter().zip(channels) {
                if let Some(slot) = *dst {
                    self.lanes.regs.set(slot, lane, u64::from(channel));
                }
            }
        }
        Ok(self.scratch.demand())
    }

    /// `txq`, `suq`
    pub fn query_texture(self, query: &TextureQuery) -> Result<Demand<'d>, Fault> {
        for lane in each(self.lanes.mask) {
            let texture = self.texture(lane, query.handle)?;
            let value = texture.size[usize::from(query.axis)];
            self.lanes.regs.set(query.dst, lane, u64::from(value));
        }
        Ok(Demand::Nothing)
    }

    /// `suld`, `sust`: whole bytes of a row, not texels.
    pub fn access_surface(mut self, access: &SurfaceAccess) -> Result<Demand<'d>, Fault> {
        let kind = if access.store { AccessKind::Write } else { AccessKind::Read };
        self.begin_access(kind);
        let size = usize::from(access.element_bytes);
        let bytes = size * usize::from(access.count);
        let values = access.values.map(|value| *self.lanes.row(value));
        let mut changed = false;
        for lane in each(self.lanes.mask) {
            let address = self.surface_address(lane, access, bytes as u64)?;
            self.report(lane, address, bytes as u64);
            let Some(address) = address else {
                let dst = access.dst.iter().flatten().filter(|_| !access.store);
                dst.for_each(|slot| self.lanes.regs.set(*slot, lane, 0));
                continue;
            };
            if access.store {
                let to = match self.spaces.global.access_mut(address, bytes) {
                    Ok(to) => to,
                    Err(error) => return Err(self.fault(lane, Space::Global, error)),
                };
                for (to, row) in to.chunks_exact_mut(size).zip(&values) {
                    let value = &row[lane].to_le_bytes()[..size];
                    changed |= to != value;
                    to.copy_from_slice(value);
                }
            } else {
                let found = self.spaces.global.access(address, bytes);
                let found = found.map_err(|error| self.fault(lane, Space::Global, error))?;
                for (slot, element) in access.dst.iter().zip(found.chunks_exact(size)) {
                    let mut wide = [0; 8];
                    wide[..size].copy_from_slice(element);
                    if let Some(slot) = *slot {
                        self.lanes.regs.set(slot, lane, little_endian::<8>(&wide));
                    }
                }
            }
        }
        self.scratch.changed |= changed;
        Ok(self.scratch.demand())
    }

    /// Where a surface is accessed; `None`: nowhere.
    fn surface_address(&self, lane: usize, access: &SurfaceAccess, bytes: u64) -> Result<Option<u64>, Fault> {
        let surface = self.texture(lane, access.handle)?;
        let rows = access.coordinates.map(|operand| self.lanes.row(operand)[lane] as u32 as i32);
        let (axes, layered) = (access.geometry.axes(), access.geometry.is_layered());
        let first = usize::from(layered);
        let mut at = [0, 0, if layered { rows[0] } else { 0 }];
        at[..axes].copy_from_slice(&rows[first..first + axes]);
        let row = u64::from(surface.size[0]) * surface.texel_bytes();
        let most =
            [row.saturating_sub(bytes), u64::from(surface.size[1].max(1)) - 1, u64::from(surface.size[2].max(1)) - 1];
        let inside = at.iter().zip(most).all(|(at, most)| u64::try_from(*at).is_ok_and(|at| at <= most));
        match access.outside {
            _ if inside => {}
            Outside::Zero => return Ok(None),
            Outside::Clamp => {
                for (at, most) in at.iter_mut().zip(most) {
                    *at = i64::from(*at).clamp(0, most as i64) as i32;
                }
                at[0] -= at[0] % bytes as i32;
            }
            Outside::Trap => {
                let [x, y, z] = at;
                return Err(self.thread_fault(lane, Cause::Surface { x, y, z }));
            }
        }
        let [x, y, z] = at.map(|at| at as u64);
        Ok(Some(surface.address + z * surface.slice + y * surface.pitch + x))
    }

    fn begin_access(&mut self, kind: AccessKind) {
        let access = &mut self.scratch.access;
        (access.kind, access.space, access.lanes, access.bytes) = (kind, Space::Global, 0, 4);
    }

    /// Tells the timing model what a lane accesses.
    fn report(&mut self, lane: usize, address: Option<u64>, bytes: u64) {
        let Some(address) = address else { return };
        let access = &mut self.scratch.access;
        let bytes = bytes.next_power_of_two().min(16);
        access.lanes |= 1 << lane;
        access.bytes = bytes as u32;
        access.address[lane] = address & !(bytes - 1);
    }

    fn texture(&self, lane: usize, handle: Operand) -> Result<&Texture, Fault> {
        let handle = self.lanes.row(handle)[lane];
        let found = self.spaces.global.textures.get(handle);
        found.ok_or_else(|| self.thread_fault(lane, Cause::Unbound { handle }))
    }

    fn place(&self, lane: usize, fetch: &TextureFetch) -> Place {
        let rows = fetch.coordinates.map(|operand| self.lanes.row(operand)[lane] as u32);
        let (layered, axes) = (fetch.geometry.is_layered(), fetch.geometry.axes());
        let first = usize::from(layered);
        let bits = std::array::from_fn(|axis| if axis < axes { rows[first + axis] } else { 0 });
        let layer = layered.then_some(rows[0]);
        if matches!(fetch.geometry, Geometry::Cube | Geometry::CubeArray) {
            let (face, [s, t]) = cube_face(bits.map(f32::from_bits));
            let layer = Some(layer.unwrap_or(0).saturating_mul(6).saturating_add(face));
            return Place { at: Coordinates::Real([s, t, 0.0]), axes: 2, layer };
        }
        let at = match fetch.integer {
            true => Coordinates::Whole(bits.map(|bits| bits as i32)),
            false => Coordinates::Real(bits.map(f32::from_bits)),
        };
        Place { at, axes, layer }
    }
}
