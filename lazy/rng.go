package lazy

import "github.com/arrayrepl/arrayrepl/arrays"

// RNG draws random arrays, on the CPU and at once: the stream of numpy.random.default_rng with the same seed. See arrays.RNG.
type RNG struct{ eager *arrays.RNG }

// DefaultRNG returns the generator that numpy.random.default_rng(seed) is. It panics with *Error on a negative seed.
func DefaultRNG(seed int) *RNG { return &RNG{arrays.DefaultRNG(seed)} }

// Random returns float64 numbers from 0 up to 1, which is left out.
func (r *RNG) Random(shape ...int) *Array { return FromArray(r.eager.Random(shape...)) }

// Uniform returns float64 numbers from lo up to hi.
func (r *RNG) Uniform(lo, hi float64, shape ...int) *Array {
	return FromArray(r.eager.Uniform(lo, hi, shape...))
}

// Integers returns int64 numbers from lo up to hi, which is left out. It panics with *Error when there are none.
func (r *RNG) Integers(lo, hi int, shape ...int) *Array {
	return FromArray(r.eager.Integers(lo, hi, shape...))
}

// StandardNormal returns float64 numbers of the normal distribution with mean 0 and standard deviation 1.
func (r *RNG) StandardNormal(shape ...int) *Array { return FromArray(r.eager.StandardNormal(shape...)) }

// Normal returns float64 numbers of a normal distribution. It panics with *Error when the deviation is negative.
func (r *RNG) Normal(mean, deviation float64, shape ...int) *Array {
	return FromArray(r.eager.Normal(mean, deviation, shape...))
}

// Exponential returns float64 numbers of the exponential distribution with the given mean.
func (r *RNG) Exponential(mean float64, shape ...int) *Array {
	return FromArray(r.eager.Exponential(mean, shape...))
}

// Permutation returns the ints from 0 up to n in random order.
func (r *RNG) Permutation(n int) *Array { return FromArray(r.eager.Permutation(n)) }

// Shuffle puts the elements of a along its first axis in random order, in place.
func (r *RNG) Shuffle(a *Array) { a.Set(a.At(r.Permutation(a.Len()))) }

// Choice returns elements of x, along its first axis, drawn with equal chances and put back each time.
func (r *RNG) Choice(x any, shape ...int) *Array {
	a := must("choice", x)
	if a.NDim() == 0 || a.Len() == 0 {
		check("choice", &Error{Shapes: [][]int{a.Shape()}, Msg: "there is nothing to choose from; give a list with elements"})
	}
	return a.At(r.Integers(0, a.Len(), shape...))
}
