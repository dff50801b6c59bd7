package cpu

import (
	"math"
	"testing"

	"github.com/arrayrepl/arrayrepl/kir"
)

// TestHalf goes through all bit patterns of F16, the points half way between neighbours and what is beside those: the
// reference interpreter finds the nearest value by search.
func TestHalf(t *testing.T) {
	convert := func(to kir.Type, x *kir.Value) *kir.Value {
		return &kir.Value{Op: kir.OpConvert, Type: to, Args: []*kir.Value{x}}
	}
	for h := range 1 << 16 {
		v := convert(kir.F64, constOf(kir.F16, uint64(h)))
		checkOp(t, v)
		x := kir.HalfValue(uint16(h))
		if got := kir.HalfOf(x); got != uint16(h) && !math.IsNaN(x) {
			t.Fatalf("%#x is %g and comes back as %#x", h, x, got)
		}
		next := kir.HalfValue(uint16(h + 1))
		mid := (x + next) / 2
		for _, y := range []float64{mid, math.Nextafter(mid, 0), math.Nextafter(mid, math.Inf(1))} {
			checkOp(t, convert(kir.F16, constOf(kir.F64, math.Float64bits(y))))
		}
	}
	for _, from := range scalarTypes {
		for _, x := range operands(from) {
			checkOp(t, convert(kir.F16, constOf(from, x)))
		}
	}
	for _, to := range scalarTypes {
		for _, h := range []uint64{0, 0x8000, 1, 0x3c00, 0xbc00, 0x3e00, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00} {
			checkOp(t, convert(to, constOf(kir.F16, h)))
		}
	}
}
