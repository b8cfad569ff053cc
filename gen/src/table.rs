//! Tables for people, as text and in Markdown. They are written from data and never read: what a page says is in a JSON file as well.

/// A column of a table.
pub struct Column {
    name: &'static str,
    is_number: bool,
}

/// A column of words.
pub const fn words(name: &'static str) -> Column {
    Column { name, is_number: false }
}

/// A column of numbers, which end below each other.
pub const fn numbers(name: &'static str) -> Column {
    Column { name, is_number: true }
}

/// Head and rows in Markdown, a line each. A bar within a cell has a backslash before it.
pub fn markdown<const N: usize>(columns: &[Column; N], rows: impl IntoIterator<Item = [String; N]>) -> String {
    let rules = columns.each_ref().map(|column| if column.is_number { "--:" } else { "---" });
    let row = |cells: [String; N]| format!("| {} |\n", cells.map(|cell| cell.replace('|', "\\|")).join(" | "));
    let rows: String = rows.into_iter().map(row).collect();
    row(names(columns)) + &format!("|{}|\n", rules.join("|")) + &rows
}

/// Head and rows as text in columns, a line each.
pub fn text<const N: usize>(columns: &[Column; N], rows: impl IntoIterator<Item = [String; N]>) -> String {
    let rows: Vec<_> = std::iter::once(names(columns)).chain(rows).collect();
    let widths: Vec<usize> = (0..N).map(|c| rows.iter().map(|row| row[c].len()).max().unwrap_or(0)).collect();
    let cell = |(place, text): (usize, &String)| match columns[place].is_number {
        true => format!("{text:>0$}", widths[place]),
        false => format!("{text:0$}", widths[place]),
    };
    let line = |row: &[String; N]| row.iter().enumerate().map(cell).collect::<Vec<_>>().join("  ");
    rows.iter().map(|row| line(row).trim_end().to_string() + "\n").collect()
}

fn names<const N: usize>(columns: &[Column; N]) -> [String; N] {
    columns.each_ref().map(|column| column.name.to_string())
}

/// `14,870`
pub fn with_commas(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<_> =
        digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).expect("digits")).collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: [Column; 2] = [words("what"), numbers("how many")];

    fn rows() -> [[String; 2]; 2] {
        [["a | b".into(), with_commas(1_234)], ["c".into(), with_commas(5)]]
    }

    #[test]
    fn a_bar_within_a_cell_ends_no_cell() {
        assert_eq!(markdown(&COLUMNS, rows()), "| what | how many |\n|---|--:|\n| a \\| b | 1,234 |\n| c | 5 |\n");
    }

    #[test]
    fn numbers_end_below_each_other() {
        assert_eq!(text(&COLUMNS, rows()), "what   how many\na | b     1,234\nc             5\n");
    }

    #[test]
    fn thousands_are_apart() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(with_commas), ["0", "999", "1,000", "1,234,567"]);
    }
}
