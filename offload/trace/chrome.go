package trace

import (
	"encoding/json"
	"fmt"
	"io"
)

// chromeEvent is one entry of the Trace Event Format, which Perfetto and chrome://tracing read.
type chromeEvent struct {
	Name  string         `json:"name"`
	Cat   string         `json:"cat,omitempty"`
	Phase string         `json:"ph"`
	Time  float64        `json:"ts"` // microseconds
	Dur   *float64       `json:"dur,omitempty"`
	PID   int            `json:"pid"`
	TID   int            `json:"tid"`
	ID    int            `json:"id,omitempty"` // of a flow
	Bind  string         `json:"bp,omitempty"`
	Args  map[string]any `json:"args,omitempty"`
}

// WriteChrome writes the log as JSON in Chrome's Trace Event Format, for Perfetto (ui.perfetto.dev) and
// chrome://tracing. Each device is a process and each of its streams a thread; a process's name says whether its times
// are modelled or measured. Times have a nanosecond's resolution or better. Arrows (flows) lead from events to those
// that read what they made, where both are of one clock.
func (l *Log) WriteChrome(w io.Writer) error {
	type process struct {
		device   string
		modelled bool
	}
	type thread struct {
		process
		stream int
	}
	pids, tids := map[process]int{}, map[thread]bool{}
	out := []chromeEvent{}
	name := func(what string, pid, tid int, name string) {
		out = append(out, chromeEvent{Name: what, Phase: "M", PID: pid, TID: tid, Args: map[string]any{"name": name}})
	}
	type end struct {
		pid, tid int
		at       Time
		modelled bool
	}
	ends, flows := map[int]end{}, 0
	for _, e := range l.Events() {
		p := process{e.Device, e.Modelled}
		if p.device == "" {
			p.device = "host"
		}
		if pids[p] == 0 {
			pids[p] = len(pids) + 1
			clock := " (measured)"
			if p.modelled {
				clock = " (modelled)"
			}
			name("process_name", pids[p], 0, p.device+clock)
		}
		pid := pids[p]
		if th := (thread{p, e.Stream}); !tids[th] {
			tids[th] = true
			name("thread_name", pid, e.Stream, streamName(e.Stream))
		}
		us := func(t Time) float64 { return float64(t) / float64(Microsecond) }
		dur := us(e.Duration())
		out = append(out, chromeEvent{Name: or(e.Name, e.Kind.String()), Cat: e.Kind.String(), Phase: "X", Time: us(e.Start), Dur: &dur, PID: pid, TID: e.Stream, Args: chromeArgs(&e)})
		// still inside the event: readers bind arrows to it
		ends[e.ID] = end{pid, e.Stream, max(e.Start, e.End-Nanosecond), e.Modelled}
		for _, id := range e.After {
			if from, ok := ends[id]; ok && from.modelled == e.Modelled && from.at <= e.Start {
				flows++
				out = append(out, chromeEvent{Name: "data", Cat: "data", Phase: "s", Time: us(from.at), PID: from.pid, TID: from.tid, ID: flows},
					chromeEvent{Name: "data", Cat: "data", Phase: "f", Bind: "e", Time: us(e.Start), PID: pid, TID: e.Stream, ID: flows})
			}
		}
		if e.Memory > 0 {
			out = append(out, chromeEvent{Name: "memory in use", Phase: "C", Time: us(e.Start), PID: pid, Args: map[string]any{"bytes": e.InUse, "needed": e.Needed, "reserved": e.Reserved}})
		}
	}
	return json.NewEncoder(w).Encode(map[string]any{"traceEvents": out, "displayTimeUnit": "ns"})
}

func chromeArgs(e *Event) map[string]any {
	args := map[string]any{}
	if e.ID > 0 {
		args["id"] = e.ID
	}
	if len(e.After) > 0 {
		args["reads what these made"] = e.After
	}
	if p := e.Piece; p.Number > 0 {
		args["piece"], args["rows"] = p.Number, [2]int{p.From, p.To}
	}
	if e.Peer != "" {
		args["from"] = e.Peer
	}
	if e.To != "" {
		args["to"] = e.To
	}
	if e.Bytes > 0 {
		args["bytes"] = e.Bytes
	}
	if len(e.Calls) > 0 {
		var calls []string
		for _, c := range e.Calls {
			calls = append(calls, c.String())
		}
		args["calls before"] = calls
	}
	if s := e.Stats; s != nil {
		args["grid"], args["block"] = s.Grid, s.Block
		args["cycles"], args["registers"], args["warp instructions"] = s.Cycles, s.Registers, s.WarpInstructions
		args["occupancy achieved"], args["occupancy theoretical"] = s.Achieved, s.Theoretical
		args["DRAM bytes"], args["blocks timed"], args["blocks"] = s.DRAMBytes, s.SampledBlocks, s.TotalBlocks
	}
	return args
}

func streamName(n int) string { return fmt.Sprintf("stream %d", n) }

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
