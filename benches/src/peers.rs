//! The Rust peers, each through the calls its own documentation shows.

use crate::engine::{Engine, TOKEN};
use crate::files::Body;
use robotstxt::{DefaultMatcher, RobotsParseHandler};
use robotxt::Robots;
use texting_robots::Robot;
use url::Url;

pub struct TextingRobots;

impl Engine for TextingRobots {
    const NAME: &'static str = "texting_robots";
    /// None where it refuses the file (a rule whose regular expression grows too large): nothing is allowed then.
    type Rules<'b> = Option<Robot>;

    fn parse<'b>(&self, body: &'b Body) -> Self::Rules<'b> {
        Robot::new(TOKEN, &body.bytes).ok()
    }

    fn refuses(&self, rules: &Self::Rules<'_>) -> bool {
        rules.is_none()
    }

    fn sitemaps(&self, rules: &Self::Rules<'_>) -> usize {
        rules.as_ref().map_or(0, |robot| robot.sitemaps.len())
    }

    fn allowed(&self, rules: &Self::Rules<'_>, url: &str) -> bool {
        rules.as_ref().is_some_and(|robot| robot.allowed(url))
    }
}

pub struct Robotxt;

impl Engine for Robotxt {
    const NAME: &'static str = "robotxt";
    const READS: usize = robotxt::BYTE_LIMIT;
    type Rules<'b> = Robots;

    fn parse<'b>(&self, body: &'b Body) -> Self::Rules<'b> {
        Robots::parse(&body.bytes, TOKEN)
    }

    fn sitemaps(&self, rules: &Self::Rules<'_>) -> usize {
        rules.sitemaps().len()
    }

    /// It takes an absolute URL as a `Url` only, so making one is part of the question.
    fn allowed(&self, rules: &Self::Rules<'_>, url: &str) -> bool {
        Url::parse(url).is_ok_and(|url| rules.is_url_allowed(&url))
    }

    fn path_allowed(&self, rules: &Self::Rules<'_>, path: &str) -> bool {
        rules.is_allowed(path)
    }
}

pub struct Robotstxt;

impl Engine for Robotstxt {
    const NAME: &'static str = "robotstxt";
    const KEEPS_RULES: bool = false;
    type Rules<'b> = &'b str;

    fn parse<'b>(&self, body: &'b Body) -> Self::Rules<'b> {
        &body.text
    }

    fn sitemaps(&self, rules: &Self::Rules<'_>) -> usize {
        let mut counter = SitemapCounter(0);
        robotstxt::parse_robotstxt(rules, &mut counter);
        counter.0
    }

    fn allowed(&self, rules: &Self::Rules<'_>, url: &str) -> bool {
        DefaultMatcher::default().one_agent_allowed_by_robots(rules, TOKEN, url)
    }
}

/// Reads a whole file as `robotstxt` does and keeps one number.
struct SitemapCounter(usize);

impl RobotsParseHandler for SitemapCounter {
    fn handle_robots_start(&mut self) {}
    fn handle_robots_end(&mut self) {}
    fn handle_user_agent(&mut self, _line: u32, _value: &str) {}
    fn handle_allow(&mut self, _line: u32, _value: &str) {}
    fn handle_disallow(&mut self, _line: u32, _value: &str) {}
    fn handle_sitemap(&mut self, _line: u32, value: &str) {
        self.0 += usize::from(!value.is_empty());
    }
    fn handle_unknown_action(&mut self, _line: u32, _action: &str, _value: &str) {}
}
