package brook

import (
	"fmt"
	"strings"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Report says what ran to compute a stream: the kernels, how each was set up, and what they moved. Counts are those of
// a simulated GPU; of other devices there are times alone.
type Report struct {
	Layout   string // of the stream in memory, member by member
	Elements int
	Kernels  []KernelReport // in their order, with functions that the CPU has run beside them
}

// KernelReport is one kernel of a [Report].
type KernelReport struct {
	Name     string
	Device   string
	Time     trace.Time
	Start    trace.Time   // in the evaluation, by the device's clock
	Issue    trace.Time   // just before, that giving it to the device took; 0 where that is not known
	Modelled bool         // the time is a simulated device's
	Calls    []trace.Call // of the runtime, that set it up; none of a kernel that several operations have become
	Memory   Memory
}

// Memory is what kernels asked of global memory, in bytes, by kinds, and what of it the cache of their SM had, in
// sectors of 32 bytes: elements of streams, which each thread has one of, and what was gathered by numbers.
type Memory struct {
	Streamed, Gathered, Written int64
	StreamSectors, StreamHits   int64
	GatherSectors, GatherHits   int64
	Flops                       int64 // floating-point operations, as trace.KernelStats counts them
	Counted                     bool  // false of a device that counts nothing
}

func (m *Memory) add(o Memory) {
	m.Streamed, m.Gathered, m.Written = m.Streamed+o.Streamed, m.Gathered+o.Gathered, m.Written+o.Written
	m.StreamSectors, m.StreamHits = m.StreamSectors+o.StreamSectors, m.StreamHits+o.StreamHits
	m.GatherSectors, m.GatherHits = m.GatherSectors+o.GatherSectors, m.GatherHits+o.GatherHits
	m.Flops += o.Flops
	m.Counted = m.Counted || o.Counted
}

// memoryOf counts a kernel's accesses by the notes of its instructions.
func memoryOf(s *trace.KernelStats) (m Memory) {
	if s == nil || s.Detail == nil {
		return m
	}
	m.Counted, m.Flops = true, s.Flops32+s.Flops64
	for _, l := range s.Detail.Lines {
		if l.Requests == 0 || strings.Contains(l.Text, " local ") {
			continue
		}
		switch {
		case !strings.Contains(l.Text, "= load"):
			m.Written += l.Bytes
		case strings.HasSuffix(l.Note, streamNote):
			m.Streamed, m.StreamSectors, m.StreamHits = m.Streamed+l.Bytes, m.StreamSectors+l.Sectors, m.StreamHits+l.L1Hits
		default:
			m.Gathered, m.GatherSectors, m.GatherHits = m.Gathered+l.Bytes, m.GatherSectors+l.Sectors, m.GatherHits+l.L1Hits
		}
	}
	return m
}

// Report computes the stream, with all that it is made of, and says what ran for it: now, or when a method of the
// stream computed it. Of a stream that was computed otherwise, with others or as an array, there are no kernels.
//
// For example:
//
//	rep := brook.Map(saxpy, 2, X, Y, brook.On("sim:v100")).Report()
//	rep.Memory().Streamed // bytes
func (s *Stream) Report() *Report {
	s.Eval()
	r := &Report{Layout: s.Layout(), Elements: s.Len()}
	if s.ran == nil {
		return r
	}
	for _, e := range s.ran.Events() {
		if e.Kind == trace.Kernel || e.Kind == trace.Host { // a product is a function of the CPU
			issue := e.Launch
			if e.Stats != nil {
				issue = max(issue, e.Stats.LaunchLatency)
			}
			r.Kernels = append(r.Kernels, KernelReport{Name: e.Name, Device: e.Device, Time: e.Duration(), Start: e.Start, Issue: issue, Modelled: e.Modelled, Calls: e.Calls, Memory: memoryOf(e.Stats)})
		}
	}
	return r
}

// Memory is that of all kernels together.
func (r *Report) Memory() (m Memory) {
	for _, k := range r.Kernels {
		m.add(k.Memory)
	}
	return m
}

// Time is how long the kernels ran, one after the other.
func (r *Report) Time() (t trace.Time) {
	for _, k := range r.Kernels {
		t += k.Time
	}
	return t
}

// Calls are those of the runtime, in their order, for all kernels.
func (r *Report) Calls() (calls []trace.Call) {
	for _, k := range r.Kernels {
		calls = append(calls, k.Calls...)
	}
	return calls
}

// String has a line for each kernel, and how the stream lies in memory.
func (r *Report) String() string {
	var b strings.Builder
	if len(r.Kernels) == 0 {
		b.WriteString("nothing ran: the stream was there already; Report counts when it computes the stream itself\n")
	}
	for _, k := range r.Kernels {
		how := "measured"
		if k.Modelled {
			how = "modelled"
		}
		fmt.Fprintf(&b, "%s on %s: %v %s\n", k.Name, k.Device, k.Time, how)
		if len(k.Calls) > 0 {
			calls := make([]string, len(k.Calls))
			for i, c := range k.Calls {
				calls[i] = c.String()
			}
			fmt.Fprintf(&b, "  calls: %s\n", strings.Join(calls, ", "))
		}
		if k.Memory.Counted {
			fmt.Fprintf(&b, "  memory: %s\n", k.Memory)
		}
	}
	if m := r.Memory(); m.Counted && len(r.Kernels) > 1 {
		fmt.Fprintf(&b, "all: %s\n", m)
	}
	if m := r.Memory(); m.Counted && r.Elements > 0 {
		n := float64(r.Elements)
		fmt.Fprintf(&b, "for each of %d elements: %.4g flops, %.4g bytes streamed, %.4g gathered, %.4g written\n", r.Elements, float64(m.Flops)/n, float64(m.Streamed)/n, float64(m.Gathered)/n, float64(m.Written)/n)
	}
	return b.String() + r.Layout
}

// String says what was moved, and what the cache had of it.
func (m Memory) String() string {
	part := func(what string, bytes, sectors, hits int64) string {
		if sectors == 0 {
			return fmt.Sprintf("%d bytes %s", bytes, what)
		}
		return fmt.Sprintf("%d bytes %s, %.0f %% of their sectors in the cache", bytes, what, 100*float64(hits)/float64(sectors))
	}
	return fmt.Sprintf("%s; %s; %d bytes written; %d flops", part("streamed", m.Streamed, m.StreamSectors, m.StreamHits), part("gathered", m.Gathered, m.GatherSectors, m.GatherHits), m.Written, m.Flops)
}
