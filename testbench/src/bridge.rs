//! A verilated model in this process: all pins in one call, or single ports in place.

#![allow(unsafe_code)]

use crate::error::{Error, Result};
use crate::places::{Place, Places};
use crate::shim;
use crate::verilate::{Verilator, Verilog};
use bitvec::prelude::{BitSlice, Lsb0};
use bitvec::view::BitView;
use libloading::Library;
use sim::unit::{words, Interface, Pin};
use std::collections::BTreeMap;
use std::ffi::{c_char, c_int, c_void, CStr, CString};
use std::fs;
use std::marker::PhantomData;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::slice;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

type Dut = *mut c_void;

/// The functions of [`crate::shim`].
struct Api {
    new: unsafe extern "C" fn(c_int, c_int) -> Dut,
    delete: unsafe extern "C" fn(Dut),
    ports: unsafe extern "C" fn(Dut, *mut *mut c_void),
    eval: unsafe extern "C" fn(Dut) -> c_int,
    clock: unsafe extern "C" fn(Dut) -> c_int,
    step: unsafe extern "C" fn(Dut, c_int, *const u64, *mut u64) -> c_int,
    stop_file: unsafe extern "C" fn() -> *const c_char,
    state_size: unsafe extern "C" fn() -> usize,
    save_state: unsafe extern "C" fn(Dut, *mut u8),
    is_in_state: unsafe extern "C" fn(Dut, *const u8) -> c_int,
    restore_state: unsafe extern "C" fn(Dut, *const u8),
    step_waveform: unsafe extern "C" fn(Dut, c_int, *const u64, *mut u64, u64) -> c_int,
    waveform_open: unsafe extern "C" fn(Dut, *const c_char) -> c_int,
    waveform_close: unsafe extern "C" fn(Dut),
    /// Only in a netlist with mutants.
    set_mutant: Option<unsafe extern "C" fn(Dut, c_int)>,
    /// Only in a model that counts its places.
    places: Option<PlacesApi>,
}

struct PlacesApi {
    number: unsafe extern "C" fn(Dut) -> usize,
    name: unsafe extern "C" fn(Dut, usize) -> *const c_char,
    seen: unsafe extern "C" fn(Dut, *mut u8),
}

impl Api {
    fn load(library: &Library) -> std::result::Result<Self, libloading::Error> {
        // SAFETY: the library was made with our own shim, whose functions have these types.
        unsafe {
            Ok(Api {
                new: *library.get(b"dut_new")?,
                delete: *library.get(b"dut_delete")?,
                ports: *library.get(b"dut_ports")?,
                eval: *library.get(b"dut_eval")?,
                clock: *library.get(b"dut_clock")?,
                step: *library.get(b"dut_step")?,
                stop_file: *library.get(b"dut_stop_file")?,
                state_size: *library.get(b"dut_state_size")?,
                save_state: *library.get(b"dut_save_state")?,
                is_in_state: *library.get(b"dut_is_in_state")?,
                restore_state: *library.get(b"dut_restore_state")?,
                step_waveform: *library.get(b"dut_step_waveform")?,
                waveform_open: *library.get(b"dut_waveform_open")?,
                waveform_close: *library.get(b"dut_waveform_close")?,
                set_mutant: library.get(b"dut_set_mutant").ok().map(|symbol| *symbol),
                places: PlacesApi::load(library).ok(),
            })
        }
    }
}

impl PlacesApi {
    fn load(library: &Library) -> std::result::Result<Self, libloading::Error> {
        // SAFETY: as in `Api::load`.
        unsafe {
            let (number, name) = (*library.get(b"dut_places")?, *library.get(b"dut_place")?);
            Ok(PlacesApi { number, name, seen: *library.get(b"dut_seen")? })
        }
    }
}

/// A verilated module, loaded. Instances share it.
pub struct Model {
    /// No other model has it.
    number: u64,
    top: String,
    interface: Interface,
    api: Api,
    directory: PathBuf,
    /// Verilator that has built it; none: the library is all that there is.
    verilator: Option<Verilator>,
    _library: Library,
}

impl Model {
    /// Verilates `top` of `verilog` (or finds it in the cache) and loads it.
    ///
    /// # Errors
    /// Errors of [`Verilator::build`]; a model that cannot be loaded.
    pub fn load<'a>(
        verilator: &Verilator,
        top: &str,
        verilog: impl Into<Verilog<'a>>,
        interface: &Interface,
    ) -> Result<Arc<Self>> {
        let verilog = verilog.into();
        let library = verilator.build(top, verilog, interface)?;
        let model = Self::with(&library, top, interface, Some(verilator.clone()))?;
        match verilog {
            Verilog::UserVerilog(own) if own.reads_memories() => model.check_files()?,
            _ => {}
        }
        Ok(model)
    }

    /// `Ok` if each memory finds its file: they are read in the first step.
    fn check_files(self: &Arc<Self>) -> Result<()> {
        let mut instance = Instance::new(self, 1);
        let Interface { inputs, outputs } = &self.interface;
        instance.step(true, &vec![0; words(inputs)], &mut vec![0; words(outputs)]);
        match instance.broken_rule().and_then(|rule| rule.strip_prefix(shim::NO_FILE)) {
            Some(file) => Err(Error::NoFileAtRun { top: self.top.clone(), file: file.into() }),
            None => Ok(()),
        }
    }

    /// A model with these pins that is built.
    ///
    /// # Errors
    /// A model that cannot be loaded.
    pub(crate) fn open(path: &Path, top: &str, interface: &Interface) -> Result<Arc<Self>> {
        Self::with(path, top, interface, None)
    }

    fn with(path: &Path, top: &str, interface: &Interface, verilator: Option<Verilator>) -> Result<Arc<Self>> {
        let failed = |problem| Error::Load { path: path.to_path_buf(), problem };
        // SAFETY: the library is a verilated model or a class of the user's with our shim; loading it runs the static constructors of either.
        let library = unsafe { Library::new(path) }.map_err(failed)?;
        let api = Api::load(&library).map_err(failed)?;
        let directory = path.parent().expect("a file in the cache").to_path_buf();
        let (top, interface) = (top.into(), interface.clone());
        Ok(Arc::new(Model { number: number(), top, interface, api, directory, verilator, _library: library }))
    }

    /// Model with the code that writes waveforms.
    fn with_waveforms(self: &Arc<Self>) -> Result<Arc<Self>> {
        match &self.verilator {
            Some(verilator) => {
                Self::open(&verilator.with_waveforms(&self.top, &self.directory)?, &self.top, &self.interface)
            }
            None => Ok(self.clone()),
        }
    }

    pub fn top(&self) -> &str {
        &self.top
    }

    pub fn interface(&self) -> &Interface {
        &self.interface
    }

    /// Instances tell to which places of the Verilog they came.
    pub fn counts_places(&self) -> bool {
        self.verilator.as_ref().is_some_and(Verilator::counts_places)
    }

    /// The text of a file that Verilator has read, where the model was built.
    fn source(&self, file: &str) -> String {
        let parts: Vec<_> = Path::new(file).components().collect();
        let below = (0..parts.len()).map(|first| self.directory.join(parts[first..].iter().collect::<PathBuf>()));
        below.flat_map(fs::read_to_string).next().unwrap_or_default()
    }

    /// The rule that an assertion in this line of a file of the Verilog checks: the module, and the comment above the line,
    /// or above the `if` before it.
    fn rule(&self, file: &str, line: usize) -> String {
        let name = Path::new(file).file_name().unwrap_or_default();
        let text = self.source(file);
        let lines: Vec<&str> = text.lines().take(line).collect();
        let module = lines.iter().rev().find_map(|line| line.strip_prefix("module ")?.split_whitespace().next());
        let mut above = lines.iter().rev().skip(1).map(|line| line.trim()).skip_while(|line| line.starts_with("if ("));
        let comment = above.next().and_then(|line| line.strip_prefix("// "));
        match (module, comment) {
            (Some(module), Some(comment)) => format!("{module}: {comment}"),
            _ => format!("$stop in {}, line {line}", name.to_string_lossy()),
        }
    }
}

/// The state of an instance.
#[derive(Default)]
pub struct SavedState {
    instance: u64,
    /// None: its model does not tell.
    bytes: Vec<u8>,
}

/// A number that nothing else here has; none is 0.
fn number() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed) + 1
}

/// One instance of a model. State that the Verilog leaves open is filled from a seed.
pub struct Instance {
    number: u64,
    dut: Dut,
    /// `clock`, `reset`, inputs, outputs.
    ports: Vec<*mut c_void>,
    input_words: usize,
    output_words: usize,
    broken_rule: Option<String>,
    has_ended: bool,
    has_waveform: bool,
    model: Arc<Model>,
}

// SAFETY: an instance has its own Verilator context and shares nothing mutable with others; the pointers point into it.
unsafe impl Send for Instance {}

impl Instance {
    /// `seed` fills the state.
    pub fn new(model: &Arc<Model>, seed: i32) -> Self {
        Self::make(model, seed, false)
    }

    /// Instance of which a waveform can be taken.
    ///
    /// # Errors
    /// Code that writes waveforms cannot be compiled.
    pub fn with_waveform(model: &Arc<Model>, seed: i32) -> Result<Self> {
        Ok(Self::make(&model.with_waveforms()?, seed, true))
    }

    fn make(model: &Arc<Model>, seed: i32, has_waveform: bool) -> Self {
        let interface = &model.interface;
        let mut ports = vec![std::ptr::null_mut(); 2 + interface.inputs.len() + interface.outputs.len()];
        // SAFETY: `dut_ports` fills as many pointers as the interface has pins, and two.
        let dut = unsafe {
            let dut = (model.api.new)(seed, has_waveform as c_int);
            (model.api.ports)(dut, ports.as_mut_ptr());
            dut
        };
        let (input_words, output_words) = (words(&interface.inputs), words(&interface.outputs));
        Instance {
            number: number(),
            dut,
            ports,
            input_words,
            output_words,
            broken_rule: None,
            has_ended: false,
            has_waveform,
            model: model.clone(),
        }
    }

    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// Brings a mutant of the netlist to life; 0 is the design as it was.
    ///
    /// # Panics
    /// If the model is no netlist with mutants.
    pub fn set_mutant(&mut self, mutant: u32) {
        let set = self.model.api.set_mutant.expect("a netlist with mutants");
        // SAFETY: `dut` is alive.
        unsafe { set(self.dut, mutant as c_int) }
    }

    /// One clock cycle: all inputs in, rising edge, all outputs of the next cycle out. `outputs` has those of the last step.
    ///
    /// # Panics
    /// If the slices have not the length of the pin lists.
    #[inline]
    pub fn step(&mut self, reset: bool, inputs: &[u64], outputs: &mut [u64]) {
        assert!(inputs.len() == self.input_words && outputs.len() == self.output_words);
        // SAFETY: the shim reads and writes exactly the words of the pin lists.
        let line = unsafe { (self.model.api.step)(self.dut, reset as c_int, inputs.as_ptr(), outputs.as_mut_ptr()) };
        self.look_at(line);
    }

    /// Remembers the first rule that is broken; 0: none is.
    #[inline]
    fn look_at(&mut self, line: c_int) {
        if line != 0 && self.broken_rule.is_none() {
            self.broken_rule = Some(self.stopped(line));
            self.has_ended = [shim::UNSETTLED, shim::THROWN].contains(&line);
        }
    }

    /// The first rule that is broken: an assertion of the Verilog says it, or the model cannot go on.
    pub fn broken_rule(&self) -> Option<&str> {
        self.broken_rule.as_deref()
    }

    /// The model cannot go on, which [`Self::broken_rule`] explains. Its outputs mean nothing any more.
    pub fn has_ended(&self) -> bool {
        self.has_ended
    }

    #[cold]
    fn stopped(&self, line: c_int) -> String {
        if line == shim::UNSETTLED {
            return "it does not settle within a cycle: a signal depends on itself".into();
        }
        if line < 0 {
            let outputs = &self.model.interface.outputs;
            let place = (0..outputs.len()).take_while(|&place| words(&outputs[..place]) < -line as usize).last();
            return format!("output {} follows an input within a cycle", outputs[place.unwrap_or(0)].name);
        }
        // SAFETY: the shim's text ends with a zero byte and stays until the next step.
        let file = unsafe { CStr::from_ptr((self.model.api.stop_file)()) };
        if line == shim::THROWN {
            return file.to_string_lossy().into_owned();
        }
        self.model.rule(&file.to_string_lossy(), line as usize)
    }

    /// To which places of the Verilog the instance came. None: this model does not tell.
    pub fn places(&self) -> Option<Places> {
        let PlacesApi { number, name, seen: fill } = self.model.api.places.as_ref()?;
        // SAFETY: the shim says how many places there are, fills as many bytes, and has a name for each that stays.
        let (names, seen) = unsafe {
            let mut seen = vec![0; number(self.dut)];
            fill(self.dut, seen.as_mut_ptr());
            let names: Vec<_> = (0..seen.len()).map(|place| CStr::from_ptr(name(self.dut, place))).collect();
            (names, seen)
        };
        let mut sources: BTreeMap<String, Rc<str>> = BTreeMap::new();
        let mut source = |file: &str| {
            let read = || Rc::from(self.model.source(file));
            sources.entry(file.to_string()).or_insert_with(read).clone()
        };
        let named = names.into_iter().zip(seen).filter(|(name, _)| !name.is_empty());
        let (places, seen) =
            named.map(|(name, seen)| (Place::parse(&name.to_string_lossy(), &mut source), seen)).unzip();
        Some(Places::new(places, seen))
    }

    /// Bytes of the state; 0: this model does not tell.
    pub fn state_size(&self) -> usize {
        // SAFETY: the shim gives a constant.
        unsafe { (self.model.api.state_size)() }
    }

    /// Saves everything that the cycles to come follow from, besides their inputs.
    pub fn save_state(&self, saved: &mut SavedState) {
        saved.instance = self.number;
        saved.bytes.resize(self.state_size(), 0);
        // SAFETY: the shim writes as much as it says.
        unsafe { (self.model.api.save_state)(self.dut, saved.bytes.as_mut_ptr()) }
    }

    /// The state is as it was when it was saved. False: it is not, or this model does not tell.
    pub fn is_in_state(&self, saved: &SavedState) -> bool {
        let is_whole = saved.instance == self.number && !saved.bytes.is_empty();
        // SAFETY: the shim reads as much as it says, and so much is there.
        is_whole && unsafe { (self.model.api.is_in_state)(self.dut, saved.bytes.as_ptr()) } != 0
    }

    /// The state is as it was when it was saved.
    ///
    /// # Panics
    /// If it is another instance's, or this model does not tell.
    pub fn restore_state(&mut self, saved: &SavedState) {
        assert!(saved.instance == self.number && !saved.bytes.is_empty(), "no state of this instance");
        // SAFETY: so much is there, and what the state points to is this instance's and stays where it is as long as the instance lives.
        unsafe { (self.model.api.restore_state)(self.dut, saved.bytes.as_ptr()) }
    }

    /// [`Self::step`], and two points in the waveform: before and after the edge that ends `cycle`, at times 2 `cycle` and
    /// 2 `cycle` + 1.
    ///
    /// # Panics
    /// As [`Self::step`].
    pub fn step_waveform(&mut self, reset: bool, inputs: &[u64], outputs: &mut [u64], cycle: u64) {
        assert!(inputs.len() == self.input_words && outputs.len() == self.output_words);
        // SAFETY: as in `step`.
        let line = unsafe {
            (self.model.api.step_waveform)(self.dut, reset as c_int, inputs.as_ptr(), outputs.as_mut_ptr(), cycle)
        };
        self.look_at(line);
    }

    /// Lets combinational logic settle after ports were written in place.
    pub fn eval(&mut self) {
        // SAFETY: `dut` is alive.
        let line = unsafe { (self.model.api.eval)(self.dut) };
        self.look_at(line);
    }

    /// A rising and a falling edge with the ports as they are.
    pub fn clock(&mut self) {
        // SAFETY: `dut` is alive.
        let line = unsafe { (self.model.api.clock)(self.dut) };
        self.look_at(line);
    }

    /// Starts an FST file, of an instance [`Self::with_waveform`].
    ///
    /// # Errors
    /// It cannot be written.
    ///
    /// # Panics
    /// If the instance was made without.
    pub fn open_waveform(&mut self, path: &Path) -> Result<()> {
        assert!(self.has_waveform, "an instance without a waveform");
        let refused = |reason: &str| Error::file(path)(std::io::Error::other(reason));
        let name = CString::new(path.as_os_str().as_bytes()).map_err(|_| refused("the name has a zero byte"))?;
        // SAFETY: `name` ends with a zero byte and outlives the call.
        match unsafe { (self.model.api.waveform_open)(self.dut, name.as_ptr()) } {
            0 => Err(refused("cannot write the waveform")),
            _ => Ok(()),
        }
    }

    pub fn close_waveform(&mut self) {
        // SAFETY: `dut` is alive; closing twice is harmless.
        unsafe { (self.model.api.waveform_close)(self.dut) }
    }

    /// Where a port of this model is kept.
    ///
    /// # Panics
    /// If the port is of another model.
    #[inline]
    fn pointer(&self, model: u64, place: usize) -> *mut c_void {
        assert!(model == self.model.number, "a port of another model");
        self.ports[place]
    }

    fn find(
        &self,
        direction: &'static str,
        name: &str,
        fits: impl Fn(u32) -> bool,
        bits: &str,
    ) -> Result<(usize, u32)> {
        let Interface { inputs, outputs } = &self.model.interface;
        let fixed = [shim::CLOCK, shim::RESET].map(|name| Pin::new(name, 1));
        let (pins, first): (Vec<&Pin>, _) = match direction {
            "input" => (fixed.iter().chain(inputs).collect(), 0),
            _ => (outputs.iter().collect(), fixed.len() + inputs.len()),
        };
        let place = pins.iter().position(|pin| pin.name == name && fits(pin.width));
        let no_port = || Error::NoPort { top: self.model.top.clone(), direction, port: name.into(), bits: bits.into() };
        let place = place.filter(|place| !self.ports[first + place].is_null()).ok_or_else(no_port)?;
        Ok((first + place, pins[place].width))
    }

    fn narrow<T: Word>(&self, direction: &'static str, name: &str) -> Result<Port<T>> {
        let fits = |width: u32| T::for_width(width);
        let (place, width) = self.find(direction, name, fits, T::BITS)?;
        Ok(Port { model: self.model.number, place, mask: u64::MAX >> (64 - width), word: PhantomData })
    }

    /// An input of 1 to 8 (`u8`), 9 to 16 (`u16`), 17 to 32 (`u32`) or 33 to 64 (`u64`) bits.
    ///
    /// # Errors
    /// There is none of that name and size.
    pub fn input<T: Word>(&self, name: &str) -> Result<Input<T>> {
        self.narrow("input", name).map(Input)
    }

    /// An output; sizes as with [`Self::input`].
    ///
    /// # Errors
    /// There is none of that name and size.
    pub fn output<T: Word>(&self, name: &str) -> Result<Output<T>> {
        self.narrow("output", name).map(Output)
    }

    /// An input of more than 64 bits.
    ///
    /// # Errors
    /// There is none of that name and size.
    pub fn wide_input(&self, name: &str) -> Result<WideInput> {
        let (place, width) = self.find("input", name, |width| width > 64, "more than 64")?;
        Ok(WideInput { model: self.model.number, place, width })
    }

    /// An output of more than 64 bits.
    ///
    /// # Errors
    /// There is none of that name and size.
    pub fn wide_output(&self, name: &str) -> Result<WideOutput> {
        let (place, width) = self.find("output", name, |width| width > 64, "more than 64")?;
        Ok(WideOutput { model: self.model.number, place, width })
    }

    /// Writes a port in place, for [`Self::eval`] or [`Self::clock`]. Bits above its width are cut off.
    #[inline]
    pub fn set<T: Word>(&mut self, port: Input<T>, value: T) {
        let pointer = self.pointer(port.0.model, port.0.place) as *mut T;
        // SAFETY: the port is of this model and has this type, the pointer is into `dut`, which is alive and borrowed by nobody else.
        unsafe { *pointer = value.masked(port.0.mask) }
    }

    #[inline]
    pub fn get<T: Word>(&self, port: Output<T>) -> T {
        let pointer = self.pointer(port.0.model, port.0.place) as *const T;
        // SAFETY: as in `set`.
        unsafe { *pointer }
    }

    /// The bits of a wide input, in place, for [`Self::eval`] or [`Self::clock`], least significant first.
    #[inline]
    pub fn bits_mut(&mut self, port: WideInput) -> &mut BitSlice<u32, Lsb0> {
        let length = port.width.div_ceil(32) as usize;
        let pointer = self.pointer(port.model, port.place) as *mut u32;
        // SAFETY: the port is of this model, and Verilator keeps a wide port as so many 32-bit words; `self` is borrowed for as long as
        // the slice lives.
        let words = unsafe { slice::from_raw_parts_mut(pointer, length) };
        &mut words.view_bits_mut::<Lsb0>()[..port.width as usize]
    }

    /// The bits of a wide output, in place, least significant first.
    #[inline]
    pub fn bits(&self, port: WideOutput) -> &BitSlice<u32, Lsb0> {
        let length = port.width.div_ceil(32) as usize;
        let pointer = self.pointer(port.model, port.place) as *const u32;
        // SAFETY: as in `bits_mut`.
        let words = unsafe { slice::from_raw_parts(pointer, length) };
        &words.view_bits::<Lsb0>()[..port.width as usize]
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // SAFETY: made by `dut_new`, deleted once.
        unsafe { (self.model.api.delete)(self.dut) }
    }
}

/// A type in which Verilator keeps ports of some widths.
pub trait Word: Copy {
    /// Widths, for messages.
    const BITS: &'static str;
    fn for_width(width: u32) -> bool;
    fn masked(self, mask: u64) -> Self;
}

macro_rules! word {
    ($type:ty, $least:literal, $most:literal) => {
        impl Word for $type {
            const BITS: &'static str = concat!(stringify!($least), " to ", stringify!($most));
            fn for_width(width: u32) -> bool {
                ($least..=$most).contains(&width)
            }
            #[inline]
            fn masked(self, mask: u64) -> Self {
                self & mask as $type
            }
        }
    };
}

word!(u8, 1, 8);
word!(u16, 9, 16);
word!(u32, 17, 32);
word!(u64, 33, 64);

#[derive(Clone, Copy)]
struct Port<T> {
    model: u64,
    place: usize,
    mask: u64,
    word: PhantomData<T>,
}

/// Handles of ports; good for instances of the model that gave them.
#[derive(Clone, Copy)]
pub struct Input<T>(Port<T>);
#[derive(Clone, Copy)]
pub struct Output<T>(Port<T>);
#[derive(Clone, Copy)]
pub struct WideInput {
    model: u64,
    place: usize,
    width: u32,
}
#[derive(Clone, Copy)]
pub struct WideOutput {
    model: u64,
    place: usize,
    width: u32,
}
