//! Finds rules that change no verdict, and each needless `*` (SPEC 8.4, 8.7). [`roles`] examines the rules of each crawler.

use super::budget::Budget;
use super::codes::Code;
use super::diagnostic::{Checked, Findings, FixResult, quoted};
use super::groups::{FileGroup, Groups, RuleLine};
use super::lines::File;
use super::paths::{is_beside, is_everything, is_path};
use super::skipped::SkippedLines;
use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::base::rule::RulePath;
use crate::bytes::display::from_fn;
use crate::bytes::try_alloc::{append, collect, push, reserved};
use crate::core::rules::single_rule::canonical;
use crate::owner::difference::{ExaminedRule, RuleRole, roles};

/// Upper bound on the rules of a crawler. If a crawler obeys more rules, none of its rules are examined.
const MAX_RULES: usize = 20_000;

/// Cost of a rule, in bytes of the budget for compiling.
const RULE_COST: usize = 64;

/// Facts about a rule, combined over all crawlers that obey the rule.
#[derive(Clone, Copy, Default)]
struct Known {
    is_obeyed: bool,
    /// Whether some verdict may change if the rule is removed.
    matters: bool,
    /// Whether removing the rule may change a verdict for Google. Google may read the path differently.
    matters_to_google: bool,
    /// Whether the rule may decide a path for some crawler.
    decides: bool,
    /// Whether some verdict may change if the rule loses its [`Surplus`].
    star_matters: bool,
    /// Line of another rule that decides instead of this rule; 0 for none.
    instead: u32,
    /// Skipped line that must be corrected before this rule is removed; 0 for none.
    skipped: u32,
    /// Line of a rule that keeps search engines out, if only that rule makes this rule needless; 0 for none.
    ban: u32,
}

struct Redundancy<'f> {
    file: &'f File,
    groups: &'f Groups,
    /// Facts about each rule, in the order of [`Groups::rules`].
    known: Vec<Known>,
    skipped: SkippedLines,
    /// See [`Findings::bans`].
    bans: &'f [u32],
    /// Whether to find each needless `*`.
    with_stars: bool,
}

pub(super) fn check_redundancy(file: &File, groups: &Groups, findings: &mut Findings) -> Checked {
    let known = collect(groups.rules.iter().map(|_| Known::default()))?;
    let bans = core::mem::take(&mut findings.bans);
    let mut redundancy = Redundancy {
        file,
        groups,
        known,
        skipped: SkippedLines::read(file)?,
        bans: &bans,
        with_stars: file.dialect.has_wildcards() && findings.wants(Code::NeedlessStar),
    };
    let mut budget = Budget::new(file);
    let classes = groups.classes(file, file.dialect.merges_groups())?;
    let mut lists: Vec<&[u32]> = Vec::new();
    for obeyed in classes.obeyed() {
        // Crawlers that obey the same groups have the same rules.
        if lists.last() != Some(&obeyed) {
            push(&mut lists, obeyed)?;
        }
    }
    // Crawlers that obey fewer groups come first. A rule that a crawler needs stays for all later crawlers.
    lists.sort_unstable_by_key(|obeyed| obeyed.len());
    for obeyed in lists {
        let count = groups
            .of(obeyed)
            .map(|group| group.rules.len())
            .sum::<usize>();
        // Only files with very many different groups reach the limit.
        if !budget.take_bytes(RULE_COST * count) {
            findings.is_undecided = true;
            return Ok(());
        }
        redundancy.examine(obeyed, file.dialect, &mut budget)?;
        if file.dialect == Dialect::Rfc9309 && redundancy.differs_in_google(obeyed)? {
            redundancy.examine(obeyed, Dialect::Google, &mut budget)?;
        }
    }
    findings.is_undecided |= budget.limits.are_reached;
    for group in groups.iter() {
        redundancy.report(group, findings)?;
    }
    redundancy.report_stars(findings);
    Ok(())
}

impl Redundancy<'_> {
    fn value(&self, rule: &RuleLine) -> &[u8] {
        self.file.value(rule.line)
    }

    fn known(&self, line: u32) -> Known {
        let known = self.known.get(self.place(line));
        known.copied().unwrap_or_default()
    }

    /// Returns the index of the rule on a line.
    fn place(&self, line: u32) -> usize {
        let rules = &self.groups.rules;
        rules.partition_point(|rule| rule.line < line)
    }

    /// Returns whether Google and RFC 9309 read some rule of these groups differently (SPEC 8.6, 8.10).
    fn differs_in_google(&self, obeyed: &[u32]) -> Result<bool, Error> {
        for rule in self.groups.rules_of(obeyed) {
            let value = self.value(rule);
            let is_plain = |byte: &u8| byte.is_ascii_graphic() && *byte != b'%';
            if !value.iter().all(is_plain)
                && canonical(value, Dialect::Rfc9309)? != canonical(value, Dialect::Google)?
            {
                return Ok(true);
            }
            let path = RulePath::split(value, Dialect::Google);
            if rule.allow && path.directory_of_index(Dialect::Google).is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Examines the rules of the groups that a crawler obeys. `dialect`: how the crawler reads the rules.
    fn examine(
        &mut self,
        obeyed: &[u32],
        dialect: Dialect,
        budget: &mut Budget,
    ) -> Result<(), Error> {
        let lines = || {
            let lines = self.groups.rules_of(obeyed);
            lines.filter(|rule| is_path(self.value(rule)))
        };
        let count = lines().take(MAX_RULES + 1).count();
        let is_too_long = count > MAX_RULES;
        let count = if is_too_long { 0 } else { count };
        let mut text = Vec::new();
        let mut ends = reserved(count)?;
        for rule in lines().take(count) {
            append(&mut text, &canonical(self.value(rule), dialect)?)?;
            // Escapes may make the canonical paths longer than the file. Then the rules are not examined.
            if text.len() > self.file.body.len() {
                break;
            }
            ends.push(text.len());
        }
        let is_examined = !is_too_long && ends.len() == count;
        let mut rules = reserved(count)?;
        let mut start = 0;
        for (rule, end) in lines().zip(ends) {
            let value = self.value(rule);
            rules.push(ExaminedRule {
                path: text.get(start..end).unwrap_or_default(),
                allow: rule.allow,
                line: rule.line,
                surplus: match surplus(value) {
                    Some(surplus) if self.with_stars => surplus.len as u32,
                    _ => 0,
                },
                stays: is_beside(value),
                is_needed: self.known(rule.line).matters,
                // Many files use `Allow: /` to state that everything is allowed.
                is_statement: rule.allow && is_everything(value),
            });
            start = end;
        }
        let roles = match is_examined {
            true => roles(dialect, &rules, &mut budget.limits)?,
            false => {
                budget.limits.are_reached = true;
                Vec::new()
            }
        };
        let (ban, hidden) = match dialect == self.file.dialect {
            true => self.hidden(&rules, budget)?,
            false => (0, Vec::new()),
        };
        let mut hidden = hidden.into_iter().peekable();
        let roles = roles
            .into_iter()
            .chain(core::iter::repeat(RuleRole::default()));
        let skipped = self.skipped.first_in(obeyed);
        let obeyed_lines = self.groups.rules_of(obeyed);
        let mut roles = rules.iter().map(|rule| rule.line).zip(roles).peekable();
        for rule in obeyed_lines {
            let role = roles.next_if(|(line, _)| *line == rule.line);
            let role = role.map(|(_, role)| role).unwrap_or_default();
            let place = self.place(rule.line);
            if let Some(known) = self.known.get_mut(place) {
                let first = skipped.before(rule.allow, role.never_decides);
                if known.skipped == 0 {
                    known.skipped = first;
                }
                known.is_obeyed = true;
                known.star_matters |= !role.is_surplus_needless;
                if dialect != self.file.dialect {
                    known.matters_to_google |= !role.is_needless;
                    continue;
                }
                known.matters |= !role.is_needless;
                let is_hidden = hidden.next_if(|line| *line == rule.line).is_some();
                if is_hidden && known.ban == 0 {
                    known.ban = ban;
                }
                known.decides |= !role.never_decides;
                if known.instead == 0 {
                    known.instead = role.instead;
                }
            }
        }
        Ok(())
    }

    /// Returns the line of a rule that keeps search engines out (a ban), and the lines of the rules that would be needed
    /// without it. The ban may be the author's mistake. Then the rules that the ban makes needless are correct.
    fn hidden(
        &self,
        rules: &[ExaminedRule<'_>],
        budget: &mut Budget,
    ) -> Result<(u32, Vec<u32>), Error> {
        let mut lines = Vec::new();
        let is_ban = |rule: &&ExaminedRule<'_>| self.bans.contains(&rule.line);
        let Some(ban) = rules.iter().find(is_ban) else {
            return Ok((0, lines));
        };
        let mut rest = Vec::new();
        for rule in rules.iter().filter(|rule| !is_ban(rule)) {
            // A second `Disallow: /` would hide the same rules.
            if rule.allow || !is_everything(self.file.value(rule.line)) {
                push(&mut rest, *rule)?;
            }
        }
        let found = roles(self.file.dialect, &rest, &mut budget.limits)?;
        for (rule, _) in rest.iter().zip(found).filter(|(_, role)| !role.is_needless) {
            push(&mut lines, rule.line)?;
        }
        Ok((ban.line, lines))
    }

    /// Returns whether a rule is reported because no verdict needs it.
    fn is_reported(&self, rule: &RuleLine) -> bool {
        let known = self.known(rule.line);
        // If only SPEC 8.9 would decide without the rule, it is a rule for /robots.txt, which another code reports.
        let is_of_robots_txt = !known.decides && known.instead == 0;
        known.is_obeyed && !known.matters && !is_of_robots_txt
    }

    fn report(&self, group: FileGroup<'_>, findings: &mut Findings) -> Checked {
        let mut reported = group.rules.iter().filter(|rule| self.is_reported(rule));
        let Some(first) = reported.next() else {
            return Ok(());
        };
        let [disallow, allow] = [false, true].map(|allow| {
            let mut rules = group.rules.iter().filter(|rule| rule.allow == allow);
            let invalid = rules.find(|rule| rule.has_path && !is_path(self.value(rule)));
            invalid.map(|rule| rule.line)
        });
        // A group without rules would join the next group (SPEC 6.1).
        let stays = group.rules.iter().any(|rule| !self.is_reported(rule));
        for rule in core::iter::once(first).chain(reported) {
            let invalid = if rule.allow { disallow } else { allow };
            self.report_rule(rule, stays, invalid, findings)?;
        }
        Ok(())
    }

    /// Reports a needless rule. `stays`: whether some rule of the group is not reported. `invalid`: line of a rule of the group
    /// that has the opposite effect and matches nothing.
    fn report_rule(
        &self,
        rule: &RuleLine,
        stays: bool,
        invalid: Option<u32>,
        findings: &mut Findings,
    ) -> Checked {
        let value = self.value(rule);
        let known = self.known(rule.line);
        let by = known.instead;
        let by_value = self.file.value(by);
        let by_rule = self.groups.rules.get(self.place(by));
        let is_alike = by_rule.is_some_and(|by| by.allow == rule.allow);
        let dialect = self.file.dialect;
        let is_same = by > 0 && canonical(value, dialect)? == canonical(by_value, dialect)?;
        let code = match (known.decides, is_same) {
            (false, true) if is_alike => Code::Duplicate,
            (false, true) => Code::Conflict,
            (false, false) => Code::NeverWins,
            (true, _) if by == 0 && rule.allow => Code::AllowedAnyway,
            (true, _) => Code::Redundant,
        };
        let is_first = dialect.first_match_wins();
        let shown = quoted(by_value);
        let found = findings.add(code, self.file.place(rule.line, value));
        let found = found.other(by);
        let found = match code {
            Code::Duplicate => {
                let how = if value == by_value {
                    "the same rule"
                } else {
                    "an equal rule, encoded differently,"
                };
                found.say(format_args!("{how} is on line {by}"))
            }
            Code::Conflict => {
                let name = |allow: bool| if allow { "allow" } else { "disallow" };
                let (own, other) = (name(rule.allow), name(!rule.allow));
                let why = if is_first {
                    "the first rule wins"
                } else {
                    "at equal length allow wins"
                };
                found.say(format_args!(
                    "this {own} never decides: line {by} is {other} for the same path, and {why}"
                ))
            }
            Code::NeverWins => {
                let how = if is_first { "an earlier" } else { "another" };
                found.say(format_args!(
                    "this rule never wins: {how} rule decides each URL that it matches, such as {shown} on line {by}"
                ))
            }
            Code::AllowedAnyway => found.say("what this rule allows is allowed without it"),
            _ if by == 0 => found.say("without this rule no verdict would change"),
            _ if is_alike => found.say(format_args!(
                "line {by}, {shown}, has the same effect: without this rule no verdict would change"
            )),
            _ => found.say(format_args!(
                "without this rule no verdict would change: line {by}, {shown}, decides"
            )),
        };
        let found = match known.matters_to_google {
            true => found.and("; but not for Google, which reads the path otherwise"),
            false => found,
        };
        // The reported rule may decide once the invalid or skipped line is corrected.
        let may_decide = invalid.filter(|_| known.decides);
        let may_decide = may_decide.or((known.skipped > 0).then_some(known.skipped));
        match (code, may_decide) {
            _ if known.matters_to_google => {
                found.help("write all paths in one form, without needless `%`")
            }
            (Code::Conflict, _) => found.help("remove the one that you do not mean"),
            (Code::NeverWins, _) if is_first => {
                found.help("move it before the other rule, or remove it")
            }
            (Code::NeverWins, _) if !is_alike => {
                found.help("make it longer than the other rule, or remove it")
            }
            (_, Some(line)) => found.help(format_args!(
                "correct line {line} first: then this rule may decide"
            )),
            _ if known.ban > 0 => found.help(format_args!(
                "first decide whether line {} is meant: without it this rule may decide",
                known.ban
            )),
            (Code::Redundant, _) if is_alike && cuts_a_word(by_value, value) => {
                found.help(format_args!(
                    "which one is meant? If line {by} is, remove this rule; if this one is, correct line {by}, which matches every path that begins like that"
                ))
            }
            _ => found
                .help(match stays {
                    true => "remove the rule",
                    false => "write `Disallow:` in its place: the group must keep a rule",
                })
                .fix(|| self.removal(rule, stays)),
        };
        Ok(())
    }

    fn removal(&self, rule: &RuleLine, stays: bool) -> FixResult {
        let fix = match self.file.line(rule.line) {
            Some(line) if !stays => self.file.empty_rule(line),
            _ => self.file.remove_line(rule.line),
        };
        fix.safe_if(true)
    }

    /// Reports every `**`, and the first rule whose last `*` has no effect.
    fn report_stars(&self, findings: &mut Findings) {
        if !self.with_stars {
            return;
        }
        let file = self.file;
        let mut first = None;
        let mut count = 0;
        for rule in &self.groups.rules {
            let value = self.value(rule);
            let Some(surplus) = surplus(value).filter(|_| is_path(value)) else {
                continue;
            };
            if self.is_reported(rule) {
                continue;
            }
            let part = surplus.start..surplus.start + surplus.len;
            let star = value.get(part).unwrap_or_default();
            let known = self.known(rule.line);
            let changes_nothing = known.is_obeyed && !known.star_matters;
            if surplus.is_double {
                let found = findings.add(Code::NeedlessStar, file.place(rule.line, star));
                if changes_nothing {
                    found
                        .say("one `*` matches any characters: another one adds nothing")
                        .help("write one `*`")
                        .fix(|| file.replace(star, "").safe_if(true));
                } else {
                    found
                        .say("one `*` matches any characters: another one only makes the rule longer, which may let it win")
                        .help("write one `*`, unless the length is meant");
                }
            } else if changes_nothing {
                count += 1;
                let path = value.get(..surplus.start).unwrap_or_default();
                first = first.or(Some((rule.line, star, path)));
            }
        }
        let Some((line, star, path)) = first else {
            return;
        };
        let which = from_fn(|f| match count {
            1 => f.write_str("the `*` at the end changes nothing"),
            _ => write!(
                f,
                "{count} rules end in a `*` that changes nothing, this one first"
            ),
        });
        findings
            .add(Code::NeedlessStar, file.place(line, star))
            .say(format_args!(
                "{which}: a rule matches every URL that begins with its path"
            ))
            .help(format_args!("write {}", quoted(path)))
            .fix(|| file.replace(star, "").safe_if(true));
    }
}

/// The needless bytes of a path.
struct Surplus {
    start: usize,
    len: usize,
    /// Whether the needless byte is one of two `*` in a row.
    is_double: bool,
}

fn surplus(path: &[u8]) -> Option<Surplus> {
    if let Some(start) = memchr::memmem::find(path, b"**") {
        return Some(Surplus {
            start,
            len: 1,
            is_double: true,
        });
    }
    let (start, len) = match path {
        // Without the `*`, the `$` would mean the end of the URL.
        b"*" | b"/*" | b"*$" | b"/*$" | [.., b'$', b'*'] | [.., b'$', b'*', b'$'] => return None,
        [.., b'*', b'$'] => (path.len() - 2, 2),
        [.., b'*'] => (path.len() - 1, 1),
        _ => return None,
    };
    Some(Surplus {
        start,
        len,
        is_double: false,
    })
}

/// Returns whether `start` is a prefix of `path` that ends within a word, as `/c` is a prefix of `/cart/`. Such a path may be
/// cut by mistake.
fn cuts_a_word(start: &[u8], path: &[u8]) -> bool {
    let rest = path.strip_prefix(start);
    let around = (start.last(), rest.and_then(<[u8]>::first));
    matches!(around, (Some(last), Some(next)) if last.is_ascii_alphanumeric() && next.is_ascii_alphanumeric())
}
