//! What the sources pass on: captures of robots.txt files, and what is left out.

use std::path::PathBuf;

use robots::{Capture, Outcome};

use super::counts::LeftOut;

/// A capture of a source.
pub(crate) struct Item {
    /// The keys of the URLs that it is a capture of.
    pub(crate) keys: Vec<Box<str>>,
    /// Nanoseconds since 1970.
    pub(crate) date: Option<i128>,
    pub(crate) content: Content,
}

pub(crate) enum Content {
    Capture(Capture<'static>),
    /// A file, to be read by the thread that compiles it.
    File(PathBuf),
    /// An HTTP response as an archive stores it, and whether it is cut.
    Message(Vec<u8>, bool),
    Outcome(Outcome),
}

/// The heads of a message for a file without a response.
const FOUND: &[u8] = b"HTTP/1.1 200 OK\r\n\r\n";
const FOUND_GZIP: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n";

impl Content {
    /// Returns the content of a robots.txt.
    pub(crate) fn file(body: &[u8], is_gzip: bool, is_cut: bool) -> Content {
        let head = if is_gzip { FOUND_GZIP } else { FOUND };
        Content::Message([head, body].concat(), is_cut)
    }

    /// Returns about how many bytes it holds.
    pub(crate) fn size(&self) -> usize {
        match self {
            Content::Capture(capture) => capture.body.as_deref().map_or(0, <[u8]>::len),
            Content::Message(message, _) => message.len(),
            Content::File(_) | Content::Outcome(_) => 4096,
        }
    }
}

/// What a source passes on.
pub(crate) enum Event {
    Item(Item),
    /// Something that is left out, and why.
    LeftOut(LeftOut, String),
}

/// Receives what a source has; false: stop.
pub(crate) type Sink<'s> = dyn FnMut(Event) -> bool + 's;
