package gpu

import (
	"fmt"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Log returns the runs as a log, for charts of them: viz.IssueBins(c.Log()). A run is named by its policies where there
// are several machines, and by its kernel where there are several kernels or one machine. Runs follow each other, each
// from the end of the one before.
func (c *Comparison) Log() *trace.Log {
	log, at := new(trace.Log), trace.Time(0)
	for i, r := range c.Rows {
		if r.Stats == nil {
			continue
		}
		name := c.column(i % len(c.Machines))
		switch {
		case len(c.Machines) == 1:
			name = r.Kernel
		case len(c.Kernels) > 1:
			name = r.Kernel + ": " + name
		}
		log.Add(trace.Event{ID: i + 1, Name: name, Kind: trace.Kernel, Device: r.Machine, Start: at, End: at + r.Time(), Modelled: true, Stats: r.Stats})
		at += r.Time()
	}
	return log
}

// shade is the background of an IPC in the table: from pale to green by its part of the best of the row.
func shade(of, best float64) string {
	if best <= 0 || of <= 0 {
		return ""
	}
	part := min(1, max(0, (of/best-0.4)/0.6)) // what has 40 % of the best or less is pale
	mix := func(from, to int) int { return from + int(part*float64(to-from)) }
	return fmt.Sprintf("background:rgb(%d,%d,%d);color:#222222", mix(0xF7, 0x7C), mix(0xF7, 0xCB), mix(0xF2, 0x93))
}
