//! Grouped bars (HWWL, Figs 5 to 7): speedup over the yardstick for each workload and graph, and the geometric means.

use super::{ceiling, colour, draw_header, header, step, style, Area, Entry, GREY, LIGHT, WIDTH};
use crate::sweep::figure::{columns, groups, panels, speedups, with_mean, Column};
use crate::sweep::plan::Plan;
use crate::sweep::table::Placed;
use anyhow::Result;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

const PANEL: u32 = 380;
/// Of a group, between its bars and the next group's.
const GAP: f64 = 0.16;

pub fn draw(plan: &Plan, rows: &[Placed]) -> Result<String> {
    let panels = panels(plan);
    let legend = legend(plan, &panels);
    let top = header(&legend);
    let mut text = String::new();
    {
        let size = (WIDTH, top + PANEL * panels.len() as u32);
        let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
        root.fill(&WHITE)?;
        draw_header(&root, &plan.title, &legend)?;
        let areas = root.split_vertically(top).1.split_evenly((panels.len(), 1));
        let most = most(plan, rows, &panels);
        for (area, panel) in areas.iter().zip(&panels) {
            draw_panel(plan, rows, area, panel, most)?;
        }
        root.present()?;
    }
    Ok(text)
}

/// What the bars of all panels reach.
fn most(plan: &Plan, rows: &[Placed], panels: &[&str]) -> f64 {
    let columns = panels.iter().flat_map(|panel| columns(plan, panel));
    ceiling(columns.flat_map(|column| speedups(plan, rows, &column)).flatten().fold(1.0, f64::max))
}

/// Places on the axis by a ramp, what has none by colours of its own.
fn paint(plan: &Plan, column: &Column) -> RGBColor {
    match (column.value, &plan.axis) {
        (Some(value), Some(axis)) => step(value, axis.values.len()),
        (_, Some(_)) => GREY,
        (_, None) => colour(column.series),
    }
}

fn legend(plan: &Plan, panels: &[&str]) -> Vec<Entry> {
    let mut legend: Vec<Entry> = Vec::new();
    for column in panels.iter().flat_map(|panel| columns(plan, panel)) {
        let label = match (&plan.axis, column.value) {
            (Some(axis), Some(0)) => format!("{} ({})", column.label, axis.label),
            _ => column.label.clone(),
        };
        if !legend.iter().any(|(text, _)| *text == label) {
            legend.push((label, paint(plan, &column)));
        }
    }
    legend
}

fn draw_panel(plan: &Plan, rows: &[Placed], area: &Area, panel: &str, most: f64) -> Result<()> {
    let (columns, groups) = (columns(plan, panel), groups(plan));
    let all = (groups.len() + 1) as f64;
    let mut chart = ChartBuilder::on(area)
        .margin_left(8)
        .margin_right(16)
        .margin_top(30)
        .x_label_area_size(52)
        .y_label_area_size(62)
        .build_cartesian_2d(0.0..all, 0.0..most)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_labels(0)
        .y_labels(8)
        .y_desc("speedup over the best software variant")
        .y_label_formatter(&|y| format!("{y:.1}"))
        .label_style((super::FONT, 14))
        .axis_desc_style((super::FONT, 14))
        .bold_line_style(LIGHT)
        .light_line_style(WHITE)
        .draw()?;
    for (at, dark) in (1..=groups.len()).map(|g| (g as f64, g == groups.len())) {
        let line = if dark { GREY } else { LIGHT };
        chart.draw_series([PathElement::new(vec![(at, 0.0), (at, most)], line)])?;
    }
    let wide = (1.0 - GAP) / columns.len() as f64;
    for (i, column) in columns.iter().enumerate() {
        let heights = with_mean(speedups(plan, rows, column));
        let left = |group: usize| group as f64 + GAP / 2.0 + i as f64 * wide;
        for (group, height) in heights.iter().enumerate() {
            let x = left(group);
            match height {
                Some(height) => {
                    let fill = paint(plan, column).filled();
                    chart.draw_series([Rectangle::new([(x, 0.0), (x + wide * 0.9, *height)], fill)])?
                }
                None => {
                    let missing = style(13, HPos::Center, VPos::Bottom);
                    chart.draw_series([Text::new("×", (x + wide / 2.0, 0.0), missing)])?
                }
            };
        }
    }
    chart.draw_series([PathElement::new(vec![(0.0, 1.0), (all, 1.0)], BLACK.stroke_width(2))])?;
    let (origin, _) = area.get_base_pixel();
    let top = area.get_base_pixel().1;
    area.draw_text(panel, &style(16, HPos::Center, VPos::Top), (WIDTH as i32 / 2, 6))?;
    for group in 0..=groups.len() {
        let (x, y) = chart.backend_coord(&(group as f64 + 0.5, 0.0));
        let (first, second) = match groups.get(group) {
            Some((workload, _, graph)) => (*workload, graph.as_str()),
            None => ("geometric", "mean"),
        };
        let (x, y) = (x - origin, y - top);
        area.draw_text(first, &style(14, HPos::Center, VPos::Top), (x, y + 8))?;
        area.draw_text(second, &style(13, HPos::Center, VPos::Top), (x, y + 26))?;
    }
    Ok(())
}
