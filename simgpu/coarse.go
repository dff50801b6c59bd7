package simgpu

import "math"

// coarse is a simple model of a whole machine, by which what was timed of a sample is carried over to all blocks of a
// launch. A block that is alone on its SM goes at its own speed: it takes its time, at an even rate of instructions.
// Blocks of an SM that want more instructions a cycle than it has slow down together, and so do SMs that want more than
// all of them get, of the memory for example. Both limits are found by timing (see calibrate), the model makes only the
// schedule: which block runs where, how long the last ones run when the others are done.
type coarse struct {
	sms, resident int
	perSM, all    float64 // warp instructions a cycle
	// on an SM that has too few instructions a cycle for all, the block that is there longest has what it wants
	oldest  bool
	latency float64 // cycles between a block and the one that takes its place
}

// load is a block for the coarse model.
type load struct {
	instrs float64 // warp instructions
	alone  float64 // cycles that it takes alone
	warps  int
}

// coarseSpan is a time in which nothing begins or ends.
type coarseSpan struct {
	cycles float64
	warps  int     // resident ones
	busy   int     // SMs with a block
	rate   float64 // warp instructions a cycle
}

type coarseSM struct {
	at      float64 // the machine's time at which the blocks' left was right
	next    float64 // the machine's time at which a block ends
	demand  float64 // instructions a cycle that its blocks want
	blocks  []coarseBlock
	ordinal int
}

type coarseBlock struct {
	left  float64 // cycles, were it alone
	rate  float64 // instructions a cycle that it wants
	speed float64 // of 1
	warps int
}

// run returns how long the loads take, begun in their order, each on the SM that has room first. See hears of all times
// that pass; it may be nil.
func (c coarse) run(loads []load, see func(coarseSpan)) (end float64) {
	sms := make([]coarseSM, min(c.sms, len(loads)))
	if len(sms) == 0 {
		return 0
	}
	queue := make([]*coarseSM, len(sms)) // a heap by next
	next, warps, busy := 0, 0, 0
	demand := 0.0 // of all SMs, as far as they can meet it
	now := 0.0    // the machine's time, which goes slower than the clock where it cannot meet the demand
	settle := func(s *coarseSM) {
		demand -= min(s.demand, c.perSM)
		for i := range s.blocks {
			s.blocks[i].left -= (now - s.at) * s.blocks[i].speed
		}
		s.at = now
	}
	restart := func(s *coarseSM) {
		demand += min(s.demand, c.perSM)
		s.next = never
		free, even := c.perSM, min(1, c.perSM/s.demand)
		for i := range s.blocks {
			b := &s.blocks[i]
			b.speed = even
			if c.oldest {
				got := min(b.rate, free)
				free -= got
				b.speed = got / b.rate
			}
			if b.speed > 0 {
				s.next = min(s.next, now+max(b.left, 0)/b.speed)
			}
		}
	}
	begin := func(s *coarseSM, latency float64) {
		l := &loads[next]
		next++
		b := coarseBlock{left: l.alone + latency, rate: max(l.instrs/max(l.alone+latency, 1), 1e-9), warps: l.warps}
		if len(s.blocks) == 0 {
			busy++
		}
		s.blocks = append(s.blocks, b)
		s.demand += b.rate
		warps += l.warps
	}
	for round := 0; round < c.resident && next < len(loads); round++ {
		for i := range sms {
			if next < len(loads) {
				begin(&sms[i], 0)
			}
		}
	}
	for i := range sms {
		sms[i].ordinal = i
		restart(&sms[i])
		queue[i] = &sms[i]
	}
	down := func(i int) {
		for {
			k := 2*i + 1
			if k >= len(queue) {
				return
			}
			if k+1 < len(queue) && queue[k+1].before(queue[k]) {
				k++
			}
			if !queue[k].before(queue[i]) {
				return
			}
			queue[i], queue[k] = queue[k], queue[i]
			i = k
		}
	}
	for i := len(queue)/2 - 1; i >= 0; i-- {
		down(i)
	}
	for {
		s := queue[0]
		if len(s.blocks) == 0 {
			return end
		}
		slow := max(1, demand/c.all)
		if passed := (s.next - now) * slow; passed > 0 {
			end += passed
			if see != nil {
				see(coarseSpan{passed, warps, busy, demand / slow})
			}
		}
		now = s.next
		settle(s)
		for i := 0; i < len(s.blocks); i++ {
			b := s.blocks[i]
			if b.left > 1e-6 {
				continue
			}
			s.blocks = append(s.blocks[:i], s.blocks[i+1:]...)
			i--
			s.demand -= b.rate
			warps -= b.warps
			if len(s.blocks) == 0 {
				busy--
				s.demand = 0
			}
			if next < len(loads) {
				begin(s, c.latency)
			}
		}
		restart(s)
		down(0)
	}
}

func (s *coarseSM) before(o *coarseSM) bool {
	return s.next < o.next || s.next == o.next && s.ordinal < o.ordinal
}

// limitFor returns the limit, of those that with sets, at which run takes so many cycles: more than any where even no
// limit makes it take longer.
func limitFor(cycles float64, with func(limit float64) coarse, loads []load) float64 {
	const most = 1e6
	lo, hi := 1e-6, most
	if with(most).run(loads, nil) >= cycles {
		return most
	}
	for hi/lo > 1.001 {
		mid := math.Sqrt(lo * hi)
		if with(mid).run(loads, nil) > cycles {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi
}
