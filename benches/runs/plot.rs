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

/// The panels side by side, both axes logarithmic.
pub fn draw(panels: &[Panel]) -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    {
        let root = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        root.fill(&WHITE)?;
        for (area, panel) in root.split_evenly((1, panels.len())).iter().zip(panels) {
            let all = || panel.lines.iter().flat_map(|(_, points)| points);
            let range = |of: fn(&(f64, f64)) -> f64| {
                let (low, high) =
                    all().map(of).fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
                low / 1.3..high * 1.3
            };
            let mut chart = ChartBuilder::on(area)
                .caption(panel.title, TEXT)
                .margin(8)
                .x_label_area_size(38)
                .y_label_area_size(52)
                .build_cartesian_2d(range(|point| point.0).log_scale(), range(|point| point.1).log_scale())?;
            let number = |value: &f64| if *value < 1.0 { format!("{value}") } else { format!("{value:.0}") };
            chart
                .configure_mesh()
                .x_desc("nodes")
                .x_label_formatter(&|nodes| format!("10^{:.0}", nodes.log10()))
                .y_label_formatter(&number)
                .label_style(TEXT)
                .light_line_style(WHITE)
                .draw()?;
            for ((name, points), colour) in panel.lines.iter().zip(COLOURS) {
                chart
                    .draw_series(LineSeries::new(points.iter().copied(), colour.stroke_width(2)))?
                    .label(name)
                    .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], colour.stroke_width(2)));
                chart.draw_series(points.iter().map(|point| Circle::new(*point, 3, colour.filled())))?;
            }
            let place = SeriesLabelPosition::UpperLeft;
            chart.configure_series_labels().position(place).background_style(WHITE).label_font(TEXT).draw()?;
        }
        root.present()?;
    }
    Ok(text)
}
