//! librobots beside its peers: one table, measured in one run. See README.md beside this package.

mod abi;
mod alloc;
mod clock;
mod corpus;
mod cpp;
mod engine;
mod files;
mod generated;
mod json;
mod measure;
mod options;
mod ours;
mod peers;
mod random;
mod rows;
mod synthetic;
mod table;
mod text;
mod urls;
mod worst;

use corpus::Corpus;
use options::Options;
use rows::Field;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: alloc::Counting = alloc::Counting;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("librobots-bench: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    if std::env::args()
        .nth(1)
        .is_some_and(|word| word == rows::CHILD)
    {
        rows::child();
        return Ok(());
    }
    let options = Options::from_command_line(rows::names())?;
    if options.help {
        print!("{}", options::HELP);
        return Ok(());
    }
    if options.list {
        rows::names().iter().for_each(|row| println!("{row}"));
        return Ok(());
    }
    let files = if options.quick { 100 } else { usize::MAX };
    let corpus = Corpus::load(files).map_err(|error| error.to_string())?;
    println!("{}\n", corpus.shape);
    let field = Field::new(&options, &corpus)?;
    if field.wants_engine(&field.ours) {
        ours::assert_rust_agrees(&field.ours, &corpus.sites);
    }
    table::print_header();
    rows::run(&field);
    if let Some(file) = &options.json {
        let text = json::record(&corpus.shape, &field.printed.borrow());
        std::fs::write(file, text).map_err(|error| format!("{file}: {error}"))?;
    }
    Ok(())
}
