package opt_test

import (
	"context"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
	"github.com/arrayrepl/arrayrepl/kir/internal/testkernels"
	"github.com/arrayrepl/arrayrepl/kir/opt"
)

// rare is out[i] = 2 + (a hit ? x/y*y/x + (x+y)/y : y), a hit where x > 0, y > 0, x+y < 1 and that sum is less than 4.
func rare(t *testing.T, conjuncts int) *kir.Func {
	b := kir.NewBuilder("k")
	out, i := b.Param("out", kir.U64), b.GlobalIDX()
	x := b.Load(kir.Global, kir.F32, b.Index(b.Param("x", kir.U64), i, kir.F32))
	y := b.Load(kir.Global, kir.F32, b.Index(b.Param("y", kir.U64), i, kir.F32))
	f := func(c float64) *kir.Value { return b.Const(kir.F32, c) }
	sum := b.Op(kir.OpAdd, x, y)
	q := b.Op(kir.OpAdd, b.Op(kir.OpDiv, b.Op(kir.OpMul, b.Op(kir.OpDiv, x, y), y), x), b.Op(kir.OpDiv, sum, y))
	hit := b.Op(kir.OpGt, x, f(0))
	if conjuncts > 1 {
		hit = b.Op(kir.OpAnd, b.Op(kir.OpAnd, hit, b.Op(kir.OpGt, y, f(0))), b.Op(kir.OpAnd, b.Op(kir.OpLt, sum, f(1)), b.Op(kir.OpLt, q, f(4))))
	}
	r := b.Op(kir.OpSelect, hit, q, y)
	b.Store(kir.Global, b.Index(out, i, kir.F32), b.Op(kir.OpAdd, f(2), r))
	b.Return()
	return testkernels.MustFunc(t, b)
}

// What few threads need is behind a branch that all take or none, whoever needs it: the numbers are those of Go.
func TestWhatFewThreadsNeedIsGuarded(t *testing.T) {
	g := opt.OptimizeForCPU(rare(t, 4))
	require.NoError(t, kir.Verify(g))
	text := g.String()
	require.Equal(t, 1, strings.Count(text, "branch any "), text)
	before, behind, _ := strings.Cut(text, "branch any ")
	require.Equal(t, 0, strings.Count(before, "= div"), text)
	require.Equal(t, 3, strings.Count(behind, "= div"), text)
	again, err := kir.Parse(text)
	require.NoError(t, err)
	require.Equal(t, text, again.String())
	require.NotContains(t, opt.OptimizeForCPU(rare(t, 1)).String(), "any ", "one comparison holds for half of all threads")
	require.NotContains(t, opt.Optimize(rare(t, 4)).String(), "any ", "others branch by themselves")

	p, err := cpu.Compile(g)
	require.NoError(t, err)
	const n = 1024
	for _, hits := range []func(i int) bool{
		func(int) bool { return false }, func(i int) bool { return i == n-1 }, func(i int) bool { return i%3 == 0 }, func(int) bool { return true },
	} {
		x, y, want := make([]float32, n), make([]float32, n), make([]float32, n)
		for i := range n {
			x[i], y[i] = float32(i+1)/(4*n), 0.125
			if !hits(i) {
				x[i], y[i] = [...]float32{-1, 0, 3}[i%3], [...]float32{0, 2, -1}[i/3%3]
			}
			want[i] = 2 + y[i]
			q := float32(float32(x[i]/y[i])*y[i])/x[i] + (x[i]+y[i])/y[i]
			if x[i] > 0 && y[i] > 0 && x[i]+y[i] < 1 && q < 4 {
				want[i] = 2 + q
			}
		}
		m := cpu.NewMemory()
		var params []byte
		out := make([]byte, 4*n)
		for k, data := range [][]byte{out, testkernels.FloatBytes(x), testkernels.FloatBytes(y)} {
			at := uint64(k+1) << 32
			params = binary.LittleEndian.AppendUint64(params, at)
			m.Map(at, data)
		}
		_, err := p.Run(context.Background(), cpu.Launch{Grid: kir.D1(n / 256), Block: kir.D1(256), Params: params, Memory: m, Workers: 1})
		require.NoError(t, err)
		require.Equal(t, testkernels.FloatBytes(want), out)
	}
}

// What a selection takes where the condition does not hold is needed around the branch, also where it alone uses it.
func TestWhatIsSelectedElseIsNotGuarded(t *testing.T) {
	b := kir.NewBuilder("k")
	out, i := b.Param("out", kir.U64), b.GlobalIDX()
	x := b.Load(kir.Global, kir.F32, b.Index(b.Param("x", kir.U64), i, kir.F32))
	f := func(c float64) *kir.Value { return b.Const(kir.F32, c) }
	hit := b.Op(kir.OpAnd, b.Op(kir.OpGt, x, f(0)), b.Op(kir.OpLt, x, f(1)))
	then := b.Op(kir.OpDiv, f(3), b.Op(kir.OpDiv, b.Op(kir.OpDiv, f(5), x), x))
	r := b.Op(kir.OpSelect, hit, then, b.Op(kir.OpDiv, b.Op(kir.OpAdd, x, f(2)), f(7)))
	b.Store(kir.Global, b.Index(out, i, kir.F32), r)
	b.Return()
	g := opt.OptimizeForCPU(testkernels.MustFunc(t, b))
	require.NoError(t, kir.Verify(g), g.String())
	before, _, guarded := strings.Cut(g.String(), "branch any ")
	require.True(t, guarded, g.String())
	require.Equal(t, 1, strings.Count(before, "= div"), g.String())

	p, err := cpu.Compile(g)
	require.NoError(t, err)
	const n = 512
	xs, want, got := make([]float32, n), make([]float32, n), make([]byte, 4*n)
	for i := range n {
		xs[i] = float32(i%7-3) / 4
		if want[i] = (xs[i] + 2) / 7; xs[i] > 0 && xs[i] < 1 {
			want[i] = 3 / (5 / xs[i] / xs[i])
		}
	}
	m := cpu.NewMemory()
	m.Map(1<<32, got)
	m.Map(2<<32, testkernels.FloatBytes(xs))
	params := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, 1<<32), 2<<32)
	_, err = p.Run(context.Background(), cpu.Launch{Grid: kir.D1(n / 256), Block: kir.D1(256), Params: params, Memory: m, Workers: 1})
	require.NoError(t, err)
	require.Equal(t, testkernels.FloatBytes(want), got)
}
