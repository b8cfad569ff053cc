//! A file's bytes: unpacked, and taken out of an archive, whatever it is called. What a packed file becomes is bounded, lest a small one takes all memory.

use crate::graph::error::GraphError;
use crate::graph::shown::shown;
use bzip2::read::MultiBzDecoder;
use flate2::bufread::GzDecoder;
use lzma_rust2::XzReader;
use ruzstd::decoding::StreamingDecoder;
use std::io::{Cursor, Error, Read};
use zip::ZipArchive;

/// Endings that say how a file is packed.
pub const ENDINGS: [&str; 7] = [".gz", ".bz2", ".xz", ".zst", ".tgz", ".tar", ".zip"];
/// The beginning of an archive.
pub const ZIP: &[u8] = b"PK\x03\x04";
/// The longest file, packed or not.
const LONGEST: u64 = 4 << 30;
/// A packed file may become this many times as long; short ones may become [`ROOM`].
const TIMES: u64 = 100;
const ROOM: u64 = 64 << 20;
/// The window of a packed file, in KiB.
const WINDOW: u32 = 256 << 10;
/// A file may be packed so many times, as an archive that is compressed is.
const LAYERS: usize = 4;

/// The contents of a file, and its name in its archive.
pub struct Contents {
    pub bytes: Vec<u8>,
    pub name: String,
}

pub fn read(path: &str) -> Result<Contents, GraphError> {
    let file = std::fs::File::open(path).map_err(|e| unreadable(path, e))?;
    let mut contents = Contents { bytes: limited(path, file, LONGEST, || too_long(path))?, name: path.into() };
    for _ in 0..LAYERS {
        match layer(path, &contents.bytes)? {
            Some(Contents { bytes, name }) if name.is_empty() => contents.bytes = bytes,
            Some(member) => contents = member,
            None => return Ok(contents),
        }
    }
    Err(GraphError::File { path: path.into(), what: "packed many times".into(), remedy: "unpack the file" })
}

/// One layer less; `None`: there is none.
fn layer(path: &str, bytes: &[u8]) -> Result<Option<Contents>, GraphError> {
    let unpacked = |bytes| Ok(Some(Contents { bytes, name: String::new() }));
    match bytes {
        [0x1f, 0x8b, ..] => unpacked(bounded(path, Members { rest: bytes, member: None }, bytes.len())?),
        [b'B', b'Z', b'h', b'1'..=b'9', 0x31 | 0x17, ..] => {
            unpacked(bounded(path, MultiBzDecoder::new(bytes), bytes.len())?)
        }
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => {
            unpacked(bounded(path, XzReader::new_mem_limit(bytes, true, WINDOW), bytes.len())?)
        }
        [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => {
            unpacked(bounded(path, Frames { rest: bytes, frame: None }, bytes.len())?)
        }
        _ if bytes.get(257..262) == Some(b"ustar") => of_tar(path, bytes).map(Some),
        _ if bytes.starts_with(ZIP) => of_zip(path, bytes),
        _ => Ok(None),
    }
}

fn unreadable(path: &str, error: Error) -> GraphError {
    GraphError::Read { path: path.into(), reason: error.to_string() }
}

fn too_long(path: &str) -> GraphError {
    GraphError::File { path: path.into(), what: "longer than 4 GiB".into(), remedy: "give a smaller graph" }
}

/// All that comes out of a packed file of `packed` bytes.
pub fn bounded(path: &str, reader: impl Read, packed: usize) -> Result<Vec<u8>, GraphError> {
    let bound = (packed as u64 * TIMES).clamp(ROOM, LONGEST);
    limited(path, reader, bound, || match bound {
        LONGEST => too_long(path),
        _ => GraphError::File {
            path: path.into(),
            what: format!("unpacks to more than {TIMES} times its size, and more than 64 MiB"),
            remedy: "give a graph, or unpack the file first",
        },
    })
}

fn limited(
    path: &str,
    reader: impl Read,
    bound: u64,
    too_long: impl FnOnce() -> GraphError,
) -> Result<Vec<u8>, GraphError> {
    let mut bytes = Vec::new();
    reader.take(bound + 1).read_to_end(&mut bytes).map_err(|e| unreadable(path, e))?;
    match bytes.len() as u64 > bound {
        true => Err(too_long()),
        false => Ok(bytes),
    }
}

/// All members of a gz file. Zeros behind them are the padding of a tape or a disk.
struct Members<'a> {
    rest: &'a [u8],
    member: Option<GzDecoder<&'a [u8]>>,
}

impl Read for Members<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        loop {
            if let Some(member) = &mut self.member {
                match member.read(buffer)? {
                    0 => self.rest = self.member.take().expect("just read").into_inner(),
                    count => return Ok(count),
                }
            }
            if self.rest.iter().all(|byte| *byte == 0) {
                return Ok(0);
            }
            self.member = Some(GzDecoder::new(self.rest));
        }
    }
}

/// All frames of a zst file.
struct Frames<'a> {
    rest: &'a [u8],
    frame: Option<StreamingDecoder<&'a [u8], ruzstd::decoding::FrameDecoder>>,
}

impl Read for Frames<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        loop {
            if let Some(frame) = &mut self.frame {
                match frame.read(buffer)? {
                    0 => self.rest = self.frame.take().expect("just read").into_inner(),
                    count => return Ok(count),
                }
            }
            // A frame that is skipped: its magic, and its length.
            while let [0x50..=0x5f, 0x2a, 0x4d, 0x18, a, b, c, d, rest @ ..] = self.rest {
                let length = u32::from_le_bytes([*a, *b, *c, *d]) as usize;
                self.rest = rest.get(length..).unwrap_or(&[]);
            }
            if self.rest.is_empty() {
                return Ok(0);
            }
            self.frame = Some(StreamingDecoder::new(self.rest).map_err(Error::other)?);
        }
    }
}

/// macOS packs the attributes of a file `x` as `._x` or `__MACOSX/._x`.
fn is_of_macos(name: &str) -> bool {
    name.rsplit('/').next().is_some_and(|file| file.starts_with("._")) || name.starts_with("__MACOSX/")
}

/// The graph's file in an archive: the only one, or the only .mtx, or the .mtx that is called like its folder, as SuiteSparse has it.
fn choose<'a>(path: &str, names: &'a [String]) -> Result<&'a String, GraphError> {
    let names: Vec<&String> = names.iter().filter(|name| !is_of_macos(name)).collect();
    let matrices: Vec<_> = names.iter().copied().filter(|name| name.ends_with(".mtx")).collect();
    let like_folder = |name: &&&String| {
        let mut parts = name.trim_end_matches(".mtx").rsplit('/');
        parts.next() == parts.next()
    };
    match (&matrices[..], &names[..]) {
        ([one], _) => Ok(*one),
        ([], [one]) => Ok(one),
        (matrices, _) => matrices.iter().find(like_folder).copied().ok_or_else(|| {
            let names = names.iter().take(4).map(|name| shown(name)).collect::<Vec<_>>().join(", ");
            let what = format!("an archive without a single graph in it: {names}");
            GraphError::File { path: path.into(), what, remedy: "unpack it and give one of its files" }
        }),
    }
}

fn of_tar(path: &str, bytes: &[u8]) -> Result<Contents, GraphError> {
    let names = |entry: &tar::Entry<&[u8]>| String::from_utf8_lossy(&entry.path_bytes()).into_owned();
    let files = || -> Result<Vec<_>, Error> {
        let mut archive = tar::Archive::new(bytes);
        let mut files = Vec::new();
        for entry in archive.entries()? {
            let entry = entry?;
            if entry.header().entry_type().is_file() {
                files.push((names(&entry), entry.raw_file_position(), entry.size()));
            }
        }
        Ok(files)
    };
    let files = files().map_err(|e| unreadable(path, e))?;
    let all: Vec<String> = files.iter().map(|(name, ..)| name.clone()).collect();
    let name = choose(path, &all)?;
    let (name, start, size) = files.iter().find(|(file, ..)| file == name).expect("one of them");
    let end = start.saturating_add(*size).min(bytes.len() as u64);
    Ok(Contents { bytes: bytes[*start as usize..end as usize].to_vec(), name: name.clone() })
}

/// `None`: the archive is scipy's.
fn of_zip(path: &str, bytes: &[u8]) -> Result<Option<Contents>, GraphError> {
    let bad = |e: zip::result::ZipError| unreadable(path, Error::other(format!("not a zip archive: {e}")));
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(bad)?;
    let names =
        archive.file_names().map(|name| Ok(name?.into_owned())).collect::<Result<Vec<String>, _>>().map_err(bad)?;
    let names: Vec<String> = names.into_iter().filter(|name| !name.ends_with('/')).collect();
    if names.iter().any(|name| name.ends_with(".npy")) {
        return Ok(None);
    }
    let name = choose(path, &names)?.clone();
    let member = archive.by_name(&name).map_err(bad)?;
    Ok(Some(Contents { bytes: bounded(path, member, bytes.len())?, name }))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{edges, gzipped, open_bytes, zipped};

    const TEXT: &[u8] = b"1 2 5\n2 3 7\n";
    /// [`TEXT`] as CPython 3.11's `bz2`, `lzma` and zstandard 0.25 pack it.
    const BZ2: &[u8] = &[
        66, 90, 104, 57, 49, 65, 89, 38, 83, 89, 222, 66, 45, 97, 0, 0, 3, 88, 0, 0, 16, 64, 0, 58, 128, 32, 0, 49, 12,
        0, 148, 13, 168, 189, 6, 8, 120, 187, 146, 41, 194, 132, 134, 242, 17, 107, 8,
    ];
    const XZ: &[u8] = &[
        253, 55, 122, 88, 90, 0, 0, 4, 230, 214, 180, 70, 2, 0, 33, 1, 22, 0, 0, 0, 116, 47, 229, 163, 1, 0, 11, 49,
        32, 50, 32, 53, 10, 50, 32, 51, 32, 55, 10, 0, 157, 135, 130, 96, 80, 84, 15, 66, 0, 1, 36, 12, 166, 24, 216,
        216, 31, 182, 243, 125, 1, 0, 0, 0, 0, 4, 89, 90,
    ];
    const ZST: &[u8] = &[40, 181, 47, 253, 32, 12, 97, 0, 0, 49, 32, 50, 32, 53, 10, 50, 32, 51, 32, 55, 10];
    /// A zst frame that is to be skipped: by RFC 8878, 3.1.2.
    const SKIPPED: &[u8] = &[0x5a, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 9, 9];

    fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
        let mut archive = tar::Builder::new(Vec::new());
        for (name, bytes) in members {
            let mut header = tar::Header::new_ustar();
            header.set_size(bytes.len() as u64);
            header.set_mode(0o644);
            archive.append_data(&mut header, name, *bytes).unwrap();
        }
        archive.into_inner().unwrap()
    }

    #[test]
    fn a_file_may_be_packed_whatever_it_is_called() {
        let twice = |packed: &[u8]| [packed, packed].concat();
        let cases = [
            gzipped(TEXT),
            BZ2.to_vec(),
            XZ.to_vec(),
            ZST.to_vec(),
            twice(&gzipped(TEXT)),
            twice(BZ2),
            twice(XZ),
            [SKIPPED, ZST, SKIPPED, ZST].concat(),
            gzipped(BZ2),
            tar(&[("folder/list", TEXT)]),
            gzipped(&tar(&[("m/m_coord.mtx", b"no graph"), ("m/m.mtx", TEXT), ("m/x.mtx", b"")])),
            zipped(&[("readme.txt", b"read me".to_vec()), ("g.mtx", mtx())]),
            zipped(&[("g.mtx", mtx()), ("__MACOSX/._g.mtx", b"\0\x05\x16\x07".to_vec())]),
            tar(&[("./._g.mtx", b"\0\x05\x16\x07"), ("./g.mtx", &mtx())]),
            tar(&[("._list", b"\0\x05\x16\x07"), ("list", TEXT)]),
            [gzipped(TEXT), vec![0; 512]].concat(),
        ];
        for (number, bytes) in cases.iter().enumerate() {
            match (number, open_bytes("a", bytes)) {
                // The member's name counts, not the archive's.
                (10, graph) => assert!(graph.unwrap_err().to_string().contains("not a header that is known")),
                (_, Err(error)) => panic!("{number}: {error}"),
                (_, Ok(graph)) => assert_eq!(edges(&graph), [("1", "2", 5), ("2", "3", 7)], "{number}"),
            }
        }
        let graph = open_bytes("some.tar.gz", &gzipped(&tar(&[("m/m.mtx", &mtx()), ("m/m_b.mtx", b"x")]))).unwrap();
        assert_eq!((edges(&graph).len(), graph.name.as_str()), (2, "some"));
        assert_eq!(open_bytes("p.mtx.zst", ZST).unwrap_err().to_string().matches("(read as matrix-market;").count(), 1);
    }

    fn mtx() -> Vec<u8> {
        b"%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n2 1 5\n3 2 7\n".to_vec()
    }

    #[test]
    fn damaged_and_doubtful_files() {
        let wrong = |bytes: &[u8]| open_bytes("a", bytes).unwrap_err().to_string();
        for packed in [&gzipped(TEXT)[..], BZ2, XZ, ZST] {
            assert!(wrong(&packed[..packed.len() - 6]).contains("cannot read the graph"), "cut off");
        }
        assert!(wrong(&tar(&[("a.mtx", TEXT), ("b.mtx", TEXT)])).contains("without a single graph in it: a.mtx, b.mtx"));
        assert!(wrong(&tar(&[("\u{1b}[2J", TEXT), ("b", TEXT)])).contains(r"in it: \u{1b}[2J, b; unpack it"));
        let nested = (0..5).fold(TEXT.to_vec(), |bytes, _| gzipped(&bytes));
        assert!(wrong(&nested).contains("a: packed many times; unpack the file"));
    }

    /// One line without an end, 70 MB from 68 KB: it is given up before it fills the memory.
    #[test]
    fn what_a_small_file_becomes_is_bounded() {
        let bomb = gzipped(&b"1 2 ".repeat(17_500_000));
        assert!(bomb.len() < 80_000);
        let error = open_bytes("a.gz", &bomb).unwrap_err().to_string();
        assert!(error.ends_with("a.gz: unpacks to more than 100 times its size, and more than 64 MiB; give a graph, or unpack the file first"), "{error}");
    }
}
