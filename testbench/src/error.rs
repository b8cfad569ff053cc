//! Errors between a unit's name and its lock-step: one line each, what, where, what to do.

use std::path::PathBuf;

pub type Result<T, E = Error> = std::result::Result<T, E>;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A program or library that has to be installed is not there.
    #[error("{tool} not found: install it with `apt-get install {package}`")]
    MissingTool { tool: &'static str, package: &'static str },
    #[error("Verilator {found} is too old: version 5 or later is needed (Debian 12 has 5.006)")]
    OldVerilator { found: String },
    #[error("Verilator {found} tells in another form which places of the RTL were reached; coverage needs 5.006, which Debian 12 has")]
    OtherCoverage { found: String },
    /// Verilator rejects the text, or warns about it.
    #[error("{top}: Verilator does not take the Verilog:\n{messages}")]
    Verilog { top: String, messages: String },
    #[error("{top}: the C++ compiler does not take the verilated model:\n{messages}")]
    Compile { top: String, messages: String },
    /// Files of the user's own do not say which module replaces the unit.
    #[error("{files}: no module {wanted}; give the module that replaces the unit this name, or name it with --top of `cosim` ({found})")]
    NoTop { files: String, wanted: String, found: String },
    /// A parameter of the user's Verilog has another value than the unit's of that name.
    #[error("{files}: parameter {parameter} is {found}, but {name} is {value}; change its default, or take a file of `unruly verilog --flat`")]
    OtherSize { files: String, parameter: String, found: u64, name: String, value: u64 },
    /// Files of a unit of the user's own do not have its module.
    #[error("{files}: no module {wanted}; there is {found}; write MODULE=FILE.v")]
    NoUnitModule { files: String, wanted: String, found: String },
    /// A file that is included and not there, or another error of the preprocessor's.
    #[error("{message}; an included file is looked for beside the one that includes it, then beside the files of the command")]
    Preprocess { message: String },
    /// `$readmemh` or `$readmemb` without its file.
    #[error("{file}:{line}: there is no file {name} beside the Verilog, which a memory here is read from", file = file.display())]
    NoMemoryFile { file: PathBuf, line: usize, name: String },
    /// A name in the Verilog for a memory's file, which a path cannot replace.
    #[error("{file}:{line}: {name} names a memory's file: {problem}", file = file.display())]
    MemoryName { file: PathBuf, line: usize, name: String, problem: &'static str },
    /// A file from which a memory would get nothing.
    #[error("{file}:{line}: there is no word in {name}, which a memory here is read from", file = file.display())]
    EmptyMemoryFile { file: PathBuf, line: usize, name: String },
    /// A parameter names a memory's file that is not there.
    #[error("{top}: a memory is read from {file}, and there is no such file beside the Verilog")]
    NoFileAtRun { top: String, file: String },
    /// A file does not have the class of a model.
    #[error("{file}: no class {wanted}; the model of a unit has its name", file = file.display())]
    NoClass { file: PathBuf, wanted: String },
    #[error("{unit}: there is nothing to compare it with; give Verilog and a model")]
    NothingBeside { unit: String },
    #[error("{file}: the unit is a model itself, and has no other beside it", file = file.display())]
    TwoModels { file: PathBuf },
    #[error("{name}: the C++ compiler does not take the model:\n{messages}")]
    Class { name: String, messages: String },
    /// A counter of such a unit is too wide.
    #[error("{top}: output {port} has {width} bits, and a counter has at most 64")]
    WideCounter { top: String, port: String, width: u32 },
    /// The ports of the Verilog are not the pins of the unit.
    #[error("{top}: ports and pins differ: {differences}")]
    Ports { top: String, differences: String },
    #[error("{top}: no {direction} port {port} of {bits} bits")]
    NoPort { top: String, direction: &'static str, port: String, bits: String },
    #[error("{path}: cannot load the verilated model: {problem}", path = path.display())]
    Load { path: PathBuf, problem: libloading::Error },
    #[error("{path}: {problem}", path = path.display())]
    File { path: PathBuf, problem: std::io::Error },
    #[error("{path}: cannot keep verilated models here: {problem}; name another folder in the environment variable UNRULY_CACHE", path = path.display())]
    Cache { path: PathBuf, problem: std::io::Error },
    #[error("temporary file: {0}")]
    Log(#[from] std::io::Error),
    #[error("{path}, line {line}: {problem}", path = path.display())]
    Trace { path: PathBuf, line: usize, problem: String },
    /// Inputs of a trace break a rule of the unit.
    #[error("{0}")]
    Violation(String),
    #[error("{0}")]
    NothingCompared(String),
    /// A configuration asks for what only a model can be.
    #[error("{0}: no hardware could be that; use --units behavioural")]
    NoHardware(String),
    #[error("no co-simulation for unit {unit}: there are {available}")]
    Unit { unit: String, available: String },
    #[error("no properties of unit {unit}: there are those of {available}")]
    NoProperties { unit: String, available: String },
    #[error("the properties of {unit} are those of the size with {parameters}: leave out --set, or give properties of your own with --properties")]
    OneSize { unit: String, parameters: String },
    #[error("no bug {name}: there are {available}")]
    NoBug { name: String, available: String },
    #[error("bug {name}: its text is in the RTL {count} times, not once")]
    Bug { name: String, count: usize },
    /// An earlier report of mutants is about other ones.
    #[error("the report of {module} has other {of} than today: make its mutants anew, without --again")]
    OtherFaults { module: String, of: &'static str },
    #[error("{unit} is a memory: it has no gates to compare with")]
    NoGates { unit: String },
    #[error("the timing exception of {unit} follows from {claim}, which is neither proven nor kept by the stimulus; `make proofs` makes the rows that say it")]
    Exception { unit: String, claim: String },
    #[error("properties of {unit}: {problem}")]
    Properties { unit: String, problem: String },
    #[error("--from {from} --to {to}: {problem}")]
    Range { from: u64, to: u64, problem: String },
    #[error("--segment {cycles}: {module} restarts every {least} cycles; give as many or more")]
    Segment { cycles: u64, least: u64, module: String },
    /// The watch has ended the work (see [`crate::watch`]).
    #[error("interrupted; there is no result")]
    Interrupted,
    #[error(transparent)]
    Parameter(#[from] spec::InstanceError),
    #[error(transparent)]
    ModelParameter(#[from] spec::ParameterError),
    #[error(transparent)]
    Elaborate(#[from] gen::Error),
    #[error(transparent)]
    Config(#[from] sim::config::ConfigError),
    #[error(transparent)]
    Graph(#[from] sim::graph::GraphError),
    #[error(transparent)]
    Workload(#[from] sim::workload::WorkloadError),
}

impl Error {
    /// The cure is to install something (the command then exits with 3).
    pub fn is_missing_tool(&self) -> bool {
        match self {
            Error::MissingTool { .. } | Error::OldVerilator { .. } | Error::OtherCoverage { .. } => true,
            Error::Elaborate(error) => error.is_missing_tool(),
            _ => false,
        }
    }

    /// Something was compared or run and found wrong (the command then exits with 1).
    pub fn is_finding(&self) -> bool {
        matches!(self, Error::Violation(_) | Error::NothingCompared(_))
    }

    pub(crate) fn file(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.into();
        move |problem| Error::File { path, problem }
    }
}
