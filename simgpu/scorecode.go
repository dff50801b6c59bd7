package simgpu

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/kir"
)

// This file computes compiled scores: column by column where the code has one block, else candidate by candidate.

// scoreCode is a compiled score. It does not change.
type scoreCode struct {
	f      *kir.Func
	steps  [][]scoreStep // by block
	inputs []scoreInput
	consts []*kir.Value
	result *kir.Value // of one of the stores; all store to one place
}

type scoreStep struct {
	v       *kir.Value
	compute func(n int, d, a, b, c unsafe.Pointer) // nil of a check, and of the store
	check   bool
}

type scoreInput struct {
	field field
	v     *kir.Value
}

// scoreRun is a scheduler's room for computing scores.
type scoreRun struct {
	code    *scoreCode
	n       int        // candidates that there is room for
	columns [][]uint64 // by value
	scores  []float64
	ready   []int
}

// reads reports whether the score follows from a field.
func (c *scoreCode) reads(f field) bool {
	return slices.ContainsFunc(c.inputs, func(in scoreInput) bool { return in.field == f })
}

// mayPanic reports whether the code can have no result.
func (c *scoreCode) mayPanic() bool {
	return len(c.steps) > 1 || slices.ContainsFunc(c.steps[0], func(s scoreStep) bool { return s.check })
}

func (c *scoreCode) start() *scoreRun { return &scoreRun{code: c} }

// room makes room for n candidates.
func (r *scoreRun) room(n int) {
	if n <= r.n {
		return
	}
	r.n = max(32, 2*n)
	words := make([]uint64, r.n*r.code.f.NumValues())
	r.columns = r.columns[:0]
	for i := range r.code.f.NumValues() {
		r.columns = append(r.columns, words[i*r.n:(i+1)*r.n])
	}
	r.scores = make([]float64, r.n)
	for _, v := range r.code.consts {
		for k := range r.n {
			r.put(v, k, v.Imm)
		}
	}
}

// at returns the place of a value for candidate k.
func (r *scoreRun) at(v *kir.Value, k int) unsafe.Pointer {
	return unsafe.Add(unsafe.Pointer(unsafe.SliceData(r.columns[v.ID])), k*v.Type.Bytes())
}

func (r *scoreRun) set(in scoreInput, k int, x uint64) { r.put(in.v, k, x) }

// put sets a value for candidate k.
func (r *scoreRun) put(v *kir.Value, k int, x uint64) {
	switch at := r.at(v, k); v.Type.Bytes() {
	case 1:
		*(*uint8)(at) = uint8(x)
	case 2:
		*(*uint16)(at) = uint16(x)
	case 4:
		*(*uint32)(at) = uint32(x)
	default:
		*(*uint64)(at) = x
	}
}

// best returns the first of n candidates with the highest score, or what is wrong with the function.
func (r *scoreRun) best(n int) (best int, wrong string) {
	if len(r.code.f.Blocks) == 1 {
		if wrong = r.block(0, 0, n); wrong != "" {
			return 0, wrong
		}
	} else {
		for k := range n {
			if wrong = r.walk(k); wrong != "" {
				return 0, wrong
			}
		}
	}
	for k := range n {
		if r.scores[k] != r.scores[k] {
			return 0, notANumber
		}
		if r.scores[k] > r.scores[best] {
			best = k
		}
	}
	return best, ""
}

// block computes a block for n candidates from number k on.
func (r *scoreRun) block(b, k, n int) (wrong string) {
	var args [3]unsafe.Pointer
	for i := range r.code.steps[b] {
		s := &r.code.steps[b][i]
		for j, a := range s.v.Args {
			args[j] = r.at(a, k)
		}
		switch {
		case s.check:
			for i, ok := range unsafe.Slice((*uint8)(args[0]), n) {
				if ok == 0 {
					x, y := r.get(s.v.Args[1], k+i), r.get(s.v.Args[2], k+i)
					trap := r.code.f.CheckTrap(s.v, kir.Dim3{}, kir.Dim3{}, int64(x), int64(y))
					return "failed in its score: " + trap.Msg
				}
			}
		case s.compute == nil:
			copy(r.scores[k:k+n], unsafe.Slice((*float64)(args[1]), n))
		default:
			s.compute(n, r.at(s.v, k), args[0], args[1], args[2])
		}
	}
	return ""
}

// mostScoreBlocks bounds the blocks that a score goes through for one candidate.
const mostScoreBlocks = 1 << 20

// walk computes the score of candidate k.
func (r *scoreRun) walk(k int) (wrong string) {
	b := r.code.f.Blocks[0]
	var moved [16]uint64
	for range mostScoreBlocks {
		if wrong = r.block(b.ID, k, 1); wrong != "" {
			return wrong
		}
		edge := &b.Term.To[0]
		switch b.Term.Kind {
		case kir.TermReturn:
			return ""
		case kir.TermBranch:
			if *(*uint8)(r.at(b.Term.Cond, k)) == 0 {
				edge = &b.Term.To[1]
			}
		}
		values := moved[:0]
		for _, a := range edge.Args {
			values = append(values, r.get(a, k))
		}
		for i, p := range edge.To.Params {
			r.put(p, k, values[i])
		}
		b = edge.To
	}
	return fmt.Sprintf("went through %d blocks of its code for one candidate", mostScoreBlocks)
}

func (r *scoreRun) get(v *kir.Value, k int) uint64 {
	switch at := r.at(v, k); v.Type.Bytes() {
	case 1:
		return uint64(*(*uint8)(at))
	case 2:
		return uint64(*(*uint16)(at))
	case 4:
		return uint64(*(*uint32)(at))
	default:
		return *(*uint64)(at)
	}
}

// pickScored is pickOf for a compiled score: of warp splits only what the score reads is looked at.
func (c *scheduler) pickScored(s compiledScore, now int64) int {
	best := 0
	if n := len(c.ready); n > 1 {
		if c.scores == nil {
			c.scores = s.code.start()
		}
		r := c.scores
		r.room(n)
		for _, in := range s.code.inputs {
			for k, place := range c.ready {
				r.put(in.v, k, in.field.ofSplit(c, place, now))
			}
		}
		var wrong string
		if best, wrong = r.best(n); wrong != "" {
			return c.wrong(now, "%s", wrong)
		}
	}
	place := c.ready[best]
	c.splits[place].issuedAt = now
	return place
}
