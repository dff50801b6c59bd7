package dp

import (
	"fmt"
	"strings"

	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/cm"
)

// MatrixChain returns the products of the first, the first two, the first three and so on of the matrices ms, of shape
// (n, k, k): a scan by the matrix product, in whose round of distance d all matrices but the first d are multiplied at
// once, each with the one d before it (section 3.8 of the paper).
func MatrixChain(ms any) *np.Array {
	const name = "dp.MatrixChain"
	a := array(name, ms)
	shape := a.Shape()
	if len(shape) != 3 || shape[1] != shape[2] {
		check(name, fmt.Errorf("the matrices have shape %v; give [n k k]: n matrices of k rows and columns", shape))
	}
	n, bits := shape[0], sizeBits(a.DType())
	l := steps(name, n, shape[1]*shape[1]*bits)
	active := []int{}
	for d := 1; d < n; d *= 2 {
		a = np.Concat(np.Axis(0), a.At(np.To(d)), np.MatMul(a.At(np.To(n-d)), a.At(np.From(d))))
		active = append(active, n-d)
	}
	messages := 0
	for _, k := range active {
		messages += k
	}
	l.add(cm.Scan, "multiply", n, bits, messages, active...)
	return l.of(a.Copy())
}

// AddDigits returns the sum of two numbers of n digits to a base from 2 to 128, the lowest digits first, as n+1 digits.
// What each place does with a carry, to stop it, to hand it on or to make one, is combined by a scan, so that n places
// take log2(n) rounds, and not n. It panics with *np.Error where a digit is not one of the base.
func AddDigits(a, b any, base int) *np.Array {
	const name = "dp.AddDigits"
	x, y := pointers(name, a, -1), pointers(name, b, -1)
	if base < 2 || base > 128 || x.Size() != y.Size() {
		check(name, fmt.Errorf("there are %d and %d digits to base %d; give two numbers of as many digits, to a base from 2 to 128", x.Size(), y.Size(), base))
	}
	n := x.Size()
	l := steps(name, n, 16)
	if n == 0 {
		return l.of(np.Zeros(1).AsType(np.Int64))
	}
	for _, d := range []*np.Array{x, y} {
		if bad := d.Less(0).LogicalOr(d.GreaterEqual(base)); bad.AnyTrue().Item().(bool) {
			i := bad.ArgMax().Int()
			check(name, fmt.Errorf("digit %d is %d; to base %d digits go from 0 to %d", i, d.At(i).Int(), base, base-1))
		}
	}
	sum := x.Add(y)
	l.compute("add digits", n, 8, n)
	does := np.Where(sum.GreaterEqual(base), generate, np.Where(sum.Equal(base-1), propagate, kill)).AsType(np.Uint8)
	l.compute("kill, propagate or generate", n, 8, n)
	carried := Scan(carries, does).Equal(generate).AsType(np.Int64) // out of each place
	l.scan("carries", n, 2)
	if shows(n) {
		l.replay = func() []frame { return carries.rounds(does) }
	}
	into := np.Concat(np.Axis(0), np.Zeros(1).AsType(np.Int64), carried)
	digits := np.Concat(np.Axis(0), sum, np.Zeros(1).AsType(np.Int64)).Add(into)
	l.compute("add carries", n, 8, n)
	return l.of(np.Where(digits.GreaterEqual(base), digits.Sub(base), digits))
}

// AddDecimal returns the sum of two whole numbers that are written in decimal, by [AddDigits].
func AddDecimal(a, b string) string {
	n := max(len(a), len(b))
	digits := func(s string) []int64 {
		out := make([]int64, n)
		for i := range len(s) {
			c := s[len(s)-1-i]
			if c < '0' || c > '9' {
				check("dp.AddDecimal", fmt.Errorf("%q is not a digit", c))
			}
			out[i] = int64(c - '0')
		}
		return out
	}
	sum := AddDigits(digits(a), digits(b), 10).Ints()
	text := make([]byte, len(sum))
	for i, d := range sum {
		text[len(sum)-1-i] = byte('0' + d)
	}
	if s := strings.TrimLeft(string(text), "0"); s != "" {
		return s
	}
	return "0"
}
