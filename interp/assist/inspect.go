package assist

import (
	"fmt"
	"go/ast"
	"go/doc/comment"
	"go/token"
	"go/types"
	"html"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/arrayrepl/arrayrepl/interp/docs"
	"github.com/arrayrepl/arrayrepl/interp/engine"
)

// Description is what is known of a name.
type Description struct {
	Signature string   // its declaration: in one line, but for types
	Param     string   // in a call, the parameter that the cursor is at: "count int"
	Value     string   // of a variable with a simple value
	Doc       string   // its doc comment
	Options   []string // of a function that takes options, the calls that make them
	Methods   []string // of a type, the declarations of its exported methods
	Source    string   // the cell's own text; asked for with detail 1
}

// Plain is the description as text.
func (d Description) Plain() string {
	code := func(text string) string { return text }
	printer := &comment.Printer{TextWidth: 100}
	return d.render(code, printer.Text)
}

// Markdown is the description as Markdown, for clients that render it.
func (d Description) Markdown() string { return d.render(fence, d.printer().Markdown) }

// HTML is the description as HTML.
func (d Description) HTML() string {
	code := func(text string) string { return "<pre><code>" + html.EscapeString(text) + "</code></pre>" }
	return d.render(code, d.printer().HTML)
}

// render joins the parts of a description, code and comments each in its form.
func (d Description) render(code func(string) string, doc func(*comment.Doc) []byte) string {
	head := d.Signature
	if d.Value != "" {
		head += " = " + d.Value
	}
	if d.Param != "" {
		head += "\n// here: " + d.Param
	}
	parts := []string{code(head)}
	if d.Doc != "" {
		parts = append(parts, strings.TrimSpace(string(doc(new(comment.Parser).Parse(d.Doc)))))
	}
	if len(d.Options) > 0 {
		parts = append(parts, code("// Options:\n    "+strings.Join(d.Options, "\n    ")))
	}
	if len(d.Methods) > 0 {
		parts = append(parts, code(strings.Join(d.Methods, "\n")))
	}
	if d.Source != "" {
		parts = append(parts, code(d.Source))
	}
	return strings.Join(parts, "\n\n")
}

func fence(code string) string { return "```go\n" + code + "\n```" }

// printer renders doc comments; links to what has no page on the web are plain text.
func (d Description) printer() *comment.Printer {
	return &comment.Printer{HeadingLevel: 4, DocLinkURL: func(l *comment.DocLink) string {
		if l.ImportPath == "" || strings.Contains(strings.Split(l.ImportPath, "/")[0], ".") {
			return ""
		}
		return l.DefaultURL("https://pkg.go.dev")
	}}
}

// Describe describes the name at cursor, counted in code points: a package, function, type, method, field, variable,
// constant, keyword, or the label of a composite literal. Inside the brackets of a call, where there is no such name,
// it is the function that is called. Detail 1 adds the text that a cell declared it with. ok is false when nothing is
// known.
func (a *Assistant) Describe(src string, cursor, detail int) (d Description, ok bool) {
	defer a.begin(src)()
	start, end, _ := wordAt(src, cursor)
	p := look(src[:start])
	if p.literal >= 0 && !p.opaque && p.inImport() {
		return a.describePath(src, p.literal)
	}
	if start < end && !p.opaque && p.literal < 0 {
		if d, ok = a.describeName(src, start, end, detail); ok {
			return d, true
		}
	}
	return a.describeCaller(src, start, detail)
}

// describePath describes the package whose path is the string at an offset.
func (a *Assistant) describePath(src string, literal int) (Description, bool) {
	path := src[literal+1:]
	if i := strings.IndexAny(path, "\"`\n"); i >= 0 {
		path = path[:i]
	}
	if p := a.documentation(path); p != nil {
		return Description{Signature: "package " + p.Name + " // import " + strconv.Quote(path), Doc: p.Doc}, true
	}
	return Description{}, false
}

// describeName describes the name src[start:end].
func (a *Assistant) describeName(src string, start, end, detail int) (Description, bool) {
	name := src[start:end]
	if token.IsKeyword(name) {
		k := keywords[name]
		return Description{Signature: k.form, Doc: k.doc}, true
	}
	for _, c := range []*Text{a.probeWhole(src), a.probeAt(src[:end], src[end:])} {
		if c == nil {
			continue
		}
		if obj, owner := c.objectAt(start, name); obj != nil {
			return a.describe(obj, owner, detail), true
		}
	}
	if path := a.Auto[name]; path != "" && a.Names[name] == nil && !strings.HasSuffix(strings.TrimRight(src[:start], " \t\n"), ".") {
		if p := a.documentation(path); p != nil {
			return Description{Signature: "package " + p.Name + " // import " + strconv.Quote(path), Doc: p.Doc}, true
		}
	}
	return Description{}, false
}

// objectAt finds what the name at an offset of the cell means, and the type whose member it is.
func (c *Text) objectAt(start int, name string) (obj types.Object, owner *types.Named) {
	var stack []ast.Node
	ast.Inspect(c.File, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, n)
		id, ok := n.(*ast.Ident)
		if !ok || obj != nil || !id.Pos().IsValid() || strings.TrimSuffix(id.Name, "·before") != name ||
			c.Offset(id.Pos()) != start {
			return true
		}
		obj = c.Info.ObjectOf(id)
		if implicit := c.Info.Implicits[stack[max(0, len(stack)-2)]]; obj == nil && implicit != nil {
			obj = implicit
		}
		if len(stack) > 1 {
			switch up := stack[len(stack)-2].(type) {
			case *ast.SelectorExpr:
				if up.Sel == id {
					owner = memberOwner(c, up)
				}
			case *ast.KeyValueExpr:
				if lit, ok := stack[len(stack)-3].(*ast.CompositeLit); ok && up.Key == id && c.Info.TypeOf(lit) != nil {
					if v, ok := obj.(*types.Var); ok && v.IsField() {
						owner = namedOf(c.Info.TypeOf(lit))
					}
				}
			}
		}
		return true
	})
	for _, m := range c.Methods {
		if m.Obj != nil && m.Obj.Name() == name && c.Offset(m.Decl.Name.Pos()) == start {
			obj = m.Obj
		}
	}
	switch obj.(type) {
	case *types.Var, *types.Const: // of what is wrong
		if obj.Type() == types.Typ[types.Invalid] {
			return nil, nil
		}
	}
	return obj, owner
}

// describeCaller describes the call around a byte offset at which no name begins.
func (a *Assistant) describeCaller(src string, at, detail int) (Description, bool) {
	p := look(src[:at])
	switch {
	case p.comment:
		return Description{}, false
	case p.literal >= 0:
		at = p.literal
	case p.opaque: // a number
		at = strings.LastIndexFunc(src[:at], func(r rune) bool { return !isWord(r) && r != '.' }) + 1
	}
	text := src[:at]
	if p = look(text); p.endsOperand() {
		text += " + "
	}
	text += marker
	c := a.probeAt(text, "")
	if c == nil {
		return Description{}, false
	}
	path := pathTo(c.File)
	for i := len(path) - 2; i >= 0; i-- {
		n, ok := path[i].(*ast.CallExpr)
		if _, isLit := path[i].(*ast.FuncLit); isLit {
			break
		}
		if !ok {
			continue
		}
		if call := a.describeCall(c, n, path[i+1]); call != nil {
			obj, owner := called(c, n.Fun)
			if obj == nil {
				return Description{Signature: call.Signature, Param: call.Param}, true
			}
			d := a.describe(obj, owner, detail)
			d.Param = call.Param
			return d, true
		}
	}
	return Description{}, false
}

// describe collects what is known of obj, a member of owner.
func (a *Assistant) describe(obj types.Object, owner *types.Named, detail int) Description {
	d := Description{Signature: a.signature(obj, owner), Doc: a.comment(obj, owner)}
	switch o := obj.(type) {
	case *types.TypeName:
		a.describeType(&d, o)
	case *types.Func:
		d.Options = a.options(o)
	case *types.Var:
		if d.Value = a.value(o); d.Value == "" && d.Doc == "" && !o.IsField() { // say more of its type
			if n := namedOf(o.Type()); n != nil {
				d.Doc = a.comment(n.Obj(), nil)
			}
		}
	}
	if detail > 0 {
		if w, ok := a.wroteObject(obj); ok && w.cell > 0 { // not the text that is being asked about
			d.Source = fmt.Sprintf("// cell %d\n%s", w.cell, w.src)
		}
	}
	return d
}

// describeType gives a type its whole declaration and lists its methods.
func (a *Assistant) describeType(d *Description, tn *types.TypeName) {
	var e docs.Entry
	if w, ok := a.writtenOf(tn, ""); ok {
		e.Decl = w.decl()
	} else if found, ok := a.entry(tn, nil); ok {
		e = found
	}
	_, basic := tn.Type().(*types.Basic)
	if e.Decl != "" && !basic && !e.Group {
		d.Signature = e.Decl
	} else if tn.Pkg() != nil && engine.IsCell(tn.Pkg()) {
		d.Signature = types.ObjectString(tn, a.qualify)
	}
	t := tn.Type()
	if types.IsInterface(t) || tn.Pkg() == nil {
		return
	}
	set := types.NewMethodSet(types.NewPointer(t))
	for i := range set.Len() {
		if m, ok := set.At(i).Obj().(*types.Func); ok && visible(m) {
			d.Methods = append(d.Methods, a.signature(m, nil))
		}
	}
	slices.Sort(d.Methods)
}

// longest is how much of a string is shown.
const longest = 60

// value writes the value of a variable of an earlier cell when that is simple and costs nothing; "" else. While a cell
// runs, it may change at any time: then nothing is read.
func (a *Assistant) value(v *types.Var) string {
	switch x := a.Value(v); x.Kind() {
	case reflect.Bool:
		return strconv.FormatBool(x.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.FormatInt(x.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return strconv.FormatUint(x.Uint(), 10)
	case reflect.Float32:
		return strconv.FormatFloat(x.Float(), 'g', -1, 32)
	case reflect.Float64:
		return strconv.FormatFloat(x.Float(), 'g', -1, 64)
	case reflect.Complex64, reflect.Complex128:
		return fmt.Sprint(x.Complex())
	case reflect.String:
		if text := x.String(); len(text) > longest {
			cut := longest
			for !utf8.RuneStart(text[cut]) {
				cut--
			}
			return strconv.Quote(text[:cut]) + "…"
		}
		return strconv.Quote(x.String())
	case reflect.Slice, reflect.Map, reflect.Chan:
		if x.IsNil() {
			return "nil"
		}
		return fmt.Sprintf("{ … } // len %d", x.Len())
	case reflect.Pointer, reflect.Interface, reflect.Func:
		if x.IsNil() {
			return "nil"
		}
		if x.Kind() == reflect.Pointer {
			return a.arrayOf(x, v.Type())
		}
	}
	return ""
}

// arrayOf tells the shape and the element type of a value of a compiled package that has both, "" for others: an
// array's elements may not exist yet, and its String would compute them.
func (a *Assistant) arrayOf(x reflect.Value, t types.Type) string {
	n := namedOf(t)
	if n == nil || n.Obj().Pkg() == nil || !a.Installed[n.Obj().Pkg().Path()] {
		return ""
	}
	shape, dtype := x.MethodByName("Shape"), x.MethodByName("DType")
	for _, m := range []reflect.Value{shape, dtype} {
		if !m.IsValid() || m.Type().NumIn() != 0 || m.Type().NumOut() != 1 {
			return ""
		}
	}
	return fmt.Sprint("{ … } // ", dtype.Call(nil)[0], " ", shape.Call(nil)[0])
}
