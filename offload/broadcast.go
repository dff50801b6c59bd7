package offload

import (
	"context"
	"slices"

	"github.com/arrayrepl/arrayrepl/offload/device"
)

// delivery says in which order the shares of a task get what they lack, and from where.
type delivery struct {
	order []int
	from  []device.Device // by share; nil for the nearest
}

// deliver plans the copies of what all shares lack alike, as a vector that each multiplies its rows of a matrix with:
// each device that has received sends on, and the next to receive is the one that can have it first. A device sends
// one copy at a time. The shares of other tasks are in their order. It takes time linear in shares and quadratic in
// devices.
func (c *colours) deliver(ctx context.Context) delivery {
	out := delivery{order: make([]int, len(c.shares)), from: make([]device.Device, len(c.shares))}
	for i := range out.order {
		out.order[i] = i
	}
	var lacks *need // what the first that lacks something does
	first := make(map[device.Device]int)
	var without []device.Device // devices, in order, that have not all
	for i := range c.shares {
		n, alone := c.lacking(i)
		switch d := c.shares[i].on; {
		case !alone:
			return out
		case n == nil:
		case lacks != nil && (n.v != lacks.v || n.unit != lacks.unit || !slices.Equal(n.root, lacks.root) || !slices.Equal(n.box, lacks.box)):
			return out
		default:
			if lacks == nil {
				lacks = n
			}
			if _, known := first[d]; !known {
				first[d] = i
				without = append(without, d)
			}
		}
	}
	if len(without) < 2 {
		return out
	}
	type sender struct {
		d    device.Device
		free float64 // when it can send next, in seconds
	}
	var senders []sender
	for q := range lacks.v.copies.each {
		if !slices.ContainsFunc(senders, func(s sender) bool { return s.d == q.dev }) && slices.Contains(c.rt.among, q.dev) && len(lacks.missing(q)) == 0 && linked(without[0], q.dev) {
			senders = append(senders, sender{d: q.dev})
		}
	}
	slices.SortFunc(senders, func(a, b sender) int { return slices.Index(c.rt.among, a.d) - slices.Index(c.rt.among, b.d) })
	if len(senders) == 0 {
		return out
	}
	links, err := c.rt.linksInUse(ctx)
	if err != nil {
		return out
	}
	bytes := float64(lacks.box.Len() * lacks.unit)
	arrives := func(s sender, d device.Device) float64 {
		rate := links.Rate(slices.Index(c.rt.among, s.d), slices.Index(c.rt.among, d))
		return s.free + d.Properties().CopyTime.Seconds() + bytes/(rate*1e9)
	}
	best := make([]int, len(without)) // of the senders, for each
	for k, d := range without {
		for i := range senders {
			if arrives(senders[i], d) < arrives(senders[best[k]], d) {
				best[k] = i
			}
		}
	}
	turn := make(map[device.Device]int) // when a device's shares are begun
	for n := range without {
		next := -1
		for k, d := range without {
			if best[k] >= 0 && (next < 0 || arrives(senders[best[k]], d) < arrives(senders[best[next]], without[next])) {
				next = k
			}
		}
		d, s := without[next], best[next]
		at := arrives(senders[s], d)
		senders[s].free = at
		senders = append(senders, sender{d, at})
		out.from[first[d]], turn[d], best[next] = senders[s].d, n+1, -1
		for k, other := range without { // the one that has sent is later for all, the new one may be sooner
			if best[k] < 0 {
				continue
			}
			if best[k] != s {
				if i := len(senders) - 1; arrives(senders[i], other) < arrives(senders[best[k]], other) {
					best[k] = i
				}
				continue
			}
			for i := range senders {
				if arrives(senders[i], other) < arrives(senders[best[k]], other) {
					best[k] = i
				}
			}
		}
	}
	slices.SortStableFunc(out.order, func(i, k int) int { return turn[c.shares[i].on] - turn[c.shares[k].on] })
	return out
}

// lacking returns what share number i reads that its device does not have: nil for nothing; false where that is several
// things, or not what a copy of the whole of it brings.
func (c *colours) lacking(i int) (one *need, ok bool) {
	x := &c.shares[i]
	for k, n := range x.in {
		missing := n.missing(c.in[i][k])
		if len(missing) == 0 {
			continue
		}
		if one != nil || size(missing) != n.box.Len() {
			return nil, false
		}
		one = n
	}
	for k := range x.out {
		if c.t.from(k) != nil && x.out[k].box != nil {
			return nil, false
		}
	}
	return one, true
}
