//! Parameters of a unit on the command line: `--set NAME=VALUE`.

use anyhow::{bail, Context, Result};
use sim::number::whole_u64;

/// `entries=8`
pub fn one(text: &str) -> Result<(&str, u64)> {
    let (name, values) = several(text)?;
    match values[..] {
        [value] => Ok((name, value)),
        _ => bail!("--set {text}: write one value"),
    }
}

/// All of a command line.
pub fn all(texts: &[String]) -> Result<Vec<(&str, u64)>> {
    texts.iter().map(|text| one(text)).collect()
}

/// `entries=8,32,128`
pub fn several(text: &str) -> Result<(&str, Vec<u64>)> {
    let rule = || format!("--set {text}: write NAME=VALUE, for example entries=8");
    let (name, values) = text.split_once('=').with_context(rule)?;
    let read = |value| whole_u64(value).with_context(|| format!("--set {text}: {value}"));
    let values = values.split(',').map(read).collect::<Result<_>>()?;
    Ok((name, values))
}

/// Every combination of the values of all parameters, the first parameter's changing slowest.
pub fn combinations<'a>(parameters: &[(&'a str, Vec<u64>)]) -> Vec<Vec<(&'a str, u64)>> {
    parameters.iter().fold(vec![vec![]], |combinations, (name, values)| {
        let with = |one: &Vec<(&'a str, u64)>, value: &u64| [&one[..], &[(*name, *value)]].concat();
        combinations.iter().flat_map(|one| values.iter().map(move |value| with(one, value))).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_and_combined() {
        assert_eq!(one("entries=8").unwrap(), ("entries", 8));
        assert_eq!(several("entries=1_024,2.5e3").unwrap(), ("entries", vec![1024, 2500]));
        assert!(one("entries=8,32").is_err());
        let parameters = [several("lanes=16,32").unwrap(), several("entries=8,128").unwrap()];
        let names = combinations(&parameters);
        let row = |lanes, entries| vec![("lanes", lanes), ("entries", entries)];
        assert_eq!(names, [row(16, 8), row(16, 128), row(32, 8), row(32, 128)]);
        assert_eq!(combinations(&[]), [vec![]]);
    }
}
