package program

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
	"github.com/arrayrepl/arrayrepl/interp"
)

// emit writes a unit's declarations, and its statements as the body of a function.
func (e *exporter) emit(u *unit) {
	edits := e.renames(u)
	var chains []string
	var inits []edit // calls of init functions, where these stand
	var signatures []string
	for _, d := range u.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		at := u.Offset(fn.Name.Pos())
		obj := u.Objects[at]
		switch c := e.chain[obj]; {
		case fn.Body == nil: // the cell declares nothing by it
			edits = append(edits, edit{u.Offset(declStart(fn)), u.Offset(fn.End()), ""})
			signatures = append(signatures, fn.Name.Name)
		case c != nil:
			chains = append(chains, c.variable+" = "+e.names[obj])
		case fn.Recv == nil && fn.Name.Name == "init":
			name := e.fresh("init")
			edits = slices.DeleteFunc(edits, func(d edit) bool { return d.from == at })
			edits = append(edits, edit{at, at + len("init"), name})
			inits = append(inits, edit{from: at, text: name + "()\n"})
		case fn.Recv != nil && e.replacedLater(u, obj):
			edits = append(edits, edit{u.Offset(declStart(fn)), u.Offset(fn.End()), ""})
			e.note(u.cell, "a later cell replaces the method %s: the program has that one from the start", fn.Name.Name)
		case fn.Recv != nil && obj != nil && receiver(obj.(*types.Func)).Pkg() != u.Own:
			e.note(u.cell, "the program's type %s has the method %s from the start", receiver(obj.(*types.Func)).Name(), fn.Name.Name)
		}
	}
	if len(signatures) > 0 {
		e.note(u.cell, "left out, as a function without a body declares nothing: %s", strings.Join(signatures, ", "))
	}
	for _, p := range u.Pieces {
		if p.Decl {
			u.decls.WriteString(strings.Trim(apply(u.Source, p.Start, p.End, edits), " \t\n;") + "\n\n")
		}
	}
	edits = append(e.statements(u, edits), edits...) // where two are at one place, that of the statement counts
	for _, line := range chains {
		u.body.WriteString(line + "\n")
	}
	last := -1 // where the last statements begin
	for _, p := range u.Pieces {
		if !p.Import && !p.Decl {
			last = p.Start
		}
	}
	before := func(end int, late bool) { // init functions run between the statements, but before what is shown
		for len(inits) > 0 && inits[0].from < end && (late || u.Shown == nil || inits[0].from < last) {
			u.body.WriteString(inits[0].text)
			inits = inits[1:]
		}
	}
	for _, p := range u.Pieces {
		switch {
		case p.Decl:
			before(p.End, false)
		case !p.Import && p.Start == last && u.Shown != nil && len(inits) > 0:
			u.body.WriteString(strings.Trim(apply(u.Source, p.Start, u.Shown.Start, edits), "\n") + "\n")
			before(len(u.Source), true)
			u.body.WriteString(strings.Trim(apply(u.Source, u.Shown.Start, p.End, edits), "\n") + "\n")
		case !p.Import:
			u.body.WriteString(strings.Trim(apply(u.Source, p.Start, p.End, edits), "\n") + "\n")
		}
	}
}

func declStart(fn *ast.FuncDecl) token.Pos {
	if fn.Doc != nil {
		return fn.Doc.Pos()
	}
	return fn.Pos()
}

// replacedLater reports whether a later unit declares the method of obj's type and name again.
func (e *exporter) replacedLater(u *unit, obj types.Object) bool {
	m, ok := obj.(*types.Func)
	if !ok {
		return false
	}
	after := false
	for _, other := range e.units {
		if other == u {
			after = true
			continue
		}
		if !after || other.Analysis == nil {
			continue
		}
		for _, d := range other.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv == nil || fn.Name.Name != m.Name() {
				continue
			}
			if n, ok := other.Objects[other.Offset(fn.Name.Pos())].(*types.Func); ok && receiver(n) == receiver(m) {
				return true
			}
		}
	}
	return false
}

// receiver is the type that a method belongs to.
func receiver(m *types.Func) types.Object {
	if m.Signature().Recv() == nil {
		return nil
	}
	t := m.Signature().Recv().Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := t.(*types.Named); ok {
		return n.Origin().Obj()
	}
	return nil
}

// renames are the edits that give names their names in the program.
func (e *exporter) renames(u *unit) (edits []edit) {
	results := map[int]bool{}
	for _, st := range u.Stmts {
		e.resultUses(u, st, results, &edits)
	}
	for _, d := range u.Decls {
		e.resultUses(u, d, results, &edits)
	}
	for _, us := range u.uses {
		if results[us.at] {
			continue
		}
		old := identAt(u.Source[us.at:])
		name := e.nameOf(u, us)
		if name == "" || name == old {
			continue
		}
		// the last: by interp.Options.Short, and t
		if isResult(us.obj) || old == us.obj.Name() || isPkgName(us.obj) || e.qualified(u, us) {
			if old != us.obj.Name() && interp.IsTester(us.obj) { // the cells' t
				name += "()"
			}
			edits = append(edits, edit{us.at, us.at + len(old), name})
		}
	}
	return edits
}

func isPkgName(obj types.Object) bool { _, ok := obj.(*types.PkgName); return ok }

// resultUses replaces Out[3] as a whole.
func (e *exporter) resultUses(u *unit, root ast.Node, done map[int]bool, edits *[]edit) {
	ast.Inspect(root, func(n ast.Node) bool {
		x, ok := n.(*ast.IndexExpr)
		if !ok {
			return true
		}
		if id, ok := x.X.(*ast.Ident); ok {
			at := u.Offset(id.Pos())
			if obj := u.Objects[at]; obj != nil && isResult(obj) && id.Name == "Out" {
				done[at] = true
				*edits = append(*edits, edit{at, u.Offset(x.End()), e.names[obj]})
			}
		}
		return true
	})
}

var identifier = lazyregexp.New(`^[\pL_][\pL\pN_]*`)

func identAt(src string) string { return identifier.FindString(src) }

// apply returns src[from:to] with the edits that lie in it; an edit hides those inside it.
func apply(src string, from, to int, edits []edit) string {
	var in []edit
	for _, e := range edits {
		if e.from >= from && e.to <= to {
			in = append(in, e)
		}
	}
	slices.SortStableFunc(in, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to))
	})
	var b strings.Builder
	done := from
	for _, e := range in {
		if e.from < done {
			continue
		}
		b.WriteString(src[done:e.from] + e.text)
		done = e.to
	}
	b.WriteString(src[done:to])
	return b.String()
}

// statements are the edits that make a function's body of a unit's statements.
func (e *exporter) statements(u *unit, renames []edit) (edits []edit) {
	text := func(from, to token.Pos) string { return apply(u.Source, u.Offset(from), u.Offset(to), renames) }
	for i := 0; i < len(u.Stmts); i++ {
		switch st := u.Stmts[i].(type) {
		case *ast.AssignStmt:
			if st.Tok == token.DEFINE && !e.declares(u, st) {
				at := u.Offset(st.TokPos)
				edits = append(edits, edit{at, at + 2, "="})
			}
		case *ast.DeclStmt:
			// Neighbouring declarations are initialised in the order of their dependencies.
			var specs []*ast.ValueSpec
			first := i
			for ; i < len(u.Stmts); i++ {
				d, ok := u.Stmts[i].(*ast.DeclStmt)
				if !ok {
					break
				}
				for _, spec := range d.Decl.(*ast.GenDecl).Specs {
					specs = append(specs, spec.(*ast.ValueSpec))
				}
			}
			i--
			var lines []string
			slices.SortStableFunc(specs, func(a, b *ast.ValueSpec) int { return cmp.Compare(u.rank(a), u.rank(b)) })
			for _, spec := range specs {
				lines = append(lines, e.varLines(u, spec, text)...)
			}
			edits = append(edits, edit{u.Offset(u.Stmts[first].Pos()), u.Offset(u.Stmts[first].End()), strings.Join(lines, "\n")})
			for _, st := range u.Stmts[first+1 : i+1] {
				edits = append(edits, edit{u.Offset(st.Pos()), u.Offset(st.End()), ""})
			}
		}
	}
	if u.Shown != nil {
		edits = append(edits, edit{u.Shown.Start, u.Shown.End, e.shown(u, apply(u.Source, u.Shown.Start, u.Shown.End, renames))})
	}
	return edits
}

// declares reports whether the names of a := stay in the unit.
func (e *exporter) declares(u *unit, st *ast.AssignStmt) bool {
	for _, id := range identsOf(st.Lhs) {
		if v := u.variable(id); v != nil {
			return e.local[v]
		}
	}
	return true
}

// rank is the place of a variable declaration in the order of initialisation.
func (u *unit) rank(spec *ast.ValueSpec) int {
	r := 0
	for _, id := range spec.Names {
		r = max(r, u.Init[u.Objects[u.Offset(id.Pos())]])
	}
	return r
}

// varLines writes a variable declaration as statements.
func (e *exporter) varLines(u *unit, spec *ast.ValueSpec, text func(from, to token.Pos) string) []string {
	var names []string
	blank, stays := true, false
	for _, id := range spec.Names {
		name := "_"
		if v := u.variable(id); v != nil {
			name, blank = e.names[v], false
			stays = stays || e.local[v]
		}
		names = append(names, name)
	}
	if blank || stays {
		return []string{"var " + text(spec.Pos(), spec.End())}
	}
	if len(spec.Values) > 0 {
		return []string{strings.Join(names, ", ") + " = " + text(spec.Values[0].Pos(), spec.Values[len(spec.Values)-1].End())}
	}
	var lines []string
	for i, id := range spec.Names {
		if v := u.variable(id); v != nil && v.Pkg() != u.Own { // it has a value already
			if typ, ok := e.typeText(v.Type()); ok {
				lines = append(lines, names[i]+" = *new("+typ+")")
			}
		}
	}
	return lines
}

// shown writes the last expression of a unit: printed, kept for later cells, or dropped.
func (e *exporter) shown(u *unit, text string) string {
	s := u.Shown
	if s.Constant != "" {
		text = s.Constant
	}
	if s.Hidden {
		if s.List || len(s.Types) < 2 {
			return strings.TrimSuffix(strings.Repeat("_, ", len(s.Types)), ", ") + " = " + text
		}
		return text
	}
	print := e.imports["fmt"] + ".Println"
	for _, t := range s.Types {
		if !e.printed(t) {
			print = e.supportName("show")
		}
	}
	result := e.resultOf(u)
	switch {
	case result == "" && s.Quiet && len(s.Types) > 1 && strings.HasPrefix(text, e.imports["fmt"]+".Print"):
		return text
	case result == "" && s.Quiet:
		var names []string
		for i := range s.Types[1:] {
			names = append(names, e.fresh("n"+strconv.Itoa(i+1)+"_"))
		}
		name := e.fresh("err")
		all := strings.Join(append(names, name), ", ")
		return "if " + all + " := " + text + "; " + name + " != nil {\n" + print + "(" + all + ")\n}"
	case result == "":
		return print + "(" + text + ")"
	case len(s.Types) == 1:
		return result + " = " + text + "\n" + print + "(" + result + ")"
	}
	var names []string
	for i := range s.Types {
		names = append(names, e.fresh("v"+strconv.Itoa(i+1)+"_"))
	}
	return strings.Join(names, ", ") + " := " + text + "\n" + result + " = " + names[0] + "\n" + print + "(" + strings.Join(names, ", ") + ")"
}

// resultOf is the variable of the unit's result, "" when no later cell mentions it.
func (e *exporter) resultOf(u *unit) string {
	name := "Out·" + strconv.Itoa(u.cell)
	after := false
	for _, other := range e.units {
		if after {
			if other.cell == u.cell && other.Analysis != nil && len(other.shownTypes()) > 0 {
				return "" // that one is the cell's result
			}
			for _, us := range other.uses {
				if us.obj.Name() == name {
					return e.names[us.obj]
				}
			}
		}
		after = after || other == u
	}
	return ""
}

// printed reports whether fmt.Println prints a value as the notebook shows it: all but values that make their own
// display, pictures, and interfaces that may hold them.
func (e *exporter) printed(t types.Type) bool {
	if e.opts.Show == "" || types.Identical(t, types.Universe.Lookup("error").Type()) {
		return true
	}
	if _, ok := t.Underlying().(*types.Interface); ok {
		return !e.project()
	}
	if s, ok := t.Underlying().(*types.Slice); ok && types.Identical(s.Elem(), types.Typ[types.Byte]) {
		return false // may be a picture
	}
	set := types.NewMethodSet(t)
	for _, name := range []string{"MIMEBundle", "Render", "SimpleRender", "ColorModel"} {
		if set.Lookup(nil, name) != nil {
			return false
		}
	}
	return true
}

// supportName gives something of Support its name in the program.
func (e *exporter) supportName(name string) string {
	if e.support[name] == "" {
		given := name
		if e.taken[name] || e.used[name] {
			given = e.fresh(name)
		}
		e.support[name], e.used[given] = given, true
	}
	return e.support[name]
}

// project reports whether the program imports what Support is for.
func (e *exporter) project() bool {
	for _, s := range e.opts.Support {
		if e.imports[s.Import] != "" {
			return true
		}
	}
	return false
}

// needs reports whether the program needs what a Support has.
func (e *exporter) needs(s Support) bool {
	if e.imports[s.Import] == "" {
		return e.support["show"] != "" && s.Import == e.opts.Show
	}
	return s.Names == nil || slices.ContainsFunc(e.units, func(u *unit) bool {
		return slices.ContainsFunc(u.uses, func(us use) bool {
			if us.obj.Pkg() == nil || us.obj.Parent() != us.obj.Pkg().Scope() { // a method, or a name of a function's own
				return false
			}
			path, _, _ := strings.Cut(us.obj.Pkg().Path(), "@") // of a package that the engine mends
			return path == s.Import && slices.Contains(s.Names, us.obj.Name())
		})
	})
}

var placeholder = lazyregexp.New(`\$(?:"([^"]+)"|(\w+))`)

// expand puts the names of packages into a text of Support.
func (e *exporter) expand(code string) string {
	return placeholder.ReplaceAllStringFunc(code, func(m string) string {
		part := placeholder.FindStringSubmatch(m)
		if part[2] != "" {
			return e.supportName(part[2])
		}
		path := part[1]
		return e.importPath(path, path[strings.LastIndexByte(path, '/')+1:])
	})
}
