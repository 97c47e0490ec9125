//! The rules of many sites by origin, in memory up to a limit and in a temporary file beyond it.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::{Mutex, PoisonError};

use robots::{Origin, Rules};

/// Where the rules of a site are.
#[derive(Clone, Debug)]
pub(super) enum Place {
    Memory(Rules),
    /// The image in the temporary file.
    Spilled {
        at: u64,
        len: u32,
    },
}

/// About how many bytes a site takes beside its image.
const PER_SITE: usize = 160;

/// The rules by origin.
pub(super) struct Sites {
    /// Indexes of `places`.
    origins: HashMap<Box<str>, u32>,
    places: Vec<Place>,
    spill: Option<Mutex<File>>,
    /// How many bytes of spilled rules a thread keeps.
    recent: usize,
}

/// Collects rules and decides where they are kept.
pub(super) struct Keeper {
    most: usize,
    bytes: usize,
    spill: Option<io::BufWriter<File>>,
    spilled: u64,
}

impl Keeper {
    /// Creates a keeper of at most `most` bytes in memory.
    pub(super) fn new(most: usize) -> Keeper {
        Keeper {
            most,
            bytes: 0,
            spill: None,
            spilled: 0,
        }
    }

    /// Returns the place of rules: in memory while there is room.
    pub(super) fn keep(&mut self, rules: Rules) -> io::Result<Place> {
        let image = rules.image();
        self.bytes += PER_SITE;
        if self.bytes + image.len() <= self.most {
            self.bytes += image.len();
            return Ok(Place::Memory(rules));
        }
        let file = match &mut self.spill {
            Some(file) => file,
            none => none.insert(io::BufWriter::with_capacity(1 << 18, tempfile::tempfile()?)),
        };
        let at = self.spilled;
        file.write_all(image)?;
        self.spilled += image.len() as u64;
        Ok(Place::Spilled {
            at,
            len: image.len() as u32,
        })
    }

    /// Returns the image of rules that are kept.
    pub(super) fn image<'a>(&mut self, place: &'a Place) -> io::Result<Cow<'a, [u8]>> {
        match (place, &mut self.spill) {
            (Place::Memory(rules), _) => Ok(Cow::Borrowed(rules.image())),
            (Place::Spilled { at, len }, Some(spill)) => {
                spill.flush()?;
                let image = read_at(spill.get_mut(), *at, *len);
                spill.get_mut().seek(SeekFrom::End(0))?;
                image.map(Cow::Owned)
            }
            (Place::Spilled { .. }, None) => Err(io::Error::other("there is none")),
        }
    }

    pub(super) fn into_sites(
        self,
        places: HashMap<Box<str>, Place>,
        threads: usize,
    ) -> io::Result<Sites> {
        // Origins that share rules share a place, but a copy of a place is as good.
        let mut origins = HashMap::with_capacity(places.len());
        let mut list = Vec::with_capacity(places.len());
        for (origin, place) in places {
            origins.insert(origin, list.len() as u32);
            list.push(place);
        }
        let spill = match self.spill {
            None => None,
            Some(writer) => Some(Mutex::new(writer.into_inner().map_err(|e| e.into_error())?)),
        };
        Ok(Sites {
            origins,
            places: list,
            spill,
            recent: self.most / 4 / threads,
        })
    }
}

impl Sites {
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// Reads rules from the temporary file.
    fn read(&self, at: u64, len: u32) -> io::Result<Rules> {
        let missing = || io::Error::other("there is none");
        let file = self.spill.as_ref().ok_or_else(missing)?;
        let image = read_at(
            &mut file.lock().unwrap_or_else(PoisonError::into_inner),
            at,
            len,
        )?;
        Rules::from_image(&image).map_err(|error| io::Error::other(error.to_string()))
    }
}

fn read_at(file: &mut File, at: u64, len: u32) -> io::Result<Vec<u8>> {
    let mut image = vec![0; len as usize];
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(&mut image)?;
    Ok(image)
}

/// Why there are no rules for a URL.
#[derive(Debug)]
pub(super) enum LookupFault {
    NotAUrl,
    Spill(io::Error),
}

/// The site of the last URL, and the rules that were read from the temporary file.
#[derive(Default)]
pub(super) struct Memo {
    /// The start of the last URL up to the end of its authority; empty if it must not be compared.
    start: Vec<u8>,
    site: Option<Site>,
    recent: HashMap<u64, Rules>,
    recent_bytes: usize,
}

enum Site {
    /// Index of `Sites::places`.
    Memory(usize),
    Spilled(Rules),
}

impl Memo {
    /// Returns the rules of the site of `url`; `None` if the site is unknown. A URL that starts like the last one is of
    /// the same site.
    #[inline]
    pub(super) fn rules<'m>(
        &'m mut self,
        sites: &'m Sites,
        url: &[u8],
    ) -> Result<Option<&'m Rules>, LookupFault> {
        let is_same = url
            .strip_prefix(&*self.start)
            .is_some_and(|rest| !self.start.is_empty() && ends_authority(rest));
        if !is_same {
            self.look_up(sites, url)?;
        }
        Ok(match &self.site {
            None => None,
            Some(Site::Spilled(rules)) => Some(rules),
            Some(Site::Memory(index)) => match sites.places.get(*index) {
                Some(Place::Memory(rules)) => Some(rules),
                _ => None,
            },
        })
    }

    fn look_up(&mut self, sites: &Sites, url: &[u8]) -> Result<(), LookupFault> {
        self.start.clear();
        self.site = None;
        let origin = Origin::from_url(url).map_err(|_| LookupFault::NotAUrl)?;
        let index = sites.origins.get(origin.key()).map(|index| *index as usize);
        self.site = match index.and_then(|index| Some((index, sites.places.get(index)?))) {
            None => None,
            Some((index, Place::Memory(_))) => Some(Site::Memory(index)),
            Some((_, Place::Spilled { at, len })) => {
                let rules = self.spilled(sites, *at, *len);
                Some(Site::Spilled(rules.map_err(LookupFault::Spill)?))
            }
        };
        if let Some(start) = comparable_start(url) {
            self.start.extend_from_slice(start);
        }
        Ok(())
    }

    fn spilled(&mut self, sites: &Sites, at: u64, len: u32) -> io::Result<Rules> {
        if let Some(rules) = self.recent.get(&at) {
            return Ok(rules.clone());
        }
        let rules = sites.read(at, len)?;
        self.recent_bytes += len as usize + PER_SITE;
        if self.recent_bytes > sites.recent {
            self.recent.clear();
            self.recent_bytes = len as usize + PER_SITE;
        }
        self.recent.insert(at, rules.clone());
        Ok(rules)
    }
}

/// Whether what follows an authority cannot be a part of it.
fn ends_authority(rest: &[u8]) -> bool {
    matches!(rest.first(), None | Some(b'/' | b'?' | b'#'))
}

/// Returns the scheme and the authority of a URL, as written, if URLs that start so have the same origin. Not for
/// `http:///host/`, where the host comes later.
fn comparable_start(url: &[u8]) -> Option<&[u8]> {
    let after_scheme = memchr::memmem::find(url, b"://")? + 3;
    let rest = url.get(after_scheme..)?;
    let is_end = |byte: &u8| matches!(byte, b'/' | b'?' | b'#' | b'\\');
    let len = rest.iter().position(is_end).unwrap_or(rest.len());
    if len == 0 || !ends_authority(rest.get(len..)?) {
        return None;
    }
    url.get(..after_scheme + len)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test")]
mod tests {
    use super::*;

    fn sites(most: usize) -> Sites {
        let crawler = robots::Crawler::new("ExampleBot").unwrap();
        let mut keeper = Keeper::new(most);
        let mut places = HashMap::new();
        for host in 0..100 {
            let body = format!("User-agent: *\nDisallow: /{host}/\n");
            let place = keeper.keep(crawler.parse(body)).unwrap();
            places.insert(format!("http://h{host}.example").into(), place);
        }
        keeper.into_sites(places, 1).unwrap()
    }

    #[test]
    fn spilled_rules_are_those_in_memory() {
        for most in [0, 2_000, 10_000, 1 << 20] {
            let sites = sites(most);
            assert_eq!(sites.len(), 100);
            assert_eq!(sites.spill.is_some(), most < 1 << 20, "{most}");
            let mut memo = Memo::default();
            for round in 0..300 {
                let (host, path) = (round * 37 % 100, round % 100);
                let url = format!("http://h{host}.example/{path}/");
                let rules = memo.rules(&sites, url.as_bytes()).unwrap().unwrap();
                assert_eq!(rules.is_allowed(&url), host != path, "{url}");
            }
            assert!(memo.recent_bytes <= most.max(1_000));
        }
    }

    #[test]
    fn a_start_is_compared_only_where_it_tells_the_origin() {
        for (url, start) in [
            ("http://a.example/b/c", Some("http://a.example")),
            ("http://a.example", Some("http://a.example")),
            ("http://a.example?q", Some("http://a.example")),
            ("http://u@a.example:80#f", Some("http://u@a.example:80")),
            ("http:///a.example/", None),
            ("http://a.example\\b/", None),
            ("/a://b", None),
        ] {
            let start = start.map(str::as_bytes);
            // A path is no URL of a site, so it is never looked up successfully.
            let got = comparable_start(url.as_bytes()).filter(|_| !url.starts_with('/'));
            assert_eq!(got, start, "{url}");
        }
        let sites = sites(1 << 20);
        let mut memo = Memo::default();
        let mut allowed = |url: &str| {
            memo.rules(&sites, url.as_bytes())
                .ok()
                .map(|rules| rules.map(|rules| rules.is_allowed(url)))
        };
        assert_eq!(allowed("http://h1.example/1/"), Some(Some(false)));
        assert_eq!(allowed("http://h1.example:81/1/"), Some(None));
        assert_eq!(allowed("http://h1.example/2/"), Some(Some(true)));
        assert_eq!(
            allowed("http://h1.example@h2.example/2/"),
            Some(Some(false))
        );
        assert_eq!(allowed("http://h1.example.h2.example/"), Some(None));
        assert_eq!(allowed("http:///h1.example/1/"), None);
        assert_eq!(allowed("http:///h2.example/2/"), None);
        assert_eq!(allowed("/h2.example/2/"), None);
    }
}
