//! Exit statuses and errors.

use std::fmt::Display;
use std::io;
use std::process::ExitCode;

use crate::escapes::safe;

/// The result of a complete run, by rising priority. Every command uses the same scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// All allowed, no difference, no fault.
    Yes,
    /// Something is disallowed, differs or has faults.
    No,
    /// A robots.txt or a page cannot be fetched: nothing is known, and a later run may succeed.
    Unreachable,
    /// Some of the input was invalid and has been reported.
    BadInput,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::Yes => 0,
            Exit::No => 1,
            Exit::BadInput => 2,
            Exit::Unreachable => 3,
        })
    }
}

/// Why a run failed.
#[derive(Debug)]
pub(crate) enum Fault {
    /// A message with what to do next.
    Said(String),
    /// The message for a robots.txt that cannot be fetched.
    Outage(String),
    /// The reader of the output closed the pipe.
    BrokenPipe,
}

/// The exit status after a closed pipe: 128 + SIGPIPE. Never 0, which would mean that all is allowed.
const BROKEN_PIPE: u8 = 141;

impl Fault {
    pub(crate) fn new(text: impl Into<String>) -> Fault {
        Fault::Said(text.into())
    }

    /// Returns the error for a value of an option, whose line ends are escaped.
    pub(crate) fn of_option(option: &str, value: &str, what: impl Display) -> Fault {
        Fault::new(format!("{option} {}: {what}", safe(value.as_bytes())))
    }

    /// Returns the error for an invalid image.
    pub(crate) fn of_image(name: impl Display, error: robots::Error) -> Fault {
        Fault::new(format!("{name}: {error} (robots image make)"))
    }

    /// Returns the error for the output.
    pub(crate) fn of_output(error: &io::Error) -> Fault {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Fault::BrokenPipe,
            _ => Fault::new(format!(
                "cannot write the output: {error}; check the free space"
            )),
        }
    }

    /// Writes the error to standard error.
    pub(crate) fn report(self) -> ExitCode {
        match self {
            Fault::BrokenPipe => ExitCode::from(BROKEN_PIPE),
            Fault::Said(text) => {
                complain(&text);
                Exit::BadInput.into()
            }
            Fault::Outage(text) => {
                complain(&text);
                Exit::Unreachable.into()
            }
        }
    }
}

/// Writes a message to standard error.
pub(crate) fn complain(text: &str) {
    use io::Write as _;
    let lines: Vec<_> = text.lines().map(|line| safe(line.as_bytes())).collect();
    // If this fails, the exit status remains.
    let _ = writeln!(io::stderr(), "robots: {}", lines.join("\n"));
}
