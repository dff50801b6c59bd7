package storage

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// moved counts what a backing was asked for.
type moved struct {
	reads, writes, bytesRead, bytesWritten atomic.Int64
}

// Stats is what was read of a file and written to it since it was opened. Bytes are those of the real file: nothing
// here is of a model.
type Stats struct {
	Path     string
	Backing  string // "pread"
	Fallback string // why that is not the backing that was asked for; empty where it is

	Reads, Writes           int64 // commands to the backing, those of lines among them
	BytesRead, BytesWritten int64

	// Of what reads single lines: kernels and Take. Zero where nothing did.
	Cache CacheStats

	Model *Modelled // of the file's commands on SSDs that are not there; nil where it was opened without
}

// Modelled is what a model of SSDs counted of the commands that a file was given, and how long it says they would take:
// nothing here was measured.
type Modelled struct {
	Machine                 string // "optane*4"
	Reads, Writes           int64  // commands; a write to several SSDs is one on each
	BytesRead, BytesWritten int64
	ExtraReads              int64         // commands that only make sure of others
	RungInModel             int64         // doorbells, where as many commands are under way as the model is told
	Time                    time.Duration // until the last command has ended

	// How long all commands together waited: for a place in a queue and its doorbell, for their SSD, for the link, for
	// a second read.
	QueueWait, SSDWait, LinkWait, SecondWait time.Duration

	// Of the queues that the program's own reads and writes went through.
	Queued, Doorbells, TurnWaits int64
}

// IOPS is how many commands a second these are.
func (m Modelled) IOPS() float64 {
	if m.Time <= 0 {
		return 0
	}
	return float64(m.Reads+m.Writes) / m.Time.Seconds()
}

// String is the counts as text.
func (m Modelled) String() string {
	return fmt.Sprintf("sim %s: %d reads, %d writes, %d extra reads, %d doorbells in %v: %.4g IOPS", m.Machine, m.Reads, m.Writes, m.ExtraReads, m.RungInModel, m.Time, m.IOPS())
}

// CacheStats are the counters of a cache of lines. Accesses = Hits + Misses, in elements that threads have accessed: of
// a group of threads that asks for a line together, all hit or all miss, and those miss whose leader reads the line.
type CacheStats struct {
	Policy    string
	Line      int64 // bytes
	Slots     int   // lines that have room
	Bytes     int64 // Line * Slots
	Accesses  int64
	Hits      int64
	Misses    int64
	Probes    int64 // lookups of a line, one by each group
	Reused    int64 // accesses without one: the line was held still
	ReadIOs   int64 // lines read
	WriteIOs  int64 // lines written back
	Evictions int64
	Useful    int64 // bytes that were accessed
	InUse     int64 // lines that are being read or written, or that something refers to, now

	Events []Event // what happened to lines, in order, where that is recorded: the first 65,536
}

// Event is something that happened to a line of a cache.
type Event struct {
	Kind string        // "hit" or "miss" of a lookup, "evict", "write back"
	Line int64         // its number in the part of the file that is read by lines
	At   time.Duration // since the cache was made; it is measured
}

// mostEvents bounds what is recorded.
const mostEvents = 1 << 16

// events records for a cache.
type events struct {
	began time.Time
	mu    sync.Mutex
	list  []Event
}

func (e *events) add(kind string, line int64) {
	if e == nil {
		return
	}
	at := time.Since(e.began)
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.list) < mostEvents {
		e.list = append(e.list, Event{kind, line, at})
	}
}

func (e *events) all() []Event {
	if e == nil {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.list)
}

// Amplification is how many bytes of lines were read for each byte that was accessed; 0 where none was.
func (s CacheStats) Amplification() float64 {
	if s.Useful == 0 {
		return 0
	}
	return float64(s.ReadIOs*s.Line) / float64(s.Useful)
}

// HitRate is the part of the accesses that were hits.
func (s CacheStats) HitRate() float64 {
	if s.Accesses == 0 {
		return 0
	}
	return float64(s.Hits) / float64(s.Accesses)
}

// String is the counters as text.
func (s CacheStats) String() string {
	return fmt.Sprintf("lines of %d bytes, %d of them in memory (%s): %d accesses, %d hits (%.1f %%), %d misses\n",
		s.Line, s.Slots, s.Policy, s.Accesses, s.Hits, 100*s.HitRate(), s.Misses) +
		fmt.Sprintf("%d probes, %d accesses without one; %d lines read, %d written back, %d evicted; %.2f bytes read for each that was used",
			s.Probes, s.Reused, s.ReadIOs, s.WriteIOs, s.Evictions, s.Amplification())
}

// String is the statistics as text.
func (s Stats) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, read by %s", s.Path, s.Backing)
	if s.Fallback != "" {
		fmt.Fprintf(&b, " (%s)", s.Fallback)
	}
	fmt.Fprintf(&b, "\n%d reads of %d bytes, %d writes of %d bytes", s.Reads, s.BytesRead, s.Writes, s.BytesWritten)
	if c := s.Cache; c.Slots > 0 {
		b.WriteString("\n" + c.String())
	}
	if s.Model != nil {
		b.WriteString("\n" + s.Model.String())
	}
	return b.String()
}

// Stats returns what was read and written so far.
func (f *File) Stats() Stats {
	s := Stats{
		Path: f.path, Backing: f.backing.Name(), Fallback: f.fallback,
		Reads: f.moved.reads.Load(), Writes: f.moved.writes.Load(), BytesRead: f.moved.bytesRead.Load(), BytesWritten: f.moved.bytesWritten.Load(),
	}
	for _, c := range f.cached() {
		s.Cache = s.Cache.plus(c.Stats())
	}
	if m, ok := f.backing.(interface{ Modelled() Modelled }); ok {
		made := m.Modelled()
		s.Model = &made
	}
	return s
}

func (s CacheStats) plus(o CacheStats) CacheStats {
	o.Accesses += s.Accesses
	o.Hits += s.Hits
	o.Misses += s.Misses
	o.Probes += s.Probes
	o.Reused += s.Reused
	o.ReadIOs += s.ReadIOs
	o.WriteIOs += s.WriteIOs
	o.Evictions += s.Evictions
	o.Useful += s.Useful
	o.InUse += s.InUse
	o.Slots += s.Slots
	o.Bytes += s.Bytes
	o.Events = append(s.Events, o.Events...)
	return o
}
