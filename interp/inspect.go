package interp

import (
	"bytes"
	"go/ast"
	"go/types"
	"strings"
)

// Inspect describes the name at cursor, counted in code points: its declaration, and the comment above it when a cell
// declared it. Inside the brackets of a call it is the called function's name. ok is false when nothing is known.
func (s *Session) Inspect(src string, cursor int) (text string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	start, end, at := wordAt(src, cursor)
	if start == end {
		start, end, _ = wordAt(src, len([]rune(src[:calledName(src, at)])))
	}
	if start == end {
		return "", false
	}
	c := s.probe(src, src[:end])
	if c == nil {
		return "", false
	}
	var obj types.Object
	ast.Inspect(c.file, func(n ast.Node) bool {
		id, isIdent := n.(*ast.Ident)
		if !isIdent || obj != nil || !id.Pos().IsValid() {
			return obj == nil
		}
		if c.src.offset(c.textOffset(id.Pos())) == start && strings.TrimSuffix(id.Name, "·before") == src[start:end] {
			obj = c.info.ObjectOf(id)
		}
		return obj == nil
	})
	if obj == nil {
		return "", false
	}
	text = describe(obj)
	if doc := s.docOf(c, obj); doc != "" {
		text += "\n\n" + doc
	}
	return text, true
}

// calledName returns the offset of the end of the name before the innermost bracket that is open at byte offset at.
func calledName(src string, at int) int {
	depth := 0
	for i := at - 1; i >= 0; i-- {
		switch src[i] {
		case ')', ']', '}':
			depth++
		case '[', '{':
			depth--
		case '(':
			if depth == 0 {
				return i
			}
			depth--
		}
	}
	return 0
}

// describe writes an object's declaration as Go source, qualified by package names.
func describe(obj types.Object) string {
	qualify := func(p *types.Package) string {
		if p.Path() == cellPath || strings.Contains(p.Path(), "·") {
			return ""
		}
		return p.Name()
	}
	if pkg, ok := obj.(*types.PkgName); ok {
		return "package " + pkg.Imported().Name() + " // import \"" + pkg.Imported().Path() + "\""
	}
	text := declaration(obj, qualify)
	if tn, ok := obj.(*types.TypeName); ok {
		t := tn.Type()
		if !types.IsInterface(t) {
			t = types.NewPointer(t)
		}
		set := types.NewMethodSet(t)
		for i := range set.Len() {
			if m := set.At(i).Obj(); m.Exported() || m.Pkg().Path() == cellPath {
				text += "\n" + declaration(m, qualify)
			}
		}
	}
	return strings.ReplaceAll(text, "·before", "")
}

// declaration is types.ObjectString, but for methods, which it writes as nobody declares them.
func declaration(obj types.Object, qualify types.Qualifier) string {
	fn, ok := obj.(*types.Func)
	if !ok || fn.Signature().Recv() == nil {
		return types.ObjectString(obj, qualify)
	}
	recv := fn.Signature().Recv()
	var b bytes.Buffer
	types.WriteSignature(&b, fn.Signature(), qualify)
	return "func (" + strings.TrimSpace(recv.Name()+" "+types.TypeString(recv.Type(), qualify)) + ") " + fn.Name() + b.String()
}

// docOf returns the comment of a function that this or an earlier cell declares.
func (s *Session) docOf(c *checked, obj types.Object) string {
	fn, ok := obj.(*types.Func)
	if !ok {
		return ""
	}
	if u := s.units[fn.Pkg()]; u != nil {
		if d := u.Funcs[fn.Origin()]; d != nil {
			return strings.TrimSpace(d.Doc.Text())
		}
	}
	for _, d := range c.file.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && c.info.Defs[d.Name] == obj {
			return strings.TrimSpace(d.Doc.Text())
		}
	}
	return ""
}
