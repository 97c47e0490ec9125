//! Presets: well-known crawlers.

use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use crate::class::Class;
use crate::python::{PURPOSE, dialect_member};

static PRESET: Class = Class::new("Preset");

/// Returns the well-known crawlers that `Crawler.preset` creates: a list of `Preset`, those of an operator together.
#[pyfunction]
pub(crate) fn presets(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let presets = robots::Preset::all().map(|preset| {
        PRESET.call(
            py,
            (
                preset.name(),
                PyTuple::new(py, preset.tokens())?,
                dialect_member(py, preset.dialect())?,
                preset.ignores_star(),
                PURPOSE.get(py, preset.purpose() as u32)?,
                preset.is_control_token(),
                preset.may_ignore(),
                preset.documentation(),
            ),
        )
    });
    let presets: PyResult<Vec<_>> = presets.collect();
    PyList::new(py, presets?)
}
