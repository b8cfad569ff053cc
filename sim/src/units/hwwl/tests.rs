//! Parameters that the whole unit refuses.

use super::{Hwwl, Parameters, Scheme};

#[test]
fn parameters_out_of_range_are_named_with_value_and_rule() {
    let good = Parameters::default();
    let bad = [
        (Parameters { lanes: 12, ..good }, "lanes = 12, but it must be a power of two from 4 to 32"),
        (Parameters { lanes: 2, ..good }, "lanes = 2, but it must be a power of two from 4 to 32"),
        (Parameters { entries: 0, ..good }, "entries = 0, but it must be a power of two from 4 to 65536"),
        (Parameters { entries: 2, ..good }, "entries = 2, but it must be a power of two from 4 to 65536"),
        (
            Parameters { entries: 4, threshold: 2, ..good },
            "entries = 4, but it must be at least 2 * (32 / lanes + 2): a refill and two more a side",
        ),
        (
            Parameters { lanes: 4, entries: 16, ..good },
            "entries = 16, but it must be at least 2 * (32 / lanes + 2): a refill and two more a side",
        ),
        (
            Parameters { threshold: 33, ..good },
            "threshold = 33, but it must be from 1 to entries: a bank never holds more",
        ),
        (
            Parameters { threshold: 0, ..good },
            "threshold = 0, but it must be from 1 to entries: a bank never holds more",
        ),
        (Parameters { interval: 11, ..good }, "interval = 11, but it must be even and from 10 to 65536"),
        (Parameters { interval: 8, ..good }, "interval = 8, but it must be even and from 10 to 65536"),
        (Parameters { refill_interval: 1, ..good }, "refill_interval = 1, but it must be from 2 to 65536"),
        (Parameters { link: 9, ..good }, "link = 9, but it must be from 0 to 8"),
        (Parameters { cores: 0, ..good }, "cores = 0, but it must be from 1 to 16"),
        (Parameters { cores: 17, ..good }, "cores = 17, but it must be from 1 to 16"),
        (
            Parameters { scheme: Scheme::GlobalSorting, cores: 3, ..good },
            "cores = 3, but it must be a power of two, at most 64 / lanes, with global sorting",
        ),
    ];
    for (parameters, text) in bad {
        let error = Hwwl::new(&parameters).err().map(|e| e.to_string());
        assert_eq!(error, Some(format!("hwwl: {text}")));
    }
    assert!(Hwwl::new(&good).is_ok());
    assert!(Hwwl::new(&Parameters { threshold: 32, ..good }).is_ok());
    assert!(Hwwl::new(&Parameters { lanes: 4, entries: 32, ..good }).is_ok());
}
