//! `pliant manual`: shell completions, manual pages and docs/command-line.md. Hidden, because a package
//! brings them.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;
use pliant_store::write_file;

use super::Outcome;
use crate::Cli;

/// Arguments of `pliant manual`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The folder; `completions` and `man` are made in it
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

/// The shells, each with the name that it looks for.
const SHELLS: [(Shell, &str); 4] = [
    (Shell::Bash, "pliant.bash"),
    (Shell::Zsh, "_pliant"),
    (Shell::Fish, "pliant.fish"),
    (Shell::PowerShell, "_pliant.ps1"),
];

/// Writes a completion for each shell, and a page for the program and each of its commands.
pub(crate) fn run(arguments: &Arguments) -> io::Result<Outcome> {
    let mut program = Cli::command();
    program.build();
    let completions = arguments.folder.join("completions");
    fs::create_dir_all(&completions)?;
    for (shell, name) in SHELLS {
        let mut text = Vec::new();
        clap_complete::generate(shell, &mut Cli::command(), "pliant", &mut text);
        write_file(&completions.join(name), &text)?;
    }
    let manual = arguments.folder.join("man");
    fs::create_dir_all(&manual)?;
    page(&manual, &program)?;
    write_file(&arguments.folder.join("command-line.md"), markdown(&program).as_bytes())?;
    Ok(Outcome::Good)
}

/// The reference page of the command line.
fn markdown(program: &Command) -> String {
    let mut page = String::from(
        "# The command line\n\nThis page is made by the program itself (`pliant manual`). `pliant COMMAND --help` prints the same.\n\n\
         Exit codes: 0, all well; 1, the input or some cases are bad, and what is wrong was printed; 2, the command could not start. Facts go \
         to standard output, problems of arguments and progress to standard error.\n",
    );
    let write = "invariant: writing to a string cannot fail";
    let global = program.get_arguments().filter(|argument| argument.is_global_set());
    let global: Vec<_> = global.map(clap::Arg::get_id).cloned().collect();
    writeln!(page, "\n## Every command\n").expect(write);
    table(&mut page, program.get_arguments().filter(|argument| global.contains(argument.get_id())));
    let mut waiting: Vec<&Command> = program.get_subcommands().collect();
    waiting.reverse();
    while let Some(command) = waiting.pop() {
        if command.is_hide_set() || command.get_name() == "help" {
            continue;
        }
        let usage = command.clone().render_usage().to_string();
        let usage = usage.trim_start_matches("Usage: ");
        let name = command.get_display_name().unwrap_or(command.get_name()).replace('-', " ");
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        writeln!(page, "\n## {name}\n\n{about}.\n\n```text\n{usage}\n```\n").expect(write);
        let own = command.get_arguments().filter(|argument| {
            !global.contains(argument.get_id())
                && !argument.is_hide_set()
                && !matches!(argument.get_id().as_str(), "help" | "version")
        });
        table(&mut page, own);
        let below: Vec<_> = command.get_subcommands().collect();
        waiting.extend(below.into_iter().rev());
    }
    page
}

/// Arguments as rows; nothing where there are none.
fn table<'a>(page: &mut String, arguments: impl Iterator<Item = &'a clap::Arg>) {
    for (k, argument) in arguments.enumerate() {
        if k == 0 {
            page.push_str("| argument | meaning |\n|---|---|\n");
        }
        let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
        let defaults: Vec<_> = match argument.get_action().takes_values() {
            true => argument.get_default_values().iter().map(|value| value.to_string_lossy()).collect(),
            false => Vec::new(),
        };
        let default =
            if defaults.is_empty() { String::new() } else { format!(" (`{}`)", defaults.join(" ")) };
        let short = argument.get_short().map(|short| format!("-{short}, ")).unwrap_or_default();
        let shown = format!("{short}{argument}").replace('|', "\\|");
        writeln!(page, "| `{shown}` | {}{default} |", help.replace('|', "\\|"))
            .expect("invariant: writing to a string cannot fail");
    }
}

/// The page of a command, and those of the commands below it.
fn page(folder: &Path, command: &Command) -> io::Result<()> {
    let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
    let mut text = Vec::new();
    Man::new(command.clone()).render(&mut text)?;
    write_file(&folder.join(format!("{name}.1")), &text)?;
    let shown = command.get_subcommands().filter(|below| !below.is_hide_set() && below.get_name() != "help");
    for below in shown {
        page(folder, below)?;
    }
    Ok(())
}
