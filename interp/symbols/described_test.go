package symbols_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/constant"
	"go/doc"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"regexp"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/symbols/internal/table"
	"github.com/goplus/ixgo"
	"golang.org/x/tools/go/packages"
)

// undescribed are public packages that cells cannot use, or whose names depend on the system.
var undescribed = map[string]bool{"unsafe": true, "runtime/cgo": true, "runtime/race": true, "plugin": true, "syscall": true}

// TestEveryNameIsDescribed asks the session about every exported name and method of every public package of the
// standard library and of the project, and compares the answers with what the compiler and go/doc say of the sources:
// names of parameters and results, type parameters, values of constants, fields, methods, comments.
func TestEveryNameIsDescribed(t *testing.T) {
	s := newSession(t)
	names := map[string]string{} // of the project's packages, as cells know them
	var own []string
	for _, p := range table.Packages {
		if !p.Hidden {
			names[p.Path] = p.Name
			own = append(own, p.Path)
		}
	}
	mode := packages.NeedName | packages.NeedTypes | packages.NeedFiles
	pkgs, err := packages.Load(&packages.Config{Mode: mode}, append(own, "std")...)
	if err != nil {
		t.Fatal(err)
	}
	q := func(p *types.Package) string {
		if n := names[p.Path()]; n != "" {
			return n
		}
		return p.Name()
	}
	w := &describing{t: t, s: s, q: q}
	count := 0
	for i, p := range pkgs {
		if !testsize.Part(i, 3) { // a short test asks about a third of the packages, each turn another
			continue
		}
		if strings.Contains(p.PkgPath, "internal") || strings.HasPrefix(p.PkgPath, "vendor/") || undescribed[p.PkgPath] || foreign(p.PkgPath) {
			continue
		}
		count++
		w.pkg(p)
	}
	t.Logf("%d names of %d packages", w.names, count)
	// 179 and 10,944 with Go 1.26.8
	if !testsize.Short() && (count < 179 || w.names < 10900) || count < 40 || w.names < 1000 {
		t.Errorf("%d names of %d packages: those of Go 1.26 and of the project are more", w.names, count)
	}
}

// foreign reports whether a package is of another project, whose texts are not shipped.
func foreign(path string) bool { return strings.HasPrefix(path, "github.com/go-echarts/") }

type describing struct {
	t     *testing.T
	s     *interp.Session
	q     types.Qualifier
	names int
}

func (w *describing) pkg(p *packages.Package) {
	t := w.t
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		if err != nil {
			t.Error(err)
			return
		}
		files = append(files, f)
	}
	d, err := doc.NewFromFiles(fset, files, p.PkgPath)
	if err != nil {
		t.Error(err)
		return
	}
	comments := map[string]string{}
	values := func(vs []*doc.Value) {
		for _, v := range vs {
			for _, n := range v.Names {
				comments[n] = v.Doc
			}
		}
	}
	funcs := func(prefix string, fs []*doc.Func) {
		for _, f := range fs {
			comments[prefix+f.Name] = f.Doc
		}
	}
	values(d.Consts)
	values(d.Vars)
	funcs("", d.Funcs)
	for _, typ := range d.Types {
		comments[typ.Name] = typ.Doc
		values(typ.Consts)
		values(typ.Vars)
		funcs("", typ.Funcs)
		funcs(typ.Name+".", typ.Methods)
	}
	scope := p.Types.Scope()
	for _, name := range scope.Names() {
		if !token.IsExported(name) {
			continue
		}
		obj := scope.Lookup(name)
		text := w.q(p.Types) + "." + name
		if w.q(p.Types) == p.Name {
			text = "import p " + fmt.Sprintf("%q", p.PkgPath) + "\np." + name
		}
		got, ok := w.s.Describe(text, len([]rune(text)), 0)
		if !ok {
			t.Errorf("%s is not known", text)
			continue
		}
		w.names++
		w.object(obj, got)
		if tn, ok := obj.(*types.TypeName); ok && tn.IsAlias() && !strings.Contains(comments[name], name) && strings.Contains(got.Doc, name) {
			continue // the comment of a group of aliases: that of the type itself says more
		}
		if want := comments[name]; !says(got.Doc, want) && !(grouped(obj) && got.Doc != "") {
			t.Errorf("%s: comment %q, want %q", text, got.Doc, want)
		}
		if tn, ok := obj.(*types.TypeName); ok && !tn.IsAlias() {
			w.methods(tn, got, strings.TrimSuffix(text, name), comments)
		}
	}
}

// grouped reports whether obj may be declared in a group, in which it has a comment of its own.
func grouped(obj types.Object) bool {
	switch obj.(type) {
	case *types.Const, *types.Var:
		return true
	}
	return false
}

// says reports whether a description has a comment, with or without an example behind it.
func says(doc, comment string) bool {
	before, _, _ := strings.Cut(doc, "\n\nFor example:\n\n\t")
	return plainSpace(doc) == plainSpace(comment) || plainSpace(before) == plainSpace(comment)
}

func plainSpace(s string) string { return strings.Join(strings.Fields(s), " ") }

func (w *describing) object(obj types.Object, got interp.Description) {
	t, name := w.t, w.q(obj.Pkg())+"."+obj.Name()
	switch obj := obj.(type) {
	case *types.Func:
		if rest, ok := strings.CutPrefix(got.Signature, "func "+name); !ok || oneByOne(sizes(rest, obj.Pkg())) != w.signature(obj) {
			t.Errorf("%s\n got %s\nwant %s", name, got.Signature, w.signature(obj))
		}
	case *types.Var:
		if want := "var " + name + " " + types.TypeString(obj.Type(), w.q); got.Signature != want {
			t.Errorf("%s\n got %s\nwant %s", name, got.Signature, want)
		}
	case *types.Const:
		head, value, _ := strings.Cut(got.Signature, " = ")
		if want := "const " + name + " " + types.TypeString(obj.Type(), w.q); head != want {
			t.Errorf("%s\n got %s\nwant %s", name, head, want)
		}
		if !sameConstant(value, obj.Val()) {
			t.Errorf("%s\n got %s\nwant %s", name, value, obj.Val().ExactString())
		}
	case *types.TypeName:
		w.typeName(obj, got)
	}
}

func (w *describing) signature(fn *types.Func) string {
	var b bytes.Buffer
	types.WriteSignature(&b, fn.Signature(), w.q)
	return compilersResult.ReplaceAllString(b.String(), "$1")
}

// compilersResult is a result that the compiler has given a name of its own, in its export data.
var compilersResult = regexp.MustCompile(`\(#rv1 (\w+)\)$`)

func (w *describing) typeName(obj *types.TypeName, got interp.Description) {
	t, name := w.t, w.q(obj.Pkg())+"."+obj.Name()
	f, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+got.Signature, 0)
	if err != nil {
		t.Errorf("%s: %v:\n%s", name, err, got.Signature)
		return
	}
	var spec *ast.TypeSpec
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.TypeSpec); ok && spec == nil {
			spec = s
		}
		return true
	})
	if spec == nil || spec.Name.Name != obj.Name() || spec.Assign.IsValid() != obj.IsAlias() {
		t.Errorf("%s: %s", name, got.Signature)
		return
	}
	var params, fields, want []string
	if spec.TypeParams != nil {
		for _, f := range spec.TypeParams.List {
			for _, id := range f.Names {
				params = append(params, id.Name)
			}
		}
	}
	if n, ok := obj.Type().(*types.Named); ok {
		for p := range n.TypeParams().TypeParams() {
			want = append(want, p.Obj().Name())
		}
	}
	if fmt.Sprint(params) != fmt.Sprint(want) {
		t.Errorf("%s has the type parameters %v, want %v", name, params, want)
	}
	want = nil
	switch x := spec.Type.(type) {
	case *ast.StructType:
		for _, f := range x.Fields.List {
			for _, id := range f.Names {
				fields = append(fields, id.Name)
			}
		}
		for f := range obj.Type().Underlying().(*types.Struct).Fields() {
			if f.Exported() && !f.Embedded() {
				want = append(want, f.Name())
			}
		}
	case *ast.InterfaceType:
		for _, f := range x.Methods.List {
			for _, id := range f.Names {
				fields = append(fields, id.Name)
			}
		}
		for m := range obj.Type().Underlying().(*types.Interface).ExplicitMethods() {
			if m.Exported() {
				want = append(want, m.Name())
			}
		}
	}
	if len(fields) != len(want) {
		t.Errorf("%s has %v, want %v", name, fields, want)
	}
}

// oneByOne writes a signature as go/types does: each parameter with its own type.
func oneByOne(sig string) string {
	const head = "package p\n\nfunc f"
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", head+sig, 0)
	if err != nil {
		return sig
	}
	ast.Inspect(f, func(n ast.Node) bool {
		l, ok := n.(*ast.FieldList)
		if !ok || l.Opening.IsValid() && f.Decls[0].(*ast.FuncDecl).Type.TypeParams == l {
			return true
		}
		var out []*ast.Field
		for _, f := range l.List {
			if len(f.Names) < 2 {
				out = append(out, f)
				continue
			}
			for _, id := range f.Names {
				out = append(out, &ast.Field{Names: []*ast.Ident{id}, Type: f.Type})
			}
		}
		l.List = out
		return true
	})
	var b bytes.Buffer
	if format.Node(&b, fset, f) != nil {
		return sig
	}
	return strings.TrimPrefix(strings.TrimSpace(b.String()), head)
}

// sizes writes the lengths of arrays that are constants of the package as numbers.
func sizes(sig string, pkg *types.Package) string {
	return regexp.MustCompile(`\[\w+\.(\w+)\]`).ReplaceAllStringFunc(sig, func(m string) string {
		_, name, _ := strings.Cut(strings.Trim(m, "[]"), ".")
		if c, ok := pkg.Scope().Lookup(name).(*types.Const); ok {
			return "[" + c.Val().String() + "]"
		}
		return m
	})
}

// methods asks about the methods of a type, one by one, and compares the list that its description has.
func (w *describing) methods(tn *types.TypeName, got interp.Description, prefix string, comments map[string]string) {
	_, imp, ok := strings.Cut(prefix, "\n")
	head := ""
	if ok {
		head = strings.TrimSuffix(prefix, imp)
	} else {
		imp = prefix
	}
	set := types.NewMethodSet(types.NewPointer(tn.Type()))
	if types.IsInterface(tn.Type()) {
		set = types.NewMethodSet(tn.Type())
	}
	named := tn.Type().(*types.Named)
	for i := range set.Len() {
		m := set.At(i).Obj().(*types.Func)
		if !m.Exported() || named.TypeParams().Len() > 0 {
			continue
		}
		if m.Pkg() != nil && m.Pkg() != tn.Pkg() && (!seen(m.Pkg().Path()) || foreign(m.Pkg().Path())) {
			continue // promoted from a package that cells do not see: its declarations are not shipped
		}
		text := fmt.Sprintf("%s(*%s%s).%s", head, imp, tn.Name(), m.Name())
		if types.IsInterface(tn.Type()) {
			text = fmt.Sprintf("%s%s%s.%s", head, imp, tn.Name(), m.Name())
		}
		d, ok := w.s.Describe(text, len([]rune(text)), 0)
		if !ok {
			w.t.Errorf("%s is not known", text)
			continue
		}
		w.names++
		want := w.signature(m)
		if _, rest, ok := strings.Cut(d.Signature, ") "+m.Name()+"("); !ok || oneByOne("("+rest) != want {
			w.t.Errorf("%s\n got %s\nwant %s", text, d.Signature, want)
		}
		if c, own := comments[tn.Name()+"."+m.Name()]; own && !says(d.Doc, c) {
			w.t.Errorf("%s: comment %q, want %q", text, d.Doc, c)
		}
	}
}

// sameConstant reports whether a text is the value, to the digits that it has.
func sameConstant(text string, v constant.Value) bool {
	if v.Kind() != constant.Float {
		return text == v.String()
	}
	digits, cut := strings.CutSuffix(text, "…")
	got := constant.MakeFromLiteral(strings.TrimPrefix(digits, "-"), token.FLOAT, 0)
	if !cut {
		return constant.Compare(got, token.EQL, v)
	}
	off := constant.BinaryOp(constant.BinaryOp(got, token.SUB, v), token.QUO, v)
	tiny := constant.MakeFromLiteral("1e-48", token.FLOAT, 0)
	return constant.Compare(off, token.LSS, tiny) && constant.Compare(constant.UnaryOp(token.SUB, off, 0), token.LSS, tiny)
}

// seen reports whether cells see the package.
func seen(path string) bool {
	_, ok := ixgo.LookupPackage(path)
	return ok
}
