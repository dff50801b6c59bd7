package ixgo_test

import (
	"flag"
	"fmt"
	"go/ast"
	goimporter "go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"
)

// A walk over all kinds of types: for each type and each form of code one function, as far as Go allows it.

// walkType is a type of the walk, with two values.
type walkType struct{ name, a, b string }

// walkTypes are one or two of each kind, and walkMore others for a long test.
var walkTypes = []walkType{
	{"bool", "true", "false"}, {"string", `"ab"`, `"é"`}, {"int", "-7", "1<<40"}, {"int8", "-128", "7"}, {"uint16", "65535", "6"}, {"uint64", "1<<64 - 1", "19"},
	{"float32", "1.5", "-0.25"}, {"float64", "-1e10", "2.5"}, {"complex64", "1-2i", "3i"}, {"complex128", "-4+0.5i", "7"}, {"uintptr", "77", "4"},
	{"unsafe.Pointer", "unsafe.Pointer(&wg)", "nil"}, {"*[2]string", `&[2]string{"p", "q"}`, "nil"}, {"map[string]int", `map[string]int{"k": 1}`, "nil"},
	{"chan int", "make(chan int, 2)", "nil"}, {"func(int) int", "wf", "nil"}, {"[]byte", `[]byte{120, 121}`, "[]byte{}"}, {"[]string", `[]string{"s", ""}`, "nil"},
	{"any", "7", "nil"}, {"[0]int", "[0]int{}", "[0]int{}"}, {"[3]int8", "[3]int8{-1, 2, -3}", "[3]int8{2: 9}"}, {"[2][2]int", "[2][2]int{{1, 2}, {3, 4}}", "[2][2]int{1: {5, 6}}"},
	{"[3]complex64", "[3]complex64{1i, 2}", "[3]complex64{2: 3 - 1i}"}, {"[2]string", `[2]string{"x", "yz"}`, "[2]string{}"}, {"[3][]int", "[3][]int{2: {1, 2}}", "[3][]int{}"},
	{"wFlat", "wFlat{A: 1, B: [3]byte{2, 3, 4}}", "wFlat{Z: 1i}"}, {"wPair", `wPair{"l", 1}`, "wPair{}"}, {"[2]wPair", `[2]wPair{{"o", 1}}`, "[2]wPair{}"},
	{"wEmpty", "wEmpty{}", "wEmpty{}"}, {"[600]int", "[600]int{5: 5}", "[600]int{}"},
}

var walkMore = []walkType{
	{"int16", "-300", "40"}, {"int32", "-70000", "9"}, {"int64", "-1<<63", "11"}, {"uint", "1<<63", "5"}, {"uint8", "200", "3"}, {"uint32", "1<<31", "17"},
	{"*int", "&wg", "nil"}, {"[]int", "[]int{1, 2, 3}", "nil"}, {"[]rune", `[]rune("né")`, "nil"}, {"[][2]int16", "[][2]int16{{1, 2}, {3, 4}}", "nil"}, {"error", `we("bad")`, "nil"},
	{"[1]bool", "[1]bool{true}", "[1]bool{}"}, {"[2]complex128", "[2]complex128{1i, 2}", "[2]complex128{}"}, {"[2]*int", "[2]*int{&wg}", "[2]*int{}"},
	{"[2]any", "[2]any{1, nil}", "[2]any{}"}, {"[2]func(int) int", "[2]func(int) int{wf}", "[2]func(int) int{}"}, {"[0]string", "[0]string{}", "[0]string{}"},
	{"[2]wFlat", "[2]wFlat{1: {A: 5}}", "[2]wFlat{}"}, {"wBlank", "wBlank{a: -5}", "wBlank{}"}, {"wNest", "wNest{f: 0.5}", "wNest{}"}, {"wDeep", `wDeep{s: "w"}`, "wDeep{}"},
	{"wMap", "wMap{e: 3}", "wMap{}"}, {"wLarge", "wLarge{}", "wLarge{}"}, {"[2]struct{ a, b, c byte }", "[2]struct{ a, b, c byte }{{1, 2, 3}, {4, 5, 6}}", "[2]struct{ a, b, c byte }{}"},
	{"struct { s string; n int8 }", `struct { s string; n int8 }{"p", 1}`, "struct { s string; n int8 }{}"},
	{"wInt", "-3", "4"}, {"wText", `"named"`, `""`}, {"wAlias", "wAlias{1, 2, 3}", "wAlias{}"}, {"wList[int8]", "wList[int8]{1, 2}", "nil"}, {"wBox[string]", `wBox[string]{2, "v"}`, "wBox[string]{}"},
}

const walkPrelude = `var wg = 42
func wf(i int) int { return i + wg }
type we string
func (e we) Error() string { return string(e) }
type wInt int32
type wText string
type wPair struct { S string; N int16 }
type wFlat struct { A int8; Z complex64; B [3]byte }
type wEmpty struct{}
type wBlank struct { _ int8; a int16 }
type wNest struct { in struct { b [3]byte; z complex64 }; f float32 }
type wDeep struct { s string; in struct { t []int; p *int } }
type wMap struct { m map[string]int; e any }
type wLarge struct { x [600]float64 }
type wAlias = [3]uint16
type wList[T any] []T
type wBox[T any] struct { N int8; V T }
func show(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Invalid:
		return "nil"
	case reflect.Pointer:
		if v.IsNil() { return "nil" }
		return "&" + show(v.Elem())
	case reflect.Interface:
		return show(v.Elem())
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return fmt.Sprint(v.IsNil())
	case reflect.Uintptr:
		if v.Uint() > 1<<20 { return "an address" }
	case reflect.Struct:
		s := ""
		for i := range v.NumField() { s += show(v.Field(i)) + ";" }
		return s
	case reflect.Array, reflect.Slice:
		s := fmt.Sprint(v.Len(), "[")
		for i := range min(v.Len(), 8) { s += show(v.Index(i)) + "," }
		return s
	}
	return fmt.Sprint(v)
}
func try(name string, f func() any) {
	defer func() { if r := recover(); r != nil { fmt.Println(name, "panics:", r) } }()
	fmt.Println(name, show(reflect.ValueOf(f())))
}
func gPhi[T any](c bool, x, y T) T { for i := range 3 { if c == (i%2 == 0) { x = y } }; return x }
func gField[T any](x T) T { mk := func() wBox[T] { return wBox[T]{1, x} }; return mk().V }
func gIndex[T any](i int, x, y T) T { for k, e := range [2]T{x, y} { if k == i { return e } }; return [2]T{y, x}[0] }
`

// walkForm is code for a type: N is its name, T the type, A and B values, U another type.
type walkForm struct {
	decl string
	call string // what is printed, "" for N(A, B)
}

var walkForms = []walkForm{
	{"func N(x, y T) T { for i := range 3 { if i%2 == 0 { x, y = y, x } }; return x }", ""},
	{"func N(x, y T) (r [2]T) { for i := range 2 { z := x; p := &z; *p = y; r[i] = z }; return }", ""},
	{"func N(x, y T) T { p, q := new(T), new(T); *p = x; wg++; if wg > 0 { q = p }; *q = y; return *p }", ""},
	{"var Ng T\nfunc N(x, y T) T { Ng = x; z := Ng; Ng = y; return z }", ""},
	{"func N() (x T) { var y T; return y }", "N()"},
	{"func N(c bool) T { if c { return A }; return B }", "N(true)"},
	{"func Nm(x T) struct { a int8; v T; b byte } { return struct { a int8; v T; b byte }{1, x, 2} }\nfunc N(x, y T) T { z := Nm(x).v; _ = y; return z }", ""},
	{"func N(x, y T) T { var s struct { a int8; v T; b byte }; s.v = x; s.b = 3; t := s; s.v = y; return t.v }", ""},
	{"func Nm(x, y T) [3]T { return [3]T{x, y, x} }\nfunc N(i uint8) T { return Nm(A, B)[i] }", "[]any{N(0), N(1), N(2)}"},
	{"func Nm(x, y T) [3]T { return [3]T{x, y, x} }\nfunc N(i int) T { return Nm(A, B)[i] }", "N(3)"},
	{"func N(i int) (r T) { for k, e := range [...]T{A, B, A} { if k == i { r = e } }; return }", "[]any{N(0), N(1)}"},
	{"func N(s []T, i int) T { for k, e := range s { if k == i { return e } }; s[0] = s[i]; return s[0] }", "[]any{N([]T{A, B}, 1), N([]T{A}, 1)}"},
	{"func N(p *[2]T, i int) T { p[1-i] = p[i]; return p[0] }", "[]any{N(&[2]T{A, B}, 1), N(nil, 0)}"},
	{"type Nt T\nfunc N(x, y T) [2]T { a, b := Nt(x), Nt(y); if wg > 0 { a, b = b, a }; return [2]T{(T)(a), (T)(b)} }", ""},
	{"type Nt T\nfunc (t Nt) at(i int) T { return T(t) }\nfunc N(x, y T) T { f := Nt(x).at; f = Nt(y).at; return f(1) }", ""},
	{"type Nt interface { at(int) T }\ntype Ns struct { v T }\nfunc (t *Ns) at(i int) T { return t.v }\nfunc N(x Nt) T { f := x.at; return f(1) }", "N(&Ns{A})"},
	{"type Nt struct { v T }\nfunc (t Nt) at(i int) T { return t.v }\nfunc N(x, y T) T { f := Nt{x}.at; f = Nt{y}.at; return f(1) }", ""},
	{"func N(x, y T) T { f := func(z T) T { x, z = z, x; return z }; f(y); return f(x) }", ""},
	{"func N(f func(T) T, x T) T { for range 3 { x = f(x) }; return x }", "N(func(T) T { return B }, A)"},
	{"func Nm(x, y T) (T, int, T) { return y, 3, x }\nfunc N(x, y T) (r [2]T) { a, n, b := Nm(x, y); r[n-2], r[0] = a, b; return }", ""},
	{"func N(x, y T) (r T) { defer func(z T) { r = z }(x); return y }", ""},
	{"func N(x, y T) (r T) { for z := range func(yield func(T) bool) { _ = yield(x) && yield(y) } { r = z }; return }", ""},
	{"func N(x, y T) (r []T) { c := make(chan T, 2); c <- x; c <- y; close(c); for z := range c { r = append(r, z) }; select { case z, ok := <-c: if !ok { r = append(r, z) }; default: }; return }", ""},
	{"func N(x, y T) T { m := map[string]T{`x`: x}; m[`y`] = y; for _, z := range m { m[`z`] = z; break }; z, ok := m[`q`]; _ = ok; m[`r`] = z; return m[`y`] }", ""},
	{"func N(x, y T) T { var v any = x; z, ok := v.(T); if !ok { return y }; return z }", ""},
	{"func N(x, y T) (r []T) { for range 3 { r = append(r, x) }; return append(append(r, y, x), r[1:]...) }", ""},
	{"func N(x, y T) (r []T) { r = make([]T, wg%5+3, wg%5+5); n := copy(r[1:], []T{x, y, x}); clear(r[2:]); return r[:n+1:4] }", ""},
	{"func N(x, y [2]T) []T { z := x; x = y; s := z[:]; return append(s[:1], x[1:]...) }", "N([2]T{A, B}, [2]T{B, A})"},
	{"func N(x, y T) [4]bool { return [4]bool{x == y, x != y, x == x, y != y} }", ""},
	{"func N(x, y T) (n int) { if x == nil { n++ }; if y != nil { n += 2 }; a, b := x == nil, nil != y; if a { n += 4 }; if b { n += 8 }; return }", ""},
	{"func N(x, y T) (n int) { if x < y { n++ }; if x >= y { n += 2 }; a, b := x <= y, x > y; if a { n += 4 }; if b { n += 8 }; return }", ""},
	{"func N(x, y T) T { z := x + y; z += A; return z + z }", ""},
	{"func N(x, y T) T { z := x - y*A; z *= B; return -z }", ""},
	{"func N(x, y T) T { return x / y }", "[]any{N(A, B), N(B, A)}"},
	{"func N(x, y T) T { return x%y + x&y - x|y ^ x&^y + ^x }", ""},
	{"func N(x, y T) T { return x<<3 + y>>1 + x<<(y&1) - B>>(x&3) }", ""},
	{"func N(x, y T) T { if !x { return y }; return !y }", ""},
	{"func N(x, y T) T { return min(x, y) + max(y, x, A) }", ""},
	{"func N(x, y T) T { z := complex(imag(x), real(y)); for range 2 { z = complex(imag(z), real(z)) }; return z }", ""},
	{"func N(x, y T) int { return len(x)*10 + len(y) }", ""},
	{"func N(x, y T) T { z := x[1:]; wg++; return z[wg-wg:] }", "N(A, B)"},
	{"func N(x []byte, y T) []byte { x = append(x, y...); return x[:copy(x[1:], y)] }", "N([]byte{1, 2}, A)"},
	{"func N(x, y T) int { return cap(x[:0]) - cap(y[:0]) + len(x[1:]) }", ""},
	{"func N(x, y T) (r []any, n int) { for i, e := range x { n += i; _ = e }; return nil, n }\nfunc Nn(x, y T) int { _, n := N(x, y); return n }", "Nn(A, B)"},
	{"func N(x, y T) (n int) { for i, e := range x { n = n*3 + i + int(e) }; return }", ""},
	{"func Nm(x T) T { return x }\nfunc N(x T, i int) int { return int(Nm(x)[i]) }", "[]any{N(A, 0), N(A, 1), N(A, 99)}"},
	{"func N(x, y T) (a, b T) { return gPhi(true, x, y), gIndex(1, gField(x), y) }\nfunc Nn(x, y T) [2]T { a, b := N(x, y); return [2]T{b, a} }", "Nn(A, B)"},
	{"func N(x *T) (r T) { p := (*T)(unsafe.Pointer(x)); return *p }", "N(&[]T{A}[0])"},
	{"func N(x, y T) bool { p := &x; q := &y; r := p; return p == q || p != r }", ""},
	{"func N(x, y T) (r T) {\nagain:\n\twg++\n\ta := [2]T{x, y}\n\tr = a[wg%2]\n\tif wg%4 != 0 { goto again }\n\treturn r }", ""},
	{"func N(x, y T) (n int) {\nagain:\n\twg++\n\te := x == y\n\tf := func() { if e { n++ } else { n-- } }\n\tf()\n\tif wg%4 != 0 { goto again }\n\treturn n }", ""},
}

// walkPair is a conversion of T to U.
const walkPair = "func N(x, y T) (r [2]U) { r[0] = U(x); z := y; r[1] = U(z); return }"

var walkAll = flag.Bool("walk", false, "have TestTierTable walk over more types")

// walkCode writes all functions that Go allows, and calls of them.
func walkCode(t *testing.T) (decls, calls string) {
	type chunk struct{ decl, call string }
	var all []chunk
	add := func(f walkForm, w walkType, u string) {
		n := fmt.Sprint("w", len(all))
		call := f.call
		if call == "" {
			call = "N(A, B)"
		}
		var r []string
		for _, s := range []string{f.decl, call} {
			s = walkReplace(s, map[string]string{"N": n, "T": w.name, "U": u, "A": w.a, "B": w.b})
			r = append(r, s)
		}
		all = append(all, chunk{r[0], fmt.Sprintf("try(%q, func() any { return %s })", n, r[1])})
	}
	list := walkTypes
	if *walkAll {
		list = append(slices.Clip(list), walkMore...)
	}
	for _, w := range list {
		for _, f := range walkForms {
			add(f, w, "")
		}
		for _, u := range list {
			add(walkForm{decl: walkPair}, w, u.name)
		}
	}
	bad := map[int]bool{}
	for range 3 { // declarations first: errors in what they declare make others
		var b strings.Builder
		b.WriteString("package p\nimport (\"fmt\"; \"reflect\"; \"unsafe\")\nvar _ unsafe.Pointer\n" + walkPrelude)
		lines := map[int]int{}
		at := strings.Count(b.String(), "\n")
		for i, c := range all {
			if bad[i] {
				continue
			}
			text := c.decl + "\nfunc call" + fmt.Sprint(i) + "() { " + c.call + " }\n"
			for range strings.Count(text, "\n") {
				at++
				lines[at] = i
			}
			b.WriteString(text)
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "", b.String(), 0)
		if err != nil {
			t.Fatal(err)
		}
		n := len(bad)
		conf := types.Config{Importer: goimporter.Default(), Error: func(err error) {
			bad[lines[fset.Position(err.(types.Error).Pos).Line]] = true
		}}
		conf.Check("p", fset, []*ast.File{file}, nil)
		if len(bad) == n {
			break
		}
	}
	var d, c strings.Builder
	for i, x := range all {
		if !bad[i] {
			d.WriteString(x.decl + "\n")
			c.WriteString(x.call + "\n")
		}
	}
	return d.String(), c.String()
}

// walkReplace puts names in the place of the letters that stand for them: whole words, and N before other letters.
func walkReplace(s string, to map[string]string) string {
	var b strings.Builder
	word := func(c byte) bool {
		return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
	}
	for i := 0; i < len(s); {
		j := i
		for j < len(s) && word(s[j]) {
			j++
		}
		if j == i {
			b.WriteByte(s[i])
			i++
			continue
		}
		w := s[i:j]
		switch v, ok := to[w]; {
		case ok:
			b.WriteString(v)
		case w[0] == 'N' && len(w) == 2:
			b.WriteString(to["N"] + w[1:])
		default:
			b.WriteString(w)
		}
		i = j
	}
	return b.String()
}
