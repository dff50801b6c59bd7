package arrays

import (
	"math"

	"github.com/arrayrepl/arrayrepl/internal/elementary"
)

// loop computes one block: every slice holds as many elements, of the dtypes that the operation's rule gave.
type loop func(dst []byte, in [3][]byte)

// loopTable holds the loop of each dtype that an operation computes in.
type loopTable [numDTypes]loop

// number is the Go type of a dtype with arithmetic.
type number interface {
	int64 | float32 | float64
}

type float interface{ float32 | float64 }

func unary[T, R element](f func(d []R, x []T)) loop {
	return func(dst []byte, in [3][]byte) { f(elements[R](dst), elements[T](in[0])) }
}

func binary[T, R element](f func(d []R, x, y []T)) loop {
	return func(dst []byte, in [3][]byte) { f(elements[R](dst), elements[T](in[0]), elements[T](in[1])) }
}

func choose[T element](f func(d []T, c []uint8, x, y []T)) loop {
	return func(dst []byte, in [3][]byte) {
		f(elements[T](dst), elements[uint8](in[0]), elements[T](in[1]), elements[T](in[2]))
	}
}

// In the loops below x = x[:len(d)] lets the compiler drop bounds checks.

func add[T number](d, x, y []T) {
	x, y = x[:len(d)], y[:len(d)]
	for i := range d {
		d[i] = x[i] + y[i]
	}
}

func sub[T number](d, x, y []T) {
	x, y = x[:len(d)], y[:len(d)]
	for i := range d {
		d[i] = x[i] - y[i]
	}
}

func mul[T number](d, x, y []T) {
	x, y = x[:len(d)], y[:len(d)]
	for i := range d {
		d[i] = x[i] * y[i]
	}
}

func div[T float](d, x, y []T) {
	x, y = x[:len(d)], y[:len(d)]
	for i := range d {
		d[i] = x[i] / y[i]
	}
}

// powInt wraps as multiplication does. NumPy refuses negative exponents too, for whatever base.
func powInt(d, x, y []int64) {
	for i := range d {
		base, e, p := x[i], y[i], int64(1)
		if e < 0 {
			check("power", &Error{Msg: "an int64 to a negative power is no int64; make the base a float with AsType(Float64)"})
		}
		for ; e > 0; e >>= 1 {
			if e&1 == 1 {
				p *= base
			}
			base *= base
		}
		d[i] = p
	}
}

// Go's min and max give NaN when either side is NaN, as NumPy's minimum and maximum do.

func minimum[T number](d, x, y []T) {
	x, y = x[:len(d)], y[:len(d)]
	for i := range d {
		d[i] = min(x[i], y[i])
	}
}

func maximum[T number](d, x, y []T) {
	x, y = x[:len(d)], y[:len(d)]
	for i := range d {
		d[i] = max(x[i], y[i])
	}
}

func neg[T number](d, x []T) {
	x = x[:len(d)]
	for i := range d {
		d[i] = -x[i]
	}
}

func absInt(d, x []int64) {
	x = x[:len(d)]
	for i := range d {
		d[i] = max(x[i], -x[i])
	}
}

func absFloat[T float](d, x []T) {
	x = x[:len(d)]
	for i := range d {
		d[i] = T(math.Abs(float64(x[i])))
	}
}

// The root of a float32 taken in float64 and rounded is the correctly rounded one.
func sqrt[T float](d, x []T) {
	x = x[:len(d)]
	for i := range d {
		d[i] = T(math.Sqrt(float64(x[i])))
	}
}

// functionLoops makes the loops of a function of package elementary.
func functionLoops(name string) loopTable {
	for _, f := range elementary.Functions {
		switch {
		case f.Name != name:
		case f.Arity() == 1:
			return loopTable{Float32: unary(each(f.Unary32)), Float64: unary(each(f.Unary))}
		default:
			return loopTable{Float32: binary(eachPair(f.Binary32)), Float64: binary(eachPair(f.Binary))}
		}
	}
	panic("arrays: there is no elementary function " + name)
}

func each[T float](f func(T) T) func(d, x []T) {
	return func(d, x []T) {
		x = x[:len(d)]
		for i := range d {
			d[i] = f(x[i])
		}
	}
}

func eachPair[T float](f func(x, y T) T) func(d, x, y []T) {
	return func(d, x, y []T) {
		x, y = x[:len(d)], y[:len(d)]
		for i := range d {
			d[i] = f(x[i], y[i])
		}
	}
}

func equal[T element](d []uint8, x, y []T) {
	x, y = x[:len(d)], y[:len(d)]
	for i := range d {
		d[i] = bit(x[i] == y[i])
	}
}

func notEqual[T element](d []uint8, x, y []T) {
	x, y = x[:len(d)], y[:len(d)]
	for i := range d {
		d[i] = bit(x[i] != y[i])
	}
}

func less[T element](d []uint8, x, y []T) {
	x, y = x[:len(d)], y[:len(d)]
	for i := range d {
		d[i] = bit(x[i] < y[i])
	}
}

func lessEqual[T element](d []uint8, x, y []T) {
	x, y = x[:len(d)], y[:len(d)]
	for i := range d {
		d[i] = bit(x[i] <= y[i])
	}
}

func greater[T element](d []uint8, x, y []T) { less(d, y, x) }

func greaterEqual[T element](d []uint8, x, y []T) { lessEqual(d, y, x) }

func and(d, x, y []uint8) {
	x, y = x[:len(d)], y[:len(d)]
	for i := range d {
		d[i] = x[i] & y[i]
	}
}

func or(d, x, y []uint8) {
	x, y = x[:len(d)], y[:len(d)]
	for i := range d {
		d[i] = x[i] | y[i]
	}
}

func not(d, x []uint8) {
	x = x[:len(d)]
	for i := range d {
		d[i] = x[i] ^ 1
	}
}

func same(d, x []uint8) { copy(d, x) }

func where[T element](d []T, c []uint8, x, y []T) {
	c, x, y = c[:len(d)], x[:len(d)], y[:len(d)]
	for i := range d {
		if c[i] != 0 {
			d[i] = x[i]
		} else {
			d[i] = y[i]
		}
	}
}
