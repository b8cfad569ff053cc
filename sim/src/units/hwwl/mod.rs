//! HWWL: hardware worklists (MICRO 2014). What the units do is in `docs/hwwl.md`.

pub mod pins;
