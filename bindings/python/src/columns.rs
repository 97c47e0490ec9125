//! Columns of tables: text and numbers, from the Arrow C data interface or from other Python objects.
//!
//! Text in a layout of Arrow is read where it is. Other text is copied once.

use arrow_data::ArrayData;
use arrow_schema::DataType;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyFloat, PyInt, PyString};

use crate::arrow::{self, Export, Numbers, SECOND, Text, Value};
use crate::{numpy, text};

/// Text with nulls.
pub(crate) enum TextColumn {
    Arrow(Chunks),
    Owned(Owned),
}

/// Arrow arrays of one type, which own their memory.
pub(crate) struct Chunks {
    /// Format of the values: of a dictionary, that of the dictionary.
    format: Vec<u8>,
    /// `None`: the type is not read.
    data_type: Option<DataType>,
    /// Each array, with the index of its first row.
    arrays: Vec<(usize, ArrayData)>,
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
        let (mut rows, mut arrays) = (0, Vec::new());
        while let Some(array) = export.next(object.py())? {
            let first = rows;
            rows += array.len();
            arrays.push((first, array));
        }
        let values = export.schema.dictionary().unwrap_or(&export.schema);
        Ok(Some(Chunks {
            format: arrow::format(values).to_vec(),
            data_type: export.data_type,
            arrays,
            rows,
        }))
    }

    /// Returns whether the arrays are text, or dictionaries of text.
    fn is_text(&self) -> bool {
        self.data_type.is_some() && matches!(&*self.format, b"u" | b"U" | b"vu")
    }

    /// Returns the numbers of all arrays.
    fn values(&self, name: &Name<'_>) -> PyResult<impl Iterator<Item = Option<Value>>> {
        let is_number = match &self.data_type {
            None | Some(DataType::Dictionary(..)) => false,
            Some(data_type) => {
                data_type.is_null() || data_type.is_numeric() || data_type.is_temporal()
            }
        };
        if !is_number {
            return Err(name.wrong(&arrow::words(&self.format)));
        }
        Ok(self.arrays.iter().flat_map(|(_, array)| {
            let numbers = Numbers::new(array);
            (0..array.len()).map(move |at| numbers.as_ref().and_then(|numbers| numbers.get(at)))
        }))
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

impl TextColumn {
    /// Reads a column. Raises `TypeError` for one that is neither text nor, if `binary`, bytes.
    pub(crate) fn new(
        object: &Bound<'_, PyAny>,
        name: &Name<'_>,
        binary: bool,
    ) -> PyResult<TextColumn> {
        if let Some(chunks) = Chunks::new(object)? {
            let is_known = match &*chunks.format {
                b"n" => true,
                b"z" | b"Z" | b"vz" => binary,
                _ => chunks.is_text(),
            };
            return match is_known && chunks.data_type.is_some() {
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
                false => Err(name.wrong(&arrow::words(&chunks.format))),
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
            match text::text("item", &item) {
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
            TextColumn::Arrow(chunks) if chunks.is_text() => Err(name.wrong("text")),
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
            chunk_start: first,
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
    /// Rows of `chunk`: the first, and that after the last.
    chunk_start: usize,
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
            self.chunk = Text::new(array);
            (self.chunk_start, self.chunk_end) = (*start, start + array.len());
        }
        let chunk = self.chunk.as_ref();
        Some(chunk.and_then(|chunk| chunk.get(row - self.chunk_start)))
    }
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
        let is_time = chunks.format.starts_with(b"t");
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
    item.extract::<f64>().ok().and_then(arrow::float)
}

/// What `date.toordinal` of Python returns for 1970-01-01.
const DAYS_BEFORE_1970: i128 = 719_163;

/// Returns the value of a column of times in nanoseconds. `has_unit`: it is in nanoseconds already, and in seconds otherwise.
fn time(value: Value, has_unit: bool) -> i128 {
    match value {
        Value::Whole(number) if has_unit => number,
        Value::Whole(number) => number.saturating_mul(SECOND),
        Value::Float(seconds) => (seconds * 1e9) as i128,
    }
}

/// Reads a column of times, in nanoseconds. A number without a unit is seconds; text is ISO 8601.
pub(crate) fn times(object: &Bound<'_, PyAny>, name: &Name<'_>) -> PyResult<Vec<Option<i128>>> {
    if let Some(chunks) = Chunks::new(object)? {
        let has_unit = chunks.format.starts_with(b"t");
        if chunks.is_text() {
            let column = TextColumn::Arrow(chunks);
            let rows = column.rows(0, column.len()).enumerate();
            return rows
                .map(|(row, text)| text.map(|text| text_time(text, row, name)).transpose())
                .collect();
        }
        let values = chunks.values(name)?;
        return Ok(values
            .map(|value| value.map(|value| time(value, has_unit)))
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
        return Ok(python_number(item).map(|number| time(number, false)));
    }
    if let Some(timestamp) = item.getattr_opt("timestamp")? {
        return Ok(python_number(&timestamp.call0()?).map(|number| time(number, false)));
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
