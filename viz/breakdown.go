package viz

import (
	"fmt"
	"sort"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Breakdown draws what the time from a device's first launch to the end of its last event went to: kernels, copies,
// both at once, making room, or nothing; and the same for the CPU. Each bar makes up 100 % of a time of its own
// clock, which its name says: modelled and measured times cannot be added.
//
// For example:
//
//	np.Eval(np.Exp(x) * y)
//	viz.Breakdown()
func Breakdown(logs ...*trace.Log) *Chart {
	logs, err := logsOrLast(logs)
	if err != nil {
		return &Chart{Err: err}
	}
	var lanes []string
	var parts [][]share
	for i, l := range logs {
		for _, b := range breakdownOf(l) {
			name := b.name
			if len(logs) > 1 {
				name = fmt.Sprintf("%d: %s", i+1, name)
			}
			lanes, parts = append(lanes, name), append(parts, b.shares())
		}
	}
	if len(lanes) == 0 {
		return &Chart{Err: errNothing}
	}
	return &Chart{
		terms:    []string{"overlap", "launch"},
		Title:    "Where the time went",
		Subtitle: "each bar is 100 % of its own clock, from the first launch to the end of the last event",
		Panels: []Panel{sharesPanel(Axis{Label: "share of the time", Unit: "%", Max: 100, Step: 25}, useNames[:], lanes, func(lane int) []share {
			return parts[lane]
		})},
		Notes: append([]string{"A device is idle while it waits for the host; the CPU is idle while it waits for a device, or does the work of a simulated one. Do not compare bars of modelled time with bars of measured time."}, modelNote(logs)...),
		logs:  logs,
	}
}

// use is what a moment went to.
type use int

const (
	useKernel use = iota
	useBoth
	useCopy
	useAlloc
	useHost
	useOverhead
	useIdle
	numUses
)

var useNames = [numUses]string{"compute", "copy during compute", "copy", "alloc", "work of the CPU", "overhead", "idle"}

var useColors = [numUses]string{kindColors[trace.Kernel], overlapColor, kindColors[trace.CopyIn], kindColors[trace.Alloc],
	kindColors[trace.Host], kindColors[trace.Overhead], paleGrey}

// usage is the time of one device, or of the CPU, by use.
type usage struct {
	name string
	time [numUses]trace.Time
}

// breakdownOf returns the usage of each device and of the CPU, devices first.
func breakdownOf(l *trace.Log) []usage {
	type key struct {
		k      clock
		device string
	}
	groups := map[key][]trace.Event{}
	for _, e := range l.Events() {
		k := key{clockOf(&e), e.Device}
		if k.k == host {
			k.device = "CPU"
		}
		groups[k] = append(groups[k], e)
	}
	keys := make([]key, 0, len(groups))
	for k := range groups {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool {
		if keys[i].k != keys[j].k {
			return keys[i].k < keys[j].k
		}
		return keys[i].device < keys[j].device
	})
	var out []usage
	for _, k := range keys {
		u := usage{time: usesOf(groups[k])}
		how := "measured"
		if k.k == modelled {
			how = "modelled"
		}
		u.name = fmt.Sprintf("%s: %s %s", k.device, u.total(), how)
		if u.total() > 0 {
			out = append(out, u)
		}
	}
	return out
}

// usesOf gives each moment of the events' [trace.Span] to one use.
func usesOf(events []trace.Event) (time [numUses]trace.Time) {
	type turn struct {
		at   trace.Time
		kind trace.Kind
		by   int
	}
	var turns []turn
	for _, e := range events {
		turns = append(turns, turn{e.Start, e.Kind, 1}, turn{e.End, e.Kind, -1})
		if e.Launch > 0 {
			turns = append(turns, turn{e.Queued(), trace.Overhead, 1}, turn{e.Start, trace.Overhead, -1})
		}
	}
	sort.Slice(turns, func(i, j int) bool { return turns[i].at < turns[j].at })
	running := map[trace.Kind]int{}
	for i, t := range turns {
		if i > 0 {
			time[useNow(running)] += t.at - turns[i-1].at
		}
		running[t.kind] += t.by
	}
	return time
}

// useNow is the use of a moment at which so many events of each kind run.
func useNow(running map[trace.Kind]int) use {
	kernel := running[trace.Kernel] > 0
	copying := running[trace.CopyIn]+running[trace.CopyOut]+running[trace.CopyPeer] > 0
	switch {
	case kernel && copying:
		return useBoth
	case kernel:
		return useKernel
	case copying:
		return useCopy
	case running[trace.Alloc] > 0:
		return useAlloc
	case running[trace.Host] > 0:
		return useHost
	case running[trace.Overhead] > 0:
		return useOverhead
	}
	return useIdle
}

func (u *usage) total() (sum trace.Time) {
	for _, t := range u.time {
		sum += t
	}
	return sum
}

func (u *usage) shares() []share {
	var out []share
	for i, t := range u.time {
		pc := 100 * float64(t) / float64(u.total())
		out = append(out, share{useNames[i], useColors[i], pc, []string{fmt.Sprintf("%s, %.3g %%", t, pc)}})
	}
	return out
}
