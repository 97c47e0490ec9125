//! Writes the generated files to a folder, each under the name of its host: `corpus FOLDER`.
#![allow(dead_code)]

#[path = "../generated.rs"]
mod generated;
#[path = "../random.rs"]
mod random;

use std::path::PathBuf;

fn main() -> std::io::Result<()> {
    let folder = PathBuf::from(std::env::args_os().nth(1).expect("corpus FOLDER"));
    std::fs::create_dir_all(&folder)?;
    for (host, body) in generated::files() {
        std::fs::write(folder.join(host), body)?;
    }
    Ok(())
}
