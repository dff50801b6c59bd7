package arrays

import (
	"fmt"
	"sync"

	"github.com/arrayrepl/arrayrepl/internal/pcg"
)

// RNG draws random arrays: the stream of numpy.random.default_rng (PCG64) with the same seed, number by number. Normal numbers
// are made of the same draws as NumPy's and differ from them by less than a part in 10^13, as their tables are rounded from
// exact values here; all others are the same bits. Its methods may be called from several goroutines.
type RNG struct {
	mu  sync.Mutex
	src *pcg.Source
}

// DefaultRNG returns the generator that numpy.random.default_rng(seed) is. It panics with *Error on a negative seed.
func DefaultRNG(seed int) *RNG {
	if seed < 0 {
		check("default_rng", &Error{Msg: fmt.Sprintf("the seed %d is negative; use 0 or more", seed)})
	}
	return &RNG{src: pcg.New(uint64(seed))}
}

// fill draws the elements of a new array in C order.
func fill[T element](r *RNG, op string, dtype DType, shape []int, draw func() T) *Array {
	check(op, checkShape(shape))
	a := New(dtype, shape...)
	r.mu.Lock()
	defer r.mu.Unlock()
	v := elements[T](a.data)
	for i := range v {
		if i%(1<<20) == 0 {
			poll()
		}
		v[i] = draw()
	}
	return a
}

// Random returns float64 numbers from 0 up to 1, which is left out.
func (r *RNG) Random(shape ...int) *Array { return fill(r, "random", Float64, shape, r.src.Float64) }

// Uniform returns float64 numbers from lo up to hi.
func (r *RNG) Uniform(lo, hi float64, shape ...int) *Array {
	return fill(r, "uniform", Float64, shape, func() float64 { return lo + float64((hi-lo)*r.src.Float64()) })
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

// Normal returns float64 numbers of a normal distribution. It panics with *Error when the deviation is negative.
func (r *RNG) Normal(mean, deviation float64, shape ...int) *Array {
	if deviation < 0 {
		check("normal", &Error{Msg: fmt.Sprintf("the standard deviation %v is negative", deviation)})
	}
	return fill(r, "normal", Float64, shape, func() float64 { return mean + float64(deviation*r.src.Normal()) })
}

// Exponential returns float64 numbers of the exponential distribution with the given mean. It panics with *Error when that is
// negative.
func (r *RNG) Exponential(mean float64, shape ...int) *Array {
	if mean < 0 {
		check("exponential", &Error{Msg: fmt.Sprintf("the mean %v is negative", mean)})
	}
	return fill(r, "exponential", Float64, shape, func() float64 { return mean * r.src.Exponential() })
}

// Permutation returns the ints from 0 up to n in random order.
func (r *RNG) Permutation(n int) *Array {
	a := Arange(n)
	r.mu.Lock()
	defer r.mu.Unlock()
	v := elements[int64](a.data)
	for i := len(v) - 1; i > 0; i-- {
		j := r.src.Interval(uint64(i))
		v[i], v[j] = v[j], v[i]
	}
	return a
}

// Shuffle puts the elements of a along its first axis in random order, in place.
func (r *RNG) Shuffle(a *Array) { a.Set(a.At(r.Permutation(a.Len())), All) }

// Choice returns elements of x, along its first axis, drawn with equal chances and put back each time.
func (r *RNG) Choice(x any, shape ...int) *Array {
	a := must("choice", x)
	if a.NDim() == 0 || a.Len() == 0 {
		check("choice", &Error{Shapes: [][]int{a.layout.Shape}, Msg: "there is nothing to choose from; give a list with elements"})
	}
	return a.At(r.Integers(0, a.Len(), shape...))
}
