//! Checks the strings of a list or another iterable.
//!
//! The strings are taken in blocks, and checked while the cache still holds them. One thread takes the blocks, which requires
//! Python; it and other threads check them, which does not.

#![allow(
    unsafe_code,
    reason = "other threads read the text of a string without Python"
)]

use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver, TrySendError};
use std::thread;

use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyIterator, PyList, PyString};
use robots::BatchVerdict;

use crate::argument::wrong_type;
use crate::text;
use crate::threads::{self, BLOCK, lock};

/// Fewer URLs than this are checked sooner than another thread would start to run.
const MIN_FOR_THREADS: usize = 64;

/// Some URLs of a call.
struct Block {
    /// Which block of the call this is.
    number: usize,
    /// Refers to text that the objects of `_owner` own; `None` is no URL.
    urls: Vec<Option<&'static [u8]>>,
    /// A list that nobody else knows. It keeps the text of `urls` alive.
    _owner: Py<PyList>,
}

/// Checks the strings of an iterable; `None` is no URL.
pub(crate) fn check(
    rules: &robots::Rules,
    urls: &Bound<'_, PyAny>,
    use_threads: bool,
) -> PyResult<Vec<u8>> {
    let py = urls.py();
    let mut source = Source::new(urls)?;
    // The length of what has none is not known. One thread checks it.
    let threads = threads::count(urls.len().unwrap_or(0), use_threads);
    let checked = Mutex::new(Vec::new());
    let check = |block: Block| {
        let codes = block.check(rules);
        lock(&checked).push((block.number, codes));
    };
    // Without other threads nobody receives, so no block is sent.
    let (sender, receiver) = mpsc::sync_channel(threads - 1);
    let receiver = Mutex::new(receiver);
    let work = || {
        while let Some(block) = next(&receiver) {
            check(block);
        }
    };
    thread::scope(|scope| {
        let others = threads::start(scope, threads - 1, &work);
        let sender = Some(sender).filter(|_| !others.is_empty());
        while let Some(block) = source.next(py)? {
            let unsent = match &sender {
                Some(sender) => sender.try_send(block).err(),
                None => Some(TrySendError::Full(block)),
            };
            match unsent {
                Some(TrySendError::Full(block) | TrySendError::Disconnected(block)) => {
                    if block.urls.len() < MIN_FOR_THREADS {
                        check(block);
                    } else {
                        py.detach(|| check(block));
                    }
                }
                None => (),
            }
        }
        drop(sender);
        if !others.is_empty() {
            py.detach(work);
        }
        Ok::<_, PyErr>(())
    })?;
    let mut checked = checked.into_inner().unwrap_or_default();
    checked.sort_unstable_by_key(|(number, _)| *number);
    match &mut *checked {
        [(_, codes)] => Ok(core::mem::take(codes)),
        _ => Ok(checked.into_iter().flat_map(|(_, codes)| codes).collect()),
    }
}

/// Returns the next block that was sent; `None` after the last.
fn next(receiver: &Mutex<Receiver<Block>>) -> Option<Block> {
    lock(receiver).recv().ok()
}

impl Block {
    /// Takes the text of the objects of a list. Raises for an object that is no text; `start` is the index of the first.
    fn new(number: usize, owner: Bound<'_, PyList>) -> PyResult<Block> {
        let start = number * BLOCK;
        let mut urls = Vec::with_capacity(owner.len());
        for at in 0..owner.len() {
            let url = match slice(&owner, at) {
                Some(url) => url,
                None => {
                    owner.set_item(at, encoded(&owner.get_item(at)?, start + at)?)?;
                    slice(&owner, at).unwrap_or_default()
                }
            };
            urls.push(url);
        }
        Ok(Block {
            number,
            urls,
            _owner: owner.unbind(),
        })
    }

    fn check(&self, rules: &robots::Rules) -> Vec<u8> {
        let urls = self.urls.iter().map(|url| url.unwrap_or_default());
        let codes = rules.check_each(urls).zip(&self.urls);
        // The empty text in the place of `None` is a URL in the dialect google.
        let codes = codes.map(|(verdict, url)| match url {
            Some(_) => verdict as u8,
            None => BatchVerdict::BadUrl as u8,
        });
        codes.collect()
    }
}

/// Returns the text of an object of the list, and no text for `None`. The result is `None` if it has to be encoded.
#[inline]
fn slice(list: &Bound<'_, PyList>, at: usize) -> Option<Option<&'static [u8]>> {
    // SAFETY: `at` is an index of the list, which is private and keeps the object. The text is that of an immutable object:
    // it lives as long as the object, thus as long as the list. A block drops both together.
    unsafe {
        let object = ffi::PyList_GetItem(list.as_ptr(), at as ffi::Py_ssize_t);
        let object = Borrowed::from_ptr(list.py(), object);
        if let Ok(string) = object.cast::<PyString>() {
            return text::utf8(string).map(Some);
        }
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Some(Some(text::bytes(bytes)));
        }
        object.is_none().then_some(None)
    }
}

/// Encodes a string that holds surrogates. Raises for an object that is no text.
fn encoded<'py>(url: &Bound<'py, PyAny>, at: usize) -> PyResult<Bound<'py, PyBytes>> {
    match url.cast::<PyString>() {
        Ok(string) => text::encoded(string),
        Err(_) => Err(PyTypeError::new_err(format!(
            "URL {at} is {}: pass str, bytes or None",
            url.get_type().name()?
        ))),
    }
}

/// Where the blocks come from.
enum Source<'a, 'py> {
    List(&'a Bound<'py, PyList>, usize),
    Iterator(Bound<'py, PyIterator>, usize),
}

impl<'a, 'py> Source<'a, 'py> {
    fn new(urls: &'a Bound<'py, PyAny>) -> PyResult<Source<'a, 'py>> {
        match urls.cast::<PyList>() {
            Ok(list) => Ok(Source::List(list, 0)),
            Err(_) => {
                const WANTED: &str = "a list, another iterable or a column of URLs";
                let urls = urls
                    .try_iter()
                    .map_err(|_| wrong_type("urls", urls, WANTED))?;
                Ok(Source::Iterator(urls, 0))
            }
        }
    }

    /// Returns the next block; `None` after the last.
    fn next(&mut self, py: Python<'py>) -> PyResult<Option<Block>> {
        let (objects, number) = match self {
            Source::List(list, number) => {
                let start = *number * BLOCK;
                (list.get_slice(start, start + BLOCK), number)
            }
            Source::Iterator(iterator, number) => {
                let objects = PyList::empty(py);
                for object in iterator.take(BLOCK) {
                    objects.append(object?)?;
                }
                (objects, number)
            }
        };
        if objects.is_empty() {
            return Ok(None);
        }
        let block = Block::new(*number, objects)?;
        *number += 1;
        Ok(Some(block))
    }
}
