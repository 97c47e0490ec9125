//! The fields beside those of the engine, and the forms of their values (SPEC 9.3).

/// What a line of [`crate::Extensions`] is about. The discriminant is the number of the C API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum ExtensionField {
    /// `request-rate: 1/5 0600-0845`: how often to ask, and when (SPEC 9.3).
    RequestRate = 0,
    /// `visit-time: 0400-0845`: when to come (SPEC 9.3).
    VisitTime = 1,
    /// `host: www.example.com`: the name that the site prefers (SPEC 9.3).
    Host = 2,
    /// `clean-param: ref /articles/`: what of a query makes no difference (SPEC 9.3).
    CleanParam = 3,
    /// `noindex: /path` (SPEC 9.3).
    Noindex = 4,
    /// `content-signal: search=yes, ai-train=no` (SPEC 9.4).
    ContentSignal = 5,
    /// `content-usage: /path train-ai=n` (SPEC 9.5).
    ContentUsage = 6,
}

impl ExtensionField {
    /// Every field, in the order of its number.
    pub const ALL: [ExtensionField; 7] = [
        ExtensionField::RequestRate,
        ExtensionField::VisitTime,
        ExtensionField::Host,
        ExtensionField::CleanParam,
        ExtensionField::Noindex,
        ExtensionField::ContentSignal,
        ExtensionField::ContentUsage,
    ];

    /// Its name, in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            ExtensionField::RequestRate => "request-rate",
            ExtensionField::VisitTime => "visit-time",
            ExtensionField::Host => "host",
            ExtensionField::CleanParam => "clean-param",
            ExtensionField::Noindex => "noindex",
            ExtensionField::ContentSignal => "content-signal",
            ExtensionField::ContentUsage => "content-usage",
        }
    }

    /// Its name as it is mostly written.
    pub(crate) const fn written(self) -> &'static str {
        match self {
            ExtensionField::RequestRate => "Request-rate",
            ExtensionField::VisitTime => "Visit-time",
            ExtensionField::Host => "Host",
            ExtensionField::CleanParam => "Clean-param",
            ExtensionField::Noindex => "Noindex",
            ExtensionField::ContentSignal => "Content-Signal",
            ExtensionField::ContentUsage => "Content-Usage",
        }
    }

    pub(crate) fn parse(name: &[u8]) -> Option<ExtensionField> {
        ExtensionField::ALL
            .into_iter()
            .find(|field| name.eq_ignore_ascii_case(field.name().as_bytes()))
    }
}

/// A time of the day, every day, in minutes since midnight UTC. One that ends before it begins goes on
/// past midnight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hours {
    /// 0 to 1439.
    pub from: u32,
    /// 1 to 1440; midnight is 1440.
    pub until: u32,
}

impl Hours {
    /// `hhmm-hhmm`.
    pub(crate) fn parse(text: &[u8]) -> Option<Hours> {
        let minutes = |text: &[u8]| {
            let (hour, minute) = text.split_at_checked(2)?;
            let (hour, minute) = (number(hour)?, number(minute)?);
            (text.len() == 4 && minute < 60 && hour * 60 + minute <= 24 * 60)
                .then_some(hour * 60 + minute)
        };
        let dash = text.iter().position(|byte| *byte == b'-')?;
        let from = minutes(text.get(..dash)?)?;
        let until = minutes(text.get(dash + 1..)?)?;
        Some(Hours {
            from: from % (24 * 60),
            until: if until == 0 { 24 * 60 } else { until },
        })
    }
}

/// How often a site wants to be asked at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestRate {
    /// So many requests, at least 1,
    pub requests: u32,
    /// in so many seconds, at least 1.
    pub seconds: u32,
    /// When that holds; `None`: always.
    pub hours: Option<Hours>,
}

impl RequestRate {
    /// `<n>/<t>[s|m|h] [hhmm-hhmm]`.
    pub(crate) fn parse(text: &[u8]) -> Option<RequestRate> {
        let mut words = text
            .split(|byte| matches!(byte, b' ' | b'\t'))
            .filter(|word| !word.is_empty());
        let rate = words.next()?;
        let hours = match words.next() {
            Some(word) => Some(Hours::parse(word)?),
            None => None,
        };
        if words.next().is_some() {
            return None;
        }
        let slash = rate.iter().position(|byte| *byte == b'/')?;
        let (count, unit) = match rate.get(slash + 1..)? {
            [count @ .., b's' | b'S'] => (count, 1),
            [count @ .., b'm' | b'M'] => (count, 60),
            [count @ .., b'h' | b'H'] => (count, 60 * 60),
            count => (count, 1),
        };
        let requests = number(rate.get(..slash)?)?;
        let seconds = number(count)?.checked_mul(unit)?;
        (requests > 0 && seconds > 0).then_some(RequestRate {
            requests,
            seconds,
            hours,
        })
    }
}

/// Digits and nothing else.
fn number(digits: &[u8]) -> Option<u32> {
    let is_number = digits.iter().all(u8::is_ascii_digit);
    let text = core::str::from_utf8(digits).ok().filter(|_| is_number)?;
    text.parse().ok()
}
