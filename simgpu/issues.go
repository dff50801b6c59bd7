package simgpu

import (
	"math"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// maxIssues is how many instructions of a launch are kept one by one: the first of an SM.
const maxIssues = 1024

// issueUnits is what people call the units of an SM.
var issueUnits = [NumUnits]trace.IssueUnit{
	UnitInt: trace.IssueLanes, UnitFP32: trace.IssueLanes, UnitFP64: trace.IssueDouble, UnitSpecial: trace.IssueSpecial,
	UnitMemory: trace.IssueMemory, UnitControl: trace.IssueControl,
}

// note keeps that st issues in, in cycle now: on the multipliers of the special function units where these take it.
func (s *sm) note(st *warpSplit, in *instr, now int64) {
	if len(s.issues) == maxIssues || now > math.MaxInt32 {
		return
	}
	port, busy := in.unit(int(st.done))
	i := trace.Issue{Cycle: int32(now), Block: int32(st.warp.block.cta), Line: in.line, Warp: int16(st.warp.number), Unit: trace.IssueControl}
	if port < NumUnits {
		i.Unit = issueUnits[port]
	}
	if p := s.m.preset; in.times && st.sched.unitFree[UnitSpecial] <= now {
		i.Unit, busy = trace.IssueMultipliers, int64(max(1, p.WarpSize*p.Schedulers/p.Multipliers))
	}
	if in.kind == kindLoad || in.kind == kindStore || in.kind == kindAtomic || in.kind == kindReduce {
		i.Unit = trace.IssueMemory
	}
	i.Busy = uint16(min(max(busy, 1), math.MaxUint16))
	s.issues = append(s.issues, i)
}
