package arrays

import "testing"

// TestLongWorkPolls: every kind of long work asks whether to go on, and ends when the answer is a panic.
func TestLongWorkPolls(t *testing.T) {
	type stop struct{}
	defer OnPoll(nil)
	x := Arange(6_000_000).AsType(Float64)
	m := Zeros(300, 300)
	r := DefaultRNG(1).Random(400, 400)
	text := DefaultRNG(1).Integers(0, 1<<40, 500_000).AsType(Str(14))
	for name, f := range map[string]func(){
		"elementwise": func() { x.Sin() },
		"sum":         func() { x.Sum() },
		"sum of rows": func() { x.Reshape(-1, 10).Sum(Axis(1)) },
		"sort":        func() { x.Sort() },
		"cumsum":      func() { x.Reshape(-1, 10).CumSum(0); x.CumSum() },
		"matmul":      func() { m.MatMul(m) },
		"svd":         func() { SVD(r) },
		"eigh":        func() { EigH(r) },
		"eig":         func() { Eig(r) },
		"inv":         func() { Inv(r) },
		"qr":          func() { QR(r) },
		"lstsq":       func() { LstSq(r, r) },
		"convolve":    func() { Convolve(x, x.At(S(0, 1000))) },
		"polymul":     func() { PolyMul(x, x.At(S(0, 1000))) },
		"correlate":   func() { Correlate(x, x.At(S(0, 1000))) },
		"strings":     func() { Unique(text) },
	} {
		polls := 0
		OnPoll(func() { polls++; panic(stop{}) })
		func() {
			defer func() {
				if r := recover(); r != (stop{}) {
					t.Errorf("%s: recovered %v", name, r)
				}
			}()
			f()
		}()
		if polls != 1 {
			t.Errorf("%s: %d polls", name, polls)
		}
	}
}
