//! The frame of a panel: its title, a legend of what is in it, and its vertical axis.

use super::legend::{Entry, Legend};
use super::scale::{Scale, Vertical};
use super::{font, style, wrap, Area, LIGHT, PANEL, TEXT, WIDTH};
use anyhow::Result;
use plotters::chart::ChartContext;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

/// Pixels of the data, beside the axis' names, and beside the data.
pub const HEIGHT: u32 = 190;
pub const LEFT: u32 = 62;
pub const RIGHT: u32 = 12;
/// The part of `LEFT` that stays free.
pub const MARGIN: u32 = 6;
const TITLE_LINE: u32 = 18;
const BETWEEN: u32 = 14;
/// Below the legend, above the data.
const GAP: u32 = 6;

pub type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, Vertical>>;

pub struct Frame {
    title: Vec<String>,
    legend: Legend,
    /// Pixels of the names below the data.
    below: u32,
}

impl Frame {
    /// The frame of a panel as wide as the page.
    pub fn new(title: &str, entries: Vec<Entry>, below: u32) -> Frame {
        Frame::of_width(title, entries, below, WIDTH)
    }

    pub fn of_width(title: &str, entries: Vec<Entry>, below: u32, wide: u32) -> Frame {
        let legend = Legend::new(entries, LEFT as i32, (wide - RIGHT) as i32);
        Frame { title: wrap(title, PANEL, wide - 2 * RIGHT), legend, below }
    }

    pub fn height(&self) -> u32 {
        self.above() + HEIGHT + self.below
    }

    fn above(&self) -> u32 {
        BETWEEN + self.title.len() as u32 * TITLE_LINE + self.legend.height() + GAP
    }

    /// Title and legend; what is left is for a chart with an area of `below` pixels for its names.
    pub fn chart_area<'a>(&self, area: &Area<'a>) -> Result<Area<'a>> {
        let middle = area.dim_in_pixel().0 as i32 / 2;
        for (i, line) in self.title.iter().enumerate() {
            let top = (BETWEEN + i as u32 * TITLE_LINE) as i32;
            area.draw_text(line, &style(PANEL, HPos::Center, VPos::Top), (middle, top))?;
        }
        self.legend.draw(area, BETWEEN + self.title.len() as u32 * TITLE_LINE)?;
        Ok(area.split_vertically(self.above()).1)
    }

    /// A chart over `x`, without names on its horizontal axis.
    pub fn chart<'a, 'b>(
        &self,
        area: &'a Area<'b>,
        x: std::ops::Range<f64>,
        scale: &Scale,
        unit: &str,
    ) -> Result<Chart<'a, 'b>> {
        let mut chart = ChartBuilder::on(area)
            .margin_left(MARGIN)
            .margin_right(RIGHT)
            .x_label_area_size(self.below)
            .y_label_area_size(LEFT - MARGIN)
            .build_cartesian_2d(x, Vertical::from(scale))?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .x_labels(0)
            .y_desc(unit)
            .y_label_formatter(&|tick| scale.label(*tick))
            .label_style(font(TEXT))
            .axis_desc_style(font(TEXT))
            .bold_line_style(LIGHT)
            .light_line_style(WHITE)
            .draw()?;
        Ok(chart)
    }
}
