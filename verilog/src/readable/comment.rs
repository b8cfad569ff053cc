//! A loop takes what stood under several comments: `Scheduler 0: ...` above it is about each scheduler, and the others have nothing
//! under them.

use crate::tree::Item;

/// The items without comments on nothing.
pub fn once(mut items: Vec<Item>) -> Vec<Item> {
    let mut result: Vec<Item> = vec![];
    while !items.is_empty() {
        let run = items.iter().take_while(|item| matches!(item, Item::Comment(_))).count();
        let first = result.iter().position(|item| run > 1 && items[..run].iter().all(|again| are_alike(item, again)));
        match first {
            Some(first) => {
                if let Item::Comment(text) = &mut result[first] {
                    *text = of_each(text);
                }
                items.drain(..run);
            }
            None => result.extend(items.drain(..run.max(1))),
        }
    }
    result
}

/// True for comments that differ in numbers alone.
fn are_alike(item: &Item, other: &Item) -> bool {
    let words = |item: &Item| match item {
        Item::Comment(text) => Some(text.replace(|c: char| c.is_ascii_digit(), "")),
        _ => None,
    };
    words(item).is_some() && words(item) == words(other)
}

/// `Each scheduler: ...` for `Scheduler 0: ...`.
fn of_each(text: &str) -> String {
    let named = || {
        let (name, rest) = text.split_once(": ")?;
        let (thing, number) = name.rsplit_once(' ')?;
        number.parse::<u32>().ok()?;
        Some(format!("Each {}: {rest}", thing.to_lowercase()))
    };
    named().unwrap_or_else(|| text.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Expr;

    fn comments(of: &[&str]) -> Vec<String> {
        let item = |text: &&str| match text.is_empty() {
            true => Item::Assign(Expr::Net("a".into()), Expr::Net("b".into())),
            false => Item::Comment(text.to_string()),
        };
        let text = |item: Item| match item {
            Item::Comment(text) => text,
            _ => String::new(),
        };
        once(of.iter().map(item).collect()).into_iter().map(text).collect()
    }

    #[test]
    fn what_is_under_a_loop_is_said_once() {
        let words = ["Scheduler 0: its link.", "", "Scheduler 1: its link.", "Scheduler 2: its link.", ""];
        assert_eq!(comments(&words), ["Each scheduler: its link.", "", ""]);
        // Each has something under it.
        let own = ["Side 0: its link.", "", "Side 1: its link.", ""];
        assert_eq!(comments(&own), own);
    }
}
