package opt

import "github.com/arrayrepl/arrayrepl/kir"

// role is what a value has to do with memory and with other threads. Passes ask here and nowhere else.
type role uint8

const (
	computes role = iota // the result follows from the operands alone; computing it more or less often does not matter
	binds                // a block's parameter
	reads                // a load
	writes               // a store
	changes              // an atomic: it changes its memory, to nobody knows what
	syncs                // other threads' stores become visible: a barrier, a fence, a volatile access
	checks               // it may end the run, and touches no memory
	stays                // it has to do with other threads or with the time, but not with memory: a shuffle, a clock
)

func roleOf(v *kir.Value) role {
	switch {
	case v.IsPure():
		return computes
	case v.Op == kir.OpArg:
		return binds
	case v.Access.IsVolatile(), v.Access == kir.Async, v.Op == kir.OpCopyCommit, v.Op == kir.OpCopyWait:
		return syncs
	case v.Op == kir.OpLoad:
		return reads
	case v.Op == kir.OpStore:
		return writes
	case v.Op.IsAtomic():
		return changes
	case v.Op.IsBarrier(), v.Op == kir.OpFence, v.Op == kir.OpWarpBarrier:
		return syncs
	case v.Op == kir.OpCheck:
		return checks
	}
	return stays
}

// costly reports whether v takes more than a few instructions: such a value is not computed where it may not be needed.
func costly(v *kir.Value) bool {
	switch v.Op {
	case kir.OpDiv, kir.OpRem, kir.OpSqrt:
		return true
	}
	return v.Op.IsElementary() || v.Op.IsApproximate()
}
