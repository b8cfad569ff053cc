//! Names of kernels as their authors wrote them.

/// The name that a C++ compiler made `_Z3fooPi` or `_ZN2ns3fooEPi` of: `foo`.
pub fn plain_name(symbol: &str) -> &str {
    let Some(rest) = symbol.strip_prefix("_Z") else { return symbol };
    let mut rest = rest.strip_prefix('N').unwrap_or(rest);
    let mut name = symbol;
    loop {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let Ok(length) = rest[..digits].parse::<usize>() else { return name };
        let Some(part) = rest[digits..].get(..length) else { return name };
        name = part;
        if !symbol.starts_with("_ZN") {
            return name;
        }
        rest = &rest[digits + length..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back_from_their_mangled_form() {
        for (symbol, name) in [
            ("_Z4copyPKfPfi", "copy"),
            ("_ZN3abc4copyEPf", "copy"),
            ("copy", "copy"),
            ("_Zoops", "_Zoops"),
            ("_Z99x", "_Z99x"),
        ] {
            assert_eq!(plain_name(symbol), name);
        }
    }
}
