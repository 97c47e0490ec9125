//! What librobots has alone: batches, and rules as flat bytes.

use super::field::{Field, times};
use crate::engine::Engine;
use crate::measure::{Contestant, Outcome, race};
use crate::ours::{Handle, Ours};
use crate::table::{Figure, Row, Unit, Value};
use std::hint::black_box;

/// The other two ways to decide the URLs of the corpus: a site's URLs in one call, and in place on the image.
pub fn deciders<'a>(field: &'a Field<'_>) -> Vec<Contestant<'a>> {
    if !field.wants_engine(&field.ours) || !field.wants(&["batch", "image-check"]) {
        return Vec::new();
    }
    let (ours, sites, urls) = (&field.ours, &field.corpus.sites, field.corpus.urls() as f64);
    let kept = parse(field);
    let images: Vec<Vec<u8>> = kept
        .iter()
        .map(|rules| ours.image(rules).to_vec())
        .collect();
    let mut verdicts = Vec::new();
    let batch = Contestant::new(Ours::NAME, urls, move || {
        let allowed = sites
            .iter()
            .zip(&kept)
            .map(|(site, rules)| ours.batch_allowed(rules, &site.batch, &mut verdicts));
        allowed.sum::<usize>() as u64
    });
    let in_place = Contestant::new(Ours::NAME, urls, move || {
        let mut allowed = 0;
        for (site, image) in sites.iter().zip(&images) {
            for url in &site.urls {
                allowed += u64::from(ours.image_allowed(image, black_box(url)));
            }
        }
        allowed
    });
    vec![batch, in_place]
}

/// Their rows, held against the peers deciding one by one.
pub fn print_deciders(field: &Field<'_>, one_by_one: &[Outcome], further: &[Outcome]) {
    for (row, outcome) in ["batch", "image-check"].into_iter().zip(further) {
        let mut outcomes = one_by_one.to_vec();
        for ours in outcomes.iter_mut().filter(|ours| ours.name == Ours::NAME) {
            assert_eq!(
                ours.answer, outcome.answer,
                "{row} must decide as one by one"
            );
            *ours = *outcome;
        }
        field.print(&times(row, &outcomes));
    }
}

pub fn run(field: &Field<'_>) {
    if !field.wants_engine(&field.ours) || !field.wants(&["image-bytes", "image-load"]) {
        return;
    }
    let kept = parse(field);
    let images: Vec<&[u8]> = kept.iter().map(|rules| field.ours.image(rules)).collect();
    let files = images.len() as f64;

    let bytes: usize = images.iter().map(|image| image.len()).sum();
    let share = bytes as f64 / field.corpus.bytes() as f64;
    let figure = Figure {
        engine: Ours::NAME,
        value: Value::Is(share),
        rounds: None,
        answer: Some(bytes as u64),
    };
    field.print(&Row::new("image-bytes", Unit::OfText, vec![figure]));

    let load = || {
        images
            .iter()
            .map(|image| field.ours.sitemaps(&field.ours.load(image)) as u64)
            .sum()
    };
    field.print(&times(
        "image-load",
        &race(
            field.effort,
            &mut [Contestant::new(Ours::NAME, files, load)],
        ),
    ));
}

fn parse(field: &Field<'_>) -> Vec<Handle> {
    field
        .corpus
        .sites
        .iter()
        .map(|site| field.ours.parse(&site.body))
        .collect()
}
