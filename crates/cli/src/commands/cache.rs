//! `pliant cache`: what is kept of reduced links.

use std::io::{self, Write};
use std::time::{Duration, SystemTime};

use pliant_store::{Cache, CacheEntry};
use serde_json::json;

use super::Outcome;
use crate::Common;
use crate::argument::ArgumentError;
use crate::number::{bytes, counted};
use crate::terminal::{self, output};

/// Arguments of `pliant cache`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// The links in the cache, the latest used first
    List,
    /// How many links the cache holds, and how large it is
    Size,
    /// Remove links that were not used for a while, and what crashed runs have left
    Prune {
        /// Remove links that were not used for this many days
        #[arg(long, value_name = "DAYS", default_value = "30", value_parser = days)]
        older_than: f64,
        /// Remove all links
        #[arg(long, conflicts_with = "older_than")]
        all: bool,
    },
}

fn days(text: &str) -> Result<f64, ArgumentError> {
    match text.parse::<f64>() {
        Ok(days) if (0.0..1e6).contains(&days) => Ok(days),
        _ => Err(ArgumentError::Expected("a number of days, such as 30 or 0.5".to_owned())),
    }
}

/// Lists, measures or prunes.
pub(crate) fn run(arguments: &Arguments, common: &Common) -> io::Result<Outcome> {
    let cache = Cache::of_user().ok_or_else(|| {
        io::Error::other("there is no cache: none of PLIANT_CACHE, XDG_CACHE_HOME and HOME is set")
    })?;
    let (mut out, _) = output();
    match arguments.action {
        None | Some(Action::List) => list(&mut out, &cache, common)?,
        Some(Action::Size) => size(&mut out, &cache, common)?,
        Some(Action::Prune { older_than, all }) => {
            let age = if all { Duration::ZERO } else { Duration::from_secs_f64(older_than * 86_400.0) };
            prune(&mut out, &cache, age, common)?;
        }
    }
    out.flush()?;
    Ok(Outcome::Good)
}

/// Where the cache is, as text: a path need not be UTF-8.
fn folder(cache: &Cache) -> String {
    cache.folder().display().to_string()
}

/// Days since an entry was used.
fn idle_days(entry: &CacheEntry) -> f64 {
    SystemTime::now().duration_since(entry.used).unwrap_or_default().as_secs_f64() / 86_400.0
}

fn list(out: &mut impl Write, cache: &Cache, common: &Common) -> io::Result<()> {
    let entries = cache.entries()?;
    if common.json {
        let rows = entries.iter().map(|entry| {
            json!({
                "key": entry.key.to_string(),
                "link": entry.link,
                "bytes": entry.size,
                "unused_days": idle_days(entry),
            })
        });
        return terminal::json(out, &json!({ "folder": folder(cache), "entries": rows.collect::<Vec<_>>() }));
    }
    for entry in &entries {
        let key = entry.key.to_string();
        let link = entry.link.as_deref().unwrap_or("?");
        let idle = format!("{:.1} days", idle_days(entry));
        writeln!(out, "{}  {:>8}  {idle:>12}  {link}", &key[..16], bytes(entry.size))?;
    }
    if common.quiet { Ok(()) } else { size(out, cache, common) }
}

fn size(out: &mut impl Write, cache: &Cache, common: &Common) -> io::Result<()> {
    let entries = cache.entries()?;
    let total: u64 = entries.iter().map(|entry| entry.size).sum();
    if common.json {
        return terminal::json(
            out,
            &json!({ "folder": folder(cache), "links": entries.len(), "bytes": total }),
        );
    }
    let links = counted(entries.len(), "link");
    writeln!(out, "{links}, {} in {}", bytes(total), cache.folder().display())
}

fn prune(out: &mut impl Write, cache: &Cache, age: Duration, common: &Common) -> io::Result<()> {
    let pruned = cache.prune(age)?;
    if common.json {
        return terminal::json(
            out,
            &json!({ "removed_links": pruned.entries, "removed_bytes": pruned.bytes }),
        );
    }
    if common.quiet {
        return Ok(());
    }
    writeln!(out, "removed {}, {}", counted(pruned.entries, "link"), bytes(pruned.bytes))
}
