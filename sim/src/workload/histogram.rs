//! Histogram of an array of keys: a thread for each element adds to its bin. Few keys are frequent: the n-th in rank has a
//! probability in proportion to 1/n (Zipf).

use super::rounds::{Edges, Frontier};
use super::session::{kernels, Session};
use super::{check, Outcome, Params, Result, Size, Variant, Watch};
use crate::gpu::Gpu;
use crate::graph::SplitMix64;
use crate::kernels;
use crate::units::iru::Filter;

pub const VARIANTS: &[Variant] = &[Variant::Thread, Variant::ThreadIru];
pub const SIZE: Size = Size { meaning: "elements to count", default: 1 << 18, max: 1 << 24 };

/// Bits of a key.
const BITS: u32 = 16;

/// Gives the number of elements of each key.
pub fn run(gpu: &mut Gpu, size: u32, variant: Variant, watch: Watch) -> Result<Outcome> {
    let ptx = if variant.needs_iru() { kernels::HISTOGRAM_IRU } else { kernels::HISTOGRAM };
    let [count] = kernels(ptx, ["histogram_count"])?;
    let mut session = Session::new(gpu, watch);
    let keys = keys(size as usize);
    let elements = Frontier::of(session.upload_for_iru(&keys)?);
    let bins = session.upload(&[0; 1 << BITS])?;
    let taken = Edges { frontier: &elements, count: size, weights: None, label: bins, filter: Filter::None };
    session.contract(variant, &count, 0, &taken, Params::default().u64(bins))?;
    session.finish_with(bins, 1 << BITS, |found| {
        check::listed(["bin", "bins"], found, &reference(&keys), |count| format!("{count} elements"))?;
        Ok("all bins equal".into())
    })
}

/// Powers of two of a uniform exponent, whose density falls as 1/n. Frequent keys do not lie side by side: an odd factor
/// exchanges keys.
fn keys(count: usize) -> Vec<u32> {
    let mut random = SplitMix64(1);
    let rank = |unit: f64| libm::exp2(f64::from(BITS) * unit) as u32 - 1;
    (0..count).map(|_| rank(random.unit()).wrapping_mul(40_503) % (1 << BITS)).collect()
}

fn reference(keys: &[u32]) -> Vec<u32> {
    let mut bins = vec![0; 1 << BITS];
    keys.iter().for_each(|&key| bins[key as usize] += 1);
    bins
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sixteen octaves of ranks have a sixteenth of the elements each.
    #[test]
    fn frequencies_fall_with_the_rank() {
        let bins = reference(&keys(160_000));
        assert_eq!(bins.iter().sum::<u32>(), 160_000);
        for octave in 0..BITS {
            let ranks = 1usize << octave..2 << octave;
            let elements: u32 = ranks.map(|rank| bins[(rank - 1) * 40_503 % bins.len()]).sum();
            assert!(elements.abs_diff(10_000) < 500, "{octave}: {elements}");
        }
    }
}
