package interp

import (
	"go/ast"
	"go/token"
	"go/types"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Completion is what may stand at a place of a cell.
type Completion struct {
	Matches    []Match
	Start, End int // the code points that a match replaces
}

// Match is one proposal. Type is "variable", "function", "method", "field", "type", "constant", "package" or "keyword".
type Match struct{ Text, Type string }

// marker stands for the name being written when a cell is analysed for completion.
const marker = "compΞete"

// Complete proposes names for the place cursor, counted in code points: members after a dot, field names in a composite
// literal, and else all names in scope there, the session's and the packages that need no import included.
func (s *Session) Complete(src string, cursor int) Completion {
	s.mu.Lock()
	defer s.mu.Unlock()
	start, end, at := wordAt(src, cursor)
	prefix := src[start:at]
	out := Completion{Start: utf8.RuneCountInString(src[:start]), End: utf8.RuneCountInString(src[:at])}
	before, rest := src[:start]+marker, src[end:]
	c := s.probe(before+rest, before)
	if c == nil {
		return out
	}
	found := map[string]string{}
	c.membersAtMarker(s, found)
	for name, typ := range found {
		if strings.HasPrefix(name, prefix) && name != marker && !strings.Contains(name, "·") {
			out.Matches = append(out.Matches, Match{name, typ})
		}
	}
	sort.Slice(out.Matches, func(i, j int) bool { return out.Matches[i].Text < out.Matches[j].Text })
	return out
}

// wordAt returns the byte offsets of the identifier around a cursor in code points, and of the cursor.
func wordAt(src string, cursor int) (start, end, at int) {
	for range cursor {
		_, n := utf8.DecodeRuneInString(src[at:])
		at += n
	}
	word := func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	start, end = at, at
	for start > 0 {
		r, n := utf8.DecodeLastRuneInString(src[:start])
		if !word(r) {
			break
		}
		start -= n
	}
	for end < len(src) {
		r, n := utf8.DecodeRuneInString(src[end:])
		if !word(r) {
			break
		}
		end += n
	}
	return start, end, at
}

// probe checks the first of the texts that parses, errors of types notwithstanding; brackets left open are closed. The
// cell is not made part of the session.
func (s *Session) probe(texts ...string) (c *checked) {
	defer func() {
		if recover() != nil { // go/types on a broken cell
			c = nil
		}
	}()
	for _, text := range texts {
		if _, bad := split(text); bad != nil {
			for i := len(bad.open) - 1; i >= 0; i-- {
				text += closers[bad.open[i].tok].String()
			}
		}
		l, diags := s.frontEnd(0, text)
		if diags != nil || l == nil {
			continue
		}
		if file := s.fset.File(l.file.FileStart); file != nil {
			defer s.fset.RemoveFile(file)
		}
		s.addImports(l)
		c, _ := s.checkOnce(l)
		return c
	}
	return nil
}

// membersAtMarker collects what may stand where the marker is.
func (c *checked) membersAtMarker(s *Session, found map[string]string) {
	var at *ast.Ident
	var lit *ast.CompositeLit
	done := false
	ast.Inspect(c.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if n.Sel.Name == marker {
				c.members(n.X, found)
				done = true
			}
		case *ast.CompositeLit:
			for _, e := range n.Elts {
				if kv, ok := e.(*ast.KeyValueExpr); ok {
					e = kv.Key
				}
				if id, ok := e.(*ast.Ident); ok && id.Name == marker {
					lit = n
				}
			}
		case *ast.Ident:
			if n.Name == marker {
				at = n
			}
		}
		return !done
	})
	if done || at == nil {
		return
	}
	if lit != nil {
		if t := c.info.TypeOf(lit); t != nil {
			if st, ok := t.Underlying().(*types.Struct); ok {
				for f := range st.Fields() {
					found[f.Name()] = "field"
				}
			}
		}
	}
	for name := range s.auto {
		found[name] = "package"
	}
	for name := range s.imports {
		found[name] = "package"
	}
	for tok := token.BREAK; tok <= token.VAR; tok++ {
		found[tok.String()] = "keyword"
	}
	for name, obj := range s.names {
		found[name] = objectKind(obj)
	}
	for scope := c.pkg.Scope().Innermost(at.Pos()); scope != nil; scope = scope.Parent() {
		for _, name := range scope.Names() {
			if _, seen := found[name]; !seen || scope != types.Universe {
				found[name] = objectKind(scope.Lookup(name))
			}
		}
	}
	for _, name := range types.Universe.Names() {
		if found[name] == "" {
			found[name] = objectKind(types.Universe.Lookup(name))
		}
	}
}

// members collects what x has after a dot: the exported names of a package, or fields and methods.
func (c *checked) members(x ast.Expr, found map[string]string) {
	if id, ok := x.(*ast.Ident); ok {
		if pkg, ok := c.info.Uses[id].(*types.PkgName); ok {
			scope := pkg.Imported().Scope()
			for _, name := range scope.Names() {
				if token.IsExported(name) {
					found[name] = objectKind(scope.Lookup(name))
				}
			}
			return
		}
	}
	tv, ok := c.info.Types[x]
	if !ok || tv.Type == nil {
		return
	}
	visible := func(obj types.Object) bool {
		return obj.Exported() || obj.Pkg() != nil && obj.Pkg().Path() == cellPath
	}
	t := tv.Type
	if !tv.IsType() {
		fields(t, found, visible, map[types.Type]bool{})
	}
	if _, isPtr := t.Underlying().(*types.Pointer); !isPtr && !types.IsInterface(t) && (tv.Addressable() || tv.IsType()) {
		t = types.NewPointer(t)
	}
	set := types.NewMethodSet(t)
	for i := range set.Len() {
		if m := set.At(i).Obj(); visible(m) {
			found[m.Name()] = "method"
		}
	}
}

// fields collects the fields of a struct or a pointer to one, promoted ones included.
func fields(t types.Type, found map[string]string, visible func(types.Object) bool, seen map[types.Type]bool) {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok || seen[t] {
		return
	}
	seen[t] = true
	for f := range st.Fields() {
		if visible(f) {
			found[f.Name()] = "field"
		}
		if f.Embedded() {
			fields(f.Type(), found, visible, seen)
		}
	}
}

func objectKind(obj types.Object) string {
	switch obj.(type) {
	case *types.Func, *types.Builtin:
		return "function"
	case *types.TypeName:
		return "type"
	case *types.Const:
		return "constant"
	case *types.PkgName:
		return "package"
	}
	return "variable"
}
