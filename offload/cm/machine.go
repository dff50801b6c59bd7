package cm

import (
	"fmt"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Machine is a Connection Machine.
type Machine struct {
	ID         string
	Processors int
	Bits       int // of memory that a processor has
}

// Machines are those that devices are made of: the whole machine, and the one of a quarter of its processors.
var Machines = []Machine{{"cm:1986", 65536, 4096}, {"cm:1986-16k", 16384, 4096}}

// Named returns the machine of an ID, such as "cm:1986".
func Named(id string) (Machine, bool) {
	for _, m := range Machines {
		if m.ID == id {
			return m, true
		}
	}
	return Machine{}, false
}

// Bytes returns the memory of all processors.
func (m Machine) Bytes() int64 { return int64(m.Processors) * int64(m.Bits) / 8 }

// Kind is what processors do in a step.
type Kind uint8

// The kinds of steps.
const (
	Context  Kind = iota // an operation on the bit that says who is selected
	Compute              // an operation of each processor on what it has
	Multiply             // a product, or a quotient
	Reduce               // sum, count and the like, to the front end
	Scan                 // enumerate and other scans
	Send                 // messages between any processors
	Exchange             // messages between processors whose numbers differ in a bit, and the choice of a value
	Front                // the front end reads or writes one processor
)

var kindNames = [...]string{"context", "compute", "multiply", "reduce", "scan", "send", "exchange", "front end"}

// String returns the kind's name.
func (k Kind) String() string { return kindNames[k] }

// Step is what all processors do at once.
type Step struct {
	Kind     Kind
	Name     string
	Size     int   // how many virtual processors there are
	Bits     int   // of the operands
	Active   []int // of them, how many work in each round
	Messages int   // that are sent
}

// published are the times of steps at a virtual processor for each: 1 µs, 200 µs and 30 ms for a radix sort of 32
// passes, of two enumerations, a count and a SEND each, are in the paper; 220 µs are the 30 ms of a bitonic sort over
// its 136 stages.
var published = map[Kind]trace.Time{
	Context: trace.Microsecond, Reduce: 200 * trace.Microsecond, Scan: 200 * trace.Microsecond,
	Send: 340 * trace.Microsecond, Exchange: 220 * trace.Microsecond,
}

// Price returns what a step takes: a published time, or of work within processors, of which the paper gives none, a
// microsecond for each bit, as an operation on context bits takes, and for a product one for each pair of bits; the
// front end has each bit of a processor at such a time too. Where there are more virtual processors than there are
// processors, each does the work of as many, one after the other.
func (m Machine) Price(s Step) trace.Time {
	if s.Size == 0 {
		return 0
	}
	t, is := published[s.Kind]
	switch {
	case is:
	case s.Kind == Multiply:
		t = trace.Time(s.Bits*s.Bits) * trace.Microsecond
	default:
		t = trace.Time(max(s.Bits, 1)) * trace.Microsecond
	}
	if s.Kind == Front {
		return t
	}
	return t * trace.Time(m.Ratio(s.Size))
}

// Ratio returns how many virtual processors each processor stands for, where there are n.
func (m Machine) Ratio(n int) int { return max((n+m.Processors-1)/m.Processors, 1) }

// String says what the machine is.
func (m Machine) String() string {
	return fmt.Sprintf("Connection Machine of 1986: %d processors of %d bits", m.Processors, m.Bits)
}
