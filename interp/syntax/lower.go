package syntax

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/interp/cellerror"
	"github.com/arrayrepl/arrayrepl/interp/engine"
)

// Tree is a cell made ready for the checker: its top-level variables are package variables, so that functions of the
// cell and later cells see them, and its statements are the body of one function.
type Tree struct {
	Src   *Source
	File  *ast.File
	Entry *ast.FuncDecl
	Items []Item
	// the last statement, when it is an expression whose value may be shown; its X is a call of show· or ignore·
	Last  *ast.ExprStmt
	Value ast.Expr        // that expression as the user wrote it
	Names map[string]bool // what the cell declares at top level
	// names that the cell reads before it declares them: they mean an earlier cell's, by these aliases
	Prior map[string]string
	Goes  bool // has a go statement

	Signatures []string // the functions without bodies that were taken out of the cell

	Literals bool // has function literals
	Types    bool // declares types
}

// Item is one step of the entry function: a statement, or the place where a package variable gets its value.
type Item struct {
	Stmt ast.Stmt
	Spec *ast.ValueSpec
	Decl bool // spec was written with var: neighbours are ordered by their dependencies, as Go orders package variables

	Added bool // stmt is not the user's
}

// Lower rewrites file in place. IsVar says which names are those of variables of earlier cells. The diagnostics are of
// mistakes that the rewriting would hide from the checker.
func Lower(src *Source, file *ast.File, isVar func(name string) bool) (*Tree, []cellerror.Diagnostic) {
	signatures, diags := takeSignatures(src, file)
	if len(diags) > 0 {
		return nil, diags
	}
	l, diags := Lowering(src, file, isVar)
	if len(diags) > 0 {
		return nil, diags
	}
	l.Signatures = signatures
	return l, nil
}

// Lowering is lower for those who can use a cell that has such mistakes.
func Lowering(src *Source, file *ast.File, isVar func(name string) bool) (*Tree, []cellerror.Diagnostic) {
	l := &Tree{Src: src, File: file, Names: map[string]bool{}, Prior: map[string]string{}}
	for _, d := range file.Decls {
		l.declare(d)
	}
	l.Entry = file.Decls[len(file.Decls)-1].(*ast.FuncDecl)
	delete(l.Names, "_")
	l.Entry.Name.Name = engine.EntryName
	stmts := l.Entry.Body.List

	if src.Whole && l.Names["main"] {
		stmts = append(stmts, &ast.ExprStmt{X: CallOf("main", l.Entry.Body.Lbrace)})
	}
	diags := append(l.embeds(), l.vars(stmts)...)
	if !src.Whole {
		l.placeInits()
	}
	if len(diags) == 0 {
		diags = l.resolvePrior(stmts, isVar)
	}
	l.markLast()
	for _, d := range file.Decls {
		if d != ast.Decl(l.Entry) {
			AddPolls(d)
		}
	}
	l.finishBody()
	ast.Inspect(file, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.GoStmt:
			l.Goes = true
		case *ast.FuncLit:
			l.Literals = true
		}
		return true
	})
	return l, diags
}

// embeds refuses the directives that embed files: without the go command nothing follows them, and the variables would
// be empty.
func (l *Tree) embeds() (diags []cellerror.Diagnostic) {
	for _, group := range l.File.Comments {
		for _, c := range group.List {
			if files, ok := strings.CutPrefix(c.Text, "//go:embed"); ok && strings.TrimLeft(files, " \t") != files {
				diags = append(diags, l.Src.Diagnostic(l.Src.Offset(l.TextOffset(c.Pos())),
					"files are embedded when a program is built, and nothing is built here: read them with os.ReadFile, or os.DirFS for an fs.FS"))
			}
		}
	}
	return diags
}

func (l *Tree) declare(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil && d.Name.Name != "init" {
			l.Names[d.Name.Name] = true
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				l.Names[spec.Name.Name], l.Types = true, true
			case *ast.ValueSpec:
				for _, id := range spec.Names {
					l.Names[id.Name] = true
				}
			}
		}
	}
}

// vars sorts the statements into items: := and var become package variables.
func (l *Tree) vars(stmts []ast.Stmt) []cellerror.Diagnostic {
	var diags []cellerror.Diagnostic
	mine := map[string]bool{} // variables so far
	for _, st := range stmts {
		switch st := st.(type) {
		case *ast.DeclStmt:
			if d := st.Decl.(*ast.GenDecl); d.Tok == token.VAR {
				for _, spec := range d.Specs {
					spec := spec.(*ast.ValueSpec)
					for _, id := range spec.Names {
						l.Names[id.Name], mine[id.Name] = true, true
					}
					l.Items = append(l.Items, Item{Spec: spec, Decl: true})
				}
				continue
			}
		case *ast.AssignStmt:
			if st.Tok == token.DEFINE {
				msg := l.define(st, mine)
				if msg != "" {
					diags = append(diags, l.Src.Diagnostic(l.Src.Offset(l.TextOffset(st.TokPos)), msg))
				}
				continue
			}
		case *ast.EmptyStmt:
			continue
		}
		l.Items = append(l.Items, Item{Stmt: st})
	}
	return diags
}

// placeInits lets the init functions of a cell run where they stand between the statements: the variables before them
// have their values. They get names of their own, as there may be several.
func (l *Tree) placeInits() {
	if !slices.ContainsFunc(l.File.Decls, func(d ast.Decl) bool {
		fn, ok := d.(*ast.FuncDecl)
		return ok && engine.IsInit(fn)
	}) {
		return
	}
	at := func(n ast.Node) int { return l.Src.Offset(l.TextOffset(n.Pos())) }
	n, next := 0, 0
	var merged []Item
	tail := l.Items[len(l.Items):]
	if k := len(l.Items); k > 0 && isExpr(l.Items[k-1].Stmt) {
		l.Items, tail = l.Items[:k-1], l.Items[k-1:] // what is shown stays the last
	}
	for _, d := range l.File.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || !engine.IsInit(fn) {
			continue
		}
		n++
		fn.Name.Name = "init·" + strconv.Itoa(n)
		for ; next < len(l.Items); next++ {
			if it := l.Items[next]; it.Stmt != nil && at(it.Stmt) > at(fn) || it.Spec != nil && at(it.Spec) > at(fn) {
				break
			}
			merged = append(merged, l.Items[next])
		}
		merged = append(merged, Item{Stmt: &ast.ExprStmt{X: CallOf(fn.Name.Name, fn.Name.Pos())}})
	}
	l.Items = append(append(merged, l.Items[next:]...), tail...)
}

func isExpr(st ast.Stmt) bool {
	_, ok := st.(*ast.ExprStmt)
	return ok
}

// TextOffset is pos as an offset in the assembled text.
func (l *Tree) TextOffset(pos token.Pos) int { return int(pos - l.File.FileStart) }

// define turns a := into a variable specification. Names that the cell has already are assigned to, as Go does in one
// scope.
func (l *Tree) define(st *ast.AssignStmt, mine map[string]bool) string {
	spec := &ast.ValueSpec{Values: st.Rhs}
	var after []Item
	fresh := false
	for i, lhs := range st.Lhs {
		id, ok := lhs.(*ast.Ident)
		if !ok {
			return "the left side of := must be names"
		}
		switch {
		case id.Name == "_":
		case mine[id.Name]:
			temp := IdentAt(id.Name+"·"+strconv.Itoa(len(l.Items)*100+i), id.Pos())
			after = append(after, Item{Stmt: &ast.AssignStmt{
				Lhs: []ast.Expr{id}, TokPos: st.TokPos, Tok: token.ASSIGN, Rhs: []ast.Expr{IdentAt(temp.Name, id.Pos())},
			}})
			id = temp
		default:
			fresh = true
			l.Names[id.Name] = true
		}
		spec.Names = append(spec.Names, id)
	}
	for _, id := range spec.Names {
		mine[id.Name] = true
	}
	l.Items = append(append(l.Items, Item{Spec: spec}), after...)
	if !fresh {
		return "no new variables on left side of :="
	}
	return ""
}

// resolvePrior finds names that statements read before the cell declares them, as in x := x + 1: they mean the variable
// of an earlier cell. As package variables they would mean themselves.
func (l *Tree) resolvePrior(stmts []ast.Stmt, isVar func(name string) bool) []cellerror.Diagnostic {
	declared := map[string]token.Pos{} // variables of the cell
	ends := map[string]token.Pos{}     // and where their declarations end
	defining := map[*ast.Ident]bool{}  // the places that declare them
	groups := varGroups(stmts)
	for _, it := range l.Items {
		if it.Spec != nil {
			for _, id := range it.Spec.Names {
				declared[id.Name], defining[id] = id.Pos(), true
				ends[id.Name] = max(ends[id.Name], id.End())
				if n := len(it.Spec.Values); n > 0 {
					ends[id.Name] = max(ends[id.Name], it.Spec.Values[n-1].End())
				}
			}
		}
	}
	var diags []cellerror.Diagnostic
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
				if isVar(n.Name) {
					l.Prior[n.Name] = n.Name + "·before"
					n.Name += "·before"
				} else {
					line, _ := l.Src.LineCol(l.Src.Offset(l.TextOffset(at)))
					diags = append(diags, l.Src.Diagnostic(l.Src.Offset(l.TextOffset(n.Pos())),
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
func (l *Tree) markLast() {
	if len(l.Items) == 0 {
		return
	}
	st, ok := l.Items[len(l.Items)-1].Stmt.(*ast.ExprStmt)
	if !ok || l.Src.Whole {
		return
	}
	name := engine.ShowName
	if EndsInSemicolon(l.Src.Src) {
		name = engine.IgnoreName
	}
	if c, ok := st.X.(*ast.CallExpr); ok && l.Src.List > 0 && l.TextOffset(c.Pos()) == l.Src.List {
		c.Fun = IdentAt(name, c.Args[0].Pos()) // a list of expressions: all must have values
		return
	}
	l.Value, l.Last = st.X, st
	c := CallOf(name, st.X.Pos(), st.X)
	c.Rparen = st.X.End()
	st.X = c
}

// PlainLast takes the wrapping back: the last expression is a call without a result.
func (l *Tree) PlainLast() { l.Last.X, l.Last = l.Value, nil }

// finishBody writes the entry function for the checker: the items' statements, with a test before each whether this run
// was given up (a statement that was blocked may return long after), and a count after each that declares variables.
// The variables themselves are declared beside it.
func (l *Tree) finishBody() {
	var items []Item
	var specs []ast.Spec
	for i, it := range l.Items {
		var pos token.Pos
		if it.Stmt != nil {
			AddPolls(it.Stmt)
			pos = it.Stmt.Pos()
			one := []ast.Stmt{it.Stmt}
			pollGotos(one)
			it.Stmt = one[0]
		} else {
			pos = it.Spec.Pos()
			AddPolls(it.Spec)
			specs = append(specs, it.Spec)
		}
		if i > 0 {
			items = append(items, Item{Stmt: leaveIf(engine.DeadName, pos), Added: true})
		}
		items = append(items, it)
		if it.Spec != nil {
			items = append(items, Item{Added: true, Stmt: &ast.AssignStmt{
				Lhs: []ast.Expr{IdentAt(engine.AtName, pos)}, TokPos: pos, Tok: token.ASSIGN,
				Rhs: []ast.Expr{&ast.BasicLit{ValuePos: pos, Kind: token.INT, Value: strconv.Itoa(len(specs))}},
			}})
		}
	}
	if defersInRange(l.Entry.Body) {
		pos := l.Entry.Body.Lbrace
		items = append([]Item{{Stmt: &ast.DeferStmt{Defer: pos, Call: CallOf(engine.IgnoreName, pos)}, Added: true}}, items...)
	}
	l.Items = items
	l.Entry.Body.List = nil
	for _, it := range items {
		if it.Stmt != nil {
			l.Entry.Body.List = append(l.Entry.Body.List, it.Stmt)
		}
	}
	if len(specs) > 0 {
		l.File.Decls = append(l.File.Decls, &ast.GenDecl{TokPos: l.Entry.Pos(), Tok: token.VAR, Lparen: l.Entry.Pos(), Specs: specs})
	}
}
