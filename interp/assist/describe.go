package assist

import (
	"bytes"
	"go/constant"
	"go/doc"
	"go/types"
	"math/big"
	"path/filepath"
	"strings"

	"github.com/arrayrepl/arrayrepl/interp/docs"
	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/interp/modules"
)

// documentation returns what is shipped about a package, nil when nothing is.
func (a *Assistant) documentation(path string) *docs.Package {
	path, _, _ = strings.Cut(path, "@") // an engine's own part of a package
	p, known := a.documented[path]
	if !known {
		if src := a.Modules.Package(path); src != nil {
			p = sourceDocumentation(src)
			a.documented[path] = p
			return p
		}
		if src, err := a.Modules.Own(path); src != nil && err == nil && !a.Installed[path] {
			return sourceDocumentation(src) // not kept: no cell has imported it, and its files may change
		}
		for _, fsys := range a.Docs {
			if p, _ = docs.Load(fsys, path); p != nil {
				break
			}
		}
		a.documented[path] = p
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
func (a *Assistant) qualify(p *types.Package) string {
	if engine.IsCell(p) {
		return ""
	}
	path, _, _ := strings.Cut(p.Path(), "@") // the part of a package that is interpreted
	if name := a.OwnName(path); name != "" {
		return name
	}
	return p.Name()
}

// TypeString writes a type as cells name it.
func (a *Assistant) TypeString(t types.Type) string { return plainAny(types.TypeString(t, a.qualify)) }

// plainAny writes the empty interface of run-time types as Go programmers do.
func plainAny(text string) string { return strings.ReplaceAll(text, "interface{}", "any") }

// signature declares obj in one line, qualified as cells qualify it, with the parameter names of its documentation.
// The name owner is the type whose field or method it is, "" for others.
func (a *Assistant) signature(obj types.Object, owner *types.Named) string {
	text := ""
	switch obj := obj.(type) {
	case *types.PkgName:
		text = "package " + obj.Imported().Name() + " // import \"" + obj.Imported().Path() + "\""
	case *types.Builtin:
		if e, ok := a.entry(obj, owner); ok {
			text = e.Decl
		} else {
			text = "func " + obj.Name() // of package unsafe
		}
	case *types.Nil:
		text = "var nil Type // Type must be a pointer, channel, func, interface, map, or slice type"
	case *types.Func:
		text = a.function(obj, owner)
	case *types.Const:
		text = types.ObjectString(obj, a.qualify)
		if t := a.writtenType(obj, owner); t != "" {
			text = "const " + a.prefix(obj.Pkg()) + obj.Name() + " " + t
		}
		if v := obj.Val(); v.Kind() != constant.Unknown {
			text += " = " + constantText(v)
		}
	case *types.TypeName:
		text = a.typeLine(obj)
	case *types.Var:
		text = plainAny(types.ObjectString(obj, a.qualify))
		switch t := a.writtenType(obj, owner); {
		case t == "":
			if obj.Pkg() != nil && a.Installed[obj.Pkg().Path()] {
				text = strings.ReplaceAll(text, "[]uint8", "[]byte") // as everybody writes it
			}
		case obj.IsField():
			text = "field " + obj.Name() + " " + t
		default:
			text = "var " + a.prefix(obj.Pkg()) + obj.Name() + " " + t
		}
	default:
		text = plainAny(types.ObjectString(obj, a.qualify))
	}
	return strings.ReplaceAll(text, "·before", "")
}

// writtenType is the type that a compiled package's declaration gives to a variable, constant or field, "" when it
// does not say: run-time types call bytes uint8 and runes int32.
func (a *Assistant) writtenType(obj types.Object, owner *types.Named) string {
	if obj.Pkg() == nil || engine.IsCell(obj.Pkg()) {
		return ""
	}
	e, ok := a.entry(obj, nil)
	if v, isVar := obj.(*types.Var); isVar && v.IsField() {
		if owner == nil || owner.Obj().Pkg() != obj.Pkg() || owner.TypeArgs().Len() > 0 {
			return ""
		}
		e, ok = a.entry(owner.Obj(), nil)
	}
	if !ok {
		return ""
	}
	return e.Type(obj.Name(), a.prefix(obj.Pkg()))
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
func (a *Assistant) typeLine(tn *types.TypeName) string {
	if alias, ok := tn.Type().(*types.Alias); ok && tn.Pkg() != nil {
		return "type " + a.prefix(tn.Pkg()) + tn.Name() + " = " + a.TypeString(alias.Rhs())
	}
	name := a.TypeString(tn.Type())
	switch u := tn.Type().Underlying().(type) {
	case *types.Struct:
		return "type " + name + " struct{ … }"
	case *types.Interface:
		if u.NumMethods() > 0 {
			return "type " + name + " interface{ … }"
		}
		return "type " + name + " " + a.TypeString(u)
	case *types.Basic:
		if tn.Pkg() == nil {
			return "type " + name
		}
		return "type " + name + " " + a.TypeString(u)
	default:
		return "type " + name + " " + a.TypeString(u)
	}
}

func (a *Assistant) prefix(p *types.Package) string {
	if q := a.qualify(p); q != "" {
		return q + "."
	}
	return ""
}

// Declaration is how obj is declared, and the first sentence of what is said about it.
func (a *Assistant) Declaration(obj types.Object) string {
	return strings.TrimSuffix(a.signature(obj, nil)+"\n"+synopsis(a.comment(obj, nil)), "\n")
}

// function declares a function or method. What a package declares is shown as it is written there: run-time types have
// no parameter names, and call bytes uint8. go/types writes methods as nobody declares them.
func (a *Assistant) function(fn *types.Func, owner *types.Named) string {
	form, ok := a.Form(fn, owner)
	if !ok {
		var b bytes.Buffer
		types.WriteSignature(&b, fn.Signature(), a.qualify)
		form.Signature = plainAny(b.String())
	}
	recv := fn.Signature().Recv()
	switch {
	case recv == nil && fn.Pkg() != nil:
		return "func " + a.prefix(fn.Pkg()) + fn.Name() + form.Signature
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
	return "func (" + strings.TrimSpace(name+" "+a.TypeString(t)) + ") " + fn.Name() + form.Signature
}

// Form returns how a package declares a function or method. What cells declare, and what has type arguments, is better
// told by its types.
func (a *Assistant) Form(fn *types.Func, owner *types.Named) (f docs.Form, ok bool) {
	if r := receiver(fn); r != nil && r.TypeArgs().Len() > 0 || fn.Origin() != fn || fn.Pkg() != nil && engine.IsCell(fn.Pkg()) {
		return f, false
	}
	e, ok := a.entry(fn, owner)
	if !ok {
		return f, false
	}
	prefix := ""
	// of what fn's receiver embeds, not fn's
	if p, err := a.Import(e.Path); e.Path != "" && e.Path != "builtin" && err == nil {
		prefix = a.prefix(p)
	}
	f, ok = e.Form(fn.Name(), prefix)
	return f, ok && len(f.Params) == fn.Signature().Params().Len()
}

// entry finds the shipped documentation of obj; owner is the type whose field or method it is.
func (a *Assistant) entry(obj types.Object, owner *types.Named) (docs.Entry, bool) {
	if owner == nil {
		owner = receiver(obj)
	}
	if obj.Pkg() == nil && owner == nil {
		if p := a.documentation("builtin"); p != nil {
			return p.Lookup(obj.Name())
		}
		return docs.Entry{}, false
	}
	if owner == nil {
		if v, ok := obj.(*types.Var); ok && v.IsField() || engine.IsCell(obj.Pkg()) {
			return docs.Entry{}, false
		}
		if p := a.documentation(obj.Pkg().Path()); p != nil {
			return p.Lookup(obj.Name())
		}
		return docs.Entry{}, false
	}
	return a.memberEntry(owner, obj.Name(), map[types.Type]bool{})
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
func (a *Assistant) memberEntry(t *types.Named, name string, seen map[types.Type]bool) (docs.Entry, bool) {
	tn := t.Obj()
	if seen[t] {
		return docs.Entry{}, false
	}
	seen[t] = true
	if w, ok := a.writtenOf(tn, "."+name); ok {
		return docs.Entry{Decl: w.decl(), Doc: w.doc}, true
	}
	path := "builtin"
	if tn.Pkg() != nil {
		path = tn.Pkg().Path()
	}
	if e, ok := a.methodEntry(path, tn.Name(), name, 10); ok {
		return e, true
	}
	for _, n := range embedded(t) {
		if e, ok := a.memberEntry(n, name, seen); ok {
			return e, true
		}
	}
	return docs.Entry{}, false
}

// methodEntry looks a method up in the documentation, and in that of the types that typ embeds.
func (a *Assistant) methodEntry(path, typ, name string, depth int) (docs.Entry, bool) {
	p := a.documentation(path)
	if p == nil || depth == 0 {
		return docs.Entry{}, false
	}
	return p.Method(typ, name, func(other string) (docs.Entry, bool) {
		pkg, typ, qualified := strings.Cut(other, ".")
		if !qualified {
			return a.methodEntry("builtin", other, name, depth-1)
		}
		return a.methodEntry(a.Auto[pkg], typ, name, depth-1)
	})
}

// fieldComment is the comment of a field of t, or of one of the types that it embeds.
func (a *Assistant) fieldComment(t *types.Named, name string, seen map[types.Type]bool) string {
	tn := t.Obj()
	if seen[t] || tn.Pkg() == nil {
		return ""
	}
	seen[t] = true
	var e docs.Entry
	if w, ok := a.writtenOf(tn, ""); ok {
		e.Decl = w.decl()
	} else if p := a.documentation(tn.Pkg().Path()); p != nil {
		e, _ = p.Lookup(tn.Name())
	}
	if c := e.Member(name); c != "" {
		return c
	}
	for _, n := range embedded(t) {
		if c := a.fieldComment(n, name, seen); c != "" {
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
func (a *Assistant) writtenOf(tn *types.TypeName, suffix string) (written, bool) {
	if tn.Pkg() == nil || !engine.IsCell(tn.Pkg()) || tn.Parent() != tn.Pkg().Scope() {
		return written{}, false
	}
	return a.wrote(tn.Name() + suffix)
}

// comment returns the doc comment of obj: the shipped one, or what a cell has written.
func (a *Assistant) comment(obj types.Object, owner *types.Named) string {
	if pkg, ok := obj.(*types.PkgName); ok {
		if p := a.documentation(pkg.Imported().Path()); p != nil {
			return p.Doc
		}
		return ""
	}
	if owner == nil {
		owner = receiver(obj)
	}
	if owner != nil {
		if v, ok := obj.(*types.Var); ok && v.IsField() {
			return a.fieldComment(owner, obj.Name(), map[types.Type]bool{})
		}
		if e, ok := a.memberEntry(owner, obj.Name(), map[types.Type]bool{}); ok {
			return e.Doc
		}
	}
	if obj.Pkg() != nil && engine.IsCell(obj.Pkg()) {
		w, _ := a.wroteObject(obj)
		return w.doc
	}
	if e, ok := a.entry(obj, nil); ok {
		// of a group, which says why these are together
		if _, alias := obj.Type().(*types.Alias); alias && !strings.Contains(e.Doc, obj.Name()) {
			if named, ok := types.Unalias(obj.Type()).(*types.Named); ok {
				return a.comment(named.Obj(), nil)
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
		if d := a.Declared(fn); d != nil {
			return strings.TrimSpace(d.Doc.Text())
		}
	}
	return ""
}

// Parameters writes the parameters of a function as its declaration has them, "(s string, count int)".
func (a *Assistant) Parameters(fn *types.Func) string {
	if form, ok := a.Form(fn, nil); ok {
		return "(" + strings.Join(form.Params, ", ") + ")"
	}
	var b bytes.Buffer
	sig := fn.Signature()
	types.WriteSignature(&b, types.NewSignatureType(nil, nil, nil, sig.Params(), nil, sig.Variadic()), a.qualify)
	return plainAny(b.String())
}
