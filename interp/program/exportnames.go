package program

import (
	"cmp"
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
)

// chain is a function that cells have declared several times with one type: functions call it through a variable, so
// that they call the latest, as they do in the notebook.
type chain struct {
	variable string
	funcs    []*types.Func
}

// topLevel reports whether a cell has declared obj at its top.
func topLevel(obj types.Object) bool {
	return obj.Pkg() != nil && obj.Pkg().Path() == "main" && obj.Parent() == obj.Pkg().Scope()
}

// isResult reports whether obj is the variable of an Out[n].
func isResult(obj types.Object) bool { return strings.HasPrefix(obj.Name(), "Out·") }

// collect finds what each unit's names mean, and all names that stand in the cells.
func (e *exporter) collect() {
	e.outs = map[types.Object]bool{}
	for name := range token.IDENT + 1 {
		e.taken[name.String()] = true
	}
	for _, name := range types.Universe.Names() {
		e.taken[name] = true
	}
	for _, name := range []string{"main", "init", "_"} {
		e.taken[name] = true
	}
	for _, u := range e.units {
		if u.Analysis == nil {
			continue
		}
		e.takeNames(u.Source)
		u.collect()
		for _, us := range u.uses {
			if isResult(us.obj) {
				e.outs[us.obj] = true
			}
			if us.obj.Name() == "In·" || us.obj.Name() == "Out·" {
				e.note(u.cell, "%s without a number is not in the program", strings.Trim(us.obj.Name(), "·"))
			}
		}
	}
}

// takeNames keeps all names of a text from being given to anything new.
func (e *exporter) takeNames(src string) {
	var sc scanner.Scanner
	sc.Init(token.NewFileSet().AddFile("", -1, len(src)), []byte(src), func(token.Position, string) {}, 0)
	for {
		_, tok, lit := sc.Scan()
		if tok == token.EOF {
			return
		}
		if tok == token.IDENT {
			e.taken[lit] = true
		}
	}
}

// collect lists the uses of a unit in the order of the text.
func (u *unit) collect() {
	u.sels = map[int]bool{}
	writes, inFunc := map[int]bool{}, map[int]bool{}
	name := func(x ast.Expr) {
		if id, ok := x.(*ast.Ident); ok {
			writes[u.Offset(id.Pos())] = true
		}
	}
	look := func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			u.sels[u.Offset(n.Sel.Pos())] = true
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				name(x)
			}
		case *ast.IncDecStmt:
			name(n.X)
		case *ast.RangeStmt:
			name(n.Key)
			name(n.Value)
		case *ast.ValueSpec:
			for _, id := range n.Names {
				name(id)
			}
		}
		return true
	}
	for _, st := range u.Stmts {
		ast.Inspect(st, look)
	}
	for _, d := range u.Decls {
		ast.Inspect(d, look)
		if fn, ok := d.(*ast.FuncDecl); ok {
			ast.Inspect(fn, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok && id != fn.Name {
					inFunc[u.Offset(id.Pos())] = true
				}
				return true
			})
		}
	}
	for at, obj := range u.Objects {
		u.uses = append(u.uses, use{at: at, obj: obj, inFunc: inFunc[at], write: writes[at]})
	}
	slices.SortFunc(u.uses, func(a, b use) int { return cmp.Compare(a.at, b.at) })
}

// nameImports gives every package that is mentioned its name in the program: the one that it has in cells, if in any.
func (e *exporter) nameImports() {
	for _, u := range e.units {
		for _, us := range u.uses {
			if pkg, ok := us.obj.(*types.PkgName); ok {
				switch pkg.Name() {
				case ".": // what it brings gets the package's name
				case "_":
					e.blank[pkg.Imported().Path()] = true
				default:
					e.importPath(pkg.Imported().Path(), pkg.Name())
				}
			}
		}
	}
	for _, u := range e.units {
		for _, us := range u.uses {
			if v, ok := us.obj.(*types.Var); ok && (topLevel(v) || isResult(v)) {
				types.TypeString(v.Type(), func(p *types.Package) string { e.use(p); return "" })
			}
			if e.qualified(u, us) {
				e.use(us.obj.Pkg())
			}
		}
		for _, t := range u.shownTypes() {
			if e.printed(t) {
				e.importPath("fmt", "fmt")
			}
		}
	}
}

// shownTypes are the types of the values that the unit prints at its end.
func (u *unit) shownTypes() []types.Type {
	if u.Analysis == nil || u.Shown == nil || u.Shown.Hidden {
		return nil
	}
	return u.Shown.Types
}

// qualified reports whether a use is of what a dot import has brought.
func (e *exporter) qualified(u *unit, us use) bool {
	obj := us.obj
	return obj.Pkg() != nil && obj.Pkg().Path() != "main" && !strings.Contains(obj.Pkg().Path(), "·") && obj.Parent() == obj.Pkg().Scope() && !u.sels[us.at]
}

// use imports a package, if it is one that can be.
func (e *exporter) use(p *types.Package) string {
	if p.Path() == "main" || strings.Contains(p.Path(), "·") {
		return ""
	}
	return e.importPath(p.Path(), p.Name())
}

func (e *exporter) importPath(path, name string) string {
	path, _, _ = strings.Cut(path, "@") // of a package that the engine mends
	if have := e.imports[path]; have != "" {
		return have
	}
	given := name
	if e.used[given] {
		given = e.fresh(name)
	}
	e.imports[path], e.used[given] = given, true
	return given
}

// fresh returns a name that begins with base and stands nowhere yet.
func (e *exporter) fresh(base string) string {
	for n := 2; ; n++ {
		if name := base + strconv.Itoa(n); !e.taken[name] {
			e.taken[name] = true
			return name
		}
	}
}

// importDecl is the import declaration.
func (e *exporter) importDecl() string {
	all := maps.Clone(e.imports)
	for path := range e.blank {
		if all[path] == "" {
			all[path] = "_"
		}
	}
	if len(all) == 0 {
		return ""
	}
	var std, rest []string
	for path, name := range all {
		line := strconv.Quote(path)
		if name != path[strings.LastIndexByte(path, '/')+1:] {
			line = name + " " + line
		}
		if strings.Contains(strings.Split(path, "/")[0], ".") {
			rest = append(rest, line)
		} else {
			std = append(std, line)
		}
	}
	byPath := func(a, b string) int {
		return cmp.Compare(a[strings.IndexByte(a, '"'):], b[strings.IndexByte(b, '"'):])
	}
	slices.SortFunc(std, byPath)
	slices.SortFunc(rest, byPath)
	return "import (\n" + strings.Join(std, "\n") + "\n\n" + strings.Join(rest, "\n") + "\n)\n\n"
}

// chains finds the functions that are declared again with the type that they had.
func (e *exporter) chains() {
	e.chain = map[types.Object]*chain{}
	latest := map[string]*types.Func{}
	for _, u := range e.units {
		for _, d := range u.declared() {
			fn, ok := u.Objects[d.at].(*types.Func)
			if !ok || fn.Signature().Recv() != nil || fn.Name() == "init" || fn.Name() == "_" {
				if ok {
					continue
				}
				delete(latest, d.name)
				continue
			}
			old := latest[fn.Name()]
			latest[fn.Name()] = fn
			if old == nil || !types.Identical(old.Type(), fn.Type()) {
				continue
			}
			if fn.Signature().TypeParams().Len() > 0 {
				e.note(u.cell, "the functions of earlier cells call the %s that they knew: it is generic", fn.Name())
				continue
			}
			c := e.chain[old]
			if c == nil {
				c = &chain{funcs: []*types.Func{old}}
				e.chain[old] = c
			}
			c.funcs = append(c.funcs, fn)
			e.chain[fn] = c
		}
	}
}

// declaration is a name that a unit declares.
type declaration struct {
	at   int
	name string
}

func (u *unit) declared() (out []declaration) {
	if u.Analysis == nil {
		return nil
	}
	add := func(id *ast.Ident) { out = append(out, declaration{u.Offset(id.Pos()), id.Name}) }
	for _, d := range u.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			add(d.Name)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					add(spec.Name)
				case *ast.ValueSpec:
					for _, id := range spec.Names {
						add(id)
					}
				}
			}
		}
	}
	return out
}

// nameObjects gives everything that cells declare a name: its own, where that is free.
func (e *exporter) nameObjects() {
	used := e.used
	for _, name := range types.Universe.Names() {
		used[name] = true
	}
	used["main"], used["init"] = true, true
	for _, u := range e.units {
		if u.Analysis == nil {
			continue
		}
		for _, us := range u.uses {
			obj := us.obj
			switch {
			case e.names[obj] != "" || obj.Name() == "_":
				continue
			case isResult(obj):
				e.names[obj] = e.fresh("out" + obj.Name()[len("Out·"):] + "_")
				continue
			case !topLevel(obj):
				continue
			}
			name := obj.Name()
			if c := e.chain[obj]; c != nil {
				if c.variable == "" {
					c.variable = name
					if used[name] {
						c.variable = e.fresh(name)
					}
					used[c.variable] = true
				}
				e.names[obj] = e.fresh(name)
				continue
			}
			if used[name] {
				name = e.fresh(name)
			}
			used[name] = true
			e.names[obj] = name
		}
		u.function = "cell" + strconv.Itoa(u.cell)
		if used[u.function] || e.taken[u.function] {
			u.function = e.fresh(u.function + "_")
		}
		used[u.function] = true
	}
}

// nameOf is the name in the program of what a use means; "" leaves the text as it is.
func (e *exporter) nameOf(u *unit, us use) string {
	obj := us.obj
	if c := e.chain[obj]; c != nil && us.inFunc {
		return c.variable
	}
	switch obj := obj.(type) {
	case *types.PkgName:
		if obj.Name() == "." || obj.Name() == "_" {
			return ""
		}
		return e.use(obj.Imported())
	case *types.Var:
		if obj.IsField() {
			if named := fieldType(obj); named != nil {
				return e.names[named]
			}
			return ""
		}
	}
	if e.qualified(u, us) {
		return e.use(obj.Pkg()) + "." + obj.Name()
	}
	return e.names[obj]
}

// fieldType is the type of a cell that an embedded field takes its name from.
func fieldType(f *types.Var) types.Object {
	if !f.Embedded() {
		return nil
	}
	t := f.Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	switch t := t.(type) {
	case *types.Named:
		return t.Origin().Obj()
	case *types.Alias:
		return t.Obj()
	}
	return nil
}

var (
	cellType = lazyregexp.New("\x00(\\d+)\x00\\.([\\pL_][\\pL\\pN_]*)")
	hidden   = lazyregexp.New(`\b[\pL_][\pL\pN_]*\.[\p{Ll}_]`)
)

// typeText writes a type as it is called in the program; ok is false when it has no name there.
func (e *exporter) typeText(t types.Type) (text string, ok bool) {
	var pkgs []*types.Package
	text = types.TypeString(t, func(p *types.Package) string {
		if name := e.use(p); name != "" {
			return name
		}
		pkgs = append(pkgs, p)
		return "\x00" + strconv.Itoa(len(pkgs)-1) + "\x00"
	})
	if hidden.MatchString(cellType.ReplaceAllString(text, "")) {
		return "", false
	}
	text = cellType.ReplaceAllStringFunc(text, func(m string) string {
		part := cellType.FindStringSubmatch(m)
		i, _ := strconv.Atoi(part[1])
		if obj := pkgs[i].Scope().Lookup(part[2]); obj != nil && e.names[obj] != "" {
			return e.names[obj]
		}
		return part[2]
	})
	return text, true
}
