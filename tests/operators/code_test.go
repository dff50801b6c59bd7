package operators

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/ixgo"
	"github.com/arrayrepl/arrayrepl/interp/symbols"
	"github.com/arrayrepl/arrayrepl/interp/yaegi"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
)

// TestOperatorsInCode: array expressions in functions, closures, methods, generic functions and later cells, on both
// engines.
func TestOperatorsInCode(t *testing.T) {
	testsize.InTurn(t, 1)
	cells := []struct{ src, want string }{
		{"x := np.Arange(4.0)\nfunc twice(a *np.Array) *np.Array { return 2 * a }\ntwice(x) + 1", "[1. 3. 5. 7.]"},
		{"scale := 3\nadd := func(a *np.Array) *np.Array {\n\tb := a * scale\n\tb[0] = 100\n\treturn b\n}\nadd(x)", "[100.   3.   6.   9.]"},
		{"x", "[0. 1. 2. 3.]"},
		{"type Model struct{ W, B *np.Array }\nfunc (m Model) At(x *np.Array) *np.Array { return m.W*x + m.B }\nModel{x + 1, x * 0}.At(x)", "[ 0.  2.  6. 12.]"},
		{"m := Model{x, x}\nm.W += 1\nm.B[1:3] -= 5\nm.W - m.B", "[1. 6. 6. 1.]"}, // B is x: views share
		{"x", "[ 0. -4. -3.  3.]"},
		{"x = np.Arange(4.0)\nfunc step(a *np.Array, n int) *np.Array {\n\tfor i := 0; i < n; i++ {\n\t\ta = a - a*a/float64(8+i)\n\t}\n\treturn a\n}\nstep(x, 1)", "[0.    0.875 1.5   1.875]"},
		{"parts := []*np.Array{x, x * 2}\nbyName := map[string]*np.Array{\"a\": x}\nbyName[\"a\"] += parts[1][1:3].Sum()\nparts[0] *= 2\nbyName[\"a\"] + parts[0]", "[ 6.  9. 12. 15.]"},
		{"total := 0.0\nfor i, row := range np.Arange(6).Reshape(2, 3) {\n\ttotal += float64((row * (i + 1)).Sum())\n}\ntotal", "27"},
		{"type Vec struct{ *np.Array }\nv := Vec{x}\nv*v - 1", "[-1.  0.  3.  8.]"},
		{"norm := func(a *np.Array) float64 { return math.Sqrt(float64((a * a).Sum())) }\nnorm(np.FromSlice([]float64{1.5, 2}) * 2)", "5"},
		{"if (x > 2).Any().Bool() && !(x > 5).Any().Bool() {\n\tfmt.Println(\"yes\")\n}\nlen(x[1:])", "3"},
		{"ch := make(chan *np.Array, 1)\ngo func() { ch <- x + 1 }()\n(<-ch) * 2", "[2. 4. 6. 8.]"},
		{"a, b := x+1, x-1\na, b = b, a\na[0], b[0] = b[0], a[0]\na - b", "[ 2. -2. -2. -2.]"},
	}
	dtypes := []struct{ src, want string }{
		{"z := np.FromSlice([]complex128{1 + 2i, 3}) * 2i\nz + 1", "[-3.+2.j  1.+6.j]"},
		{"(1i * np.Arange(3)).Imag()", "[0. 1. 2.]"},
		{"w := 2 - 1i\nw * np.Ones(2)", "[2.-1.j 2.-1.j]"},
		{"z[0] = 5i\nz[0] * z[0]", "(-25+0j)"},
		{"complex128(z[0])", "(0+5i)"},
		{"func scaled[T complex128 | *np.Array](a, x T) T { return a*x - x/a }\nscaled(2i, 4), scaled(z, z)", "(0+10i) [-26.+0.j -37.+0.j]"},
		{"b := np.FromSlice([]uint8{250, 7})\nb + 10, b > 300, -b, b &^ 3, ^b", "[ 4 17] [False False] [  6 249] [248   4] [  5 248]"},
		{"np.FromSlice([]int32{7, -7}) / 2", "[ 3.5 -3.5]"},
		{"np.FromSlice([]int8{100, 7}) * np.FromSlice([]int8{2, 2})", "[-56  14]"},
		{"h := np.Linspace(0, 1, 4).AsType(np.Float16)\nh*3 + h", "[0.    1.333 2.666 4.   ]"},
		{"s := np.FromSlice([]string{\"b\", \"a\", \"ab\"})\ns[s > \"a\"], s == \"a\"", "['b' 'ab'] [False  True False]"},
		{"s[1] = \"zz\"\nnp.Sort(s)", "['ab' 'b' 'zz']"},
		{"d := np.FromSlice([]string{\"2024-02-28\", \"2024-03-01\"}).AsType(np.DateTime(np.Day))\nd[1] - d[0], d + 1", "2 days ['2024-02-29' '2024-03-02']"},
		{"d[d > time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)]", "['2024-03-01']"},
		{"d[0] = \"2020-01-01\"\nd - d[0]", "[   0 1521]"},
	}
	generic := []struct{ src, want string }{
		{"func axpy[T float64 | *np.Array](a, x, y T) T { return a*x + y }\naxpy(2.0, 3, 4), axpy(x, x, x)", "10 [ 0.  2.  6. 12.]"},
		{"func Sum[T ~int | ~float64](xs ...T) (s T) {\n\tfor _, x := range xs {\n\t\ts += x\n\t}\n\treturn\n}\nSum(1, 2, 3)", "6"},
		{"type Pair[A, B any] struct {\n\ta A\n\tb B\n}\nfunc first[A, B any](p Pair[A, B]) A { return p.a }\nfirst[int, [][2]int](Pair[int, [][2]int]{3, nil})", "3"},
		{"g := np.Arange(6).Reshape(2, 3)\ng[first(Pair[int, [2]int]{1, [2]int{}}), 2], g[first[int, [2]int](Pair[int, [2]int]{a: 1}), :]", "5 [3 4 5]"},
		{"n := len(g)\n[...]int{n, 3}", "[2 3]"},
	}
	symbols.Register()
	for name, engine := range map[string]func() interp.Engine{"ixgo": ixgo.New, "yaegi": yaegi.New} {
		testdevices.Use(t)
		s, err := interp.New(interp.Options{Engine: engine(), Packages: symbols.Packages(), Docs: symbols.Docs(), Arrays: symbols.Arrays()})
		require.NoError(t, err)
		t.Cleanup(s.Close)
		for n, c := range slices.Concat(cells, generic, dtypes) {
			if got, err := run(s, n+1, c.src); err != nil || got != c.want {
				t.Errorf("%s, cell %d:\n%s\ngives %q %v, want %q", name, n+1, c.src, got, err, c.want)
			}
		}
	}
}

// The built-in print and println write an array's elements, in functions of cells too, and not its address.
func TestPrintOfArrays(t *testing.T) {
	s := arraySession(t)
	var printed strings.Builder
	s.Redirect(func(_ context.Context, _ string, text []byte) error { printed.Write(text); return nil })
	for n, c := range []struct{ src, want string }{
		{"x := np.Arange(3)\nprint(x, 1)", "[0 1 2]1"},
		{"println(2*x, x[1:] > 1, \"end\")", "[0 2 4] [False  True] end\n"},
		{"type Vec struct{ *np.Array }\nfunc show(v Vec) { println(v) }\nshow(Vec{x})", "[0 1 2]\n"},
		{"print := func(a *np.Array) int { return len(a) }\nprint(x)", ""},
	} {
		printed.Reset()
		if _, err := run(s, n+1, c.src); err != nil || printed.String() != c.want {
			t.Errorf("%s prints %q %v, want %q", c.src, printed.String(), err, c.want)
		}
	}
}
