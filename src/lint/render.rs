//! A report as text, in the manner of rustc: the sentence, the place, the line with what is meant marked.

use core::fmt;
use std::collections::BTreeMap;

use super::Report;
use super::catalogue::{Code, Severity};
use super::diagnostic::{Diagnostic, shown};

/// What a piece of a rendered text is, for those who give it a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Style {
    /// Ordinary text, the file's own lines among it.
    Plain,
    /// The words `error[R051]`, and the mark below the line.
    Severity(Severity),
    /// What is the matter.
    Message,
    /// Line numbers and what frames the lines.
    Frame,
    /// The mark below another line that has to do with it.
    Other,
    /// The word `help`.
    Help,
}

/// How many diagnostics of a kind are shown; the others are counted.
const SHOWN_OF_A_KIND: usize = 10;

/// The columns of a line that are shown; of a longer one, those around the place.
const WIDTH: usize = 100;

/// The columns before the place that are shown where the line is longer.
const BEFORE: usize = 40;

impl Report {
    /// Writes the report as text: each diagnostic with its line, then a summary. `name`: what the file is called
    /// in it. `piece` gets the text in pieces, each with its style. No piece holds control characters but
    /// line ends, whatever the file holds. Of each kind the first ten are shown.
    ///
    /// ```
    /// use robots::Style;
    ///
    /// let crawler = robots::Crawler::new("ExampleBot")?;
    /// let report = robots::lint(&crawler, "User-agent: *\nDisalow /tmp/\n")?;
    /// let mut text = String::new();
    /// report.render("robots.txt", |style, piece| match style {
    ///     Style::Severity(_) => text.push_str(&format!("\x1b[1;31m{piece}\x1b[0m")),
    ///     _ => text.push_str(piece),
    /// });
    /// assert!(text.contains("\x1b[1;31mwarning[R022]"));
    /// # Ok::<(), robots::Error>(())
    /// ```
    pub fn render(&self, name: &str, mut piece: impl FnMut(Style, &str)) {
        let name: String = name.chars().map(shown).collect();
        let mut seen: BTreeMap<Code, usize> = BTreeMap::new();
        let of_kind = |code: Code| {
            self.totals()
                .iter()
                .find(|(kind, _)| *kind == code)
                .map_or(0, |(_, n)| *n)
        };
        for found in self.diagnostics() {
            let count = seen.entry(found.code()).or_default();
            *count += 1;
            let left = of_kind(found.code()).saturating_sub(SHOWN_OF_A_KIND as u64);
            if *count > SHOWN_OF_A_KIND && left > 1 {
                continue;
            }
            self.one(&name, found, &mut piece);
        }
        for (code, total) in self.totals() {
            let left = total.saturating_sub(SHOWN_OF_A_KIND as u64);
            if left > 1 {
                head(
                    *code,
                    &format!("{left} more like this are not shown: {}", code.title()),
                    &mut piece,
                );
                piece(Style::Plain, "\n");
            }
        }
        self.summary(&name, &mut piece);
    }

    fn one(&self, name: &str, found: &Diagnostic, piece: &mut impl FnMut(Style, &str)) {
        head(found.code(), found.message(), piece);
        let lines = [found.line(), found.other_line()].map(|line| line.to_string().len());
        let width = lines.into_iter().max().unwrap_or(1);
        let edge = " ".repeat(width);
        piece(Style::Frame, &format!("{edge}--> "));
        if found.line() == 0 {
            piece(Style::Plain, &format!("{name}\n"));
        } else {
            piece(
                Style::Plain,
                &format!("{name}:{}:{}\n", found.line(), found.column()),
            );
            piece(Style::Frame, &format!("{edge} |\n"));
            let own = (
                found.line(),
                found.span(),
                Style::Severity(found.severity()),
                "^",
            );
            let other = found.other_line();
            let other = (other > 0).then(|| (other, self.value_of(other), Style::Other, "-"));
            let mut marked: Vec<_> = [Some(own), other].into_iter().flatten().collect();
            marked.sort_by_key(|(line, ..)| *line);
            let mut before = None;
            for (line, span, style, mark) in marked {
                if before.is_some_and(|before: u32| before + 1 < line) {
                    piece(Style::Frame, "...\n");
                }
                before = Some(line);
                self.marked_line(line, span, style, mark, width, piece);
            }
        }
        if let Some(suggestion) = found.suggestion() {
            piece(Style::Frame, &format!("{edge} = "));
            piece(Style::Help, "help");
            piece(Style::Plain, &format!(": {suggestion}\n"));
        }
        piece(Style::Plain, "\n");
    }

    /// What is marked of another line: its value, or all of it.
    fn value_of(&self, line: u32) -> core::ops::Range<usize> {
        match self.line(line) {
            Some(line) if !line.value.is_empty() => line.value,
            Some(line) => line.span,
            None => 0..0,
        }
    }

    fn marked_line(
        &self,
        number: u32,
        span: core::ops::Range<usize>,
        style: Style,
        mark: &str,
        width: usize,
        piece: &mut impl FnMut(Style, &str),
    ) {
        let Some(line) = self.line(number) else {
            return;
        };
        let part = |range: core::ops::Range<usize>| -> Vec<char> {
            let octets = self.body().get(range).unwrap_or_default();
            String::from_utf8_lossy(octets).chars().map(shown).collect()
        };
        let start = span.start.clamp(line.span.start, line.span.end);
        let end = span.end.clamp(start, line.span.end);
        let (before, marked, after) = (
            part(line.span.start..start),
            part(start..end),
            part(end..line.span.end),
        );
        // Of a long line what is around the place.
        let all = before.len() + marked.len() + after.len();
        let skipped = if all > WIDTH {
            before.len().saturating_sub(BEFORE)
        } else {
            0
        };
        let mut text: String = before
            .iter()
            .skip(skipped)
            .chain(&marked)
            .chain(&after)
            .take(WIDTH)
            .collect();
        let column = before.len() - skipped + usize::from(skipped > 0);
        let marks = marked
            .len()
            .min(WIDTH - (before.len() - skipped).min(WIDTH - 1))
            .max(1);
        if skipped > 0 {
            text.insert(0, '…');
        }
        if all > skipped + WIDTH {
            text.push('…');
        }
        piece(Style::Frame, &format!("{number:>width$} | "));
        piece(Style::Plain, text.trim_end());
        piece(Style::Plain, "\n");
        piece(Style::Frame, &format!("{:width$} | ", ""));
        piece(
            style,
            &format!("{}{}\n", " ".repeat(column), mark.repeat(marks)),
        );
    }

    fn summary(&self, name: &str, piece: &mut impl FnMut(Style, &str)) {
        let counts: Vec<String> = Severity::ALL
            .into_iter()
            .rev()
            .filter_map(|severity| match self.total(severity) {
                0 => None,
                1 => Some(format!("1 {severity}")),
                total => Some(format!("{total} {severity}s")),
            })
            .collect();
        let counts = match counts.as_slice() {
            [] => "nothing to complain about".to_owned(),
            counts => counts.join(", "),
        };
        let plural = |count: u32, what: &str| match count {
            1 => format!("1 {what}"),
            _ => format!("{count} {what}s"),
        };
        let lines = plural(self.line_count(), "line");
        let groups = plural(self.group_count(), "group");
        piece(
            Style::Plain,
            &format!("{name}: {counts} ({lines}, {groups})\n"),
        );
    }
}

fn head(code: Code, message: &str, piece: &mut impl FnMut(Style, &str)) {
    piece(
        Style::Severity(code.severity()),
        &format!("{}[{code}]", code.severity()),
    );
    piece(Style::Message, &format!(": {message}\n"));
}

/// The report as plain text, of a file called `robots.txt`.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut done = Ok(());
        self.render("robots.txt", |_, piece| {
            if done.is_ok() {
                done = f.write_str(piece);
            }
        });
        done
    }
}
