//! Floating-point numbers as C's `printf` writes them.

use super::print_conversion::Conversion;

/// Digits behind the point if the conversion says nothing.
const PRECISION: usize = 6;
/// Most digits behind the point that are computed; a number in double precision has no more than 1,074.
const MOST_DIGITS: usize = 1100;
/// Bits of the fraction of a number in double precision.
const FRACTION_BITS: u32 = 52;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// `%f`
    Fixed,
    /// `%e`
    Exponent,
    /// `%g`
    General,
    /// `%a`
    Hexadecimal,
}

/// The text of a number that is not negative, without the `0x` of [`Style::Hexadecimal`].
pub fn float(style: Style, value: f64, conversion: &Conversion) -> String {
    if value.is_nan() {
        return "nan".into();
    }
    if value.is_infinite() {
        return "inf".into();
    }
    let (digits, point) = (conversion.precision, conversion.alternative);
    match style {
        Style::Fixed => fixed(value, digits.unwrap_or(PRECISION), point),
        Style::Exponent => exponent(value, digits.unwrap_or(PRECISION), point),
        Style::General => general(value, digits.unwrap_or(PRECISION).max(1), point),
        Style::Hexadecimal => hexadecimal(value, digits, point),
    }
}

/// `digits` digits behind the point.
fn fixed(value: f64, digits: usize, point: bool) -> String {
    let computed = digits.min(MOST_DIGITS);
    let mut text = format!("{value:.computed$}");
    text.extend(std::iter::repeat_n('0', digits - computed));
    if point && digits == 0 {
        text.push('.');
    }
    text
}

/// Mantissa with `digits` digits behind the point, and the decimal exponent.
fn scientific(value: f64, digits: usize) -> (String, i32) {
    let computed = digits.min(MOST_DIGITS);
    let text = format!("{value:.computed$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let zeros = "0".repeat(digits - computed);
    (format!("{mantissa}{zeros}"), exponent.parse().unwrap_or(0))
}

fn exponent(value: f64, digits: usize, point: bool) -> String {
    let (mantissa, exponent) = scientific(value, digits);
    let point = if point && digits == 0 { "." } else { "" };
    format!("{mantissa}{point}{}", decimal_exponent(exponent))
}

fn decimal_exponent(exponent: i32) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("e{sign}{:02}", exponent.unsigned_abs())
}

/// `digits` significant digits, in the shorter of the two forms.
fn general(value: f64, digits: usize, point: bool) -> String {
    let (mantissa, exponent) = scientific(value, digits - 1);
    if exponent < -4 || exponent >= digits as i32 {
        let mantissa = match (point, digits) {
            (true, 1) => format!("{mantissa}."),
            (true, _) => mantissa,
            (false, _) => trimmed(mantissa),
        };
        return format!("{mantissa}{}", decimal_exponent(exponent));
    }
    let text = fixed(value, (digits as i32 - 1 - exponent) as usize, point);
    if point {
        text
    } else {
        trimmed(text)
    }
}

/// Without zeros at the end behind the point, and without a point at the end.
fn trimmed(text: String) -> String {
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => text,
    }
}

fn hexadecimal(value: f64, digits: Option<usize>, point: bool) -> String {
    let bits = value.to_bits();
    let (biased, fraction) = (bits >> FRACTION_BITS, bits & ((1 << FRACTION_BITS) - 1));
    let exponent = match (biased, fraction) {
        (0, 0) => 0,
        (0, _) => -1022,
        (biased, _) => biased as i64 - 1023,
    };
    let mut significand = fraction | u64::from(biased != 0) << FRACTION_BITS;
    let kept = digits.unwrap_or(usize::MAX).min(13);
    let dropped = 4 * (13 - kept as u32);
    if dropped > 0 {
        // To nearest, and to even if two are equally near.
        let (half, rest) = (1 << (dropped - 1), significand & ((1 << dropped) - 1));
        significand >>= dropped;
        significand += u64::from(rest > half || rest == half && significand & 1 == 1);
        significand <<= dropped;
    }
    let lead = significand >> FRACTION_BITS;
    let mut behind = format!("{:013x}", significand & ((1 << FRACTION_BITS) - 1));
    match digits {
        Some(digits) => {
            behind.truncate(digits);
            behind.extend(std::iter::repeat_n('0', digits.saturating_sub(13)));
        }
        None => behind.truncate(behind.trim_end_matches('0').len()),
    }
    let dot = if behind.is_empty() && !point { "" } else { "." };
    format!("{lead}{dot}{behind}p{exponent:+}")
}
