//! The memory system: when a request moves. What it reads or writes is `exec`'s.
