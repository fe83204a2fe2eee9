//! Appending rows to a dataset, with as few calls of libhdf5 as that takes: the safe crate looks at types and
//! selections anew for each write, which cost four times as many instructions as the write itself.

use hdf5::{Dataset, Datatype, H5Type, Result, h5call};
use hdf5_sys::h5::hsize_t;
use hdf5_sys::h5d::{H5Dset_extent, H5Dwrite, H5Dwrite_chunk};
use hdf5_sys::h5p::H5P_DEFAULT;
use hdf5_sys::h5s::{H5S_seloper_t, H5Sclose, H5Screate_simple, H5Sselect_hyperslab};

/// Writes rows after the first `start` ones; `tail` are the lengths of the axes after the first.
pub(super) fn append<T: H5Type>(dataset: &Dataset, start: usize, tail: &[usize], values: &[T]) -> Result<()> {
    let width: usize = tail.iter().product();
    if width == 0 || values.is_empty() {
        return Ok(());
    }
    let rows = values.len() / width;
    assert_eq!(rows * width, values.len(), "invariant: complete rows are written");
    let shape = |rows: usize| -> Vec<hsize_t> {
        std::iter::once(rows).chain(tail.iter().copied()).map(|n| n as hsize_t).collect()
    };
    let (extent, count) = (shape(start + rows), shape(rows));
    let mut first = vec![0; count.len()];
    first[0] = start as hsize_t;
    // Axes stay what they are, and the first rows of every dataset come through here.
    if start == 0 {
        assert_eq!(dataset.ndim(), count.len(), "invariant: the dataset has these axes");
    }
    let (id, kind) = (dataset.id(), Datatype::from_type::<T>()?);
    hdf5::sync::sync(|| {
        // SAFETY: under the crate's lock; every array has an entry for each axis of the dataset, as its first
        // rows have shown; `values` has the numbers that `count` says, of the type that `kind` says; the
        // spaces are those of this call and are closed here.
        unsafe {
            h5call!(H5Dset_extent(id, extent.as_ptr()))?;
            let simple = |shape: &[hsize_t]| {
                h5call!(H5Screate_simple(shape.len() as _, shape.as_ptr(), std::ptr::null()))
            };
            let memory = simple(&count)?;
            // What the dataset has now.
            let space = match simple(&extent) {
                Ok(space) => space,
                Err(error) => {
                    H5Sclose(memory);
                    return Err(error);
                }
            };
            let selected = h5call!(H5Sselect_hyperslab(
                space,
                H5S_seloper_t::H5S_SELECT_SET,
                first.as_ptr(),
                std::ptr::null(),
                count.as_ptr(),
                std::ptr::null()
            ));
            let written = selected.and_then(|_| {
                h5call!(H5Dwrite(id, kind.id(), memory, space, H5P_DEFAULT, values.as_ptr().cast()))
            });
            H5Sclose(space);
            H5Sclose(memory);
            written.map(|_| ())
        }
    })
}

/// The same for rows that fill chunks of `rows_of_chunk` each, without filters: they go to the file as they
/// are, and not through libhdf5's cache of chunks, which would copy each once more.
pub(super) fn append_chunks<T: H5Type>(
    dataset: &Dataset,
    start: usize,
    tail: &[usize],
    rows_of_chunk: usize,
    values: &[T],
) -> Result<()> {
    let size = rows_of_chunk * tail.iter().product::<usize>();
    if size == 0 || values.is_empty() {
        return Ok(());
    }
    let (rows, chunks) = (values.len() / size * rows_of_chunk, values.chunks_exact(size));
    assert!(chunks.remainder().is_empty(), "invariant: complete chunks are written");
    let shape: Vec<usize> = std::iter::once(rows_of_chunk).chain(tail.iter().copied()).collect();
    if start == 0 {
        assert_eq!(dataset.chunk(), Some(shape.clone()), "invariant: the dataset has these chunks");
    }
    let mut extent: Vec<hsize_t> = shape.iter().map(|n| *n as hsize_t).collect();
    extent[0] = (start + rows) as hsize_t;
    let mut offset = vec![0; extent.len()];
    let id = dataset.id();
    hdf5::sync::sync(|| {
        h5call!(H5Dset_extent(id, extent.as_ptr()))?;
        for (k, chunk) in chunks.enumerate() {
            offset[0] = (start + k * rows_of_chunk) as hsize_t;
            // The arrays have an entry for each axis, `chunk` has the bytes of a chunk of the dataset, which
            // holds numbers as the processor has them.
            let (offset, bytes) = (offset.as_ptr(), size_of_val(chunk));
            h5call!(H5Dwrite_chunk(id, H5P_DEFAULT, 0, offset, bytes, chunk.as_ptr().cast()))?;
        }
        Ok(())
    })
}
