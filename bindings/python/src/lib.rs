//! The native part of the Python package `librobots`.
//!
//! Each file wraps one type of the engine. Arguments are converted, one function of the engine is called, and the result is
//! converted. Enumerations are Python classes of `librobots/_enums.py`, records of `librobots/_types.py`; `python` imports them when they are first
//! needed. All classes are immutable or hold a mutex, so the module needs no global interpreter lock.

mod argument;
mod arrow;
mod arrow_export;
mod batch;
mod cache;
mod class;
mod columns;
mod crawler;
mod difference;
mod error;
mod explanation;
mod extensions;
mod fetch;
mod numpy;
mod one_argument;
mod origin;
mod page;
mod preset;
mod python;
mod report;
mod rules;
mod sites;
mod stored;
mod strings;
mod table;
mod table_uses;
mod text;
mod threads;
mod uses;
mod verdict;

use pyo3::prelude::*;

/// The module `librobots._librobots`.
#[pymodule(gil_used = false)]
fn _librobots(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<batch::Verdicts>()?;
    module.add_class::<cache::Cache>()?;
    module.add_class::<cache::CacheDecision>()?;
    module.add_class::<cache::Ticket>()?;
    module.add_class::<crawler::Crawler>()?;
    module.add_class::<difference::Difference>()?;
    module.add_class::<difference::DifferentPath>()?;
    module.add_class::<explanation::Explanation>()?;
    module.add_class::<extensions::Extensions>()?;
    module.add_class::<fetch::Fetch>()?;
    module.add_class::<origin::Origin>()?;
    module.add_class::<crawler::Outcome>()?;
    module.add_class::<page::PageControls>()?;
    module.add_class::<report::Report>()?;
    module.add_class::<rules::Rules>()?;
    one_argument::add(module.py())?;
    module.add_class::<sites::Sites>()?;
    module.add_class::<sites::SitesReader>()?;
    module.add_class::<table::TableAnswers>()?;
    module.add_class::<uses::Uses>()?;
    module.add_class::<verdict::Verdict>()?;
    module.add_function(wrap_pyfunction!(table::check_table, module)?)?;
    module.add_function(wrap_pyfunction!(table::filter_table, module)?)?;
    module.add_function(wrap_pyfunction!(report::format_file, module)?)?;
    module.add_function(wrap_pyfunction!(preset::presets, module)?)?;
    module.add_function(wrap_pyfunction!(sites::body_doubt, module)?)?;
    module.add_function(wrap_pyfunction!(stored::_read_response, module)?)?;
    module.add_function(wrap_pyfunction!(origin::url_to_send, module)?)?;
    Ok(())
}
