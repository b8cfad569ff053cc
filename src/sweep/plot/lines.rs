//! Speedup over the values of the axis (HWWL, V-A), a line for each series on each workload and graph.

use super::{ceiling, colour, draw_header, header, style, Entry, GREY, LIGHT, WIDTH};
use crate::sweep::figure::groups;
use crate::sweep::plan::Plan;
use crate::sweep::table::Placed;
use anyhow::Result;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

const HEIGHT: u32 = 440;

struct Line {
    name: String,
    /// Place on the axis and speedup.
    points: Vec<(f64, f64)>,
}

pub fn draw(plan: &Plan, rows: &[Placed]) -> Result<String> {
    let lines = lines(plan, rows);
    let legend: Vec<Entry> = lines.iter().enumerate().map(|(i, line)| (line.name.clone(), colour(i))).collect();
    let top = header(&legend);
    let (labels, names) = plan.axis.as_ref().map_or((&[][..], ""), |a| (&a.values[..], &a.label[..]));
    let end = labels.len() as f64 - 0.5;
    let most = ceiling(lines.iter().flat_map(|line| &line.points).map(|(_, y)| *y).fold(1.0, f64::max));
    let mut text = String::new();
    {
        let root = SVGBackend::with_string(&mut text, (WIDTH, top + HEIGHT)).into_drawing_area();
        root.fill(&WHITE)?;
        draw_header(&root, &plan.title, &legend)?;
        let area = root.split_vertically(top).1;
        let mut chart = ChartBuilder::on(&area)
            .margin_left(8)
            .margin_right(16)
            .margin_top(16)
            .x_label_area_size(60)
            .y_label_area_size(62)
            .build_cartesian_2d(-0.5..end, 0.0..most)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .x_labels(0)
            .y_labels(8)
            .x_desc(names)
            .y_desc("speedup over the best software variant")
            .y_label_formatter(&|y| format!("{y:.1}"))
            .label_style((super::FONT, 14))
            .axis_desc_style((super::FONT, 14))
            .bold_line_style(LIGHT)
            .light_line_style(WHITE)
            .draw()?;
        chart.draw_series([PathElement::new(vec![(-0.5, 1.0), (end, 1.0)], GREY.stroke_width(2))])?;
        for (i, line) in lines.iter().enumerate() {
            chart.draw_series(LineSeries::new(line.points.iter().copied(), colour(i).stroke_width(3)))?;
            chart.draw_series(line.points.iter().map(|point| Circle::new(*point, 6, colour(i).filled())))?;
        }
        for (place, label) in labels.iter().enumerate() {
            let (x, y) = chart.backend_coord(&(place as f64, 0.0));
            root.draw_text(label, &style(14, HPos::Center, VPos::Top), (x, y + 8))?;
        }
        root.present()?;
    }
    Ok(text)
}

fn lines(plan: &Plan, rows: &[Placed]) -> Vec<Line> {
    let mut lines = Vec::new();
    for (i, series) in plan.series.iter().enumerate() {
        for (workload, graph, short) in groups(plan) {
            let mine =
                |p: &&Placed| (p.point.series, p.point.workload.name, p.point.graph) == (Some(i), workload, graph);
            let point = |p: &Placed| Some((p.point.value? as f64, p.row.speedup?));
            let points = rows.iter().filter(mine).filter_map(point).collect();
            lines.push(Line { name: format!("{}: {workload} on {short}", series.name), points });
        }
    }
    lines
}
