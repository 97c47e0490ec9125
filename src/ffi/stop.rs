//! Why a function of the C API did not succeed: an error of the core, or what only C needs to know.

use super::status::{ROBOTS_E_SPACE, ROBOTS_END, robots_status};
use crate::error::Error;

/// The reason for a status other than `ROBOTS_OK`.
#[derive(Clone, Copy)]
pub(super) enum Stop {
    Error(Error),
    /// The list has no such index: it ended before.
    End,
    /// The caller's buffer is too small.
    Space,
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Error(error)
    }
}

impl Stop {
    pub(super) fn status(self) -> robots_status {
        match self {
            Stop::Error(error) => error.code().into(),
            Stop::End => ROBOTS_END,
            Stop::Space => ROBOTS_E_SPACE,
        }
    }
}
