package scan

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/check"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
	"github.com/arrayrepl/arrayrepl/kir/opt"
)

// run scans by the kernels of s, blocks in an order of their own, as a device would, and returns the arrays written.
func run(t *testing.T, s Spec, lines, length, inner int, in ...[]byte) [][]byte {
	t.Helper()
	s.Aligned = true
	p, err := s.Plan(lines, length, inner, Make)
	require.NoError(t, err)
	return execute(t, p, s, lines*length, in...)
}

// compiled are the kernels that tests have run, of which many are the same.
var compiled = map[[32]byte]*cpu.Program{}

func execute(t *testing.T, p Plan, s Spec, n int, in ...[]byte) [][]byte {
	t.Helper()
	m := cpu.NewMemory()
	at, next := map[Arg]uint64{}, uint64(1)<<32
	give := func(a Arg, b []byte) {
		at[a] = next
		m.Map(next, b)
		next += 1 << 32
	}
	for i, b := range in {
		give(Arg{Kind: In, N: i}, b)
	}
	out := make([][]byte, len(s.Out))
	for i, typ := range s.Out {
		out[i] = make([]byte, n*typ.Bytes())
		give(Arg{Kind: Out, N: i}, out[i])
	}
	for i, bytes := range p.Scratch {
		give(Arg{Kind: Scratch, N: i}, make([]byte, bytes))
	}
	for _, l := range p.Launches {
		var params []byte
		for _, a := range l.Args {
			word := at[Arg{Kind: a.Kind, N: a.N}] + uint64(a.Byte)
			if a.Kind == Number {
				word = uint64(a.N)
			}
			params = binary.LittleEndian.AppendUint64(params, word)
		}
		prog := compiled[l.Hash]
		if prog == nil {
			var err error
			prog, err = cpu.Compile(opt.Optimize(l.Func))
			require.NoError(t, err)
			compiled[l.Hash] = prog
		}
		launch := cpu.Launch{Grid: l.Grid, Block: l.Block, Params: params, Memory: m, Order: rand.Perm(l.Grid.Count())}
		if l.Grid.Count() <= 4 {
			found, err := check.Run(context.Background(), prog, launch, check.Options{})
			require.NoError(t, err)
			require.Empty(t, found, "%s", l.Func.Name)
		}
		_, err := prog.Run(context.Background(), launch)
		require.NoError(t, err)
	}
	return out
}

func bytesOf[T any](xs []T) []byte {
	b, err := binary.Append(nil, binary.LittleEndian, xs)
	if err != nil {
		panic(err)
	}
	return b
}

func valuesOf[T any](b []byte) []T {
	var x T
	out := make([]T, len(b)/binary.Size(x))
	if _, err := binary.Decode(b, binary.LittleEndian, out); err != nil {
		panic(err)
	}
	return out
}

var (
	small = Form{Threads: 64, Each: 4, Shuffles: true, Exchange: true}
	forms = []Form{Default, small, {Threads: 32, Each: 1, Shuffles: true}, {Threads: 128, Each: 3}, {Threads: 64, Each: 8, Exchange: true}, {Threads: 64, Each: 16, Exchange: true, Vectors: 16}, {Threads: 32, Each: 2, Exchange: true, Vectors: 8}, {Threads: 64, Each: 8, Exchange: true, Vectors: 4}, {Threads: 96, Each: 1},
		{Threads: 64, Each: 1, Method: Simple}, {Threads: 32, Each: 4, Exchange: true, Method: Simple}, {Threads: 128, Each: 1, Method: Downsweep}, {Threads: 64, Each: 2, Method: Downsweep, Pad: true}}
	length = []int{1, 2, 31, 32, 33, 255, 256, 257, 1025, 2048, 2049, 9001}
)

func (f Form) String() string {
	return fmt.Sprintf("%v,%dx%d,shuffles=%v,exchange=%v,vectors=%v,pad=%v", f.Method, f.Threads, f.Each, f.Shuffles, f.Exchange, f.Vectors, f.Pad)
}

// Integers wrap, so that any order gives what a loop gives.
func TestSumsOfIntegers(t *testing.T) {
	for i, f := range forms {
		for k, n := range length {
			if !testsize.Part(i+k, 3) {
				continue
			}
			t.Run(fmt.Sprintf("%v/%d", f, n), func(t *testing.T) {
				lines := 1 + 4/n
				x := make([]int32, lines*n)
				for i := range x {
					x[i] = rand.Int32()
				}
				want, before := make([]int32, len(x)), make([]int32, len(x))
				for i, v := range x {
					want[i] = v
					if i%n > 0 {
						want[i], before[i] = v+want[i-1], want[i-1]
					}
				}
				s := Spec{Name: "sums", Op: Binary(kir.OpAdd, kir.I32), Form: f, In: []kir.Type{kir.I32}, Out: []kir.Type{kir.I32}}
				require.Equal(t, want, valuesOf[int32](run(t, s, lines, n, 1, bytesOf(x))[0]))
				s.Exclusive = true
				require.Equal(t, before, valuesOf[int32](run(t, s, lines, n, 1, bytesOf(x))[0]))
			})
		}
	}
}

// Sums of float32 in float64 have the bits of Line, whatever the lanes exchange numbers by.
func TestSumsOfFloatsHaveTheOrderOfLine(t *testing.T) {
	testsize.InTurn(t, 2)
	for _, f := range forms {
		if f.Method != WarpWise {
			continue
		}
		for _, n := range []int{5, 2100, 9001} {
			x, wide := make([]float32, n), make([]float64, n)
			for i := range x {
				x[i] = float32(rand.NormFloat64() * math.Exp(20*rand.Float64()))
				wide[i] = float64(x[i])
			}
			want := make([]float64, n)
			Line(f, want, wide, func(x, y float64) float64 { return x + y })
			s := Spec{Name: "sums", Op: Binary(kir.OpAdd, kir.F64), In: []kir.Type{kir.F32}, Out: []kir.Type{kir.F64}}
			for _, s.Form.Exchange = range []bool{false, true} {
				for _, s.Form.Shuffles = range []bool{false, true} {
					s.Form.Threads, s.Form.Each = f.Threads, f.Each
					require.Equal(t, bytesOf(want), run(t, s, 1, n, 1, bytesOf(x))[0], "%v, %d elements", s.Form, n)
				}
			}
		}
	}
}

// Floats is Line for the two operators that it has loops for.
func TestFloatsAreLine(t *testing.T) {
	for _, n := range append(length, 300_000) {
		x := make([]float64, n)
		for i := range x {
			x[i] = 1 + rand.NormFloat64()/16
		}
		x[0] = math.Copysign(0, -1) // which a sum that began with 0 would lose
		for _, product := range []bool{false, true} {
			op := func(x, y float64) float64 { return x + y }
			if product {
				op = func(x, y float64) float64 { return x * y }
			}
			want, got := make([]float64, n), make([]float64, n)
			Line(Default, want, x, op)
			f := Floats{Product: product, Do: func(tasks int, task func(i int)) {
				for _, i := range rand.Perm(tasks) {
					task(i)
				}
			}}
			FloatLine[float64](f, got, x)
			require.Equal(t, bytesOf(want), bytesOf(got), "%d, product %v", n, product)
		}
	}
}

// Segments combined whole are what Line has at their ends, of flags with numbers by the operator of segments.
func TestSegmentEndsAreLine(t *testing.T) {
	type one struct {
		head bool
		x    float64
	}
	for _, longest := range []int{1, 9, 100, 3000, 20_000, 1 << 20} {
		n := min(4*longest+30_000, 600_000)
		x, pairs := make([]float64, n), make([]one, n)
		for i := range x {
			x[i] = 1 + rand.NormFloat64()/16
			pairs[i].x = x[i]
		}
		var ends []int64
		for lo := 0; lo < n; {
			hi := min(lo+1+rand.IntN(longest), n)
			if longest == 1<<20 && lo == 0 {
				hi = n - 1 // one that all processors share
			}
			pairs[lo].head = true
			if rand.IntN(3) == 0 {
				x[lo] = math.Copysign(0, -1)
				pairs[lo].x = x[lo]
			}
			ends, lo = append(ends, int64(hi-1)), hi
		}
		for _, product := range []bool{false, true} {
			want := make([]one, n)
			Line(Default, want, pairs, func(a, b one) one {
				switch {
				case b.head:
					return b
				case product:
					return one{a.head, a.x * b.x}
				}
				return one{a.head, a.x + b.x}
			})
			got := make([]float64, len(ends))
			f := Floats{Product: product, Do: func(tasks int, task func(i int)) {
				for _, i := range rand.Perm(tasks) {
					task(i)
				}
			}}
			SegmentEnds(f, got, x, ends)
			whole := make([]float64, len(ends))
			for k, end := range ends {
				whole[k] = want[end].x
			}
			require.Equal(t, bytesOf(whole), bytesOf(got), "segments of up to %d, product %v", longest, product)
		}
	}
}

// Lines along an axis that others lie behind, by tiles and by a thread each.
func TestLinesAlongAnAxis(t *testing.T) {
	for _, shape := range [][3]int{{1, 300, 7}, {3, 33, 2}, {2, 600, 3}, {5, 1, 4}} {
		outer, n, inner := shape[0], shape[1], shape[2]
		x := make([]uint16, outer*n*inner)
		for i := range x {
			x[i] = uint16(rand.Uint32())
		}
		want := make([]uint64, len(x))
		for i := range x {
			if want[i] = uint64(x[i]); i/inner%n > 0 {
				want[i] = max(want[i], want[i-inner])
			}
		}
		s := Spec{Name: "maxima", Op: Binary(kir.OpMax, kir.U64), Form: small, In: []kir.Type{kir.U16}, Out: []kir.Type{kir.U64}}
		require.Equal(t, want, valuesOf[uint64](run(t, s, outer*inner, n, inner, bytesOf(x))[0]), "%v", shape)
		p, err := s.Serially(outer*inner, n, inner, Make)
		require.NoError(t, err)
		require.Equal(t, want, valuesOf[uint64](execute(t, p, s, len(x), bytesOf(x))[0]), "%v", shape)
	}
}

// affine is x → a·x + b, of which a scan is the values of a recurrence. The operator does not commute.
func affine() Op {
	return Op{Name: "affine", State: []kir.Type{kir.I32, kir.I32}, Identity: []uint64{1, 0}, Combine: func(b *kir.Builder, x, y []*kir.Value) []*kir.Value {
		return []*kir.Value{b.Op(kir.OpMul, x[0], y[0]), b.Op(kir.OpAdd, b.Op(kir.OpMul, x[1], y[0]), y[1])}
	}}
}

// Operands keep their order, and states may be several numbers.
func TestOperandsKeepTheirOrder(t *testing.T) {
	for _, f := range forms {
		for _, n := range []int{1, 40, 3000} {
			a, b := make([]int32, n), make([]int32, n)
			wantA, wantB := make([]int32, n), make([]int32, n)
			for i := range a {
				a[i], b[i] = rand.Int32(), rand.Int32()
				if wantA[i], wantB[i] = a[i], b[i]; i > 0 {
					wantA[i], wantB[i] = wantA[i-1]*a[i], wantB[i-1]*a[i]+b[i]
				}
			}
			s := Spec{Name: "recurrence", Op: affine(), Form: f, In: affine().State, Out: affine().State}
			got := run(t, s, 1, n, 1, bytesOf(a), bytesOf(b))
			require.Equal(t, wantA, valuesOf[int32](got[0]), "%v, %d", f, n)
			require.Equal(t, wantB, valuesOf[int32](got[1]), "%v, %d", f, n)
		}
	}
}

// Segments of any density, the first element a head or not.
func TestSegments(t *testing.T) {
	for i, f := range forms {
		for k, density := range []float64{0, 0.01, 0.5, 1} {
			for l, n := range []int{1, 33, 5000} {
				if !testsize.Part(i+k+l, 3) {
					continue
				}
				x, heads := make([]int32, n), make([]uint8, n)
				want, before := make([]int32, n), make([]int32, n)
				for i := range x {
					x[i] = rand.Int32()
					if rand.Float64() < density {
						heads[i] = 1
					}
					want[i] = x[i]
					if i > 0 && heads[i] == 0 {
						want[i], before[i] = want[i-1]+x[i], want[i-1]
					}
				}
				s := Spec{Name: "segments", Op: Segmented(Binary(kir.OpAdd, kir.I32)), Form: f, In: []kir.Type{kir.Bool, kir.I32}, Out: []kir.Type{kir.I32}}
				s.Lower = func(_ *kir.Builder, state, _ []*kir.Value) []*kir.Value { return state[1:] }
				require.Equal(t, want, valuesOf[int32](run(t, s, 1, n, 1, heads, bytesOf(x))[0]), "%v, %d, density %v", f, n, density)
				s.Exclusive = true
				s.Lower = func(b *kir.Builder, state, in []*kir.Value) []*kir.Value {
					return []*kir.Value{b.Op(kir.OpSelect, in[0], b.Int(kir.I32, 0), state[1])}
				}
				require.Equal(t, before, valuesOf[int32](run(t, s, 1, n, 1, heads, bytesOf(x))[0]), "%v, %d, density %v, exclusive", f, n, density)
			}
		}
	}
}

// What CPUs do in vectors has the bits of the other kernels, for operators that do not commute, by segments and
// exclusive, with a branch, and where adding floats in another order would show.
func TestVectors(t *testing.T) {
	testsize.InTurn(t, 0)
	same := func(s Spec, n int, in ...[]byte) {
		t.Helper()
		s.Form.Exchange = false
		p, err := s.Vectors(n, Make)
		require.NoError(t, err)
		require.Equal(t, n > s.Form.Tile(), len(p.Launches) > 3, "%d", n)
		require.Equal(t, run(t, s, 1, n, 1, in...), execute(t, p, s, n, in...), "%s of %d by %v, exclusive %v", s.Op.Name, n, s.Form, s.Exclusive)
	}
	most := Op{Name: "most", State: []kir.Type{kir.F64}, Identity: []uint64{0}, Combine: func(b *kir.Builder, x, y []*kir.Value) []*kir.Value {
		then, join := b.NewBlock("then"), b.NewBlock("join", kir.F64)
		b.BranchTo(b.Op(kir.OpLt, x[0], y[0]), kir.Edge{To: then}, kir.Edge{To: join, Args: x})
		b.SetBlock(then)
		b.Jump(join, y...)
		b.SetBlock(join)
		return join.Params
	}}
	for _, f := range []Form{small, {Threads: 96, Each: 3, Shuffles: true}, Default} {
		for _, n := range []int{f.Tile() - 1, 2 * f.Tile(), 5*f.Tile() + 1 + rand.IntN(f.Tile()-1)} {
			x, a, b, heads := make([]float64, n), make([]int32, n), make([]int32, n), make([]uint8, n)
			for i := range x {
				x[i], a[i], b[i] = rand.NormFloat64(), rand.Int32(), rand.Int32()
				if rand.IntN(99) == 0 {
					heads[i] = 1
				}
			}
			for _, exclusive := range []bool{false, true} {
				f64 := []kir.Type{kir.F64}
				same(Spec{Name: "sums", Op: Binary(kir.OpAdd, kir.F64), Form: f, In: f64, Out: f64, Exclusive: exclusive}, n, bytesOf(x))
				same(Spec{Name: "most", Op: most, Form: f, In: f64, Out: f64, Exclusive: exclusive}, n, bytesOf(x))
				same(Spec{Name: "recurrence", Op: affine(), Form: f, In: affine().State, Out: affine().State, Exclusive: exclusive}, n, bytesOf(a), bytesOf(b))
				s := Spec{Name: "segments", Op: Segmented(Binary(kir.OpAdd, kir.F64)), Form: f, In: []kir.Type{kir.Bool, kir.F64}, Out: f64, Exclusive: exclusive}
				s.Lower = func(_ *kir.Builder, state, _ []*kir.Value) []*kir.Value { return state[1:] }
				same(s, n, heads, bytesOf(x))
			}
		}
	}
	traps := Op{Name: "traps", State: []kir.Type{kir.I32}, Combine: func(b *kir.Builder, x, y []*kir.Value) []*kir.Value {
		b.Check(kir.CheckIndex, b.Op(kir.OpLt, x[0], y[0]), x[0], y[0], "")
		return x
	}}
	require.False(t, traps.speculates(), "it must not see what is not there")
}

// Elements that are kept go to the front, in their order.
func TestPacking(t *testing.T) {
	for _, f := range forms {
		for _, n := range []int{1, 33, 5000} {
			x, keep := make([]float64, n), make([]uint8, n)
			var want []float64
			for i := range x {
				x[i], keep[i] = rand.Float64(), uint8(rand.IntN(2))
				if keep[i] == 1 {
					want = append(want, x[i])
				}
			}
			s := Spec{Name: "pack", Op: Binary(kir.OpAdd, kir.I32), Form: f, In: []kir.Type{kir.Bool, kir.F64}, Out: []kir.Type{kir.F64}, Lifted: 1, Exclusive: true}
			s.Lower = func(_ *kir.Builder, _, in []*kir.Value) []*kir.Value { return in[1:] }
			s.Scatter = func(b *kir.Builder, state, in []*kir.Value) (to, ok *kir.Value) {
				return b.Convert(kir.I64, state[0]), in[0]
			}
			got := valuesOf[float64](run(t, s, 1, n, 1, keep, bytesOf(x))[0])
			require.Equal(t, bytesOf(want), bytesOf(got[:len(want)]), "%v, %d", f, n)
		}
	}
}

// The launches of the global scan: totals, the scan of those, and the elements (the figures are those of 256 and of
// 2,048 elements a block in Sengupta, Harris and Garland's form).
func TestLaunches(t *testing.T) {
	for _, c := range []struct{ n, each, want int }{{1 << 20, 1, 5}, {1 << 20, 8, 3}, {1 << 24, 8, 5}, {2048, 8, 1}, {2049, 8, 3}} {
		s := Spec{Name: "sums", Op: Binary(kir.OpAdd, kir.I32), Form: Form{Threads: 256, Each: c.each, Shuffles: true, Exchange: true}, In: []kir.Type{kir.I32}, Out: []kir.Type{kir.I32}}
		p, err := s.Plan(1, c.n, 1, Make)
		require.NoError(t, err)
		require.Len(t, p.Launches, c.want, "%d elements, %d a block", c.n, s.Form.Tile())
	}
}

func TestWhatCannotBeScanned(t *testing.T) {
	s := Spec{Name: "sums", Op: affine(), Form: Default, In: []kir.Type{kir.I32}, Out: []kir.Type{kir.I32}}
	_, err := s.Scan()
	require.ErrorContains(t, err, "reads 1 arrays and writes 1, its states have 2 numbers")
	s.In, s.Out, s.Op.Identity, s.Exclusive = s.Op.State, s.Op.State, nil, true
	_, err = s.Scan()
	require.ErrorContains(t, err, "begins with the operator's identity, which affine has not")
	s.Form.Threads, s.Exclusive = 48, false
	_, err = s.Scan()
	require.ErrorContains(t, err, "a multiple of 32")
	s.Form = Default
	_, err = s.Plan(1<<20, 1<<30, 1, Make)
	require.ErrorContains(t, err, "a grid has")
}

// The barriers of a block: two of the warp-wise scan, where the paper's listing, which keeps all in one array, has
// five; 2·log2(n) of the simple one.
func TestBarriers(t *testing.T) {
	for threads, simple := range map[int]int{64: 12, 128: 14, 256: 16, 512: 18, 1024: 20} {
		for m, want := range map[Method]int{WarpWise: 2, Simple: simple} {
			s := Spec{Name: "sums", Op: Binary(kir.OpAdd, kir.F32), Form: Form{Threads: threads, Each: 1, Method: m}, In: []kir.Type{kir.F32}, Out: []kir.Type{kir.F32}}
			f, err := s.Scan()
			require.NoError(t, err)
			got := 0
			for _, b := range f.Blocks {
				for _, v := range b.Values {
					if v.Op == kir.OpBarrier {
						got++
					}
				}
			}
			require.Equal(t, want, got, "%v, %d threads", m, threads)
		}
	}
}

// Between the launches of a segmented scan there is a total and one flag for each block but the last: 25 of the first
// level, and none of the second, which is one block.
func TestSegmentsHaveOneFlagForEachBlock(t *testing.T) {
	s := Spec{Name: "sums", Op: Segmented(Binary(kir.OpAdd, kir.F32)), In: []kir.Type{kir.Bool, kir.F32}, Out: []kir.Type{kir.F32}, Form: Default,
		Lower: func(_ *kir.Builder, state, _ []*kir.Value) []*kir.Value { return state[1:] }}
	p, err := s.Plan(1, 25*Default.Tile()+3, 1, Make)
	require.NoError(t, err)
	require.Equal(t, []int{25, 4 * 25, 25, 4 * 25}, p.Scratch, "flags and totals of blocks, and those that are scanned")
	require.Len(t, p.Launches, 3)
}
