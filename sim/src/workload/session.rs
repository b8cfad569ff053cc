//! The host's side of a run: buffers on the device, and launches that are announced and recorded.

use super::{Outcome, Params, Result, Start, Step, Watch};
use crate::attach::iru::Reorder;
use crate::gpu::{Gpu, Launch};
use crate::kernels::Ptx;
use crate::ptx::program::Program;
use crate::ptx::Module;

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
    pub fn alloc_for_iru(&mut self, words: usize) -> u64 {
        let alignment = self.gpu.config().reorder_alignment();
        self.gpu.memory_mut().alloc_aligned(4 * words as u64, alignment)
    }

    /// Says what the next launch's `load_iru` will take.
    pub fn configure_iru(&mut self, reorder: Reorder) -> Result<()> {
        Ok(self.gpu.configure_iru(reorder)?)
    }

    /// Copies words into a new buffer.
    pub fn upload(&mut self, words: &[u32]) -> Result<u64> {
        let address = self.alloc(words.len());
        self.write(address, words)?;
        Ok(address)
    }

    pub fn upload_for_iru(&mut self, words: &[u32]) -> Result<u64> {
        let address = self.alloc_for_iru(words.len());
        self.write(address, words)?;
        Ok(address)
    }

    pub fn upload_f32(&mut self, values: &[f32]) -> Result<u64> {
        self.upload(&values.iter().map(|value| value.to_bits()).collect::<Vec<_>>())
    }

    pub fn write(&mut self, address: u64, words: &[u32]) -> Result<()> {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        Ok(self.gpu.copy_to_device(address, &bytes)?)
    }

    pub fn read(&self, address: u64, words: usize) -> Result<Vec<u32>> {
        Ok(self.gpu.memory().read_u32s(address, words)?)
    }

    pub fn read_word(&self, address: u64) -> Result<u32> {
        Ok(self.read(address, 1)?[0])
    }

    pub fn launch(
        &mut self,
        program: &Program,
        start: Start,
        grid: [u32; 3],
        block: [u32; 3],
        params: Params,
    ) -> Result<()> {
        (self.watch)(start);
        let launch = Launch { grid, block, dynamic_shared: 0, params: params.bytes() };
        let stats = self.gpu.launch(program, &launch)?;
        self.steps.push(Step { kernel: program.name.clone(), start, stats });
        Ok(())
    }

    /// Reads a result of so many words and checks it. `check` says what it compared.
    pub fn finish_with(self, address: u64, words: usize, check: impl Fn(&[u32]) -> Result<String>) -> Result<Outcome> {
        let found = self.read(address, words)?;
        let checked = check(&found)?;
        Ok(self.finish(found, checked))
    }

    /// `checked` says what the check of the result showed.
    pub fn finish(self, result: Vec<u32>, checked: String) -> Outcome {
        Outcome { steps: self.steps, result, checked }
    }
}

/// Kernels of a file, by name.
pub fn kernels<const N: usize>(ptx: Ptx, names: [&str; N]) -> Result<[Program; N]> {
    kernels_with(ptx, names, &[])
}

/// The same, with what the host copies into `.const` variables before: their names, and words from their beginning on.
pub fn kernels_with<const N: usize>(
    ptx: Ptx,
    names: [&str; N],
    constants: &[(&str, Vec<u32>)],
) -> Result<[Program; N]> {
    let mut module = Module::parse(ptx.name, ptx.text)?;
    for (name, words) in constants {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        module.set_constant(name, &bytes)?;
    }
    let programs = names.into_iter().map(|name| module.kernel(name)).collect::<Result<Vec<_>, _>>()?;
    Ok(programs.try_into().expect("as many programs as names"))
}
