package ref

import (
	"fmt"

	"github.com/arrayrepl/arrayrepl/kir"
)

// meetAtBarrier opens the barrier that all live threads wait at.
func (b *block) meetAtBarrier(live int) error {
	var at *kir.Value
	yes := 0
	for _, th := range b.threads {
		switch {
		case th.done:
			continue
		case !th.at.Op.IsBarrier():
			return fmt.Errorf("thread %d waits at %q for lanes of its warp that never come", th.tid, th.at.Text())
		case at != nil && th.at != at:
			return fmt.Errorf("threads wait at different barriers, thread %d at %q", th.tid, th.at.Text())
		}
		at = th.at
		if len(at.Args) > 0 {
			yes += int(th.val[at.Args[0]])
		}
	}
	b.grid = at.Op == kir.OpGridBarrier || at.Op == kir.OpClusterBarrier
	result := uint64(yes)
	switch at.Op {
	case kir.OpBarrierAnd:
		result = truth(yes == live)
	case kir.OpBarrierOr:
		result = truth(yes > 0)
	}
	for _, th := range b.threads {
		if !th.done {
			th.val[at], th.at = result, nil
		}
	}
	return nil
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// meetInWarps executes the operations of warps for which all lanes have come, and reports whether there were any.
func (b *block) meetInWarps() (any bool) {
	for _, th := range b.threads {
		if th.done || th.at == nil || !th.at.Op.IsWarp() {
			continue
		}
		v := th.at
		mask := v.Args[len(v.Args)-1]
		together := map[int]*thread{} // by lane
		complete := th.val[mask]>>(th.tid%kir.WarpSize)&1 == 1
		for lane := range kir.WarpSize {
			tid := th.tid/kir.WarpSize*kir.WarpSize + lane
			if th.val[mask]>>lane&1 == 0 || tid >= len(b.threads) || b.threads[tid].done {
				continue
			}
			other := b.threads[tid]
			complete = complete && other.at == v && other.val[mask] == th.val[mask]
			together[lane] = other
		}
		if complete {
			warpOp(v, together)
			for _, other := range together {
				other.at = nil
			}
			any = true
		}
	}
	return any
}

// warpOp executes v for the threads of one warp that take part.
func warpOp(v *kir.Value, threads map[int]*thread) {
	results := map[int]uint64{}
	for lane, th := range threads {
		switch v.Op {
		case kir.OpShuffle:
			source, ok := kir.ShuffleOf(v.Imm).Source(lane, uint32(th.val[v.Args[1]]))
			if from := threads[source]; ok && from != nil {
				results[lane] = from.val[v.Args[0]]
			} else {
				results[lane] = th.val[v.Args[0]]
			}
		case kir.OpMMA:
			results[lane] = uint64(matrixElement(v, threads, lane))
		case kir.OpWarpReduce:
			operand := &kir.Value{Type: v.Type}
			do := &kir.Value{Op: kir.Reduction(v.Imm).Op(), Type: v.Type, Args: []*kir.Value{operand, operand}}
			results[lane] = th.val[v.Args[0]]
			for l, other := range threads {
				if l != lane {
					results[lane] = Op(do, []uint64{results[lane], other.val[v.Args[0]]})
				}
			}
		case kir.OpMatchAny, kir.OpBallot, kir.OpVoteAny, kir.OpVoteAll:
			lanes, all := uint64(0), true
			for l, other := range threads {
				x := other.val[v.Args[0]]
				if v.Op == kir.OpMatchAny && x == th.val[v.Args[0]] || v.Op != kir.OpMatchAny && x != 0 {
					lanes |= 1 << l
				} else {
					all = false
				}
			}
			switch v.Op {
			case kir.OpVoteAny:
				lanes = truth(lanes != 0)
			case kir.OpVoteAll:
				lanes = truth(all)
			}
			results[lane] = lanes
		}
	}
	for lane, x := range results {
		threads[lane].val[v] = x
	}
}

// atomic returns what an atomic operation leaves in memory where old stood.
func atomic(v *kir.Value, old uint64, args []uint64) uint64 {
	plain := map[kir.Op]kir.Op{kir.OpAtomicAdd: kir.OpAdd, kir.OpAtomicMin: kir.OpMin, kir.OpAtomicMax: kir.OpMax,
		kir.OpAtomicAnd: kir.OpAnd, kir.OpAtomicOr: kir.OpOr, kir.OpAtomicXor: kir.OpXor}
	x := args[0]
	switch v.Op {
	case kir.OpAtomicExch:
		return x
	case kir.OpAtomicCAS:
		if old == x {
			return args[1]
		}
		return old
	case kir.OpAtomicInc:
		if old >= x {
			return 0
		}
		return old + 1
	case kir.OpAtomicDec:
		if old == 0 || old > x {
			return x
		}
		return old - 1
	}
	operand := &kir.Value{Type: v.Type}
	return Op(&kir.Value{Op: plain[v.Op], Type: v.Type, Args: []*kir.Value{operand, operand}}, []uint64{old, x})
}

// goValue returns bits as Go holds a value of type t.
func goValue(t kir.Type, bits uint64) any {
	i, f := number(t, bits)
	switch {
	case t == kir.Bool:
		return bits != 0
	case t == kir.F64:
		return f
	case t.IsFloat():
		return float32(f)
	case t.IsSigned():
		return i.Int64()
	}
	return i.Uint64()
}
