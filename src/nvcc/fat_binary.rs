//! The device code in a program; runtime/README.md describes it.

const MAGIC: &[u8; 8] = b"UNRULYF1";

/// One image.
pub fn of(ptx: &[u8]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(1u32.to_le_bytes());
    bytes.extend((ptx.len() as u64).to_le_bytes());
    bytes.extend(ptx);
    bytes.push(0);
    bytes
}

/// Before bitcode, for separate compilation.
pub const MARK: &[u8; 8] = b"UNRULYB1";

/// Bitcode as it stands in an object.
pub fn relocatable(bitcode: &[u8]) -> Vec<u8> {
    [MARK.as_slice(), &(bitcode.len() as u64).to_le_bytes(), bitcode].concat()
}
