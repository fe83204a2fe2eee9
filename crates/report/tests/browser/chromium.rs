//! A browser without a window.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Longest that a page may take before the browser is ended.
const PATIENCE: Duration = Duration::from_secs(120);

/// The browser, or a line that says why the test is skipped.
pub(crate) fn browser() -> Option<PathBuf> {
    let asked = std::env::var_os("PLIANT_BROWSER").map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let found = || {
        let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
        names
            .iter()
            .find_map(|name| folders.iter().map(|folder| folder.join(name)).find(|file| file.is_file()))
    };
    let browser = asked.or_else(found);
    if browser.is_none() {
        println!(
            "SKIPPED: no Chromium here (apt-get install chromium, or set PLIANT_BROWSER): the report was not opened"
        );
    }
    browser
}

/// Opens a page in a window of this size and gives what the browser prints.
pub(crate) fn open(browser: &Path, page: &Path, size: (u32, u32), options: &[&str]) -> String {
    let profile = tempfile::tempdir().unwrap();
    let mut command = Command::new(browser);
    command
        .args([
            "--headless=new",
            "--no-sandbox",
            "--no-first-run",
            "--disable-extensions",
            "--hide-scrollbars",
        ])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--mute-audio"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("--window-size={},{}", size.0, size.1))
        .args(options)
        .arg(format!("file://{}", page.display()))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut pipe = child.stdout.take().unwrap();
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        pipe.read_to_end(&mut text).map(|_| String::from_utf8_lossy(&text).into_owned())
    });
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > PATIENCE {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("the browser did not come to an end with {}", page.display());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    reader.join().unwrap().unwrap()
}
