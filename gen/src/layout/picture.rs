//! A picture of a layout: cells by what they are, wires by layer.

use super::def::Layout;
use crate::liberty::Liberty;
use std::collections::BTreeMap;

type Colour = [u8; 3];

/// Pixels of the longer side.
const SIDE: f64 = 1400.0;
/// Pixels of one um at most.
const LARGEST_SCALE: f64 = 8.0;
const WHITE: Colour = [255, 255, 255];
const EDGE: Colour = [120, 120, 120];
const FLIP_FLOP: Colour = [166, 206, 227];
const BUFFER: Colour = [178, 223, 138];
const LOGIC: Colour = [253, 230, 190];
const FILLER: Colour = [240, 240, 240];
/// From `metal1` up.
const LAYERS: [Colour; 6] = [[31, 80, 200], [200, 30, 40], [20, 140, 60], [150, 40, 170], [230, 130, 0], [90, 90, 90]];
/// Width of a wire, um.
const WIRE: f64 = 0.3;
/// Opacity of a wire's colour on what is under it.
const OPACITY: f64 = 0.7;

/// The meaning of the colours.
pub const LEGEND: &str =
    "flip-flops blue, buffers and inverters green, other gates yellow, fillers grey; wires: metal1 blue, \
    metal2 red, metal3 green, metal4 violet, metal5 orange, metal6 grey";

/// PNG of `layout`, whose cells have `sizes`.
pub fn png(layout: &Layout, sizes: &BTreeMap<String, (f64, f64)>, liberty: &Liberty) -> Vec<u8> {
    let mut canvas = Canvas::of(layout);
    for cell in &layout.cells {
        let (width, height) = sizes.get(&cell.kind).copied().unwrap_or_default();
        let area = [cell.x, cell.y, cell.x + width, cell.y + height];
        canvas.fill(area, EDGE, 1.0);
        let pixel = 1.0 / canvas.scale;
        canvas.fill([area[0], area[1], area[2] - pixel, area[3] - pixel], colour(&cell.kind, liberty), 1.0);
    }
    for wire in layout.wires() {
        let (low_x, high_x) = (wire.from.0.min(wire.to.0), wire.from.0.max(wire.to.0));
        let (low_y, high_y) = (wire.from.1.min(wire.to.1), wire.from.1.max(wire.to.1));
        let half = WIRE / 2.0;
        let colour = LAYERS[(wire.layer.max(1) - 1).min(LAYERS.len() - 1)];
        canvas.fill([low_x - half, low_y - half, high_x + half, high_y + half], colour, OPACITY);
    }
    canvas.encode()
}

fn colour(kind: &str, liberty: &Liberty) -> Colour {
    match liberty.cells.get(kind) {
        Some(cell) if cell.sequential => FLIP_FLOP,
        Some(cell) if cell.as_buffer().or(cell.as_inverter()).is_some() => BUFFER,
        Some(cell) if !cell.pins.is_empty() => LOGIC,
        _ => FILLER,
    }
}

struct Canvas {
    left: f64,
    top: f64,
    /// Pixels of one um.
    scale: f64,
    width: usize,
    height: usize,
    pixels: Vec<u8>,
}

impl Canvas {
    fn of(layout: &Layout) -> Canvas {
        let scale = (SIDE / layout.width().max(layout.height()).max(1.0)).min(LARGEST_SCALE);
        let [width, height] = [layout.width(), layout.height()].map(|um| (um * scale).ceil().max(1.0) as usize);
        let pixels = WHITE.repeat(width * height);
        Canvas { left: layout.die[0], top: layout.die[3], scale, width, height, pixels }
    }

    /// Fills left, bottom, right, top (um); at least a pixel.
    fn fill(&mut self, [left, bottom, right, top]: [f64; 4], colour: Colour, opacity: f64) {
        let range = |from: f64, to: f64, end: usize| {
            let from = (from * self.scale).round().max(0.0) as usize;
            from.min(end)..((to * self.scale).round() as usize).max(from + 1).min(end)
        };
        let columns = range(left - self.left, right - self.left, self.width);
        for row in range(self.top - top, self.top - bottom, self.height) {
            for column in columns.clone() {
                let pixel = &mut self.pixels[3 * (row * self.width + column)..][..3];
                for (old, new) in pixel.iter_mut().zip(colour) {
                    *old = (f64::from(*old) * (1.0 - opacity) + f64::from(new) * opacity).round() as u8;
                }
            }
        }
    }

    fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![];
        let mut encoder = png::Encoder::new(&mut bytes, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(&self.pixels));
        written.expect("a picture in memory can be written");
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::def::{Net, Placed, Segment};

    #[test]
    fn a_cell_and_a_wire_are_where_they_should_be() {
        let layout = Layout {
            die: [0.0, 0.0, 10.0, 5.0],
            cells: vec![Placed { kind: "DFFPOSX1".into(), x: 0.0, y: 0.0 }],
            nets: vec![Net { wires: vec![Segment { layer: 2, from: (8.0, 1.0), to: (8.0, 4.0) }], ..Net::default() }],
        };
        let sizes = [("DFFPOSX1".to_string(), (4.0, 2.0))].into();
        let bytes = png(&layout, &sizes, &Liberty::read(None).unwrap());
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let frame = reader.next_frame(&mut pixels).unwrap();
        assert_eq!((frame.width, frame.height), (80, 40), "8 pixels a um");
        let at = |x: f64, y: f64| {
            let place = 3 * (((5.0 - y) * 8.0) as usize * 80 + (x * 8.0) as usize);
            [pixels[place], pixels[place + 1], pixels[place + 2]]
        };
        assert_eq!(at(2.0, 1.0), FLIP_FLOP);
        assert_eq!(at(2.0, 3.0), WHITE);
        assert_eq!(at(9.0, 2.0), WHITE);
        // 70 % of the layer's red over white.
        assert_eq!(at(8.0, 2.0), [217, 98, 105]);
    }
}
