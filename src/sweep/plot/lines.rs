//! Measures over the values of the axis (HWWL, V-A), each in a panel of its own: a line for each series on each workload and
//! graph. A thin line of the same colour is the baseline, if the measure shows it.

use super::frame::{Frame, LEFT, RIGHT};
use super::legend::Entry;
use super::names::Names;
use super::scale::Scale;
use super::{colour, page, style, Area, GREY, TEXT, WIDTH};
use crate::sweep::cells::places;
use crate::sweep::figure::groups;
use crate::sweep::measure::Measure;
use crate::sweep::numbers::Numbers;
use crate::sweep::plan::Plan;
use crate::sweep::table::Placed;
use anyhow::Result;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

/// Height of the axis' name.
const AXIS_LINE: u32 = 18;

/// Place on the axis and value.
type Points = Vec<(f64, f64)>;

/// A series on a workload and a graph.
struct Line {
    name: String,
    points: Points,
    baseline: Points,
    colour: RGBColor,
}

struct Panel<'a> {
    measure: &'a Measure,
    lines: Vec<Line>,
    scale: Scale,
    frame: Frame,
    names: Names,
}

pub fn draw(plan: &Plan, rows: &[Placed]) -> Result<String> {
    let panels: Vec<_> = plan.measures.iter().map(|measure| Panel::new(plan, rows, measure)).collect();
    let heights: Vec<_> = panels.iter().map(|panel| panel.frame.height()).collect();
    page(plan, &heights, |i, area| panels[i].draw(plan, area))
}

impl<'a> Panel<'a> {
    fn new(plan: &Plan, rows: &[Placed], measure: &'a Measure) -> Self {
        let lines = lines(plan, rows, measure);
        let values = plan.axis.iter().flat_map(|axis| &axis.values).map(|value| (value.clone(), 1));
        let room = (WIDTH - LEFT - RIGHT) as f64 / values.clone().count().max(1) as f64;
        let names = Names::new(values, TEXT, room);
        let all = lines.iter().flat_map(|line| line.points.iter().chain(&line.baseline)).map(|(_, y)| *y);
        let scale = Scale::linear(all.fold(measure.kind.even().unwrap_or(0.0), f64::max));
        let legend = lines.iter().map(|line| Entry::new(&line.name, line.colour)).collect();
        let frame = Frame::new(measure.kind.title(), legend, names.height() + AXIS_LINE);
        Panel { measure, lines, scale, frame, names }
    }

    fn draw(&self, plan: &Plan, area: &Area) -> Result<()> {
        let (values, axis) = plan.axis.as_ref().map_or((0, ""), |axis| (axis.values.len(), &axis.label[..]));
        let (first, end) = (-0.5, values as f64 - 0.5);
        let kind = self.measure.kind;
        let thin = if kind.shows_baseline() { " (thin: baseline)" } else { "" };
        let area = self.frame.chart_area(area)?;
        let mut chart = self.frame.chart(&area, first..end, &self.scale, &format!("{}{thin}", kind.unit()))?;
        if let Some(even) = kind.even() {
            chart.draw_series([PathElement::new(vec![(first, even), (end, even)], GREY.stroke_width(2))])?;
        }
        for Line { points, baseline, colour, .. } in &self.lines {
            chart.draw_series(LineSeries::new(points.iter().copied(), colour.stroke_width(2)))?;
            chart.draw_series(points.iter().map(|point| Circle::new(*point, 4, colour.filled())))?;
            if !baseline.is_empty() {
                chart.draw_series(LineSeries::new(baseline.iter().copied(), colour.stroke_width(1)))?;
            }
        }
        let (left, top) = area.get_base_pixel();
        let at = |place: f64| chart.backend_coord(&(place - 0.5, 0.0)).0 - left;
        let foot = chart.backend_coord(&(0.0, 0.0)).1 - top;
        self.names.draw(&area, foot, at)?;
        let place = (at(values as f64 / 2.0), foot + self.names.height() as i32 + 4);
        area.draw_text(axis, &style(TEXT, HPos::Center, VPos::Top), place)?;
        Ok(())
    }
}

/// A line has the same colour in all panels.
fn lines(plan: &Plan, rows: &[Placed], measure: &Measure) -> Vec<Line> {
    let (groups, places) = (groups(plan), places(plan, measure));
    let mut lines = Vec::new();
    for (series, named) in plan.series.iter().enumerate() {
        for (i, group) in groups.iter().enumerate().filter(|(_, group)| places.contains(group)) {
            let (workload, input, short) = group;
            let mine = |p: &&Placed| {
                (p.point.series, p.point.workload.name(), p.point.input) == (Some(series), *workload, *input)
            };
            let of = |value: &dyn Fn(&Placed) -> Option<f64>| -> Points {
                rows.iter().filter(mine).filter_map(|p| Some((p.point.value? as f64, value(p)?))).collect()
            };
            let whole = |own: &Numbers, baseline: &Numbers| measure.bar(own, baseline).map(|bar| bar.whole());
            let baseline = |p: &Placed| whole(p.baseline?, p.baseline?);
            lines.push(Line {
                name: format!("{}: {workload} on {short}", named.name),
                points: of(&|p| whole(p.numbers?, p.baseline?)),
                baseline: if measure.kind.shows_baseline() { of(&baseline) } else { Points::new() },
                colour: colour(series * groups.len() + i),
            });
        }
    }
    lines
}
