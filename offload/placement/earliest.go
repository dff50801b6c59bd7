package placement

import (
	"math"
	"slices"
)

// EarliestFinish takes the device on which the launch would be over first, by the estimate of [Candidates.Finish]: the
// choice of a processor in HEFT (Topcuoglu, Hariri and Wu, "Performance-effective and low-complexity task scheduling
// for heterogeneous computing", IEEE TPDS 13(3), 2002), for launches in the order of their calls. Of devices on which
// it would be over at the same time it takes those that have most of the arguments' bytes, and of these the next in
// turn. Where no device has Threshold of the bytes it takes the devices in turn: first copies from the host would end
// together on many. Where one has half of them or more, a launch goes to none without Threshold of them: what it leaves
// behind is not worth a place in a shorter queue, of which the estimate knows less than of bytes. Else it chooses among
// all devices, also those of which no stream is a parent's: see [ParentOfDevice].
type EarliestFinish struct{ Threshold float64 }

// Name is "earliest-finish".
func (EarliestFinish) Name() string { return "earliest-finish" }

// Choose takes the first to be done.
func (p EarliestFinish) Choose(c Candidates) int {
	if len(c.Devices) == 1 {
		return c.Devices[0]
	}
	some := c
	if !within(&some, p.Threshold, 1) {
		return c.InTurn()
	}
	half := func(d int) bool { return 2*present(c.arguments, d) >= total(c.arguments) }
	if slices.ContainsFunc(some.Devices, half) {
		c.Devices = some.Devices
	}
	first, most := math.Inf(1), int64(0)
	equal := c.kept[:0]
	for _, d := range c.Devices {
		end, asked := c.finish(d)
		if end += asked; end > first {
			continue
		}
		has := present(c.arguments, d)
		switch {
		case end < first || has > most:
			first, most, equal = end, has, equal[:0]
		case has < most:
			continue
		}
		equal = append(equal, d)
	}
	c.Devices = equal
	return c.InTurn()
}

// estimates reports whether a policy is to be told when launches would be over.
func estimates(p Policy) bool { return p.Name() == (EarliestFinish{}).Name() || IsFunc(p) }

// amongAll reports whether a policy chooses among all devices where others choose among those of parents.
func amongAll(p Policy) bool {
	return p.Name() == (EarliestFinish{}).Name() || p.Name() == (Exhaustive{}).Name()
}
