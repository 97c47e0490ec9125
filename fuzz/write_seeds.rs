//! `seeds FOLDER`: writes the seeds of each target to `FOLDER/TARGET/`, and the dictionary to `FOLDER/words.dict`.
//! `ROBOTS_CORPUS` names a folder of real files to take some from.

use librobots_fuzz::{seeds, targets::TARGETS};
use std::path::Path;

fn main() -> std::io::Result<()> {
    let folder = std::env::args_os().nth(1).expect("seeds FOLDER");
    let folder = Path::new(&folder);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let corpus = std::env::var_os("ROBOTS_CORPUS");
    let files = seeds::files(&root, corpus.as_deref().map(Path::new));
    for name in TARGETS.iter().map(|(name, _)| *name).chain(["abi"]) {
        std::fs::create_dir_all(folder.join(name))?;
        for (number, seed) in seeds::of(name, &files).into_iter().enumerate() {
            std::fs::write(folder.join(name).join(format!("{number:05}")), seed)?;
        }
    }
    std::fs::write(folder.join("words.dict"), seeds::dictionary())
}
