//! Names below the bars: of groups, and of groups that belong together. Where a name is too long for its place all are upright.

use super::{style, upright, width, Area};
use anyhow::Result;
use plotters::style::text_anchor::{HPos, VPos};

/// Above and below a line of names.
const SPACE: u32 = 5;

/// A line of names.
pub struct Names {
    /// Each with the groups that it stands below, counted from the left.
    names: Vec<(String, f64, f64)>,
    /// Height of the type in pixels.
    size: u32,
    upright: bool,
}

impl Names {
    /// Each name with its number of groups, of `group` pixels each.
    pub fn new(names: impl Iterator<Item = (String, usize)>, size: u32, group: f64) -> Names {
        let mut end = 0.0;
        let place = |(name, groups): (String, usize)| {
            let start = end;
            end += groups as f64;
            (name, start, end)
        };
        let names: Vec<_> = names.map(place).collect();
        let fits = |(name, start, end): &(String, f64, f64)| width(name, size) as f64 + 4.0 <= (end - start) * group;
        let upright = !names.iter().all(fits);
        Names { names, size, upright }
    }

    pub fn height(&self) -> u32 {
        let longest = self.names.iter().map(|(name, ..)| width(name, self.size)).max().unwrap_or(0) as u32;
        SPACE + if self.upright { longest } else { self.size + 2 }
    }

    /// `at`: pixels of a place between groups, from the left of the area.
    pub fn draw(&self, area: &Area, top: i32, at: impl Fn(f64) -> i32) -> Result<()> {
        for (name, start, end) in &self.names {
            let place = (at((start + end) / 2.0), top + SPACE as i32);
            let style = match self.upright {
                true => upright(self.size, HPos::Right),
                false => style(self.size, HPos::Center, VPos::Top),
            };
            area.draw_text(name, &style, place)?;
        }
        Ok(())
    }

    /// Ends of what the names stand below.
    pub fn ends(&self) -> impl Iterator<Item = f64> + '_ {
        self.names.iter().map(|(.., end)| *end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_do_not_fit_are_upright() {
        let names = || ["bfs", "collaboration 4000"].map(|name| (name.to_owned(), 1)).into_iter();
        let (wide, narrow) = (Names::new(names(), 10, 200.0), Names::new(names(), 10, 40.0));
        assert!(!wide.upright && narrow.upright && narrow.height() > wide.height() + 60);
        let both = Names::new([("bfs pagerank".to_owned(), 3)].into_iter(), 10, 40.0);
        assert!(!both.upright && both.ends().eq([3.0]));
    }
}
