package assist

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/interp/modules"
)

// Completion is what may stand at a place of a cell.
type Completion struct {
	Matches    []Match // the likely ones first
	Start, End int     // the code points that a match replaces
	Call       *Call   // the call whose arguments are being written, nil when there is none
}

// Match is one proposal. Type is "variable", "function", "method", "field", "type", "constant", "package", "label" or
// "keyword". Signature declares it in one line, with parameter names; Doc is the first sentence of its comment.
type Match struct{ Text, Type, Signature, Doc string }

// Call is a function whose arguments are being written.
type Call struct {
	Signature string // its declaration in one line
	Doc       string // the first sentence of its comment
	Param     string // the parameter that the cursor is at: "count int"; "" beyond the last
	Index     int    // its number, from 0; all arguments of a variadic parameter have its number
}

// marker stands for the name being written when a cell is analysed for completion.
const marker = "compΞete"

// Ranks of proposals: what is likely comes first.
const (
	rankExpected = iota // the type that is needed here, or a field of the literal
	rankVar             // variables of functions and cells
	rankNear            // what else they declare
	rankGo              // what the language declares
	rankPackage
	rankKeyword
)

// candidate is a proposal that is described when it turns out to fit.
type candidate struct {
	obj   types.Object // nil for packages that have not been imported, labels and keywords
	owner *types.Named // whose member it is
	kind  string
	path  string // of a package without obj
	rank  int
}

// Complete proposes names for the place cursor, counted in code points: members after a dot, field names in a composite
// literal, import paths in an import's string, labels, types where a type must stand, and else all names in scope
// there, the session's and the packages that need no import included. Other parts of src may be broken. Nothing is
// executed.
func (a *Assistant) Complete(src string, cursor int) Completion {
	defer a.begin(src)()
	start, end, at := wordAt(src, cursor)
	out := Completion{Start: utf8.RuneCountInString(src[:start]), End: utf8.RuneCountInString(src[:at])}
	p := look(src[:start])
	switch {
	case p.literal >= 0 && !p.opaque:
		if p.inImport() {
			from := p.literal + 1
			out.Start = utf8.RuneCountInString(src[:from])
			out.Matches = a.importPaths(src[from:at])
		}
		return out
	case p.opaque, p.isNewName():
		return out
	}
	f := finder{a: a, place: p, found: map[string]candidate{}}
	if f.c = a.probeAt(src[:start]+marker, src[end:]); f.c != nil {
		f.search()
		out.Call = f.call()
	} else if p.prev != token.PERIOD {
		f.scope(nil)
	}
	out.Matches = f.matches(src[start:at])
	return out
}

// inImport reports whether the string at the place is an import path.
func (p spot) inImport() bool { return p.levels[0].head == token.IMPORT }

// isNewName reports whether the name at the place is being given: after func, type, var, const or package.
func (p spot) isNewName() bool {
	switch p.prev {
	case token.TYPE, token.VAR, token.CONST, token.PACKAGE, token.FUNC:
		return true
	}
	return false
}

// importPaths proposes the packages that can be imported.
func (a *Assistant) importPaths(prefix string) (out []Match) {
	for path := range a.Installed {
		if strings.HasPrefix(path, prefix) && !modules.IsInternal(path) {
			m := Match{Text: path, Type: "package", Signature: "package " + modules.BaseName(path)}
			out = append(out, m)
		}
	}
	for path, name := range a.Modules.Names(prefix) {
		out = append(out, Match{Text: path, Type: "package", Signature: "package " + name})
	}
	slices.SortFunc(out, func(a, b Match) int { return cmp.Compare(a.Text, b.Text) })
	if len(out) <= describeAll {
		for i := range out {
			if p := a.documentation(out[i].Text); p != nil {
				out[i].Signature, out[i].Doc = "package "+p.Name, synopsis(p.Doc)
			}
		}
	}
	return out
}

// describeAll is how many matches get comments: reading those of many packages takes longer than a key press may.
const describeAll = 40

// matches describes the candidates that fit: those that begin with prefix, or, when none does, those that do but for
// case.
func (f *finder) matches(prefix string) []Match {
	var names []string
	for name := range f.found {
		if strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		for name := range f.found {
			if len(name) >= len(prefix) && strings.EqualFold(name[:len(prefix)], prefix) {
				names = append(names, name)
			}
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(f.found[a].rank, f.found[b].rank), cmp.Compare(a, b))
	})
	var out []Match
	for _, name := range names {
		c := f.found[name]
		m := Match{Text: name, Type: c.kind}
		switch {
		case c.obj != nil:
			m.Signature = f.a.signature(c.obj, c.owner)
			if _, isPkg := c.obj.(*types.PkgName); !isPkg && c.kind != "constant" || len(names) <= describeAll {
				m.Doc = synopsis(f.a.comment(c.obj, c.owner))
			}
		case c.path != "":
			m.Signature = "package " + name + " // import \"" + c.path + "\""
			if len(names) <= describeAll {
				if doc := f.a.documentation(c.path); doc != nil {
					m.Doc = synopsis(doc.Doc)
				}
			}
		case c.kind == "keyword":
			m.Signature, m.Doc = keywords[name].form, keywords[name].doc
		}
		out = append(out, m)
	}
	return out
}

// finder collects what may stand where the marker is.
type finder struct {
	a     *Assistant
	c     *Text
	place spot
	path  []ast.Node // from the file to the marker
	want  types.Type // what the value there should be, nil when nothing is known
	found map[string]candidate
}

func (f *finder) add(name string, c candidate) {
	// run-time types have names such as Pointer[int]
	if name == "_" || name == marker || strings.ContainsAny(name, "·[") {
		return
	}
	if old, ok := f.found[name]; !ok || c.rank < old.rank {
		f.found[name] = c
	}
}

// object adds something that is declared, first when its type is the expected one.
func (f *finder) object(obj types.Object, owner *types.Named, kind string, rank int) {
	switch _, isVar := obj.(*types.Var); {
	case f.fits(obj):
		rank = rankExpected
	case isVar && kind == "variable" && rank == rankNear && obj.Pkg() != nil && engine.IsCell(obj.Pkg()):
		rank = rankVar
	}
	f.add(obj.Name(), candidate{obj: obj, owner: owner, kind: kind, rank: rank})
}

// search finds the marker and what may stand there.
func (f *finder) search() {
	f.path = pathTo(f.c.File)
	if f.path == nil {
		return
	}
	id := f.path[len(f.path)-1].(*ast.Ident)
	if f.place.prev == token.GOTO || f.place.prev == token.BREAK || f.place.prev == token.CONTINUE {
		f.labels()
		return
	}
	f.want = f.expected()
	if sel, ok := f.path[len(f.path)-2].(*ast.SelectorExpr); ok && sel.Sel == id {
		f.members(sel.X)
		return
	}
	f.keys()
	f.scope(id)
}

// pathTo returns the nodes from the file to the marker, nil when it is not there.
func pathTo(file *ast.File) []ast.Node {
	var path []ast.Node
	done := false
	ast.Inspect(file, func(n ast.Node) bool {
		switch {
		case done:
			return false
		case n == nil:
			path = path[:len(path)-1]
			return true
		}
		path = append(path, n)
		id, ok := n.(*ast.Ident)
		done = ok && id.Name == marker
		return !done
	})
	if !done {
		return nil
	}
	return path
}

// labels collects what break, continue and goto can name.
func (f *finder) labels() {
	for _, n := range f.path {
		if fn, ok := n.(*ast.FuncDecl); ok && f.place.prev == token.GOTO {
			ast.Inspect(fn, func(n ast.Node) bool {
				if l, ok := n.(*ast.LabeledStmt); ok {
					f.add(l.Label.Name, candidate{kind: "label"})
				}
				return true
			})
		}
		if l, ok := n.(*ast.LabeledStmt); ok {
			f.add(l.Label.Name, candidate{kind: "label"})
		}
	}
}

// keys collects the field names of a struct literal in which a key may stand.
func (f *finder) keys() {
	parent, id := f.path[len(f.path)-2], f.path[len(f.path)-1]
	if kv, ok := parent.(*ast.KeyValueExpr); ok {
		if kv.Key != id {
			return
		}
		parent = f.path[len(f.path)-3]
	}
	lit, ok := parent.(*ast.CompositeLit)
	if !ok || lit.Type == id {
		return
	}
	t := f.c.Info.TypeOf(lit)
	if t == nil {
		return
	}
	if p, ok := t.Underlying().(*types.Pointer); ok { // &T elided in a literal of pointers
		t = p.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	given := map[string]bool{}
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if key, ok := kv.Key.(*ast.Ident); ok {
				given[key.Name] = true
			}
		}
	}
	for v := range st.Fields() {
		if visible(v) && !given[v.Name()] {
			f.add(v.Name(), candidate{obj: v, owner: namedOf(t), kind: "field", rank: rankExpected})
		}
	}
}

// scope collects the names in scope at the marker; those of the session alone when it is nil.
func (f *finder) scope(at *ast.Ident) {
	typesOnly := at != nil && f.wantsType()
	add := func(obj types.Object, rank int) {
		if _, isType := obj.(*types.TypeName); typesOnly && !isType {
			if _, isPkg := obj.(*types.PkgName); !isPkg {
				return
			}
		}
		f.object(obj, nil, objectKind(obj), rank)
	}
	own := map[string]bool{} // x in var x = …
	if at != nil {
		for _, n := range f.path {
			if spec, ok := n.(*ast.ValueSpec); ok {
				for _, id := range spec.Names {
					own[id.Name] = f.a.Names[id.Name] == nil
				}
			}
		}
		for scope := f.c.Pkg.Scope().Innermost(at.Pos()); scope != nil && scope != types.Universe; scope = scope.Parent() {
			for _, name := range scope.Names() {
				if obj := scope.Lookup(name); !own[name] {
					if _, isPkg := obj.(*types.PkgName); isPkg {
						add(obj, rankPackage)
					} else if _, seen := f.found[name]; !seen { // else it is hidden
						add(obj, rankNear)
					}
				}
			}
		}
	}
	for name, obj := range f.a.Names {
		if _, seen := f.found[name]; !seen {
			add(obj, rankNear)
		}
	}
	for _, name := range types.Universe.Names() {
		if _, seen := f.found[name]; !seen && (name != "iota" || f.place.inner().head == token.CONST || f.place.levels[0].head == token.CONST) {
			add(types.Universe.Lookup(name), rankGo)
		}
	}
	for _, table := range []map[string]string{f.a.Imports, f.a.Auto} {
		for name, path := range table {
			if _, seen := f.found[name]; !seen {
				f.add(name, candidate{kind: "package", path: path, rank: rankPackage})
			}
		}
	}
	for name, k := range keywords {
		if k.fits(f.place, typesOnly) {
			f.add(name, candidate{kind: "keyword", rank: rankKeyword})
		}
	}
}

// visible reports whether a cell may use a field or method.
func visible(obj types.Object) bool {
	return obj.Exported() || obj.Pkg() != nil && engine.IsCell(obj.Pkg())
}

// members collects what x has after a dot: the exported names of a package, or fields and methods.
func (f *finder) members(x ast.Expr) {
	if id, ok := x.(*ast.Ident); ok {
		if pkg, ok := f.c.Info.Uses[id].(*types.PkgName); ok {
			scope := pkg.Imported().Scope()
			typesOnly := f.wantsType()
			for _, name := range scope.Names() {
				obj := scope.Lookup(name)
				_, isType := obj.(*types.TypeName)
				if token.IsExported(name) && (isType || !typesOnly) {
					f.object(obj, nil, objectKind(obj), rankNear)
				}
			}
			return
		}
	}
	tv, ok := f.c.Info.Types[x]
	if !ok || tv.Type == nil {
		return
	}
	t := tv.Type
	if !tv.IsType() {
		f.fields(t, map[types.Type]bool{})
	}
	owner := namedOf(t)
	if owner != nil && !types.IsInterface(owner) {
		owner = nil // methods know theirs
	}
	if _, isPtr := t.Underlying().(*types.Pointer); !isPtr && !types.IsInterface(t) && (tv.Addressable() || tv.IsType()) {
		t = types.NewPointer(t)
	}
	set := types.NewMethodSet(t)
	for i := range set.Len() {
		if m := set.At(i).Obj(); visible(m) {
			f.object(m, owner, "method", rankNear)
		}
	}
}

// fields collects the fields of a struct or a pointer to one, promoted ones included.
func (f *finder) fields(t types.Type, seen map[types.Type]bool) {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok || seen[t] {
		return
	}
	seen[t] = true
	for v := range st.Fields() {
		if _, hidden := f.found[v.Name()]; visible(v) && !hidden {
			f.object(v, namedOf(t), "field", rankNear)
		}
	}
	for v := range st.Fields() {
		if v.Embedded() {
			f.fields(v.Type(), seen)
		}
	}
}

func objectKind(obj types.Object) string {
	switch obj := obj.(type) {
	case *types.Func, *types.Builtin:
		return "function"
	case *types.TypeName:
		return "type"
	case *types.Const:
		return "constant"
	case *types.PkgName:
		return "package"
	case *types.Var:
		if obj.IsField() {
			return "field"
		}
	}
	return "variable"
}
