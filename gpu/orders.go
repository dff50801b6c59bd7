package gpu

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/kernelcall"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	"github.com/arrayrepl/arrayrepl/lazy"
)

// Orders lets [Check] run the kernel n times more, its blocks in random orders, and say how far the results of float
// sums by atomics lie apart: Check(kernel, grid, block, arguments..., gpu.Orders(20)).
//
// For example:
//
//	gpu.Check(sums, 80, 256, x, total, gpu.Orders(20)) // how far do the results differ?
func Orders(n int) Option { return Option{orders: n} }

// Spread is how far the results of several orders of a kernel's blocks lie apart in one of its parameters.
type Spread struct {
	Param    string
	Orders   int
	Elements int // that differ
	Worst    int // the element whose values lie furthest apart, for its size; -1 of a variable that is a number
	Values   int // how many different values it has
	From, To float64
	By       []float64 // its value in each order, the first that of the blocks' numbers
}

func (s Spread) String() string {
	if s.Elements == 0 {
		return fmt.Sprintf("in %d orders of the blocks, %s is the same", s.Orders, s.Param)
	}
	what := fmt.Sprintf("%d elements of %s differ", s.Elements, s.Param)
	if s.Elements == 1 {
		what = fmt.Sprintf("1 element of %s differs", s.Param)
	}
	if s.Worst < 0 {
		return fmt.Sprintf("in %d orders of the blocks, %s has %d values between %v and %v", s.Orders, s.Param, s.Values, s.From, s.To)
	}
	return fmt.Sprintf("in %d orders of the blocks, %s; %s[%d] has %d values between %v and %v", s.Orders, what, s.Param, s.Worst, s.Values, s.From, s.To)
}

// floatSums says to what a kernel adds floats atomically, "out[i] (cell 3, line 5, column 9)", each place once.
func floatSums(f *kir.Func) []string {
	var out []string
	for _, v := range f.FloatSums() {
		s := v.Note
		if s == "" {
			s = "memory"
		}
		if v.Pos != (kir.Pos{}) {
			s += " (" + v.Pos.String() + ")"
		}
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// orderText is what reports say of such sums; "" where there are none.
func orderText(sums []string) string {
	if len(sums) == 0 {
		return ""
	}
	return orderWord + ": gpu.AtomicAdd adds floats to " + strings.Join(sums, ", and to ") + "; nothing defines the order of the threads, so last bits may differ from run to run"
}

const orderWord = "order dependent"

// spreads runs a launch in n random orders of its blocks, and the first time in theirs.
func spreads(l *launch, c *kernelcall.Call[lazy.Array], n int) ([]Spread, error) {
	k, err := l.f.f.Kernel(gosrc.Options{Unchecked: l.option.unchecked})
	if err != nil {
		return nil, err
	}
	order := make([]int, c.Grid.Count())
	for i := range order {
		order[i] = i
	}
	r := rand.New(rand.NewPCG(1, 2)) // the same orders each time
	var runs [][][]byte
	for range n {
		out, err := lazy.Wiring{}.Outcome(c, order)
		if err != nil {
			return nil, err
		}
		runs = append(runs, out)
		r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	}
	var list []Spread
	for i := range k.Params {
		for _, leaf := range k.Params[i].Leaves {
			if leaf.Writes && runs[0][leaf.First] != nil {
				if s, ok := spread(leaf.Name, elementName(leaf.Elem), runs, leaf.First); ok {
					list = append(list, s)
				}
			}
		}
	}
	for _, v := range k.Variables {
		if v.Writes && v.Object != nil {
			if s, ok := spread(v.Name, elementName(v.Object.Type()), runs, v.First); ok {
				if s.Elements > 0 {
					s.Worst = -1
				}
				list = append(list, s)
			}
		}
	}
	return list, nil
}

// spread compares what the runs have made of one argument of floats. ok is false for others.
func spread(name, dtype string, runs [][][]byte, at int) (s Spread, ok bool) {
	size, value := 4, func(b []byte) float64 { return float64(math.Float32frombits(binary.LittleEndian.Uint32(b))) }
	switch dtype {
	case "float32":
	case "float64":
		size, value = 8, func(b []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(b)) }
	default:
		return s, false
	}
	s = Spread{Param: name, Orders: len(runs)}
	worst := -1.0
	values := map[float64]bool{}
	for i := 0; i+size <= len(runs[0][at]); i += size {
		clear(values)
		least, most := math.Inf(1), math.Inf(-1)
		for _, r := range runs {
			x := value(r[at][i:])
			values[x] = true
			least, most = min(least, x), max(most, x)
		}
		if len(values) == 1 || least != least { // NaN has no size
			continue
		}
		s.Elements++
		if apart := (most - least) / max(math.Abs(least), math.Abs(most)); apart > worst {
			worst = apart
			s.Worst, s.Values, s.From, s.To = i/size, len(values), least, most
			s.By = s.By[:0]
			for _, r := range runs {
				s.By = append(s.By, value(r[at][i:]))
			}
		}
	}
	return s, true
}

// ordersText is what a report of findings says of float sums.
func (f *Findings) ordersText() []string {
	if len(f.FloatSums) == 0 {
		return nil
	}
	lines := []string{orderText(f.FloatSums)}
	for _, s := range f.Spread {
		lines = append(lines, s.String())
	}
	return lines
}
