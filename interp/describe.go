package interp

import (
	"bytes"
	"go/constant"
	"go/doc"
	"go/types"
	"io/fs"
	"math/big"
	"path"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"

	"github.com/arrayrepl/arrayrepl/interp/docs"
	"github.com/arrayrepl/arrayrepl/interp/modules"
)

// documentation returns what is shipped about a package, nil when nothing is.
func (s *Session) documentation(path string) *docs.Package {
	path, _, _ = strings.Cut(path, "@") // an engine's own part of a package
	p, known := s.documented[path]
	if !known {
		if src := s.modules.Package(path); src != nil {
			p = sourceDocumentation(src)
			s.documented[path] = p
			return p
		}
		if src, err := s.modules.Own(path); src != nil && err == nil && !s.installed[path] {
			return sourceDocumentation(src) // not kept: no cell has imported it, and its files may change
		}
		for _, fsys := range []fs.FS{docs.Std(), s.opts.Docs} {
			if fsys == nil {
				continue
			}
			if p, _ = docs.Load(fsys, path); p != nil {
				break
			}
		}
		s.documented[path] = p
	}
	return p
}

// sourceDocumentation reads a package's own, nil when it has none.
func sourceDocumentation(src *modules.Package) *docs.Package {
	var files []string
	for _, name := range src.GoFiles {
		files = append(files, filepath.Join(src.Dir, name))
	}
	version := "-"
	if src.Module != nil && src.Module.Version != "" {
		version = src.Module.Version
	}
	text, err := docs.Format(src.ImportPath, version, files, nil, func(string) string { return "" })
	if err != nil {
		return nil
	}
	p, _ := docs.Parse(src.ImportPath, text)
	return p
}

// synopsis is the first sentence of a comment.
func synopsis(comment string) string { return new(doc.Package).Synopsis(comment) }

// qualify names packages as cells do; what cells declare has no qualifier.
func (s *Session) qualify(p *types.Package) string {
	if isCellPath(p) {
		return ""
	}
	path, _, _ := strings.Cut(p.Path(), "@") // the part of a package that is interpreted
	if name := s.ownName(path); name != "" {
		return name
	}
	return p.Name()
}

// ownName is what cells call a package that they need not import, "" for others.
func (s *Session) ownName(path string) string {
	for _, own := range s.opts.Packages {
		if own.Path == path {
			return own.Name
		}
	}
	return ""
}

// typeString writes a type as cells name it.
func (s *Session) typeString(t types.Type) string { return plainAny(types.TypeString(t, s.qualify)) }

// plainAny writes the empty interface of run-time types as Go programmers do.
func plainAny(text string) string { return strings.ReplaceAll(text, "interface{}", "any") }

// signature declares obj in one line, qualified as cells qualify it, with the parameter names of its documentation.
// The name owner is the type whose field or method it is, "" for others.
func (s *Session) signature(obj types.Object, owner *types.Named) string {
	text := ""
	switch obj := obj.(type) {
	case *types.PkgName:
		text = "package " + obj.Imported().Name() + " // import \"" + obj.Imported().Path() + "\""
	case *types.Builtin:
		if e, ok := s.entry(obj, owner); ok {
			text = e.Decl
		} else {
			text = "func " + obj.Name() // of package unsafe
		}
	case *types.Nil:
		text = "var nil Type // Type must be a pointer, channel, func, interface, map, or slice type"
	case *types.Func:
		text = s.function(obj, owner)
	case *types.Const:
		text = types.ObjectString(obj, s.qualify)
		if t := s.writtenType(obj, owner); t != "" {
			text = "const " + s.prefix(obj.Pkg()) + obj.Name() + " " + t
		}
		if v := obj.Val(); v.Kind() != constant.Unknown {
			text += " = " + constantText(v)
		}
	case *types.TypeName:
		text = s.typeLine(obj)
	case *types.Var:
		text = plainAny(types.ObjectString(obj, s.qualify))
		switch t := s.writtenType(obj, owner); {
		case t == "":
			if obj.Pkg() != nil && s.installed[obj.Pkg().Path()] {
				text = strings.ReplaceAll(text, "[]uint8", "[]byte") // as everybody writes it
			}
		case obj.IsField():
			text = "field " + obj.Name() + " " + t
		default:
			text = "var " + s.prefix(obj.Pkg()) + obj.Name() + " " + t
		}
	default:
		text = plainAny(types.ObjectString(obj, s.qualify))
	}
	return strings.ReplaceAll(text, "·before", "")
}

// writtenType is the type that a compiled package's declaration gives to a variable, constant or field, "" when it
// does not say: run-time types call bytes uint8 and runes int32.
func (s *Session) writtenType(obj types.Object, owner *types.Named) string {
	if obj.Pkg() == nil || isCellPath(obj.Pkg()) {
		return ""
	}
	e, ok := s.entry(obj, nil)
	if v, isVar := obj.(*types.Var); isVar && v.IsField() {
		if owner == nil || owner.Obj().Pkg() != obj.Pkg() || owner.TypeArgs().Len() > 0 {
			return ""
		}
		e, ok = s.entry(owner.Obj(), nil)
	}
	if !ok {
		return ""
	}
	return e.Type(obj.Name(), s.prefix(obj.Pkg()))
}

// constantText writes a constant's value: of floats as many digits as there are, up to fifty.
func constantText(v constant.Value) string {
	if v.Kind() != constant.Float {
		return v.String()
	}
	const digits = 50
	x, ok := constant.Val(v).(*big.Rat)
	if !ok {
		return v.String()
	}
	if n, exact := x.FloatPrec(); exact {
		if text := x.FloatString(n); len(text) <= digits+20 {
			return text
		}
	}
	text := new(big.Float).SetPrec(512).SetRat(x).Text('g', digits)
	if y, ok := new(big.Rat).SetString(text); ok && x.Cmp(y) == 0 {
		return text
	}
	return text + "…"
}

// typeLine declares a type in one line: the members of structs and interfaces are left out.
func (s *Session) typeLine(tn *types.TypeName) string {
	if alias, ok := tn.Type().(*types.Alias); ok && tn.Pkg() != nil {
		return "type " + s.prefix(tn.Pkg()) + tn.Name() + " = " + s.typeString(alias.Rhs())
	}
	name := s.typeString(tn.Type())
	switch u := tn.Type().Underlying().(type) {
	case *types.Struct:
		return "type " + name + " struct{ … }"
	case *types.Interface:
		if u.NumMethods() > 0 {
			return "type " + name + " interface{ … }"
		}
		return "type " + name + " " + s.typeString(u)
	case *types.Basic:
		if tn.Pkg() == nil {
			return "type " + name
		}
		return "type " + name + " " + s.typeString(u)
	default:
		return "type " + name + " " + s.typeString(u)
	}
}

func (s *Session) prefix(p *types.Package) string {
	if q := s.qualify(p); q != "" {
		return q + "."
	}
	return ""
}

// declaration is how obj is declared, and the first sentence of what is said about it.
func (s *Session) declaration(obj types.Object) string {
	return strings.TrimSuffix(s.signature(obj, nil)+"\n"+synopsis(s.comment(obj, nil)), "\n")
}

// functionText is the declaration of the function or method that v is: the one that the cell has named, or a
// package's; of other functions text, their type.
func (s *Session) functionText(v any, named *types.Func, text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if named != nil {
		return s.declaration(named)
	}
	if code := runtime.FuncForPC(reflect.ValueOf(v).Pointer()); code != nil {
		dir, base := path.Split(code.Name())
		pkg, name, _ := strings.Cut(base, ".")
		if fn, ok := s.exported(dir+pkg, name).(*types.Func); ok {
			return s.declaration(fn)
		}
	}
	return s.ownNames(text)
}

// function declares a function or method. What a package declares is shown as it is written there: run-time types have
// no parameter names, and call bytes uint8. go/types writes methods as nobody declares them.
func (s *Session) function(fn *types.Func, owner *types.Named) string {
	form, ok := s.form(fn, owner)
	if !ok {
		var b bytes.Buffer
		types.WriteSignature(&b, fn.Signature(), s.qualify)
		form.Signature = plainAny(b.String())
	}
	recv := fn.Signature().Recv()
	switch {
	case recv == nil && fn.Pkg() != nil:
		return "func " + s.prefix(fn.Pkg()) + fn.Name() + form.Signature
	case recv == nil:
		return "func " + fn.Name() + form.Signature
	}
	name := recv.Name()
	if name == "" {
		name = form.Recv
	}
	t := recv.Type()
	if owner != nil && types.IsInterface(t) {
		t = owner
	}
	return "func (" + strings.TrimSpace(name+" "+s.typeString(t)) + ") " + fn.Name() + form.Signature
}

// form returns how a package declares a function or method. What cells declare, and what has type arguments, is better
// told by its types.
func (s *Session) form(fn *types.Func, owner *types.Named) (f docs.Form, ok bool) {
	if r := receiver(fn); r != nil && r.TypeArgs().Len() > 0 || fn.Origin() != fn || fn.Pkg() != nil && isCellPath(fn.Pkg()) {
		return f, false
	}
	e, ok := s.entry(fn, owner)
	if !ok {
		return f, false
	}
	prefix := ""
	// of what fn's receiver embeds, not fn's
	if p, err := s.importPackage(e.Path); e.Path != "" && e.Path != "builtin" && err == nil {
		prefix = s.prefix(p)
	}
	f, ok = e.Form(fn.Name(), prefix)
	return f, ok && len(f.Params) == fn.Signature().Params().Len()
}

// entry finds the shipped documentation of obj; owner is the type whose field or method it is.
func (s *Session) entry(obj types.Object, owner *types.Named) (docs.Entry, bool) {
	if owner == nil {
		owner = receiver(obj)
	}
	if obj.Pkg() == nil && owner == nil {
		if p := s.documentation("builtin"); p != nil {
			return p.Lookup(obj.Name())
		}
		return docs.Entry{}, false
	}
	if owner == nil {
		if v, ok := obj.(*types.Var); ok && v.IsField() || isCellPath(obj.Pkg()) {
			return docs.Entry{}, false
		}
		if p := s.documentation(obj.Pkg().Path()); p != nil {
			return p.Lookup(obj.Name())
		}
		return docs.Entry{}, false
	}
	return s.memberEntry(owner, obj.Name(), map[types.Type]bool{})
}

// receiver is the named type that declares a method.
func receiver(obj types.Object) *types.Named {
	fn, ok := obj.(*types.Func)
	if !ok || fn.Signature().Recv() == nil {
		return nil
	}
	return namedOf(fn.Signature().Recv().Type())
}

// namedOf is the named type that t is, or points to.
func namedOf(t types.Type) *types.Named {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, _ := types.Unalias(t).(*types.Named)
	return n
}

// memberEntry finds what declares a method of t: t's own, or that of a field that t embeds. (Run-time types do not
// tell a promoted method from one of their own.)
func (s *Session) memberEntry(t *types.Named, name string, seen map[types.Type]bool) (docs.Entry, bool) {
	tn := t.Obj()
	if seen[t] {
		return docs.Entry{}, false
	}
	seen[t] = true
	if w, ok := s.writtenOf(tn, "."+name); ok {
		return docs.Entry{Decl: w.decl(), Doc: w.doc}, true
	}
	path := "builtin"
	if tn.Pkg() != nil {
		path = tn.Pkg().Path()
	}
	if e, ok := s.methodEntry(path, tn.Name(), name, 10); ok {
		return e, true
	}
	for _, n := range embedded(t) {
		if e, ok := s.memberEntry(n, name, seen); ok {
			return e, true
		}
	}
	return docs.Entry{}, false
}

// methodEntry looks a method up in the documentation, and in that of the types that typ embeds.
func (s *Session) methodEntry(path, typ, name string, depth int) (docs.Entry, bool) {
	p := s.documentation(path)
	if p == nil || depth == 0 {
		return docs.Entry{}, false
	}
	return p.Method(typ, name, func(other string) (docs.Entry, bool) {
		pkg, typ, qualified := strings.Cut(other, ".")
		if !qualified {
			return s.methodEntry("builtin", other, name, depth-1)
		}
		return s.methodEntry(s.auto[pkg], typ, name, depth-1)
	})
}

// fieldComment is the comment of a field of t, or of one of the types that it embeds.
func (s *Session) fieldComment(t *types.Named, name string, seen map[types.Type]bool) string {
	tn := t.Obj()
	if seen[t] || tn.Pkg() == nil {
		return ""
	}
	seen[t] = true
	var e docs.Entry
	if w, ok := s.writtenOf(tn, ""); ok {
		e.Decl = w.decl()
	} else if p := s.documentation(tn.Pkg().Path()); p != nil {
		e, _ = p.Lookup(tn.Name())
	}
	if c := e.Member(name); c != "" {
		return c
	}
	for _, n := range embedded(t) {
		if c := s.fieldComment(n, name, seen); c != "" {
			return c
		}
	}
	return ""
}

// embedded lists the named types that t embeds.
func embedded(t *types.Named) (out []*types.Named) {
	add := func(t types.Type) {
		if n := namedOf(t); n != nil {
			out = append(out, n)
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if f.Embedded() {
				add(f.Type())
			}
		}
	case *types.Interface:
		for e := range u.EmbeddedTypes() {
			add(e)
		}
	}
	return out
}

// writtenOf is what a cell wrote of the type tn, or of its method with the suffix.
func (s *Session) writtenOf(tn *types.TypeName, suffix string) (written, bool) {
	if tn.Pkg() == nil || !isCellPath(tn.Pkg()) || tn.Parent() != tn.Pkg().Scope() {
		return written{}, false
	}
	return s.wrote(tn.Name() + suffix)
}

// comment returns the doc comment of obj: the shipped one, or what a cell has written.
func (s *Session) comment(obj types.Object, owner *types.Named) string {
	if pkg, ok := obj.(*types.PkgName); ok {
		if p := s.documentation(pkg.Imported().Path()); p != nil {
			return p.Doc
		}
		return ""
	}
	if owner == nil {
		owner = receiver(obj)
	}
	if owner != nil {
		if v, ok := obj.(*types.Var); ok && v.IsField() {
			return s.fieldComment(owner, obj.Name(), map[types.Type]bool{})
		}
		if e, ok := s.memberEntry(owner, obj.Name(), map[types.Type]bool{}); ok {
			return e.Doc
		}
	}
	if obj.Pkg() != nil && isCellPath(obj.Pkg()) {
		w, _ := s.wroteObject(obj)
		return w.doc
	}
	if e, ok := s.entry(obj, nil); ok {
		// of a group, which says why these are together
		if _, alias := obj.Type().(*types.Alias); alias && !strings.Contains(e.Doc, obj.Name()) {
			if named, ok := types.Unalias(obj.Type()).(*types.Named); ok {
				return s.comment(named.Obj(), nil)
			}
		}
		if !e.Group {
			return e.Doc
		}
		if own := e.Member(obj.Name()); own != "" {
			return own
		}
		return e.Doc
	}
	if fn, ok := obj.(*types.Func); ok {
		if u := s.units[fn.Pkg()]; u != nil {
			if d := u.Funcs[fn.Origin()]; d != nil {
				return strings.TrimSpace(d.Doc.Text())
			}
		}
	}
	return ""
}
