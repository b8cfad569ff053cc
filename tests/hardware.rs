//! Results of single instructions and texture fetches, here and on an NVIDIA GPU: the programs of `hardware/` print
//! the same on both. The files in `hardware/h200` are what a GPU printed (docs/hardware.md).

use crate::common::command::{succeeds, unruly};
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/hardware"))
}

/// Output of a program here.
fn printed(program: &str) -> String {
    let made = TempDir::new().unwrap();
    let binary = made.path().join(program);
    succeeds(unruly("nvcc").arg(folder().join(program).with_extension("cu")).arg("-o").arg(&binary));
    succeeds(unruly("exec --functional").arg(binary))
}

/// Pairs of lines: here, and on the GPU.
fn beside_the_gpu(program: &str) -> Vec<(String, String)> {
    let gpu = fs::read_to_string(folder().join("h200").join(program).with_extension("txt")).unwrap();
    let here = printed(program);
    assert_eq!(here.lines().count(), gpu.lines().count(), "{program}: `h200` has other lines");
    here.lines().map(String::from).zip(gpu.lines().map(String::from)).collect()
}

/// A line of results; others have a digest of theirs.
fn is_approximate(line: &str) -> bool {
    line.contains(".approx.") || line.contains("div.full.")
}

fn assert_equal(program: &str, lines: &[(String, String)]) {
    let other: Vec<_> =
        lines.iter().filter(|(here, gpu)| here != gpu).map(|(here, gpu)| format!("{here}\n{gpu}")).collect();
    assert!(
        other.is_empty(),
        "{program}: {} of {} differ (here, and below it the GPU):\n{}",
        other.len(),
        lines.len(),
        other.join("\n")
    );
}

#[test]
fn textures_are_those_of_a_gpu() {
    let lines = beside_the_gpu("textures");
    assert!(lines.len() >= 486);
    assert_equal("textures", &lines);
}

#[test]
fn instructions_are_those_of_a_gpu() {
    let (approximate, exact): (Vec<_>, Vec<_>) =
        beside_the_gpu("instructions").into_iter().partition(|(here, _)| is_approximate(here));
    assert!(exact.len() >= 1101 && approximate.len() >= 22);
    assert_equal("instructions", &exact);
    for (here, gpu) in &approximate {
        let (form, here) = here.split_once("; ").unwrap();
        let (_, gpu) = gpu.split_once("; ").unwrap();
        for (i, (here, gpu)) in here.split(' ').zip(gpu.split(' ')).enumerate() {
            assert!(is_near(form, here, gpu), "{form}: result {i} is {here} here and {gpu} on the GPU");
        }
    }
}

/// The two results are as near to each other as the true value is to both (PTX ISA).
fn is_near(form: &str, here: &str, gpu: &str) -> bool {
    let [a, b] = [here, gpu].map(|word| number(form, word));
    let [steps, absolute, relative] = promised(form);
    let is_equal = |x: f64, y: f64| x == y || x.is_nan() && y.is_nan();
    let distance = (a - b).abs();
    let step = (a.abs().max(b.abs()) * 2f64.powi(-digits(form))).max(least(form));
    is_equal(a, b) || distance <= absolute || distance <= relative * a.abs() || distance <= steps * step
}

/// Steps of the last place that a result may differ, an absolute error, and a relative one.
fn promised(form: &str) -> [f64; 3] {
    let op = form.split('.').next().unwrap();
    match op {
        // 2^-20.5 between -pi and pi; the operands lie between -10 and 10.
        "sin" | "cos" => [1.0, 2f64.powi(-19), 0.0],
        "lg2" => [2.0, 2f64.powi(-22), 0.0],
        "tanh" => [1.0, 0.0, 2f64.powi(-11)],
        "ex2" | "div" => [2.0, 0.0, 0.0],
        _ => [1.0, 0.0, 0.0],
    }
}

/// Bits of a fraction. The reciprocals of `.approx.ftz.f64` have those of an upper word.
fn digits(form: &str) -> i32 {
    match form {
        _ if form.contains(".approx.ftz.f64") => 20,
        _ if form.contains(".f64") => 52,
        _ if form.contains(".f16") => 10,
        _ => 23,
    }
}

/// The least subnormal number.
fn least(form: &str) -> f64 {
    match form {
        _ if form.contains(".f64") => 0.0,
        _ if form.contains(".f16") => 2f64.powi(-24),
        _ => 2f64.powi(-149),
    }
}

/// The number in a word of results.
fn number(form: &str, word: &str) -> f64 {
    let bits = u64::from_str_radix(word, 16).unwrap();
    let widened = |exponent: u32, fraction: u32| {
        let sign = if bits >> (exponent + fraction) & 1 == 1 { -1.0 } else { 1.0 };
        let (power, rest) = (bits >> fraction & ((1 << exponent) - 1), bits & ((1 << fraction) - 1));
        let least = 2 - (1 << (exponent - 1));
        sign * match power {
            0 => rest as f64 * 2f64.powi(least - fraction as i32),
            _ if power == (1 << exponent) - 1 && rest == 0 => f64::INFINITY,
            _ if power == (1 << exponent) - 1 => f64::NAN,
            _ => (1u64 << fraction | rest) as f64 * 2f64.powi(least + power as i32 - 1 - fraction as i32),
        }
    };
    match form {
        _ if form.contains(".f64") => f64::from_bits(bits),
        _ if form.contains(".f16") => widened(5, 10),
        _ => widened(8, 23),
    }
}
