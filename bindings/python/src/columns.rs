//! Columns of tables: text and numbers, from the Arrow C data interface or from other Python objects.
//!
//! The crates of Arrow are large, and the interface is two structures, so they are read as they are. Text in a layout of Arrow is
//! read where it is: strings with offsets of 32 or 64 bits, views, and dictionaries of these. Other text is copied once.

#![allow(unsafe_code, reason = "the Arrow C data interface passes pointers")]

use core::ffi::CStr;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyFloat, PyInt, PyString};
use robots::Error;

use crate::arrow::{self, ArrowArray, ArrowSchema, Export, Layout};
use crate::error::about;
use crate::{numpy, text};

/// Text with nulls.
pub(crate) enum TextColumn {
    Arrow(Chunks),
    Owned(Owned),
}

/// Arrow arrays of one type, which own their memory.
pub(crate) struct Chunks {
    schema: ArrowSchema,
    /// Each array, with the index of its first row.
    arrays: Vec<(usize, ArrowArray)>,
    rows: usize,
}

/// A copy of the text of other objects.
#[derive(Default)]
pub(crate) struct Owned {
    text: Vec<u8>,
    /// Where each row ends.
    ends: Vec<usize>,
    nulls: Vec<bool>,
}

impl Owned {
    fn push(&mut self, text: Option<&[u8]>) {
        self.text.extend_from_slice(text.unwrap_or_default());
        self.ends.push(self.text.len());
        self.nulls.push(text.is_none());
    }

    fn get(&self, row: usize) -> Option<&[u8]> {
        let start = match row.checked_sub(1) {
            Some(before) => *self.ends.get(before)?,
            None => 0,
        };
        let is_null = *self.nulls.get(row)?;
        (!is_null).then(|| self.text.get(start..*self.ends.get(row)?))?
    }
}

impl Chunks {
    /// Takes the arrays that an object exports; `None` if it exports none.
    fn new(object: &Bound<'_, PyAny>) -> PyResult<Option<Chunks>> {
        let Some(mut export) = Export::new(object)? else {
            return Ok(None);
        };
        let (mut rows, mut chunks) = (0, Vec::new());
        while let Some(array) = export.next()? {
            let (Ok(len), Ok(_)) = (usize::try_from(array.length), usize::try_from(array.offset))
            else {
                return Err(about(
                    object.py(),
                    Error::Argument,
                    "the Arrow array has a negative length",
                ));
            };
            chunks.push((rows, array));
            rows += len;
        }
        Ok(Some(Chunks {
            schema: export.schema,
            arrays: chunks,
            rows,
        }))
    }

    /// Returns the format of the values: of a dictionary, that of the dictionary.
    fn format(&self) -> &[u8] {
        // SAFETY: a schema refers to a dictionary that lives as long as it does.
        let values = unsafe { self.schema.dictionary.as_ref() };
        format(values.unwrap_or(&self.schema))
    }
}

/// Returns the format of a schema.
fn format(schema: &ArrowSchema) -> &[u8] {
    match schema.format.is_null() {
        true => b"",
        // SAFETY: the format ends in NUL, and lives as long as the schema.
        false => unsafe { CStr::from_ptr(schema.format) }.to_bytes(),
    }
}

/// What an error says about a column.
pub(crate) struct Name<'a> {
    pub(crate) column: &'a str,
    /// What to pass, such as "text".
    pub(crate) wanted: &'a str,
}

impl Name<'_> {
    fn wrong(&self, found: &str) -> PyErr {
        let Name { column, wanted } = self;
        PyTypeError::new_err(format!("the column {column:?} is {found}: pass {wanted}"))
    }
}

/// Returns the words for a format of Arrow.
fn words(format: &[u8]) -> String {
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

impl TextColumn {
    /// Reads a column. Raises `TypeError` for one that is neither text nor, if `binary`, bytes.
    pub(crate) fn new(
        object: &Bound<'_, PyAny>,
        name: &Name<'_>,
        binary: bool,
    ) -> PyResult<TextColumn> {
        if let Some(chunks) = Chunks::new(object)? {
            let is_known = match chunks.format() {
                b"u" | b"U" | b"vu" | b"n" => true,
                b"z" | b"Z" | b"vz" => binary,
                _ => false,
            };
            return match is_known {
                true => Ok(TextColumn::Arrow(chunks)),
                // A column of nulls alone has floats in pandas.
                false
                    if chunks
                        .values(name)
                        .is_ok_and(|mut values| values.all(|it| it.is_none())) =>
                {
                    let mut owned = Owned::default();
                    (0..chunks.rows).for_each(|_| owned.push(None));
                    Ok(TextColumn::Owned(owned))
                }
                false => Err(name.wrong(&words(chunks.format()))),
            };
        }
        let mut owned = Owned::default();
        if numpy::each(object, |element| owned.push(Some(element)))? {
            return Ok(TextColumn::Owned(owned));
        }
        if object.is_instance_of::<PyString>() || object.is_instance_of::<PyBytes>() {
            return Err(name.wrong("one value"));
        }
        let items = object.try_iter().map_err(|_| name.wrong(&kind(object)))?;
        for item in items {
            let item = item?;
            if is_null_item(&item) {
                owned.push(None);
                continue;
            }
            match text::text(&item) {
                Ok(text) => owned.push(Some(text.as_bytes())),
                Err(_) => {
                    let row = owned.ends.len();
                    return Err(name.wrong(&format!("{} in row {row}", kind(&item))));
                }
            }
        }
        Ok(TextColumn::Owned(owned))
    }

    /// Reads a column of bytes. Raises `TypeError` for text: its bytes may be changed.
    pub(crate) fn bytes(object: &Bound<'_, PyAny>, name: &Name<'_>) -> PyResult<TextColumn> {
        let column = TextColumn::new(object, name, true)?;
        match &column {
            TextColumn::Arrow(chunks) if matches!(chunks.format(), b"u" | b"U" | b"vu") => {
                Err(name.wrong("text"))
            }
            _ => Ok(column),
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            TextColumn::Arrow(chunks) => chunks.rows,
            TextColumn::Owned(owned) => owned.ends.len(),
        }
    }

    /// Returns the text of a row; `None` for a null.
    pub(crate) fn get(&self, row: usize) -> Option<&[u8]> {
        self.rows(row, 1).next().flatten()
    }

    /// Returns the text of some rows, from `first` on.
    pub(crate) fn rows(&self, first: usize, count: usize) -> Rows<'_> {
        let end = first.saturating_add(count).min(self.len());
        let next_chunk = match self {
            TextColumn::Arrow(chunks) => chunks
                .arrays
                .partition_point(|(start, _)| *start <= first)
                .saturating_sub(1),
            TextColumn::Owned(_) => 0,
        };
        Rows {
            column: self,
            row: first,
            end,
            chunk_end: first,
            chunk: None,
            next_chunk,
        }
    }
}

/// Returns the words for the type of an object.
fn kind(object: &Bound<'_, PyAny>) -> String {
    let name = object.get_type().name();
    name.map_or("of no known type".to_owned(), |name| {
        format!("of the type {name}")
    })
}

/// The text of some rows of a column.
pub(crate) struct Rows<'a> {
    column: &'a TextColumn,
    row: usize,
    end: usize,
    chunk: Option<Text<'a>>,
    /// The row after the last one of `chunk`.
    chunk_end: usize,
    next_chunk: usize,
}

impl<'a> Iterator for Rows<'a> {
    type Item = Option<&'a [u8]>;

    #[inline]
    fn next(&mut self) -> Option<Option<&'a [u8]>> {
        if self.row >= self.end {
            return None;
        }
        let row = self.row;
        self.row += 1;
        let chunks = match self.column {
            TextColumn::Owned(owned) => return Some(owned.get(row)),
            TextColumn::Arrow(chunks) => chunks,
        };
        while row >= self.chunk_end {
            let (start, array) = chunks.arrays.get(self.next_chunk)?;
            self.next_chunk += 1;
            self.chunk = Text::new(&chunks.schema, array);
            self.chunk_end = start + array.length as usize;
        }
        let chunk_len = self.chunk.as_ref().map_or(0, |chunk| chunk.len);
        let at = row + chunk_len - self.chunk_end.min(row + chunk_len);
        Some(self.chunk.as_ref().and_then(|chunk| chunk.get(at)))
    }
}

/// The text of one Arrow array.
struct Text<'a> {
    layout: TextLayout<'a>,
    nulls: Option<*const u8>,
    start: usize,
    len: usize,
}

enum TextLayout<'a> {
    Small(&'a [u32], &'a [u8]),
    Large(&'a [u64], &'a [u8]),
    Views(&'a ArrowArray),
    Dictionary(Numbers<'a>, Box<Text<'a>>),
}

impl<'a> Text<'a> {
    /// Reads an array; `None` if all its values are nulls, or it lacks buffers.
    fn new(schema: &'a ArrowSchema, array: &'a ArrowArray) -> Option<Text<'a>> {
        let (start, len) = (array.offset as usize, array.length as usize);
        // SAFETY: both have a dictionary, which lives as long as they do, or none has.
        let dictionary = unsafe { (schema.dictionary.as_ref(), array.dictionary.as_ref()) };
        let layout = match dictionary {
            (Some(schema_of_values), Some(values)) => {
                let values = Text::new(schema_of_values, values)?;
                TextLayout::Dictionary(Numbers::new(schema, array)?, Box::new(values))
            }
            _ => match (format(schema), arrow::layout(schema).ok()) {
                (b"n", _) => return None,
                (_, Some(Layout::Offsets32)) => {
                    let (offsets, text) = offsets(array)?;
                    TextLayout::Small(offsets, text)
                }
                (_, Some(Layout::Offsets64)) => {
                    let (offsets, text) = offsets(array)?;
                    TextLayout::Large(offsets, text)
                }
                (_, Some(Layout::Views)) => TextLayout::Views(array),
                _ => return None,
            },
        };
        Some(Text {
            layout,
            nulls: nulls(array),
            start,
            len,
        })
    }

    #[inline]
    fn get(&self, at: usize) -> Option<&'a [u8]> {
        if at >= self.len || is_null(self.nulls, self.start + at) {
            return None;
        }
        let at = self.start + at;
        match &self.layout {
            TextLayout::Small(offsets, text) => {
                text.get(*offsets.get(at)? as usize..*offsets.get(at + 1)? as usize)
            }
            TextLayout::Large(offsets, text) => {
                let (from, to) = (*offsets.get(at)?, *offsets.get(at + 1)?);
                text.get(usize::try_from(from).ok()?..usize::try_from(to).ok()?)
            }
            TextLayout::Views(array) => arrow::view(array, at),
            TextLayout::Dictionary(indices, values) => {
                let index = indices.get(at - self.start)?;
                values.get(usize::try_from(index.whole()?).ok()?)
            }
        }
    }
}

/// Returns the offsets from the start of the buffer, and the text that they refer to.
fn offsets<O: Copy + TryInto<usize>>(array: &ArrowArray) -> Option<(&[O], &[u8])> {
    let (offsets, text) = (arrow::buffer::<O>(array, 1)?, arrow::buffer::<u8>(array, 2));
    let count = array.offset as usize + array.length as usize + 1;
    // SAFETY: by the layout of strings, the buffer has one offset more than strings, including those that are skipped.
    let offsets = unsafe { core::slice::from_raw_parts(offsets, count) };
    let len: usize = (*offsets.last()?).try_into().ok()?;
    let text = match text {
        // SAFETY: the text reaches to the last offset. A negative offset is too large for a slice.
        Some(text) if len <= isize::MAX as usize => unsafe {
            core::slice::from_raw_parts(text, len)
        },
        _ => &[],
    };
    Some((offsets, text))
}

fn nulls(array: &ArrowArray) -> Option<*const u8> {
    arrow::buffer::<u8>(array, 0).filter(|_| array.null_count != 0)
}

#[inline]
fn is_null(nulls: Option<*const u8>, at: usize) -> bool {
    // SAFETY: a validity bitmap has a bit for each value, including those that are skipped.
    nulls.is_some_and(|bits| unsafe { *bits.add(at / 8) } & (1 << (at % 8)) == 0)
}

/// A number, or a time in nanoseconds.
#[derive(Clone, Copy)]
enum Value {
    Whole(i128),
    Float(f64),
}

impl Value {
    fn whole(self) -> Option<i128> {
        match self {
            Value::Whole(number) => Some(number),
            Value::Float(number) => (number.fract() == 0.0).then_some(number as i128),
        }
    }
}

/// The numbers or times of one Arrow array.
struct Numbers<'a> {
    kind: u8,
    /// The nanoseconds of a unit; 0 for what is no time.
    unit: i128,
    values: *const u8,
    nulls: Option<*const u8>,
    start: usize,
    _array: &'a ArrowArray,
}

/// Returns the width of the values and the nanoseconds of a unit, 0 for what is no time; `None` for another format.
fn number_format(format: &[u8]) -> Option<(u8, i128)> {
    match format {
        [kind @ (b'c' | b'C' | b's' | b'S' | b'i' | b'I' | b'l' | b'L' | b'f' | b'g')] => {
            Some((*kind, 0))
        }
        b"tdD" => Some((b'i', 86_400 * SECOND)),
        b"tdm" => Some((b'l', SECOND / 1_000)),
        [b't', b's', unit, b':', ..] => {
            let per_second = match unit {
                b's' => 1,
                b'm' => 1_000,
                b'u' => 1_000_000,
                _ => SECOND,
            };
            Some((b'l', SECOND / per_second))
        }
        _ => None,
    }
}

impl<'a> Numbers<'a> {
    fn new(schema: &ArrowSchema, array: &'a ArrowArray) -> Option<Numbers<'a>> {
        let (kind, unit) = number_format(format(schema))?;
        Some(Numbers {
            kind,
            unit,
            values: arrow::buffer::<u8>(array, 1)?,
            nulls: nulls(array),
            start: array.offset as usize,
            _array: array,
        })
    }

    /// Returns a value; `at` is less than the length of the array.
    fn get(&self, at: usize) -> Option<Value> {
        let at = self.start + at;
        if is_null(self.nulls, at) {
            return None;
        }
        // SAFETY: the buffer has a value of this width for each row, including those that are skipped.
        let number = unsafe {
            match self.kind {
                b'c' => self.values.cast::<i8>().add(at).read_unaligned().into(),
                b'C' => self.values.add(at).read_unaligned().into(),
                b's' => self.values.cast::<i16>().add(at).read_unaligned().into(),
                b'S' => self.values.cast::<u16>().add(at).read_unaligned().into(),
                b'i' => self.values.cast::<i32>().add(at).read_unaligned().into(),
                b'I' => self.values.cast::<u32>().add(at).read_unaligned().into(),
                b'l' => self.values.cast::<i64>().add(at).read_unaligned().into(),
                b'L' => self.values.cast::<u64>().add(at).read_unaligned().into(),
                b'f' => return float(self.values.cast::<f32>().add(at).read_unaligned().into()),
                _ => return float(self.values.cast::<f64>().add(at).read_unaligned()),
            }
        };
        let number: i128 = number;
        Some(Value::Whole(match self.unit {
            0 => number,
            unit => number * unit,
        }))
    }
}

fn float(number: f64) -> Option<Value> {
    (!number.is_nan()).then_some(Value::Float(number))
}

/// Reads a column of integers, such as statuses. NaN is a null, as in pandas.
pub(crate) fn integers(object: &Bound<'_, PyAny>, name: &Name<'_>) -> PyResult<Vec<Option<i64>>> {
    let whole = |value: Option<Value>, row: usize| match value {
        None => Ok(None),
        Some(value) => match value.whole().and_then(|number| i64::try_from(number).ok()) {
            Some(number) => Ok(Some(number)),
            None => Err(name.wrong(&format!("of fractions, in row {row}"))),
        },
    };
    if let Some(chunks) = Chunks::new(object)? {
        let is_time = chunks.format().starts_with(b"t");
        let values = chunks.values(name)?;
        if is_time {
            return Err(name.wrong("of times"));
        }
        return values
            .enumerate()
            .map(|(row, value)| whole(value, row))
            .collect();
    }
    let mut all = Vec::new();
    for item in object.try_iter().map_err(|_| name.wrong(&kind(object)))? {
        let item = item?;
        let value = python_number(&item);
        if value.is_none() && !is_null_item(&item) {
            return Err(name.wrong(&format!("{} in row {}", kind(&item), all.len())));
        }
        all.push(whole(value, all.len())?);
    }
    Ok(all)
}

/// Whether an item stands for no value: None, and what is unequal to itself, such as NaN and NaT.
fn is_null_item(item: &Bound<'_, PyAny>) -> bool {
    item.is_none() || item.ne(item).unwrap_or(false)
}

fn python_number(item: &Bound<'_, PyAny>) -> Option<Value> {
    if item.is_instance_of::<PyBool>() {
        return None;
    }
    if let Ok(number) = item.extract::<i128>() {
        return Some(Value::Whole(number));
    }
    item.extract::<f64>().ok().and_then(float)
}

impl Chunks {
    /// Returns the numbers of all arrays.
    fn values(&self, name: &Name<'_>) -> PyResult<impl Iterator<Item = Option<Value>>> {
        let is_null = format(&self.schema) == b"n";
        if !is_null
            && (number_format(format(&self.schema)).is_none() || !self.schema.dictionary.is_null())
        {
            return Err(name.wrong(&words(self.format())));
        }
        Ok(self.arrays.iter().flat_map(move |(_, array)| {
            let numbers = Numbers::new(&self.schema, array);
            (0..array.length as usize)
                .map(move |at| numbers.as_ref().and_then(|numbers| numbers.get(at)))
        }))
    }
}

const SECOND: i128 = 1_000_000_000;

/// What `date.toordinal` of Python returns for 1970-01-01.
const DAYS_BEFORE_1970: i128 = 719_163;

impl Value {
    /// Returns the value of a column of times in nanoseconds. `has_unit`: it is in nanoseconds already, and in seconds otherwise.
    fn time(self, has_unit: bool) -> i128 {
        match self {
            Value::Whole(number) if has_unit => number,
            Value::Whole(number) => number.saturating_mul(SECOND),
            Value::Float(seconds) => (seconds * 1e9) as i128,
        }
    }
}

/// Reads a column of times, in nanoseconds. A number without a unit is seconds; text is ISO 8601.
pub(crate) fn times(object: &Bound<'_, PyAny>, name: &Name<'_>) -> PyResult<Vec<Option<i128>>> {
    if let Some(chunks) = Chunks::new(object)? {
        let has_unit = chunks.format().starts_with(b"t");
        if matches!(chunks.format(), b"u" | b"U" | b"vu") {
            let column = TextColumn::Arrow(chunks);
            let rows = column.rows(0, column.len()).enumerate();
            return rows
                .map(|(row, text)| text.map(|text| text_time(text, row, name)).transpose())
                .collect();
        }
        let values = chunks.values(name)?;
        return Ok(values
            .map(|value| value.map(|value| value.time(has_unit)))
            .collect());
    }
    let mut all = Vec::new();
    for item in object.try_iter().map_err(|_| name.wrong(&kind(object)))? {
        let item = item?;
        if let Ok(text) = item.cast::<PyString>() {
            let text = text.to_string();
            all.push(Some(text_time(text.as_bytes(), all.len(), name)?));
            continue;
        }
        if is_null_item(&item) {
            all.push(None);
            continue;
        }
        all.push(match python_time(&item)? {
            Some(time) => Some(time),
            None => return Err(name.wrong(&format!("{} in row {}", kind(&item), all.len()))),
        });
    }
    Ok(all)
}

fn python_time(item: &Bound<'_, PyAny>) -> PyResult<Option<i128>> {
    if item.is_instance_of::<PyInt>() || item.is_instance_of::<PyFloat>() {
        return Ok(python_number(item).map(|number| number.time(false)));
    }
    if let Some(timestamp) = item.getattr_opt("timestamp")? {
        return Ok(python_number(&timestamp.call0()?).map(|number| number.time(false)));
    }
    // A date, which has no time of day.
    let Some(ordinal) = item.getattr_opt("toordinal")? else {
        return Ok(None);
    };
    let days: i128 = ordinal.call0()?.extract()?;
    Ok(Some((days - DAYS_BEFORE_1970) * 86_400 * SECOND))
}

fn text_time(text: &[u8], row: usize, name: &Name<'_>) -> PyResult<i128> {
    robots::parse_date(text).ok_or_else(|| {
        let shown = String::from_utf8_lossy(text);
        name.wrong(&format!(
            "text, but {shown:?} in row {row} is no date of ISO 8601"
        ))
    })
}
