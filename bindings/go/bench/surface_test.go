package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/librobots/librobots/bindings/go/robotstxt"
	temoto "github.com/temoto/robotstxt"
)

const (
	original = "github.com/temoto/robotstxt"
	dropIn   = "github.com/librobots/librobots/bindings/go/robotstxt"
	page     = "../README.md"
)

// list returns what `go list` prints of a package.
func list(t *testing.T, pattern, path string) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-f", pattern, path).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// surface returns the exported names of a package, with their types without the names of parameters.
func surface(t *testing.T, path string) map[string]string {
	t.Helper()
	folder, found := list(t, "{{.Dir}}", path), map[string]string{}
	files := token.NewFileSet()
	text := func(node ast.Node) string {
		var out strings.Builder
		if err := format.Node(&out, files, node); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	fields := func(list *ast.FieldList) string {
		var types []string
		if list != nil {
			for _, field := range list.List {
				types = append(types, slices.Repeat([]string{text(field.Type)}, max(len(field.Names), 1))...)
			}
		}
		return "(" + strings.Join(types, ", ") + ")"
	}
	for _, name := range strings.Fields(list(t, "{{join .GoFiles \" \"}}", path)) {
		file, err := parser.ParseFile(files, folder+"/"+name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.FileExports(file)
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				name := decl.Name.Name
				if decl.Recv != nil {
					if !ast.IsExported(strings.TrimPrefix(text(decl.Recv.List[0].Type), "*")) {
						continue
					}
					name = fields(decl.Recv) + "." + name
				}
				found[name] = fields(decl.Type.Params) + fields(decl.Type.Results)
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					switch spec := spec.(type) {
					case *ast.ValueSpec:
						for _, name := range spec.Names {
							found[name.Name] = decl.Tok.String()
						}
					case *ast.TypeSpec:
						found[spec.Name.Name] = "type"
						if of, ok := spec.Type.(*ast.StructType); ok {
							for _, field := range of.Fields.List {
								for _, name := range field.Names {
									found[spec.Name.Name+"."+name.Name] = text(field.Type)
								}
							}
						}
					}
				}
			}
		}
	}
	return found
}

// answered returns what a call returns, or that it panics.
func answered(call func() any) (answer string) {
	defer func() {
		if recover() != nil {
			answer = "panic"
		}
	}()
	return fmt.Sprint(call())
}

// README.md lists what differs from temoto/robotstxt; UPDATE_SURFACES=1 writes it.
func TestSurface(t *testing.T) {
	const body = "User-agent: xbot\nDisallow: /a\nCrawl-delay: 2\n\nUser-agent: *\nAllow: /\nHost: e.com\nSitemap: https://e.com/s\n"
	version := "temoto " + list(t, "{{.Module.Version}}", original)
	var rows []string
	row := func(name, there, here string) {
		if there != here {
			rows = append(rows, fmt.Sprintf("| %s | `%s` | `%s` | `%s` |\n", version, name, there, here))
		}
	}
	has, mine := surface(t, original), surface(t, dropIn)
	names := maps.Clone(has)
	maps.Copy(names, mine)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		there, here := has[name], mine[name]
		row(name, cmp.Or(there, "none"), cmp.Or(here, "none"))
	}
	there, err := temoto.FromString(body)
	if err != nil {
		t.Fatal(err)
	}
	here, err := robotstxt.FromString(body)
	if err != nil {
		t.Fatal(err)
	}
	both := func(name string, there, here func() any) { row(name, answered(there), answered(here)) }
	for _, agent := range []string{"xbot", "other", "Xbot/1.0"} {
		for _, path := range []string{"/a", "/b", "", "?q", "a", "https://e.com/a", "/robots.txt"} {
			both(fmt.Sprintf("TestAgent(%q, %q)", path, agent), func() any { return there.TestAgent(path, agent) }, func() any { return here.TestAgent(path, agent) })
		}
		both(fmt.Sprintf("FindGroup(%q).CrawlDelay", agent), func() any { return there.FindGroup(agent).CrawlDelay }, func() any { return here.FindGroup(agent).CrawlDelay })
		both(fmt.Sprintf("FindGroup(%q).Agent", agent), func() any { return there.FindGroup(agent).Agent }, func() any { return here.FindGroup(agent).Agent })
	}
	both("Host", func() any { return there.Host }, func() any { return here.Host })
	both("Sitemaps", func() any { return there.Sitemaps }, func() any { return here.Sitemaps })
	for _, status := range []int{0, 100, 200, 204, 301, 401, 404, 429, 500, 503, 600} {
		both(fmt.Sprintf("FromStatusAndString(%d, \"\").TestAgent(\"/a\", \"x\")", status),
			func() any {
				r, err := temoto.FromStatusAndString(status, "")
				return err != nil || r.TestAgent("/a", "x")
			},
			func() any {
				r, err := robotstxt.FromStatusAndString(status, "")
				return err != nil || r.TestAgent("/a", "x")
			})
		both(fmt.Sprintf("the error of FromStatusAndString(%d, \"\")", status),
			func() any { _, err := temoto.FromStatusAndString(status, ""); return err != nil },
			func() any { _, err := robotstxt.FromStatusAndString(status, ""); return err != nil })
	}
	both("FromResponse(nil)", func() any { r, err := temoto.FromResponse(nil); return r == nil && err == nil },
		func() any { r, err := robotstxt.FromResponse(nil); return r == nil && err == nil })
	both("new(RobotsData).TestAgent(\"/a\", \"x\")", func() any { return new(temoto.RobotsData).TestAgent("/a", "x") },
		func() any { return new(robotstxt.RobotsData).TestAgent("/a", "x") })
	both("(*RobotsData)(nil).TestAgent(\"/a\", \"x\")", func() any { return (*temoto.RobotsData)(nil).TestAgent("/a", "x") },
		func() any { return (*robotstxt.RobotsData)(nil).TestAgent("/a", "x") })
	both("new(Group).Test(\"/a\")", func() any { return new(temoto.Group).Test("/a") }, func() any { return new(robotstxt.Group).Test("/a") })
	both("the error of FromString(\"Disallow: /\")", func() any { _, err := temoto.FromString("Disallow: /"); return err != nil },
		func() any { _, err := robotstxt.FromString("Disallow: /"); return err != nil })

	const start, end = "| original | name or call | there | here |\n|---|---|---|---|\n", "\n"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(text), start)
	listed, after := "", rest
	for strings.HasPrefix(after, "|") {
		line, tail, _ := strings.Cut(after, end)
		listed, after = listed+line+end, tail
	}
	wanted := strings.Join(rows, "")
	if os.Getenv("UPDATE_SURFACES") != "" {
		if err := os.WriteFile(page, []byte(before+start+wanted+after), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if listed != wanted {
		t.Errorf("README.md lists\n%s\nbut what differs is\n%s", listed, wanted)
	}
}
