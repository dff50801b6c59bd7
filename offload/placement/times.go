package placement

// times are when what was planned would be over, in seconds, by the linear costs of the Bach runtime: a copy takes its
// bytes by the rate of the way, a launch the bytes of its arguments by the rate of copies within its device. A device
// does one launch at a time, a way between two memories one copy.
type times struct {
	devices []float64 // when each has nothing to do
	ways    map[[2]int]float64
	host    float64 // what is submitted now begins no earlier
	last    float64
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

// timed notes when v is over, which does all of these after these copies.
func (p *Planner) timed(v *Vertex, accesses []Access, copies []Copy) {
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
		bytes += a.Field.size(a.Box)
	}
	start = max(start, t.devices[v.Device])
	v.ends = start + seconds(bytes, p.Rates.Rate(v.Device, v.Device))
	t.devices[v.Device] = v.ends
	t.last = max(t.last, v.ends)
}

// copied returns when a copy is over that can begin then.
func (p *Planner) copied(c Copy, begin float64) float64 {
	way := [2]int{c.From, c.To}
	end := max(begin, p.times.ways[way]) + seconds(c.Bytes, p.Rates.Rate(c.From, c.To))
	p.times.ways[way] = end
	p.times.last = max(p.times.last, end)
	return end
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
