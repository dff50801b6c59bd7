package arrays

import (
	"math"
	"sync/atomic"

	"github.com/arrayrepl/arrayrepl/internal/elementary"
	"github.com/arrayrepl/arrayrepl/internal/vector"
)

// dtypeLoops are the loops of one operation, by the dtype of numbers that it computes in.
type dtypeLoops [numDTypes]loop

// operation is an elementwise operation with its loops, which are made when they are first asked for. Its variable is
// made by the linker and not by a function that runs at the start, so a program has the loops of those operations alone
// that its functions name.
type operation struct {
	Ufunc
	vectors []*vector.Operation          // of which some loops are
	plain   func() dtypeLoops            // without vectors, and without those of Float16
	others  func(u Ufunc, t *dtypeLoops) // replaces loops by what not every program shall link; may be nil

	made  atomic.Pointer[dtypeLoops]
	past  atomic.Pointer[dtypeLoops]
	alike atomic.Pointer[[numDTypes]alikeLoop]
}

// loops returns the loops. Those of strings and dates are made by loopOf.
func (op *operation) loops() *dtypeLoops {
	if t := op.made.Load(); t != nil {
		return t
	}
	t := op.plain()
	op.vectored(&t)
	op.made.Store(&t) // who makes them at the same time makes the same
	return &t
}

// vectorLoops yields the loops of package vector.
func (op *operation) vectorLoops(yield func(vector.Loop) bool) {
	for _, v := range op.vectors {
		for _, l := range v.Loops() {
			if !yield(l) {
				return
			}
		}
	}
}

// function returns the elementary function of a name.
func function(name string) elementary.Function {
	for _, f := range elementary.Functions {
		if f.Name == name {
			return f
		}
	}
	panic("arrays: there is no elementary function " + name)
}

// half makes the loop of Float16 of that of Float32, to which it widens.
func (op *operation) half(t *dtypeLoops) {
	if op.Ufunc == OpWhere {
		t[Float16] = whereLoop(2)
		return
	}
	if t[Float32] == nil {
		return
	}
	in := make([]Operand, op.NIn())
	for i := range in {
		in[i].DType = Float16
	}
	_, gives, err := ufuncs[op.Ufunc].rule(in)
	check(op.String(), err)
	t[Float16] = halfLoop(t[Float32], op.NIn(), gives)
}

// intsOf gives ints the loops of another operation.
func intsOf(other *operation, t *dtypeLoops) {
	for d, l := range other.loops() {
		if DType(d).IsInt() {
			t[d] = l
		}
	}
}

func squareComplex(z complex128) complex128     { return mulComplex(z, z) }
func reciprocalComplex(z complex128) complex128 { return divComplex(1, z) }

func infinite(v float64) bool { return math.IsInf(v, 0) }
func finite(v float64) bool   { return v-v == 0 }

func zero[T realNumber](T) T { return 0 }

// whereLoop returns the loop of OpWhere for elements of a size; nil where there is none.
func whereLoop(size int) loop {
	var l loop
	switch size {
	case 1:
		l = choose[uint8]
	case 2:
		l = choose[uint16]
	case 4:
		l = choose[uint32]
	case 8:
		l = choose[uint64]
	case 16:
		l = choose[[2]uint64]
	}
	return vectoredWhere(size, l)
}
