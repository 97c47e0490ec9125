//! How a run ends.

use std::fmt::Display;
use std::io;
use std::process::ExitCode;

/// What a run that did its work found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// All allowed, no difference, no fault.
    Yes,
    /// Something disallowed, different or at fault.
    No,
    /// Some of the input could not be answered; what is wrong was said where it stands.
    BadInput,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::Yes => 0,
            Exit::No => 1,
            Exit::BadInput => 2,
        })
    }
}

/// Why a run could not do its work.
#[derive(Debug)]
pub(crate) enum Fault {
    /// In words, with what to do next.
    Said(String),
    /// Nobody reads what is printed any more.
    BrokenPipe,
}

/// What a shell sees of a program that ended as it wrote into a closed pipe: 128 + SIGPIPE. Never 0, which
/// would say that all is allowed.
const BROKEN_PIPE: u8 = 141;

impl Fault {
    pub(crate) fn new(text: impl Into<String>) -> Fault {
        Fault::Said(text.into())
    }

    /// Of an image that is none.
    pub(crate) fn of_image(name: impl Display, error: robots::Error) -> Fault {
        Fault::new(format!("{name}: {error} (robots image make)"))
    }

    /// Of the output.
    pub(crate) fn of_output(error: &io::Error) -> Fault {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Fault::BrokenPipe,
            _ => Fault::new(format!(
                "cannot write the output: {error}; see that there is room where it goes"
            )),
        }
    }

    /// Says what is wrong on standard error.
    pub(crate) fn report(self) -> ExitCode {
        match self {
            Fault::BrokenPipe => ExitCode::from(BROKEN_PIPE),
            Fault::Said(text) => {
                complain(&text);
                ExitCode::from(2)
            }
        }
    }
}

/// Says on standard error what is wrong.
pub(crate) fn complain(text: &str) {
    use io::Write as _;
    // Where even that cannot be written, the exit status says it.
    let _ = writeln!(io::stderr(), "robots: {text}");
}
