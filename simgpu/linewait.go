package simgpu

import (
	"encoding/binary"
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// This file is how warps wait for lines of files, as in BaM: threads of a warp that touch one line are a group, of
// which one asks for the line. A cache and queues in the time of a model, which the line's timer has, say when it is
// there; until then the warp polls. Groups ask side by side, and the warp goes on with the last.

// probeCycles is how long a warp's lookup keeps an SM busy (D): 430 GB/s of coalesced accesses of 8 bytes that hit,
// which are 15.6e6 lookups a second of each of 108 SMs.
const probeCycles = 90

// lineWait is what a warp waits for that has asked for lines: until which cycle each state lasts. No more than that of
// its last access.
type lineWait struct {
	ends [trace.NumLineStates]int64
	line int32 // of the kernel
}

func (w *lineWait) end() int64 { return w.ends[trace.NumLineStates-1] }

// askedLine is the line that a warp had last by an instruction.
type askedLine struct {
	in   *instr
	file *linesBuffer
	line int64
}

// filesOf returns the buffers of lines that a launch's parameters point to and that have a timer.
func (k *kernel) filesOf(params []byte) (list []*linesBuffer) {
	f := k.program.Func()
	for i := range f.Params {
		if f.Params[i].Type != kir.U64 {
			continue
		}
		addr := binary.LittleEndian.Uint64(params[f.Params[i].Offset:])
		for _, b := range k.gpu.files {
			if b.timer != nil && b.holds(addr) && !slices.Contains(list, b) {
				list = append(list, b)
			}
		}
	}
	return list
}

func (b *linesBuffer) holds(addr uint64) bool { return addr-b.addr < uint64(b.size) }

// beginFiles begins a launch that brings lines in.
func (m *machine) beginFiles(files []*linesBuffer) {
	m.files = files
	for i, f := range files {
		var with trace.LineTimer
		if i > 0 {
			with = files[0].timer
		}
		f.timer.Begin(with)
	}
}

// endFiles returns what was counted; nil where there are no files.
func (m *machine) endFiles() *trace.LineStats {
	if len(m.files) == 0 {
		return nil
	}
	var all trace.LineStats
	for _, f := range m.files {
		all = all.Plus(f.timer.End())
	}
	for i, cycles := range m.lineWaits {
		all.Waits[i] += m.preset.time(float64(cycles))
	}
	return &all
}

// onSM are timers that go by the SM of the threads that access lines.
type onSM interface{ On(sm int) }

// latest makes w the wait for another line, looked up until a cycle, where that ends later.
func (w *lineWait) latest(p *Preset, probed int64, x trace.LineWait) {
	if end := p.cycle(x.Done); probed > w.ends[trace.LineProbe] || end > w.end() {
		w.ends = [trace.NumLineStates]int64{probed, max(probed, p.cycle(x.Busy)), max(probed, p.cycle(x.Queue)), max(probed, end)}
	}
}

// wait has st ask for the lines that an access touches in cycle now.
func (s *sm) wait(st *warpSplit, in *instr, now int64) {
	var asks [maxWarp]struct {
		file  *linesBuffer
		line  int64
		lanes int
	}
	n, most := 0, 1
	f := s.m.files[0]
next:
	for _, addr := range s.addresses(st, in.access) {
		if !f.holds(addr) {
			i := slices.IndexFunc(s.m.files, func(f *linesBuffer) bool { return f.holds(addr) })
			if i < 0 {
				continue
			}
			f = s.m.files[i]
		}
		line := int64((addr - f.addr) >> f.shift)
		for i := range asks[:n] {
			if a := &asks[i]; a.file == f && a.line == line && !f.apart {
				a.lanes++
				continue next
			} else if a.file == f && a.line == line { // who asks alone for a line takes turns at its word
				most++
			}
		}
		asks[n].file, asks[n].line, asks[n].lanes = f, line, 1
		n++
	}
	if n == 0 {
		return
	}
	write := in.kind != kindLoad && in.kind != kindCopy
	begins := int64(-1) // with a lookup
	w := lineWait{line: in.line, ends: [trace.NumLineStates]int64{now, now, now, now}}
	for i := range asks[:n] {
		a := &asks[i]
		if t, ok := a.file.timer.(onSM); ok {
			t.On(s.index)
		}
		if in.bypass {
			if begins < 0 {
				begins = now
			}
			w.latest(s.m.preset, begins, a.file.timer.Past(s.m.preset.time(float64(now)), a.line, a.lanes, int(in.bytes)))
			continue
		}
		h := st.warp.asked(in)
		if h.file == a.file && h.line == a.line && a.file.timer.Reuse(a.line, a.lanes, int(in.bytes), write) {
			continue
		}
		*h = askedLine{in, a.file, a.line}
		if begins < 0 {
			s.probes = max(s.probes, now) + int64(probeCycles*most)
			begins = s.probes
		}
		at := s.m.preset.time(float64(begins))
		x, err := a.file.timer.Access(at, a.line, a.lanes, int(in.bytes), write)
		if err != nil {
			if s.m.err == nil {
				s.m.err = err
			}
			return
		}
		w.latest(s.m.preset, begins, x)
	}
	if w.end() == now {
		return
	}
	st.waits = w
	from := now
	for i, to := range w.ends {
		s.m.profile.waits(from-s.m.origin, to-s.m.origin, trace.LineState(i))
		s.m.lineWaits[i] += max(0, to-from)
		from = max(from, to)
	}
}

// asked returns the line that the warp had last by an instruction.
func (w *replayWarp) asked(in *instr) *askedLine {
	for i := range w.lines {
		if w.lines[i].in == in {
			return &w.lines[i]
		}
	}
	w.lines = append(w.lines, askedLine{in: in})
	return &w.lines[len(w.lines)-1]
}

// cycle is the first cycle that does not begin before a time.
func (p *Preset) cycle(t trace.Time) int64 { return (int64(t)*int64(p.ClockMHz) + 999_999) / 1_000_000 }

// waiting gives the cycles from from to until, in which all warps of a scheduler wait and st is the first that goes on,
// to what it does about lines, and returns the cycle from which on it waits for something else.
func (c *scheduler) waiting(st *warpSplit, from, until int64) int64 {
	for i, end := range st.waits.ends {
		if end = min(end, until); end > from {
			c.sm.m.stalled(from, end, trace.LineState(i).Stall(), st.waits.line)
			from = end
		}
	}
	return from
}
