//! Threads that hold a work ID over time (HWWL, Fig 8): a row for each workload and graph, a column for each panel.

use super::frame::{Frame, LEFT, MARGIN, RIGHT};
use super::legend::Entry;
use super::scale::{Scale, Vertical};
use super::{colour, font, page, Area, LIGHT, TEXT, WIDTH};
use crate::sweep::figure::{columns, groups, panels, Column};
use crate::sweep::plan::Plan;
use crate::sweep::table::Placed;
use anyhow::Result;
use plotters::prelude::*;
use sim::attach::hwwl::timeline::ActiveThreads;

/// Height of the numbers and the name of the time.
const TIME: u32 = 42;

/// A workload on a graph: the same axes in all panels.
struct Row<'a> {
    rows: Vec<&'a Placed<'a>>,
    frames: Vec<(&'a str, Frame)>,
    scale: Scale,
}

pub fn draw(plan: &Plan, rows: &[Placed]) -> Result<String> {
    let lines: Vec<_> = groups(plan).iter().map(|group| Row::new(plan, rows, group)).collect();
    let heights: Vec<_> = lines.iter().map(Row::height).collect();
    page(plan, &heights, |i, area| {
        let areas = area.split_evenly((1, lines[i].frames.len()));
        lines[i]
            .frames
            .iter()
            .zip(&areas)
            .try_for_each(|((panel, frame), area)| lines[i].draw(plan, panel, frame, area))
    })
}

/// Colours go on from panel to panel.
fn coloured<'a>(plan: &'a Plan, panel: &str) -> impl Iterator<Item = (Column, RGBColor)> + 'a {
    let before = panels(plan).iter().take_while(|p| **p != panel).map(|p| columns(plan, p).len()).sum::<usize>();
    columns(plan, panel).into_iter().enumerate().map(move |(i, column)| (column, colour(before + i)))
}

impl<'a> Row<'a> {
    fn new(plan: &'a Plan, rows: &'a [Placed], (workload, input, short): &(&str, usize, String)) -> Self {
        let mine =
            |p: &&Placed| p.point.series.is_some() && (p.point.workload.name(), p.point.input) == (workload, *input);
        let rows: Vec<_> = rows.iter().filter(mine).collect();
        let wide = WIDTH / panels(plan).len() as u32;
        let frame = |panel: &'a str| {
            let legend = coloured(plan, panel).map(|(column, colour)| Entry::new(column.label, colour)).collect();
            (panel, Frame::of_width(&format!("{workload} on {short}: {panel}"), legend, TIME, wide))
        };
        let active = rows.iter().filter_map(|p| p.numbers?.active_threads.as_ref());
        let most = active.flat_map(|active| &active.active_percent).copied().fold(0.0, f64::max);
        // A line at the top of the axis would not be seen.
        let scale = if most > 80.0 { Scale::shares() } else { Scale::linear(most) };
        Row { rows, frames: panels(plan).into_iter().map(frame).collect(), scale }
    }

    fn height(&self) -> u32 {
        self.frames.iter().map(|(_, frame)| frame.height()).max().unwrap_or(0)
    }

    fn draw(&self, plan: &Plan, panel: &str, frame: &Frame, area: &Area) -> Result<()> {
        let longest = self.rows.iter().filter_map(|p| p.row.cycles).max().unwrap_or(1);
        let (unit, name) = if longest < 2_000_000 { (1e3, "thousand") } else { (1e6, "million") };
        let area = frame.chart_area(area)?;
        let mut chart = ChartBuilder::on(&area)
            .margin_left(MARGIN)
            .margin_right(RIGHT)
            .x_label_area_size(TIME)
            .y_label_area_size(LEFT - MARGIN)
            .build_cartesian_2d(0.0..longest as f64 / unit, Vertical::from(&self.scale))?;
        chart
            .configure_mesh()
            .x_labels(6)
            .x_desc(format!("time, {name} core cycles"))
            .y_desc("active hardware threads, %")
            .x_label_formatter(&|x| format!("{x}"))
            .y_label_formatter(&|y| self.scale.label(*y))
            .label_style(font(TEXT))
            .axis_desc_style(font(TEXT))
            .bold_line_style(LIGHT)
            .light_line_style(WHITE)
            .draw()?;
        for (column, colour) in coloured(plan, panel) {
            let mine =
                self.rows.iter().find(|p| (p.point.series, p.point.value) == (Some(column.series), column.value));
            let Some(numbers) = mine.and_then(|p| p.numbers) else { continue };
            let Some(active) = &numbers.active_threads else { continue };
            let points = steps(active, numbers.cycles).into_iter().map(|(x, y)| (x / unit, y));
            chart.draw_series(LineSeries::new(points, colour.stroke_width(2)))?;
        }
        Ok(())
    }
}

/// A window's average, from its first cycle to its last.
fn steps(active: &ActiveThreads, cycles: u64) -> Vec<(f64, f64)> {
    let window = active.window_cycles;
    let edge = |n: usize| (n as u64 * window).min(cycles) as f64;
    let step = |(n, percent): (usize, &f64)| [(edge(n), *percent), (edge(n + 1), *percent)];
    active.active_percent.iter().enumerate().flat_map(step).collect()
}
