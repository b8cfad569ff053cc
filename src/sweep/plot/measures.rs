//! A panel for each measure (IRU, Figs 3 and 12 to 16; Graph-Waving, Figs 4 to 17): grouped bars for each workload and input, the
//! means of each workload, or class of them, and of all. Bars of parts go from dark to light.

use super::{ceiling, colour, draw_header, header, step, style, width, Area, Entry, GREY, LIGHT, WIDTH};
use crate::sweep::cells::{bars, classes, is_geometric, of_workloads, places, usual_mean, Bars, Owner, Place};
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

/// The same colour, the more mixed with white the higher the part, to a third of it.
fn shade(colour: RGBColor, part: usize, parts: usize) -> RGBColor {
    let share = 1.0 - 2.0 / 3.0 * part as f64 / (parts.max(2) - 1) as f64;
    let mix = |part: u8| 255 - ((255 - part) as f64 * share) as u8;
    RGBColor(mix(colour.0), mix(colour.1), mix(colour.2))
}

impl<'a> Panel<'a> {
    fn new(plan: &Plan, rows: &[Placed], measure: &'a Measure, panel: &str) -> Self {
        let (places, columns) = (places(plan, measure), bars(plan, rows, measure, panel));
        let mut blocks: Vec<Block> = Vec::new();
        let average = |of: &dyn Fn(&Bars) -> Vec<Option<Bar>>| {
            let name = if is_geometric(plan, measure) { "geo. mean" } else { "mean" };
            (name.to_owned(), columns.iter().map(|column| usual_mean(plan, measure, &of(column))).collect())
        };
        for class in classes(plan, measure) {
            let cells = places.iter().enumerate().filter(|(_, place)| class.workloads.contains(&place.0));
            let cell = |(i, place): (usize, &Place)| {
                (cell_name(plan, place), columns.iter().map(|column| column.bars[i].clone()).collect())
            };
            let average = average(&|column| of_workloads(&places, &column.bars, &class.workloads));
            let groups = cells.map(cell).chain([average]).collect();
            blocks.push(Block { name: class.name, groups });
        }
        blocks.push(Block { name: "all".into(), groups: vec![average(&|column| column.bars.clone())] });
        let parts = match (measure.kind, measure.kind.parts()) {
            (Kind::WarpTime, _) => ": dark until its first load is served, light after it".into(),
            (_, []) => String::new(),
            (_, parts) => format!(": from dark to light {}", parts.join(", ")),
        };
        let panel = if panel.is_empty() { String::new() } else { format!(" ({panel})") };
        let title = format!("{}{parts}{panel}", measure.kind.title());
        Panel { measure, title, columns, blocks }
    }

    fn most(&self) -> f64 {
        let bars = self.blocks.iter().flat_map(|block| &block.groups).flat_map(|(_, bars)| bars);
        let most = bars.flatten().map(Bar::whole).fold(self.measure.kind.even().unwrap_or(0.0), f64::max);
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
                let Some(bar) = bar else {
                    chart.draw_series([Text::new("×", (x, 0.0), style(13, HPos::Left, VPos::Bottom))])?;
                    continue;
                };
                let (colour, mut low) = (paint(plan, column.owner), 0.0);
                let part = |(part, size): (usize, &f64)| {
                    let from = low;
                    low += size;
                    let fill = shade(colour, part, bar.parts.len()).filled();
                    Rectangle::new([(x, from), (x + wide * 0.9, low)], fill)
                };
                let parts: Vec<_> = bar.parts.iter().enumerate().map(part).collect();
                chart.draw_series(parts)?;
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

/// Its input, under the name of its workload; in a class both, if the workload has several inputs.
fn cell_name(plan: &Plan, (workload, _, input): &Place) -> String {
    let several = plan.cells.iter().filter(|(known, _)| known.name == *workload).count() > 1;
    match (plan.classes.is_empty(), several) {
        (true, _) => input.clone(),
        (false, true) => format!("{workload} {input}"),
        (false, false) => (*workload).into(),
    }
}
