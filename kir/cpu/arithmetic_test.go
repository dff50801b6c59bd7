package cpu_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/fma"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
)

// tesla1 computes op of floats with the given bits in the arithmetic of the first machines.
func tesla1(t *testing.T, op kir.Op, x ...uint32) uint32 {
	t.Helper()
	b := kir.NewBuilder("one")
	var args []*kir.Value
	var bits [3]uint64
	for i := range x {
		args, bits[i] = append(args, b.Param(string(rune('a'+i)), kir.F32)), uint64(x[i])
	}
	return uint32(cpu.Tesla1.Evaluate(b.Op(op, args...), bits))
}

// cuda-scan-brook.md B.2.6 [D]: a multiply-add that cuts its product is neither a product and a sum nor the fused one
// of IEEE 754.
func TestTesla1(t *testing.T) {
	const a, b, minusOne = 0x3f800401, 0x3f800ffd, 0xbf800000
	if got := tesla1(t, kir.OpFma, a, b, minusOne); got != 0x3a1ff000 {
		t.Errorf("multiply-add gives %#x, want 0x3a1ff000", got)
	}
	if got := tesla1(t, kir.OpAdd, tesla1(t, kir.OpMul, a, b), minusOne); got != 0x3a1ff800 {
		t.Errorf("a product and a sum give %#x, want 0x3a1ff800", got)
	}
	if got := math.Float32bits(fma.Float32(math.Float32frombits(a), math.Float32frombits(b), -1)); got != 0x3a1ff400 {
		t.Errorf("IEEE's gives %#x, want 0x3a1ff400", got)
	}
	const (
		one, minusZero, inf, nan     = 0x3f800000, 0x80000000, 0x7f800000, 0x7fc00000
		subnormal, smallest, largest = 0x007fffff, 0x00800000, 0x7f7fffff
		half, two                    = 0x3f000000, 0x40000000
	)
	for _, c := range []struct {
		name string
		op   kir.Op
		x    []uint32
		want uint32
	}{
		{"a subnormal operand is zero", kir.OpAdd, []uint32{subnormal, smallest}, smallest},
		{"with its sign", kir.OpMul, []uint32{subnormal | 1<<31, one}, minusZero},
		{"a subnormal result is zero", kir.OpMul, []uint32{smallest, half}, 0},
		{"with its sign", kir.OpMul, []uint32{smallest | 1<<31, half}, minusZero},
		{"of a difference too", kir.OpSub, []uint32{smallest + 1, smallest}, 0},
		{"a product that is subnormal", kir.OpFma, []uint32{smallest, half, smallest}, smallest},
		{"just below the smallest", kir.OpFma, []uint32{0x3f7fffff, smallest, 0}, 0},
		{"a subnormal third operand", kir.OpFma, []uint32{one, one, subnormal}, one},
		{"infinities stay", kir.OpFma, []uint32{inf, one, one}, inf},
		{"and come", kir.OpFma, []uint32{largest, two, 0xff7fffff}, inf},
		{"the largest stays", kir.OpMul, []uint32{largest, one}, largest},
		{"sums of infinities are none", kir.OpSub, []uint32{inf, inf}, nan},
		{"NaN stays", kir.OpFma, []uint32{one, nan, one}, nan},
	} {
		got := tesla1(t, c.op, c.x...)
		if c.want == nan && math.IsNaN(float64(math.Float32frombits(got))) {
			continue
		}
		if got != c.want {
			t.Errorf("%s: %v of %#x is %#x, want %#x", c.name, c.op, c.x, got, c.want)
		}
	}
}

// Numbers of ordinary size against math/big, which cuts the product by a rounding of its own.
func TestTesla1AtRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	number := func() float32 { return float32(math.Ldexp(r.Float64()+1, r.IntN(20)-10)) * float32(1-2*r.IntN(2)) }
	big32 := func(x float32) *big.Float { return new(big.Float).SetFloat64(float64(x)) }
	differs := 0
	for range 20_000 {
		x, y, z := number(), number(), number()
		product := new(big.Float).SetPrec(24).SetMode(big.ToZero).Mul(big32(x), big32(y))
		want, _ := new(big.Float).SetPrec(200).Add(product, big32(z)).Float32()
		got := tesla1(t, kir.OpFma, math.Float32bits(x), math.Float32bits(y), math.Float32bits(z))
		if got != math.Float32bits(want) {
			t.Fatalf("%g * %g + %g is %g, want %g", x, y, z, math.Float32frombits(got), want)
		}
		if want != fma.Float32(x, y, z) {
			differs++
		}
	}
	if differs < 1000 {
		t.Errorf("%d of 20,000 differ from IEEE's: the numbers show little", differs)
	}
}
