//! The C++ peers: Google's matcher and its fork, each in a library that `benches/peers/build` made. `make bench` does that where
//! `ROBOTS_PEERS` names a folder with both repositories, and passes the libraries' folder as `ROBOTS_PEER_LIBRARIES`.

use crate::engine::{Engine, TOKEN};
use crate::files::Body;
use std::env;
use std::ffi::{CString, c_char, c_void};
use std::marker::PhantomData;
use std::path::Path;

/// Which of them.
pub trait Peer: Sync {
    const NAME: &'static str;
    /// The file of its library.
    const LIBRARY: &'static str;
}

pub struct Google;

impl Peer for Google {
    const NAME: &'static str = "google";
    const LIBRARY: &'static str = "google.so";
}

pub struct Fork;

impl Peer for Fork {
    const NAME: &'static str = "google_fork";
    const LIBRARY: &'static str = "fork.so";
}

type Sitemaps = unsafe extern "C" fn(*const c_char, usize) -> usize;
type Allowed =
    unsafe extern "C" fn(*const c_char, usize, *const c_char, usize, *const c_char, usize) -> bool;

/// The functions of `benches/peers/shim.cc`.
#[derive(Clone, Copy)]
struct Functions {
    sitemaps: Sitemaps,
    allowed: Allowed,
}

/// A peer, or the lack of one.
pub struct Cpp<P> {
    functions: Option<Functions>,
    peer: PhantomData<P>,
}

impl<P: Peer> Cpp<P> {
    /// Loads the library of the peer, if there is one.
    pub fn load() -> Result<Self, String> {
        let folder = env::var_os("ROBOTS_PEER_LIBRARIES");
        let file = folder.map(|folder| Path::new(&folder).join(P::LIBRARY));
        let functions = match file.filter(|file| file.exists()) {
            Some(file) => Some(functions_of(&file)?),
            None => None,
        };
        Ok(Self {
            functions,
            peer: PhantomData,
        })
    }

    fn functions(&self) -> Functions {
        self.functions
            .expect("only an engine that is there is asked")
    }
}

fn functions_of(file: &Path) -> Result<Functions, String> {
    let failure = || format!("{} cannot be loaded: build it anew", file.display());
    let name = CString::new(file.as_os_str().as_encoded_bytes()).map_err(|_| failure())?;
    // SAFETY: the name ends with a zero; the library is one of ours and runs nothing when it is loaded.
    let library = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
    let find = |name: &std::ffi::CStr| {
        if library.is_null() {
            return Err(failure());
        }
        // SAFETY: the library is loaded and is never closed; the name ends with a zero.
        let found = unsafe { libc::dlsym(library, name.as_ptr()) };
        if found.is_null() {
            Err(failure())
        } else {
            Ok(found)
        }
    };
    let (sitemaps, allowed) = (find(c"peer_sitemaps")?, find(c"peer_allowed")?);
    // SAFETY: shim.cc defines both functions with these types.
    unsafe {
        Ok(Functions {
            sitemaps: std::mem::transmute::<*mut c_void, Sitemaps>(sitemaps),
            allowed: std::mem::transmute::<*mut c_void, Allowed>(allowed),
        })
    }
}

impl<P: Peer> Engine for Cpp<P> {
    const NAME: &'static str = P::NAME;
    const KEEPS_RULES: bool = false;
    const USES_OUR_HEAP: bool = false;
    type Rules<'b> = &'b [u8];

    fn is_there(&self) -> bool {
        self.functions.is_some()
    }

    fn parse<'b>(&self, body: &'b Body) -> Self::Rules<'b> {
        &body.bytes
    }

    fn sitemaps(&self, rules: &Self::Rules<'_>) -> usize {
        // SAFETY: the body is readable for its length.
        unsafe { (self.functions().sitemaps)(rules.as_ptr().cast(), rules.len()) }
    }

    fn allowed(&self, rules: &Self::Rules<'_>, url: &str) -> bool {
        // SAFETY: body, token and URL are readable for their lengths.
        unsafe {
            (self.functions().allowed)(
                rules.as_ptr().cast(),
                rules.len(),
                TOKEN.as_ptr().cast(),
                TOKEN.len(),
                url.as_ptr().cast(),
                url.len(),
            )
        }
    }
}
