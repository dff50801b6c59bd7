package arrays

import (
	"fmt"
	"math"
	"slices"
)

// Permutation returns the ints from 0 up to x in random order, or of an array x a copy whose elements along the first
// axis are.
func (r *RNG) Permutation(x ArrayLike) *Array {
	a := population("permutation", x, 0)
	out := Arange(a.Len())
	r.mu.Lock()
	defer r.mu.Unlock()
	v := elements[int64](out.data)
	r.exchange(v)
	if must("permutation", x).NDim() == 0 {
		return out
	}
	return a.At(out)
}

// Permuted returns a copy of x with the elements of each line along an axis in a random order of its own, or all
// elements where none is named.
func (r *RNG) Permuted(x ArrayLike, axis ...AxisOption) *Array {
	const op = "permuted"
	axes := axesFrom(op, axis)
	a := must(op, x)
	if len(axes) == 0 {
		return r.permutedLines(a.Reshape(-1)).Reshape(a.layout.Shape...)
	}
	k := axisFor(op, a, optional(op, "axes", axes, 0))
	return r.permutedLines(a.MoveAxis(k, -1)).MoveAxis(-1, k)
}

// permutedLines is a copy of a with each line of its last axis in random order.
func (r *RNG) permutedLines(a *Array) *Array {
	shape := a.layout.Shape
	n := shape[len(shape)-1]
	places := New(Int64, shape...)
	v := elements[int64](places.data)
	r.mu.Lock()
	defer r.mu.Unlock()
	var work poller
	for ; len(v) > 0; v = v[n:] {
		line := v[:n]
		work.did(8 * n)
		for i := range line {
			line[i] = int64(i)
		}
		r.exchange(line)
	}
	return TakeAlongAxis(a, places, -1)
}

// exchange puts v in random order.
func (r *RNG) exchange(v []int64) {
	eachPolled(len(v)-1, poll, func(k int) {
		i := len(v) - 1 - k
		j := r.src.Interval(uint64(i))
		v[i], v[j] = v[j], v[i]
	})
}

// Shuffle puts the elements of a along its first axis in random order, in place.
func (r *RNG) Shuffle(a *Array) { a.Set(a.At(r.Permutation(a.Len())), All) }

// population is what can be chosen of x: its elements along the first axis, or the ints up to the int x. There must be
// least of them.
func population(op string, x any, least int) *Array {
	a := must(op, x)
	if a.NDim() == 0 {
		if !a.DType().IsInt() || a.Int() < least {
			check(op, &Error{Msg: fmt.Sprintf("there is nothing to choose from %v; give a 1-D array with elements, or how many ints from 0 on", a)})
		}
		return Arange(a.Int())
	}
	if a.Len() < least {
		check(op, &Error{Shapes: [][]int{a.layout.Shape}, Msg: "there is nothing to choose from; give a 1-D array with elements"})
	}
	return a
}

// Choice returns elements of x, along its first axis, drawn with equal chances and put back each time. x may be an int
// n, for the ints from 0 up to n.
func (r *RNG) Choice(x ArrayLike, shape ...int) *Array {
	a := population("choice", x, 1)
	return drawn(a, r.Integers(0, a.Len(), shape...))
}

// WeightedChoice is Choice with the probability p of each element. It panics with *Error when they do not add up to 1.
func (r *RNG) WeightedChoice(x, p ArrayLike, shape ...int) *Array {
	const op = "choice"
	a := population(op, x, 1)
	sums := cumulated(chances(op, a, p))
	return drawn(a, fill(r, op, Int64, shape, func() int64 { return find(sums, r.src.Float64()) }))
}

// drawn returns copies of the elements of a at the given places; a single place alone would be a view.
func drawn(a, places *Array) *Array {
	if places.NDim() == 0 {
		return a.At(places).Copy()
	}
	return a.At(places)
}

// Sample returns n elements of x, along its first axis, drawn with equal chances and not put back: numpy's choice with
// replace=False. x may be an int, as in Choice. It takes memory and time for n elements, or for all where n is above a
// fiftieth of more than 10,000.
func (r *RNG) Sample(x ArrayLike, n int) *Array {
	const op = "choice"
	a := population(op, x, 0)
	enough(op, a, n)
	r.mu.Lock()
	defer r.mu.Unlock()
	all := a.Len()
	var picked []int64
	shuffle := func(v []int64, from int) {
		eachPolled(len(v)-from, poll, func(k int) {
			i := len(v) - 1 - k
			j := r.src.Below(uint64(i))
			v[i], v[j] = v[j], v[i]
		})
	}
	if all > 10000 && n > all/50 { // the end of a shuffle
		every := elements[int64](Arange(all).data)
		shuffle(every, max(all-n, 1))
		picked = every[all-n:]
	} else { // Floyd's algorithm (Bentley and Floyd 1987), which takes n draws
		seen := make(map[int64]bool, n)
		eachPolled(n, poll, func(k int) {
			j := int64(all - n + k)
			v := int64(r.src.Below(uint64(j)))
			if seen[v] {
				v = j
			}
			seen[v] = true
			picked = append(picked, v)
		})
		shuffle(picked, 1)
	}
	return a.At(FromSlice(picked))
}

// WeightedSample is Sample with the probability p of each element. It panics with *Error when they do not add up to 1,
// or fewer than n are possible.
func (r *RNG) WeightedSample(x, p ArrayLike, n int) *Array {
	const op = "choice"
	a := population(op, x, 1)
	weights := chances(op, a, p)
	enough(op, a, n)
	possible := 0
	for _, w := range weights {
		if w > 0 {
			possible++
		}
	}
	if possible < n {
		check(op, &Error{Msg: fmt.Sprintf("%d elements are asked for, and %d have a probability above 0", n, possible)})
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	picked := []int64{}
	for len(picked) < n { // what comes twice is drawn again from what is left, as NumPy does
		sums := cumulated(weights)
		draws := make([]float64, n-len(picked))
		for i := range draws {
			draws[i] = r.src.Float64()
		}
		for _, u := range draws {
			if v := find(sums, u); weights[v] > 0 {
				weights[v] = 0
				picked = append(picked, v)
			}
		}
	}
	return a.At(FromSlice(picked))
}

func enough(op string, a *Array, n int) {
	if n < 0 || n > a.Len() {
		check(op, &Error{Shapes: [][]int{a.layout.Shape}, Msg: fmt.Sprintf("%d of %d elements cannot be drawn without putting them back", n, a.Len())})
	}
}

// chances returns the probabilities of a's elements.
func chances(op string, a *Array, p any) []float64 {
	out := parameter{"p", p, probability}.vector(op)
	if len(out) != a.Len() {
		check(op, &Error{Msg: fmt.Sprintf("there are %d elements and %d probabilities", a.Len(), len(out))})
	}
	if sum := Sum(FromSlice(out)).Float64(); math.Abs(sum-1) > 1.5e-8 {
		check(op, &Error{Msg: fmt.Sprintf("the probabilities add up to %v and not to 1; divide them by their sum", sum)})
	}
	return out
}

// cumulated returns the running sums of weights, the last made 1.
func cumulated(weights []float64) []float64 {
	sums := slices.Clone(weights)
	for i := 1; i < len(sums); i++ {
		sums[i] += sums[i-1]
	}
	last := sums[len(sums)-1]
	for i := range sums {
		sums[i] /= last
	}
	return sums
}

// find returns the first place whose sum is above u.
func find(sums []float64, u float64) int64 {
	i, found := slices.BinarySearch(sums, u)
	for found && i < len(sums)-1 && sums[i] == u {
		i++
	}
	return int64(i)
}
