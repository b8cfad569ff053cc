//! Separate compilation: device code of several objects becomes one module.
//!
//! An object that is compiled with `-dc` has its device code as LLVM bitcode, behind a mark. The bitcodes are found again in objects
//! and archives, and clang links them and compiles them to PTX. The registration function that each object calls is then defined in
//! one more object, which has that PTX.

use super::build::{libdevice, Build};
use super::fat_binary::{self, MARK};
use super::launchable;
use anyhow::{bail, ensure, Context, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The function that each object calls, with its own ending.
const REGISTRATION: &[u8] = b"__cudaRegisterLinkedBinary__nv_";

/// An object with the linked code of these objects, for `-dlink`.
///
/// # Errors
/// Clang's error; objects without any.
pub fn object(build: &Build, objects: &[String], output: &Path) -> Result<()> {
    let found = Found::of(objects)?;
    ensure!(
        build.run.is_dry || !found.bitcodes.is_empty(),
        "nvcc: -dlink: no object has device code to link; compile them with -dc"
    );
    link(build, &found, output)
}

/// An object for a program of these objects. False: none has device code to be linked, or one has it linked already.
///
/// # Errors
/// Clang's error.
pub fn object_of_program(build: &Build, objects: &[String], output: &Path) -> Result<bool> {
    let found = Found::of(objects)?;
    let is_needed = !found.registrations.is_empty() && !found.is_linked;
    if is_needed {
        link(build, &found, output)?;
    }
    Ok(is_needed)
}

fn link(build: &Build, found: &Found, output: &Path) -> Result<()> {
    let ptx = build.work.join("device_link.ptx");
    build.run.clang(output, &found.link_arguments(build, &ptx)?)?;
    let source = build.work.join("device_link.c");
    if !build.run.is_dry {
        let text = std::fs::read_to_string(&ptx).with_context(|| format!("nvcc: {}: cannot read", ptx.display()))?;
        let text = without_endings(&text)?;
        launchable::check(Path::new("device_link"), &text);
        write(&source, registration(&fat_binary::of(text.as_bytes()), &found.registrations).as_bytes())?;
    }
    let arguments = ["-O1", "-fPIC", "-c", &source.display().to_string(), "-o", &output.display().to_string()];
    build.run.clang(output, &arguments.map(String::from))
}

#[derive(Default)]
struct Found {
    bitcodes: Vec<Vec<u8>>,
    registrations: BTreeSet<String>,
    /// There is an object of `-dlink`.
    is_linked: bool,
}

impl Found {
    /// The content of objects and archives. Files that cannot be read are for the linker to complain about.
    fn of(objects: &[String]) -> Result<Self> {
        let mut found = Found::default();
        let is_file =
            |word: &&String| [".o", ".a", ".obj"].iter().any(|end| word.ends_with(end)) && !word.starts_with('-');
        for object in objects.iter().filter(is_file) {
            if let Ok(bytes) = std::fs::read(object) {
                found.look(&bytes).with_context(|| format!("nvcc: {object}"))?;
            }
        }
        Ok(found)
    }

    fn look(&mut self, bytes: &[u8]) -> Result<()> {
        for place in places(bytes, MARK) {
            let rest = &bytes[place + MARK.len()..];
            let code = rest
                .split_first_chunk::<8>()
                .and_then(|(length, rest)| rest.get(..usize::try_from(u64::from_le_bytes(*length)).ok()?));
            let Some(code) = code else { bail!("the device code in it is cut off") };
            self.bitcodes.push(code.to_vec());
        }
        for place in places(bytes, REGISTRATION) {
            let name =
                bytes[place..].split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_').next().unwrap_or_default();
            self.registrations.insert(String::from_utf8_lossy(name).into_owned());
        }
        self.is_linked |= places(bytes, LINKED.as_bytes()).next().is_some();
        Ok(())
    }

    fn link_arguments(&self, build: &Build, ptx: &Path) -> Result<Vec<String>> {
        let empty = build.work.join("empty.c");
        if !build.run.is_dry {
            write(&empty, b"")?;
        }
        let processor = format!("sm_{}", build.options.architecture);
        let mut arguments: Vec<String> = [
            "-cc1",
            "-triple",
            "nvptx64-nvidia-cuda",
            "-target-cpu",
            &processor,
            "-target-feature",
            "+ptx64",
            "-O2",
            "-S",
        ]
        .map(String::from)
        .to_vec();
        for (number, code) in self.bitcodes.iter().enumerate() {
            let path = build.work.join(format!("device_link_{number}.bc"));
            if !build.run.is_dry {
                write(&path, code)?;
            }
            arguments.extend(["-mlink-bitcode-file".into(), path.display().to_string()]);
        }
        arguments.extend(["-mlink-builtin-bitcode".into(), libdevice(build.home)]);
        arguments.extend(["-x", "c", &empty.display().to_string(), "-o", &ptx.display().to_string()].map(String::from));
        Ok(arguments)
    }
}

/// A name by which an object of `-dlink` is known.
const LINKED: &str = "unruly_linked_device_code";

/// C text: the code, and the functions that register each object's kernels with it.
fn registration(fat_binary: &[u8], names: &BTreeSet<String>) -> String {
    let numbers: Vec<_> = fat_binary.iter().map(u8::to_string).collect();
    let mut text = format!(
        "extern void **__cudaRegisterFatBinary(void *);\n\
         extern void __cudaRegisterFatBinaryEnd(void **);\n\
         const unsigned char {LINKED}[] = {{{}}};\n\
         static struct {{ int magic, version; const void *data; void *unused; }} wrapper = {{0x466243b1, 1, {LINKED}, 0}};\n\
         static void **handle;\n\
         static void add(void (*globals)(void **)) {{\n\
         \x20 if (!handle)\n    handle = __cudaRegisterFatBinary(&wrapper);\n  globals(handle);\n\
         \x20 __cudaRegisterFatBinaryEnd(handle);\n}}\n",
        numbers.join(",")
    );
    for name in names {
        text += &format!("void {name}(void (*globals)(void **), void *code, void *module, void (*unused)(void *)) {{ add(globals); }}\n");
    }
    text
}

/// Endings that clang gives the names of static kernels and variables; digits follow.
const ENDINGS: [&str; 2] = ["__intern__", "__static__"];

/// The host's side knows static kernels and variables by their own names.
fn without_endings(ptx: &str) -> Result<String> {
    let mut owners = BTreeMap::new();
    let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || "_$".contains(letter);
    for word in ptx.split(|letter| !is_of_name(letter)) {
        let Some(place) = ENDINGS.iter().find_map(|ending| word.find(ending)) else { continue };
        let (name, ending) = word.split_at(place);
        let digits = ending[ENDINGS[0].len()..].find(|letter: char| !letter.is_ascii_hexdigit());
        let ending = digits.map_or(ending, |digits| &ending[..ENDINGS[0].len() + digits]);
        if let Some(other) = owners.insert(name, ending).filter(|other| *other != ending) {
            bail!("nvcc: two files have a static kernel or device variable `{name}` ({other}, {ending}); rename one");
        }
    }
    let endings: BTreeSet<_> = owners.into_values().collect();
    Ok(endings.into_iter().fold(ptx.to_string(), |text, ending| text.replace(ending, "")))
}

fn places<'a>(bytes: &'a [u8], wanted: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    bytes.windows(wanted.len()).enumerate().filter(move |(_, window)| *window == wanted).map(|(place, _)| place)
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    output::replace(path, bytes).with_context(|| format!("nvcc: {}: cannot write", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nvcc::fat_binary::relocatable as pack;

    #[test]
    fn static_kernels_lose_what_clang_adds_unless_two_are_the_same() {
        let ptx = ".entry _ZL1kPi__intern__0a1b(\n.param .u64 _ZL1kPi__intern__0a1b_param_0)\nmov x, y__static__2c;";
        let plain = ".entry _ZL1kPi(\n.param .u64 _ZL1kPi_param_0)\nmov x, y;";
        assert_eq!(without_endings(ptx).unwrap(), plain);
        let two = ".entry a__intern__1(){} .entry a__intern__2(){}";
        assert!(without_endings(two).unwrap_err().to_string().contains("`a`"));
    }

    #[test]
    fn device_code_is_found_again_between_other_bytes() {
        let object = [
            b"\x7fELF".as_slice(),
            &pack(b"first"),
            b"\0\0",
            &pack(b"second"),
            b"\0__cudaRegisterLinkedBinary__nv_1a2b\0x",
        ]
        .concat();
        let mut found = Found::default();
        found.look(&object).unwrap();
        assert_eq!(found.bitcodes, [b"first".to_vec(), b"second".to_vec()]);
        assert_eq!(Vec::from_iter(found.registrations), ["__cudaRegisterLinkedBinary__nv_1a2b"]);
        assert!(!found.is_linked);
        let cut = [MARK.as_slice(), &9u64.to_le_bytes(), b"short"].concat();
        assert!(Found::default().look(&cut).is_err());
    }
}
