package dp

import (
	"fmt"
	"slices"
	"strings"

	np "github.com/arrayrepl/arrayrepl/lazy"
)

// mostShown is how many processors may take part where rounds are kept to be shown.
const mostShown = 64

// frame is what processors have after a round.
type frame struct {
	values   []float64
	active   []int    // those that have worked
	messages [][2]int // from, to
}

// Rounds is what processors have after each round of a verb, and who has worked. At the end of a cell it is shown as
// its [Rounds.Chart]; its numbers are for charts of your own, as viz.Lanes(r.Work, viz.CellValues(r.Values)).
type Rounds struct {
	Work, Values *np.Array  // a row for what is there before, and one for each round; pointers to nothing are -1
	Messages     [][][2]int // of each round, from which processor to which

	title string
	asks  bool // messages are questions: what comes back is what is written
}

// Play returns the rounds of what [Count], [Enumerate], [ListEnd], [ListScan], [ListMatch], [Sort] by a method,
// [Pool.Cons], [Label], [Tree.Up], [Tree.Down], [AddDigits] or a [Scan] of one axis has returned, of at most 64
// processors. A count is the sum of what is there, whose last processor has it in the end. A pass of a radix sort or of
// a quicksort is a round. What is played of a sum of digits is the scan of what places do with a carry: 0 to hand it
// on, 1 to stop it, 2 to make one. Pool.Cons begins with the free processors; each leaves its number at the place that
// it is numbered by, and those that ask find it there. Labels by [Naive] are of pixels in C order, those by [Rings] of
// the cracks, in the order of their pixels. Rounds of counts and scans are computed now.
func Play(x *np.Array) *Rounds {
	r := Steps(x)
	if r.replay != nil {
		r.frames, r.replay = r.replay(), nil
	}
	if len(r.frames) == 0 {
		check("dp.Play", fmt.Errorf("%s has no rounds to show: give a count, an enumeration, a scan of one axis, a sort by a method, labels, a call of Pool.Cons, a tree or a list, of at most %d elements", r.Verb, mostShown))
	}
	rows, n := len(r.frames), len(r.frames[0].values)
	work, values := make([]float64, rows*n), make([]float64, 0, rows*n)
	out := &Rounds{title: r.Verb + ", round by round", asks: r.asks}
	for i, f := range r.frames {
		for _, k := range f.active {
			work[i*n+k] = 1
		}
		values = append(values, f.values...)
		if i > 0 {
			out.Messages = append(out.Messages, f.messages)
		}
	}
	out.Work, out.Values = np.FromSlice(work).Reshape(rows, n), np.FromSlice(values).Reshape(rows, n)
	return out
}

// String has a line for each round: what processors have, and who has sent to whom.
func (r *Rounds) String() string {
	var b strings.Builder
	shape := r.Values.Shape()
	values := r.Values.Float64s()
	for i := range shape[0] {
		fmt.Fprintf(&b, "%d:", i)
		for _, v := range values[i*shape[1] : (i+1)*shape[1]] {
			fmt.Fprintf(&b, " %4v", v)
		}
		if i > 0 {
			b.WriteString("  ")
			for _, m := range r.Messages[i-1] {
				fmt.Fprintf(&b, " %d→%d", m[0], m[1])
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// show keeps a frame of lists: the pointers, and who has looked at the next one's.
func (c *chased) show(cells *np.Array, values *np.Array) {
	if c.n == 0 || c.n > mostShown {
		return
	}
	f := frame{values: values.AsType(np.Float64).Float64s()}
	if cells != nil {
		f.active = cells.Ints()
		for _, k := range f.active {
			f.messages = append(f.messages, [2]int{k, c.before[k]})
		}
	}
	c.before = c.chum.Ints()
	c.frames = append(c.frames, f)
}

// rounds are those of a scan of x, made one by one.
func (o *Operator) rounds(x *np.Array) (frames []frame) {
	n := x.Size()
	show := func() []float64 { return x.AsType(np.Float64).Float64s() }
	frames = append(frames, frame{values: show()})
	for d := 1; d < n; d *= 2 {
		x = np.Concat(np.Axis(0), x.At(np.To(d)), o.apply(x.At(np.To(n-d)), x.At(np.From(d))).AsType(x.DType()))
		f := frame{values: show()}
		for k := d; k < n; k++ {
			f.active, f.messages = append(f.active, k), append(f.messages, [2]int{k - d, k})
		}
		frames = append(frames, f)
	}
	return frames
}

// shows reports whether the rounds of n processors are kept.
func shows(n int) bool { return n > 0 && n <= mostShown }

// sumRounds are those of a sum of x, whose last processor has it in the end: in the round of distance d, the last of
// each d adds what the last of the first half of these has.
func sumRounds(x *np.Array) (frames []frame) {
	v := x.AsType(np.Float64).Float64s()
	n := len(v)
	frames = append(frames, frame{values: slices.Clone(v)})
	for d := 2; d < 2*n; d *= 2 {
		var f frame
		for at := 0; at+d/2 < n; at += d {
			from, to := at+d/2-1, min(at+d-1, n-1)
			v[to] += v[from]
			f.active, f.messages = append(f.active, to), append(f.messages, [2]int{from, to})
		}
		f.values = slices.Clone(v)
		frames = append(frames, f)
	}
	return frames
}

// enumerated are the rounds of an enumeration: of a scan of flags, of which those that are true take away their own.
func enumerated(flags *np.Array) []frame {
	x := flags.AsType(np.Int64).Copy()
	frames := Sum.rounds(x)
	last := frame{values: slices.Clone(frames[len(frames)-1].values)}
	for k, one := range x.Ints() {
		if last.values[k] -= float64(one); one != 0 {
			last.active = append(last.active, k)
		}
	}
	return append(frames, last)
}

// passed keeps the frame of a step in which all processors have sent what they have: processor i to place to[i].
func (l ledger) passed(values *np.Array, to []int) {
	if !shows(values.Size()) {
		return
	}
	f := frame{values: values.AsType(np.Float64).Float64s()}
	for i, k := range to {
		f.active, f.messages = append(f.active, i), append(f.messages, [2]int{i, k})
	}
	l.frames = append(l.frames, f)
}

// splitPlaces are the places that a split by flags sends elements to.
func splitPlaces(high *np.Array) []int {
	flags := high.AsType(np.Int64).Ints()
	to := make([]int, len(flags))
	at := 0
	for _, side := range []int{0, 1} {
		for i, f := range flags {
			if f == side {
				to[i] = at
				at++
			}
		}
	}
	return to
}

// met are the rounds of Pool.Cons on so many processors: the free ones, their numbers at the places where those that
// ask look for them, and what these have found.
func met(n int, free, found []int) []frame {
	of := func() frame {
		f := frame{values: make([]float64, n)}
		for k := range f.values {
			f.values[k] = null
		}
		return f
	}
	first, left, got := of(), of(), of()
	for i, k := range free {
		first.values[k], left.values[i] = float64(k), float64(k)
		left.active, left.messages = append(left.active, k), append(left.messages, [2]int{k, i})
	}
	at := 0
	for k, x := range found {
		if x >= 0 {
			got.values[k] = float64(x)
			got.active, got.messages = append(got.active, k), append(got.messages, [2]int{at, k})
			at++
		}
	}
	return []frame{first, left, got}
}

// learned keeps the frame of a round in which processors have taken what a neighbour had: that of k on a side.
func (l ledger) learned(before, after []int, side func(k, d int) int) {
	f := frame{values: make([]float64, len(after))}
	for k, x := range after {
		f.values[k] = float64(x)
		if x == before[k] {
			continue
		}
		f.active = append(f.active, k)
		for d := range sides {
			if from := side(k, d); before[from] == x {
				f.messages = append(f.messages, [2]int{from, k})
				break
			}
		}
	}
	l.frames = append(l.frames, f)
}

// walked keeps the frame of a round in which each of the processors of has learned what that at its pointer had.
func (l ledger) walked(of, pointers []int, values *np.Array) {
	number := make(map[int]int, len(of))
	for i, k := range of {
		number[k] = i
	}
	f := frame{values: values.AsType(np.Float64).Float64s()}
	for i, to := range pointers {
		f.active, f.messages = append(f.active, i), append(f.messages, [2]int{number[to], i})
	}
	l.frames = append(l.frames, f)
}
