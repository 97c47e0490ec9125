//! Writes arrays by the Arrow C data interface: booleans, numbers, text, dictionaries, and tables of these.

#![allow(unsafe_code, reason = "the Arrow C data interface passes pointers")]

use core::ffi::{CStr, c_void};
use core::ptr;

use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::arrow::{ArrowArray, ArrowSchema, NO_ARRAY, NO_SCHEMA};

/// The two capsules of `__arrow_c_array__`.
pub(crate) type Capsules<'py> = (Bound<'py, PyCapsule>, Bound<'py, PyCapsule>);

/// `ARROW_FLAG_NULLABLE` of the specification.
const NULLABLE: i64 = 2;

/// A buffer, aligned as its elements.
enum Buffer {
    None,
    Bytes(Vec<u8>),
    Words(Vec<u32>),
    Longs(Vec<u64>),
}

impl Buffer {
    fn pointer(&self) -> *const c_void {
        match self {
            Buffer::None => ptr::null(),
            Buffer::Bytes(bytes) => bytes.as_ptr().cast(),
            Buffer::Words(words) => words.as_ptr().cast(),
            Buffer::Longs(longs) => longs.as_ptr().cast(),
        }
    }
}

/// An array with its type, and perhaps a name.
pub(crate) struct Array {
    name: &'static CStr,
    format: &'static CStr,
    len: usize,
    null_count: usize,
    buffers: Vec<Buffer>,
    children: Vec<Array>,
    dictionary: Option<Box<Array>>,
}

/// What an exported schema or array owns.
struct Owned<T> {
    _buffers: Vec<Buffer>,
    pointers: Vec<*const c_void>,
    _children: Vec<Box<T>>,
    child_pointers: Vec<*mut T>,
    _dictionary: Option<Box<T>>,
}

/// Bits and their number of zeros.
fn bits(values: impl ExactSizeIterator<Item = bool>) -> (Vec<u8>, usize) {
    let (count, mut ones) = (values.len(), 0);
    let mut bits = vec![0_u8; count.div_ceil(8)];
    for (at, value) in values.enumerate() {
        if let Some(byte) = bits.get_mut(at / 8) {
            *byte |= u8::from(value) << (at % 8);
            ones += usize::from(value);
        }
    }
    (bits, count - ones)
}

impl Array {
    fn new(format: &'static CStr, len: usize, buffers: Vec<Buffer>) -> Array {
        Array {
            name: c"",
            format,
            len,
            null_count: 0,
            buffers,
            children: Vec::new(),
            dictionary: None,
        }
    }

    /// Booleans without nulls.
    pub(crate) fn booleans(values: impl ExactSizeIterator<Item = bool>) -> Array {
        let len = values.len();
        let (bits, _) = bits(values);
        Array::new(c"b", len, vec![Buffer::None, Buffer::Bytes(bits)])
    }

    /// Unsigned numbers of 32 bits.
    pub(crate) fn numbers(values: Vec<u32>) -> Array {
        Array::new(
            c"I",
            values.len(),
            vec![Buffer::None, Buffer::Words(values)],
        )
    }

    /// Text, or bytes.
    pub(crate) fn strings<'s>(values: impl Iterator<Item = &'s [u8]>, is_text: bool) -> Array {
        let (mut text, mut ends) = (Vec::new(), vec![0_u64]);
        for value in values {
            text.extend_from_slice(value);
            ends.push(text.len() as u64);
        }
        let len = ends.len() - 1;
        let (format, offsets) = match i32::try_from(text.len()) {
            Ok(_) => {
                let ends = ends.iter().map(|end| *end as u32).collect();
                (if is_text { c"u" } else { c"z" }, Buffer::Words(ends))
            }
            Err(_) => (if is_text { c"U" } else { c"Z" }, Buffer::Longs(ends)),
        };
        Array::new(
            format,
            len,
            vec![Buffer::None, offsets, Buffer::Bytes(text)],
        )
    }

    /// Indices of up to 127 values.
    pub(crate) fn small_dictionary(indices: Vec<u8>, values: Array) -> Array {
        let indices = Array::new(
            c"c",
            indices.len(),
            vec![Buffer::None, Buffer::Bytes(indices)],
        );
        indices.with_dictionary(values)
    }

    /// Indices of values; `u32::MAX` where there is none.
    pub(crate) fn dictionary(indices: Vec<u32>, values: Array) -> Array {
        let nulls: Vec<bool> = indices.iter().map(|index| *index != u32::MAX).collect();
        let indices = indices
            .into_iter()
            .map(|index| if index == u32::MAX { 0 } else { index });
        let indices: Vec<u32> = indices.collect();
        let array = Array::new(
            c"i",
            indices.len(),
            vec![Buffer::None, Buffer::Words(indices)],
        );
        array
            .with_dictionary(values)
            .with_validity(nulls.into_iter())
    }

    fn with_dictionary(mut self, values: Array) -> Array {
        self.dictionary = Some(Box::new(values));
        self
    }

    /// Sets which values are no nulls.
    pub(crate) fn with_validity(mut self, valid: impl ExactSizeIterator<Item = bool>) -> Array {
        let (bits, nulls) = bits(valid);
        self.null_count = nulls;
        if let (Some(validity), true) = (self.buffers.first_mut(), nulls > 0) {
            *validity = Buffer::Bytes(bits);
        }
        self
    }

    /// A table, which Arrow exports as an array of structures.
    pub(crate) fn table(
        len: usize,
        columns: impl IntoIterator<Item = (&'static CStr, Array)>,
    ) -> Array {
        let mut table = Array::new(c"+s", len, vec![Buffer::None]);
        table.children = columns
            .into_iter()
            .map(|(name, array)| Array { name, ..array })
            .collect();
        table
    }

    fn schema(&self) -> ArrowSchema {
        let owned = Owned::new(
            Vec::new(),
            self.children.iter().map(Array::schema),
            self.dictionary.as_deref().map(Array::schema),
        );
        let owned = Box::into_raw(Box::new(owned));
        // SAFETY: the box is alive until the schema is released.
        let (children, dictionary) = unsafe { ((*owned).children(), (*owned).dictionary()) };
        ArrowSchema {
            format: self.format.as_ptr(),
            name: self.name.as_ptr(),
            flags: NULLABLE,
            n_children: self.children.len() as i64,
            children,
            dictionary,
            release: Some(release_schema),
            private_data: owned.cast(),
            ..NO_SCHEMA
        }
    }

    fn array(self) -> ArrowArray {
        let (count, columns) = (self.buffers.len(), self.children.len());
        let dictionary = self.dictionary.map(|values| values.array());
        let owned = Owned::new(
            self.buffers,
            self.children.into_iter().map(Array::array),
            dictionary,
        );
        let owned = Box::into_raw(Box::new(owned));
        // SAFETY: the box is alive until the array is released.
        let (buffers, children, dictionary) = unsafe {
            (
                (*owned).pointers.as_mut_ptr(),
                (*owned).children(),
                (*owned).dictionary(),
            )
        };
        ArrowArray {
            length: self.len as i64,
            null_count: self.null_count as i64,
            n_buffers: count as i64,
            n_children: columns as i64,
            buffers,
            children,
            dictionary,
            release: Some(release_array),
            private_data: owned.cast(),
            ..NO_ARRAY
        }
    }

    /// Returns the capsules. Each drops its structure, which releases it if no consumer did.
    pub(crate) fn capsules(self, py: Python<'_>) -> PyResult<Capsules<'_>> {
        let schema = PyCapsule::new_with_value(py, self.schema(), c"arrow_schema")?;
        let array = PyCapsule::new_with_value(py, self.array(), c"arrow_array")?;
        Ok((schema, array))
    }
}

impl<T> Owned<T> {
    fn new(
        buffers: Vec<Buffer>,
        children: impl Iterator<Item = T>,
        dictionary: Option<T>,
    ) -> Owned<T> {
        let pointers = buffers.iter().map(Buffer::pointer).collect();
        let mut children: Vec<Box<T>> = children.map(Box::new).collect();
        let child_pointers = children.iter_mut().map(|child| &raw mut **child).collect();
        Owned {
            _buffers: buffers,
            pointers,
            _children: children,
            child_pointers,
            _dictionary: dictionary.map(Box::new),
        }
    }

    fn children(&mut self) -> *mut *mut T {
        match self.child_pointers.is_empty() {
            true => ptr::null_mut(),
            false => self.child_pointers.as_mut_ptr(),
        }
    }

    fn dictionary(&mut self) -> *mut T {
        self._dictionary
            .as_deref_mut()
            .map_or(ptr::null_mut(), |values| values)
    }
}

/// Frees what the schema owns.
unsafe extern "C" fn release_schema(schema: *mut ArrowSchema) {
    // SAFETY: the consumer passes a schema that it owns, once. Its private data is the box of `schema`.
    unsafe {
        drop(Box::from_raw(
            (*schema).private_data.cast::<Owned<ArrowSchema>>(),
        ));
        (*schema).release = None;
    }
}

/// Frees what the array owns.
unsafe extern "C" fn release_array(array: *mut ArrowArray) {
    // SAFETY: the consumer passes an array that it owns, once. Its private data is the box of `array`.
    unsafe {
        drop(Box::from_raw(
            (*array).private_data.cast::<Owned<ArrowArray>>(),
        ));
        (*array).release = None;
    }
}
