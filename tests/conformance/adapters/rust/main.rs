//! Adapters for robots.txt parsers that crates.io has: conformance-peers NAME.

use base64::prelude::{BASE64_STANDARD, Engine as _};
use serde_json::Value;
use std::io::{BufRead as _, Write as _};

/// A case of kind `check`; the text of a file or URL that is not UTF-8 is missing.
struct Case {
    agent: String,
    robots: Vec<u8>,
    robots_text: Option<String>,
    url: String,
}

fn word(allowed: bool) -> String {
    if allowed { "allow" } else { "deny" }.to_owned()
}

fn robotstxt(case: &Case) -> Option<String> {
    let robots = case.robots_text.as_deref()?;
    let mut matcher = robotstxt::DefaultMatcher::default();
    Some(word(matcher.one_agent_allowed_by_robots(
        robots,
        &case.agent,
        &case.url,
    )))
}

fn robotxt(case: &Case) -> Option<String> {
    let rules = robotxt::Robots::parse(&case.robots, case.agent.as_str());
    match url::Url::parse(&case.url) {
        Ok(url) => Some(word(rules.is_url_allowed(&url))),
        Err(error) => Some(format!("error {error}")),
    }
}

fn texting_robots(case: &Case) -> Option<String> {
    Some(
        match texting_robots::Robot::new(&case.agent, &case.robots) {
            Ok(robot) => word(robot.allowed(&case.url)),
            Err(error) => format!("error {error}").replace('\n', " "),
        },
    )
}

fn answer(line: &str, engine: fn(&Case) -> Option<String>, is_port: bool) -> Option<String> {
    let case: Value = serde_json::from_str(line).ok()?;
    let text = |name: &str| case[name].as_str().map(str::to_owned);
    let is_google = case["dialect"] == "google";
    let agents = case["agents"].as_array()?;
    let is_known =
        case["kind"] == "check" && (case["dialect"] == "rfc9309" || is_google && is_port);
    if !is_known || agents.len() != 1 || case.get("options").is_some() {
        return None;
    }
    // The port wants URLs that are percent-encoded, but `google` was recorded with those that are not.
    let url = text(if is_port && !is_google {
        "url_encoded"
    } else {
        "url"
    })?;
    let is_path = url.starts_with('/') && !is_google;
    engine(&Case {
        agent: agents[0].as_str()?.to_owned(),
        robots: BASE64_STANDARD.decode(text("robots_base64")?).ok()?,
        robots_text: text("robots"),
        url: if is_path {
            format!("https://example.com{url}")
        } else {
            url
        },
    })
}

fn main() {
    let name = std::env::args().nth(1).unwrap_or_default();
    let (version, engine, is_port): (&str, fn(&Case) -> Option<String>, bool) = match name.as_str()
    {
        "robotstxt" => ("0.3.0", robotstxt, true),
        "robotxt" => ("0.7.0", robotxt, false),
        "texting_robots" => ("0.2.2", texting_robots, false),
        _ => panic!("conformance-peers robotstxt, robotxt or texting_robots"),
    };
    println!("engine {name} {version}");
    let mut out = std::io::stdout();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let said = answer(&line, engine, is_port).unwrap_or_else(|| "unsupported".to_owned());
        println!("{said}");
        out.flush().ok();
    }
}
