package operators

import (
	"errors"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/interp"
)

// TestOperatorMistakes: each is one clear line, with the place where the user wrote it.
func TestOperatorMistakes(t *testing.T) {
	s := arraySession(t)
	if _, err := run(s, 1, setUp); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		src          string
		line, column int // 0 for errors of a running cell, which have a line alone
		want         string
	}{
		{`x + "abc"`, 1, 5, "operator + of an array takes an array, a number or a slice of numbers, not a string"},
		{`y2 := 1` + "\n" + `z := x * struct{}{}`, 2, 10, "not a struct{}"},
		{"x**2", 1, 2, "Go has no operator **; use .Pow"},
		{"n := 2\n1 + x**n", 2, 6, "Go has no operator **"},
		{"2**x", 1, 2, "Go has no operator **"},
		{"n := 2.0\np := &n\nx**p", 0, 0, ""},
		{"if x > 3 {\n}", 1, 4, "neither true nor false"},
		{"for x > 3 {\n}", 1, 5, "neither true nor false"},
		{"x > 1 && x < 3", 1, 7, "use & for each element"},
		{"n := 3\nn += x", 2, 3, "would put an array into an int; give the result a variable of its own, or convert an array of one element, as in int(x[0])"},
		{"type F float64\nvar t F\nfor _, v := range x { t -= v }", 3, 25, "as in F(x[0])"},
		{"s := \"\"\ns += x", 2, 3, "would put an array into a string; give the result a variable of its own"},
		{"switch x[0] { case 0: }", 1, 20, "a switch compares arrays as Go does, whether they are the same one; take the number first, as in switch int(x[0])"},
		{"switch y := x * 2; y[1:] { case nil: case x: case 1.5, x: }", 1, 51, "a switch compares arrays as Go does"},
		{"for x[0] = range 3 { }", 1, 5, "a range does not assign to elements of an array; use variables, as in for i, v := range, and assign these"},
		{"i := 0\nfor i, x[1:] = range []float64{4, 5} { i++ }", 2, 8, "a range does not assign to elements of an array"},
		{"ch := make(chan float64, 1)\nselect {\ncase x[0] = <-ch:\ndefault:\n}", 3, 6, "a case of select does not assign to elements of an array; use a variable, as in case v := <-, and assign this"},
		{`x[0] = struct{}{}`, 1, 8, "can be assigned an array, a number, a string or a slice of them, not a struct{}"},
		{`x > "a"`, 1, 0, "float64 and <U1 have no common dtype"},
		{"x[1:] = nil", 1, 9, "not nil"},
		{"i := np.Arange(3)\ni[:] += 0.5", 2, 0, "the result is of float64 and does not go back into elements of int64"},
		{"i := np.Arange(3)\ni[1:] /= 2", 2, 0, "does not go back into elements of int64"},
		{"u := np.Arange(3).AsType(np.Uint8)\nu[u > 0] *= 1.5", 2, 0, "does not go back into elements of uint8"},
		{"x[1] = 2i", 1, 0, "the imaginary part would be lost"},
		{"i := np.Arange(3)\ni[0] = math.NaN()", 2, 0, "NaN does not fit int64"},
		{"q := []int{1}\nq[::2]", 2, 2, "an index like this is for arrays; a []int has none"},
		{"q := []int{1}\nq[0, 1:] = 2", 2, 2, "an index like this is for arrays"},
		{"type P[A, B any] struct{ a A }\nP[int, 2]{}", 2, 8, "this is not a type, and P takes type arguments"},
		{"func k[A, B any]() {}\nk[[]int{1}, int] = 3", 2, 3, "this is not a type, and k takes type arguments"},
		{"x[1:2:3:4]", 1, 0, ""},
		{"x + nosuch", 1, 5, "undefined: nosuch"},
		{"2*x + nosuch(1)", 1, 7, "undefined: nosuch"},
		{"x.NoSuch + 1", 1, 3, "NoSuch"},
		{"var s string = 2*x", 1, 16, "string"},
		{"func g() float64 { return x*2 }", 1, 27, "float64"},
		{"x.Add(1) = x", 1, 1, "cannot assign"},
		{"(x + 1) = x", 1, 0, "cannot assign"},
		{"q := 1\n\nnp.Zeros(3) + np.Zeros(4)", 3, 0, "shapes (3,) and (4,) do not broadcast"},
		{"x[10]", 1, 0, "index 10 is out of bounds for axis 0 with size 6"},
		{"x[1:3] = np.Zeros(5)", 1, 0, "shape (5,) cannot be assigned to a selection of shape (2,)"},
		{"x[:, 0]", 1, 0, "2 indices are too many for shape (6,)"},
		{"x & 1", 1, 0, "float64 has no bits to work on"},
		{"!(x + 1).Sum().Bool() || x == nil", 0, 0, ""},
	} {
		_, err := run(s, 2, c.src)
		var e *interp.Error
		if c.line == 0 {
			if err != nil {
				t.Errorf("%s: %v", c.src, err)
			}
			continue
		}
		if !errors.As(err, &e) {
			t.Errorf("%s: no error (%v)", c.src, err)
			continue
		}
		text := e.Error()
		if len(e.Diagnostics) > 0 {
			d := e.Diagnostics[0]
			text = d.Message
			if len(e.Diagnostics) > 1 || d.Line != c.line || c.column > 0 && d.Column != c.column {
				t.Errorf("%s: %d messages, the first at line %d, column %d: %s", c.src, len(e.Diagnostics), d.Line, d.Column, text)
			}
		} else if len(e.Trace) == 0 || e.Trace[0].Line != c.line {
			t.Errorf("%s: trace %v, want line %d", c.src, e.Trace, c.line)
		}
		if !strings.Contains(text, c.want) || strings.Contains(text, "·") || strings.Contains(text, "\n") {
			t.Errorf("%s:\n\t%s\n\twant %s", c.src, text, c.want)
		}
	}
	if got, err := run(s, 3, "x"); err != nil || got != "[0. 1. 2. 3. 4. 5.]" {
		t.Errorf("the variables are lost: %s %v", got, err)
	}
}
