package judge

import (
	"fmt"
	"slices"
	"strings"
)

// kind is a basic type with values that lie at its borders. Those of more are not constants.
type kind struct {
	name, class string
	values      []string // constants
	more        []string
}

func (k kind) of(classes string) bool { return strings.Contains(classes, k.class) }

var kinds = []kind{
	{"bool", "b", []string{"true", "false"}, nil},
	{"string", "s", []string{`""`, `"a"`, `"ab\x00é"`, `"\xff"`}, nil},
	{"int", "i", []string{"-1 << 63", "-7", "0", "1", "300", "1<<63 - 1"}, nil},
	{"int8", "i", []string{"-128", "-7", "0", "1", "127"}, nil},
	{"int16", "i", []string{"-1 << 15", "-7", "0", "1", "1<<15 - 1"}, nil},
	{"int32", "i", []string{"-1 << 31", "-7", "0", "1", "0x20ac", "1<<31 - 1"}, nil},
	{"int64", "i", []string{"-1 << 63", "-7", "0", "1", "1<<63 - 1"}, nil},
	{"uint", "u", []string{"0", "1", "7", "1<<63 + 5", "1<<64 - 1"}, nil},
	{"uint8", "u", []string{"0", "1", "7", "130", "255"}, nil},
	{"uint16", "u", []string{"0", "1", "7", "1<<16 - 1"}, nil},
	{"uint32", "u", []string{"0", "1", "7", "1<<32 - 1"}, nil},
	{"uint64", "u", []string{"0", "1", "7", "1<<63 + 5", "1<<64 - 1"}, nil},
	{"uintptr", "u", []string{"0", "1", "7", "1<<63 + 5", "1<<64 - 1"}, nil},
	{"float32", "f", []string{"-2.5", "0", "0.1", "3", "1e30"}, []string{"float32(math.Inf(1))", "float32(math.NaN())", "float32(math.Copysign(0, -1))"}},
	{"float64", "f", []string{"-2.5", "0", "0.1", "3", "1e300"}, []string{"math.Inf(-1)", "math.NaN()", "math.Copysign(0, -1)"}},
	{"complex64", "c", []string{"0", "1.5 - 2i", "-3i", "1e30"}, []string{"complex64(complex(math.Inf(1), math.NaN()))"}},
	{"complex128", "c", []string{"0", "1.5 - 2i", "-3i", "1e300"}, []string{"complex(math.Copysign(0, -1), math.Inf(-1))"}},
}

// binary are operations of two values of one type T, x and y, with the classes of types that have them.
var binary = []struct{ expr, classes string }{
	{"x + y", "siufc"}, {"x - y", "iufc"}, {"x * y", "iufc"}, {"x / y", "fc"}, {"x / (y | 1)", "iu"}, {"x % (y | 1)", "iu"},
	{"x & y", "iu"}, {"x | y", "iu"}, {"x ^ y", "iu"}, {"x &^ y", "iu"}, {"x && y", "b"}, {"x || y", "b"},
	{"min(x, y)", "siuf"}, {"max(x, y)", "siuf"}, {"min(x, y, x)", "siuf"}, {"max(y, x, y, y)", "siuf"}, {"x << (y & 15)", "iu"}, {"x >> (y & 15)", "iu"},
	{"func() T { x := x; x -= y; x *= y; x++; x--; x += y; return x }()", "iufc"}, {"func() T { x := x; x += y; return x }()", "s"},
	{"func() T { x := x; x |= y; x &^= 1; x ^= y; x <<= 1; x >>= 2; return x }()", "iu"},
}

// comparisons are those whose result is a bool.
var comparisons = []struct{ expr, classes string }{
	{"x == y", "bsiufc"}, {"x != y", "bsiufc"}, {"x < y", "siuf"}, {"x <= y", "siuf"}, {"x > y", "siuf"}, {"x >= y", "siuf"},
	{"any(x) == any(y)", "bsiufc"}, {"[2]T{x, y} == [2]T{y, x}", "bsiufc"}, {"struct{ A, B T }{x, y} != struct{ A, B T }{y, x}", "bsiufc"},
}

// unary are operations of one value.
var unary = []struct{ expr, classes string }{
	{"-x", "iufc"}, {"+x", "iufc"}, {"^x", "iu"}, {"!x", "b"}, {"min(x)", "siuf"}, {"max(x)", "siuf"},
	{"real(x)", "c"}, {"imag(x)", "c"}, {"len(x)", "s"}, {"[]byte(x)", "s"}, {"[]rune(x)", "s"},
	{"T([]byte(x))", "s"}, {"T([]rune(x))", "s"}, {"string(append([]byte(`q`), x...))", "s"}, {"copy(make([]byte, 3), x)", "s"},
	{"func() (n int) { for i, r := range x { n = n*7 + i + int(r) }; return }()", "s"}, {"x[len(x)/2:] + x[:len(x)/2]", "s"},
	{"func() byte { if len(x) > 0 { return x[len(x)-1] }; return 0 }()", "s"},
	{"append([]T{x}, x, x)", "bsiufc"}, {"[...]T{2: x}", "bsiufc"}, {"map[T]T{x: x}", "bsiufc"}, {"*new(T) == x", "bsiufc"},
	{"func() string { m := map[T]T{x: x}; m[x] += x; v, ok := m[x]; delete(m, x); n := len(m); clear(m); return fmt.Sprintln(n, v, ok, len(m)) }()", "siufc"},
	{"struct{ A, B T }{B: x}.B", "bsiufc"}, {"func() (y any) { defer func() { y = recover() }(); panic(x) }()", "bsiufc"},
	{"func() T { c := make(chan T, 1); c <- x; close(c); return <-c }()", "bsiufc"}, {"func() (n int) { for range x & 15 { n++ }; return }()", "iu"},
	{"[]int{16: 5}[x&15]", "iu"}, {"len(make([]int8, x&15, 15))", "iu"}, {"`0123456789abcdef`[x&15]", "iu"}, {"len([]int{16: 0}[x&15:])", "iu"},
	{"func() string { switch any(x).(type) { case T: return `T` }; return `` }()", "bsiufc"}, {"1 << (x & 31)", "iu"}, {"int8(-5) >> (x & 7)", "iu"},
	{"uint64(1) << uint(x)", "iu"}, {"int32(-9) >> uint(x)", "iu"}, {"int8(1) << x", "u"}, {"uint16(9) >> x", "u"}, {"myint(-3) >> x", "u"},
}

// OperationCode is Go code that applies all operators and built-in functions to all basic types, and to types named of
// them: to variables, to a variable and a constant, and to variables that are known to be constant.
// Where names are given, it is of these basic types alone.
func OperationCode(names ...string) Generated {
	w := &operations{}
	for _, k := range kindsOf(names) {
		for _, typ := range []string{k.name, "my" + k.name} {
			var of, comparing, ones []string
			for _, op := range binary {
				if k.of(op.classes) {
					of = append(of, strings.ReplaceAll(op.expr, "T", typ))
				}
			}
			for _, op := range comparisons {
				if k.of(op.classes) {
					comparing = append(comparing, strings.ReplaceAll(op.expr, "T", typ))
				}
			}
			for _, op := range unary {
				if k.of(op.classes) {
					ones = append(ones, strings.ReplaceAll(op.expr, "T", typ))
				}
			}
			w.variables(typ, typ, of)
			w.variables(typ, "bool", comparing)
			w.constants(k, typ, append(of, comparing...))
			w.unary(k, typ, ones)
			if k.of("siuf") {
				w.variables(typ, typ, []string{"generic(x, y)[0], generic(x, y)[1], generic(x, y)[2], through(x, y)"})
			}
			if k.of("iu") {
				w.variables(typ, typ, []string{"x / y"})
				w.variables(typ, typ, []string{"x % y"})
			}
			if k.of("i") {
				w.variables(typ, typ, []string{"x << y"})
				w.variables(typ, typ, []string{"x >> y"})
			}
		}
	}
	return w.code()
}

// kindsOf are those with these names, or all.
func kindsOf(names []string) (some []kind) {
	for _, k := range kinds {
		if len(names) == 0 || slices.Contains(names, k.name) {
			some = append(some, k)
		}
	}
	return some
}

// ConversionCode is Go code that converts values of all basic types, and types named of them, to all others.
func ConversionCode(names ...string) Generated {
	w := &operations{}
	for _, from := range kindsOf(names) {
		for _, to := range kindsOf(names) {
			number := from.of("iuf") && to.of("iuf") || from.of("c") && to.of("c")
			if !number && from.class != to.class && !(from.of("iu") && to.of("s")) {
				continue
			}
			if from.of("f") {
				from.more = nil // what becomes of them as integers is not said
				from.values = []string{"0", "2.5", "100.75"}
				if to.of("if") {
					from.values = append(from.values, "-2.5")
				}
			}
			w.conversion(from, from.name, to.name)
			w.conversion(from, "my"+from.name, to.name)
			w.conversion(from, from.name, "my"+to.name)
		}
	}
	for _, list := range []string{"[]byte", "[]rune", "myBytes", "[]myuint8", "myRunes", "[]myint32"} {
		w.conversion(kinds[1], "string", list)
		w.conversion(kinds[1], "mystring", list)
		w.conversion(kind{"", "", []string{list + "(\"é\\xff\")", list + "(nil)"}, nil}, list, "string")
		w.conversion(kind{"", "", []string{list + "(\"é\\xff\")", list + "(nil)"}, nil}, list, "mystring")
	}
	w.decls.WriteString("type myBytes []byte\ntype myRunes []myint32\n")
	return w.code()
}

type operations struct {
	decls, calls strings.Builder
	next         int
}

func (w *operations) code() Generated {
	var types strings.Builder
	for _, k := range kinds {
		all := strings.Join(append(k.values[:len(k.values):len(k.values)], k.more...), ", ")
		fmt.Fprintf(&types, "type my%s %s\nvar all_%s, all_my%s = []%s{%s}, []my%s{}\n", k.name, k.name, k.name, k.name, k.name, all, k.name)
		fmt.Fprintf(&types, "func init() { for _, v := range all_%s { all_my%s = append(all_my%s, my%s(v)) } }\n", k.name, k.name, k.name, k.name)
	}
	types.WriteString(`func generic[T cmp.Ordered](x, y T) []T { return []T{min(x, y), max(y, x, y, x), x + y} }
func store[T cmp.Ordered](x, y T, to *T) { *to = max(y, min(y, x), x) }
func through[T cmp.Ordered](x, y T) (z T) { store(x, y, &z); return z }
`)
	types.WriteString("func try(f func() any) (v any) { defer func() { if r := recover(); r != nil { v = r } }(); return f() }\n")
	return Generated{Imports: []string{"cmp", "fmt", "math"}, Decls: "var _ = math.Pi\n" + types.String() + w.decls.String(), Calls: w.calls.String()}
}

// name declares nothing yet.
func (w *operations) name() string {
	w.next++
	return fmt.Sprintf("f%d", w.next)
}

// variables writes a function of two variables that returns what the operations give.
func (w *operations) variables(typ, result string, ops []string) {
	name := w.name()
	fmt.Fprintf(&w.decls, "func %s(x, y %s) []%s { return []%s{%s}\n}\n", name, typ, result, result, strings.Join(ops, ", "))
	fmt.Fprintf(&w.calls, "for _, x := range all_%s { for _, y := range all_%s { fmt.Println(`%s`, x, y, try(func() any { return %s(x, y) })) } }\n", typ, typ, name, name)
}

// constants writes functions of a variable and a constant, and of variables that are known to be constant.
func (w *operations) constants(k kind, typ string, ops []string) {
	c, d := k.values[0], k.values[len(k.values)/2]
	for _, o := range []string{"v, T(C)", "T(C), v", "v, T(D)", "T(C), T(C)", "T(D), T(C)", "T(D), v", "T(C), T(D)"} {
		o = strings.NewReplacer("T", typ, "C", c, "D", d).Replace(o)
		name := w.name()
		fmt.Fprintf(&w.decls, "func %s(v %s) []any { x, y := %s; return []any{%s}\n}\n", name, typ, o, strings.Join(ops, ", "))
		fmt.Fprintf(&w.calls, "for _, x := range all_%s { fmt.Println(`%s`, x, %s(x)) }\n", typ, name, name)
	}
}

// unary writes functions of one variable, and of constants.
func (w *operations) unary(k kind, typ string, ops []string) {
	name := w.name()
	fmt.Fprintf(&w.decls, "func %s(x %s) []any { return []any{%s}\n}\n", name, typ, strings.Join(ops, ", "))
	fmt.Fprintf(&w.calls, "for _, x := range all_%s { for _, v := range %s(x) { fmt.Printf(\"%s %%v %%T\\n\", v, v) } }\n", typ, name, name)
	fmt.Fprintf(&w.decls, "func %sc() []any {\nx := %s(%s)\nreturn []any{%s}\n}\n", name, typ, k.values[len(k.values)/2], strings.Join(ops, ", "))
	fmt.Fprintf(&w.calls, "fmt.Println(`%sc`, %sc())\n", name, name)
}

func (w *operations) conversion(k kind, from, to string) {
	name := w.name()
	fmt.Fprintf(&w.decls, "func %s(x %s) %s { return %s(x)\n}\n", name, from, to, to)
	fmt.Fprintf(&w.decls, "func %sc() (out []any) {\n", name)
	for _, c := range k.values {
		fmt.Fprintf(&w.decls, "{ x := %s(%s); out = append(out, %s(x)) }\n", from, c, to)
	}
	w.decls.WriteString("return out\n}\n")
	var list []string
	for _, v := range append(k.values[:len(k.values):len(k.values)], k.more...) {
		list = append(list, from+"("+v+")")
	}
	fmt.Fprintf(&w.calls, "for _, x := range %s { v := %s(x); fmt.Printf(\"%s %%T %%v %%T %%v %%q\\n\", x, x, v, v, fmt.Sprint(v)) }\nfmt.Println(`%s`, %sc())\n", "[]"+from+"{"+strings.Join(list, ", ")+"}", name, name, name, name)
}
