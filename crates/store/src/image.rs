//! HDF5 files that are built in memory.
//!
//! libhdf5 writes late: what a dataset holds may reach the disk when it is closed, and who drops a handle
//! does not see that fail. A file that is built in memory has no such writes; its bytes are written by
//! [`crate::NewFile`], which checks each.

use std::ffi::CString;
use std::io;
use std::path::Path;
use std::ptr;
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering};

use hdf5::{Error, File, Result, h5call};
use hdf5_sys::h5::H5dont_atexit;
use hdf5_sys::h5f::{H5F_ACC_RDWR, H5F_ACC_SWMR_WRITE, H5Fget_file_image, H5Fopen};

use crate::dataset::short;
use crate::new_file::write_file;
use crate::results::seal;
use crate::superblock::correct_checksum;

/// Bytes by which the image grows.
const GROWTH: usize = 1 << 20;

/// Keeps libhdf5 from writing to files when the process ends. A file that is still open then was given up
/// after a failed write, and what was flushed last must stay as it is. Must come before anything else of
/// libhdf5.
pub fn no_writes_at_exit() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: takes nothing and sets a flag of the library, before it is initialised.
        unsafe { H5dont_atexit() };
    });
}

/// Version of libhdf5: major, minor, patch. Initialises the library, so [`no_writes_at_exit`] comes before
/// it.
pub fn hdf5_version() -> (u8, u8, u8) {
    hdf5::library_version()
}

/// The bytes of an HDF5 file with what `fill` puts into it.
///
/// # Errors
/// What libhdf5 refuses.
pub(crate) fn image(fill: impl FnOnce(&File) -> Result<()>) -> Result<Vec<u8>> {
    let file = in_memory()?;
    fill(&file)?;
    let bytes = bytes_of(&file)?;
    file.close()?;
    Ok(bytes)
}

/// Writes a sealed HDF5 file with what `fill` puts into it: complete or not at all.
///
/// # Errors
/// What the system or libhdf5 refuses, in the system's words where there are any.
pub(crate) fn write_sealed(path: &Path, fill: impl FnOnce(&File) -> Result<()>) -> io::Result<()> {
    let mut bytes = image(fill).map_err(|error| io::Error::other(short(&error)))?;
    bytes.extend(seal::of(&bytes));
    write_file(path, &bytes)
}

/// A file in memory. Nothing of it reaches the disk.
pub(crate) fn in_memory() -> Result<File> {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    no_writes_at_exit();
    // libhdf5 takes two images of one name for one file, and looks for a file of that name: there can be none
    // below a device.
    let name = format!("/dev/null/image-{}", COUNT.fetch_add(1, Ordering::Relaxed));
    File::with_options().with_fapl(|fapl| fapl.libver_v110().core_options(GROWTH, false)).create(name)
}

/// All bytes of a file in memory.
pub(crate) fn bytes_of(file: &File) -> Result<Vec<u8>> {
    file.flush()?;
    let id = file.id();
    hdf5::sync::sync(|| {
        // SAFETY: under the crate's lock; the first call asks for the size alone, the second fills a buffer
        // of that size.
        let size = h5call!(H5Fget_file_image(id, ptr::null_mut(), 0) as i64)? as usize;
        let mut bytes = vec![0u8; size];
        let read = h5call!(H5Fget_file_image(id, bytes.as_mut_ptr().cast(), size) as i64)? as usize;
        if read != size {
            return Err(Error::Internal("the image changed".to_owned()));
        }
        correct_checksum(&mut bytes);
        Ok(bytes)
    })
}

/// Opens a file to be written while others read it.
pub(crate) fn open_swmr(path: &Path, chunk_cache: usize) -> Result<File> {
    no_writes_at_exit();
    let name = path.to_str().and_then(|name| CString::new(name).ok());
    let name = name.ok_or_else(|| Error::Internal("its name is not UTF-8 text".to_owned()))?;
    let mut builder = hdf5::file::FileAccessBuilder::default();
    let access = builder.libver_v110().chunk_cache(101, chunk_cache, 1.0).finish()?;
    hdf5::sync::sync(|| {
        // SAFETY: under the crate's lock; name and property list outlive the call, which hands the new id
        // over.
        unsafe {
            let id = h5call!(H5Fopen(name.as_ptr(), H5F_ACC_RDWR | H5F_ACC_SWMR_WRITE, access.id()))?;
            hdf5::from_id(id)
        }
    })
}
