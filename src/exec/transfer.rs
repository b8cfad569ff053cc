//! Copies between the sides and on the device, and sets: rows of bytes.

use super::failure::{half, words, Failure, Status};
use super::machine::Machine;
use super::wire::Fields;
use sim::exec::Memory;

/// Bytes of the longest reply.
const LONGEST: u64 = 1 << 30;

/// Rows in memory.
struct Rows {
    address: u64,
    pitch: u64,
    width: u64,
    rows: u64,
}

impl Rows {
    fn new(address: u64, pitch: u64, width: u64, rows: u64) -> Result<Self, Failure> {
        let empty = width == 0 || rows == 0;
        let end = pitch.checked_mul(rows).and_then(|bytes| bytes.checked_add(address)?.checked_add(width));
        if !empty && (rows > 1 && pitch < width || end.is_none()) {
            let text = format!("{rows} rows of {width} bytes every {pitch} bytes at {address:#x} do not fit");
            return Err(Failure::new(Status::InvalidValue, text));
        }
        Ok(Rows { address, pitch, width, rows: if empty { 0 } else { rows } })
    }

    fn read(fields: &mut Fields) -> Result<Self, Failure> {
        let [address, pitch, width, rows] = words(fields)?;
        Rows::new(address, pitch, width, rows)
    }

    /// The address of each row. Neighbours without a gap are one row.
    fn pieces(&self) -> impl Iterator<Item = (u64, usize)> {
        let (address, pitch) = (self.address, self.pitch);
        let (width, rows) =
            if self.pitch == self.width { (self.width * self.rows, self.rows.min(1)) } else { (self.width, self.rows) };
        (0..rows).map(move |row| (address + row * pitch, width as usize))
    }
}

/// From the host.
pub fn write(machine: &mut Machine, memory: &mut Memory, fields: &mut Fields) -> Result<(), Failure> {
    let rows = Rows::read(fields)?;
    let mut data = fields.rest();
    for (address, bytes) in rows.pieces() {
        let (row, rest) = data.split_at_checked(bytes).ok_or_else(Failure::malformed)?;
        machine.copy_to_device(memory, address, row)?;
        data = rest;
    }
    Ok(())
}

/// To the host.
pub fn read(memory: &Memory, fields: &mut Fields, reply: &mut Vec<u8>) -> Result<(), Failure> {
    let rows = Rows::read(fields)?;
    if rows.width.saturating_mul(rows.rows) > LONGEST {
        return Err(Failure::malformed());
    }
    for (address, bytes) in rows.pieces() {
        reply.extend(memory.bytes(address, bytes)?);
    }
    Ok(())
}

/// On the device.
pub fn copy(memory: &mut Memory, fields: &mut Fields) -> Result<(), Failure> {
    let [to, to_pitch, from, from_pitch, width, rows] = words(fields)?;
    let (to, from) = (Rows::new(to, to_pitch, width, rows)?, Rows::new(from, from_pitch, width, rows)?);
    for row in 0..to.rows {
        let data = memory.bytes(from.address + row * from.pitch, width as usize)?.to_vec();
        memory.write(to.address + row * to.pitch, &data)?;
    }
    Ok(())
}

/// One value for all elements.
pub fn set(memory: &mut Memory, fields: &mut Fields) -> Result<(), Failure> {
    let rows = Rows::read(fields)?;
    let (value, bytes) = (half(fields)?.to_le_bytes(), half(fields)? as usize);
    if ![1, 2, 4].contains(&bytes) || !rows.width.is_multiple_of(bytes as u64) {
        return Err(Failure::malformed());
    }
    for (address, width) in rows.pieces() {
        let room = memory.bytes_mut(address, width)?;
        match bytes {
            1 => room.fill(value[0]),
            _ => room.chunks_exact_mut(bytes).for_each(|element| element.copy_from_slice(&value[..bytes])),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::wire::Append;

    fn request(numbers: &[u64], halves: &[u32]) -> Vec<u8> {
        let mut payload = Vec::new();
        numbers.iter().for_each(|number| payload.u64(*number));
        halves.iter().for_each(|number| payload.u32(*number));
        payload
    }

    #[test]
    fn rows_are_set_and_copied_and_what_lies_between_them_stays() {
        let mut memory = Memory::new();
        let a = memory.alloc(64);
        set(&mut memory, &mut Fields(&request(&[a + 1, 10, 3, 2], &[7, 1]))).unwrap();
        assert_eq!(memory.bytes(a, 15).unwrap(), [0, 7, 7, 7, 0, 0, 0, 0, 0, 0, 0, 7, 7, 7, 0]);
        copy(&mut memory, &mut Fields(&request(&[a + 20, 4, a + 1, 10, 4, 2], &[]))).unwrap();
        let mut found = Vec::new();
        read(&memory, &mut Fields(&request(&[a + 20, 4, 4, 2], &[])), &mut found).unwrap();
        assert_eq!(found, [7, 7, 7, 0, 7, 7, 7, 0]);
    }

    #[test]
    fn no_request_reaches_beyond_memory_or_takes_for_ever() {
        let mut memory = Memory::new();
        let a = memory.alloc(64);
        let most = u64::MAX;
        for wrong in [[a, 0, 1, most], [a, most, 1, most], [a, 4, 8, 2], [a, 8, 8, 9], [most, 1, 1, 2], [a, 64, 65, 1]]
        {
            assert!(set(&mut memory, &mut Fields(&request(&wrong, &[0, 1]))).is_err(), "{wrong:?}");
            assert!(read(&memory, &mut Fields(&request(&wrong, &[])), &mut Vec::new()).is_err(), "{wrong:?}");
        }
        for nothing in [[a, 0, 0, most], [a, 0, most, 0]] {
            set(&mut memory, &mut Fields(&request(&nothing, &[0, 1]))).unwrap();
        }
        assert!(set(&mut memory, &mut Fields(&request(&[a, 4, 4, 1], &[0, 3]))).is_err(), "no such element");
        assert!(set(&mut memory, &mut Fields(&request(&[a, 4], &[]))).is_err(), "too short");
    }
}
