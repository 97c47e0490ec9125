//! The structs of the C API that a caller fills by their `size` or passes in arrays, and their copies by hand: the layers that call
//! the library as WebAssembly read their fields by position. A struct that has grown would give them its error, or another field.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// What a field is in the memory of the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// 32 bits: also a size and an address.
    Word,
    /// 64 bits.
    Wide,
    /// A `robots_str`.
    Text,
}

type Fields = Vec<(String, Kind)>;

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// A name in any of the languages.
fn plain(name: &str) -> String {
    name.replace('_', "").to_lowercase()
}

/// The structs of the headers that begin with their size, and those of arrays, which have texts: their fields after the size.
fn of_c() -> BTreeMap<String, Fields> {
    let headers = read("include/librobots.h") + &read("include/librobots_tools.h");
    let mut structs = BTreeMap::new();
    for part in headers.split("\ntypedef struct ").skip(1) {
        let Some((name, body)) = part.split_once(" {\n") else {
            continue;
        };
        // A handle has no fields.
        if name.contains(';') {
            continue;
        }
        let (body, _) = body.split_once("\n} ").unwrap();
        let mut fields = Fields::new();
        let mut has_size = false;
        for line in body.lines().map(str::trim_start) {
            let code = line.split_once(';').map(|(code, _)| code);
            let Some((kind, name)) = code
                .filter(|code| !code.starts_with(['/', '*']))
                .and_then(|code| code.rsplit_once(' '))
            else {
                continue;
            };
            let kind = match kind {
                _ if name.starts_with('*') => Kind::Word,
                "size_t" | "uint32_t" => Kind::Word,
                "uint64_t" | "int64_t" | "robots_verdict" | "robots_slot" => Kind::Wide,
                "robots_str" => Kind::Text,
                other => panic!("{name}: a field of another type, {other}"),
            };
            if fields.is_empty() && !has_size && name == "size" {
                has_size = true;
            } else {
                fields.push((plain(name.trim_start_matches('*')), kind));
            }
        }
        if has_size || fields.iter().any(|(_, kind)| *kind == Kind::Text) {
            structs.insert(name.to_owned(), fields);
        }
    }
    structs
}

/// The structs of parts.go, by the name in C that stands beside each.
fn of_go() -> BTreeMap<String, Fields> {
    let mut structs = BTreeMap::new();
    let text = read("bindings/go/parts.go");
    for part in text.split(" struct { // ").skip(1) {
        let (name, rest) = part.split_once('\n').unwrap();
        let body = rest.split_once("\n\t}").unwrap().0;
        let fields = body.lines().flat_map(|line| {
            let (names, kind) = line.trim().rsplit_once(' ').unwrap();
            let kind = match kind {
                "string" => Kind::Text,
                "uint64" | "int64" | "Verdict" => Kind::Wide,
                _ => Kind::Word,
            };
            names.split(',').map(move |name| (plain(name.trim()), kind))
        });
        structs.insert(name.to_owned(), fields.collect());
    }
    structs
}

/// The layouts of the JavaScript package, which have no names of C.
fn of_js() -> Vec<Fields> {
    let mut layouts = Vec::new();
    for entry in
        fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("bindings/js/src")).unwrap()
    {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        for part in text.split("= layout({").skip(1) {
            let fields = part.split_once('}').unwrap().0.split(',');
            let fields = fields.filter_map(|field| field.trim().split_once(':'));
            let fields = fields.map(|(name, kind)| {
                let kind = match kind.trim().trim_matches('"') {
                    "u32" => Kind::Word,
                    "u64" | "i64" | "bits" => Kind::Wide,
                    "text" => Kind::Text,
                    other => panic!("{name}: a field of another kind, {other}"),
                };
                (plain(name), kind)
            });
            layouts.push(fields.collect());
        }
    }
    layouts
}

/// The size of a struct in the memory of the module, with that of its `size`.
fn size_of(fields: &Fields) -> usize {
    let end = fields.iter().fold(4, |at: usize, (_, kind)| match kind {
        Kind::Word => at + 4,
        Kind::Wide => at.next_multiple_of(8) + 8,
        Kind::Text => at + 8,
    });
    let is_wide = fields.iter().any(|(_, kind)| *kind == Kind::Wide);
    end.next_multiple_of(if is_wide { 8 } else { 4 })
}

#[test]
fn the_structs_of_the_wasm_layers_are_those_of_c() {
    let of_c = of_c();
    assert!(of_c.len() > 10, "{:?}", of_c.keys());
    let (of_go, of_js) = (of_go(), of_js());
    let mut faults = Vec::new();
    for (name, fields) in &of_c {
        if name == "robots_cache_file" {
            // The module has no files.
            continue;
        }
        if name == "robots_cache_answer" {
            // It is read on the way of each URL, by hand.
            let size = format!("const size = {}", size_of(fields));
            for path in ["bindings/go/wasm_fetch.go", "bindings/go/wasm_pacing.go"] {
                if !read(path).contains(&size) {
                    faults.push(format!("{path} lacks `{size}`, that of {name}: {fields:?}"));
                }
            }
        } else if of_go.get(name) != Some(fields) {
            let go = of_go.get(name);
            faults.push(format!(
                "bindings/go/parts.go, {name}: {go:?}, in C {fields:?}"
            ));
        }
        if !of_js.contains(fields) {
            faults.push(format!(
                "bindings/js/src has no layout as {name}: {fields:?}"
            ));
        }
    }
    for layout in &of_js {
        if !of_c.values().any(|fields| fields == layout) {
            faults.push(format!("bindings/js/src: no struct of C is {layout:?}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
