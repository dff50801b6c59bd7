package display

import (
	"fmt"
	"image"
	"math"
	"reflect"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
	"unsafe"
)

const (
	lineWidth   = 100  // columns of a line where no terminal says how many there are
	maxElements = 1000 // of one slice or map are written
	maxDepth    = 64   // literals within literals
	indent      = "    "
)

// GoText returns v as Go writes it, with its type, so that most of it can be pasted into a cell: []string{"a", "b"},
// 3.0, uint8(7), &Point{X: 1, Y: 2}. Texts alone are as they are. Pointers are followed one level, what contains itself
// is marked, embedded structs give their fields to what embeds them, nil and empty differ. Values that print themselves
// do. What is longer than a line is broken as gofmt would; what is longer than a page is cut.
func GoText(v any) string { return goText(v, false) }

// goText is GoText; with runes the numbers of type int32 are written as characters.
func goText(v any, runes bool) string {
	note := ""
	switch v := v.(type) { // what most cells end with costs no walk
	case nil:
		return "<nil>"
	case string:
		return clip(v)
	case int:
		return strconv.Itoa(v)
	case float64:
		return floatText(v, 64)
	case bool:
		return strconv.FormatBool(v)
	case fmt.Stringer, fmt.Formatter, error:
		if rv := reflect.ValueOf(v); rv.Kind() == reflect.Pointer && rv.IsNil() {
			break // a method that takes nil would hide that it is
		}
		s := fmt.Sprint(v)
		if failed, why := panickedText(s); failed {
			note = "\n(" + why + ")"
		} else if s != "" {
			return clip(s)
		}
	}
	columns := CurrentScreen().Columns
	if columns == 0 {
		columns = lineWidth
	}
	w := goWriter{left: maxText, pointers: 1, runes: runes}
	d := w.build(reflect.ValueOf(v), bare)
	var b strings.Builder
	d.write(&b, "", columns)
	return clip(b.String() + note)
}

// panickedText reports whether s is what fmt writes where a method of a value panics, and what happened. The value is
// then written as if it had no such method: an embedded nil pointer whose String is promoted hides all else otherwise.
func panickedText(s string) (failed bool, why string) {
	why, failed = strings.CutPrefix(s, "%!v(PANIC=")
	if !failed {
		return false, ""
	}
	method, what, _ := strings.Cut(strings.TrimSuffix(why, ")"), " method: ")
	return true, method + " panicked: " + cutAt(what, tableText)
}

// goLine is v on one line of at most n characters or so, for a place in a table: texts are as they are.
func goLine(v reflect.Value, n int, runes bool) string {
	for v.Kind() == reflect.Interface && !v.IsNil() {
		v = v.Elem()
	}
	if v.Kind() == reflect.String && !ownText(v) {
		return cutAt(v.String(), n)
	}
	w := goWriter{left: n, pointers: 1, runes: runes}
	d := w.build(v, element)
	var b strings.Builder
	d.write(&b, "", math.MaxInt)
	return cutAt(b.String(), n)
}

// part is a piece of a value's text: a text alone, or items between brackets. All items have room on one line, or each
// has its own; filled ones share lines.
type part struct {
	text        string
	open, close string
	items       []part
	filled      bool
	lines       bool // a text in it, such as that of an array, has several lines
	size        int  // characters, on one line
}

func leaf(s string) part {
	return part{text: s, size: utf8.RuneCountInString(s), lines: strings.Contains(s, "\n")}
}

func (d *part) measure() {
	d.size = utf8.RuneCountInString(d.open) + utf8.RuneCountInString(d.close)
	for i, it := range d.items {
		if i > 0 {
			d.size += 2
		}
		d.size += utf8.RuneCountInString(it.text)*b2i(it.open != "") + it.size
		d.lines = d.lines || it.lines
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// write writes d after margin; the text of a part with brackets stands before them, as the name of a field does.
func (d *part) write(b *strings.Builder, margin string, columns int) {
	if d.lines && d.open == "" && columns != math.MaxInt {
		b.WriteString(strings.ReplaceAll(d.text, "\n", "\n"+margin))
		return
	}
	b.WriteString(d.text)
	if d.open == "" {
		return
	}
	b.WriteString(d.open)
	oneLine := columns == math.MaxInt || !d.lines && len(margin)+utf8.RuneCountInString(d.text)+d.size <= columns
	if oneLine || len(d.items) == 0 {
		for i := range d.items {
			if i > 0 {
				b.WriteString(", ")
			}
			d.items[i].write(b, margin, math.MaxInt)
		}
		b.WriteString(d.close)
		return
	}
	inner := margin + indent
	col := columns
	for i := range d.items {
		it := &d.items[i]
		if n := it.size + 2; !d.filled || col+n > columns {
			b.WriteString("\n" + inner)
			col = len(inner) + n
		} else {
			b.WriteString(" ")
			col += n
		}
		it.write(b, inner, columns)
		b.WriteString(",")
	}
	b.WriteString("\n" + margin + d.close)
}

// context is what says of a value's type what its text need not.
type context uint8

const (
	bare    context = iota // nothing
	field                  // a field's declaration: numbers, texts and nil take its type
	element                // an element's: literals do too
)

// goWriter makes the parts of a value's text.
type goWriter struct {
	left     int // characters
	pointers int // levels to follow
	depth    int
	runes    bool
	path     map[span]bool // what the walk is inside of
}

func (w *goWriter) build(v reflect.Value, in context) part {
	d := w.value(v, in)
	if d.open == "" {
		w.left -= d.size + 2
	}
	return d
}

func (w *goWriter) value(v reflect.Value, in context) part {
	if !v.IsValid() {
		return leaf("nil")
	}
	t := v.Type()
	if w.depth++; w.depth > maxDepth || w.left < 0 {
		w.depth--
		return leaf("…")
	}
	defer func() { w.depth-- }()
	if s, ok := registeredText(v); ok {
		return leaf(cutAt(s, max(w.left, 16)))
	}
	if ownText(v) && !(nilable(t.Kind()) && v.IsNil()) {
		if err, ok := v.Interface().(error); ok {
			return leaf("error(" + strconv.Quote(cutAt(fmt.Sprint(err), max(w.left, 16))) + ")")
		}
		s := fmt.Sprint(v.Interface())
		if failed, _ := panickedText(s); s != "" && !failed { // a text of nothing would not be seen
			return leaf(cutAt(s, max(w.left, 16)))
		}
	}
	if t.PkgPath() == "math/big" && t.Kind() == reflect.Struct && v.CanInterface() { // its methods are the pointer's
		return leaf(cutAt(fmt.Sprint(copied(v).Interface()), max(w.left, 16)))
	}
	if v.CanInterface() && !(nilable(t.Kind()) && v.IsNil()) && t.Kind() != reflect.Interface {
		if m, ok := v.Interface().(image.Image); ok && t != reflect.TypeFor[image.Rectangle]() {
			return leaf("<" + pictureText(m) + ">")
		}
	}
	switch t.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8, reflect.Uint16,
		reflect.Uint32, reflect.Uint64, reflect.Uintptr, reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128, reflect.String:
		return leaf(w.scalar(v, in))
	case reflect.Interface:
		if v.IsNil() {
			return leaf("nil")
		}
		return w.value(v.Elem(), bare)
	case reflect.Pointer:
		return w.pointer(v, in)
	case reflect.Struct:
		d := part{open: w.typeBefore(t, in) + "{", close: "}"}
		w.fields(&d, v)
		d.measure()
		return d
	case reflect.Map:
		return w.mapOf(v, in)
	case reflect.Slice, reflect.Array:
		return w.list(v, in)
	case reflect.Chan:
		if v.IsNil() {
			return w.nilOf(t, in)
		}
		return leaf(fmt.Sprintf("%s (%d of %d)", w.typeName(t), v.Len(), v.Cap()))
	case reflect.Func:
		if v.IsNil() {
			return w.nilOf(t, in)
		}
		return leaf(w.typeName(t))
	case reflect.UnsafePointer:
		if v.IsNil() {
			return w.nilOf(t, in)
		}
		return leaf(w.typeName(t) + "(…)")
	}
	return leaf(w.typeName(t))
}

func nilable(k reflect.Kind) bool {
	switch k {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Chan, reflect.Func, reflect.Interface, reflect.UnsafePointer:
		return true
	}
	return false
}

// scalar is a number, a text or a truth value; its type stands around it where the literal alone would have another.
func (w *goWriter) scalar(v reflect.Value, in context) string {
	t := v.Type()
	s, usual := "", reflect.Type(nil)
	switch {
	case v.Kind() == reflect.Int32 && w.runes && utf8.ValidRune(rune(v.Int())) && (t.Name() != "int32" || unicode.IsPrint(rune(v.Int())) || v.Int() < 32):
		s, usual = strconv.QuoteRune(rune(v.Int())), reflect.TypeFor[rune]()
	case v.CanInt():
		s, usual = strconv.FormatInt(v.Int(), 10), reflect.TypeFor[int]()
	case v.Kind() == reflect.Uintptr:
		s = "0x" + strconv.FormatUint(v.Uint(), 16)
	case v.CanUint():
		s = strconv.FormatUint(v.Uint(), 10)
	case v.CanFloat():
		s, usual = floatText(v.Float(), t.Bits()), reflect.TypeFor[float64]()
	case v.CanComplex():
		s, usual = strconv.FormatComplex(v.Complex(), 'g', -1, t.Bits()), reflect.TypeFor[complex128]()
	case v.Kind() == reflect.Bool:
		s, usual = strconv.FormatBool(v.Bool()), reflect.TypeFor[bool]()
	default:
		text := v.String()
		if n := max(w.left, 16); len(text) > n {
			text = cutAt(text, n)
		}
		s, usual = strconv.Quote(text), reflect.TypeFor[string]()
	}
	if in != bare || t == usual {
		return s
	}
	if v.CanComplex() {
		return w.typeName(t) + s // which has its brackets
	}
	return w.typeName(t) + "(" + s + ")"
}

// floatText is f with a point or an exponent, so that it is not an integer's text: decimals where a person reads them.
func floatText(f float64, bits int) string {
	format := byte('f')
	if a := math.Abs(f); a != 0 && (a < 1e-4 || a >= 1e16) {
		format = 'e'
	}
	s := strconv.FormatFloat(f, format, -1, bits)
	if strings.ContainsAny(s, ".eIN") {
		return s
	}
	return s + ".0"
}

func (w *goWriter) pointer(v reflect.Value, in context) part {
	t := v.Type()
	if v.IsNil() {
		return w.nilOf(t, in)
	}
	at := span{t, v.Pointer(), 0}
	if w.path[at] {
		return leaf("(" + w.typeName(t) + ")(the same again)")
	}
	if w.pointers == 0 {
		if k := t.Elem().Kind(); k == reflect.Struct || k == reflect.Array || k == reflect.Slice || k == reflect.Map {
			return leaf("&" + w.typeName(t.Elem()) + "{…}")
		}
		return leaf("(" + w.typeName(t) + ")(…)")
	}
	w.pointers--
	d := w.inside(at, func() part { return w.value(v.Elem(), bare) })
	w.pointers++
	if d.open == "" {
		return leaf("&" + d.text)
	}
	d.open, d.size = "&"+d.open, d.size+1
	return d
}

func (w *goWriter) inside(at span, f func() part) part {
	if w.path == nil {
		w.path = map[span]bool{}
	}
	w.path[at] = true
	defer delete(w.path, at)
	return f()
}

func (w *goWriter) add(d *part, name string, v reflect.Value, in context) {
	it := w.build(v, in)
	it.text = name + it.text
	if it.open == "" {
		it.size += utf8.RuneCountInString(name)
	}
	w.left -= len(name)
	d.items = append(d.items, it)
}

// fields adds the fields of a struct, and those of the structs that it embeds in their place.
func (w *goWriter) fields(d *part, v reflect.Value) {
	t := v.Type()
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Name == "_" {
			continue
		}
		if w.left < 0 {
			d.items = append(d.items, leaf("…"))
			return
		}
		v = reachable(v, i)
		x := v.Field(i)
		if f.Anonymous && f.Type.Kind() == reflect.Struct && !ownText(x) {
			w.fields(d, x)
			continue
		}
		w.add(d, f.Name+": ", readable(x), field)
	}
}

// readable is a field, so that its own text can be asked for: of what is not exported only times, numbers and addresses
// of the standard library are, and pointers to such, whose texts need no lock.
func readable(x reflect.Value) reflect.Value {
	if x.CanInterface() || !x.CanAddr() {
		return x
	}
	t := x.Type()
	of := t
	if t.Kind() == reflect.Pointer {
		of = t.Elem()
	}
	switch of.PkgPath() {
	case "time", "math/big", "net/netip", "net/url":
		if k := of.Kind(); k == reflect.Struct || reflect.Int <= k && k <= reflect.Int64 {
			return reflect.NewAt(t, unsafe.Pointer(x.UnsafeAddr())).Elem()
		}
	}
	return x
}

// reachable is the struct v, or a copy of it with an address, by which a field i that is not exported can be read.
func reachable(v reflect.Value, i int) reflect.Value {
	if v.CanAddr() || !v.CanInterface() || v.Field(i).CanInterface() {
		return v
	}
	return copied(v).Elem()
}

// copied is a pointer to a copy of v.
func copied(v reflect.Value) reflect.Value {
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return p
}

func (w *goWriter) mapOf(v reflect.Value, in context) part {
	t := v.Type()
	if v.IsNil() {
		return w.nilOf(t, in)
	}
	at := span{t, v.Pointer(), 0}
	if w.path[at] {
		return leaf(w.typeName(t) + "(the same again)")
	}
	return w.inside(at, func() part {
		d := part{open: w.typeBefore(t, in) + "{", close: "}"}
		for n, e := range sortedEntries(v) {
			if n == maxElements || w.left < 0 {
				d.items = append(d.items, leaf(fmt.Sprintf("… %d more", v.Len()-n)))
				break
			}
			key := w.build(e.key, element)
			var b strings.Builder
			key.write(&b, "", math.MaxInt)
			w.add(&d, b.String()+": ", e.value, element)
		}
		d.measure()
		return d
	})
}

func (w *goWriter) list(v reflect.Value, in context) part {
	t, n := v.Type(), v.Len()
	d := part{open: w.typeBefore(t, in) + "{", close: "}"}
	if v.Kind() == reflect.Slice {
		if v.IsNil() {
			return w.nilOf(t, in)
		}
		if t.Elem().Kind() == reflect.Uint8 && n > 0 {
			if s, ok := bytesText(v.Bytes(), max(w.left, 16)); ok {
				return leaf(or(w.typeBefore(t, bare), "[]byte") + "(" + s + ")")
			}
		}
		if at := (span{t, v.Pointer(), n}); n > 0 && !flat(t.Elem().Kind()) {
			if w.path[at] {
				return leaf(w.typeName(t) + "(the same again)")
			}
			return w.inside(at, func() part { w.elements(&d, v); return d })
		}
	}
	w.elements(&d, v)
	return d
}

func (w *goWriter) elements(d *part, v reflect.Value) {
	k := v.Type().Elem().Kind()
	d.filled = reflect.Bool <= k && k <= reflect.Complex128
	bytes := v.Type().Elem() == reflect.TypeFor[byte]()
	for i := range v.Len() {
		if i == maxElements || w.left < 0 {
			d.items = append(d.items, leaf(fmt.Sprintf("… %d more", v.Len()-i)))
			break
		}
		if bytes {
			d.items = append(d.items, leaf(fmt.Sprintf("0x%02x", v.Index(i).Uint())))
			w.left -= len("0x00, ")
			continue
		}
		d.items = append(d.items, w.build(v.Index(i), element))
	}
	d.measure()
}

func (w *goWriter) nilOf(t reflect.Type, in context) part {
	if in != bare {
		return leaf("nil")
	}
	name := w.typeName(t)
	if nilNeedsBrackets(t) {
		name = "(" + name + ")"
	}
	return leaf(name + "(nil)")
}

func nilNeedsBrackets(t reflect.Type) bool {
	return t.Name() == "" && (t.Kind() == reflect.Pointer || t.Kind() == reflect.Func || t.Kind() == reflect.Chan)
}

// typeBefore is the type before a literal's braces, nothing where the context says it.
func (w *goWriter) typeBefore(t reflect.Type, in context) string {
	if in == element {
		return ""
	}
	return w.typeName(t)
}

func (w *goWriter) typeName(t reflect.Type) string { return typeName(t, w.runes) }

// cutAt is s, cut to n characters.
func cutAt(s string, n int) string {
	if len(s) <= n {
		return s
	}
	at := 0
	for i := range s {
		if at == n {
			return s[:i] + "…"
		}
		at++
	}
	return s
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
