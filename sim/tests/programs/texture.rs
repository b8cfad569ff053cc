//! Textures and surfaces against the formulas of the CUDA C++ Programming Guide ("Texture Fetching").

use super::runner::{Machine, PRESETS};
use sim::exec::texture::{AddressMode, ChannelKind, Texture};

const TEXTURE: &str = include_str!("texture.ptx");
const HANDLE: u64 = 0x77;

/// A texture of one f32 a texel, with its texels.
struct Image {
    texels: Vec<f32>,
    texture: Texture,
}

impl Image {
    /// Rows are padded. Texels are multiples of 1/4.
    fn new(machine: &mut Machine, size: [u32; 3]) -> Self {
        let [w, h, d] = size.map(|n| n.max(1));
        let pitch = u64::from(4 * w).next_multiple_of(32) + 32;
        let texels: Vec<f32> = (0..w * h * d).map(|i| (i * 37 % 101) as f32 / 4.0).collect();
        let memory = machine.gpu.memory_mut();
        let address = memory.alloc(pitch * u64::from(h * d));
        for (row, texels) in texels.chunks(w as usize).enumerate() {
            let words: Vec<u32> = texels.iter().map(|t| t.to_bits()).collect();
            memory.write_u32s(address + row as u64 * pitch, &words).unwrap();
        }
        let texture = Texture {
            address,
            size,
            pitch,
            slice: pitch * u64::from(h),
            kind: ChannelKind::Float,
            bits: [32, 0, 0, 0],
            modes: [AddressMode::Clamp; 3],
            linear_filter: false,
            normalized: false,
            read_as_float: false,
            linear_memory: false,
        };
        Image { texels, texture }
    }

    /// `T[i, j, k]`, whatever the indices are, under the texture's address mode.
    fn t(&self, i: [i64; 3]) -> f64 {
        let mut at = [0usize; 3];
        for axis in 0..3 {
            let n = i64::from(self.texture.size[axis].max(1));
            let i = match (self.texture.modes[axis], self.texture.normalized) {
                (AddressMode::Border, _) if i[axis] < 0 || i[axis] >= n => return 0.0,
                (AddressMode::Wrap, true) => i[axis].rem_euclid(n),
                (AddressMode::Mirror, true) if i[axis].div_euclid(n) % 2 != 0 => n - 1 - i[axis].rem_euclid(n),
                (AddressMode::Mirror, true) => i[axis].rem_euclid(n),
                _ => i[axis].clamp(0, n - 1),
            };
            at[axis] = i as usize;
        }
        let [w, h, _] = self.texture.size.map(|n| n.max(1) as usize);
        f64::from(self.texels[(at[2] * h + at[1]) * w + at[0]])
    }

    /// The fetch at a place, by the formulas.
    fn fetch(&self, place: &[f32]) -> f32 {
        let scaled = |axis: usize| {
            let n = if self.texture.normalized { f64::from(self.texture.size[axis]) } else { 1.0 };
            f64::from(place[axis]) * n
        };
        let mut sum = 0.0;
        for corner in 0..1 << place.len() {
            let (mut index, mut weight) = ([0i64; 3], 1.0);
            for (axis, index) in index.iter_mut().enumerate().take(place.len()) {
                let side = corner >> axis & 1;
                if !self.texture.linear_filter {
                    *index = scaled(axis).floor() as i64;
                    weight *= 1.0 - side as f64;
                    continue;
                }
                let b = scaled(axis) - 0.5;
                let alpha = ((b - b.floor()) * 256.0).round() / 256.0;
                *index = b.floor() as i64 + side;
                weight *= if side == 1 { alpha } else { 1.0 - alpha };
            }
            sum += weight * self.t(index);
        }
        sum as f32
    }
}

fn floats(words: &[u32]) -> Vec<f32> {
    words.iter().map(|word| f32::from_bits(*word)).collect()
}

#[test]
fn linear_memory_is_fetched_by_index_and_is_zero_outside() {
    for preset in PRESETS {
        let mut machine = Machine::new(preset, TEXTURE);
        let address = machine.gpu.memory_mut().alloc(8 * 20);
        let bytes: Vec<u8> = (0..160u32).map(|i| (i * 77 % 251) as u8).collect();
        machine.gpu.memory_mut().write(address, &bytes).unwrap();
        let base = Texture {
            address,
            size: [20, 0, 0],
            pitch: 0,
            slice: 0,
            kind: ChannelKind::Signed,
            bits: [16, 16, 16, 16],
            modes: [AddressMode::Clamp; 3],
            linear_filter: false,
            normalized: false,
            read_as_float: false,
            linear_memory: true,
        };
        machine.gpu.memory_mut().textures.bind(HANDLE, base.clone());
        let out = machine.gpu.memory_mut().alloc(16 * 32);
        machine.launch("ints", 1, 32, &[out, HANDLE, -5i32 as u32 as u64]).unwrap();
        let found = machine.gpu.memory().read_u32s(out, 128).unwrap();
        let channel = |at: usize| i32::from(i16::from_le_bytes([bytes[2 * at], bytes[2 * at + 1]])) as u32;
        let expected: Vec<u32> =
            (-20..108).map(|at| if (0..80).contains(&at) { channel(at as usize) } else { 0 }).collect();
        assert_eq!(found, expected);

        // Unsigned bytes as numbers from 0 to 1.
        let bytes_as_floats =
            Texture { kind: ChannelKind::Unsigned, bits: [8, 8, 0, 0], size: [80, 0, 0], read_as_float: true, ..base };
        machine.gpu.memory_mut().textures.bind(HANDLE, bytes_as_floats);
        machine.launch("floats", 1, 32, &[out, HANDLE, 3]).unwrap();
        let found = floats(&machine.gpu.memory().read_u32s(out, 128).unwrap());
        for (thread, texel) in found.chunks(4).enumerate() {
            let at = 2 * (thread + 3);
            assert_eq!(texel, [bytes[at] as f32 / 255.0, bytes[at + 1] as f32 / 255.0, 0.0, 0.0]);
        }
    }
}

/// Places inside of a texture and around it.
fn places(count: u32, seed: u32, from: f32, to: f32) -> Vec<f32> {
    let number = |i: u32| ((i + seed).wrapping_mul(2_654_435_761) >> 8 & 0xffff) as f32 / 65536.0;
    (0..count).map(|i| from + (to - from) * number(i)).collect()
}

fn upload(machine: &mut Machine, values: &[f32]) -> u64 {
    let words: Vec<u32> = values.iter().map(|v| v.to_bits()).collect();
    let address = machine.gpu.memory_mut().alloc(4 * words.len() as u64);
    machine.gpu.memory_mut().write_u32s(address, &words).unwrap();
    address
}

/// Largest error of a sum of texels, as their weights are rounded: `tests/hardware` has the last bit.
const WEIGHTS: f32 = 25.0 * 1.5 / 256.0;

#[test]
fn every_mode_filters_as_documented() {
    const MODES: [AddressMode; 4] = [AddressMode::Wrap, AddressMode::Clamp, AddressMode::Mirror, AddressMode::Border];
    for (kernel, size, axes) in [("plane", [9, 5, 0], 2), ("space", [6, 5, 3], 3)] {
        let mut machine = Machine::new(PRESETS[0], TEXTURE);
        let mut image = Image::new(&mut machine, size);
        let count = 256;
        for mode in MODES {
            for (linear_filter, normalized) in [(false, false), (false, true), (true, false), (true, true)] {
                (image.texture.modes, image.texture.normalized) = ([mode; 3], normalized);
                image.texture.linear_filter = linear_filter;
                let reach = |n: u32| if normalized { (-1.5, 2.5) } else { (-3.0, n as f32 + 3.0) };
                let (x, y) = (reach(size[0]), reach(size[1]));
                let (x, y) = (places(count, 1, x.0, x.1), places(count, 999, y.0, y.1));
                let (at_x, at_y) = (upload(&mut machine, &x), upload(&mut machine, &y));
                machine.gpu.memory_mut().textures.bind(HANDLE, image.texture.clone());
                let found = floats(&machine.words(kernel, 4, count / 4, &[HANDLE, at_x, at_y]));
                for (n, found) in found.iter().enumerate() {
                    let expected = image.fetch(&[x[n], y[n], 1.25][..axes]);
                    let near = if linear_filter { WEIGHTS } else { 0.0 };
                    assert!(
                        (found - expected).abs() <= near,
                        "{mode:?} {linear_filter} {normalized} {n}: {found} {expected}"
                    );
                }
            }
        }
    }
}

#[test]
fn the_fraction_has_eight_bits() {
    let mut machine = Machine::new(PRESETS[0], TEXTURE);
    let mut image = Image::new(&mut machine, [4, 0, 0]);
    image.texture.linear_filter = true;
    machine.gpu.memory_mut().textures.bind(HANDLE, image.texture.clone());
    let [first, step] = [0.5f32, 1.0 / 1024.0].map(|f| u64::from(f.to_bits()));
    let found = floats(&machine.words("along", 4, 256, &[HANDLE, first, step]));
    let mut different = found.clone();
    different.dedup();
    assert_eq!(different.len(), 257, "steps of 1/256 from a texel to the next");
    assert_eq!((found[0], found[1023]), (image.texels[0], image.texels[1]));
}

#[test]
fn layers_are_chosen_by_number_and_not_filtered() {
    let mut machine = Machine::new(PRESETS[0], TEXTURE);
    let mut image = Image::new(&mut machine, [8, 8, 3]);
    image.texture.linear_filter = true;
    machine.gpu.memory_mut().textures.bind(HANDLE, image.texture.clone());
    let (x, y) = (places(32, 1, 0.5, 7.5), places(32, 99, 0.5, 7.5));
    let (at_x, at_y) = (upload(&mut machine, &x), upload(&mut machine, &y));
    let found = floats(&machine.words("layers", 1, 32, &[HANDLE, at_x, at_y]));
    for n in 0..32 {
        // Layer 3 is not there: the last one is.
        let layer = (n % 4).min(2) as f32 + 0.5;
        let expected = image.fetch(&[x[n], y[n], layer]);
        assert!((found[n] - expected).abs() <= WEIGHTS);
    }
}

#[test]
fn a_gather_takes_one_channel_of_four_texels() {
    let mut machine = Machine::new(PRESETS[0], TEXTURE);
    let address = machine.gpu.memory_mut().alloc(2 * 16);
    machine.gpu.memory_mut().write(address, &(0..32).collect::<Vec<u8>>()).unwrap();
    let image = Image::new(&mut machine, [1, 1, 1]);
    let (kind, bits) = (ChannelKind::Unsigned, [8, 8, 0, 0]);
    let texture = Texture { address, size: [4, 4, 0], pitch: 8, kind, bits, read_as_float: true, ..image.texture };
    machine.gpu.memory_mut().textures.bind(HANDLE, texture);
    let out = machine.gpu.memory_mut().alloc(16);
    let [x, y] = [2.0f32, 1.0].map(|f| u64::from(f.to_bits()));
    machine.launch("gathered", 1, 1, &[out, HANDLE, x, y]).unwrap();
    let texel = |i: u32, j: u32| (8 * j + 2 * i + 1) as f32 / 255.0;
    let expected = [texel(1, 1), texel(2, 1), texel(2, 0), texel(1, 0)];
    assert_eq!(floats(&machine.gpu.memory().read_u32s(out, 4).unwrap()), expected);
}

#[test]
fn surfaces_are_read_and_written_by_bytes() {
    for preset in PRESETS {
        let mut machine = Machine::new(preset, TEXTURE);
        let from = Image::new(&mut machine, [16, 8, 0]);
        let to = Image::new(&mut machine, [16, 8, 0]);
        machine.gpu.memory_mut().textures.bind(1, from.texture.clone());
        machine.gpu.memory_mut().textures.bind(2, to.texture.clone());
        machine.launch("shift", 8, 16, &[1, 2]).unwrap();
        for y in 0..8u64 {
            let row = machine.gpu.memory().read_u32s(to.texture.address + y * to.texture.pitch, 16).unwrap();
            let expected: Vec<f32> =
                (0..16).map(|x| if x == 0 || y == 0 { 0.0 } else { from.t([x - 1, y as i64 - 1, 0]) as f32 }).collect();
            assert_eq!(floats(&row), expected);
        }
        assert_eq!(machine.words("sizes", 1, 2, &[1]), [16_008, 16_008]);
        let error = machine.launch("past_the_end", 1, 32, &[1]).unwrap_err().to_string();
        assert!(error.contains("thread (16,0,0): access outside of a surface: byte 64 of a row"), "{error}");
    }
}

#[test]
fn a_handle_that_nothing_is_bound_to() {
    let mut machine = Machine::new(PRESETS[0], TEXTURE);
    let out = machine.gpu.memory_mut().alloc(512);
    let error = machine.launch("ints", 1, 32, &[out, 5, 0]).unwrap_err().to_string();
    assert!(error.contains("no texture or surface is bound to 0x5"), "{error}");
}

/// A `.texref` is a name for a handle: the address of the symbol.
#[test]
fn textures_have_names() {
    let text = ".version 3.2\n.target sm_35\n.address_size 64\n.global .texref named;\n
        .visible .entry k(.param .u64 out) {
        .reg .b32 %r<4>; .reg .b64 %l<6>; .reg .f32 %f<10>;
        ld.param.u64 %l1, [out]; mov.u32 %r1, %tid.x;
        tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [named, {%r1}];
        mov.u64 %l2, named;
        tex.1d.v4.f32.s32 {%f5, %f6, %f7, %f8}, [%l2, {%r1}];
        add.f32 %f1, %f1, %f5;
        mul.wide.u32 %l3, %r1, 4; add.s64 %l1, %l1, %l3; st.global.f32 [%l1], %f1; ret; }";
    let mut machine = Machine::new(PRESETS[0], text);
    let image = Image::new(&mut machine, [32, 0, 0]);
    let handle = machine.module.symbol("named").unwrap().address;
    machine.gpu.memory_mut().textures.bind(handle, image.texture.clone());
    let found = floats(&machine.words("k", 1, 32, &[]));
    assert_eq!(found, image.texels.iter().map(|t| 2.0 * t).collect::<Vec<_>>());
}

/// In time a fetch is a load: of neighbouring texels for neighbouring lanes, one request for a line. The caches are empty when a
/// kernel begins. Nothing depends on whether idle cycles are skipped.
#[test]
fn fetches_have_a_cache_of_their_own() {
    for skip in [true, false] {
        let mut machine = Machine::new("hwwl-micro14", TEXTURE);
        machine.gpu.set_skip_idle(skip);
        let image = Image::new(&mut machine, [1024, 0, 0]);
        machine.gpu.memory_mut().textures.bind(HANDLE, image.texture.clone());
        let out = machine.gpu.memory_mut().alloc(4 * 256);
        // Texels 0 to 63, by 8 warps: 2 lines, twice each, by a core.
        let quarter = 0.25f32.to_bits();
        let stats = machine.launch("along", 1, 256, &[out, HANDLE, 0, u64::from(quarter)]).unwrap();
        assert_eq!(stats.texture.accesses, 8);
        assert_eq!((stats.texture.misses, stats.texture.hits + stats.texture.mshr_merges), (2, 6));
        assert_eq!((stats.core.loads, stats.core.memory_accesses), (8 * 5, 8 * 2), "four parameters and a fetch");
        let expected: Vec<f32> = (0..256).map(|t| image.texels[t / 4]).collect();
        assert_eq!(floats(&machine.gpu.memory().read_u32s(out, 256).unwrap()), expected);
        let again = machine.launch("along", 1, 256, &[out, HANDLE, 0, u64::from(quarter)]).unwrap();
        assert_eq!(again.texture.misses, 2);
    }
    let cycles = [true, false].map(|skip| {
        let mut machine = Machine::new("hwwl-micro14", TEXTURE);
        machine.gpu.set_skip_idle(skip);
        let image = Image::new(&mut machine, [64, 64, 0]);
        machine.gpu.memory_mut().textures.bind(HANDLE, image.texture.clone());
        let [x, y] = [1, 99].map(|seed| upload(&mut machine, &places(1024, seed, 0.0, 64.0)));
        machine.words("plane", 8, 128, &[HANDLE, x, y]);
        machine.gpu.stats().clone()
    });
    assert_eq!(cycles[0], cycles[1]);
    assert!(cycles[0].texture.hits > 0 && cycles[0].texture.misses > 0);
}

/// As on Maxwell, whose L1 is its texture cache.
#[test]
fn without_a_texture_cache_fetches_go_through_the_l1() {
    let mut machine = Machine::new("iru-gtx980", TEXTURE);
    let image = Image::new(&mut machine, [1024, 0, 0]);
    machine.gpu.memory_mut().textures.bind(HANDLE, image.texture.clone());
    let out = machine.gpu.memory_mut().alloc(4 * 256);
    let stats = machine.launch("along", 1, 256, &[out, HANDLE, 0, u64::from(0.25f32.to_bits())]).unwrap();
    assert_eq!(stats.texture.accesses, 0);
    assert_eq!((stats.core.loads, stats.core.memory_accesses), (8 * 5, 8 * 2));
    let expected: Vec<f32> = (0..256).map(|t| image.texels[t / 4]).collect();
    assert_eq!(floats(&machine.gpu.memory().read_u32s(out, 256).unwrap()), expected);
}
