package cpu

import (
	"context"
	"fmt"
	"testing"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/internal/testkernels"
	"github.com/stretchr/testify/require"
)

// rowsKernel adds to each element of out, which has rows of some columns, the element of in at its row and column, of
// rows that are further apart. With first, it adds 1 to the element before it divides.
func rowsKernel(t *testing.T, columns, apart int64, first bool) *kir.Func {
	b := kir.NewBuilder("rows")
	in, out, n := b.Param("in", kir.U64), b.Param("out", kir.U64), b.Param("n", kir.I64)
	load := func(at *kir.Value) *kir.Value { return b.Load(kir.Global, kir.F64, at) }
	body, end := b.NewBlock("body"), b.NewBlock("end")
	i := b.GlobalIDX()
	b.Branch(b.Op(kir.OpLt, i, n), body, end)
	b.SetBlock(body)
	to := b.Index(out, i, kir.F64)
	if first {
		b.Store(kir.Global, to, b.Op(kir.OpAdd, load(to), b.Const(kir.F64, 1)))
	}
	at, length := b.Convert(kir.U32, i), b.Int(kir.U32, columns)
	row, column := b.Convert(kir.I64, b.Op(kir.OpDiv, at, length)), b.Convert(kir.I64, b.Op(kir.OpRem, at, length))
	from := b.Index(in, b.Op(kir.OpAdd, b.Op(kir.OpMul, row, b.Int(kir.I64, apart)), column), kir.F64)
	b.Store(kir.Global, to, b.Op(kir.OpAdd, load(to), load(from)))
	b.Jump(end)
	b.SetBlock(end)
	b.Return()
	f, err := b.Func()
	require.NoError(t, err)
	return f
}

// TestRowsThatEndAmongBlocks: wherever rows end, each thread adds once, also what it had added before the division, and
// is counted once.
func TestRowsThatEndAmongBlocks(t *testing.T) {
	for _, first := range []bool{false, true} {
		for _, columns := range []int{1, 7, 255, 256, 512, 513, 1000, 3160, 40_000} {
			t.Run(fmt.Sprintf("%d columns, %v", columns, first), func(t *testing.T) {
				const n = 10_001
				apart := columns + 3
				in, out := make([]float64, (n/columns+1)*apart), make([]float64, n)
				for i := range in {
					in[i] = float64(i)
				}
				p, err := Compile(rowsKernel(t, int64(columns), int64(apart), first))
				require.NoError(t, err)
				m := NewMemory()
				m.Map(1<<32, testkernels.FloatBytes(in))
				m.Map(1<<33, testkernels.FloatBytes(out))
				l := Launch{Grid: kir.D1((n + 255) / 256), Block: kir.D1(256), Memory: m, Params: testkernels.PackParams(1<<32, 1<<33, n)}
				counts, err := p.Run(context.Background(), l)
				require.NoError(t, err)
				for i, x := range out {
					want := in[i/columns*apart+i%columns]
					if first {
						want++
					}
					require.Equal(t, want, x, "element %d", i)
				}
				for k := range l.Grid.X {
					l.Order = append(l.Order, k)
				}
				one, err := p.Run(context.Background(), l)
				require.NoError(t, err)
				require.Equal(t, one.ThreadInstructions, counts.ThreadInstructions)
			})
		}
	}
}

// TestRowsThatEndBehindABranch: where some threads add and others divide, each adds once, whether those that add go on
// or have returned before the others divide.
func TestRowsThatEndBehindABranch(t *testing.T) {
	for _, returns := range []bool{false, true} {
		b := kir.NewBuilder("parted")
		out, i := b.Param("out", kir.U64), b.GlobalIDX()
		to := b.Index(out, i, kir.F64)
		add := func(x *kir.Value) { b.Store(kir.Global, to, b.Op(kir.OpAdd, b.Load(kir.Global, kir.F64, to), x)) }
		one, row, end := b.NewBlock("one"), b.NewBlock("row"), b.NewBlock("end")
		b.Branch(b.Op(kir.OpEq, b.Op(kir.OpRem, i, b.Int(kir.I64, 3)), b.Int(kir.I64, 0)), one, row)
		b.SetBlock(one)
		add(b.Const(kir.F64, 1))
		if returns {
			b.Return()
		} else {
			b.Jump(end)
		}
		b.SetBlock(row)
		add(b.Convert(kir.F64, b.Op(kir.OpDiv, i, b.Int(kir.I64, 1000))))
		b.Jump(end)
		b.SetBlock(end)
		b.Return()
		p, err := Compile(testkernels.MustFunc(t, b))
		require.NoError(t, err)
		const n = 1 << 13
		sums := make([]float64, n)
		m := NewMemory()
		m.Map(1<<32, testkernels.FloatBytes(sums))
		_, err = p.Run(context.Background(), Launch{Grid: kir.D1(n / 256), Block: kir.D1(256), Memory: m, Params: testkernels.PackParams(1 << 32)})
		require.NoError(t, err)
		for i, x := range sums {
			want := float64(i / 1000)
			if i%3 == 0 {
				want = 1
			}
			require.Equal(t, want, x, "element %d, %v", i, returns)
		}
	}
}
