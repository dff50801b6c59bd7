package simgpu

import (
	"context"
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/arrayrepl/arrayrepl/kir"
)

// TestFewerRegisters: a kernel that asks for fewer registers gets them, computes the same, has room for more warps and
// pays with accesses of local memory.
func TestFewerRegisters(t *testing.T) {
	const n, values = 1024, 48
	kernelWith := func(most int) *kir.Func {
		f := elementwise(t, "many", []string{"x", "y"}, func(b *kir.Builder, p []*kir.Value, i *kir.Value) {
			var all []*kir.Value
			for j := range values { // all are loaded before any is used
				all = append(all, b.Load(kir.Global, kir.F32, b.Index(p[0], b.Op(kir.OpAdd, i, b.Int(kir.I64, int64(j))), kir.F32)))
			}
			b.Fence(kir.BlockScope)
			sum := b.Const(kir.F32, 0)
			for j, v := range all {
				sum = b.Op(kir.OpFma, v, b.Const(kir.F32, float64(j)), sum)
			}
			b.Store(kir.Global, b.Index(p[1], i, kir.F32), sum)
		})
		f.Bounds.MaxRegisters = most
		return f
	}
	type result struct {
		registers, local, blocks int
		out                      []byte
	}
	run := func(most int) (r result) {
		p, err := PresetByName("v100")
		if err != nil {
			t.Fatal(err)
		}
		g := New(p)
		s, err := g.NewStream(0)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		k, err := g.Load(kernelWith(most))
		if err != nil {
			t.Fatal(err)
		}
		in := []byte{}
		for i := range n + values {
			in = binary.LittleEndian.AppendUint32(in, math.Float32bits(float32(i%7)))
		}
		x, _ := g.Alloc(len(in))
		y, _ := g.Alloc(4 * n)
		s.CopyIn(x, 0, in)
		params := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, x.Addr()), y.Addr()), n)
		e := s.Launch(k, kir.D1(n/256), kir.D1(256), 0, params)
		r.out = append(r.out, in[:4*n]...)
		s.CopyOut(r.out, y, 0)
		if err := s.Sync(context.Background()); err != nil {
			t.Fatal(err)
		}
		st := e.Trace().Stats
		r.registers = st.Registers
		occ, err := Occupancy(p, st.Registers, 256, 0)
		if err != nil {
			t.Fatal(err)
		}
		r.blocks = occ.Blocks
		for _, b := range k.(*kernel).program.Func().Blocks {
			for _, v := range b.Values {
				if v.Op.IsMemory() && v.Space == kir.Local {
					r.local++
				}
			}
		}
		return r
	}
	free, bound := run(0), run(32)
	if free.registers < values || free.local > 0 || bound.registers > 32 || bound.local == 0 || bound.blocks <= free.blocks {
		t.Errorf("free: %d registers, %d local accesses, %d blocks; bound: %d, %d, %d", free.registers, free.local, free.blocks, bound.registers, bound.local, bound.blocks)
	}
	if string(free.out) != string(bound.out) {
		t.Error("the results differ")
	}
}

// TestSpillsAreCounted: the bytes of spills that the statistics have, of the kernel's text, are those that its accesses
// of local memory move when it runs, which in code without branches is each once for each thread. A kernel that fits
// has none.
func TestSpillsAreCounted(t *testing.T) {
	const n, values = 1024, 48
	for _, most := range []int{0, 20} {
		f := elementwise(t, "many", []string{"x", "y"}, func(b *kir.Builder, p []*kir.Value, i *kir.Value) {
			var all []*kir.Value
			for j := range values {
				all = append(all, b.Load(kir.Global, kir.F32, b.Index(p[0], b.Op(kir.OpAdd, i, b.Int(kir.I64, int64(j))), kir.F32)))
			}
			b.Fence(kir.BlockScope)
			sum := b.Const(kir.F32, 0)
			for j, v := range all {
				sum = b.Op(kir.OpFma, v, b.Const(kir.F32, float64(j)), sum)
			}
			b.Store(kir.Global, b.Index(p[1], i, kir.F32), sum)
		})
		f.Bounds.MaxRegisters = most
		b := newBench(t, "v100")
		st := b.launch(f, kir.D1(n/256), kir.D1(256), b.alloc(4*(n+values)), b.alloc(4*n), n).Stats
		if most == 0 {
			assert.Equal(t, []int{0, 0, 0}, []int{st.LocalBytes, st.SpillStores, st.SpillLoads})
			continue
		}
		local := int64(0)
		for _, l := range st.Detail.Lines {
			if strings.Contains(l.Text, "local") {
				local += l.Bytes
			}
		}
		assert.Positive(t, st.SpillStores)
		assert.GreaterOrEqual(t, st.LocalBytes, st.SpillStores)
		assert.Equal(t, local, int64(n*(st.SpillStores+st.SpillLoads)))
	}
}
