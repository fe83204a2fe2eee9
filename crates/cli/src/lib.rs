//! The `pliant` command as a function: the program and the Python package call it.

mod argument;
mod commands;
mod deck;
mod fold;
mod guarded;
mod interrupt;
mod invocation;
mod number;
mod out_of_memory;
mod render;
mod terminal;
mod units;
mod version;

use clap::Parser;
use clap::error::ErrorKind;

pub use invocation::Invocation;

/// Flexible multibody dynamics from Nastran link meshes.
#[derive(Debug, Parser)]
#[command(name = "pliant", version, propagate_version = true, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: commands::Command,
    #[command(flatten)]
    common: Common,
}

/// What every command takes.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Common {
    /// Print the results as JSON on stdout
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Print problems only
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    /// Number of threads (all cores when left out)
    #[arg(long, value_name = "N", global = true, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) threads: Option<u16>,
}

/// Runs a command line. Returns the exit code: 0 all well, 1 the input or some cases are bad, 2 it could not
/// start. Called once in a process.
pub fn run(invocation: Invocation) -> u8 {
    pliant_store::no_writes_at_exit();
    let cli = match Cli::try_parse_from(invocation::take(invocation)) {
        Ok(cli) => cli,
        Err(answer) if answer.kind() == ErrorKind::DisplayVersion => {
            println!("{}", version::text());
            return 0;
        }
        // Help holds nothing of ours to clean; a problem repeats what the user wrote. Whoever
        // reads the help (`head`, for example) may have enough.
        Err(answer) if !answer.use_stderr() => {
            let _ = answer.print();
            return 0;
        }
        Err(problem) => {
            terminal::complain(problem.render().to_string().trim_end());
            return 2;
        }
    };
    if let Some(threads) = cli.common.threads {
        if threads == 1 {
            pliant_reduce::share_one_heap();
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(usize::from(threads)).build_global();
        if let Err(error) = pool {
            terminal::complain(format_args!("error: cannot start {threads} threads: {error}"));
            return 2;
        }
    }
    // A panic is a defect of ours; its message has been printed, and the exit code is one that scripts know.
    let ended = std::panic::catch_unwind(|| commands::run(cli.command, &cli.common));
    ended.unwrap_or_else(|_| {
        terminal::complain("error: internal error, please report it with the lines above");
        1
    })
}
