//! The deformed shapes in a file of their own.

use std::ffi::CString;
use std::path::Path;

use hdf5::{File, Group, Result};
use hdf5_sys::h5o::H5Ocopy;
use hdf5_sys::h5p::H5P_DEFAULT;

use super::error::ResultsError;
use super::read::ResultsFile;
use super::seal;
use crate::new_file::NewFile;

/// Attributes of dimension scales. They refer to objects of the file they came from.
const OF_AXES: [&str; 4] = ["DIMENSION_LIST", "REFERENCE_LIST", "CLASS", "NAME"];

impl ResultsFile {
    /// Writes `/VTKHDF` alone to a new file.
    ///
    /// # Errors
    /// The run kept no shapes, or the file cannot be written.
    pub fn export_vtk(&self, path: &Path) -> std::result::Result<(), ResultsError> {
        if !self.has("/VTKHDF") {
            let message = "the run kept no deformed shapes (`frames` of `[output]`)".to_owned();
            return Err(ResultsError::Unknown { path: self.path().to_owned(), message });
        }
        let io_error = |source| ResultsError::Io { path: path.to_owned(), source };
        let mut file = NewFile::create(path).map_err(io_error)?;
        let copied = self.copy_vtk(file.temporary());
        copied.map_err(|source| ResultsError::Hdf5 { path: path.to_owned(), source })?;
        seal::append(file.file()).and_then(|()| file.measure()).and_then(|()| file.finish()).map_err(io_error)
    }

    /// Too large, perhaps, to be built in memory: what libhdf5 has not written when it is flushed is an
    /// error.
    fn copy_vtk(&self, path: &Path) -> Result<()> {
        let file = File::with_options().with_fapl(|fapl| fapl.libver_v110()).create(path)?;
        let name = CString::new("VTKHDF").map_err(|_| hdf5::Error::Internal("a NUL in a name".to_owned()))?;
        let copied = hdf5::sync::sync(|| {
            // SAFETY: both files are open, the name outlives the call, the call is under the crate's lock.
            unsafe {
                H5Ocopy(self.file().id(), name.as_ptr(), file.id(), name.as_ptr(), H5P_DEFAULT, H5P_DEFAULT)
            }
        });
        if copied < 0 {
            return Err(hdf5::Error::Internal("the shapes cannot be copied".to_owned()));
        }
        let root = file.group("VTKHDF")?;
        for name in root.member_names()?.iter().filter(|name| name.starts_with("axis_")) {
            root.unlink(name)?;
        }
        without_axes(&root)?;
        drop(root);
        file.flush()?;
        file.close()
    }
}

fn without_axes(group: &Group) -> Result<()> {
    for dataset in group.datasets()? {
        for name in dataset.attr_names()?.iter().filter(|name| OF_AXES.contains(&name.as_str())) {
            dataset.delete_attr(name)?;
        }
    }
    group.groups()?.iter().try_for_each(without_axes)
}
