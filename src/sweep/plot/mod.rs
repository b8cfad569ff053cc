//! Plots in the form of the paper's figures, as SVG.

mod activity;
mod bars;
mod frame;
mod legend;
mod lines;
mod names;
mod scale;

use super::plan::{Figure, Plan};
use super::table::Placed;
use anyhow::Result;
use frame::RIGHT;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Pixels. Pages show a figure in a column of about this width: what is wider is made smaller, its type with it.
const WIDTH: u32 = 840;
const FONT: &str = "sans-serif";
/// Heights of type in pixels: the figure's title, panels' titles, legends and axes, and names and labels of many bars.
const TITLE: u32 = 15;
const PANEL: u32 = 13;
const TEXT: u32 = 11;
const SMALL: u32 = 10;
const TITLE_LINE: u32 = 21;
const TEXT_LINE: u32 = 16;
const GREY: RGBColor = RGBColor(110, 110, 110);
const LIGHT: RGBColor = RGBColor(225, 225, 225);

/// Okabe and Ito's colours, which the colour-blind can tell apart.
const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(213, 94, 0),
    RGBColor(86, 180, 233),
    RGBColor(204, 121, 167),
    RGBColor(240, 228, 66),
    RGBColor(60, 60, 60),
];

/// From few to many: viridis, which grows lighter evenly.
const RAMP: [RGBColor; 6] = [
    RGBColor(68, 1, 84),
    RGBColor(65, 68, 135),
    RGBColor(42, 120, 142),
    RGBColor(34, 168, 132),
    RGBColor(122, 209, 81),
    RGBColor(253, 231, 37),
];

pub fn draw(plan: &Plan, rows: &[Placed]) -> Result<String> {
    match plan.figure {
        Figure::Bars => bars::draw(plan, rows),
        Figure::Lines => lines::draw(plan, rows),
        Figure::Activity => activity::draw(plan, rows),
    }
}

/// The figure's title, what its baseline is, and an area below the one before for each of `heights`.
fn page(plan: &Plan, heights: &[u32], draw: impl Fn(usize, &Area) -> Result<()>) -> Result<String> {
    let title = wrap(&plan.title, TITLE, WIDTH - 2 * RIGHT);
    let above = 10 + title.len() as u32 * TITLE_LINE;
    let baseline = wrap(&format!("baseline: {}", baseline(plan)), TEXT, WIDTH - 2 * RIGHT);
    let top = above + baseline.len() as u32 * TEXT_LINE;
    let mut text = String::new();
    {
        let root = SVGBackend::with_string(&mut text, (WIDTH, top + heights.iter().sum::<u32>())).into_drawing_area();
        root.fill(&WHITE)?;
        for (i, line) in title.iter().enumerate() {
            let place = (WIDTH as i32 / 2, 10 + (i as u32 * TITLE_LINE) as i32);
            root.draw_text(line, &style(TITLE, HPos::Center, VPos::Top), place)?;
        }
        for (i, line) in baseline.iter().enumerate() {
            let place = (WIDTH as i32 / 2, (above + i as u32 * TEXT_LINE) as i32);
            root.draw_text(line, &style(TEXT, HPos::Center, VPos::Top), place)?;
        }
        let mut below = root.split_vertically(top).1;
        for (i, height) in heights.iter().enumerate() {
            let (area, rest) = below.split_vertically(*height);
            draw(i, &area)?;
            below = rest;
        }
        root.present()?;
    }
    Ok(text)
}

/// The speedup baseline in words: its variants and their configuration.
fn baseline(plan: &Plan) -> String {
    let names: Vec<_> = plan.baselines.iter().map(|choice| choice.name()).collect();
    let fastest = if names.len() > 1 { "the fastest of " } else { "" };
    format!("{fastest}{} on {}", names.join(", "), plan.config.name)
}

/// From the ninth on the same colours, darker.
fn colour(i: usize) -> RGBColor {
    let RGBColor(r, g, b) = COLOURS[i % COLOURS.len()];
    match i / COLOURS.len() % 2 {
        0 => RGBColor(r, g, b),
        _ => RGBColor(r / 2, g / 2, b / 2),
    }
}

/// The i-th of `count` steps from few to many.
fn step(i: usize, count: usize) -> RGBColor {
    let at = i as f64 / (count.max(2) - 1) as f64 * (RAMP.len() - 1) as f64;
    let (low, part) = (at as usize, at.fract());
    let (a, b) = (RAMP[low], RAMP[(low + 1).min(RAMP.len() - 1)]);
    let mix = |a: u8, b: u8| (a as f64 + (b as f64 - a as f64) * part).round() as u8;
    RGBColor(mix(a.0, b.0), mix(a.1, b.1), mix(a.2, b.2))
}

/// Type of a height in pixels: the SVG writer makes its own smaller by this factor.
fn font(pixels: u32) -> (&'static str, f64) {
    (FONT, pixels as f64 * 1.24)
}

fn style(pixels: u32, horizontal: HPos, vertical: VPos) -> TextStyle<'static> {
    TextStyle::from(font(pixels).into_font()).pos(Pos::new(horizontal, vertical))
}

/// The style of text that is turned by 270 degrees.
fn upright(pixels: u32, horizontal: HPos) -> TextStyle<'static> {
    style(pixels, horizontal, VPos::Center).transform(FontTransform::Rotate270)
}

/// Pixels that a text takes, roughly: the SVG's reader has the fonts.
fn width(text: &str, pixels: u32) -> i32 {
    (text.chars().count() as u32 * pixels * 62 / 100) as i32
}

/// Lines of words, none wider than `room` pixels unless a word is.
fn wrap(text: &str, pixels: u32, room: u32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(&format!("{line} {word}"), pixels) <= room as i32 => *line += &format!(" {word}"),
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_run_from_end_to_end() {
        assert_eq!((step(0, 8), step(7, 8)), (RAMP[0], RAMP[5]));
        assert_eq!(step(0, 1), RAMP[0]);
    }

    #[test]
    fn sixteen_series_have_colours_of_their_own() {
        let mut colours: Vec<_> = (0..16).map(|i| (colour(i).0, colour(i).1, colour(i).2)).collect();
        colours.sort_unstable();
        colours.dedup();
        assert_eq!(colours.len(), 16);
    }

    #[test]
    fn a_long_title_goes_on_below() {
        let title = "a title of many words that no line holds";
        let lines = wrap(title, 10, 100);
        assert!(lines.len() > 2 && lines.iter().all(|line| width(line, 10) <= 100), "{lines:?}");
        assert_eq!(lines.join(" "), title);
    }
}
