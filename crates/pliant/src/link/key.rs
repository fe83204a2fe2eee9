//! The key of a reduced link: everything that determines its bytes.

use pliant_reduce::LinkRequest;
use pliant_reduce::request::IdentityOf;
use pliant_store::Key;

/// Hash of the code that turns a deck into an entry of the cache and of the versions of what it is built
/// with, see `build.rs`.
const REDUCTION_CODE: &str = env!("PLIANT_REDUCTION_CODE");

/// The key of a link: the code that reduces it, every value of the request, and the bytes of its files (decks
/// after INCLUDE in the order they were read, then matrices). Its name, the locations of its files and the
/// checks it accepts do not matter.
pub(super) fn link_key<'a>(request: &LinkRequest, files: impl IntoIterator<Item = &'a [u8]>) -> Key {
    let identity = request.identity(IdentityOf::ReducedLink);
    let parts = [REDUCTION_CODE.as_bytes(), &identity];
    Key::of(parts.into_iter().chain(files.into_iter().map(|file| -> &[u8] { file })))
}
