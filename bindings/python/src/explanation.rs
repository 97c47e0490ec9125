//! Explanations of verdicts.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use robots::{Matched, Quote};

use crate::class::Class;
use crate::python::{Members, dialect_from, dialect_member};
use crate::text::string;
use crate::verdict::Verdict;

static QUOTE: Class = Class::new("Quote");
static MATCH: Class = Class::new("Match");
static MATCH_RESULT: Members = Members::new("MatchResult");

/// Why a verdict is what it is.
#[pyclass(frozen, module = "librobots")]
pub(crate) struct Explanation {
    explanation: robots::Explanation,
}

impl From<robots::Explanation> for Explanation {
    fn from(explanation: robots::Explanation) -> Explanation {
        Explanation { explanation }
    }
}

fn quote<'py>(py: Python<'py>, quote: &Quote) -> PyResult<Bound<'py, PyAny>> {
    QUOTE.call(py, (quote.line, string(py, &quote.text)?))
}

fn matched<'py>(py: Python<'py>, rule: &Matched) -> PyResult<Bound<'py, PyAny>> {
    let result = MATCH_RESULT.get(py, rule.result as u32)?;
    let (text, path) = (string(py, &rule.quote.text)?, string(py, rule.path())?);
    let pattern = string(py, &rule.pattern)?;
    MATCH.call(
        py,
        (rule.quote.line, text, rule.allow, path, pattern, result),
    )
}

#[pymethods]
impl Explanation {
    /// The verdict.
    #[getter]
    fn verdict(&self) -> Verdict {
        self.explanation.verdict.into()
    }

    /// The dialect of the crawler.
    #[getter]
    fn dialect<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        dialect_member(py, self.explanation.dialect())
    }

    /// The URL.
    #[getter]
    fn url<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        string(py, &self.explanation.url)
    }

    /// Path and query of the URL, as they are compared.
    #[getter]
    fn path<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        string(py, &self.explanation.path)
    }

    /// The product token of the groups that the crawler obeys; `*` for everyone; None without a group.
    #[getter]
    fn token<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        let token = self.explanation.token.as_deref();
        token.map(|token| string(py, token)).transpose()
    }

    /// The user-agent lines of these groups: a list of `Quote`.
    #[getter]
    fn agents<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let agents = self.explanation.agents.iter();
        let agents: PyResult<Vec<_>> = agents.map(|agent| quote(py, agent)).collect();
        PyList::new(py, agents?)
    }

    /// How many rules these groups have.
    #[getter]
    fn rule_count(&self) -> usize {
        self.explanation.rule_count
    }

    /// The rules that match, the deciding rule first: a list of `Match`.
    #[getter]
    fn matches<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let rules = self.explanation.matched.iter();
        let rules: PyResult<Vec<_>> = rules.map(|rule| matched(py, rule)).collect();
        PyList::new(py, rules?)
    }

    /// The rule that decides, a `Match`; None if no rule does.
    #[getter]
    fn winner<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let winner = self.explanation.winner();
        winner.map(|rule| matched(py, rule)).transpose()
    }

    /// The verdicts of the other dialects, by `Dialect`.
    #[getter]
    fn others<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let others = PyDict::new(py);
        for other in &self.explanation.others {
            let verdict = Verdict::from(other.verdict);
            others.set_item(dialect_member(py, other.dialect)?, verdict)?;
        }
        Ok(others)
    }

    /// Returns the verdict of a dialect.
    #[pyo3(signature = (dialect, /))]
    fn verdict_in(&self, #[pyo3(from_py_with = dialect_from)] dialect: robots::Dialect) -> Verdict {
        self.explanation.verdict_in(dialect).into()
    }

    fn __str__(&self) -> String {
        self.explanation.to_string()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let verdict = Py::new(py, self.verdict())?;
        Ok(format!("<Explanation of {}>", verdict.bind(py).repr()?))
    }
}
