package interp

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/interp/operators"
)

// lowered is a cell made ready for the checker: its top-level variables are package variables, so that functions of the
// cell and later cells see them, and its statements are the body of one function.
type lowered struct {
	src   *source
	file  *ast.File
	entry *ast.FuncDecl
	items []item
	// the last statement, when it is an expression whose value may be shown; its X is a call of show· or ignore·
	last  *ast.ExprStmt
	value ast.Expr        // that expression as the user wrote it
	names map[string]bool // what the cell declares at top level
	// names that the cell reads before it declares them: they mean an earlier cell's, by these aliases
	prior  map[string]string
	goes   bool          // has a go statement
	late   []*lateMethod // methods of earlier cells' types; known with the check
	fields []*types.Var  // unexported ones of earlier cells' structs, of which the cell has literals without keys
	slots  [][]string    // the variables of each declaring step, in the order of execution; known after the check

	edits []operators.Edit // what the operators of arrays became

	signatures []string // the functions without bodies that were taken out of the cell

	literals bool            // has function literals
	types    bool            // declares types
	explicit map[string]bool // names of the cell's own imports; known with the check
}

// item is one step of the entry function: a statement, or the place where a package variable gets its value.
type item struct {
	stmt ast.Stmt
	spec *ast.ValueSpec
	decl bool // spec was written with var: neighbours are ordered by their dependencies, as Go orders package variables

	added bool // stmt is not the user's
}

// known answers what lowering must know of earlier cells.
type known interface{ isVar(name string) bool }

// lower rewrites file in place. The diagnostics are of mistakes that the rewriting would hide from the checker.
func lower(src *source, file *ast.File, earlier known) (*lowered, []Diagnostic) {
	signatures, diags := takeSignatures(src, file)
	if len(diags) > 0 {
		return nil, diags
	}
	l, diags := lowering(src, file, earlier)
	if len(diags) > 0 {
		return nil, diags
	}
	l.signatures = signatures
	return l, nil
}

// lowering is lower for those who can use a cell that has such mistakes.
func lowering(src *source, file *ast.File, earlier known) (*lowered, []Diagnostic) {
	l := &lowered{src: src, file: file, names: map[string]bool{}, prior: map[string]string{}}
	for _, d := range file.Decls {
		l.declare(d)
	}
	l.entry = file.Decls[len(file.Decls)-1].(*ast.FuncDecl)
	delete(l.names, "_")
	l.entry.Name.Name = engine.EntryName
	stmts := l.entry.Body.List

	if src.whole && l.names["main"] {
		stmts = append(stmts, &ast.ExprStmt{X: call("main", l.entry.Body.Lbrace)})
	}
	diags := append(l.embeds(), l.vars(stmts)...)
	if !src.whole {
		l.placeInits()
	}
	if len(diags) == 0 {
		diags = l.resolvePrior(stmts, earlier)
	}
	l.markLast()
	for _, d := range file.Decls {
		if d != ast.Decl(l.entry) {
			addPolls(d)
		}
	}
	l.finishBody()
	ast.Inspect(file, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.GoStmt:
			l.goes = true
		case *ast.FuncLit:
			l.literals = true
		}
		return true
	})
	return l, diags
}

// embeds refuses the directives that embed files: without the go command nothing follows them, and the variables would
// be empty.
func (l *lowered) embeds() (diags []Diagnostic) {
	for _, group := range l.file.Comments {
		for _, c := range group.List {
			if files, ok := strings.CutPrefix(c.Text, "//go:embed"); ok && strings.TrimLeft(files, " \t") != files {
				diags = append(diags, l.src.diagnostic(l.src.offset(l.textOffset(c.Pos())),
					"files are embedded when a program is built, and nothing is built here: read them with os.ReadFile, or os.DirFS for an fs.FS"))
			}
		}
	}
	return diags
}

func (l *lowered) declare(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil && d.Name.Name != "init" {
			l.names[d.Name.Name] = true
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				l.names[spec.Name.Name], l.types = true, true
			case *ast.ValueSpec:
				for _, id := range spec.Names {
					l.names[id.Name] = true
				}
			}
		}
	}
}

// vars sorts the statements into items: := and var become package variables.
func (l *lowered) vars(stmts []ast.Stmt) []Diagnostic {
	var diags []Diagnostic
	mine := map[string]bool{} // variables so far
	for _, st := range stmts {
		switch st := st.(type) {
		case *ast.DeclStmt:
			if d := st.Decl.(*ast.GenDecl); d.Tok == token.VAR {
				for _, spec := range d.Specs {
					spec := spec.(*ast.ValueSpec)
					for _, id := range spec.Names {
						l.names[id.Name], mine[id.Name] = true, true
					}
					l.items = append(l.items, item{spec: spec, decl: true})
				}
				continue
			}
		case *ast.AssignStmt:
			if st.Tok == token.DEFINE {
				msg := l.define(st, mine)
				if msg != "" {
					diags = append(diags, l.src.diagnostic(l.src.offset(l.textOffset(st.TokPos)), msg))
				}
				continue
			}
		case *ast.EmptyStmt:
			continue
		}
		l.items = append(l.items, item{stmt: st})
	}
	return diags
}

// placeInits lets the init functions of a cell run where they stand between the statements: the variables before them
// have their values. They get names of their own, as there may be several.
func (l *lowered) placeInits() {
	if !slices.ContainsFunc(l.file.Decls, func(d ast.Decl) bool {
		fn, ok := d.(*ast.FuncDecl)
		return ok && engine.IsInit(fn)
	}) {
		return
	}
	at := func(n ast.Node) int { return l.src.offset(l.textOffset(n.Pos())) }
	n, next := 0, 0
	var merged []item
	tail := l.items[len(l.items):]
	if k := len(l.items); k > 0 && isExpr(l.items[k-1].stmt) {
		l.items, tail = l.items[:k-1], l.items[k-1:] // what is shown stays the last
	}
	for _, d := range l.file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || !engine.IsInit(fn) {
			continue
		}
		n++
		fn.Name.Name = "init·" + strconv.Itoa(n)
		for ; next < len(l.items); next++ {
			if it := l.items[next]; it.stmt != nil && at(it.stmt) > at(fn) || it.spec != nil && at(it.spec) > at(fn) {
				break
			}
			merged = append(merged, l.items[next])
		}
		merged = append(merged, item{stmt: &ast.ExprStmt{X: call(fn.Name.Name, fn.Name.Pos())}})
	}
	l.items = append(append(merged, l.items[next:]...), tail...)
}

func isExpr(st ast.Stmt) bool {
	_, ok := st.(*ast.ExprStmt)
	return ok
}

// textOffset is pos as an offset in the assembled text.
func (l *lowered) textOffset(pos token.Pos) int { return int(pos - l.file.FileStart) }

// define turns a := into a variable specification. Names that the cell has already are assigned to, as Go does in one
// scope.
func (l *lowered) define(st *ast.AssignStmt, mine map[string]bool) string {
	spec := &ast.ValueSpec{Values: st.Rhs}
	var after []item
	fresh := false
	for i, lhs := range st.Lhs {
		id, ok := lhs.(*ast.Ident)
		if !ok {
			return "the left side of := must be names"
		}
		switch {
		case id.Name == "_":
		case mine[id.Name]:
			temp := ident(id.Name+"·"+strconv.Itoa(len(l.items)*100+i), id.Pos())
			after = append(after, item{stmt: &ast.AssignStmt{
				Lhs: []ast.Expr{id}, TokPos: st.TokPos, Tok: token.ASSIGN, Rhs: []ast.Expr{ident(temp.Name, id.Pos())},
			}})
			id = temp
		default:
			fresh = true
			l.names[id.Name] = true
		}
		spec.Names = append(spec.Names, id)
	}
	for _, id := range spec.Names {
		mine[id.Name] = true
	}
	l.items = append(append(l.items, item{spec: spec}), after...)
	if !fresh {
		return "no new variables on left side of :="
	}
	return ""
}

// resolvePrior finds names that statements read before the cell declares them, as in x := x + 1: they mean the variable
// of an earlier cell. As package variables they would mean themselves.
func (l *lowered) resolvePrior(stmts []ast.Stmt, earlier known) []Diagnostic {
	declared := map[string]token.Pos{} // variables of the cell
	ends := map[string]token.Pos{}     // and where their declarations end
	defining := map[*ast.Ident]bool{}  // the places that declare them
	groups := varGroups(stmts)
	for _, it := range l.items {
		if it.spec != nil {
			for _, id := range it.spec.Names {
				declared[id.Name], defining[id] = id.Pos(), true
				ends[id.Name] = max(ends[id.Name], id.End())
				if n := len(it.spec.Values); n > 0 {
					ends[id.Name] = max(ends[id.Name], it.spec.Values[n-1].End())
				}
			}
		}
	}
	var diags []Diagnostic
	for _, st := range stmts {
		var own map[string]bool // the names of the specification that is being looked at
		ast.Inspect(st, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				if groups[st] != nil {
					own = map[string]bool{}
					for _, id := range n.Names {
						own[id.Name] = true
					}
				}
			case *ast.SelectorExpr:
				defining[n.Sel] = true // a field or method, not a variable
			case *ast.CompositeLit:
				if _, isMap := n.Type.(*ast.MapType); !isMap {
					for _, e := range n.Elts {
						if kv, ok := e.(*ast.KeyValueExpr); ok {
							if key, ok := kv.Key.(*ast.Ident); ok {
								defining[key] = true // a field name
							}
						}
					}
				}
			case *ast.Ident:
				// The parser has resolved names lexically: an unresolved one comes before its declaration, unless it
				// stands in an index that only arrays have, which was parsed apart.
				at, ok := declared[n.Name]
				if !ok || n.Obj != nil || defining[n] || n.Name == "_" || n.Pos() >= ends[n.Name] {
					return true
				}
				if groups[st][n.Name] && !own[n.Name] {
					return true // neighbouring var declarations may be in any order
				}
				if earlier.isVar(n.Name) {
					l.prior[n.Name] = n.Name + "·before"
					n.Name += "·before"
				} else {
					line, _ := l.src.lineCol(l.src.offset(l.textOffset(at)))
					diags = append(diags, l.src.diagnostic(l.src.offset(l.textOffset(n.Pos())),
						fmt.Sprintf("undefined: %s (declared later in this cell, line %d)", n.Name, line)))
				}
			}
			return true
		})
	}
	return diags
}

// varGroups returns, for each var declaration, the names that it and its neighbours declare.
func varGroups(stmts []ast.Stmt) map[ast.Stmt]map[string]bool {
	groups := map[ast.Stmt]map[string]bool{}
	var names map[string]bool
	for _, st := range stmts {
		d, ok := st.(*ast.DeclStmt)
		if !ok || d.Decl.(*ast.GenDecl).Tok != token.VAR {
			names = nil
			continue
		}
		if names == nil {
			names = map[string]bool{}
		}
		groups[st] = names
		for _, spec := range d.Decl.(*ast.GenDecl).Specs {
			for _, id := range spec.(*ast.ValueSpec).Names {
				names[id.Name] = true
			}
		}
	}
	return groups
}

// markLast wraps the last statement, when it is an expression, in a call that shows it.
func (l *lowered) markLast() {
	if len(l.items) == 0 {
		return
	}
	st, ok := l.items[len(l.items)-1].stmt.(*ast.ExprStmt)
	if !ok || l.src.whole {
		return
	}
	name := engine.ShowName
	if endsInSemicolon(l.src.src) {
		name = engine.IgnoreName
	}
	if c, ok := st.X.(*ast.CallExpr); ok && l.src.list > 0 && l.textOffset(c.Pos()) == l.src.list {
		c.Fun = ident(name, c.Args[0].Pos()) // a list of expressions: all must have values
		return
	}
	l.value, l.last = st.X, st
	c := call(name, st.X.Pos(), st.X)
	c.Rparen = st.X.End()
	st.X = c
}

// plainLast takes the wrapping back: the last expression is a call without a result.
func (l *lowered) plainLast() { l.last.X, l.last = l.value, nil }

// finishBody writes the entry function for the checker: the items' statements, with a test before each whether this run
// was given up (a statement that was blocked may return long after), and a count after each that declares variables.
// The variables themselves are declared beside it.
func (l *lowered) finishBody() {
	var items []item
	var specs []ast.Spec
	for i, it := range l.items {
		var pos token.Pos
		if it.stmt != nil {
			addPolls(it.stmt)
			pos = it.stmt.Pos()
			one := []ast.Stmt{it.stmt}
			pollGotos(one)
			it.stmt = one[0]
		} else {
			pos = it.spec.Pos()
			addPolls(it.spec)
			specs = append(specs, it.spec)
		}
		if i > 0 {
			items = append(items, item{stmt: leaveIf(engine.DeadName, pos), added: true})
		}
		items = append(items, it)
		if it.spec != nil {
			items = append(items, item{added: true, stmt: &ast.AssignStmt{
				Lhs: []ast.Expr{ident(engine.AtName, pos)}, TokPos: pos, Tok: token.ASSIGN,
				Rhs: []ast.Expr{&ast.BasicLit{ValuePos: pos, Kind: token.INT, Value: strconv.Itoa(len(specs))}},
			}})
		}
	}
	if defersInRange(l.entry.Body) {
		pos := l.entry.Body.Lbrace
		items = append([]item{{stmt: &ast.DeferStmt{Defer: pos, Call: call(engine.IgnoreName, pos)}, added: true}}, items...)
	}
	l.items = items
	l.entry.Body.List = nil
	for _, it := range items {
		if it.stmt != nil {
			l.entry.Body.List = append(l.entry.Body.List, it.stmt)
		}
	}
	if len(specs) > 0 {
		l.file.Decls = append(l.file.Decls, &ast.GenDecl{TokPos: l.entry.Pos(), Tok: token.VAR, Lparen: l.entry.Pos(), Specs: specs})
	}
}
