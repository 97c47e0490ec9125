//! The sites of a run: the robots.txt files that are parsed, and the URLs that are checked by them.

use crate::files::{Body, Shape};
use crate::{generated, urls};
use std::path::Path;
use std::{env, fs, io};

/// One site: its robots.txt and the URLs a crawler asks about, together.
pub struct Site {
    pub body: Body,
    pub urls: Vec<String>,
    /// The same URLs as one text, in the layout the batch call takes.
    pub batch: Batch,
}

impl Site {
    pub fn new(body: Body, urls: Vec<String>) -> Self {
        Self {
            batch: Batch::new(&urls),
            body,
            urls,
        }
    }
}

/// URL i is `text[offsets[i]..offsets[i + 1]]`, as in an Arrow string array.
pub struct Batch {
    pub text: String,
    pub offsets: Vec<u64>,
}

impl Batch {
    fn new(urls: &[String]) -> Self {
        let mut offsets = vec![0];
        let mut end = 0;
        for url in urls {
            end += url.len() as u64;
            offsets.push(end);
        }
        Self {
            text: urls.concat(),
            offsets,
        }
    }

    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }
}

/// All sites of a run.
pub struct Corpus {
    pub sites: Vec<Site>,
    pub shape: Shape,
}

impl Corpus {
    /// The sites of [`files`].
    pub fn load(most: usize) -> io::Result<Self> {
        let (files, source) = files(most)?;
        let mut shape = Shape::of(source, &files);
        let sites: Vec<Site> = files
            .into_iter()
            .enumerate()
            .map(|(number, (host, body))| {
                let urls = urls::derive(&host, &body, number as u64);
                Site::new(body, urls)
            })
            .collect();
        shape.count_urls(sites.iter().flat_map(|site| &site.urls));
        Ok(Self { sites, shape })
    }

    pub fn bytes(&self) -> usize {
        self.sites.iter().map(|site| site.body.bytes.len()).sum()
    }

    pub fn urls(&self) -> usize {
        self.sites.iter().map(|site| site.urls.len()).sum()
    }
}

/// The files of the folder that ROBOTS_CORPUS names (a file is named after its host), else generated ones; and what they
/// are. `most` bounds their number.
pub fn files(most: usize) -> io::Result<(Vec<(String, Body)>, &'static str)> {
    Ok(match env::var_os("ROBOTS_CORPUS") {
        Some(folder) => (read_folder(Path::new(&folder), most)?, "real files"),
        None => (generated_files(most), "generated files"),
    })
}

/// All generated files together have the shape of a real corpus, or this panics.
fn generated_files(most: usize) -> Vec<(String, Body)> {
    let files = generated::files().into_iter();
    let mut files: Vec<_> = files
        .map(|(host, bytes)| (host, Body::new(bytes)))
        .collect();
    Shape::of("generated files", &files).assert_is_real();
    files.truncate(most);
    files
}

fn read_folder(folder: &Path, most: usize) -> io::Result<Vec<(String, Body)>> {
    let mut paths = Vec::new();
    let entries = fs::read_dir(folder).map_err(|error| {
        io::Error::other(format!("ROBOTS_CORPUS, {}: {error}", folder.display()))
    })?;
    for entry in entries {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            paths.push(entry.path());
        }
    }
    if paths.is_empty() {
        return Err(io::Error::other(format!(
            "no file in {}: ROBOTS_CORPUS names a folder of robots.txt files",
            folder.display()
        )));
    }
    paths.sort();
    paths.truncate(most);
    paths
        .into_iter()
        .map(|path| Ok((host(&path), Body::new(fs::read(&path)?))))
        .collect()
}

fn host(file: &Path) -> String {
    let name = file
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .to_ascii_lowercase();
    name.trim_end_matches(".txt").replace(
        |c: char| !(c.is_ascii_alphanumeric() || ".-".contains(c)),
        "-",
    )
}
