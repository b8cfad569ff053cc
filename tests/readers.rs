//! Wrong texts: each reader gets the files of its folder in `fuzz/corpus`, and some thousand variants of them that are the same every time.
//! It may refuse them, but it must neither panic nor take long. The long form is `make fuzz`.

use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use testbench::stimulus::Rng;
use unruly::readers::{read, READERS};

/// Variants per reader.
const VARIANTS: u64 = 300;
const PATIENCE: Duration = Duration::from_secs(5);
/// Limits of numbers, and words that are a number only to some.
const WORDS: [&str; 16] = [
    "0",
    "1",
    "-1",
    "255",
    "65536",
    "4294967295",
    "4294967296",
    "18446744073709551615",
    "18446744073709551616",
    "1e99",
    "-0.0",
    "nan",
    "inf",
    "\u{663}",
    "",
    "\u{0}",
];

/// Names and contents, in the order of the names.
fn corpus(reader: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(reader);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    paths.iter().map(|path| (name(path), std::fs::read(path).unwrap())).collect()
}

#[test]
fn good_files_are_read_and_bad_ones_are_refused() {
    for reader in READERS {
        for (file, bytes) in corpus(reader.name) {
            let outcome = timed(reader.name, &file, &bytes);
            match file.split('-').next() {
                Some("good") => assert!(outcome.is_ok(), "{}/{file}: {:#}", reader.name, outcome.unwrap_err()),
                Some("bad") => assert!(outcome.is_err(), "{}/{file} is read", reader.name),
                other => panic!("{}/{file}: begin its name with good or bad, not {other:?}", reader.name),
            }
        }
    }
}

#[test]
fn variants_of_them_do_no_harm() {
    for reader in READERS {
        let files: Vec<Vec<u8>> = corpus(reader.name).into_iter().map(|(_, bytes)| bytes).collect();
        let mut rng = Rng::new(1);
        for number in 0..VARIANTS {
            let bytes = variant(&files, &mut rng);
            let _ = timed(reader.name, &format!("variant {number}"), &bytes);
        }
    }
}

/// The reader's answer. A panic or a long wait names the text that causes it.
fn timed(reader: &str, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
    let started = Instant::now();
    let outcome = catch_unwind(|| read(reader, bytes));
    let shown = || String::from_utf8_lossy(bytes).chars().take(2000).collect::<String>();
    assert!(started.elapsed() < PATIENCE, "{reader}, {name} takes {:?}:\n{}", started.elapsed(), shown());
    outcome.unwrap_or_else(|_| panic!("{reader}, {name} panics:\n{}", shown()))
}

/// One of the files, changed in a few places.
fn variant(files: &[Vec<u8>], rng: &mut Rng) -> Vec<u8> {
    let mut below = |n: usize| rng.below(n.max(1) as u32) as usize;
    let mut bytes = files[below(files.len())].clone();
    for _ in 0..=below(4) {
        let from = below(bytes.len() + 1);
        let longest = 1 + below(64);
        let to = (from + below(longest)).min(bytes.len());
        match below(6) {
            0 if from < bytes.len() => bytes[from] ^= 1 << below(8),
            1 => drop(bytes.drain(from..to)),
            2 => bytes.truncate(from),
            3 => {
                let other = &files[below(files.len())];
                let start = below(other.len() + 1);
                let end = (start + below(200)).min(other.len());
                drop(bytes.splice(from..to, other[start..end].iter().copied()));
            }
            4 => {
                let piece = bytes[from..to].to_vec();
                drop(bytes.splice(from..from, piece));
            }
            _ => {
                let (start, end) = number_at(&bytes, from);
                drop(bytes.splice(start..end, WORDS[below(WORDS.len())].bytes()));
            }
        }
    }
    bytes
}

/// The next digits, or nothing at the end.
fn number_at(bytes: &[u8], from: usize) -> (usize, usize) {
    let is_digit = |place: usize| bytes[place].is_ascii_digit();
    let start = (from..bytes.len()).find(|place| is_digit(*place)).unwrap_or(bytes.len());
    let end = (start..bytes.len()).find(|place| !is_digit(*place)).unwrap_or(bytes.len());
    (start, end)
}
