//! `robots generate`: completions for shells, and the manual pages.

use std::path::{Path, PathBuf};

use clap::{Command, CommandFactory};
use clap_complete::Shell;

use crate::fault::{Exit, Fault};
use crate::input;
use crate::screen;

/// Write shell completions or manual pages
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  robots generate completions bash > ~/.local/share/bash-completion/completions/robots
  robots generate completions zsh > ~/.zfunc/_robots
  robots generate completions fish > ~/.config/fish/completions/robots.fish
  robots generate man ~/.local/share/man/man1")]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand, Debug)]
enum What {
    /// Print the completions of a shell
    Completions {
        /// Which shell
        shell: Shell,
    },
    /// Write a manual page for each command to a folder
    Man {
        /// The folder; it must exist
        folder: PathBuf,
    },
}

pub(crate) fn run<C: CommandFactory>(args: Args) -> Result<Exit, Fault> {
    match args.what {
        What::Completions { shell } => {
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut C::command(), "robots", &mut text);
            screen::print(text)?;
        }
        What::Man { folder } => {
            let mut command = C::command().disable_help_subcommand(true);
            command.build();
            write_pages(&command, &folder).map_err(|error| {
                Fault::new(format!(
                    "cannot write the pages to {}: {error}; name an existing folder",
                    input::shown(&folder)
                ))
            })?;
        }
    }
    Ok(Exit::Yes)
}

/// Writes the manual page of a command and those of its subcommands. `clap_mangen::generate_to` leaves out the date, so readers of
/// the pages take the version for it.
fn write_pages(command: &Command, folder: &Path) -> std::io::Result<()> {
    let shown = command.get_subcommands().filter(|sub| !sub.is_hide_set());
    for sub in shown {
        write_pages(sub, folder)?;
    }
    let page = clap_mangen::Man::new(command.clone());
    page.date("\"\"")
        .source(concat!("librobots ", env!("CARGO_PKG_VERSION")))
        .manual("User Commands")
        .generate_to(folder)?;
    Ok(())
}
