package simgpu

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
)

// transposes are kernels over an n x n matrix of f32, n a multiple of 32, in tiles of 32 x 32, that blocks of 32 x rows
// threads move.
type transpose struct {
	name string
	// what is read and written in order: the other goes down the columns
	reads, writes bool
	copies        bool // out is in
	tile          int  // elements of a row of the shared tile; 0 is none
	diagonal      bool // blocks with neighbouring numbers have tiles on a diagonal
}

var transposes = []transpose{
	{name: "copy", reads: true, writes: true, copies: true},
	{name: "strided write", reads: true},
	{name: "strided read", writes: true},
	{name: "tile with conflicts", reads: true, writes: true, tile: 32},
	{name: "padded tile", reads: true, writes: true, tile: 33},
	{name: "diagonal", reads: true, writes: true, tile: 33, diagonal: true},
}

func (k transpose) build(t testing.TB, n, rows int) *kir.Func {
	b := kir.NewBuilder("transpose")
	in, out := b.Param("in", kir.U64), b.Param("out", kir.U64)
	var tile *kir.Value
	if k.tile > 0 {
		tile = b.SharedArray("tile", kir.F32, 32*k.tile)
	}
	of := func(s kir.Special) *kir.Value { return b.Convert(kir.I32, b.Special(s)) }
	num := func(n int) *kir.Value { return b.Int(kir.I32, int64(n)) }
	mad := func(x *kir.Value, k int, y *kir.Value) *kir.Value {
		return b.Op(kir.OpAdd, b.Op(kir.OpMul, x, num(k)), y)
	}
	at := func(p, row, col *kir.Value) *kir.Value {
		return b.Index(p, b.Convert(kir.I64, mad(row, n, col)), kir.F32)
	}
	tx, ty, bx, by := of(kir.TidX), of(kir.TidY), of(kir.CtaidX), of(kir.CtaidY)
	if k.diagonal {
		bx, by = b.Op(kir.OpRem, b.Op(kir.OpAdd, bx, by), num(n/32)), bx
	}
	row, col := mad(by, 32, ty), mad(bx, 32, tx)
	for j := 0; j < 32; j += rows {
		r := b.Op(kir.OpAdd, row, num(j))
		from, to := at(in, r, col), at(out, col, r)
		if k.copies {
			to = at(out, r, col)
		} else if !k.reads {
			from, to = at(in, col, r), at(out, r, col)
		}
		x := b.Load(kir.Global, kir.F32, from)
		if k.tile > 0 {
			to = b.Index(tile, b.Convert(kir.I64, mad(b.Op(kir.OpAdd, ty, num(j)), k.tile, tx)), kir.F32)
			b.Store(kir.Shared, to, x)
			continue
		}
		b.Store(kir.Global, to, x)
	}
	if k.tile > 0 {
		b.Barrier()
		row, col := mad(bx, 32, ty), mad(by, 32, tx)
		for j := 0; j < 32; j += rows {
			x := b.Load(kir.Shared, kir.F32, b.Index(tile, b.Convert(kir.I64, mad(tx, k.tile, b.Op(kir.OpAdd, ty, num(j)))), kir.F32))
			b.Store(kir.Global, at(out, b.Op(kir.OpAdd, row, num(j)), col), x)
		}
	}
	b.Return()
	return build(t, b)
}

// time returns the modelled seconds of the kernel.
func (k transpose) time(t testing.TB, n, rows int, machine string, options ...Option) float64 {
	x := newBench(t, machine, options...)
	in, out := x.alloc(4*n*n), x.alloc(4*n*n)
	e := x.launch(k.build(t, n, rows), kir.Dim3{X: n / 32, Y: n / 32, Z: 1}, kir.Dim3{X: 32, Y: rows, Z: 1}, in, out)
	return float64(e.Duration()) * 1e-12
}

// Stores down columns write 4 bytes of each of 32 sectors, which L2 keeps the rest of: that costs as many times a copy
// as it was measured to. V100 and P100: Z. Fan, CUDA Programming, ch. 7, 10000 x 10000 (4.5 and 1.1 ms, 6.0 and 1.5
// ms); M2050, the chip of a GTX 480: NVIDIA's blog, 1024 x 1024 (18.8 and 105 GB/s). Loads down columns hit L1, and a
// tile pays on every machine.
func TestScatteredStores(t *testing.T) {
	testsize.InTurn(t, 1)
	for _, c := range []struct {
		machine string
		rows    int
		times   float64
	}{{"v100", 32, 4.5 / 1.1}, {"p100", 32, 6.0 / 1.5}, {"gtx480", 8, 105.2 / 18.8}} {
		var took []float64 // copy, strided write, strided read, conflicts, padded
		for _, k := range transposes[:5] {
			took = append(took, k.time(t, 512, c.rows, c.machine))
		}
		assert.InDelta(t, 1, took[1]/took[0]/c.times, 0.5, "%s: %.3g times a copy, measured %.3g", c.machine, took[1]/took[0], c.times)
		assert.Less(t, took[2], took[1], c.machine)
		assert.Less(t, took[3], took[1], c.machine)
		assert.LessOrEqual(t, took[4], took[3], c.machine)
	}
}

// A tile pays on every machine since the GTX 280: the plain transpose, which stores down columns, takes longer than the
// one through a padded tile (NVIDIA's lesson on all its cards since Ruetsch and Micikevicius, 2009). A G80, the tiny
// machine, which is no card's, machines without shared memory, and one whose L1 keeps what is stored until the columns
// are whole, as CPUs' do, are not asked.
func TestTilesPayOnEveryMachine(t *testing.T) {
	testsize.InTurn(t, 0)
	for _, name := range Names() {
		if p, err := PresetByName(name[len("sim:"):]); name == "sim:g80" || name == "sim:tiny" || err == nil && (p.SharedPerBlock == 0 || p.WriteBack) {
			continue
		}
		plain, tiled := transposes[1].time(t, 256, 8, name), transposes[4].time(t, 256, 8, name)
		t.Logf("%-16s plain %6.2f µs, tiled %6.2f: %.2f times", name, 1e6*plain, 1e6*tiled, plain/tiled)
		assert.Greater(t, plain, 1.15*tiled, name)
	}
}

// A GTX 280 has its memory in 8 partitions of 256 bytes: tiles of a column of a matrix whose rows are a multiple of 2
// KB are all in one. Ruetsch and Micikevicius, Optimizing matrix transpose in CUDA, 2009: with rows of 8 KB padding of
// the tile gains nothing (16.5 and 16.6 GB/s), the diagonal order of blocks much (70); with 32 columns more the plain
// order is as good. V100's partitions are spread by a hash.
func TestPartitionCamping(t *testing.T) {
	testsize.InTurn(t, 2)
	conflicts, padded, diagonal := transposes[3], transposes[4], transposes[5]
	plain := padded.time(t, 1024, 8, "gtx280")
	assert.InDelta(t, 1, plain/conflicts.time(t, 1024, 8, "gtx280"), 0.1)
	assert.Greater(t, plain/diagonal.time(t, 1024, 8, "gtx280"), 1.5)
	more := padded.time(t, 1024+32, 8, "gtx280")
	assert.Less(t, more, 0.8*plain)
	hashed := padded.time(t, 1024, 8, "gtx280", Change(func(p *Preset) { p.PartitionBytes = 0 }))
	assert.InDelta(t, 1, hashed/diagonal.time(t, 1024, 8, "gtx280"), 0.1)
}

// What a store leaves of its sectors, against a count byte by byte.
func TestPartialSectors(t *testing.T) {
	r := rand.New(rand.NewPCG(28, 7))
	for range 3000 {
		bytes := 1 << r.IntN(5)
		var a access
		written := map[uint64]int{}
		base, step := uint64(r.IntN(64)*bytes), uint64(r.IntN(5)*bytes)
		for i := range 1 + r.IntN(32) {
			addr := base + uint64(i)*step
			if step == 0 {
				addr = uint64(r.IntN(400) * bytes)
			}
			a = append(a, addr)
			for b := range uint64(bytes) {
				written[addr+b] = 1
			}
		}
		for _, x := range Sectors.transactions(a, lanes(0, len(a)), bytes, false, nil) {
			for s := range uint64(4) {
				n := 0
				for b := range uint64(sectorBytes) {
					n += written[x.line*lineBytes+s*sectorBytes+b]
				}
				require.Equal(t, n > 0, x.sectors>>s&1 == 1)
				require.Equal(t, n > 0 && n < sectorBytes, x.partial>>s&1 == 1, "%d bytes of sector %d, %v", n, s, a)
			}
		}
	}
}
