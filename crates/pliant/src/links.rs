//! The links of a machine, as a run needs them.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use pliant_link::ReducedLink;
use pliant_reduce::{LinkRequest, Need};
use pliant_store::results::{InputFile, LinkElements, LinkInfo, LinkShape, MetricInfo};
use pliant_store::{Cache, Key};

use crate::case::Case;
use crate::link::{CachedLink, LinkFailure, reduce_announced};

/// A link with what its results say about it.
#[derive(Clone, Debug)]
pub struct MachineLink {
    /// The reduced link.
    pub link: Arc<ReducedLink>,
    /// Numbers of its reduction.
    pub info: LinkInfo,
    /// The files it was made from.
    pub files: Vec<InputFile>,
    /// What is drawn of it; none where nothing is drawn.
    pub shape: Option<Arc<LinkShape>>,
    /// What is recovered of its elements; none where nothing is.
    pub elements: Option<Arc<LinkElements>>,
}

impl MachineLink {
    /// A link that is neither drawn nor recovered.
    pub fn bare(made: CachedLink) -> Self {
        let info = info(&made);
        Self { info, files: files(&made), link: Arc::new(made.link), shape: None, elements: None }
    }

    /// A link with its shape and the stress, strain and gauges that the file asks for.
    ///
    /// # Errors
    /// Elements that cannot be recovered.
    pub fn complete(request: &LinkRequest, case: &Case, made: &CachedLink) -> Result<Self, Box<LinkFailure>> {
        Ok(Self {
            info: info(made),
            files: files(made),
            link: Arc::new(made.link.clone()),
            shape: Some(Arc::new(LinkShape::new(&request.name, &made.link, &made.shapes, &made.drawing))),
            elements: crate::recovery::of_link(request, case.links(), case.file(), made)?,
        })
    }
}

fn files(made: &CachedLink) -> Vec<InputFile> {
    made.sources.inputs().map(|(_, file)| InputFile::new(file.path(), file.bytes())).collect()
}

/// The numbers of a reduction.
fn info(made: &CachedLink) -> LinkInfo {
    let health = &made.health;
    let (first, first_of_mesh) = health.frequencies_hz.first().copied().unzip();
    let all = [
        ("mass", "kg", "mass of the link", Some(health.mass)),
        (
            "mass_error",
            "1",
            "relative difference between the mass of the reduced link and of its elements",
            Some(health.mass_error),
        ),
        (
            "inertia_error",
            "1",
            "the same for the inertia about the centre of mass",
            Some(health.inertia_error),
        ),
        (
            "grounding",
            "1",
            "largest strain energy of a rigid motion over the sum of its absolute terms",
            Some(health.grounding),
        ),
        (
            "mesh_components",
            "1",
            "free components of the mesh with the link clamped",
            Some(health.mesh_dofs as f64),
        ),
        ("coordinates", "1", "elastic coordinates kept", Some(health.coordinates as f64)),
        ("first_frequency", "Hz", "first free-free elastic frequency of the reduced link", first),
        ("first_frequency_of_mesh", "Hz", "the same of the full mesh", first_of_mesh),
    ];
    let number = |(name, units, description, value): (&str, &str, &str, Option<f64>)| {
        let info = MetricInfo {
            name: name.to_owned(),
            units: units.to_owned(),
            description: description.to_owned(),
        };
        value.map(|value| (info, value))
    };
    LinkInfo {
        name: made.link.name.clone(),
        numbers: all.into_iter().filter_map(number).collect(),
        modes_hz: health.modes_hz.clone(),
        accepted: made.accepted.iter().map(|check| check.message.clone()).collect(),
        fingerprint: fingerprint(&made.link),
    }
}

/// Stands for the meaning of a link's coordinates: a hash of its mass, its stiffness and the displacements of
/// its interfaces.
pub(crate) fn fingerprint(link: &ReducedLink) -> String {
    let bytes = |numbers: &[f64]| numbers.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
    let own = [bytes(&[link.invariants.mass()]), bytes(link.K.as_slice())];
    let interfaces = link.interfaces.iter().map(|interface| bytes(interface.V.as_slice()));
    let parts: Vec<Vec<u8>> = own.into_iter().chain(interfaces).collect();
    Key::of(parts.iter().map(Vec::as_slice)).to_string()
}

/// Watches the reduction of links. Called from several threads.
pub trait LinkObserver: Sync {
    /// The reduction of a link begins.
    fn begin(&self, name: &str) {
        let _ = name;
    }

    /// What the reduction of a link will take, before it is begun.
    fn need(&self, name: &str, need: Need) {
        let _ = (name, need);
    }

    /// A link is there, or has failed.
    fn end(&self) {}

    /// True once nobody waits for the links any more: those that have not begun are left out.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// Watches nothing.
impl LinkObserver for () {}

/// Reduces links, as many at a time as there are threads, and hands each outcome to `each`. What that
/// returns comes back in the same order, of a cancelled reduction without the links that were not begun.
pub fn links<T: Send>(
    links: &[LinkRequest],
    cache: Option<&Cache>,
    observer: &dyn LinkObserver,
    each: impl Fn(&LinkRequest, Result<CachedLink, Box<LinkFailure>>) -> T + Sync,
) -> Vec<T> {
    let done = Mutex::new(Vec::new());
    side_by_side(rayon::current_num_threads(), links, |index, link| {
        if observer.is_cancelled() {
            return;
        }
        observer.begin(&link.name);
        let announce = |need| observer.need(&link.name, need);
        let made = each(link, reduce_announced(link, cache, &announce));
        observer.end();
        done.lock().expect("invariant: nobody panics with the list").push((index, made));
    });
    let mut done = done.into_inner().expect("invariant: nobody panics with the list");
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, made)| made).collect()
}

/// Works on items, as many at a time as there are `threads`, in their order.
///
/// The threads are beside the pool that assembles and factorises: a link may wait for another process that
/// reduces the same one, and a thread of the pool that waits could hold back the work of its neighbours.
pub fn side_by_side<T: Sync>(threads: usize, items: &[T], work: impl Fn(usize, &T) + Sync) {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..threads.min(items.len()) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { break };
                    work(index, item);
                }
            });
        }
    });
}
