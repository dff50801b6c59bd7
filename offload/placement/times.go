package placement

import "slices"

// times are when what was planned would be over, in seconds, by the linear costs of the Bach runtime: a copy takes its
// bytes by the rate of the way, a launch the bytes of its arguments by the rate of copies within its device, and each
// what it takes before its first byte, where [Costs] are known. A device does one launch at a time, a way between two
// memories one copy, and all ways from the host together what the host can.
type times struct {
	devices []float64 // when each has nothing to do
	ways    []float64 // by the memories from and to, when each has nothing to copy
	root    float64   // when the host's root has nothing to do
	host    float64   // what is submitted now begins no earlier
	last    float64

	rates    []float64 // by the memories from and to, as ways; 0 where it has not been asked for
	costs    []costs   // by device
	together float64   // Costs.Together; negative where it has not been asked for

	moves  []moved // memory for the next launch
	tried  []wayBefore
	trying bool // what is noted is taken back
}

// moved is a copy from a memory to a device. It waits for who has made what it copies, and not for all that the launch
// waits for which it is for.
type moved struct {
	from  int
	bytes int64
	ready float64 // seconds
}

// wayBefore is what stood in times.ways.
type wayBefore struct {
	way int
	at  float64
}

// Costs are Rates that know more, in seconds and GB/s; 0 where they do not.
type Costs interface {
	Rates
	Copy(d int) float64   // what a copy to or from a device takes beside its bytes
	Launch(d int) float64 // and a launch
	Submit(d int) float64 // what the host takes to ask for one of them
	Plain(d int) float64  // rate to a device from memory of the host that is not pinned, as arrays are
	Together() float64    // rate from the host to all devices at once
}

// costs are what Costs say of a device; they are zero where none are known.
type costs struct {
	asked                       bool
	copy, launch, submit, plain float64
}

func newTimes(devices int) *times {
	ways := (devices + 1) * (devices + 1)
	t := &times{devices: make([]float64, devices), costs: make([]costs, devices), together: -1}
	t.ways, t.rates = make([]float64, ways), make([]float64, ways)
	return t
}

// way is the number of the way between two memories.
func (p *Planner) way(from, to int) int { return (from+1)*(p.Devices+1) + to + 1 }

// rate is Rates.Rate, which is asked once for each way.
func (p *Planner) rate(from, to int) float64 {
	known := &p.times.rates[p.way(from, to)]
	if *known == 0 {
		*known = p.Rates.Rate(from, to)
	}
	return *known
}

// of returns the costs of a device, which are asked for once.
func (p *Planner) of(d int) *costs {
	c := &p.times.costs[d]
	if !c.asked {
		c.asked = true
		if k := p.costs; k != nil {
			c.copy, c.launch, c.submit, c.plain = k.Copy(d), k.Launch(d), k.Submit(d), k.Plain(d)
		}
	}
	return c
}

// Seconds returns when what was planned so far would be over; 0 of a planner without Options.Timed.
func (p *Planner) Seconds() float64 {
	if p.times == nil {
		return 0
	}
	return p.times.last
}

// timed notes when v is over, which does all of these after times.moves, and after copies within its device.
func (p *Planner) timed(v *Vertex, accesses []Access, within int64) {
	if p.times == nil {
		return
	}
	bytes := int64(0)
	for _, a := range accesses {
		if a.Mode != Begin {
			bytes += a.Field.size(a.Box)
		}
	}
	v.ends = p.ends(v.Device, v.Parents, bytes, within)
}

// estimate returns when the launch that a policy is asked about would be over on device d, which is what
// [Planner.timed] would note, and how long the host takes to ask for it and its copies.
func (p *Planner) estimate(d int) (end, asked float64) {
	t, x := p.times, &p.choice
	if t == nil {
		return 0, 0
	}
	t.moves = t.moves[:0]
	bytes := int64(0)
	for i := range x.arguments {
		a := &x.arguments[i]
		bytes += a.bytes
		if a.needs && !a.in.Has(d) {
			t.moves = append(t.moves, moved{Source(p.Rates, a.in, d), a.bytes, a.ready})
		}
	}
	at, root, host, last := t.devices[d], t.root, t.host, t.last
	t.tried, t.trying = t.tried[:0], true
	end = p.ends(d, x.parents, bytes, p.begun(d, x.accesses))
	asked = t.host - host
	for _, w := range slices.Backward(t.tried) {
		t.ways[w.way] = w.at
	}
	t.trying = false
	t.devices[d], t.root, t.host, t.last = at, root, host, last
	return end, asked
}

// ends notes when a launch on device d is over, after t.moves, of arguments of so many bytes, some of which are copied
// within the device.
func (p *Planner) ends(d int, parents []*Vertex, bytes, within int64) float64 {
	t := p.times
	begin := t.host
	for _, u := range parents {
		begin = max(begin, u.ends)
	}
	start := begin
	for _, m := range t.moves {
		from := t.host
		if m.from != CPU {
			from = max(from, m.ready)
		}
		start = max(start, p.copied(m, d, from))
	}
	start = max(start, t.devices[d], p.asked(d))
	c := p.of(d)
	end := start + seconds(bytes+within, p.rate(d, d)) + c.launch
	if within > 0 {
		end += c.copy
	}
	t.devices[d] = end
	t.last = max(t.last, end)
	return end
}

// copied returns when a copy is over that can begin then.
func (p *Planner) copied(m moved, to int, begin float64) float64 {
	t, rate, way := p.times, p.rate(m.from, to), p.way(m.from, to)
	d := to
	if d == CPU {
		d = m.from
	}
	begin = max(begin, p.asked(d))
	c := p.of(d)
	end := max(begin, t.ways[way]) + c.copy
	if m.from == CPU && p.costs != nil {
		if t.together < 0 {
			t.together = p.costs.Together()
		}
		t.root = max(begin, t.root) + seconds(m.bytes, t.together)
		if c.plain > 0 {
			rate = c.plain
		}
	}
	if end += seconds(m.bytes, rate); m.from == CPU {
		end = max(end, t.root)
	}
	if t.trying {
		t.tried = append(t.tried, wayBefore{way, t.ways[way]})
	}
	t.ways[way] = end
	t.last = max(t.last, end)
	return end
}

// asked returns when the host has asked a device for the next launch or copy, one after the other.
func (p *Planner) asked(d int) float64 {
	p.times.host += p.of(d).submit
	return p.times.host
}

// hostReads notes that the host waits for copies.
func (p *Planner) hostReads(copies []Copy) {
	if p.times == nil {
		return
	}
	begin := p.times.host
	for _, c := range copies {
		p.times.host = max(p.times.host, p.copied(moved{c.From, c.Bytes, begin}, c.To, begin))
	}
}

// seconds is how long bytes take at a rate in GB/s; nothing where no rate is known.
func seconds(bytes int64, rate float64) float64 {
	if !(rate > 0) {
		return 0
	}
	return float64(bytes) / (1e9 * rate)
}
