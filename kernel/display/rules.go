package display

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"image"
	"image/color"
	"io"
	"io/fs"
	"reflect"
	"strconv"
	"strings"
	"sync"
)

// rule is one way to show values. It takes a value by what it is: its methods or its kind, never by the package that
// declares it, since the package would then be linked into every program.
type rule struct {
	name string
	show func(v any, rv reflect.Value, o Options) (b Bundle, ok bool, err error)
}

// firstOfKind is the first of the rules that fmt has another text for.
const firstOfKind = "an error"

// rules are asked in this order; what none of them takes is a table or text.
var rules []rule

func init() {
	rules = []rule{
		{"a function of the cell's for its type (Register)", ofRegistered},
		{"MIMEBundle() Bundle", ofBundler},
		{"Render() Data, SimpleRender() MIMEMap: gophernotes", func(v any, _ reflect.Value, o Options) (Bundle, bool, error) {
			b, ok := rendered(v, o)
			return b, ok, nil
		}},
		{"a rule of another package (Extend)", ofExtended},
		{"Render(io.Writer) error: a page or a part of one", ofRenderer},
		{"HTML() string and its kin", ofForms},
		{"WriterTo(width, height, format): gonum's plots", ofPlot},
		{"a picture, or the bytes of one", func(v any, _ reflect.Value, _ Options) (Bundle, bool, error) { return picture(v) }},
		{firstOfKind, ofErrors},
		{"a colour", ofColor},
		{"rows of a database", ofRows},
		{"what a statement has done in a database", ofSQLResult},
		{"what is known by its kind", ofKinds},
		{"pictures and charts in a slice or a map", ofPictures},
		{"the description of a file", func(v any, rv reflect.Value, _ Options) (Bundle, bool, error) {
			info, ok := v.(fs.FileInfo)
			if !ok || printsItself(v) || nilable(rv.Kind()) && rv.IsNil() {
				return Bundle{}, false, nil
			}
			return Text(fs.FormatFileInfo(info)), true, nil
		}},
		{"MarshalJSON, MarshalText", ofMarshalers},
		{"what its pointer is shown as", ofPointer},
	}
}

// registered are the functions of cells, by the type that they show; those for interfaces are asked in order.
var registered struct {
	sync.RWMutex
	types      map[reflect.Type]reflect.Value
	interfaces []reflect.Value
	extended   []func(any) (Bundle, bool)
}

// Register has values of one type displayed as what show returns: a Bundle, as [HTML] and its kin make, a text, a
// picture, any value. Show is a function with one parameter, whose type is the type, or an interface that types have,
// and one result:
//
//	display.Register(func(p Point) any { return display.HTML(p.svg()) })
//
// The plain text stays that of the value where the result has none of its own. Registering a type again replaces the
// function. It panics when show is not such a function.
func Register(show any) {
	if _, boxed := show.(interface{ Unboxed() any }); boxed {
		panic(errors.New("display.Register: this engine's values of cells' types do not tell their types; the engine ixgo's do"))
	}
	f := reflect.ValueOf(show)
	if !f.IsValid() || f.Kind() != reflect.Func || f.IsNil() || f.Type().NumIn() != 1 || f.Type().NumOut() != 1 || f.Type().IsVariadic() {
		panic(fmt.Errorf("display.Register wants a function of one parameter and one result, not %T", show))
	}
	t := f.Type().In(0)
	registered.Lock()
	defer registered.Unlock()
	if t.Kind() != reflect.Interface {
		if registered.types == nil {
			registered.types = map[reflect.Type]reflect.Value{}
		}
		registered.types[t] = f
		return
	}
	if t.NumMethod() == 0 {
		panic(errors.New("display.Register: the parameter's type is any: every value would be shown by this function; give it the type to show"))
	}
	for i, g := range registered.interfaces {
		if g.Type().In(0) == t {
			registered.interfaces[i] = f
			return
		}
	}
	registered.interfaces = append(registered.interfaces, f)
}

// Extend adds a rule of a package that knows more kinds of values. It is for packages, in their init.
func Extend(show func(v any) (b Bundle, ok bool)) {
	if show == nil {
		panic(errors.New("display.Extend wants a function, not nil"))
	}
	registered.Lock()
	defer registered.Unlock()
	registered.extended = append(registered.extended, show)
}

func ofRegistered(v any, rv reflect.Value, _ Options) (Bundle, bool, error) {
	if v == nil {
		return Bundle{}, false, nil
	}
	f, ok := registeredFor(rv.Type())
	if !ok {
		return Bundle{}, false, nil
	}
	out := f.Call([]reflect.Value{rv})[0].Interface()
	if out != nil && reflect.TypeOf(out) == rv.Type() {
		return Bundle{}, false, nil // it has been called for itself
	}
	b, err := of(out, Options{})
	return b, err == nil, err
}

// registeredText is the text that a function of the cell's shows v as, where it gives no more than a text.
func registeredText(v reflect.Value) (s string, ok bool) {
	if !v.CanInterface() || v.Kind() == reflect.Interface || nilable(v.Kind()) && v.IsNil() {
		return "", false
	}
	f, ok := registeredFor(v.Type())
	if !ok {
		return "", false
	}
	defer func() {
		if recover() != nil {
			s, ok = "", false // a value alone says what failed
		}
	}()
	s, ok = f.Call([]reflect.Value{v})[0].Interface().(string)
	return s, ok
}

func isRegistered(t reflect.Type) bool { _, ok := registeredFor(t); return ok }

func registeredFor(t reflect.Type) (show reflect.Value, ok bool) {
	registered.RLock()
	defer registered.RUnlock()
	if f, ok := registered.types[t]; ok {
		return f, true
	}
	for _, g := range registered.interfaces {
		if t.Implements(g.Type().In(0)) {
			return g, true
		}
	}
	return reflect.Value{}, false
}

func ofBundler(v any, _ reflect.Value, _ Options) (Bundle, bool, error) {
	switch v := v.(type) {
	case Bundle:
		return v, true, nil
	case Bundler:
		return v.MIMEBundle(), true, nil
	}
	return Bundle{}, false, nil
}

func ofExtended(v any, _ reflect.Value, _ Options) (Bundle, bool, error) {
	registered.RLock()
	list := registered.extended
	registered.RUnlock()
	for _, f := range list {
		if b, ok := f(v); ok {
			return b, true, nil
		}
	}
	return Bundle{}, false, nil
}

func ofRenderer(v any, rv reflect.Value, _ Options) (Bundle, bool, error) {
	r, ok := v.(interface{ Render(io.Writer) error })
	if !ok {
		return Bundle{}, false, nil
	}
	var page strings.Builder
	if err := r.Render(&page); err != nil {
		return Bundle{}, false, fmt.Errorf("display: rendering a %s: %w", TypeName(rv.Type()), err)
	}
	b := Text(fmt.Sprintf("<%s: %d bytes of HTML>", TypeName(rv.Type()), page.Len()))
	b.Data[TypeHTML] = page.String()
	return b, true, nil
}

func ofForms(v any, _ reflect.Value, o Options) (Bundle, bool, error) {
	data := forms(v)
	if len(data) == 0 {
		return Bundle{}, false, nil
	}
	data[TypeText] = clip(plain(v, o))
	return Bundle{Data: data}, true, nil
}

// The size of a plot, in points: 6 by 4 inches, as a figure of a text has it.
const plotWidth, plotHeight = 432, 288

// ofPlot shows what writes itself as a picture of a size in a format, as plot.Plot of gonum does. The lengths are of a
// type of gonum's, so the method is looked up by its name.
func ofPlot(v any, rv reflect.Value, _ Options) (Bundle, bool, error) {
	m, ok := plotMethod(rv)
	if !ok {
		return Bundle{}, false, nil
	}
	t := m.Type()
	b := Text("<" + TypeName(rv.Type()) + ">")
	for _, f := range []struct{ format, mime string }{{"svg", TypeSVG}, {"png", TypePNG}} {
		out := m.Call([]reflect.Value{reflect.ValueOf(plotWidth).Convert(t.In(0)), reflect.ValueOf(plotHeight).Convert(t.In(1)), reflect.ValueOf(f.format).Convert(t.In(2))})
		if err, _ := out[1].Interface().(error); err != nil {
			return Bundle{}, false, fmt.Errorf("display: %s as %s: %w", TypeName(rv.Type()), f.format, err)
		}
		var file strings.Builder
		if _, err := out[0].Interface().(io.WriterTo).WriteTo(&file); err != nil {
			return Bundle{}, false, fmt.Errorf("display: %s as %s: %w", TypeName(rv.Type()), f.format, err)
		}
		if f.mime == TypePNG {
			b.Data[f.mime] = []byte(file.String())
			continue
		}
		svg := file.String() // from the element on: what stands before it belongs to a file
		if i := strings.Index(svg, "<svg"); i > 0 {
			svg = svg[i:]
		}
		b.Data[f.mime] = svg
	}
	return b, true, nil
}

// plotMethod is the method of a value by which it writes itself as a picture. A plot by value has it by its pointer.
func plotMethod(rv reflect.Value) (m reflect.Value, ok bool) {
	switch k := rv.Kind(); {
	case k == reflect.Struct && rv.CanInterface() && reflect.PointerTo(rv.Type()).NumMethod() > 0:
		p := reflect.New(rv.Type())
		p.Elem().Set(rv)
		rv = p
	case k != reflect.Pointer || rv.IsNil() || rv.NumMethod() == 0:
		return m, false
	}
	if m = rv.MethodByName("WriterTo"); !m.IsValid() {
		return m, false
	}
	t := m.Type()
	return m, t.NumIn() == 3 && t.In(0).Kind() == reflect.Float64 && t.In(1).Kind() == reflect.Float64 && t.In(2).Kind() == reflect.String &&
		t.NumOut() == 2 && t.Out(0).Implements(reflect.TypeFor[io.WriterTo]()) && t.Out(1).Implements(reflect.TypeFor[error]())
}

func ofErrors(v any, rv reflect.Value, _ Options) (Bundle, bool, error) {
	err, ok := v.(error)
	if !ok || nilable(rv.Kind()) && rv.IsNil() {
		return Bundle{}, false, nil
	}
	return ofError(err), true, nil
}

func ofColor(v any, rv reflect.Value, _ Options) (Bundle, bool, error) {
	c, ok := v.(color.Color)
	if !ok || rv.Kind() == reflect.Pointer && rv.IsNil() {
		return Bundle{}, false, nil
	}
	return colorBundle(c), true, nil
}

func ofRows(v any, rv reflect.Value, _ Options) (Bundle, bool, error) {
	rows, ok := v.(sqlRows)
	if !ok || rv.Kind() == reflect.Pointer && rv.IsNil() {
		return Bundle{}, false, nil
	}
	t, err := rowsOf(rows)
	if err != nil {
		return Bundle{}, false, fmt.Errorf("display: rows of a database: %w", err)
	}
	columns := CurrentScreen().Columns
	if columns == 0 {
		columns = 1 << 20
	}
	b := Text(clip(t.text(columns)))
	b.Data[TypeHTML] = t.html()
	return b, true, nil
}

// ofKinds shows bytes, channels, sequences, and those types of the standard library that have no methods to know them
// by.
func ofKinds(v any, rv reflect.Value, _ Options) (Bundle, bool, error) {
	switch rv.Kind() {
	case reflect.Slice, reflect.Array:
		if raw, ok := v.(json.RawMessage); ok {
			return ofJSON(raw)
		}
		_, asText := v.(encoding.TextMarshaler)
		if rv.Type().Elem() == reflect.TypeFor[byte]() && !printsItself(v) && !asText {
			return ofManyBytes(rv)
		}
	case reflect.Struct:
		if box, ok := v.(interface{ Unboxed() any }); ok {
			if f := unboxed(box); f.IsValid() && f.Kind() == reflect.Func {
				return ofKinds(f.Interface(), f, Options{})
			}
		}
		if inner, ok := v.(reflect.Value); ok && inner.IsValid() && inner.CanInterface() {
			return Text("reflect.Value of " + goText(inner.Interface(), false)), true, nil
		}
	case reflect.Func:
		if n, ok := sequence(rv.Type()); ok && !rv.IsNil() {
			what := map[int]string{0: "nothing", 1: "values", 2: "pairs"}[n]
			return Text(fmt.Sprintf("%s: a sequence of %s; display.First(it, 10) has the first ones", TypeName(rv.Type()), what)), true, nil
		}
	case reflect.String:
		if t := rv.Type(); t.PkgPath() == "html/template" && t.Name() == "HTML" {
			return HTML(rv.String()), true, nil
		}
	case reflect.Pointer:
		if s, ok := responseText(rv); ok {
			b := Text(clip(s))
			head, body, _ := strings.Cut(b.Text(), "\n\n")
			b.Data[TypeHTML] = "<pre><b>" + strings.Replace(html.EscapeString(head), "\n", "</b>\n", 1) + "\n\n" + html.EscapeString(body) + "</pre>"
			return b, true, nil
		}
	}
	return Bundle{}, false, nil
}

// ofManyBytes is a slice or an array of bytes. Arrays, which are hashes and addresses more than texts, are in
// hexadecimal.
func ofManyBytes(v reflect.Value) (Bundle, bool, error) {
	name := TypeName(v.Type())
	if v.Kind() == reflect.Slice {
		if v.Type().Name() != "" && v.Len() <= fewBytes {
			return Bundle{}, false, nil // a literal
		}
		return Text(ofBytes(v.Bytes(), name)), true, nil
	}
	if v.Len() <= fewBytes {
		return Bundle{}, false, nil
	}
	b := make([]byte, v.Len())
	reflect.Copy(reflect.ValueOf(b), v)
	return Text(name + ":\n" + dump(b)), true, nil
}

func ofJSON(raw json.RawMessage) (Bundle, bool, error) {
	if !json.Valid(raw) {
		return Text(ofBytes(raw, "json.RawMessage")), true, nil
	}
	var text strings.Builder
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(raw); err != nil {
		return Bundle{}, false, err
	}
	b := Text(clip(strings.TrimSpace(text.String())))
	b.Data[TypeJSON] = raw
	return b, true, nil
}

// maxPictures of a slice or a map are shown.
const maxPictures = 20

// ofPictures shows a slice or a map whose elements show themselves as more than text, as pictures, charts and arrays
// do: one beside the other as far as there is room, those of a map below their keys. Markdown and formulas stand one
// below the other, as Markdown.
func ofPictures(v any, rv reflect.Value, _ Options) (Bundle, bool, error) {
	var parts, labels []any
	switch k := rv.Kind(); {
	case k != reflect.Slice && k != reflect.Array && k != reflect.Map || rv.Len() == 0 || printsItself(v):
		return Bundle{}, false, nil
	case !mayBePicture(rv.Type().Elem()):
		return Bundle{}, false, nil
	case k == reflect.Map:
		for _, e := range sortedEntries(rv)[:min(rv.Len(), maxPictures)] {
			parts, labels = append(parts, e.value.Interface()), append(labels, goLine(e.key, tableText, false))
		}
	default:
		for i := range min(rv.Len(), maxPictures) {
			parts = append(parts, rv.Index(i).Interface())
		}
	}
	first, ok := firstPicture(parts, 0)
	if !ok {
		return Bundle{}, false, nil
	}
	b, err := Of(parts[first])
	_, marks := b.ownMarkdown()
	if _, rich := b.fragment(); err != nil || !rich && !marks {
		return Bundle{}, false, err
	}
	lists := false // of pictures are rows, one below the other
	for i, part := range parts {
		if isNil(part) {
			parts[i] = Text("nil")
		} else {
			lists = lists || listOfPictures(part, 0)
		}
	}
	b, err = arrange(parts, labels, !lists)
	if n := rv.Len() - maxPictures; n > 0 && err == nil {
		b.Data[TypeText] = fmt.Sprintf("%s\n… %d more", b.Text(), n)
		if s, ok := b.Data[TypeHTML]; ok {
			b.Data[TypeHTML] = fmt.Sprintf("%s<div>… %d more</div>", s, n)
		} else {
			b.Data[TypeMarkdown] = fmt.Sprintf("%s\n\n… %d more", b.Data[TypeMarkdown], n)
		}
	}
	return b, err == nil, err
}

// mayBePicture reports whether values of type t may be such elements: the elements of large slices of numbers are not
// looked at.
func mayBePicture(t reflect.Type) bool {
	for t.NumMethod() == 0 && t.Name() == "" && (t.Kind() == reflect.Slice || t.Kind() == reflect.Array) {
		t = t.Elem()
	}
	return t.NumMethod() > 0 || t.Kind() == reflect.Interface || t == reflect.TypeFor[Bundle]() || isRegistered(t)
}

// firstPicture is the place of the first of parts that shows itself; ok says that the others do too, or are nil.
func firstPicture(parts []any, depth int) (first int, ok bool) {
	first = -1
	for i, part := range parts {
		switch {
		case isNil(part):
		case !pictured(part) && !listOfPictures(part, depth):
			return 0, false
		case first < 0:
			first = i
		}
	}
	return first, first >= 0
}

// maxLists within lists are looked into, as one may contain itself.
const maxLists = 3

// listOfPictures reports whether v is a slice or an array of what shows itself.
func listOfPictures(v any, depth int) bool {
	rv := reflect.ValueOf(v)
	if k := rv.Kind(); k != reflect.Slice && k != reflect.Array || depth == maxLists || printsItself(v) || pictured(v) || !mayBePicture(rv.Type().Elem()) {
		return false
	}
	parts := make([]any, min(rv.Len(), maxPictures))
	for i := range parts {
		parts[i] = rv.Index(i).Interface()
	}
	_, ok := firstPicture(parts, depth+1)
	return ok
}

func isNil(v any) bool {
	if v == nil {
		return true
	}
	rv := reflect.ValueOf(v)
	return nilable(rv.Kind()) && rv.IsNil()
}

// pictured reports whether v, which is not nil, shows itself by a method or by a function of the cell's.
func pictured(v any) bool {
	rv := reflect.ValueOf(v)
	if _, plot := plotMethod(rv); plot {
		return true
	}
	switch v.(type) {
	case image.Image, color.Color, Bundle, Bundler, HTMLer, SVGer, PNGer, JPEGer, Markdowner, LaTeXer, interface{ Render(io.Writer) error }:
		return true
	}
	return isRegistered(reflect.TypeOf(v))
}

// ofMarshalers shows what has no text of its own as the text or the JSON that it says it is. These methods are for
// files and messages more than for a cell: where one fails, the value is shown, and why.
func ofMarshalers(v any, rv reflect.Value, o Options) (Bundle, bool, error) {
	if v == nil || nilable(rv.Kind()) && rv.IsNil() || printsItself(v) {
		return Bundle{}, false, nil
	}
	switch m := v.(type) {
	case json.Marshaler:
		raw, err := m.MarshalJSON()
		if err == nil && !json.Valid(raw) {
			err = fmt.Errorf("what it returns is not JSON: %s", strconv.Quote(cutAt(string(raw), tableText)))
		}
		if err != nil {
			return Text(plain(v, o) + "\n(MarshalJSON: " + cutAt(err.Error(), tableText) + ")"), true, nil
		}
		return ofJSON(raw)
	case encoding.TextMarshaler:
		s, err := m.MarshalText()
		if err != nil {
			return Text(plain(v, o) + "\n(MarshalText: " + cutAt(err.Error(), tableText) + ")"), true, nil
		}
		return Text(clip(string(s))), true, nil
	}
	return Bundle{}, false, nil
}

// ofPointer shows a struct whose pointer shows itself, as a mat.VecDense that var declares does and an array by value.
// What has a lock is not copied.
func ofPointer(v any, rv reflect.Value, o Options) (Bundle, bool, error) {
	if rv.Kind() != reflect.Struct || printsItself(v) {
		return Bundle{}, false, nil
	}
	if t := rv.Type(); reflect.PointerTo(t).NumMethod() == t.NumMethod() || locked(t, 0) {
		return Bundle{}, false, nil
	}
	p := copied(rv)
	for _, show := range []func(any, reflect.Value, Options) (Bundle, bool, error){ofBundler, ofExtended, ofRenderer} {
		if b, ok, err := show(p.Interface(), p, o); ok || err != nil {
			return b, ok, err
		}
	}
	data := forms(p.Interface())
	if len(data) == 0 {
		return Bundle{}, false, nil
	}
	data[TypeText] = clip(plain(v, o))
	return Bundle{Data: data}, true, nil
}

// locked reports whether t holds a lock, which vet's copylocks knows by the same methods.
func locked(t reflect.Type, depth int) bool {
	switch t.Kind() {
	case reflect.Array:
		return locked(t.Elem(), depth+1)
	case reflect.Struct:
		if reflect.PointerTo(t).Implements(reflect.TypeFor[sync.Locker]()) || depth > maxDepth {
			return true
		}
		for i := range t.NumField() {
			if locked(t.Field(i).Type, depth+1) {
				return true
			}
		}
	}
	return false
}
