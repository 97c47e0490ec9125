//! The most a stranger can ask for: 500 KiB of rules that are hard in one way each, and a long URL. The shapes are those of
//! the tests; `src/bin/search.rs` looks for more.

#[path = "../../tests/support/hostile.rs"]
mod hostile;

use crate::corpus::{Body, Site};
use hostile::{SHAPES, Shape};

const BODY: usize = 512_000;

/// Bytes of a URL, and the nanoseconds that a decision on it may take (SPEC 10.1).
pub const BOUNDS: [(usize, f64); 2] = [(2 << 10, 20e6), (16 << 10, 150e6)];

/// A row: a shape, the bytes of its URL and the bound.
pub struct Worst {
    shape: &'static Shape,
    url: usize,
    pub bound: f64,
}

/// All rows.
pub fn rows() -> impl Iterator<Item = Worst> {
    SHAPES.iter().flat_map(|shape| {
        BOUNDS.iter().map(move |(url, bound)| Worst {
            shape,
            url: *url,
            bound: *bound,
        })
    })
}

impl Worst {
    pub fn name(&self) -> String {
        format!("worst-{}-{}k", self.shape.name, self.url >> 10)
    }

    pub fn site(&self) -> Site {
        let url = String::from_utf8(self.shape.url(self.url)).expect("the shapes are of text");
        Site::new(Body::new(self.shape.body(BODY)), vec![url])
    }
}
