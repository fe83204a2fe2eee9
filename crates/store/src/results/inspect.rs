//! A look at all of a file's objects before anything of them is read: opening a results file touches that
//! file alone, runs no foreign code, and takes no more memory than its size allows.

use hdf5::filters::Filter;
use hdf5::plist::dataset_create::Layout;
use hdf5::{Dataset, Error, File, Group, LinkType, Result};

/// Deepest nesting of groups, and most objects. A file of ours has a few levels and some objects for each
/// link and joint.
const LEVELS: usize = 16;
const OBJECTS: usize = 1_000_000;
/// Most bytes that one byte of a deflated chunk can become (zlib.net/zlib_tech.html: 1032).
const DEFLATED: u64 = 1032;
/// Bytes of data for which no storage is asked: labels, and what is still empty.
const SMALL: u64 = 1 << 20;

/// Bytes of all numbers and texts of a file, once inflated. Fails when an object of the file stores its data
/// elsewhere, refers to another file, needs a filter of others, or is larger than a file of `length` bytes
/// can hold.
pub(super) fn inspect(file: &File, length: u64) -> Result<u64> {
    let (mut left, mut bytes) = (OBJECTS, 0);
    group(file, length, LEVELS, &mut left, &mut bytes)?;
    Ok(bytes)
}

fn refused(name: &str, what: &str) -> Error {
    Error::Internal(format!("{name}: {what}"))
}

fn group(group: &Group, length: u64, levels: usize, left: &mut usize, bytes: &mut u64) -> Result<()> {
    let mut links = Vec::new();
    group.iter_visit_default(|name, info| {
        links.push((name.to_owned(), info.link_type));
        Ok(())
    })?;
    for (name, link) in links {
        if levels == 0 || *left == 0 {
            return Err(refused(&name, "it has more objects than a results file may have"));
        }
        *left -= 1;
        if link != LinkType::Hard {
            return Err(refused(&name, "it is a link to something else, which a results file does not have"));
        }
        if let Ok(below) = group.group(&name) {
            self::group(&below, length, levels - 1, left, bytes)?;
        } else if let Ok(found) = group.dataset(&name) {
            *bytes = bytes.saturating_add(dataset(&found, &name, length)?);
        }
    }
    Ok(())
}

/// Bytes of a dataset, once inflated.
fn dataset(dataset: &Dataset, name: &str, length: u64) -> Result<u64> {
    let properties = dataset.dcpl()?;
    if properties.get_layout()? == Layout::Virtual || !properties.get_external()?.is_empty() {
        return Err(refused(name, "its numbers are stored in another file"));
    }
    let filters = properties.get_filters()?;
    let ours = |filter: &Filter| matches!(filter, Filter::Deflate(_) | Filter::Shuffle | Filter::Fletcher32);
    if !filters.iter().all(ours) {
        return Err(refused(name, "it needs a filter that Pliant does not use"));
    }
    let numbers = dataset.shape().iter().try_fold(1u64, |product, n| product.checked_mul(*n as u64));
    let needed = numbers.and_then(|numbers| numbers.checked_mul(dataset.dtype().ok()?.size() as u64));
    let deflated = filters.iter().any(|filter| matches!(filter, Filter::Deflate(_)));
    let most = length.saturating_mul(if deflated { DEFLATED } else { 1 }).saturating_add(SMALL);
    // An axis that has a length and no values takes no storage; its values are never read.
    let bare = dataset.attr("CLASS").is_ok() && dataset.dtype()?.size() == 1;
    match needed {
        _ if bare => Ok(0),
        Some(needed) if needed <= most => Ok(needed),
        _ => Err(refused(name, "it is larger than the file")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said of a file with one object too many.
    fn reported(put: impl FnOnce(&File) -> Result<()>) -> Option<String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.h5");
        let file = File::create(&path).unwrap();
        let group = file.create_group("links").unwrap();
        group.new_dataset::<f64>().shape(3).create("x").unwrap().write_raw(&[1.0, 2.0, 3.0]).unwrap();
        put(&file).unwrap();
        file.close().unwrap();
        let file = File::open(&path).unwrap();
        inspect(&file, std::fs::metadata(&path).unwrap().len()).err().map(|error| error.to_string())
    }

    #[test]
    fn what_leads_out_of_the_file_is_refused() {
        assert_eq!(reported(|_| Ok(())), None);
        let link = "a link to something else";
        let external = reported(|file| file.link_external("/etc/passwd", "/", "x"));
        assert!(external.unwrap().contains(link));
        assert!(reported(|file| file.link_soft("/links", "x")).unwrap().contains(link));
        let stored_elsewhere = reported(|file| {
            let builder = file.new_dataset::<u8>().external("/etc/passwd", 0, 100);
            builder.shape(100).create("x").map(|_| ())
        });
        assert!(stored_elsewhere.unwrap().contains("another file"));
        // Chunks that were never written take no room in the file, and 8 TB when they are read.
        let huge =
            reported(|file| file.new_dataset::<f64>().chunk(1000).shape(1 << 40).create("x").map(|_| ()));
        assert!(huge.unwrap().contains("larger than the file"));
    }
}
