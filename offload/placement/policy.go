package placement

import (
	"fmt"
	"strings"
)

// Policy chooses the device of a launch. The function of a user is one: see [Func].
type Policy interface {
	Name() string
	// Choose returns one of c.Devices.
	Choose(c Candidates) int
}

// Candidates are the devices that a launch could run on, and what each would cost.
type Candidates struct {
	Launch  string // its name
	Devices []int  // by number, ascending; those of parents alone where one of their streams is to be used

	arguments []argument
	rates     Rates
	busy      []int // by device
	turn      *int
	all       int // devices of the machine
	finish    func(d int) (end, asked float64)
	kept      []int // memory for devices that a policy looks at
}

// argument is a part of what a launch reads or writes, and the memories that have it.
type argument struct {
	bytes int64
	in    Memories
	needs bool    // it is copied where it is not
	key   bool    // it belongs to the largest argument
	ready float64 // seconds, when it would have been made
}

// Total is the bytes of all arguments.
func (c Candidates) Total() int64 { return total(c.arguments) }

// Present is the bytes of arguments that device d has.
func (c Candidates) Present(d int) int64 { return present(c.arguments, d) }

// Bytes is what would have to be copied to device d.
func (c Candidates) Bytes(d int) float64 {
	n := int64(0)
	for _, a := range c.arguments {
		if a.needs && !a.in.Has(d) {
			n += a.bytes
		}
	}
	return float64(n)
}

func total(arguments []argument) (n int64) {
	for i := range arguments {
		n += arguments[i].bytes
	}
	return n
}

func present(arguments []argument, d int) (n int64) {
	for i := range arguments {
		if a := &arguments[i]; a.in.Has(d) {
			n += a.bytes
		}
	}
	return n
}

// Seconds is how long the copies to device d take at worst, one after the other, each from the memory with the
// slowest way of those that have it.
func (c Candidates) Seconds(d int) (s float64) {
	for _, a := range c.arguments {
		if a.needs && !a.in.Has(d) {
			s += float64(a.bytes) / (1e9 * slowest(c.rates, a.in, d))
		}
	}
	return s
}

// Busy is how many streams of device d have work that nothing has waited for.
func (c Candidates) Busy(d int) int { return c.busy[d] }

// Finish is an estimate of when the launch would be over on device d, in seconds from when the program begins: after
// the launches that it waits for, what the device is given before it, and the copies of what is not there, on ways that
// other copies use too. Costs are linear in bytes, as in [Candidates.Compute], with what a copy and a launch take
// before their first byte where that is known. It is for the time of the choice: a function that keeps c has no use of
// it later.
func (c Candidates) Finish(d int) float64 {
	end, _ := c.finish(d)
	return end
}

// Least returns the device for which f is the smallest, the first of those that are equal.
func (c Candidates) Least(f func(d int) float64) int {
	best := c.Devices[0]
	least := f(best)
	for _, d := range c.Devices[1:] {
		if x := f(d); x < least {
			best, least = d, x
		}
	}
	return best
}

// InTurn returns the next of the devices in turn. The turn is the machine's, whatever devices there are to choose
// from.
func (c Candidates) InTurn() int {
	d := c.Devices[*c.turn%len(c.Devices)]
	*c.turn = (*c.turn + 1) % c.all
	return d
}

// Rates says how fast copies are, in GB/s, from one memory to another: as the Links that offload.Probe measures.
type Rates interface {
	Rate(from, to int) float64
}

// slowest returns the lowest rate to d from what has a copy. It panics where nothing has one, which a directory that
// has lost a value would be the reason of.
func slowest(r Rates, in Memories, d int) float64 {
	if in.Empty() {
		panic(fmt.Sprintf("placement: nothing has a copy of what is to be copied to device %d", d))
	}
	rate := -1.0
	for m := range in.All {
		if x := r.Rate(m, d); rate < 0 || x < rate {
			rate = x
		}
	}
	return rate
}

// RoundRobin takes the devices in turn.
type RoundRobin struct{}

// Name is "round-robin".
func (RoundRobin) Name() string { return "round-robin" }

// Choose takes the next.
func (RoundRobin) Choose(c Candidates) int { return c.InTurn() }

// StreamAware takes the device with the fewest streams that have work.
type StreamAware struct{}

// Name is "stream-aware".
func (StreamAware) Name() string { return "stream-aware" }

// Choose takes the least busy.
func (StreamAware) Choose(c Candidates) int {
	return c.Least(func(d int) float64 { return float64(c.Busy(d)) })
}

// MinTransferSize takes the device that has the most bytes of the arguments; one that has less than Threshold of them
// counts as having none. Where none has any it takes the devices in turn.
type MinTransferSize struct{ Threshold float64 }

// Name is "min-transfer-size".
func (MinTransferSize) Name() string { return "min-transfer-size" }

// Choose takes the one with the most bytes.
func (p MinTransferSize) Choose(c Candidates) int {
	if !within(&c, p.Threshold, 1) {
		return c.InTurn()
	}
	return c.Least(func(d int) float64 { return -float64(c.Present(d)) })
}

// MinMaxTransferTime takes, of the devices that have Threshold of the arguments' bytes or more, the one whose copies
// take the shortest time at worst, see [Candidates.Seconds]. Where there is none it takes the devices in turn.
type MinMaxTransferTime struct{ Threshold float64 }

// Name is "min-max-transfer-time".
func (MinMaxTransferTime) Name() string { return "min-max-transfer-time" }

// Choose takes the one with the shortest copies.
func (p MinMaxTransferTime) Choose(c Candidates) int {
	if !within(&c, p.Threshold, 0) {
		return c.InTurn()
	}
	return c.Least(c.Seconds)
}

// within leaves of the devices those that have the threshold of the bytes, and at least so many, and reports whether
// there are any.
func within(c *Candidates, threshold float64, least int64) bool {
	kept := c.kept[:0]
	need := threshold * float64(total(c.arguments))
	for _, d := range c.Devices {
		if n := present(c.arguments, d); n >= least && float64(n) >= need {
			kept = append(kept, d)
		}
	}
	if len(kept) == 0 {
		return false
	}
	c.Devices = kept
	return true
}

// KeyAffinity takes the device that has the most of the largest argument, as Legate's mapper does, and the devices in
// turn where none has any of it.
type KeyAffinity struct{}

// Name is "key-affinity".
func (KeyAffinity) Name() string { return "key-affinity" }

// Choose takes the one with the most of the largest argument.
func (KeyAffinity) Choose(c Candidates) int {
	has := func(d int) float64 {
		n := int64(0)
		for _, a := range c.arguments {
			if a.key && a.in.Has(d) {
				n += a.bytes
			}
		}
		return -float64(n)
	}
	best := c.Least(has)
	if has(best) == 0 {
		return c.InTurn()
	}
	return best
}

// ThresholdOf returns what part of the arguments' bytes a device must have for p to consider it; 0 where p has none.
func ThresholdOf(p Policy) float64 {
	switch p := p.(type) {
	case MinTransferSize:
		return p.Threshold
	case MinMaxTransferTime:
		return p.Threshold
	case EarliestFinish:
		return p.Threshold
	}
	return 0
}

// Func is a policy of a function.
func Func(name string, choose func(c Candidates) int) Policy { return function{name, choose} }

// IsFunc reports whether p is a policy of a function.
func IsFunc(p Policy) bool {
	_, ok := p.(function)
	return ok
}

type function struct {
	name   string
	choose func(c Candidates) int
}

func (f function) Name() string            { return f.name }
func (f function) Choose(c Candidates) int { return f.choose(c) }

// Named returns the policy of a name, with a threshold where it has one.
func Named(name string, threshold float64) (Policy, error) {
	if !(threshold >= 0 && threshold <= 1) {
		return nil, fmt.Errorf("policy %s: the threshold is a part of the arguments' bytes, 0 to 1, not %g", name, threshold)
	}
	var names []string
	for _, p := range append(policies(threshold), Exhaustive{}) {
		if p.Name() == name {
			return p, nil
		}
		names = append(names, p.Name())
	}
	last := len(names) - 1
	return nil, fmt.Errorf("there is no policy %q; there are %s and %s", name, strings.Join(names[:last], ", "), names[last])
}

// policies are those that choose launch by launch.
func policies(threshold float64) []Policy {
	return []Policy{RoundRobin{}, StreamAware{}, MinTransferSize{threshold}, MinMaxTransferTime{threshold}, KeyAffinity{}, Estimator{}, EarliestFinish{threshold}}
}

// Names are those of the policies that have one.
func Names() (names []string) {
	for _, p := range append(policies(0), Exhaustive{}) {
		names = append(names, p.Name())
	}
	return names
}
