package dp_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/gpu/dp"
	"github.com/arrayrepl/arrayrepl/gpu/dp/internal/combined"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	"github.com/arrayrepl/arrayrepl/kir/gosrc/load"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// intOperator is an operator on int64 with what a loop does.
type intOperator struct {
	op    *dp.Operator
	apply func(x, y int64) int64
	none  int64
}

// program is a random chain of verbs on ints, beside what loops make of the same ints.
type program struct {
	r     *rand.Rand
	by    []intOperator
	mul   *dp.Operator
	x     *np.Array
	want  []int64
	steps []string
}

func (p *program) flags(density int) []bool {
	out := make([]bool, len(p.want))
	for i := range out {
		out[i] = p.r.IntN(100) < density
	}
	return out
}

// segments are random ones in one of the three descriptions, and their heads.
func (p *program) segments() (s *dp.Segments, lengths []int, heads []bool) {
	n := len(p.want)
	heads = make([]bool, n)
	if p.r.IntN(2) == 0 {
		heads = p.flags([]int{0, 1, 50, 100}[p.r.IntN(4)])
		at := 0
		for i := range heads {
			if i > 0 && heads[i] {
				lengths, at = append(lengths, i-at), i
			}
		}
		return dp.Heads(heads), append(lengths, n-at), heads
	}
	offsets := []int{0}
	for at := 0; at < n; {
		k := min(p.r.IntN(2+n/(1+p.r.IntN(5))), n-at)
		if lengths = append(lengths, k); k > 0 {
			heads[at] = true
		}
		at += k
		offsets = append(offsets, at)
	}
	if p.r.IntN(2) == 0 {
		return dp.Lengths(lengths), lengths, heads
	}
	return dp.Offsets(offsets), lengths, heads
}

// options are a form for a scan, or none; segmented ones have forms of their own.
func (p *program) options(segmented bool) []dp.Option {
	var out []dp.Option
	switch p.r.IntN(6) {
	case 0:
		out = append(out, dp.PerThread([]int{1, 2, 4, 8}[p.r.IntN(4)]))
	case 1:
		out = append(out, dp.Threads(32*(1+p.r.IntN(8))))
	case 2:
		out = append(out, dp.Vectors([]int{0, 4, 8, 16}[p.r.IntN(4)]))
	case 3:
		methods := []dp.Method{dp.WarpWise{Shared: p.r.IntN(2) == 0}, dp.Simple{}, dp.Downsweep{Pad: p.r.IntN(2) == 0}}
		if segmented {
			methods = []dp.Method{dp.Transformed{}, dp.Conditional{}, dp.Downsweep{}}
		}
		out = append(out, dp.Kernel(methods[p.r.IntN(3)]))
		if segmented && p.r.IntN(2) == 0 {
			out = append(out, dp.PackedFlags())
		}
	}
	return out
}

func (p *program) scan(by intOperator, exclusive bool, heads []bool) {
	acc := by.none
	for i, x := range p.want {
		if i == 0 || heads != nil && heads[i] {
			acc = by.none
		}
		next := by.apply(acc, x)
		if p.want[i] = next; exclusive {
			p.want[i] = acc
		}
		acc = next
	}
}

func (p *program) step() {
	n, by := len(p.want), p.by[p.r.IntN(len(p.by))]
	k := p.r.IntN(13)
	p.steps = append(p.steps, fmt.Sprintf("%d of %d by %v", k, n, by.op))
	switch k {
	case 0, 1: // elementwise
		a, b := int64(p.r.IntN(9)-4), int64(p.r.IntN(9)-4)
		p.x = p.x.Mul(a).Add(b)
		for i := range p.want {
			p.want[i] = p.want[i]*a + b
		}
	case 2:
		y := p.x
		p.x = np.Where(y.Greater(3), y, y.BitAnd(255))
		for i, x := range p.want {
			if x <= 3 {
				p.want[i] = x & 255
			}
		}
	case 3:
		ex := p.r.IntN(2) == 0
		f := dp.Scan
		if ex {
			f = dp.ScanEx
		}
		p.x = f(by.op, p.x, p.options(false)...)
		p.scan(by, ex, nil)
	case 4:
		s, _, heads := p.segments()
		ex := p.r.IntN(2) == 0
		f := dp.SegScan
		if ex {
			f = dp.SegScanEx
		}
		p.x = f(by.op, p.x, s, p.options(true)...)
		p.scan(by, ex, heads)
	case 5:
		s, lengths, _ := p.segments()
		if n == 0 {
			return
		}
		p.x = dp.SegReduce(by.op, p.x, s)
		var out []int64
		for _, l := range lengths {
			acc := by.none
			for _, x := range p.want[:l] {
				acc = by.apply(acc, x)
			}
			out, p.want = append(out, acc), p.want[l:]
		}
		p.want = out
	case 6:
		keep := p.flags(70)
		p.x = dp.Pack(p.x, keep)
		var out []int64
		for i, x := range p.want {
			if keep[i] {
				out = append(out, x)
			}
		}
		p.want = out
	case 7:
		p.x = dp.Split(p.x, p.x.BitAnd(2).NotEqual(0))
		slices.SortStableFunc(p.want, func(a, b int64) int { return int(a&2 - b&2) })
	case 8:
		p.x = dp.Enumerate(p.x.BitAnd(1))
		count := int64(0)
		for i, x := range p.want {
			p.want[i] = count
			count += x & 1
		}
	case 9:
		to := make([]int, n)
		into := make([]int64, n)
		for i := range to {
			to[i] = p.r.IntN(n)
		}
		p.x = dp.Send(p.x, to, by.op, into)
		got := make([]bool, n)
		for i, k := range to {
			if !got[k] {
				into[k], got[k] = p.want[i], true
				continue
			}
			into[k] = by.apply(into[k], p.want[i])
		}
		p.want = into
	case 10:
		to := p.r.Perm(n)
		p.x = dp.Get(dp.Permute(p.x, to), to).Add(dp.Permute(p.x, to))
		out := slices.Clone(p.want)
		for i, k := range to {
			out[k] += p.want[i]
		}
		p.want = out
	case 11:
		how := [][]dp.SortMethod{nil, {dp.Bitonic}, {dp.Quicksort}, {dp.Radix}}[p.r.IntN(4)]
		if how != nil && n > 100 { // many steps
			how = nil
		}
		p.x = dp.Sort(p.x, how...)
		slices.Sort(p.want)
	case 12: // products of matrices, of which each has an element
		ms := make([]combined.Matrix, n)
		for i, x := range p.want {
			ms[i] = combined.Matrix{A: int32(x), B: int32(i), C: 1, D: int32(x >> 32)}
		}
		i := np.Arange(n)
		records := np.RecordsOf(make([]combined.Matrix, n)).With(p.x.AsType(np.Int32), i.AsType(np.Int32), np.Ones(n).AsType(np.Int32), p.x.RightShift(32).AsType(np.Int32))
		column := []string{"A", "B", "C", "D"}[p.r.IntN(4)]
		if s, _, heads := p.segments(); p.r.IntN(2) == 0 {
			p.x, ms = dp.SegScanRecords(p.mul, records, s).Column(column), runsOf(ms, heads, combined.Mul)
		} else {
			p.x, ms = dp.ScanRecords(p.mul, records).Column(column), runsOf(ms, nil, combined.Mul)
		}
		p.x = p.x.AsType(np.Int64).Mul(3)
		for i, m := range ms {
			p.want[i] = 3 * int64(map[string]int32{"A": m.A, "B": m.B, "C": m.C, "D": m.D}[column])
		}
	}
}

// Random programs of verbs, by operators that are not commutative and of records too, in any form, with elementwise
// operations between them, are what loops make of the same ints, on every machine.
func TestProgramsOfVerbs(t *testing.T) {
	use(t)
	src, err := load.Load(".", "./internal/combined")
	require.NoError(t, err)
	op := func(name string, fn any, identity ...any) *dp.Operator {
		obj, err := src.Func(name)
		require.NoError(t, err)
		return dp.Op(gosrc.NewFunc(src.Source, obj, nil, fn), identity...)
	}
	by := []intOperator{{op("Latest", combined.Latest, int64(0)), combined.Latest, 0}}
	for _, o := range operators {
		by = append(by, intOperator{o.op, o.apply, o.none})
	}
	mul := op("Mul", combined.Mul, combined.Matrix{A: 1, D: 1})
	for seed := range testsize.Seeds("gpu/dp.TestProgramsOfVerbs") {
		r := rand.New(rand.NewPCG(seed, 35))
		m := machines[int(seed)%len(machines)]
		np.Use(m)
		p := &program{r: r, by: by, mul: mul, want: make([]int64, []int{1 + r.IntN(40), 1 + r.IntN(400), 2000 + r.IntN(400)}[min(r.IntN(8)/3, 2)])}
		for i := range p.want {
			p.want[i] = int64(r.IntN(2000) - 1000)
		}
		p.x = np.FromSlice(slices.Clone(p.want))
		for range 1 + r.IntN(8) {
			if len(p.want) == 0 {
				break
			}
			p.step()
		}
		got := p.x.Array()
		require.Equal(t, len(p.want), got.Size(), "seed %d on %s: %q", seed, m, p.steps)
		if len(p.want) > 0 {
			require.Equal(t, p.want, p.x.Int64s(), "seed %d on %s: %q", seed, m, p.steps)
		}
	}
}
