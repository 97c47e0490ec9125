//! Another library that was written in Rust, with the whole of the standard library in it: it allocates, makes a
//! thread, and catches a panic.
use std::collections::HashMap;
use std::panic::catch_unwind;

#[unsafe(no_mangle)]
pub extern "C" fn neighbour_works(words: u32) -> u32 {
    let counted = std::thread::spawn(move || {
        let map: HashMap<String, u32> = (0..words).map(|i| (format!("word {i}"), i)).collect();
        map.values().sum::<u32>()
    });
    let caught = catch_unwind(|| {
        let empty: Vec<u32> = Vec::new();
        empty[std::hint::black_box(3)]
    });
    if caught.is_ok() {
        return u32::MAX;
    }
    counted.join().unwrap_or(u32::MAX)
}
