//! Matrix multiplication with tiles in shared memory.
//!
//! The elements are whole numbers from -8 to 8, so that every partial sum is one too and far below 2^24: no operation
//! rounds, and the result is the same to the bit in whatever order and with whatever fused operations it is computed.

use super::session::{kernels, Session};
use super::{check, inputs, Outcome, Params, Result, Size, Start, Watch};
use crate::gpu::Gpu;
use crate::kernels;

pub const SIZE: Size = Size { meaning: "rows and columns of the square matrices", default: 256, max: 8192 };

/// Threads a side of a CTA.
const TILE: u32 = 16;

pub fn run(gpu: &mut Gpu, size: u32, watch: Watch) -> Result<Outcome> {
    let [matmul] = kernels(kernels::MATMUL, ["matmul"])?;
    let mut session = Session::new(gpu, watch);
    let elements = size as usize * size as usize;
    let [a, b] = [1, 2].map(|seed| inputs::integers(elements, seed, -8, 8).map(|x| x as f32).collect::<Vec<_>>());
    let c = session.alloc(elements);
    let params = Params::default().u64(session.upload_f32(&a)?).u64(session.upload_f32(&b)?).u64(c).u32(size);
    let start = Start { level: 0, work: elements as u64 };
    let tiles = size.div_ceil(TILE);
    session.launch(&matmul, start, [tiles, tiles, 1], [TILE, TILE, 1], params)?;
    let found = session.read(c, elements)?;
    check::array(&found, &reference(&a, &b, size as usize), check::float)?;
    Ok(session.finish(found, "all products equal to the bit".into()))
}

fn reference(a: &[f32], b: &[f32], n: usize) -> Vec<u32> {
    let mut c = vec![0f32; n * n];
    for row in 0..n {
        for k in 0..n {
            for column in 0..n {
                c[row * n + column] += a[row * n + k] * b[k * n + column];
            }
        }
    }
    // A sum that ends at -0 differs from +0 in its bits only.
    c.into_iter().map(|x| (x + 0.0).to_bits()).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn reference_multiplies() {
        let product = super::reference(&[1.0, 2.0, 3.0, 4.0], &[5.0, 6.0, 7.0, 8.0], 2);
        assert_eq!(product, [19.0f32, 22.0, 43.0, 50.0].map(f32::to_bits));
    }
}
