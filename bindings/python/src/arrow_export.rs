//! Writes arrays by the Arrow C data interface: text, bytes, dictionaries, and tables of these.

use std::sync::Arc;

use arrow_array::builder::GenericByteBuilder;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::types::{
    ArrowDictionaryKeyType, BinaryType, ByteArrayType, LargeBinaryType, LargeUtf8Type, Utf8Type,
};
use arrow_array::{Array, ArrayRef, DictionaryArray, PrimitiveArray, StructArray};
use arrow_buffer::BooleanBuffer;
use arrow_schema::{ArrowError, Field};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// The two capsules of `__arrow_c_array__`.
pub(crate) type Capsules<'py> = (Bound<'py, PyCapsule>, Bound<'py, PyCapsule>);

/// Returns a bit for each row.
pub(crate) fn bits<T>(rows: &[T], is_set: impl Fn(&T) -> bool) -> BooleanBuffer {
    BooleanBuffer::collect_bool(rows.len(), |at| rows.get(at).is_some_and(&is_set))
}

/// Text; large strings if all together have 2 GiB.
pub(crate) fn text<'s>(values: impl Iterator<Item = &'s str> + Clone) -> ArrayRef {
    let bytes = values.clone().map(str::len).sum();
    match i32::try_from(bytes) {
        Ok(_) => strings::<Utf8Type>(values, bytes),
        Err(_) => strings::<LargeUtf8Type>(values, bytes),
    }
}

/// Bytes, as [`text`].
pub(crate) fn bytes<'s>(values: impl Iterator<Item = &'s [u8]> + Clone) -> ArrayRef {
    let bytes = values.clone().map(<[u8]>::len).sum();
    match i32::try_from(bytes) {
        Ok(_) => strings::<BinaryType>(values, bytes),
        Err(_) => strings::<LargeBinaryType>(values, bytes),
    }
}

fn strings<'s, T: ByteArrayType<Native: 's>>(
    values: impl Iterator<Item = &'s T::Native>,
    bytes: usize,
) -> ArrayRef {
    let mut builder = GenericByteBuilder::<T>::with_capacity(values.size_hint().0, bytes);
    values.for_each(|value| builder.append_value(value));
    Arc::new(builder.finish())
}

/// Indices of values.
pub(crate) fn dictionary<K: ArrowDictionaryKeyType>(
    indices: PrimitiveArray<K>,
    values: ArrayRef,
) -> Result<ArrayRef, ArrowError> {
    Ok(Arc::new(DictionaryArray::try_new(indices, values)?))
}

/// A table, which Arrow exports as an array of structures.
pub(crate) fn table(
    columns: impl IntoIterator<Item = (&'static str, ArrayRef)>,
) -> Result<StructArray, ArrowError> {
    let (fields, arrays): (Vec<_>, _) = columns
        .into_iter()
        .map(|(name, array)| (Field::new(name, array.data_type().clone(), true), array))
        .unzip();
    StructArray::try_new(fields.into(), arrays, None)
}

/// Returns the capsules of an array. Each drops its structure, which releases it if no consumer did.
pub(crate) fn capsules(
    py: Python<'_>,
    array: Result<impl Array, ArrowError>,
) -> PyResult<Capsules<'_>> {
    let structures = array.and_then(|array| {
        let field = Field::new("", array.data_type().clone(), true);
        let schema = FFI_ArrowSchema::try_from(&field)?;
        Ok((schema, FFI_ArrowArray::new(&array.to_data())))
    });
    let (schema, array) = structures.map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok((
        PyCapsule::new_with_value(py, schema, c"arrow_schema")?,
        PyCapsule::new_with_value(py, array, c"arrow_array")?,
    ))
}
