//! Time and memory over the size of the graph, as SVG.

use plotters::prelude::*;
use std::error::Error;

/// Nodes and what is shown of a run.
pub type Points = Vec<(f64, f64)>;

/// A panel: its title, and the points of each workload.
pub struct Panel {
    pub title: &'static str,
    pub lines: Vec<(String, Points)>,
}

/// Pixels.
const SIZE: (u32, u32) = (840, 340);
const TEXT: (&str, u32) = ("sans-serif", 14);

/// Okabe and Ito's colours, which the colour-blind can tell apart.
const COLOURS: [RGBColor; 3] = [RGBColor(0, 114, 178), RGBColor(230, 159, 0), RGBColor(0, 158, 115)];

fn logarithms(&(nodes, value): &(f64, f64)) -> (f64, f64) {
    (nodes.log10(), value.log10())
}

/// The powers of ten around these values, as logarithms.
fn decades(values: impl Iterator<Item = f64>) -> std::ops::Range<f64> {
    let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
    low.log10().floor()..high.log10().ceil()
}

/// The panels side by side, both axes logarithmic.
pub fn draw(panels: &[Panel]) -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    {
        let root = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        root.fill(&WHITE)?;
        for (area, panel) in root.split_evenly((1, panels.len())).iter().zip(panels) {
            let all = || panel.lines.iter().flat_map(|(_, points)| points);
            let mut chart = ChartBuilder::on(area)
                .caption(panel.title, TEXT)
                .margin(8)
                .margin_right(36)
                .x_label_area_size(38)
                .y_label_area_size(52)
                .build_cartesian_2d(decades(all().map(|point| point.0)), decades(all().map(|point| point.1)))?;
            let label = |logarithm: &f64| match logarithm.fract() == 0.0 {
                true => format!("{}", 10f64.powf(*logarithm)),
                false => String::new(),
            };
            chart
                .configure_mesh()
                .x_desc("nodes")
                .x_labels(6)
                .y_labels(6)
                .x_label_formatter(&label)
                .y_label_formatter(&label)
                .label_style(TEXT)
                .light_line_style(WHITE)
                .draw()?;
            for ((name, points), colour) in panel.lines.iter().zip(COLOURS) {
                chart
                    .draw_series(LineSeries::new(points.iter().map(logarithms), colour.stroke_width(2)))?
                    .label(name)
                    .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], colour.stroke_width(2)));
                chart.draw_series(points.iter().map(|point| Circle::new(logarithms(point), 3, colour.filled())))?;
            }
            let place = SeriesLabelPosition::LowerRight;
            chart.configure_series_labels().position(place).background_style(WHITE).label_font(TEXT).draw()?;
        }
        root.present()?;
    }
    Ok(text)
}
