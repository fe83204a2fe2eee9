//! As much of HTTP/1.1 as a page on this computer needs: GET, one request for each connection.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// Bytes of a request at most.
const LARGEST: usize = 16 << 10;
/// Longest that a request may take to come.
const PATIENCE: Duration = Duration::from_secs(5);

/// What is asked for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Request {
    /// A path.
    Get(String),
    /// Something that is not served, with the status that says why.
    Refused(&'static str),
}

/// Reads a request. One for another host than this computer is refused: a page of others could have sent the
/// browser here under a name of its own.
pub(super) fn read(stream: &mut TcpStream, port: u16) -> io::Result<Request> {
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut head = Vec::new();
    let mut buffer = [0; 2048];
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        let count = stream.read(&mut buffer)?;
        if count == 0 || head.len() + count > LARGEST {
            return Ok(Request::Refused("400 Bad Request"));
        }
        head.extend_from_slice(&buffer[..count]);
    }
    Ok(parse(&String::from_utf8_lossy(&head), port))
}

fn parse(head: &str, port: u16) -> Request {
    let mut lines = head.split("\r\n");
    let mut first = lines.next().unwrap_or_default().split(' ');
    let (method, path) = (first.next().unwrap_or_default(), first.next().unwrap_or_default());
    let host = lines.find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("host").then(|| value.trim())
    });
    let ours = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{port}"));
    match method {
        _ if !host.is_some_and(|host| ours.iter().any(|ours| ours == host)) => {
            Request::Refused("403 Forbidden")
        }
        "GET" => Request::Get(path.split('?').next().unwrap_or_default().to_owned()),
        _ => Request::Refused("405 Method Not Allowed"),
    }
}

/// Answers with a document.
pub(super) fn answer(stream: &mut TcpStream, status: &str, kind: &str, body: &[u8]) -> io::Result<()> {
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n"
    )?;
    stream.write_all(body)
}

/// Begins a stream of events.
pub(super) fn begin_events(stream: &mut TcpStream) -> io::Result<()> {
    stream.write_all(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_computer_is_answered_and_only_for_pages() {
        let asked = |head: &str| parse(head, 8000);
        let get = Request::Get("/events".to_owned());
        assert_eq!(asked("GET /events?1 HTTP/1.1\r\nHost: 127.0.0.1:8000\r\n\r\n"), get);
        assert_eq!(asked("GET /events HTTP/1.1\r\nhost: localhost:8000\r\n\r\n"), get);
        for foreign in ["Host: evil.example:8000", "Host: 127.0.0.1:9000", "Accept: */*"] {
            let refused = Request::Refused("403 Forbidden");
            assert_eq!(asked(&format!("GET / HTTP/1.1\r\n{foreign}\r\n\r\n")), refused, "{foreign}");
        }
        let post = "POST / HTTP/1.1\r\nHost: localhost:8000\r\n\r\n";
        assert_eq!(asked(post), Request::Refused("405 Method Not Allowed"));
    }
}
