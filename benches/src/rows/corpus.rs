//! Parsing the files of the corpus and deciding their URLs.

use super::field::{Field, each_engine, rates, times};
use crate::corpus::Site;
use crate::engine::Engine;
use crate::measure::{Contestant, race};
use std::hint::black_box;

pub fn run(field: &Field<'_>) {
    if field.wants(&["parse"]) {
        let mut contestants = each_engine!(field, engine => parse(engine, field));
        field.print(&rates("parse", &race(field.effort, &mut contestants)));
    }
    if field.wants(&["parse-decide"]) {
        let mut contestants = each_engine!(field, engine => parse_decide(engine, field));
        field.print(&rates(
            "parse-decide",
            &race(field.effort, &mut contestants),
        ));
    }
    if field.wants(&["one-shot"]) {
        let mut contestants = each_engine!(field, engine => one_shot(engine, field));
        field.print(&rates("one-shot", &race(field.effort, &mut contestants)));
    }
    if field.wants(&["parse-decide-20"]) {
        let mut contestants = each_engine!(field, engine => parse_decide_all(engine, field));
        field.print(&times(
            "parse-decide-20",
            &race(field.effort, &mut contestants),
        ));
    }
    if field.wants(&["decide", "batch", "image-check"]) {
        decide_rows(field);
    }
    if field.wants(&["decide-path"]) {
        let paths: Vec<Vec<&str>> = field.corpus.sites.iter().map(paths).collect();
        let mut contestants = each_engine!(field, engine => decide_paths(engine, field, &paths));
        field.print(&times("decide-path", &race(field.effort, &mut contestants)));
    }
}

/// Parse every file, ask for its sitemaps, drop it.
fn parse<'a, E: Engine>(engine: &'a E, field: &'a Field<'_>) -> Contestant<'a> {
    let sites = &field.corpus.sites;
    Contestant::new(E::NAME, bytes_read::<E>(sites), move || {
        let sitemaps = sites
            .iter()
            .map(|site| engine.sitemaps(&engine.parse(black_box(&site.body))));
        sitemaps.sum::<usize>() as u64
    })
}

/// Parse every file, decide the first of its URLs, drop it.
fn parse_decide<'a, E: Engine>(engine: &'a E, field: &'a Field<'_>) -> Contestant<'a> {
    let sites = &field.corpus.sites;
    Contestant::new(E::NAME, bytes_read::<E>(sites), move || {
        let first =
            |site: &Site| engine.allowed(&engine.parse(black_box(&site.body)), &site.urls[0]);
        sites.iter().filter(|site| first(site)).count() as u64
    })
}

/// Decide the first URL of every file as fast as the engine can; nothing is kept.
fn one_shot<'a, E: Engine>(engine: &'a E, field: &'a Field<'_>) -> Contestant<'a> {
    let sites = &field.corpus.sites;
    Contestant::new(E::NAME, bytes_read::<E>(sites), move || {
        let first = |site: &Site| engine.allowed_once(black_box(&site.body), &site.urls[0]);
        sites.iter().filter(|site| first(site)).count() as u64
    })
}

/// Parse every file, decide all of its URLs, drop it. The unit is a verdict.
fn parse_decide_all<'a, E: Engine>(engine: &'a E, field: &'a Field<'_>) -> Contestant<'a> {
    let sites = &field.corpus.sites;
    let urls = sites.iter().map(|site| site.urls.len()).sum::<usize>();
    Contestant::new(E::NAME, urls as f64, move || {
        let of_site = |site: &Site| {
            let rules = engine.parse(black_box(&site.body));
            let allowed = |url: &&String| engine.allowed(&rules, url);
            site.urls.iter().filter(allowed).count() as u64
        };
        sites.iter().map(of_site).sum()
    })
}

fn bytes_read<E: Engine>(sites: &[Site]) -> f64 {
    sites
        .iter()
        .map(|site| site.body.bytes.len().min(E::READS))
        .sum::<usize>() as f64
}

/// All URLs of a site one after the other, then those of the next site. The rows that librobots has alone run in the
/// same race, so that the peers they are held against were measured beside them.
fn decide_rows(field: &Field<'_>) {
    let mut contestants: Vec<Contestant<'_>> =
        each_engine!(field, engine => decide(engine, &field.corpus.sites));
    let peers = contestants.len();
    contestants.extend(super::image::deciders(field));
    let outcomes = race(field.effort, &mut contestants);
    let (one_by_one, further) = outcomes.split_at(peers);
    field.print(&times("decide", one_by_one));
    super::image::print_deciders(field, one_by_one, further);
}

/// Rules kept; every URL of every site is decided.
pub fn decide<'a, E: Engine>(engine: &'a E, sites: &'a [Site]) -> Contestant<'a> {
    let kept: Vec<E::Rules<'a>> = sites.iter().map(|site| engine.parse(&site.body)).collect();
    let urls = sites.iter().map(|site| site.urls.len()).sum::<usize>();
    Contestant::new(E::NAME, urls as f64, move || allowed(engine, sites, &kept))
}

/// How many URLs are allowed.
pub fn allowed<E: Engine>(engine: &E, sites: &[Site], kept: &[E::Rules<'_>]) -> u64 {
    let mut allowed = 0;
    for (site, rules) in sites.iter().zip(kept) {
        for url in &site.urls {
            allowed += u64::from(engine.allowed(rules, black_box(url)));
        }
    }
    allowed
}

/// The same URLs given as their path and query, for engines that would rather have that.
fn decide_paths<'a, E: Engine>(
    engine: &'a E,
    field: &'a Field<'_>,
    paths: &'a [Vec<&str>],
) -> Contestant<'a> {
    let kept: Vec<E::Rules<'a>> = field
        .corpus
        .sites
        .iter()
        .map(|site| engine.parse(&site.body))
        .collect();
    Contestant::new(E::NAME, field.corpus.urls() as f64, move || {
        let mut allowed = 0;
        for (paths, rules) in paths.iter().zip(&kept) {
            for path in paths {
                allowed += u64::from(engine.path_allowed(rules, black_box(path)));
            }
        }
        allowed
    })
}

/// The URLs of a site without scheme and host.
fn paths(site: &Site) -> Vec<&str> {
    let host = "https://".len();
    site.urls
        .iter()
        .map(|url| &url[host + url[host..].find('/').unwrap_or(0)..])
        .collect()
}
