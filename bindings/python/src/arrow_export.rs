//! Writes booleans by the Arrow C data interface.

#![allow(unsafe_code, reason = "the Arrow C data interface passes pointers")]

use core::ffi::c_void;
use core::ptr;

use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::arrow::{ArrowArray, ArrowSchema};

/// What an exported array owns.
struct Owned {
    bits: Vec<u8>,
    /// No validity bitmap, then the bits.
    buffers: [*const c_void; 2],
}

/// Returns the capsules of a boolean array without nulls.
pub(crate) fn booleans<'py>(
    py: Python<'py>,
    values: impl ExactSizeIterator<Item = bool>,
) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
    let count = values.len();
    let mut bits = vec![0_u8; count.div_ceil(8)];
    for (at, value) in values.enumerate() {
        if let Some(byte) = bits.get_mut(at / 8) {
            *byte |= u8::from(value) << (at % 8);
        }
    }
    let schema = ArrowSchema {
        format: c"b".as_ptr(),
        name: c"".as_ptr(),
        metadata: ptr::null(),
        flags: 0,
        n_children: 0,
        children: ptr::null_mut(),
        dictionary: ptr::null_mut(),
        release: Some(release_schema),
        private_data: ptr::null_mut(),
    };
    let mut owned = Box::new(Owned {
        bits,
        buffers: [ptr::null(); 2],
    });
    owned.buffers = [ptr::null(), owned.bits.as_ptr().cast()];
    let owned = Box::into_raw(owned);
    let array = ArrowArray {
        length: count as i64,
        null_count: 0,
        offset: 0,
        n_buffers: 2,
        n_children: 0,
        // SAFETY: the box is alive until the array is released.
        buffers: unsafe { (&raw mut (*owned).buffers).cast() },
        children: ptr::null_mut(),
        dictionary: ptr::null_mut(),
        release: Some(release_array),
        private_data: owned.cast(),
    };
    // A capsule drops its structure, which releases it if no consumer did.
    let schema = PyCapsule::new_with_value(py, schema, c"arrow_schema")?;
    let array = PyCapsule::new_with_value(py, array, c"arrow_array")?;
    Ok((schema, array))
}

/// Marks the schema as released; it owns nothing.
unsafe extern "C" fn release_schema(schema: *mut ArrowSchema) {
    // SAFETY: the consumer passes a schema that it owns.
    unsafe { (*schema).release = None }
}

/// Frees what the array owns.
unsafe extern "C" fn release_array(array: *mut ArrowArray) {
    // SAFETY: the consumer passes an array that it owns, once. Its private data is the box of `booleans`.
    unsafe {
        drop(Box::from_raw((*array).private_data.cast::<Owned>()));
        (*array).release = None;
    }
}
