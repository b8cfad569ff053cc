//! Parameters that the whole unit refuses.

use super::{Iru, Parameters};

#[test]
fn parameters_out_of_range_are_named_with_value_and_rule() {
    let good = Parameters::default();
    let bad = [
        (Parameters { partitions: 1, ..good }, "partitions = 1, but it must be 2 or 4"),
        (Parameters { partitions: 3, ..good }, "partitions = 3, but it must be 2 or 4"),
        (Parameters { partitions: 8, ..good }, "partitions = 8, but it must be 2 or 4"),
        (Parameters { sets: 2, ..good }, "sets = 2, but it must be a power of two from 4 to 1024"),
        (Parameters { sets: 24, ..good }, "sets = 24, but it must be a power of two from 4 to 1024"),
        (Parameters { sets: 2_048, ..good }, "sets = 2048, but it must be a power of two from 4 to 1024"),
        (Parameters { timeout: 15, ..good }, "timeout = 15, but it must be from 16 to 65535"),
        (Parameters { timeout: 65_536, ..good }, "timeout = 65536, but it must be from 16 to 65535"),
        (Parameters { requests: 8, ..good }, "requests = 8, but it must be a power of two from 16 to 4096"),
        (Parameters { requests: 1_000, ..good }, "requests = 1000, but it must be a power of two from 16 to 4096"),
        (Parameters { interleave: 3, ..good }, "interleave = 3, but it must be 1, 2, 4 or 8"),
        (Parameters { link: 9, ..good }, "link = 9, but it must be from 0 to 8"),
        (Parameters { chunks: 12, ..good }, "chunks = 12, but it must be 8, 16, 32 or 64"),
        (Parameters { bundle: 3, ..good }, "bundle = 3, but it must be 1, 2 or 4"),
        (Parameters { interleave: 0, ..good }, "interleave = 0, but it must be 1, 2, 4 or 8"),
    ];
    for (parameters, text) in bad {
        let error = Iru::new(&parameters).err().map(|e| e.to_string());
        assert_eq!(error, Some(format!("iru: {text}")));
    }
    for partitions in [2, 4] {
        for sets in [4, 1_024] {
            assert!(Iru::new(&Parameters { partitions, sets, ..good }).is_ok());
        }
    }
}
