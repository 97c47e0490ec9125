//! The command `robots`: checks, explains, lints, formats and compares robots.txt files.
//!
//! One module per subcommand. Shared: `crawler` (options of the crawler), `subject` (the file or the live site), `input` (files
//! and their errors), `live` (requests) and `screen` (output). `check` runs on `stream`, which reads URLs of any number.

mod audit;
mod check;
mod clock;
mod column;
mod crawler;
mod crawler_names;
mod crawlers;
mod diff;
mod escapes;
mod expect;
mod explain;
mod fault;
#[cfg(feature = "live")]
mod fetch;
mod file_groups;
mod filter;
mod fmt;
mod generate;
mod groups;
mod image;
mod input;
mod lint;
#[cfg(feature = "live")]
mod live;
mod new;
mod other_sites;
mod policy;
mod progress;
mod replay;
mod screen;
mod signals;
mod stream;
mod subject;
mod urls;
mod use_command;
mod uses;
mod verdict;
mod where_command;
mod words;

use clap::{Parser, Subcommand};
use fault::{Exit, Fault};

/// Check, explain, lint, format and compare robots.txt files.
#[derive(Parser)]
#[command(
    name = "robots",
    version,
    max_term_width = 100,
    propagate_version = true,
    after_help = "\
Examples:
  robots new --folder /cart/ --all-but GPTBot -o robots.txt
  robots check -a ExampleBot robots.txt https://example.com/private/
  robots explain -a ExampleBot robots.txt https://example.com/private/
  robots lint --deny warnings robots.txt
  zcat urls.gz | robots check -a ExampleBot robots.txt --json

`robots help COMMAND` describes each command, with examples.
Exit status of every command: 0 yes; 1 no (disallowed, differs, has faults); 2 bad input or usage;
3 the site is unreachable: try again later."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Check(check::Args),
    Filter(filter::Args),
    Explain(explain::Args),
    Policy(policy::Args),
    Use(use_command::Args),
    Replay(replay::Args),
    Audit(audit::Args),
    Crawlers(crawlers::Args),
    Where(where_command::Args),
    #[cfg(feature = "live")]
    Fetch(fetch::Args),
    New(new::Args),
    Test(expect::Args),
    Lint(lint::Args),
    Fmt(fmt::Args),
    Groups(groups::Args),
    Diff(diff::Args),
    Image(image::Args),
    Generate(generate::Args),
}

fn run(command: Command) -> Result<Exit, Fault> {
    match command {
        Command::Check(args) => check::run(args),
        Command::Filter(args) => filter::run(args),
        Command::Explain(args) => explain::run(args),
        Command::Policy(args) => policy::run(args),
        Command::Use(args) => use_command::run(args),
        Command::Replay(args) => replay::run(args),
        Command::Audit(args) => audit::run(args),
        Command::Crawlers(args) => crawlers::run(args),
        Command::Where(args) => where_command::run(args),
        #[cfg(feature = "live")]
        Command::Fetch(args) => fetch::run(args),
        Command::New(args) => new::run(args),
        Command::Test(args) => expect::run(args),
        Command::Lint(args) => lint::run(args),
        Command::Fmt(args) => fmt::run(args),
        Command::Groups(args) => groups::run(args),
        Command::Diff(args) => diff::run(args),
        Command::Image(args) => image::run(args),
        Command::Generate(args) => generate::run::<Cli>(args),
    }
}

fn main() -> std::process::ExitCode {
    if let Err(fault) = crawler_names::refuse_expanded_star() {
        return fault.report();
    }
    match run(Cli::parse().command) {
        Ok(exit) => exit.into(),
        Err(fault) => fault.report(),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    /// A longer line breaks in the middle, on any terminal.
    #[test]
    fn the_help_after_the_options_fits_its_width() {
        let root = super::Cli::command();
        let mut long = Vec::new();
        for command in root.get_subcommands().chain([&root]) {
            let texts = [command.get_after_help(), command.get_after_long_help()];
            let texts = texts.into_iter().flatten().map(ToString::to_string);
            for text in texts {
                let lines = text.lines().filter(|line| line.chars().count() > 100);
                long.extend(lines.map(|line| format!("{}: {line}", command.get_name())));
            }
        }
        assert!(long.is_empty(), "{long:#?}");
    }
}
