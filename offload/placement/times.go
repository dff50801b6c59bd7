package placement

// times are when what was planned would be over, in seconds, by the linear costs of the Bach runtime: a copy takes its
// bytes by the rate of the way, a launch the bytes of its arguments by the rate of copies within its device, and each
// what it takes before its first byte, where [Costs] are known. A device does one launch at a time, a way between two
// memories one copy, and all ways from the host together what the host can.
type times struct {
	devices []float64 // when each has nothing to do
	ways    map[[2]int]float64
	root    float64 // when the host's root has nothing to do
	host    float64 // what is submitted now begins no earlier
	last    float64
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

func newTimes(devices int) *times {
	return &times{devices: make([]float64, devices), ways: make(map[[2]int]float64)}
}

// Seconds returns when what was planned so far would be over; 0 of a planner without Options.Timed.
func (p *Planner) Seconds() float64 {
	if p.times == nil {
		return 0
	}
	return p.times.last
}

// timed notes when v is over, which does all of these after these copies, and after others within its device.
func (p *Planner) timed(v *Vertex, accesses []Access, copies []Copy, within int64) {
	t := p.times
	if t == nil {
		return
	}
	begin := t.host
	for _, u := range v.Parents {
		begin = max(begin, u.ends)
	}
	start := begin
	for _, c := range copies {
		from := begin
		if c.From == CPU {
			from = t.host
		}
		start = max(start, p.copied(c, from))
	}
	bytes := int64(0)
	for _, a := range accesses {
		if a.Mode != Begin {
			bytes += a.Field.size(a.Box)
		}
	}
	start = max(start, t.devices[v.Device], p.asked(v.Device))
	v.ends = start + seconds(bytes+within, p.Rates.Rate(v.Device, v.Device))
	if c := p.costs(); c != nil {
		v.ends += c.Launch(v.Device)
		if within > 0 {
			v.ends += c.Copy(v.Device)
		}
	}
	t.devices[v.Device] = v.ends
	t.last = max(t.last, v.ends)
}

// copied returns when a copy is over that can begin then.
func (p *Planner) copied(c Copy, begin float64) float64 {
	t, way, rate := p.times, [2]int{c.From, c.To}, p.Rates.Rate(c.From, c.To)
	d := c.To
	if d == CPU {
		d = c.From
	}
	begin = max(begin, p.asked(d))
	end := max(begin, t.ways[way])
	if k := p.costs(); k != nil {
		end += k.Copy(d)
		if c.From == CPU {
			t.root = max(begin, t.root) + seconds(c.Bytes, k.Together())
			if plain := k.Plain(d); plain > 0 {
				rate = plain
			}
		}
	}
	if end += seconds(c.Bytes, rate); c.From == CPU {
		end = max(end, t.root)
	}
	t.ways[way] = end
	t.last = max(t.last, end)
	return end
}

// costs are the planner's rates, where they know more; else nil.
func (p *Planner) costs() Costs {
	c, _ := p.Rates.(Costs)
	return c
}

// asked returns when the host has asked a device for the next launch or copy, one after the other.
func (p *Planner) asked(d int) float64 {
	if c := p.costs(); c != nil {
		p.times.host += c.Submit(d)
	}
	return p.times.host
}

// hostReads notes that the host waits for copies.
func (p *Planner) hostReads(copies []Copy) {
	if p.times == nil {
		return
	}
	begin := p.times.host
	for _, c := range copies {
		p.times.host = max(p.times.host, p.copied(c, begin))
	}
}

// seconds is how long bytes take at a rate in GB/s; nothing where no rate is known.
func seconds(bytes int64, rate float64) float64 {
	if !(rate > 0) {
		return 0
	}
	return float64(bytes) / (1e9 * rate)
}
