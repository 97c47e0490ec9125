//! The main rows as a picture for README.md: one bar an engine, its length the time that the same work takes, on a
//! logarithmic scale, relative to librobots.

use crate::engine::Engine;
use crate::ours::Ours;
use crate::table::{NAMES, Row};
use std::fmt::Write as _;

/// The rows of the chart, and what they are called in it.
const ROWS: [(&str, &str); 5] = [
    ("one-shot", "decide one URL of a file, once"),
    ("parse", "parse a file"),
    ("parse-decide", "parse and decide one URL"),
    ("parse-decide-20", "parse and decide 20 URLs"),
    ("decide", "decide a URL, rules kept"),
];

const WIDTH: f64 = 720.0;
const LEFT: f64 = 190.0;
const BAR: f64 = 14.0;
/// Pixels for a factor of ten.
const DECADE: f64 = 180.0;

/// The chart of the rows that were measured, or nothing where none of them was.
pub fn svg(rows: &[Row]) -> Option<String> {
    let mut body = String::new();
    let mut y = 34.0;
    for (name, title) in ROWS {
        let Some(row) = rows.iter().find(|row| row.name == name) else {
            continue;
        };
        let Some(ours) = row.time(Ours::NAME) else {
            continue;
        };
        y += 12.0;
        text(&mut body, 8.0, y + BAR - 3.0, "start", "bold", title);
        y += BAR + 4.0;
        for engine in NAMES {
            let Some(time) = row.time(engine) else {
                continue;
            };
            let times = time / ours;
            let length = (4.0 + times.max(1.0).log10() * DECADE).min(WIDTH - LEFT - 70.0);
            let colour = if engine == Ours::NAME {
                "#1a7f37"
            } else {
                "#8c959f"
            };
            text(
                &mut body,
                LEFT - 8.0,
                y + BAR - 3.0,
                "end",
                "normal",
                engine,
            );
            let _ = writeln!(
                body,
                r#"<rect x="{LEFT}" y="{y}" width="{length:.0}" height="{BAR}" fill="{colour}"/>"#
            );
            let label = if times < 9.95 {
                format!("{times:.1} x")
            } else {
                format!("{times:.0} x")
            };
            text(
                &mut body,
                LEFT + length + 6.0,
                y + BAR - 3.0,
                "start",
                "normal",
                &label,
            );
            y += BAR + 3.0;
        }
    }
    if body.is_empty() {
        return None;
    }
    let height = y + 12.0;
    Some(format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" font-family="sans-serif" font-size="12">
<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>
<text x="8" y="22" font-size="14" font-weight="bold">Time for the same work, librobots = 1 (logarithmic; shorter is better)</text>
{body}</svg>
"##
    ))
}

fn text(out: &mut String, x: f64, y: f64, anchor: &str, weight: &str, text: &str) {
    let _ = writeln!(
        out,
        r#"<text x="{x:.0}" y="{y:.0}" text-anchor="{anchor}" font-weight="{weight}">{text}</text>"#
    );
}
