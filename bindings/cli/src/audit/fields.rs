//! Logs whose fields have names: JSON lines, and the extended format of W3C.

use std::borrow::Cow;
use std::fmt;

use percent_encoding::percent_decode;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::entry::{Entry, Unread, target_of};
use super::time::{Time, Times};

/// What a field says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    Time,
    /// The date of a `Time` that is a clock time.
    Date,
    Host,
    /// A URL, or a path with its query.
    Url,
    /// The first line of the request.
    Request,
    /// A path without its query.
    Path,
    Query,
    Status,
    Bytes,
    Agent,
    Address,
}

const SLOTS: usize = Slot::Address as usize + 1;

/// Each slot with its name for --field and the known names. If a line has several for a slot, the first counts. A point leads into an
/// object.
#[rustfmt::skip]
pub(super) const NAMES: &[(Slot, &str, &str)] = &[
    // Caddy, Cloudflare, Traefik, Google Cloud, nginx and Apache as JSON; W3C (IIS), CloudFront.
    (Slot::Time, "time", "ts EdgeStartTimestamp StartUTC timestamp @timestamp time_iso8601 msec time_local time"),
    (Slot::Date, "date", "date"),
    (Slot::Host, "host", "request.host ClientRequestHost RequestHost x-host-header cs(Host) cs-host host http_host server_name vhost"),
    (Slot::Url, "url", "request.uri ClientRequestURI RequestPath httpRequest.requestUrl request_uri cs-uri url"),
    (Slot::Request, "request", "request request_line"),
    (Slot::Path, "path", "cs-uri-stem ClientRequestPath uri path"),
    (Slot::Query, "query", "cs-uri-query args query_string query"),
    (Slot::Status, "status", "status EdgeResponseStatus DownstreamStatus httpRequest.status sc-status status_code response"),
    (Slot::Bytes, "bytes", "size EdgeResponseBytes DownstreamContentSize httpRequest.responseSize sc-bytes body_bytes_sent bytes_sent bytes length"),
    (Slot::Agent, "agent", "request.headers.User-Agent ClientRequestUserAgent request_User-Agent httpRequest.userAgent cs(User-Agent) http_user_agent user_agent userAgent agent"),
    (Slot::Address, "address", "request.client_ip request.remote_ip request.remote_addr ClientIP ClientHost httpRequest.remoteIp c-ip remote_addr remote_ip client_ip clientip ip"),
];

/// A value of a field.
#[derive(Debug)]
enum Value<'l> {
    Text(Cow<'l, [u8]>),
    Whole(u64),
    Number(f64),
}

/// The fields of a line.
#[derive(Default)]
pub(super) struct Fields<'l> {
    /// Each with the rank of its name.
    values: [Option<(u16, Value<'l>)>; SLOTS],
}

impl<'l> Fields<'l> {
    fn set(&mut self, (slot, rank): (Slot, u16), value: Value<'l>) {
        let place = self.values.get_mut(slot as usize);
        if let Some(place) = place.filter(|it| it.as_ref().is_none_or(|(old, _)| rank < *old)) {
            *place = Some((rank, value));
        }
    }

    /// Sets a field to a text; `-` and an empty text are none.
    pub(super) fn set_text(&mut self, name: (Slot, u16), text: &'l [u8]) {
        if !matches!(text, b"-" | b"") {
            self.set(name, Value::Text(Cow::Borrowed(text)));
        }
    }

    fn take(&mut self, slot: Slot) -> Option<Value<'l>> {
        Some(self.values.get_mut(slot as usize)?.take()?.1)
    }

    fn text(&mut self, slot: Slot) -> Option<Cow<'l, [u8]>> {
        match self.take(slot)? {
            Value::Text(text) => Some(text),
            Value::Whole(_) | Value::Number(_) => None,
        }
    }

    fn number(&mut self, slot: Slot) -> Option<u64> {
        match self.take(slot)? {
            Value::Whole(number) => Some(number),
            Value::Number(number) => Some(number as u64),
            Value::Text(text) => std::str::from_utf8(&text).ok()?.parse().ok(),
        }
    }

    fn time(&mut self, times: &mut Times) -> Option<Time> {
        let date = self.text(Slot::Date);
        match self.take(Slot::Time)? {
            Value::Whole(number) => Time::of_whole(number),
            Value::Number(seconds) => Time::of_seconds(seconds),
            Value::Text(clock) => match date {
                Some(date) if clock.get(2) == Some(&b':') => {
                    times.parse(&[&*date, b"T", &*clock].concat())
                }
                _ => times.parse(&clock),
            },
        }
    }

    /// Returns the request. `is_encoded`: the User-Agent has `+` or escapes in place of blanks.
    pub(super) fn entry(
        mut self,
        times: &mut Times,
        is_encoded: bool,
    ) -> Result<Entry<'l>, Unread> {
        let time = self.time(times).ok_or(Unread::Time)?;
        let target = match (self.text(Slot::Url), self.text(Slot::Request)) {
            (Some(url), _) => url,
            (None, Some(request)) => target_of(request),
            (None, None) => {
                let path = self.text(Slot::Path).ok_or(Unread::Url)?;
                match self.text(Slot::Query) {
                    None => path,
                    Some(query) => {
                        let query = query.strip_prefix(b"?").unwrap_or(&query);
                        Cow::Owned([&*path, b"?", query].concat())
                    }
                }
            }
        };
        let agent = self.text(Slot::Agent).unwrap_or_default();
        let status = self.number(Slot::Status);
        Ok(Entry {
            time,
            host: self.text(Slot::Host),
            target,
            status: status.and_then(|status| u16::try_from(status).ok()),
            bytes: self.number(Slot::Bytes).unwrap_or_default(),
            agent: Some(match is_encoded {
                true => decoded(agent),
                false => agent,
            }),
            address: self.text(Slot::Address),
        })
    }
}

/// Decodes a User-Agent of a log that separates fields by blanks: CloudFront escapes it once or twice, IIS writes `+`.
fn decoded(agent: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    if memchr::memchr(b'%', &agent).is_some() {
        let once: Vec<u8> = percent_decode(&agent).collect();
        return Cow::Owned(percent_decode(&once).collect());
    }
    if memchr::memchr(b'+', &agent).is_none() || memchr::memchr(b' ', &agent).is_some() {
        return agent;
    }
    let blank = |byte: &u8| if *byte == b'+' { b' ' } else { *byte };
    Cow::Owned(agent.iter().map(blank).collect())
}

/// The names of fields, and of objects that have such fields, by length.
#[derive(Default)]
pub(super) struct Names {
    by_len: Vec<Vec<Node>>,
}

#[derive(Default)]
struct Node {
    name: Box<str>,
    slot: Option<(Slot, u16)>,
    inner: Names,
}

impl Names {
    /// Returns the known names; those of `own` count before them.
    pub(super) fn new(own: &[(Slot, String)]) -> Names {
        let mut names = Names::default();
        let known = NAMES.iter();
        let known = known.flat_map(|(slot, _, all)| all.split(' ').map(|name| (*slot, name)));
        let own = own.iter().map(|(slot, name)| (*slot, &**name));
        for (rank, (slot, path)) in own.chain(known).enumerate() {
            names.add(path, (slot, u16::try_from(rank).unwrap_or(u16::MAX)));
        }
        names
    }

    fn add(&mut self, path: &str, slot: (Slot, u16)) {
        let (name, rest) = match path.split_once('.') {
            Some((name, rest)) => (name, Some(rest)),
            None => (path, None),
        };
        if self.by_len.len() <= name.len() {
            self.by_len.resize_with(name.len() + 1, Vec::new);
        }
        let Some(nodes) = self.by_len.get_mut(name.len()) else {
            return;
        };
        let at = nodes.iter().position(|node| &*node.name == name);
        let at = at.unwrap_or_else(|| {
            nodes.push(Node {
                name: name.into(),
                ..Node::default()
            });
            nodes.len() - 1
        });
        match (nodes.get_mut(at), rest) {
            (Some(node), Some(rest)) => node.inner.add(rest, slot),
            (Some(node), None) => node.slot = node.slot.or(Some(slot)),
            (None, _) => {}
        }
    }

    fn find(&self, name: &str) -> Option<&Node> {
        let mut nodes = self.by_len.get(name.len())?.iter();
        nodes.find(|node| {
            node.name.as_bytes().first() == name.as_bytes().first() && *node.name == *name
        })
    }

    /// Returns the slot of a column with this name.
    pub(super) fn slot(&self, name: &str) -> Option<(Slot, u16)> {
        self.find(name)?.slot
    }
}

/// Reads the fields of a JSON object without copying them.
pub(super) fn read_json<'l>(names: &Names, line: &'l [u8]) -> Result<Fields<'l>, Unread> {
    // One check of the whole line is faster than one of each string.
    let line = std::str::from_utf8(line).map_err(|_| Unread::Json)?;
    let mut fields = Fields::default();
    let mut json = serde_json::Deserializer::from_str(line);
    let reader = Object {
        names,
        slot: None,
        fields: &mut fields,
    };
    let read = reader.deserialize(&mut json).and_then(|()| json.end());
    match read {
        Ok(()) => Ok(fields),
        Err(error) if error.is_eof() => Err(Unread::Cut),
        Err(_) => Err(Unread::Json),
    }
}

/// Reads a value: the fields of an object, or the value of a slot.
struct Object<'n, 'f, 'l> {
    names: &'n Names,
    slot: Option<(Slot, u16)>,
    fields: &'f mut Fields<'l>,
}

impl<'l> Object<'_, '_, 'l> {
    fn set(self, value: Value<'l>) {
        if let Some(slot) = self.slot {
            self.fields.set(slot, value);
        }
    }
}

impl<'l> DeserializeSeed<'l> for Object<'_, '_, 'l> {
    type Value = ();

    fn deserialize<D: Deserializer<'l>>(self, source: D) -> Result<(), D::Error> {
        source.deserialize_any(self)
    }
}

impl<'l> Visitor<'l> for Object<'_, '_, 'l> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a field")
    }

    fn visit_map<A: MapAccess<'l>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(node) = map.next_key_seed(Key(self.names))? {
            match node {
                None => drop(map.next_value::<IgnoredAny>()?),
                Some(node) => map.next_value_seed(Object {
                    names: &node.inner,
                    slot: node.slot,
                    fields: &mut *self.fields,
                })?,
            }
        }
        Ok(())
    }

    /// The first value counts, as of a header with several.
    fn visit_seq<A: SeqAccess<'l>>(self, mut seq: A) -> Result<(), A::Error> {
        seq.next_element_seed(self)?;
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_borrowed_str<E>(self, text: &'l str) -> Result<(), E> {
        if !matches!(text, "-" | "") {
            self.set(Value::Text(Cow::Borrowed(text.as_bytes())));
        }
        Ok(())
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        if self.slot.is_some() {
            self.set(Value::Text(Cow::Owned(text.as_bytes().to_vec())));
        }
        Ok(())
    }

    fn visit_u64<E>(self, number: u64) -> Result<(), E> {
        self.set(Value::Whole(number));
        Ok(())
    }

    fn visit_f64<E>(self, number: f64) -> Result<(), E> {
        self.set(Value::Number(number));
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
}

/// Reads a name.
struct Key<'n>(&'n Names);

impl<'n, 'l> DeserializeSeed<'l> for Key<'n> {
    type Value = Option<&'n Node>;

    fn deserialize<D: Deserializer<'l>>(self, source: D) -> Result<Self::Value, D::Error> {
        source.deserialize_str(self)
    }
}

impl<'n> Visitor<'_> for Key<'n> {
    type Value = Option<&'n Node>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
        Ok(self.0.find(name))
    }
}
