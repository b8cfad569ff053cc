//! A SIMT core: when instructions issue, execute and write back. What they do is `exec`'s.
