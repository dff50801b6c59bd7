//go:build !portable

package vector

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"
)

// TestWideLoopsHaveTheBitsOfNarrowOnes: where AVX-512 is, nothing else runs the loops of AVX2 that it has its own of.
func TestWideLoopsHaveTheBitsOfNarrowOnes(t *testing.T) {
	if !hasAVX512 {
		t.Skip("this processor has no AVX-512")
	}
	narrow, loops512 := map[[2]string]Loop{}, tables(func(o *Operation) []Loop { return list(o.wide) })
	for _, l := range tables(func(o *Operation) []Loop { return list(o.avx2) }) {
		if l.To == "" {
			narrow[[2]string{l.Op, l.Type}] = l
		}
	}
	if len(loops512) < 28 {
		t.Errorf("there are %d loops", len(loops512))
	}
	const n = 1024
	rng := rand.New(rand.NewPCG(1, 2))
	special := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.MaxFloat64, 0x1p-1022, 0x1p-1074, 1, -1}
	for _, l := range loops512 {
		var operands [3][n]uint64
		for i := range operands {
			for j := range operands[i] {
				x := 4*rng.Float64() - 2
				if rng.IntN(8) == 0 {
					x = special[rng.IntN(len(special))]
				}
				if operands[i][j] = math.Float64bits(x); l.Type == "f32" {
					operands[i][j] = uint64(math.Float32bits(float32(x))) | uint64(math.Float32bits(float32(x/3)))<<32
				}
			}
		}
		for form, f := range l.Forms {
			g := narrow[[2]string{l.Op, l.Type}].Forms[form]
			if (f == nil) != (g == nil) {
				t.Errorf("%s %s: form %d is in one list only", l.Op, l.Type, form)
			}
			if f == nil || g == nil {
				continue
			}
			var got, want [n]uint64
			run := func(f Func, d *[n]uint64) []byte {
				f(n, unsafe.Pointer(d), unsafe.Pointer(&operands[0]), unsafe.Pointer(&operands[1]), unsafe.Pointer(&operands[2]))
				return unsafe.Slice((*byte)(unsafe.Pointer(d)), 8*n)
			}
			if !bytes.Equal(run(f, &got), run(g, &want)) {
				t.Errorf("%s %s, form %d: the bits differ", l.Op, l.Type, form)
			}
		}
	}
}
