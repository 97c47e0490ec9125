//! Collects what a response states about the use of its page, in addition to page rules: `Content-Signal`, `Link`, and the
//! reservation of rights of TDMRep (SPEC 13.2).

use super::link;
use crate::base::error::Error;
use crate::base::limits::{MAX_LICENSES, MAX_TERMS, MAX_USAGE};
use crate::bytes::try_alloc::{append, copy, push};

/// The statements of one response. The limits of SPEC 13.6 bound their length.
#[derive(Clone, Debug, Default)]
pub(crate) struct Statements {
    /// The values of `Content-Signal`, joined with `,`.
    pub(crate) signals: Vec<u8>,
    /// The addresses of terms.
    licenses: Vec<Vec<u8>>,
    pub(crate) tdm_header: Tdm,
    pub(crate) tdm_meta: Tdm,
    /// Whether a statement exceeded the limits, and is missing.
    pub(crate) is_cut: bool,
}

/// A reservation of rights, and the address of terms.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tdm {
    pub(crate) is_reserved: Option<bool>,
    pub(crate) policy: Option<Vec<u8>>,
}

impl Tdm {
    /// Reads a header or an element. If there are several reservations, a reservation that reserves rights wins; if there are
    /// several policies, the first policy wins.
    fn read(&mut self, name: &[u8], value: &[u8]) -> Result<(), Error> {
        let value = value.trim_ascii();
        if name.eq_ignore_ascii_case(b"tdm-reservation") {
            // A proxy may join several headers with commas.
            for value in value.split(|byte| *byte == b',') {
                let is_reserved = match value.trim_ascii() {
                    b"1" => Some(true),
                    b"0" => Some(false),
                    _ => None,
                };
                self.is_reserved = self.is_reserved.max(is_reserved);
            }
        } else if name.eq_ignore_ascii_case(b"tdm-policy") && self.policy.is_none() {
            let is_short = value.len() <= MAX_TERMS;
            self.policy = is_short.then(|| copy(value)).transpose()?;
        }
        Ok(())
    }
}

impl Statements {
    /// Returns the addresses of terms that `Link` headers state.
    pub(crate) fn licenses(&self) -> impl Iterator<Item = &[u8]> {
        self.licenses.iter().map(Vec::as_slice)
    }

    /// Reads a header that is no list of page rules.
    pub(super) fn add_header(&mut self, name: &[u8], value: &[u8]) -> Result<(), Error> {
        if name.eq_ignore_ascii_case(b"Content-Signal") {
            return self.add_signals(value);
        }
        if name.eq_ignore_ascii_case(b"Link") {
            return self.add_licenses(value);
        }
        self.tdm_header.read(name, value)
    }

    /// Reads an element.
    pub(super) fn add_meta(&mut self, name: &[u8], content: &[u8]) -> Result<(), Error> {
        self.tdm_meta.read(name, content)
    }

    fn add_signals(&mut self, value: &[u8]) -> Result<(), Error> {
        if self.signals.len() + value.len() >= MAX_USAGE {
            self.is_cut = true;
            return Ok(());
        }
        append(&mut self.signals, value)?;
        append(&mut self.signals, b",")
    }

    fn add_licenses(&mut self, value: &[u8]) -> Result<(), Error> {
        for target in link::licenses(value) {
            if target.len() > MAX_TERMS || self.licenses.len() >= MAX_LICENSES {
                self.is_cut = true;
            } else {
                push(&mut self.licenses, copy(target)?)?;
            }
        }
        Ok(())
    }
}
