package cpu

import (
	"math"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/sfu"
	"github.com/arrayrepl/arrayrepl/kir"
)

// Arithmetic says how a machine computes with floats of 32 bits. The zero value is IEEE.
type Arithmetic uint8

const (
	// IEEE is that of IEEE 754, which all engines and devices agree on.
	IEEE Arithmetic = iota
	// Tesla1 is that of NVIDIA's first machines for computing (compute capability 1.0 to 1.3; Lindholm et al., NVIDIA
	// Tesla, IEEE Micro 2008). Sums, differences and products are rounded to nearest; a fused multiply-add cuts its
	// product toward zero to 24 bits and rounds the sum. What is subnormal, going in or coming out, is a zero of its
	// sign, and so of what the special function units approximate. A product of 2^128 and more is an infinity in a
	// multiply-add, too. Other operations are as IEEE's.
	Tesla1
)

// String returns its name.
func (a Arithmetic) String() string {
	if a == Tesla1 {
		return "tesla1"
	}
	return "ieee"
}

// vectorOf returns the function that computes v, as the function of that name.
func (a Arithmetic) vectorOf(v *kir.Value) vecFunc {
	if a.own(v) {
		return tesla1[v.Op]
	}
	return vectorOf(v)
}

// own reports whether v is computed otherwise than by IEEE.
func (a Arithmetic) own(v *kir.Value) bool {
	return a == Tesla1 && len(v.Args) > 0 && v.Args[0].Type == kir.F32 && tesla1[v.Op] != nil
}

// Evaluate is the function Evaluate in this arithmetic.
func (a Arithmetic) Evaluate(v *kir.Value, args [3]uint64) uint64 {
	return evaluateBy(a.vectorOf(v), args)
}

var tesla1 = withApproximate([kir.NumOps]vecFunc{
	kir.OpAdd: zip32(func(x, y float32) float32 { return x + y }),
	kir.OpSub: zip32(func(x, y float32) float32 { return x - y }),
	kir.OpMul: zip32(func(x, y float32) float32 { return x * y }),
	kir.OpFma: func(n int, d, a, b, c unsafe.Pointer) {
		x, y, w, z := lanes[float32](a, n), lanes[float32](b, n), lanes[float32](c, n), lanes[float32](d, n)
		for i := range z {
			z[i] = flush(cut(float64(flush(x[i]))*float64(flush(y[i]))) + flush(w[i]))
		}
	},
})

// withApproximate adds what the special function units of these machines do: they know nothing that is subnormal.
func withApproximate(t [kir.NumOps]vecFunc) [kir.NumOps]vecFunc {
	for _, f := range sfu.Functions {
		t[approximateOps[f.Name]] = map1(func(x float32) float32 { return flush(f.Of(flush(x))) })
	}
	return t
}

// zip32 makes a vecFunc of an operation on numbers that are not subnormal.
func zip32(f func(x, y float32) float32) vecFunc {
	return func(n int, d, a, b, _ unsafe.Pointer) {
		x, y, z := lanes[float32](a, n), lanes[float32](b, n), lanes[float32](d, n)
		for i := range z {
			z[i] = flush(f(flush(x[i]), flush(y[i])))
		}
	}
}

// flush makes a zero of a subnormal number, with its sign.
func flush(x float32) float32 {
	if bits := math.Float32bits(x); bits&0x7f80_0000 == 0 {
		return math.Float32frombits(bits & (1 << 31))
	}
	return x
}

// cut rounds an exact product of floats of 32 bits toward zero to 24 bits: of the 53 that it has room for, 29 go.
func cut(product float64) float32 {
	const smallest = 0x1p-126
	if math.Abs(product) < smallest {
		return float32(math.Copysign(0, product))
	}
	return float32(math.Float64frombits(math.Float64bits(product) &^ (1<<29 - 1)))
}
