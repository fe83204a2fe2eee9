//! Attributes that libhdf5 and VTK want as C strings: of fixed length, closed by a NUL. The safe crate writes
//! fixed strings padded instead, which H5DSis_scale does not take.

use std::ffi::CString;

use hdf5::{Error, Location, Result};
use hdf5_sys::h5a::{H5Aclose, H5Acreate2, H5Awrite};
use hdf5_sys::h5p::H5P_DEFAULT;
use hdf5_sys::h5s::{H5S_class_t, H5Sclose, H5Screate};
use hdf5_sys::h5t::{H5T_C_S1, H5Tclose, H5Tcopy, H5Tset_size};

/// Writes a text attribute as a C string.
pub(crate) fn put_c_text(location: &Location, name: &str, text: &str) -> Result<()> {
    let nul = |_| Error::Internal(format!("{text:?} holds a NUL"));
    let (name_c, text_c) = (CString::new(name).map_err(nul)?, CString::new(text).map_err(nul)?);
    let written = hdf5::sync::sync(|| {
        // SAFETY: under the crate's lock; the ids are those of this call and are closed here; the strings
        // outlive it.
        unsafe {
            let kind = H5Tcopy(*H5T_C_S1);
            let space = H5Screate(H5S_class_t::H5S_SCALAR);
            let sized = H5Tset_size(kind, text_c.as_bytes_with_nul().len());
            let attribute = H5Acreate2(location.id(), name_c.as_ptr(), kind, space, H5P_DEFAULT, H5P_DEFAULT);
            let written = if attribute < 0 { -1 } else { H5Awrite(attribute, kind, text_c.as_ptr().cast()) };
            if attribute >= 0 {
                H5Aclose(attribute);
            }
            H5Sclose(space);
            H5Tclose(kind);
            sized >= 0 && written >= 0
        }
    });
    if written { Ok(()) } else { Err(Error::Internal(format!("cannot write attribute {name}"))) }
}
