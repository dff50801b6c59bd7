package simgpu

import (
	"fmt"
	"strings"
)

// String is the machine's card, in a few lines: what an SM is and holds, and what the machine could do at most.
func (p Preset) String() string {
	name := "sim:" + p.Name
	if p.Capability != "" {
		name += ", compute capability " + p.Capability
	}
	lanes := func(u Unit) int { return p.Schedulers * p.WarpSize / p.Interval(u) }
	lines := [][2]string{
		{p.Title, name},
		{"SMs", fmt.Sprintf("%d at %d MHz, %s each", p.SMs, p.ClockMHz, count(p.Schedulers, "scheduler"))},
		{"an SM holds", fmt.Sprintf("%d warps of %d threads, in at most %s of at most %d threads", p.MaxThreadsPerSM/p.WarpSize, p.WarpSize,
			count(p.MaxBlocksPerSM, "block"), p.MaxThreadsPerBlock)},
		{"", fmt.Sprintf("%d registers, %s of shared memory in %d banks", p.Registers, size(int64(p.SharedPerSM)), p.SharedBanks)},
		{"a cycle of it", fmt.Sprintf("%d float32 operations begin, %s", lanes(UnitFP32), count(lanes(UnitSpecial), "special function"))},
		{"float32 peak", fmt.Sprintf("%.4g Gflop/s", p.PeakFlops(UnitFP32)/1e9)},
		{"memory", fmt.Sprintf("%s, %.5g GB/s at most, accesses joined by %v", size(p.MemoryBytes), float64(p.DRAMPeak)/1e9, p.Coalescing)},
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", lines[0][0], lines[0][1])
	for _, l := range lines[1:] {
		fmt.Fprintf(&b, "\n%-13s  %s", l[0], l[1])
	}
	return b.String()
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func size(bytes int64) string {
	switch {
	case bytes >= gib && bytes%gib == 0:
		return fmt.Sprintf("%d GB", bytes/gib)
	case bytes >= mib:
		return fmt.Sprintf("%d MB", bytes/mib)
	}
	return fmt.Sprintf("%d KB", bytes/kib)
}
