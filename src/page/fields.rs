//! Fields that do not affect a verdict, and their values (SPEC 9.3, 9.4, 9.5, 9.7).

codes! {
    /// The field of a line of [`crate::Extensions`].
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    #[repr(u8)]
    pub enum ExtensionField: robots_extension_field("ROBOTS_EXTENSION_") in extensions, "Fields of extension lines." {
        /// `request-rate: 1/5 0600-0845`: at most one request in 5 seconds, at these hours (SPEC 9.3).
        RequestRate = 0 ROBOTS_EXTENSION_REQUEST_RATE,
        /// `visit-time: 0400-0845`: hours for visits, in UTC (SPEC 9.3).
        VisitTime = 1 ROBOTS_EXTENSION_VISIT_TIME,
        /// `host: www.example.com`: the preferred host name of the site (SPEC 9.3).
        Host = 2 ROBOTS_EXTENSION_HOST,
        /// `clean-param: ref /articles/`: query parameters that do not change the page (SPEC 9.3).
        CleanParam = 3 ROBOTS_EXTENSION_CLEAN_PARAM,
        /// `noindex: /path`: paths to keep out of an index (SPEC 9.3).
        Noindex = 4 ROBOTS_EXTENSION_NOINDEX,
        /// `content-signal: search=yes, ai-train=no` (SPEC 9.4).
        ContentSignal = 5 ROBOTS_EXTENSION_CONTENT_SIGNAL,
        /// `content-usage: /path train-ai=n` (SPEC 9.5).
        ContentUsage = 6 ROBOTS_EXTENSION_CONTENT_USAGE,
        /// `license: https://example.com/license.xml`: the address of terms of use, in the format of Really Simple Licensing
        /// (SPEC 9.7).
        License = 7 ROBOTS_EXTENSION_LICENSE,
    }
    ALL: pub, from_code: pub(self) u32
}

impl ExtensionField {
    /// Returns the name in lower case.
    pub const fn name(self) -> &'static str {
        self.names().0
    }

    /// Returns the name with the capital letters that lint and format write, such as `Request-rate`.
    pub(crate) const fn written(self) -> &'static str {
        self.names().1
    }

    const fn names(self) -> (&'static str, &'static str) {
        match self {
            ExtensionField::RequestRate => ("request-rate", "Request-rate"),
            ExtensionField::VisitTime => ("visit-time", "Visit-time"),
            ExtensionField::Host => ("host", "Host"),
            ExtensionField::CleanParam => ("clean-param", "Clean-param"),
            ExtensionField::Noindex => ("noindex", "Noindex"),
            ExtensionField::ContentSignal => ("content-signal", "Content-Signal"),
            ExtensionField::ContentUsage => ("content-usage", "Content-Usage"),
            ExtensionField::License => ("license", "License"),
        }
    }

    /// Returns the field with this name, in any case.
    pub fn find(name: impl AsRef<[u8]>) -> Option<ExtensionField> {
        let name = name.as_ref();
        ExtensionField::ALL
            .into_iter()
            .find(|field| name.eq_ignore_ascii_case(field.name().as_bytes()))
    }
}

/// A daily period of time, in minutes since midnight UTC. The period spans midnight if the end is before the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hours {
    /// Start: 0 to 1439.
    pub from: u32,
    /// End: 1 to 1440, where 1440 is midnight.
    pub until: u32,
}

impl Hours {
    /// Parses `hhmm-hhmm`.
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

/// The request rate that a site asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestRate {
    /// Number of requests, at least 1.
    pub requests: u32,
    /// Number of seconds in which these requests may be sent, at least 1.
    pub seconds: u32,
    /// The hours in which the rate applies; `None`: always.
    pub hours: Option<Hours>,
}

impl RequestRate {
    /// Parses `<n>/<t>[s|m|h] [hhmm-hhmm]`.
    pub(crate) fn parse(text: &[u8]) -> Option<RequestRate> {
        let mut words = text
            .split(|byte| matches!(byte, b' ' | b'\t'))
            .filter(|word| !word.is_empty());
        let rate = words.next()?;
        let hours = words.next().map(Hours::parse);
        if hours == Some(None) || words.next().is_some() {
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
            hours: hours.flatten(),
        })
    }
}

/// Parses a decimal number without a sign.
fn number(digits: &[u8]) -> Option<u32> {
    let is_number = digits.iter().all(u8::is_ascii_digit);
    let text = core::str::from_utf8(digits).ok().filter(|_| is_number)?;
    text.parse().ok()
}
