package simgpu

import "github.com/arrayrepl/arrayrepl/offload/trace"

// MemoryLevels are the machine's memories, the nearest to a thread first, with the latency of a load in cycles of the
// schedulers' clock: what viz.Hierarchy draws. The host's is that of the smallest copy.
func (p Preset) MemoryLevels() []trace.MemoryLevel {
	out := []trace.MemoryLevel{{Name: "registers", Bytes: 4 * int64(p.Registers), Copies: p.SMs, Per: "SM"}}
	if p.SharedPerSM > 0 {
		out = append(out, trace.MemoryLevel{Name: "shared memory", Bytes: int64(p.SharedPerSM), Copies: p.SMs, Per: "SM", Cycles: float64(p.SharedLatency)})
	}
	if p.UnifiedBytes > 0 && p.L1Latency > 0 {
		least := 0
		for i, c := range p.SharedCarveouts {
			if i == 0 || c < least {
				least = c
			}
		}
		if n := p.UnifiedBytes - least; n > 0 {
			out = append(out, trace.MemoryLevel{Name: "L1 cache, at most", Bytes: int64(n), Copies: p.SMs, Per: "SM", Cycles: float64(p.L1Latency)})
		}
	}
	if p.L2Bytes > 0 {
		out = append(out, trace.MemoryLevel{Name: "L2 cache", Bytes: int64(p.L2Bytes), Copies: 1, Cycles: float64(p.L1Latency + p.L2Latency)})
	}
	out = append(out, trace.MemoryLevel{Name: "device memory", Bytes: p.MemoryBytes, Copies: 1, Cycles: float64(p.L1Latency + p.L2Latency + p.DRAMLatency)})
	return append(out, trace.MemoryLevel{Name: "host, by a copy", Copies: 1, Cycles: float64(p.CopyLatency) * float64(p.ClockMHz) / 1000})
}
