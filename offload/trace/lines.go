package trace

import "fmt"

// A LineTimer says how long lines of a file take to come to a kernel of a modelled device, from disks that are not
// there. It goes by the accesses of one launch after the other, each in the order of its model, and has a cache of its
// own, which remembers from launch to launch what is there.
type LineTimer interface {
	// Begin begins a launch, at time 0. with is the timer of another file that the launch reads, whose disks this one
	// shares where they are of the same kind; nil for none.
	Begin(with LineTimer)
	// Access says how long threads wait that ask for a line together, for so many accesses of so many bytes each.
	Access(at Time, line int64, accesses, bytes int, write bool) (LineWait, error)
	// Past is Access below the cache: a command for the threads, whose line does not stay.
	Past(at Time, line int64, accesses, bytes int) LineWait
	// Reuse counts accesses to a line that the threads had last, if that is where it was; else they must ask for it.
	Reuse(line int64, accesses, bytes int, write bool) bool
	// End ends the launch, and says what was counted in it.
	End() LineStats
}

// LineWait is when what threads wait for has come that ask for a line, one after the other.
type LineWait struct {
	Busy  Time // another brings it or takes it away; or all lines of the cache are in use
	Queue Time // the command is in a queue, and the SSD knows of it
	Done  Time // the line is there, and somebody has seen that
}

// LineState is what a warp does that asks for a line.
type LineState uint8

// The states, in their order.
const (
	LineProbe LineState = iota // it looks the line up
	LineBusy                   // another brings the line
	LineQueue                  // its command waits for a place in a queue, and for the doorbell
	LinePoll                   // it looks for the completion of its command
	NumLineStates
)

var lineStates = [NumLineStates]Stall{StallProbe, StallLine, StallSubmit, StallPoll}

// Stall is the class of cycles in which all warps of a scheduler are in such states, and this one comes first.
func (s LineState) Stall() Stall { return lineStates[s] }

// String is the state's name as charts show it.
func (s LineState) String() string { return s.Stall().String() }

// LineStats is what a model counted of the lines of files that a kernel asked for: nothing here was read in truth.
type LineStats struct {
	Machine                                string // "optane*4"
	Policy                                 string
	Line, Slots                            int64 // bytes of a line, and how many have room
	Accesses, Hits, Misses, Probes, Reused int64
	ReadIOs, WriteIOs, Evictions, Useful   int64
	Doorbells, ExtraReads                  int64
	Waits                                  [NumLineStates]Time // of all warps together
	bytesRead                              int64
}

// HitRate is the part of the accesses that were hits.
func (s *LineStats) HitRate() float64 {
	if s.Accesses == 0 {
		return 0
	}
	return float64(s.Hits) / float64(s.Accesses)
}

// Amplification is how many bytes of lines come for each that is used.
func (s *LineStats) Amplification() float64 {
	if s.Useful == 0 {
		return 0
	}
	return float64(s.bytesRead) / float64(s.Useful)
}

// Plus is what was counted of two files.
func (s LineStats) Plus(o LineStats) LineStats {
	if s.Machine == "" {
		s.Machine, s.Policy, s.Line = o.Machine, o.Policy, o.Line
	}
	s.bytesRead += o.bytesRead + o.ReadIOs*o.Line
	for _, x := range []struct {
		to *int64
		n  int64
	}{{&s.Slots, o.Slots}, {&s.Accesses, o.Accesses}, {&s.Hits, o.Hits}, {&s.Misses, o.Misses}, {&s.Probes, o.Probes}, {&s.Reused, o.Reused},
		{&s.ReadIOs, o.ReadIOs}, {&s.WriteIOs, o.WriteIOs}, {&s.Evictions, o.Evictions}, {&s.Useful, o.Useful}, {&s.Doorbells, o.Doorbells}, {&s.ExtraReads, o.ExtraReads}} {
		*x.to += x.n
	}
	for i, t := range o.Waits {
		s.Waits[i] += t
	}
	return s
}

// String is the counts as text, marked as a model's.
func (s LineStats) String() string {
	waits := ""
	for i, t := range s.Waits {
		if i > 0 {
			waits += ", "
		}
		waits += fmt.Sprintf("%v %v", LineState(i), t)
	}
	return fmt.Sprintf("sim %s: %d accesses, %d hits (%.1f %%), %d misses; %d lines read, %d written back, %d evicted, %d extra reads, %d doorbells; %.2f bytes read for each that was used; warps waited: %s",
		s.Machine, s.Accesses, s.Hits, 100*s.HitRate(), s.Misses, s.ReadIOs, s.WriteIOs, s.Evictions, s.ExtraReads, s.Doorbells, s.Amplification(), waits)
}
