package learn

import (
	"fmt"
	"math"
	"slices"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/workers"
)

// lloyd are the steps of k-means on processors.
type lloyd struct {
	x         []float64 // (n, d)
	n, d, k   int
	centres   []float64 // (k, d)
	labels    []int     // of each sample, the number of its centre
	tolerance float64   // for the squares of the ways of all centres
}

// rowsOf are the samples that one piece of the work has: always the same ones, so that sums add in one order.
const rowsOf = 2048

func newLloyd(m *kmeans, x *arrays.Array) *lloyd {
	l := &lloyd{x: arrays.Data[float64](x), n: x.Shape()[0], d: x.Shape()[1], k: m.k}
	l.labels = make([]int, l.n)
	for i := range l.labels {
		l.labels[i] = -1
	}
	l.tolerance = m.tolerance * x.Var(arrays.Axis(0)).Mean().Float64()
	if m.init == nil {
		l.centres = l.plusPlus(m.seed)
		return l
	}
	init := m.init.Array()
	if d := init.Shape()[1]; d != l.d {
		panic(&arrays.Error{Op: "KMeans.Fit", Shapes: [][]int{init.Shape(), x.Shape()}, Msg: fmt.Sprintf("the first centres have the shape %v, the samples %v; both must have as many features", init.Shape(), x.Shape())})
	}
	l.centres = slices.Clone(arrays.Data[float64](init))
	return l
}

func (l *lloyd) row(i int) []float64    { return l.x[i*l.d : (i+1)*l.d] }
func (l *lloyd) centre(c int) []float64 { return l.centres[c*l.d : (c+1)*l.d] }

func (l *lloyd) pieces() int { return (l.n + rowsOf - 1) / rowsOf }

// plusPlus chooses k samples, each of several candidates the one that leaves the least squares of distances to the
// nearest chosen one; candidates come up in proportion to those.
func (l *lloyd) plusPlus(seed int) []float64 {
	r := arrays.DefaultRNG(seed)
	uniform := func() float64 { return r.Uniform(0, 1, 1).Float64() }
	tries := 2 + int(math.Log(float64(l.k)))
	first := min(int(uniform()*float64(l.n)), l.n-1)
	centres := slices.Clone(l.row(first))
	nearest := make([]float64, l.n)
	for i := range nearest {
		nearest[i] = distance2(l.row(i), l.row(first))
	}
	for c := 1; c < l.k; c++ {
		total := 0.0
		for _, s := range nearest {
			total += s
		}
		best, bestTotal := []float64(nil), math.Inf(1)
		row := 0
		for range tries {
			left, at := uniform()*total, 0
			for at < l.n-1 && left >= nearest[at] {
				left -= nearest[at]
				at++
			}
			to, sum := make([]float64, l.n), 0.0
			for i, s := range nearest {
				to[i] = min(s, distance2(l.row(i), l.row(at)))
				sum += to[i]
			}
			if best == nil || sum < bestTotal {
				best, bestTotal, row = to, sum, at
			}
			arrays.Wiring{}.Poll()
		}
		nearest = best
		centres = append(centres, l.row(row)...)
	}
	return centres
}

// assign gives each sample its nearest centre, the first of several, and reports whether each had it before.
func (l *lloyd) assign() (same bool) {
	changed := make([]bool, l.pieces())
	workers.Do(len(changed), func(p int) {
		changed[p] = l.assignRows(p*rowsOf, min((p+1)*rowsOf, l.n))
	}, arrays.Wiring{}.Poll)
	return !slices.Contains(changed, true)
}

func (l *lloyd) assignRows(from, to int) (changed bool) {
	for i := from; i < to; i++ {
		x, best, label := l.row(i), math.Inf(1), 0
		for c := range l.k {
			if s := distance2(x, l.centre(c)); s < best {
				best, label = s, c
			}
		}
		changed = changed || label != l.labels[i]
		l.labels[i] = label
	}
	return changed
}

// move moves each centre to the mean of its samples, and returns the sum of the squares of the ways.
func (l *lloyd) move() (way float64) {
	sums, counts := make([][]float64, l.pieces()), make([][]float64, l.pieces())
	workers.Do(len(sums), func(p int) {
		sum, count := make([]float64, l.k*l.d), make([]float64, l.k)
		for i := p * rowsOf; i < min((p+1)*rowsOf, l.n); i++ {
			c := l.labels[i]
			count[c]++
			to := sum[c*l.d : (c+1)*l.d]
			for f, v := range l.row(i) {
				to[f] += v
			}
		}
		sums[p], counts[p] = sum, count
	}, arrays.Wiring{}.Poll)
	sum, count := sums[0], counts[0]
	for p := 1; p < len(sums); p++ {
		for i, v := range sums[p] {
			sum[i] += v
		}
		for c, v := range counts[p] {
			count[c] += v
		}
	}
	l.fill(sum, count)
	next := make([]float64, len(sum))
	for i, v := range sum {
		next[i] = v / count[i/l.d]
	}
	way = distance2(next, l.centres)
	l.centres = next
	return way
}

// anyEmpty reports whether a centre has no samples.
func (l *lloyd) anyEmpty(count []float64) bool { return slices.Contains(count, 0) }

// fill gives centres without samples, in their order, the samples that are farthest from theirs, which lose them: as
// scikit-learn does. There are as many samples as centres, or more.
func (l *lloyd) fill(sum, count []float64) {
	if !l.anyEmpty(count) {
		return
	}
	far := make([]float64, l.n)
	for i := range far {
		far[i] = distance2(l.row(i), l.centre(l.labels[i]))
	}
	for c := range count {
		if count[c] > 0 {
			continue
		}
		at := -1
		for i := range far { // the only sample of a centre stays with it
			if count[l.labels[i]] > 1 && (at < 0 || far[i] > far[at]) {
				at = i
			}
		}
		was := l.labels[at]
		for f, v := range l.row(at) {
			sum[was*l.d+f] -= v
			sum[c*l.d+f] = v
		}
		count[was]--
		count[c], l.labels[at], far[at] = 1, c, -1
	}
}

// inertia is the sum of the squares of the distances of the samples to their centres.
func (l *lloyd) inertia() (s float64) {
	for i, c := range l.labels {
		s += distance2(l.row(i), l.centre(c))
	}
	return s
}
