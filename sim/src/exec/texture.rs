//! Textures and surfaces: where texels lie, and what a fetch makes of coordinates (CUDA C++ Programming Guide, "Texture Fetching").
//!
//! Fractions of linear filtering have 8 bits, as documented there. What is not documented (how coordinates, weights and sums are
//! rounded) is as an NVIDIA GPU does it, found by fetches whose result shows it (`docs/hardware.md`).

use std::collections::BTreeMap;

use super::address_error::AddressError;
use super::texel;
use super::texture_filter as filter;

pub use super::texel::ChannelKind;

/// The meaning of a coordinate outside of the texture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AddressMode {
    /// The texture is repeated. Without normalized coordinates this is `Clamp`.
    Wrap,
    /// The nearest texel.
    #[default]
    Clamp,
    /// The texture is repeated, every other time mirrored. Without normalized coordinates this is `Clamp`.
    Mirror,
    /// Zero.
    Border,
}

/// A texture that a handle stands for: a `.texref`, a texture object, a `.surfref` or a surface object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texture {
    /// Device address of the first texel.
    pub address: u64,
    /// Texels in a row, rows, and slices or layers.
    pub size: [u32; 3],
    /// Bytes from a row to the next, and from a slice or layer to the next.
    pub pitch: u64,
    pub slice: u64,
    pub kind: ChannelKind,
    /// Bits of each channel: 8, 16 or 32; 0 for one that texels do not have.
    pub bits: [u8; 4],
    /// Address mode of each axis.
    pub modes: [AddressMode; 3],
    pub linear_filter: bool,
    /// Coordinates go from 0 to 1 over the texture.
    pub normalized: bool,
    /// Integers of 8 and 16 bits are read as numbers from 0 or -1 to 1.
    pub read_as_float: bool,
    /// It is linear memory: a whole coordinate outside gives zero.
    pub linear_memory: bool,
}

/// The textures that kernels can reach, by their handles.
#[derive(Clone, Debug, Default)]
pub struct Textures(BTreeMap<u64, Texture>);

impl Textures {
    /// From now on the handle stands for this texture.
    pub fn bind(&mut self, handle: u64, texture: Texture) {
        self.0.insert(handle, texture);
    }

    /// The handle stands for nothing any more; false if it did not before.
    pub fn unbind(&mut self, handle: u64) -> bool {
        self.0.remove(&handle).is_some()
    }

    /// No handle stands for a texture.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn get(&self, handle: u64) -> Option<&Texture> {
        self.0.get(&handle)
    }
}

/// A place that a fetch asks for, in one lane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Coordinates, of which `axes` count.
    pub at: Coordinates,
    pub axes: usize,
    /// Layer of layered textures.
    pub layer: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Coordinates {
    Whole([i32; 3]),
    Real([f32; 3]),
}

/// Channels of a texel as a register gets them: integers, or the bits of an f32.
pub type Channels = [u32; 4];

/// Memory in which texels lie.
pub trait Texels {
    /// # Errors
    /// They are not all in one allocation.
    fn texels(&self, address: u64, bytes: usize) -> Result<&[u8], AddressError>;
}

impl Texture {
    /// Bytes of a texel.
    pub fn texel_bytes(&self) -> u64 {
        self.bits.iter().map(|bits| u64::from(bits / 8)).sum()
    }

    /// Fetches give f32, not integers.
    fn gives_floats(&self) -> bool {
        self.kind == ChannelKind::Float || self.read_as_float && self.bits.iter().all(|bits| *bits < 32)
    }

    /// Address of a texel; `None` outside, where all is zero.
    fn address_of(&self, texel: [Option<u32>; 3]) -> Option<u64> {
        let [x, y, z] = [texel[0]?, texel[1]?, texel[2]?].map(u64::from);
        Some(self.address + z * self.slice + y * self.pitch + x * self.texel_bytes())
    }

    /// Channels that a fetch gives, and the address of the first texel that it reads.
    pub fn fetch(&self, memory: &impl Texels, place: &Place) -> Result<(Channels, Option<u64>), AddressError> {
        let filter = self.linear_filter && self.gives_floats() && matches!(place.at, Coordinates::Real(_));
        if filter {
            return self.filtered(memory, place);
        }
        let address = self.address_of(self.nearest(place));
        Ok((self.texel(memory, address)?, address))
    }

    /// One channel of the four texels that a linear filter would read (`tld4`), from the lower left against the clock.
    pub fn gather(
        &self,
        memory: &impl Texels,
        place: &Place,
        channel: usize,
    ) -> Result<(Channels, Option<u64>), AddressError> {
        let axes = self.neighbours(place);
        let layer = self.layer(place);
        let [x, y] = [axes[0].texels, axes[1].texels];
        let mut out = [0; 4];
        for (to, (i, j)) in out.iter_mut().zip([(0, 1), (1, 1), (1, 0), (0, 0)]) {
            *to = self.texel(memory, self.address_of([x[i], y[j], layer]))?[channel];
        }
        Ok((out, self.address_of([x[0], y[0], layer])))
    }

    /// The texel of point filtering.
    fn nearest(&self, place: &Place) -> [Option<u32>; 3] {
        let mut texel = [Some(0), Some(0), self.layer(place)];
        for (axis, to) in texel.iter_mut().enumerate().take(place.axes) {
            *to = match place.at {
                Coordinates::Whole(at) => self.whole(axis, at[axis]),
                Coordinates::Real(at) => self.resolve(axis, self.scaled(axis, at[axis]).floor()),
            };
        }
        texel
    }

    fn layer(&self, place: &Place) -> Option<u32> {
        Some(place.layer.unwrap_or(0).min(self.size[2].max(1) - 1))
    }

    /// A coordinate in texels. One that is normalized first loses what lies beyond some bits behind the point: 21, or 8 more than the
    /// number of a texel has.
    fn scaled(&self, axis: usize, at: f32) -> f64 {
        let at = f64::from(at);
        if !self.normalized {
            return at;
        }
        let size = self.size[axis].max(1);
        let steps = (1u64 << (8 + size.next_power_of_two().ilog2()).max(21)) as f64;
        (at * steps).floor() / steps * f64::from(size)
    }

    /// The texel of a whole coordinate.
    fn whole(&self, axis: usize, at: i32) -> Option<u32> {
        let size = self.size[axis].max(1);
        let inside = u32::try_from(at).ok().filter(|at| *at < size);
        match self.linear_memory || self.modes[axis] == AddressMode::Border {
            true => inside,
            false => Some(at.clamp(0, size as i32 - 1) as u32),
        }
    }

    /// The address mode that counts.
    fn mode(&self, axis: usize) -> AddressMode {
        match self.modes[axis] {
            AddressMode::Wrap | AddressMode::Mirror if !self.normalized => AddressMode::Clamp,
            mode => mode,
        }
    }

    /// The texel of a coordinate that has been rounded down.
    fn resolve(&self, axis: usize, at: f64) -> Option<u32> {
        let size = f64::from(self.size[axis].max(1));
        match self.mode(axis) {
            AddressMode::Border => (0.0..size).contains(&at).then_some(at as u32),
            AddressMode::Clamp => Some(at.clamp(0.0, size - 1.0) as u32),
            AddressMode::Wrap => Some(at.rem_euclid(size) as u32),
            AddressMode::Mirror => {
                let at = at.rem_euclid(2.0 * size);
                Some(if at < size { at } else { 2.0 * size - 1.0 - at } as u32)
            }
        }
    }

    /// On each axis the two texels around a place, and how far it is from the first to the second.
    fn neighbours(&self, place: &Place) -> [Neighbours; 3] {
        let mut axes = [Neighbours { texels: [Some(0); 2], fraction: 0 }; 3];
        let Coordinates::Real(at) = place.at else { return axes };
        for (axis, to) in axes.iter_mut().enumerate().take(place.axes) {
            let at = ((self.scaled(axis, at[axis]) - 0.5) * f64::from(filter::ONE) + 0.5).floor();
            let first = (at / f64::from(filter::ONE)).floor();
            let fraction = (at - first * f64::from(filter::ONE)) as u32;
            *to = Neighbours { texels: [first, first + 1.0].map(|at| self.resolve(axis, at)), fraction };
        }
        axes
    }

    fn filtered(&self, memory: &impl Texels, place: &Place) -> Result<(Channels, Option<u64>), AddressError> {
        let mut axes = self.neighbours(place);
        if place.axes < 3 {
            axes[2] = Neighbours { texels: [self.layer(place); 2], fraction: 0 };
        }
        // A clamped place lies on the texel at the edge, and not between two.
        for (axis, neighbours) in axes.iter_mut().enumerate() {
            if self.mode(axis) == AddressMode::Clamp && neighbours.texels[0] == neighbours.texels[1] {
                neighbours.fraction = 0;
            }
        }
        let weights = filter::weights(axes.map(|axis| axis.fraction));
        let (mut texels, mut first) = ([[0; 4]; 8], None);
        for corner in 0..8 {
            let side = [corner & 1, corner >> 1 & 1, corner >> 2];
            let is_read = axes.iter().zip(side).all(|(axis, side)| side == 0 || axis.fraction > 0);
            if !is_read {
                continue;
            }
            let address = self.address_of(std::array::from_fn(|axis| axes[axis].texels[side[axis]]));
            first = first.or(address);
            texels[corner] = self.words(memory, address)?;
        }
        let sum = |channel: usize| {
            filter::sum(self.kind, self.bits[channel], texels.map(|texel| texel[channel]), weights).to_bits()
        };
        Ok((std::array::from_fn(sum), first))
    }

    /// The channels of a texel as registers get them.
    fn texel(&self, memory: &impl Texels, address: Option<u64>) -> Result<Channels, AddressError> {
        let words = self.words(memory, address)?;
        Ok(std::array::from_fn(|channel| match self.bits[channel] {
            0 => 0,
            bits => texel::channel(self.kind, bits, words[channel], self.read_as_float),
        }))
    }

    /// The channels of a texel as they are stored.
    fn words(&self, memory: &impl Texels, address: Option<u64>) -> Result<Channels, AddressError> {
        let mut words = [0; 4];
        let Some(address) = address else { return Ok(words) };
        let bytes = memory.texels(address, self.texel_bytes() as usize)?;
        let mut at = 0;
        for (to, bits) in words.iter_mut().zip(self.bits).filter(|(_, bits)| *bits > 0) {
            let mut word = [0; 4];
            let size = usize::from(bits / 8);
            word[..size].copy_from_slice(&bytes[at..at + size]);
            at += size;
            *to = u32::from_le_bytes(word);
        }
        Ok(words)
    }
}

#[derive(Clone, Copy, Debug)]
struct Neighbours {
    texels: [Option<u32>; 2],
    /// In parts of [`filter::ONE`].
    fraction: u32,
}

/// Face of a cube and the place on it, normalized, that a direction points at.
pub fn cube_face([x, y, z]: [f32; 3]) -> (u32, [f32; 2]) {
    let [ax, ay, az] = [x, y, z].map(f32::abs);
    let (face, most, s, t) = if ax >= ay && ax >= az {
        if x >= 0.0 {
            (0, ax, -z, -y)
        } else {
            (1, ax, z, -y)
        }
    } else if ay >= az {
        if y >= 0.0 {
            (2, ay, x, z)
        } else {
            (3, ay, x, -z)
        }
    } else if z >= 0.0 {
        (4, az, x, -y)
    } else {
        (5, az, -x, -y)
    };
    (face, [s, t].map(|side| (side / most + 1.0) / 2.0))
}
