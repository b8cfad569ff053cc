//! Kernels that the GPU model does not run are named when a file is compiled, not when they are launched. The message is a warning: the program may
//! never launch it.

use crate::plain_name::plain_name;
use sim::ptx::Module;
use std::path::Path;

/// Warns of each kernel that cannot be launched.
pub fn check(source: &Path, ptx: &str) {
    for line in refused(&source.with_extension("ptx").display().to_string(), ptx) {
        eprintln!("nvcc: warning: {line}");
    }
}

fn refused(name: &str, ptx: &str) -> Vec<String> {
    let module = match Module::parse(name, ptx) {
        Ok(module) => module,
        Err(error) => return vec![format!("no kernel of this file can be launched: {error}")],
    };
    let of_kernel = |entry: &str| {
        let error = module.kernel(entry).err()?;
        Some(format!("kernel `{}` cannot be launched: {error}", plain_name(entry)))
    };
    module.entries().into_iter().filter_map(of_kernel).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kernel_is_named_with_the_line_of_its_source() {
        let ptx =
            ".version 6.4\n.target sm_35\n.address_size 64\n.entry good() { ret; }\n.entry _Z3badv()\n{\n.loc 1 7 3\n\
                   frobnicate.b32 %r1;\nret;\n}\n.file 1 \"./a.cu\"\n";
        let [line] = &refused("a.ptx", ptx)[..] else { panic!("one kernel is bad") };
        for word in ["kernel `bad`", "a.ptx:8", "`frobnicate`", "(a.cu:7)"] {
            assert!(line.contains(word), "{line}");
        }
        assert!(refused("a.ptx", ".version 6.4\n@@@")[0].starts_with("no kernel of this file"));
    }
}
