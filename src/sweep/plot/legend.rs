//! The meaning of a panel's colours: a swatch and a name for each, in lines that fit the panel.

use super::{style, width, Area, TEXT};
use anyhow::Result;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

const LINE: u32 = 18;
const SWATCH: i32 = 16;
/// Pixels between a swatch and its name, and between a name and the next swatch.
const SPACE: (i32, i32) = (6, 16);

pub struct Entry {
    pub text: String,
    /// Side by side in the swatch.
    pub colours: Vec<RGBColor>,
}

impl Entry {
    pub fn new(text: impl Into<String>, colour: RGBColor) -> Entry {
        Entry { text: text.into(), colours: vec![colour] }
    }
}

pub struct Legend {
    entries: Vec<Entry>,
    /// One place per entry: its line, and pixels from the left.
    places: Vec<(u32, i32)>,
}

impl Legend {
    /// From `left` to `right`, in pixels.
    pub fn new(entries: Vec<Entry>, left: i32, right: i32) -> Legend {
        let (mut line, mut x) = (0, left);
        let place = |entry: &Entry| {
            let wide = SWATCH + SPACE.0 + width(&entry.text, TEXT);
            if x + wide > right && x > left {
                (line, x) = (line + 1, left);
            }
            let here = (line, x);
            x += wide + SPACE.1;
            here
        };
        let places = entries.iter().map(place).collect();
        Legend { entries, places }
    }

    pub fn height(&self) -> u32 {
        self.places.last().map_or(0, |(line, _)| (line + 1) * LINE)
    }

    pub fn draw(&self, area: &Area, top: u32) -> Result<()> {
        for (entry, (line, x)) in self.entries.iter().zip(&self.places) {
            let y = (top + line * LINE) as i32;
            let strip = SWATCH / entry.colours.len() as i32;
            for (i, colour) in entry.colours.iter().enumerate() {
                let left = x + i as i32 * strip;
                area.draw(&Rectangle::new([(left, y + 3), (left + strip, y + 15)], colour.filled()))?;
            }
            let text = (x + SWATCH + SPACE.0, y + 9);
            area.draw_text(&entry.text, &style(TEXT, HPos::Left, VPos::Center), text)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_legend_stays_on_the_page() {
        let entries = (0..20).map(|i| Entry::new("a rather long name".repeat(1 + i % 3), BLACK)).collect();
        let legend = Legend::new(entries, 60, 800);
        for (entry, (_, x)) in legend.entries.iter().zip(&legend.places) {
            assert!(x + SWATCH + SPACE.0 + width(&entry.text, TEXT) <= 800);
        }
        assert!(legend.places.windows(2).all(|pair| pair[0].0 < pair[1].0 || pair[0].1 < pair[1].1));
        assert_eq!(legend.height(), (legend.places[19].0 + 1) * LINE);
    }
}
