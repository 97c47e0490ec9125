//! The command line.

use crate::measure::Effort;
use crate::table::NAMES;
use std::env;

pub const HELP: &str = "\
librobots beside its Rust peers, in one table.

  cargo run --release -p librobots-bench -- [options]

  --quick         a few files, one round, small rule sets: shows that everything runs, its figures mean nothing
  --only NAMES    engines to run, separated by commas: librobots, texting_robots, robotxt, robotstxt
  --row TEXTS     rows to run, separated by commas: those of that name, else those whose name contains the text
  --sites NUMBER  sites of the rows cache-*, 1000000 unless given
  --json FILE     write the figures with the range of their rounds, too
  --list          the names of the rows
  --help          this text

ROBOTS_CORPUS names a folder of robots.txt files; without it the files are generated.
";

pub struct Options {
    pub quick: bool,
    pub list: bool,
    pub help: bool,
    pub json: Option<String>,
    sites: Option<usize>,
    only: Vec<String>,
    row: Vec<String>,
    /// The names of all rows.
    rows: Vec<String>,
}

impl Options {
    /// Reads the command line; `rows` are the names of all rows.
    pub fn from_command_line(rows: Vec<String>) -> Result<Self, String> {
        let mut options = Self {
            quick: false,
            list: false,
            help: false,
            json: None,
            sites: None,
            only: Vec::new(),
            row: Vec::new(),
            rows,
        };
        let mut words = env::args().skip(1);
        while let Some(word) = words.next() {
            let mut values = |of: &str| {
                let value = words
                    .next()
                    .ok_or(format!("{of} needs a value; see --help"))?;
                Ok::<_, String>(value.split(',').map(str::to_owned).collect::<Vec<_>>())
            };
            match word.as_str() {
                "--quick" => options.quick = true,
                "--list" => options.list = true,
                "--help" | "-h" => options.help = true,
                "--only" => options.only.extend(values("--only")?),
                "--json" => options.json = values("--json")?.pop(),
                "--sites" => {
                    let sites = values("--sites")?.concat().parse();
                    options.sites = Some(sites.map_err(|_| "--sites needs a number; see --help")?);
                }
                "--row" => options.row.extend(values("--row")?),
                _ => return Err(format!("unknown option {word}; see --help")),
            }
        }
        options.check()?;
        Ok(options)
    }

    /// A name that means nothing is an error, not an empty table.
    fn check(&self) -> Result<(), String> {
        let no_engine = |name: &&String| !NAMES.contains(&name.as_str());
        let no_row = |text: &&String| !self.rows.iter().any(|row| row.contains(text.as_str()));
        if let Some(name) = self.only.iter().find(no_engine) {
            return Err(format!("no engine {name}; there are {}", NAMES.join(", ")));
        }
        if let Some(text) = self.row.iter().find(no_row) {
            return Err(format!("no row {text}; see --list"));
        }
        Ok(())
    }

    pub fn effort(&self) -> Effort {
        if self.quick {
            Effort::QUICK
        } else {
            Effort::FULL
        }
    }

    /// Number of sites of the rows of the cache.
    pub fn sites(&self) -> usize {
        let default = if self.quick { 10_000 } else { 1_000_000 };
        self.sites.unwrap_or(default)
    }

    pub fn wants_engine(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == name)
    }

    pub fn wants_row(&self, name: &str) -> bool {
        // `decide` is a row of its own and not every row that decides.
        let fits = |text: &String| {
            if self.rows.contains(text) {
                name == text
            } else {
                name.contains(text.as_str())
            }
        };
        self.row.is_empty() || self.row.iter().any(fits)
    }
}
