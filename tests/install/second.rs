//! Another Rust library in the same program as librobots, with its own copy of the standard library.

use std::collections::HashMap;

/// Panics four times, three of them in threads, and returns the number of panics that it catches.
#[unsafe(no_mangle)]
pub extern "C" fn second_caught_panics() -> i32 {
    std::panic::set_hook(Box::new(|_| ()));
    let here = std::panic::catch_unwind(|| panic!("{:?}", HashMap::from([(1, "one")]))).is_err();
    let threads: Vec<_> = (0..3).map(|n| std::thread::spawn(move || panic!("{n}"))).collect();
    let there = threads.into_iter().filter_map(|thread| thread.join().err()).count();
    i32::from(here) + there as i32
}
