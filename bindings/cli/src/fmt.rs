//! `robots fmt`: rewrites robots.txt files in canonical layout.

use std::path::{Path, PathBuf};

use robots::limits::MIN_MAX_BYTES;

use crate::fault::{Exit, Fault, complain};
use crate::input;
use crate::screen;

/// Rewrite robots.txt files in canonical layout, without changing a verdict
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  robots fmt robots.txt
  robots fmt --write robots.txt other/robots.txt
  robots fmt --check robots.txt && echo formatted

Corrects field names, writes one space after the colon and one blank line between groups, removes
the byte order mark, and ends lines in LF. Comments, values and the order of lines stay. No verdict
of any crawler in any dialect changes: a line that cannot be rewritten safely stays as it is (a
blank line inside a group ends it for crawlers of the draft of 1996).

Exit status: 0 done; 1 with --check, a file would change; 2 a file cannot be read, written or
formatted, and stays as it is.")]
pub(crate) struct Args {
    /// The files (`-`: standard input); without --write or --check a single file, which is printed
    #[arg(value_name = "ROBOTS_TXT", required = true)]
    files: Vec<PathBuf>,
    /// Write each file in place
    #[arg(short, long, conflicts_with = "check")]
    write: bool,
    /// Write nothing; print the names of files that would change
    #[arg(short, long)]
    check: bool,
    /// Print no names; use the exit status
    #[arg(short, long, requires = "check")]
    quiet: bool,
}

pub(crate) fn run(args: Args) -> Result<Exit, Fault> {
    if args.files.len() > 1 && !args.write && !args.check {
        return Err(Fault::new(
            "several files cannot be printed as one: add --write to write each in place, or --check",
        ));
    }
    let mut exit = Exit::Yes;
    for path in &args.files {
        exit = exit.max(one(path, &args)?);
    }
    Ok(exit)
}

fn one(path: &Path, args: &Args) -> Result<Exit, Fault> {
    let body = input::read(path, MIN_MAX_BYTES + 1)?;
    let name = input::shown(path);
    let formatted = match robots::format(&body) {
        Ok(formatted) => formatted.text,
        Err(reason) => {
            complain(&format!("{name} stays as it is: it is {reason}"));
            return Ok(Exit::BadInput);
        }
    };
    let is_changed = formatted != body;
    if args.check {
        if is_changed {
            if !args.quiet {
                screen::print(format!("{name}\n"))?;
            }
            return Ok(Exit::No);
        }
    } else if !args.write || path.as_os_str() == input::STANDARD_INPUT {
        screen::print(formatted)?;
    } else if is_changed {
        if let Err(fault) = input::refuse_other_than_text(&name, &body) {
            fault.report();
            return Ok(Exit::BadInput);
        }
        input::write(path, &formatted)?;
    }
    Ok(Exit::Yes)
}
