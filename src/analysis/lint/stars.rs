//! Finds a `*` that could go (SPEC 8.4, 8.7). It adds length, so it has an effect if an allow and a disallow match.

use super::codes::Code;
use super::diagnostic::{Findings, quoted};
use super::rule_set::RuleSet;
use crate::error::Error;
use crate::util::display::from_fn;
use crate::util::try_alloc::push;

/// The bytes of a path that could go.
struct Surplus {
    start: usize,
    len: usize,
    /// One of two `*` in a row.
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
        // Without the `*` the `$` would end the path.
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

/// Marks the rules of one crawler whose surplus has an effect: without it, they would be no longer than a rule of the
/// other kind that is shorter or as long now. All rules without the mark can lose their surplus together, since no
/// order between an allow and a disallow changes.
pub(super) fn mark_stars(rules: &mut RuleSet<'_>, set: &[u32]) -> Result<(), Error> {
    if !rules.dialect().has_wildcards() {
        return Ok(());
    }
    // A rule that also matches a directory has two lengths.
    let has_two_lengths = set
        .iter()
        .filter_map(|at| rules.get(*at))
        .any(|rule| rules.stands_for_more(rule));
    let mut lengths: [Vec<u32>; 2] = Default::default();
    for rule in set.iter().filter_map(|at| rules.get(*at)) {
        let [disallow, allow] = &mut lengths;
        let length = rules.path(rule).length() as u32;
        push(if rule.allow { allow } else { disallow }, length)?;
    }
    lengths.iter_mut().for_each(|list| list.sort_unstable());
    let [disallow, allow] = &lengths;
    for at in set {
        let Some(rule) = rules.get(*at) else {
            continue;
        };
        let Some(surplus) = surplus(rules.value(rule.line)) else {
            continue;
        };
        let length = rules.path(rule).length() as u32;
        let others = if rule.allow { disallow } else { allow };
        let first = others.partition_point(|of| *of < length - surplus.len as u32);
        let matters = has_two_lengths || others.get(first).is_some_and(|of| *of <= length);
        if let Some(rule) = rules.rules.get_mut(*at as usize) {
            rule.star_matters |= matters;
        }
    }
    Ok(())
}

/// Reports every `**`, and the first rule whose last `*` has no effect.
pub(super) fn report_stars(rules: &RuleSet<'_>, findings: &mut Findings) {
    if !rules.dialect().has_wildcards() {
        return;
    }
    let file = rules.file;
    let mut first = None;
    let mut count = 0;
    for rule in &rules.rules {
        let value = rules.value(rule.line);
        let Some(surplus) = surplus(value).filter(|_| !rule.is_reported(value)) else {
            continue;
        };
        let part = surplus.start..surplus.start + surplus.len;
        let star = value.get(part).unwrap_or_default();
        let changes_nothing = rule.obeyed && !rule.star_matters;
        if surplus.is_double {
            findings
                .add(Code::NeedlessStar, file.place(rule.line, star))
                .say("one `*` matches any characters: another one adds nothing")
                .help("write one `*`")
                .fix(|| {
                    file.replace(star, "")
                        .safe_if(changes_nothing && rules.is_alike())
                });
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
        .fix(|| file.replace(star, "").safe_if(rules.is_alike()));
}
