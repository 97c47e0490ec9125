//! Python classes that the native part needs: enumerations, records and exceptions.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyString;
use robots::{Dialect, Error};

use crate::argument::{Now, instance, number};
use crate::class::Class;
use crate::error::about;

/// A Python enumeration. Its members are kept by number, because a call of the class takes long.
pub(crate) struct Members {
    class: Class,
    kept: [PyOnceLock<Py<PyAny>>; 32],
}

impl Members {
    pub(crate) const fn new(name: &'static str) -> Members {
        Members {
            class: Class::enumeration(name),
            kept: [const { PyOnceLock::new() }; 32],
        }
    }

    /// Returns the member with this number.
    pub(crate) fn get(&self, py: Python<'_>, code: u32) -> PyResult<Py<PyAny>> {
        let make = || self.class.call(py, (code,)).map(Bound::unbind);
        match self.kept.get(code as usize) {
            Some(place) => Ok(place.get_or_try_init(py, make)?.clone_ref(py)),
            None => make(),
        }
    }

    /// Returns the number of the member that an argument is or names, in any case.
    pub(crate) fn number(&self, value: &Bound<'_, PyAny>) -> PyResult<u32> {
        let class = self.class.name;
        let wanted = format!("a member of {class}, or its name");
        let Ok(name) = value.cast::<PyString>() else {
            return number(class, value, &wanted);
        };
        let name = name.to_string();
        let members = self.class.get(value.py())?;
        let member = members.getattr_opt(name.to_ascii_uppercase())?;
        match member.and_then(|member| member.extract().ok()) {
            Some(number) => Ok(number),
            None => {
                let message = format!("unknown {class} {name:?}: pass {wanted}");
                Err(about(value.py(), Error::Argument, &message))
            }
        }
    }

    /// Returns the name of the member with this number.
    pub(crate) fn name(&self, py: Python<'_>, code: u32) -> PyResult<String> {
        self.get(py, code)?.bind(py).getattr("name")?.extract()
    }
}

pub(crate) static REASON: Members = Members::new("Reason");
pub(crate) static OUTCOME_KIND: Members = Members::new("OutcomeKind");
pub(crate) static CAUSE: Members = Members::new("Cause");
pub(crate) static FETCH_OPTION: Members = Members::new("FetchOption");
pub(crate) static PURPOSE: Members = Members::new("Purpose");

static DIALECT: Class = Class::enumeration("Dialect");

/// The dialects by their names in Python.
const DIALECTS: [(&str, Dialect); 3] = [
    ("rfc9309", Dialect::Rfc9309),
    ("google", Dialect::Google),
    ("koster1996", Dialect::Koster1996),
];

/// Returns the dialect that an argument names, in any case.
pub(crate) fn dialect_from(name: &Bound<'_, PyAny>) -> PyResult<Dialect> {
    const WANTED: &str = "\"rfc9309\", \"google\" or \"koster1996\"";
    let name = instance::<PyString>("dialect", name, WANTED)?;
    let (py, name) = (name.py(), name.to_string());
    let known = DIALECTS
        .iter()
        .find(|(known, _)| known.eq_ignore_ascii_case(&name));
    known.map(|(_, dialect)| *dialect).ok_or_else(|| {
        let message = format!("unknown dialect {name:?}: pass {WANTED}");
        about(py, Error::Argument, &message)
    })
}

/// Returns the name of a dialect.
pub(crate) fn dialect_name(dialect: Dialect) -> &'static str {
    let known = DIALECTS.iter().find(|(_, known)| *known == dialect);
    known.map_or("rfc9309", |(name, _)| name)
}

/// Returns the member of `Dialect`.
pub(crate) fn dialect_member<'py>(
    py: Python<'py>,
    dialect: Dialect,
) -> PyResult<Bound<'py, PyAny>> {
    DIALECT.call(py, (dialect_name(dialect),))
}

/// The end of the year 9999. A time in milliseconds is later: an outage of an hour would seem to last for weeks.
const LAST_TIME: f64 = 253_402_300_799.0;

/// The engine takes an earlier time in milliseconds for one in seconds.
const FIRST_TIME: f64 = 100_000_000.0;

/// Returns the time in an argument, or that of `time.time()`.
fn time_of(py: Python<'_>, now: Option<Now>) -> PyResult<f64> {
    match now {
        Some(Now(now)) => Ok(now),
        None => py.import("time")?.call_method0("time")?.extract(),
    }
}

fn invalid_time(py: Python<'_>, name: &str, time: f64) -> PyErr {
    let message =
        format!("{name}={time}: pass seconds since 1970-01-01 UTC, as time.time() returns them");
    about(py, Error::Argument, &message)
}

/// Returns a time in seconds: `now`, or the time of `time.time()`.
pub(crate) fn seconds(py: Python<'_>, now: Option<Now>) -> PyResult<u64> {
    in_seconds(py, "now", time_of(py, now)?)
}

/// Returns a time of an argument in seconds.
pub(crate) fn in_seconds(py: Python<'_>, name: &str, time: f64) -> PyResult<u64> {
    match (0.0..=LAST_TIME).contains(&time) {
        true => Ok(time as u64),
        false => Err(invalid_time(py, name, time)),
    }
}

/// As [`seconds`], in milliseconds.
pub(crate) fn milliseconds(py: Python<'_>, now: Option<Now>) -> PyResult<u64> {
    let now = time_of(py, now)?;
    match now < FIRST_TIME {
        true => Err(invalid_time(py, "now", now)),
        false => in_milliseconds(py, "now", now),
    }
}

/// Returns a time of an argument in milliseconds.
pub(crate) fn in_milliseconds(py: Python<'_>, name: &str, time: f64) -> PyResult<u64> {
    match (0.0..=LAST_TIME).contains(&time) {
        // To the nearest: the quotient of a number of milliseconds by 1,000 must stay that number.
        true => Ok((time * 1_000.0).round() as u64),
        false => Err(invalid_time(py, name, time)),
    }
}
