//! A sparse matrix of scipy, as `save_npz` writes it: a zip archive of NumPy's arrays. The values are lengths, but those of a matrix of truths.

use super::bytes::Bytes;
use super::found::Found;
use super::length::{FoundLengths, Value};
use super::npy::{self, Array};
use super::rows::pairs;
use super::unpack;
use super::Asked;
use crate::graph::csr::Labels;
use crate::graph::error::GraphError;
use crate::graph::limits::MAX_NODES;
use crate::graph::shown::shown;
use std::io::Cursor;
use zip::ZipArchive;

struct Archive<'a> {
    file: Bytes<'a>,
    zip: ZipArchive<Cursor<&'a [u8]>>,
}

impl Archive<'_> {
    fn array(&mut self, name: &str) -> Result<Array, GraphError> {
        let packed = self.file.bytes.len();
        let path = self.file.path;
        let member = self.zip.by_name(&format!("{name}.npy"));
        let member = member.map_err(|e| self.file.error(format!("no sparse matrix of scipy: {name}.npy: {e}")))?;
        let bytes = unpack::bounded(path, member, packed)?;
        npy::read(&bytes).map_err(|wrong| match wrong {
            npy::Wrong::Damaged(what) => self.file.error(format!("{name}.npy: {what}")),
            npy::Wrong::Kind(kind) => {
                let what = format!("{name}.npy: elements of the type `{}`", shown(&kind));
                self.file.place().error(what, "save whole numbers, or floats of 32 or 64 bits")
            }
        })
    }

    fn numbers(&mut self, name: &str) -> Result<Vec<u64>, GraphError> {
        let file = self.file;
        let bad = |what: &str| file.error(format!("{name}.npy: {what}"));
        let whole = |value: Value| match value {
            Value::Whole(value) => Ok(value),
            Value::Float(_) => Err(bad("a negative number or a fraction where a node should be")),
        };
        match self.array(name)? {
            Array::Numbers(values) => values.into_iter().map(whole).collect(),
            _ => Err(bad("no numbers")),
        }
    }

    fn nodes(&mut self, name: &str, nodes: u64) -> Result<Vec<u32>, GraphError> {
        let numbers = self.numbers(name)?;
        let targets: Vec<u32> = numbers.into_iter().map(|n| u32::try_from(n).unwrap_or(u32::MAX)).collect();
        self.file.check(&targets, nodes)?;
        Ok(targets)
    }
}

pub fn read(file: Bytes, asked: Asked) -> Result<Found, GraphError> {
    let zip = ZipArchive::new(Cursor::new(file.bytes)).map_err(|e| file.error(format!("not a zip archive: {e}")))?;
    let mut archive = Archive { file, zip };
    let Array::Text(format) = archive.array("format")? else { return Err(file.error("format.npy: no text".into())) };
    let nodes = match archive.numbers("shape")?[..] {
        [rows, columns] if rows == columns => rows,
        [rows, columns] => {
            let what = format!("{rows} rows but {columns} columns: not a graph's matrix");
            return Err(file.place().error(what, "save a square matrix"));
        }
        _ => return Err(file.error("shape.npy: not two numbers".into())),
    };
    if nodes > MAX_NODES {
        return Err(GraphError::TooManyNodes { place: file.path.into(), nodes });
    }
    let found_pairs = match format.as_str() {
        "coo" => {
            let (rows, columns) = (archive.nodes("row", nodes)?, archive.nodes("col", nodes)?);
            if rows.len() != columns.len() {
                return Err(file.error("row.npy and col.npy are not equally long".into()));
            }
            rows.into_iter().zip(columns).collect()
        }
        "csr" | "csc" => {
            let (starts, targets) = (archive.numbers("indptr")?, archive.nodes("indices", nodes)?);
            if starts.len() as u64 != nodes + 1 {
                return Err(file.error(format!("indptr.npy has {} numbers, not {}", starts.len(), nodes + 1)));
            }
            let mut pairs = pairs(file.path, &starts, &targets)?;
            if format == "csc" {
                pairs.iter_mut().for_each(|(row, column)| std::mem::swap(row, column));
            }
            pairs
        }
        other => {
            let what = format!("a matrix of the form `{}`, not csr, csc or coo", shown(other));
            return Err(file.place().error(what, "save its tocsr()"));
        }
    };
    let mut lengths = FoundLengths::of_first(asked.lengths);
    let values = match archive.array("data")? {
        Array::Numbers(values) => {
            values.iter().for_each(|value| lengths.push_value(file.place(), *value));
            values.len()
        }
        Array::Truths(truths) => {
            truths.iter().for_each(|_| lengths.push(file.place(), None));
            truths.len()
        }
        Array::Text(_) => return Err(file.error("data.npy: no numbers".into())),
    };
    if values != found_pairs.len() {
        return Err(file.error(format!("{} entries but {values} values", found_pairs.len())));
    }
    let mut found = Found::new(nodes, Labels::From(0), lengths);
    found.pairs = found_pairs;
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::super::npy::tests::file as array;
    use super::super::tests::{edges, open_bytes, zipped};

    fn numbers(values: &[i32]) -> Vec<u8> {
        let data: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        array("<i4", &format!("({},)", values.len()), &data)
    }

    fn file(format: &str, arrays: &[(&str, Vec<u8>)]) -> Vec<u8> {
        let mut members = vec![("format.npy", array("|S3", "()", format.as_bytes())), ("shape.npy", numbers(&[4, 4]))];
        members.extend(arrays.iter().cloned());
        zipped(&members)
    }

    #[test]
    fn each_form_of_matrix() {
        let data = || ("data.npy", array("<f8", "(2,)", &[5.0f64, 7.0].map(f64::to_le_bytes).concat()));
        let rows = || ("indptr.npy", numbers(&[0, 1, 2, 2, 2]));
        let targets = || ("indices.npy", numbers(&[1, 2]));
        let coo = [("row.npy", numbers(&[0, 1])), ("col.npy", numbers(&[1, 2])), data()];
        for bytes in
            [file("csr", &[rows(), targets(), data()]), file("csc", &[rows(), targets(), data()]), file("coo", &coo)]
        {
            let graph = open_bytes("a.npz", &bytes).unwrap();
            assert_eq!(edges(&graph), [("0", "1", 5), ("1", "2", 7)]);
            assert_eq!((graph.nodes(), graph.origin.unwrap().format.name()), (4, "scipy"));
        }
        let truths = ("data.npy", array("|b1", "(2,)", &[1, 1]));
        let graph = open_bytes("a", &file("csr", &[rows(), targets(), truths])).unwrap();
        assert_eq!((graph.edges(), graph.weights_origin().as_str()), (4, "hashed, 1 to 255"));
    }

    #[test]
    fn what_is_refused() {
        let wrong = |bytes: &[u8]| open_bytes("a.npz", bytes).unwrap_err().to_string();
        let data = || ("data.npy", numbers(&[5, 7]));
        assert!(wrong(&file("bsr", &[]))
            .contains("a.npz: a matrix of the form `bsr`, not csr, csc or coo; save its tocsr()"));
        let far = [("row.npy", numbers(&[0, 1])), ("col.npy", numbers(&[1, 4])), data()];
        assert!(wrong(&file("coo", &far)).contains("a target is 4 of 4 nodes"));
        let negative = [("row.npy", numbers(&[0, -1])), ("col.npy", numbers(&[1, 2])), data()];
        assert!(wrong(&file("coo", &negative)).contains("row.npy: a negative number"));
        let short = [("indptr.npy", numbers(&[0, 2])), ("indices.npy", numbers(&[1, 2])), data()];
        assert!(wrong(&file("csr", &short)).contains("indptr.npy has 2 numbers, not 5"));
        assert!(wrong(&file("csr", &[])).contains("no sparse matrix of scipy: indptr.npy"));
        for (kind, width) in [("<c16", 16), ("<f2", 2), ("|O", 8)] {
            let values = ("data.npy", array(kind, "(1,)", &vec![0; width]));
            let one = [("row.npy", numbers(&[0])), ("col.npy", numbers(&[1])), values];
            let message = wrong(&file("coo", &one));
            assert!(
                message.contains(&format!("data.npy: elements of the type `{kind}`; save whole numbers, or")),
                "{message}"
            );
        }
        let wide = [("format.npy", array("|S3", "()", b"coo")), ("shape.npy", numbers(&[4, 5]))];
        assert!(wrong(&zipped(&wide)).contains("4 rows but 5 columns: not a graph's matrix; save a square matrix"));
        assert!(wrong(b"PK\x03\x04rest").contains("not a zip archive"));
    }
}
