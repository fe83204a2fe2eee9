//! A line plot as SVG.

use std::fmt::Write as _;
use std::path::Path;

/// One curve.
pub(crate) struct Curve {
    pub(crate) name: String,
    pub(crate) points: Vec<(f64, f64)>,
    /// Dots instead of a line.
    pub(crate) dots: bool,
}

/// A plot of some curves.
pub(crate) struct Plot {
    pub(crate) title: String,
    pub(crate) x: String,
    pub(crate) y: String,
    pub(crate) curves: Vec<Curve>,
}

const COLOURS: [&str; 6] = ["#1f5fa8", "#c2402a", "#2f8f4e", "#8a5bb5", "#b07a10", "#444444"];
const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 400.0;
/// Left, right, top and bottom of the axes.
const FRAME: [f64; 4] = [70.0, 560.0, 40.0, 350.0];

impl Plot {
    /// Writes it.
    pub(crate) fn write(&self, path: &Path) {
        let all = || self.curves.iter().flat_map(|curve| curve.points.iter());
        let range = |pick: fn(&(f64, f64)) -> f64| {
            let values = || all().map(pick);
            (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max))
        };
        let ((x0, x1), (y0, y1)) = (range(|p| p.0), range(|p| p.1));
        let [left, right, top, bottom] = FRAME;
        let at = |(x, y): (f64, f64)| {
            let across = left + (x - x0) / (x1 - x0) * (right - left);
            (across, bottom - (y - y0) / (y1 - y0) * (bottom - top))
        };
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n<text x=\"{left}\" y=\"24\" font-size=\"14\">{}</text>\n",
            self.title
        );
        for i in 0..=4 {
            let part = f64::from(i) / 4.0;
            let (x, y) = (x0 + part * (x1 - x0), y0 + part * (y1 - y0));
            let ((px, _), (_, py)) = (at((x, y0)), at((x0, y)));
            let _ = writeln!(
                svg,
                "<path d=\"M{px:.1} {top} V{bottom} M{left} {py:.1} H{right}\" stroke=\"#ddd\"/>\n\
                 <text x=\"{px:.1}\" y=\"{}\" text-anchor=\"middle\">{x:.3}</text>\n<text x=\"{}\" y=\"{py:.1}\" text-anchor=\"end\">{y:.3}</text>",
                bottom + 18.0,
                left - 6.0
            );
        }
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\">{}</text>\n<text x=\"{left}\" y=\"{}\" text-anchor=\"end\">{}</text>",
            right - 20.0,
            bottom + 36.0,
            self.x,
            top - 4.0,
            self.y
        );
        for (i, curve) in self.curves.iter().enumerate() {
            let colour = COLOURS[i % COLOURS.len()];
            let key = top + 20.0 * i as f64;
            if curve.dots {
                for (x, y) in curve.points.iter().map(|p| at(*p)) {
                    let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>");
                }
            } else {
                // Two thousand points a curve are more than the page can show.
                let step = curve.points.len().div_ceil(500).max(1);
                let points: Vec<String> = curve
                    .points
                    .iter()
                    .step_by(step)
                    .map(|p| {
                        let (x, y) = at(*p);
                        format!("{x:.1},{y:.1}")
                    })
                    .collect();
                let _ = writeln!(
                    svg,
                    "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>",
                    points.join(" ")
                );
            }
            let _ = writeln!(
                svg,
                "<rect x=\"{}\" y=\"{}\" width=\"12\" height=\"4\" fill=\"{colour}\"/>\n<text x=\"{}\" y=\"{}\">{}</text>",
                right + 12.0,
                key,
                right + 30.0,
                key + 6.0,
                curve.name
            );
        }
        svg += "</svg>\n";
        std::fs::write(path, svg).expect("the folder is there");
    }
}
