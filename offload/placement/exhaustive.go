package placement

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Searcher is a policy that sees a whole program before it chooses.
type Searcher interface {
	Policy
	// Search returns the policy by which the program is planned. replay submits all of it to a planner, the same each
	// time; o is what planners are made with.
	Search(o Options, replay func(*Planner) error) (Policy, error)
}

// Exhaustive tries all ways to place the launches of a program, and takes the one that would be over first by the
// planner's estimate, [Planner.Seconds]. Where there are too many ways it takes the best of the other policies, of 200
// random placements, and of what these become when launches are moved one at a time. It is for comparison: planning
// takes up to a second.
type Exhaustive struct{}

// Name is "exhaustive".
func (Exhaustive) Name() string { return "exhaustive" }

// Choose is for a launch that is not part of a program: as MinMaxTransferTime.
func (Exhaustive) Choose(c Candidates) int { return MinMaxTransferTime{0.1}.Choose(c) }

const (
	mostSubmitted = 60_000 // launches that a search plans, but for the random ones
	mostRandom    = 200    // random placements
)

// Search implements Searcher.
func (Exhaustive) Search(o Options, replay func(*Planner) error) (Policy, error) {
	s := &search{o: o, replay: replay, best: math.Inf(1)}
	s.o.Timed = true
	for _, p := range policies(0.1) {
		var on []int
		if err := s.plan(noted{p, &on}); err != nil {
			return nil, err
		}
		if err := s.try(&fixed{devices: on}); err != nil {
			return nil, err
		}
	}
	if s.ways <= mostSubmitted/float64(max(s.launches, 1)) {
		return s.all()
	}
	r := rand.New(rand.NewPCG(1, 32)) // the same placement each time
	for range mostRandom {
		choices := make([]int, s.launches)
		for i := range choices {
			choices[i] = r.IntN(o.Devices)
		}
		if err := s.try(&fixed{choices: choices}); err != nil {
			return nil, err
		}
	}
	return s.descend(r)
}

// search is what has been tried.
type search struct {
	o        Options
	replay   func(*Planner) error
	best     float64 // seconds
	choices  []int   // of the best
	ways     float64 // in which the program that was tried last can be placed
	launches int
	planned  int
	radix    []int // of the program that was tried last: among how many devices each launch chose
}

// plan plans the program by a policy, and notes how good that is where it chooses among all devices.
func (s *search) plan(by Policy) error {
	o := s.o
	o.Policy = by
	p, err := NewPlanner(o)
	if err == nil {
		err = s.replay(p)
	}
	if err != nil {
		return err
	}
	s.planned += p.stats.Launches
	if f, ok := by.(*fixed); ok {
		if t := p.Seconds(); t < s.best {
			s.best, s.choices = t, f.chosen
		}
	}
	return nil
}

// try plans the program by choices.
func (s *search) try(f *fixed) error {
	if err := s.plan(f); err != nil {
		return err
	}
	s.launches, s.radix, s.ways = len(f.chosen), f.radix, 1
	for _, n := range f.radix {
		s.ways *= float64(n)
	}
	return nil
}

func (s *search) policy() Policy { return &fixed{choices: s.choices} }

// all tries all choices, those of the last launch first.
func (s *search) all() (Policy, error) {
	for at := []int{}; ; {
		if err := s.try(&fixed{choices: at}); err != nil {
			return nil, err
		}
		at = append(at, make([]int, s.launches-len(at))...)
		i := len(at) - 1
		for i >= 0 && at[i]+1 >= s.radix[i] {
			i--
		}
		if i < 0 {
			return s.policy(), nil
		}
		at = at[:i+1]
		at[i]++
	}
}

// descend moves launches of the best placement one at a time, as long as there is a better one, and planning has not
// taken too long.
func (s *search) descend(r *rand.Rand) (Policy, error) {
	for better := true; better; {
		better = false
		for _, i := range r.Perm(len(s.choices)) {
			for d := range s.o.Devices {
				if i >= len(s.choices) || d == s.choices[i] {
					continue
				}
				if s.planned > mostSubmitted {
					return s.policy(), nil
				}
				choices := append([]int(nil), s.choices...)
				choices[i] = d
				before := s.best
				if err := s.try(&fixed{choices: choices}); err != nil {
					return nil, err
				}
				better = better || s.best < before
			}
		}
	}
	return s.policy(), nil
}

// noted is a policy whose choices are noted.
type noted struct {
	Policy
	on *[]int
}

func (n noted) Choose(c Candidates) int {
	d := n.Policy.Choose(c)
	*n.on = append(*n.on, d)
	return d
}

// fixed has a choice for each launch, in order: the number of a device among those that can be chosen, or the device
// itself.
type fixed struct {
	choices []int
	devices []int

	chosen, radix []int
}

func (f *fixed) Name() string { return "exhaustive" }

func (f *fixed) Choose(c Candidates) int {
	k, i := len(f.chosen), 0
	switch {
	case k < len(f.devices):
		i = max(slices.Index(c.Devices, f.devices[k]), 0)
	case k < len(f.choices):
		i = f.choices[k] % len(c.Devices)
	}
	f.chosen, f.radix = append(f.chosen, i), append(f.radix, len(c.Devices))
	return c.Devices[i]
}

// Planned returns a planner of the whole program that replay submits, with o's policy, which may be a Searcher.
func Planned(o Options, replay func(*Planner) error) (*Planner, error) {
	if s, ok := o.Policy.(Searcher); ok {
		var err error
		if o.Policy, err = s.Search(o, replay); err != nil {
			return nil, fmt.Errorf("policy %s: %w", s.Name(), err)
		}
	}
	p, err := NewPlanner(o)
	if err != nil {
		return nil, err
	}
	return p, replay(p)
}
