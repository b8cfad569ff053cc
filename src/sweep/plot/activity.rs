//! Threads that hold a work ID over time (HWWL, Fig 8): a row for each workload and graph, a column for each panel.

use super::{colour, draw_header, header, style, Area, Entry, LIGHT, WIDTH};
use crate::sweep::figure::{columns, groups, panels};
use crate::sweep::plan::Plan;
use crate::sweep::table::Placed;
use anyhow::Result;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};
use sim::timeline::ActiveThreads;

const HEIGHT: u32 = 330;

pub fn draw(plan: &Plan, rows: &[Placed]) -> Result<String> {
    let (panels, groups) = (panels(plan), groups(plan));
    let all = || panels.iter().flat_map(|panel| columns(plan, panel));
    let legend: Vec<Entry> = all().enumerate().map(|(i, column)| (column.label, colour(i))).collect();
    let top = header(&legend);
    let mut text = String::new();
    {
        let size = (WIDTH, top + HEIGHT * groups.len() as u32);
        let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
        root.fill(&WHITE)?;
        draw_header(&root, &plan.title, &legend)?;
        let areas = root.split_vertically(top).1.split_evenly((groups.len(), panels.len()));
        for (i, area) in areas.iter().enumerate() {
            let (group, panel) = (&groups[i / panels.len()], panels[i % panels.len()]);
            let of_group: Vec<_> =
                rows.iter().filter(|p| (p.point.workload.name, p.point.input) == (group.0, group.1)).collect();
            let title = format!("{} on {}: {panel}", group.0, group.2);
            draw_panel(plan, &of_group, area, panel, &title)?;
        }
        root.present()?;
    }
    Ok(text)
}

fn draw_panel(plan: &Plan, rows: &[&Placed], area: &Area, panel: &str, title: &str) -> Result<()> {
    let longest = rows.iter().filter(|p| p.point.series.is_some()).filter_map(|p| p.row.cycles).max().unwrap_or(1);
    let (unit, name) = if longest < 2_000_000 { (1e3, "thousand") } else { (1e6, "million") };
    let mut chart = ChartBuilder::on(area)
        .margin_left(8)
        .margin_right(24)
        .margin_top(30)
        .x_label_area_size(46)
        .y_label_area_size(62)
        .build_cartesian_2d(0.0..longest as f64 / unit, 0.0..100.0)?;
    chart
        .configure_mesh()
        .x_labels(8)
        .y_labels(6)
        .x_desc(format!("time, {name} core cycles"))
        .y_desc("active hardware threads, %")
        .x_label_formatter(&|x| format!("{x}"))
        .y_label_formatter(&|y| format!("{y:.0}"))
        .label_style((super::FONT, 14))
        .axis_desc_style((super::FONT, 14))
        .bold_line_style(LIGHT)
        .light_line_style(WHITE)
        .draw()?;
    // Colours go on from panel to panel.
    let before: usize = panels(plan).iter().take_while(|p| **p != panel).map(|p| columns(plan, p).len()).sum();
    for (i, column) in columns(plan, panel).iter().enumerate() {
        let mine = rows.iter().find(|p| (p.point.series, p.point.value) == (Some(column.series), column.value));
        let Some(numbers) = mine.and_then(|p| p.numbers) else { continue };
        let Some(active) = &numbers.active_threads else { continue };
        let points = steps(active, numbers.cycles).into_iter().map(|(x, y)| (x / unit, y));
        chart.draw_series(LineSeries::new(points, colour(before + i).stroke_width(2)))?;
    }
    let middle = area.dim_in_pixel().0 as i32 / 2;
    area.draw_text(title, &style(15, HPos::Center, VPos::Top), (middle, 8))?;
    Ok(())
}

/// A window's average, from its first cycle to its last.
fn steps(active: &ActiveThreads, cycles: u64) -> Vec<(f64, f64)> {
    let window = active.window_cycles;
    let edge = |n: usize| (n as u64 * window).min(cycles) as f64;
    let step = |(n, percent): (usize, &f64)| [(edge(n), *percent), (edge(n + 1), *percent)];
    active.active_percent.iter().enumerate().flat_map(step).collect()
}
