//! The limits of `cudaDeviceSetLimit`.

use super::failure::{Failure, Status};
use super::properties::MEMORY_BYTES;
use sim::exec::Memory;

/// CUDA's names of the limits, by their numbers.
const NAMES: [&str; 7] = [
    "cudaLimitStackSize",
    "cudaLimitPrintfFifoSize",
    "cudaLimitMallocHeapSize",
    "cudaLimitDevRuntimeSyncDepth",
    "cudaLimitDevRuntimePendingLaunchCount",
    "cudaLimitMaxL2FetchGranularity",
    "cudaLimitPersistingL2CacheSize",
];
const STACK: usize = 0;
const PRINT: usize = 1;
const HEAP: usize = 2;
/// Bytes of local memory that a thread has on CUDA GPUs of every compute capability.
const MOST_STACK: u64 = 512 << 10;

/// In bytes, but for those of launches from kernels, which this GPU does not have.
pub struct Limits([u64; NAMES.len()]);

impl Default for Limits {
    /// As CUDA documents them.
    fn default() -> Self {
        Limits([1 << 10, 1 << 20, 8 << 20, 2, 2048, 128, 0])
    }
}

impl Limits {
    /// Stack of a thread.
    pub fn stack(&self) -> u32 {
        u32::try_from(self.0[STACK]).unwrap_or(u32::MAX)
    }

    /// A limit by its number.
    pub fn get(&self, number: u32) -> Result<u64, Failure> {
        self.0.get(number as usize).copied().ok_or_else(|| unknown(number))
    }

    /// Sets a limit of a program that has this memory.
    pub fn set(&mut self, memory: &mut Memory, number: u32, value: u64) -> Result<(), Failure> {
        let limit = self.0.get_mut(number as usize).ok_or_else(|| unknown(number))?;
        match number as usize {
            PRINT => memory.output.set_limit(usize::try_from(value).unwrap_or(usize::MAX)),
            HEAP if value > MEMORY_BYTES => {
                let text = format!("{}: {value} bytes: at most {MEMORY_BYTES} are possible", NAMES[HEAP]);
                return Err(Failure::new(Status::InvalidValue, text));
            }
            HEAP if !memory.device_heap.set_limit(value) => {
                let text = format!("{}: a kernel has allocated from the heap already", NAMES[HEAP]);
                return Err(Failure::new(Status::InvalidValue, text));
            }
            STACK if value > MOST_STACK => {
                let text = format!("{}: {value} bytes: at most {MOST_STACK} are possible", NAMES[STACK]);
                return Err(Failure::new(Status::InvalidValue, text));
            }
            _ => {}
        }
        *limit = value;
        Ok(())
    }
}

fn unknown(number: u32) -> Failure {
    Failure::new(Status::InvalidValue, format!("there is no limit {number}; there are {} to {}", NAMES[0], NAMES[6]))
}
