//! From the options to files: what is compiled, in which order, to what.

use super::build::Build;
use super::clang::Run;
use super::device_link;
use super::link;
use super::meaning::Product;
use super::options::Options;
use anyhow::{Context, Result};
use std::path::Path;

/// Makes what `options` say.
///
/// # Errors
/// Mistakes in the sources, said by clang before, or trouble with files.
pub fn run(options: &Options, home: &Path, work: &Path) -> Result<()> {
    let run = Run { shows: options.verbose, is_dry: options.dry_run };
    if let Some(folder) = &options.keep {
        output::make_folder(folder).with_context(|| format!("nvcc: -keep-dir {}: no folder", folder.display()))?;
    }
    let build = Build { options, home, work: options.keep.as_deref().unwrap_or(work), run };
    match options.product {
        Product::Program | Product::SharedLibrary => link::program(&build, &build.objects()?),
        Product::Archive => link::archive(&build, &build.objects()?),
        Product::DeviceLink => {
            device_link::object(&build, &build.objects()?, &build.output(Path::new("a_dlink.o"), "o"))
        }
        Product::Object | Product::RelocatableObject => {
            build.each("o", |source, language, output| build.object(source, language, output))
        }
        Product::Ptx => build.each_kernel_file("ptx", |source, output| build.checked_device(source, output)),
        Product::Cubin => build.each_kernel_file("cubin", |source, output| build.checked_device(source, output)),
        Product::FatBinary => build.each_kernel_file("fatbin", |source, output| build.fat_binary(source, output)),
        Product::Preprocessed => build.each("", |source, language, _| build.text(source, language, "-E")),
        Product::Dependencies => build.each("", |source, language, _| build.text(source, language, "-M")),
        Product::OwnDependencies => build.each("", |source, language, _| build.text(source, language, "-MM")),
    }
}
