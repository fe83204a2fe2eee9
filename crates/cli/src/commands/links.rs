//! The links of a file, with a bar that shows how far they are.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use pliant::Case;
use pliant::facts::LinkFacts;
use pliant::links::{LinkObserver, MachineLink};
use pliant_diag::{Diagnostics, SourceMap};
use pliant_reduce::Need;
use pliant_store::Output;

use super::reduce::user_cache;
use crate::number::{bytes, count};
use crate::terminal::{Style, complain, printable};
use crate::{Common, render};

/// All links of a case, and the diagnostics of each, for a command that writes `target`. None when one
/// of them may not be used, or when the case or a link reads the target.
pub(super) fn machine_links(
    case: &Case,
    target: Output<'_>,
    no_cache: bool,
    common: &Common,
    diagnostics: &mut Diagnostics,
) -> (Option<Vec<Arc<MachineLink>>>, Vec<LinkFacts>) {
    let cache = if no_cache { None } else { user_cache(diagnostics) };
    let progress = LinkProgress::new(case.links().requests.len(), !common.quiet && !common.json);
    let prepared = pliant::prepare(case, target, cache.as_ref(), &progress);
    diagnostics.extend(prepared.diagnostics);
    (prepared.links, prepared.facts)
}

/// Prints the problems of a pipeline file and of its links.
pub(super) fn print_problems(
    out: &mut impl Write,
    style: Style,
    (diagnostics, links): (&Diagnostics, &[LinkFacts]),
    sources: &SourceMap,
    quiet: bool,
) -> io::Result<()> {
    render::diagnostics(out, style, sources, diagnostics, quiet)?;
    for link in links {
        render::diagnostics(out, style, &link.sources, &link.deck, quiet)?;
        render::diagnostics(out, style, sources, &link.request, quiet)?;
    }
    Ok(())
}

/// A bar on a terminal; indicatif draws on stderr and knows whether that is one.
pub(super) struct LinkProgress {
    bar: ProgressBar,
    show: bool,
}

/// Bytes from which the need of a reduction is printed: less than that the program takes by itself.
const SHOWN: usize = 16 << 20;

impl LinkProgress {
    pub(super) fn new(count: usize, show: bool) -> Self {
        if !show {
            return Self { bar: ProgressBar::hidden(), show };
        }
        let bar = ProgressBar::new(count as u64);
        let style = ProgressStyle::with_template("{spinner} {pos}/{len} links  {wide_bar}  {elapsed}  {msg}");
        bar.set_style(style.expect("invariant: the template is ours"));
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { bar, show }
    }
}

impl LinkObserver for LinkProgress {
    fn begin(&self, name: &str) {
        self.bar.set_message(printable(name));
    }

    fn need(&self, name: &str, need: Need) {
        if !self.show || need.bytes < SHOWN {
            return;
        }
        let (needed, available) = (bytes(need.bytes as u64), bytes(need.available as u64));
        let line = format!(
            "{}: {} degrees of freedom; the factorisation needs {needed} of {available} available memory",
            printable(name),
            count(need.freedoms)
        );
        self.bar.suspend(|| complain(line));
    }

    fn end(&self) {
        self.bar.inc(1);
    }
}

impl Drop for LinkProgress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
