//! The page on this computer, made anew whenever a file changes.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use pliant_report::Severity;
use serde_json::json;

use super::http::{self, Request};
use super::summary;
use crate::Common;
use crate::commands::Outcome;
use crate::interrupt::Interrupt;
use crate::terminal::{json as print, output};

/// Between two looks at the files, at connections and for Ctrl-C.
const PAUSE: Duration = Duration::from_millis(50);
const LOOK: Duration = Duration::from_millis(250);
/// Between two signs of life to a page that waits.
const BEAT: Duration = Duration::from_secs(5);
/// Pages that are open at the same time, at most.
const CONNECTIONS: usize = 32;

/// The page as it is now.
#[derive(Default)]
struct Page {
    html: Vec<u8>,
    /// How often it was made.
    version: u64,
}

/// When each file was saved, and how large it is; none for one that is not there.
type Seen = BTreeMap<PathBuf, Option<(SystemTime, u64)>>;

fn seen(files: &[PathBuf]) -> Seen {
    let state = |path: &PathBuf| {
        let facts = std::fs::metadata(path).ok()?;
        Some((facts.modified().ok()?, facts.len()))
    };
    files.iter().map(|path| (path.clone(), state(path))).collect()
}

/// Serves until Ctrl-C.
pub(super) fn serve(pipeline: &Path, port: u16, common: &Common) -> io::Result<Outcome> {
    let interrupt = Interrupt::listen()?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
    listener.set_nonblocking(true)?;
    let port = listener.local_addr()?.port();
    let address = format!("http://127.0.0.1:{port}/");
    let page = Arc::new(Mutex::new(Page::default()));
    let open = Arc::new(AtomicUsize::new(0));
    let mut watched = make(pipeline, &page, common, Some(&address))?;
    let mut looked = Instant::now();
    while !interrupt.came() {
        match listener.accept() {
            Ok((stream, _)) if open.load(Ordering::Relaxed) < CONNECTIONS => {
                let (page, open, interrupt) = (Arc::clone(&page), Arc::clone(&open), interrupt.clone());
                open.fetch_add(1, Ordering::Relaxed);
                thread::spawn(move || {
                    // Whoever closes a page ends its connection.
                    let _ = handle(stream, port, &page, &interrupt);
                    open.fetch_sub(1, Ordering::Relaxed);
                });
                continue;
            }
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
        if looked.elapsed() >= LOOK {
            looked = Instant::now();
            let files: Vec<PathBuf> = watched.keys().cloned().collect();
            if seen(&files) != watched {
                watched = make(pipeline, &page, common, None)?;
            }
        }
        thread::sleep(PAUSE);
    }
    Ok(Outcome::Good)
}

/// Makes the page and says so; the files to look at, as they were before they were read.
fn make(pipeline: &Path, page: &Mutex<Page>, common: &Common, address: Option<&str>) -> io::Result<Seen> {
    let mut before = seen(&[pipeline.to_owned()]);
    let mut viewed = pliant::view(pipeline);
    let known: Vec<PathBuf> =
        viewed.files.iter().filter(|path| !before.contains_key(*path)).cloned().collect();
    before.extend(seen(&known));
    viewed.page.live = true;
    let count = |severity| viewed.page.problems.iter().filter(|problem| problem.severity == severity).count();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let html = viewed.page.into_html().into_bytes();
    let mut now = locked(page);
    (now.html, now.version) = (html, now.version + 1);
    let version = now.version;
    drop(now);
    let (mut out, _) = output();
    if common.json {
        print(
            &mut out,
            &json!({ "version": version, "address": address, "errors": errors, "warnings": warnings }),
        )?;
    } else if !common.quiet {
        if let Some(address) = address {
            writeln!(out, "{address} shows {} until Ctrl-C", pipeline.display())?;
        }
        writeln!(out, "view {version}: {}", summary(errors, warnings))?;
    }
    out.flush()?;
    Ok(before)
}

fn locked(page: &Mutex<Page>) -> MutexGuard<'_, Page> {
    page.lock().unwrap_or_else(PoisonError::into_inner)
}

fn handle(mut stream: TcpStream, port: u16, page: &Mutex<Page>, interrupt: &Interrupt) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    let path = match http::read(&mut stream, port)? {
        Request::Get(path) => path,
        Request::Refused(status) => {
            return http::answer(&mut stream, status, "text/plain", status.as_bytes());
        }
    };
    match path.as_str() {
        "/" => {
            let html = locked(page).html.clone();
            http::answer(&mut stream, "200 OK", "text/html; charset=utf-8", &html)
        }
        "/events" => events(&mut stream, page, interrupt),
        _ => http::answer(&mut stream, "404 Not Found", "text/plain", b"there is nothing here"),
    }
}

/// The version of the page, now and whenever it has changed.
fn events(stream: &mut TcpStream, page: &Mutex<Page>, interrupt: &Interrupt) -> io::Result<()> {
    http::begin_events(stream)?;
    let (mut told, mut last) = (0, Instant::now());
    while !interrupt.came() {
        let version = locked(page).version;
        if version != told {
            write!(stream, "data: {version}\n\n")?;
            (told, last) = (version, Instant::now());
        } else if last.elapsed() > BEAT {
            stream.write_all(b": still here\n\n")?;
            last = Instant::now();
        }
        thread::sleep(PAUSE);
    }
    Ok(())
}
