package operators

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/ixgo"
	"github.com/arrayrepl/arrayrepl/interp/symbols"
	"github.com/arrayrepl/arrayrepl/interp/yaegi"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
)

// flows are cells in which a name is an array only because of an operator or an index on arrays, with what NumPy's
// arrays have after the same steps. The last line is what is shown.
var flows = []struct{ src, want string }{
	{"x := np.Arange(12).Reshape(3, 4)\nv := x[:, 1:]\nv[:, 0] = 9\nw := v[::2, :]\nw[0, 1] = -1\nx", "[[ 0  9 -1  3]\n [ 4  9  6  7]\n [ 8  9 10 11]]"},
	{"x := np.Arange(12).Reshape(3, 4)\nv := x[..., 1]\nv[1:] += 10\nv + x[:, 0]", "[ 1 19 27]"},
	{"x := np.Arange(4)\nacc := x * 0\nfor i := range 3 { acc += x * i }\nacc", "[0 3 6 9]"},
	{"x := np.Arange(8)\nm := x > 1\nm &= x < 5\nm", "[False False  True  True  True False False False]"},
	{"x := np.Arange(8).Reshape(2, 4)\n{ acc := x[0]; acc[0] += 7; if true { b := acc * 2; b[1:3] += 1; acc[1:] = b[::-1][:3] } }\nx", "[[7 6 5 3]\n [4 5 6 7]]"},
	{"func f(a, b *np.Array) *np.Array { m := a == b; r := m[:, 0]; m[:, 1] = false; return r | m[:, 1] }\nx := np.Arange(4).Reshape(2, 2)\nf(x, x)", "[ True  True]"},
	{"x := np.Arange(4)\na := x * 2\nb := a + 1\nc := b[1:]\nd := c > 2\ne := d | (c < 1)\ne[0] = false\ng := a\ng[0] += 5\ng, h := b*2, c[:2]\nh[1:] -= g[:1]\nfmt.Sprint(e, a, g, h)", "[False  True  True] [5 2 4 6] [ 2  6 10 14] [3 3]"},
	{"x := np.Arange(4)\nf := func(y *np.Array) *np.Array { z := y * 2; z[1:] += 1; return z }\nq := f(x)\nq[0] = 3\nq * 2", "[ 6  6 10 14]"},
	{"x := np.Arange(6).Reshape(2, 3)\nvar out []string\nfor i, row := range x * 2 { r := row + i; r[0] = 7; out = append(out, fmt.Sprint(r)) }\nout", "[[7 2 4] [ 7  9 11]]"},
	{"x := np.Arange(3)\nxs := []*np.Array{x * 2, x}\nfor i := range xs { xs[i] += 1; y := xs[i]; y[:2] *= 2 }\nmm := map[string]*np.Array{\"a\": x + 1}\nmm[\"a\"] += 2\nk := mm[\"a\"]\nk[0, ...] = 5\nfmt.Sprint(xs, mm)", "[[2 6 5] [2 4 3]] map[a:[5 4 5]]"},
	{"x := np.Arange(3)\ntype S struct{ a *np.Array }\ns := S{x * 2}\ns.a[1:] += 1\nt := s.a\nt[::2] = 4\np := &s\np.a += 1\nfmt.Sprint(s.a, t)", "[5 4 5] [4 3 4]"},
	{"x := np.Arange(3)\na, b := x * 2, 3\na[0] += b\nvar c, d = a > 1, b\nc &= a < 5\nc[d-3] = false\nfmt.Sprint(a, c)", "[3 2 4] [False  True  True]"},
	{"x := np.Arange(3)\nvar y *np.Array\nswitch z := x * 2; { case (z[1] > 1).Bool(): z[0] = 1; y = z }\nif z := x + 1; z[0].Int() == 1 { z[1:] = 0; y += z }\ny", "[2 2 4]"},
	{"func g(x *np.Array, n int) (r *np.Array) { r = x * n; s := r[1:]; s[0] += 1; t := s * 2; t[::2] = n; return t }\ng(np.Arange(4), 3)[1:, ...]", "[12  3]"},
	{"func twice[T int | *np.Array](v T) T { w := v + v; w += v; return w }\nt := twice(np.Arange(3))\nt[1:] = twice(1)\nt", "[0 3 3]"},
	{"type ints []int\ntype N int\nx := np.Arange(5)\nx[ints{0}] = []N{7}\nfmt.Sprint(np.Take(x, ints{1, 3}), np.Insert(x, 1, []N{4}), x[[]N{0}], np.FromSlice([][2]N{{1, 2}}), x * N(2))", "[1 3] [7 4 1 2 3 4] [7] [[1 2]] [14  2  4  6  8]"},
	// several values at once: what is on the left is evaluated first, and becomes known in whatever turn
	{"a := np.Arange(3)\nn, b := 1, np.Arange(3)+4\na[0], b[n] = b[1], a[0]\nfmt.Sprint(a, b)", "[5 1 2] [4 0 6]"},
	{"x, i := np.Arange(4), 0\nfor i < 3 { x[i], i = x[i+1]*2, i+1 }\nfmt.Sprint(x, i)", "[2 4 6 3] 3"},
	{"x := np.Arange(4)\ny := x * 2\nx[0], x = 9, y\ny[:], y = x[::-1].Copy(), y[:2]\nfmt.Sprint(x, y)", "[6 4 2 0] [6 4]"},
	{"n := 0\nnext := func() int { n++; return n - 1 }\na, b := np.Arange(4)*10, np.Arange(4)\na[next()], b[next()] = next(), next()\nfmt.Sprint(a, b, n)", "[ 2 10 20 30] [0 3 2 3] 4"},
	{"x, m := np.Arange(4), map[string]int{\"a\": 2}\nvar ok bool\nx[m[\"a\"]], m[\"a\"] = 50, 3\nx[0], ok = m[\"a\"]\nx[1], ok = m[\"z\"]\nfmt.Sprint(x, ok)", "[ 3  0 50  3] false"},
	{"x := np.Arange(4)\nfunc() { a := x + 1; func() { b := a * 2; a = b[1:]; a[0] = 0 }() ; a += 1; x = a }()\nx", "[1 7 9]"},
}

// TestTypesFlow has the same cells in one, line by line where they can be, in a function, and with both engines; a
// short test has a third of them, each turn another.
func TestTypesFlow(t *testing.T) {
	testdevices.Use(t)
	symbols.Register()
	for _, engine := range []func() interp.Engine{func() interp.Engine { return ixgo.New() }, func() interp.Engine { return yaegi.New() }} {
		for k, c := range flows {
			if !testsize.Part(k, 3) {
				continue
			}
			lines := strings.Split(c.src, "\n")
			forms := [][]string{{c.src}, lines}
			if last := len(lines) - 1; !strings.Contains(c.src, "func f") && !strings.Contains(c.src, "func g") && !strings.Contains(c.src, "func twice") {
				forms = append(forms, []string{fmt.Sprintf("func all() any {\n%s\nreturn %s\n}\nall()", strings.Join(lines[:last], "\n"), lines[last])})
			}
			for _, cells := range forms {
				s, err := interp.New(interp.Options{Engine: engine(), Packages: symbols.Packages(), Arrays: symbols.Arrays()})
				require.NoError(t, err)
				got := ""
				for i, cell := range cells {
					b, err := s.Run(context.Background(), i+1, cell)
					if !assert.NoError(t, err, "%s", cells) {
						break
					}
					got = b.Text()
				}
				s.Close() // not at the end of the test: 90 sessions would be open
				assert.Equal(t, c.want, got, "%s", cells)
			}
		}
	}
}

// TestChainedComparisons are refused where they have arrays, as NumPy refuses them, with the spelling that works.
func TestChainedComparisons(t *testing.T) {
	s := arraySession(t)
	_, err := run(s, 1, setUp)
	require.NoError(t, err)
	for src, want := range map[string]string{
		"1 < x < 3":                           "write (1 < x) & (x < 3)",
		"x > 1 & x < 4":                       "write (x > 1) & (x < 4)",
		"x > 1 | y < 4":                       "write (x > 1) | (y < 4)",
		"a := x * 2\nb := 1 <= a <= y":        "write (1 <= a) & (a <= y)",
		"func() any { return 1 < x+1 < k }()": "write (1 < x + 1) & (x + 1 < k)",
		"2*x > 3 & x < 5 | x == 0":            "write (2 * x > 3) & (x < 5) | (x == 0)",
		"x > 1 & b & x + 2 < 4 ^ b":           "write (x > 1) & b & (x + 2 < 4) ^ b",
		"0 < x < y < 9":                       "write (0 < x) & (x < y) & (y < 9)",
		"x < 3 == true":                       "write (x < 3) == true",
		"(x > 1) & x < 3":                     "write (x > 1) & (x < 3)",
		"x > 1 & (x < 3)":                     "write (x > 1) & (x < 3)",
		"m := x < 3\nx > 1 & m":               "write (x > 1) & m",
		"m := x[1:] < 3\nm[::2] | 1 == x[:2]": "write m[::2] | (1 == x[:2])",
		"m := x > 1\nm & x[..., :-1:2] < 3":   "write m & (x[..., :-1:2] < 3)",
		"var m = np.IsNaN(x)\n2 == x | m":     "write (2 == x) | m",
		"x > 1 & !b":                          "write (x > 1) & !b",
		"x == 1 | np.IsNaN(y)":                "write (x == 1) | np.IsNaN(y)",
		"!x > 2":                              "write !(x > 2) or (!x) > 2",
		"!b == x":                             "write !(b == x) or (!b) == x",
	} {
		_, err := run(s, 2, src)
		assert.ErrorContains(t, err, want, src)
	}
	for src, want := range map[string]string{"(x > 1) & (x < 4)": "[False False  True  True False False]", "(x > 1) == (y > 1)": "", "1 < k == true": "true", "x > 1 == false": "fails",
		"i & 1 == 1": "[False  True False  True False  True]", "i & i == 4 | 1": "", "!(x > 2) == b": "[ True False  True  True False False]", "!true == (x > 2)": "",
		"m := x > 1\nm = x\nm + 1 > x": "", "k > 1 && !(k > 2) == true": "true", "-x < 2": "", "x > 1 == (k > 0 == true)": "fails"} {
		got, err := run(s, 3, src)
		if want == "fails" {
			assert.Error(t, err, src)
			continue
		}
		require.NoError(t, err, src)
		if want != "" {
			assert.Equal(t, want, got, src)
		}
	}
}

// TestFloorComments: x // 2 is refused, as it would be x without a word. Comments that say something are comments.
func TestFloorComments(t *testing.T) {
	s := arraySession(t)
	_, err := run(s, 1, setUp+"name := \"a\"")
	require.NoError(t, err)
	for src, want := range map[string]string{
		"x // 2":             "write np.FloorDivide(x, 2)",
		"q := x // 2\nq":     "write np.FloorDivide(x, 2)",
		"q := x + y // k\nq": "write np.FloorDivide(y, k)",
		"func() any { return x[1:] //(k + 1)\n}()": "write np.FloorDivide(x[1:], (k + 1))",
		"x * y // k * 2 + 1":                       "write np.FloorDivide(x * y, k)",
		"-x // 2":                                  "write np.FloorDivide(-x, 2)",
		"x //= 2":                                  "write x = np.FloorDivide(x, 2)",
		"x[1:] //= y[1:]":                          "write x[1:] = np.FloorDivide(x[1:], y[1:])",
		"x // len(y)":                              "write np.FloorDivide(x, len(y))",
		"x // y[0]":                                "write np.FloorDivide(x, y[0])",
		"func f(a *np.Array, n int) *np.Array { return a // n\n}\nf(x, 2)": "write np.FloorDivide(a, n)",
		"for n := range 3 { z := x // n\nfmt.Println(z) }":                 "write np.FloorDivide(x, n)",
		"x[:] = y // -2.5":          "write np.FloorDivide(y, -2.5)",
		"fmt.Println(x, // 3\n\ty)": "write np.FloorDivide(x, 3)",
	} {
		_, err := run(s, 2, src)
		assert.ErrorContains(t, err, want, src)
		assert.ErrorContains(t, err, "// begins a comment in Go", src)
	}
	for src, want := range map[string]string{
		"q := (x // 2) + 1":                        "write np.FloorDivide(x, 2)",
		"np.Sum(x // 2)":                           "write np.FloorDivide(x, 2)",
		"q := []*np.Array{x // 2, y // k}":         "write np.FloorDivide(x, 2)",
		"q := (x + y // 2) * (\n\tx // k)":         "write np.FloorDivide(y, 2)",
		"x[len(x) // 2:, ...]":                     "write np.FloorDivide(len(x), 2)",
		"if (x // 2 == 1).Any().Bool() { }":        "write np.FloorDivide(x, 2)",
		"for i := range (len(x) // 2) {\n\ti++\n}": "write np.FloorDivide(len(x), 2)",
	} {
		_, err := run(s, 2, src)
		assert.ErrorContains(t, err, want, src)
		assert.ErrorContains(t, err, "hides a closing bracket", src)
	}
	for _, src := range []string{"q := (x // see a)", "q := f(x, // the first)", "q := (x // 2"} {
		_, err := run(s, 2, src)
		assert.ErrorContains(t, err, "is never closed", src)
	}
	for _, src := range []string{"x // two", "x // the 2 of them", "x // name", "k // 2", "// 2\nx", "x /* 2 */", "x // http://a.b/2", "x // x.y", "x // x(2)", "\"//\" // 2", "x // 2 3", "x // see [2]", "x // nosuch", "x //", "np.Sum(x) // TODO"} {
		_, err := run(s, 3, src)
		assert.NoError(t, err, src)
	}
}
