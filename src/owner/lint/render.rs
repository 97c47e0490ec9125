//! Writes a report as text in the style of rustc: the message, the place, and the marked line. Nothing here allocates.

use core::fmt::{self, Arguments, Display, Formatter, Write};
use core::ops::Range;

use super::Report;
use super::codes::{Code, Severity};
use super::diagnostic::{Diagnostic, characters};
use crate::bytes::display::from_fn;

/// The style of a piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Style {
    /// Ordinary text and the lines of the file.
    Plain,
    /// The code, as in `error[R051]`, and the mark below the line.
    Severity(Severity),
    /// The message.
    Message,
    /// Line numbers and the frame.
    Frame,
    /// The mark below a related line.
    Other,
    /// The word `help`.
    Help,
}

/// Upper bound on the diagnostics of each code that are shown; further diagnostics are only counted.
const SHOWN_OF_A_KIND: u64 = 10;

/// Upper bound on the columns shown of a line.
const WIDTH: usize = 100;

/// Number of columns shown before the mark if a line is longer than [`WIDTH`].
const BEFORE: usize = 40;

impl Report {
    /// Writes the report as text: the first ten diagnostics of each code with their lines, then a summary. `name`: the file
    /// name to show. `piece` receives the text in pieces, each with a style. No piece holds control characters except line
    /// ends.
    ///
    /// ```
    /// use robots::Style;
    /// use std::fmt::Write;
    ///
    /// let crawler = robots::Crawler::new("ExampleBot")?;
    /// let report = robots::lint(&crawler, "User-agent: *\nDisalow /tmp/\n")?;
    /// let mut text = String::new();
    /// report.render("robots.txt", |style, piece| match style {
    ///     Style::Severity(_) => write!(text, "\x1b[1;31m{piece}\x1b[0m"),
    ///     _ => write!(text, "{piece}"),
    /// })?;
    /// assert!(text.contains("\x1b[1;31mwarning[R022]"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The first error of `piece`. After an error, `piece` is not called again.
    pub fn render(
        &self,
        name: &str,
        mut piece: impl FnMut(Style, Arguments<'_>) -> fmt::Result,
    ) -> fmt::Result {
        let name = from_fn(|f| characters(name.as_bytes()).try_for_each(|it| f.write_char(it)));
        let mut seen = [0_u64; Code::ALL.len()];
        let shown_of = |code: Code| match self.total_of(code) {
            // If only one more diagnostic is left, show it: a line that counts one diagnostic takes as much space.
            total if total <= SHOWN_OF_A_KIND + 1 => total,
            _ => SHOWN_OF_A_KIND,
        };
        for found in self.diagnostics() {
            let mut counts = Code::ALL.iter().zip(&mut seen);
            let Some((_, count)) = counts.find(|(code, _)| **code == found.code) else {
                continue;
            };
            *count += 1;
            if *count <= shown_of(found.code) {
                self.one(&name, found, &mut piece)?;
            }
        }
        for (code, total) in self.totals() {
            let left = total - shown_of(*code);
            if left > 0 {
                let title = code.title();
                head(
                    *code,
                    format_args!("{left} more like this are not shown: {title}"),
                    &mut piece,
                )?;
                piece(Style::Plain, format_args!("\n"))?;
            }
        }
        self.summary(&name, &mut piece)
    }

    fn total_of(&self, code: Code) -> u64 {
        let total = self.totals().iter().find(|(of, _)| *of == code);
        total.map_or(0, |(_, total)| *total)
    }

    fn one(&self, name: impl Display, found: &Diagnostic, piece: Piece<'_>) -> fmt::Result {
        head(found.code, format_args!("{}", found.message), piece)?;
        let (line, other) = (found.line, found.other_line);
        let width = line.max(other).checked_ilog10().unwrap_or(0) as usize + 1;
        let edge = from_fn(|f| write!(f, "{:width$}", ""));
        piece(Style::Frame, format_args!("{edge}--> "))?;
        if line == 0 {
            piece(Style::Plain, format_args!("{name}\n"))?;
        } else {
            let column = found.column;
            piece(Style::Plain, format_args!("{name}:{line}:{column}\n"))?;
            piece(Style::Frame, format_args!("{edge} |\n"))?;
            let own = Mark {
                line,
                span: found.span.clone(),
                style: Style::Severity(found.severity()),
                sign: '^',
            };
            let other = (other > 0).then(|| Mark {
                line: other,
                span: self.value_of(other),
                style: Style::Other,
                sign: '-',
            });
            let (first, second) = match other {
                Some(other) if other.line < own.line => (other, Some(own)),
                other => (own, other),
            };
            self.marked_line(&first, width, piece)?;
            if let Some(second) = second {
                if first.line + 1 < second.line {
                    piece(Style::Frame, format_args!("...\n"))?;
                }
                self.marked_line(&second, width, piece)?;
            }
        }
        if let Some(suggestion) = &found.suggestion {
            piece(Style::Frame, format_args!("{edge} = "))?;
            piece(Style::Help, format_args!("help"))?;
            piece(Style::Plain, format_args!(": {suggestion}\n"))?;
        }
        piece(Style::Plain, format_args!("\n"))
    }

    /// Returns the range to mark on a related line: its value, or the whole line if it has no value.
    fn value_of(&self, line: u32) -> Range<usize> {
        match self.line(line) {
            Some(line) if !line.value.is_empty() => line.value,
            Some(line) => line.span,
            None => 0..0,
        }
    }

    /// Writes a line, and a mark below a part of the line.
    fn marked_line(&self, mark: &Mark, width: usize, piece: Piece<'_>) -> fmt::Result {
        let Mark {
            line: number, span, ..
        } = mark;
        let Some(line) = self.line(*number) else {
            return Ok(());
        };
        let part = |range: Range<usize>| characters(self.body().get(range).unwrap_or_default());
        let start = span.start.clamp(line.span.start, line.span.end);
        let end = span.end.clamp(start, line.span.end);
        let before = || part(line.span.start..start);
        let marked = || part(start..end);
        let after = || part(end..line.span.end);
        // If a line is long, only the part around the mark is shown.
        let (column, marks) = (before().count(), marked().count());
        let all = column + marks + after().count();
        let skipped = if all > WIDTH {
            column.saturating_sub(BEFORE)
        } else {
            0
        };
        let column = column - skipped;
        let marks = marks.min(WIDTH - column.min(WIDTH - 1)).max(1);
        let (start, end) = (skipped > 0, all > skipped + WIDTH);
        let text = from_fn(|f| {
            let text = before().skip(skipped).chain(marked()).chain(after());
            let start = start.then_some('…').into_iter();
            let end = end.then_some('…');
            write_trimmed(f, start.chain(text.take(WIDTH)).chain(end))
        });
        let column = column + usize::from(start);
        piece(Style::Frame, format_args!("{number:>width$} | "))?;
        piece(Style::Plain, format_args!("{text}"))?;
        piece(Style::Plain, format_args!("\n"))?;
        piece(Style::Frame, format_args!("{:width$} | ", ""))?;
        let marks = from_fn(|f| (0..marks).try_for_each(|_| f.write_char(mark.sign)));
        piece(mark.style, format_args!("{:column$}{marks}\n", ""))
    }

    fn summary(&self, name: impl Display, piece: Piece<'_>) -> fmt::Result {
        let counts = from_fn(|f| {
            let mut separator = "";
            for severity in Severity::ALL.into_iter().rev() {
                let total = self.total(severity);
                if total > 0 {
                    write!(f, "{separator}{}", counted(total, severity))?;
                    separator = ", ";
                }
            }
            match separator {
                "" => f.write_str("no faults"),
                _ => Ok(()),
            }
        });
        let lines = counted(self.line_count().into(), "line");
        let groups = counted(self.group_count().into(), "group");
        piece(
            Style::Plain,
            format_args!("{name}: {counts} ({lines}, {groups})\n"),
        )
    }
}

struct Mark {
    line: u32,
    span: Range<usize>,
    style: Style,
    sign: char,
}

type Piece<'p> = &'p mut dyn FnMut(Style, Arguments<'_>) -> fmt::Result;

fn head(code: Code, message: Arguments<'_>, piece: Piece<'_>) -> fmt::Result {
    let severity = code.severity();
    piece(
        Style::Severity(severity),
        format_args!("{severity}[{code}]"),
    )?;
    piece(Style::Message, format_args!(": {message}\n"))
}

/// Returns a count and its noun, such as `1 line` or `2 lines`.
fn counted(count: u64, what: impl Display) -> impl Display {
    from_fn(move |f| match count {
        1 => write!(f, "1 {what}"),
        _ => write!(f, "{count} {what}s"),
    })
}

/// Writes characters without trailing spaces. [`characters`] returns no other white space.
fn write_trimmed(f: &mut Formatter<'_>, characters: impl Iterator<Item = char>) -> fmt::Result {
    let mut spaces = 0;
    for character in characters {
        if character == ' ' {
            spaces += 1;
        } else {
            write!(f, "{:spaces$}{character}", "")?;
            spaces = 0;
        }
    }
    Ok(())
}

/// Writes the report as plain text with the file name `robots.txt`.
impl Display for Report {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.render("robots.txt", |_, piece| f.write_fmt(piece))
    }
}
