//! Python classes of the package that the native part needs.

use pyo3::call::PyCallArgs;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// A class of a Python module of the package, imported at its first use.
pub(crate) struct Class {
    module: &'static str,
    pub(crate) name: &'static str,
    cell: PyOnceLock<Py<PyAny>>,
}

impl Class {
    /// A class of `librobots._types`.
    pub(crate) const fn new(name: &'static str) -> Class {
        Class {
            module: "librobots._types",
            name,
            cell: PyOnceLock::new(),
        }
    }

    /// An enumeration of `librobots._enums`.
    pub(crate) const fn enumeration(name: &'static str) -> Class {
        Class {
            module: "librobots._enums",
            name,
            cell: PyOnceLock::new(),
        }
    }

    /// A class of `librobots._errors`.
    pub(crate) const fn error(name: &'static str) -> Class {
        Class {
            module: "librobots._errors",
            name,
            cell: PyOnceLock::new(),
        }
    }

    /// Calls the class.
    pub(crate) fn call<'py>(
        &self,
        py: Python<'py>,
        arguments: impl PyCallArgs<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.get(py)?.call1(arguments)
    }

    /// Returns the class.
    pub(crate) fn get<'c, 'py>(&'c self, py: Python<'py>) -> PyResult<&'c Bound<'py, PyAny>> {
        let class = self.cell.get_or_try_init(py, || {
            let class = py.import(self.module)?.getattr(self.name)?;
            Ok::<_, PyErr>(class.unbind())
        })?;
        Ok(class.bind(py))
    }
}
