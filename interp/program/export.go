package program

import (
	"context"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/magic"
)

// Cell is a cell of a notebook that is to become part of a program.
type Cell struct {
	Number int
	Source string
	Text   string // what stands before the cell, for a comment
}

// Exported is a notebook as a Go program.
type Exported struct {
	Source  []byte   // package main, formatted
	Imports []string // the paths of the packages that it imports
	Modules []string // what the cells have fetched, as lines of a go.mod
	Notes   []string // what of the notebook the program does not do, or not in the same way
}

// Support is what a program needs besides the cells' code when it imports certain packages.
type Support struct {
	Import string   // the path of a package: when the program imports it,
	Names  []string // and cells mention one of these names of it (nil: whatever they mention),
	// this is added, in which $"path" stands for the name of a package and $name for one that nothing else has,
	Code  string
	Main  string   // this begins main,
	Blank []string // and these packages are imported for what they do when they are initialised.
}

// Options is how cells become a program.
type Options struct {
	Name string // of the notebook, for the comment above the program
	// Show is the Import of the Support that has the function $show(...any), which prints values as the notebook shows
	// them: it is for those that fmt may not print so. With "" fmt.Println prints all.
	Show    string
	Support []Support // in the order in which it is to come
}

// Export makes a program of cells. What a cell declares at its top is the package's, where other cells or functions use
// it; its statements are a function, and main calls these in order; what a cell shows is printed. Names that are
// declared again, as something else, get new names. The session must be a fresh one, which is not used for anything
// else.
//
// A cell that does not compile is a comment in the program, and a note.
func Export(s *magic.Session, cells []Cell, o Options) (*Exported, error) {
	e := &exporter{opts: o, names: map[types.Object]string{}, taken: map[string]bool{}, imports: map[string]string{}, local: map[types.Object]bool{}, used: map[string]bool{}, blank: map[string]bool{}, support: map[string]string{}}
	for _, c := range cells {
		e.analyse(s, c, c.Source, c.Text, 0)
	}
	e.collect()
	e.nameImports()
	e.chains()
	e.nameObjects()
	e.place()
	out, err := e.write()
	if out != nil {
		out.Modules = s.Modules()
	}
	return out, err
}

// unit is a piece of a cell that becomes a function.
type unit struct {
	*interp.Analysis
	cell     int
	function string // its name
	comment  string // above it
	instead  string // a comment in its place: the unit has no code
	uses     []use
	sels     map[int]bool // offsets of names after a dot
	decls    strings.Builder
	body     strings.Builder
}

// use is a name in a unit.
type use struct {
	at     int
	obj    types.Object
	inFunc bool // in a declared function: it runs later, or not at all
	write  bool // the name alone is assigned to
}

type exporter struct {
	opts  Options
	units []*unit
	notes []string

	names   map[types.Object]string // of what cells declare, in the program
	taken   map[string]bool         // names that stand anywhere in the cells, or were given
	imports map[string]string       // names by path
	blank   map[string]bool         // paths of packages that are imported for what they do
	local   map[types.Object]bool   // variables that stay in their unit
	outs    map[types.Object]bool   // results that later cells mention
	chain   map[types.Object]*chain // functions that are declared again, with their variable
	used    map[string]bool         // names of the package
	support map[string]string       // the names of Support's own, by the name after the dollar
}

func (e *exporter) note(cell int, format string, args ...any) {
	e.notes = append(e.notes, fmt.Sprintf("cell %d: ", cell)+fmt.Sprintf(format, args...))
}

// analyse adds the units of a cell, or of the Go of a magic in it.
func (e *exporter) analyse(s *magic.Session, c Cell, src, text string, depth int) {
	for _, p := range s.Parts(src) {
		if p.Magic != "" {
			if slices.Contains(checked, magicName(p)) {
				if _, err := s.Run(context.Background(), c.Number, p.Magic); err != nil {
					e.note(c.Number, "%v", err)
				}
			}
			e.units = append(e.units, &unit{cell: c.Number, comment: text, instead: magicComment(p)})
			text = ""
			if p.Go != "" && depth == 0 {
				e.analyse(s, c, p.Go, "", 1)
			}
			if p.Go == "" && !idle(p.Magic) && !slices.Contains(programs, magicName(p)) {
				e.note(c.Number, "%s is not done", p.Magic)
			}
			continue
		}
		a, err := s.Analyse(c.Number, p.Go)
		switch {
		case err != nil:
			e.units = append(e.units, &unit{cell: c.Number, comment: text, instead: "This cell does not compile: " + err.Error() + "\n\n" + indent(p.Go)})
			e.note(c.Number, "it does not compile: %v", err)
		case a != nil && a.Whole:
			e.units = append(e.units, &unit{cell: c.Number, comment: text, instead: "This cell is a program of its own:\n\n" + indent(p.Go)})
			e.note(c.Number, "it is a whole program, and left out")
		case a != nil:
			e.units = append(e.units, &unit{Analysis: a, cell: c.Number, comment: text})
		case strings.TrimSpace(p.Go) != "":
			e.units = append(e.units, &unit{cell: c.Number, comment: text, instead: "-" + strings.TrimSpace(p.Go)})
		}
		text = ""
	}
}

// checked are the magics that change what later cells mean: they are done for the session that checks the cells.
var checked = []string{"%del", "%reset", "%operators", "%get"}

// programs are the magics of cells that are programs: the other parts of the cell do what they say.
var programs = []string{"%%", "%main", "%args", "%exec"}

func magicName(p magic.Part) string {
	name, _, _ := strings.Cut(p.Magic, " ")
	return name
}

// idle reports whether a magic changes nothing, so that a program without it does the same.
func idle(text string) bool {
	if text[0] == '?' || text[0] == ':' || strings.HasSuffix(text, "?") {
		return true
	}
	name, _, _ := strings.Cut(text, " ")
	switch name {
	case "%timeit", "%%timeit", "%doc", "%who", "%whos", "%pwd", "%go", "%%go", "%memlimit", "%del", "%reset", "%operators", "%get", "%help", "%lsmagic", "%go111module", "%goroot":
		return true
	}
	return false
}

// magicComment says what a magic did in the notebook.
func magicComment(p magic.Part) string {
	text := p.Magic
	if p.Help != "" {
		text += "   (" + p.Help + ")"
	}
	name := magicName(p)
	switch {
	case slices.Contains(programs, name):
		return text
	case slices.Contains(checked, name):
		return "For the cells alone: " + text
	case p.Go == "":
		return "Not done: " + text
	}
	return "Without " + text
}

func indent(text string) string {
	return "\t" + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n\t")
}

// write puts the program together.
func (e *exporter) write() (*Exported, error) {
	var vars, order, rest strings.Builder
	for _, u := range e.units {
		if u.Analysis != nil {
			e.emit(u)
		}
	}
	e.declareVars(&vars)
	called := false
	for _, u := range e.units {
		if u.instead != "" {
			if strings.HasPrefix(u.instead, "-") { // comments of the user's
				order.WriteString("\n" + u.instead[1:] + "\n")
				continue
			}
			order.WriteString("\n" + comment(u.comment, u.instead) + "\n")
			continue
		}
		head := comment(u.comment)
		if body := u.body.String(); strings.TrimSpace(body) != "" {
			order.WriteString(u.function + "()\n")
			rest.WriteString(head + "func " + u.function + "() {\n" + strings.TrimRight(body, " \t\n") + "\n}\n\n")
			head, called = "", true
		}
		if decls := u.decls.String(); strings.TrimSpace(decls) != "" {
			if head != "" {
				rest.WriteString(head + "\n")
			}
			rest.WriteString(decls + "\n\n")
		}
	}
	var main, support strings.Builder
	for _, sup := range e.opts.Support {
		if e.needs(sup) {
			support.WriteString(e.expand(sup.Code) + "\n\n")
			main.WriteString(e.expand(sup.Main))
			for _, path := range sup.Blank {
				e.blank[path] = true
			}
		}
	}
	if called && main.Len() > 0 {
		main.WriteString("\n\n")
	}
	main.WriteString(order.String())
	text := func() string {
		return fmt.Sprintf("// The notebook %s as a program.\npackage main\n\n%s%s\nfunc main() {\n%s}\n\n%s%s", e.opts.Name, e.importDecl(), vars.String(), main.String(), rest.String(), support.String())
	}
	err := e.dropUnused(text())
	if err != nil {
		return nil, fmt.Errorf("the program does not parse, which is a mistake of the exporter: %w\n%s", err, text())
	}
	src, err := format.Source([]byte(text()))
	if err != nil {
		return nil, err
	}
	out := &Exported{Source: src, Notes: e.notes}
	for path := range e.imports {
		out.Imports = append(out.Imports, path)
	}
	slices.Sort(out.Imports)
	return out, nil
}

// dropUnused forgets the imports that the program does not mention: types of variables name packages, and variables
// that became a function's own need no type.
func (e *exporter) dropUnused(program string) error {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "main.go", program, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: emptyPackages(e.imports), Error: func(error) {}} // of names that empty packages lack
	conf.Check("main", fset, []*ast.File{file}, info)
	used := map[string]bool{}
	for _, obj := range info.Uses {
		if pkg, ok := obj.(*types.PkgName); ok {
			used[pkg.Imported().Path()] = true
		}
	}
	maps.DeleteFunc(e.imports, func(path, _ string) bool { return !used[path] })
	return nil
}

// emptyPackages imports packages without content: what a package's name means can be told without.
type emptyPackages map[string]string // names by path

// Import implements types.Importer.
func (names emptyPackages) Import(path string) (*types.Package, error) {
	pkg := types.NewPackage(path, names[path])
	pkg.MarkComplete()
	return pkg, nil
}

// comment makes one comment of texts, "" of nothing.
func comment(texts ...string) string {
	var lines []string
	for _, text := range texts {
		if text = strings.TrimSpace(text); text != "" {
			if len(lines) > 0 {
				lines = append(lines, "")
			}
			lines = append(lines, strings.Split(text, "\n")...)
		}
	}
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(strings.TrimRight("// "+line, " \r") + "\n")
	}
	return b.String()
}
