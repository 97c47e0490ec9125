//! Counts the well-known crawlers that may fetch the home page, in a sentence without a period.

use crate::base::error::Error;
use crate::crawler::preset::{Preset, Purpose};

const PURPOSES: [Purpose; 4] = [
    Purpose::Search,
    Purpose::AiSearch,
    Purpose::Training,
    Purpose::Commerce,
];

/// Returns the sentence for the file `text`: for each purpose, how many crawlers that obey robots.txt may fetch the home page.
/// If the number differs for the old file `body`, the sentence has both numbers. An empty `body` means that there was no file.
pub(super) fn home_page(body: &[u8], text: &[u8]) -> Result<String, Error> {
    let mut counts = Vec::new();
    for purpose in PURPOSES {
        let own = Preset::all().filter(|it| it.purpose() == purpose && !it.ignores_robots_txt());
        let (mut total, mut open) = (0, [0, 0]);
        for preset in own {
            let crawler = preset.crawler()?;
            total += 1;
            for (count, body) in open.iter_mut().zip([body, text]) {
                *count += u32::from(crawler.parse(body).is_allowed("/"));
            }
        }
        let [before, now] = open;
        let was = match body.is_empty() || before == now {
            true => String::new(),
            false => format!(" (was {before})"),
        };
        // Commas separate the purposes.
        let name = purpose.name().replace(", ", " and ");
        counts.push(format!("{now} of {total}{was} for {name}"));
    }
    let counts = counts.join(", ");
    Ok(format!(
        "well-known crawlers that may fetch the home page: {counts}"
    ))
}
