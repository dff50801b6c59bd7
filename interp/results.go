package interp

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"reflect"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/interp/internal/valuesize"
	"github.com/arrayrepl/arrayrepl/interp/syntax"
)

// What is kept of earlier cells for _, Out and In. A result that is larger than maxResultBytes is not kept at all:
// names are for what is large.
const (
	maxResults     = 100               // values
	maxResultBytes = valuesize.Largest // all together, by an estimate
	maxInputs      = 1000              // texts of cells
)

// results are the values that cells have shown, and the cells' texts. A value is a variable of the session, so that a
// cell that mentions it is checked with its type.
type results struct {
	out    map[int]*result
	order  []int // the keys of out, the latest last
	bytes  int   // of all that are kept
	in     map[int]string
	inputs []int // the keys of in, in the order of execution
	pinned bool  // a function mentions the table that was made last
}

type result struct {
	name   string // of the variable, "" for a value too large to keep
	size   int
	pinned bool // a function mentions it: its variable outlives it
}

// resultName is what the variable of Out[n] is called; the dot keeps it from being listed.
func resultName(n int) string { return "Out·" + strconv.Itoa(n) }

const (
	inputsName  = "In·"
	outputsName = "Out·"
)

// AddInput keeps a text for In[n]. [Session.RunCell] does it for its cell; it is for those who handle a cell
// themselves.
func (s *Session) AddInput(n int, src string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := &s.results
	if r.in == nil {
		r.in = map[int]string{}
	}
	if _, again := r.in[n]; !again {
		r.inputs = append(r.inputs, n)
	}
	r.in[n] = src
	if len(r.inputs) > maxInputs {
		delete(r.in, r.inputs[0])
		r.inputs = r.inputs[1:]
	}
}

// addResult keeps the value that a cell has shown. The size was estimated when it was shown.
func (s *Session) addResult(p *prepared, n int, v any, size int) {
	typ := p.shownType()
	if typ == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	r := &s.results
	if r.out == nil {
		r.out = map[int]*result{}
	}
	s.dropResult(n)
	res := &result{size: size}
	if size <= maxResultBytes {
		res.name = resultName(n)
		typ, cell := resultCell(typ, v)
		s.names[res.name] = s.bindValue(res.name, typ, cell)
		r.bytes += size
	}
	r.out[n] = res
	r.order = append(r.order, n)
	for len(r.order) > maxResults || r.bytes > maxResultBytes {
		s.dropResult(r.order[0])
	}
}

// dropResult forgets Out[n].
func (s *Session) dropResult(n int) {
	r := &s.results
	res := r.out[n]
	if res == nil {
		return
	}
	delete(r.out, n)
	for i, k := range r.order {
		if k == n {
			r.order = append(r.order[:i:i], r.order[i+1:]...)
			break
		}
	}
	if res.name == "" {
		return
	}
	r.bytes -= res.size
	if v, ok := s.names[res.name].(*types.Var); ok && !res.pinned {
		delete(s.bound, v)
	}
	delete(s.names, res.name)
}

// ResetResults forgets the results of earlier cells, and their texts.
func (s *Session) ResetResults() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.results.order) > 0 {
		s.dropResult(s.results.order[0])
	}
	s.results.in, s.results.inputs = nil, nil
}

// bindValue makes a variable of the session that is not a cell's.
func (s *Session) bindValue(name string, typ types.Type, cell reflect.Value) *types.Var {
	home := types.NewPackage("vars·"+name+strconv.Itoa(s.cells), "results")
	v := types.NewVar(token.NoPos, home, name, typ)
	home.Scope().Insert(v)
	s.bound[v] = &engine.Var{Obj: v, Addr: cell}
	return v
}

// resultCell returns a place that holds v, and its type: the static one where the run-time type is known. A value of an
// interface type other than error becomes an any.
func resultCell(typ types.Type, v any) (types.Type, reflect.Value) {
	rt := reflect.TypeOf(v)
	if types.IsInterface(typ) {
		rt = reflect.TypeFor[any]()
		if types.Identical(typ, types.Universe.Lookup("error").Type()) {
			rt = reflect.TypeFor[error]()
		} else {
			typ = types.Universe.Lookup("any").Type()
		}
	}
	cell := reflect.New(rt)
	if v != nil {
		cell.Elem().Set(reflect.ValueOf(v))
	}
	return typ, cell
}

// shownType is the static type of the first value that the cell shows, nil when it shows none.
func (p *prepared) shownType() types.Type {
	x := p.Value
	if list := p.list(); x == nil && len(list) > 0 {
		x = list[0]
	}
	if x == nil {
		return nil
	}
	t := p.info.TypeOf(x)
	if tuple, ok := t.(*types.Tuple); ok {
		if tuple.Len() == 0 {
			return nil
		}
		t = tuple.At(0).Type()
	}
	if t == nil || t == types.Typ[types.UntypedNil] || t == types.Typ[types.Invalid] {
		return nil
	}
	return types.Default(t)
}

// resolveResults rewrites what a cell says of earlier results into names of the session's variables: _, __ and ___
// where a value must stand (which Go has no meaning for), Out[3], Out, In. Names that the user has declared stay the
// user's.
func (s *Session) resolveResults(src *syntax.Source, file *ast.File) (diags []Diagnostic) {
	if !strings.Contains(src.Src, "_") && !strings.Contains(src.Src, "Out") && !strings.Contains(src.Src, "In") {
		return nil
	}
	own := declaredIn(file)
	free := func(id *ast.Ident) bool {
		return id.Obj == nil && !own[id.Name] && s.names[id.Name] == nil && s.imports[id.Name] == ""
	}
	inFunc := false
	refuse := func(id *ast.Ident, msg string) {
		diags = append(diags, src.Diagnostic(src.Offset(int(id.Pos()-file.FileStart)), msg))
	}
	use := func(id *ast.Ident, n int) {
		name, problem := s.results.find(n, inFunc)
		if problem != "" {
			refuse(id, problem)
			return
		}
		id.Name = name
	}
	astutil.Apply(file, func(c *astutil.Cursor) bool {
		switch n := c.Node().(type) {
		case *ast.FieldList:
			return false
		case *ast.FuncDecl:
			inFunc = n.Name.Name != "_"
		case *ast.IndexExpr:
			id, ok := n.X.(*ast.Ident)
			lit, isLit := n.Index.(*ast.BasicLit)
			if ok && isLit && id.Name == "Out" && lit.Kind == token.INT && free(id) {
				number, _ := strconv.ParseInt(lit.Value, 0, 32)
				use(id, int(number))
				c.Replace(id)
				return false
			}
		case *ast.Ident:
			if !valuePlace(c.Parent(), c.Name()) || n.Obj != nil {
				return true
			}
			switch n.Name {
			case "_":
				use(n, s.results.back(1))
			case "__", "___":
				if free(n) {
					use(n, s.results.back(len(n.Name)))
				}
			case "In":
				if free(n) {
					in := maps.Clone(s.results.in)
					s.bindTable(n, inputsName, types.Typ[types.String], reflect.ValueOf(&in), inFunc)
				}
			case "Out":
				if free(n) {
					out := s.allResults()
					s.bindTable(n, outputsName, types.Universe.Lookup("any").Type(), reflect.ValueOf(&out), inFunc)
				}
			}
		}
		return true
	}, func(c *astutil.Cursor) bool {
		if _, ok := c.Node().(*ast.FuncDecl); ok {
			inFunc = false
		}
		return true
	})
	return diags
}

// bindTable lets id mean a map by the numbers of cells, as it is now.
func (s *Session) bindTable(id *ast.Ident, name string, elem types.Type, cell reflect.Value, pin bool) {
	if old, ok := s.names[name].(*types.Var); ok && !s.results.pinned {
		delete(s.bound, old)
	}
	s.results.pinned = pin
	s.names[name] = s.bindValue(name, types.NewMap(types.Typ[types.Int], elem), cell)
	id.Name = name
}

// find returns the variable of Out[n], or what is wrong with asking for it. With pin it stays when the result is
// forgotten.
func (r *results) find(n int, pin bool) (name, problem string) {
	res := r.out[n]
	switch {
	case n < 0:
		return "", "there is no earlier result that _ could mean: it is the last value that a cell has shown"
	case res == nil && len(r.order) > 0 && n < r.order[0]:
		return "", fmt.Sprintf("Out[%d] is not kept any more: the latest %d results are, %d MB of them", n, maxResults, maxResultBytes>>20)
	case res == nil:
		return "", fmt.Sprintf("there is no Out[%d]: cell %d has shown no value", n, n)
	case res.name == "":
		return "", fmt.Sprintf("Out[%d] was not kept: it has %d MB, and %d MB are the limit; give large values names", n, res.size>>20, maxResultBytes>>20)
	}
	res.pinned = res.pinned || pin
	return res.name, ""
}

// back returns the number of the k-th latest result, -1 when there is none.
func (r *results) back(k int) int {
	if len(r.order) < k {
		return -1
	}
	return r.order[len(r.order)-k]
}

// allResults is what Out means without a number that is written out.
func (s *Session) allResults() map[int]any {
	out := map[int]any{}
	for n, res := range s.results.out {
		if v, ok := s.names[res.name].(*types.Var); ok && s.bound[v] != nil {
			out[n] = s.bound[v].Addr.Elem().Interface()
		}
	}
	return out
}

// valuePlace reports whether an expression in that field of its parent is a value that is read.
func valuePlace(parent ast.Node, field string) bool {
	switch parent.(type) {
	case *ast.BinaryExpr, *ast.ParenExpr, *ast.UnaryExpr, *ast.StarExpr, *ast.CallExpr, *ast.IndexExpr, *ast.IndexListExpr, *ast.SliceExpr,
		*ast.SendStmt, *ast.ReturnStmt, *ast.ExprStmt, *ast.IfStmt, *ast.ForStmt, *ast.SwitchStmt, *ast.CaseClause, *ast.IncDecStmt:
		return true
	case *ast.SelectorExpr, *ast.TypeAssertExpr, *ast.RangeStmt:
		return field == "X"
	case *ast.AssignStmt:
		return field == "Rhs"
	case *ast.ValueSpec:
		return field == "Values"
	case *ast.CompositeLit:
		return field == "Elts"
	case *ast.KeyValueExpr:
		return field == "Value"
	}
	return false
}

// declaredIn returns the names that the cell declares at its top level.
func declaredIn(file *ast.File) map[string]bool {
	names := map[string]bool{}
	add := func(d ast.Decl) {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				names[d.Name.Name] = true
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					names[spec.Name.Name] = true
				case *ast.ValueSpec:
					for _, id := range spec.Names {
						names[id.Name] = true
					}
				case *ast.ImportSpec:
					if spec.Name != nil {
						names[spec.Name.Name] = true
					}
				}
			}
		}
	}
	for _, d := range file.Decls {
		add(d)
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Name.Name != "_" || fn.Body == nil {
			continue
		}
		for _, st := range fn.Body.List {
			switch st := st.(type) {
			case *ast.DeclStmt:
				add(st.Decl)
			case *ast.AssignStmt:
				if st.Tok == token.DEFINE {
					for _, x := range st.Lhs {
						if id, ok := x.(*ast.Ident); ok {
							names[id.Name] = true
						}
					}
				}
			}
		}
	}
	delete(names, "_")
	return names
}
