//! Reads fixed-width string arrays of NumPy by `__array_interface__`: bytes (`S`) where they are, and UCS-4 (`U`).

#![allow(unsafe_code, reason = "the array interface passes a pointer")]

use core::convert::Infallible;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use robots::BatchVerdict;

use crate::threads;

/// An array of one dimension.
struct Strings {
    start: *const u8,
    count: usize,
    stride: isize,
    /// The bytes of an element.
    width: usize,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    Bytes,
    Ucs4 { is_little: bool },
}

// SAFETY: the array that owns the memory is referenced while the pointer is used; it must not be changed then, as with any
// function of NumPy.
unsafe impl Sync for Strings {}

/// Checks the URLs of an array; `None` if the object is no array of fixed-width strings.
pub(crate) fn check(
    rules: &robots::Rules,
    urls: &Bound<'_, PyAny>,
    use_threads: bool,
) -> PyResult<Option<Vec<u8>>> {
    let Some(interface) = urls.getattr_opt("__array_interface__")? else {
        return Ok(None);
    };
    let interface = interface.cast_into::<PyDict>()?;
    let Some(strings) = strings(&interface)? else {
        return Ok(None);
    };
    let strings = &strings;
    // `interface` and `urls` keep the memory alive.
    let mut codes = vec![BatchVerdict::Disallowed as u8; strings.count];
    let check = |start, codes: &mut [u8]| {
        strings.check(rules, start, codes);
        Ok::<_, Infallible>(())
    };
    let checked = urls
        .py()
        .detach(|| threads::fill(&mut codes, use_threads, check));
    drop(interface);
    match checked {
        Ok(()) => Ok(Some(codes)),
        Err(never) => match never {},
    }
}

/// Calls with each element of an array of fixed-width strings, in UTF-8. Returns whether the object is one.
pub(crate) fn each(object: &Bound<'_, PyAny>, mut call: impl FnMut(&[u8])) -> PyResult<bool> {
    let Some(interface) = object.getattr_opt("__array_interface__")? else {
        return Ok(false);
    };
    let Some(strings) = strings(&interface.cast_into::<PyDict>()?)? else {
        return Ok(false);
    };
    let mut utf8 = Vec::new();
    for at in 0..strings.count {
        let element = strings.element(at);
        match strings.kind {
            Kind::Bytes => call(without_padding(element)),
            Kind::Ucs4 { is_little } => {
                utf8.clear();
                encode(element, is_little, &mut utf8);
                call(&utf8);
            }
        }
    }
    Ok(true)
}

fn strings(interface: &Bound<'_, PyDict>) -> PyResult<Option<Strings>> {
    let item = |name: &str| {
        let item = interface.get_item(name)?;
        item.ok_or_else(|| PyValueError::new_err(format!("the array has no {name}")))
    };
    let kind: String = item("typestr")?.extract()?;
    let mut letters = kind.chars();
    let (order, letter) = (letters.next(), letters.next());
    let count: usize = match letters.as_str().parse() {
        Ok(count) if matches!(letter, Some('S' | 'U')) => count,
        _ => return Ok(None),
    };
    let (kind, width) = match letter {
        Some('U') => {
            let is_little = order == Some('<');
            (Kind::Ucs4 { is_little }, count.saturating_mul(4))
        }
        _ => (Kind::Bytes, count),
    };
    let shape: Vec<usize> = item("shape")?.extract()?;
    let [count] = *shape else {
        return Err(PyValueError::new_err(format!(
            "the array has {} dimensions: pass one column",
            shape.len()
        )));
    };
    let strides: Option<Vec<isize>> = match interface.get_item("strides")? {
        Some(strides) => strides.extract()?,
        None => None,
    };
    let stride = strides.and_then(|strides| strides.first().copied());
    let (start, _): (usize, bool) = item("data")?.extract()?;
    Ok(Some(Strings {
        start: start as *const u8,
        count,
        stride: stride.unwrap_or(width as isize),
        width,
        kind,
    }))
}

impl Strings {
    /// Checks the elements from `start` on.
    fn check(&self, rules: &robots::Rules, start: usize, codes: &mut [u8]) {
        let elements = (start..start + codes.len()).map(|at| self.element(at));
        match self.kind {
            Kind::Bytes => fill(rules, elements.map(without_padding), codes),
            Kind::Ucs4 { is_little } => {
                let (mut utf8, mut ends) = (Vec::new(), Vec::with_capacity(codes.len()));
                for element in elements {
                    encode(element, is_little, &mut utf8);
                    ends.push(utf8.len());
                }
                let starts = [0].into_iter().chain(ends.iter().copied());
                let urls = starts.zip(&ends).map(|(start, end)| utf8.get(start..*end));
                fill(rules, urls.map(Option::unwrap_or_default), codes);
            }
        }
    }

    fn element(&self, at: usize) -> &[u8] {
        if self.width == 0 {
            return &[];
        }
        // SAFETY: the array has `count` elements of `width` bytes, `stride` bytes apart.
        unsafe {
            let start = self.start.offset(self.stride.wrapping_mul(at as isize));
            core::slice::from_raw_parts(start, self.width)
        }
    }
}

/// Writes the verdicts on the URLs.
fn fill<'u>(rules: &robots::Rules, urls: impl Iterator<Item = &'u [u8]>, codes: &mut [u8]) {
    for (code, verdict) in codes.iter_mut().zip(rules.check_each(urls)) {
        *code = verdict as u8;
    }
}

/// Returns an element without the NULs that fill it.
fn without_padding(element: &[u8]) -> &[u8] {
    let end = element.iter().rposition(|byte| *byte != 0);
    end.and_then(|end| element.get(..=end)).unwrap_or_default()
}

/// Appends the UTF-8 of an element. A surrogate becomes U+FFFD.
fn encode(element: &[u8], is_little: bool, utf8: &mut Vec<u8>) {
    let mut characters = element.chunks_exact(4);
    let last = characters.rposition(|character| character != [0; 4]);
    let len = last.map_or(0, |last| last + 1);
    utf8.reserve(len);
    for character in element.chunks_exact(4).take(len) {
        let character = character.try_into().unwrap_or_default();
        let character = match is_little {
            true => u32::from_le_bytes(character),
            false => u32::from_be_bytes(character),
        };
        if character < 0x80 {
            utf8.push(character as u8);
            continue;
        }
        let character = char::from_u32(character).unwrap_or(char::REPLACEMENT_CHARACTER);
        utf8.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
    }
}
