package arrays

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/arrayrepl/arrayrepl/internal/random"
)

// RNG draws random arrays: the stream of numpy.random's Generator with the same seed, number by number. Normal numbers,
// and what is made of them, come of the same draws as NumPy's and differ from its by less than a part in 10^13, as
// their tables are rounded from exact values here. Others are the same bits, or differ by the last of a logarithm or a
// power. Its methods may be called from several goroutines.
//
// Where a method takes parameters as any, they are numbers or arrays. Arrays are broadcast with each other and to the
// shape that is asked for; without one, the result has theirs.
type RNG struct {
	mu       sync.Mutex
	src      *random.Source
	name     string
	source   func(random.Seed) *random.Source
	seed     random.Seed
	children uint32 // that were spawned
}

// String names the generator of bits: RNG(PCG64).
func (r *RNG) String() string { return "RNG(" + r.name + ")" }

// DefaultRNG returns the generator that numpy.random.default_rng(seed) is. It panics with *Error on a negative seed.
func DefaultRNG(seed int) *RNG {
	return newRNG("default_rng", "PCG64", seed, random.NewOf)
}

// PhiloxRNG returns numpy.random.Generator(numpy.random.Philox(seed)), whose bits are a function of a counter and a key
// (Salmon and others 2011). It panics with *Error on a negative seed.
func PhiloxRNG(seed int) *RNG { return newRNG("philox", "Philox", seed, random.NewPhilox) }

func newRNG(op, name string, seed int, source func(random.Seed) *random.Source) *RNG {
	if seed < 0 {
		check(op, &Error{Msg: fmt.Sprintf("the seed %d is negative; use 0 or more", seed)})
	}
	s := random.Seed{Number: uint64(seed)}
	return &RNG{src: source(s), name: name, source: source, seed: s}
}

// Spawn returns n generators whose streams have nothing to do with each other's or with r's, for work that is done side
// by side: those of NumPy's Generator.spawn. Calls one after the other give others each. It panics with *Error when n
// is negative.
func (r *RNG) Spawn(n int) []*RNG {
	if n < 0 {
		check("spawn", &Error{Msg: fmt.Sprintf("%d generators cannot be spawned; use 0 or more", n)})
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	out := make([]*RNG, n)
	for i := range out {
		s := random.Seed{Number: r.seed.Number, Key: append(slices.Clone(r.seed.Key), r.children)}
		out[i] = &RNG{src: r.source(s), name: r.name, source: r.source, seed: s}
		r.children++
	}
	return out
}

// Bytes returns n random bytes. It panics with *Error when n is negative.
func (r *RNG) Bytes(n int) []byte {
	if n < 0 {
		check("bytes", &Error{Msg: fmt.Sprintf("%d bytes cannot be drawn; use 0 or more", n)})
	}
	mayAllocate(n)
	r.mu.Lock()
	defer r.mu.Unlock()
	out := make([]byte, 0, n+4)
	for len(out) < max(n, 1) { // NumPy draws for no byte, too
		if len(out)%(4<<20) == 0 {
			poll()
		}
		v := r.src.Uint32()
		out = append(out, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
	}
	return out[:n]
}

// fill draws the elements of a new array in C order.
func fill[T element](r *RNG, op string, dtype DType, shape []int, draw func() T) *Array {
	check(op, checkShape(shape))
	a := New(dtype, shape...)
	r.mu.Lock()
	defer r.mu.Unlock()
	v := elements[T](a.data)
	for i := range v {
		if i%(1<<15) == 0 { // numbers of some distributions take hundreds of nanoseconds
			poll()
		}
		v[i] = draw()
	}
	return a
}

// parameter is what a distribution was given, a number or an array, and what it may be.
type parameter struct {
	name  string
	value any
	allow allowed
}

// allowed says which values a parameter may have, NaN never.
type allowed struct {
	is    func(float64) bool
	words string
}

var (
	anyNumber   = allowed{func(v float64) bool { return v == v }, "a number"}
	atLeast0    = allowed{func(v float64) bool { return v >= 0 }, "0 or more"}
	above0      = allowed{func(v float64) bool { return v > 0 }, "above 0"}
	probability = allowed{func(v float64) bool { return v >= 0 && v <= 1 }, "from 0 to 1"}
	chance      = allowed{func(v float64) bool { return v > 0 && v <= 1 }, "above 0 and at most 1"}
	count       = allowed{func(v float64) bool { return v >= 0 && v <= 1<<53 && v == float64(int64(v)) }, "a whole number from 0 to 2^53"}
	above1      = allowed{func(v float64) bool { return v > 1 }, "above 1"}
	below1      = allowed{func(v float64) bool { return v >= 0 && v < 1 }, "from 0 up to 1, which is left out"}
	billion     = allowed{func(v float64) bool { return v >= 0 && v <= 1e9 && v == float64(int64(v)) }, "a whole number from 0 to 10^9"}
	// NumPy's limit, so that counts fit int64
	poissonMean = allowed{func(v float64) bool { return v >= 0 && v <= 9223372006484771000 }, "from 0 to 9.2e18"}
)

// numbers returns a parameter as float64 numbers. It panics where one is not allowed.
func (p parameter) numbers(op string) *Array {
	a := must(op, p.value)
	if !a.DType().IsNumber() || a.DType().IsComplex() {
		check(op, &Error{Msg: fmt.Sprintf("%s is an array of %v; it must be real numbers", p.name, a.DType())})
	}
	a = a.AsType(Float64).Copy()
	for _, v := range elements[float64](a.data) {
		if !p.allow.is(v) {
			check(op, &Error{Msg: fmt.Sprintf("%s is %v; it must be %s", p.name, v, p.allow.words)})
		}
	}
	return a
}

// draw makes an array of the given shape, or that of the parameters, each element by a call of one with its parameters.
func draw[T element](r *RNG, op string, dtype DType, shape []int, one func(p []float64) T, params ...parameter) *Array {
	p, arrays := make([]float64, len(params)), make([]*Array, len(params))
	shapes, single := make([][]int, len(params)), true
	for i, given := range params {
		arrays[i] = given.numbers(op)
		shapes[i] = arrays[i].layout.Shape
		if single = single && arrays[i].Size() == 1; single {
			p[i] = elements[float64](arrays[i].data)[0]
		}
	}
	all, err := BroadcastShapes(shapes...)
	check(op, err)
	if len(shape) == 0 {
		shape = all
	} else if fit, err := BroadcastShapes(all, shape); err != nil || !slices.Equal(fit, shape) {
		check(op, &Error{Shapes: [][]int{all, shape}, Msg: fmt.Sprintf("the parameters have shape %s, which does not broadcast to %s", shapeString(all), shapeString(shape))})
	}
	if single {
		return fill(r, op, dtype, shape, func() T { return one(p) })
	}
	flat := make([][]float64, len(params))
	for i, a := range arrays {
		flat[i] = BroadcastTo(a, shape...).Float64s()
	}
	next := 0
	return fill(r, op, dtype, shape, func() T {
		for i := range p {
			p[i] = flat[i][next]
		}
		next++
		return one(p)
	})
}

// Random returns float64 numbers from 0 up to 1, which is left out.
func (r *RNG) Random(shape ...int) *Array { return fill(r, "random", Float64, shape, r.src.Float64) }

// Uniform returns float64 numbers from lo up to hi. It panics with *Error when hi is below lo, or infinitely far.
func (r *RNG) Uniform(lo, hi ArrayLike, shape ...int) *Array {
	return draw(r, "uniform", Float64, shape, func(p []float64) float64 {
		span := p[1] - p[0]
		if !(span >= 0) || span > math.MaxFloat64 {
			check("uniform", &Error{Msg: fmt.Sprintf("there are no numbers from %v up to %v; give the lower limit first, and finite ones", p[0], p[1])})
		}
		return p[0] + float64(span*r.src.Float64())
	},
		parameter{"lo", lo, anyNumber}, parameter{"hi", hi, anyNumber})
}

// Integers returns int64 numbers from lo up to hi, which is left out. It panics with *Error when there are none.
func (r *RNG) Integers(lo, hi int, shape ...int) *Array {
	if lo >= hi {
		check("integers", &Error{Msg: fmt.Sprintf("there is no integer from %d up to %d", lo, hi)})
	}
	last := uint64(hi) - uint64(lo) - 1
	return fill(r, "integers", Int64, shape, func() int64 { return int64(uint64(lo) + r.src.Below(last)) })
}

// StandardNormal returns float64 numbers of the normal distribution with mean 0 and standard deviation 1.
func (r *RNG) StandardNormal(shape ...int) *Array {
	return fill(r, "standard_normal", Float64, shape, r.src.Normal)
}
