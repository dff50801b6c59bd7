package simgpu

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/kir"
)

// A sweep counts every argument once, has the figures of its largest error, and draws them.
func TestSweep(t *testing.T) {
	s := SFU.Sweep("rsqrt")
	n, worst := 0, 0.0
	for _, c := range s.Errors {
		n += c
	}
	for _, e := range s.Worst {
		worst = max(worst, e)
	}
	assert.Equal(t, 1<<23, n)
	assert.Equal(t, 1<<23, s.Arguments)
	assert.InDelta(t, s.GoodBits, -math.Log2(worst), 1e-9)
	assert.GreaterOrEqual(t, s.GoodBits, 23.40) // [P]: table 1 of IEEE Micro 2008
	assert.True(t, s.Monotonic)
	assert.Len(t, s.At, len(s.Worst))
	text := s.String()
	assert.True(t, strings.HasPrefix(text, "rsqrt on [1, 4), 8388608 arguments: 23.8"), text)
	assert.Contains(t, text, "##########")
	assert.PanicsWithError(t, `simgpu.SFU.Sweep: a special function unit has no "tan": it has rcp, rsqrt, sqrt, exp2, log2, sin and cos`, func() { SFU.Sweep("tan") })
}

// B.2.3 of cuda-scan-brook.md [D]: four multiply-adds and a reciprocal root keep both units of g80 busy, so that a root
// takes no time of its own beside them: 16 clocks, 8 of the schedulers. Without the products it takes those.
func TestSpecialFunctionsBesideTheLanes(t *testing.T) {
	cycles := func(fmas, roots int) int64 {
		b := kir.NewBuilder("roots")
		in, out := b.Param("in", kir.U64), b.Param("out", kir.U64)
		tid := b.GlobalIDX()
		x := b.Load(kir.Global, kir.F32, b.Index(in, tid, kir.F32))
		y := x
		for range 32 {
			for range roots {
				x = b.Op(kir.OpApproxRsqrt, x)
			}
			for range fmas {
				y = b.Op(kir.OpFma, y, y, y)
			}
		}
		b.Store(kir.Global, b.Index(out, tid, kir.F32), b.Op(kir.OpAdd, x, y))
		b.Return()
		f := build(t, b)
		m := newBench(t, "g80", AsWritten(), Full())
		from, to := m.alloc(4*768), m.alloc(4*768)
		return m.launch(f, kir.D1(1), kir.D1(512), from, to).Stats.Cycles
	}
	const warps, rounds = 16, 32
	base := cycles(0, 0)
	roots, products, both := cycles(0, 1)-base, cycles(4, 0)-base, cycles(4, 1)-base
	require.InEpsilon(t, 8*warps*rounds, roots, 0.1)
	require.InEpsilon(t, 8*warps*rounds, products, 0.1)
	require.InEpsilon(t, 8*warps*rounds, both, 0.1)
}
