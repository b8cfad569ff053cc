//! A panel for each measure (IRU, Figs 3 and 12 to 16): grouped bars for each workload and graph, the means of each workload
//! and of all. Bars of two parts stand for the time of a warp: dark until its first load is served, light after it.

use super::{ceiling, colour, draw_header, header, step, style, width, Area, Entry, GREY, LIGHT, WIDTH};
use crate::sweep::cells::{bars, mean, of_workload, places, Bars, Owner};
use crate::sweep::figure::panels;
use crate::sweep::measure::{Bar, Kind, Measure};
use crate::sweep::plan::Plan;
use crate::sweep::table::Placed;
use anyhow::Result;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

const PANEL: u32 = 300;
const MARGIN: u32 = 8;
const LEFT: u32 = 62;
const RIGHT: u32 = 16;
/// Of a group, between its bars and the next group's.
const GAP: f64 = 0.2;

/// Groups side by side that belong together.
struct Block {
    name: String,
    /// What each group is called, and its bars.
    groups: Vec<(String, Vec<Option<Bar>>)>,
}

/// A part of the figure.
struct Panel<'a> {
    measure: &'a Measure,
    title: String,
    columns: Vec<Bars>,
    blocks: Vec<Block>,
}

pub fn draw(plan: &Plan, rows: &[Placed]) -> Result<String> {
    let of_measure = |measure| panels(plan).into_iter().map(move |panel| Panel::new(plan, rows, measure, panel));
    let panels: Vec<_> = plan.measures.iter().flat_map(of_measure).collect();
    let legend = legend(plan, &panels);
    let top = header(&legend);
    let mut text = String::new();
    {
        let size = (WIDTH, top + PANEL * panels.len() as u32);
        let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
        root.fill(&WHITE)?;
        draw_header(&root, &plan.title, &legend)?;
        let areas = root.split_vertically(top).1.split_evenly((panels.len(), 1));
        for (area, panel) in areas.iter().zip(&panels) {
            panel.draw(plan, area)?;
        }
        root.present()?;
    }
    Ok(text)
}

/// As in the figures of speedups alone.
fn paint(plan: &Plan, owner: Owner) -> RGBColor {
    match (owner, &plan.axis) {
        (Owner::Yardstick, _) => GREY,
        (Owner::Series { value: Some(value), .. }, Some(axis)) => step(value, axis.values.len()),
        (Owner::Series { series, .. }, _) => colour(series),
    }
}

fn legend(plan: &Plan, panels: &[Panel]) -> Vec<Entry> {
    let mut legend: Vec<Entry> = Vec::new();
    for column in panels.iter().flat_map(|panel| &panel.columns) {
        let label = match (&plan.axis, column.owner) {
            (Some(axis), Owner::Series { value: Some(0), .. }) => format!("{} ({})", column.label, axis.label),
            _ => column.label.clone(),
        };
        if !legend.iter().any(|(text, _)| *text == label) {
            legend.push((label, paint(plan, column.owner)));
        }
    }
    legend
}

/// The same colour, mixed with white.
fn lighter(colour: RGBColor) -> RGBColor {
    let mix = |part: u8| 255 - (255 - part) / 3;
    RGBColor(mix(colour.0), mix(colour.1), mix(colour.2))
}

impl<'a> Panel<'a> {
    fn new(plan: &Plan, rows: &[Placed], measure: &'a Measure, panel: &str) -> Self {
        let (places, columns) = (places(plan, measure), bars(plan, rows, measure, panel));
        let mut blocks: Vec<Block> = Vec::new();
        for workload in &measure.workloads {
            let name = workload.name;
            let cells = places.iter().enumerate().filter(|(_, place)| place.0 == name);
            let cell = |(i, place): (usize, &(_, _, String))| {
                (place.2.clone(), columns.iter().map(|column| column.bars[i]).collect())
            };
            let average = columns.iter().map(|column| mean(&of_workload(&places, &column.bars, name))).collect();
            let groups = cells.map(cell).chain([("mean".into(), average)]).collect();
            blocks.push(Block { name: name.into(), groups });
        }
        let average = columns.iter().map(|column| mean(&column.bars)).collect();
        blocks.push(Block { name: "all".into(), groups: vec![("mean".into(), average)] });
        let parts = match measure.kind {
            Kind::WarpTime => ": dark until its first load is served, light after it",
            _ => "",
        };
        let panel = if panel.is_empty() { String::new() } else { format!(" ({panel})") };
        let title = format!("{}{parts}{panel}", measure.kind.title());
        Panel { measure, title, columns, blocks }
    }

    fn most(&self) -> f64 {
        let bars = self.blocks.iter().flat_map(|block| &block.groups).flat_map(|(_, bars)| bars);
        let most = bars.flatten().map(|bar| bar.whole).fold(self.measure.kind.even().unwrap_or(0.0), f64::max);
        ceiling(most.max(0.1))
    }

    fn draw(&self, plan: &Plan, area: &Area) -> Result<()> {
        let groups: usize = self.blocks.iter().map(|block| block.groups.len()).sum();
        let (all, most) = (groups as f64, self.most());
        let mut chart = ChartBuilder::on(area)
            .margin_left(MARGIN)
            .margin_right(RIGHT)
            .margin_top(30)
            .x_label_area_size(52)
            .y_label_area_size(LEFT)
            .build_cartesian_2d(0.0..all, 0.0..most)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .x_labels(0)
            .y_labels(6)
            .y_desc(self.measure.kind.unit())
            .y_label_formatter(&|y| self.measure.kind.tick(*y))
            .label_style((super::FONT, 14))
            .axis_desc_style((super::FONT, 14))
            .bold_line_style(LIGHT)
            .light_line_style(WHITE)
            .draw()?;
        let wide = (1.0 - GAP) / self.columns.len() as f64;
        let all_groups = self.blocks.iter().flat_map(|block| &block.groups);
        for (group, (_, bars)) in all_groups.enumerate() {
            for (i, (bar, column)) in bars.iter().zip(&self.columns).enumerate() {
                let x = group as f64 + GAP / 2.0 + i as f64 * wide;
                let Some(Bar { whole, until }) = *bar else {
                    chart.draw_series([Text::new("×", (x, 0.0), style(13, HPos::Left, VPos::Bottom))])?;
                    continue;
                };
                let dark = paint(plan, column.owner);
                let parts = match until {
                    Some(until) => vec![(until, whole, lighter(dark)), (0.0, until, dark)],
                    None => vec![(0.0, whole, dark)],
                };
                let part = |(low, high, colour): (f64, f64, RGBColor)| {
                    Rectangle::new([(x, low), (x + wide * 0.9, high)], colour.filled())
                };
                chart.draw_series(parts.into_iter().map(part))?;
            }
        }
        if let Some(even) = self.measure.kind.even() {
            chart.draw_series([PathElement::new(vec![(0.0, even), (all, even)], BLACK.stroke_width(1))])?;
        }
        let middle = area.dim_in_pixel().0 as i32 / 2;
        area.draw_text(&self.title, &style(16, HPos::Center, VPos::Top), (middle, 6))?;
        self.draw_names(area, groups, |group| chart.backend_coord(&(group, 0.0)))
    }

    /// Below the bars: graphs, and workloads under theirs.
    fn draw_names(&self, area: &Area, groups: usize, at: impl Fn(f64) -> (i32, i32)) -> Result<()> {
        let (left, top) = area.get_base_pixel();
        let room = (WIDTH - MARGIN - LEFT - RIGHT) as i32 / groups as i32 - 4;
        let names = || self.blocks.iter().flat_map(|block| &block.groups).map(|(name, _)| name);
        let fits = |size: &u32| names().all(|name| width(name, *size) <= room);
        let size = (8..=13).rev().find(fits).unwrap_or(8);
        let mut group = 0.0;
        for block in &self.blocks {
            let first = group;
            for (name, _) in &block.groups {
                let (x, y) = at(group + 0.5);
                area.draw_text(name, &style(size, HPos::Center, VPos::Top), (x - left, y - top + 7))?;
                group += 1.0;
            }
            let (x, y) = at((first + group) / 2.0);
            area.draw_text(&block.name, &style(14, HPos::Center, VPos::Top), (x - left, y - top + 26))?;
            let (end, bottom) = at(group);
            let line = vec![(end - left, bottom - top), (end - left, bottom - top + 44)];
            area.draw(&PathElement::new(line, GREY))?;
        }
        Ok(())
    }
}
