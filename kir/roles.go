package kir

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

func (v *Value) role() role {
	switch {
	case v.pure():
		return computes
	case v.Op == OpArg:
		return binds
	case v.Access == Volatile:
		return syncs
	case v.Op == OpLoad:
		return reads
	case v.Op == OpStore:
		return writes
	case v.Op.IsAtomic():
		return changes
	case v.Op.IsBarrier(), v.Op == OpFence, v.Op == OpWarpBarrier:
		return syncs
	case v.Op == OpCheck:
		return checks
	}
	return stays
}

// costly reports whether v takes more than a few instructions: such a value is not computed where it may not be needed.
func (v *Value) costly() bool {
	switch v.Op {
	case OpDiv, OpRem, OpSqrt:
		return true
	}
	return v.Op.IsElementary()
}
