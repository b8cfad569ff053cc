//! Gives what libFuzzer makes up to the reader that the environment variable READER names.

#![no_main]

use std::sync::LazyLock;

static READER: LazyLock<String> = LazyLock::new(|| std::env::var("READER").expect("READER names a reader"));

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    // That something is wrong with the text is what is to be expected.
    let _ = unruly::readers::read(&READER, bytes);
});
