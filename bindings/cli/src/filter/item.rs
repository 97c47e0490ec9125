//! What the sources pass on: robots.txt files, and what is left out.

use std::path::PathBuf;

use robots::{Failure, Outcome};

use super::counts::LeftOut;

/// A robots.txt of a source.
pub(super) struct Item {
    /// The keys of the origins that it governs; or a single URL, to which redirects may lead.
    pub(super) keys: Vec<String>,
    /// Of several items for a key that with the latest date counts; 0: without a date.
    pub(super) date: u64,
    pub(super) content: Content,
}

pub(super) enum Content {
    /// The body of a file.
    Body(Vec<u8>),
    /// The file, to be read by the thread that compiles it.
    File(PathBuf),
    Response(Response),
    Outcome(Outcome),
}

impl Item {
    /// Returns about how many bytes it holds.
    pub(super) fn size(&self) -> usize {
        match &self.content {
            Content::Body(body) => body.len(),
            Content::Response(response) => response.body.as_ref().map_or(0, Vec::len),
            Content::File(_) | Content::Outcome(_) => 4096,
        }
    }
}

/// A response of a server.
pub(super) struct Response {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, Vec<u8>)>,
    pub(super) body: Result<Vec<u8>, Failure>,
}

/// What a source passes on.
pub(super) enum Event {
    Item(Item),
    /// Something that is left out, and why.
    LeftOut(LeftOut, String),
}

/// Receives what a source has; false: stop.
pub(super) type Sink<'s> = dyn FnMut(Event) -> bool + 's;
