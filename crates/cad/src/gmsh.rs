//! The program `gmsh`: where it is, which version, and one run of it.

use std::fs;
use std::io;
use std::process::{Command, Output, Stdio};

use pliant_diag::Diagnostic;

/// The name of the program.
const PROGRAM: &str = "gmsh";
/// The part in the folder of a run: the name that the user gave to it never gets into a script.
pub(crate) const PART: &str = "part.step";
/// The script, and the mesh that it saves.
const SCRIPT: &str = "pliant.geo";
pub(crate) const MESH: &str = "pliant.msh";

/// The program, found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gmsh {
    /// What it says of itself: part of the key of every link that it meshed.
    pub version: String,
}

/// What a run left.
pub(crate) struct Ran {
    /// Lines that it printed.
    pub(crate) log: Vec<String>,
    /// The mesh.
    pub(crate) mesh: Vec<u8>,
}

fn lines(output: &Output) -> Vec<String> {
    let text = [&output.stdout[..], b"\n", &output.stderr].concat();
    let text = String::from_utf8_lossy(&text).replace('\r', "\n");
    text.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
}

impl Gmsh {
    /// Looks for the program on PATH.
    ///
    /// # Errors
    /// What to install when it is not there.
    pub fn find() -> Result<Self, Box<Diagnostic>> {
        let missing = |why: String| {
            let problem = Diagnostic::error(format!("a STEP file is meshed by the program gmsh, {why}"));
            let hint = "install it (`apt install gmsh`, `pip install gmsh` or https://gmsh.info) and put it on PATH; or give a mesh instead of the STEP file";
            Box::new(problem.hint(hint))
        };
        let asked = Command::new(PROGRAM).arg("-version").stdin(Stdio::null()).output();
        let output = asked.map_err(|error| {
            missing(match error.kind() {
                io::ErrorKind::NotFound => "which is not on PATH".to_owned(),
                _ => format!("which cannot be started: {error}"),
            })
        })?;
        let said = lines(&output);
        let version = said.iter().find(|line| line.starts_with(|c: char| c.is_ascii_digit()));
        match version {
            Some(version) if output.status.success() => Ok(Self { version: version.clone() }),
            _ => Err(missing(format!("which does not start: {}", said.last().cloned().unwrap_or_default()))),
        }
    }

    /// Runs a script on a part.
    pub(crate) fn run(&self, part: &[u8], script: &str) -> Result<Ran, Box<Diagnostic>> {
        let failed = |what: &str, error: io::Error| Diagnostic::boxed(format!("gmsh: {what}: {error}"));
        let folder = tempfile::tempdir().map_err(|error| failed("no temporary folder", error))?;
        let at = |name: &str| folder.path().join(name);
        fs::write(at(PART), part)
            .and_then(|()| fs::write(at(SCRIPT), script))
            .map_err(|error| failed("its input cannot be written", error))?;
        // `-` runs the script without a window.
        let mut command = Command::new(PROGRAM);
        command.args([SCRIPT, "-"]).current_dir(folder.path()).stdin(Stdio::null());
        let output = command.output().map_err(|error| failed("it cannot be started", error))?;
        let log = lines(&output);
        let problems: Vec<&str> = log
            .iter()
            .filter_map(|line| line.strip_prefix("Error"))
            .map(|line| line.trim_matches([' ', ':']))
            .collect();
        let mesh = fs::read(at(MESH)).ok().filter(|_| output.status.success() && problems.is_empty());
        match mesh {
            Some(mesh) => Ok(Ran { log, mesh }),
            None => {
                let said = if problems.is_empty() {
                    log.last().cloned().unwrap_or_else(|| "it printed nothing".to_owned())
                } else {
                    problems.join("; ")
                };
                let message = format!("gmsh {} cannot mesh the part: {said}", self.version);
                let hint = "open the file in gmsh to see which face it stumbles over; another size may help";
                Err(Box::new(Diagnostic::error(message).hint(hint)))
            }
        }
    }
}
