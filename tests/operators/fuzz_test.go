package operators

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// expr is a random expression: its text for a cell, and a value made by calling methods directly.
type expr struct {
	text  string
	prec  int // of the outermost operator in the text, 6 for a sign, 7 for none
	value any // *arrays.Array, int or float64
}

type operatorCall struct {
	op   string
	prec int
	call func(x, y any) *arrays.Array
}

// sides are the precedences that operands need. Comparisons stand in parentheses in one another and beside & and |.
func (o operatorCall) sides(x, y string) (left, right int) {
	if o.prec > 3 {
		return o.prec, o.prec + 1
	}
	side := func(text string) int {
		if strings.ContainsAny(text, "&|^") {
			return 7
		}
		return 4
	}
	return side(x), side(y)
}

var operatorCalls = []operatorCall{
	{"+", 4, func(x, y any) *arrays.Array { return arrays.Add(x, y) }},
	{"-", 4, func(x, y any) *arrays.Array { return arrays.Sub(x, y) }},
	{"*", 5, func(x, y any) *arrays.Array { return arrays.Mul(x, y) }},
	{"/", 5, func(x, y any) *arrays.Array { return arrays.Div(x, y) }},
	{"%", 5, func(x, y any) *arrays.Array { return arrays.Mod(x, y) }},
	{"&", 5, func(x, y any) *arrays.Array { return arrays.BitAnd(x, y) }},
	{"|", 4, func(x, y any) *arrays.Array { return arrays.BitOr(x, y) }},
	{"^", 4, func(x, y any) *arrays.Array { return arrays.BitXor(x, y) }},
	{"<<", 5, func(x, y any) *arrays.Array { return arrays.LeftShift(x, y) }},
	{"<", 3, func(x, y any) *arrays.Array { return arrays.Less(x, y) }},
	{">=", 3, func(x, y any) *arrays.Array { return arrays.GreaterEqual(x, y) }},
	{"==", 3, func(x, y any) *arrays.Array { return arrays.Equal(x, y) }},
	{"!=", 3, func(x, y any) *arrays.Array { return arrays.NotEqual(x, y) }},
}

// randomExpr makes an array expression over vars. A combination that arrays refuses is tried again with another.
func randomExpr(r *rand.Rand, vars []expr, depth int) expr {
	if depth == 0 || r.IntN(6) == 0 {
		return vars[r.IntN(len(vars))]
	}
	for range 20 {
		x := randomExpr(r, vars, depth-1)
		var out expr
		try := func(f func() *arrays.Array) bool {
			msg := try(func() { out.value = f() })
			return msg == "" && out.value.(*arrays.Array).Size() < 500
		}
		a := x.value.(*arrays.Array)
		ok := false
		switch r.IntN(10) {
		case 0:
			out.text, out.prec = "-"+x.at(6), 6
			if strings.HasPrefix(x.text, "-") {
				out.text = "-(" + x.text + ")"
			}
			ok = try(a.Neg)
		case 1:
			out.text, out.prec = x.at(7)+".Abs()", 7
			ok = try(a.Abs)
		case 2:
			n := a.NDim()
			if n == 0 {
				continue
			}
			lo, step := r.IntN(3), 1+r.IntN(2)
			if r.IntN(2) == 0 {
				step = -step
			}
			out.prec = 7
			out.text = fmt.Sprintf("%s[%d::%d]", x.at(7), lo, step)
			ok = try(func() *arrays.Array { return a.At(arrays.S(lo, arrays.End, step)) })
			if n > 1 && r.IntN(2) == 0 {
				out.text = fmt.Sprintf("%s[:, %d:]", x.at(7), lo)
				ok = try(func() *arrays.Array { return a.At(arrays.All, arrays.From(lo)) })
			}
		case 3:
			out.text, out.prec = "("+x.text+")", 7
			ok = try(func() *arrays.Array { return a })
		default:
			o := operatorCalls[r.IntN(len(operatorCalls))]
			var y expr
			switch r.IntN(4) {
			case 0:
				n := r.IntN(7)
				y = expr{fmt.Sprint(n), 7, n}
			case 1:
				v := float64(r.IntN(40)) / 8
				y = expr{fmt.Sprintf("%.3f", v), 7, v}
			default:
				y = randomExpr(r, vars, depth-1)
			}
			if r.IntN(3) == 0 {
				x, y = y, x
			}
			left, right := o.sides(x.text, y.text)
			out.text, out.prec = x.at(left)+" "+o.op+" "+y.at(right), o.prec
			ok = try(func() *arrays.Array { return o.call(x.value, y.value) })
		}
		if ok {
			return out
		}
	}
	return vars[r.IntN(len(vars))]
}

// try calls f and returns what it panicked with, as a text.
func try(f func()) (msg string) {
	defer func() {
		if p := recover(); p != nil {
			msg = fmt.Sprint(p)
		}
	}()
	f()
	return ""
}

// at is the text as an operand of an operator of the given precedence.
func (e expr) at(prec int) string {
	if e.prec < prec {
		return "(" + e.text + ")"
	}
	return e.text
}

// FuzzOperators: random expressions of arrays and numbers give what the same tree gives by calls of methods, at the top
// level and in a function, and so does the plain Go that PlainGo makes of them.
func FuzzOperators(f *testing.F) {
	for seed := range uint64(150) {
		if testsize.Part(int(seed), 3) {
			f.Add(seed)
		}
	}
	s := arraySession(f)
	vars := []expr{
		{"x", 7, arrays.Arange(6.0)}, {"y", 7, arrays.FromSlice([]float64{3, 1, 4, 1, 5, 9})}, {"m", 7, arrays.Arange(12).Reshape(2, 6)},
		{"i", 7, arrays.FromSlice([]int{5, -4, 3, 0, 1, 2})}, {"f", 7, arrays.FromSlice([]float32{0.5, 1.5, 2.5, -1, 0.25, 8})},
		{"b", 7, arrays.FromSlice([]bool{true, false, true, false, true, true})},
	}
	_, err := run(s, 1, `
x := np.Arange(6.0)
y := np.FromSlice([]float64{3, 1, 4, 1, 5, 9})
m := np.Arange(12).Reshape(2, 6)
i := np.FromSlice([]int{5, -4, 3, 0, 1, 2})
f := np.FromSlice([]float32{0.5, 1.5, 2.5, -1, 0.25, 8})
b := np.FromSlice([]bool{true, false, true, false, true, true})
`)
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 12))
		e := randomExpr(r, vars, 1+r.IntN(5))
		want := e.value.(*arrays.Array).String()
		check := func(how, src string) {
			got, err := run(s, 2, src)
			if err != nil || !strings.EqualFold(got, want) {
				t.Errorf("seed %d, %s:\n%s\ngives %s %v\nby methods\n%s", seed, how, src, got, err, want)
			}
		}
		check("at the top", e.text)
		check("in a function", "func() *np.Array {\n\tresult := "+e.text+"\n\treturn result\n}()")
		plain, err := s.PlainGo(2, e.text)
		if err != nil {
			t.Errorf("seed %d: PlainGo(%s): %v", seed, e.text, err)
			return
		}
		before := s.SetOperators(false)
		check("as plain Go, of "+e.text, plain)
		s.SetOperators(before)
	})
}
