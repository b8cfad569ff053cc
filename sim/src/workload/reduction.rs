//! Sum of an array (mod 2^32): a tree in shared memory, then shuffles; a second launch adds up the sums of the CTAs.

use super::session::{kernels, Session};
use super::{check, inputs, Outcome, Params, Result, Size, Start, Watch};
use crate::gpu::Gpu;
use crate::kernels;

pub const SIZE: Size = Size { meaning: "elements of the array", default: 1 << 22, max: 1 << 28 };

const BLOCK: u32 = 256;
/// Elements that a thread adds up before the tree.
const SHARE: u32 = 16;

pub fn run(gpu: &mut Gpu, size: u32, watch: Watch) -> Result<Outcome> {
    let [reduce] = kernels(kernels::REDUCTION, ["reduce"])?;
    let mut session = Session::new(gpu, watch);
    let values: Vec<_> = inputs::words(size as usize, 1).collect();
    let input = session.upload(&values)?;
    let ctas = size.div_ceil(BLOCK * SHARE);
    let (sums, sum) = (session.alloc(ctas as usize), session.alloc(1));
    for (level, from, to, count, ctas) in [(0, input, sums, size, ctas), (1, sums, sum, ctas, 1)] {
        let params = Params::default().u64(from).u64(to).u32(count);
        let start = Start { level, work: count as u64 };
        session.launch(&reduce, start, [ctas, 1, 1], [BLOCK, 1, 1], params)?;
    }
    let found = session.read(sum, 1)?;
    let expected = values.iter().fold(0u32, |sum, value| sum.wrapping_add(*value));
    check::array(&found, &[expected], |sum| sum.to_string())?;
    Ok(session.finish(found, "sum equal".into()))
}
