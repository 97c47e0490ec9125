//! Reads strings by the Arrow C data interface, from the capsules that `__arrow_c_array__` and `__arrow_c_stream__` return.
//! The text is read where it is. Types: string, large string, binary, large binary, and the views of both.

#![allow(unsafe_code, reason = "the Arrow C data interface passes pointers")]

use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use robots::BatchVerdict;

use crate::error::OrRaise;
use crate::threads;

/// `struct ArrowSchema` of the specification.
#[repr(C)]
pub(crate) struct ArrowSchema {
    pub(crate) format: *const c_char,
    pub(crate) name: *const c_char,
    pub(crate) metadata: *const c_char,
    pub(crate) flags: i64,
    pub(crate) n_children: i64,
    pub(crate) children: *mut *mut ArrowSchema,
    pub(crate) dictionary: *mut ArrowSchema,
    pub(crate) release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    pub(crate) private_data: *mut c_void,
}

/// `struct ArrowArray` of the specification.
#[repr(C)]
pub(crate) struct ArrowArray {
    pub(crate) length: i64,
    pub(crate) null_count: i64,
    pub(crate) offset: i64,
    pub(crate) n_buffers: i64,
    pub(crate) n_children: i64,
    pub(crate) buffers: *mut *const c_void,
    pub(crate) children: *mut *mut ArrowArray,
    pub(crate) dictionary: *mut ArrowArray,
    pub(crate) release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    pub(crate) private_data: *mut c_void,
}

/// `struct ArrowArrayStream` of the specification.
#[repr(C)]
struct ArrowArrayStream {
    get_schema: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowSchema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowArray) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut ArrowArrayStream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut ArrowArrayStream)>,
    private_data: *mut c_void,
}

impl Drop for ArrowSchema {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: the structure is not released yet, and its producer says how to.
            unsafe { release(self) }
        }
    }
}

impl Drop for ArrowArray {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: the structure is not released yet, and its producer says how to.
            unsafe { release(self) }
        }
    }
}

// SAFETY: the specification lets any thread use and release a structure, one at a time.
unsafe impl Send for ArrowSchema {}
// SAFETY: a schema never changes, and any thread may read it.
unsafe impl Sync for ArrowSchema {}
// SAFETY: as for the schema.
unsafe impl Send for ArrowArray {}
// SAFETY: the data of an exported array never changes, and any thread may read it.
unsafe impl Sync for ArrowArray {}

/// How the strings are checked.
#[derive(Clone, Copy)]
struct Checker<'a> {
    rules: &'a robots::Rules,
    use_threads: bool,
}

/// The layouts of strings.
#[derive(Clone, Copy)]
pub(crate) enum Layout {
    Offsets32,
    Offsets64,
    Views,
}

/// Checks the URLs of an Arrow array or stream; `None` if the object is neither.
pub(crate) fn check(
    rules: &robots::Rules,
    urls: &Bound<'_, PyAny>,
    use_threads: bool,
) -> PyResult<Option<Vec<u8>>> {
    let Some(mut export) = Export::new(urls)? else {
        return Ok(None);
    };
    let checker = Checker { rules, use_threads };
    let layout = layout(&export.schema)?;
    let mut codes = Vec::new();
    while let Some(array) = export.next()? {
        append(urls.py(), checker, layout, &array, &mut codes)?;
    }
    Ok(Some(codes))
}

/// The arrays that an object exports by `__arrow_c_array__` or `__arrow_c_stream__`. They are moved out of the capsules.
pub(crate) struct Export<'py> {
    pub(crate) schema: ArrowSchema,
    source: Source<'py>,
}

enum Source<'py> {
    Array(ArrowArray),
    Stream(*mut ArrowArrayStream, Bound<'py, PyAny>),
}

impl<'py> Export<'py> {
    /// Reads the schema; `None` if the object exports nothing.
    pub(crate) fn new(object: &Bound<'py, PyAny>) -> PyResult<Option<Export<'py>>> {
        if let Some(export) = object.getattr_opt("__arrow_c_array__")? {
            let pair = export.call0()?.cast_into::<PyTuple>()?;
            let (schema, array) = (pair.get_item(0)?, pair.get_item(1)?);
            let schema: *mut ArrowSchema = pointer(&schema, c"arrow_schema")?;
            let array: *mut ArrowArray = pointer(&array, c"arrow_array")?;
            // SAFETY: capsules of these names hold such structures. Both stay alive, and nobody else reads them. What replaces
            // them is released, so that the capsules free nothing.
            let (schema, array) = unsafe { (schema.replace(NO_SCHEMA), array.replace(NO_ARRAY)) };
            let source = Source::Array(array);
            return Ok(Some(Export { schema, source }));
        }
        let Some(export) = object.getattr_opt("__arrow_c_stream__")? else {
            return Ok(None);
        };
        let capsule = export.call0()?;
        let stream: *mut ArrowArrayStream = pointer(&capsule, c"arrow_array_stream")?;
        // SAFETY: a capsule of this name holds a stream. It stays alive, and nobody else reads it.
        let get_schema = unsafe { (*stream).get_schema }.ok_or_else(no_functions)?;
        let mut schema = NO_SCHEMA;
        // SAFETY: the stream is alive, and the function fills a structure of ours.
        let failure = unsafe { get_schema(stream, &mut schema) };
        failed(stream, failure)?;
        let source = Source::Stream(stream, capsule);
        Ok(Some(Export { schema, source }))
    }

    /// Returns the next array; `None` after the last.
    pub(crate) fn next(&mut self) -> PyResult<Option<ArrowArray>> {
        let mut array = NO_ARRAY;
        match &mut self.source {
            Source::Array(only) => core::mem::swap(only, &mut array),
            Source::Stream(stream, _capsule) => {
                // SAFETY: the capsule keeps the stream alive, and nobody else reads it.
                let get_next = unsafe { (**stream).get_next }.ok_or_else(no_functions)?;
                // SAFETY: as above; the function fills a structure of ours.
                let failure = unsafe { get_next(*stream, &mut array) };
                failed(*stream, failure)?;
            }
        }
        Ok(array.release.is_some().then_some(array))
    }
}

fn no_functions() -> PyErr {
    PyValueError::new_err("the Arrow stream has no functions")
}

/// Returns the structure that a capsule of this name holds. The capsule keeps it until it is freed.
fn pointer<T>(capsule: &Bound<'_, PyAny>, name: &CStr) -> PyResult<*mut T> {
    let capsule = capsule.cast::<PyCapsule>()?;
    Ok(capsule.pointer_checked(Some(name))?.as_ptr().cast())
}

pub(crate) const NO_SCHEMA: ArrowSchema = ArrowSchema {
    format: ptr::null(),
    name: ptr::null(),
    metadata: ptr::null(),
    flags: 0,
    n_children: 0,
    children: ptr::null_mut(),
    dictionary: ptr::null_mut(),
    release: None,
    private_data: ptr::null_mut(),
};

pub(crate) const NO_ARRAY: ArrowArray = ArrowArray {
    length: 0,
    null_count: 0,
    offset: 0,
    n_buffers: 0,
    n_children: 0,
    buffers: ptr::null_mut(),
    children: ptr::null_mut(),
    dictionary: ptr::null_mut(),
    release: None,
    private_data: ptr::null_mut(),
};

fn failed(stream: *mut ArrowArrayStream, failure: c_int) -> PyResult<()> {
    if failure == 0 {
        return Ok(());
    }
    // SAFETY: the stream is alive. Its text is null or ends in NUL, and lives until the next call.
    let text = unsafe {
        let text = (*stream).get_last_error.map(|last| last(stream));
        text.filter(|text| !text.is_null())
            .map(|text| CStr::from_ptr(text).to_string_lossy().into_owned())
    };
    let text = text.unwrap_or_else(|| format!("error {failure}"));
    Err(PyValueError::new_err(format!(
        "the Arrow stream failed: {text}"
    )))
}

pub(crate) fn layout(schema: &ArrowSchema) -> PyResult<Layout> {
    let format = match schema.format.is_null() {
        true => c"",
        // SAFETY: a schema has a format, which ends in NUL.
        false => unsafe { CStr::from_ptr(schema.format) },
    };
    let is_dictionary = !schema.dictionary.is_null();
    match format.to_bytes() {
        b"u" | b"z" if !is_dictionary => Ok(Layout::Offsets32),
        b"U" | b"Z" if !is_dictionary => Ok(Layout::Offsets64),
        b"vu" | b"vz" if !is_dictionary => Ok(Layout::Views),
        other => {
            let other = String::from_utf8_lossy(other);
            let kind = if is_dictionary {
                "a dictionary"
            } else {
                "of the format"
            };
            Err(PyTypeError::new_err(format!(
                "expected strings, but the Arrow array is {kind} {other:?}: pass one column, cast to string"
            )))
        }
    }
}

/// Some strings of an array.
struct Strings<'a> {
    array: &'a ArrowArray,
    start: usize,
    count: usize,
}

/// Appends the verdicts on the strings of an array.
fn append(
    py: Python<'_>,
    checker: Checker<'_>,
    layout: Layout,
    array: &ArrowArray,
    codes: &mut Vec<u8>,
) -> PyResult<()> {
    let (Ok(start), Ok(count)) = (usize::try_from(array.offset), usize::try_from(array.length))
    else {
        return Err(PyValueError::new_err(
            "the Arrow array has a negative length",
        ));
    };
    let wanted = match layout {
        Layout::Views => 2,
        _ => 3,
    };
    if count == 0 {
        return Ok(());
    }
    if array.n_buffers < wanted || array.buffers.is_null() {
        return Err(PyValueError::new_err("the Arrow array lacks buffers"));
    }
    let Checker { rules, use_threads } = checker;
    let before = codes.len();
    codes.resize(before + count, BatchVerdict::Disallowed as u8);
    let answers = codes.get_mut(before..).unwrap_or_default();
    let check = |first: usize, answers: &mut [u8]| {
        let strings = Strings {
            array,
            start: start + first,
            count: answers.len(),
        };
        match layout {
            Layout::Offsets32 => strings.check_offsets::<u32>(rules, answers),
            Layout::Offsets64 => strings.check_offsets::<u64>(rules, answers),
            Layout::Views => strings.check_views(rules, answers),
        }?;
        strings.mark_nulls(answers);
        Ok(())
    };
    let checked = py.detach(|| threads::fill(answers, use_threads, check));
    checked.or_raise(py)
}

impl Strings<'_> {
    /// Returns a buffer; its elements must be initialised and live as long as the array.
    fn buffer<T>(&self, index: usize) -> *const T {
        // SAFETY: `append` verified that the array has as many buffers.
        unsafe { (*self.array.buffers.add(index)).cast() }
    }

    fn check_offsets<O: Copy + Into<u64>>(
        &self,
        rules: &robots::Rules,
        answers: &mut [u8],
    ) -> Result<(), robots::Error> {
        let (offsets, text) = (self.buffer::<O>(1), self.buffer::<u8>(2));
        if offsets.is_null() {
            return Err(robots::Error::Argument);
        }
        // SAFETY: by the layout of strings, the buffer has one offset more than strings, after those that are skipped.
        let offsets =
            unsafe { core::slice::from_raw_parts(offsets.add(self.start), self.count + 1) };
        let len = offsets.last().map_or(0, |last| (*last).into());
        let len = usize::try_from(len).map_err(|_| robots::Error::Argument)?;
        let text = match text.is_null() {
            true => &[][..],
            // SAFETY: the text reaches to the last offset. A negative offset is too large for a slice.
            false if len <= isize::MAX as usize => unsafe {
                core::slice::from_raw_parts(text, len)
            },
            false => return Err(robots::Error::Argument),
        };
        rules.check_batch(text, offsets, answers)
    }

    fn check_views(&self, rules: &robots::Rules, answers: &mut [u8]) -> Result<(), robots::Error> {
        let views = self.buffer::<[u8; 16]>(1);
        if views.is_null() {
            return Err(robots::Error::Argument);
        }
        // SAFETY: by the layout of views, the buffer has a view for each string, after those that are skipped. They have
        // the alignment of bytes.
        let views = unsafe { core::slice::from_raw_parts(views.add(self.start), self.count) };
        let mut is_sound = true;
        let urls = views.iter().enumerate().map(|(at, view)| {
            if self.is_null(at) {
                return &[][..];
            }
            let url = view_text(self.array, view);
            is_sound &= url.is_some();
            url.unwrap_or_default()
        });
        for (answer, verdict) in answers.iter_mut().zip(rules.check_each(urls)) {
            *answer = verdict as u8;
        }
        match is_sound {
            true => Ok(()),
            false => Err(robots::Error::Argument),
        }
    }

    fn is_null(&self, at: usize) -> bool {
        let bits = self.buffer::<u8>(0);
        let at = self.start + at;
        // SAFETY: without nulls there is no bitmap; otherwise it has a bit for each string.
        !bits.is_null()
            && self.array.null_count != 0
            && unsafe { *bits.add(at / 8) } & (1 << (at % 8)) == 0
    }

    fn mark_nulls(&self, answers: &mut [u8]) {
        if self.array.null_count == 0 {
            return;
        }
        for (at, answer) in answers.iter_mut().enumerate() {
            if self.is_null(at) {
                *answer = BatchVerdict::BadUrl as u8;
            }
        }
    }
}

/// Returns a buffer; `None` if the array lacks it. Its elements must be initialised and live as long as the array.
pub(crate) fn buffer<T>(array: &ArrowArray, index: usize) -> Option<*const T> {
    let count = usize::try_from(array.n_buffers).ok()?;
    if index >= count || array.buffers.is_null() {
        return None;
    }
    // SAFETY: the array has as many buffers.
    let buffer: *const T = unsafe { (*array.buffers.add(index)).cast() };
    (!buffer.is_null()).then_some(buffer)
}

/// Returns the text of the view at an index that counts skipped views.
pub(crate) fn view(array: &ArrowArray, at: usize) -> Option<&[u8]> {
    let views = buffer::<[u8; 16]>(array, 1)?;
    // SAFETY: the buffer has a view for each string, including those that are skipped. They have the alignment of bytes.
    view_text(array, unsafe { &*views.add(at) })
}

/// Returns the bytes of a view: the length, then up to 12 bytes, or a prefix, the number of a buffer and an offset.
fn view_text<'a>(array: &'a ArrowArray, view: &'a [u8; 16]) -> Option<&'a [u8]> {
    let number = |at: usize| {
        let bytes = view.get(at..at + 4)?.try_into().ok()?;
        usize::try_from(i32::from_ne_bytes(bytes)).ok()
    };
    let len = number(0)?;
    if len <= 12 {
        return view.get(4..4 + len);
    }
    let (index, offset) = (number(8)?, number(12)?);
    // The last buffer has the lengths of those before it.
    let last = usize::try_from(array.n_buffers).ok()?.checked_sub(1)?;
    let index = index.checked_add(2).filter(|index| *index < last)?;
    let data = buffer::<u8>(array, index)?;
    // SAFETY: the view refers to bytes of a data buffer of this array.
    Some(unsafe { core::slice::from_raw_parts(data.add(offset), len) })
}
