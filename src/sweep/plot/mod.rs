//! Plots in the form of the paper's figures, as SVG.

mod activity;
mod bars;
mod lines;
mod measures;

use super::plan::{Figure, Plan};
use super::table::Placed;
use anyhow::Result;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

const WIDTH: u32 = 1280;
const FONT: &str = "sans-serif";
const TITLE: u32 = 40;
const LEGEND_LINE: u32 = 22;
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
        Figure::Bars if !plan.is_plain() => measures::draw(plan, rows),
        Figure::Bars => bars::draw(plan, rows),
        Figure::Lines => lines::draw(plan, rows),
        Figure::Activity => activity::draw(plan, rows),
    }
}

fn colour(i: usize) -> RGBColor {
    COLOURS[i % COLOURS.len()]
}

/// The i-th of `count` steps from few to many.
fn step(i: usize, count: usize) -> RGBColor {
    let at = i as f64 / (count.max(2) - 1) as f64 * (RAMP.len() - 1) as f64;
    let (low, part) = (at as usize, at.fract());
    let (a, b) = (RAMP[low], RAMP[(low + 1).min(RAMP.len() - 1)]);
    let mix = |a: u8, b: u8| (a as f64 + (b as f64 - a as f64) * part).round() as u8;
    RGBColor(mix(a.0, b.0), mix(a.1, b.1), mix(a.2, b.2))
}

fn style(size: u32, horizontal: HPos, vertical: VPos) -> TextStyle<'static> {
    TextStyle::from((FONT, size).into_font()).pos(Pos::new(horizontal, vertical))
}

/// Pixels that a text takes, roughly: the SVG's reader has the fonts.
fn width(text: &str, size: u32) -> i32 {
    (text.chars().count() as u32 * size * 56 / 100) as i32
}

type Entry = (String, RGBColor);

/// Where each entry stands: line and pixels from the left.
fn places(entries: &[Entry]) -> Vec<(u32, i32)> {
    let (mut line, mut x) = (0, 70);
    let place = |(text, _): &Entry| {
        let wide = width(text, 14) + 44;
        if x + wide > WIDTH as i32 - 20 && x > 70 {
            (line, x) = (line + 1, 70);
        }
        let here = (line, x);
        x += wide;
        here
    };
    entries.iter().map(place).collect()
}

/// Pixels of title and legend.
fn header(entries: &[Entry]) -> u32 {
    TITLE + (places(entries).last().map_or(0, |(line, _)| line + 1)) * LEGEND_LINE
}

/// Title and legend, above the data.
fn draw_header(root: &Area, title: &str, entries: &[Entry]) -> Result<()> {
    root.draw_text(title, &style(18, HPos::Center, VPos::Top), (WIDTH as i32 / 2, 12))?;
    for ((text, colour), (line, x)) in entries.iter().zip(places(entries)) {
        let y = (TITLE + line * LEGEND_LINE) as i32;
        root.draw(&Rectangle::new([(x, y + 2), (x + 18, y + 15)], colour.filled()))?;
        root.draw_text(text, &style(14, HPos::Left, VPos::Center), (x + 25, y + 9))?;
    }
    Ok(())
}

/// A round number of the axis at or above `most`.
fn ceiling(most: f64) -> f64 {
    let step = [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 50.0].into_iter().find(|step| most / step <= 12.0);
    let step = step.unwrap_or(most / 10.0);
    (most * 1.02 / step).ceil() * step
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_legend_stays_on_the_page() {
        let entries: Vec<Entry> = (0..20).map(|i| ("a rather long name".repeat(1 + i % 3), BLACK)).collect();
        let places = places(&entries);
        for ((text, _), (_, x)) in entries.iter().zip(&places) {
            assert!(x + width(text, 14) < WIDTH as i32);
        }
        assert!(places.windows(2).all(|pair| pair[0].0 < pair[1].0 || pair[0].1 < pair[1].1));
    }

    #[test]
    fn an_axis_ends_above_its_data() {
        for most in [0.3, 1.0, 1.19, 2.4, 11.0, 64.0, 700.0] {
            let end = ceiling(most);
            assert!(end > most && end < most * 1.3 + 0.1, "{most} {end}");
        }
    }

    #[test]
    fn steps_run_from_end_to_end() {
        assert_eq!((step(0, 8), step(7, 8)), (RAMP[0], RAMP[5]));
        assert_eq!(step(0, 1), RAMP[0]);
    }
}
