//! A panel for each measure (HWWL, Figs 5 to 7; IRU, Figs 3 and 12 to 16; Graph-Waving, Figs 4 to 17): grouped bars for each workload
//! and input, the means of each workload, or class of them, and of all. Bars of parts go from dark to light.

use super::frame::{Chart, Frame, HEIGHT, LEFT, RIGHT};
use super::legend::Entry;
use super::names::Names;
use super::scale::Scale;
use super::{colour, page, step, style, upright, width, Area, GREY, SMALL, TEXT, WIDTH};
use crate::sweep::cells::{self, classes, of_workloads, places, usual_mean, Bars, Owner, Place};
use crate::sweep::figure::panels;
use crate::sweep::measure::{Bar, Measure};
use crate::sweep::plan::Plan;
use crate::sweep::table::Placed;
use anyhow::Result;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

/// Part of a group's width that stays free between its bars and those of the next group.
const GAP: f64 = 0.2;
/// Part of its place that a bar fills.
const FILL: f64 = 0.9;

/// Part of the height that is left for numbers beside bars, if panels have the same axis.
const COMMON_ROOM: f64 = 0.17;

/// Pixels between numbers side by side.
const BESIDE: i32 = 4;

/// Groups side by side that belong together.
struct Block {
    name: String,
    /// The name of each group, and its bars.
    groups: Vec<(String, Vec<Option<Bar>>)>,
}

/// The direction of the numbers at the bars.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Labels {
    Across,
    Upright,
    /// Bars of parts, or too narrow for type.
    None,
}

/// A part of the figure.
struct Panel<'a> {
    measure: &'a Measure,
    columns: Vec<Bars>,
    blocks: Vec<Block>,
    labels: Labels,
    scale: Scale,
    frame: Frame,
    /// Names of groups, and of blocks below them.
    names: [Names; 2],
}

pub fn draw(plan: &Plan, rows: &[Placed]) -> Result<String> {
    let of_measure = |measure| panels(plan).into_iter().map(move |panel| Panel::new(plan, rows, measure, panel));
    let panels: Vec<_> = plan.measures.iter().flat_map(of_measure).collect();
    let heights: Vec<_> = panels.iter().map(|panel| panel.frame.height()).collect();
    page(plan, &heights, |i, area| panels[i].draw(plan, area))
}

/// Places on the axis by a ramp, what has none by colours of its own.
fn paint(plan: &Plan, owner: Owner) -> RGBColor {
    match (owner, &plan.axis) {
        (Owner::Baseline, _) => GREY,
        (Owner::Series { value: Some(value), .. }, Some(axis)) => step(value, axis.values.len()),
        (Owner::Series { series, .. }, _) => colour(series),
    }
}

/// The legend of the columns, and of the parts of their bars in all columns' shades.
fn legend(plan: &Plan, measure: &Measure, columns: &[Bars]) -> Vec<Entry> {
    let column = |column: &Bars| {
        let text = match (&plan.axis, column.owner) {
            (Some(axis), Owner::Series { value: Some(0), .. }) => format!("{} ({})", column.label, axis.label),
            _ => column.label.clone(),
        };
        Entry::new(text, paint(plan, column.owner))
    };
    let names = measure.kind.stacked();
    let part = |(part, name): (usize, &&str)| {
        let shades = columns.iter().map(|column| shade(paint(plan, column.owner), part, names.len()));
        Entry { text: (*name).into(), colours: shades.collect() }
    };
    columns.iter().map(column).chain(names.iter().enumerate().map(part)).collect()
}

/// The colour mixed with white, the more the higher the part, to a third of it.
fn shade(colour: RGBColor, part: usize, parts: usize) -> RGBColor {
    let share = 1.0 - 2.0 / 3.0 * part as f64 / (parts.max(2) - 1) as f64;
    let mix = |part: u8| 255 - ((255 - part) as f64 * share) as u8;
    RGBColor(mix(colour.0), mix(colour.1), mix(colour.2))
}

/// Means have their own groups, of each block and of all; none of a single cell, as that is the cell.
fn blocks(plan: &Plan, measure: &Measure, columns: &[Bars]) -> Vec<Block> {
    let places = places(plan, measure);
    let average = |of: &dyn Fn(&Bars) -> Vec<Option<Bar>>| {
        let name = if measure.kind.is_ratio() { "geo. mean" } else { "arith. mean" };
        (name.to_owned(), columns.iter().map(|column| usual_mean(measure, &of(column))).collect())
    };
    let mut blocks: Vec<Block> = Vec::new();
    for class in classes(plan, measure) {
        let cells = places.iter().enumerate().filter(|(_, place)| class.workloads.contains(&place.0));
        let cell = |(i, place): (usize, &Place)| {
            (cell_name(plan, place), columns.iter().map(|column| column.bars[i].clone()).collect())
        };
        let mut groups: Vec<_> = cells.map(cell).collect();
        if groups.len() > 1 && !plan.is_plain() {
            groups.push(average(&|column| of_workloads(&places, &column.bars, &class.workloads)));
        }
        blocks.push(Block { name: class.name, groups });
    }
    if places.len() > 1 && (blocks.len() > 1 || plan.is_plain()) {
        blocks.push(Block { name: "all".into(), groups: vec![average(&|column| column.bars.clone())] });
    }
    blocks
}

/// The name of a cell: its input, which stands under the name of the workload. In a class: both names, if the workload has several inputs.
fn cell_name(plan: &Plan, (workload, _, input): &Place) -> String {
    let several = plan.cells.iter().filter(|(known, _)| known.name() == *workload).count() > 1;
    match (plan.classes.is_empty(), several) {
        (true, _) => input.clone(),
        (false, true) => format!("{workload} {input}"),
        (false, false) => (*workload).into(),
    }
}

impl<'a> Panel<'a> {
    fn new(plan: &Plan, rows: &[Placed], measure: &'a Measure, panel: &str) -> Self {
        let columns = cells::bars(plan, rows, measure, panel);
        let blocks = blocks(plan, measure, &columns);
        let count: usize = blocks.iter().map(|block| block.groups.len()).sum();
        let group = (WIDTH - LEFT - RIGHT) as f64 / count as f64;
        let all = || blocks.iter().flat_map(|block| &block.groups);
        let names = [
            Names::new(all().map(|(name, _)| (name.clone(), 1)), SMALL, group),
            Names::new(blocks.iter().map(|block| (block.name.clone(), block.groups.len())), TEXT, group),
        ];
        let bars: Vec<_> = all().flat_map(|(_, bars)| bars).flatten().collect();
        let wide = group * (1.0 - GAP) / columns.len() as f64;
        let (labels, room) = labels(measure, &bars, wide);
        let title = match panel {
            "" => measure.kind.title().to_owned(),
            panel => format!("{}, {panel}", measure.kind.title()),
        };
        let below = names.iter().map(Names::height).sum();
        let frame = Frame::new(&title, legend(plan, measure, &columns), below);
        let scale = scale(plan, rows, measure, &bars, room);
        Panel { measure, labels, scale, frame, names, columns, blocks }
    }

    fn draw(&self, plan: &Plan, area: &Area) -> Result<()> {
        let groups: Vec<_> = self.blocks.iter().flat_map(|block| &block.groups).collect();
        let all = groups.len() as f64;
        let area = self.frame.chart_area(area)?;
        let mut chart = self.frame.chart(&area, 0.0..all, &self.scale, self.measure.kind.unit())?;
        let wide = (1.0 - GAP) / self.columns.len() as f64;
        for (group, (_, bars)) in groups.iter().enumerate() {
            for (i, (bar, column)) in bars.iter().zip(&self.columns).enumerate() {
                let left = group as f64 + GAP / 2.0 + i as f64 * wide;
                self.draw_bar(&mut chart, bar.as_ref(), left..left + wide * FILL, paint(plan, column.owner))?;
                self.draw_label(&area, &chart, bar.as_ref(), left + wide * FILL / 2.0)?;
            }
        }
        if let Some(even) = self.measure.kind.even() {
            let even = self.scale.at(even);
            chart.draw_series([PathElement::new(vec![(0.0, even), (all, even)], BLACK.stroke_width(1))])?;
        }
        self.draw_names(&area, &chart)
    }

    /// Its parts from the foot up; a cross for a run that is missing.
    fn draw_bar(&self, chart: &mut Chart, bar: Option<&Bar>, x: std::ops::Range<f64>, colour: RGBColor) -> Result<()> {
        let Some(bar) = bar else {
            let middle = ((x.start + x.end) / 2.0, self.scale.range().start);
            chart.draw_series([Text::new("×", middle, style(TEXT, HPos::Center, VPos::Bottom))])?;
            return Ok(());
        };
        let (mut from, mut sum) = (self.scale.start(), 0.0);
        for (part, size) in bar.parts.iter().enumerate() {
            sum += size;
            let to = self.scale.at(sum);
            let fill = shade(colour, part, bar.parts.len()).filled();
            chart.draw_series([Rectangle::new([(x.start, from), (x.end, to)], fill)])?;
            from = to;
        }
        Ok(())
    }

    /// Beyond the end of the bar.
    fn draw_label(&self, area: &Area, chart: &Chart, bar: Option<&Bar>, middle: f64) -> Result<()> {
        let (Some(bar), false) = (bar, self.labels == Labels::None) else { return Ok(()) };
        let (left, top) = area.get_base_pixel();
        let end = self.scale.at(bar.whole());
        let (x, y) = chart.backend_coord(&(middle, end));
        let (x, y, down) = (x - left, y - top, end < self.scale.start());
        let (style, y) = match (self.labels, down) {
            (Labels::Across, false) => (style(SMALL, HPos::Center, VPos::Bottom), y - 5),
            (Labels::Across, true) => (style(SMALL, HPos::Center, VPos::Top), y + 3),
            (_, false) => (upright(SMALL, HPos::Left), y - 3),
            (_, true) => (upright(SMALL, HPos::Right), y + 3),
        };
        area.draw_text(&self.measure.kind.label(bar.whole()), &style, (x, y))?;
        Ok(())
    }

    /// Below the bars: inputs, and workloads or classes under theirs.
    fn draw_names(&self, area: &Area, chart: &Chart) -> Result<()> {
        let (left, top) = area.get_base_pixel();
        let at = |group: f64| chart.backend_coord(&(group, self.scale.range().start)).0 - left;
        let mut line = chart.backend_coord(&(0.0, self.scale.range().start)).1 - top;
        let (foot, [groups, blocks]) = (line, &self.names);
        for names in &self.names {
            names.draw(area, line, at)?;
            line += names.height() as i32;
        }
        let below = foot + (groups.height() + blocks.height()) as i32;
        for end in blocks.ends() {
            area.draw(&PathElement::new(vec![(at(end), foot), (at(end), below)], GREY))?;
        }
        Ok(())
    }
}

/// Where numbers of this length can stand beside bars of `wide` pixels, and the share of the height that this takes.
fn labels(measure: &Measure, bars: &[&Bar], wide: f64) -> (Labels, f64) {
    let longest = bars.iter().map(|bar| width(&measure.kind.label(bar.whole()), SMALL)).max().unwrap_or(0);
    let share = |pixels: u32| pixels as f64 / HEIGHT as f64;
    match wide {
        _ if !measure.kind.parts().is_empty() => (Labels::None, 0.0),
        wide if wide >= (longest + BESIDE) as f64 => (Labels::Across, share(SMALL + 6)),
        wide if wide >= (SMALL + 1) as f64 => (Labels::Upright, share(longest as u32 + 6)),
        _ => (Labels::None, 0.0),
    }
}

/// The scale of a panel. In a figure that shows speedups alone all panels have one scale: their bars can then be compared.
fn scale(plan: &Plan, rows: &[Placed], measure: &Measure, bars: &[&Bar], room: f64) -> Scale {
    if !measure.kind.parts().is_empty() {
        return Scale::shares();
    }
    let even = measure.kind.even().filter(|_| measure.kind.is_ratio());
    if plan.is_plain() {
        let columns = panels(plan).into_iter().flat_map(|panel| cells::bars(plan, rows, measure, panel));
        let all: Vec<_> = columns.flat_map(|column| column.bars).flatten().map(|bar| bar.whole()).collect();
        return Scale::new(&all, even, COMMON_ROOM);
    }
    Scale::new(&bars.iter().map(|bar| bar.whole()).collect::<Vec<_>>(), even, room)
}
