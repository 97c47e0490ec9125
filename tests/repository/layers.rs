//! The folders of `src` are stages: a folder imports only from folders above it in [`STAGES`]. No files of the repository
//! import each other in a circle: those of each Rust crate ([`CRATES`]), of the Python package, and of TypeScript.
//!
//! Go and Java are not tested. The files of a Go package, and the classes of a Java package, have one namespace and no
//! imports among them; both compilers refuse what is left, circles of Go packages and of Maven modules.
//!
//! What counts as an import: every path that starts with `crate::`, `super::` or `self::`, and every path that
//! starts with a module declared in the same file, in `use` lines and in code. Comments, strings and
//! `#[cfg(test)]` modules do not count. Methods are called without a path, so this test does not see them.
//!
//! `mod.rs` is a file like the others, with two exceptions. `mod child;` is not an import. `pub use child::Name` is
//! not an import unless the code of `mod.rs` itself mentions `Name`; a file that imports that name imports `child`.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;

/// The rooms of `src` in order, those of `core` and `site` one by one: a file imports only from its own and from earlier ones.
/// So the format of images, and what checks a URL, know no parser.
const STAGES: &[&str] = &[
    "base",
    "bytes",
    "url",
    "crawler",
    "core/image",
    "core/check",
    "core/parse",
    "core/compile",
    "core/rules",
    "core",
    "site/fetch",
    "site/cache",
    "site",
    "page",
    "owner",
    "ffi",
];

/// What a room never imports, although it is in an earlier one: the readings of a URL are data.
const NEVER: &[(&str, &str)] = &[("url", "base/verdict.rs")];

/// The folders of Rust code with a root file, `lib.rs` or `main.rs`, but for `src`, which has stages, too.
const CRATES: &[&str] = &[
    "bindings/cli/src",
    "bindings/cli/tests/cli",
    "bindings/python/src",
    "benches/src",
];

/// The folders of Python modules that import each other.
const PACKAGES: &[&str] = &["bindings/python/python/librobots"];

/// The folders of TypeScript files that import each other.
const TYPESCRIPT: &[&str] = &["bindings/js/src", "bindings/js/tester/src"];

/// The root files of a crate: they declare its modules, and import from all of them.
const ROOTS: [&str; 2] = ["lib.rs", "main.rs"];

/// Source files by their path in the folder of their crate, such as `image/mod.rs`.
type Sources = BTreeMap<String, String>;

/// The files that each file imports from.
type Graph = BTreeMap<String, BTreeSet<String>>;

/// Returns the imports of the files of a crate, without its roots and the programs in `bin`, which nothing imports.
fn graph(sources: &Sources) -> Graph {
    let code: Sources = sources
        .iter()
        .map(|(file, text)| (file.clone(), without_comments_and_tests(text)))
        .collect();
    let is_root = |file: &str| ROOTS.contains(&file);
    code.keys()
        .filter(|file| !is_root(file) && !file.starts_with("bin/"))
        .map(|file| {
            let imports = imports(&code, file).into_iter();
            let imports = imports.filter(|other| other != file && !is_root(other));
            (file.clone(), imports.collect())
        })
        .collect()
}

/// Returns what is wrong with the imports of the files of `src`, one line each.
fn faults(sources: &Sources) -> Vec<String> {
    let graph = graph(sources);
    let mut faults = Vec::new();
    for (file, imports) in &graph {
        let Some(own) = stage(file) else {
            faults.push(format!("{file} is in no stage: add its folder to STAGES"));
            continue;
        };
        for import in imports {
            if stage(import).is_some_and(|stage| stage > own) {
                faults.push(format!("{file} imports {import}, which is a later stage"));
            }
            let is_never =
                |(room, other): &&(&str, &str)| is_in(file, room) && is_in(import, other);
            if NEVER.iter().any(|row| is_never(&row)) {
                faults.push(format!("{file} imports {import}: see NEVER"));
            }
        }
    }
    faults.extend(circles(&graph));
    faults
}

/// Returns the imports of Python modules from others of their package. Imports for type checkers count, too.
fn python_graph(sources: &Sources) -> Graph {
    let file_of = |module: &str| {
        let files = [format!("{module}.py"), format!("{module}.pyi")];
        files.into_iter().find(|file| sources.contains_key(file))
    };
    let imports = |text: &str| {
        let mut modules = BTreeSet::new();
        for line in text.lines().map(str::trim_start) {
            let Some((module, names)) = line
                .strip_prefix("from .")
                .and_then(|rest| rest.split_once(" import "))
            else {
                continue;
            };
            // `from . import a, b` imports modules.
            match module {
                "" => modules.extend(names.split(',').map(str::trim).filter_map(file_of)),
                _ => modules.extend(file_of(module)),
            }
        }
        modules
    };
    let sources = sources.iter();
    sources
        .map(|(file, text)| (file.clone(), imports(text)))
        .collect()
}

/// Returns the imports of TypeScript files from others of their folder: each `"./path.js"`. Imports of types count, too.
fn typescript_graph(sources: &Sources) -> Graph {
    let file_of = |file: &str, path: &str| {
        let mut steps: Vec<&str> = file.split('/').collect();
        steps.pop();
        for step in path.strip_suffix(".js")?.split('/') {
            match step {
                "." => (),
                ".." => drop(steps.pop()),
                _ => steps.push(step),
            }
        }
        let found = format!("{}.ts", steps.join("/"));
        sources.contains_key(&found).then_some(found)
    };
    let imports = |(file, text): (&String, &String)| {
        let paths = text.split('"').filter(|path| path.starts_with('.'));
        let files = paths.filter_map(|path| file_of(file, path)).collect();
        (file.clone(), files)
    };
    sources.iter().map(imports).collect()
}

fn stage(file: &str) -> Option<usize> {
    STAGES.iter().position(|room| is_in(file, room))
}

/// Whether a file is in a folder, or is it.
fn is_in(file: &str, room: &str) -> bool {
    file.strip_prefix(room)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Returns the shortest circle through each file, each as a line of the files on it.
fn circles(graph: &Graph) -> BTreeSet<String> {
    let mut circles = BTreeSet::new();
    for start in graph.keys() {
        let mut ways = VecDeque::from([vec![start]]);
        let mut seen = BTreeSet::new();
        while let Some(way) = ways.pop_front() {
            let imports = &graph[way[way.len() - 1]];
            if imports.contains(start) {
                // It begins at its first file by name, so that each circle is listed once.
                let first = (0..way.len()).min_by_key(|at| way[*at]).unwrap_or_default();
                let turned = way.iter().cycle().skip(first).take(way.len() + 1);
                let files: Vec<&str> = turned.map(|file| file.as_str()).collect();
                circles.insert(format!("circle: {}", files.join(" -> ")));
                break;
            }
            for import in imports {
                let known = graph.get_key_value(import);
                if let Some(file) = known
                    .map(|(file, _)| file)
                    .filter(|file| seen.insert(*file))
                {
                    ways.push_back([way.as_slice(), &[file]].concat());
                }
            }
        }
    }
    circles
}

/// Returns the text without comments, string contents, and modules under `#[cfg(test)]`.
fn without_comments_and_tests(text: &str) -> String {
    let mut code = String::new();
    let mut in_test = false;
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if in_test {
            in_test = line != "}";
            continue;
        }
        if line == "#[cfg(test)]" {
            while lines.peek().is_some_and(|next| next.starts_with("#[")) {
                lines.next();
            }
            if let Some(next) = lines.peek().filter(|next| next.starts_with("mod ")) {
                in_test = next.ends_with('{');
                lines.next();
                continue;
            }
        }
        let mut in_string = false;
        let mut escaped = false;
        let mut kept = String::new();
        for letter in line.chars() {
            if in_string {
                in_string = escaped || letter != '"';
                escaped = !escaped && letter == '\\';
            } else {
                // A quote as a character, `'"'` or `b'"'`, starts no string.
                in_string = letter == '"' && !kept.ends_with('\'') && !kept.ends_with("'\\");
                kept.push(letter);
            }
            if kept.ends_with("//") {
                kept.truncate(kept.len() - 2);
                break;
            }
        }
        code.push_str(&kept);
        code.push('\n');
    }
    code
}

/// Returns the files that `file` imports from.
fn imports(code: &Sources, file: &str) -> Vec<String> {
    let text = &code[file];
    let children = declared(text);
    let exported: BTreeSet<String> = exports(text).into_iter().map(|(name, _)| name).collect();
    let mut imports = Vec::new();
    let mut rest = text.as_str();
    let mut before = ' ';
    let mut in_export = false;
    // Mentions of the exported names outside of `use` lines.
    let body = without_uses(text);
    while let Some(at) = rest.find(|letter: char| letter.is_alphabetic() || letter == '_') {
        before = rest[..at].chars().last().unwrap_or(before);
        in_export &= !rest[..at].contains(';');
        rest = &rest[at..];
        let end = rest
            .find(|letter: char| !letter.is_alphanumeric() && letter != '_')
            .unwrap_or(rest.len());
        let word = &rest[..end];
        let starts_path = rest[end..].starts_with("::") && before != ':';
        if word == "pub" {
            let after = rest[end..]
                .trim_start_matches("(crate)")
                .trim_start_matches("(super)");
            in_export = after.trim_start().starts_with("use ");
        }
        if starts_path && (matches!(word, "crate" | "super" | "self") || children.contains(word)) {
            let (paths, length) = use_tree(rest);
            for path in paths {
                let name = path.last().cloned().unwrap_or_default();
                let is_only_export =
                    in_export && exported.contains(&name) && !mentions(&body, &name);
                if !is_only_export {
                    imports.extend(resolve(code, file, &path));
                }
            }
            rest = &rest[length..];
            before = ' ';
        } else {
            before = word.chars().last().unwrap_or(' ');
            rest = &rest[end..];
        }
    }
    imports
}

/// Returns the modules that a file declares in other files.
fn declared(text: &str) -> BTreeSet<&str> {
    text.lines()
        .filter_map(|line| line.trim().strip_suffix(';')?.rsplit_once("mod "))
        .filter(|(front, _)| front.is_empty() || front.starts_with("pub"))
        .map(|(_, name)| name)
        .collect()
}

/// Returns the names that a file exports with `pub use`, each with its path.
fn exports(text: &str) -> Vec<(String, Vec<String>)> {
    let mut exports = Vec::new();
    for statement in text.split(';') {
        let Some((front, tree)) = statement.split_once("use ") else {
            continue;
        };
        let is_export = front
            .lines()
            .last()
            .is_some_and(|line| line.trim_start().starts_with("pub"));
        if is_export {
            for path in use_tree(tree.trim_start()).0 {
                exports.push((path.last().cloned().unwrap_or_default(), path));
            }
        }
    }
    exports
}

/// Returns the code of a file without its `use` and `mod` lines.
fn without_uses(text: &str) -> String {
    let is_other = |statement: &&str| {
        let words = statement.split_whitespace();
        let mut words = words.skip_while(|word| word.starts_with("pub") || word.starts_with("#["));
        !matches!(words.next(), Some("use" | "mod"))
    };
    text.split(';')
        .filter(is_other)
        .collect::<Vec<_>>()
        .join(";")
}

fn mentions(text: &str, name: &str) -> bool {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .any(|word| word == name)
}

/// Reads a path, with groups in braces as in a `use` line; returns the paths in it and its length.
fn use_tree(text: &str) -> (Vec<Vec<String>>, usize) {
    let mut path: Vec<String> = Vec::new();
    let mut at = 0;
    loop {
        let rest = &text[at..];
        if rest.starts_with('{') {
            let mut paths = Vec::new();
            at += 1;
            loop {
                at += text[at..].len() - text[at..].trim_start_matches([' ', '\n', ',']).len();
                if text[at..].starts_with('}') || text[at..].is_empty() {
                    return (paths, (at + 1).min(text.len()));
                }
                let (inner, length) = use_tree(&text[at..]);
                for end in inner {
                    paths.push([path.clone(), end].concat());
                }
                at += length.max(1);
            }
        }
        let end = rest
            .find(|letter: char| !letter.is_alphanumeric() && letter != '_')
            .unwrap_or(rest.len());
        let word = if rest.starts_with('*') {
            "*"
        } else {
            &rest[..end]
        };
        if word.is_empty() {
            return (vec![path], at);
        }
        // `name::{self}` is `name`.
        if word != "self" || path.is_empty() {
            path.push(word.to_owned());
        }
        at += word.len();
        if !text[at..].starts_with("::") {
            // `Name as Other`
            return (vec![path], at);
        }
        at += 2;
    }
}

/// Returns the file that defines what a path in `file` names; none for a path of another crate.
fn resolve(code: &Sources, file: &str, path: &[String]) -> Option<String> {
    let mut module: Vec<&str> = file.trim_end_matches(".rs").split('/').collect();
    if matches!(module[..], [.., "mod"] | ["lib"] | ["main"]) {
        module.pop();
    }
    let mut names = path.iter().map(String::as_str).peekable();
    while let Some(first @ ("crate" | "super" | "self")) = names.peek().copied() {
        match first {
            "crate" => module.clear(),
            "super" => module.truncate(module.len().saturating_sub(1)),
            _ => {}
        }
        names.next();
    }
    for name in names {
        let inner = [module.as_slice(), &[name]].concat();
        if is_module(code, &inner) {
            module = inner;
            continue;
        }
        let here = file_of(code, &module)?;
        let exported = exports(&code[&here])
            .into_iter()
            .find(|(export, _)| export == name);
        return match exported {
            // `pub(crate) use name;` exports a macro of the same file.
            Some((_, path)) if path != [name] => resolve(code, &here, &path),
            _ => Some(here),
        };
    }
    file_of(code, &module)
}

fn is_module(code: &Sources, module: &[&str]) -> bool {
    let folder = format!("{}/", module.join("/"));
    file_of(code, module).is_some() || code.keys().any(|file| file.starts_with(&folder))
}

fn file_of(code: &Sources, module: &[&str]) -> Option<String> {
    let path = module.join("/");
    let files = match module.is_empty() {
        true => ROOTS.map(str::to_owned),
        false => [format!("{path}.rs"), format!("{path}/mod.rs")],
    };
    files.into_iter().find(|file| code.contains_key(file))
}

fn read(folder: &Path, prefix: &str, endings: &[&str], sources: &mut Sources) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("{prefix}{}", path.file_name().unwrap().to_string_lossy());
        if path.is_dir() {
            read(&path, &format!("{name}/"), endings, sources);
        } else if endings.iter().any(|ending| name.ends_with(ending)) {
            sources.insert(name, std::fs::read_to_string(&path).unwrap());
        }
    }
}

/// Reads the source files of a folder of the repository.
fn sources_of(folder: &str, endings: &[&str]) -> Sources {
    let mut sources = Sources::new();
    let folder_path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    read(&folder_path, "", endings, &mut sources);
    assert!(sources.len() > 5, "{folder}: {} files", sources.len());
    sources
}

#[test]
fn no_folder_imports_from_a_later_stage_and_no_files_in_a_circle() {
    let faults = faults(&sources_of("src", &[".rs"]));
    assert!(
        faults.is_empty(),
        "{} faults:\n{}",
        faults.len(),
        faults.join("\n")
    );
}

#[test]
fn no_files_of_the_other_crates_and_languages_are_a_circle() {
    let mut faults = Vec::new();
    for folder in CRATES {
        for circle in circles(&graph(&sources_of(folder, &[".rs"]))) {
            faults.push(format!("{folder}: {circle}"));
        }
    }
    for folder in PACKAGES {
        for circle in circles(&python_graph(&sources_of(folder, &[".py", ".pyi"]))) {
            faults.push(format!("{folder}: {circle}"));
        }
    }
    for folder in TYPESCRIPT {
        for circle in circles(&typescript_graph(&sources_of(folder, &[".ts"]))) {
            faults.push(format!("{folder}: {circle}"));
        }
    }
    assert!(
        faults.is_empty(),
        "{} circles:\n{}",
        faults.len(),
        faults.join("\n")
    );
}

/// A folder with a crate or a package that the lists above lack is not tested.
#[test]
fn every_crate_of_the_workspace_is_listed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = std::fs::read_to_string(root.join("Cargo.toml")).unwrap();
    let (_, members) = manifest.split_once("members = [").unwrap();
    let (members, _) = members.split_once(']').unwrap();
    for member in members
        .split(',')
        .map(|member| member.trim().trim_matches('"'))
    {
        let folder = format!("{member}/src");
        // A crate of one file has no `src`, and no two files.
        let has_sources = member != "." && root.join(&folder).is_dir();
        let is_listed = !has_sources || CRATES.contains(&folder.as_str());
        assert!(
            is_listed,
            "add {folder} to CRATES of tests/repository/layers.rs"
        );
    }
}

fn sources(files: &[(&str, &str)]) -> Sources {
    let own = |(file, text): &(&str, &str)| ((*file).to_owned(), (*text).to_owned());
    files.iter().map(own).collect()
}

/// What is wrong with made-up files of `src`.
fn made_up(files: &[(&str, &str)]) -> Vec<String> {
    faults(&sources(files))
}

const LATER: &str = "url/a.rs imports core/image/b.rs, which is a later stage";

#[test]
fn an_import_from_a_later_stage_is_found() {
    let b = ("core/image/b.rs", "pub struct B;");
    for text in [
        "use crate::core::image::b::B;",
        "use crate::{base::error::Error, core::{image::b::{self}}};",
        "use super::super::core::image::b;",
        "fn f() { let s = \"x\"; crate::core::image::b::g(); }",
        "fn f() -> char { '\"' } fn g(b: crate::core::image::b::B) {}",
    ] {
        assert_eq!(made_up(&[("url/a.rs", text), b]), [LATER], "{text}");
    }
    let exported = ("core/image/mod.rs", "mod b;\npub(crate) use b::B;");
    assert_eq!(
        made_up(&[("url/a.rs", "use crate::core::image::B;"), exported, b]),
        [LATER]
    );
    let root = ("lib.rs", "mod core;\npub use core::image::b::B;");
    assert_eq!(made_up(&[("url/a.rs", "use crate::B;"), root, b]), [LATER]);
    assert_eq!(
        made_up(&[("strange/a.rs", "")]),
        ["strange/a.rs is in no stage: add its folder to STAGES"]
    );
    let verdict = ("base/verdict.rs", "pub struct Verdict;");
    assert_eq!(
        made_up(&[("url/a.rs", "use crate::base::verdict::Verdict;"), verdict]),
        ["url/a.rs imports base/verdict.rs: see NEVER"]
    );
}

#[test]
fn a_circle_is_found() {
    let circle = "circle: url/a.rs -> url/b.rs -> url/c.rs -> url/a.rs";
    let files = [
        ("url/a.rs", "use super::b::{B, C};"),
        ("url/b.rs", "use super::{c as other};"),
        ("url/c.rs", "use crate::url::a::A;"),
        ("url/d.rs", "use super::a::A;"),
    ];
    assert_eq!(made_up(&files), [circle]);
    // `mod.rs` uses what it declares, and is used.
    let files = [
        ("url/mod.rs", "mod a;\nfn f() { a::g() }\npub struct X;"),
        ("url/a.rs", "use super::X;"),
    ];
    assert_eq!(
        made_up(&files),
        ["circle: url/a.rs -> url/mod.rs -> url/a.rs"]
    );
    // It exports a name that it uses itself.
    let files = [
        ("url/mod.rs", "mod a;\npub use a::A;\npub struct X(A);"),
        ("url/a.rs", "use super::X;"),
    ];
    assert_eq!(
        made_up(&files),
        ["circle: url/a.rs -> url/mod.rs -> url/a.rs"]
    );
}

#[test]
fn a_circle_of_a_program_is_found() {
    let files = [
        ("main.rs", "mod a;\nmod b;\nfn main() { a::f() }"),
        ("a.rs", "use crate::b::{self, B};\npub fn f() {}"),
        ("b.rs", "fn g() { crate::a::f() }"),
        ("bin/c.rs", "use super::a;"),
    ];
    let found = circles(&graph(&sources(&files)));
    assert_eq!(Vec::from_iter(found), ["circle: a.rs -> b.rs -> a.rs"]);
}

#[test]
fn a_circle_of_python_modules_is_found() {
    #[rustfmt::skip]
    let files = [
        ("__init__.py", "from .a import A\nfrom ._n import N"),
        ("a.py", "import json\nfrom . import b, other\nfrom .. import c"),
        ("b.py", "if TYPE_CHECKING:\n    from ._n import (\n        N,\n    )"),
        ("_n.pyi", "from .a import A"),
        ("c.py", "from librobots import a\nfrom a import b"),
    ];
    let found = circles(&python_graph(&sources(&files)));
    assert_eq!(
        Vec::from_iter(found),
        ["circle: _n.pyi -> a.py -> b.py -> _n.pyi"]
    );
}

#[test]
fn a_circle_of_typescript_files_is_found() {
    let files = [
        ("a.ts", "import type { B } from \"./tabs/b.js\";"),
        ("tabs/b.ts", "export * from \"./c.js\";"),
        ("tabs/c.ts", "const a = await import(\"../a.js\");"),
        ("d.ts", "import \"./a.js\";\nimport x from \"a.js\";"),
    ];
    let found = circles(&typescript_graph(&sources(&files)));
    assert_eq!(
        Vec::from_iter(found),
        ["circle: a.ts -> tabs/b.ts -> tabs/c.ts -> a.ts"]
    );
}

#[test]
fn other_imports_are_no_fault() {
    let files = [
        ("lib.rs", "mod url;\nmod core;\npub use core::image::b::B;"),
        (
            "core/image/b.rs",
            "use crate::url::A;\nuse std::fmt;\nuse super::mark;",
        ),
        (
            "core/image/mod.rs",
            "mod b;\npub(crate) mod mark;\npub use b::B;",
        ),
        ("core/image/mark.rs", "pub const X: u8 = 1;"),
        (
            "url/mod.rs",
            "mod a;\npub(crate) use self::a::A;\npub struct X;",
        ),
        (
            "url/a.rs",
            "use super::X;\n/// See [`crate::core::image::b::B`].\n// crate::core::image::b\nconst S: &str = \"crate::core::image::b\";\n\
             #[cfg(test)]\n#[allow(x)]\nmod tests {\n    use crate::core::image::b;\n}\n",
        ),
    ];
    assert_eq!(made_up(&files), [""; 0]);
}

/// Returns the names of types that two files declare.
fn declared_twice(sources: &Sources) -> Vec<String> {
    let mut files: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (file, text) in sources {
        for line in text.lines() {
            let words: Vec<&str> = line
                .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
                .filter(|word| !word.is_empty() && !matches!(*word, "pub" | "crate" | "super"))
                .collect();
            if let ["struct" | "enum" | "trait", name, ..] = words[..] {
                files.entry(name).or_default().insert(file);
            }
        }
    }
    files.retain(|_, files| files.len() > 1);
    let names = files.iter();
    names
        .map(|(name, files)| format!("{name}: {files:?}"))
        .collect()
}

#[test]
fn a_type_name_means_one_thing() {
    let code: Sources = sources_of("src", &[".rs"])
        .iter()
        .map(|(file, text)| (file.clone(), without_comments_and_tests(text)))
        .collect();
    let twice = declared_twice(&code);
    assert!(twice.is_empty(), "{twice:#?}");
}

#[test]
fn a_type_name_in_two_files_is_found() {
    let with = |other| sources(&[("a.rs", "pub(crate) struct Rule<'a> {"), ("b.rs", other)]);
    assert_eq!(declared_twice(&with("    enum Rule {")).len(), 1);
    assert!(declared_twice(&with("enum Group { Rule }")).is_empty());
}
