package kir

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"testing"
)

// runEngine runs f on k's inputs and returns what it wrote.
func (k *randomKernel) runEngine(t testing.TB, f *Func, workers int) []byte {
	t.Helper()
	p, err := Compile(f)
	if err != nil {
		t.Fatalf("%v\n%v", err, f)
	}
	out, m := k.output(), NewMemory()
	m.Map(inBase, k.input())
	m.Map(outBase, out)
	if _, err := p.Run(context.Background(), Launch{Grid: k.grid, Block: k.block, Params: k.params, Memory: m, Workers: workers}); err != nil {
		t.Fatalf("%v\n%v", err, f)
	}
	return out
}

func (k *randomKernel) runReference(t testing.TB) []byte {
	t.Helper()
	out := k.output()
	if err := refRun(k.f, k.grid, k.block, k.params, map[uint64][]byte{inBase: k.input(), outBase: out}); err != nil {
		t.Fatalf("%v\n%v", err, k.f)
	}
	return out
}

// sameBits compares words; NaNs of one width are equal whatever their payload, which IEEE 754 leaves open.
func sameBits(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	for i := 0; i < len(a); i += 8 {
		x, y := binary.LittleEndian.Uint64(a[i:]), binary.LittleEndian.Uint64(b[i:])
		nan64 := math.IsNaN(math.Float64frombits(x)) && math.IsNaN(math.Float64frombits(y))
		nan32 := x>>32 == y>>32 && isNaN32(x) && isNaN32(y)
		if x != y && !nan64 && !nan32 {
			return false
		}
	}
	return true
}

func isNaN32(x uint64) bool { f := math.Float32frombits(uint32(x)); return f != f }

func checkSeed(t *testing.T, seed uint64) {
	k := newRandomKernel(seed)
	want := k.runReference(t)
	if got := k.runEngine(t, k.f, 1); !sameBits(got, want) {
		t.Fatalf("seed %d: engine and reference differ\n%x\n%x\n%v", seed, got, want, k.f)
	}
	if got := k.runEngine(t, k.f, 3); !sameBits(got, want) {
		t.Fatalf("seed %d: the result depends on the number of workers", seed)
	}
	if got := k.runEngine(t, Optimize(k.f), 1); !sameBits(got, want) {
		t.Fatalf("seed %d: the optimised kernel and the reference differ\n%v\n%v", seed, k.f, Optimize(k.f))
	}
}

func TestEngineEqualsReferenceOnRandomKernels(t *testing.T) {
	n := uint64(250)
	if testing.Short() {
		n = 100
	}
	for seed := range n {
		checkSeed(t, seed)
	}
}

func FuzzEngine(f *testing.F) {
	f.Add(uint64(0))
	f.Fuzz(checkSeed)
}
