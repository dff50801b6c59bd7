package ixgo

import (
	"slices"
	"unsafe"

	"github.com/goplus/ixgo"
	"golang.org/x/tools/go/ssa"

	"github.com/arrayrepl/arrayrepl/interp/internal/unexported"
)

// The phis at the head of a block take their values all at once, on the way from one block to the next. ixgo v1.1.1
// assigns them one after the other, so that a phi that reads an earlier one of its block gets the new value: x, y = y,
// x in a loop loses a value. Where one reads another, an instruction in the place of the first phi assigns them all.

// mendPhis goes through the blocks of a function that ixgo has compiled.
func mendPhis(f compiled, instrs []ssa.Instruction, code []instruction) {
	for n := 0; n < len(instrs); n++ {
		if _, ok := instrs[n].(*ssa.Phi); !ok {
			continue
		}
		phis := phisAt(instrs, n)
		if len(phis) > 1 && readEachOther(phis) {
			code[n] = assignAtOnce(f, phis)
		}
		n += len(phis) - 1
	}
}

// phisAt returns the phis of one block that begin at n. They stand at the head of their block.
func phisAt(instrs []ssa.Instruction, n int) (phis []*ssa.Phi) {
	for _, in := range instrs[n:] {
		phi, ok := in.(*ssa.Phi)
		if !ok || len(phis) > 0 && phi.Block() != phis[0].Block() {
			break
		}
		phis = append(phis, phi)
	}
	return phis
}

// readEachOther reports whether one of the phis, coming from some block, takes the value of one before it.
func readEachOther(phis []*ssa.Phi) bool {
	for i, phi := range phis {
		for _, v := range phi.Edges {
			if earlier, ok := v.(*ssa.Phi); ok && slices.Contains(phis[:i], earlier) {
				return true
			}
		}
	}
	return false
}

// assignAtOnce reads the values of all phis before it writes the first, and goes on behind the last.
func assignAtOnce(f compiled, phis []*ssa.Phi) instruction {
	to := make([]int, len(phis))
	for i, phi := range phis {
		to[i] = f.register(phi)
	}
	preds := phis[0].Block().Preds
	from := make([][]int, len(preds)) // the registers to read when coming from each predecessor
	for p := range preds {
		for _, phi := range phis {
			from[p] = append(from[p], f.register(phi.Edges[p]))
		}
	}
	behind := len(phis) - 1
	return func(fr *ixgo.Frame) {
		p := unsafe.Pointer(fr)
		r, pred := *unexported.At[[]any](p, frameStack), *unexported.At[int](p, framePred)
		*unexported.At[int](p, frameNext) += behind
		k := 0
		for preds[k].Index != pred {
			k++
		}
		if len(to) == 2 {
			r[to[0]], r[to[1]] = r[from[k][0]], r[from[k][1]]
			return
		}
		var few [8]any // most blocks have no more
		values := few[:0]
		for _, reg := range from[k] {
			values = append(values, r[reg])
		}
		for i, reg := range to {
			r[reg] = values[i]
		}
	}
}
