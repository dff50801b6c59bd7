package gorandom

import (
	"go/format"
	"regexp"
	"slices"
	"strings"
)

// Program is a random program, or what is left of one.
type Program struct {
	Seed  uint64
	Items []Item
}

// Item is a declaration or a statement of a program.
type Item struct {
	Text  string
	Decl  bool // it stands at package level
	First bool // it begins a cell
}

// Cells returns the program as cells: their statements are those of the function main, cut where cells begin.
func (p *Program) Cells() []string {
	var out []string
	for i, it := range p.Items {
		if i == 0 || it.First {
			out = append(out, "")
		}
		out[len(out)-1] += it.Text + "\n"
	}
	return out
}

// Main returns the program as package main.
func (p *Program) Main() string { return p.Package("main", "main") }

// Package returns the program as a package in which a function does what main does.
func (p *Program) Package(name, function string) string {
	text, _ := p.layout(name, function)
	return text
}

// layout returns the program as a package, and where in it the items begin.
func (p *Program) layout(name, function string) (text string, begin []int) {
	var b strings.Builder
	begin = make([]int, len(p.Items))
	add := func(decl bool, after string) {
		for i, it := range p.Items {
			if it.Decl == decl {
				begin[i] = b.Len()
				b.WriteString(it.Text + after)
			}
		}
	}
	add(true, "\n\n")
	b.WriteString("func " + function + "() {\n")
	add(false, "\n")
	b.WriteString("}\n")
	head := "package " + name + "\n\nimport (\n" + imports(b.String()) + ")\n\n"
	for i := range begin {
		begin[i] += len(head)
	}
	return head + b.String(), begin
}

// packages are those that programs use, by name.
var packages = map[string]string{
	"bufio": "bufio", "bytes": "bytes", "cmp": "cmp", "context": "context", "errors": "errors", "fmt": "fmt", "fs": "io/fs",
	"fstest": "testing/fstest", "heap": "container/heap", "io": "io", "iter": "iter", "json": "encoding/json", "maps": "maps",
	"math": "math", "os": "os", "reflect": "reflect", "runtime": "runtime", "slices": "slices", "sort": "sort", "strconv": "strconv",
	"strings": "strings", "sync": "sync", "template": "text/template", "time": "time", "unicode": "unicode", "utf8": "unicode/utf8",
}

var qualifier = regexp.MustCompile(`\b([a-z]\w*)\.[A-Z]`)

// imports returns the import lines that a text needs. A text has no variable with a package's name.
func imports(text string) string {
	var list []string
	for _, m := range qualifier.FindAllStringSubmatch(text, -1) {
		if path := packages[m[1]]; path != "" {
			list = append(list, "\t\""+path+"\"\n")
		}
	}
	slices.Sort(list)
	return strings.Join(slices.Compact(list), "")
}

// tidy formats declarations or statements.
func tidy(text string) string {
	out, err := format.Source([]byte(text))
	if err != nil {
		return text // what is wrong with it is said where it is checked
	}
	return strings.TrimSpace(string(out))
}
