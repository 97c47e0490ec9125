//! Generated values of headers and elements with page-level controls.

use crate::oracle::page_controls::Input;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Pieces of values; the interesting ones come up often.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    #[rustfmt::skip]
    let texts: Vec<&str> = vec![
        ",", ",", ", ", ";", "; ", ":", ": ", "=", " ", "\t", "\"", "\\", "\n", "noindex", "NOFOLLOW", "none", "all",
        "index", "follow", "archive", "noarchive", "nocache", "nosnippet", "notranslate", "noimageindex",
        "indexifembedded", "noai", "noodp", "max-snippet", "max-snippet:", "Max-Snippet: ", "max-image-preview:",
        "max-video-preview: ", "unavailable_after", "unavailable_after:", "Unavailable_After: ", "unavailable_after=",
        "0", "-1", "-2", "7", "20", "50", "99999999999999999999", "large", "standard", "NONE", "examplebot",
        "ExampleBot: ", "examplebot;", "ExampleBot=", "second: ", "Second;", "otherbot: ", "otherbot;", "*", "*: ",
        "*;", "*=", "robots: ", "a b: ", "x/y: ", "2027-06-25", "20270625", "T15:00:00", "T1500", "t150000.5",
        " 15:00", " 9:00:00", " 24:00", "Z", "+0200", "-08:00", " +02", " GMT", " pst", " CEST", " Europe/Berlin",
        " noindex", "Fri", "Friday, ", "mon ", "25 Jun 2027", "25 jun 27", "25-June-2027", "25-Jun-27",
        "Jun 25, 2027", "29 Feb 2028", "29 Feb 2100", "31 Jun 2027", "31 Dec 69", "1 Jan 1969", "1 May 70",
        "@1813935600", "@-5", "?1", "?0", "@",
    ];
    prop_oneof![
        20 => select(texts).prop_map(|text| text.as_bytes().to_vec()),
        1 => vec(any::<u8>(), 1..4),
        1 => "[0-9A-Za-z,:; -]{1,12}".prop_map(String::into_bytes),
    ]
}

/// Whole dates in the forms that are read, some of them wrong.
fn date() -> impl Strategy<Value = Vec<u8>> {
    let day = (
        select(vec!["1", "9", "09", "28", "29", "30", "31", "0", "32"]),
        0_usize..13,
        select(vec![
            "1969", "1970", "1999", "2000", "2027", "2028", "2100", "0001", "9999", "27", "69",
            "70", "99", "127",
        ]),
    );
    let month = |at: usize| {
        [
            "Jan", "feb", "MAR", "April", "May", "jun", "July", "Aug", "sep", "October", "nov",
            "december", "Foo",
        ][at]
    };
    let form = select(vec![0, 1, 2, 3, 4]);
    let weekday = select(vec![
        "",
        "",
        "Fri, ",
        "Sunday, ",
        "wed ",
        "Thu ,",
        "Someday, ",
    ]);
    let time = select(vec![
        "",
        "",
        " 15:00:00",
        " 00:00",
        " 23:59:60",
        " 3:04:05.678",
        ", 15:00:00",
        "T15:00:00",
        "T150000",
        " 25:00",
        " 15:60",
        " 15:0",
    ]);
    let zone = select(vec![
        "",
        "",
        " GMT",
        " PST",
        "Z",
        " edt",
        " +0530",
        "-12:00",
        " +14",
        " XYZ",
        " Mars/Base",
        " +9999",
        ", GMT",
        " a b",
        " noindex",
    ]);
    (day, form, weekday, time, zone).prop_map(
        move |((day, at, year), form, weekday, time, zone)| {
            let text = match form {
                0 => format!("{weekday}{day} {} {year}{time}{zone}", month(at)),
                1 => format!("{weekday}{day}-{}-{year}{time}{zone}", month(at)),
                2 => format!("{weekday}{} {day}, {year}{time}{zone}", month(at)),
                3 => format!("{year}-{:02}-{day:0>2}{time}{zone}", at + 1),
                _ => format!("{year}{:02}{day:0>2}{time}{zone}", at + 1),
            };
            text.into_bytes()
        },
    )
}

/// A known rule with a valid value.
pub fn known_rule() -> impl Strategy<Value = String> {
    #[rustfmt::skip]
    let words = vec![
        "all", "Index", "follow", "archive", "none", "noindex", "NOFOLLOW", "noarchive", "nocache", "nosnippet",
        "notranslate", "noimageindex", "indexifembedded",
    ];
    #[rustfmt::skip]
    let dates = vec![
        "2010-01-01", "20270625T1500", "2027-06-25 15:00 Europe/Berlin", "Fri, 25 Jun 2027 15:00:00 GMT",
        "25 Jun 2027", "25 Jun 2027 15:00", "Friday, June 25, 2027, 15:00:00", "Friday, 25-Jun-27 15:00:00 CEST",
        "@1813935600",
    ];
    let limits = vec![
        "max-snippet: -1",
        "max-snippet:0",
        "Max-Snippet = 20",
        "max-video-preview:7",
        "max-video-preview: -1",
        "max-image-preview: none",
        "max-image-preview:LARGE",
    ];
    prop_oneof![
        3 => select(words).prop_map(str::to_owned),
        2 => select(limits).prop_map(str::to_owned),
        1 => select(dates).prop_map(|date| format!("unavailable_after: {date}")),
    ]
}

/// A rule that is right, or nearly.
fn rule() -> impl Strategy<Value = Vec<u8>> {
    #[rustfmt::skip]
    let rules = vec![
        "noindex", "noindex", "NoFollow", "none", "all", "index", "follow", "archive", "noarchive", "nocache",
        "nosnippet", "notranslate", "noimageindex", "indexifembedded", "noai", "noindex nofollow",
        "noindex follow max-snippet:-1", "none max-snippet:0", "max-snippet: 20 noindex", "noindex: nofollow",
        "noarchive=?0", "\"notranslate\"", "max-snippet: 20", "Max-Snippet:50", "max-snippet:-1", "max-snippet: 0",
        "max-snippet=5", "max-image-preview: none", "max-image-preview:standard", "max-image-preview: LARGE",
        "max-image-preview:huge", "max-video-preview: 7", "max-video-preview:-1", "max-video-preview=0",
    ];
    prop_oneof![
        8 => select(rules).prop_map(|rule| rule.as_bytes().to_vec()),
        1 => date().prop_map(|date| [b"unavailable_after: ".to_vec(), date].concat()),
    ]
}

/// A list of rules with the names of crawlers before some.
fn list() -> impl Strategy<Value = Vec<u8>> {
    #[rustfmt::skip]
    let names = vec![
        "", "", "", "", "examplebot: ", "second:", "otherbot: ", "*:", "ExampleBot=", "*;", "examplebot;",
        "otherbot;",
    ];
    let separators = select(vec![", ", ", ", ",", "; ", ";", ",,", " ", "\t"]);
    vec((select(names), rule(), separators), 0..6).prop_map(|elements| {
        let mut value = Vec::new();
        for (name, rule, separator) in elements {
            value.extend([name.as_bytes(), &rule, separator.as_bytes()].concat());
        }
        value
    })
}

fn value() -> impl Strategy<Value = Vec<u8>> {
    let dated = (
        vec(piece(), 0..3),
        select(vec![
            "unavailable_after:",
            "unavailable_after: ",
            "unavailable_after=\"",
        ]),
        date(),
        vec(piece(), 0..4),
    )
        .prop_map(|(before, rule, date, after)| {
            [
                before.concat(),
                rule.as_bytes().to_vec(),
                date,
                b",".to_vec(),
                after.concat(),
            ]
            .concat()
        });
    prop_oneof![
        3 => vec(piece(), 0..14).prop_map(|pieces| pieces.concat()),
        3 => list(),
        1 => dated,
    ]
}

/// A value of a response.
pub fn input() -> impl Strategy<Value = Input> {
    let names = select(vec![
        "robots",
        "ROBOTS ",
        "examplebot",
        "Second",
        "otherbot",
        "*",
        "",
        "noindex",
    ]);
    prop_oneof![
        3 => value().prop_map(Input::XRobotsTag),
        2 => value().prop_map(Input::RobotsTag),
        1 => (names, value()).prop_map(|(name, content)| Input::Meta(name.as_bytes().to_vec(), content)),
    ]
}

/// The product tokens of a crawler.
pub fn tokens() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let sets = vec![
        vec!["ExampleBot"],
        vec!["ExampleBot", "Second"],
        vec!["second", "examplebot"],
        vec!["noindex"],
        vec!["Someone-Else"],
    ];
    select(sets).prop_map(|set| set.iter().map(|token| token.as_bytes().to_vec()).collect())
}
