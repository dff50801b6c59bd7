package simgpu

import (
	"math"
	"slices"

	"github.com/arrayrepl/arrayrepl/internal/tensor"
	"github.com/arrayrepl/arrayrepl/kir"
)

// active gives the lanes of st what kir.OpActiveMask brings: who issues with them.
func (x *exec) active(b *execBlock, v *kir.Value, st *warpSplit) {
	masks := map[int]uint64{} // by kir's warp, of 32 threads whatever the machine's warps are
	each := func(do func(thread int)) {
		for rest := st.lanes; rest != 0; rest &= rest - 1 {
			do(st.warp.first + rest.first())
		}
	}
	each(func(t int) { masks[t/kir.WarpSize] |= 1 << (t % kir.WarpSize) })
	each(func(t int) { b.regs[v.ID][t] = masks[t/kir.WarpSize] })
}

// meet brings the lanes of st to v, an operation of a warp, and executes it for those whose masks' lanes have all come.
// It reports false when some of st still wait: then st is parked.
func (x *exec) meet(st *warpSplit, v *kir.Value) bool {
	b := st.warp.block.exec
	for rest := st.lanes; rest != 0; rest &= rest - 1 {
		b.at[st.warp.first+rest.first()] = v
	}
	b.parked = append(b.parked, st)
	x.meetings(b, st)
	return !slices.Contains(b.parked, st)
}

// left notes that threads of st's warp have returned: others may have waited for them.
func (x *exec) left(w *replayWarp, lanes Mask) {
	b := w.block.exec
	for rest := lanes; rest != 0; rest &= rest - 1 {
		b.gone[w.first+rest.first()] = true
	}
	if len(b.parked) > 0 {
		x.meetings(b, nil)
	}
}

// meetings executes the operations of warps for which all lanes have come and lets the warp splits go on that waited;
// arriving is one that has only now come, which its caller lets go on.
func (x *exec) meetings(b *execBlock, arriving *warpSplit) {
	for t, v := range b.at {
		if v != nil {
			x.meetOf(b, v, t)
		}
	}
	waiting := b.parked
	b.parked = nil
	var going []*warpSplit
	for _, st := range waiting {
		held := false
		for rest := st.lanes; rest != 0; rest &= rest - 1 {
			held = held || b.at[st.warp.first+rest.first()] != nil
		}
		if held {
			b.parked = append(b.parked, st)
		} else if st != arriving {
			going = append(going, st)
		}
	}
	for _, st := range going {
		st.value++
		st.sched.sm.resume(st, x.now)
	}
}

// meetOf executes v for thread t and the lanes that its mask names, when all of them that live have come with the same
// mask.
func (x *exec) meetOf(b *execBlock, v *kir.Value, t int) {
	mask := b.regs[v.Args[len(v.Args)-1].ID]
	first := t / kir.WarpSize * kir.WarpSize
	var lanes []int
	for i := first; i < min(first+kir.WarpSize, len(b.at)); i++ {
		if mask[t]>>(i-first)&1 == 0 || b.gone[i] {
			continue
		}
		if b.at[i] != v || mask[i] != mask[t] {
			return
		}
		lanes = append(lanes, i)
	}
	if !slices.Contains(lanes, t) {
		return
	}
	results := make([]uint64, len(lanes))
	for i, thread := range lanes {
		results[i] = meeting(b, v, thread, first, lanes)
	}
	for i, thread := range lanes {
		b.at[thread] = nil
		if v.Type != kir.Void {
			b.regs[v.ID][thread] = results[i]
		}
	}
}

// meeting returns what v brings to a thread of the warp that begins at first, in which the given ones take part.
func meeting(b *execBlock, v *kir.Value, thread, first int, lanes []int) uint64 {
	own := b.regs[v.Args[0].ID]
	switch v.Op {
	case kir.OpMMA:
		return uint64(matrixValue(b, v, thread, first))
	case kir.OpShuffle:
		source, ok := kir.ShuffleOf(v.Imm).Source(thread-first, uint32(b.regs[v.Args[1].ID][thread]))
		if ok && slices.Contains(lanes, first+source) {
			return own[first+source]
		}
		return own[thread]
	case kir.OpWarpReduce:
		result := uint32(own[lanes[0]])
		for _, t := range lanes[1:] {
			result = kir.Reduction(v.Imm).Of(v.Type, result, uint32(own[t]))
		}
		return uint64(result)
	case kir.OpMatchAny, kir.OpBallot, kir.OpVoteAny, kir.OpVoteAll:
		var yes, all uint64
		for _, t := range lanes {
			bit := uint64(1) << (t - first)
			all |= bit
			if v.Op == kir.OpMatchAny && own[t] == own[thread] || v.Op != kir.OpMatchAny && own[t] != 0 {
				yes |= bit
			}
		}
		switch v.Op {
		case kir.OpVoteAny:
			return truth(yes != 0)
		case kir.OpVoteAll:
			return truth(yes == all)
		}
		return yes
	}
	return 0 // a warp barrier brings nothing
}

// matrixValue is what an OpMMA brings to a thread of the whole warp that begins at first.
func matrixValue(b *execBlock, v *kir.Value, thread, first int) uint32 {
	i, shape := kir.MMAOf(v.Imm)
	form := shape.Form()
	var all [kir.WarpSize]kir.MatrixLane
	for l := range all {
		for n, a := range v.Args[:form.A] {
			all[l].A[n] = uint32(b.regs[a.ID][first+l])
		}
		for n, a := range v.Args[form.A : form.A+form.B] {
			all[l].B[n] = uint32(b.regs[a.ID][first+l])
		}
	}
	var room [2][tensor.MostDepth]float64
	x, y := shape.MatrixFactors(&all, thread-first, i, &room)
	return math.Float32bits(tensor.Dot(math.Float32frombits(uint32(b.regs[v.Args[kir.MMASum(v.Imm)].ID][thread])), x, y))
}

// release gives the threads that have met at a barrier what it brings.
func (x *exec) release(waiting []*warpSplit) {
	if len(waiting) == 0 {
		return
	}
	b, values := waiting[0].warp.block.exec, x.f.Blocks[waiting[0].block].Values
	v := values[len(values)-1]
	if len(v.Args) == 0 {
		return
	}
	var threads []int
	yes := 0
	for _, st := range waiting {
		for rest := st.lanes; rest != 0; rest &= rest - 1 {
			t := st.warp.first + rest.first()
			threads = append(threads, t)
			yes += int(b.regs[v.Args[0].ID][t])
		}
	}
	result := uint64(yes)
	switch v.Op {
	case kir.OpBarrierAnd:
		result = truth(yes == len(threads))
	case kir.OpBarrierOr:
		result = truth(yes > 0)
	}
	for _, t := range threads {
		b.regs[v.ID][t] = result
	}
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
