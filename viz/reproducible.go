package viz

import (
	"github.com/arrayrepl/arrayrepl/kernel/display"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Reproducible has charts of traces, and what arrays show of themselves, leave out what was measured by this machine's
// clock, where there are modelled times: two runs of a notebook then differ in nothing, and tools that compare
// notebooks, as nbdime and nbval, are quiet. A chart of measured times alone shows them, as there is nothing else.
// Reproducible(false) brings them back.
//
// For example:
//
//	viz.Reproducible() // in the first cell: charts leave out measured times
func Reproducible(on ...bool) { display.SetReproducible(len(on) == 0 || on[0]) }

// shown is what charts draw of a log.
func shown(l *trace.Log) *trace.Log {
	if l == nil || !display.Reproducible() {
		return l
	}
	if m := l.Modelled(); len(m.Events()) > 0 {
		return m
	}
	return l
}

func allShown(logs []*trace.Log) []*trace.Log {
	out := make([]*trace.Log, len(logs))
	for i, l := range logs {
		out[i] = shown(l)
	}
	return out
}
