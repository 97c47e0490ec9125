//! `robots generate`: completions for shells, and the manual pages.

use std::path::PathBuf;

use clap::CommandFactory;
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
            let command = C::command().disable_help_subcommand(true);
            clap_mangen::generate_to(command, &folder).map_err(|error| {
                Fault::new(format!(
                    "cannot write the pages to {}: {error}; name an existing folder",
                    input::shown(&folder)
                ))
            })?;
        }
    }
    Ok(Exit::Yes)
}
