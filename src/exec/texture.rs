//! Textures and surfaces that the program binds to a handle.

use super::failure::{half, word, Failure, Status};
use super::wire::Fields;
use sim::exec::texture::{AddressMode, ChannelKind, Texture};
use sim::exec::Memory;

/// Binds a handle, or lets it go.
pub fn bind(memory: &mut Memory, fields: &mut Fields) -> Result<(), Failure> {
    let (handle, binds) = (word(fields)?, half(fields)? != 0);
    if binds {
        let texture = read(fields)?;
        check(memory, &texture)?;
        memory.textures.bind(handle, texture);
    } else {
        memory.textures.unbind(handle);
    }
    Ok(())
}

fn read(fields: &mut Fields) -> Result<Texture, Failure> {
    let mut halves = || half(fields);
    let size = [halves()?, halves()?, halves()?];
    let kind = match halves()? {
        0 => ChannelKind::Signed,
        1 => ChannelKind::Unsigned,
        2 => ChannelKind::Float,
        _ => return Err(Failure::malformed()),
    };
    let mut bits = [0; 4];
    for channel in &mut bits {
        *channel =
            u8::try_from(halves()?).ok().filter(|bits| [0, 8, 16, 32].contains(bits)).ok_or_else(Failure::malformed)?;
    }
    let mut modes = [AddressMode::Clamp; 3];
    for mode in &mut modes {
        *mode = match halves()? {
            0 => AddressMode::Wrap,
            1 => AddressMode::Clamp,
            2 => AddressMode::Mirror,
            3 => AddressMode::Border,
            _ => return Err(Failure::malformed()),
        };
    }
    let mut flag = || half(fields).map(|value| value != 0);
    let (linear_filter, normalized, read_as_float, linear_memory) = (flag()?, flag()?, flag()?, flag()?);
    let (address, pitch, slice) = (word(fields)?, word(fields)?, word(fields)?);
    Ok(Texture {
        address,
        size,
        pitch,
        slice,
        kind,
        bits,
        modes,
        linear_filter,
        normalized,
        read_as_float,
        linear_memory,
    })
}

/// All texels lie in one allocation.
fn check(memory: &Memory, texture: &Texture) -> Result<(), Failure> {
    let [width, height, depth] = texture.size.map(|n| u64::from(n.max(1)));
    let bytes = u128::from(depth - 1) * u128::from(texture.slice)
        + u128::from(height - 1) * u128::from(texture.pitch)
        + u128::from(width) * u128::from(texture.texel_bytes());
    let fits = usize::try_from(bytes).is_ok_and(|bytes| memory.bytes(texture.address, bytes).is_ok());
    if !fits {
        let text = format!("{width} x {height} x {depth} texels at {:#x} lie in no allocation", texture.address);
        return Err(Failure::new(Status::InvalidValue, text));
    }
    Ok(())
}
