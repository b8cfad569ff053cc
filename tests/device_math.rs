//! The device's mathematical functions against the C library: none is further from the true value than CUDA documents.

use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

#[test]
fn functions_are_as_exact_as_documented() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = TempDir::new().unwrap();
    let program = folder.path().join("compare");
    let mut compiler = Command::new("clang-14");
    compiler
        .args(["--driver-mode=g++", "-std=c++17", "-O1", "-ffp-contract=off", "-w", "-I"])
        .arg(root.join("runtime/device"));
    // Without the instruction for it, a fused product and sum is a slow function.
    if std::fs::read_to_string("/proc/cpuinfo").is_ok_and(|text| text.contains(" fma ")) {
        compiler.arg("-mfma");
    }
    compiler.arg(root.join("tests/device_math/main.cpp")).arg("-o").arg(&program);
    assert!(compiler.status().unwrap().success());
    // By itself the program looks at four times as many values.
    let output = Command::new(&program).arg("100000").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}
