//! Vector addition: a stream, coalesced perfectly.

use super::session::{kernels, Session};
use super::{check, inputs, Outcome, Params, Result, Size, Start, Watch};
use crate::gpu::Gpu;
use crate::kernels;

pub const SIZE: Size = Size { meaning: "elements of a vector", default: 1 << 20, max: 1 << 28 };

const BLOCK: u32 = 256;

pub fn run(gpu: &mut Gpu, size: u32, watch: Watch) -> Result<Outcome> {
    let [vecadd] = kernels(kernels::VECADD, ["vecadd"])?;
    let mut session = Session::new(gpu, watch);
    let (a, b) = (inputs::floats(size as usize, 1, -1.0, 1.0), inputs::floats(size as usize, 2, -1.0, 1.0));
    let c = session.alloc(size as usize);
    let params = Params::default().u64(session.upload_f32(&a)?).u64(session.upload_f32(&b)?).u64(c).u32(size);
    let start = Start { level: 0, work: size as u64 };
    session.launch(&vecadd, start, [size.div_ceil(BLOCK), 1, 1], [BLOCK, 1, 1], params)?;
    let found = session.read(c, size as usize)?;
    check::array(&found, &reference(&a, &b), check::float)?;
    Ok(session.finish(found, "all sums equal to the bit".into()))
}

/// One addition, which IEEE 754 defines to the bit.
fn reference(a: &[f32], b: &[f32]) -> Vec<u32> {
    a.iter().zip(b).map(|(a, b)| (a + b).to_bits()).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn reference_adds() {
        assert_eq!(super::reference(&[1.0, 0.5], &[2.0, -0.5]), [3.0f32.to_bits(), 0]);
    }
}
