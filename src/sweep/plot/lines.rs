//! Measures over the values of the axis (HWWL, V-A), each in a panel of its own: a line for each series on each workload and
//! graph. A thin line of the same colour is the yardstick, if the measure shows it.

use super::{ceiling, colour, draw_header, header, style, Area, Entry, GREY, LIGHT, WIDTH};
use crate::sweep::cells::places;
use crate::sweep::figure::groups;
use crate::sweep::measure::{Kind, Measure};
use crate::sweep::plan::Plan;
use crate::sweep::store::Numbers;
use crate::sweep::table::Placed;
use anyhow::Result;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

const HEIGHT: u32 = 440;

/// Place on the axis and value.
type Points = Vec<(f64, f64)>;

/// A series on a workload and a graph.
struct Line {
    points: Points,
    yardstick: Points,
    colour: RGBColor,
}

pub fn draw(plan: &Plan, rows: &[Placed]) -> Result<String> {
    let legend = legend(plan);
    let top = header(&legend);
    let mut text = String::new();
    {
        let size = (WIDTH, top + HEIGHT * plan.measures.len() as u32);
        let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
        root.fill(&WHITE)?;
        draw_header(&root, &plan.title, &legend)?;
        let areas = root.split_vertically(top).1.split_evenly((plan.measures.len(), 1));
        for (area, measure) in areas.iter().zip(&plan.measures) {
            draw_panel(plan, rows, &root, area, measure)?;
        }
        root.present()?;
    }
    Ok(text)
}

fn draw_panel(plan: &Plan, rows: &[Placed], root: &Area, area: &Area, measure: &Measure) -> Result<()> {
    let lines = lines(plan, rows, measure);
    let (labels, names) = plan.axis.as_ref().map_or((&[][..], ""), |a| (&a.values[..], &a.label[..]));
    let end = labels.len() as f64 - 0.5;
    let all = lines.iter().flat_map(|line| line.points.iter().chain(&line.yardstick));
    let most = ceiling(all.map(|(_, y)| *y).fold(measure.kind.even().unwrap_or(0.1), f64::max));
    let mut chart = ChartBuilder::on(area)
        .margin_left(8)
        .margin_right(16)
        .margin_top(if plan.is_plain() { 16 } else { 34 })
        .x_label_area_size(60)
        .y_label_area_size(62)
        .build_cartesian_2d(-0.5..end, 0.0..most)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_labels(0)
        .y_labels(8)
        .x_desc(names)
        .y_desc(described(plan, measure))
        .y_label_formatter(&|y| measure.kind.tick(*y))
        .label_style((super::FONT, 14))
        .axis_desc_style((super::FONT, 14))
        .bold_line_style(LIGHT)
        .light_line_style(WHITE)
        .draw()?;
    if let Some(even) = measure.kind.even() {
        chart.draw_series([PathElement::new(vec![(-0.5, even), (end, even)], GREY.stroke_width(2))])?;
    }
    for Line { points, yardstick, colour } in &lines {
        chart.draw_series(LineSeries::new(points.iter().copied(), colour.stroke_width(3)))?;
        chart.draw_series(points.iter().map(|point| Circle::new(*point, 6, colour.filled())))?;
        if !yardstick.is_empty() {
            chart.draw_series(LineSeries::new(yardstick.iter().copied(), colour.stroke_width(1)))?;
        }
    }
    if !plan.is_plain() {
        let middle = area.dim_in_pixel().0 as i32 / 2;
        area.draw_text(measure.kind.title(), &style(16, HPos::Center, VPos::Top), (middle, 8))?;
    }
    for (place, label) in labels.iter().enumerate() {
        let (x, y) = chart.backend_coord(&(place as f64, 0.0));
        root.draw_text(label, &style(14, HPos::Center, VPos::Top), (x, y + 8))?;
    }
    Ok(())
}

fn described(plan: &Plan, measure: &Measure) -> String {
    match measure.kind {
        Kind::Speedup if plan.is_plain() => "speedup over the best software variant".into(),
        kind if kind.shows_yardstick() => format!("{} (thin: yardstick)", kind.unit()),
        kind => kind.unit().into(),
    }
}

/// All lines have their colour from all workloads and graphs, so that a panel with some of them has the same.
fn legend(plan: &Plan) -> Vec<Entry> {
    let named = |name: &str, (workload, _, short): &(_, _, String)| format!("{name}: {workload} on {short}");
    let all = plan.series.iter().flat_map(|s| groups(plan).into_iter().map(move |group| named(&s.name, &group)));
    all.enumerate().map(|(i, name)| (name, colour(i))).collect()
}

fn lines(plan: &Plan, rows: &[Placed], measure: &Measure) -> Vec<Line> {
    let (groups, places) = (groups(plan), places(plan, measure));
    let mut lines = Vec::new();
    for series in 0..plan.series.len() {
        for (i, group) in groups.iter().enumerate().filter(|(_, group)| places.contains(group)) {
            let (workload, input, _) = *group;
            let mine =
                |p: &&Placed| (p.point.series, p.point.workload.name, p.point.input) == (Some(series), workload, input);
            let of = |value: &dyn Fn(&Placed) -> Option<f64>| -> Points {
                rows.iter().filter(mine).filter_map(|p| Some((p.point.value? as f64, value(p)?))).collect()
            };
            let whole = |own: &Numbers, yardstick: &Numbers| measure.bar(own, yardstick).map(|bar| bar.whole());
            let yardstick = |p: &Placed| whole(p.yardstick?, p.yardstick?);
            lines.push(Line {
                points: of(&|p| whole(p.numbers?, p.yardstick?)),
                yardstick: if measure.kind.shows_yardstick() { of(&yardstick) } else { Points::new() },
                colour: colour(series * groups.len() + i),
            });
        }
    }
    lines
}
