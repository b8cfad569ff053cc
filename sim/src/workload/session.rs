//! The host's side of a run: buffers on the device, and launches that are announced and recorded.

use super::{Outcome, Params, Start, Step, Watch, WorkloadError};
use crate::gpu::{Gpu, Launch};
use crate::kernels::Ptx;
use crate::ptx::program::Program;
use crate::ptx::Module;
use crate::reorder::Reorder;

pub struct Session<'a> {
    gpu: &'a mut Gpu,
    watch: Watch<'a>,
    steps: Vec<Step>,
}

impl<'a> Session<'a> {
    pub fn new(gpu: &'a mut Gpu, watch: Watch<'a>) -> Self {
        Session { gpu, watch, steps: Vec::new() }
    }

    pub fn gpu(&self) -> &Gpu {
        self.gpu
    }

    /// An empty buffer of so many words.
    pub fn alloc(&mut self, words: usize) -> u64 {
        self.gpu.memory_mut().alloc(4 * words as u64)
    }

    /// The same, where the reorder units can have their arrays.
    pub fn alloc_in_turn(&mut self, words: usize) -> u64 {
        let alignment = self.gpu.config().reorder_alignment();
        self.gpu.memory_mut().alloc_aligned(4 * words as u64, alignment)
    }

    /// Says what the next launch's `load_iru` will take.
    pub fn configure_reorder(&mut self, reorder: Reorder) -> Result<(), WorkloadError> {
        Ok(self.gpu.configure_reorder(reorder)?)
    }

    /// Copies words into a new buffer.
    pub fn upload(&mut self, words: &[u32]) -> Result<u64, WorkloadError> {
        let address = self.alloc(words.len());
        self.write(address, words)?;
        Ok(address)
    }

    pub fn upload_f32(&mut self, values: &[f32]) -> Result<u64, WorkloadError> {
        self.upload(&values.iter().map(|value| value.to_bits()).collect::<Vec<_>>())
    }

    pub fn write(&mut self, address: u64, words: &[u32]) -> Result<(), WorkloadError> {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        Ok(self.gpu.copy_to_device(address, &bytes)?)
    }

    pub fn read(&self, address: u64, words: usize) -> Result<Vec<u32>, WorkloadError> {
        Ok(self.gpu.memory().read_u32s(address, words)?)
    }

    pub fn read_word(&self, address: u64) -> Result<u32, WorkloadError> {
        Ok(self.read(address, 1)?[0])
    }

    pub fn launch(
        &mut self,
        program: &Program,
        start: Start,
        grid: [u32; 3],
        block: [u32; 3],
        params: Params,
    ) -> Result<(), WorkloadError> {
        (self.watch)(start);
        let launch = Launch { grid, block, dynamic_shared: 0, params: params.bytes() };
        let stats = self.gpu.launch(program, &launch)?;
        self.steps.push(Step { kernel: program.name.clone(), start, stats });
        Ok(())
    }

    /// `checked` says what the check of the result showed.
    pub fn finish(self, result: Vec<u32>, checked: String) -> Outcome {
        Outcome { steps: self.steps, result, checked }
    }
}

/// Kernels of a file, by name.
pub fn kernels<const N: usize>(ptx: Ptx, names: [&str; N]) -> Result<[Program; N], WorkloadError> {
    let module = Module::parse(ptx.name, ptx.text)?;
    let programs = names.into_iter().map(|name| module.kernel(name)).collect::<Result<Vec<_>, _>>()?;
    Ok(programs.try_into().expect("as many programs as names"))
}
