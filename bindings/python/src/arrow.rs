//! Reads arrays by the Arrow C data interface, from the capsules that `__arrow_c_array__` and `__arrow_c_stream__` return.
//!
//! The crates of Arrow import an array, and text is read where it is: strings with offsets of 32 or 64 bits, views, and
//! dictionaries of these. The crates panic on some malformed structures, which `Export` refuses before.
//!
//! pyo3-arrow 0.20 would replace `take` and `fill`, not the checks. It adds 39 crates and 0.6 MB to a wheel (2.9 MB unpacked), and a
//! build takes 289 s of processor instead of 70. rust-numpy 0.30 reads strings whose width the compiler knows; `numpy.rs` has to read
//! any width.

#![allow(unsafe_code, reason = "the Arrow C data interface passes pointers")]

use core::ffi::{CStr, c_int};
use core::mem;

use arrow_array::ArrowNativeTypeOp;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi_and_data_type};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_data::ArrayData;
use arrow_schema::{DataType, TimeUnit};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use robots::{BatchVerdict, Error};

use crate::error::{OrRaise, about};
use crate::threads;

/// Checks the URLs of an Arrow array or stream; `None` if the object is neither.
pub(crate) fn check(
    rules: &robots::Rules,
    urls: &Bound<'_, PyAny>,
    use_threads: bool,
) -> PyResult<Option<Vec<u8>>> {
    let py = urls.py();
    let Some(mut export) = Export::new(urls)? else {
        return Ok(None);
    };
    if !export.data_type.as_ref().is_some_and(is_text) {
        let kind = match export.schema.dictionary() {
            Some(_) => "a dictionary".to_owned(),
            None => words(format(&export.schema)),
        };
        return Err(PyTypeError::new_err(format!(
            "expected strings, but the Arrow array is {kind}: pass one column, cast to string"
        )));
    }
    let mut codes = Vec::new();
    while let Some(array) = export.next(py)? {
        let before = codes.len();
        codes.resize(before + array.len(), BatchVerdict::Disallowed as u8);
        let answers = codes.get_mut(before..).unwrap_or_default();
        let check = |first: usize, answers: &mut [u8]| match Text::new(&array) {
            Some(text) => text.check(rules, first, answers),
            None => Err(Error::Argument),
        };
        let checked = py.detach(|| threads::fill(answers, use_threads, check));
        checked.or_raise(py)?;
    }
    Ok(Some(codes))
}

/// Returns the words for a format of Arrow.
pub(crate) fn words(format: &[u8]) -> String {
    let known = match format {
        b"n" => "of nulls",
        b"b" => "bool",
        b"c" | b"C" | b"s" | b"S" | b"i" | b"I" | b"l" | b"L" => "of integers",
        b"e" | b"f" | b"g" => "of floats",
        b"u" | b"U" | b"vu" => "text",
        b"z" | b"Z" | b"vz" => "binary",
        b"+s" => "a whole table or of structures",
        [b'+', ..] => "of lists",
        [b't', ..] => "of times",
        other => return format!("of the Arrow format {:?}", String::from_utf8_lossy(other)),
    };
    known.to_owned()
}

/// Returns whether the values are text or bytes, without a dictionary.
fn is_text(data_type: &DataType) -> bool {
    data_type.is_string() || data_type.is_binary()
}

/// The arrays that an object exports by `__arrow_c_array__` or `__arrow_c_stream__`. They are moved out of the capsules.
pub(crate) struct Export {
    pub(crate) schema: FFI_ArrowSchema,
    /// Type of the arrays; `None` if this module does not read it.
    pub(crate) data_type: Option<DataType>,
    source: Source,
    /// Number of rows that were returned.
    rows: usize,
}

enum Source {
    Array(FFI_ArrowArray),
    Stream(FFI_ArrowArrayStream),
}

impl Export {
    /// Reads the schema; `None` if the object exports nothing.
    pub(crate) fn new(object: &Bound<'_, PyAny>) -> PyResult<Option<Export>> {
        let (schema, source) = if let Some(export) = object.getattr_opt("__arrow_c_array__")? {
            let pair = export.call0()?.cast_into::<PyTuple>()?;
            let (schema, array) = (pair.get_item(0)?, pair.get_item(1)?);
            let schema = take(&schema, c"arrow_schema", FFI_ArrowSchema::empty())?;
            let array = take(&array, c"arrow_array", FFI_ArrowArray::empty())?;
            (schema, Source::Array(array))
        } else if let Some(export) = object.getattr_opt("__arrow_c_stream__")? {
            let (capsule, empty) = (export.call0()?, FFI_ArrowArrayStream::empty());
            let mut stream = take(&capsule, c"arrow_array_stream", empty)?;
            let get_schema = stream.get_schema;
            let schema = fill(&mut stream, get_schema, FFI_ArrowSchema::empty())?;
            (schema, Source::Stream(stream))
        } else {
            return Ok(None);
        };
        Ok(Some(Export {
            data_type: data_type(&schema),
            schema,
            source,
            rows: 0,
        }))
    }

    /// Returns the next array; `None` after the last, and if this module does not read the type.
    pub(crate) fn next(&mut self, py: Python<'_>) -> PyResult<Option<ArrayData>> {
        let Some(data_type) = &self.data_type else {
            return Ok(None);
        };
        let array = match &mut self.source {
            Source::Array(only) => mem::replace(only, FFI_ArrowArray::empty()),
            Source::Stream(stream) => {
                let get_next = stream.get_next;
                fill(stream, get_next, FFI_ArrowArray::empty())?
            }
        };
        if array.is_released() {
            return Ok(None);
        }
        let data = import(array, data_type).and_then(|data| {
            self.rows += data.len();
            match self.rows <= MAX_ROWS {
                true => Ok(Some(data)),
                false => Err(TOO_LONG.to_owned()),
            }
        });
        data.map_err(|found| about(py, Error::Argument, &format!("the Arrow array {found}")))
    }
}

/// Moves a structure out of a capsule. `empty` replaces it: it is released, so the capsule frees nothing.
fn take<T>(capsule: &Bound<'_, PyAny>, name: &CStr, empty: T) -> PyResult<T> {
    let pointer = capsule
        .cast::<PyCapsule>()?
        .pointer_checked(Some(name))?
        .cast::<T>();
    // SAFETY: each caller passes the structure that a capsule of this name holds. The capsule is alive, and only this thread,
    // which is attached to Python, reads it.
    Ok(unsafe { pointer.replace(empty) })
}

/// Lets a function of a stream fill a structure.
fn fill<T>(
    stream: &mut FFI_ArrowArrayStream,
    function: Option<unsafe extern "C" fn(*mut FFI_ArrowArrayStream, *mut T) -> c_int>,
    mut empty: T,
) -> PyResult<T> {
    let Some(function) = function.filter(|_| stream.release.is_some()) else {
        return Err(PyValueError::new_err("the Arrow stream has no functions"));
    };
    // SAFETY: the function is of this stream, which is not released, and fills a structure of ours.
    let failure = unsafe { function(stream, &mut empty) };
    if failure == 0 {
        return Ok(empty);
    }
    // SAFETY: as above. The text is null or ends in NUL, and lives until the next call.
    let text = unsafe {
        let text = stream.get_last_error.map(|last| last(stream));
        text.filter(|text| !text.is_null())
            .map(|text| CStr::from_ptr(text).to_string_lossy().into_owned())
    };
    let text = text.unwrap_or_else(|| format!("error {failure}"));
    Err(PyValueError::new_err(format!(
        "the Arrow stream failed: {text}"
    )))
}

/// Returns the format of a schema.
pub(crate) fn format(schema: &FFI_ArrowSchema) -> &[u8] {
    match schema.format.is_null() {
        true => b"",
        // SAFETY: the format ends in NUL, and lives as long as the schema.
        false => unsafe { CStr::from_ptr(schema.format) }.to_bytes(),
    }
}

/// Returns the type of a schema; `None` if this module does not read it. The crates panic on some schemas, but not on these.
fn data_type(schema: &FFI_ArrowSchema) -> Option<DataType> {
    let is_integer = |format: &[u8]| {
        matches!(
            format,
            [b'c' | b'C' | b's' | b'S' | b'i' | b'I' | b'l' | b'L']
        )
    };
    let is_read = |format: &[u8]| match format {
        [b'n' | b'f' | b'g' | b'u' | b'U' | b'z' | b'Z'] => true,
        b"vu" | b"vz" | b"tdD" | b"tdm" => true,
        [b't', b's', _, b':', zone @ ..] => core::str::from_utf8(zone).is_ok(),
        other => is_integer(other),
    };
    let is_read = match schema.dictionary() {
        None => is_read(format(schema)),
        Some(values) => {
            is_integer(format(schema)) && is_read(format(values)) && values.dictionary.is_null()
        }
    };
    is_read.then(|| DataType::try_from(schema).ok()).flatten()
}

/// Upper bound on the rows of an export: the bytes of its buffers and of the answers are a `usize`.
const MAX_ROWS: usize = isize::MAX as usize / 128;
const TOO_LONG: &str = "has more rows than memory holds";

/// Imports an array. The error says what is wrong with it.
fn import(array: FFI_ArrowArray, data_type: &DataType) -> Result<ArrayData, String> {
    let nulls = |len| Ok(ArrayData::new_null(&DataType::Null, len));
    let values = match (data_type, array.dictionary()) {
        (DataType::Dictionary(_, data_type), Some(values)) => Some((values, &**data_type)),
        _ => None,
    };
    let (len, values_len) = (length(&array)?, values.map(|(values, _)| length(values)));
    let is_null = |data_type: &DataType| *data_type == DataType::Null;
    let no_values = values.is_some_and(|(_, data_type)| is_null(data_type));
    // What is empty may lack buffers.
    if len == 0 || is_null(data_type) || no_values || values_len.transpose()? == Some(0) {
        return nulls(len);
    }
    for (array, data_type) in [(&array, data_type)].into_iter().chain(values) {
        has_buffers(array, data_type)?;
    }
    // SAFETY: the producer of the array says that it has this type, and that it agrees with the C data interface.
    let data = unsafe { from_ffi_and_data_type(array, data_type.clone()) }
        .map_err(|error| format!("is malformed: {error}"))?;
    // A negative offset or length is a size that no slice has.
    let buffers = data
        .child_data()
        .iter()
        .chain([&data])
        .flat_map(ArrayData::buffers);
    match buffers.map(|buffer| buffer.len()).max() <= Some(isize::MAX as usize) {
        true => Ok(data),
        false => Err("has a negative offset or buffer length".to_owned()),
    }
}

/// Returns the length of an array.
fn length(array: &FFI_ArrowArray) -> Result<usize, String> {
    let (Ok(start), Ok(count)) = (usize::try_from(array.offset), usize::try_from(array.length))
    else {
        return Err("has a negative length".to_owned());
    };
    match start <= MAX_ROWS && count <= MAX_ROWS {
        true => Ok(count),
        false => Err(TOO_LONG.to_owned()),
    }
}

/// Verifies that an array has the buffers of its type. The crates verify that the pointers to them are not null.
fn has_buffers(array: &FFI_ArrowArray, data_type: &DataType) -> Result<(), String> {
    let (min, is_view) = match data_type {
        DataType::Utf8View | DataType::BinaryView => (3, true),
        DataType::Utf8 | DataType::Binary | DataType::LargeUtf8 | DataType::LargeBinary => {
            (3, false)
        }
        _ => (2, false),
    };
    let count = array.n_buffers;
    // A view has the number of a data buffer in 32 bits. The last buffer has the lengths of the data buffers, if there are any.
    let is_sound = (min..=i64::from(i32::MAX)).contains(&count)
        && !array.buffers.is_null()
        && (!is_view || count == 3 || is_array_of_lengths(array.buffer(count as usize - 1)));
    match is_sound {
        true => Ok(()),
        false => Err("lacks buffers".to_owned()),
    }
}

fn is_array_of_lengths(pointer: *const u8) -> bool {
    !pointer.is_null() && pointer.cast::<i64>().is_aligned()
}

/// The text of one Arrow array.
pub(crate) struct Text<'a> {
    array: &'a ArrayData,
    layout: Layout<'a>,
}

enum Layout<'a> {
    Small(&'a [u32], &'a [u8]),
    Large(&'a [u64], &'a [u8]),
    Views(&'a [u8]),
    Dictionary(Numbers<'a>, Box<Text<'a>>),
    Nulls,
}

impl<'a> Text<'a> {
    /// Reads an array; `None` if it is no text.
    pub(crate) fn new(array: &'a ArrayData) -> Option<Text<'a>> {
        let bytes = |at: usize| Some(array.buffers().get(at)?.as_slice());
        let layout = match array.data_type() {
            DataType::Utf8 | DataType::Binary => Layout::Small(values(array)?, bytes(1)?),
            DataType::LargeUtf8 | DataType::LargeBinary => Layout::Large(values(array)?, bytes(1)?),
            DataType::Utf8View | DataType::BinaryView => {
                Layout::Views(bytes(0)?.get(16 * array.offset()..)?)
            }
            DataType::Dictionary(..) => {
                let values = Text::new(array.child_data().first()?)?;
                Layout::Dictionary(Numbers::new(array)?, Box::new(values))
            }
            DataType::Null => Layout::Nulls,
            _ => return None,
        };
        Some(Text { array, layout })
    }

    /// Returns the text of a row; `None` for a null, and for what is out of bounds.
    #[inline]
    pub(crate) fn get(&self, at: usize) -> Option<&'a [u8]> {
        if at >= self.array.len() || is_null(self.array, at) {
            return None;
        }
        match &self.layout {
            Layout::Small(offsets, text) => {
                text.get(*offsets.get(at)? as usize..*offsets.get(at + 1)? as usize)
            }
            Layout::Large(offsets, text) => {
                let (from, to) = (*offsets.get(at)?, *offsets.get(at + 1)?);
                text.get(usize::try_from(from).ok()?..usize::try_from(to).ok()?)
            }
            Layout::Views(views) => self.view(views.get(16 * at..)?.first_chunk()?),
            Layout::Dictionary(indices, values) => {
                let index = indices.get(at)?;
                values.get(usize::try_from(index.whole()?).ok()?)
            }
            Layout::Nulls => None,
        }
    }

    /// Returns the bytes of a view: the length, then up to 12 bytes, or a prefix, the number of a buffer and an offset.
    #[inline]
    fn view(&self, view: &'a [u8; 16]) -> Option<&'a [u8]> {
        let number = |at: usize| {
            let bytes = view.get(at..at + 4)?.try_into().ok()?;
            usize::try_from(i32::from_ne_bytes(bytes)).ok()
        };
        let len = number(0)?;
        if len <= 12 {
            return view.get(4..4 + len);
        }
        let data = self.array.buffers().get(number(8)? + 1)?;
        let start = number(12)?;
        data.as_slice().get(start..start + len)
    }

    /// Checks the URLs from `first` on, one for each answer.
    fn check(&self, rules: &robots::Rules, first: usize, answers: &mut [u8]) -> Result<(), Error> {
        let rows = first..first + answers.len();
        match &self.layout {
            Layout::Small(offsets, text) => {
                let offsets = offsets.get(rows.start..=rows.end).ok_or(Error::Argument)?;
                rules.check_batch(text, offsets, answers)?;
            }
            Layout::Large(offsets, text) => {
                let offsets = offsets.get(rows.start..=rows.end).ok_or(Error::Argument)?;
                rules.check_batch(text, offsets, answers)?;
            }
            _ => {
                let mut is_sound = true;
                let urls = rows.clone().map(|at| {
                    let url = self.get(at);
                    is_sound &= url.is_some() || is_null(self.array, at);
                    url.unwrap_or_default()
                });
                for (answer, verdict) in answers.iter_mut().zip(rules.check_each(urls)) {
                    *answer = verdict as u8;
                }
                if !is_sound {
                    return Err(Error::Argument);
                }
            }
        }
        if let Some(nulls) = self.array.nulls() {
            let valid = nulls.inner().slice(first, answers.len());
            for (answer, is_valid) in answers.iter_mut().zip(&valid) {
                if !is_valid {
                    *answer = BatchVerdict::BadUrl as u8;
                }
            }
        }
        Ok(())
    }
}

/// Returns whether a row is null; `at` is less than the length of the array.
#[inline]
fn is_null(array: &ArrayData, at: usize) -> bool {
    array.nulls().is_some_and(|nulls| nulls.is_null(at))
}

/// Returns the elements of the first buffer, without those that are skipped.
fn values<T: ArrowNativeTypeOp>(array: &ArrayData) -> Option<&[T]> {
    array.buffers().first()?.typed_data().get(array.offset()..)
}

/// A number, or a time in nanoseconds.
#[derive(Clone, Copy)]
pub(crate) enum Value {
    Whole(i128),
    Float(f64),
}

impl Value {
    pub(crate) fn whole(self) -> Option<i128> {
        match self {
            Value::Whole(number) => Some(number),
            Value::Float(number) => (number.fract() == 0.0).then_some(number as i128),
        }
    }
}

/// NaN is no value.
pub(crate) fn float(number: f64) -> Option<Value> {
    (!number.is_nan()).then_some(Value::Float(number))
}

pub(crate) const SECOND: i128 = 1_000_000_000;

/// The numbers or times of one Arrow array, or the indices of a dictionary.
pub(crate) struct Numbers<'a> {
    array: &'a ArrayData,
    numbers: Primitives<'a>,
    /// Nanoseconds of a number; 1 if the numbers are no times.
    unit: i128,
}

enum Primitives<'a> {
    I8(&'a [i8]),
    U8(&'a [u8]),
    I16(&'a [i16]),
    U16(&'a [u16]),
    I32(&'a [i32]),
    U32(&'a [u32]),
    I64(&'a [i64]),
    U64(&'a [u64]),
    F32(&'a [f32]),
    F64(&'a [f64]),
    Nulls,
}

impl<'a> Numbers<'a> {
    /// Reads an array; `None` if it has no numbers.
    pub(crate) fn new(array: &'a ArrayData) -> Option<Numbers<'a>> {
        let data_type = match array.data_type() {
            DataType::Dictionary(keys, _) => keys,
            other => other,
        };
        let numbers = match data_type {
            DataType::Int8 => Primitives::I8(values(array)?),
            DataType::UInt8 => Primitives::U8(values(array)?),
            DataType::Int16 => Primitives::I16(values(array)?),
            DataType::UInt16 => Primitives::U16(values(array)?),
            DataType::Int32 | DataType::Date32 => Primitives::I32(values(array)?),
            DataType::UInt32 => Primitives::U32(values(array)?),
            DataType::Int64 | DataType::Date64 | DataType::Timestamp(..) => {
                Primitives::I64(values(array)?)
            }
            DataType::UInt64 => Primitives::U64(values(array)?),
            DataType::Float32 => Primitives::F32(values(array)?),
            DataType::Float64 => Primitives::F64(values(array)?),
            DataType::Null => Primitives::Nulls,
            _ => return None,
        };
        let unit = match data_type {
            DataType::Date32 => 86_400 * SECOND,
            DataType::Timestamp(TimeUnit::Second, _) => SECOND,
            DataType::Date64 | DataType::Timestamp(TimeUnit::Millisecond, _) => SECOND / 1_000,
            DataType::Timestamp(TimeUnit::Microsecond, _) => SECOND / 1_000_000,
            _ => 1,
        };
        Some(Numbers {
            array,
            numbers,
            unit,
        })
    }

    /// Returns a value; `at` is less than the length of the array.
    #[inline]
    pub(crate) fn get(&self, at: usize) -> Option<Value> {
        if is_null(self.array, at) {
            return None;
        }
        let number: i128 = match self.numbers {
            Primitives::I8(numbers) => (*numbers.get(at)?).into(),
            Primitives::U8(numbers) => (*numbers.get(at)?).into(),
            Primitives::I16(numbers) => (*numbers.get(at)?).into(),
            Primitives::U16(numbers) => (*numbers.get(at)?).into(),
            Primitives::I32(numbers) => (*numbers.get(at)?).into(),
            Primitives::U32(numbers) => (*numbers.get(at)?).into(),
            Primitives::I64(numbers) => (*numbers.get(at)?).into(),
            Primitives::U64(numbers) => (*numbers.get(at)?).into(),
            Primitives::F32(numbers) => return float((*numbers.get(at)?).into()),
            Primitives::F64(numbers) => return float(*numbers.get(at)?),
            Primitives::Nulls => return None,
        };
        Some(Value::Whole(number * self.unit))
    }
}
