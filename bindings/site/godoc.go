//go:build ignore

// Godoc prints the documentation of a Go package as Markdown: go run godoc.go FOLDER IMPORTPATH
package main

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/doc"
	"go/doc/comment"
	"go/format"
	"go/parser"
	"go/token"
	"log"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	folder, path := os.Args[1], os.Args[2]
	found, err := build.ImportDir(folder, 0)
	must(err)
	set := token.NewFileSet()
	var files []*ast.File
	for _, name := range append(found.GoFiles, found.CgoFiles...) {
		file, err := parser.ParseFile(set, filepath.Join(folder, name), nil, parser.ParseComments)
		must(err)
		files = append(files, file)
	}
	pkg, err := doc.NewFromFiles(set, files, path)
	must(err)
	printer := pkg.Printer()
	printer.DocLinkBaseURL = "https://pkg.go.dev"
	printer.HeadingLevel = 2
	printer.HeadingID = func(*comment.Heading) string { return "" }
	show := func(name, anchor string, node ast.Node, text string) {
		if name != "" {
			fmt.Printf("<a id=%q></a>\n\n%s\n\n", anchor, name)
		}
		fmt.Println("```go")
		must(format.Node(os.Stdout, set, node))
		fmt.Printf("\n```\n\n%s\n", printer.Markdown(pkg.Parser().Parse(text)))
	}
	values := func(all []*doc.Value) {
		for _, value := range all {
			for _, name := range value.Names {
				fmt.Printf("<a id=%q></a>\n\n", name)
			}
			show("", "", value.Decl, value.Doc)
		}
	}
	functions := func(level, owner string, all []*doc.Func) {
		for _, function := range all {
			anchor := function.Name
			if function.Recv != "" {
				anchor = owner + "." + anchor
			}
			function.Decl.Body = nil
			show(fmt.Sprintf("%s func %s", level, strings.TrimPrefix(anchor, owner+".")), anchor, function.Decl, function.Doc)
		}
	}
	fmt.Printf("# Go: package %s\n\n```go\nimport %q\n```\n\n%s\n", pkg.Name, path, printer.Markdown(pkg.Parser().Parse(pkg.Doc)))
	if len(pkg.Consts)+len(pkg.Vars) > 0 {
		fmt.Print("## Constants and variables\n\n")
	}
	values(pkg.Consts)
	values(pkg.Vars)
	functions("##", "", pkg.Funcs)
	for _, each := range pkg.Types {
		show("## type "+each.Name, each.Name, each.Decl, each.Doc)
		values(each.Consts)
		values(each.Vars)
		functions("###", "", each.Funcs)
		functions("###", each.Name, each.Methods)
	}
}

func must(err error) {
	if err != nil {
		log.Fatal("godoc: ", err)
	}
}
