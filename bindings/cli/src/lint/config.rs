//! The settings of `robots lint`: options, and the file `robots.toml`.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use robots::{Code, Origin, Severity};
use serde::Deserialize;

use crate::fault::Fault;
use crate::input;

/// The name of the file with settings.
const NAME: &str = "robots.toml";

/// The most bytes of a file with settings.
const MOST_BYTES: usize = 1 << 20;

/// The mildest severity that fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Deny {
    Warnings,
    Notes,
}

impl Deny {
    pub(crate) fn severity(deny: Option<Deny>) -> Severity {
        match deny {
            None => Severity::Error,
            Some(Deny::Warnings) => Severity::Warning,
            Some(Deny::Notes) => Severity::Note,
        }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    lint: Settings,
}

/// The settings for one file. Each key of the table `[lint]` has the name of an option.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Settings {
    /// Codes or their prefixes; empty: all but those on request.
    #[serde(default)]
    pub(crate) select: Vec<String>,
    #[serde(default)]
    pub(crate) ignore: Vec<String>,
    pub(crate) crawler: Option<String>,
    pub(crate) site: Option<String>,
    pub(crate) deny: Option<Deny>,
}

impl Settings {
    /// Returns the settings for the files of a folder: those of `config`, or of the nearest robots.toml in the folder or
    /// above it; none if there is none.
    pub(crate) fn find(config: Option<&Path>, folder: &Path) -> Result<Settings, Fault> {
        if let Some(config) = config {
            return Settings::read(config);
        }
        let folder = if folder.as_os_str().is_empty() {
            Path::new(".")
        } else {
            folder
        };
        let Ok(folder) = folder.canonicalize() else {
            return Ok(Settings::default());
        };
        let found = folder
            .ancestors()
            .map(|folder| folder.join(NAME))
            .find(|path| path.is_file());
        found.map_or_else(|| Ok(Settings::default()), |path| Settings::read(&path))
    }

    fn read(path: &Path) -> Result<Settings, Fault> {
        let text = input::read(path, MOST_BYTES)?;
        let fault = |error: &dyn std::fmt::Display| {
            let error = error.to_string();
            Fault::new(format!("{}: {}", input::shown(path), error.trim_end()))
        };
        let text = std::str::from_utf8(&text).map_err(|error| fault(&error))?;
        let file: File = toml::from_str(text).map_err(|error| fault(&error))?;
        Ok(file.lint)
    }

    /// Whether a code is selected and not ignored.
    pub(crate) fn wants(&self, code: Code) -> bool {
        let name = code.to_string();
        let matches = |list: &[String]| list.iter().any(|prefix| begins(&name, prefix));
        (self.select.is_empty() || matches(&self.select)) && !matches(&self.ignore)
    }

    /// Checks that each prefix is that of a code.
    pub(crate) fn validate(&self) -> Result<(), Fault> {
        for (option, list) in [("select", &self.select), ("ignore", &self.ignore)] {
            for prefix in list {
                if !Code::ALL
                    .iter()
                    .any(|code| begins(&code.to_string(), prefix))
                {
                    return Err(Fault::new(format!(
                        "{option} {prefix}: no code begins with it; `robots lint --help` lists the codes"
                    )));
                }
            }
        }
        Ok(())
    }

    /// Returns the origin of the site.
    pub(crate) fn origin(&self) -> Result<Option<Origin>, Fault> {
        let Some(site) = &self.site else {
            return Ok(None);
        };
        let origin = Origin::from_url(site).map_err(|_| {
            Fault::new(format!(
                "site {site}: write an absolute URL such as https://example.com/"
            ))
        })?;
        Ok(Some(origin))
    }
}

/// Whether the name of a code begins with a prefix, letter case ignored.
pub(crate) fn begins(name: &str, prefix: &str) -> bool {
    let start = name.get(..prefix.len());
    !prefix.is_empty() && start.is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

/// Returns the folder of a file.
pub(crate) fn folder_of(path: &Path) -> PathBuf {
    if path.as_os_str() == input::STANDARD_INPUT {
        return PathBuf::new();
    }
    path.parent().map(Path::to_path_buf).unwrap_or_default()
}
