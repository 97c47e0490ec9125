//! The bodies of robots.txt files, and the numbers that describe many of them.

use crate::text::grouped;
use std::fmt;

/// The body of one file.
pub struct Body {
    pub bytes: Vec<u8>,
    /// The same as UTF-8, for engines that take nothing else.
    pub text: String,
}

impl Body {
    pub fn new(bytes: Vec<u8>) -> Self {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Self { bytes, text }
    }

    /// The paths of all allow and disallow lines, of whatever group.
    pub fn rules(&self) -> impl Iterator<Item = &[u8]> {
        self.bytes
            .split(|byte| matches!(byte, b'\n' | b'\r'))
            .filter_map(rule)
    }
}

/// The path of a line `allow: path` or `disallow: path`.
fn rule(line: &[u8]) -> Option<&[u8]> {
    let line = line.split(|byte| *byte == b'#').next()?;
    let colon = line.iter().position(|byte| *byte == b':')?;
    let (field, value) = (line[..colon].trim_ascii(), line[colon + 1..].trim_ascii());
    let known = field.eq_ignore_ascii_case(b"disallow") || field.eq_ignore_ascii_case(b"allow");
    (known && !value.is_empty()).then_some(value)
}

/// The numbers a generated corpus has in common with a real one.
pub struct Shape {
    source: &'static str,
    files: usize,
    mean_bytes: f64,
    median_bytes: usize,
    mean_rules: f64,
    most_rules: usize,
    /// Of all rules, percent.
    starred: f64,
    ended: f64,
    escaped: f64,
    urls: usize,
    mean_url: f64,
}

impl Shape {
    pub fn of(source: &'static str, files: &[(String, Body)]) -> Self {
        let count = files.len() as f64;
        let mut sizes: Vec<usize> = files.iter().map(|(_, body)| body.bytes.len()).collect();
        sizes.sort_unstable();
        let rules: Vec<&[u8]> = files.iter().flat_map(|(_, body)| body.rules()).collect();
        let percent = |wanted: fn(&&&[u8]) -> bool| {
            100.0 * rules.iter().filter(wanted).count() as f64 / rules.len().max(1) as f64
        };
        Self {
            source,
            files: files.len(),
            mean_bytes: sizes.iter().sum::<usize>() as f64 / count,
            median_bytes: sizes[sizes.len() / 2],
            mean_rules: rules.len() as f64 / count,
            most_rules: files
                .iter()
                .map(|(_, body)| body.rules().count())
                .max()
                .unwrap_or(0),
            starred: percent(|rule| rule.contains(&b'*')),
            ended: percent(|rule| rule.ends_with(b"$")),
            escaped: percent(|rule| rule.contains(&b'%')),
            urls: 0,
            mean_url: 0.0,
        }
    }

    /// Adds the number of URLs and their mean length.
    pub fn count_urls<'u>(&mut self, urls: impl Iterator<Item = &'u String>) {
        let lengths: Vec<usize> = urls.map(String::len).collect();
        self.urls = lengths.len();
        self.mean_url = lengths.iter().sum::<usize>() as f64 / lengths.len().max(1) as f64;
    }

    /// Fails when the generated corpus has drifted from the shape of the real one.
    pub fn assert_is_real(&self) {
        let near = |what: &str, found: f64, wanted: f64, within: f64| {
            assert!(
                (found - wanted).abs() <= wanted * within,
                "{what}: {found}, not near {wanted}, in {self}"
            );
        };
        near("bytes, mean", self.mean_bytes, 4100.0, 0.05);
        near("bytes, median", self.median_bytes as f64, 561.0, 0.05);
        near("rules, mean", self.mean_rules, 49.0, 0.05);
        near("rules, most", self.most_rules as f64, 31_000.0, 0.01);
        near("percent of rules with *", self.starred, 18.0, 0.05);
        near("percent of rules ending in $", self.ended, 2.0, 0.1);
        near("percent of rules with escapes", self.escaped, 0.9, 0.15);
    }
}

impl Shape {
    /// What the files are, and each statistic with its name.
    pub fn statistics(&self) -> (&'static str, [(&'static str, String); 9]) {
        let statistics = [
            ("files", grouped(self.files as u64)),
            ("bytes, mean", grouped(self.mean_bytes.round() as u64)),
            ("bytes, median", grouped(self.median_bytes as u64)),
            ("rules, mean", format!("{:.1}", self.mean_rules)),
            ("rules, most", grouped(self.most_rules as u64)),
            ("% of rules with `*`", format!("{:.1}", self.starred)),
            ("% of rules ending in `$`", format!("{:.1}", self.ended)),
            ("% of rules with escapes", format!("{:.2}", self.escaped)),
            ("bytes of a URL, mean", format!("{:.1}", self.mean_url)),
        ];
        (self.source, statistics)
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (source, statistics) = self.statistics();
        write!(f, "{source}, {} URLs", self.urls)?;
        let mut each = statistics.iter();
        each.try_for_each(|(name, text)| write!(f, "; {name}: {text}"))
    }
}
