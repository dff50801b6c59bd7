package random

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/arrayrepl/arrayrepl/kir"
)

// Kernel is a kernel and what to launch it with. Its first two parameters are the addresses of its input and of its
// output.
type Kernel struct {
	Seed        uint64
	Func        *kir.Func
	Grid, Block kir.Dim3
	Params      []byte
	Input       []byte
	Types       []kir.Type // of the elements of 8 bytes that a thread writes; the output has them for each thread
	Shared      int        // bytes of the output behind those, which threads change by atomics
}

// InBase and OutBase are the addresses in Params as New makes them.
const (
	InBase  = 0x10000
	OutBase = 0x7f0000001000
)

const (
	inputLen = 64 // elements, of up to 8 bytes
	cells    = 16 // of 8 bytes, that all threads change by atomics
)

// At returns Params with the input and the output at other addresses.
func (k *Kernel) At(in, out uint64) []byte {
	p := append([]byte(nil), k.Params...)
	binary.LittleEndian.PutUint64(p, in)
	binary.LittleEndian.PutUint64(p[8:], out)
	return p
}

// Output returns a buffer for the output, zeroed.
func (k *Kernel) Output() []byte {
	return make([]byte, k.Grid.Count()*k.Block.Count()*len(k.Types)*8+k.Shared)
}

// Same reports whether two outputs are equal: bit by bit, but for the sign and payload of NaNs, which IEEE 754 leaves
// open.
func (k *Kernel) Same(a, b []byte) bool {
	for i := 0; i < len(a); i += 8 {
		x, y := binary.LittleEndian.Uint64(a[i:]), binary.LittleEndian.Uint64(b[i:])
		if x == y {
			continue
		}
		t := kir.U64
		if i < len(a)-k.Shared {
			t = k.Types[i/8%len(k.Types)]
		}
		nan64 := t == kir.F64 && math.IsNaN(math.Float64frombits(x)) && math.IsNaN(math.Float64frombits(y))
		nan32 := t == kir.F32 && x>>32 == y>>32 && isNaN32(uint32(x)) && isNaN32(uint32(y))
		if !nan64 && !nan32 {
			return false
		}
	}
	return true
}

func isNaN32(x uint32) bool { f := math.Float32frombits(x); return f != f }

// New returns the kernel of a seed: the same one each time.
func New(seed uint64, has Features) *Kernel {
	r := rand.New(rand.NewPCG(seed, 1))
	g := &generator{r: r, b: kir.NewBuilder(fmt.Sprintf("random%d", seed)), has: has, uniform: true}
	k := &Kernel{Seed: seed}
	k.Block = []kir.Dim3{{X: 1, Y: 1, Z: 1}, {X: 33, Y: 1, Z: 1}, {X: 64, Y: 1, Z: 1}, {X: 8, Y: 4, Z: 1}, {X: 5, Y: 3, Z: 2}, {X: 40, Y: 1, Z: 1}, {X: 16, Y: 2, Z: 1}}[r.IntN(7)]
	k.Grid = []kir.Dim3{{X: 1, Y: 1, Z: 1}, {X: 3, Y: 1, Z: 1}, {X: 2, Y: 2, Z: 1}}[r.IntN(3)]
	k.Input = input(r)
	g.lanes = k.Block.Count()
	b := g.b
	g.in = b.Param("in", kir.U64)
	out := b.Param("out", kir.U64)
	k.Params = binary.LittleEndian.AppendUint64(k.Params, InBase)
	k.Params = binary.LittleEndian.AppendUint64(k.Params, OutBase)
	g.add(b.Param("n", kir.I64), b.Param("x", kir.F32), b.Param("m", kir.I32), b.Param("flag", kir.Bool))
	k.Params = binary.LittleEndian.AppendUint64(k.Params, uint64(r.IntN(80)))
	k.Params = binary.LittleEndian.AppendUint32(k.Params, math.Float32bits(float32(r.NormFloat64())))
	k.Params = binary.LittleEndian.AppendUint32(k.Params, uint32(r.IntN(1000)-500))
	k.Params = append(k.Params, byte(r.IntN(2)))
	g.shared = b.SharedArray("tile", kir.U64, g.lanes)

	wide := func(s kir.Special) *kir.Value { return b.Convert(kir.I64, b.Special(s)) }
	y := b.Op(kir.OpAdd, wide(kir.TidY), b.Op(kir.OpMul, wide(kir.TidZ), wide(kir.NTidY)))
	g.lane = b.Op(kir.OpAdd, wide(kir.TidX), b.Op(kir.OpMul, y, wide(kir.NTidX)))
	cta := b.Op(kir.OpAdd, wide(kir.CtaidX), b.Op(kir.OpMul, wide(kir.CtaidY), wide(kir.NCtaidX)))
	gid := b.Op(kir.OpAdd, b.Op(kir.OpMul, cta, b.Int(kir.I64, int64(g.lanes))), g.lane)
	g.add(g.lane, cta, gid, b.Special(kir.TidX), b.Special(kir.CtaidX))
	for _, t := range g.types() {
		g.add(g.constant(t))
	}
	// Each thread's elements, then the cells of the atomics.
	const outputs = 4
	threads := k.Grid.Count() * k.Block.Count()
	g.cells = b.Op(kir.OpAdd, out, b.Int(kir.U64, int64(threads*outputs*8)))
	k.Shared = cells * 8
	g.own = b.Index(out, b.Op(kir.OpMul, gid, b.Int(kir.I64, outputs)), kir.I64)
	g.local()
	g.statements(8 + r.IntN(20))
	for i := range outputs {
		v := g.vals[len(g.vals)-1-g.r.IntN(min(8, len(g.vals)))]
		if v.Type != kir.F64 && v.Type != kir.F32 { // narrow ones as the widest type too, so that every write is known
			v = b.Convert(kir.I64, v)
		}
		k.Types = append(k.Types, v.Type)
		b.Store(kir.Global, b.Op(kir.OpAdd, g.own, b.Int(kir.U64, int64(8*i))), v)
	}
	b.Return()
	f, err := b.Func()
	if err != nil {
		panic(fmt.Sprintf("seed %d: %v", seed, err))
	}
	k.Func = f
	return k
}

// input returns numbers of every kind, at every alignment.
func input(r *rand.Rand) []byte {
	b := make([]byte, inputLen*8)
	for i := range b {
		b[i] = byte(r.Uint32())
		if r.IntN(3) == 0 {
			b[i] = 0
		}
	}
	for i := 0; i < len(b); i += 8 {
		switch r.IntN(6) {
		case 0:
			binary.LittleEndian.PutUint64(b[i:], math.Float64bits(floats[r.IntN(len(floats))]))
		case 1:
			binary.LittleEndian.PutUint32(b[i:], math.Float32bits(float32(floats[r.IntN(len(floats))])))
			binary.LittleEndian.PutUint32(b[i+4:], math.Float32bits(float32(r.NormFloat64())))
		case 2:
			binary.LittleEndian.PutUint64(b[i:], integers[r.IntN(len(integers))])
		case 3:
			binary.LittleEndian.PutUint64(b[i:], uint64(r.IntN(20)))
		}
	}
	return b
}
