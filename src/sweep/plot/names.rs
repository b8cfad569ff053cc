//! Names below the bars: of groups, and of groups that belong together. Where a name is too long for two lines in its place all are
//! upright.

use super::{style, upright, width, wrap, Area};
use anyhow::Result;
use plotters::style::text_anchor::{HPos, VPos};

/// Above and below a line of names.
const SPACE: u32 = 5;

/// A line of names.
pub struct Names {
    /// The lines of each, with the groups that it stands below, counted from the left.
    names: Vec<(Vec<String>, f64, f64)>,
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
            let room = groups as f64 * group - 4.0;
            let lines = wrap(&name, size, room as u32);
            let fits = lines.len() <= 2 && lines.iter().all(|line| width(line, size) as f64 <= room);
            (name, fits, (lines, start, end))
        };
        let places: Vec<_> = names.map(place).collect();
        let upright = !places.iter().all(|(_, fits, _)| *fits);
        let placed = |(name, _, (lines, start, end))| (if upright { vec![name] } else { lines }, start, end);
        Names { names: places.into_iter().map(placed).collect(), size, upright }
    }

    pub fn height(&self) -> u32 {
        let longest = self.names.iter().flat_map(|(lines, ..)| lines).map(|line| width(line, self.size)).max();
        let lines = self.names.iter().map(|(lines, ..)| lines.len() as u32).max().unwrap_or(0);
        SPACE + if self.upright { longest.unwrap_or(0) as u32 } else { lines * self.line() }
    }

    /// Pixels from one line to the next.
    fn line(&self) -> u32 {
        self.size + 2
    }

    /// `at`: pixels of a place between groups, from the left of the area.
    pub fn draw(&self, area: &Area, top: i32, at: impl Fn(f64) -> i32) -> Result<()> {
        let style = match self.upright {
            true => upright(self.size, HPos::Right),
            false => style(self.size, HPos::Center, VPos::Top),
        };
        for (lines, start, end) in &self.names {
            for (i, line) in lines.iter().enumerate() {
                let place = (at((start + end) / 2.0), top + (SPACE + i as u32 * self.line()) as i32);
                area.draw_text(line, &style, place)?;
            }
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
        let lines = Names::new(names(), 10, 100.0);
        assert!(!lines.upright && lines.names[1].0 == ["collaboration", "4000"]);
        let both = Names::new([("bfs pagerank".to_owned(), 3)].into_iter(), 10, 40.0);
        assert!(!both.upright && both.ends().eq([3.0]));
    }
}
