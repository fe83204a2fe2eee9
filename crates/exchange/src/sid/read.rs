//! From the lines of a file to a body.

use pliant_diag::{Diagnostic, FileId, Span};

use super::{Sid, SidNode, Taylor};
use crate::input::{Line, Lines, id, real, text};

/// More elastic coordinates, rows or columns than any reduced body has.
const LARGEST: u32 = 1 << 16;

type Failure = Box<Diagnostic>;

impl Sid {
    /// Reads a file. `file` is its number among the sources of the caller.
    ///
    /// # Errors
    /// The first line that is not as the format wants it.
    pub fn read(bytes: &[u8], file: FileId) -> Result<Self, Box<Diagnostic>> {
        let mut reader =
            Reader { lines: Lines::new(bytes, file), end: Span::new(file, bytes.len(), bytes.len()) };
        reader.sid()
    }
}

struct Reader<'a> {
    lines: Lines<'a>,
    end: Span,
}

/// The parts of a line: what stands before `=`, and what behind.
fn split<'a>(line: &Line<'a>) -> (&'a [u8], Option<&'a [u8]>) {
    match line.text.iter().position(|b| *b == b'=') {
        Some(at) => (line.text[..at].trim_ascii(), Some(&line.text[at + 1..])),
        None => (line.text.trim_ascii(), None),
    }
}

fn error(line: &Line<'_>, message: impl Into<String>) -> Failure {
    Box::new(Diagnostic::error(message).at(line.span()))
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Result<Line<'a>, Failure> {
        let end = self.end;
        let found = self.lines.by_ref().find(|line| !line.text.trim_ascii().is_empty());
        found.ok_or_else(|| Box::new(Diagnostic::error("the file ends before `end part`").at(end)))
    }

    /// A line that begins with these words.
    fn expect(&mut self, words: &str) -> Result<Line<'a>, Failure> {
        let line = self.next()?;
        if split(&line).0.starts_with(words.as_bytes()) {
            return Ok(line);
        }
        Err(error(&line, format!("expected `{words}`, found `{}`", text(line.text))))
    }

    fn sid(&mut self) -> Result<Sid, Failure> {
        let first = self.next()?;
        let title = first.text.iter().position(|b| *b == b':').map_or(&[][..], |at| &first.text[at + 1..]);
        let mut sid = Sid { title: String::from_utf8_lossy(title).into_owned(), ..Sid::default() };
        self.expect("part")?;
        self.expect("new modal")?;
        self.expect("refmod")?;
        sid.mass = self.expect("mass").and_then(|line| value(&line))?;
        let line = self.expect("nelastq")?;
        let count = count(&line)?;
        for _ in 0..count {
            let line = self.expect("ielastq")?;
            sid.modes.push(String::from_utf8_lossy(split(&line).1.unwrap_or_default()).into_owned());
        }
        self.expect("end refmod")?;
        self.expect("frame")?;
        loop {
            let line = self.next()?;
            match split(&line) {
                (b"end frame", _) => break,
                (b"new node", Some(number)) => {
                    let node = self.node(&line, number, count)?;
                    if sid.nodes.iter().any(|other| other.id == node.id) {
                        return Err(error(&line, format!("node {} is given twice", node.id)));
                    }
                    sid.nodes.push(node);
                }
                (word, _) => {
                    return Err(error(&line, format!("expected `new node`, found `{}`", text(word))));
                }
            }
        }
        loop {
            let line = self.next()?;
            match split(&line).0 {
                b"end modal" => break,
                name => sid.blocks.push(self.block(&line, name, count)?),
            }
        }
        self.expect("end part")?;
        Ok(sid)
    }

    fn node(&mut self, line: &Line<'_>, number: &[u8], count: u32) -> Result<SidNode, Failure> {
        let id = id(number)
            .ok_or_else(|| error(line, format!("expected the number of a node, found `{}`", text(number))))?;
        let frame = self.expect("rframe")?;
        let frame = String::from_utf8_lossy(split(&frame).1.unwrap_or_default()).into_owned();
        let mut node = SidNode { id, frame, blocks: Vec::new(), source: Some(line.span()) };
        loop {
            let line = self.next()?;
            match split(&line).0 {
                b"end node" => return Ok(node),
                name => node.blocks.push(self.block(&line, name, count)?),
            }
        }
    }

    /// A matrix, from the line after its name to its `end`.
    fn block(&mut self, head: &Line<'_>, name: &[u8], count: u32) -> Result<(String, Taylor), Failure> {
        if name.is_empty() || !name.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_') {
            return Err(error(head, format!("expected the name of a matrix, found `{}`", text(head.text))));
        }
        let mut number = |word: &str| self.expect(word).and_then(|line| self::count(&line));
        let mut block = Taylor {
            order: number("order")?,
            rows: number("nrow")?,
            columns: number("ncol")?,
            q: number("nq")?,
            qn: number("nqn")?,
            structure: number("structure")?,
            ..Taylor::default()
        };
        loop {
            let line = self.next()?;
            let (left, right) = split(&line);
            if let Some(end) = left.strip_prefix(b"end ") {
                if end.trim_ascii() != name {
                    let found = text(end);
                    return Err(error(&line, format!("expected `end {}`, found `end {found}`", text(name))));
                }
                break;
            }
            let indices = indices(left).filter(|_| right.is_some());
            let inside = |index: &[u32]| match *index {
                [i, j] => (1..=block.rows).contains(&i) && (1..=block.columns).contains(&j),
                [i, k, j] => {
                    (1..=block.rows).contains(&i)
                        && (1..=block.columns).contains(&j)
                        && (1..=count.max(block.q)).contains(&k)
                }
                _ => false,
            };
            match indices {
                Some((order @ (0 | 1), index)) if inside(&index) => {
                    let value = value(&line)?;
                    match (order, index.as_slice()) {
                        (0, [i, j]) => block.m0.push(([*i, *j], value)),
                        (1, [i, k, j]) => block.m1.push(([*i, *k, *j], value)),
                        _ => {
                            return Err(error(
                                &line,
                                format!("expected 2 indices of m0 or 3 of m1, found `{}`", text(left)),
                            ));
                        }
                    }
                }
                Some((0 | 1, _)) => {
                    let (rows, columns) = (block.rows, block.columns);
                    let message = format!("`{}` lies outside a matrix of {rows}×{columns}", text(left));
                    return Err(error(&line, message));
                }
                _ => {
                    let message =
                        format!("expected an entry m0(…) or m1(…) = number, found `{}`", text(line.text));
                    return Err(error(&line, message));
                }
            }
        }
        Ok((text(name), block))
    }
}

/// `m1( 2, 1, 3)`: the order, then the indices.
fn indices(left: &[u8]) -> Option<(u32, Vec<u32>)> {
    let left = std::str::from_utf8(left).ok()?;
    let (name, list) = left.strip_suffix(')')?.split_once('(')?;
    let order = name.trim().strip_prefix('m')?.parse().ok()?;
    let list = list.split(',').map(|index| index.trim().parse().ok());
    Some((order, list.collect::<Option<_>>()?))
}

fn value(line: &Line<'_>) -> Result<f64, Failure> {
    let right = split(line).1.unwrap_or_default();
    real(right).ok_or_else(|| error(line, format!("expected a number after `=`, found `{}`", text(right))))
}

fn count(line: &Line<'_>) -> Result<u32, Failure> {
    let right = split(line).1.unwrap_or_default();
    let found = text(right).parse().ok().filter(|count| *count <= LARGEST);
    found.ok_or_else(|| {
        error(line, format!("expected a number from 0 to {LARGEST} after `=`, found `{}`", text(right)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A rod of 2 kg and 1.5 m that bends in y, with one node at its end.
    fn rod() -> Sid {
        let none: Option<&dyn Fn(usize, usize, usize) -> f64> = None;
        let phi = [0.0, 1.25, 0.0];
        let block = |name: &str, block: Taylor| (name.to_owned(), block);
        let tip = vec![
            block("origin", Taylor::new([3, 1], 1, |i, _| [1.5, 0.0, 0.0][i], Some(&|i, _, _| phi[i]))),
            block("phi", Taylor::new([3, 1], 1, |i, _| phi[i], none)),
        ];
        let body = vec![
            block("mdCM", Taylor::new([3, 1], 1, |i, _| [1.5, 0.0, 0.0][i], none)),
            block("Me", Taylor { structure: 4, ..Taylor::new([1, 1], 1, |_, _| 0.0, none) }),
            block("Ke", Taylor::new([1, 1], 1, |_, _| -1.234567890125e103, none)),
        ];
        Sid {
            title: "No. nodes, No. modes: a rod".to_owned(),
            mass: 2.0,
            modes: vec![" Eigen Mode    1 :        9.089 Hz".to_owned()],
            nodes: vec![SidNode { id: 6022, frame: "    body ref".to_owned(), blocks: tip, source: None }],
            blocks: body,
        }
    }

    #[test]
    fn what_is_written_is_what_was_read() {
        let text = rod().text();
        assert!(
            text.contains("\n                          m1( 2, 1, 1)          = 1.25000000000D+00\n"),
            "{text}"
        );
        let sid = Sid::read(text.as_bytes(), FileId(0)).unwrap();
        assert_eq!(sid.text(), text);
        assert_eq!((sid.mass, sid.nodes[0].id, sid.nodes[0].position()), (2.0, 6022, [1.5, 0.0, 0.0]));
        assert_eq!(sid.nodes[0].block("origin").unwrap().slopes(), [0.0, 1.25, 0.0]);
        assert_eq!(sid.block("Me").unwrap().constant(), [1.0], "structure 4 is the unit matrix");
        assert_eq!(sid.block("Ke").unwrap().constant(), [-1.23456789012e103]);
    }

    /// Files of others: every byte is that of the file.
    #[test]
    #[ignore = "PLIANT_SID_SAMPLES names a folder with files of other programs"]
    fn samples_are_written_as_they_were_read() {
        let folder = std::env::var("PLIANT_SID_SAMPLES").unwrap();
        let mut count = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            let sid = Sid::read(text.as_bytes(), FileId(0)).unwrap();
            assert!(sid.text() == text, "{}", path.display());
            count += 1;
        }
        assert!(count > 0);
    }

    #[test]
    fn every_problem_has_its_line() {
        let text = rod().text();
        let damaged = |from: &str, to: &str| {
            let text = text.replacen(from, to, 1);
            let problem = Sid::read(text.as_bytes(), FileId(0)).unwrap_err();
            let at = problem.span.unwrap().start as usize;
            (problem.message, text[..at].lines().count())
        };
        let (message, line) = damaged("= 2.00000000000D+00", "= heavy");
        assert_eq!((message.as_str(), line), ("expected a number after `=`, found `heavy`", 5));
        assert!(damaged("m0( 1, 1)", "m0( 9, 1)").0.contains("lies outside a matrix of 3×1"));
        assert!(damaged("end refmod", "end refnod").0.contains("expected `end refmod`"));
        assert!(damaged("6022", "sixty").0.contains("number of a node"));
        for length in 0..text.len() - 10 {
            assert!(Sid::read(&text.as_bytes()[..length], FileId(0)).is_err(), "cut at {length}");
        }
    }
}
