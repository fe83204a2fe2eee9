//! `pliant view` as a user runs it.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

const PIPELINES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../pipelines");

/// Exit code, facts and what the page describes to its scripts.
fn view(folder: &Path, pipeline: &str) -> (i32, Value, Value, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
    command.args(["view", pipeline, "--out", "view.html", "--json"]).current_dir(folder);
    let output = command.output().unwrap();
    let facts = serde_json::from_slice(&output.stdout).unwrap();
    let html = std::fs::read_to_string(folder.join("view.html")).unwrap();
    let (_, rest) = html.split_once("id=\"description\">").unwrap();
    let page = serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap();
    (output.status.code().unwrap(), facts, page, html)
}

fn names<'a>(of: &'a Value, key: &str) -> Vec<&'a str> {
    of.as_array().unwrap().iter().map(|entry| entry[key].as_str().unwrap()).collect()
}

#[test]
fn every_pipeline_of_the_repository_is_drawn_without_a_problem() {
    let folder = tempfile::tempdir().unwrap();
    for entry in std::fs::read_dir(PIPELINES).unwrap() {
        let path = entry.unwrap().path();
        // Links alone are no machine.
        if !std::fs::read_to_string(&path).unwrap().contains("[joints.") {
            continue;
        }
        let (code, facts, page, _) = view(folder.path(), path.to_str().unwrap());
        assert_eq!((code, facts["errors"].as_u64()), (0, Some(0)), "{}: {facts:#}", path.display());
        assert!(!page["machine"]["parts"].as_array().unwrap().is_empty(), "{}", path.display());
    }
}

#[test]
fn the_picture_has_what_the_file_describes() {
    let folder = tempfile::tempdir().unwrap();
    let (code, facts, page, _) = view(folder.path(), &format!("{PIPELINES}/delta-robot.toml"));
    assert_eq!((code, facts["links"].as_u64()), (0, Some(4)));
    let machine = &page["machine"];
    let kinds = names(&machine["symbols"], "kind");
    let count = |kind: &str| kinds.iter().filter(|other| **other == kind).count();
    // Three motors, three pairs of rods, the payload, the rigid platform.
    assert_eq!((count("revolute"), count("rod"), count("payload"), count("mass")), (3, 6, 1, 1));
    // Tubes of 32 mm.
    let arm = &machine["parts"].as_array().unwrap().iter().find(|part| part["name"] == "arm0").unwrap();
    let corner = &arm["profiles"][0]["loops"][0]["corners"][0];
    assert!((corner[0].as_f64().unwrap() - 0.016).abs() < 1e-6, "{corner}");
    assert_eq!(arm["profiles"][0]["loops"][1]["hole"], true);
}

/// An arm of two beams whose forearm, spring and drive have errors.
const WRONG: &str = r#"
gravity = [0, 0, -9.81]
[links.upper]
beam = { length = 1.0, section = { box = { width = 0.05, height = 0.1, t = 0.004 } }, material = "steel" }
[links.fore]
beam  = { length = 0.8, section = { rod = 0.04 }, material = "steel" }
modes = { count = -3 }
[joints.shoulder]
parent = "ground"
child  = "upper"
type   = "revolute"
axis   = "y"
drive  = { motion = { profile = "cycloidal", to_deg = 40, time = -1 } }
[joints.elbow]
parent = "upper.tip"
child  = "fore"
type   = "revolute"
axis   = "y"
[forces.balance]
from   = "ground"
to     = "fore.tp"
spring = { stiffness = 1e3, free_length = 0.2 }
"#;

#[test]
fn what_is_wrong_is_marked_and_the_rest_is_drawn() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("arm.toml"), WRONG).unwrap();
    let (code, facts, page, html) = view(folder.path(), "arm.toml");
    assert_eq!((code, facts["errors"].as_u64()), (1, Some(3)), "{facts:#}");
    let machine = &page["machine"];
    assert_eq!(names(&machine["parts"], "name"), ["upper", "fore"]);
    assert_eq!(names(&machine["symbols"], "name"), ["shoulder", "elbow"]);
    // One at the forearm, one at the shoulder, one at the link that the spring names.
    let marks = machine["marks"].as_array().unwrap();
    let parts: Vec<u64> = marks.iter().map(|mark| mark["part"].as_u64().unwrap()).collect();
    assert_eq!((marks.len(), parts.iter().sum::<u64>()), (3, 2), "{marks:#?}");
    for text in
        ["count = <mark>-3</mark>", "time = <mark>-1</mark>", "arm.toml:7:", "did you mean `fore.tip`?"]
    {
        assert!(html.contains(text), "{text}");
    }
}

#[test]
fn a_file_of_others_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("notes.html"), "mine").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
    command.args(["view", &format!("{PIPELINES}/blade.toml"), "--out", "notes.html"]);
    let output = command.current_dir(folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(std::fs::read_to_string(folder.path().join("notes.html")).unwrap(), "mine");
}

fn get(port: u16, path: &str, host: &str) -> TcpStream {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
    stream
}

#[cfg(unix)]
#[test]
fn a_served_page_follows_its_file_until_it_is_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arm.toml");
    std::fs::write(&path, WRONG).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
    command.args(["view", "arm.toml", "--serve"]).current_dir(folder.path()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let first = lines.next().unwrap().unwrap();
    let port: u16 =
        first.split(['/', ':']).find_map(|part| part.parse().ok().filter(|port| *port > 1000)).unwrap();
    assert!(lines.next().unwrap().unwrap().contains("3 errors"));
    let host = format!("127.0.0.1:{port}");

    let mut page = String::new();
    get(port, "/", &host).read_to_string(&mut page).unwrap();
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("\"live\":true"));
    let mut refused = String::new();
    get(port, "/", "evil.example").read_to_string(&mut refused).unwrap();
    assert!(refused.starts_with("HTTP/1.1 403") && !refused.contains("upper"), "{refused}");

    let mut events = BufReader::new(get(port, "/events", &host)).lines();
    let mut version =
        || events.find_map(|line| line.unwrap().strip_prefix("data: ").map(str::to_owned)).unwrap();
    assert_eq!(version(), "1");
    std::fs::write(&path, WRONG.replace("time = -1", "time = 1")).unwrap();
    assert_eq!(version(), "2");
    assert!(lines.next().unwrap().unwrap().contains("2 errors"));
    // Neither is there an end but by a signal.
    assert!(child.try_wait().unwrap().is_none());
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
