//! Numbers as people write them: whole ones as `64`, `1_000_000`, `1e6`, `2.5e3`, and floating-point ones as `0.5`, `1e-3`, `0x1.8p-4`.

use rustc_apfloat::ieee::{Double, Half, Single};
use rustc_apfloat::{Float, Round, Status};
use thiserror::Error;

/// Error in a text that should be a whole number; the text itself is the caller's to name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NumberError {
    #[error("must be a whole number from 0, such as 1000000, 1_000_000 or 1e6")]
    NotWhole,
    #[error("must be at most {most}")]
    TooLarge { most: u64 },
    #[error("must be a number, such as 0.5, 1e-3, 0x1.8p-4 or inf")]
    NotFloat,
    #[error("is too large for {bits} bits")]
    Overflow { bits: u32 },
}

/// The bits of the floating-point number of so many bits, 16, 32 or 64, that is nearest to what `text` stands for.
///
/// # Errors
/// Other texts, and numbers that would become infinite.
pub fn float_bits(text: &str, bits: u32) -> Result<u64, NumberError> {
    match bits {
        16 => nearest::<Half>(text, bits),
        32 => nearest::<Single>(text, bits),
        _ => nearest::<Double>(text, bits),
    }
}

fn nearest<F: Float>(text: &str, bits: u32) -> Result<u64, NumberError> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_hexadecimal = unsigned.starts_with("0x") || unsigned.starts_with("0X");
    let value = match text.parse::<f64>() {
        Ok(value) if value.is_nan() => return Ok(F::NAN.to_bits() as u64),
        // Not of digits that are too many: the word itself.
        Ok(value) if value.is_infinite() && !unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.') => {
            let sign = if value < 0.0 { -F::INFINITY } else { F::INFINITY };
            return Ok(sign.to_bits() as u64);
        }
        Err(_) if !is_hexadecimal => return Err(NumberError::NotFloat),
        _ => F::from_str_r(text, Round::NearestTiesToEven).map_err(|_| NumberError::NotFloat)?,
    };
    match value.status.contains(Status::OVERFLOW) {
        true => Err(NumberError::Overflow { bits }),
        false => Ok(value.value.to_bits() as u64),
    }
}

/// The number that `text` stands for: decimal digits, `_` between them, a fraction and a power of ten, if the value is whole.
///
/// # Errors
/// Other texts, values with a fraction, negative ones, and those above `most`.
pub fn whole(text: &str, most: u64) -> Result<u64, NumberError> {
    // Most are plain digits, and lengths of edges are many.
    if let Some(value) = text.parse().ok().filter(|value| *value <= most && !text.starts_with('+')) {
        return Ok(value);
    }
    let decimal = Decimal::read(text).filter(Decimal::is_whole).ok_or(NumberError::NotWhole)?;
    decimal.value().filter(|value| *value <= most).ok_or(NumberError::TooLarge { most })
}

/// [`whole`] of 32 bits.
///
/// # Errors
/// See [`whole`].
pub fn whole_u32(text: &str) -> Result<u32, NumberError> {
    whole(text, u32::MAX.into()).map(|value| value as u32)
}

/// [`whole`] of 64 bits.
///
/// # Errors
/// See [`whole`].
pub fn whole_u64(text: &str) -> Result<u64, NumberError> {
    whole(text, u64::MAX)
}

/// `digits`, without leading zeros, times ten to the power of `exponent`.
struct Decimal {
    digits: String,
    exponent: i64,
}

impl Decimal {
    fn read(text: &str) -> Option<Decimal> {
        let (mantissa, power) = match text.split_once(['e', 'E']) {
            Some((mantissa, power)) => (mantissa, power.parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (before, behind) = match mantissa.split_once('.') {
            Some((before, behind)) => (before, digits(behind)?),
            None => (mantissa, String::new()),
        };
        let all = digits(before)? + &behind;
        let exponent = i64::from(power) - behind.len() as i64;
        Some(Decimal { digits: all.trim_start_matches('0').into(), exponent })
    }

    /// The digits before the point and those behind it.
    fn parts(&self) -> (&str, &str) {
        let behind = usize::try_from(-self.exponent).unwrap_or(0).min(self.digits.len());
        self.digits.split_at(self.digits.len() - behind)
    }

    fn is_whole(&self) -> bool {
        self.parts().1.bytes().all(|digit| digit == b'0')
    }

    /// The part before the point; `None`: it needs more than 64 bits.
    fn value(&self) -> Option<u64> {
        match self.parts().0 {
            "" => Some(0),
            before => {
                let zeros = u32::try_from(self.exponent.max(0)).ok()?;
                before.parse::<u64>().ok()?.checked_mul(10u64.checked_pow(zeros)?)
            }
        }
    }
}

/// Digits, at least one; each `_` stands between two of them.
fn digits(text: &str) -> Option<String> {
    let good = text.split('_').all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
    good.then(|| text.replace('_', ""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn whole_numbers_in_all_their_forms() {
        let cases = [
            ("0", 0),
            ("64", 64),
            ("007", 7),
            ("1_000_000", 1_000_000),
            ("1e6", 1_000_000),
            ("1E+6", 1_000_000),
            ("2.5e3", 2500),
            ("1_0.5e1", 105),
            ("64.0", 64),
            ("1500e-2", 15),
            ("0.000e-99", 0),
            ("0e999999999", 0),
            ("18446744073709551615", u64::MAX),
            ("1.8446744073709551615e19", u64::MAX),
        ];
        for (text, value) in cases {
            assert_eq!(whole_u64(text), Ok(value), "{text}");
        }
    }

    #[test]
    fn what_is_not_whole_is_refused() {
        let wrong = [
            "",
            "1.5",
            "2.5e0",
            "1e-1",
            "15e-2",
            "-1",
            "+1",
            "1e",
            "e6",
            ".5e1",
            "5.",
            "1__0",
            "_1",
            "1_",
            "1_.0",
            "1._0",
            "64k",
            "0x10",
            "nan",
            "inf",
            "1e6e6",
            "1e1.5",
            " 1",
            "1 000",
            "1,000",
            "٣",
            "1e99999999999",
        ];
        for text in wrong {
            assert_eq!(whole_u64(text), Err(NumberError::NotWhole), "{text}");
        }
    }

    #[test]
    fn what_is_too_large_is_refused_with_the_limit() {
        for text in ["18446744073709551616", "1e20", "1e999999999", "1844674407370955161.6e1"] {
            assert_eq!(whole_u64(text), Err(NumberError::TooLarge { most: u64::MAX }), "{text}");
        }
        assert_eq!(whole_u32("4294967295"), Ok(u32::MAX));
        assert_eq!(whole_u32("4.294967296e9").unwrap_err().to_string(), "must be at most 4294967295");
    }

    #[test]
    fn floating_point_numbers_in_all_their_forms() {
        for text in
            ["0", "-0", "1", "+1", "1.", ".5", "2.5", "-1e-3", "1E5", "1e-320", "0.1", "inf", "-infinity", "16777217"]
        {
            assert_eq!(float_bits(text, 64), Ok(text.parse::<f64>().unwrap().to_bits()), "{text}");
            assert_eq!(float_bits(text, 32), Ok(text.parse::<f32>().unwrap().to_bits().into()), "{text}");
        }
        // C's `%a` of 1.2f * 2^-17, 1.5 and the least subnormal numbers.
        assert_eq!(float_bits("0x1.333334p-17", 32), Ok(((1.2f32 / 131072.0).to_bits()).into()));
        assert_eq!(float_bits("-0X1.8P+0", 64), Ok((-1.5f64).to_bits()));
        assert_eq!((float_bits("0x1p-149", 32), float_bits("0x1p-1074", 64)), (Ok(1), Ok(1)));
        for (text, half) in
            [("1.5", 0x3E00), ("-2", 0xC000), ("65504", 0x7BFF), ("0x1p-24", 1), ("0.1", 0x2E66), ("inf", 0x7C00)]
        {
            assert_eq!(float_bits(text, 16), Ok(half), "{text}");
        }
        assert!(f32::from_bits(float_bits("nan", 32).unwrap() as u32).is_nan());
    }

    #[test]
    fn what_is_no_floating_point_number_or_too_large_is_refused() {
        let wrong = [
            "", "-", "one", "1..2", "1e", "0x", "0x1.8", "0x1.8p", "0xgp1", "1.0f", "0x1p1p1", "1_0", " 1", "--1",
            "0x.p1", "e5", ".",
        ];
        for text in wrong {
            assert_eq!(float_bits(text, 32), Err(NumberError::NotFloat), "{text}");
        }
        for (text, bits) in
            [("65520", 16), ("1e400", 32), ("-3.5e38", 32), ("0x1p128", 32), ("1e400", 64), ("0x1p1024", 64)]
        {
            assert_eq!(float_bits(text, bits), Err(NumberError::Overflow { bits }), "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_of_a_floating_point_number_breaks_the_reader(text in "[-+]?(0x)?[0-9a-fp.+-]{0,12}") {
            let found = float_bits(&text, 64);
            if let Ok(value) = text.parse::<f64>() {
                prop_assert_eq!(found.unwrap_or(f64::INFINITY.to_bits()) & i64::MAX as u64, value.to_bits() & i64::MAX as u64);
            }
        }

        /// However the point is shifted.
        #[test]
        fn a_shifted_point_changes_nothing(value: u64, places in 0usize..19) {
            let digits = format!("{value:020}");
            let (before, behind) = digits.split_at(20 - places);
            let text = if behind.is_empty() { before.to_owned() } else { format!("{before}.{behind}") };
            prop_assert_eq!(whole_u64(&format!("{text}e{places}")), Ok(value));
            let scaled = value.checked_mul(10u64.pow(places as u32));
            prop_assert_eq!(whole_u64(&format!("{value}e{places}")).ok(), scaled);
        }
    }
}
