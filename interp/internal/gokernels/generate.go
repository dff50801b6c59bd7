package gokernels

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Name is the function of kernel i.
func Name(i int) string { return fmt.Sprint("kernel", i) }

// Params are the parameters of each kernel. A thread writes to four elements of out and of outf, and to one of recs.
const Params = "n int, k float32, in []int, fl []float64, by []uint8, recs []rec, c rec, m mat, out []int, outf []float64"

// FunctionName is function i of numbers.
func FunctionName(i int) string { return fmt.Sprint("function", i) }

// New returns the declarations of n kernels.
func New(seed uint64, n int) string {
	return declare(seed, n, func(w *writer, i int) { w.kernel(Name(i)) })
}

// NewFunctions returns the declarations of n functions of an int, a float64 and a uint8 that return a float64.
func NewFunctions(seed uint64, n int) string {
	return declare(seed, n, func(w *writer, i int) { w.function(FunctionName(i)) })
}

func declare(seed uint64, n int, write func(w *writer, i int)) string {
	var b strings.Builder
	for i := range n {
		w := &writer{Rand: rand.New(rand.NewPCG(seed, uint64(i))), vars: map[string][]string{}}
		write(w, i)
		b.WriteString(w.b.String() + "\n")
	}
	return b.String()
}

// writer writes one kernel.
type writer struct {
	*rand.Rand
	b      strings.Builder
	vars   map[string][]string // variables that may be assigned, by type
	fixed  map[string][]string // what may be read alone, by type
	next   int
	labels []string // of the loops around
	loops  int
	inFunc bool // in a closure: no break, continue or label of what is around it
	left   int  // statements that may still be written
	global bool // it may use the variables of the package
	ready  bool // all types have a variable
}

var numbers = []string{"int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "float32", "float64"}

// arrays are the element types of the arrays that kernels declare, by type.
var arrays = map[string]string{"[4]int32": "int32", "[5]int16": "int16", "[3]float32": "float32", "[2]vec": "vec", "mat": "[3]int32", "[3]int32": "int32", "[3]uint8": "uint8"}

// composites are all other types that variables have.
var composites = []string{"[4]int32", "[5]int16", "[3]float32", "[2]vec", "mat", "[3]int32", "[3]uint8", "vec", "rec", "two[int, uint8]", "two[uint8, int]", "bool"}

func (w *writer) kernel(name string) {
	w.line("func %s(%s) {", name, Params)
	w.line("tid := gpu.GlobalID()")
	w.line("if tid >= n { return }")
	w.global = true
	w.line("own, ownf, r0 := out[tid*4 : tid*4+4], outf[tid*4:tid*4+4:tid*4+4], &recs[tid]")
	w.body(func(t string, i int) string {
		switch {
		case t[0] == 'f':
			return fmt.Sprintf("fl[(tid*5+%d)%%len(fl)]", i)
		case t == "uint8":
			return "by[tid%len(by)]"
		}
		return fmt.Sprintf("in[(tid*7+%d)%%len(in)]", i)
	})
	w.line("}")
}

// function writes a function of numbers, for np.Map.
func (w *writer) function(name string) {
	w.line("func %s(a int, b float64, d uint8) float64 {", name)
	w.line("tid, n, k := a&31, int(d), float32(b)")
	w.line("var in, own [4]int")
	w.line("var inf, ownf [4]float64")
	w.line("c, m := rec{A: int32(a), C: d, D: [5]int16{1, 2, 3}}, mat{{int32(d), -2, 3}, {4, 5}}")
	w.line("r0 := &rec{B: b, V: vec{b, 2}}")
	w.line("_, _, _, _, _, _, _ = tid, n, k, in, inf, c, m")
	w.vars["[]int"] = []string{"own[1:]"}
	w.body(func(t string, i int) string {
		return []string{"a", "b", "d"}[i%3]
	})
	w.line("for i, x := range own { ownf[i] += float64(x) }")
	w.line("return total(ownf[:]...)")
	w.line("}")
}

// body writes what a kernel or function does. It ends in own and ownf, which have four elements; from gives a number
// that the variable of a type begins with.
func (w *writer) body(from func(t string, i int) string) {
	w.fixed = map[string][]string{"int": {"n", "tid"}, "float32": {"k"}, "rec": {"c"}, "mat": {"m"}}
	w.left = 60
	w.line("_ = r0")
	w.vars["*rec"] = []string{"r0"}
	if w.global {
		w.vars["*rec"] = append(w.vars["*rec"], "(&slots[tid])")
		for t, v := range map[string]string{"int": "base", "float64": "part", "[5]int16": "table", "mat": "shape", "rec": "one"} {
			w.fixed[t] = append(w.fixed[t], v)
		}
	}
	if w.vars["[]int"] == nil {
		w.vars["[]int"], w.vars["[]float64"] = []string{"own"}, []string{"ownf"}
	} else {
		w.vars["[]float64"] = []string{"ownf[:]"}
	}
	for i, t := range numbers {
		w.declare(t, t+"("+from(t, i)+")")
	}
	for _, t := range composites {
		w.declare(t, w.literal(t))
	}
	w.ready = true
	for w.left > 10 {
		w.left--
		w.statement(3)
	}
	for i, t := range numbers {
		if t[0] == 'f' {
			w.line("ownf[%d] += float64(%s)", i%4, w.one(t))
		} else {
			w.line("own[%d] = own[%d]*31 + int(%s)", i%4, i%4, w.one(t))
		}
	}
	for _, t := range []string{"[4]int32", "[5]int16", "[3]int32", "[3]uint8"} {
		w.line("for i, x := range %s { own[i%%4] += int(x) * (i+1) }", w.one(t))
	}
	w.line("if %s { own[0]++ }", w.one("bool"))
	w.line("ownf[3] -= %s.dot(%s[1])", w.one("vec"), w.one("[2]vec"))
	w.line("own[1] += %s.sum() + int(%s.row(own[2])[1]) + %s.flip().First", w.one("rec"), w.one("mat"), w.one("two[uint8, int]"))
}

func (w *writer) line(format string, args ...any) { fmt.Fprintf(&w.b, format+"\n", args...) }

func (w *writer) pick(list ...string) string { return list[w.IntN(len(list))] }

func (w *writer) fresh() string { w.next++; return fmt.Sprint("v", w.next) }

func (w *writer) declare(t, value string) string {
	v := w.fresh()
	if w.IntN(2) == 0 {
		w.line("var %s %s = %s", v, t, value)
	} else {
		w.line("%s := %s", v, convert(t, value))
	}
	w.line("_ = %s", v)
	w.vars[t] = append(w.vars[t], v)
	return v
}

// convert gives a value of a number's or an array's type that type where it is not written.
func convert(t, value string) string {
	if strings.HasPrefix(value, t) || strings.HasPrefix(t, "*") || strings.HasPrefix(t, "[]") {
		return value
	}
	return t + "(" + value + ")"
}

// one is a variable of a type that may be assigned; there always is one.
func (w *writer) one(t string) string { return w.pick(w.vars[t]...) }

// two are two such variables, most often different ones.
func (w *writer) two(t string) (string, string) { return w.one(t), w.one(t) }

// scoped writes what f does in a scope of its own.
func (w *writer) scoped(f func()) {
	vars, fixed := copied(w.vars), copied(w.fixed)
	f()
	w.vars, w.fixed = vars, fixed
}

func copied(m map[string][]string) map[string][]string {
	c := make(map[string][]string, len(m))
	for t, v := range m {
		c[t] = slices.Clip(v)
	}
	return c
}

func (w *writer) block(depth, most int) {
	w.scoped(func() {
		for range 1 + w.IntN(most) {
			if w.left--; w.left > 0 {
				w.statement(depth)
			}
		}
	})
}

// number is any of the types of numbers.
func (w *writer) number() string { return w.pick(numbers...) }

func (w *writer) integer() string { return w.pick(numbers[:10]...) }
