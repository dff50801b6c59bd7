package cpu

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/mmap"
	"github.com/arrayrepl/arrayrepl/internal/vector"
	"github.com/arrayrepl/arrayrepl/kir"
)

func hasTapes() bool { return vector.TapeCode("next") != 0 }

// TestTapesEqualPlainGo compares every operation of tapes with the plain Go of the same, on edge values and others.
func TestTapesEqualPlainGo(t *testing.T) {
	if !hasTapes() {
		t.Skip("this processor has no tapes")
	}
	r := rand.New(rand.NewPCG(5, 6))
	const n = 8 * vector.TapeLanes
	tried := 0
	for op := range kir.NumOps {
		for typ := range kir.NumTypes {
			for to := range kir.NumTypes {
				v := &kir.Value{Op: op, Type: typ}
				types := []kir.Type{typ, typ, typ}
				switch {
				case op == kir.OpConvert:
					v.Type = to
				case to > 0:
					continue
				case op == kir.OpSelect:
					types[0] = kir.Bool
				case op == kir.OpShl || op == kir.OpShr:
					types[1] = kir.U32
				case op.IsCompare():
					v.Type = kir.Bool
				}
				for _, x := range types[:max(0, op.NArgs())] {
					v.Args = append(v.Args, &kir.Value{Type: x})
				}
				code := tapeCode(v)
				if code == 0 {
					continue
				}
				tried++
				var in [3][]uint64
				for i := range v.Args {
					in[i] = make([]uint64, n)
					edges := operands(types[i])
					for k := range n {
						x := kir.Canonical(types[i], r.Uint64())
						if r.IntN(3) > 0 {
							x = edges[r.IntN(len(edges))]
						}
						if v.Op == kir.OpShl || v.Op == kir.OpShr {
							if i == 1 && r.IntN(2) == 0 {
								x %= 70
							}
						}
						setLane(in[i], types[i].Bytes(), k, x)
					}
				}
				got, want := make([]uint64, n), make([]uint64, n)
				tape := vector.Tape{Ops: []vector.TapeOp{
					{Code: vector.TapeCode("rounds")}, {Code: code, At: [8]uint16{0, 8, 16, 24}}, {Code: vector.TapeCode("next")},
				}, Places: make([]uintptr, 8), Steps: make([]uintptr, 8)}
				pointers := []unsafe.Pointer{unsafe.Pointer(&got[0])}
				sizes := []int{v.Type.Bytes()}
				for i := range v.Args {
					pointers, sizes = append(pointers, unsafe.Pointer(&in[i][0])), append(sizes, types[i].Bytes())
				}
				for i, p := range pointers {
					tape.Places[i], tape.Steps[i] = uintptr(p), uintptr(sizes[i]*vector.TapeLanes)
				}
				tape.Run(n / vector.TapeLanes)
				p := func(i int) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(in[i])) }
				vectorOf(v)(n, unsafe.Pointer(&want[0]), p(0), p(1), p(2))
				for k := range n {
					g, w := lane(got, v.Type.Bytes(), k), lane(want, v.Type.Bytes(), k)
					nan := v.Type.IsFloat() && kir.FloatOf(v.Type, g) != kir.FloatOf(v.Type, g) && kir.FloatOf(v.Type, w) != kir.FloatOf(v.Type, w)
					if g != w && !nan {
						x, y, z := lane(in[0], types[0].Bytes(), k), uint64(0), uint64(0)
						if len(v.Args) > 1 {
							y = lane(in[1], types[1].Bytes(), k)
						}
						if len(v.Args) > 2 {
							z = lane(in[2], types[2].Bytes(), k)
						}
						t.Fatalf("%v %v %v of %#x, %#x, %#x: %#x, want %#x", op, typ, v.Type, x, y, z, g, w)
					}
				}
			}
		}
	}
	assert.Greater(t, tried, 100)
}

// chainKernel is a kernel of random operations without branches, whose results all reach memory in a sum of bits.
func chainKernel(t *testing.T, r *rand.Rand) *kir.Func {
	b := kir.NewBuilder("chains")
	in, out := b.Param("in", kir.U64), b.Param("out", kir.U64)
	types := []kir.Type{kir.F32, kir.F32, kir.F32, kir.F64, kir.I32, kir.U32, kir.I64, kir.U64, kir.Bool}
	have := map[kir.Type][]*kir.Value{}
	keep := func(v *kir.Value) { have[v.Type] = append(have[v.Type], v) }
	i := b.Op(kir.OpAdd, b.Op(kir.OpMul, b.Special(kir.CtaidX), b.Special(kir.NTidX)), b.Special(kir.TidX))
	at := b.Convert(kir.I64, i)
	keep(i)
	keep(at)
	load := func() {
		typ := types[r.IntN(len(types)-1)]
		lane := at
		switch r.IntN(3) {
		case 0:
			lane = b.Int(kir.I64, int64(r.IntN(50))) // the same for all threads
		case 1:
			lane = b.Op(kir.OpAnd, b.Op(kir.OpMul, at, b.Int(kir.I64, 7)), b.Int(kir.I64, 63)) // by chance
		}
		offset := b.Int(kir.I64, int64(r.IntN(8)*8))
		keep(b.Load(kir.Global, typ, b.Op(kir.OpAdd, in, b.Convert(kir.U64, b.Op(kir.OpAdd, b.Op(kir.OpMul, lane, b.Int(kir.I64, 8)), offset)))))
	}
	pick := func(typ kir.Type) *kir.Value {
		if l := have[typ]; len(l) > 0 && r.IntN(12) > 0 {
			if k := len(l) - 1 - r.IntN(min(len(l), 4)); r.IntN(4) > 0 {
				return l[k]
			}
			return l[r.IntN(len(l))]
		}
		if typ == kir.Bool {
			return b.Int(kir.Bool, int64(r.IntN(2)))
		}
		return b.Convert(typ, b.Int(kir.I32, int64(r.IntN(9)-4)))
	}
	for range 3 {
		load()
	}
	var done []*kir.Value
	for range 20 + r.IntN(50) {
		typ := types[r.IntN(len(types)-1)]
		switch r.IntN(12) {
		case 0:
			load()
		case 1:
			keep(b.Op(kir.OpSelect, pick(kir.Bool), pick(typ), pick(typ)))
		case 2:
			keep(b.Op([]kir.Op{kir.OpEq, kir.OpNe, kir.OpLt, kir.OpLe, kir.OpGt, kir.OpGe}[r.IntN(6)], pick(typ), pick(typ)))
		case 3:
			keep(b.Op([]kir.Op{kir.OpAnd, kir.OpOr, kir.OpXor}[r.IntN(3)], pick(kir.Bool), pick(kir.Bool)))
		case 4:
			from := types[r.IntN(len(types)-1)]
			keep(b.Convert(typ, pick(from)))
		case 5:
			if typ.IsFloat() {
				keep(b.Op([]kir.Op{kir.OpNeg, kir.OpAbs, kir.OpSqrt}[r.IntN(3)], pick(typ)))
			} else {
				keep(b.Op([]kir.Op{kir.OpShl, kir.OpShr}[r.IntN(2)], pick(typ), pick(kir.U32)))
			}
		case 6:
			keep(b.Op([]kir.Op{kir.OpMin, kir.OpMax}[r.IntN(2)], pick(typ), pick(typ)))
		case 7: // memory changes between loads and what is computed
			v := pick(typ)
			b.Store(kir.Global, b.Op(kir.OpAdd, out, b.Convert(kir.U64, b.Op(kir.OpMul, at, b.Int(kir.I64, 8)))), v)
		case 8:
			if typ.IsFloat() {
				keep(b.Op(kir.OpDiv, pick(typ), pick(typ)))
			}
		default:
			keep(b.Op([]kir.Op{kir.OpAdd, kir.OpSub, kir.OpMul}[r.IntN(3)], pick(typ), pick(typ)))
		}
		l := have[typ]
		if len(l) > 0 && r.IntN(3) == 0 {
			done = append(done, l[len(l)-1])
		}
	}
	for k, v := range done {
		place := b.Op(kir.OpAdd, out, b.Convert(kir.U64, b.Op(kir.OpAdd, b.Op(kir.OpMul, at, b.Int(kir.I64, 8)), b.Int(kir.I64, int64(8*4096*(k+1))))))
		b.Store(kir.Global, place, v)
	}
	b.Return()
	f, err := b.Func()
	require.NoError(t, err)
	return f
}

// TestChainsOfRandomKernels: a kernel does the same whether tapes compute its chains or one loop for each operation,
// for threads that fill rounds and those that do not.
func TestChainsOfRandomKernels(t *testing.T) {
	if !hasTapes() {
		t.Skip("this processor has no tapes")
	}
	kernels := 60
	if testing.Short() {
		kernels = 25
	}
	with := 0
	for seed := range uint64(kernels) {
		r := rand.New(rand.NewPCG(seed, 36))
		f := chainKernel(t, r)
		words := make([]uint64, 5000)
		for i := range words {
			words[i] = r.Uint64()
			if r.IntN(2) == 0 { // two float32 near 1
				words[i] = words[i]&^(0xff<<55|0xff<<23) | 0x7f<<55 | 0x7f<<23
			}
		}
		threads := []int{128, 200, 256, 1000, 1024}[r.IntN(5)]
		grid := 1 + r.IntN(3)
		run := func(chains bool) []byte {
			p, err := Compile(f)
			require.NoError(t, err)
			for i := range p.code {
				for k := range p.code[i].instrs {
					if in := &p.code[i].instrs[k]; !chains {
						in.chain = nil
					} else if in.chain != nil {
						with++
					}
				}
			}
			out := make([]byte, 8*4096*80)
			m := NewMemory()
			m.Map(1<<20, lanes[byte](unsafe.Pointer(&words[0]), 8*len(words)))
			m.Map(1<<30, out)
			params := append(le(1<<20), le(1<<30)...)
			_, err = p.Run(context.Background(), Launch{Grid: kir.D1(grid), Block: kir.D1(threads), Params: params, Memory: m, Workers: 1})
			require.NoError(t, err, "seed %d", seed)
			return out
		}
		got, want := run(true), run(false)
		if string(got) != string(want) {
			for i := range got {
				if got[i] != want[i] && !nanAt(got, want, i) {
					t.Fatalf("seed %d, %d blocks of %d threads: byte %d is %#x, want %#x\n%v", seed, grid, threads, i, got[i], want[i], f)
				}
			}
		}
	}
	assert.Greater(t, with, kernels)
}

func le(x uint64) (b []byte) {
	for i := range 8 {
		b = append(b, byte(x>>(8*i)))
	}
	return b
}

// nanAt reports whether NaNs stand around byte i of both, which may have other payloads.
func nanAt(a, b []byte, i int) bool {
	var nan [2]bool
	for k, x := range [][]byte{a, b} {
		w4 := *(*uint32)(unsafe.Pointer(&x[i&^3]))
		w8 := *(*uint64)(unsafe.Pointer(&x[i&^7]))
		f4, f8 := kir.FloatOf(kir.F32, uint64(w4)), kir.FloatOf(kir.F64, w8)
		nan[k] = f4 != f4 || f8 != f8
	}
	return nan[0] && nan[1]
}

// TestTapesOfACutFile: a tape that reads a mapped file, from which somebody has cut what is mapped, ends with an error,
// as any other access does, and the next launch is as before.
func TestTapesOfACutFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cut")
	const n = 1024
	require.NoError(t, os.WriteFile(path, make([]byte, 64*4*n), 0o600))
	file, b, err := mmap.Open(path)
	require.NoError(t, err)
	if b == nil {
		t.Skip("files are not mapped on this system")
	}
	defer file.Close()
	k := kir.NewBuilder("cut")
	in, out := k.Param("in", kir.U64), k.Param("out", kir.U64)
	at := k.Convert(kir.U64, k.Op(kir.OpMul, k.Special(kir.TidX), k.Int(kir.U32, 4)))
	x := k.Load(kir.Global, kir.F32, k.Op(kir.OpAdd, in, at))
	y := k.Op(kir.OpDiv, k.Op(kir.OpAdd, k.Op(kir.OpMul, x, x), k.Const(kir.F32, 3)), k.Const(kir.F32, 2))
	k.Store(kir.Global, k.Op(kir.OpAdd, out, at), y)
	k.Return()
	f, err := k.Func()
	require.NoError(t, err)
	p, err := Compile(f)
	require.NoError(t, err)
	result := make([]float32, n)
	m := NewMemory()
	m.MapReadOnly(1<<30, b)
	m.Map(1<<40, lanes[byte](unsafe.Pointer(&result[0]), 4*n))
	run := func(from uint64) error {
		l := Launch{Grid: kir.D1(1), Block: kir.D1(n), Params: append(le(from), le(1<<40)...), Memory: m}
		_, err := p.Run(context.Background(), l)
		return err
	}
	require.NoError(t, run(1<<30))
	require.EqualValues(t, 1.5, result[n-1])
	require.NoError(t, os.Truncate(path, 4*n))
	fault := new(mmap.Fault)
	require.ErrorAs(t, run(1<<30+32*4*n), &fault)
	result[n-1] = 0
	require.NoError(t, run(1<<30))
	require.EqualValues(t, 1.5, result[n-1])
}
