package simgpu

import (
	"fmt"
	"slices"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// TF brings lanes together in thread-frontier order (Diamos et al., MICRO 2011): of the places where lanes of a warp
// are, the one with the lowest address goes on, and lanes meet wherever they come to the same place. Blocks of kernels
// stand in an order in which joins follow the branches whose ways meet there, and loops what comes after them, so lanes
// meet as early as they can, also where conditions are cut short and loops left by break, whose ways have no common
// postdominator before their end.
type TF struct{}

// Name returns "tf".
func (TF) Name() string { return "tf" }

// New returns a split of which all lanes are at block 0.
func (TF) New(lanes Mask, _ []int) Split { return &frontier{places: []Arm{{0, lanes}}} }

// frontier is the places of a warp's lanes: by block, each once.
type frontier struct{ places []Arm }

func (s *frontier) Group() (int, Mask) {
	if len(s.places) == 0 {
		return Exit, 0
	}
	return s.places[0].Block, s.places[0].Lanes
}

func (s *frontier) Resolve(arms []Arm) []Split {
	if len(arms) == 1 && len(s.places) == 1 && arms[0].Block != Exit {
		s.places[0] = arms[0]
		return nil
	}
	s.places = append(s.places[:0], s.places[1:]...)
	for _, a := range arms {
		if a.Block == Exit {
			continue
		}
		i := 0
		for i < len(s.places) && s.places[i].Block < a.Block {
			i++
		}
		if i < len(s.places) && s.places[i].Block == a.Block {
			s.places[i].Lanes |= a.Lanes
		} else {
			s.places = slices.Insert(s.places, i, a)
		}
	}
	return nil
}

// Inspect implements Inspector.
func (s *frontier) Inspect() []trace.Table {
	t := trace.Table{Name: "frontier"}
	for i, p := range s.places {
		t.Rows = append(t.Rows, rowOf(fmt.Sprint(i), p.Block, p.Lanes))
	}
	return []trace.Table{t}
}

// Wait parts the lanes that wait from the others, which a barrier may wait for; the two do not meet again.
func (s *frontier) Wait() Split {
	if len(s.places) == 1 {
		return nil
	}
	rest := &frontier{places: slices.Clone(s.places[1:])}
	s.places = s.places[:1]
	return rest
}
