//! Datasets that say what they are: each has `units` and `description`.

use std::ffi::CString;
use std::sync::OnceLock;

use hdf5::plist::attribute_create::CharEncoding;
use hdf5::plist::{AttributeCreate, AttributeCreateBuilder};
use hdf5::types::VarLenUnicode;
use hdf5::{Dataset, Dataspace, Datatype, Error, Group, H5Type, Location, Result, h5call};
use hdf5_sys::h5a::{H5Aclose, H5Acreate2, H5Awrite};
use hdf5_sys::h5d::H5Dwrite;
use hdf5_sys::h5p::{H5P_CLS_DATASET_XFER, H5P_DEFAULT, H5Pclose, H5Pcreate, H5Pset_buffer};
use hdf5_sys::h5s::H5S_ALL;
use nalgebra::{DMatrix, Dim, Matrix, RawStorage};

/// What a dataset holds, for whoever opens the file without us.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meaning {
    pub(crate) units: &'static str,
    pub(crate) description: &'static str,
}

/// Shorthand for a [`Meaning`].
pub(crate) const fn meaning(units: &'static str, description: &'static str) -> Meaning {
    Meaning { units, description }
}

/// Writes values in row-major order.
pub(crate) fn put<T: H5Type>(
    group: &Group,
    name: &str,
    shape: &[usize],
    values: &[T],
    meaning: Meaning,
) -> Result<()> {
    let dataset = group.new_dataset::<T>().shape(shape).create(name)?;
    dataset.write_raw(values)?;
    put_text(&dataset, "units", meaning.units)?;
    put_text(&dataset, "description", meaning.description)
}

/// Writes one value.
pub(crate) fn put_scalar<T: H5Type>(group: &Group, name: &str, value: T, meaning: Meaning) -> Result<()> {
    put(group, name, &[1], &[value], meaning)
}

/// Writes a matrix; the file has it row by row.
pub(crate) fn put_matrix<R: Dim, C: Dim, S: RawStorage<f64, R, C>>(
    group: &Group,
    name: &str,
    matrix: &Matrix<f64, R, C, S>,
    meaning: Meaning,
) -> Result<()> {
    let (rows, columns) = matrix.shape();
    let values: Vec<f64> =
        (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j))).map(|index| matrix[index]).collect();
    put(group, name, &[rows, columns], &values, meaning)
}

/// What all text attributes have in common, made once: a results file has some six hundred of them.
struct TextAttribute {
    kind: Datatype,
    space: Dataspace,
    creation: AttributeCreate,
}

impl TextAttribute {
    fn get() -> Result<&'static Self> {
        static ONCE: OnceLock<TextAttribute> = OnceLock::new();
        if let Some(made) = ONCE.get() {
            return Ok(made);
        }
        let made = Self {
            kind: Datatype::from_type::<VarLenUnicode>()?,
            space: Dataspace::try_new(())?,
            creation: AttributeCreateBuilder::new().char_encoding(CharEncoding::Utf8).finish()?,
        };
        Ok(ONCE.get_or_init(|| made))
    }
}

/// Writes a text attribute.
pub(crate) fn put_text(location: &Location, name: &str, text: &str) -> Result<()> {
    let nul = |_| Error::Internal(format!("{text:?} holds a NUL"));
    let (name, text) = (CString::new(name).map_err(nul)?, CString::new(text).map_err(nul)?);
    let (all, id) = (TextAttribute::get()?, location.id());
    hdf5::sync::sync(|| {
        // The value of a text of any length is a pointer to it; text and name outlive the calls, which are
        // under the crate's lock. The attribute is that of this call and is closed here.
        let (kind, space, creation) = (all.kind.id(), all.space.id(), all.creation.id());
        let attribute = h5call!(H5Acreate2(id, name.as_ptr(), kind, space, creation, H5P_DEFAULT))?;
        let value = text.as_ptr();
        let written = h5call!(H5Awrite(attribute, kind, std::ptr::from_ref(&value).cast()));
        let closed = h5call!(H5Aclose(attribute));
        written.and(closed).map(|_| ())
    })
}

/// Bytes that libhdf5 converts together when it writes texts of any length.
const CONVERTED: usize = 4096;

/// Writes texts of any length to all of a dataset. libhdf5 converts them in a buffer; its usual one of a
/// mebibyte would be allocated and cleared anew for each dataset, which takes longer than all the rest.
pub(crate) fn write_texts(dataset: &Dataset, texts: &[VarLenUnicode]) -> Result<()> {
    if dataset.size() != texts.len() {
        return Err(Error::Internal(format!("{} texts for {} entries", texts.len(), dataset.size())));
    }
    if texts.is_empty() {
        return Ok(());
    }
    let (id, kind) = (dataset.id(), Datatype::from_type::<VarLenUnicode>()?);
    hdf5::sync::sync(|| {
        // SAFETY: under the crate's lock; `texts` has as many entries as the dataset, of the type that `kind`
        // says; the property list is that of this call and is closed here; without buffers of ours libhdf5
        // allocates them.
        unsafe {
            let transfer = h5call!(H5Pcreate(*H5P_CLS_DATASET_XFER))?;
            let written =
                h5call!(H5Pset_buffer(transfer, CONVERTED, std::ptr::null_mut(), std::ptr::null_mut()))
                    .and_then(|_| {
                        h5call!(H5Dwrite(id, kind.id(), H5S_ALL, H5S_ALL, transfer, texts.as_ptr().cast()))
                    });
            H5Pclose(transfer);
            written.map(|_| ())
        }
    })
}

/// Reads a text attribute.
pub(crate) fn text(location: &Location, name: &str) -> Result<String> {
    Ok(words(location.attr(name)?.read_scalar::<VarLenUnicode>()?.as_bytes()))
}

/// Text of a file. `as_str` of the types of the hdf5 crate takes its bytes for UTF-8 without a look, and
/// those of a damaged file need not be.
pub(crate) fn words(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Reads values, row-major.
pub(crate) fn values<T: H5Type>(group: &Group, name: &str) -> Result<Vec<T>> {
    group.dataset(name)?.read_raw()
}

/// Reads one value.
pub(crate) fn scalar<T: H5Type + Copy>(group: &Group, name: &str) -> Result<T> {
    let values = values(group, name)?;
    values.first().copied().ok_or_else(|| hdf5::Error::Internal(format!("{name} is empty")))
}

/// Reads a matrix.
pub(crate) fn matrix(group: &Group, name: &str) -> Result<DMatrix<f64>> {
    let dataset = group.dataset(name)?;
    let [rows, columns] = dataset.shape()[..] else {
        return Err(hdf5::Error::Internal(format!("{name} is not a matrix")));
    };
    Ok(DMatrix::from_row_slice(rows, columns, &dataset.read_raw()?))
}

/// The system's own words where HDF5 passes them on in the middle of its account of offsets and buffers.
pub(crate) fn short(error: &hdf5::Error) -> String {
    let text = error.to_string();
    let system = text.split_once("error message = '").and_then(|(_, rest)| rest.split_once('\''));
    match system {
        Some((message, _)) => message.to_owned(),
        None => text.lines().next().unwrap_or_default().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_is_no_utf8_is_no_string_of_ours() {
        // What a damaged file may hold, read without a look.
        let name = hdf5::types::FixedUnicode::<4>::default();
        assert_eq!(words(name.as_bytes()), "");
        assert_eq!(words(b"a\xffb"), "a\u{fffd}b");
    }

    #[test]
    fn a_full_disk_is_reported_in_the_words_of_the_system() {
        let hdf5 = "H5Dwrite(): file write failed: time = x\n, errno = 28, error message = 'No space left on device', buf";
        assert_eq!(short(&hdf5::Error::Internal(hdf5.to_owned())), "No space left on device");
        assert_eq!(short(&hdf5::Error::Internal("one\ntwo".to_owned())), "one");
    }
}
