package placement

// Estimator takes the device with the least cost, as the Bach runtime chooses between CPU and GPU (Yuan and others,
// "Offload Annotations", ATC 2020): what the launch costs there, and what it costs to move the arguments that are not
// there. Costs are linear in bytes: [Candidates.Compute] and [Candidates.Copies]. Of devices that cost the same it
// takes the next in turn.
type Estimator struct{}

// Name is "estimator".
func (Estimator) Name() string { return "estimator" }

// Choose takes the least.
func (Estimator) Choose(c Candidates) int {
	cost := func(d int) float64 { return c.Compute(d) + c.Copies(d) }
	least := cost(c.Least(cost))
	equal := c.kept[:0]
	for _, d := range c.Devices {
		if cost(d) <= least {
			equal = append(equal, d)
		}
	}
	c.Devices = equal
	return c.InTurn()
}

// Compute is an estimate of how many seconds the launch takes on device d: the bytes of its arguments, at the rate of
// copies within the device.
func (c Candidates) Compute(d int) float64 { return seconds(c.Total(), c.rates.Rate(d, d)) }

// Copies is an estimate of how many seconds the copies to device d take, one after the other, each from where it is
// taken: the memory with the fastest way of those that have it. [Candidates.Seconds] counts the slowest.
func (c Candidates) Copies(d int) (s float64) {
	for _, a := range c.arguments {
		if a.needs && !a.in.Has(d) && !a.in.Empty() {
			s += seconds(a.bytes, c.rates.Rate(Source(c.rates, a.in, d), d))
		}
	}
	return s
}
