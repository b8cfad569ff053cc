//! The options of nvcc: their names, and what each means here.

/// The meaning of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    Output,
    OutputFolder,
    /// The product, instead of a program.
    Make(Product),
    /// Device code of several files is linked.
    Relocatable,
    /// For the reading of all sources.
    Read(&'static str),
    /// For the host's side alone.
    Host,
    HostList,
    /// For the linker.
    Link(&'static str),
    LinkList,
    Architecture,
    Optimise,
    Debug,
    Language,
    FastMath,
    FlushDenormals,
    PreciseDivision,
    PreciseRoot,
    FusedMultiply,
    DryRun,
    Verbose,
    Keep,
    KeepFolder,
    OptionsFile,
    DependencyFile(&'static str),
    NoWarnings,
    Warnings,
    /// Options that nvcc does not know are for the host's compiler.
    ForwardUnknown,
    /// Has no effect here.
    Ignored,
    /// Does not exist any more, or cannot be had here.
    Refused(&'static str),
}

/// The product of a command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Product {
    #[default]
    Program,
    SharedLibrary,
    Object,
    /// An object whose device code is linked later.
    RelocatableObject,
    /// An object that has the device code of others.
    DeviceLink,
    Ptx,
    Cubin,
    FatBinary,
    Preprocessed,
    Dependencies,
    OwnDependencies,
    Archive,
}

impl Product {
    /// There is no host's side.
    pub fn is_device_code(self) -> bool {
        matches!(self, Product::Ptx | Product::Cubin | Product::FatBinary)
    }
}

/// Names without dashes, whether a value follows, meaning. A name that ends with `*` may have its value without a blank.
pub const OPTIONS: &[(&[&str], bool, Meaning)] = &[
    (&["o", "output-file"], true, Meaning::Output),
    (&["odir", "output-directory"], true, Meaning::OutputFolder),
    (&["c", "compile"], false, Meaning::Make(Product::Object)),
    (&["dc", "device-c", "dw", "device-w"], false, Meaning::Make(Product::RelocatableObject)),
    (&["dlink", "device-link"], false, Meaning::Make(Product::DeviceLink)),
    (&["ptx"], false, Meaning::Make(Product::Ptx)),
    (&["cubin"], false, Meaning::Make(Product::Cubin)),
    (&["fatbin"], false, Meaning::Make(Product::FatBinary)),
    (&["E", "preprocess"], false, Meaning::Make(Product::Preprocessed)),
    (&["M", "generate-dependencies"], false, Meaning::Make(Product::Dependencies)),
    (&["MM", "generate-nonsystem-dependencies"], false, Meaning::Make(Product::OwnDependencies)),
    (&["lib"], false, Meaning::Make(Product::Archive)),
    (&["shared"], false, Meaning::Make(Product::SharedLibrary)),
    (&["link"], false, Meaning::Make(Product::Program)),
    (&["rdc", "relocatable-device-code"], true, Meaning::Relocatable),
    (&["I*", "include-path"], true, Meaning::Read("-I")),
    (&["isystem", "system-include"], true, Meaning::Read("-isystem")),
    (&["include", "pre-include"], true, Meaning::Read("-include")),
    (&["D*", "define-macro"], true, Meaning::Read("-D")),
    (&["U*", "undefine-macro"], true, Meaning::Read("-U")),
    (&["std"], true, Meaning::Read("-std=")),
    (&["Xcompiler", "compiler-options"], true, Meaning::HostList),
    (&["m64", "pthread", "fPIC", "fpic", "fopenmp", "pg"], false, Meaning::Host),
    (&["L*", "library-path"], true, Meaning::Link("-L")),
    (&["l*", "library"], true, Meaning::Link("-l")),
    (&["Xlinker", "linker-options"], true, Meaning::LinkList),
    (&["arch", "gpu-architecture", "gpu-name"], true, Meaning::Architecture),
    (&["code", "gpu-code", "gencode", "generate-code"], true, Meaning::Architecture),
    (&["O*", "optimize"], true, Meaning::Optimise),
    (&["g", "debug"], false, Meaning::Debug),
    (&["x", "language"], true, Meaning::Language),
    (&["use_fast_math"], false, Meaning::FastMath),
    (&["ftz"], true, Meaning::FlushDenormals),
    (&["prec-div"], true, Meaning::PreciseDivision),
    (&["prec-sqrt"], true, Meaning::PreciseRoot),
    (&["fmad"], true, Meaning::FusedMultiply),
    (&["dryrun"], false, Meaning::DryRun),
    (&["v", "verbose"], false, Meaning::Verbose),
    (&["keep", "save-temps"], false, Meaning::Keep),
    (&["keep-dir"], true, Meaning::KeepFolder),
    (&["optf", "options-file"], true, Meaning::OptionsFile),
    (&["MD", "generate-dependencies-with-compile"], false, Meaning::DependencyFile("-MD")),
    (&["MMD", "generate-nonsystem-dependencies-with-compile"], false, Meaning::DependencyFile("-MMD")),
    (&["MP", "generate-dependency-targets"], false, Meaning::DependencyFile("-MP")),
    (&["MF", "dependency-output"], true, Meaning::DependencyFile("-MF")),
    (&["MT", "dependency-target-name"], true, Meaning::DependencyFile("-MT")),
    (&["w", "disable-warnings"], false, Meaning::NoWarnings),
    (&["Wall", "Wextra"], false, Meaning::Warnings),
    (&["G", "device-debug", "lineinfo", "generate-line-info"], false, Meaning::Ignored),
    (&["maxrregcount", "Xptxas", "ptxas-options", "Xnvlink", "nvlink-options"], true, Meaning::Ignored),
    (&["Xcudafe", "Xopencc", "Xarchive", "archive-options", "Xfatbin", "cudart", "cudadevrt"], true, Meaning::Ignored),
    (&["ccbin", "compiler-bindir", "host-compilation", "machine", "m", "gpu-max-threads"], true, Meaning::Ignored),
    (&["default-stream", "Werror", "t", "threads", "diag-suppress", "diag-warn", "diag-error"], true, Meaning::Ignored),
    (&["extended-lambda", "expt-extended-lambda", "expt-relaxed-constexpr"], false, Meaning::Ignored),
    (&["restrict", "extra-device-vectorization", "res-usage", "resource-usage", "clean"], false, Meaning::Ignored),
    (
        &["objtemp", "objdir-as-tempdir", "no-align-double", "align-double", "source-in-ptx", "src-in-ptx"],
        false,
        Meaning::Ignored,
    ),
    (
        &[
            "allow-unsupported-compiler",
            "Wno-deprecated-gpu-targets",
            "Wno-deprecated-declarations",
            "Wreorder",
            "Wdefault-stream-launch",
            "Wext-lambda-captures-this",
            "Wmissing-launch-bounds",
        ],
        false,
        Meaning::Ignored,
    ),
    (
        &[
            "no-host-device-initializer-list",
            "no-host-device-move-forward",
            "no-compress",
            "dlto",
            "lto",
            "gen-opt-lto",
        ],
        false,
        Meaning::Ignored,
    ),
    (
        &[
            "ewp",
            "extensible-whole-program",
            "noeh",
            "no-exceptions",
            "aug-hls",
            "augment-host-linker-script",
            "noprof",
        ],
        false,
        Meaning::Ignored,
    ),
    (
        &["err-no", "display-error-number", "no-err-no", "no-display-error-number", "forward-unknown-to-host-linker"],
        false,
        Meaning::Ignored,
    ),
    (&["time", "split-compile", "dopt", "opt-info", "optimization-info", "fdevice-time-trace"], true, Meaning::Ignored),
    (&["brief-diag", "brief-diagnostics", "static-global-template-stub", "run-args"], true, Meaning::Ignored),
    (&["hls", "host-linker-script", "arbin", "archiver-binary", "ldir", "libdevice-directory"], true, Meaning::Ignored),
    (&["target-dir", "target-directory", "idp", "input-drive-prefix", "ddp"], true, Meaning::Ignored),
    (&["dp", "drive-prefix", "dependency-drive-prefix"], true, Meaning::Ignored),
    (&["forward-unknown-to-host-compiler", "forward-unknown-opts"], false, Meaning::ForwardUnknown),
    (&["m32"], false, Meaning::Refused("programs have 64 bits here")),
    (
        &["deviceemu", "device-emulation"],
        false,
        Meaning::Refused("device emulation was withdrawn with CUDA 3.1; leave it out"),
    ),
    (
        &["cuda"],
        false,
        Meaning::Refused("a .cu does not become one C++ file here; -ptx gives the device code, -E the text"),
    ),
    (&["run"], false, Meaning::Refused("compile the program, and start it with `unruly exec`")),
];

/// The meaning of a word that begins with a dash, and the value that is part of it.
pub fn find(word: &str) -> Option<(Meaning, bool, Option<&str>)> {
    let body = word.trim_start_matches('-');
    let (name, value) = body.split_once('=').map_or((body, None), |(name, value)| (name, Some(value)));
    let is_it = |known: &&str| known.trim_end_matches('*') == name;
    if let Some((_, takes_value, meaning)) = OPTIONS.iter().find(|(names, ..)| names.iter().any(|known| is_it(&known)))
    {
        if *takes_value || value.is_none() {
            return Some((*meaning, *takes_value, value));
        }
    }
    let glued = |name: &&&str| name.ends_with('*') && body.starts_with(name.trim_end_matches('*'));
    OPTIONS.iter().find_map(|(names, takes_value, meaning)| {
        let name = names.iter().find(glued).filter(|_| !word.starts_with("--"))?;
        Some((*meaning, *takes_value, Some(&body[name.len() - 1..])))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_found_in_each_of_their_forms() {
        let value = |word| find(word).map(|(meaning, _, value)| (meaning, value));
        assert_eq!(value("-o"), Some((Meaning::Output, None)));
        assert_eq!(value("--output-file=x"), Some((Meaning::Output, Some("x"))));
        assert_eq!(value("-Iinclude"), Some((Meaning::Read("-I"), Some("include"))));
        assert_eq!(value("-DN=3"), Some((Meaning::Read("-D"), Some("N=3"))));
        assert_eq!(value("-D"), Some((Meaning::Read("-D"), None)));
        assert_eq!(value("-O3"), Some((Meaning::Optimise, Some("3"))));
        assert_eq!(value("-arch=sm_20"), Some((Meaning::Architecture, Some("sm_20"))));
        assert_eq!(value("-std=c++11"), Some((Meaning::Read("-std="), Some("c++11"))));
        assert_eq!(value("-lm"), Some((Meaning::Link("-l"), Some("m"))));
        assert_eq!(value("-lib"), Some((Meaning::Make(Product::Archive), None)));
        assert_eq!(value("--Omit"), None);
        assert_eq!(value("-nonsense"), None);
    }

    #[test]
    fn no_name_stands_for_two_options() {
        let mut names: Vec<_> =
            OPTIONS.iter().flat_map(|(names, ..)| names.iter().map(|n| n.trim_end_matches('*'))).collect();
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
